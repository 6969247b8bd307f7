//! Both sources by their own formulas, what they say of their models, and edge cases.

use glam::{Vec2, Vec3, vec2, vec3};

use super::*;
use crate::behavior::seek;
use crate::behavior::testing::{assert_near, bodies};
use crate::geometry::obstacle::{Obstacle, Shape};
use crate::id::AgentId;
use crate::spatial::neighbors::Neighbor;
use crate::spatial::space::{Bounds, Edge};

const OPEN: Space<Vec2> = Space::OPEN;

/// A person with a body of 0.3 m, and the mass by which a force is an acceleration.
fn person() -> Agent<Vec2> {
    Agent { radius: 0.3, ..Agent::new(vec2(7.0, 7.0), 1.3) }
}

/// The acceleration by others: offsets, velocities, radii.
fn push(host: &Agent<Vec2>, others: &[(Vec2, Vec2, f32)], parameters: &SocialForce) -> Vec2 {
    social_force(host, &bodies(others), (Obstacles::NONE, &OPEN), parameters)
}

/// The acceleration by one obstacle.
fn push_of(host: &Agent<Vec2>, shape: Shape<Vec2>, parameters: &SocialForce) -> Vec2 {
    let obstacles = [Obstacle::from(shape)];
    social_force(host, &Neighbors::none(), ((&obstacles).into(), &OPEN), parameters)
}

/// The elliptical specification II as its authors write it, without radii.
fn elliptical(host: &Agent<Vec2>, offset: Vec2, velocity: Vec2) -> Vec2 {
    let (a, b, lambda) = (0.04, 3.22, 0.06);
    let (d, y) = (-offset.as_dvec2(), (velocity - host.velocity).as_dvec2() * 0.5);
    let sum = d.length() + (d - y).length();
    let minor = 0.5 * (sum * sum - y.length_squared()).sqrt();
    let g = (d.normalize() + (d - y).normalize()) * (0.5 * sum / (2.0 * minor));
    let cosine = -d.normalize().dot(host.heading.as_dvec2());
    let weight = lambda + (1.0 - lambda) * (1.0 + cosine) / 2.0;
    (g * (a * weight * (-minor / b).exp())).as_vec2()
}

#[test]
fn bodies_that_touch_push_and_rub_as_in_2000_and_the_mass_is_the_relaxation_time() {
    let host = person().moving(vec2(1.0, 0.0));
    let default = SocialForce::default();
    // A gap of 0.08 is one range: 25 / e.
    assert_near(
        push(&host, &[(vec2(0.0, 0.58), vec2(1.0, 0.0), 0.2)], &default),
        vec2(0.0, -9.196_986),
    );
    // An overlap of 0.1: 25 e^(0.1 / 0.08) + 1500 * 0.1, and 3000 * 0.1 times the sliding speed.
    let touching = [(vec2(0.5, 0.0), vec2(0.2, 0.5), 0.3)];
    assert_near(push(&host, &touching, &default), vec2(-237.258_57, 150.0));
    let heavy = Agent { mass: 0.5, ..host };
    assert_near(push(&heavy, &touching, &default), vec2(-118.629_28, 75.0));
    // Beyond a gap of 13.9 ranges, 1.11, there is nothing.
    assert_eq!(push(&host, &[(vec2(1.62, 0.0), Vec2::ZERO, 0.2)], &default), Vec2::ZERO);
    // The same in space.
    let host = Agent { radius: 0.3, ..Agent::new(Vec3::ZERO, 1.3) };
    let others = bodies(&[(vec3(0.0, 0.0, -0.5), vec3(0.1, 0.2, 0.9), 0.3)]);
    let walls = (Obstacles::NONE, &Space::OPEN);
    let found = social_force(&host, &others, walls, &default);
    assert_near(found, vec3(30.0, 60.0, 237.258_57));
}

