use crate::behavior::{Seek, Wander};
use crate::crowd::{Bodies, Distribution, Ghost, Group, Setup, Spawn, StartVelocity};
use crate::geometry::obstacle::Shape;
use crate::random::Random;
use crate::solve::Pedestrian;
use crate::spatial::space::{Bounds, Edge};
use crate::vector::Vector;
use crate::{Agent, AgentId, Crowd, GroupId, List};
use glam::{Vec2, Vec3, vec2, vec3};

mod press;
mod search;
mod walls;

const SOLID: Bodies = Bodies { solid: true, iterations: 6, relaxation: 1.5 };

/// Bodies of radius 1 at these points, at rest.
fn at<V: Vector>(points: &[V]) -> Group<V> {
    let mut group = Group::new("bodies", 0, Spawn::Points(points.to_vec()), 1e3);
    group.radius = Distribution::Same(1.0);
    group
}

fn crowd<V: Vector>(groups: Vec<Group<V>>) -> Crowd<V> {
    Crowd::new(Setup { bodies: SOLID, groups, ..Setup::default() }).unwrap()
}

fn position<V: Vector>(crowd: &Crowd<V>, id: u32) -> V {
    crowd.get(id).unwrap().agent.position
}

fn velocity<V: Vector>(crowd: &Crowd<V>, id: u32) -> V {
    crowd.get(id).unwrap().agent.velocity
}

#[test]
fn overlapping_bodies_move_apart_by_equal_parts() {
    let mut pair = crowd(vec![at(&[vec2(0.0, 0.0), vec2(1.0, 0.0)])]);
    pair.step();
    assert_eq!(position(&pair, 0), -position(&pair, 1) + Vec2::X);
    assert!(position(&pair, 1).x - position(&pair, 0).x >= 1.98);
    assert!(pair.deepest_overlap().unwrap() <= 0.02);
    let mut pair = crowd(vec![at(&[vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, 0.0)])]);
    pair.step();
    assert!(position(&pair, 0).z - position(&pair, 1).z >= 1.98);
}

#[test]
fn bodies_at_one_place_separate_in_opposite_directions() {
    let mut pair = crowd(vec![at(&[vec2(5.0, 5.0), vec2(5.0, 5.0)])]);
    (0..3).for_each(|_| pair.step());
    assert!((position(&pair, 0) - position(&pair, 1)).length() >= 1.98);
    assert_eq!(position(&pair, 0) + position(&pair, 1), vec2(10.0, 10.0));
}

#[test]
fn the_heavier_body_moves_less_and_a_frozen_one_not_at_all() {
    let mut heavy = at(&[vec2(1.75, 0.0)]);
    heavy.inertia = 3.0;
    let mut pair = crowd(vec![at(&[vec2(0.0, 0.0)]), Group { name: "heavy".into(), ..heavy }]);
    let mut frozen = pair.clone();
    pair.step();
    let (light, heavy) = (-position(&pair, 0).x, position(&pair, 1).x - 1.75);
    assert!((light / heavy - 3.0).abs() < 1e-3, "{light} {heavy}");
    frozen.set_frozen(1, true).unwrap();
    frozen.step();
    assert_eq!(position(&frozen, 1), vec2(1.75, 0.0));
    assert!(position(&frozen, 0).x <= -0.23);
}

#[test]
fn a_group_that_opts_out_neither_pushes_nor_is_pushed_and_walls_hold_it() {
    let mut ghosts = at(&[vec2(0.5, 0.0)]);
    (ghosts.name, ghosts.solid) = ("ghosts".into(), false);
    let groups = vec![at(&[vec2(0.0, 0.0)]), ghosts];
    let obstacles = vec![Shape::Circle { center: vec2(0.5, 1.5), radius: 1.0 }];
    let mut crowd =
        Crowd::new(Setup { bodies: SOLID, groups, obstacles, ..Setup::default() }).unwrap();
    crowd.step();
    assert!((position(&crowd, 1) - vec2(0.5, -0.5)).length() < 1e-5);
    assert!((position(&crowd, 0) - vec2(0.5, 1.5)).length() >= 2.0 - 1e-5);
}

#[test]
fn a_body_that_touches_nothing_moves_as_without_solid_bodies() {
    let mut group = at(&(0..100).map(|i| vec2(100.0 * i as f32, 0.0)).collect::<Vec<_>>());
    group.velocity = StartVelocity::Same(vec2(0.3, 20.1));
    group.steer = List::default()
        .with(Wander::default().circle_distance(1.0).circle_radius(0.5).angle_change(0.0));
    let groups = vec![group];
    let mut open = Crowd::new(Setup { groups: groups.clone(), ..Setup::default() }).unwrap();
    let mut solid = crowd(groups);
    for _ in 0..5 {
        open.step();
        solid.step();
        assert_eq!(open.digest(), solid.digest());
    }
}

