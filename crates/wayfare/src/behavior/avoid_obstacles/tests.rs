//! The push for each probe, shape and clearance, with and without an index.

use super::*;
use crate::behavior::testing::assert_near;
use crate::geometry::obstacle::{Obstacles, bvh_of};
use crate::random::Random;
use crate::spatial::space::{Bounds, Edge};
use core::f32::consts::{FRAC_PI_4, FRAC_PI_6};
use glam::{Vec2, Vec3, vec2, vec3};

/// A probe of length 20 at the full speed of 10, and a push of 10.
const POINTS: AvoidObstacles = AvoidObstacles {
    see_ahead: Auto::Fixed(20.0),
    max_avoid_force: Auto::Fixed(10.0),
    probe: Probe::Points,
    clearance: Clearance::Center,
    bounds: false,
};
const BODY: AvoidObstacles = AvoidObstacles { clearance: Clearance::Body, ..POINTS };
const CYLINDER: AvoidObstacles = AvoidObstacles { probe: Probe::Cylinder, ..POINTS };
const TWO_POINTS: AvoidObstacles = AvoidObstacles { probe: Probe::TwoPoints, ..POINTS };

fn circle<V: Vector>(center: V, radius: f32) -> Shape<V> {
    Shape::Circle { center, radius }
}

fn push_by<V: Vector>(host: &Agent<V>, shapes: &[Shape<V>], parameters: &AvoidObstacles) -> V {
    let obstacles: Vec<_> = shapes.iter().cloned().map(Obstacle::from).collect();
    avoid_obstacles(host, &obstacles, parameters)
}

/// The push on a host with a body of 1.5 that moves from the origin along x at full speed, so that
/// its probe ends at (20, 0).
fn push(shape: Shape<Vec2>, parameters: &AvoidObstacles) -> Vec2 {
    push_by(
        &Agent { radius: 1.5, ..Agent::new(Vec2::ZERO, 10.0).moving(vec2(10.0, 0.0)) },
        &[shape],
        parameters,
    )
}

#[test]
fn a_circle_pushes_the_far_point_away_from_its_center() {
    // far - center is (3, 4), of length 5, and (1, -2, 2), of length 3.
    assert_near(push(circle(vec2(17.0, -4.0), 5.0), &POINTS), vec2(6.0, 8.0));
    assert_eq!(push(circle(vec2(17.0, -4.0), 4.99), &POINTS), Vec2::ZERO);
    let host = Agent::new(vec3(5.0, 5.0, 5.0), 10.0).moving(vec3(0.0, 0.0, 10.0));
    assert_near(
        push_by(
            &host,
            &[circle(vec3(4.0, 7.0, 23.0), 3.0)],
            &AvoidObstacles { max_avoid_force: Auto::Fixed(6.0), ..POINTS },
        ),
        vec3(2.0, -4.0, 4.0),
    );
}

#[test]
fn the_midpoint_of_the_probe_counts_and_only_the_cylinder_tests_between_the_points() {
    // The midpoint is (10, 0), 3 from the center; far - center is (10, -3).
    assert_near(
        push(circle(vec2(10.0, 3.0), 3.0), &POINTS),
        vec2(10.0, -3.0) * (10.0 / 109.0_f32.sqrt()),
    );
    // (15, 3) is 5.8 from both points and 3 from the line between them, which is within the circle
    // grown by the body.
    let between = circle(vec2(15.0, 3.0), 1.6);
    assert_eq!(push(between.clone(), &BODY), Vec2::ZERO);
    assert_near(push(between, &CYLINDER), vec2(5.0, -3.0) * (10.0 / 34.0_f32.sqrt()));
    assert_eq!(push(circle(vec2(15.0, 3.0), 1.4), &CYLINDER), Vec2::ZERO);
    // An obstacle behind the host is no threat to either probe.
    assert_eq!(
        [push(circle(vec2(-5.0, 0.0), 2.0), &BODY), push(circle(vec2(-5.0, 0.0), 2.0), &CYLINDER)],
        [Vec2::ZERO; 2]
    );
}

