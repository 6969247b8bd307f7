//! The streams of the random numbers that a crowd draws; the streams of behaviors count up from 0.

/// The position of an agent.
pub(in crate::crowd) const POSITION: u32 = u32::MAX;
/// Its start velocity.
pub(in crate::crowd) const VELOCITY: u32 = u32::MAX - 1;
/// Its mass.
pub(in crate::crowd) const MASS: u32 = u32::MAX - 2;
/// Its max_speed.
pub(in crate::crowd) const MAX_SPEED: u32 = u32::MAX - 3;
/// Its max_force.
pub(in crate::crowd) const MAX_FORCE: u32 = u32::MAX - 4;
/// Its radius.
pub(in crate::crowd) const RADIUS: u32 = u32::MAX - 5;
/// Its goal.
pub(in crate::crowd) const GOAL: u32 = u32::MAX - 6;
/// The number of arrivals of a source; the source's index takes the place of an id.
pub(in crate::crowd) const ARRIVALS: u32 = u32::MAX - 7;
/// The state to which a transition leads.
pub(in crate::crowd) const TRANSITION: u32 = u32::MAX - 8;
/// The limits of the time in a state, at the tick of entry.
pub(in crate::crowd) const TIME_LIMIT: u32 = u32::MAX - 9;
/// The time before a member begins.
pub(in crate::crowd) const START_AFTER: u32 = u32::MAX - 10;
/// The destination of an agent that enters by a source.
pub(in crate::crowd) const DESTINATION: u32 = u32::MAX - 11;
/// The start of the first stat of a group; those of the others count down.
pub(in crate::crowd) const STATS: u32 = u32::MAX - 1_000;
