//! The header of a snapshot: what precedes the changes by commands.

use super::bytes::{Read, Reader, damaged};
use super::layout::MOST_TICKS;
use crate::crowd::setup::allowed::MAX_AGENTS;

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