#[test]
fn the_length_of_the_probe_follows_the_speed() {
    // At half speed the probe ends at (10, 0): far - center is (0, 3). At rest the probe has length
    // zero.
    let host = |speed| Agent::new(Vec2::ZERO, 10.0).moving(vec2(speed, 0.0));
    let circle = [circle(vec2(10.0, -3.0), 4.0)];
    assert_near(push_by(&host(5.0), &circle, &POINTS), vec2(0.0, 10.0));
    assert_eq!(push_by(&host(3.0), &circle, &POINTS), Vec2::ZERO);
    // The probe of a host faster than max_speed is longer, and ends at (40, 0).
    assert_near(
        push_by(&host(20.0), &[self::circle(vec2(40.0, -3.0), 4.0)], &POINTS),
        vec2(0.0, 10.0),
    );
    for parameters in [POINTS, CYLINDER] {
        assert_eq!(
            push_by(
                &host(0.0),
                &[circle[0].clone(), Shape::box_between(vec2(1.0, -1.0), vec2(3.0, 1.0))],
                &parameters
            ),
            Vec2::ZERO
        );
    }
}

#[test]
fn two_points_probe_at_full_length_and_miss_a_circle_around_the_host() {
    let ahead = [circle(vec2(20.0, -3.0), 4.0)];
    for speed in [10.0, 1.0, 0.0] {
        assert_near(
            push_by(&Agent::new(Vec2::ZERO, 10.0).moving(vec2(speed, 0.0)), &ahead, &TWO_POINTS),
            vec2(0.0, 10.0),
        );
    }
    assert_near(
        push(circle(vec2(10.0, -3.0), 4.0), &TWO_POINTS),
        vec2(10.0, 3.0) * (10.0 / 109.0_f32.sqrt()),
    );
    assert_eq!(push(circle(vec2(-1.0, 0.0), 2.0), &TWO_POINTS), Vec2::ZERO);
}

#[test]
fn a_push_straight_back_becomes_a_push_to_the_left() {
    assert_near(push(circle(vec2(30.0, 0.0), 12.0), &POINTS), vec2(0.0, 10.0));
    // A sideways component of 0.0005 is too small, one of 0.01 is used.
    assert_near(push(circle(vec2(30.0, 0.005), 12.0), &POINTS), vec2(0.0, 10.0));
    assert_near(
        push(circle(vec2(30.0, 0.1), 12.0), &POINTS),
        vec2(-10.0, -0.1) * (10.0 / 100.01_f32.sqrt()),
    );
    let host = |v| Agent::new(Vec3::ZERO, 10.0).moving(v);
    assert_near(
        push_by(&host(vec3(0.0, -10.0, 0.0)), &[circle(vec3(0.0, -30.0, 0.0), 12.0)], &POINTS),
        vec3(10.0, 0.0, 0.0),
    );
    assert_near(
        push_by(&host(vec3(0.0, 0.0, 10.0)), &[circle(vec3(0.0, 0.0, 30.0), 12.0)], &POINTS),
        vec3(10.0, 0.0, 0.0),
    );
    // A host that moves straight into a face: half back, half to the left.
    let half = 10.0 * core::f32::consts::FRAC_1_SQRT_2;
    assert_near(
        push(Shape::box_between(vec2(10.0, -5.0), vec2(30.0, 5.0)), &POINTS),
        vec2(-half, half),
    );
}

#[test]
fn a_host_inside_a_circle_is_pushed_ahead_and_at_its_center_to_the_left() {
    assert_near(push(circle(vec2(-1.0, 0.0), 2.0), &POINTS), vec2(10.0, 0.0));
    let host = Agent { heading: Vec2::NEG_Y, ..Agent::new(vec2(3.0, 4.0), 10.0) };
    assert_near(push_by(&host, &[circle(Vec2::ZERO, 6.0)], &POINTS), vec2(6.0, 8.0));
    assert_near(push_by(&host, &[circle(vec2(3.0, 4.0), 6.0)], &POINTS), vec2(10.0, 0.0));
}

#[test]
fn a_host_inside_a_shape_other_than_a_circle_is_pushed_out_by_the_shortest_path() {
    assert_near(
        push(Shape::box_between(vec2(-2.0, -5.0), vec2(9.0, 1.0)), &POINTS),
        vec2(0.0, 10.0),
    );
    assert_near(
        push(
            Shape::Segment { from: vec2(-9.0, -1.0), to: vec2(9.0, -1.0), thickness: 2.5 },
            &POINTS,
        ),
        vec2(0.0, 10.0),
    );
    assert_near(
        push(
            Shape::Polygon { points: vec![vec2(-1.0, -9.0), vec2(9.0, 0.0), vec2(-1.0, 9.0)] },
            &POINTS,
        ),
        vec2(-10.0, 0.0),
    );
    // With clearance for the body the host counts as inside: the box ends 1 below its center.
    assert_near(
        push(Shape::box_between(vec2(-2.0, -5.0), vec2(9.0, -1.0)), &BODY),
        vec2(0.0, 10.0),
    );
    let host = Agent::new(vec3(0.0, 0.0, 2.0), 10.0);
    assert_near(
        push_by(&host, &[Shape::box_between(Vec3::splat(-9.0), vec3(9.0, 9.0, 3.0))], &POINTS),
        vec3(0.0, 0.0, 10.0),
    );
}

