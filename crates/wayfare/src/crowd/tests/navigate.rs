//! Agents with `navigate` in a crowd.

use super::*;
use crate::behavior::{Navigate, RouteClearance};
use crate::crowd::{Condition, Navigation, State, Transition};
use crate::geometry::obstacle::Shape;
use crate::order::Order;
use crate::parameter::Auto;
use crate::parameter::Target;
use crate::route::RouteState;
use crate::spatial::space::{Bounds, Edge};
use glam::{Vec2, Vec3, vec2};

/// A wall across a world of 20 by 10, with a gap above y = 8 if it is open.
fn wall(is_open: bool) -> Shape<Vec2> {
    let to = vec2(10.0, if is_open { 8.0 } else { 10.0 });
    Shape::Segment { from: vec2(10.0, 0.0), to, thickness: 0.4 }
}

/// `count` people to the left of the wall who walk to `target`, with one search per tick; they have
/// goals of their own, one beside the other.
fn hall(count: usize, target: Target<Vec2>) -> Setup<Vec2> {
    let row = |x| Spawn::Grid { origin: vec2(x, 2.0), spacing: 1.0, columns: 4, rows: 1 };
    let mut people = Group::new("people", count, row(2.0), 1.0);
    people.goal = Some(row(15.0));
    people.radius = Distribution::Same(0.25);
    people.steer = List::default()
        .with(Navigate { slowing_radius: Auto::Fixed(1.0), ..Navigate::new(target) });
    Setup {
        dt: 0.1,
        bounds: Some(Bounds { min: Vec2::ZERO, max: vec2(20.0, 10.0), edge: Edge::Wall }),
        navigation: Navigation { searches_per_tick: 1 },
        obstacles: vec![wall(true)],
        groups: vec![people],
        ..Setup::default()
    }
}

const RIGHT: Target<Vec2> = Target::Point(vec2(15.0, 2.0));

fn crowd(setup: Setup<Vec2>) -> Crowd<Vec2> {
    Crowd::new(setup).unwrap()
}

/// Four people of whom two have a route and two wait for one, and the same at the start.
pub(super) fn on_the_way() -> (Crowd<Vec2>, Crowd<Vec2>) {
    let mut walking = crowd(hall(4, Target::Goal));
    walking.step();
    walking.step();
    (walking, crowd(hall(4, Target::Goal)))
}

fn state(crowd: &Crowd<Vec2>, id: u32) -> Option<RouteState> {
    crowd.route(id).map(|route| route.state)
}

#[test]
fn people_walk_round_a_wall_one_search_per_tick_and_each_arrives_once() {
    let mut crowd = crowd(hall(3, Target::Goal));
    assert_eq!(state(&crowd, 0), None);
    crowd.step();
    let states = [0, 1, 2].map(|id| state(&crowd, id).unwrap());
    assert_eq!(states, [RouteState::Known, RouteState::Waiting, RouteState::Waiting]);
    let mut arrived = 0;
    for _ in 0..400 {
        crowd.step();
        arrived += crowd.events().iter().filter(|e| matches!(e, Event::Arrived { .. })).count();
        for (_, agent) in crowd.agents() {
            assert!(crowd.obstacles()[0].distance(agent.position) > 0.25 - 1e-3);
        }
    }
    assert_eq!(arrived, 3);
    for (id, agent) in crowd.agents() {
        assert!(agent.position.distance(vec2(15.0 + id.0 as f32, 2.0)) < 0.01);
    }
}

#[test]
fn people_with_one_target_share_a_search() {
    let mut crowd = crowd(hall(4, RIGHT));
    crowd.step();
    assert!((0..4).all(|id| state(&crowd, id) == Some(RouteState::Known)));
}

/// A building of 400 rooms with a door in the middle of each wall, and people with goals of their
/// own in it.
fn building(count: usize) -> Setup<Vec2> {
    let mut obstacles = Vec::new();
    for (line, room) in (1..20).flat_map(|line| (0..20).map(move |room| (line, room))) {
        let (along, across) = (5.0 * room as f32, 5.0 * line as f32);
        for (from, to) in [(0.0, 2.0), (3.0, 5.0)] {
            let ends = [vec2(along + from, across), vec2(along + to, across)];
            for [from, to] in [ends, ends.map(|p| vec2(p.y, p.x))] {
                obstacles.push(Shape::Segment { from, to, thickness: 0.2 });
            }
        }
    }
    let inside = || Spawn::Inside(Shape::box_between(Vec2::ZERO, Vec2::splat(100.0)));
    let mut people = Group::new("people", count, inside(), 1.3);
    people.goal = Some(inside());
    people.mass = Distribution::Same(0.2);
    people.radius = Distribution::Same(0.2);
    people.steer = List::default().with(Navigate::new(Target::Goal));
    Setup { dt: 0.05, obstacles, groups: vec![people], ..Setup::default() }
}

