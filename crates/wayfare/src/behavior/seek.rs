//! Seek: full speed towards a point. Reynolds, "Steering Behaviors For Autonomous Characters", GDC 1999, "Seek".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::parameter::{Kind, Range, Target, Unit, parameters};
use crate::surroundings::Surroundings;
use crate::vector::Vector;

/// The force that steers at full speed towards `target` (length / time): `unit(target - p) * max_speed - v`.
///
/// It does not slow down, so it bounces around a fixed target: that is its nature; [`arrive`](super::arrive()) stops. A host that
/// stands exactly on its target gets `-v`; one at rest gets a force of length `max_speed`.
///
/// ```
/// use wayfare::{behavior::seek, glam::vec2, Agent};
/// let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(1.0, 0.0));
/// assert_eq!(seek(&host, vec2(0.0, 50.0)), vec2(-1.0, 3.0));
/// ```
pub fn seek<V: Vector>(host: &impl Host<V>, target: V) -> V {
    (target - host.position()).unit() * host.max_speed() - host.velocity()
}

parameters! {
    /// Full speed towards the target: unit(target - p) * max_speed - v.
    ///
    /// It never slows down, so it bounces around a fixed target.
    "seek" = pub struct Seek<V> {
        /// Where to go.
        target: Target<V> = required, Kind::Target;
        /// How far away the target may be; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Seek<V> {
    fn force(&self, host: &Agent<V>, _: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        around.target(host, &self.target, self.within).map_or(V::ZERO, |target| seek(host, target))
    }
}