#[test]
fn the_sets_of_2007_are_their_authors_formulas() {
    let host = person().moving(vec2(1.3, 0.1));
    let set = SocialForce::from_preset(SocialForcePreset::Johansson2007);
    for (offset, velocity) in [
        (vec2(3.0, 0.4), vec2(-1.0, 0.2)),
        (vec2(0.5, -0.2), vec2(0.3, 0.9)),
        (vec2(-2.0, 1.0), vec2(1.5, -0.1)),
        (vec2(-0.3, -0.3), vec2(1.3, 0.1)),
        (vec2(1.0, 0.1), vec2(-1.4, 0.0)),
    ] {
        let (found, expected) =
            (push(&host, &[(offset, velocity, 0.3)], &set), elliptical(&host, offset, velocity));
        assert!((found - expected).length() < 1e-6, "{offset}: found {found}, not {expected}");
    }
    // 0.42 e^(-1.65 / 1.65), straight ahead and, times 0.12, behind.
    let host = person().moving(vec2(1.3, 0.0));
    let set = SocialForce::from_preset(SocialForcePreset::Johansson2007Circular);
    let ahead = push(&host, &[(vec2(1.65, 0.0), vec2(-1.0, 3.0), 0.3)], &set);
    assert_near(ahead, vec2(-0.154_509_36, 0.0));
    let behind = push(&host, &[(vec2(-1.65, 0.0), vec2(1.0, 3.0), 0.3)], &set);
    assert_near(behind, vec2(0.018_541_12, 0.0));
    // Own numbers win over the preset.
    let own = SocialForce { strength: Some(0.84), lambda: Some(1.0), radius: Some(1.7), ..set };
    assert_near(push(&host, &[(vec2(-1.65, 0.0), vec2(1.0, 3.0), 0.3)], &own), -2.0 * ahead);
    assert_eq!(push(&host, &[(vec2(-1.71, 0.0), Vec2::ZERO, 0.3)], &own), Vec2::ZERO);
}

#[test]
fn one_who_comes_closer_pushes_harder_than_one_who_leaves() {
    let host = person();
    let by = |velocity| {
        let set = SocialForce::from_preset(SocialForcePreset::Johansson2007);
        push(&host, &[(vec2(2.0, 0.3), velocity, 0.3)], &set).length()
    };
    assert!(by(vec2(-1.3, 0.0)) > 1.05 * by(Vec2::ZERO));
    assert!(by(Vec2::ZERO) > 1.05 * by(vec2(1.3, 0.0)));
}

#[test]
fn a_wall_pushes_by_its_distance_from_the_body_and_rubs_where_they_touch() {
    let host = person();
    let default = SocialForce::default();
    let wall = |gap: f32| Shape::box_between(vec2(0.0, 0.0), vec2(20.0, 6.7 - gap));
    // 25 e^((r - s) / 0.08).
    assert_near(push_of(&host, wall(0.08), &default), vec2(0.0, 9.196_986));
    assert_near(push_of(&host, wall(0.0), &default), vec2(0.0, 25.0));
    assert_eq!(push_of(&host, wall(1.12), &default), Vec2::ZERO);
    let set = SocialForce::from_preset(SocialForcePreset::Johansson2007);
    assert_near(push_of(&host, wall(0.1), &set), vec2(0.0, 5.0 * 0.367_879_44));
    // An overlap of 0.1, along which the host slides.
    let sliding = host.moving(vec2(-0.5, 0.7));
    assert_near(push_of(&sliding, wall(-0.1), &default), vec2(150.0, 237.258_57));
    // A wall of the bounds is a wall.
    let bounds = Bounds { min: vec2(0.0, 6.62), max: vec2(20.0, 20.0), edge: Edge::Wall };
    let bounded = (Obstacles::NONE, &Space::new(Some(bounds)));
    let found = social_force(&host, &Neighbors::none(), bounded, &default);
    assert_near(found, vec2(0.0, 9.196_986));
}

#[test]
fn the_corner_of_a_polygon_pushes_once() {
    let host = Agent { position: vec2(4.0, 4.0), ..person() };
    let square = [(3.8, 3.8), (3.8, 1.0), (1.0, 1.0), (1.0, 3.8)].map(|(x, y)| vec2(x, y));
    let polygon = |turn: usize| {
        let mut points = square.to_vec();
        points.rotate_left(turn);
        push_of(&host, Shape::Polygon { points }, &SocialForce::default())
    };
    let expected =
        push_of(&host, Shape::box_between(square[2], square[0]), &SocialForce::default());
    assert!(expected.x > 1.0);
    (0..4).for_each(|turn| assert_near(polygon(turn), expected));
}

