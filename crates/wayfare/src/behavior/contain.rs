//! Contain: stay inside a region. Reynolds, GDC 1999, "Containment".

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::obstacle::{Obstacle, Shape};
use crate::parameter::{Auto, Formula, Kind, Range, Scale, Unit, parameters};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The force that keeps the host inside a region (length / time): if `q = p + v * lookahead` is
/// outside, full speed along the inward normal of the surface point nearest to `q`: `inward *
/// max_speed - v`. Zero if `q` is inside, as for a host at rest inside. The
/// [`turn`](Contain::turn) of the behavior is off.
pub fn contain<V: Vector>(host: &impl Host<V>, region: &Shape<V>, lookahead: f32) -> V {
    let parameters =
        Contain { region: Some(region.clone()), ..Contain::default().lookahead(lookahead) };
    contain_in(&Space::default(), host, &parameters, DebugDraw::OFF)
}

fn contain_in<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    parameters: &Contain<V>,
    debug: DebugDraw<'_, V>,
) -> V {
    let ahead = host.position() + host.velocity() * parameters.lookahead.of(host, Scale::reaction);
    debug.segment("lookahead", || (host.position(), ahead));
    let Some(region) = parameters.region.clone().or_else(|| region_of(space)) else {
        return V::ZERO;
    };
    let region = Obstacle::in_space(region, space);
    let ahead = space.image(region.middle(), ahead);
    if region.contains(ahead) {
        V::ZERO
    } else {
        let inward = -region.outward(ahead);
        let desired = if parameters.turn {
            (host.heading() + turn_side(inward, host, space)) * host.max_speed()
        } else {
            inward * host.max_speed()
        };
        desired - host.velocity()
    }
}

/// The bounds; `None` where there are none, or no edge to stay inside.
fn region_of<V: Vector>(space: &Space<V>) -> Option<Shape<V>> {
    let has_edge = space.size() != V::ZERO && !space.wraps();
    has_edge.then(|| Shape::box_between(space.min(), space.min() + space.size()))
}

/// The unit vector to the side of the heading on which `inward` is, to the left if the host heads
/// straight outward; zero once the heading is within 45 degrees of `inward`.
fn turn_side<V: Vector>(inward: V, host: &impl Host<V>, space: &Space<V>) -> V {
    let heading = host.heading();
    let across = heading.dot(inward);
    if across > core::f32::consts::FRAC_1_SQRT_2 {
        return V::ZERO;
    }
    let side = inward - heading * across;
    // Below this length the component to the side is rounding error.
    if side.length() < 1e-5 { space.up().left(heading) } else { side.unit() }
}

