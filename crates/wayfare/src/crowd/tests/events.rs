//! Events: arrivals and changes of state.

use glam::{Vec2, vec2};

use super::*;
use crate::behavior::{Arrive, AtEnd, Tracking};
use crate::id::StateId;
use crate::parameter::Auto;

fn arrive(target: Target<Vec2>, slowing_radius: f32) -> Arrive<Vec2> {
    Arrive { target, slowing_radius: Auto::Fixed(slowing_radius), within: f32::INFINITY }
}

/// A setup with one agent that steers by `list` from the origin.
fn lone(list: List<Vec2>) -> Setup<Vec2> {
    Setup {
        groups: vec![Group {
            steer: list,
            mass: Distribution::Same(2.0),
            ..group("a", &[vec2(0.0, 0.0)])
        }],
        ..Setup::default()
    }
}

/// The ticks in which agent 0 arrived.
fn arrivals(crowd: &mut Crowd<Vec2>, ticks: u32) -> Vec<u64> {
    let mut found = Vec::new();
    for _ in 0..ticks {
        crowd.step();
        if crowd.events().contains(&Event::Arrived { id: AgentId(0) }) {
            found.push(crowd.tick());
        }
    }
    found
}

#[test]
fn an_agent_that_reaches_its_target_point_arrives_once() {
    let mut crowd =
        Crowd::new(lone(List::default().with(arrive(Target::Point(vec2(90.0, 0.0)), 40.0))))
            .unwrap();
    let found = arrivals(&mut crowd, 300);
    assert_eq!(found.len(), 1);
    // The distance that counts is a hundredth of the slowing radius; at the next tick the agent is
    // nearer.
    let mut again =
        Crowd::new(lone(List::default().with(arrive(Target::Point(vec2(90.0, 0.0)), 40.0))))
            .unwrap();
    let distance = |crowd: &Crowd<Vec2>| 90.0 - crowd.get(0).unwrap().agent.position.x;
    (1..found[0]).for_each(|_| again.step());
    assert!(distance(&again) > 0.4, "{}", distance(&again));
    again.step();
    assert!(distance(&again) <= 0.4, "{}", distance(&again));
    // An agent with a body arrives as soon as its body touches the point.
    let mut setup = lone(List::default().with(arrive(Target::Point(vec2(90.0, 0.0)), 40.0)));
    setup.groups[0].radius = Distribution::Same(3.0);
    assert!(arrivals(&mut Crowd::new(setup).unwrap(), 300)[0] < found[0]);
}

#[test]
fn an_agent_arrives_again_only_after_it_was_outside_the_slowing_radius() {
    let mut crowd =
        Crowd::new(lone(List::default().with(arrive(Target::Point(vec2(90.0, 0.0)), 40.0))))
            .unwrap();
    assert_eq!(arrivals(&mut crowd, 300).len(), 1);
    crowd.put(0, vec2(60.0, 0.0), None).unwrap();
    assert_eq!(arrivals(&mut crowd, 300).len(), 0);
    crowd.put(0, vec2(40.0, 0.0), None).unwrap();
    assert_eq!(arrivals(&mut crowd, 300).len(), 1);
}

#[test]
fn arriving_at_the_pointer_raises_an_event_and_at_a_member_of_a_group_does_not() {
    let mut setup = lone(List::default().with(arrive(Target::Pointer, 40.0)));
    setup.pointer = Some(Track::fixed(vec2(90.0, 0.0)));
    let mut crowd = Crowd::new(setup).unwrap();
    assert_eq!(arrivals(&mut crowd, 300).len(), 1);
    crowd.set_pointer(Some(vec2(0.0, 90.0)));
    assert_eq!(arrivals(&mut crowd, 300).len(), 1);
    let mut setup = lone(List::default().with(arrive(Target::Group(GroupId(1)), 40.0)));
    setup.groups.push(group("b", &[vec2(90.0, 0.0)]));
    assert_eq!(arrivals(&mut Crowd::new(setup).unwrap(), 300).len(), 0);
}

