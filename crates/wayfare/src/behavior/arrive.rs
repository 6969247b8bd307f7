//! Arrive: towards a point, slowing down to stop on it. Reynolds, GDC 1999, "Arrival".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::parameter::{Field, Kind, Range, Target, Unit, Value, parameters};
use crate::surroundings::Surroundings;
use crate::vector::Vector;

/// The force that steers towards `target` and stops on it (length / time):
/// `unit(target - p) * max_speed * min(1, d / slowing_radius) - v` with `d = |target - p|`.
///
/// With `slowing_radius` (length) 0 it is [`seek`](super::seek()). The host settles without overshooting where the radius is at
/// least `4 m max_speed`. Exactly on the target it gets `-v`.
#[doc(alias = "arrival")]
pub fn arrive<V: Vector>(host: &impl Host<V>, target: V, slowing_radius: f32) -> V {
    let way = target - host.position();
    let distance = way.length();
    let ramp = if distance < slowing_radius { distance / slowing_radius } else { 1.0 };
    way.unit() * (host.max_speed() * ramp) - host.velocity()
}

/// The distance at which slowing begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlowingRadius {
    /// A fixed distance (length).
    Fixed(f32),
    /// The one that stops without overshooting: the larger of `m max_speed^2 / (2 max_force)` and `4 m max_speed`.
    Auto,
}

impl SlowingRadius {
    /// The distance for this host (length).
    pub fn of<V: Vector>(self, host: &impl Host<V>) -> f32 {
        match self {
            SlowingRadius::Fixed(radius) => radius,
            SlowingRadius::Auto => {
                let (m, speed) = (host.mass(), host.max_speed());
                (m * speed * speed / (2.0 * host.max_force())).max(4.0 * m * speed)
            }
        }
    }
}

impl<V: Vector> Field<V> for SlowingRadius {
    fn blank() -> Self {
        SlowingRadius::Auto
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Number(radius) => Some(SlowingRadius::Fixed(radius)),
            Value::Word("auto") => Some(SlowingRadius::Auto),
            _ => None,
        }
    }
    fn write(&self) -> Option<Value<V>> {
        Some(match *self {
            SlowingRadius::Fixed(radius) => Value::Number(radius),
            SlowingRadius::Auto => Value::Word("auto"),
        })
    }
}

parameters! {
    /// Towards the target, slowing down to stop on it: unit(target - p) * max_speed * min(1, d / slowing_radius) - v.
    #[doc(alias = "arrival")]
    "arrive" = pub struct Arrive<V> {
        /// Where to stop.
        target: Target<V> = required, Kind::Target;
        /// The distance at which slowing begins; `"auto"` takes the larger of m max_speed^2 / (2 max_force) and 4 m max_speed.
        slowing_radius: SlowingRadius = required, Kind::NumberOr(Range::from_zero(Unit::Length), &["auto"]);
        /// How far away the target may be; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Arrive<V> {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        around.target(host, &self.target, self.within).map_or(V::ZERO, |target| arrive(host, target, self.slowing_radius.of(host)))
    }
}
