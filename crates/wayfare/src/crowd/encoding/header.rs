//! The header of a snapshot: what precedes the changes by commands.

use super::bytes::{Read, Reader, damaged};
use super::envelope;
use crate::crowd::setup::allowed::MAX_AGENTS;

/// The first bytes of every snapshot. The first byte is not text, so that a transfer in text mode
/// is detected at once.
pub const SNAPSHOT_MAGIC: [u8; 8] = *b"\x89WAYFARE";
/// The start, tick, next id, number of agents.
pub(in crate::crowd) const HEADER: usize = envelope::START + 16;
/// The largest tick whose time is exact.
pub(in crate::crowd) const MOST_TICKS: u64 = 1 << 53;

impl Reader<'_> {
    /// The tick, the next id and the number of agents.
    pub(in crate::crowd) fn header(&mut self) -> Read<(u64, u32, usize)> {
        let (tick, next_id, count) = (self.u64()?, self.u32()?, self.u32()? as usize);
        if tick > MOST_TICKS || count > MAX_AGENTS {
            return damaged(format!("it is of {count} agents at tick {tick}"));
        }
        Ok((tick, next_id, count))
    }
}
