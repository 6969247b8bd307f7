//! Stop: brake to rest. Reynolds, OpenSteer (2004), `steerForTargetSpeed` with the speed zero.

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::parameters;
use crate::vector::Vector;

/// The force that brakes the host to rest (length / time): `-v`. Zero at rest.
///
/// The speed falls by the fraction dt / mass per tick; where it is above max_force, by max_force *
/// dt / mass.
pub fn stop<V: Vector>(host: &impl Host<V>) -> V {
    -host.velocity()
}

parameters! {
    /// Brake to rest: -v.
    #[doc(alias = "brake")]
    #[derive(Copy)]
    "stop" is(ROUTES) = pub struct Stop {}
}

impl<V: Vector> Steer<V> for Stop {
    // Inlined, its force would be computed for each agent of any list, before the list's dispatch.
    #[inline(never)]
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        _: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        debug.segment("velocity", || (host.position, host.position + host.velocity));
        stop(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use glam::{Vec2, Vec3, vec2, vec3};

    #[test]
    fn the_host_brakes_to_rest_and_stays() {
        let mut host =
            Agent { mass: 4.0, ..Agent::new(vec2(1.0, 2.0), 5.0) }.moving(vec2(3.0, -4.0));
        assert_eq!(stop(&host), vec2(-3.0, 4.0));
        for _ in 0..100 {
            let (position, velocity) = host.step(stop(&host), host.velocity, 1.0, 1.0);
            assert!(velocity.length() < host.velocity.length());
            host = Agent { position, ..host }.moving(velocity);
        }
        // The velocities of the ticks are v * 0.75, v * 0.75^2, and so on: their sum is 3 v.
        assert_near(host.position, vec2(10.0, -10.0));
        assert!(host.velocity.length() < 1e-11);
        assert_eq!(stop(&Agent::new(Vec2::ZERO, 5.0)), Vec2::ZERO);
        let host = Agent::new(Vec3::ZERO, 5.0).moving(vec3(0.0, 1.0, -2.0));
        assert_eq!(stop(&host), vec3(0.0, -1.0, 2.0));
    }
}
