//! The routes of agents with `navigate`.

#[cfg(not(feature = "navigation"))]
mod absent;
mod navigate;
#[cfg(feature = "navigation")]
mod planned;

#[cfg(not(feature = "navigation"))]
pub(super) use absent::Routes;
pub(super) use navigate::{CompiledNavigate, compiled_navigate};
#[cfg(feature = "navigation")]
pub(super) use planned::Routes;