#[test]
fn reaching_the_end_of_a_path_raises_an_arrival_and_a_loop_has_no_end() {
    let count = |at_end, closed, tracking| {
        let follow = FollowPath { at_end, tracking, ..FollowPath::new(PathId(0)) };
        let mut setup = lone(List::default().nested(1.0, List::default().with(follow)));
        setup.paths = vec![(
            "way".to_string(),
            Path::new(vec![vec2(20.0, 0.0), vec2(90.0, 0.0), vec2(90.0, 50.0)], 8.0, closed),
        )];
        arrivals(&mut Crowd::new(setup).unwrap(), 400).len()
    };
    for tracking in [Tracking::Nodes, Tracking::Corridor] {
        assert_eq!(
            [None, Some(AtEnd::Seek), Some(AtEnd::Arrive)].map(|end| count(end, false, tracking)),
            [1; 3],
            "{tracking:?}"
        );
        assert_eq!(
            [Some(AtEnd::Patrol), Some(AtEnd::Loop)].map(|end| count(end, false, tracking)),
            [0; 2],
            "{tracking:?}"
        );
        assert_eq!(count(None, true, tracking), 0);
    }
}

#[test]
fn a_change_of_state_names_both_states_and_in_the_new_state_the_agent_can_arrive_again() {
    let state = |name: &str, x: f32, leave| State {
        steer: List::default().with(arrive(Target::Point(vec2(x, 0.0)), 40.0)),
        leave,
        ..State::new(name)
    };
    let after = |to, time: f64| {
        vec![Transition {
            to: TransitionTarget::from(to),
            when: Condition::TimeInState(time.into()),
        }]
    };
    let mut setup = lone(List::default());
    // A transition to the agent's current state is no change.
    setup.groups[0].states =
        vec![state("there", 50.0, after(1, 200.0)), state("back", 45.0, after(1, 150.0))];
    let mut crowd = Crowd::new(setup).unwrap();
    let mut events = Vec::new();
    for _ in 0..500 {
        crowd.step();
        events.extend(crowd.events().iter().map(|event| (*event, crowd.tick())));
    }
    let kinds: Vec<Event> = events.iter().map(|(event, _)| *event).collect();
    let arrived = [Event::Arrived { id: AgentId(0) }, Event::GroupArrived { group: GroupId(0) }];
    let changed = [Event::StateChanged { id: AgentId(0), from: StateId(0), to: StateId(1) }];
    assert_eq!(kinds, [&arrived[..], &changed, &arrived].concat());
    assert_eq!(events[2].1, 201);
}

#[test]
fn an_arrive_of_weight_zero_raises_no_arrival() {
    // The agent drifts through the target of an `arrive` that contributes no force.
    let target = arrive(Target::Point(vec2(20.0, 0.0)), 40.0);
    let pass = |weight| {
        let mut setup = lone(List::default().weighted(weight, target));
        setup.groups[0].velocity = StartVelocity::Same(vec2(1.0, 0.0));
        setup.groups[0].radius = Distribution::Same(1.0);
        arrivals(&mut Crowd::new(setup).unwrap(), 60).len()
    };
    assert_eq!([pass(0.0), pass(1.0)], [0, 1]);
    // The weight of an outer list counts, too.
    let inner = List::default().with(target);
    let mut setup = lone(List::default().nested(0.0, inner));
    setup.groups[0].velocity = StartVelocity::Same(vec2(1.0, 0.0));
    assert_eq!(arrivals(&mut Crowd::new(setup).unwrap(), 60).len(), 0);
}

