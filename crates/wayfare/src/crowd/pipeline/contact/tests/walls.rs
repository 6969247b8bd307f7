//! Walls hold bodies, and bodies come out of them.

use super::{SOLID, among_walls, at, position};
use crate::behavior::Seek;
use crate::crowd::{Distribution, Group, Setup, Source, Spawn, StartVelocity};
use crate::geometry::obstacle::{Obstacle, Shape};
use crate::solve::Pedestrian;
use crate::spatial::space::{Bounds, Edge};
use crate::vector::Vector;
use crate::{Crowd, List};
use glam::{Vec2, Vec3, vec2, vec3};

#[test]
fn bounds_with_a_wall_hold_bodies_and_not_only_centers() {
    let mut group = at(&[vec2(3.0, 5.0), vec2(8.0, 5.0)]);
    group.steer = List::default().with(Seek::new(vec2(-9.0, 5.0)));
    let bounds = Some(Bounds { min: vec2(0.0, 0.0), max: vec2(9.0, 9.0), edge: Edge::Wall });
    let mut crowd =
        Crowd::new(Setup { bodies: SOLID, bounds, groups: vec![group], ..Setup::default() })
            .unwrap();
    (0..10).for_each(|_| crowd.step());
    assert_eq!(position(&crowd, 0).x, 1.0);
    assert!(position(&crowd, 1).x >= 2.9);
}

/// Checks that no center enters an obstacle.
fn assert_walls_hold<V: Vector>(mut crowd: Crowd<V>) {
    let walls: Vec<Obstacle<V>> = crowd.obstacles().to_vec();
    let space = crowd.world.space;
    let inside = |crowd: &Crowd<V>, id: u32| {
        let p = position(crowd, id);
        walls.iter().any(|wall| wall.distance(space.image(wall.middle(), p)) < 0.0)
    };
    // The first ticks put out those that begin inside an obstacle.
    (0..3).for_each(|_| crowd.step());
    for _ in 0..60 {
        let before: Vec<bool> = (0..80).map(|id| inside(&crowd, id)).collect();
        crowd.step();
        for (id, before) in (0..).zip(before) {
            assert!(before || !inside(&crowd, id), "{id} at {:?}", position(&crowd, id));
        }
    }
}

#[test]
fn no_body_leaves_a_closed_room_however_thin_its_walls_and_however_fast() {
    let corners = [vec2(10.0, 10.0), vec2(50.0, 12.0), vec2(48.0, 45.0), vec2(11.0, 50.0)];
    let walls = (0..4).map(|i| Shape::Segment {
        from: corners[i],
        to: corners[(i + 1) % 4],
        thickness: 0.0,
    });
    let room = Obstacle::from(Shape::Polygon { points: corners.to_vec() });
    let mut crowd = among_walls(7, Edge::Open, walls.collect());
    let inside = |crowd: &Crowd<Vec2>| -> Vec<bool> {
        (0..80).map(|id| room.contains(position(crowd, id))).collect()
    };
    let before = inside(&crowd);
    assert!(before.contains(&true) && before.contains(&false));
    for _ in 0..100 {
        crowd.step();
        assert_eq!(inside(&crowd), before);
    }
}

#[test]
fn walls_always_hold() {
    let plane = || {
        vec![
            Shape::Circle { center: vec2(15.0, 15.0), radius: 6.0 },
            Shape::Box { center: vec2(40.0, 18.0), half: vec2(8.0, 2.0), angle: 0.5 },
            Shape::Segment { from: vec2(5.0, 40.0), to: vec2(55.0, 35.0), thickness: 0.0 },
            Shape::Segment { from: vec2(30.0, 36.0), to: vec2(30.0, 57.0), thickness: 0.1 },
            // A slot that is narrower than the bodies.
            Shape::Segment { from: vec2(31.0, 30.0), to: vec2(45.0, 30.0), thickness: 0.2 },
            Shape::Segment { from: vec2(31.0, 29.0), to: vec2(45.0, 29.0), thickness: 0.2 },
            Shape::Polygon {
                points: vec![
                    vec2(45.0, 45.0),
                    vec2(55.0, 50.0),
                    vec2(45.0, 55.0),
                    vec2(48.0, 50.0),
                ],
            },
        ]
    };
    for (seed, edge) in [(1, Edge::Open), (2, Edge::Wall), (3, Edge::Wrap), (4, Edge::Bounce)] {
        assert_walls_hold(among_walls(seed, edge, plane()));
    }
    let space = || {
        vec![
            Shape::Circle { center: vec3(15.0, 15.0, 20.0), radius: 9.0 },
            Shape::Box { center: vec3(40.0, 18.0, 30.0), half: vec3(8.0, 2.0, 20.0), angle: 0.5 },
            Shape::Segment { from: Vec3::splat(30.0), to: Vec3::splat(50.0), thickness: 2.0 },
        ]
    };
    for (seed, edge) in [(5, Edge::Wall), (6, Edge::Wrap), (7, Edge::Bounce)] {
        assert_walls_hold(among_walls(seed, edge, space()));
    }
}

