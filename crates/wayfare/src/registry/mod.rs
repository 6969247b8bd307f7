//! The behaviors that a slot of a list can hold: [`Behavior`] lists all built-in behaviors and
//! solvers, and scene decoding, the schema, the viewer's panel and the docs iterate that list; a
//! [`Registry`] adds user-defined behaviors.

mod list;
mod users;

pub use list::Behavior;
pub use users::{DescribedSteer, NameTaken, Registry};
