//! Counters and times of a rank.

use std::time::Duration;

use crate::wire::{Message, Numbers};

/// Counters and times of a rank since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// The number of ticks.
    pub ticks: u64,
    /// The sum over all ticks of the number of agents that the rank owned.
    pub agent_steps: u64,
    /// The wall-clock time of all ticks.
    pub time: Duration,
    /// The part of `time` spent in sending messages and in waiting for other ranks.
    pub exchange: Duration,
    /// The number of bytes sent.
    pub bytes: u64,
    /// The number of ghosts received: copies of agents of other ranks.
    pub copies: u64,
    /// The number of agents that moved to another rank.
    pub moved: u64,
    /// The number of times that the domains were divided again.
    pub rebalanced: u64,
}

impl Usage {
    /// The difference to the earlier values `before`.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            ticks: self.ticks - before.ticks,
            agent_steps: self.agent_steps - before.agent_steps,
            time: self.time - before.time,
            exchange: self.exchange - before.exchange,
            bytes: self.bytes - before.bytes,
            copies: self.copies - before.copies,
            moved: self.moved - before.moved,
            rebalanced: self.rebalanced - before.rebalanced,
        }
    }

    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut message = Message::default();
        let Self { ticks, agent_steps, time, exchange, bytes, copies, moved, rebalanced } = self;
        let nanoseconds = |time: Duration| time.as_nanos() as u64;
        [ticks, agent_steps, nanoseconds(time), nanoseconds(exchange), bytes, copies, moved]
            .into_iter()
            .chain([rebalanced])
            .for_each(|x| message.u64(x));
        message.0
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let mut numbers = Numbers(bytes);
        Self {
            ticks: numbers.u64(),
            agent_steps: numbers.u64(),
            time: Duration::from_nanos(numbers.u64()),
            exchange: Duration::from_nanos(numbers.u64()),
            bytes: numbers.u64(),
            copies: numbers.u64(),
            moved: numbers.u64(),
            rebalanced: numbers.u64(),
        }
    }
}
