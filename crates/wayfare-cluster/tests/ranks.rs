//! The exchange between ranks: agents, copies, contacts, commands, events, sources.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use wayfare::behavior::{Arrive, Flock, OffsetPursue, Pursue, Wander};
use wayfare::crowd::{
    AgentChange, Arrivals, Bodies, Command, Distribution, Event, Exit, Group, Line, MAX_AGENTS,
    Rhythm, Setup, Source, Spawn, StartVelocity,
};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, Vec3, vec2};
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{AgentId, Crowd, GroupId, List, Order, Vector};
use wayfare_cluster::{Cluster, ClusterError, Settings, ThreadLink, Usage, in_threads};

const OFTEN: Settings = Settings { imbalance: 0.1, rebalance_every: Some(7) };

fn world<V: Vector>(edge: Edge) -> Option<Bounds<V>> {
    Some(Bounds { min: V::ZERO, max: V::from_fn(|_| 100.0), edge })
}

fn birds<V: Vector>(count: usize) -> Group<V> {
    let sky = Shape::box_between(V::ZERO, V::from_fn(|_| 100.0));
    let mut birds = Group::new("birds", count, Spawn::Inside(sky), 3.0);
    birds.velocity = StartVelocity::Random;
    birds.max_force = Distribution::Same(1.0);
    birds.steer = List::default().with(Flock::default().radius(12.0)).weighted(
        0.1,
        Wander::default().circle_distance(20.0).circle_radius(4.0).angle_change(0.5),
    );
    birds
}

fn flock<V: Vector>(edge: Edge) -> Setup<V> {
    Setup { dt: 0.5, seed: 5, bounds: world(edge), groups: vec![birds(400)], ..Setup::default() }
}

/// People who press through a door, so that pushes go on over several bodies.
fn pressing() -> Setup<Vec2> {
    let hall = Shape::box_between(vec2(2.0, 2.0), vec2(30.0, 30.0));
    let mut people = Group::new("people", 150, Spawn::Inside(hall), 6.0);
    people.radius = Distribution::Uniform(0.3, 0.8);
    people.steer = List::default().with(Arrive::new(vec2(40.0, 16.0)));
    let wall = |from, to| Shape::Segment { from, to, thickness: 0.2 };
    Setup {
        dt: 0.1,
        bodies: Bodies { solid: true, ..Bodies::default() },
        obstacles: vec![
            wall(vec2(32.0, 0.0), vec2(32.0, 14.0)),
            wall(vec2(32.0, 18.0), vec2(32.0, 40.0)),
        ],
        groups: vec![people],
        ..Setup::default()
    }
}

/// A crowd that agents enter and leave, with a line in the middle.
fn station() -> Setup<Vec2> {
    let mut people = Group::new("people", 0, Spawn::Points(Vec::new()), 2.0);
    people.steer =
        List::default().with(Arrive::new(vec2(90.0, 50.0))).with(Flock::default().radius(6.0));
    let area = Shape::box_between(vec2(2.0, 20.0), vec2(12.0, 80.0));
    let arrivals =
        Arrivals::Rate { rate: 3.0, from: 0.0, until: f64::INFINITY, rhythm: Rhythm::Random };
    let exit = Shape::box_between(vec2(80.0, 40.0), vec2(100.0, 60.0));
    let line = |name: &str, x| Line::new(name, vec2(x, 0.0), vec2(x, 100.0));
    Setup {
        dt: 0.5,
        seed: 3,
        bounds: world(Edge::Wall),
        groups: vec![people],
        sources: vec![Source::new(area, GroupId(0), arrivals).most(40)],
        exits: vec![Exit::new(exit)],
        lines: vec![line("first", 30.0), line("second", 60.0)],
        ..Setup::default()
    }
}

/// Runs `work` with so many ranks; all of them have the same result.
fn in_ranks<V: Vector, T: Send + PartialEq + std::fmt::Debug>(
    setup: &Setup<V>,
    ranks: usize,
    work: impl Fn(&mut Cluster<V, ThreadLink>) -> T + Sync,
) -> T {
    let results = in_threads(ranks, |link| {
        let mut cluster = Cluster::new(setup.clone(), link, OFTEN).unwrap();
        work(&mut cluster)
    });
    let mut results = results.into_iter();
    let first = results.next().unwrap();
    assert!(results.all(|other| other == first), "ranks differ");
    first
}

