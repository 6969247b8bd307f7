//! Wander: a random walk that keeps its direction for a while. Reynolds, GDC 1999, "Wander", in the
//! version of the tutorials ("Wander", 2012): the displacement turns in the world's frame, not in
//! the host's.
//!
//! Departure: with `see_ahead` the displacement turns away from obstacles and walls. Alone, wander
//! keeps its direction at a wall, and wanderers spend most of their time there.

use super::Steer;
use super::avoid_obstacles::way_off_nearest;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::{Auto, Formula, Kind, Range, Scale, Unit, nested, parameters};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::random::Random;
use crate::vector::{Up, Vector};

/// The force that wanders (length / time): `heading * circle_distance + displacement *
/// circle_radius`.
///
/// The displacement is a direction, stored in `direction` and drawn at the first use; after each
/// use the direction takes a random step of up to `angle_change / 2` (radians, at dt = 1; scaled by
/// the square root of `dt`, which keeps the variance per unit of time). In 3D it is a point on a
/// sphere, moved by a tangent step, in coordinates with z up. A host at rest uses its last heading,
/// so the force is zero only if both lengths are, or if they cancel. There are no obstacles and no
/// walls, so [`see_ahead`](Wander::see_ahead) has no effect.
///
/// ```
/// use wayfare::{Agent, behavior::{Wander, wander}, glam::vec2, random::Random};
/// let guard = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(0.0, 3.0));
/// let (mut direction, mut random) = (None, Random::new(7, 0, 0, 0));
/// let force = wander(&guard, &Wander::default().circle_distance(2.0).circle_radius(1.0)
///     .angle_change(0.5), &mut direction, &mut random, 1.0);
/// // A circle of radius 1, 2 ahead.
/// assert!((force - vec2(0.0, 2.0)).length() < 1.001);
/// ```
#[inline(always)]
pub fn wander<V: Vector>(
    host: &impl Host<V>,
    parameters: &Wander,
    direction: &mut Option<V::Direction>,
    random: &mut Random,
    dt: f32,
) -> V {
    wander_annotated(host, parameters, direction, random, dt, Up::Z, DebugDraw::OFF)
}

/// [`wander()`] with debug annotations.
#[inline(always)]
pub(super) fn wander_annotated<V: Vector>(
    host: &impl Host<V>,
    parameters: &Wander,
    direction: &mut Option<V::Direction>,
    random: &mut Random,
    dt: f32,
    up: Up,
    debug: DebugDraw<'_, V>,
) -> V {
    let now = match *direction {
        Some(now) => now,
        None => V::random_direction(random),
    };
    let angle_change = parameters.angle_change.of(host, angle_change);
    *direction = Some(V::walk_direction(now, angle_change * 0.5 * dt.sqrt(), random));
    let circle_radius = parameters.circle_radius.of(host, circle);
    let (circle, displacement) = (
        host.heading() * parameters.circle_distance.of(host, circle),
        up.from_z_up(V::direction_unit(now)) * circle_radius,
    );
    debug.circle("circle", || (host.position() + circle, circle_radius));
    debug.segment("displacement", || {
        (host.position() + circle, host.position() + circle + displacement)
    });
    circle + displacement
}

/// [`wander()`] of a host among the obstacles and walls of `context`, with debug annotations.
#[inline(always)]
pub(super) fn wander_in<V: Vector>(
    host: &Agent<V>,
    parameters: &Wander,
    direction: &mut Option<V::Direction>,
    context: &SteerContext<'_, V>,
    debug: DebugDraw<'_, V>,
) -> V {
    if parameters.see_ahead > 0.0 {
        return wander_seeing(host, parameters, direction, context, debug);
    }
    let (random, up) = (&mut context.random(), context.space.up());
    wander_annotated(host, parameters, direction, random, context.dt, up, debug)
}

/// The square of the part of max_speed below which a host rests.
const RESTS_SQUARED: f32 = 0.01 * 0.01;