#[test]
fn a_free_body_lands_at_the_end_of_its_step_whatever_small_and_large_ones_collide() {
    let body = |name: &str, x: f32, radius: f32, vx: f32| {
        let mut group = at(&[vec2(x, 0.0)]);
        (group.name, group.radius) = (name.to_string(), Distribution::Same(radius));
        group.velocity = StartVelocity::Same(vec2(vx, 0.0));
        group
    };
    // Substeps of half the smallest radius, shorter than a quarter of the skin.
    let groups = vec![
        body("free", 90.0, 1.0, 3.0),
        body("large", 0.0, 9.0, 3.0),
        body("wall", 17.5, 9.0, -3.0),
    ];
    let mut crowd = crowd(groups);
    for tick in 1..=5 {
        crowd.step();
        assert_eq!(position(&crowd, 0), vec2(90.0 + 3.0 * tick as f32, 0.0));
    }
}

#[test]
fn a_ghost_pushes_bodies_and_is_not_pushed() {
    let mut opted_out = at(&[vec2(0.0, 50.0)]);
    (opted_out.name, opted_out.solid) = ("others".to_string(), false);
    let mut crowd = crowd(vec![at(&[vec2(0.0, 0.0)]), opted_out]);
    let ghost = |id, group, y, vy| Ghost {
        id: AgentId(id),
        group: GroupId(group),
        agent: Agent { radius: 1.0, ..Agent::new(vec2(0.1, y), 1e3).moving(vec2(0.0, vy)) },
    };
    // One that opted out.
    crowd.set_ghosts(&[ghost(900, 1, 0.5, 0.0)]).unwrap();
    crowd.step();
    assert_eq!(position(&crowd, 0), vec2(0.0, 0.0));
    // One that moves through the body within a tick, and shoves it along.
    crowd.set_ghosts(&[ghost(900, 0, -9.0, 20.0)]).unwrap();
    crowd.step();
    assert!(position(&crowd, 0).y > 3.0, "{}", position(&crowd, 0));
    // One that stands on it.
    let at = position(&crowd, 0).y;
    crowd.set_ghosts(&[ghost(900, 0, at, 0.0)]).unwrap();
    crowd.step();
    assert!(position(&crowd, 0).distance(vec2(0.1, at)) >= 1.98);
    assert_eq!(position(&crowd, 1), vec2(0.0, 50.0));
    assert_eq!(crowd.ghosts().next().unwrap().agent.position, vec2(0.1, at));
}

#[test]
fn the_velocity_into_what_is_touched_is_taken_away_and_the_other_part_stays() {
    let mut group = at(&[vec2(0.0, 0.0)]);
    group.velocity = StartVelocity::Same(vec2(0.75, 0.5));
    let obstacles = vec![Shape::box_between(vec2(1.25, -50.0), vec2(2.0, 50.0))];
    let groups = vec![group];
    let mut wall =
        Crowd::new(Setup { bodies: SOLID, groups, obstacles, ..Setup::default() }).unwrap();
    (0..3).for_each(|_| wall.step());
    assert_eq!(velocity(&wall, 0), vec2(0.0, 0.5));
    assert_eq!(position(&wall, 0), vec2(0.25, 1.5));
}

#[test]
fn fast_bodies_do_not_pass_through_one_another() {
    let lane = |name: &str, x: f32, speed: f32| {
        let mut group = at(&[vec2(x, 0.0)]);
        group.name = name.to_string();
        group.velocity = StartVelocity::Same(vec2(speed, 0.0));
        group
    };
    for speed in [0.4, 3.0, 29.0, 900.0] {
        let mut crowd = crowd(vec![lane("left", -10.0, speed), lane("right", 10.0, -speed)]);
        for _ in 0..60 {
            crowd.step();
            let (left, right) = (position(&crowd, 0).x, position(&crowd, 1).x);
            assert!(right - left > 1.9, "at {speed}: {left} {right}");
        }
    }
}

/// Seekers of a moving point among obstacles, fast and slow ones, in a world with these bounds.
fn among_walls<V: Vector>(seed: u64, edge: Edge, obstacles: Vec<Shape<V>>) -> Crowd<V> {
    let corner = |x: f32| V::from_fn(|_| x);
    let (low, high) = (corner(0.0), corner(60.0));
    let group = |name: &str, speed: f32, target: V| {
        let mut group = Group::new(name, 40, Spawn::Inside(Shape::box_between(low, high)), speed);
        group.radius = Distribution::Uniform(0.5, 1.5);
        group.velocity = StartVelocity::Random;
        group.steer = List::default()
            .with(Seek::new(target))
            .with(Wander::default().circle_distance(1.0).circle_radius(2.0).angle_change(1.0));
        group
    };
    let groups = vec![
        group("slow", 0.7, corner(31.0)),
        group("fast", 40.0, V::from_fn(|i| 70.0 * i as f32)),
    ];
    let bounds = Some(Bounds { min: low, max: high, edge });
    Crowd::new(Setup { seed, bodies: SOLID, bounds, obstacles, groups, ..Setup::default() })
        .unwrap()
}

