//! A hash of the crowd's state: equal for equal bits, whatever the order of the agents in memory.

use super::population::columns::Columns;
use crate::random::{absorb, mix};
use crate::vector::Vector;

/// The same with the times at which cells were visited, where somebody explores.
pub(crate) fn with_times<'a>(digest: u64, explored: impl Iterator<Item = &'a [u64]>) -> u64 {
    explored.flatten().fold(digest, |hash, time| absorb(hash, *time))
}

/// Each agent is hashed under its id, and the hashes are added: the order of the agents cannot
/// matter.
pub(crate) fn digest<V: Vector>(tick: u64, columns: &Columns<V>) -> u64 {
    let mut sum = 0_u64;
    for i in 0..columns.len() {
        let mut hash = absorb(
            mix(u64::from(columns.id[i])),
            u64::from(columns.group[i]) << 32 | u64::from(columns.stage[i].state),
        );
        hash = absorb(hash, columns.stage[i].entered);
        for vector in [columns.position.get(i), columns.velocity.get(i), columns.heading.get(i)] {
            for axis in 0..V::DIMENSION {
                hash = absorb(hash, u64::from(vector.axis(axis).to_bits()));
            }
        }
        for facing in columns.facing.get(i).into_iter().take(columns.facing_width) {
            for axis in 0..V::DIMENSION {
                hash = absorb(hash, u64::from(facing.axis(axis).to_bits()));
            }
        }
        for force in columns.force.get(i).into_iter().take(columns.force_width) {
            for axis in 0..V::DIMENSION {
                hash = absorb(hash, u64::from(force.axis(axis).to_bits()));
            }
        }
        for stat in columns.stats(i) {
            hash = absorb(hash, u64::from(stat.to_bits()));
        }
        for slot in columns.memory(i).iter().filter_map(|memory| memory.slot) {
            hash = absorb(hash, u64::from(slot));
        }
        for mark in columns.marks(i) {
            for axis in 0..V::DIMENSION {
                hash = absorb(hash, u64::from(mark.place.axis(axis).to_bits()));
            }
            hash = absorb(hash, mark.tick);
        }
        sum = sum.wrapping_add(mix(hash));
    }
    absorb(absorb(sum, tick), columns.len() as u64)
}
