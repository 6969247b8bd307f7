//! Settings of single agents: orders, limits, states, stats, groups, facings, frozen agents.

use crate::parameter::Auto;
use glam::{Vec2, vec2};

use super::*;
use crate::behavior::{Arrive, Face, MatchVelocity, Navigate, Settle};
use crate::order::{Order, WithoutOrder};

fn arrive_at_order() -> Arrive<Vec2> {
    Arrive { target: Target::Order, slowing_radius: Auto::Fixed(20.0), within: f32::INFINITY }
}

/// Units of mass 2 that arrive at their orders, at `points`.
fn units(points: &[Vec2]) -> Group<Vec2> {
    let mut units = group("units", points);
    units.mass = Distribution::Same(2.0);
    units.steer = List::default().with(arrive_at_order());
    units
}

fn crowd_of(groups: Vec<Group<Vec2>>) -> Crowd<Vec2> {
    Crowd::new(Setup { groups, ..Setup::default() }).unwrap()
}

fn position(crowd: &Crowd<Vec2>, id: u32) -> Vec2 {
    crowd.get(id).unwrap().agent.position
}

fn steps(crowd: &mut Crowd<Vec2>, count: usize) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..count {
        crowd.step();
        events.extend_from_slice(crowd.events());
    }
    events
}

#[test]
fn each_agent_goes_where_its_own_order_says() {
    let mut follower = group("followers", &[vec2(0.0, 200.0)]);
    let path = FollowPath::new(PathId::ORDER);
    follower.steer = List::default().with(path);
    let setup = Setup {
        groups: vec![units(&[vec2(0.0, 0.0), vec2(0.0, 50.0), vec2(0.0, 100.0)]), follower],
        paths: vec![("beat".to_string(), Path::new(vec![vec2(60.0, 200.0)], 5.0, false))],
        ..Setup::default()
    };
    let mut crowd = Crowd::new(setup).unwrap();
    crowd.set_order(0, Some(Order::Point(vec2(100.0, 0.0)))).unwrap();
    crowd.set_order(1, Some(Order::Agent(AgentId(0)))).unwrap();
    crowd.set_order(3, Some(Order::Path(PathId(0)))).unwrap();
    steps(&mut crowd, 200);
    for (id, place) in [
        (0, vec2(100.0, 0.0)),
        (1, vec2(100.0, 0.0)),
        (2, vec2(0.0, 100.0)),
        (3, vec2(60.0, 200.0)),
    ] {
        assert!((position(&crowd, id) - place).length() < 0.1, "{id}: {}", position(&crowd, id));
    }
    assert_eq!(crowd.get(1).unwrap().order, Some(Order::Agent(AgentId(0))));
}

#[test]
fn a_behavior_with_a_quarry_pursues_the_agent_of_its_order() {
    let mut hunters = group("hunters", &[vec2(0.0, 0.0)]);
    hunters.steer = List::default().with(Pursue::new(GroupId::ORDER));
    let mut crowd = crowd_of(vec![hunters, group("prey", &[vec2(10.0, 0.0), vec2(-100.0, 0.0)])]);
    crowd.step();
    assert_eq!(position(&crowd, 0), Vec2::ZERO);
    // The agent of the order, although another member of the group is nearer.
    crowd.set_order(0, Some(Order::Agent(AgentId(2)))).unwrap();
    crowd.step();
    assert_eq!(position(&crowd, 0), vec2(-5.0, 0.0));
}

#[test]
fn a_guard_sees_the_agent_of_its_order_and_no_other() {
    let mut guard = group("guard", &[vec2(0.0, 0.0)]);
    guard.sight = Some(Perception { within: 15.0, ..Perception::new(Target::Order) });
    guard.steer = List::default().with(Seek::new(Target::LastSeen));
    let mut crowd = crowd_of(vec![guard, group("prey", &[vec2(10.0, 0.0), vec2(0.0, 10.0)])]);
    crowd.step();
    assert_eq!(position(&crowd, 0), Vec2::ZERO);
    crowd.set_order(0, Some(Order::Agent(AgentId(2)))).unwrap();
    crowd.step();
    crowd.step();
    assert!(position(&crowd, 0).y > 0.0 && position(&crowd, 0).x == 0.0);
}

