//! Agents with `navigate` that choose among several targets.

use super::*;
use crate::behavior::{Choose, Navigate, QueueLength};
use crate::crowd::{Condition, Navigation, State, Transition};
use crate::geometry::navmesh::NavMesh;
use crate::geometry::obstacle::Shape;
use glam::vec2;

/// The points behind two doors.
const DOORS: [Vec2; 2] = [vec2(12.0, 3.0), vec2(12.0, 9.0)];

/// A wall with doors about y = 3, if it is open, and y = 9.
fn walls(is_open: bool) -> Vec<Shape<Vec2>> {
    let wall =
        |from, to| Shape::Segment { from: vec2(10.0, from), to: vec2(10.0, to), thickness: 0.2 };
    let middle = if is_open { 3.5 } else { 2.0 };
    vec![wall(0.0, 2.5), wall(middle, 8.5), wall(9.5, 12.0)]
}

fn choosing() -> Navigate<Vec2> {
    Navigate {
        alternatives: vec![DOORS[1]],
        choose: Choose::ShortestWait,
        queue_length: QueueLength::Fixed(0.8),
        ..Navigate::new(Target::Point(DOORS[0]))
    }
}

/// `count` people for whom the lower door is nearer, in rows of ten.
fn hall(count: usize, navigate: Navigate<Vec2>) -> Setup<Vec2> {
    let spawn = Spawn::Grid { origin: vec2(2.0, 1.0), spacing: 0.5, columns: 10, rows: 10 };
    let mut people = Group::new("people", count, spawn, 1.0);
    people.radius = Distribution::Same(0.2);
    people.steer = List::default().with(navigate);
    Setup {
        dt: 0.1,
        bounds: Some(Bounds { min: Vec2::ZERO, max: vec2(14.0, 12.0), edge: Edge::Wall }),
        navigation: Navigation { searches_per_tick: 2 },
        obstacles: walls(true),
        groups: vec![people],
        ..Setup::default()
    }
}

/// The number of agents whose routes lead to each door.
fn heading(crowd: &Crowd<Vec2>) -> [usize; 2] {
    let ends = |door: &Vec2| {
        let leads = |id: &u32| crowd.route(*id).is_some_and(|r| r.points.last() == Some(door));
        (0..crowd.len() as u32).filter(leads).count()
    };
    DOORS.each_ref().map(ends)
}

fn started(setup: Setup<Vec2>) -> Crowd<Vec2> {
    let mut crowd = Crowd::new(setup).unwrap();
    crowd.step();
    crowd
}

#[test]
fn all_take_the_nearest_door_or_share_two_doors_so_that_no_queue_is_longer_than_the_detour() {
    let nearest = Navigate { choose: Choose::Nearest, ..choosing() };
    assert_eq!(heading(&started(hall(100, nearest))), [100, 0]);
    let crowd = started(hall(100, choosing()));
    let [lower, upper] = heading(&crowd);
    assert!(lower + upper == 100 && (30..=50).contains(&upper), "{lower} and {upper}");
    // No agent gains by the other door.
    let mesh = NavMesh::new(crowd.obstacles(), &crowd.world.space, 0.2, 0.004).unwrap();
    let at: Vec<Vec2> = (0..100_u32).map(|id| crowd.get(id).unwrap().agent.position).collect();
    let lengths = DOORS.map(|door| mesh.routes_from_each(&at, door));
    let lengths = lengths.map(|routes| routes.into_iter().map(|route| route.unwrap().length));
    let lengths = lengths.map(Iterator::collect::<Vec<f32>>);
    let own = |id: usize| {
        let end = crowd.route(id as u32).unwrap().points.last().copied();
        usize::from(end != Some(DOORS[0]))
    };
    for id in 0..100 {
        let cost = |door: usize| {
            let is_before = |other: &usize| {
                own(*other) == door && (lengths[door][*other], *other) < (lengths[door][id], id)
            };
            lengths[door][id] + 0.8 * (0..100).filter(is_before).count() as f32
        };
        let (here, there) = (cost(own(id)), cost(1 - own(id)));
        assert!(here <= there, "{id}: {here} {there}");
    }
}

