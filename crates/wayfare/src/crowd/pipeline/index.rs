//! The index phase: agents sorted into grid cells, and bounding volume trees over the groups that
//! are searched for nearest members.

use crate::crowd::compiled::CompiledGroup;
use crate::crowd::population::columns::Columns;
use crate::crowd::{Crowd, Group};
use crate::spatial::bvh::{Bvh, Item};
use crate::vector::Vector;

/// So many obstacles are in the processor's cache anyway.
const FEW_OBSTACLES: usize = 512;

/// Agents are sorted into cells again when somebody may have moved by this part of a cell's width.
const MOST_MOVED: f32 = 0.2;

impl<V: Vector> Crowd<V> {
    /// Sorts the agents into cells where needed, and brings the member trees up to date.
    pub(super) fn index(&mut self, shared: bool) {
        self.sort(shared);
        for (i, group) in self.groups.iter_mut().enumerate().filter(|(_, group)| group.sought) {
            update_members(&mut group.members, &self.now, i as u32);
        }
    }

    /// Brings the agents into the order of the grid's cells, where they have left them too far
    /// behind.
    ///
    /// Sorting costs as much as a good part of a tick, and cells need not be exact: who looks for
    /// neighbors looks as much farther as anybody can have moved since.
    pub(in crate::crowd) fn sort(&mut self, shared: bool) {
        let Some(width) = self.width() else { return };
        // What adding a step and turning round at an edge round is a movement, too.
        let moved = self.moved
            + self.fastest * self.dt as f32 * 1.001
            + 4.0 * f32::EPSILON * self.grid.magnitude();
        if moved <= MOST_MOVED * width.max(0.5 * self.grid.width()) {
            self.moved = moved;
            return;
        }
        self.grid.build(&self.now.position, width * (1.0 + MOST_MOVED), &self.space, shared);
        self.now.permute_into(self.grid.places(), &mut self.next, shared);
        core::mem::swap(&mut self.now, &mut self.next);
        self.before = false;
        self.moved = 0.0;
    }

    /// How wide cells are. Where nobody looks for neighbors there are cells only among many
    /// obstacles: agents that come one after another as they stand find in the processor's
    /// cache what the one before has looked at.
    fn width(&self) -> Option<f32> {
        // They are sorted anew when they have moved by a part of the width: some ticks later.
        self.cell_width.or_else(|| {
            (self.obstacles.len() > FEW_OBSTACLES).then_some(self.fastest * self.dt as f32 * 100.0)
        })
    }

    /// A bound on the distance of any two agents (length), the same however the agents are sorted;
    /// infinity where everybody looks less far.
    pub(in crate::crowd) fn reach(&self) -> f32 {
        let widest = self.groups.iter().filter_map(|group| group.radius).fold(0.0, f32::max);
        // Since they were sorted both ends may have moved on every axis.
        if !self.space.wraps() && self.grid.reach() - 4.0 * self.moved > widest {
            return f32::INFINITY;
        }
        let (low, high) = if self.space.wraps() {
            (V::ZERO, self.space.size())
        } else {
            self.now.position.extent()
        };
        power_of_two_from((high - low).length())
    }
}

/// Brings the tree over the members of `group` to where they are in the columns.
pub(in crate::crowd) fn update_members<V: Vector>(tree: &mut Bvh<V>, now: &Columns<V>, group: u32) {
    let groups = &now.group[..now.len()];
    let count = groups.iter().filter(|&&g| g == group).count();
    // An order goes on for a while: until the columns are sorted anew, or the members have mixed.
    let find = |id: u32, place: u32| {
        (now.id.get(place as usize) == Some(&id)).then(|| now.position.get(place as usize))
    };
    if tree.len() != count || !tree.follow(find) {
        tree.build((0..now.len()).filter(|&i| groups[i] == group).map(|i| {
            let p = now.position.get(i);
            Item { low: p, high: p, rank: now.id[i], place: i as u32 }
        }));
    }
}

/// How wide the grid's cells are best: the radius of the largest group that looks for neighbors,
/// unless others look much farther.
pub(in crate::crowd) fn cell_width<V: Vector>(
    setup: &[Group<V>],
    groups: &[CompiledGroup<V>],
) -> Option<f32> {
    let widest = groups.iter().filter_map(|group| group.radius).reduce(f32::max)?;
    let looking =
        setup.iter().zip(groups).filter_map(|(setup, group)| Some((setup.count, group.radius?)));
    let usual = looking.max_by_key(|(count, _)| *count)?.1;
    Some(usual.max(widest / 8.0))
}

/// The smallest power of two that is not below `x`, from 2^-60 up to 2^100: a unit in which
/// dividing loses no bits.
pub(in crate::crowd) fn power_of_two_from(x: f32) -> f32 {
    let (_, exponent) = libm::frexpf(x.clamp(1e-18, 1e30));
    let above = libm::ldexpf(1.0, exponent);
    if above * 0.5 >= x { above * 0.5 } else { above }
}
