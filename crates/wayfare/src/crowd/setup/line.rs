//! Lines whose crossings are counted.

use alloc::string::String;

/// A line whose crossings are counted per direction, such as a door or a finish line. In 3D its
/// projection to the ground counts, as seen from above.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Line<V> {
    /// The name, unique in the setup.
    pub name: String,
    /// The first end (length).
    pub from: V,
    /// The second end (length).
    pub to: V,
}
