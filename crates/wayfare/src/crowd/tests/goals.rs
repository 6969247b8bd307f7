//! Goals: each member of a group is bound for a place of its own.

use glam::{Vec2, Vec3, vec2, vec3};

use super::*;
use crate::behavior::Arrive;

fn ring(radius: f32, turn: f32) -> Spawn<Vec2> {
    Spawn::Ring { center: vec2(10.0, 20.0), radius, turn }
}

/// Six on a ring who arrive at their goals, and one before them who has none, so that ids do not
/// begin at 0.
fn setup(goal: Spawn<Vec2>) -> Setup<Vec2> {
    let arrive = Arrive {
        target: Target::Goal,
        slowing_radius: SlowingRadius::Fixed(50.0),
        within: f32::INFINITY,
    };
    let mut walkers = Group::new("walkers", 6, ring(100.0, 0.0), 5.0);
    (walkers.mass, walkers.goal, walkers.steer) =
        (Distribution::Same(2.0), Some(goal), List::default().with(arrive));
    Setup { groups: vec![group("other", &[vec2(0.0, 0.0)]), walkers], ..Setup::default() }
}

/// Where the walkers end up, in the order of their ids.
fn ends(crowd: &mut Crowd<Vec2>) -> Vec<Vec2> {
    (0..400).for_each(|_| crowd.step());
    agents(crowd).into_iter().skip(1).map(|agent| agent.position).collect()
}

#[track_caller]
fn assert_all_near(found: &[Vec2], expected: &[Vec2]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((*a - *b).length() < 0.01, "{found:?} is not {expected:?}");
    }
}

#[test]
fn a_ring_spreads_its_positions_evenly_on_a_circle() {
    let start = |spawn| {
        agents(&crowd(vec![Group::new("a", 4, spawn, 1.0)]))
            .into_iter()
            .map(|agent| agent.position)
            .collect::<Vec<_>>()
    };
    let (right, up) = (vec2(3.0, 0.0), vec2(0.0, 3.0));
    let middle = vec2(10.0, 20.0);
    assert_all_near(
        &start(ring(3.0, 0.0)),
        &[middle + right, middle + up, middle - right, middle - up],
    );
    assert_all_near(
        &start(ring(3.0, core::f32::consts::FRAC_PI_2)),
        &[middle + up, middle - right, middle - up, middle + right],
    );
    let deep = crowd(vec![Group::new(
        "a",
        2,
        Spawn::Ring { center: vec3(1.0, 2.0, 9.0), radius: 3.0, turn: 0.0 },
        1.0,
    )]);
    assert_near(agents(&deep)[1].position, vec3(-2.0, 2.0, 9.0));
    let _: Vec3 = agents(&deep)[0].position;
}

#[test]
fn each_agent_goes_to_its_own_goal_in_any_row_order() {
    let mut opposite = Crowd::new(setup(ring(100.0, core::f32::consts::PI))).unwrap();
    let start: Vec<_> = agents(&opposite)
        .into_iter()
        .skip(1)
        .map(|agent| vec2(20.0, 40.0) - agent.position)
        .collect();
    opposite.permute(&[3, 0, 6, 1, 2, 5, 4]);
    assert_all_near(&ends(&mut opposite), &start);
    let points: Vec<Vec2> = (0..6).map(|i| vec2(i as f32 * 7.0, 90.0)).collect();
    assert_all_near(&ends(&mut Crowd::new(setup(Spawn::Points(points.clone()))).unwrap()), &points);
    let grid = Spawn::Grid { origin: vec2(0.0, 90.0), spacing: 7.0, columns: 6, rows: 1 };
    assert_all_near(&ends(&mut Crowd::new(setup(grid)).unwrap()), &points);
    // A random place inside an area, and another one for another seed.
    let area = |seed| {
        let found = ends(
            &mut Crowd::new(Setup {
                seed,
                ..setup(Spawn::Inside(Shape::box_between(vec2(50.0, 50.0), vec2(80.0, 70.0))))
            })
            .unwrap(),
        );
        assert!(
            found.iter().all(|p| p.x > 49.9 && p.x < 80.1 && p.y > 49.9 && p.y < 70.1),
            "{found:?}"
        );
        assert!((1..6).all(|i| (found[i] - found[0]).length() > 0.1), "{found:?}");
        found
    };
    assert_ne!(area(1), area(2));
}

