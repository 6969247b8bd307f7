//! The cells that the members of groups with `explore` have visited: one grid for each `explore` of
//! a group's lists, updated at the end of each tick.

use alloc::vec::Vec;

use crate::combine::List;
use crate::crowd::Crowd;
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::world::World;
use crate::geometry::explored::Explored;
use crate::geometry::obstacle::Obstacles;
use crate::id::GroupId;
use crate::spatial::space::{Edge, Space};
use crate::threads::{Share, buffer, share_rows};
use crate::vector::{Up, Vector};

/// A cell in which an agent is: the indices of the group, its grid and the cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::crowd) struct Visit {
    group: u32,
    grid: u32,
    cell: u32,
}

/// A grid for each `explore` of a numbered list, with its random stream.
pub(in crate::crowd) fn grids<V: Vector>(list: &List<V>, up: Up) -> Vec<(u32, Explored<V>)> {
    list.exploring()
        .into_iter()
        .map(|(stream, explore)| (stream, Explored::with_up(&explore.area, explore.cell, up)))
        .collect()
}

impl<V: Vector> Crowd<V> {
    /// The cells that the members of `group` have visited, for each `explore` of its lists.
    pub fn explored(&self, group: impl Into<GroupId>) -> impl Iterator<Item = &Explored<V>> {
        self.world
            .groups
            .get(group.into().0)
            .into_iter()
            .flat_map(|group| &group.explored)
            .map(|(_, explored)| explored)
    }

    /// Records the cells that agents are in now. The threads find the cells of the rows of
    /// exploring groups; as all visits of a tick write the same time, their order does not matter.
    pub(in crate::crowd) fn mark_explored(&mut self, shared: Share) {
        if self.world.groups.iter().all(|group| group.explored.is_empty()) {
            return;
        }
        let World { groups, space, .. } = &mut self.world;
        let (now, tick, visits) = (&self.population.now, self.tick.number, &mut self.tick.visits);
        share_rows(0..now.len(), visits, shared, &|rows, visits: &mut Vec<Visit>| {
            for i in rows {
                let group = now.group[i];
                for (grid, (_, explored)) in (0..).zip(&groups[group as usize].explored) {
                    let Some(cell) = explored.cell_at(space, now.position.get(i)) else { continue };
                    let visit = Visit { group, grid, cell: cell as u32 };
                    // Consecutive rows are often in one cell.
                    if visits.last() != Some(&visit) {
                        visits.push(visit);
                    }
                }
            }
        });
        for Visit { group, grid, cell } in
            visits.iter_mut().flat_map(|visits| buffer(visits).drain(..))
        {
            groups[group as usize].explored[grid as usize].1.visit_cell(cell as usize, tick);
        }
    }

    /// Excludes the cells that no agent can reach.
    pub(in crate::crowd) fn exclude_unreachable_cells(&mut self) {
        let (space, obstacles) = (
            &self.world.space,
            Obstacles::indexed(&self.world.obstacles, &self.world.obstacle_bvh),
        );
        for (_, explored) in self.world.groups.iter_mut().flat_map(|group| &mut group.explored) {
            let center = explored.center();
            explored.exclude(|middle| {
                is_out(space, center, middle) || obstacles.nearest(space, middle, 0.0).is_some()
            });
        }
    }

    /// Keeps the times of the groups `before` where an `explore` is the same; a new one starts with
    /// the agents' current positions.
    pub(in crate::crowd) fn go_on_exploring(&mut self, before: Vec<CompiledGroup<V>>) {
        self.mark_explored(Share::ALONE);
        for (group, before) in self.world.groups.iter_mut().zip(before) {
            for (stream, old) in before.explored {
                let (area, cell) = old.area();
                if let Some((_, explored)) = group.explored.iter_mut().find(|(other, explored)| {
                    *other == stream && explored.was_made_from(area, cell)
                }) {
                    *explored = old;
                }
            }
        }
        self.exclude_unreachable_cells();
    }
}

/// Whether a cell is outside a world with walls, or in a wrapped world is the same region as
/// another cell of its area, because the area is larger than the world.
fn is_out<V: Vector>(space: &Space<V>, center: V, middle: V) -> bool {
    let min = space.min();
    (0..V::DIMENSION).any(|i| match space.edge() {
        Edge::Open => false,
        Edge::Wall | Edge::Bounce => {
            !(min.axis(i)..=min.axis(i) + space.size().axis(i)).contains(&middle.axis(i))
        }
        Edge::Wrap => (middle - center).axis(i).abs() > 0.5 * space.size().axis(i),
    })
}
