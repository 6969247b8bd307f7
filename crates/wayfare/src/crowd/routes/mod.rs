//! The ways of agents with `navigate`.

#[cfg(not(feature = "navigation"))]
mod absent;
#[cfg(feature = "navigation")]
mod planned;
mod way;

#[cfg(not(feature = "navigation"))]
pub(super) use absent::Routes;
#[cfg(feature = "navigation")]
pub(super) use planned::Routes;
pub(super) use way::{Way, way};
