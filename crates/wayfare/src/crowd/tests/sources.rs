//! Sources, and transitions out of the crowd.

use glam::{Vec2, Vec3, vec2};

use super::*;
use crate::id::StateId;

fn rate(rate: f64, from: f64, until: f64, rhythm: Rhythm) -> Arrivals {
    Arrivals::Rate { rate, from, until, rhythm }
}

fn regular(per_time: f64) -> Arrivals {
    rate(per_time, 0.0, f64::INFINITY, Rhythm::Regular)
}

fn source<V: Vector>(arrivals: Arrivals, most: usize) -> Source<V> {
    Source::new(
        Shape::box_between(V::from_fn(|_| 10.0), V::from_fn(|_| 12.0)),
        GroupId(0),
        arrivals,
    )
    .most(most)
}

fn entering<V: Vector>(sources: Vec<Source<V>>) -> Setup<V> {
    let mut walkers = group("walkers", &[]);
    (walkers.velocity, walkers.max_force) =
        (StartVelocity::Same(V::X * 3.0), Distribution::Uniform(1.0, 2.0));
    Setup { groups: vec![walkers], sources, seed: 5, ..Setup::default() }
}

/// The number of agents after each of the first `ticks`.
fn counts(setup: Setup<Vec2>, ticks: usize) -> Vec<usize> {
    let mut crowd = Crowd::new(setup).unwrap();
    (0..ticks).map(|_| (crowd.step(), crowd.len()).1).collect()
}

#[test]
fn with_a_regular_rate_agents_enter_at_equal_intervals_between_from_and_until() {
    assert_eq!(counts(entering(vec![source(regular(0.5), 9)]), 6), [0, 1, 1, 2, 2, 3]);
    // From 2 on three agents enter in two units of time: at 2.67, 3.33 and 4; the rate ends at 4.5,
    // before the next arrival.
    assert_eq!(
        counts(entering(vec![source(rate(1.5, 2.0, 4.5, Rhythm::Regular), 9)]), 7),
        [0, 0, 1, 3, 3, 3, 3]
    );
    assert_eq!(
        counts(entering(vec![source(regular(2.5), 99), source(regular(1.0), 99)]), 4),
        [3, 7, 10, 14]
    );
    // With ticks of half the length half as many agents enter per tick, and the same number in
    // total.
    assert_eq!(
        counts(Setup { dt: 0.5, ..entering(vec![source(regular(1.0), 9)]) }, 6),
        [0, 1, 1, 2, 2, 3]
    );
    assert_eq!(counts(entering(vec![source(regular(0.0), 9)]), 3), [0, 0, 0]);
}

#[test]
fn with_a_schedule_the_given_numbers_of_agents_enter_at_the_given_times() {
    let schedule = Arrivals::Schedule(vec![(1.0, 2), (2.5, 1), (3.0, 0), (4.0, 3)]);
    assert_eq!(counts(entering(vec![source(schedule, 9)]), 6), [2, 2, 3, 6, 6, 6]);
}

#[test]
fn arrivals_beyond_the_largest_number_are_rejected_and_counted() {
    let mut crowd =
        Crowd::new(entering(vec![source(regular(2.0), 5), source::<Vec2>(regular(1.0), 4)]))
            .unwrap();
    (0..4).for_each(|_| crowd.step());
    // First two and one agents enter, then two by the first source only: the group of the second is
    // full.
    let counts: Vec<_> =
        crowd.sources().iter().map(|count| (count.entered, count.turned_away)).collect();
    assert_eq!((crowd.len(), counts), (5, vec![(4, 4), (1, 3)]));
    crowd.remove(0);
    crowd.step();
    assert_eq!((crowd.len(), crowd.sources()[0].entered), (5, 5));
}

#[test]
fn an_entering_agent_starts_in_the_area_with_its_groups_velocity_and_limits_drawn_by_id() {
    fn check<V: Vector>() {
        let mut crowd = Crowd::new(entering::<V>(vec![source(regular(2.0), 9)])).unwrap();
        crowd.step();
        assert_eq!(
            crowd.events(),
            [0, 1].map(|id| Event::Entered {
                id: AgentId(id),
                group: GroupId(0),
                source: SourceId(0)
            })
        );
        let [a, b] = agents(&crowd)[..] else { panic!("two") };
        for agent in [a, b] {
            assert!(
                (0..V::DIMENSION).all(|i| (10.0..=12.0).contains(&agent.position.axis(i))),
                "{agent:?}"
            );
            assert_eq!((agent.velocity, agent.heading), (V::X * 3.0, V::X));
            assert!((1.0..=2.0).contains(&agent.max_force));
        }
        assert!(a.position != b.position && a.max_force != b.max_force);
        // The agent equals one added at the same position by `add`.
        let id = crowd.add(0, a.position, None).unwrap();
        crowd.remove(id);
        crowd.step();
        assert_eq!(
            crowd.events(),
            [3, 4].map(|id| Event::Entered {
                id: AgentId(id),
                group: GroupId(0),
                source: SourceId(0)
            })
        );
    }
    check::<Vec2>();
    check::<Vec3>();
}

