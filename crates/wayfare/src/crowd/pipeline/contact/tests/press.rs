//! How deep bodies overlap, where they press and where walls hold them.

use super::{SOLID, at, crowd};
use crate::behavior::Seek;
use crate::crowd::{Distribution, Group, Setup, Spawn};
use crate::geometry::obstacle::Shape;
use crate::random::Random;
use crate::spatial::space::{Bounds, Edge};
use crate::vector::Vector;
use crate::{Crowd, List};
use glam::{Vec2, vec2};

#[test]
fn two_hundred_seekers_of_one_point_overlap_by_less_than_a_fifth_of_a_radius() {
    let mut group = Group::new(
        "seekers",
        200,
        Spawn::Ring { center: Vec2::ZERO, radius: 80.0, turn: 0.0 },
        2.0,
    );
    group.radius = Distribution::Same(2.0);
    group.mass = Distribution::Same(5.0);
    group.steer = List::default().with(Seek::new(Vec2::ZERO));
    let mut crowd = crowd(vec![group]);
    let mut deepest = 0.0_f32;
    for tick in 0..600 {
        crowd.step();
        if tick >= 100 {
            deepest = deepest.max(crowd.deepest_overlap().unwrap());
        }
    }
    // 0.175 was measured.
    assert!(deepest < 0.2, "{deepest}");
}

#[test]
fn however_hard_bodies_press_into_a_corner_none_overlaps_by_more_than_a_fifth_of_a_radius() {
    let deepest_with = |mass: f32| {
        let place = Spawn::Apart(Shape::Box {
            center: vec2(20.0, 10.0),
            half: vec2(19.0, 9.0),
            angle: 0.0,
        });
        let group = Group::new("pressing", 300, place, 1.5)
            .radius(0.25)
            .mass(mass)
            .steer(Seek::new(vec2(60.0, 60.0)));
        let bounds = Bounds { min: Vec2::ZERO, max: Vec2::splat(40.0), edge: Edge::Wall };
        let (groups, bounds) = (vec![group], Some(bounds));
        let setup = Setup { dt: 0.05, bodies: SOLID, groups, bounds, ..Setup::default() };
        let mut crowd = Crowd::new(setup).unwrap();
        (0..800).fold(0.0_f32, |deepest, _| {
            crowd.step();
            deepest.max(crowd.deepest_overlap().unwrap())
        })
    };
    for (mass, least) in [(1.0, 0.1), (0.05, 0.18)] {
        let deepest = deepest_with(mass);
        assert!((least..=0.2).contains(&deepest), "{deepest} with a mass of {mass}");
    }
}

/// The deepest overlap of two agents of an open world, as a part of the smaller radius, pair by
/// pair.
fn deepest<V: Vector>(crowd: &Crowd<V>) -> f32 {
    let agents: Vec<_> = crowd.agents().map(|(_, agent)| agent).collect();
    let pairs = (0..agents.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let overlap = |(i, j): (usize, usize)| {
        let (a, b) = (&agents[i], &agents[j]);
        let depth = a.radius + b.radius - (a.position - b.position).length_squared().sqrt();
        depth / a.radius.min(b.radius)
    };
    pairs.map(overlap).fold(0.0, f32::max)
}

#[test]
fn the_deepest_overlap_is_that_of_the_positions_after_the_tick() {
    let mut at_walls = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed, 0, 0, 0);
        let mut point = || vec2(random.between(-6.0, 6.0), random.between(-6.0, 6.0));
        let walls = (0..5).map(|_| Shape::Segment { from: point(), to: point(), thickness: 0.0 });
        let obstacles: Vec<_> = walls.collect();
        let points: Vec<Vec2> = (0..14).map(|_| point()).collect();
        let goal = point();
        let mut bodies = at(&points);
        bodies.radius = Distribution::Uniform(0.3, 1.0);
        bodies.max_speed = Distribution::Same(6.0);
        bodies.steer = List::default().with(Seek::new(goal));
        let mut crowd = Crowd::new(Setup {
            dt: 0.1,
            bodies: SOLID,
            groups: vec![bodies],
            obstacles,
            ..Setup::default()
        })
        .unwrap();
        for _ in 0..40 {
            crowd.step();
            let (told, found) = (crowd.deepest_overlap().unwrap(), deepest(&crowd));
            assert!((told - found).abs() < 1e-5, "seed {seed}: {told} is told, {found} found");
            at_walls += usize::from(found > 0.03);
        }
    }
    assert!(at_walls > 2, "{at_walls}");
}

#[test]
fn a_body_that_enters_on_top_of_others_is_counted_apart_in_its_first_tick() {
    // It stays where it is: both others are heavy, and as near.
    let mut posts = at(&[vec2(-1.5, 0.0), vec2(1.5, 0.0)]);
    posts.inertia = 1e9;
    let far = Group { name: "far".into(), ..at(&[vec2(0.0, 50.0)]) };
    let mut crowd = crowd(vec![posts, far]);
    let told = |crowd: &Crowd<Vec2>| {
        [crowd.deepest_overlap(), crowd.deepest_entry()].map(|part| part.unwrap() > 0.4)
    };
    crowd.step();
    assert_eq!(told(&crowd), [false, false]);
    crowd.add(1, vec2(0.0, 0.0), None).unwrap();
    let snapshot = crowd.snapshot();
    crowd.step();
    assert_eq!(told(&crowd), [false, true]);
    crowd.restore(&snapshot).unwrap();
    crowd.step();
    assert_eq!(told(&crowd), [false, true]);
    crowd.step();
    assert_eq!(told(&crowd), [true, false]);
}

#[test]
fn bodies_of_the_start_have_not_entered() {
    let mut posts = at(&[vec2(-1.5, 0.0), vec2(1.5, 0.0)]);
    posts.inertia = 1e9;
    let mut crowd = crowd(vec![posts, Group { name: "one".into(), ..at(&[Vec2::ZERO]) }]);
    crowd.step();
    assert!(crowd.deepest_overlap().unwrap() > 0.4);
    assert_eq!(crowd.deepest_entry(), Some(0.0));
}