#[test]
fn an_ordered_agent_is_followed_while_it_lives_and_lost_after() {
    let mut crowd = crowd_of(vec![units(&[vec2(0.0, 0.0), vec2(100.0, 0.0)])]);
    crowd.set_order(0, Some(Order::Agent(AgentId(1)))).unwrap();
    assert_eq!(steps(&mut crowd, 5), []);
    assert!(crowd.remove(1));
    let lost = Event::TargetLost { id: AgentId(0), target: AgentId(1) };
    assert_eq!(steps(&mut crowd, 40), [lost]);
    let left = crowd.get(0).unwrap();
    assert_eq!(left.order, None);
    // It holds.
    assert!(left.agent.velocity.length() < 1e-3 && left.agent.position.x < 80.0);
}

#[test]
fn without_an_order_members_hold_or_coast_or_have_the_target_of_their_group() {
    let moving = |without_order| {
        let mut units = units(&[vec2(0.0, 0.0)]);
        units.velocity = StartVelocity::Same(vec2(4.0, 0.0));
        units.without_order = without_order;
        let mut crowd = crowd_of(vec![units]);
        steps(&mut crowd, 60);
        crowd.get(0).unwrap().agent
    };
    // Of mass 2, so that the velocity is halved at each tick.
    let held = moving(WithoutOrder::Hold);
    assert!(held.velocity.length() < 1e-6 && (held.position.x - 4.0).abs() < 1e-4);
    assert_eq!(moving(WithoutOrder::Coast).position, vec2(240.0, 0.0));
    let to_point = moving(WithoutOrder::Target(Target::Point(vec2(0.0, 50.0))));
    assert_near(to_point.position, vec2(0.0, 50.0));
}

#[test]
fn every_new_order_is_arrived_at_however_near_it_is() {
    let mut crowd = crowd_of(vec![units(&[vec2(0.0, 0.0)])]);
    let arrived = [Event::Arrived { id: AgentId(0) }, Event::GroupArrived { group: GroupId(0) }];
    crowd.set_order(0, Some(Order::Point(vec2(40.0, 0.0)))).unwrap();
    assert_eq!(steps(&mut crowd, 100), arrived);
    for _ in 0..2 {
        crowd.set_order(0, Some(Order::Point(vec2(40.05, 0.0)))).unwrap();
        assert_eq!(steps(&mut crowd, 20), arrived);
    }
    crowd.set_order(0, None).unwrap();
    assert_eq!(steps(&mut crowd, 20), []);
}

#[test]
fn a_behavior_of_weight_zero_or_behind_another_one_does_not_arrive() {
    let run = |steer: List<Vec2>| {
        let mut units = units(&[vec2(0.0, 0.0)]);
        units.steer = steer;
        let mut crowd = crowd_of(vec![units]);
        crowd.set_order(0, Some(Order::Point(vec2(0.0, 0.0)))).unwrap();
        steps(&mut crowd, 3)
    };
    assert_eq!(run(List::default().with(arrive_at_order())).len(), 2);
    assert_eq!(run(List::default().weighted(0.0, arrive_at_order())), []);
    let first = seek(vec2(90.0, 0.0));
    assert_eq!(run(List::new(Combine::Priority).with(first).with(arrive_at_order())), []);
    let settle = Settle::new(Target::Order).radius(20.0);
    assert_eq!(run(List::default().with(settle.clone())).len(), 2);
    assert_eq!(run(List::default().weighted(0.0, settle)), []);
}

