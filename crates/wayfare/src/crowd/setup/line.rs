//! Lines whose crossings are counted.

/// A line whose crossings are counted, by each direction: a door, a finish. In space its shadow on
/// the x-y plane counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<V> {
    /// Its name, unique.
    pub name: String,
    /// Where it begins (length).
    pub from: V,
    /// Where it ends (length).
    pub to: V,
}
