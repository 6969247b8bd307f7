//! Follow a wall: move along it at a distance. Reynolds, GDC 1999, "Wall following".

use super::{Steer, seek};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::obstacle::Obstacles;
use crate::parameter::{Auto, Formula, Kind, Range, Scale, Unit, parameters};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The force that moves along the nearest wall at a distance (length / time): with `q = p + v *
/// lookahead`, seek the point `distance` out from the surface point that is nearest to `q`.
///
/// Zero if no surface is within `within` of `q` (length). A host at rest has no direction along the
/// wall: it approaches the wall and stops there. Exactly on the sought point the force is `-v`.
pub fn follow_wall<V: Vector>(
    host: &impl Host<V>,
    obstacles: Obstacles<'_, V>,
    distance: f32,
    lookahead: f32,
    within: f32,
) -> V {
    let target = beside(&Space::default(), host, obstacles, distance, lookahead, within);
    target.map_or(V::ZERO, |(_, target)| seek(host, target))
}

/// The predicted position of the host, and the point beside the wall nearest to it.
fn beside<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    obstacles: Obstacles<'_, V>,
    distance: f32,
    lookahead: f32,
    within: f32,
) -> Option<(V, V)> {
    let ahead = host.position() + host.velocity() * lookahead;
    let (_, wall, gap) = obstacles.nearest(space, ahead, within)?;
    // Also inside, `outward` leads to the surface.
    let out = wall.outward(space.image(wall.middle(), ahead));
    Some((ahead, ahead + out * (distance - gap)))
}

parameters! {
    /// Along the nearest wall at a distance: seek the point `distance` out from the surface point
    /// nearest to p + v * lookahead.
    #[doc(alias = "wall following")]
    #[derive(Copy)]
    "follow_wall" is(ROUTES AVOIDS) = pub struct FollowWall {
        /// The distance to keep from the surface; `"auto"` takes the spacing.
        distance: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(Scale::spacing));
        /// How far ahead in time the host's position is predicted; `"auto"` takes the reaction.
        lookahead: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Time), Formula::by_group(Scale::reaction));
        /// The distance from there up to which a surface counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for FollowWall {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let found = beside(
            &context.space,
            host,
            context.obstacles,
            self.distance.of(host, Scale::spacing),
            self.lookahead.of(host, Scale::reaction),
            self.within,
        );
        let Some((ahead, target)) = found else { return V::ZERO };
        debug.segment("lookahead", || (host.position, ahead));
        debug.point("target", || target);
        seek(host, target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use crate::geometry::obstacle::{Obstacle, Shape};
    use glam::{Vec2, vec2, vec3};

    #[test]
    fn the_point_beside_the_surface_ahead_is_sought_from_outside_and_from_inside() {
        // A wall on top at y = 10; in 2 units of time the host will be at (8, 4), 6 below the wall:
        // the point 2 out is (8, 8).
        let wall = [Obstacle::from(Shape::Box {
            center: vec2(0.0, 20.0),
            half: vec2(100.0, 10.0),
            angle: 0.0,
        })];
        let host = Agent::new(vec2(2.0, 0.0), 5.0).moving(vec2(3.0, 2.0));
        assert_near(
            follow_wall(&host, Obstacles::from(&wall), 2.0, 2.0, 6.0),
            vec2(6.0, 8.0).normalize() * 5.0 - vec2(3.0, 2.0),
        );
        assert_eq!(follow_wall(&host, Obstacles::from(&wall), 2.0, 2.0, 5.9), Vec2::ZERO);
        // The host will be at (2, 12), 2 inside: the point 3 out is (2, 7), straight above the
        // host.
        let host = Agent::new(vec2(2.0, 6.0), 5.0).moving(vec2(0.0, 3.0));
        assert_near(follow_wall(&host, Obstacles::from(&wall), 3.0, 2.0, 6.0), vec2(0.0, 2.0));
        // A ball of radius 4: from (0, 0, 9) the point 2 out is (0, 0, 6).
        let ball = [Obstacle::from(Shape::Circle { center: vec3(0.0, 0.0, 0.0), radius: 4.0 })];
        assert_near(
            follow_wall(
                &Agent::new(vec3(0.0, 0.0, 9.0), 2.0),
                Obstacles::from(&ball),
                2.0,
                1.0,
                100.0,
            ),
            vec3(0.0, 0.0, -2.0),
        );
    }

    #[test]
    fn around_a_pillar_the_host_keeps_its_distance_and_moves_on() {
        let pillar = [Obstacle::from(Shape::Circle { center: Vec2::ZERO, radius: 20.0 })];
        let mut host =
            Agent { mass: 2.0, ..Agent::new(vec2(-60.0, 31.0), 1.0).moving(vec2(1.0, 0.0)) };
        let (mut turned, mut before) = (0.0, host.position.to_angle());
        for tick in 0..1_000 {
            let force = follow_wall(&host, Obstacles::from(&pillar), 10.0, 6.0, f32::INFINITY);
            let (position, velocity) = host.step(force, host.velocity, 1.0, 1.0);
            host = Agent { position, ..host }.moving(velocity);
            let angle = position.to_angle();
            turned += (angle - before + 3.0 * core::f32::consts::PI)
                .rem_euclid(core::f32::consts::TAU)
                - core::f32::consts::PI;
            before = angle;
            if tick > 200 {
                assert!((position.length() - 30.0).abs() < 1.5, "{position} at {tick}");
            }
        }
        assert!(turned.abs() > 2.0 * core::f32::consts::TAU, "{turned}");
    }
}
