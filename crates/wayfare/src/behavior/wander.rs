//! Wander: a random walk that keeps its direction for a while. Reynolds, GDC 1999, "Wander", in the version of the tutorials
//! ("Wander", 2012): the displacement turns in the world's frame, not in the host's.

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::parameter::{Kind, Range, Unit, parameters};
use crate::random::Random;
use crate::surroundings::Surroundings;
use crate::vector::Vector;

/// The force that wanders (length / time): `heading * circle_distance + displacement * circle_radius`.
///
/// The displacement is a direction kept in `direction`, drawn at its first use; after each use it takes a random step of up to
/// `angle_change / 2` (radians, at dt = 1; scaled by the square root of `dt`, which keeps the variance per unit of time). In space
/// it is a point on a sphere, moved by a tangent step. A host at rest uses the heading it has, so the force is never zero
/// unless both lengths are.
pub fn wander<V: Vector>(host: &impl Host<V>, parameters: &Wander, direction: &mut Option<V::Direction>, random: &mut Random, dt: f32) -> V {
    let now = match *direction {
        Some(now) => now,
        None => V::random_direction(random),
    };
    *direction = Some(V::walk_direction(now, parameters.angle_change * 0.5 * dt.sqrt(), random));
    host.heading() * parameters.circle_distance + V::direction_unit(now) * parameters.circle_radius
}

parameters! {
    /// A random walk that keeps its direction for a while: heading * circle_distance + displacement, whose angle walks randomly.
    "wander" = pub struct Wander {
        /// How far ahead the circle's center is, which is how strongly the heading is kept.
        circle_distance: f32 = required, Kind::Number(Range::from_zero(Unit::Speed));
        /// The circle's radius, which is how strongly the host turns.
        circle_radius: f32 = required, Kind::Number(Range::from_zero(Unit::Speed));
        /// The width of the random step that the displacement's angle takes in one unit of time.
        angle_change: f32 = required, Kind::Number(Range::new(0.0, 1e3, Unit::Radians));
    }
}

impl<V: Vector> Steer<V> for Wander {
    fn force(&self, host: &Agent<V>, memory: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        wander(host, self, &mut memory.wander, &mut around.random(), around.dt)
    }
    fn remembers(&self) -> bool {
        true
    }
}