#[test]
fn a_face_pushes_along_its_normal_and_along_the_face() {
    // The heading (0.6, 0.8) hits the face y = 10, normal (0, -1), and continues along +x.
    let half = 10.0 * core::f32::consts::FRAC_1_SQRT_2;
    let host = Agent::new(Vec2::ZERO, 10.0).moving(vec2(6.0, 8.0));
    let wall = Shape::Segment { from: vec2(-50.0, 10.0), to: vec2(50.0, 10.0), thickness: 0.0 };
    let triangle =
        Shape::Polygon { points: vec![vec2(-20.0, 10.0), vec2(20.0, 10.0), vec2(0.0, 30.0)] };
    for shape in [Shape::box_between(vec2(-20.0, 10.0), vec2(20.0, 30.0)), wall, triangle] {
        assert_near(push_by(&host, &[shape], &POINTS), vec2(half, -half));
    }
    // In 3D: the heading (0, 0.6, 0.8) hits the sides y = 10 of a box and of a prism, and
    // continues along +z.
    let host = Agent::new(Vec3::ZERO, 10.0).moving(vec3(0.0, 6.0, 8.0));
    let prism =
        Shape::Polygon { points: vec![vec2(-20.0, 10.0), vec2(20.0, 10.0), vec2(0.0, 30.0)] };
    for shape in [Shape::box_between(vec3(-20.0, 10.0, -30.0), vec3(20.0, 30.0, 30.0)), prism] {
        assert_near(push_by(&host, &[shape], &POINTS), vec3(0.0, -half, half));
    }
}

#[test]
fn a_box_can_be_rotated() {
    // A plate that rises by 30 degrees: normal (-1/2, √3/2), along (√3/2, 1/2), their sum at 75
    // degrees from +x.
    let plate = Shape::Box { center: vec2(10.0, 0.0), half: vec2(8.0, 0.1), angle: FRAC_PI_6 };
    assert_near(push(plate, &POINTS), vec2(2.588_190_5, 9.659_258));
    // A cube standing on its edge, hit above the edge: normal (-1, 1) / √2, along (1, 1) / √2.
    let host = Agent::new(vec3(0.0, 2.0, 0.0), 10.0).moving(vec3(10.0, 0.0, 0.0));
    let cube =
        Shape::Box { center: vec3(20.0, 0.0, 0.0), half: Vec3::splat(5.0), angle: FRAC_PI_4 };
    assert_near(push_by(&host, &[cube], &POINTS), vec3(0.0, 10.0, 0.0));
}

#[test]
fn with_clearance_for_the_body_corners_are_rounded() {
    // The corner (10, 1) is 1 beside the probe: the hit is 1.25^(1/2) before it, with the normal
    // (-1.11803, -1) / 1.5.
    let (back, aside) = (1.118_034 / 1.5, 1.0 / 1.5);
    let expected =
        (vec2(-back, -aside) + vec2(aside, -back)) * (10.0 * core::f32::consts::FRAC_1_SQRT_2);
    let shape = Shape::box_between(vec2(10.0, 1.0), vec2(20.0, 5.0));
    assert_eq!(push(shape.clone(), &POINTS), Vec2::ZERO);
    assert_near(push(shape.clone(), &BODY), expected);
    assert_near(push(shape, &CYLINDER), expected);
    // The probe of points also grows circles by the body.
    assert_near(push(circle(vec2(17.0, -4.0), 3.6), &BODY), vec2(6.0, 8.0));
}

