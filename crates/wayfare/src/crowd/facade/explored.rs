//! The cells that groups with `explore` have visited.

use alloc::vec::Vec;

use super::crowd::Crowd;
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::pipeline::explore::mark_explored;
use crate::geometry::explored::Explored;
use crate::id::GroupId;
use crate::threads::Share;
use crate::vector::Vector;

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

    /// Records the cells that agents are in now.
    pub(in crate::crowd) fn mark_explored(&mut self, shared: Share) {
        mark_explored(&mut self.world, &self.population, &mut self.tick, shared);
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
        self.world.exclude_unreachable_cells();
    }
}
