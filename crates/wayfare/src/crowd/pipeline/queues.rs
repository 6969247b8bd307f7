//! The places of agents in queues at one tick.

use alloc::vec::Vec;

use crate::agent::Memory;
use crate::context::QueueLength;
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::population::columns::Columns;
use crate::vector::Vector;

/// The place of an agent without one.
pub(super) const NO_PLACE: u32 = u32::MAX;

/// An agent in a queue, in the order of the queue: agents without a place come last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member {
    pub(super) path: usize,
    /// The place at the last tick.
    pub(super) place: u32,
    pub(super) id: u32,
    pub(super) row: usize,
}

/// The places of all agents in queues at this tick. Buffers that are kept from tick to tick.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Queues {
    pub(super) members: Vec<Member>,
    /// The place of each row; empty without queues.
    pub(super) places: Vec<u32>,
    /// The queue on each path; empty without queues.
    pub(super) lengths: Vec<QueueLength>,
}

impl Queues {
    /// The queue on each path; empty without queues.
    pub(in crate::crowd) fn lengths(&self) -> &[QueueLength] {
        &self.lengths
    }

    /// The place of the agent in row `i`.
    pub(super) fn place(&self, i: usize) -> Option<u32> {
        self.places.get(i).copied().filter(|place| *place != NO_PLACE)
    }

    /// Stores the place of the agent in row `i` of `group` in its memories of the queue that it is
    /// in, so that a transition to a state with the same queue keeps the place; clears those of
    /// other queues.
    #[inline(always)]
    pub(in crate::crowd) fn write_place<V: Vector>(
        &self,
        i: usize,
        group: &CompiledGroup<V>,
        now: &Columns<V>,
        memories: &mut [Memory<V>],
    ) {
        if group.queue_memories.is_empty() {
            return;
        }
        let queue = group.states[now.state[i].state as usize].queue;
        for (memory, path) in &group.queue_memories {
            let is_here = queue.is_some_and(|queue| queue.path == *path);
            if let Some(memory) = memories.get_mut(*memory) {
                memory.slot = if is_here { self.place(i) } else { None };
            }
        }
    }
}
