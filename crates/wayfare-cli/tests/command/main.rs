//! The command as a user runs it: what it prints, what it writes, and its exit codes.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

mod bench;
mod convert;
mod explain;
mod interrupt;
mod measures;
mod refused;
mod report;
mod run;
mod scenes;
mod snapshots;
mod support;
mod sweep;
mod validate;
