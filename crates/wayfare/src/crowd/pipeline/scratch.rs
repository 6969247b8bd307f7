//! The buffers with which one thread steps agents.

use super::steer::SteerOutput;
use crate::simd::SimdDispatch;
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
