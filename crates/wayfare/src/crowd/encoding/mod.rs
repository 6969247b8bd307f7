//! Setups as bytes: how snapshots write and read what commands can change.

pub(super) mod baseline;
pub(super) mod bytes;
pub(super) mod changes;
pub(super) mod envelope;
pub(super) mod error;
mod group;
mod header;
pub(super) mod layout;
pub(super) mod setup;
mod shapes;
mod structure;
pub(super) mod users;
