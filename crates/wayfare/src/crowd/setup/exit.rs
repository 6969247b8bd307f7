//! Exits, and the action on agents that leave.

use crate::geometry::obstacle::Shape;
use crate::parameter::{Groups, Kind, describe_variants};

/// An exit: an agent whose position is inside the shape after a step leaves.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Exit<V> {
    /// The shape of the exit.
    pub shape: Shape<V>,
    /// The groups whose members leave by this exit.
    pub groups: Groups,
    /// The action on an agent that leaves.
    pub then: ExitAction<V>,
}

/// The action on an agent that enters an exit, or takes a transition out of the crowd. Described by
/// its [`LIST`](crate::parameter::Variants::LIST).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum ExitAction<V> {
    /// The agent is removed.
    Remove,
    /// The agent starts again at a random position inside this circle or box: with the velocity,
    /// state and stats of its group's start, an empty memory, and its own id and limits.
    Respawn(Shape<V>),
}

describe_variants!(ExitAction<V> {
    Remove = "remove", "The agent is removed.", r#""remove""# {}
    Respawn = "respawn", "The agent starts again at a random position of an area.",
        "{ respawn = { box = { min = [0, 0], max = [10, 10] } } }" {
        0 "respawn": Shape<V> = required, Kind::Area, "The area: a circle or a box.";
    }
});
