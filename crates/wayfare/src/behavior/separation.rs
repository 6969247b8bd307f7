//! Separation: away from those who are too near. Reynolds, GDC 1999, "Separation"; the fixed strength is the tutorials' ("Leader
//! Following", 2013).

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::neighbors::{NeighborSum, Neighbors, Sight};
use crate::parameter::{Groups, Kind, Range, Unit, nested, parameters, words};
use crate::surroundings::Surroundings;
use crate::vector::Vector;

words! {
    /// How the push depends on the distance.
    pub enum Falloff {
        /// Not at all: the tutorials' fixed strength, in the direction away from the neighbors' mean position.
        Fixed = "fixed",
        /// As its inverse: Reynolds' version for flocks, stronger from the near than from the far.
        Inverse = "inverse",
    }
}

parameters! {
    /// Away from the neighbors within a radius, with a fixed strength or one that falls off with the distance.
    "separation" = pub struct Separation {
        /// How far a neighbor may be to count.
        radius: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// The strength of the push.
        max_force: f32 = required, Kind::Number(Range::from_zero(Unit::Speed));
        /// `"fixed"` pushes always with max_force, `"inverse"` as the inverse of the distance.
        falloff: Falloff = (Falloff::Fixed), Kind::Word(Falloff::WORDS);
        /// The groups whose members count; all if left out.
        of: Groups = (Groups::All), Kind::Groups;
        /// The full angle around the heading in which neighbors count.
        field_of_view: f32 = 360.0, Kind::Number(Range::new(0.0, 360.0, Unit::Degrees));
    }
}

nested!(Separation);

/// The push away from the neighbors (length / time); zero with none.
///
/// Fixed: `unit(mean(p - q)) * max_force`. Inverse: `mean(unit(p - q) * radius / max(d, radius / 64)) * max_force`. Who stands on the
/// same point counts with a unit vector that depends only on the two ids.
pub fn separation<V: Vector>(host: &impl Host<V>, neighbors: &Neighbors<V>, parameters: &Separation) -> V {
    let sight = Sight { radius: parameters.radius, of: &parameters.of, field_of_view: parameters.field_of_view };
    let near = neighbors.within(sight, host.heading());
    let inverse_radius = if parameters.radius > 0.0 { 1.0 / parameters.radius } else { 0.0 };
    match parameters.falloff {
        Falloff::Fixed => {
            let push = NeighborSum::over(near.map(|n| if n.offset == V::ZERO { neighbors.away(n) } else { -n.offset * inverse_radius }));
            push.mean::<V>().unit() * parameters.max_force
        }
        Falloff::Inverse => {
            let push = NeighborSum::over(near.map(|n| neighbors.away(n) * inverse_falloff(n.distance_squared.sqrt(), parameters.radius)));
            push.mean::<V>() * parameters.max_force
        }
    }
}

/// How much stronger than at `radius` the push is at `distance`, at most 64 times.
pub(super) fn inverse_falloff(distance: f32, radius: f32) -> f32 {
    if distance * 64.0 <= radius { 64.0 } else { radius / distance }
}

impl<V: Vector> Steer<V> for Separation {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        separation(host, around.neighbors, self)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.radius)
    }
}
