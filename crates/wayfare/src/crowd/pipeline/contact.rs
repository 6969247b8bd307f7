//! The contact phase: solid bodies that overlap after the step move apart, and out of walls.
//!
//! In each Jacobi iteration every body reads the positions of the iteration before, so that the
//! order of the bodies changes nothing: the sum of `-n * depth / 2` over the bodies that it
//! overlaps, shared by inertia where that differs, times the relaxation, divided by the square root
//! of their number; then out of walls and bounds.
//!
//! Ghosts take part as bodies that nothing moves: in the tick they go on with their velocity. Only
//! in a part of a larger crowd they are where their owner has them after each iteration.
//!
//! A contact takes the part of a velocity away that points into what is touched. Only a solver
//! that [plans contacts](crate::solve::Solve::plans_contacts) keeps its velocity: pressure belongs
//! to its formulas, and does not become speed. Iterations go on until no overlap is deeper than
//! [`DEEP`], or than [`DEEP_PLANNED`] where all solid bodies have such a solver.
//!
//! Bodies that then still overlap too deeply go back to where they were before the substep, and
//! with them those that would overlap too deeply there: a bound that holds before a tick holds
//! after it.
//!
//! A reflecting edge holds bodies as a wall does, and reverses the part of any velocity that points
//! outward.
//!
//! Bodies that may touch one another are searched for several ticks at once, see `search.rs`. When
//! they are searched again changes no result: a push depends on the bodies that overlap, and not on
//! those that were found. What walls do depends on the walls that were found, as a body is pushed
//! first: they are found in each tick.
//!
//! A body that is in a wall before the tick moves out of it at a bounded speed, see `way_out.rs`.
//! Walls that push a body into each other do not let it go on: it stays where it was, so that it
//! does not pass a gap that is narrower than it is.
//!
//! A body that moves by more than half the smallest radius in a tick moves in substeps of at most
//! that length, each followed by the iterations, so that no body passes through another. A center
//! whose way would enter or cross an obstacle stays where it was before the substep.

mod body;
mod others;
mod pairs;
mod search;
mod solid;
#[cfg(test)]
mod tests;
mod walls;
mod way_out;

pub(in crate::crowd) use body::Body;
pub(in crate::crowd) use others::Others;
pub(in crate::crowd) use pairs::MOST_CANDIDATES;
pub(in crate::crowd) use solid::SolidBodies;
pub(super) use solid::with_signs_of;