/// [`wander_in`] of a host that sees what is ahead.
#[inline(never)]
fn wander_seeing<V: Vector>(
    host: &Agent<V>,
    parameters: &Wander,
    direction: &mut Option<V::Direction>,
    context: &SteerContext<'_, V>,
    debug: DebugDraw<'_, V>,
) -> V {
    let (random, up) = (&mut context.random(), context.space.up());
    let now = (*direction).unwrap_or_else(|| V::random_direction(random));
    *direction = Some(now);
    let mut host = *host;
    if let Some(away) = seen_away(&host, parameters, now, context, debug) {
        *direction = Some(V::direction_along(up.to_z_up(away)));
        // A host that a wall has stopped keeps its heading, into the wall: it turns on the spot.
        let rests =
            host.velocity.length_squared() <= RESTS_SQUARED * host.max_speed * host.max_speed;
        if rests {
            host.heading = away;
        }
    }
    wander_annotated(&host, parameters, direction, random, context.dt, up, debug)
}

/// The direction away from what is ahead with the displacement `now`, if anything is.
///
/// The way off a wall may lead into a second one, as in a corner: then the direction is halfway
/// between the normals of both, which leads into neither.
fn seen_away<V: Vector>(
    host: &Agent<V>,
    parameters: &Wander,
    now: V::Direction,
    context: &SteerContext<'_, V>,
    debug: DebugDraw<'_, V>,
) -> Option<V> {
    let (up, see_ahead) = (context.space.up(), parameters.see_ahead);
    let displacement =
        up.from_z_up(V::direction_unit(now)) * parameters.circle_radius.of(host, circle);
    let lead = host.heading * parameters.circle_distance.of(host, circle);
    let ahead = (lead + displacement).unit();
    debug.segment("see_ahead", || (host.position, host.position + ahead * see_ahead));
    let first = way_off_nearest(host, ahead, see_ahead, context)?;
    let Some(second) = way_off_nearest(host, first.away, see_ahead, context) else {
        return Some(first.away);
    };
    // Between walls that face each other the sum is rounding error, and the way along them is free.
    let off_both = first.normal + second.normal;
    Some(if off_both.length() < FACING { first.away } else { off_both.unit() })
}

/// The length of the sum of two normals below which their walls face each other.
const FACING: f32 = 1e-3;

/// The circle's distance and radius (length / time): 2 max_speed.
fn circle(scale: &Scale) -> f32 {
    2.0 * scale.max_speed
}

/// The width of the random step in one unit of time (radians): its variance adds up to a radian
/// squared in 16 / 3 reactions.
fn angle_change(scale: &Scale) -> f32 {
    1.5 / scale.reaction().sqrt()
}

parameters! {
    /// A random walk that keeps its direction for a while: heading * circle_distance +
    /// displacement, whose angle walks randomly.
    #[derive(Copy)]
    "wander" needs(MEMORY) is(ROUTES) = pub struct Wander {
        /// The distance of the circle's center ahead of the host: how strongly the heading is kept;
        /// `"auto"` takes 2 max_speed.
        circle_distance: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Speed), Formula::by_group(circle));
        /// The circle's radius: how strongly the host turns; `"auto"` takes 2 max_speed.
        circle_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Speed), Formula::by_group(circle));
        /// The width of the random step that the displacement's angle takes in one unit of time;
        /// `"auto"` takes 1.5 / sqrt(reaction), with which a host keeps its direction for about
        /// five reactions.
        angle_change: Auto = (Auto::Auto),
            Kind::Auto(Range::new(0.0, 1e3, Unit::Radians), Formula::by_group(angle_change));
        /// The distance in which an obstacle, or a wall of bounds whose edge is `"wall"` or
        /// `"bounce"`, turns the displacement away, halfway between its normal and the way along
        /// it; where that way leads to a second one, as in a corner, halfway between both normals.
        /// A host at rest turns its heading too. It should be at least mass * max_speed^2 /
        /// circle_radius, the radius of the host's turn. 0 sees none.
        see_ahead: f32 = 0.0, Kind::Number(Range::from_zero(Unit::Length));
    }
}

nested!(Wander);