#[test]
fn twenty_agents_that_settle_at_one_place_give_twenty_arrivals() {
    let points: Vec<Vec2> =
        (0..20).map(|i| vec2((i % 5) as f32 * 12.0, (i / 5) as f32 * 12.0)).collect();
    let mut settlers = group("settlers", &points);
    settlers.radius = Distribution::Same(3.0);
    settlers.max_speed = Distribution::Same(2.0);
    settlers.mass = Distribution::Same(4.0);
    settlers.steer = List::default().with(Settle::new(Target::Order).radius(40.0));
    let mut crowd = crowd_of(vec![settlers]);
    let place = vec2(150.0, 40.0);
    (0..20).for_each(|id| crowd.set_order(id, Some(Order::Point(place))).unwrap());
    let events = steps(&mut crowd, 600);
    let mut arrived: Vec<u32> = { events.iter() }
        .filter_map(|event| if let Event::Arrived { id } = event { Some(id.0) } else { None })
        .collect();
    arrived.sort_unstable();
    assert_eq!(arrived, (0..20).collect::<Vec<_>>());
    let all = { events.iter() }.filter(|event| matches!(event, Event::GroupArrived { .. }));
    assert_eq!(all.count(), 1);
    // At once again at the next order, which is near for all of them.
    (0..20).for_each(|id| crowd.set_order(id, Some(Order::Point(place))).unwrap());
    assert_eq!(steps(&mut crowd, 1).len(), 21);
}

#[test]
fn each_of_many_that_come_from_one_side_arrives_once_where_others_leave_it_no_way_on() {
    let points: Vec<Vec2> = (0..40).map(|i| vec2((i % 5) as f32, (i / 5) as f32) * 14.0).collect();
    for navigates in [false, cfg!(feature = "navigation")] {
        let (settle, way) = (Settle::new(Target::Order), Navigate::new(Target::Order));
        let list = if navigates { List::default().with(way) } else { List::default() };
        let units = group("units", &points).radius(6.0).mass(8.0).max_speed(3.0).max_force(3.0);
        let bodies = Bodies { solid: true, ..Bodies::default() };
        let groups = vec![Group { steer: list.with(settle), ..units }];
        let mut crowd = Crowd::new(Setup { bodies, groups, ..Setup::default() }).unwrap();
        (0..40).for_each(|id| crowd.set_order(id, Some(Order::Point(vec2(400.0, 40.0)))).unwrap());
        let events = steps(&mut crowd, 900);
        let arrived = events.iter().filter(|event| matches!(event, Event::Arrived { .. }));
        assert_eq!(arrived.count(), 40, "{navigates}");
        assert!(events.contains(&Event::GroupArrived { group: GroupId(0) }), "{navigates}");
    }
}

fn walk_and_run() -> Group<Vec2> {
    let mut units = units(&[vec2(0.0, 0.0), vec2(0.0, 30.0)]);
    units.velocity = StartVelocity::Same(vec2(5.0, 0.0));
    let state = |name: &str, max_speed, leave| State { max_speed, leave, ..State::new(name) };
    let after = |time: f64, to: usize| {
        vec![Transition { to: to.into(), when: Condition::TimeInState(time.into()) }]
    };
    units.without_order = WithoutOrder::Coast;
    units.states = vec![
        state("free", None, after(2.0, 1)),
        state("walk", Some(1.0), after(2.0, 2)),
        state("run", Some(8.0), Vec::new()),
    ];
    units
}

