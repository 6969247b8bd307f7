//! The bounds of the world, as scenes write them.

use crate::parameter::{Kind, describe, described, words_of};
use crate::spatial::space::{Bounds, Edge};

words_of! { Edge { Open = "open", Wrap = "wrap", Wall = "wall", Bounce = "bounce", } }

describe! {
    /// The bounds of the world.
    "bounds" = Bounds<V> {
        /// The corner with the smallest coordinates.
        min: V = required, Kind::Point, "[0, 0]";
        /// The corner with the largest coordinates, above `min` on every axis.
        max: V = required, Kind::Point, "[640, 480]";
        /// `"open"`: agents cross it; the bounds only tell what a picture shows. `"wrap"`: an agent
        /// that leaves on one side enters on the other. `"wall"`: positions are held inside.
        /// `"bounce"`: an agent that leaves is reflected.
        edge: Edge = (Edge::Open), Kind::Word(Edge::WORDS), "\"wrap\"";
    }
}

described!(Bounds<V>);
