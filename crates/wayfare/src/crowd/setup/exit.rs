//! Exits, and the action on agents that leave.

use crate::geometry::obstacle::Shape;
use crate::parameter::{Groups, Kind, describe_variants, described, parameters, part_field};

parameters! {
    /// A shape in which agents leave: an agent whose position is inside it after a step.
    "exit" = pub struct Exit<V> {
        /// The shape: a circle, a box, a segment or a polygon.
        shape: Shape<V> = required, Kind::Shape(&["circle", "box", "segment", "polygon"]);
        /// The groups whose members leave by it; all unless given.
        groups: Groups = (Groups::All), Kind::Groups, "[\"guest\"]";
        /// `"remove"`: the agent is removed. `{ respawn = … }`: it starts again at a random
        /// position.
        then: ExitAction<V> = (ExitAction::Remove), Kind::ExitAction, "\"remove\"";
    }
}

described!(Exit<V>);

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

part_field!(ExitAction<V>, ExitAction::Remove);
