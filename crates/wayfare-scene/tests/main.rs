//! The tests of scene files: one program, since each would compile the
//! generic code of the library again.

mod bundled;
mod conformance;
mod docs;
#[path = "edit/main.rs"]
mod edit;
mod events;
mod fuzz_seeds;
mod geometry;
mod log;
mod mistakes;
mod motion;
mod presentation;
mod registry;
#[path = "scene_outcomes/main.rs"]
mod scene_outcomes;
mod schema;
mod serde;