#[test]
fn a_limit_of_an_agent_wins_over_its_state_and_that_of_the_state_over_its_group() {
    let mut crowd = crowd_of(vec![walk_and_run()]);
    crowd.set_max_speed(1, Some(3.0)).unwrap();
    let speeds = |crowd: &Crowd<Vec2>| {
        [0, 1].map(|id| {
            let agent = crowd.get(id).unwrap().agent;
            (agent.max_speed, agent.velocity.x)
        })
    };
    assert_eq!(speeds(&crowd), [(5.0, 5.0), (3.0, 3.0)]);
    steps(&mut crowd, 2);
    assert_eq!(speeds(&crowd), [(5.0, 5.0), (3.0, 3.0)]);
    // In the tick in which the state is entered, its limit holds.
    crowd.step();
    assert_eq!(speeds(&crowd), [(1.0, 1.0), (3.0, 3.0)]);
    steps(&mut crowd, 2);
    assert_eq!(speeds(&crowd), [(8.0, 1.0), (3.0, 3.0)]);
    crowd.set_max_speed(1, None).unwrap();
    assert_eq!(speeds(&crowd)[1], (8.0, 3.0));
    // A command for the whole group changes those agents to which neither says otherwise.
    crowd.set_state(0, "free").unwrap();
    let set =
        Command::Set { key_path: "group[0].max_speed".to_string(), value: Setting::Number(2.0) };
    crowd.apply(&set).unwrap();
    assert_eq!(speeds(&crowd), [(2.0, 1.0), (8.0, 3.0)]);
}

#[test]
fn the_largest_speed_of_a_group_is_the_cap_for_its_members() {
    let named = |name: &str, group| Group { name: name.to_string(), ..group };
    let with_cap = named("capped", units(&[vec2(0.0, 0.0)]));
    let with_cap = Group { speed_cap: Some(9.0), ..with_cap };
    let walkers = named("walkers", walk_and_run());
    let mut crowd = crowd_of(vec![units(&[vec2(0.0, 0.0)]), with_cap, walkers]);
    let refused = |result: Result<(), ValidationError>| result.unwrap_err().to_string();
    assert_eq!(
        refused(crowd.set_max_speed(0, Some(5.5))),
        "max_speed: `max_speed` is 5.5; allowed: a speed above 0, up to 5, the `speed_cap` of \
         group \"units\""
    );
    let unit = crowd.world.groups[1].speed_unit;
    crowd.set_max_speed(1, Some(9.0)).unwrap();
    crowd.set_max_speed(2, Some(8.0)).unwrap();
    assert!(crowd.set_max_speed(2, Some(8.1)).is_err());
    assert_eq!(crowd.world.groups[1].speed_unit, unit);
    assert!(crowd.set_max_speed(1, Some(9.1)).is_err());
    assert!(crowd.set_max_speed(1, Some(f32::NAN)).is_err());
    // It cannot change to a group that is slower than its own max_speed.
    assert!(refused(crowd.set_group(1, 0)).contains("up to 5"));
    let faster =
        Command::Set { key_path: "group[1].max_speed".to_string(), value: Setting::Number(9.5) };
    assert!(crowd.apply(&faster).unwrap_err().to_string().contains("up to 9"));
    let slow = Group { speed_cap: Some(1.0), ..walk_and_run() };
    let error = Crowd::new(Setup { groups: vec![slow], ..Setup::default() }).unwrap_err();
    assert_eq!(error.0.len(), 2, "{error}");
}

#[test]
fn a_frozen_agent_neither_moves_nor_steers_nor_changes_its_state() {
    let mut walkers = walk_and_run();
    walkers.think_every = 3;
    let mut crowd = crowd_of(vec![walkers]);
    crowd.set_order(0, Some(Order::Point(vec2(99.0, 0.0)))).unwrap();
    crowd.step();
    crowd.set_frozen(0, true).unwrap();
    let before = *crowd.get(0).unwrap().agent.position.as_ref();
    assert_eq!(steps(&mut crowd, 9).iter().filter(|event| event.id().0 == 0).count(), 0);
    let frozen = crowd.get(0).unwrap();
    assert_eq!((*frozen.agent.position.as_ref(), frozen.agent.velocity), (before, Vec2::ZERO));
    assert_eq!((frozen.state, frozen.frozen), (Some("free"), true));
    assert!(crowd.put(0, vec2(1.0, 1.0), Some(vec2(1.0, 0.0))).is_err());
    crowd.put(0, vec2(1.0, 1.0), None).unwrap();
    crowd.set_frozen(0, false).unwrap();
    steps(&mut crowd, 9);
    assert!(position(&crowd, 0).x > 5.0);
}

