//! Contain: stay inside a region. Reynolds, GDC 1999, "Containment".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::obstacle::{Obstacle, Shape};
use crate::parameter::{Kind, Range, Unit, parameters};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The force that keeps the host inside a region (length / time): if `q = p + v * lookahead` is
/// outside, full speed along the inward normal of the surface point nearest to `q`: `inward *
/// max_speed - v`. Zero if `q` is inside, as for a host at rest inside.
pub fn contain<V: Vector>(host: &impl Host<V>, region: &Shape<V>, lookahead: f32) -> V {
    inward(&Space::default(), host, region, lookahead, DebugDraw::OFF)
}

fn inward<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    region: &Shape<V>,
    lookahead: f32,
    debug: DebugDraw<'_, V>,
) -> V {
    let region = Obstacle::in_space(region.clone(), space);
    let ahead = host.position() + host.velocity() * lookahead;
    debug.segment("lookahead", || (host.position(), ahead));
    let ahead = space.image(region.middle(), ahead);
    if region.contains(ahead) {
        V::ZERO
    } else {
        region.outward(ahead) * -host.max_speed() - host.velocity()
    }
}

parameters! {
    /// Stay inside a region: full speed along the inward normal if p + v * lookahead is outside.
    #[doc(alias = "containment")]
    "contain" = pub struct Contain<V> {
        /// The region to stay in: a circle or a box.
        region: Shape<V> = required, Kind::Area;
        /// How far ahead in time the host's position is predicted.
        lookahead: f32 = required, Kind::Number(Range::from_zero(Unit::Time));
    }
}

impl<V: Vector> Steer<V> for Contain<V> {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        inward(&context.space, host, &self.region, self.lookahead, debug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use glam::{Vec2, vec2, vec3};

    #[test]
    fn only_a_host_about_to_leave_is_steered_along_the_inward_normal() {
        let region = Shape::box_between(vec2(0.0, 0.0), vec2(100.0, 50.0));
        // After 4 units of time the host would be at (96, 56), above the upper side.
        let host = Agent::new(vec2(88.0, 40.0), 5.0).moving(vec2(2.0, 4.0));
        assert_near(contain(&host, &region, 4.0), vec2(-2.0, -9.0));
        assert_eq!(contain(&host, &region, 2.5), Vec2::ZERO);
        // Beyond a corner by (3, 4): the inward direction leads to the corner.
        let host = Agent::new(vec2(103.0, 54.0), 5.0);
        assert_near(contain(&host, &region, 1.0), vec2(-3.0, -4.0));
        let ball = Shape::Circle { center: vec3(0.0, 0.0, 1.0), radius: 2.0 };
        assert_near(
            contain(&Agent::new(vec3(0.0, 0.0, 2.0), 3.0).moving(vec3(0.0, 0.0, 1.5)), &ball, 1.0),
            vec3(0.0, 0.0, -4.5),
        );
    }

    #[test]
    fn a_fast_wanderer_inside_a_circle_stays_inside() {
        let region = Shape::Circle { center: vec2(10.0, -5.0), radius: 40.0 };
        for id in 0..20_u32 {
            let mut host = Agent {
                mass: 2.0,
                ..Agent::new(vec2(10.0, -5.0), 2.0).moving(Vec2::from_angle(id as f32))
            };
            for _ in 0..2_000 {
                // The wanderer moves straight ahead unless the force of contain applies.
                let force = contain(&host, &region, 10.0);
                let (position, velocity) = host.step(force, host.velocity, 1.0, 1.0);
                host = Agent { position, ..host }.moving(velocity);
                assert!((position - vec2(10.0, -5.0)).length() < 40.0, "{position}");
            }
        }
    }
}