impl<V: Vector> Steer<V> for Wander {
    #[inline(always)]
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        wander_in(host, self, &mut memory.wander, context, debug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use crate::geometry::obstacle::{Obstacle, Shape};
    use crate::spatial::space::{Bounds, Edge, Space};
    use glam::{Vec2, Vec3, vec2, vec3};

    const PARAMETERS: Wander = Wander {
        circle_distance: Auto::Fixed(2.0),
        circle_radius: Auto::Fixed(3.0),
        angle_change: Auto::Fixed(0.5),
        see_ahead: 0.0,
    };

    /// The angle after one use at angle 0, for agent `id`.
    fn step(id: u32, dt: f32) -> f32 {
        let mut angle = Some(0.0);
        let _ = wander(
            &Agent::new(Vec2::ZERO, 1.0),
            &PARAMETERS,
            &mut angle,
            &mut Random::new(5, id, 0, 0),
            dt,
        );
        angle.unwrap()
    }

    #[test]
    fn the_displacement_is_added_in_the_frame_of_the_world() {
        // The angle pi / 2 points along +y for any heading.
        let mut random = Random::new(5, 0, 0, 0);
        let force = |heading, random: &mut Random| {
            wander(
                &Agent { heading, ..Agent::new(Vec2::ZERO, 1.0) },
                &PARAMETERS,
                &mut Some(core::f32::consts::FRAC_PI_2),
                random,
                1.0,
            )
        };
        assert_near(force(Vec2::X, &mut random), vec2(2.0, 3.0));
        assert_near(force(Vec2::NEG_Y, &mut random), vec2(0.0, 1.0));
        let host = Agent { heading: Vec3::Z, ..Agent::new(Vec3::ZERO, 1.0) };
        assert_near(
            wander(&host, &PARAMETERS, &mut Some(vec3(0.6, 0.0, -0.8)), &mut random, 1.0),
            vec3(1.8, 0.0, -0.4),
        );
    }

    #[test]
    fn the_first_direction_is_drawn_and_used_before_its_first_step() {
        let host = Agent::new(Vec2::ZERO, 1.0);
        let drawn = |id| Vec2::random_direction(&mut Random::new(5, id, 0, 0));
        for id in 0..20 {
            let mut angle = None;
            let force = wander(&host, &PARAMETERS, &mut angle, &mut Random::new(5, id, 0, 0), 1.0);
            assert_near(force, vec2(2.0 + 3.0 * drawn(id).cos(), 3.0 * drawn(id).sin()));
            let walked = angle.unwrap();
            let turn = (walked - drawn(id)).abs();
            assert!(walked != drawn(id) && (turn <= 0.250_001 || turn > 6.0), "{walked}");
            // The next force uses the direction after the step.
            let force = wander(&host, &PARAMETERS, &mut angle, &mut Random::new(5, id, 1, 0), 1.0);
            assert_near(force, vec2(2.0 + 3.0 * walked.cos(), 3.0 * walked.sin()));
        }
    }

    /// A host of radius 1 with the heading (0.6, 0.8), at full speed.
    fn walking(at: Vec2) -> Agent<Vec2> {
        Agent { radius: 1.0, ..Agent::new(at, 1.0).moving(vec2(0.6, 0.8)) }
    }

    /// The force without random steps of a host whose displacement is along its heading at first.
    fn force_seeing(
        host: &Agent<Vec2>,
        see_ahead: f32,
        space: Space<Vec2>,
        obstacles: &[Obstacle<Vec2>],
    ) -> Vec2 {
        let parameters = Wander { angle_change: Auto::Fixed(0.0), see_ahead, ..PARAMETERS };
        let context =
            SteerContext { space, obstacles: obstacles.into(), ..SteerContext::empty(1.0) };
        let mut direction = Some(Vec2::direction_along(host.heading));
        wander_in(host, &parameters, &mut direction, &context, DebugDraw::OFF)
    }

    #[test]
    fn a_wall_or_an_obstacle_ahead_turns_the_displacement_away() {
        let half = core::f32::consts::FRAC_1_SQRT_2;
        let force = |see_ahead, edge, obstacle: Option<Shape<Vec2>>| {
            let space = Space::new(Some(Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge }));
            let obstacles: Vec<_> = obstacle.into_iter().map(Obstacle::from).collect();
            let host = walking(vec2(90.0, 50.0));
            force_seeing(&host, see_ahead, space, &obstacles)
        };
        let straight = vec2(3.0, 4.0);
        let turned = vec2(1.2 - 3.0 * half, 1.6 + 3.0 * half);
        for edge in [Edge::Wall, Edge::Bounce] {
            // The body reaches the wall 9 to the right after 15.
            assert_near(force(14.9, edge, None), straight);
            assert_near(force(15.1, edge, None), turned);
            assert_near(force(0.0, edge, None), straight);
        }
        assert_near(force(15.1, Edge::Open, None), straight);
        let wall = Shape::box_between(vec2(100.0, 0.0), vec2(120.0, 200.0));
        assert_near(force(15.1, Edge::Open, Some(wall)), turned);
        // A circle counts by its surface: the host moves straight towards it, and turns left.
        let ball = Shape::Circle { center: vec2(96.0, 58.0), radius: 2.0 };
        let (normal, left) = (vec2(-0.6, -0.8), vec2(-0.8, 0.6));
        let away = vec2(1.2, 1.6) + (normal + left) * half * 3.0;
        assert_near(force(7.1, Edge::Open, Some(ball.clone())), away);
        assert_near(force(6.9, Edge::Open, Some(ball)), straight);
    }

