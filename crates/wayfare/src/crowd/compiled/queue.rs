//! The `queue_along` of the states of a group.

use alloc::vec::Vec;

use crate::combine::List;
use crate::id::PathId;
use crate::registry::Behavior;
use crate::vector::Vector;

/// The `queue_along` of a state's list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::crowd) struct StateQueue {
    /// The index of the members' memory that holds the place.
    pub(in crate::crowd) memory: usize,
    pub(in crate::crowd) path: PathId,
    /// The distance between places (length).
    pub(in crate::crowd) spacing: f32,
}

/// The `queue_along` of a list; a valid setup has one at most.
pub(in crate::crowd) fn state_queue<V: Vector>(list: &List<V>) -> Option<StateQueue> {
    list.remembering().into_iter().find_map(|(memory, behavior)| match behavior {
        Behavior::QueueAlong(queue) => {
            Some(StateQueue { memory, path: queue.path, spacing: queue.spacing.known() })
        }
        _ => None,
    })
}

/// The memories of these `queue_along`, each with its path.
pub(in crate::crowd) fn queue_memories(
    queues: impl Iterator<Item = StateQueue>,
) -> Vec<(usize, PathId)> {
    let mut found = Vec::new();
    for queue in queues {
        // A behavior of the group's own list is also in the compiled list of every state.
        if !found.contains(&(queue.memory, queue.path)) {
            found.push((queue.memory, queue.path));
        }
    }
    found
}
