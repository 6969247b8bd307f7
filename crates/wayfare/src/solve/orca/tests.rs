//! The velocities by hand, the linear program against a reference, and what has no effect.

use glam::{Vec2, vec2};

use super::program::unit;
use super::*;
use crate::behavior::testing::assert_near;
use crate::geometry::obstacle::{Obstacle, Shape};
use crate::id::{AgentId, GroupId};
use crate::random::Random;
use crate::spatial::neighbors::Neighbor;
use crate::spatial::space::{Bounds, Edge};
use crate::vector::Up;

/// A neighbor: offset, velocity. Its radius is 0.5.
type Other = (Vec2, Vec2);

fn neighbors(others: &[Other]) -> Neighbors<Vec2> {
    let mut neighbors = Neighbors::none();
    for (id, &(offset, velocity)) in (0..).zip(others) {
        neighbors.push(Neighbor {
            radius: 0.5,
            max_speed: 1.0,
            ..Neighbor::new(AgentId(id), offset, velocity)
        });
    }
    neighbors.set_host(AgentId(1_000), Vec2::ZERO, 0, 2.0);
    neighbors
}

/// A host at the origin with a body of radius 0.5 and a top speed of 1.
fn host(velocity: Vec2) -> Agent<Vec2> {
    Agent { radius: 0.5, ..Agent::new(Vec2::ZERO, 1.0).moving(velocity) }
}

/// Both time horizons 2.
fn horizons() -> Orca {
    Orca { time_horizon: 2.0, time_horizon_obst: 2.0, ..Orca::default() }
}

/// The next velocity of `host`, which prefers the velocity `preferred`, after a tick of 0.1.
fn next(
    host: &Agent<Vec2>,
    preferred: Vec2,
    others: &[Other],
    shapes: &[Shape<Vec2>],
    parameters: &Orca,
) -> Vec2 {
    let obstacles: Vec<_> = shapes.iter().cloned().map(Obstacle::from).collect();
    let walls = (Obstacles::from(&obstacles[..]), &Space::OPEN);
    let sum = preferred - host.velocity;
    orca(host, sum, &neighbors(others), walls, parameters, 0.1).start
}

#[test]
fn without_neighbors_the_velocity_is_the_preferred_one_up_to_max_speed() {
    let host = host(vec2(0.3, 0.4));
    assert_near(next(&host, vec2(-0.5, 0.25), &[], &[], &horizons()), vec2(-0.5, 0.25));
    assert_near(next(&host, vec2(6.0, 8.0), &[], &[], &horizons()), vec2(0.6, 0.8));
}

#[test]
fn two_agents_that_meet_head_on_each_take_half_of_the_braking() {
    // The disc that cuts the cone off has its center at (1.5, 0) and the radius 0.5: a relative
    // velocity of (0.5, 0) is on its edge.
    let apart = vec2(3.0, 0.0);
    let slow =
        next(&host(vec2(0.25, 0.0)), Vec2::X, &[(apart, vec2(-0.25, 0.0))], &[], &horizons());
    // The relative velocity may grow by 0.5 to 1, and the host takes half of that.
    assert_near(slow, vec2(0.5, 0.0));
    let all = Orca { share: 1.0, ..horizons() };
    let slow = next(&host(vec2(0.25, 0.0)), Vec2::X, &[(apart, vec2(-0.25, 0.0))], &[], &all);
    assert_near(slow, vec2(0.75, 0.0));
}

#[test]
fn a_host_passes_on_the_side_of_the_cone_that_its_velocity_is_on() {
    // A neighbor at rest at (2, 0): the left tangent has the sine 1/2, so its direction is 30
    // degrees. The velocity is 0.1 below it and may stay; all of it is avoided with a share of 1.
    let all = Orca { share: 1.0, ..horizons() };
    let preferred = vec2(0.9, 0.3);
    let along = vec2(0.75_f32.sqrt(), 0.5);
    let expected = along * preferred.dot(along);
    let found = next(&host(preferred), preferred, &[(vec2(2.0, 0.0), Vec2::ZERO)], &[], &all);
    assert_near(found, expected);
    // Its mirror image.
    let flip = |v: Vec2| vec2(v.x, -v.y);
    let found =
        next(&host(flip(preferred)), flip(preferred), &[(vec2(2.0, 0.0), Vec2::ZERO)], &[], &all);
    assert_near(found, flip(expected));
}