fn digest_after<V: Vector>(setup: &Setup<V>, ranks: usize, ticks: usize) -> (u64, Usage) {
    in_threads(ranks, |link| {
        let mut cluster = Cluster::new(setup.clone(), link, OFTEN).unwrap();
        (0..ticks).for_each(|_| cluster.step().unwrap());
        (cluster.digest().unwrap(), cluster.usage())
    })
    .into_iter()
    .reduce(|all, one| {
        assert_eq!(all.0, one.0, "ranks differ");
        (all.0, Usage { moved: all.1.moved + one.1.moved, ..all.1 })
    })
    .unwrap()
}

fn alone<V: Vector>(setup: &Setup<V>, ticks: usize) -> Crowd<V> {
    let mut crowd = Crowd::new(setup.clone()).unwrap();
    (0..ticks).for_each(|_| crowd.step());
    crowd
}

fn assert_flocks_move_alike<V: Vector>() {
    for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
        let setup = flock::<V>(edge);
        let expected = alone(&setup, 100).digest();
        for ranks in [2, 5] {
            let (digest, usage) = digest_after(&setup, ranks, 100);
            assert_eq!(digest, expected, "{edge:?}, {ranks} ranks");
            assert!(usage.moved > 100, "{usage:?}");
        }
    }
}

#[test]
fn a_flock_has_the_same_digest_in_the_plane_and_in_space_with_all_edges() {
    assert_flocks_move_alike::<Vec2>();
    assert_flocks_move_alike::<Vec3>();
}

#[test]
fn solid_bodies_push_one_another_across_borders_to_the_same_bits() {
    let setup = pressing();
    let expected = alone(&setup, 200);
    for ranks in [2, 3, 6] {
        let (digest, deepest) = in_ranks(&setup, ranks, |cluster| {
            (0..200).for_each(|_| cluster.step().unwrap());
            (cluster.digest().unwrap(), cluster.crowd().deepest_overlap())
        });
        assert_eq!(digest, expected.digest(), "{ranks} ranks");
        assert_eq!(deepest, expected.deepest_overlap());
    }
}

#[test]
fn the_nearest_member_at_any_distance_is_found_across_all_borders() {
    let mut setup = flock::<Vec2>(Edge::Wrap);
    let mut hawks = Group::new("hawks", 12, setup.groups[0].spawn.clone(), 4.0);
    hawks.steer = List::default().with(Pursue::new(GroupId(0)));
    setup.groups.push(hawks);
    // All members are copied, or only those that may be the nearest ones, also of birds that are
    // far from all hawks.
    let corner = Shape::box_between(vec2(0.0, 0.0), vec2(8.0, 8.0));
    let far = Shape::box_between(vec2(40.0, 30.0), vec2(60.0, 60.0));
    let sky = Shape::box_between(vec2(0.0, 0.0), vec2(100.0, 100.0));
    let cases = [
        (30, &sky, 12, &sky, 20.0, 42.0),
        (1_500, &sky, 12, &sky, 200.0, 1_100.0),
        (1_200, &corner, 800, &far, 200.0, 1_500.0),
    ];
    let ticks = 40_u32;
    for (count, birds, hunters, hawks, least, most) in cases {
        (setup.groups[0].count, setup.groups[1].count) = (count, hunters);
        setup.bounds = world(if hunters > count / 2 { Edge::Wall } else { Edge::Wrap });
        setup.groups[0].spawn = Spawn::Inside(birds.clone());
        setup.groups[1].spawn = Spawn::Inside(hawks.clone());
        let (digest, usage) = digest_after(&setup, 4, ticks as usize);
        assert_eq!(digest, alone(&setup, ticks as usize).digest(), "{count} birds");
        let copies = usage.copies as f64 / f64::from(ticks);
        assert!((least..most).contains(&copies), "{copies} copies a tick of {count} birds");
    }
}

#[test]
fn a_leader_beyond_the_reach_of_its_followers_is_not_gone_on_other_ranks() {
    let mut setup = flock::<Vec2>(Edge::Wall);
    setup.groups[0].steer =
        List::default().with(OffsetPursue { within: 5.0, ..OffsetPursue::new(GroupId(1)) });
    setup.groups.push(Group::new("leader", 1, Spawn::points([vec2(1.0, 1.0)]), 1.0));
    let digest = alone(&setup, 20).digest();
    assert_eq!(digest_after(&setup, 4, 20).0, digest);
}