/// The positions after five ticks of `count` bodies that begin close together, beside a disc; all
/// points are moved by `change`.
fn beside_a_disc<V: Vector>(count: usize, seed: u64, change: impl Fn(V) -> V) -> Vec<V> {
    let mut random = Random::new(seed, 0, 0, 0);
    // Multiples of 2^-8: they are moved without rounding.
    let mut point = || V::from_fn(|_| (random.bits() % 4_609) as f32 / 256.0 - 9.0);
    let points: Vec<V> = (0..count).map(|_| change(point())).collect();
    let center = change(V::from_fn(|axis| if axis == 0 { 4.0 } else { 0.0 }));
    let mut crowd = Crowd::new(Setup {
        bodies: SOLID,
        groups: vec![at(&points)],
        obstacles: vec![Shape::Circle { center, radius: 2.0 }],
        ..Setup::default()
    })
    .unwrap();
    (0..5).for_each(|_| crowd.step());
    (0..count as u32).map(|id| position(&crowd, id)).collect()
}

#[test]
fn a_mirrored_or_turned_world_has_the_mirrored_or_turned_result() {
    let flips = [vec2(-1.0, 1.0), vec2(1.0, -1.0)].map(|sign| move |p: Vec2| p * sign);
    let turn = |p: Vec2| vec2(-p.y, p.x);
    for seed in 0..4 {
        let expected = beside_a_disc(200, seed, |p: Vec2| p);
        for flip in flips {
            assert!(
                beside_a_disc(200, seed, flip).into_iter().eq(expected.iter().copied().map(flip))
            );
        }
        assert!(beside_a_disc(200, seed, turn).into_iter().eq(expected.into_iter().map(turn)));
        let expected = beside_a_disc(200, seed, |p: Vec3| p);
        for sign in [vec3(-1.0, 1.0, 1.0), vec3(1.0, -1.0, 1.0), vec3(1.0, 1.0, -1.0)] {
            let flip = |p: Vec3| p * sign;
            assert!(
                beside_a_disc(200, seed, flip).into_iter().eq(expected.iter().copied().map(flip))
            );
        }
    }
}

fn assert_moves_with_its_world<V: Vector>(seed: u64, by: V) {
    // Fifty press on each other, and those in the disc leave it in several ticks: the many
    // iterations of each tick let rounding grow.
    for (count, most) in [(30, 1e-4), (50, 0.02)] {
        let moved = beside_a_disc(count, seed, |p: V| p + by);
        for (p, expected) in moved.into_iter().zip(beside_a_disc(count, seed, |p: V| p)) {
            assert!((p - by - expected).length() < most, "seed {seed}: {p:?} {expected:?}");
        }
    }
}

#[test]
fn a_moved_world_has_the_moved_result() {
    for seed in 0..4 {
        assert_moves_with_its_world(seed, vec2(96.0, -160.0));
        assert_moves_with_its_world(seed, vec3(96.0, -160.0, 64.0));
    }
}

#[test]
fn no_number_of_threads_changes_the_result_at_any_density() {
    // At one point there are too many pairs for lists.
    for spacing in [0.0, 0.02, 1.3] {
        let spawn = Spawn::Grid { origin: vec2(0.0, 0.0), spacing, columns: 30, rows: 1 };
        let mut group = Group::new("bodies", 600, spawn, 2.0);
        group.radius = Distribution::Uniform(0.3, 1.0);
        group.steer = List::default().with(Seek::new(vec2(10.0, 10.0)));
        let mut one = crowd(vec![group]);
        let mut other = one.clone();
        #[cfg(feature = "parallel")]
        other.set_threads(3).unwrap();
        for _ in 0..2 {
            one.step();
            other.step_budgeted(100);
            other.step();
            assert_eq!(one.digest(), other.digest());
        }
    }
}

#[test]
fn a_contact_leaves_a_velocity_that_a_solver_has_decided() {
    let mut walkers = at(&[vec2(0.0, 0.0), vec2(0.5, 0.0)]);
    walkers.max_speed = Distribution::Same(1.3);
    walkers.steer = List::default().with(Seek::new(vec2(-50.0, 0.0))).with(Pedestrian::default());
    let groups = vec![walkers];
    let mut solid =
        Crowd::new(Setup { dt: 0.1, bodies: SOLID, groups: groups.clone(), ..Setup::default() })
            .unwrap();
    let mut open = Crowd::new(Setup { dt: 0.1, groups, ..Setup::default() }).unwrap();
    solid.step();
    open.step();
    for id in 0..2 {
        assert_eq!(velocity(&solid, id), velocity(&open, id));
        assert_ne!(position(&solid, id), position(&open, id));
    }
}