#[test]
fn bodies_that_overlap_part_within_a_tick_each_by_half() {
    // They overlap by 0.1: a relative velocity of 1 parts them in the tick of 0.1.
    let found = next(&host(Vec2::ZERO), Vec2::X, &[(vec2(0.9, 0.0), Vec2::ZERO)], &[], &horizons());
    assert_near(found, vec2(-0.5, 0.0));
    let same_place = [(Vec2::ZERO, Vec2::ZERO)];
    let found = next(&host(Vec2::ZERO), Vec2::ZERO, &same_place, &[], &horizons());
    assert!((found.length() - 1.0).abs() < 1e-6, "{found}");
}

#[test]
fn without_a_velocity_in_all_half_planes_the_violations_are_equal() {
    // Two neighbors come from both sides at 0.9. The velocity zero is in the middle of both cones,
    // and is moved to their right tangents, whose normals are opposite: the sine is 2/3.
    let come = |x: f32| (vec2(1.5 * x, 0.0), vec2(-0.9 * x, 0.0));
    let squeezed = next(&host(Vec2::ZERO), Vec2::X, &[come(1.0), come(-1.0)], &[], &horizons());
    let normal = vec2(2.0 / 3.0, (1.0_f32 - 4.0 / 9.0).sqrt());
    assert!(squeezed.dot(normal).abs() < 1e-6, "{squeezed}");
}

#[test]
fn only_the_nearest_neighbors_count_and_ties_go_to_the_lower_id() {
    let one = Orca { max_neighbors: 1.0, ..horizons() };
    let ahead = (vec2(1.2, 0.0), Vec2::ZERO);
    let beside = (vec2(0.0, 1.2), Vec2::ZERO);
    let stopped = next(&host(Vec2::ZERO), Vec2::X, &[ahead, beside], &[], &one);
    let free = next(&host(Vec2::ZERO), Vec2::X, &[beside, ahead], &[], &one);
    assert!(stopped.x < 0.2 && free.x > 0.9, "{stopped} {free}");
    let none = Orca { max_neighbors: 0.0, ..horizons() };
    assert_near(next(&host(Vec2::ZERO), Vec2::X, &[ahead], &[], &none), Vec2::X);
}

#[test]
fn a_wall_ahead_is_approached_at_the_distance_divided_by_the_horizon() {
    // The face at x = 1.5 is 1 from the body: half of it per unit of time.
    let wall = Shape::box_between(vec2(1.5, -9.0), vec2(3.0, 9.0));
    let line = Shape::Segment { from: vec2(1.5, 9.0), to: vec2(1.5, -9.0), thickness: 0.0 };
    let thick = Shape::Segment { from: vec2(2.0, -9.0), to: vec2(2.0, 9.0), thickness: 1.0 };
    let disc = Shape::Circle { center: vec2(3.5, 0.0), radius: 2.0 };
    let polygon = Shape::Polygon {
        points: vec![vec2(3.0, -9.0), vec2(1.5, -9.0), vec2(1.5, 9.0), vec2(3.0, 9.0)],
    };
    for shape in [wall, line, thick, disc, polygon] {
        let found =
            next(&host(Vec2::ZERO), Vec2::X, &[], core::slice::from_ref(&shape), &horizons());
        assert_near(found, vec2(0.5, 0.0));
        // A body that touches it may move along it or away.
        let near = Agent { position: vec2(1.1, 0.0), ..host(Vec2::ZERO) };
        let found = next(&near, vec2(0.6, 0.3), &[], core::slice::from_ref(&shape), &horizons());
        assert_near(found, vec2(0.0, 0.3));
        let found = next(&near, vec2(-0.6, 0.3), &[], &[shape], &horizons());
        assert_near(found, vec2(-0.6, 0.3));
    }
}

#[test]
fn walls_of_the_bounds_hold_as_obstacles_do() {
    let bounds = Bounds { min: vec2(-5.0, -5.0), max: vec2(1.5, 5.0), edge: Edge::Wall };
    let space = Space::new(Some(bounds));
    let found = orca(
        &host(Vec2::ZERO),
        Vec2::X,
        &neighbors(&[]),
        (Obstacles::NONE, &space),
        &horizons(),
        0.1,
    );
    assert_near(found.start, vec2(0.5, 0.0));
}

#[test]
fn the_end_of_a_wall_is_passed_along_its_tangent() {
    // The wall ends at (2, 0); a body of radius 0.5 passes at the sine 1/4.
    let wall = Shape::Segment { from: vec2(2.0, 0.0), to: vec2(2.0, -9.0), thickness: 0.0 };
    let preferred = vec2(0.9, 0.1);
    let along = vec2((1.0_f32 - 1.0 / 16.0).sqrt(), 0.25);
    let far = Orca { time_horizon_obst: 4.0, ..Orca::default() };
    let found = next(&host(preferred), preferred, &[], &[wall], &far);
    assert_near(found, along * preferred.dot(along));
}

