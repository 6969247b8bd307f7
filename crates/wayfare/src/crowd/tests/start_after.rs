//! Members that stand before they begin, and destinations of entering agents.

use glam::{Vec2, vec2};

use super::*;
use crate::order::Order;

/// A row of walkers along y that seek a point far along x, with these times.
fn walkers(start_after: StartAfter, count: usize) -> Group<Vec2> {
    let points: Vec<Vec2> = (0..count).map(|k| vec2(0.0, 10.0 * k as f32)).collect();
    let mut walkers = group("walkers", &points);
    walkers.velocity = StartVelocity::Same(vec2(0.0, 1.0));
    walkers.steer = List::default().with(Seek::new(vec2(1e6, 0.0)));
    walkers.start_after = start_after;
    walkers
}

fn crowd_of(groups: Vec<Group<Vec2>>) -> Crowd<Vec2> {
    Crowd::new(Setup { groups, dt: 0.5, seed: 3, ..Setup::default() }).unwrap()
}

/// The tick at which each agent first moves.
fn first_moves(mut crowd: Crowd<Vec2>, ticks: u64) -> Vec<u64> {
    let start: Vec<Vec2> = agents(&crowd).iter().map(|agent| agent.position).collect();
    let mut moved = vec![u64::MAX; start.len()];
    while crowd.tick() < ticks {
        let tick = crowd.tick();
        crowd.step();
        for (id, agent) in agents(&crowd).iter().enumerate() {
            if agent.position != start[id] {
                moved[id] = moved[id].min(tick);
            } else {
                assert_eq!((agent.velocity, agent.heading), (Vec2::ZERO, Vec2::Y));
            }
        }
    }
    moved
}

#[test]
fn a_member_stands_until_its_time_heads_along_its_velocity_and_then_walks() {
    let listed = StartAfter::Listed(vec![0.0, 1.0, 2.2]);
    assert_eq!(first_moves(crowd_of(vec![walkers(listed, 3)]), 9), [0, 2, 5]);
    let same = StartAfter::Drawn(1.5.into());
    assert_eq!(first_moves(crowd_of(vec![walkers(same, 2)]), 9), [3, 3]);
    let drawn = StartAfter::Drawn(Distribution::Uniform(1.0, 9.0));
    let moved = first_moves(crowd_of(vec![walkers(drawn, 40)]), 30);
    assert!(moved.iter().all(|tick| (2..=18).contains(tick)), "{moved:?}");
    assert!(moved.iter().collect::<alloc::collections::BTreeSet<_>>().len() > 8, "{moved:?}");
}

#[test]
fn a_member_that_waits_is_solid_and_others_see_it() {
    let mut waiting = walkers(StartAfter::Drawn(1e6.into()), 1);
    waiting.radius = 2.0.into();
    let mut other = group("other", &[vec2(-20.0, 0.0)]);
    (other.radius, other.max_force) = (2.0.into(), 5.0.into());
    other.steer = List::default().with(Seek::new(vec2(20.0, 0.0)));
    let bodies = Bodies { solid: true, ..Bodies::default() };
    let setup = Setup { groups: vec![waiting, other], bodies, ..Setup::default() };
    let mut crowd = Crowd::new(setup).unwrap();
    let found = crowd.nearest(vec2(-3.0, 0.0), None).unwrap();
    assert_eq!((found.id, found.starts_at), (AgentId(0), Some(1_000_000)));
    for _ in 0..60 {
        crowd.step();
        let [waiting, other] = agents(&crowd)[..] else { panic!("two") };
        assert!((waiting.position - other.position).length() > 3.9, "{waiting:?}, {other:?}");
        assert_eq!(waiting.velocity, Vec2::ZERO);
    }
    // It stands in the way and is pushed along.
    assert!(agents(&crowd)[0].position.x > 5.0, "{:?}", agents(&crowd)[0]);
}

#[test]
fn a_member_that_waits_does_not_change_its_state_and_its_time_in_it_begins_with_its_start() {
    let mut group = walkers(StartAfter::Drawn(2.0.into()), 1);
    let leave = vec![Transition { to: 1.into(), when: Condition::TimeInState(1.0.into()) }];
    group.states = vec![State { leave, ..State::new("early") }, State::new("late")];
    group.stats = vec![Stat::new("stamina", 9.0)];
    group.states[0].rates = vec![(0.into(), -1.0)];
    let mut crowd = crowd_of(vec![group]);
    let seen: Vec<_> = (0..8)
        .map(|_| {
            crowd.step();
            let agent = crowd.get(0).unwrap();
            (agent.state == Some("late"), agent.stats[0], agent.starts_at)
        })
        .collect();
    assert_eq!(seen[2], (false, 9.0, Some(4)));
    assert_eq!([seen[3].2, seen[4].2], [None, None]);
    assert_eq!((seen[4], seen[5]), ((false, 8.5, None), (false, 8.0, None)));
    assert!(seen[6].0);
}