    #[test]
    fn in_a_corner_the_displacement_turns_away_from_both_walls() {
        let half = core::f32::consts::FRAC_1_SQRT_2;
        let room = |max| Space::new(Some(Bounds { min: Vec2::ZERO, max, edge: Edge::Wall }));
        let lead = vec2(1.2, 1.6);
        // The way off the right wall leads into the upper one after 12.7.
        let host = walking(vec2(92.0, 90.0));
        let force = |see_ahead| force_seeing(&host, see_ahead, room(vec2(100.0, 100.0)), &[]);
        assert_near(force(12.6), lead + vec2(-half, half) * 3.0);
        assert_near(force(12.8), lead + vec2(-half, -half) * 3.0);
        // Between walls that face each other the way along the first one stays.
        let corridor = room(vec2(1e3, 20.0));
        let force = force_seeing(&walking(vec2(50.0, 10.0)), 15.0, corridor, &[]);
        assert_near(force, lead + vec2(half, -half) * 3.0);
    }

    #[test]
    fn a_host_that_a_wall_has_stopped_turns_its_heading_too() {
        let room = Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wall };
        let force = |velocity| {
            let host = Agent { velocity, ..walking(vec2(99.0, 50.0)) };
            force_seeing(&host, 10.0, Space::new(Some(room)), &[])
        };
        // The body touches the wall: the way off it is along its normal.
        assert_near(force(vec2(0.0, 0.02)), vec2(1.2 - 3.0, 1.6));
        assert_near(force(vec2(0.0, 0.005)), vec2(-5.0, 0.0));
    }

    #[test]
    fn the_random_steps_are_uniform_over_the_angle_change() {
        let mut bins = [0_i32; 10];
        for id in 0..10_000 {
            let share = step(id, 1.0) / 0.5 + 0.5;
            assert!((0.0..=1.0).contains(&share), "{share}");
            bins[((share * 10.0) as usize).min(9)] += 1;
        }
        // Each bin expects 1,000 steps, with a standard deviation of 30.
        assert!(bins.iter().all(|&n| (n - 1_000).abs() < 150), "{bins:?}");
    }

    #[test]
    fn the_random_steps_grow_with_the_square_root_of_dt() {
        for id in 0..20 {
            assert!((step(id, 4.0) - 2.0 * step(id, 1.0)).abs() < 1e-5);
            assert!((step(id, 0.25) - 0.5 * step(id, 1.0)).abs() < 1e-5);
        }
    }

    #[test]
    fn in_3d_the_displacement_moves_on_its_sphere_in_all_directions() {
        let host = Agent::new(Vec3::ZERO, 1.0);
        let (mut lengths, mut bins) = (0.0, [0_i32; 4]);
        for id in 0..4_000 {
            let mut direction = Some(Vec3::Z);
            let mut random = Random::new(5, id, 0, 0);
            let _ = wander(&host, &PARAMETERS, &mut direction, &mut random, 1.0);
            let to = direction.unwrap();
            // The length of the tangent step is the tangent of the angle: up to half of the angle
            // change.
            let length = to.truncate().length() / to.z;
            assert!(to.z > 0.0 && length <= 0.250_001, "{to}");
            lengths += length / 4_000.0;
            bins[usize::from(to.x > 0.0) + 2 * usize::from(to.y > 0.0)] += 1;
            for _ in 0..5 {
                let displacement = wander(&host, &PARAMETERS, &mut direction, &mut random, 1.0)
                    - vec3(2.0, 0.0, 0.0);
                assert!((displacement.length() - 3.0).abs() < 1e-5, "{displacement}");
            }
        }
        // Uniform from 0 to 0.25: the mean is 0.125 (standard error 0.0011), and each quadrant gets
        // 1,000 steps (standard deviation 27).
        assert!((lengths - 0.125).abs() < 0.005, "{lengths}");
        assert!(bins.iter().all(|&n| (n - 1_000).abs() < 140), "{bins:?}");
    }
}
