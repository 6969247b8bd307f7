//! A snapshot, decoded without its setup.

use alloc::vec::Vec;

use super::super::agents::Agents;
use super::super::names::Names;
use crate::crowd::structure::Ids;
use crate::geometry::obstacle::Shape;
use crate::vector::Vector;

/// The content of a snapshot, decoded without its setup.
pub(in crate::crowd::snapshot) struct Old<V: Vector> {
    pub(super) tick: u64,
    pub(super) next_id: u32,
    pub(super) pointer: Option<V>,
    /// Whether the commands of its setup at this tick have been applied.
    pub(super) applied: bool,
    pub(super) names: Names,
    pub(super) values: Option<Values<V>>,
    pub(super) counts: Vec<u64>,
    /// The times of the cells of each explored grid of each group.
    pub(super) explored: Vec<Vec<Vec<u64>>>,
    pub(super) agents: Agents<V>,
}

/// The values of what commands can change.
pub(super) struct Values<V: Vector> {
    pub(super) obstacles: Vec<Shape<V>>,
    pub(super) obstacle_ids: Ids,
    pub(super) paths: Vec<Vec<V>>,
    /// For each group, its bytes.
    pub(super) groups: Vec<Vec<u8>>,
}