#[test]
fn neighbors_push_no_host_into_a_wall() {
    let wall = Shape::box_between(vec2(0.5, -9.0), vec2(3.0, 9.0));
    let others: Vec<Other> =
        (0..5).map(|i| (vec2(-0.7, -0.6 + 0.3 * i as f32), vec2(1.0, 0.0))).collect();
    let found = next(&host(Vec2::ZERO), Vec2::ZERO, &others, &[wall], &horizons());
    assert!(found.x <= 1e-6, "{found}");
}

/// Random half planes of a program: some bound a common velocity, which is returned.
fn random_planes(random: &mut Random, count: usize) -> (HalfPlanes, DVec2) {
    let mut number = |low: f64, high: f64| low + (high - low) * f64::from(random.unit());
    let common = DVec2::new(number(-0.7, 0.7), number(-0.7, 0.7));
    let planes = (0..count).map(|_| {
        let normal = unit(DVec2::new(number(-1.0, 1.0), number(-1.0, 1.0))).unwrap_or(DVec2::X);
        let side = normal.perp() * number(-2.0, 2.0);
        HalfPlane::beyond(common - normal * number(0.0, 0.6) + side, normal)
    });
    (planes.collect(), common)
}

/// The nearest of all velocities that can be the nearest one: the preferred one, those nearest to
/// it on each line and on the circle of the top speed, and the crossings of all of these.
fn reference(planes: &[HalfPlane], preferred: DVec2) -> f64 {
    let mut candidates = vec![preferred];
    candidates.extend(unit(preferred));
    for (k, a) in planes.iter().enumerate() {
        candidates.push(a.point + a.direction * a.direction.dot(preferred - a.point));
        let middle = -a.point.dot(a.direction);
        let half = (middle * middle + 1.0 - a.point.length_squared()).max(0.0).sqrt();
        candidates.extend([-half, half].map(|t| a.point + a.direction * (middle + t)));
        for b in &planes[..k] {
            let sine = a.direction.perp_dot(b.direction);
            let along = b.direction.perp_dot(a.point - b.point) / sine;
            if along.is_finite() {
                candidates.push(a.point + a.direction * along);
            }
        }
    }
    let allowed =
        |v: &DVec2| v.length() <= 1.0 + 1e-9 && planes.iter().all(|plane| plane.excess(*v) <= 1e-9);
    candidates
        .into_iter()
        .filter(allowed)
        .map(|v| (v - preferred).length())
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn of_a_thousand_feasible_programs_each_velocity_is_allowed_and_as_near_as_a_reference() {
    let mut random = Random::new(7, 0, 0, 0);
    for count in (0..1_000).map(|k| k % 24) {
        let (planes, _) = random_planes(&mut random, count);
        let [x, y] = [0, 1].map(|_| 3.0 * f64::from(random.unit()) - 1.5);
        let preferred = DVec2::new(x, y);
        let program = Program { planes: &planes, hard: 0, top: 1.0 };
        let found = program.nearest_velocity(preferred);
        assert!(found.length() <= 1.0 + 1e-9);
        assert!(planes.iter().all(|plane| plane.excess(found) <= 1e-9), "{found} {planes:?}");
        let distance = reference(&planes, preferred);
        assert!(((found - preferred).length() - distance).abs() <= 1e-7, "{found} {planes:?}");
    }
}

/// The half plane of a neighbor with the relative offset `x` and the relative velocity `v` of the
/// host, both radii `r` together, as in section 4 of van den Berg et al., 2011: the change of the
/// relative velocity to the nearest boundary of the truncated cone, of which the host takes half.
fn published(velocity: DVec2, x: DVec2, v: DVec2, r: f64, time: f64) -> HalfPlane {
    // The nearest points of the disc that ends the cone, and of its legs beyond the tangent points.
    let disc = x / time;
    let from_disc = disc + (v - disc).normalize() * (r / time);
    let leg = (x.length_squared() - r * r).sqrt();
    let legs = [1.0, -1.0].map(|side| {
        let direction = (x * leg + x.perp() * (side * r)) / x.length_squared();
        let along = direction.dot(v).max(leg / time);
        (direction * along, direction.perp() * side)
    });
    // The disc bounds the cone on the host's side of both tangent points.
    let is_front = (from_disc - disc).dot(x) <= -r * r / time;
    let front = (from_disc, (from_disc - disc).normalize());
    let points = legs.into_iter().chain(is_front.then_some(front));
    let nearest = points.min_by(|a, b| (a.0 - v).length().total_cmp(&(b.0 - v).length()));
    let (point, normal) = nearest.unwrap();
    HalfPlane::beyond(velocity + (point - v) * 0.5, normal)
}

#[test]
fn in_a_thousand_feasible_situations_the_velocity_is_that_of_the_published_formulas() {
    let mut random = Random::new(9, 0, 0, 0);
    let (mut feasible, mut bounded) = (0, 0);
    while feasible < 1_000 {
        let mut within = |most: f32| {
            Vec2::from_angle(random.between(0.0, core::f32::consts::TAU))
                * random.between(0.0, most)
        };
        let (velocity, preferred) = (within(1.0), within(1.5));
        let others: Vec<Other> = (0..8)
            .map(|_| (within(4.0), within(1.0)))
            .filter(|(offset, _)| offset.length() > 1.01)
            .collect();
        let planes: Vec<HalfPlane> = { others.iter() }
            .map(|&(offset, other)| {
                let (velocity, other) = (velocity.as_dvec2(), other.as_dvec2());
                published(velocity, offset.as_dvec2(), velocity - other, 1.0, 2.0)
            })
            .collect();
        let preferred = preferred.truncate(1.0);
        let distance = reference(&planes, preferred.as_dvec2());
        if distance.is_finite() {
            let found = next(&host(velocity), preferred, &others, &[], &horizons()).as_dvec2();
            let excess = planes.iter().map(|plane| plane.excess(found)).fold(0.0, f64::max);
            assert!(excess < 1e-4 && found.length() < 1.0 + 1e-4, "{found} {excess} {others:?}");
            let off = (found - preferred.as_dvec2()).length() - distance;
            assert!(off.abs() < 1e-3, "{found} {off} {others:?}");
            feasible += 1;
            bounded += usize::from(distance > 1e-3);
        }
    }
    assert!(bounded > 300, "{bounded} of 1,000 are not the preferred velocity");
}

#[test]
fn of_a_thousand_programs_without_a_velocity_each_violates_as_little_as_a_search_finds() {
    let mut random = Random::new(8, 0, 0, 0);
    let mut infeasible = 0;
    while infeasible < 1_000 {
        let (mut planes, common) = random_planes(&mut random, 6);
        // The first two hold zero, and stay hard.
        for plane in &mut planes[..2] {
            plane.point -= plane.direction.perp() * plane.excess(DVec2::ZERO).max(0.0);
        }
        let normal = unit(common).unwrap_or(DVec2::X);
        planes.push(HalfPlane::beyond(normal * 0.9, normal));
        planes.push(HalfPlane::beyond(-normal * 0.9, -normal));
        infeasible += 1;
        let violation = |v: DVec2| {
            planes[2..].iter().map(|plane| plane.excess(v)).fold(f64::NEG_INFINITY, f64::max)
        };
        let is_hard = |v: DVec2| planes[..2].iter().all(|plane| plane.excess(v) <= 1e-9);
        let program = Program { planes: &planes, hard: 2, top: 1.0 };
        let found = program.nearest_velocity(DVec2::ZERO);
        assert!(found.length() <= 1.0 + 1e-9 && is_hard(found), "{found} {planes:?}");
        for k in 0..400 {
            let v = DVec2::new(f64::from(k % 20), f64::from(k / 20)) / 10.0 - DVec2::ONE;
            if v.length() <= 1.0 && is_hard(v) {
                assert!(violation(found) <= violation(v) + 1e-9, "{found} {v} {planes:?}");
            }
        }
    }
}

/// Walks these agents to their goals, and checks after each tick of 0.25 that no two overlap by
/// more than a hundredth of a radius that have read each other and both have a velocity in all of
/// their half planes. Returns the numbers of such pairs at less than three radii, and of programs
/// without such a velocity.
fn assert_feasible_pairs_keep_apart(
    mut agents: Vec<Agent<Vec2>>,
    goals: &[Vec2],
    shapes: &[Shape<Vec2>],
    parameters: &Orca,
    ticks: u32,
) -> (usize, usize) {
    let obstacles: Vec<_> = shapes.iter().cloned().map(Obstacle::from).collect();
    let walls = (Obstacles::from(&obstacles[..]), &Space::OPEN);
    let (dt, count) = (0.25, parameters.max_neighbors as usize);
    let (mut close, mut infeasible) = (0, 0);
    for tick in 0..ticks {
        let mut next = Vec::new();
        for (id, host) in (0..).zip(&agents) {
            let mut neighbors = Neighbors::none();
            let others = (0..).zip(&agents).filter(|(other, _)| *other != id);
            for (other, agent) in others {
                let offset = agent.position - host.position;
                if offset.length() <= parameters.neighbor_dist {
                    let (id, group, velocity) = (AgentId(other), GroupId(0), agent.velocity);
                    let (radius, max_speed) = (agent.radius, agent.max_speed);
                    let distance_squared = 0.0;
                    neighbors.push(Neighbor {
                        id,
                        group,
                        offset,
                        distance_squared,
                        velocity,
                        radius,
                        max_speed,
                    });
                }
            }
            neighbors.set_host(AgentId(id), Vec2::ZERO, 0, host.max_speed);
            let wanted = (goals[id as usize] - host.position).truncate(host.max_speed);
            let sum = wanted - host.velocity;
            let velocity = orca(host, sum, &neighbors, walls, parameters, dt).start;
            let mut planes = HalfPlanes::new();
            let horizon = f64::from(parameters.time_horizon_obst);
            obstacle::add_planes(host, walls.0, walls.1, horizon, &mut planes);
            neighbor::add_planes(host, &neighbors, Up::Z, parameters, dt, &mut planes);
            let feasible = planes.iter().all(|plane| plane.excess(velocity.as_dvec2()) < 1e-4);
            infeasible += usize::from(!feasible);
            let read: Vec<u32> =
                neighbors.nearest(parameters.neighbor_dist, count).map(|n| n.id.0).collect();
            next.push((velocity, feasible, read));
        }
        for (agent, (velocity, ..)) in agents.iter_mut().zip(&next) {
            agent.velocity = *velocity;
            agent.position += *velocity * dt;
        }
        for i in 0..agents.len() {
            for &j in next[i].2.iter().filter(|&&j| j as usize > i) {
                let (one, other) = (&agents[i], &agents[j as usize]);
                let mutual = next[j as usize].2.contains(&(i as u32));
                if mutual && next[i].1 && next[j as usize].1 {
                    let distance = (one.position - other.position).length();
                    let depth = one.radius + other.radius - distance;
                    assert!(depth < 0.01 * one.radius, "tick {tick}, {i} and {j}: {depth}");
                    close += usize::from(distance < 3.0 * one.radius);
                }
            }
        }
    }
    (close, infeasible)
}

#[test]
fn in_the_circle_of_rvo2_no_two_overlap_whose_programs_have_a_solution() {
    let point = |i: usize| Vec2::from_angle(core::f32::consts::TAU * i as f32 / 250.0) * 200.0;
    let walker = |i| Agent { radius: 1.5, ..Agent::new(point(i), 2.0) };
    let goals: Vec<Vec2> = (0..250).map(|i| -point(i)).collect();
    let parameters =
        Orca { neighbor_dist: 15.0, max_neighbors: 10.0, time_horizon: 10.0, ..Orca::default() };
    let agents = (0..250).map(walker).collect();
    let (close, infeasible) =
        assert_feasible_pairs_keep_apart(agents, &goals, &[], &parameters, 600);
    assert!(close > 10_000 && infeasible > 100, "{close} {infeasible}");
}

#[test]
fn between_the_blocks_of_rvo2_no_two_overlap_whose_programs_have_a_solution() {
    let signs = [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)];
    let blocks = signs.map(|(x, y)| {
        let (near, far) = (vec2(10.0 * x, 10.0 * y), vec2(40.0 * x, 40.0 * y));
        Shape::box_between(near.min(far), near.max(far))
    });
    let start = |i: usize| {
        let (x, y) = signs[i % 4];
        vec2(x * (55.0 + 10.0 * (i / 4 % 5) as f32), y * (55.0 + 10.0 * (i / 20) as f32))
    };
    let agents = (0..100).map(|i| Agent { radius: 2.0, ..Agent::new(start(i), 2.0) }).collect();
    let goal = |i: usize| vec2(-75.0 * signs[i % 4].0, -75.0 * signs[i % 4].1);
    let goals: Vec<Vec2> = (0..100).map(goal).collect();
    let parameters = Orca {
        neighbor_dist: 15.0,
        max_neighbors: 10.0,
        time_horizon: 5.0,
        time_horizon_obst: 5.0,
        ..Orca::default()
    };
    let (close, infeasible) =
        assert_feasible_pairs_keep_apart(agents, &goals, &blocks, &parameters, 800);
    assert!(close > 1_000 && infeasible > 100, "{close} {infeasible}");
}