#[test]
fn the_obstacle_with_the_nearest_surface_pushes_and_in_a_tie_the_first() {
    // far - center is (-20, 15) for the large circle, whose surface is 17.6 away, and (0, -1) for
    // the small circle, 18.0 away.
    let (large, small) = (circle(vec2(40.0, -15.0), 25.1), circle(vec2(20.0, 1.0), 2.0));
    let host = Agent::new(Vec2::ZERO, 10.0).moving(vec2(10.0, 0.0));
    assert_near(push_by(&host, &[large.clone(), small.clone()], &POINTS), vec2(-8.0, 6.0));
    assert_near(push_by(&host, &[small.clone(), large], &POINTS), vec2(-8.0, 6.0));
    // A nearer obstacle that is no threat does not count; in a tie the first counts.
    let beside = circle(vec2(0.0, 3.0), 1.0);
    assert_near(push_by(&host, &[beside, small], &POINTS), vec2(0.0, -10.0));
    let (above, below) = (circle(vec2(20.0, 3.0), 4.0), circle(vec2(20.0, -3.0), 4.0));
    assert_near(push_by(&host, &[above.clone(), below.clone()], &POINTS), vec2(0.0, -10.0));
    assert_near(push_by(&host, &[below.clone(), above.clone()], &POINTS), vec2(0.0, 10.0));
    // The same with the index, which needs more obstacles and visits them in another order.
    let push = |first: &Shape<Vec2>, second: &Shape<Vec2>| {
        let others = (0..20).map(|i| circle(vec2(20.0, 100.0 + i as f32), 1.0));
        let obstacles: Vec<Obstacle<Vec2>> =
            [first.clone(), second.clone()].into_iter().chain(others).map(Obstacle::from).collect();
        let tree = bvh_of(&obstacles);
        POINTS.force(
            &host,
            &mut Memory::default(),
            &mut SteerContext {
                obstacles: Obstacles::indexed(&obstacles, &tree),
                ..SteerContext::empty(1.0)
            },
            DebugDraw::OFF,
        )
    };
    assert_near(push(&above, &below), vec2(0.0, -10.0));
    assert_near(push(&below, &above), vec2(0.0, 10.0));
}

#[test]
fn in_a_wrapped_world_an_obstacle_across_the_edge_is_ahead() {
    let bounds = Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wrap };
    let obstacles = [Obstacle::from(circle(vec2(4.0, 50.0), 6.0))];
    let host = Agent::new(vec2(90.0, 48.0), 10.0).moving(vec2(10.0, 0.0));
    let force = |space| {
        POINTS.force(
            &host,
            &mut Memory::default(),
            &mut SteerContext { space, obstacles: (&obstacles).into(), ..SteerContext::empty(1.0) },
            DebugDraw::OFF,
        )
    };
    // The midpoint of the probe is (100, 48): the offset from the circle's image at (104, 50) to
    // the far point (110, 48) is (6, -2).
    assert_near(force(Space::new(Some(bounds))), vec2(6.0, -2.0) / 40.0_f32.sqrt() * 10.0);
    assert_eq!(force(Space::default()), Vec2::ZERO);
}

/// A world of size 100 with obstacles of every shape: some across its edges, some in clusters, some
/// equal.
fn clutter<V: Vector>(random: &mut Random, count: usize) -> Vec<Obstacle<V>> {
    let point = |random: &mut Random, spread: f32| {
        V::from_fn(|_| random.between(50.0 - spread, 50.0 + spread))
    };
    let mut obstacles: Vec<Obstacle<V>> = Vec::new();
    for i in 0..count {
        let center = point(random, if i % 3 == 0 { 5.0 } else { 55.0 });
        let size = random.between(0.0, if i % 7 == 0 { 30.0 } else { 3.0 });
        let shape = match i % 5 {
            0 => circle(center, size),
            1 => Shape::Box {
                center,
                half: V::from_fn(|_| random.between(0.0, size)),
                angle: random.between(-4.0, 4.0),
            },
            2 => Shape::Segment {
                from: center,
                to: center + V::random_unit(random) * size,
                thickness: if i % 2 == 0 { 0.0 } else { 1.0 },
            },
            3 => Shape::Polygon {
                points: [0.0, 2.0, 4.0]
                    .map(|angle| center.flat() + Vec2::from_angle(angle) * size)
                    .to_vec(),
            },
            _ => obstacles[random.between(0.0, obstacles.len() as f32) as usize].shape().clone(),
        };
        obstacles.push(shape.into());
    }
    obstacles
}

