//! The behaviors that a slot of a list can hold: [`Behavior`] lists all built-in behaviors and
//! solvers, and scene decoding, the schema, the viewer's panel and the docs iterate that list; a
//! [`Registry`] adds user-defined behaviors.

#[macro_use]
mod list;
#[cfg(test)]
mod tests;
mod users;

pub use list::Behavior;
pub use users::{DescribedSteer, NameTaken, Registry};

/// The keys of a slot in scene files that stand beside its behavior; all can be set in a running
/// crowd.
pub const SLOT_KEYS: [&str; 4] = ["weight", "chance", "danger", "off"];

/// The keys of a slot in scene files with a nested list in place of a behavior: the list, and its
/// rule.
pub const LIST_KEYS: [&str; 4] = ["all", "combine", "epsilon", "standing"];

/// Whether a key of a slot is no behavior.
pub(crate) fn is_slot_key(key: &str) -> bool {
    SLOT_KEYS.contains(&key) || LIST_KEYS.contains(&key)
}
