//! Lines whose crossings are counted.

use alloc::string::String;

use crate::parameter::{Kind, described, parameters};

parameters! {
    /// A line whose crossings are counted per direction, such as a door or a finish line. In three
    /// dimensions its projection to the ground counts, as seen from above.
    "line" = pub struct Line<V> {
        /// The name, unique in the scene.
        name: String = required, Kind::Text, "\"door\"";
        /// One end.
        from: V = required, Kind::Point, "[300, 40]";
        /// The other end.
        to: V = required, Kind::Point, "[340, 40]";
    }
}

described!(Line<V>);
