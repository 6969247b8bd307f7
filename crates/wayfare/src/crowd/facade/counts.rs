//! The state of a crowd that its parts share: the digest, and what lines and exits have counted.

use alloc::vec::Vec;

use super::crowd::Crowd;
use crate::vector::Vector;

/// The counts of lines and exits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The crossings of each line, to the left and to the right.
    pub lines: Vec<(u64, u64)>,
    /// The number of agents that have left by each exit.
    pub exits: Vec<u64>,
}

impl Counts {
    /// Adds what another part has counted.
    pub fn add(&mut self, other: &Self) {
        self.lines.resize(self.lines.len().max(other.lines.len()), (0, 0));
        for (sum, (left, right)) in self.lines.iter_mut().zip(&other.lines) {
            *sum = (sum.0 + left, sum.1 + right);
        }
        self.exits.resize(self.exits.len().max(other.exits.len()), 0);
        self.exits.iter_mut().zip(&other.exits).for_each(|(sum, left)| *sum += left);
    }
}

impl<V: Vector> Crowd<V> {
    /// The counts of the lines and exits of this crowd.
    pub fn counts(&self) -> Counts {
        Counts {
            lines: self.world.tracker.lines.iter().map(|line| (line.left, line.right)).collect(),
            exits: self.world.tracker.exits.iter().map(|exit| exit.left).collect(),
        }
    }

    /// Sets what the lines and exits of this crowd have counted, in their order; those beyond the
    /// end of a list have counted nothing.
    pub fn set_counts(&mut self, counts: &Counts) {
        let lines = counts.lines.iter().copied().chain(core::iter::repeat((0, 0)));
        for (line, (left, right)) in self.world.tracker.lines.iter_mut().zip(lines) {
            (line.left, line.right) = (left, right);
        }
        let exits = counts.exits.iter().copied().chain(core::iter::repeat(0));
        self.world.tracker.exits.iter_mut().zip(exits).for_each(|(exit, left)| exit.left = left);
    }
}