#[test]
fn others_see_a_frozen_agent_at_rest_among_their_neighbors() {
    let flock = |frozen: bool| {
        let mut birds = group("birds", &[vec2(0.0, 0.0), vec2(3.0, 0.0)]);
        birds.velocity = StartVelocity::Same(vec2(0.0, 4.0));
        birds.steer = List::default().with(MatchVelocity::new(0));
        let mut crowd = crowd_of(vec![birds]);
        crowd.set_frozen(1, frozen).unwrap();
        crowd.step();
        crowd.get(0).unwrap().agent.velocity
    };
    assert_eq!(flock(false), vec2(0.0, 4.0));
    assert_eq!(flock(true), Vec2::ZERO);
}

#[test]
fn an_agent_that_changes_its_group_has_its_limits_lists_and_stats() {
    let stat = |name: &str, start: f32, max| Stat {
        name: name.to_string(),
        start: start.into(),
        min: 0.0,
        max,
    };
    let mut red = units(&[vec2(0.0, 0.0), vec2(20.0, 0.0)]);
    red.stats = vec![stat("ammo", 3.0, 9.0), stat("health", 80.0, 100.0)];
    let mut blue = group("blue", &[vec2(500.0, 0.0)]);
    blue.steer = List::default().with(seek(vec2(0.0, 90.0)));
    blue.max_speed = Distribution::Same(2.0);
    blue.stats = vec![stat("health", 50.0, 60.0), stat("gold", 7.0, 9.0)];
    let mut hunter = group("hunter", &[vec2(40.0, 0.0)]);
    hunter.steer =
        List::default().with(Seek { target: Target::Group(GroupId(1)), within: f32::INFINITY });
    let mut crowd = crowd_of(vec![red, blue, hunter]);
    crowd.set_mass(1, Some(7.0)).unwrap();
    crowd.step();
    crowd.set_group(1, 1).unwrap();
    let changed = crowd.get(1).unwrap();
    assert_eq!((changed.group, changed.stats), (GroupId(1), &[60.0, 7.0][..]));
    assert_eq!((changed.agent.max_speed, changed.agent.mass), (2.0, 7.0));
    let hunted_at = position(&crowd, 3).x;
    crowd.step();
    // It seeks as its new group does, and the hunter turns to it as the nearest member.
    assert!(position(&crowd, 1).y > 0.0 && position(&crowd, 3).x < hunted_at);
    assert_eq!(crowd.within(Vec2::ZERO, 600.0, Some(GroupId(1))).len(), 2);
}

#[test]
fn states_stats_and_facings_are_set_for_one_agent() {
    let mut walkers = walk_and_run();
    walkers.stats =
        vec![Stat { name: "stamina".to_string(), start: 5.0.into(), min: 0.0, max: 10.0 }];
    let mut turret = group("turret", &[vec2(9.0, 90.0)]);
    turret.steer = List::default()
        .with(Face { target: Target::Point(vec2(900.0, 90.0)), within: f32::INFINITY });
    turret.turn_rate = 1.0;
    let mut crowd = crowd_of(vec![walkers, turret, group("posts", &[vec2(0.0, 9.0)])]);
    crowd.set_state(1, "run").unwrap();
    crowd.set_stat(1, "stamina", 2.5).unwrap();
    assert_eq!(steps(&mut crowd, 1), []);
    let one = crowd.get(1).unwrap();
    assert_eq!((one.state, one.stats, one.agent.max_speed), (Some("run"), &[2.5][..], 8.0));
    crowd.set_facing(2, vec2(0.0, -3.0)).unwrap();
    crowd.set_facing(3, vec2(0.0, 2.0)).unwrap();
    crowd.step();
    assert_near(crowd.get(2).unwrap().agent.facing, Vec2::from_angle(-89.0_f32.to_radians()));
    assert_eq!(crowd.get(3).unwrap().agent.facing, Vec2::Y);
}