/// The world of a test: solid bodies of radius 0.25 or other, in ticks of `dt`.
fn world(dt: f64, groups: Vec<Group<Vec2>>, obstacles: Vec<Shape<Vec2>>) -> Setup<Vec2> {
    Setup { dt, bodies: SOLID, groups, obstacles, ..Setup::default() }
}

fn walker(at: Vec2, radius: f32, max_speed: f32, target: Vec2) -> Group<Vec2> {
    let mut group = Group::new("walker", 1, Spawn::Points(vec![at]), max_speed);
    group.radius = Distribution::Same(radius);
    group.max_force = Distribution::Same(20.0);
    group.steer = List::default().with(Seek::new(target));
    group
}

/// Steps a crowd and returns the longest step of agent 0 (length).
fn longest_step(crowd: &mut Crowd<Vec2>, ticks: u32) -> f32 {
    let mut longest = 0.0_f32;
    for _ in 0..ticks {
        let before = position(crowd, 0);
        crowd.step();
        longest = longest.max(position(crowd, 0).distance(before));
    }
    longest
}

#[test]
fn a_body_that_is_pushed_across_a_thin_wall_comes_out_on_the_side_it_came_from() {
    let wall = Shape::segment(vec2(-10.0, 0.0), vec2(10.0, 0.0), 0.0);
    let mut stuck = walker(vec2(0.0, 0.05), 1.0, 6.0, vec2(0.0, -10.0));
    stuck.velocity = StartVelocity::Same(vec2(0.0, -6.0));
    let mut pusher = walker(vec2(4.0, 1.5), 1.0, 3.0, vec2(0.0, 0.05));
    pusher.name = "pusher".into();
    pusher.velocity = StartVelocity::Same(vec2(-3.0, 0.0));
    let mut crowd = Crowd::new(world(0.1, vec![stuck, pusher], vec![wall])).unwrap();
    for tick in 0..50 {
        crowd.step();
        assert!(tick < 2 || position(&crowd, 0).y == 1.0, "{tick}: {}", position(&crowd, 0));
        assert!(position(&crowd, 1).distance(position(&crowd, 0)) > 1.96);
    }
}

#[test]
fn a_body_deep_in_a_wall_comes_out_by_a_quarter_of_its_radius_or_its_step_in_each_tick() {
    // Centers on the line of a wall, in a wall with thickness, in a box, in two boxes that overlap,
    // and in a slot that is narrower than the body.
    let line = Shape::segment(vec2(-10.0, 0.0), vec2(10.0, 0.0), 0.0);
    let boxes = [vec2(0.0, 0.0), vec2(5.0, 0.0)]
        .map(|corner| Shape::box_between(corner, corner + vec2(6.0, 4.0)));
    let slot = [0.0, 1.5].map(|y| Shape::segment(vec2(0.0, y), vec2(6.0, y), 0.1));
    let cases = [
        (vec2(0.0, 0.0), vec![line.clone()], 4),
        (vec2(0.0, -0.05), vec![Shape::segment(vec2(-10.0, 0.0), vec2(10.0, 0.0), 0.4)], 5),
        (vec2(2.0, 1.0), vec![boxes[0].clone()], 8),
        (vec2(5.5, 1.5), boxes.to_vec(), 10),
        (vec2(4.5, 0.75), slot.to_vec(), 10),
    ];
    for (at, obstacles, ticks) in cases {
        for max_speed in [0.1, 3.0] {
            let group = walker(at, 1.0, max_speed, vec2(3.0, -30.0));
            let mut crowd = Crowd::new(world(0.1, vec![group], obstacles.clone())).unwrap();
            let longest = longest_step(&mut crowd, ticks);
            // The ends of a slot push at once, by less than half the radius.
            let most = if obstacles.len() == 2 { 0.49 } else { f32::max(0.25, 0.1 * max_speed) };
            assert!(longest <= most + 1e-5, "{at}: {longest}");
            let walls: Vec<Obstacle<Vec2>> =
                obstacles.iter().cloned().map(Obstacle::from).collect();
            let nearest = |p: Vec2| walls.iter().map(|wall| wall.distance(p)).fold(9.0, f32::min);
            let p = position(&crowd, 0);
            assert!(nearest(p) > 0.998, "{at} in {ticks} ticks: {p}, {}", nearest(p));
        }
    }
}

