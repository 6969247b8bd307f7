//! Cohesion: towards the middle of the neighbors. Reynolds, GDC 1999, "Cohesion".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::neighbors::{NeighborSum, Neighbors, Sight};
use crate::parameter::{Groups, Kind, Range, Unit, parameters};
use crate::surroundings::Surroundings;
use crate::vector::Vector;

parameters! {
    /// Full speed towards the neighbors' mean position.
    "cohesion" = pub struct Cohesion {
        /// How far a neighbor may be to count.
        radius: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading in which neighbors count.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
    }
}

/// The force that seeks the neighbors' mean position (length / time); zero with none, `-v` exactly in their middle.
pub fn cohesion<V: Vector>(host: &impl Host<V>, neighbors: &Neighbors<V>, parameters: &Cohesion) -> V {
    let sight = Sight { radius: parameters.radius, of: &parameters.of, field_of_view: parameters.field_of_view };
    let unit = if parameters.radius > 0.0 { 1.0 / parameters.radius } else { 0.0 };
    let sum = NeighborSum::over(neighbors.within(sight, host.heading()).map(|n| n.offset * unit));
    if sum.count() == 0 { V::ZERO } else { sum.mean::<V>().unit() * host.max_speed() - host.velocity() }
}

impl<V: Vector> Steer<V> for Cohesion {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        cohesion(host, around.neighbors, self)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius)
    }
}
