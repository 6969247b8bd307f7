//! Exits, and what becomes of agents that leave.

use crate::geometry::obstacle::Shape;
use crate::parameter::Groups;

/// Where agents leave: who stands in the shape after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Exit<V> {
    /// Where it is.
    pub shape: Shape<V>,
    /// Whose members leave by it.
    pub groups: Groups,
    /// What becomes of them.
    pub then: ExitAction<V>,
}

/// What becomes of who enters an exit, or takes a way out of its state.
#[derive(Clone, Debug, PartialEq)]
pub enum ExitAction<V> {
    /// It goes.
    Remove,
    /// It begins anew at a random place inside this circle or box: with its group's velocity, state
    /// and stats of the start, nothing remembered, and its own id and limits.
    Respawn(Shape<V>),
}
