//! [`Crowd`](crowd::Crowd), the facade of the owners: its methods, one file for each subject.

pub(super) mod agents;
pub(super) mod clock;
pub(super) mod copies;
pub(super) mod counts;
pub(super) mod crowd;
pub(super) mod digest;
pub(super) mod division;
mod explain;
mod explored;
mod ghosts;
mod groups;
pub(super) mod members;
mod observe;
mod part;
pub(super) mod query;
mod rebuild;
mod settings;
mod step;
mod structure;
pub(super) mod world;
