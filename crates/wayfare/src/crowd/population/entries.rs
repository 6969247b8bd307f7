//! What an agent has beside vectors: its state, what it remembers, its own settings.

use crate::order::Order;

/// A position that an agent remembers, and its tick: where it last saw its target, or the anchor
/// position of a stuck test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RememberedPosition<V> {
    pub(crate) position: V,
    pub(crate) tick: u64,
}

impl<V> RememberedPosition<V> {
    /// The tick of a target that has not been seen yet.
    pub(crate) const NEVER: u64 = u64::MAX;
}

/// The state that an agent is in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StateInstance {
    /// The index of the state in the agent's group.
    pub(crate) state: u32,
    /// The tick at which the agent entered the state. In the future for an agent that waits: at
    /// that tick it begins.
    pub(crate) entered: u64,
    /// The stops of this state at which the agent has arrived without leaving their slowing radius
    /// since: a bit each.
    pub(crate) arrived: u32,
    /// Which transition of the state, counted from 1, removes the agent from the crowd at the end
    /// of the tick; 0 for none, as always between ticks.
    pub(crate) exit: u16,
}

impl StateInstance {
    pub(crate) fn new(state: u32, entered: u64) -> Self {
        Self { state, entered, arrived: 0, exit: 0 }
    }

    /// Whether the agent stands at `tick`, as its pre-movement time has not passed.
    #[inline(always)]
    pub(crate) fn waits(&self, tick: u64) -> bool {
        self.entered > tick
    }
}

/// The settings of one agent by commands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OwnSettings<V> {
    pub(crate) order: Option<Order<V>>,
    /// Which limits the agent has of its own: a bit for each [`Limit`](crate::crowd::Limit). Their
    /// values are in the column of limits.
    pub(crate) limits: u8,
    /// Whether the agent does not move and does not steer.
    pub(crate) frozen: bool,
}

impl<V> Default for OwnSettings<V> {
    fn default() -> Self {
        Self { order: None, limits: 0, frozen: false }
    }
}
