//! Alignment: the way the neighbors go. Reynolds, GDC 1999, "Alignment".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::neighbors::{NeighborSum, Neighbors, Sight};
use crate::parameter::{Groups, Kind, Range, Unit, parameters};
use crate::surroundings::Surroundings;
use crate::vector::Vector;

parameters! {
    /// The neighbors' mean velocity minus the own.
    "alignment" = pub struct Alignment {
        /// How far a neighbor may be to count.
        radius: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading in which neighbors count.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
    }
}

/// The force that takes on the neighbors' velocity (length / time): `mean(v) - v`; zero with none.
pub fn alignment<V: Vector>(host: &impl Host<V>, neighbors: &Neighbors<V>, parameters: &Alignment) -> V {
    let sight = Sight { radius: parameters.radius, of: &parameters.of, field_of_view: parameters.field_of_view };
    let unit = 1.0 / neighbors.speed;
    let sum = NeighborSum::over(neighbors.within(sight, host.heading()).map(|n| n.velocity * unit));
    if sum.count() == 0 { V::ZERO } else { sum.mean::<V>() * neighbors.speed - host.velocity() }
}

impl<V: Vector> Steer<V> for Alignment {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        alignment(host, around.neighbors, self)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius)
    }
}