#[test]
fn a_body_that_starts_outside_of_its_world_is_taken_in_at_the_edge_at_its_speed() {
    let bounds = Some(Bounds { min: Vec2::ZERO, max: vec2(10.0, 10.0), edge: Edge::Wall });
    let corners = [Vec2::ZERO, vec2(10.0, 0.0), vec2(10.0, 10.0), vec2(0.0, 10.0)];
    let ring = (0..4).map(|i| Shape::segment(corners[i], corners[(i + 1) % 4], 0.0));
    let beside = vec![Shape::box_between(vec2(10.0, -5.0), vec2(20.0, 15.0))];
    for obstacles in [beside, ring.collect(), vec![]] {
        let group = walker(vec2(12.0, 5.0), 0.5, 2.0, vec2(9.5, 5.0));
        let mut crowd = Crowd::new(Setup { bounds, ..world(0.1, vec![group], obstacles) }).unwrap();
        let longest = longest_step(&mut crowd, 13);
        assert!(longest <= 0.2 + 1e-5, "{longest}");
        assert!((position(&crowd, 0) - vec2(9.5, 5.0)).length() < 1e-3, "{}", position(&crowd, 0));
    }
}

#[test]
fn an_agent_that_a_source_sets_across_a_wall_comes_out() {
    let mut group = walker(Vec2::ZERO, 0.25, 1.2, vec2(0.0, -30.0));
    (group.count, group.spawn) = (0, Spawn::Points(Vec::new()));
    let source = Source::new(
        Shape::box_between(vec2(-8.0, -0.2), vec2(8.0, 0.2)),
        crate::GroupId(0),
        crate::crowd::Arrivals::Schedule(vec![(0.1, 12)]),
    )
    .most(40);
    let wall = Shape::segment(vec2(-10.0, 0.0), vec2(10.0, 0.0), 0.0);
    let mut crowd =
        Crowd::new(Setup { sources: vec![source], ..world(0.1, vec![group], vec![wall]) }).unwrap();
    (0..10).for_each(|_| crowd.step());
    assert_eq!(crowd.len(), 12);
    for (id, agent) in crowd.agents() {
        assert!(agent.position.y.abs() > 0.2497, "{id:?} at {}", agent.position);
    }
}

/// The largest y that a walker of radius 0.25 reaches at a door of this width at y = 10, which it
/// approaches in ticks of `dt` from `x` beside its middle (lengths).
fn beyond_a_door(width: f32, dt: f64, x: f32, pedestrian: bool) -> f32 {
    let jamb = 0.5 * width;
    let obstacles = vec![
        Shape::box_between(vec2(-7.0, 10.0), vec2(-jamb, 10.4)),
        Shape::box_between(vec2(jamb, 10.0), vec2(7.0, 10.4)),
    ];
    let mut group = walker(vec2(x, 5.0), 0.25, 1.2, vec2(0.0, 14.0));
    if pedestrian {
        group.steer = group.steer.with(Pedestrian::default());
    }
    let mut crowd = Crowd::new(world(dt, vec![group], obstacles)).unwrap();
    let mut farthest = 0.0_f32;
    for _ in 0..(20.0 / dt) as u32 {
        crowd.step();
        farthest = farthest.max(position(&crowd, 0).y);
    }
    farthest
}

#[test]
fn a_body_does_not_pass_a_door_that_is_narrower_than_it_is_and_passes_one_of_its_width() {
    for (dt, pedestrian) in [(0.02, true), (0.1, true), (0.1, false), (0.25, true), (0.5, false)] {
        for x in [0.0, 0.1] {
            for width in [0.4, 0.45, 0.49] {
                let farthest = beyond_a_door(width, dt, x, pedestrian);
                assert!(farthest < 10.0, "{width} at {dt} from {x}: {farthest}");
            }
            let farthest = beyond_a_door(0.5, dt, x, pedestrian);
            assert!(farthest > 11.0, "0.5 at {dt} from {x}: {farthest}");
        }
    }
}
