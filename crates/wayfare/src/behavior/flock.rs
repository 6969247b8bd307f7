//! Flock: separation, alignment and cohesion at one radius. Reynolds, GDC 1999, "Flocking" (after "Flocks, Herds, and Schools",
//! SIGGRAPH 1987).

use super::separation::{Falloff, Separation, separation};
use super::{Alignment, Cohesion, Steer, alignment, cohesion};
use crate::agent::{Agent, Host, Memory};
use crate::neighbors::Neighbors;
use crate::parameter::{Groups, Kind, Range, Unit, parameters};
use crate::surroundings::Surroundings;
use crate::vector::Vector;

parameters! {
    /// Separation (by inverse falloff), alignment and cohesion at one radius, each with its weight.
    #[doc(alias = "boids")]
    "flock" = pub struct Flock {
        /// How far a neighbor may be to count.
        radius: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// The weight of separation; its strength is the host's max_force, and its max_speed where that is unlimited.
        separation: f32 = 1.5, Kind::Number(Range::any(Unit::None));
        /// The weight of alignment.
        alignment: f32 = 1.0, Kind::Number(Range::any(Unit::None));
        /// The weight of cohesion.
        cohesion: f32 = 1.0, Kind::Number(Range::any(Unit::None));
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading in which neighbors count.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
    }
}

/// The weighted sum of [`separation`], [`alignment`](super::alignment()) and [`cohesion`](super::cohesion()) (length / time); zero with no neighbor.
pub fn flock<V: Vector>(host: &impl Host<V>, neighbors: &Neighbors<V>, parameters: &Flock) -> V {
    let Flock { radius, ref of, field_of_view, .. } = *parameters;
    let strength = if host.max_force().is_finite() { host.max_force() } else { host.max_speed() };
    let apart = Separation { radius, max_force: strength, falloff: Falloff::Inverse, of: of.clone(), field_of_view };
    separation(host, neighbors, &apart) * parameters.separation
        + alignment(host, neighbors, &Alignment { radius, of: of.clone(), field_of_view }) * parameters.alignment
        + cohesion(host, neighbors, &Cohesion { radius, of: of.clone(), field_of_view }) * parameters.cohesion
}

impl<V: Vector> Steer<V> for Flock {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        flock(host, around.neighbors, self)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius)
    }
}
