//! Which values are allowed, and how an error says so.

mod counts;
mod error;
mod key_path;
pub mod ranges;
mod text;

pub(super) use counts::MAX_TRANSITIONS;
pub use counts::{MAX_AGENTS, MAX_ARRIVALS_PER_TICK, MAX_ITERATIONS, MAX_THINK_EVERY};
pub(in crate::crowd) use error::vector_error;
pub use error::{SetupError, ValidationError};
pub use key_path::{KeyPath, KeySegment};
pub(in crate::crowd) use text::{list, name_of, plain, quoted, show};