#[test]
fn the_push_is_the_same_with_an_index_without_an_index_and_with_exact_tests() {
    fn test<V: Vector>() -> usize {
        let mut pushed = 0;
        for (seed, edge) in
            [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce].into_iter().enumerate()
        {
            let space = Space::new(Some(Bounds { min: V::ZERO, max: V::from_fn(|_| 100.0), edge }));
            for count in [0, 1, 9, 100, 400] {
                let mut random = Random::new(seed as u64, count, 5, 0);
                let obstacles = clutter::<V>(&mut random, count as usize);
                let tree = bvh_of(&obstacles);
                for i in 0..300 {
                    let velocity = V::random_unit(&mut random) * random.between(0.0, 12.0);
                    let position = if i % 9 == 8 && count > 0 {
                        space.wrapped(obstacles[i % count as usize].middle())
                    } else {
                        V::from_fn(|_| random.between(0.0, 99.0))
                    };
                    let host = Agent {
                        radius: random.between(0.0, 3.0),
                        ..Agent::new(position, 10.0).moving(velocity)
                    };
                    let parameters = [POINTS, BODY, CYLINDER, TWO_POINTS][i % 4];
                    let force = |obstacles| {
                        parameters.force(
                            &host,
                            &mut Memory::default(),
                            &mut SteerContext { space, obstacles, ..SteerContext::empty(1.0) },
                            DebugDraw::OFF,
                        )
                    };
                    let found = force(Obstacles::indexed(&obstacles, &tree));
                    let mut search = Search::<_, false>::new(&space, &host, &parameters);
                    for (index, obstacle) in obstacles.iter().enumerate() {
                        let p = space.image(obstacle.middle(), position);
                        let distance = obstacle.distance(p) - search.growth;
                        if search.worst.as_ref().is_none_or(|worst| distance < worst.distance)
                            && let Some(contact) = contact(
                                obstacle,
                                p,
                                p + search.reach,
                                search.growth,
                                distance,
                                Some(search.probe),
                            )
                        {
                            search.worst = Some(Threat { distance, index, contact });
                        }
                    }
                    let expected = search.push(&host, &parameters);
                    assert_eq!(
                        (found, force((&obstacles).into())),
                        (expected, expected),
                        "{host:?} {parameters:?} {edge:?} {count}"
                    );
                    if edge != Edge::Wrap {
                        assert_eq!(avoid_obstacles(&host, &obstacles, &parameters), expected);
                    }
                    pushed += usize::from(expected != V::ZERO);
                }
            }
        }
        pushed
    }
    assert!(test::<Vec2>() > 1_000 && test::<Vec3>() > 300);
}

#[test]
fn the_walls_of_the_bounds_count_as_obstacles_if_they_are_asked_for() {
    let force = |edge, bounds, position: Vec2, velocity: Vec2| {
        let max = vec2(100.0, 100.0);
        let space = Space::new(Some(Bounds { min: Vec2::ZERO, max, edge }));
        let host = Agent { radius: 1.5, ..Agent::new(position, 10.0).moving(velocity) };
        AvoidObstacles { bounds, ..BODY }.force(
            &host,
            &mut Memory::default(),
            &mut SteerContext { space, ..SteerContext::empty(1.0) },
            DebugDraw::OFF,
        )
    };
    // The probe ends at (96, 66) or (99, 66): the wall at 100 - 1.5 counts.
    let velocity = vec2(6.0, 8.0);
    let half = 10.0 * core::f32::consts::FRAC_1_SQRT_2;
    for edge in [Edge::Wall, Edge::Bounce] {
        assert_eq!(force(edge, true, vec2(84.0, 50.0), velocity), Vec2::ZERO);
        assert_near(force(edge, true, vec2(87.0, 50.0), velocity), vec2(-half, half));
        // In the corner the nearest wall counts; a body in a wall is pushed out of it.
        assert_near(force(edge, true, vec2(97.0, 90.0), velocity), vec2(-half, half));
        assert_near(force(edge, true, vec2(50.0, 99.0), velocity), vec2(0.0, -10.0));
        assert_eq!(force(edge, false, vec2(87.0, 50.0), velocity), Vec2::ZERO);
    }
    for edge in [Edge::Open, Edge::Wrap] {
        assert_eq!(force(edge, true, vec2(87.0, 50.0), velocity), Vec2::ZERO);
    }
    // An obstacle that is nearer than the wall counts before it.
    let space =
        Space::new(Some(Bounds { min: Vec3::ZERO, max: Vec3::splat(100.0), edge: Edge::Wall }));
    let host = Agent::new(vec3(50.0, 50.0, 88.0), 10.0).moving(vec3(0.0, 6.0, 8.0));
    let push = |obstacles: &[Obstacle<Vec3>]| {
        AvoidObstacles { bounds: true, ..POINTS }.force(
            &host,
            &mut Memory::default(),
            &mut SteerContext { space, obstacles: obstacles.into(), ..SteerContext::empty(1.0) },
            DebugDraw::OFF,
        )
    };
    assert_near(push(&[]), vec3(0.0, half, -half));
    let ball = |distance: f32| [Obstacle::from(circle(vec3(50.0, 50.0 + distance, 104.0), 9.0))];
    assert_near(push(&ball(14.0)), vec3(0.0, half, -half));
    assert_ne!(push(&ball(6.0)), vec3(0.0, half, -half));
}
