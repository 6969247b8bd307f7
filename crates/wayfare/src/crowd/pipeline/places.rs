//! The places of agents in queues, assigned in the assign phase before any agent steers.
//!
//! A place is stored in the memory that an agent has for its `queue_along`, 0 for the first one,
//! and so the order of the places is the order in which agents joined. At each tick the places
//! close up, then the nearest agent within one spacing of the free place joins: one per queue, the
//! lowest id in a tie.

use super::input::TickInput;
use super::queues::{Member, NO_PLACE, Queues};
use crate::behavior::queue_place;
use crate::context::QueueLength;
use crate::crowd::compiled::{CompiledState, StateQueue};
use crate::geometry::visibility::line_of_sight_in;
use crate::vector::Vector;

impl Queues {
    /// Assigns the places of this tick.
    pub(super) fn update<V: Vector>(&mut self, world: &TickInput<'_, V>) {
        let (now, paths) = (world.now, world.context.paths);
        self.members.clear();
        self.places.clear();
        self.lengths.clear();
        if world.groups.iter().all(|group| group.queue_memories.is_empty()) {
            return;
        }
        self.places.resize(now.len(), NO_PLACE);
        self.lengths.resize(paths.len(), QueueLength::default());
        for row in 0..now.len() {
            let group = &world.groups[now.group[row] as usize];
            if group.queue_memories.is_empty() {
                continue;
            }
            let Some(queue) = world.queue_of(row) else { continue };
            let path = queue.path.0;
            if path < paths.len() {
                let place = now.memory(row).get(queue.memory).and_then(|memory| memory.slot);
                let place = place.unwrap_or(NO_PLACE);
                self.members.push(Member { path, place, id: now.id[row], row });
            }
        }
        self.members.sort_unstable();
        for queue in self.members.chunk_by(|a, b| a.path == b.path) {
            let path = queue[0].path;
            let standing = queue.partition_point(|member| member.place != NO_PLACE);
            let (in_order, without) = queue.split_at(standing);
            for (member, place) in in_order.iter().zip(0..) {
                self.places[member.row] = place;
            }
            let joined = world.next_to_join(without, path, standing as u32);
            if let Some(row) = joined {
                self.places[row] = standing as u32;
            }
            self.lengths[path] = QueueLength {
                standing: standing as u32 + u32::from(joined.is_some()),
                members: queue.len() as u32,
            };
        }
    }
}

impl<V: Vector> TickInput<'_, V> {
    /// The `queue_along` of the state of the agent in row `i`.
    fn queue_of(&self, i: usize) -> Option<StateQueue> {
        let group = &self.groups[self.now.group[i] as usize];
        group.states[self.now.state[i].state as usize].queue
    }

    /// The row of the agent that takes the place behind the `standing` members of the queue on
    /// `path`: the nearest one of those `without` a place that are within one spacing of it, with
    /// no obstacle between; the lowest id in a tie.
    fn next_to_join(&self, without: &[Member], path: usize, standing: u32) -> Option<usize> {
        let (space, path) = (&self.context.space, &self.context.paths[path]);
        let mut nearest: Option<(f32, usize)> = None;
        for member in without {
            let Some(queue) = self.queue_of(member.row) else { continue };
            let p = self.now.position.get(member.row);
            let place = space.image(p, queue_place(path, queue.spacing, standing));
            let distance = (place - p).length();
            // A place outside walls can never be reached. The members without a place are in the
            // order of their ids.
            let is_inside = !space.edge().has_walls() || space.constrain(place, V::ZERO).0 == place;
            if is_inside
                && distance <= queue.spacing
                && nearest.is_none_or(|(least, _)| distance < least)
                && line_of_sight_in(space, p, place, self.context.obstacles)
            {
                nearest = Some((distance, member.row));
            }
        }
        nearest.map(|(_, row)| row)
    }

    /// Whether the agent in row `i`, which is in `state`, is the first one in its queue and at the
    /// end of the path.
    pub(super) fn is_first_in_queue(&self, i: usize, state: &CompiledState<V>) -> bool {
        let Some(queue) = state.queue.filter(|_| self.queues.place(i) == Some(0)) else {
            return false;
        };
        let Some(path) = self.context.paths.get(queue.path.0) else { return false };
        let p = self.now.position.get(i);
        let end = self.context.space.image(p, queue_place(path, queue.spacing, 0));
        (end - p).length() <= path.radius
    }
}