#[test]
fn in_a_wrapped_world_a_source_across_the_edge_adds_agents_on_both_sides() {
    let area = Shape::box_between(vec2(98.0, 40.0), vec2(103.0, 60.0));
    let sources = vec![Source { area, ..source(regular(20.0), 20) }];
    let mut crowd = Crowd::new(Setup { bounds: box_of(Edge::Wrap), ..entering(sources) }).unwrap();
    crowd.step();
    let (low, high): (Vec<f32>, Vec<f32>) =
        agents(&crowd).iter().map(|agent| agent.position.x).partition(|x| *x < 50.0);
    assert!(low.iter().all(|x| *x <= 3.0) && high.iter().all(|x| *x >= 98.0), "{low:?} {high:?}");
    assert!(low.len() > 5 && high.len() > 3);
}

#[test]
fn random_arrivals_have_the_mean_and_variance_of_the_poisson_distribution() {
    for mean in [0.3, 40.0] {
        let arrivals = rate(mean, 0.0, f64::INFINITY, Rhythm::Random);
        let drawn: Vec<f64> = (0..20_000)
            .map(|tick| arrivals.due(tick, 1.0, &mut Random::new(3, 0, tick, 9)) as f64)
            .collect();
        let found = drawn.iter().sum::<f64>() / 20_000.0;
        let variance = drawn.iter().map(|x| (x - found).powi(2)).sum::<f64>() / 20_000.0;
        // The standard error of the mean is (mean / 20,000)^(1/2): 0.0039 and 0.045; that of the
        // variance is 0.0049 and 0.4.
        assert!((found - mean).abs() < 5.0 * (mean / 20_000.0).sqrt(), "{found} of {mean}");
        assert!((variance - mean).abs() < 0.08 * mean, "{variance} of {mean}");
    }
    let mut crowd = Crowd::new(entering(vec![
        source::<Vec2>(
            rate(0.5, 0.0, f64::INFINITY, Rhythm::Random),
            999
        );
        2
    ]))
    .unwrap();
    (0..400).for_each(|_| crowd.step());
    let [a, b] = [0, 1].map(|s| crowd.sources()[s].entered);
    assert!(a != b && a.abs_diff(200) < 70 && b.abs_diff(200) < 70, "{a} {b}");
}

#[test]
fn a_snapshot_includes_the_counts_of_sources() {
    let setup = || {
        let mut setup =
            entering(vec![source::<Vec2>(rate(0.7, 0.0, f64::INFINITY, Rhythm::Random), 6)]);
        setup.exits = vec![Exit::new(Shape::box_between(vec2(25.0, 0.0), vec2(99.0, 99.0)))];
        setup
    };
    let mut first = Crowd::new(setup()).unwrap();
    (0..30).for_each(|_| first.step());
    let snapshot = first.snapshot();
    let mut other = Crowd::new(setup()).unwrap();
    other.restore(&snapshot).unwrap();
    for _ in 0..30 {
        first.step();
        other.step();
        assert_eq!(
            (first.digest(), first.events(), first.sources()),
            (other.digest(), other.events(), other.sources())
        );
    }
    assert!(first.sources()[0].turned_away > 0 && first.exits()[0].left > 10);
}

fn state<V: Vector>(leave: Vec<(TransitionTarget<V>, Condition<V>)>) -> State<V> {
    let leave = leave.into_iter().map(|(to, when)| Transition { to, when }).collect();
    State { leave, ..State::new("") }
}

#[test]
fn a_transition_out_of_the_crowd_removes_the_agent_at_the_end_of_the_tick() {
    fn check<V: Vector>() {
        // An ant moves to (10, 0); crumbs are at (9, 0) and (30, 0).
        let mut ant = group("ant", &[V::ZERO]);
        ant.velocity = StartVelocity::Same(V::X * 5.0);
        let mut crumbs = group("crumbs", &[V::X * 9.0, V::X * 30.0]);
        crumbs.states = vec![state(vec![(
            TransitionTarget::Out(ExitAction::Remove),
            Condition::Near(Target::Group(GroupId(0)), 1.0, None),
        )])];
        crumbs.states[0].name = "lie".to_string();
        let mut crowd = crowd(vec![ant, crumbs]);
        crowd.step();
        crowd.step();
        // The ant is near at the end of the second tick, so the third tick removes the crumb.
        assert_eq!((crowd.len(), crowd.events()), (3, &[][..]));
        crowd.step();
        assert_eq!(
            (crowd.len(), crowd.events()),
            (2, &[Event::Gone { id: AgentId(1), group: GroupId(1), state: StateId(0) }][..])
        );
        assert!(crowd.get(1).is_none());
    }
    check::<Vec2>();
    check::<Vec3>();
}