#[test]
fn an_arrive_that_priority_does_not_evaluate_raises_no_arrival() {
    let target = arrive(Target::Point(vec2(20.0, 0.0)), 40.0);
    // The first force wins at every tick, and leads through the target of the second behavior.
    let first = |within| Seek { target: Target::Point(vec2(500.0, 0.0)), within };
    let pass = |combine, within| {
        let mut setup = lone(List::new(combine).with(first(within)).with(target));
        setup.groups[0].radius = Distribution::Same(5.0);
        arrivals(&mut Crowd::new(setup).unwrap(), 100).len()
    };
    assert_eq!(pass(Combine::Priority, f32::INFINITY), 0);
    assert_eq!(pass(Combine::Sum, f32::INFINITY), 1);
    // If the first behavior has no force the second is evaluated.
    assert_eq!(pass(Combine::Priority, 1.0), 1);
}

#[test]
fn a_second_target_less_than_a_slowing_radius_away_raises_another_arrival() {
    let start = || {
        let target = arrive(Target::Point(vec2(90.0, 0.0)), 40.0);
        let mut crowd = Crowd::new(lone(List::default().with(target))).unwrap();
        assert_eq!(arrivals(&mut crowd, 300).len(), 1);
        crowd
    };
    let mut crowd = start();
    let set = |crowd: &mut Crowd<Vec2>, x| {
        let key_path = "group[0].steer[0].arrive.target".to_string();
        crowd.apply(&Command::Set { key_path, value: Setting::Point(vec2(x, 0.0)) }).unwrap();
    };
    set(&mut crowd, 100.0);
    assert_eq!(arrivals(&mut crowd, 300).len(), 1);
    // A target that moves by less than the arrival distance raises no second arrival.
    set(&mut crowd, 100.1);
    assert_eq!(arrivals(&mut crowd, 300).len(), 0);
    // A crowd restored from a snapshot before the arrival also raises it.
    set(&mut crowd, 80.0);
    let snapshot = crowd.snapshot();
    let found = arrivals(&mut crowd, 300);
    assert_eq!(found.len(), 1);
    crowd.restore(&snapshot).unwrap();
    assert_eq!(arrivals(&mut crowd, 300), found);

    // The pointer, moved by `set_pointer` and by its track.
    let mut setup = lone(List::default().with(arrive(Target::Pointer, 40.0)));
    setup.pointer = Some(Track {
        points: vec![(0.0, vec2(90.0, 0.0)), (199.0, vec2(90.0, 0.0)), (200.0, vec2(70.0, 0.0))],
    });
    let mut crowd = Crowd::new(setup).unwrap();
    assert_eq!(arrivals(&mut crowd, 400).len(), 2);
    crowd.set_pointer(Some(vec2(60.0, 0.0)));
    assert_eq!(arrivals(&mut crowd, 300).len(), 1);
}

#[test]
fn a_pointer_that_is_not_finite_is_ignored() {
    let mut crowd = Crowd::new(lone(List::default())).unwrap();
    crowd.set_pointer(Some(vec2(3.0, 4.0)));
    for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        crowd.set_pointer(Some(vec2(x, 4.0)));
        assert_eq!(crowd.pointer(), Some(vec2(3.0, 4.0)), "{x}");
    }
    crowd.set_pointer(None);
    assert_eq!(crowd.pointer(), None);
}

/// Two bodies of radius 2 that meet head on, and a third that follows the first; `order` is the
/// order of the groups.
fn meeting(edge: Edge, contacts: [bool; 3]) -> Crowd<Vec2> {
    let bodies = [(10.0, 1.0), (20.0, -1.0), (0.0, 2.0)];
    let groups = bodies.iter().zip(contacts).enumerate().map(|(i, ((x, speed), contacts))| {
        let mut body = group(&format!("g{i}"), &[vec2(*x, 50.0)]);
        body.velocity = StartVelocity::Same(vec2(*speed, 0.0));
        (body.radius, body.contacts) = (Distribution::Same(2.0), contacts);
        body
    });
    let setup = Setup { groups: groups.collect(), bounds: box_of(edge), ..Setup::default() };
    Crowd::new(setup).unwrap()
}

fn contacts(crowd: &mut Crowd<Vec2>, ticks: u64) -> Vec<(u64, u32, u32)> {
    let mut found = Vec::new();
    while crowd.tick() < ticks {
        crowd.step();
        found.extend(crowd.events().iter().filter_map(|event| match *event {
            Event::Contact { id, other } => Some((crowd.tick(), id.0, other.0)),
            _ => None,
        }));
    }
    found
}