#[test]
fn of_100_000_people_sixteen_more_know_their_way_at_each_tick_and_none_is_unreachable() {
    let mut crowd = crowd(building(100_000));
    for tick in 1..=5 {
        crowd.step();
        let known = |id: &u32| state(&crowd, *id) == Some(RouteState::Known);
        assert_eq!((0..100_000).filter(known).count(), 16 * tick, "tick {tick}");
        assert!((0..16 * tick as u32).all(|id| known(&id)), "the first ids wait for the least");
        let waiting = |id: &u32| state(&crowd, *id) == Some(RouteState::Waiting);
        assert_eq!((0..100_000).filter(waiting).count(), 100_000 - 16 * tick);
        assert!(!crowd.events().iter().any(|e| matches!(e, Event::Unreachable { .. })));
    }
    // Agents that wait for a route walk already, most of them straight on.
    let walking = crowd.agents().filter(|(_, person)| person.velocity.length() > 0.5).count();
    assert!(walking > 95_000, "{walking} of 100,000 walk");
}

#[test]
fn a_closed_wall_is_told_once_people_brake_and_go_on_when_it_opens() {
    let mut setup = hall(2, RIGHT);
    let stuck = |is_unreachable| Condition::Unreachable(is_unreachable);
    let transition = |to: usize, when| Transition { to: to.into(), when };
    let steer = core::mem::take(&mut setup.groups[0].steer);
    setup.groups[0].states = vec![
        State { steer: steer.clone(), leave: vec![transition(1, stuck(true))], ..State::new("go") },
        State { steer, leave: vec![transition(0, stuck(false))], ..State::new("wait") },
    ];
    let mut crowd = crowd(setup);
    (0..60).for_each(|_| crowd.step());
    let door = crowd.obstacle_ids().next().unwrap();
    crowd.set_obstacle(door, wall(false)).unwrap();
    let mut told = Vec::new();
    for _ in 0..40 {
        crowd.step();
        told.extend(
            crowd.events().iter().filter(|e| matches!(e, Event::Unreachable { .. })).copied(),
        );
    }
    assert_eq!(told, [0, 1].map(|id| Event::Unreachable { id: id.into() }));
    assert!(crowd.agents().all(|(_, agent)| agent.velocity.length() < 0.02));
    assert_eq!(crowd.get(1).unwrap().state, Some("wait"));
    crowd.set_obstacle(door, wall(true)).unwrap();
    (0..400).for_each(|_| crowd.step());
    assert_eq!(crowd.get(1).unwrap().state, Some("go"));
    assert!(crowd.agents().all(|(_, agent)| agent.position.distance(vec2(15.0, 2.0)) < 0.01));
}

#[test]
fn a_way_follows_a_moving_target_with_few_searches_and_a_new_order_at_once() {
    let mut setup = hall(1, Target::Order);
    let mut guide = Group::new("guide", 1, Spawn::Points(vec![vec2(14.0, 2.0)]), 0.5);
    guide.velocity = StartVelocity::Same(vec2(0.0, 0.3));
    setup.groups.push(guide);
    let mut crowd = crowd(setup);
    crowd.set_order(0, Some(Order::Agent(1.into()))).unwrap();
    let mut waits = 0;
    for _ in 0..300 {
        crowd.step();
        let navigator = &crowd.world.routes.as_ref().unwrap().navigator;
        waits += usize::from(navigator.waiting() > 0);
    }
    // Of 300 ticks in each of which the target moved.
    assert!(waits < 12, "{waits}");
    let (people, guide) = (crowd.get(0).unwrap().agent, crowd.get(1).unwrap().agent);
    assert!(people.position.distance(guide.position) < 1.0, "{people:?}");
    crowd.set_order(0, Some(Order::Point(vec2(2.0, 2.0)))).unwrap();
    (0..300).for_each(|_| crowd.step());
    assert!(crowd.get(0).unwrap().agent.position.distance(vec2(2.0, 2.0)) < 0.01);
}

