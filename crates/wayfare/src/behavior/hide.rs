//! Hide: get behind an obstacle, out of a threat's sight. Reynolds, GDC 1999, names the behavior;
//! the points behind obstacles are those of M. Buckland, "Programming Game AI by Example", 2005,
//! "Hide".

use super::evade::evade_in;
use super::{Prediction, Steer, arrive};
use glam::Vec2;

use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::{AgentView, SteerContext};
use crate::geometry::obstacle::{Obstacle, Obstacles, Shape};
use crate::parameter::{Auto, Formula, GroupId, Kind, Range, Scale, Unit, parameters};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The force that hides from the threat (length / time): `arrive` at the nearest of the points
/// behind the obstacles, each on the line from the threat through the obstacle's center, `margin`
/// (length) beyond the far surface; `evade` if there is none.
///
/// The first obstacle wins a tie. Exactly on the point the force is `-v`. An obstacle with the
/// threat exactly on its center gives no point.
pub fn hide<V: Vector>(
    host: &impl Host<V>,
    threat: &AgentView<V>,
    obstacles: Obstacles<'_, V>,
    margin: f32,
    slowing_radius: f32,
) -> V {
    hide_in(&Space::default(), host, threat, obstacles, margin, slowing_radius, DebugDraw::OFF)
}

fn hide_in<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    threat: &AgentView<V>,
    obstacles: Obstacles<'_, V>,
    margin: f32,
    slowing_radius: f32,
    debug: DebugDraw<'_, V>,
) -> V {
    let p = host.position();
    let point = |obstacle: &Obstacle<V>| {
        behind(space, obstacle, threat.position, margin).map(|point| space.image(p, point))
    };
    let distance =
        |obstacle: &Obstacle<V>| point(obstacle).map_or(f32::NAN, |point| (point - p).length());
    // The point may be nearer to the host than the obstacle by the margin: the lower bound allows
    // for that.
    match obstacles
        .least(space, p, f32::INFINITY, margin, distance)
        .and_then(|(_, obstacle, _)| point(obstacle))
    {
        Some(point) => {
            debug.segment("hidden from", || (threat.position, point));
            debug.circle("slowing_radius", || (point, slowing_radius));
            arrive(host, point, slowing_radius)
        }
        None => evade_in(
            space,
            host,
            threat,
            f32::INFINITY,
            Prediction::ByDistance,
            f32::INFINITY,
            debug,
        ),
    }
}

/// The point behind an obstacle as seen from `threat`; `None` for a threat on its center.
fn behind<V: Vector>(
    space: &Space<V>,
    obstacle: &Obstacle<V>,
    threat: V,
    margin: f32,
) -> Option<V> {
    let threat_image = space.image(obstacle.middle(), threat);
    // The center of the shape, as the bounding box does not rotate with the shape.
    let middle = match obstacle.shape() {
        Shape::Circle { center, .. } | Shape::Box { center, .. } => *center,
        Shape::Segment { from, to, .. } => (*from + *to) * 0.5,
        Shape::Polygon { points } => {
            // A prism has no ends: its center is taken at the height of the threat.
            obstacle.up().at_height_of(centroid(points), threat_image)
        }
    };
    let away = (middle - threat_image).unit();
    if away == V::ZERO {
        return None;
    }
    let surface = match obstacle.shape() {
        Shape::Circle { radius, .. } => middle + away * *radius,
        shape => {
            // The ray is cast from outside towards the center. Without a hit (an outline around its
            // center, or one without thickness) the center itself is used.
            let (low, high) = shape.extent(obstacle.up());
            let outside = middle + away * ((high - low).length() * 1.5);
            obstacle
                .cast_segment(outside, middle, 0.0)
                .map_or(middle, |hit| outside + (middle - outside) * hit.along)
        }
    };
    Some(surface + away * margin)
}