#[test]
fn a_later_agent_takes_one_of_the_goals_and_a_respawned_one_keeps_its_own() {
    let points: Vec<Vec2> = (0..6).map(|i| vec2(i as f32 * 30.0, 90.0)).collect();
    let mut setup = setup(Spawn::Points(points.clone()));
    // The first one stands in the exit when it has come, and begins anew.
    let exit = Shape::Circle { center: points[0], radius: 1.0 };
    let area = Shape::Circle { center: vec2(0.0, -50.0), radius: 1.0 };
    setup.exits = vec![Exit { shape: exit, groups: Groups::All, then: ExitAction::Respawn(area) }];
    let mut crowd = Crowd::new(setup).unwrap();
    // The next id counts on: the first comes back to the first place, which is the exit.
    let [_, late] = [20.0, 40.0].map(|x| crowd.add(1, vec2(x, 10.0), None).unwrap());
    (0..400).for_each(|_| crowd.step());
    assert!(crowd.exits()[0].left >= 2, "the first one came more than once");
    let end = crowd.get(late).unwrap().agent.position;
    assert_all_near(&[end], &[points[1]]);
}

#[test]
fn conditions_events_and_commands_use_goals() {
    let mut setup = setup(ring(100.0, core::f32::consts::PI));
    let walkers = &mut setup.groups[1];
    let leave = vec![Transition {
        to: TransitionTarget::State(1),
        when: Condition::Near(Target::Goal, 30.0),
    }];
    let state = |name: &str, leave| State {
        name: name.to_string(),
        rates: Vec::new(),
        steer: List::default(),
        leave,
    };
    walkers.states = vec![state("far", leave), state("near", Vec::new())];
    let mut crowd = Crowd::new(setup.clone()).unwrap();
    let mut seen = [0, 0];
    for _ in 0..400 {
        crowd.step();
        for event in crowd.events() {
            match event {
                Event::Arrived { .. } => seen[0] += 1,
                Event::StateChanged { .. } => seen[1] += 1,
                _ => {}
            }
        }
    }
    assert_eq!(seen, [6, 6]);
    // To a point instead, and back to the goal.
    let set =
        |value| Command::Set { key_path: "group[1].steer[0].arrive.target".to_string(), value };
    let before = agents(&crowd)[1].position;
    crowd.apply(&set(Setting::Point(vec2(0.0, 0.0)))).unwrap();
    assert!(ends(&mut crowd)[0].length() < 0.01);
    crowd.apply(&set(Setting::Text("goal".to_string()))).unwrap();
    let snapshot = crowd.snapshot();
    assert!((ends(&mut crowd)[0] - before).length() < 0.01);
    let mut again = Crowd::new(setup).unwrap();
    again.restore(&snapshot).unwrap();
    let _ = ends(&mut again);
    assert_eq!(again.digest(), crowd.digest());
}

#[test]
fn a_missing_or_wrong_goal_is_an_error() {
    let places = |change: fn(&mut Setup<Vec2>)| {
        let mut setup = setup(ring(100.0, 0.0));
        change(&mut setup);
        setup.errors().iter().map(|fault| fault.key_path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(places(|_| {}), Vec::<String>::new());
    assert_eq!(places(|s| s.groups[1].goal = None), ["group[1].steer[0].arrive.target"]);
    assert_eq!(
        places(|s| s.groups[1].goal = Some(Spawn::Points(vec![Vec2::ZERO; 5]))),
        ["group[1].goal.points"]
    );
    assert_eq!(
        places(|s| s.groups[1].goal = Some(ring(-1.0, f32::NAN))),
        ["group[1].goal.ring.radius", "group[1].goal.ring.turn"]
    );
    assert_eq!(
        places(|s| s.groups[1].spawn = ring(f32::INFINITY, 0.0)),
        ["group[1].spawn.ring.radius"]
    );
    assert_eq!(places(|s| s.groups[0].name = "goal".to_string()), ["group[0].name"]);
}
