//! Code of users.

use alloc::vec::Vec;

use crate::crowd::setup::OwnCondition;
use crate::registry::Behavior;
use crate::vector::Vector;

/// Code of users, of which snapshots have the names.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct Users<V: Vector> {
    pub(in crate::crowd) behaviors: Vec<Behavior<V>>,
    pub(in crate::crowd) conditions: Vec<OwnCondition<V>>,
}

impl<V: Vector> Default for Users<V> {
    fn default() -> Self {
        Self { behaviors: Vec::new(), conditions: Vec::new() }
    }
}
