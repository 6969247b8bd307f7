//! The events of a tick: agents that arrived, changed state, crossed a line, left, entered.

pub(super) mod arrival;
mod contact;
mod event;
mod possible;
pub(super) mod scan;
pub(super) mod tracker;

pub(super) use contact::Contacts;
pub use event::Event;