/// The centroid of a polygon, for either winding; the mean of its corners if its area is zero.
fn centroid(points: &[Vec2]) -> Vec2 {
    let first = points.first().copied().unwrap_or_default();
    let (mut sum, mut area) = (Vec2::ZERO, 0.0);
    for pair in points.windows(2) {
        let (a, b) = (pair[0] - first, pair[1] - first);
        let twice = a.perp_dot(b);
        (sum, area) = (sum + (a + b) * twice, area + twice);
    }
    if area == 0.0 {
        points.iter().sum::<Vec2>() / points.len().max(1) as f32
    } else {
        first + sum / (3.0 * area)
    }
}

parameters! {
    /// Get behind an obstacle: arrive at the nearest of the points behind the obstacles, as seen
    /// from the threat; evade if there is none.
    #[derive(Copy)]
    "hide" is(ROUTES) = pub struct Hide {
        /// The group whose nearest member is the threat.
        threat: GroupId = required, Kind::Quarry;
        /// The distance of the point from the obstacle's far surface; `"auto"` takes the spacing.
        margin: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(Scale::spacing));
        /// The distance from the point at which slowing begins; `"auto"` takes the larger of mass *
        /// max_speed^2 / (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
        /// The distance up to which the threat counts; beyond it there is no force.
        within: f32 = (f32::INFINITY), Kind::Number(Range::from_zero(Unit::Length).or_infinite());
    }
}

impl<V: Vector> Steer<V> for Hide {
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(threat) = context.member(host, self.threat, self.within) else { return V::ZERO };
        hide_in(
            &context.space,
            host,
            &threat,
            context.obstacles,
            self.margin.of(host, Scale::spacing),
            self.slowing_radius.of(host, Scale::slowing_radius),
            debug,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::evade;
    use crate::behavior::testing::{assert_near, force_with};
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, vec2, vec3};

    fn pillars() -> [Obstacle<Vec2>; 2] {
        [vec2(30.0, 40.0), vec2(-60.0, 0.0)]
            .map(|center| Obstacle::from(Shape::Circle { center, radius: 10.0 }))
    }

