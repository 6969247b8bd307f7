//! The crowd: agents in columns, double buffered, stepped tick by tick.
//!
//! A step reads only the old columns and writes only the new ones, sums over neighbors do not
//! depend on their order, and randomness is keyed by (seed, id, tick, stream): results do not
//! depend on the order of rows. `pipeline/mod.rs` lists the phases of a tick; commands run between
//! ticks.

mod command;
mod compiled;
mod encoding;
mod events;
mod exit;
mod facade;
mod instances;
mod line;
mod nearest_member;
mod origin;
mod part;
mod pipeline;
mod population;
mod ram;
mod routes;
mod setup;
mod snapshot;
mod source;
mod structure;
#[cfg(test)]
mod tests;
mod world;

pub use crate::spatial::space::{Bounds, Edge};
#[cfg(feature = "parallel")]
pub use crate::threads::{HostThreads, ThreadsError};
pub use encoding::error::SnapshotError;
pub use encoding::layout::SNAPSHOT_MAGIC;
pub use encoding::layout::SNAPSHOT_VERSION;
pub use events::Event;
pub use exit::ExitCount;
pub use facade::agents::{AgentRef, DetachedColumns};
pub use facade::clock::{Clock, Pose};
pub use facade::copies::Copies;
pub use facade::counts::Counts;
pub use facade::crowd::Crowd;
pub use facade::digest::DigestPart;
pub use facade::division::{Division, PinnedBy};
pub use facade::query::{RayHit, RayHits};
pub use line::LineCount;
pub use part::{GroupArrival, HaloTooNarrow, PartLink, join_events};
pub use population::ghosts::Ghost;
pub use ram::RamBound;
pub use setup::allowed::{
    KeyPath, KeySegment, MAX_AGENTS, MAX_ARRIVALS_PER_TICK, MAX_ITERATIONS, MAX_THINK_EVERY,
    SetupError, ValidationError, ranges as range,
};
pub use setup::command::{
    Added, AgentChange, Command, Notation, ReadArguments, Refused, Setting, TimedCommand,
    WriteArguments, tick_at,
};
pub use setup::{
    Arrivals, Bodies, Condition, Distribution, Exit, ExitAction, Group, Limit, Line, Navigation,
    OwnCondition, Perception, Rhythm, Setup, Source, Spawn, StartAfter, StartVelocity, Stat,
    StatCondition, State, TimeLimit, Track, Transition, TransitionTarget,
};
pub use snapshot::{GroupMatch, Migration, MigrationNote};
pub use source::SourceCount;

pub(crate) use instances::Instances;
