//! Goals: each member of a group has its own target position.

use glam::{Vec2, Vec3, vec2, vec3};

use super::*;
use crate::behavior::Arrive;
use crate::parameter::Auto;

fn ring(radius: f32, turn: f32) -> Spawn<Vec2> {
    Spawn::Ring { center: vec2(10.0, 20.0), radius, turn }
}

/// Six agents on a ring that arrive at their goals, and before them a group of one agent without a
/// goal, so that the ids of the six do not start at 0.
fn setup(goal: Spawn<Vec2>) -> Setup<Vec2> {
    let arrive =
        Arrive { target: Target::Goal, slowing_radius: Auto::Fixed(50.0), within: f32::INFINITY };
    let mut walkers = Group::new("walkers", 6, ring(100.0, 0.0), 5.0);
    (walkers.mass, walkers.goal, walkers.steer) =
        (Distribution::Same(2.0), Some(goal), List::default().with(arrive));
    Setup { groups: vec![group("other", &[vec2(0.0, 0.0)]), walkers], ..Setup::default() }
}

/// The final positions of the walkers, in order of ids.
fn ends(crowd: &mut Crowd<Vec2>) -> Vec<Vec2> {
    (0..400).for_each(|_| crowd.step());
    agents(crowd).into_iter().skip(1).map(|agent| agent.position).collect()
}

#[track_caller]
fn assert_all_close(found: &[Vec2], expected: &[Vec2]) {
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
    assert_all_close(
        &start(ring(3.0, 0.0)),
        &[middle + right, middle + up, middle - right, middle - up],
    );
    assert_all_close(
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
fn each_agent_moves_to_its_own_goal_in_any_row_order() {
    let mut opposite = Crowd::new(setup(ring(100.0, core::f32::consts::PI))).unwrap();
    let start: Vec<_> = agents(&opposite)
        .into_iter()
        .skip(1)
        .map(|agent| vec2(20.0, 40.0) - agent.position)
        .collect();
    opposite.permute(&[3, 0, 6, 1, 2, 5, 4]);
    assert_all_close(&ends(&mut opposite), &start);
    let points: Vec<Vec2> = (0..6).map(|i| vec2(i as f32 * 7.0, 90.0)).collect();
    assert_all_close(
        &ends(&mut Crowd::new(setup(Spawn::Points(points.clone()))).unwrap()),
        &points,
    );
    let grid = Spawn::Grid { origin: vec2(0.0, 90.0), spacing: 7.0, columns: 6, rows: 1 };
    assert_all_close(&ends(&mut Crowd::new(setup(grid)).unwrap()), &points);
    // A random position inside an area, which differs for another seed.
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
fn an_agent_added_later_gets_one_of_the_goals_and_a_respawned_agent_keeps_its_goal() {
    let points: Vec<Vec2> = (0..6).map(|i| vec2(i as f32 * 30.0, 90.0)).collect();
    let mut setup = setup(Spawn::Points(points.clone()));
    // The first agent's goal is in the exit: there it respawns.
    let exit = Shape::Circle { center: points[0], radius: 1.0 };
    let area = Shape::Circle { center: vec2(0.0, -50.0), radius: 1.0 };
    setup.exits = vec![Exit::new(exit).then(ExitAction::Respawn(area))];
    let mut crowd = Crowd::new(setup).unwrap();
    // Goals are assigned by id in rotation: the first of the new agents gets the first goal, which
    // is in the exit.
    let [_, late] = [20.0, 40.0].map(|x| crowd.add(1, vec2(x, 10.0), None).unwrap());
    (0..400).for_each(|_| crowd.step());
    assert!(crowd.exits()[0].left >= 2, "the first agent left more than once");
    let end = crowd.get(late).unwrap().agent.position;
    assert_all_close(&[end], &[points[1]]);
}

#[test]
fn conditions_events_and_commands_use_goals() {
    let mut setup = setup(ring(100.0, core::f32::consts::PI));
    let walkers = &mut setup.groups[1];
    let leave = vec![Transition {
        to: TransitionTarget::from(1),
        when: Condition::Near(Target::Goal, 30.0, None),
    }];
    let state = |name: &str, leave| State { leave, ..State::new(name) };
    walkers.states = vec![state("far", leave), state("near", Vec::new())];
    let mut crowd = Crowd::new(setup.clone()).unwrap();
    let mut counts = [0, 0];
    for _ in 0..400 {
        crowd.step();
        for event in crowd.events() {
            match event {
                Event::Arrived { .. } => counts[0] += 1,
                Event::StateChanged { .. } => counts[1] += 1,
                _ => {}
            }
        }
    }
    assert_eq!(counts, [6, 6]);
    // The target is set to a point, and back to the goal.
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
    let key_paths = |change: fn(&mut Setup<Vec2>)| {
        let mut setup = setup(ring(100.0, 0.0));
        change(&mut setup);
        setup.errors().iter().map(|fault| fault.key_path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(key_paths(|_| {}), Vec::<String>::new());
    assert_eq!(key_paths(|s| s.groups[1].goal = None), ["group[1].steer[0].arrive.target"]);
    assert_eq!(
        key_paths(|s| s.groups[1].goal = Some(Spawn::Points(vec![Vec2::ZERO; 5]))),
        ["group[1].goal.points"]
    );
    assert_eq!(
        key_paths(|s| s.groups[1].goal = Some(ring(-1.0, f32::NAN))),
        ["group[1].goal.ring.radius", "group[1].goal.ring.turn"]
    );
    assert_eq!(
        key_paths(|s| s.groups[1].spawn = ring(f32::INFINITY, 0.0)),
        ["group[1].spawn.ring.radius"]
    );
    assert_eq!(key_paths(|s| s.groups[0].name = "goal".to_string()), ["group[0].name"]);
}