#[test]
fn a_refused_setting_says_why_and_changes_nothing() {
    let mut crowd = crowd_of(vec![walk_and_run(), group("posts", &[vec2(0.0, 9.0)])]);
    let before = crowd.snapshot();
    let refused = [
        crowd.set_order(7, None),
        crowd.set_order(0, Some(Order::Point(vec2(f32::NAN, 0.0)))),
        crowd.set_order(0, Some(Order::Agent(AgentId(0)))),
        crowd.set_order(0, Some(Order::Agent(AgentId(9)))),
        crowd.set_order(0, Some(Order::Path(PathId(0)))),
        crowd.set_mass(0, Some(0.0)),
        crowd.set_radius(0, Some(-1.0)),
        crowd.set_max_force(0, Some(f32::NAN)),
        crowd.set_state(0, "fly"),
        crowd.set_state(2, "fly"),
        crowd.set_stat(0, "ammo", 1.0),
        crowd.set_group(0, 5),
        crowd.set_facing(0, vec2(0.0, 0.0)),
        crowd.set_facing(0, vec2(0.0, 1.0)),
    ];
    let texts = refused.map(|result| result.unwrap_err().to_string());
    assert_eq!(
        texts,
        [
            "agent: there is no agent 7; allowed: the id of an agent that is in the crowd",
            "order: a coordinate of `order` is NaN; allowed: a length from -1e9 to 1e9",
            "order: agent 0 is ordered to itself; allowed: another agent of the crowd",
            "order: there is no agent 9; allowed: the id of an agent that is in the crowd",
            "order: there is no path 0; allowed: no path: there are none",
            "mass: `mass` is 0; allowed: a time above 0, up to 1e9",
            "radius: `radius` is -1; allowed: a length from 0 to 1e9",
            "max_force: `max_force` is NaN; allowed: a speed from 0 to 1e9, or inf",
            "state: group \"units\" has no state \"fly\"; allowed: \"free\", \"walk\", \"run\"",
            "state: group \"posts\" has no state \"fly\"; allowed: an agent of another group",
            "stat: group \"units\" has no stat \"ammo\"; allowed: an agent of another group",
            "group: there is no group 5; allowed: a group's index below 2",
            "facing: `facing` has no direction; allowed: not zero",
            "facing: the agent moves, and its group faces along its heading; allowed: an agent at \
             rest, or a group with a finite `turn_rate` or a behavior such as `face`",
        ]
    );
    assert_eq!(crowd.snapshot(), before);
}

#[test]
fn a_crowd_without_settings_of_single_agents_stores_none() {
    let mut crowd = crowd_of(vec![units(&[vec2(0.0, 0.0), vec2(9.0, 0.0)])]);
    crowd.step();
    assert_eq!((crowd.population.now.own.len(), crowd.population.now.own_width), (0, 0));
    crowd.set_frozen(0, true).unwrap();
    assert_eq!((crowd.population.now.own.len(), crowd.population.next.own.len()), (2, 2));
}

#[test]
fn a_copy_of_a_crowd_continues_with_the_same_bits_and_does_not_change_the_original() {
    for parts in [None, Some(1)] {
        let mut crowd = Crowd::new(mixed::<Vec2>(box_of(Edge::Wrap))).unwrap();
        steps(&mut crowd, 5);
        crowd.set_frozen(0, true).unwrap();
        // Also in the middle of a tick.
        parts.into_iter().for_each(|agents| assert!(!crowd.step_budgeted(agents)));
        let (before, mut copy) = (crowd.snapshot(), crowd.clone());
        #[cfg(feature = "parallel")]
        copy.set_threads(3).unwrap();
        steps(&mut copy, 20);
        assert_eq!(crowd.snapshot(), before);
        steps(&mut crowd, 20);
        assert_eq!((crowd.snapshot(), crowd.events()), (copy.snapshot(), copy.events()));
    }
}

