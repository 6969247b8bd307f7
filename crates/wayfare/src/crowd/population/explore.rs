//! Where the groups that explore have been: one grid for each place of a group's lists that
//! explores, brought up to date once a tick.

use crate::combine::List;
use crate::crowd::Crowd;
use crate::crowd::compiled::CompiledGroup;
use crate::geometry::explored::Explored;
use crate::geometry::obstacle::Obstacles;
use crate::spatial::space::{Edge, Space};
use crate::vector::Vector;

/// A grid for each place of a numbered list that explores, with the place's stream.
pub(in crate::crowd) fn grids<V: Vector>(list: &List<V>) -> Vec<(u32, Explored<V>)> {
    list.exploring()
        .into_iter()
        .map(|(stream, explore)| (stream, Explored::new(&explore.area, explore.cell)))
        .collect()
}

impl<V: Vector> Crowd<V> {
    /// Where the members of `group` (its index) have been, for each place of its lists that
    /// explores.
    pub fn explored(&self, group: usize) -> impl Iterator<Item = &Explored<V>> {
        self.groups
            .get(group)
            .into_iter()
            .flat_map(|group| &group.explored)
            .map(|(_, explored)| explored)
    }

    /// Notes who is where now. A cell was visited at this tick, by one or by many: their order does
    /// not matter.
    pub(in crate::crowd) fn visit(&mut self) {
        if self.groups.iter().all(|group| group.explored.is_empty()) {
            return;
        }
        for i in 0..self.now.len() {
            for (_, explored) in &mut self.groups[self.now.group[i] as usize].explored {
                explored.visit(&self.space, self.now.position.get(i), self.tick);
            }
        }
    }

    /// Leaves out the cells that nobody can come to.
    pub(in crate::crowd) fn leave_out(&mut self) {
        let (space, obstacles) =
            (&self.space, Obstacles::indexed(&self.obstacles, &self.obstacle_tree));
        for (_, explored) in self.groups.iter_mut().flat_map(|group| &mut group.explored) {
            let center = explored.center();
            explored.leave_out(|middle| {
                is_out(space, center, middle) || obstacles.nearest(space, middle, 0.0).is_some()
            });
        }
    }

    /// Takes over what the groups `before` know, where they explore the same; what is new begins
    /// with where everybody is, as a crowd does.
    pub(in crate::crowd) fn go_on_exploring(&mut self, before: Vec<CompiledGroup<V>>) {
        self.visit();
        for (group, before) in self.groups.iter_mut().zip(before) {
            for (stream, old) in before.explored {
                let (area, cell) = old.area();
                if let Some((_, explored)) = group
                    .explored
                    .iter_mut()
                    .find(|(other, explored)| *other == stream && explored.is_of(area, cell))
                {
                    *explored = old;
                }
            }
        }
        self.leave_out();
    }
}

/// Whether a cell is outside of a world with walls; or, in a wrapped one, is the same place as
/// another cell of its area, which reaches round the world.
fn is_out<V: Vector>(space: &Space<V>, center: V, middle: V) -> bool {
    let min = space.min();
    (0..V::DIMENSION).any(|i| match space.edge() {
        Edge::Open => false,
        Edge::Wall => !(min.axis(i)..=min.axis(i) + space.size().axis(i)).contains(&middle.axis(i)),
        Edge::Wrap => (middle - center).axis(i).abs() > 0.5 * space.size().axis(i),
    })
}