#[test]
fn a_transition_with_respawn_resets_the_agent_and_exits_do_not_count_it() {
    let home = Shape::box_between(vec2(-9.0, 20.0), vec2(-5.0, 22.0));
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    a.velocity = StartVelocity::Same(vec2(3.0, 0.0));
    let soon = (TransitionTarget::from(1), Condition::TimeInState(2.0.into()));
    a.states = vec![
        state(vec![soon]),
        state(vec![(
            TransitionTarget::Out(ExitAction::Respawn(home)),
            Condition::TimeInState(1.0.into()),
        )]),
    ];
    (a.states[0].name, a.states[1].name) = ("one".to_string(), "two".to_string());
    let exits = vec![Exit::new(Shape::box_between(vec2(11.0, -9.0), vec2(99.0, 9.0)))];
    let mut crowd = Crowd::new(Setup { exits, groups: vec![a], ..Setup::default() }).unwrap();
    (0..3).for_each(|_| crowd.step());
    assert_eq!(crowd.get(0).unwrap().state, Some("two"));
    // At tick 3 the agent has been in its state for 1; its step ends in the exit, at 12.
    crowd.step();
    assert_eq!(
        crowd.events(),
        [Event::Gone { id: AgentId(0), group: GroupId(0), state: StateId(1) }]
    );
    let again = crowd.get(0).unwrap();
    assert_eq!(
        (again.state, again.agent.velocity, crowd.exits()[0].left),
        (Some("one"), vec2(3.0, 0.0), 0)
    );
    assert!(
        (-9.0..=-5.0).contains(&again.agent.position.x)
            && (20.0..=22.0).contains(&again.agent.position.y)
    );
    // The time in the state has restarted, too.
    (0..3).for_each(|_| crowd.step());
    assert_eq!(
        (crowd.get(0).unwrap().state, crowd.events()),
        (
            Some("two"),
            &[Event::StateChanged { id: AgentId(0), from: StateId(0), to: StateId(1) }][..]
        )
    );
}

#[test]
fn errors_of_sources_name_the_key_path_the_value_and_the_allowed_range() {
    let faults = |arrivals, dt| {
        let mut setup = entering::<Vec2>(vec![source(arrivals, 9)]);
        (setup.dt, setup.sources[0].group) = (dt, GroupId(if dt == 1.0 { 0 } else { 3 }));
        setup.errors().into_iter().map(|fault| fault.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        faults(regular(2e4), 1.0),
        ["source[0].rate: `rate` is 20000, which is 20000 in a tick; allowed: at most 10000 in a \
          tick: a rate up to 10000"]
    );
    assert_eq!(
        faults(regular(-1.0), 1.0),
        ["source[0].rate: `rate` is -1; allowed: a number from 0 to 1e9"]
    );
    assert_eq!(
        faults(rate(1.0, 5.0, 4.0, Rhythm::Regular), 1.0),
        ["source[0].until: `until` is 4, before `from`; allowed: a time from 5, or inf"]
    );
    assert_eq!(
        faults(regular(1.0), 2.0),
        ["source[0].group: there is no group 3; allowed: an existing group"]
    );
    let schedule = faults(Arrivals::Schedule(vec![(0.0, 1), (5.0, 1), (5.0, MAX_AGENTS + 1)]), 1.0);
    assert_eq!(schedule.len(), 3, "{schedule:?}");
    assert!(
        schedule[0].contains("source[0].schedule[0]: the time is 0")
            && schedule[1].contains("does not come after 5"),
        "{schedule:?}"
    );
    assert!(
        Crowd::new(Setup {
            sources: vec![Source {
                area: Shape::Polygon { points: vec![] },
                ..source(regular(1.0), 9)
            }],
            ..entering::<Vec2>(vec![])
        })
        .is_err()
    );
}

#[test]
fn agents_that_enter_apart_wait_until_there_is_room_and_lose_no_arrival() {
    let mut group = entering::<Vec2>(vec![]).groups.remove(0);
    group.radius = Distribution::Same(1.0);
    (group.velocity, group.mass) = (StartVelocity::Same(vec2(0.5, 0.0)), Distribution::Same(2.0));
    let area = Shape::Circle { center: Vec2::ZERO, radius: 0.2 };
    let sources = vec![Source { area, apart: true, ..source(regular(1.0), 99) }];
    let mut crowd = Crowd::new(Setup { sources, groups: vec![group], ..Setup::default() }).unwrap();
    for _ in 0..40 {
        crowd.step();
        let bodies = agents(&crowd);
        for (i, a) in bodies.iter().enumerate() {
            let free = bodies[..i].iter().all(|b| a.position.distance(b.position) >= 1.999);
            assert!(free, "{bodies:?}");
        }
        let count = &crowd.sources()[0];
        assert_eq!(count.entered + count.turned_away, crowd.tick());
    }
    // One needs six to seven ticks to make room: two radii, and the way 0.5 * 2.
    assert!((6..=8).contains(&crowd.len()), "{}", crowd.len());
}
