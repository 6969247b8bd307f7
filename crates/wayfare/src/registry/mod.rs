//! What a slot of a list can hold: [`Behavior`] is the list of all built-in behaviors and solvers,
//! which scene decoding, the schema, the viewer's panel and the docs iterate; a [`Registry`] adds
//! behaviors of a user to it.

mod list;
mod users;

pub use list::Behavior;
pub use users::{DescribedSteer, NameTaken, Registry};
