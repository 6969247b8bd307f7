//! The rule and the drag of states.

use glam::{Vec2, vec2};

use super::*;
use crate::behavior::PathStart;

fn state(name: &str, leave: Vec<(usize, Condition<Vec2>)>) -> State<Vec2> {
    let to = |(to, when): (usize, _)| Transition { to: to.into(), when };
    State { leave: leave.into_iter().map(to).collect(), ..State::new(name) }
}

#[test]
fn the_rule_of_a_state_takes_the_place_of_that_of_the_group() {
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    a.max_speed = Distribution::Same(100.0);
    a.steer = List::default().with(seek(vec2(9.0, 0.0)));
    let state = |name: &str, combine, leave| State {
        combine,
        steer: List::default().with(seek(vec2(0.0, 9.0))),
        ..state(name, leave)
    };
    a.states = vec![
        state("sum", None, vec![(1, Condition::TimeInState(1.0.into()))]),
        state("priority", Some(Combine::Priority), vec![]),
    ];
    let mut crowd = crowd(vec![a]);
    crowd.step();
    assert_near(agents(&crowd)[0].velocity, vec2(100.0, 100.0) / 2.0_f32.sqrt());
    crowd.step();
    // Of two targets behind the agent it seeks the first alone.
    let position = vec2(100.0, 100.0) / 2.0_f32.sqrt();
    let direction = (vec2(9.0, 0.0) - position).normalize();
    assert_near(agents(&crowd)[0].velocity, direction * 100.0);
}

#[test]
fn the_drag_of_a_state_takes_the_place_of_that_of_the_group() {
    let after = |to, time: f64| vec![(to, Condition::TimeInState(time.into()))];
    for wheels in [None, Some(1e-9)] {
        let mut a = group("a", &[vec2(0.0, 0.0)]);
        a.velocity = StartVelocity::Same(vec2(4.0, 0.0));
        a.turning_radius = wheels;
        a.drag = 0.5;
        let glide = State { drag: Some(0.0), ..state("glide", after(2, 1.0)) };
        a.states = vec![state("brake", after(1, 1.0)), glide, state("brake again", vec![])];
        // A group beside it keeps its own drag.
        let mut b = group("b", &[vec2(0.0, 50.0)]);
        (b.velocity, b.drag) = (StartVelocity::Same(vec2(4.0, 0.0)), 0.75);
        let mut crowd = crowd(vec![a.clone(), b.clone()]);
        let speeds = [(2.0, 1.0), (2.0, 0.25), (1.0, 0.0625)];
        for (tick, (first, second)) in speeds.into_iter().enumerate() {
            crowd.step();
            let [a, b] = [0, 1].map(|id| agents(&crowd)[id].velocity.x);
            assert!((a - first).abs() < 1e-5 && b == second, "tick {tick}: {a}, {b}");
        }
    }
}

#[test]
fn a_group_whose_states_have_one_drag_steps_as_one_without_states() {
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    a.states = vec![State { drag: Some(0.5), ..state("glide", vec![]) }];
    let compiled = &crowd(vec![a]).world.groups[0];
    assert!(compiled.is_plain() && !compiled.replaces_velocity && compiled.drag_factor == 0.5);
}

#[test]
fn a_path_from_its_nearest_point_begins_there_each_time_that_its_state_comes_back() {
    let corners = [vec2(0.0, 0.0), vec2(90.0, 0.0), vec2(90.0, 90.0), vec2(0.0, 90.0)];
    let after = |to, time: f64| vec![(to, Condition::TimeInState(time.into()))];
    let steer = |behavior: Behavior<Vec2>| List::default().with(behavior);
    let follow = FollowPath { start: PathStart::Nearest, ..FollowPath::new(PathId(0)) };
    for by_command in [false, true] {
        let mut guard = group("guard", &[vec2(10.0, 0.0)]);
        let walk = State { steer: steer(follow.into()), ..state("walk", after(1, 3.0)) };
        let back = if by_command { vec![] } else { after(0, 60.0) };
        let hunt = State { steer: steer(seek(vec2(45.0, 90.0)).into()), ..state("hunt", back) };
        guard.states = vec![walk, hunt];
        let setup = Setup::new(1.0).path("beat", Path::new(corners.to_vec(), 2.0, true));
        let mut crowd = setup.group(guard).crowd().unwrap();
        (0..3).for_each(|_| crowd.step());
        assert!(agents(&crowd)[0].velocity.x > 0.0, "to the node (90, 0)");
        (0..60).for_each(|_| crowd.step());
        if by_command {
            crowd.set_state(0, "walk").unwrap();
        }
        crowd.step();
        assert!(agents(&crowd)[0].velocity.x < 0.0, "to the node (0, 90)");
    }
}