#[test]
fn sources_exits_and_lines_count_as_in_one_process() {
    let setup = station();
    let whole = alone(&setup, 200);
    let (turned_away, left) = (whole.sources()[0].turned_away, whole.exits()[0].left);
    assert!(turned_away > 10 && left > 10, "{turned_away} {left}");
    let expected = (whole.digest(), whole.counts());
    for ranks in [1, 3, 4] {
        let found = in_ranks(&setup, ranks, |cluster| {
            (0..200).for_each(|_| cluster.step().unwrap());
            (cluster.digest().unwrap(), cluster.counts().unwrap())
        });
        assert_eq!(found, expected, "{ranks} ranks");
    }
}

#[test]
fn the_events_of_a_tick_are_those_of_one_process() {
    let mut setup = station();
    let mut guests = Group::new("guests", 5, Spawn::Inside(setup.sources[0].area.clone()), 2.0);
    guests.steer = List::default().with(Arrive::new(vec2(50.0, 90.0)));
    setup.groups.push(guests);
    setup.sources[0].most = 1_000;
    let mut whole = Crowd::new(setup.clone()).unwrap();
    let expected: Vec<Vec<Event>> = (0..150)
        .map(|_| {
            whole.step();
            whole.events().to_vec()
        })
        .collect();
    let all = expected.iter().flatten();
    let group_arrived = |event: &&Event| matches!(event, Event::GroupArrived { .. });
    assert_eq!(all.clone().filter(group_arrived).count(), 1);
    let entered = |event: &Event| matches!(event, Event::Entered { .. });
    let both = |tick: &[Event]| tick.iter().any(entered) && tick.iter().any(|e| group_arrived(&e));
    assert!(expected.iter().any(|tick| both(tick)), "no agent enters as the group arrives");
    assert!(all.clone().any(|event| matches!(event, Event::Crossed { .. })));
    let found = in_ranks(&setup, 3, |cluster| -> Vec<Vec<Event>> {
        let tick = |_| {
            cluster.step().unwrap();
            cluster.events().unwrap()
        };
        (0..150).map(tick).collect()
    });
    assert_eq!(found, expected);
}

#[test]
fn agents_arrive_at_moving_agents_of_other_ranks_in_the_ticks_of_one_process() {
    let mut setup = flock::<Vec2>(Edge::Wrap);
    setup.groups[0].count = 120;
    let mut couriers = birds(120);
    couriers.name = "couriers".to_string();
    couriers.max_speed = Distribution::Same(8.0);
    couriers.max_force = Distribution::Same(6.0);
    couriers.radius = Distribution::Same(3.0);
    couriers.steer = List::default().with(Arrive::new(wayfare::parameter::Target::Order));
    setup.groups.push(couriers);
    let orders: Vec<Command<Vec2>> = (0..120)
        .map(|index| {
            let change = AgentChange::Order(Some(Order::Agent(AgentId((index * 7) % 120))));
            Command::Agent { id: AgentId(120 + index), change }
        })
        .collect();
    let mut whole = Crowd::new(setup.clone()).unwrap();
    orders.iter().for_each(|order| {
        whole.apply(order).unwrap();
    });
    let mut expected = Vec::new();
    for _ in 0..60 {
        whole.step();
        expected.push(whole.events().to_vec());
    }
    let arrivals = expected.iter().flatten().filter(|e| matches!(e, Event::Arrived { .. })).count();
    assert!(arrivals > 60, "{arrivals} arrivals");
    let found = in_ranks(&setup, 4, |cluster| -> Vec<Vec<Event>> {
        orders.iter().for_each(|order| {
            cluster.apply(order).unwrap();
        });
        let tick = |_| {
            cluster.step().unwrap();
            cluster.events().unwrap()
        };
        (0..60).map(tick).collect()
    });
    assert_eq!(found, expected);
}

