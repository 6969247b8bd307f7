//! The largest counts of a setup.

/// The largest number of agents of a crowd.
pub const MAX_AGENTS: usize = 100_000_000;

/// The largest allowed `think_every`.
pub const MAX_THINK_EVERY: u32 = 1_000;

/// The largest number of iterations of the contact phase.
pub const MAX_ITERATIONS: u32 = 32;

/// The largest number of arrivals per tick of a source with a rate.
pub const MAX_ARRIVALS_PER_TICK: f64 = 10_000.0;

/// The largest number of transitions of a state: an agent stores the number of its transition out
/// of the crowd in 16 bits.
pub(in crate::crowd) const MAX_TRANSITIONS: usize = 65_000;