#[test]
fn bodies_that_begin_to_touch_raise_one_event_for_a_pair_with_contacts() {
    // 0 and 1 are 4 apart after three ticks; 2 reaches 1 after six, and 0 after six as well.
    let all = [(3, 0, 1), (6, 0, 2), (6, 1, 2)];
    assert_eq!(contacts(&mut meeting(Edge::Open, [true; 3]), 9), all);
    assert_eq!(contacts(&mut meeting(Edge::Open, [true, false, false]), 9), [all[0], all[1]]);
    assert_eq!(contacts(&mut meeting(Edge::Open, [false; 3]), 9), []);
    // Bodies that leave each other and come back touch again, also across the edge: after 50 ticks
    // 0 and 1 meet on the other side of the world.
    let across = contacts(&mut meeting(Edge::Wrap, [true, false, false]), 60);
    let first: Vec<_> = across.iter().filter(|(_, _, other)| *other == 1).collect();
    assert_eq!(first, [&(3, 0, 1), &(53, 0, 1)]);
}

#[test]
fn contacts_follow_from_a_snapshot_and_do_not_depend_on_larger_bodies_or_rows() {
    let mut crowd = meeting(Edge::Open, [true; 3]);
    crowd.set_radius(1, Some(5.0)).unwrap();
    let mut other = crowd.clone();
    assert!(contacts(&mut crowd, 1).is_empty());
    let snapshot = crowd.snapshot();
    let rest = contacts(&mut crowd, 9);
    assert_eq!(rest[0], (2, 0, 1));
    crowd.restore(&snapshot).unwrap();
    assert_eq!(contacts(&mut crowd, 9), rest);
    assert_eq!(contacts(&mut other, 9), rest);
}

/// A player at x = 9, whose contacts raise events, and a body that stands at 0, both of radius 2.
fn player_and_other() -> Crowd<Vec2> {
    let mut groups = [("player", 9.0), ("other", 0.0)].map(|(name, x)| {
        let mut body = group(name, &[vec2(x, 0.0)]);
        body.radius = Distribution::Same(2.0);
        body
    });
    groups[0].contacts = true;
    Crowd::new(Setup { groups: groups.into(), ..Setup::default() }).unwrap()
}

#[test]
fn a_player_that_is_put_into_touch_raises_one_contact_and_again_after_it_was_apart() {
    // The player comes up to a body that stands, stays a while and goes away, twice.
    let way = [8.0, 5.0, 3.9, 3.5, 3.5, 3.6, 3.7, 3.5, 6.0, 9.0, 3.8, 3.8, 8.0];
    let mut crowd = player_and_other();
    let (mut found, mut restored) = (Vec::new(), Vec::new());
    for x in way {
        crowd.put(0, vec2(5.0, 0.0), None).unwrap();
        crowd.put(0, vec2(x, 0.0), None).unwrap();
        let snapshot = crowd.snapshot();
        let tick = crowd.tick() + 1;
        found.extend(contacts(&mut crowd, tick));
        let after = crowd.snapshot();
        crowd.restore(&snapshot).unwrap();
        restored.extend(contacts(&mut crowd, tick));
        assert_eq!(crowd.snapshot(), after);
    }
    assert_eq!(found, [(3, 0, 1), (11, 0, 1)]);
    assert_eq!(restored, found);
}

#[test]
fn a_player_that_a_host_puts_back_in_each_tick_stays_in_touch() {
    // In each tick it moves into touch by its own velocity.
    let mut crowd = player_and_other();
    let mut found = Vec::new();
    for tick in 1..=5 {
        crowd.put(0, vec2(4.5, 0.0), Some(vec2(-1.0, 0.0))).unwrap();
        found.extend(contacts(&mut crowd, tick));
    }
    assert_eq!(found, [(1, 0, 1)]);
}