#[test]
fn agents_inside_a_shape_are_found_in_open_and_wrapped_worlds() {
    let mut random = Random::new(3, 0, 0, 0);
    for edge in [Edge::Open, Edge::Wrap] {
        let mut crowd = Crowd::new(mixed::<Vec2>(box_of(edge))).unwrap();
        steps(&mut crowd, 3);
        for _ in 0..40 {
            let center = vec2(random.between(-10.0, 110.0), random.between(-10.0, 110.0));
            let half = vec2(random.between(1.0, 25.0), random.between(1.0, 25.0));
            let angle = random.between(0.0, 3.0);
            let shape = Shape::Box { center, half, angle };
            let body = Obstacle::in_space(shape.clone(), &crowd.world.space);
            // The body is at the image of the shape inside the bounds.
            let (low, high) = body.aabb();
            let is_inside = |p: Vec2| body.contains(crowd.world.space.image((low + high) * 0.5, p));
            let mut expected: Vec<u32> = { crowd.agents() }
                .filter(|(_, agent)| is_inside(agent.position))
                .map(|(id, _)| id.0)
                .collect();
            expected.sort_unstable();
            let found: Vec<u32> =
                crowd.inside(&shape, None).iter().map(|agent| agent.id.0).collect();
            assert_eq!(found, expected, "{shape:?}");
        }
    }
}

/// A game may step a crowd on a thread of its own, and with `std` read it from several.
const _: fn() = || {
    fn is_movable<T: Send>() {}
    is_movable::<Crowd<Vec2>>();
    #[cfg(feature = "std")]
    {
        fn is_shareable<T: Sync>() {}
        is_shareable::<Crowd<Vec2>>();
    }
};

#[test]
fn a_command_to_the_members_of_a_group_changes_all_of_them_or_none() {
    let squad = [vec2(0.0, 0.0), vec2(0.0, 9.0), vec2(0.0, 18.0)];
    let mut leader = units(&[vec2(50.0, 50.0)]);
    leader.name = "leader".to_string();
    let walkers = Group { name: "walkers".to_string(), ..walk_and_run() };
    let mut crowd = crowd_of(vec![units(&squad), leader, walkers]);
    let mut apply = |group: &str, change| {
        crowd.apply(&Command::Members { group: group.to_string(), change }).map(drop)
    };
    apply("units", AgentChange::Order(Some(Order::Point(vec2(90.0, 9.0))))).unwrap();
    apply("units", AgentChange::Limit(Limit::MaxSpeed, Some(1.5))).unwrap();
    // The leader is not led to itself.
    apply("leader", AgentChange::Order(Some(Order::Agent(AgentId(3))))).unwrap();
    apply("walkers", AgentChange::State("run".to_string())).unwrap();
    let text = |text: &str| text.to_string();
    for (group, change, words) in [
        ("crew", AgentChange::Order(None), "members: there is no group \"crew\""),
        ("units", AgentChange::Limit(Limit::Mass, Some(0.0)), "mass: `mass` is 0"),
        ("units", AgentChange::State(text("run")), "state: group \"units\" has no state \"run\""),
        ("units", AgentChange::Stat(text("hunger"), 1.0), "stat: group \"units\" has no stat"),
        ("units", AgentChange::Order(Some(Order::Agent(AgentId(77)))), "order: there is no agent"),
        ("units", AgentChange::Group(text("leader")), "group: `group` is a change of single"),
    ] {
        let error = apply(group, change).unwrap_err().to_string();
        assert!(error.starts_with(words), "{error}");
    }
    let state = |id: u32| crowd.get(id).unwrap();
    assert!((0..3).all(|id| crowd.own_limit(id, Limit::MaxSpeed) == Some(1.5)));
    assert!((0..3).all(|id| state(id).order == Some(Order::Point(vec2(90.0, 9.0)))));
    assert_eq!((state(3).order, state(4).state), (None, Some("run")));
}