#[test]
fn ways_are_in_snapshots_also_while_they_wait_and_after_an_obstacle_has_moved() {
    for ticks in [0, 1, 2, 30] {
        let mut original = crowd(hall(6, RIGHT));
        (0..ticks).for_each(|_| original.step());
        let door = original.obstacle_ids().next().unwrap();
        let moved = Shape::Segment { from: vec2(10.0, 2.0), to: vec2(10.0, 10.0), thickness: 0.4 };
        original.set_obstacle(door, moved).unwrap();
        let snapshot = original.snapshot();
        let mut restored = crowd(hall(6, RIGHT));
        (0..9).for_each(|_| restored.step());
        restored.restore(&snapshot).unwrap();
        assert_eq!((restored.snapshot(), restored.digest()), (snapshot, original.digest()));
        for tick in 0..200 {
            original.step();
            // A tick in parts that a change restarts is no other tick.
            restored.step_budgeted(1);
            restored.set_pointer(None);
            restored.step();
            assert_eq!(restored.digest(), original.digest(), "{ticks} + {tick}");
        }
        assert_eq!(restored.snapshot(), original.snapshot());
    }
}

#[test]
fn the_digest_tells_a_way_that_waits_from_one_that_is_known() {
    let (one, mut all) = (hall(4, Target::Goal), hall(4, Target::Goal));
    all.navigation.searches_per_tick = 4;
    let (mut one, mut all) = (crowd(one), crowd(all));
    assert_eq!(one.digest(), all.digest());
    one.step();
    all.step();
    assert_eq!(one.get(3).unwrap().agent.position, all.get(3).unwrap().agent.position);
    assert_ne!(one.digest(), all.digest());
}

#[test]
fn a_body_that_grows_keeps_its_own_distance_from_walls() {
    let mut crowd = crowd(hall(1, RIGHT));
    crowd.set_limit(0, Limit::Radius, Some(0.6)).unwrap();
    for _ in 0..400 {
        crowd.step();
        let position = crowd.get(0).unwrap().agent.position;
        assert!(crowd.obstacles()[0].distance(position) > 0.6 - 1e-3, "{position}");
    }
    assert!(crowd.get(0).unwrap().agent.position.distance(vec2(15.0, 2.0)) < 0.01);
}

#[test]
fn ways_that_cannot_be_are_refused_with_the_key_and_what_is_allowed() {
    let errors = |change: fn(&mut Setup<Vec2>)| {
        let mut setup = hall(1, RIGHT);
        change(&mut setup);
        setup.errors().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let wraps = errors(|setup| setup.bounds.as_mut().unwrap().edge = Edge::Wrap);
    assert!(wraps.contains("`navigate` knows no routes across the edge"), "{wraps}");
    let twice = errors(|setup| {
        let steer = setup.groups[0].steer.clone();
        setup.groups[0].states = vec![State { steer, ..State::new("go") }];
    });
    assert!(twice.contains("group[0].state[0].steer[0].navigate"), "{twice}");
    let point = errors(|setup| setup.groups[0].radius = Distribution::Same(0.0));
    assert!(point.contains("`clearance` is \"auto\", and the `radius`"), "{point}");
    let none = errors(|setup| setup.navigation.searches_per_tick = 0);
    assert!(none.contains("`searches_per_tick` is 0"), "{none}");
    let fixed = errors(|setup| {
        let wide = Navigate { clearance: RouteClearance::Fixed(1.0), ..Navigate::new(RIGHT) };
        setup.groups[0].radius = Distribution::Same(0.0);
        setup.groups[0].steer = List::default().with(wide);
    });
    assert_eq!(fixed, "");
    let mut fliers = Group::<Vec3>::new("fliers", 1, Spawn::Points(vec![Vec3::ZERO]), 1.0);
    fliers.radius = Distribution::Same(1.0);
    fliers.steer = List::default().with(Navigate::new(Target::Point(Vec3::ZERO)));
    let space = Setup { groups: vec![fliers], ..Setup::default() }.errors();
    assert!(space[0].to_string().contains("the world has three dimensions"), "{space:?}");
}
