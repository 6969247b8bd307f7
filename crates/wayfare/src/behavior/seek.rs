//! Seek: full speed towards a point. Reynolds, "Steering Behaviors For Autonomous Characters", GDC
//! 1999, "Seek".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Kind, Range, Target, Unit, parameters};
use crate::vector::Vector;

/// The force that steers at full speed towards `target` (length / time): `unit(target - p) *
/// max_speed - v`.
///
/// It does not slow down, so it bounces around a fixed target: that is its nature;
/// [`arrive`](super::arrive()) stops. A host that stands exactly on its target gets `-v`; one at
/// rest gets a force of length `max_speed`.
///
/// ```
/// use wayfare::{behavior::seek, glam::vec2, Agent};
/// let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(1.0, 0.0));
/// assert_eq!(seek(&host, vec2(0.0, 50.0)), vec2(-1.0, 3.0));
/// ```
#[inline(always)]
pub fn seek<V: Vector>(host: &impl Host<V>, target: V) -> V {
    (target - host.position()).unit() * host.max_speed() - host.velocity()
}

parameters! {
    /// Full speed towards the target: unit(target - p) * max_speed - v.
    ///
    /// It never slows down, so it bounces around a fixed target.
    #[derive(Copy)]
    "seek" = pub struct Seek<V> {
        /// Where to go.
        target: Target<V> = required, Kind::Target;
        /// How far away the target may be; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Seek<V> {
    #[inline(always)]
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(target) = context.target(host, &self.target, self.within) else { return V::ZERO };
        debug.point("target", || target);
        seek(host, target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_alone};
    use glam::{Vec3, vec2, vec3};

    #[test]
    fn full_speed_towards_the_target_less_the_velocity() {
        // The way is (3, 4), 5 long: desired (6, 8), less (0, 1).
        let host = Agent::new(vec2(1.0, 2.0), 10.0).moving(vec2(0.0, 1.0));
        assert_near(seek(&host, vec2(4.0, 6.0)), vec2(6.0, 7.0));
        // The way is (2, -4, 4), 6 long: desired (1, -2, 2) * 3 / 2, less (1, 0, -1).
        let host = Agent::new(vec3(1.0, 1.0, 1.0), 4.5).moving(vec3(1.0, 0.0, -1.0));
        assert_near(seek(&host, vec3(3.0, -3.0, 5.0)), vec3(0.5, -3.0, 4.0));
    }

    #[test]
    fn at_rest_the_force_is_as_long_as_the_speed_however_near_the_target() {
        for distance in [1e-6, 1.0, 1e9] {
            assert_near(
                seek(&Agent::new(Vec3::ZERO, 7.0), vec3(0.0, -distance, 0.0)),
                vec3(0.0, -7.0, 0.0),
            );
        }
    }

    #[test]
    fn exactly_on_the_target_it_only_brakes() {
        let host = Agent::new(vec2(4.0, 6.0), 10.0).moving(vec2(2.0, -3.0));
        assert_eq!(seek(&host, host.position), vec2(-2.0, 3.0));
    }

    #[test]
    fn there_is_no_force_without_a_pointer_nor_beyond_within() {
        let host = Agent::new(vec2(1.0, 2.0), 10.0).moving(vec2(0.0, 1.0));
        let force = |target, within| force_alone(&Seek { target, within }, &host);
        assert_eq!(force(Target::Pointer, f32::INFINITY), vec2(0.0, 0.0));
        assert_near(force(Target::Point(vec2(4.0, 6.0)), 5.0), vec2(6.0, 7.0));
        assert_eq!(force(Target::Point(vec2(4.0, 6.0)), 4.99), vec2(0.0, 0.0));
    }
}
