//! Commands as data, and commands with a time of their own.

pub(in crate::crowd) mod list;
mod notation;
pub(in crate::crowd) mod timed;

pub use list::{Added, AgentChange, Command, ReadArguments, Setting, WriteArguments};
pub use notation::Notation;
pub use timed::{Refused, TimedCommand, tick_at};
