//! The buffers with which one thread steps agents.

use alloc::vec::Vec;

use crate::simd::SimdDispatch;
use crate::simd::column::VectorColumn;
use crate::solve::CellHost;
use crate::spatial::neighbors::Neighbors;
use crate::vector::Vector;

/// The number of agents that steer before they move: their forces fit in the processor's
/// first-level cache.
pub(super) const CHUNK: usize = 512;

/// Buffers of one thread.
#[derive(Debug)]
pub(in crate::crowd) struct Scratch<V: Vector> {
    pub(super) neighbors: Neighbors<V>,
    pub(super) steered: SteerOutput<V>,
    /// What they were made for.
    made_for: (usize, SimdDispatch),
}

impl<V: Vector> Clone for Scratch<V> {
    /// New buffers of the same capacity: no tick reads what another left in them.
    fn clone(&self) -> Self {
        Self::new(self.made_for.0, self.made_for.1)
    }
}

impl<V: Vector> Scratch<V> {
    /// Buffers with a capacity for more neighbors than the cells around a cell usually hold, and
    /// for a chunk of forces. Both grow in very dense crowds.
    pub(super) fn new(agents: usize, dispatch: SimdDispatch) -> Self {
        let mut neighbors = Neighbors::with_capacity(agents.min(1_024));
        neighbors.set_dispatch(dispatch);
        let mut steered = SteerOutput::with_room_for(agents.min(CHUNK));
        steered.reserve(agents.min(2 * CHUNK));
        Self { neighbors, steered, made_for: (agents, dispatch) }
    }
}

/// The forces and start velocities of consecutive agents that have steered and not moved yet.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct SteerOutput<V: Vector> {
    pub(super) force: VectorColumn<V>,
    /// The velocity that the step starts from (length / time); written only if
    /// [`TickInput::replaces_velocity`].
    pub(super) start: VectorColumn<V>,
    pub(super) len: usize,
    /// The agents of a cell whose solvers decide together; stored for its capacity.
    pub(super) together: Together<V>,
}

/// Agents of one group and cell whose solvers decide their velocities together.
#[derive(Clone, Debug, Default)]
pub(super) struct Together<V: Vector> {
    pub(super) hosts: Vec<CellHost<V>>,
    /// Their rows in the chunk, and the indices of their states.
    pub(super) rows: Vec<(usize, u32)>,
}

impl<V: Vector> SteerOutput<V> {
    /// No agents, with room for so many in one cell before the next allocation.
    pub(super) fn with_room_for(agents: usize) -> Self {
        let together =
            Together { hosts: Vec::with_capacity(agents), rows: Vec::with_capacity(agents) };
        Self { together, ..Self::default() }
    }

    /// The number of agents that have steered and not moved yet.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Grows the columns for `count` more agents.
    #[inline(always)]
    pub(in crate::crowd) fn reserve(&mut self, count: usize) {
        if self.len + count > self.force.len() {
            self.force.resize(self.len + count);
            self.start.resize(self.len + count);
        }
    }

    #[cfg(test)]
    pub(super) fn push(&mut self, force: V, start: V) {
        self.force.set(self.len, force);
        self.start.set(self.len, start);
        self.len += 1;
    }

    /// Removes the first `count` agents, which have moved.
    pub(in crate::crowd) fn remove_first(&mut self, count: usize) {
        for (to, from) in (count..self.len).enumerate() {
            self.force.set(to, self.force.get(from));
            self.start.set(to, self.start.get(from));
        }
        self.len -= count;
    }
}
