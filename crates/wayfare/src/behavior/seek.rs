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
/// The host does not slow down, so it oscillates around a fixed target; [`arrive`](super::arrive())
/// stops on it. Exactly on the target the force is `-v`; at rest it has the length `max_speed`.
///
/// ```
/// use wayfare::{Agent, behavior::seek, glam::vec2};
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
    /// It never slows down, so the host oscillates around a fixed target.
    #[derive(Copy)]
    "seek" is(ROUTES HEADS_FOR_TARGET) = pub struct Seek<V> {
        /// The point to steer towards.
        target: Target<V> = required, Kind::Target;
        /// The distance up to which the target counts; beyond it there is no force.
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
    fn the_force_is_full_speed_towards_the_target_minus_the_velocity() {
        // The offset is (3, 4), its length 5: desired (6, 8), less (0, 1).
        let host = Agent::new(vec2(1.0, 2.0), 10.0).moving(vec2(0.0, 1.0));
        assert_near(seek(&host, vec2(4.0, 6.0)), vec2(6.0, 7.0));
        // The offset is (2, -4, 4), its length 6: desired (1, -2, 2) * 3 / 2, less (1, 0, -1).
        let host = Agent::new(vec3(1.0, 1.0, 1.0), 4.5).moving(vec3(1.0, 0.0, -1.0));
        assert_near(seek(&host, vec3(3.0, -3.0, 5.0)), vec3(0.5, -3.0, 4.0));
    }

    #[test]
    fn at_rest_the_force_has_the_length_of_max_speed_at_any_distance() {
        for distance in [1e-6, 1.0, 1e9] {
            assert_near(
                seek(&Agent::new(Vec3::ZERO, 7.0), vec3(0.0, -distance, 0.0)),
                vec3(0.0, -7.0, 0.0),
            );
        }
    }

    #[test]
    fn a_host_exactly_on_its_target_only_brakes() {
        let host = Agent::new(vec2(4.0, 6.0), 10.0).moving(vec2(2.0, -3.0));
        assert_eq!(seek(&host, host.position), vec2(-2.0, 3.0));
    }

    #[test]
    fn without_a_pointer_and_beyond_within_there_is_no_force() {
        let host = Agent::new(vec2(1.0, 2.0), 10.0).moving(vec2(0.0, 1.0));
        let force = |target, within| force_alone(&Seek { target, within }, &host);
        assert_eq!(force(Target::Pointer, f32::INFINITY), vec2(0.0, 0.0));
        assert_near(force(Target::Point(vec2(4.0, 6.0)), 5.0), vec2(6.0, 7.0));
        assert_eq!(force(Target::Point(vec2(4.0, 6.0)), 4.99), vec2(0.0, 0.0));
    }
}