#[test]
fn the_time_counts_from_the_entry_by_a_source_by_a_command_and_at_a_new_start() {
    let mut walkers = walkers(StartAfter::Drawn(2.0.into()), 0);
    walkers.steer = List::default().with(Seek::new(vec2(1e3, 0.0)));
    let arrivals = Arrivals::Schedule(vec![(1.0, 1)]);
    let spot = Shape::Circle { center: Vec2::ZERO, radius: 0.0 };
    let group = GroupId(0);
    let source = Source::new(spot.clone(), group, arrivals).most(9);
    let exit = Exit::new(Shape::Circle { center: vec2(6.0, 0.0), radius: 1.0 })
        .then(ExitAction::Respawn(spot));
    let setup = Setup {
        groups: vec![walkers],
        sources: vec![source],
        exits: vec![exit],
        dt: 0.5,
        ..Setup::default()
    };
    let mut crowd = Crowd::new(setup).unwrap();
    (0..2).for_each(|_| crowd.step());
    assert_eq!(crowd.get(0).unwrap().starts_at, Some(6));
    let added = crowd.add(0, vec2(0.0, 40.0), Some(vec2(1.0, 0.0))).unwrap();
    let agent = crowd.get(added).unwrap();
    assert_eq!((agent.starts_at, agent.agent.velocity), (Some(6), Vec2::ZERO));
    let error = crowd.put(added, vec2(0.0, 30.0), Some(vec2(1.0, 0.0))).unwrap_err();
    assert!(error.message.contains("has not started"), "{error}");
    while crowd.exits()[0].left == 0 {
        crowd.step();
    }
    let again = crowd.get(0).unwrap();
    assert_eq!(again.starts_at, Some(crowd.tick() + 4));
    assert_eq!((again.agent.position, again.agent.velocity), (Vec2::ZERO, Vec2::ZERO));
    // Another state ends the wait.
    let mut stated = self::walkers(StartAfter::Drawn(9.0.into()), 1);
    stated.states = vec![State::new("one"), State::new("two")];
    let mut crowd = crowd_of(vec![stated]);
    crowd.set_state(0, "two").unwrap();
    crowd.step();
    assert!(crowd.get(0).unwrap().agent.velocity.x > 0.0);
}

#[test]
fn a_list_of_times_has_one_for_each_member_and_goes_on_from_the_first() {
    let errors = |times: Vec<f32>, count| {
        let group = walkers(StartAfter::Listed(times), count);
        let errors = Setup { groups: vec![group], ..Setup::default() }.errors();
        errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(errors(vec![1.0, 2.0], 2).is_empty() && errors(vec![1.0, 2.0], 0).is_empty());
    assert!(errors(vec![1.0], 2)[0].contains("group[0].start_after.list"));
    assert!(errors(Vec::new(), 0)[0].contains("a time for each member"));
    assert!(errors(vec![1.0, -2.0], 2)[0].contains("start_after.list[1]"));
    let mut crowd = crowd_of(vec![walkers(StartAfter::Listed(vec![1.0, 2.0]), 2)]);
    let ids = [0, 1].map(|_| crowd.add(0, Vec2::ZERO, None).unwrap());
    let starts = ids.map(|id| crowd.get(id).unwrap().starts_at);
    assert_eq!(starts, [Some(2), Some(4)]);
}

#[test]
fn entering_agents_are_ordered_to_destinations_by_their_shares() {
    let mut people = group("people", &[]);
    people.steer = List::default().with(Seek::new(Target::Order));
    let (north, south, east) = (vec2(0.0, -1e6), vec2(0.0, 1e6), vec2(1e6, 0.0));
    let source = Source {
        area: Shape::Circle { center: Vec2::ZERO, radius: 1.0 },
        group: GroupId(0),
        arrivals: Arrivals::Schedule(vec![(1.0, 10_000)]),
        most: 10_000,
        apart: false,
        to: vec![(north, 0.7), (south, 0.2), (east, 0.1)],
    };
    let setup = Setup { groups: vec![people], sources: vec![source], seed: 11, ..Setup::default() };
    let mut crowd = Crowd::new(setup).unwrap();
    (0..3).for_each(|_| crowd.step());
    let mut counts = [0.0; 3];
    for id in 0..10_000 {
        let agent = crowd.get(id).unwrap();
        let drawn = [north, south, east].iter().position(|p| agent.order == Some(Order::Point(*p)));
        counts[drawn.unwrap()] += 1.0;
    }
    for (count, share) in counts.into_iter().zip([0.7_f64, 0.2, 0.1]) {
        let deviation = (10_000.0 * share * (1.0 - share)).sqrt();
        let off: f64 = count - 10_000.0 * share;
        assert!(off.abs() < 4.0 * deviation, "{count} of 10000 for a share of {share}");
    }
    assert!(counts[0] > 0.0 && crowd.get(0).unwrap().agent.velocity != Vec2::ZERO);
}

#[test]
fn a_destination_outside_the_range_and_a_share_of_zero_are_refused() {
    let source = Source {
        area: Shape::Circle { center: Vec2::ZERO, radius: 1.0 },
        group: GroupId(0),
        arrivals: Arrivals::Schedule(Vec::new()),
        most: 9,
        apart: false,
        to: vec![(vec2(f32::NAN, 0.0), 1.0), (Vec2::ZERO, 0.0)],
    };
    let groups = vec![group("people", &[])];
    let errors = Setup { groups, sources: vec![source], ..Setup::default() }.errors();
    let paths: Vec<_> = errors.iter().map(|error| error.key_path.to_string()).collect();
    assert_eq!(paths, ["source[0].to[0]", "source[0].to[1]"]);
}