/// Commands at their ticks.
fn commands() -> Vec<(u64, Command<Vec2>)> {
    let ordered = |id, order| Command::Agent { id: AgentId(id), change: AgentChange::Order(order) };
    let mut more = birds(20);
    more.name = "more".to_string();
    vec![
        (3, Command::Pointer(Some(vec2(10.0, 10.0)))),
        (5, Command::Add { group: "birds".into(), position: vec2(99.0, 1.0), velocity: None }),
        (8, Command::AddGroup(Box::new(more))),
        (9, Command::Remove(AgentId(7))),
        (12, Command::Add { group: "more".into(), position: vec2(5.0, 95.0), velocity: None }),
        (15, Command::Move { id: AgentId(30), position: vec2(1.0, 1.0), velocity: None }),
        (20, Command::AddObstacle(Shape::Circle { center: vec2(50.0, 50.0), radius: 8.0 })),
        (25, ordered(40, Some(Order::Agent(AgentId(390))))),
        (26, ordered(41, Some(Order::Agent(AgentId(42))))),
        (40, Command::Remove(AgentId(42))),
    ]
}

fn followers() -> Setup<Vec2> {
    let mut setup = flock::<Vec2>(Edge::Wrap);
    let chase = Arrive::new(wayfare::parameter::Target::Order);
    setup.groups[0].steer = List::default().with(Flock::default().radius(12.0)).with(chase);
    setup
}

#[test]
fn commands_have_the_same_effect_on_whatever_rank_the_agent_is() {
    let setup = followers();
    let commands = commands();
    let due = |tick| commands.iter().filter(move |(at, _)| *at == tick).map(|(_, command)| command);
    let mut whole = Crowd::new(setup.clone()).unwrap();
    let mut lost = 0;
    for tick in 0..80 {
        due(tick).for_each(|command| {
            whole.apply(command).unwrap();
        });
        whole.step();
        lost += whole.events().iter().filter(|e| matches!(e, Event::TargetLost { .. })).count();
    }
    assert_eq!(lost, 1);
    for ranks in [1, 2, 5] {
        let found = in_ranks(&setup, ranks, |cluster| {
            for tick in 0..80 {
                due(tick).for_each(|command| {
                    cluster.apply(command).unwrap();
                });
                cluster.step().unwrap();
            }
            cluster.digest().unwrap()
        });
        assert_eq!(found, whole.digest(), "{ranks} ranks");
    }
}

#[test]
fn a_command_that_is_refused_changes_nothing_on_any_rank() {
    let setup = followers();
    let missing = AgentId(4_000);
    let change = AgentChange::Stat("hunger".to_string(), 1.0);
    // Each rank alone would have room for them.
    let many = Group { name: "many".to_string(), ..birds(MAX_AGENTS - 300) };
    let refused = [
        Command::AddGroup(Box::new(many)),
        Command::Agent { id: AgentId(399), change },
        Command::Remove(missing),
        Command::Agent { id: AgentId(1), change: AgentChange::Order(Some(Order::Agent(missing))) },
        Command::Add { group: "fish".into(), position: Vec2::ZERO, velocity: None },
        Command::Move { id: AgentId(3), position: vec2(f32::NAN, 0.0), velocity: None },
        Command::RemoveGroup("fish".into()),
    ];
    let mut whole = Crowd::new(setup.clone()).unwrap();
    let errors: Vec<String> =
        refused.iter().map(|command| whole.apply(command).unwrap_err().to_string()).collect();
    let expected = alone(&setup, 3).digest();
    let found = in_ranks(&setup, 3, |cluster| {
        for (command, expected) in refused.iter().zip(&errors) {
            let error = cluster.apply(command).unwrap_err();
            assert!(matches!(error, ClusterError::Command(_)), "{error}");
            assert_eq!(error.to_string(), *expected, "{command:?}");
        }
        (0..3).for_each(|_| cluster.step().unwrap());
        cluster.digest().unwrap()
    });
    assert_eq!(found, expected);
}

#[test]
fn a_rank_that_ends_is_an_error_for_the_others() {
    let setup = flock::<Vec2>(Edge::Wrap);
    let ended = in_threads(3, |link| {
        let mut cluster = Cluster::new(setup.clone(), link, OFTEN).unwrap();
        for tick in 0..20 {
            if tick == 10 && cluster.rank() == 1 {
                return Ok::<_, ClusterError>(());
            }
            cluster.step()?;
        }
        Ok(())
    });
    let message = |rank: usize| ended[rank].as_ref().unwrap_err().to_string();
    assert_eq!(message(0), "rank 1 has ended before the others");
    assert_eq!(message(2), message(0));
}
