//! Arrive: towards a point, slowing down to stop on it. Reynolds, GDC 1999, "Arrival".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Auto, Formula, Kind, Range, Scale, Target, Unit, parameters};
use crate::vector::Vector;

/// The force that steers towards `target` and stops on it (length / time):
/// `unit(target - p) * max_speed * min(1, d / slowing_radius) - v` with `d = |target - p|`.
///
/// With `slowing_radius` (length) 0 it is [`seek`](super::seek()). The host stops without
/// overshooting if the radius is at least `4 m max_speed`. Exactly on the target the force is `-v`;
/// at rest it is the desired velocity.
///
/// ```
/// use wayfare::{Agent, behavior::arrive, glam::vec2};
/// let guard = Agent::new(vec2(0.0, 0.0), 3.0);
/// assert_eq!(arrive(&guard, vec2(100.0, 0.0), 50.0), vec2(3.0, 0.0));
/// assert_eq!(arrive(&guard, vec2(25.0, 0.0), 50.0), vec2(1.5, 0.0));
/// ```
#[doc(alias = "arrival")]
pub fn arrive<V: Vector>(host: &impl Host<V>, target: V, slowing_radius: f32) -> V {
    let offset = target - host.position();
    let distance = offset.length();
    let ramp = if distance < slowing_radius { distance / slowing_radius } else { 1.0 };
    offset.unit() * (host.max_speed() * ramp) - host.velocity()
}

parameters! {
    /// Towards the target, slowing down to stop on it: unit(target - p) * max_speed * min(1, d /
    /// slowing_radius) - v.
    #[doc(alias = "arrival")]
    #[derive(Copy)]
    "arrive" is(ROUTES HEADS_FOR_TARGET ARRIVES) = pub struct Arrive<V> {
        /// The point to stop on.
        target: Target<V> = required, Kind::Target;
        /// The distance at which slowing begins; `"auto"` takes the larger of mass * max_speed^2 /
        /// (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
        /// The distance up to which the target counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Arrive<V> {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(target) = context.target(host, &self.target, self.within) else { return V::ZERO };
        let slowing_radius = self.slowing_radius.of(host, Scale::slowing_radius);
        debug.circle("slowing_radius", || (target, slowing_radius));
        arrive(host, target, slowing_radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::seek;
    use crate::behavior::testing::{assert_near, force_alone};
    use glam::{vec2, vec3};

    #[test]
    fn a_guest_slows_down_in_proportion_to_the_distance() {
        // The offset is (3, 4), its length 5, half of the radius: desired (6, 8) / 2, less (0, 1).
        let host = Agent::new(vec2(1.0, 2.0), 10.0).moving(vec2(0.0, 1.0));
        assert_near(arrive(&host, vec2(4.0, 6.0), 10.0), vec2(3.0, 3.0));
        // The offset is (2, -4, 4), its length 6, a quarter of the radius: desired (1.5, -3, 3) /
        // 4, less (1, 0, -1).
        let host = Agent::new(vec3(1.0, 1.0, 1.0), 4.5).moving(vec3(1.0, 0.0, -1.0));
        assert_near(arrive(&host, vec3(3.0, -3.0, 5.0), 24.0), vec3(-0.625, -0.75, 1.75));
    }

    #[test]
    fn outside_the_radius_and_with_radius_zero_arrive_is_seek() {
        let host = Agent::new(vec2(1.0, 2.0), 10.0).moving(vec2(0.0, 1.0));
        for radius in [0.0, 4.0, 5.0] {
            assert_near(arrive(&host, vec2(4.0, 6.0), radius), vec2(6.0, 7.0));
        }
        assert_eq!(arrive(&host, vec2(4.0, 6.0), 0.0), seek(&host, vec2(4.0, 6.0)));
    }

    #[test]
    fn a_host_exactly_on_its_target_only_brakes() {
        let host = Agent::new(vec3(4.0, 6.0, 1.0), 10.0).moving(vec3(2.0, -3.0, 1.0));
        for radius in [0.0, 5.0] {
            assert_eq!(arrive(&host, host.position, radius), vec3(-2.0, 3.0, -1.0));
        }
    }

    #[test]
    fn the_auto_radius_is_that_of_the_host() {
        // 4 * 2 * 3 = 24: at distance 6 of 24 a quarter of the speed is left.
        let host = Agent { mass: 2.0, ..Agent::new(vec2(0.0, 0.0), 3.0) };
        let arrive = |slowing_radius, within| {
            force_alone(
                &Arrive { target: Target::Point(vec2(0.0, 6.0)), slowing_radius, within },
                &host,
            )
        };
        assert_near(arrive(Auto::Auto, 6.0), vec2(0.0, 0.75));
        assert_near(arrive(Auto::Fixed(12.0), 6.0), vec2(0.0, 1.5));
        assert_eq!(arrive(Auto::Auto, 5.9), vec2(0.0, 0.0));
    }
}