#[test]
fn without_a_view_each_push_is_opposite_to_the_others_also_where_bodies_touch() {
    let (a, b) = (vec2(0.9, -0.4), vec2(-0.2, 1.1));
    for (offset, radius) in [(vec2(0.4, 0.3), 0.3), (vec2(0.5, 0.7), 0.3), (vec2(0.1, 0.02), 0.2)] {
        let default = SocialForce::default();
        let one = push(&person().moving(a), &[(offset, b, radius)], &default);
        let other = Agent { radius, ..person() }.moving(b);
        let opposite = push(&other, &[(-offset, a, 0.3)], &default);
        assert!((one + opposite).length() < 1e-3, "{one} and {opposite}");
        assert!(one.length() > 0.5);
    }
}

#[test]
fn two_who_meet_pass_each_other_without_touching() {
    for (preset, gap) in [
        (SocialForcePreset::Helbing2000, 0.5),
        (SocialForcePreset::Johansson2007, 0.1),
        (SocialForcePreset::Johansson2007Circular, 0.1),
    ] {
        let parameters = SocialForce::from_preset(preset);
        let start = |x, y, v| {
            let agent = Agent { mass: 0.5, radius: 0.25, ..Agent::new(vec2(x, y), 1.3) };
            agent.moving(vec2(v, 0.0))
        };
        let mut agents = [start(-6.0, 0.0, 1.3), start(6.0, 0.1, -1.3)];
        let mut nearest = f32::INFINITY;
        for _ in 0..600 {
            let forces = [0, 1].map(|i| {
                let (host, other) = (&agents[i], &agents[1 - i]);
                let others = [(other.position - host.position, other.velocity, other.radius)];
                let target = vec2(if i == 0 { 60.0 } else { -60.0 }, 0.0);
                seek(host, target) + push(host, &others, &parameters)
            });
            for (agent, force) in agents.iter_mut().zip(forces) {
                let (position, velocity) = agent.step(force, agent.velocity, 1.0, 0.02);
                *agent = Agent { position, ..agent.moving(velocity) };
            }
            nearest = nearest.min((agents[1].position - agents[0].position).length());
        }
        assert!(agents[0].position.x > 4.0 && agents[1].position.x < -4.0, "{preset:?}");
        assert!(nearest > gap, "{preset:?}: {nearest}");
    }
}

#[test]
fn where_the_step_leads_through_the_other_one_both_turn_to_their_left() {
    let set = SocialForce::from_preset(SocialForcePreset::Johansson2007);
    // Closing by 2.6 * 0.5 = 1.3 over a distance of 1.
    let met =
        push(&person().moving(vec2(1.3, 0.0)), &[(vec2(1.0, 0.0), vec2(-1.3, 0.0), 0.3)], &set);
    assert!(met.y > 0.04 && met.x.abs() < 1e-6, "{met}");
    // Overtaken: the other one, for whom the host is ahead, turns left.
    let slow = person().moving(vec2(0.3, 0.0));
    let overtaken = push(&slow, &[(vec2(-0.3, 0.0), vec2(1.3, 0.0), 0.3)], &set);
    assert!(overtaken.y < 0.0 && overtaken.x.abs() < 1e-6, "{overtaken}");
}

#[test]
fn two_at_one_position_are_pushed_apart_by_their_ids_and_points_by_finite_forces() {
    for preset in [
        SocialForcePreset::Helbing2000,
        SocialForcePreset::Johansson2007,
        SocialForcePreset::Johansson2007Circular,
    ] {
        let parameters = SocialForce { lambda: Some(1.0), ..SocialForce::from_preset(preset) };
        let strength = parameters.numbers().strength;
        let push = |host: u32, other: u32| {
            let mut neighbors = Neighbors::none();
            neighbors.push(Neighbor::new(AgentId(other), Vec2::ZERO, vec2(1.0, 0.0)));
            neighbors.set_host(AgentId(host), Vec2::ZERO, 0, 1.0);
            let point = Agent::new(Vec2::ZERO, 1.0);
            social_force(&point, &neighbors, (Obstacles::NONE, &OPEN), &parameters)
        };
        assert!((push(4, 9).length() - strength).abs() < 1e-4 * strength, "{preset:?}");
        assert_near(push(9, 4), -push(4, 9));
        // In the middle of a wall of no thickness, too.
        let point = Agent::new(Vec2::ZERO, 1.0);
        let wall = Shape::Segment { from: vec2(-1.0, 0.0), to: vec2(1.0, 0.0), thickness: 0.0 };
        assert_near(
            push_of(&point, wall, &parameters),
            vec2(0.0, parameters.numbers().wall_strength),
        );
    }
}