    #[test]
    fn the_host_arrives_behind_the_nearest_obstacle_on_the_line_from_the_threat() {
        // The point behind the first pillar, 5 beyond its edge, is (39, 52): 15 farther than the
        // center along (3, 4).
        let threat = AgentView::new(Vec2::ZERO, vec2(9.0, 9.0));
        let host = Agent::new(vec2(39.0, 40.0), 6.0).moving(vec2(1.0, 0.0));
        assert_near(hide(&host, &threat, Obstacles::from(&pillars()), 5.0, 24.0), vec2(-1.0, 3.0));
        assert_near(
            hide(
                &Agent::new(vec2(-75.0, 10.0), 6.0),
                &threat,
                Obstacles::from(&pillars()),
                5.0,
                0.0,
            ),
            vec2(0.0, -6.0),
        );
        assert_near(
            hide(
                &Agent { position: vec2(39.0, 52.0), ..host },
                &threat,
                Obstacles::from(&pillars()),
                5.0,
                24.0,
            ),
            vec2(-1.0, 0.0),
        );
        // For a threat at (0, 0, 0), a box from (0, 0, 8) to (0, 0, 12) ends 2 before the point.
        let block = [Obstacle::from(Shape::Box {
            center: vec3(0.0, 0.0, 10.0),
            half: vec3(3.0, 3.0, 2.0),
            angle: 0.3,
        })];
        let threat = AgentView::new(vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
        assert_near(
            hide(
                &Agent::new(vec3(0.0, 3.0, 14.0), 6.0),
                &threat,
                Obstacles::from(&block),
                2.0,
                0.0,
            ),
            vec3(0.0, -6.0, 0.0),
        );
    }

    #[test]
    fn the_point_is_out_of_sight_behind_a_wall_a_line_and_a_polygon() {
        let threat = vec2(0.0, 0.0);
        let polygon = vec![
            vec2(40.0, -20.0),
            vec2(60.0, -20.0),
            vec2(60.0, 20.0),
            vec2(40.0, 20.0),
            vec2(45.0, 0.0),
        ];
        for shape in [
            Shape::Segment { from: vec2(50.0, -20.0), to: vec2(50.0, 20.0), thickness: 4.0 },
            Shape::Segment { from: vec2(50.0, -20.0), to: vec2(50.0, 20.0), thickness: 0.0 },
            Shape::Box { center: vec2(50.0, 0.0), half: vec2(10.0, 4.0), angle: 0.7 },
            Shape::Polygon { points: polygon },
        ] {
            let obstacle = Obstacle::from(shape);
            let point = behind(&Space::default(), &obstacle, threat, 3.0).unwrap();
            assert!(
                obstacle.distance(point) > 1.0
                    && obstacle.cast_segment(threat, point, 0.0).is_some(),
                "{point} {obstacle:?}"
            );
        }
    }

    #[test]
    fn without_obstacles_the_host_evades_and_in_a_wrapped_world_it_hides_across_the_edge() {
        let threat = AgentView::new(vec2(10.0, 0.0), vec2(0.0, 1.0));
        let host = Agent::new(vec2(20.0, 0.0), 6.0).moving(vec2(1.0, 0.0));
        let evading = evade(&host, &threat, f32::INFINITY, Prediction::ByDistance, f32::INFINITY);
        assert_eq!(hide(&host, &threat, Obstacles::NONE, 5.0, 0.0), evading);
        // With the threat on the center of the only obstacle there is no point behind it.
        let pillar = [Obstacle::from(Shape::Circle { center: threat.position, radius: 2.0 })];
        assert_eq!(hide(&host, &threat, Obstacles::from(&pillar), 5.0, 0.0), evading);
        let force = |within| {
            force_with(
                &Hide {
                    threat: GroupId(0),
                    margin: Auto::Fixed(5.0),
                    slowing_radius: Auto::Fixed(0.0),
                    within,
                },
                &host,
                threat,
            )
        };
        assert_eq!([force(10.0), force(9.9)], [evading, Vec2::ZERO]);
        // The pillar at 4 is 6 to the right of the threat at 98, and its back is at 11.
        let space =
            Space::new(Some(Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wrap }));
        let pillar = [Obstacle::from(Shape::Circle { center: vec2(4.0, 50.0), radius: 2.0 })];
        let (threat, host) =
            (AgentView::new(vec2(98.0, 50.0), Vec2::ZERO), Agent::new(vec2(99.0, 50.0), 6.0));
        assert_near(
            hide_in(&space, &host, &threat, Obstacles::from(&pillar), 5.0, 0.0, DebugDraw::OFF),
            vec2(6.0, 0.0),
        );
        assert_near(
            space.image(
                host.position,
                behind(&space, &Obstacle::from(pillar[0].shape().clone()), threat.position, 5.0)
                    .unwrap(),
            ),
            vec2(111.0, 50.0),
        );
    }

    #[test]
    fn the_point_behind_an_obstacle_scales_with_the_world() {
        // Scaling by a power of two is exact: the result must match bit for bit.
        let scale = 1.0 / 4096.0;
        let threat = vec2(3.0, 2.0);
        for shape in [
            Shape::Segment { from: vec2(50.0, -20.0), to: vec2(53.0, 20.0), thickness: 4.0 },
            Shape::Box { center: vec2(50.0, 3.0), half: vec2(10.0, 4.0), angle: 0.7 },
            Shape::Polygon { points: vec![vec2(40.0, -20.0), vec2(61.0, -20.0), vec2(57.0, 23.0)] },
        ] {
            let small = match shape.clone() {
                Shape::Segment { from, to, thickness } => Shape::Segment {
                    from: from * scale,
                    to: to * scale,
                    thickness: thickness * scale,
                },
                Shape::Box { center, half, angle } => {
                    Shape::Box { center: center * scale, half: half * scale, angle }
                }
                Shape::Polygon { points } => {
                    Shape::Polygon { points: points.iter().map(|p| *p * scale).collect() }
                }
                circle => circle,
            };
            let point = |shape, threat, margin| {
                behind(&Space::default(), &Obstacle::from(shape), threat, margin).unwrap()
            };
            assert_eq!(
                point(small, threat * scale, 3.0 * scale),
                point(shape.clone(), threat, 3.0) * scale,
                "{shape:?}"
            );
        }
    }
}
