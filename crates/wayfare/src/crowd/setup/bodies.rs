//! Whether the bodies of a world are solid.

use super::allowed::{MAX_ITERATIONS, ranges};
use crate::parameter::{Kind, described, parameters};

/// The longest way of a solid body in a tick, in smallest radii.
pub(in crate::crowd) const MOST_RADII: f32 = 32.0;

parameters! {
    /// Whether bodies are solid: whether they push one another apart.
    ///
    /// Solid bodies touch and do not pass through one another, through obstacles or through bounds
    /// with a wall: after each step, overlapping bodies move apart (Jacobi iterations in the manner
    /// of position based dynamics; M. Müller et al., 2007), and out of walls. An agent with radius
    /// 0 has no body.
    #[derive(Copy)]
    "bodies" = pub struct Bodies {
        /// Bodies do not pass through one another, through obstacles or through the walls of the
        /// bounds. A group can opt out by its own `solid`.
        solid: bool = false, Kind::Flag;
        /// How often overlapping bodies are moved apart in a tick; up to 32 times while overlaps
        /// above 2 % of a radius remain.
        iterations: u32 = 6, Kind::Integer(1, MAX_ITERATIONS as u64), "12";
        /// The factor of each correction: above 1 dense crowds separate in fewer iterations.
        relaxation: f32 = 1.5, Kind::Number(ranges::RELAXATION), "1.2";
    }
}

described!(Bodies);