#[test]
fn a_choice_is_made_again_when_a_door_closes_and_after_the_stated_time() {
    let mut crowd = started(hall(20, Navigate { choose: Choose::Nearest, ..choosing() }));
    assert_eq!(heading(&crowd), [20, 0]);
    let wall = crowd.obstacle_ids().nth(1).unwrap();
    crowd.set_obstacle(wall, walls(false)[1].clone()).unwrap();
    crowd.step();
    assert_eq!(heading(&crowd), [0, 20]);
    // Ten others get their routes to the lower door a tick later, and are nearer to it.
    let mut setup = hall(1, Navigate { rechoose: 0.5, ..choosing() });
    let mut others = hall(10, Navigate::new(Target::Point(DOORS[0]))).groups.remove(0);
    let spawn = Spawn::Grid { origin: vec2(6.0, 3.0), spacing: 0.5, columns: 5, rows: 2 };
    (others.name, others.spawn) = ("others".to_string(), spawn);
    setup.groups.push(others);
    let mut crowd = started(setup);
    let door = |crowd: &Crowd<Vec2>| crowd.route(0).unwrap().points.last().copied();
    let ticks = (0..20).take_while(|_| {
        crowd.step();
        door(&crowd) == Some(DOORS[0])
    });
    assert_eq!(ticks.count(), 5);
    assert_eq!(door(&crowd), Some(DOORS[1]));
}

#[test]
fn a_target_is_left_only_for_a_gain_of_more_than_a_tenth() {
    // 8 from the lower door, and a route along the wall from the upper one.
    for (y, upper) in [(6.1, 0), (6.6, 0), (7.4, 1)] {
        let mut crowd = started(hall(1, Navigate { rechoose: 0.1, ..choosing() }));
        crowd.put(0, vec2(6.0, y), None).unwrap();
        (0..4).for_each(|_| crowd.step());
        assert_eq!(heading(&crowd), [1 - upper, upper], "{y}");
    }
}

#[test]
fn choices_are_in_snapshots_also_while_they_wait() {
    let make = || Crowd::new(hall(40, Navigate { rechoose: 0.7, ..choosing() })).unwrap();
    for ticks in [0, 1, 2, 7, 8, 30] {
        let mut original = make();
        (0..ticks).for_each(|_| original.step());
        let snapshot = original.snapshot();
        let mut restored = make();
        (0..9).for_each(|_| restored.step());
        restored.restore(&snapshot).unwrap();
        assert_eq!((restored.snapshot(), restored.digest()), (snapshot, original.digest()));
        for tick in 0..60 {
            original.step();
            restored.step();
            assert_eq!(restored.digest(), original.digest(), "{ticks} + {tick}");
        }
    }
}

#[test]
fn an_agent_with_another_choice_or_one_target_in_its_next_state_goes_there() {
    let mut setup = hall(3, choosing());
    let list = |navigate| List::default().with(navigate);
    let after = |to: usize, time: f64| Transition {
        to: to.into(),
        when: Condition::TimeInState(time.into()),
    };
    setup.groups[0].steer = List::default();
    setup.groups[0].states = vec![
        State { steer: list(choosing()), leave: vec![after(1, 1.0)], ..State::new("choose") },
        State {
            steer: list(Navigate::new(Target::Point(DOORS[1]))),
            leave: vec![after(2, 1.0)],
            ..State::new("up")
        },
        State {
            steer: list(Navigate { choose: Choose::Nearest, ..choosing() }),
            ..State::new("down")
        },
    ];
    let mut crowd = started(setup);
    assert_eq!(heading(&crowd), [3, 0]);
    (0..14).for_each(|_| crowd.step());
    assert_eq!(heading(&crowd), [0, 3]);
    (0..14).for_each(|_| crowd.step());
    assert_eq!(heading(&crowd), [3, 0]);
}

#[test]
fn choices_that_cannot_be_are_refused_with_the_key_and_what_is_allowed() {
    let errors = |change: fn(&mut Navigate<Vec2>)| {
        let mut navigate = choosing();
        change(&mut navigate);
        let mut setup = hall(1, navigate);
        setup.groups[0].radius = Distribution::Same(0.0);
        let errors = setup.errors();
        errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let none = errors(|navigate| navigate.alternatives.clear());
    assert!(none.contains("`choose` is \"shortest_wait\", and there is one target"), "{none}");
    let moving = errors(|navigate| navigate.target = Target::Order);
    assert!(moving.contains("navigate.target: `target` has `alternatives`"), "{moving}");
    let twice = errors(|navigate| navigate.alternatives.push(DOORS[0]));
    assert!(twice.contains("navigate.alternatives[1]"), "{twice}");
    let many = errors(|navigate| navigate.alternatives = vec![Vec2::ZERO; 64]);
    assert!(many.contains("`alternatives` has 64 points"), "{many}");
    let far = errors(|navigate| navigate.alternatives[0].x = f32::NAN);
    assert!(far.contains("`alternatives`"), "{far}");
    let points = errors(|navigate| navigate.queue_length = QueueLength::Auto);
    assert!(points.contains("`queue_length` is \"auto\", and the `radius`"), "{points}");
    let short = errors(|navigate| navigate.queue_length = QueueLength::Fixed(0.0));
    assert!(short.contains("`queue_length` is 0"), "{short}");
    let never = errors(|navigate| navigate.rechoose = 0.0);
    assert!(never.contains("`rechoose` is 0"), "{never}");
}
