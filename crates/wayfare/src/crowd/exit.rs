//! Exits, by which agents leave the crowd after a step.

use glam::Vec2;

use super::setup::Exit;
use crate::geometry::obstacle::Obstacle;
use crate::id::{ExitId, GroupId};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// An exit, and the number of agents that have left by it since the start.
#[derive(Clone, Debug, PartialEq)]
pub struct ExitCount<V: Vector> {
    /// The id of the exit.
    pub id: ExitId,
    /// The exit.
    pub exit: Exit<V>,
    /// The number of agents that have left by this exit.
    pub left: u64,
    shape: Obstacle<V>,
    /// The exit's bounding box on the axes of the ground, which excludes most agents by a cheap
    /// test.
    low: Vec2,
    high: Vec2,
    /// The center of the exit's bounding box, in a wrapped world its image inside the bounds, and
    /// the offset from there to the shape as given.
    anchor: V,
    offset: V,
}

/// The exit or the transition by which an agent leaves.
#[derive(Clone, Copy, Debug)]
pub(super) enum LeaveBy {
    /// By the exit with this index.
    Exit(usize),
    /// By the transition with this index of its state.
    Transition(usize),
}

impl<V: Vector> ExitCount<V> {
    pub(super) fn new(id: ExitId, exit: Exit<V>, space: &Space<V>) -> Self {
        let up = space.up();
        let shape = Obstacle::with_up(exit.shape.clone(), up);
        let (low, high) = exit.shape.extent(up);
        let anchor = space.inside(shape.middle());
        Self {
            id,
            offset: shape.middle() - anchor,
            anchor,
            low: up.ground(low),
            high: up.ground(high),
            shape,
            exit,
            left: 0,
        }
    }

    /// Whether a member of `group` at the position `p` leaves.
    pub(super) fn takes(&self, group: GroupId, p: V, space: &Space<V>) -> bool {
        let p = if space.wraps() { space.image(self.anchor, p) + self.offset } else { p };
        let flat = space.up().ground(p);
        flat.cmpge(self.low).all()
            && flat.cmple(self.high).all()
            && self.exit.groups.contain(group)
            && self.shape.contains(p)
    }
}
