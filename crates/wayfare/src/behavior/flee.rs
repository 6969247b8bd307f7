//! Flee: full speed away from a point. Reynolds, GDC 1999, "Flee".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Kind, Range, Target, Unit, parameters};
use crate::vector::Vector;

/// The force that steers at full speed away from `target` (length / time): `unit(p - target) *
/// max_speed - v`.
///
/// Zero if the target is farther away than `panic_radius` (length; infinity for always). Exactly on
/// the target no direction leads away, and the force is `-v`; at rest it has the length
/// `max_speed`.
///
/// ```
/// use wayfare::{Agent, behavior::flee, glam::vec2};
/// let guard = Agent::new(vec2(0.0, 0.0), 3.0);
/// assert_eq!(flee(&guard, vec2(0.0, 10.0), 40.0), vec2(0.0, -3.0));
/// assert_eq!(flee(&guard, vec2(0.0, 50.0), 40.0), vec2(0.0, 0.0));
/// ```
pub fn flee<V: Vector>(host: &impl Host<V>, target: V, panic_radius: f32) -> V {
    let offset = host.position() - target;
    if offset.length() > panic_radius {
        V::ZERO
    } else {
        offset.unit() * host.max_speed() - host.velocity()
    }
}

parameters! {
    /// Full speed away from the target: unit(p - target) * max_speed - v.
    #[doc(alias = "escape")]
    #[derive(Copy)]
    "flee" is(ROUTES) = pub struct Flee<V> {
        /// The point to steer away from.
        target: Target<V> = required, Kind::Target;
        /// The distance up to which the host flees from the target.
        panic_radius: f32 = (f32::INFINITY),
            Kind::Number(Range::from_zero(Unit::Length).or_infinite());
        /// The distance up to which the target counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Flee<V> {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(target) = context.target(host, &self.target, self.within) else { return V::ZERO };
        debug.circle("panic_radius", || (target, self.panic_radius));
        flee(host, target, self.panic_radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{assert_near, force_alone};
    use glam::{vec2, vec3};

    const ALWAYS: f32 = f32::INFINITY;

    #[test]
    fn the_force_is_full_speed_away_from_the_target_minus_the_velocity() {
        // The offset from the target is (-3, -4), its length 5: desired (-6, -8), less (0, 1).
        let host = Agent::new(vec2(1.0, 2.0), 10.0).moving(vec2(0.0, 1.0));
        assert_near(flee(&host, vec2(4.0, 6.0), ALWAYS), vec2(-6.0, -9.0));
        // The offset from the target is (-2, 4, -4), its length 6: desired (-1.5, 3, -3), less (1,
        // 0, -1).
        let host = Agent::new(vec3(1.0, 1.0, 1.0), 4.5).moving(vec3(1.0, 0.0, -1.0));
        assert_near(flee(&host, vec3(3.0, -3.0, 5.0), ALWAYS), vec3(-2.5, 3.0, -2.0));
    }

    #[test]
    fn beyond_the_panic_radius_there_is_no_force_and_at_the_radius_the_full_force() {
        let host = Agent::new(vec2(1.0, 2.0), 10.0).moving(vec2(0.0, 1.0));
        assert_near(flee(&host, vec2(4.0, 6.0), 5.0), vec2(-6.0, -9.0));
        assert_eq!(flee(&host, vec2(4.0, 6.0), 4.99), vec2(0.0, 0.0));
    }

    #[test]
    fn a_host_exactly_on_the_target_only_brakes() {
        let host = Agent::new(vec3(4.0, 6.0, 1.0), 10.0).moving(vec3(2.0, -3.0, 1.0));
        assert_eq!(flee(&host, host.position, 0.0), vec3(-2.0, 3.0, -1.0));
    }

    #[test]
    fn panic_radius_and_within_both_bound_the_distance() {
        let host = Agent::new(vec2(1.0, 2.0), 10.0).moving(vec2(0.0, 1.0));
        let force = |panic_radius, within| {
            force_alone(
                &Flee { target: Target::Point(vec2(4.0, 6.0)), panic_radius, within },
                &host,
            )
        };
        assert_near(force(5.0, 5.0), vec2(-6.0, -9.0));
        assert_eq!([force(4.0, ALWAYS), force(ALWAYS, 4.0)], [vec2(0.0, 0.0); 2]);
    }
}