parameters! {
    /// Stay inside a region: full speed along the inward normal if p + v * lookahead is outside.
    #[doc(alias = "containment")]
    "contain" = pub struct Contain<V> {
        /// The region to stay in: a circle or a box; the bounds of the world unless given. Without
        /// bounds, and with wrapped ones, a host without a region is not steered.
        region: Option<Shape<V>> = None, Kind::Area;
        /// How far ahead in time the host's position is predicted; `"auto"` takes the reaction.
        lookahead: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Time), Formula::by_group(Scale::reaction));
        /// `false` heads straight inward, which brakes a host that moves outward. `true` turns the
        /// host at full speed until it heads within 45 degrees of inward: (heading + side) *
        /// max_speed - v. Then the lookahead should be at least the mass.
        turn: bool = false, Kind::Flag;
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
        contain_in(&context.space, host, self, debug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, Vec3, vec2, vec3};

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
    fn without_a_region_the_host_stays_inside_the_bounds() {
        let host = Agent::new(vec2(90.0, 20.0), 3.0).moving(vec2(3.0, -1.0));
        let force = |space: &Space<Vec2>, lookahead| {
            contain_in(space, &host, &Contain::default().lookahead(lookahead), DebugDraw::OFF)
        };
        let bounds = |edge| Bounds { min: vec2(-5.0, 10.0), max: vec2(100.0, 50.0), edge };
        for edge in [Edge::Open, Edge::Wall, Edge::Bounce] {
            let space = Space::new(Some(bounds(edge)));
            assert_near(force(&space, 4.0), vec2(-6.0, 1.0));
            assert_eq!(force(&space, 3.0), Vec2::ZERO);
        }
        // Without an edge there is nothing to stay inside.
        assert_eq!(force(&Space::new(Some(bounds(Edge::Wrap))), 4.0), Vec2::ZERO);
        assert_eq!(force(&Space::default(), 4.0), Vec2::ZERO);
        // In space.
        let cube = Bounds { min: Vec3::ZERO, max: Vec3::splat(10.0), edge: Edge::Open };
        let host = Agent::new(vec3(5.0, 5.0, 9.0), 3.0).moving(vec3(0.0, 0.0, 1.0));
        let force = contain_in(
            &Space::new(Some(cube)),
            &host,
            &Contain::default().lookahead(2.0),
            DebugDraw::OFF,
        );
        assert_near(force, vec3(0.0, 0.0, -4.0));
    }

    #[test]
    fn a_host_that_turns_keeps_its_speed_and_comes_back_inside() {
        let region = Shape::Circle { center: vec2(10.0, -5.0), radius: 40.0 };
        // The slowest speed and the farthest distance of hosts that leave in many directions.
        let run = |turn| {
            let parameters =
                Contain { region: Some(region.clone()), turn, ..Contain::default().lookahead(5.0) };
            let (mut slowest, mut farthest) = (f32::INFINITY, 0.0_f32);
            for id in 0..20_u32 {
                let direction = Vec2::from_angle(id as f32);
                let start = vec2(10.0, -5.0) + vec2(20.0, 10.0);
                let mut host =
                    Agent { mass: 3.0, ..Agent::new(start, 2.0) }.moving(direction * 2.0);
                for _ in 0..500 {
                    let force = contain_in(&Space::default(), &host, &parameters, DebugDraw::OFF);
                    let (position, velocity) = host.step(force, host.velocity, 1.0, 1.0);
                    host = Agent { position, ..host }.moving(velocity);
                    slowest = slowest.min(velocity.length());
                    farthest = farthest.max((position - vec2(10.0, -5.0)).length());
                }
            }
            (slowest, farthest)
        };
        let ((brakes, held), (turns, kept)) = (run(false), run(true));
        assert!(held < 40.0 && kept < 40.0, "{held} {kept}");
        assert!(brakes < 0.5 && turns > 1.99, "{brakes} {turns}");
    }

    #[test]
    fn a_host_that_turns_is_pushed_to_the_inward_side_of_its_heading() {
        let region = Shape::box_between(vec2(0.0, 0.0), vec2(100.0, 50.0));
        let force = |velocity: Vec2| {
            let host = Agent::new(vec2(98.0, 20.0), 5.0).moving(velocity);
            let parameters = Contain {
                region: Some(region.clone()),
                turn: true,
                ..Contain::default().lookahead(4.0)
            };
            contain_in(&Space::default(), &host, &parameters, DebugDraw::OFF)
        };
        // The heading is (0.8, -0.6), and the side (-0.6, -0.8).
        assert_near(force(vec2(4.0, -3.0)), vec2(-3.0, -4.0));
        // Straight outward: to the left, which is upward.
        assert_near(force(vec2(3.0, 0.0)), vec2(2.0, 5.0));
        assert_eq!(force(Vec2::ZERO), Vec2::ZERO);
        // Outside, and heading inward already: only the speed is kept.
        let host = Agent::new(vec2(120.0, 20.0), 5.0).moving(vec2(-3.0, 0.0));
        let parameters = Contain {
            region: Some(region.clone()),
            turn: true,
            ..Contain::default().lookahead(4.0)
        };
        let inward = contain_in(&Space::default(), &host, &parameters, DebugDraw::OFF);
        assert_near(inward, vec2(-2.0, 0.0));
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
