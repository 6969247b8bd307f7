//! Flee: full speed away from a point. Reynolds, GDC 1999, "Flee".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::parameter::{Kind, Range, Target, Unit, parameters};
use crate::surroundings::Surroundings;
use crate::vector::Vector;

/// The force that steers at full speed away from `target` (length / time): `unit(p - target) * max_speed - v`.
///
/// Zero where the target is farther than `panic_radius` (length; infinity for always). A host that stands exactly on the
/// target has nowhere to flee to, and gets `-v`.
pub fn flee<V: Vector>(host: &impl Host<V>, target: V, panic_radius: f32) -> V {
    let away = host.position() - target;
    if away.length() > panic_radius { V::ZERO } else { away.unit() * host.max_speed() - host.velocity() }
}

parameters! {
    /// Full speed away from the target: unit(p - target) * max_speed - v.
    "flee" = pub struct Flee<V> {
        /// What to get away from.
        target: Target<V> = required, Kind::Target;
        /// How near the target must be to be fled from.
        panic_radius: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
        /// How far away the target may be; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Flee<V> {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        around.target(host, &self.target, self.within).map_or(V::ZERO, |target| flee(host, target, self.panic_radius))
    }
}
