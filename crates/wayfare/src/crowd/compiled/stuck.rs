//! The distances of the `stuck` conditions of a group.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::crowd::setup::{Condition, Transition};
use crate::vector::Vector;

/// The distances of the `stuck` conditions of a group, each once: conditions on the same distance
/// share one remembered position.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct StuckDistances {
    /// The distances in the order of the remembered positions.
    pub(in crate::crowd) distances: Vec<f32>,
    /// The distances sorted, each with its index in `distances`.
    sorted: Vec<(f32, usize)>,
}

impl StuckDistances {
    pub(in crate::crowd) fn new<'a, V: Vector>(
        transitions: impl Iterator<Item = &'a Transition<V>>,
    ) -> Self {
        let mut found = Self::default();
        for transition in transitions {
            transition.when.visit(&mut |condition| {
                if let Condition::Stuck(within, _) = condition
                    && let Err(at) = found.find(*within)
                {
                    found.sorted.insert(at, (*within, found.distances.len()));
                    found.distances.push(*within);
                }
            });
        }
        found
    }

    fn find(&self, within: f32) -> Result<usize, usize> {
        let order = |other: &(f32, usize)| other.0.partial_cmp(&within).unwrap_or(Ordering::Equal);
        self.sorted.binary_search_by(order)
    }

    /// The index of the remembered position for the distance `within`.
    pub(in crate::crowd) fn index(&self, within: f32) -> Option<usize> {
        self.find(within).ok().map(|at| self.sorted[at].1)
    }
}
