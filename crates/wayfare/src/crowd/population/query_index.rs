//! The search trees of queries.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::platform::OnceLock;
use crate::spatial::bvh::Bvh;

/// So many queries after a step read all agents: trees over a hundred thousand take a hundred times
/// as long as one of them.
const SCANS: u32 = 16;

/// The search trees over agents and ghosts.
#[derive(Debug)]
pub(in crate::crowd) struct QueryIndex<V> {
    /// Over the positions of the members of each group.
    pub(in crate::crowd) groups: OnceLock<Vec<Bvh<V>>>,
    /// Over the bodies of all agents and ghosts.
    pub(in crate::crowd) bodies: OnceLock<Bvh<V>>,
    /// The number of queries that have read all agents.
    scans: AtomicU32,
}

impl<V> QueryIndex<V> {
    /// Whether the next query reads all agents. All give the same answers, so it does not matter if
    /// threads lose one of their counts.
    pub(in crate::crowd) fn scans(&self) -> bool {
        let count = self.scans.load(Ordering::Relaxed);
        let scans = count < SCANS && self.groups.get().is_none();
        if scans {
            self.scans.store(count + 1, Ordering::Relaxed);
        }
        scans
    }
}

impl<V> Clone for QueryIndex<V> {
    /// No trees: the first query of the copy builds them.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<V> Default for QueryIndex<V> {
    fn default() -> Self {
        Self { groups: OnceLock::new(), bodies: OnceLock::new(), scans: AtomicU32::new(0) }
    }
}
