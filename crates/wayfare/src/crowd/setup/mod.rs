//! The setup of a crowd: plain data, built by hand or decoded from a scene file, and validated once
//! by [`Crowd::new`](super::Crowd::new).

pub(super) mod allowed;
pub(super) mod bodies;
mod bounds;
pub(in crate::crowd) mod command;
mod condition;
mod crowd_setup;
pub(super) mod draws;
mod exit;
mod group;
pub(super) mod hints;
pub(super) mod limit;
mod line;
mod navigation;
pub(super) mod places;
mod rules;
mod source;
mod start_after;
mod state;
pub(super) mod stream;
mod track;
pub(super) mod validate;

pub use crate::random::Distribution;
pub use bodies::Bodies;
pub use condition::{Condition, OwnCondition, StatCondition, TimeLimit};
pub use crowd_setup::Setup;
pub use exit::{Exit, ExitAction};
pub use group::{Group, Perception, Spawn, StartVelocity, Stat};
pub use limit::Limit;
pub use line::Line;
pub use navigation::Navigation;
pub use source::{Arrivals, Rhythm, Source};
pub(in crate::crowd) use start_after::LONGEST_WAIT;
pub use start_after::StartAfter;
pub use state::{State, Transition, TransitionTarget};
pub use track::Track;
