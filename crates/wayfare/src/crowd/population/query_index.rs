//! The search trees of queries.

use alloc::vec::Vec;

use crate::platform::OnceLock;
use crate::spatial::bvh::Bvh;

/// The search trees over agents and ghosts.
#[derive(Debug)]
pub(in crate::crowd) struct QueryIndex<V> {
    /// Over the positions of the members of each group.
    pub(in crate::crowd) groups: OnceLock<Vec<Bvh<V>>>,
    /// Over the bodies of all agents and ghosts.
    pub(in crate::crowd) bodies: OnceLock<Bvh<V>>,
}

impl<V> Clone for QueryIndex<V> {
    /// No trees: the first query of the copy builds them.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<V> Default for QueryIndex<V> {
    fn default() -> Self {
        Self { groups: OnceLock::new(), bodies: OnceLock::new() }
    }
}
