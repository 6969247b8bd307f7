//! Perception, remembered positions and `stuck`, as conditions and targets: by hand, and compared
//! with a search of all agents.

use glam::{Vec2, Vec3, vec2, vec3};

use super::*;
use crate::behavior::Arrive;
use crate::crowd::population::columns::RememberedPosition;
use crate::geometry::visibility::ViewCone;
use crate::parameter::Auto;

/// A group of one agent that starts at `at` and moves with `velocity`.
fn walker<V: Vector>(name: &str, at: V, velocity: V) -> Group<V> {
    Group {
        velocity: StartVelocity::Same(velocity),
        ..Group::new(name, 1, Spawn::Points(vec![at]), 100.0)
    }
}

/// States "0", "1", …, each with the given transitions.
fn states<V: Vector>(transitions: Vec<Vec<(usize, Condition<V>)>>) -> Vec<State<V>> {
    let state = |(i, transitions): (usize, Vec<(usize, Condition<V>)>)| {
        let leave =
            transitions.into_iter().map(|(to, when)| Transition { to: to.into(), when }).collect();
        State { leave, ..State::new(i.to_string()) }
    };
    transitions.into_iter().enumerate().map(state).collect()
}

/// The states of agent `id` in the next `ticks` ticks, in order.
fn run<V: Vector>(crowd: &mut Crowd<V>, id: u32, ticks: usize) -> String {
    let state = |_| {
        crowd.step();
        crowd.get(id).unwrap().state.unwrap().to_string()
    };
    (0..ticks).map(state).collect()
}

#[test]
fn a_wall_hides_the_target_and_its_last_seen_position_is_remembered_for_a_limited_time() {
    // The thief moves down from (100, 32) by 5 per tick; the wall hides it from (0, 0) while y is
    // from -20 to 20.
    let wall = Shape::Segment { from: vec2(50.0, -10.0), to: vec2(50.0, 10.0), thickness: 0.0 };
    let mut guard = Group::new("guard", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 1.0);
    guard.sight = Some(Perception { memory: 3.0, ..Perception::new(Target::Group(GroupId(1))) });
    // 0: remembers nothing, 1: sees, 2: remembers.
    let see = || (1, Condition::Sees(true));
    guard.states = states(vec![
        vec![see()],
        vec![(2, Condition::Sees(false))],
        vec![see(), (0, Condition::Remembers(false))],
    ]);
    let setup = |dt: f64| {
        let thief = walker("thief", vec2(100.0, 32.0), vec2(0.0, -5.0 / dt as f32));
        Setup {
            dt,
            obstacles: vec![wall.clone()],
            groups: vec![guard.clone(), thief],
            ..Setup::default()
        }
    };
    // The thief is seen at 32, 27 and 22, hidden from 17 to -18, and seen again at -23. Last seen
    // at tick 2, it is remembered up to tick 5.
    assert_eq!(run(&mut Crowd::new(setup(1.0)).unwrap(), 0, 13), "1112220000011");
    // With ticks of half the length the memory lasts for twice as many ticks.
    assert_eq!(run(&mut Crowd::new(setup(0.5)).unwrap(), 0, 13), "1112222220011");
}

#[test]
fn last_seen_is_a_target_of_behaviors_and_conditions_until_it_is_forgotten() {
    let mut guard = Group::new("guard", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0);
    guard.sight = Some(Perception {
        within: 10.0,
        memory: 4.0,
        ..Perception::new(Target::Group(GroupId(1)))
    });
    guard.steer = List::default().with(Arrive {
        target: Target::LastSeen,
        slowing_radius: Auto::Fixed(0.0),
        within: f32::INFINITY,
    });
    guard.states = states(vec![
        vec![(1, Condition::Near(Target::LastSeen, 3.0, None))],
        vec![(0, Condition::Near(Target::LastSeen, 1e6, None))],
    ]);
    guard.states[1].leave.clear();
    // The thief is seen at (9, 0) at tick 0 only. The guard moves there by 2 per tick; after tick 4
    // it has forgotten the position and coasts.
    let mut crowd = crowd(vec![guard, walker("thief", vec2(9.0, 0.0), vec2(0.0, 50.0))]);
    let mut track = Vec::new();
    for _ in 0..6 {
        crowd.step();
        track
            .push((agents(&crowd)[0].position.x, crowd.get(0).unwrap().state.unwrap().to_string()));
    }
    let found: Vec<_> = track.iter().map(|(x, state)| (*x, state.as_str())).collect();
    assert_eq!(found, [(2.0, "0"), (4.0, "0"), (6.0, "0"), (8.0, "1"), (10.0, "1"), (12.0, "1")]);
}

#[test]
fn a_perception_can_be_of_a_point_the_pointer_or_the_goal_and_starts_with_nothing_remembered() {
    let begin = |sight: Perception<Vec3>, goal: Option<Spawn<Vec3>>| {
        let mut guard = Group::new("guard", 1, Spawn::Points(vec![vec3(0.0, 0.0, 0.0)]), 1.0);
        (guard.sight, guard.goal) = (Some(sight), goal);
        guard.states = states(vec![
            vec![(1, Condition::Sees(true)), (2, Condition::Remembers(true))],
            vec![],
            vec![],
        ]);
        let ball = Shape::Circle { center: vec3(0.0, 0.0, 5.0), radius: 1.0 };
        let setup = Setup {
            pointer: Some(Track::fixed(vec3(9.0, 0.0, 0.0))),
            obstacles: vec![ball],
            groups: vec![guard],
            ..Setup::default()
        };
        run(&mut Crowd::new(setup).unwrap(), 0, 1)
    };
    let of =
        |of| begin(Perception { within: 10.0, field_of_view: 90.0, ..Perception::new(of) }, None);
    assert_eq!(
        [
            of(Target::Pointer),
            of(Target::Point(vec3(9.0, 0.0, 8.0))),
            of(Target::Point(vec3(-9.0, 0.0, 0.0)))
        ],
        ["1", "0", "0"]
    );
    // The goal is behind the ball, and beside it.
    let above = |x: f32| {
        begin(Perception::new(Target::Goal), Some(Spawn::Points(vec![vec3(x, 0.0, 10.0)])))
    };
    assert_eq!([above(0.0), above(3.0)], ["0", "1"]);
    // The only member of the group is the agent itself, which does not count.
    assert_eq!(of(Target::Group(GroupId(0))), "0");
}

#[test]
fn an_agent_that_stays_near_one_position_is_stuck_and_the_time_restarts_in_a_new_state() {
    let stuck = |within, time| Condition::Stuck(within, time);
    let to_and_fro = |time| {
        states(vec![vec![(1, stuck(10.0, time))], vec![(0, Condition::TimeInState(2.0.into()))]])
    };
    let begin = |velocity: Vec2, time| {
        let mut walker = walker("walker", vec2(5.0, 5.0), velocity);
        walker.states = to_and_fro(time);
        run(&mut crowd(vec![walker]), 0, 10)
    };
    assert_eq!(begin(Vec2::ZERO, 3.0), "0001100011");
    // At 4 per tick the agent is 8 away from the anchor at tick 2, and 12 at tick 3: the anchor
    // moves at ticks 3, 6 and 9.
    assert_eq!(
        [begin(vec2(4.0, 0.0), 3.0), begin(vec2(0.0, 4.0), 2.0)],
        ["0000000000", "0011000011"]
    );
    // Two conditions with the same distance and one with another, nested in other conditions.
    let mut three = walker("three", Vec2::ZERO, vec2(1.0, 0.0));
    let long = Condition::All(vec![Condition::Not(Box::new(stuck(10.0, 4.0))), stuck(10.0, 3.0)]);
    three.states = states(vec![vec![(1, Condition::Any(vec![stuck(2.0, 3.0), long]))], vec![]]);
    let mut crowd = crowd(vec![three, group("other", &[vec2(0.0, 9.0)])]);
    assert_eq!(
        (crowd.population.now.remembered_width, crowd.world.groups[0].stuck.distances.clone()),
        (2, vec![2.0, 10.0])
    );
    assert_eq!(run(&mut crowd, 0, 5), "00011");
}

#[test]
fn in_a_wrapped_world_stuck_and_sees_use_the_shortest_distance_across_the_edge() {
    let mut walker = walker("walker", vec2(99.0, 50.0), vec2(1.0, 0.0));
    walker.states = states(vec![vec![(1, Condition::Stuck(10.0, 9.0))], vec![]]);
    let mut guard = Group::new("guard", 1, Spawn::Points(vec![vec2(2.0, 50.0)]), 1.0);
    guard.sight = Some(Perception { within: 4.0, ..Perception::new(Target::Group(GroupId(0))) });
    guard.states =
        states(vec![vec![(1, Condition::Sees(true))], vec![(0, Condition::Sees(false))]]);
    let bounds = Some(Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wrap });
    let mut crowd =
        Crowd::new(Setup { bounds, groups: vec![walker, guard], ..Setup::default() }).unwrap();
    let states = (0..11).map(|_| {
        crowd.step();
        [0, 1].map(|id| crowd.get(id).unwrap().state.unwrap().to_string()).concat()
    });
    // The guard sees the walker from 99 to 6.
    assert_eq!(
        states.collect::<Vec<_>>(),
        ["01", "01", "01", "01", "01", "01", "01", "01", "00", "10", "10"]
    );
}

/// A setup with thirty agents with a perception among walls, and two hundred targets.
fn many<V: Vector>(bounds: Option<Bounds<V>>) -> Setup<V> {
    let area = Shape::box_between(V::ZERO, V::from_fn(|_| 300.0));
    let mut random = Random::new(8, 0, 0, 0);
    let mut point = || area.random_point(&mut random, Up::Z);
    let wall = |p: V, q: V| Shape::Segment { from: p, to: p + q * 0.2, thickness: 4.0 };
    let obstacles = (0..40).map(|_| wall(point(), point())).collect();
    let mut guards = Group::new("guards", 30, Spawn::Inside(area.clone()), 3.0);
    guards.velocity = StartVelocity::Random;
    guards.sight = Some(Perception {
        within: 90.0,
        field_of_view: 220.0,
        memory: 12.0,
        ..Perception::new(Target::Group(GroupId(1)))
    });
    guards.steer = List::default()
        .with(wander())
        .with(Seek { target: Target::LastSeen, within: f32::INFINITY });
    guards.states = states(vec![
        vec![(1, Condition::Sees(true))],
        vec![(0, Condition::Remembers(false)), (0, Condition::Stuck(5.0, 6.0))],
    ]);
    let mut thieves = Group::new("thieves", 200, Spawn::Inside(area), 4.0);
    thieves.velocity = StartVelocity::Random;
    Setup { bounds, obstacles, groups: vec![guards, thieves], seed: 3, dt: 0.5, ..Setup::default() }
}

fn assert_the_nearest_visible_member_is_found<V: Vector>(bounds: Option<Bounds<V>>) {
    let mut crowd = Crowd::new(many(bounds)).unwrap();
    let cone = ViewCone::new(90.0, 220.0);
    let (mut seen, mut others) = (0, 0);
    for _ in 0..20 {
        let (before, tick) = (agents(&crowd), crowd.tick());
        crowd.step();
        let obstacles = crowd.world.obstacles.to_vec();
        for (id, guard) in before.iter().enumerate().take(30) {
            let image = |p: V| crowd.world.space.image(guard.position, p);
            let away = |p: &V| crowd.world.space.difference(guard.position, *p).length_squared();
            let thieves = || before.iter().skip(30).map(|thief| thief.position);
            let nearest = |list: &mut dyn Iterator<Item = V>| {
                list.reduce(|a, b| if away(&b) < away(&a) { b } else { a })
            };
            let expected = nearest(&mut thieves().filter(|p| {
                cone.see(&crowd.world.space, guard, image(*p), Obstacles::from(&obstacles))
            }));
            let remembered =
                crowd.population.now.remembered(crowd.row_of(AgentId(id as u32)).unwrap())[0];
            assert_eq!(
                (remembered.tick == tick).then_some(remembered.position),
                expected,
                "guard {id} at {tick}"
            );
            seen += u32::from(expected.is_some());
            others += u32::from(expected.is_some() && expected != nearest(&mut thieves()));
        }
    }
    assert!(seen > 150 && others > 50, "{seen} seen, {others} of them not the nearest");
}

#[test]
fn the_target_is_the_nearest_visible_member_of_a_group_and_not_the_nearest_member() {
    assert_the_nearest_visible_member_is_found::<Vec2>(None);
    assert_the_nearest_visible_member_is_found::<Vec2>(Some(Bounds {
        min: Vec2::ZERO,
        max: vec2(300.0, 300.0),
        edge: Edge::Wrap,
    }));
    assert_the_nearest_visible_member_is_found::<Vec3>(Some(Bounds {
        min: Vec3::ZERO,
        max: Vec3::splat(300.0),
        edge: Edge::Wrap,
    }));
}

#[test]
fn remembered_positions_do_not_depend_on_the_order_and_are_in_snapshots_and_digests() {
    let mut ordered = Crowd::new(many::<Vec2>(None)).unwrap();
    let mut shuffled = Crowd::new(many::<Vec2>(None)).unwrap();
    for tick in 0..60 {
        let mut random = Random::new(9, 0, tick, 0);
        let mut rows: Vec<u32> = (0..shuffled.len() as u32).collect();
        rows.sort_by_cached_key(|_| random.bits());
        shuffled.permute(&rows);
        [&mut ordered, &mut shuffled].into_iter().for_each(Crowd::step);
        assert_eq!(ordered.digest(), shuffled.digest(), "at {tick}");
    }
    let snapshot = shuffled.snapshot();
    assert_eq!(ordered.snapshot(), snapshot);
    let mut restored = Crowd::new(many::<Vec2>(None)).unwrap();
    restored.restore(&snapshot).unwrap();
    assert_eq!(restored.snapshot(), snapshot);
    let position = restored.population.now.remembered[0].position;
    for (remembered, what) in [
        (RememberedPosition { position, tick: 61 }, "of tick 61"),
        (RememberedPosition { position: vec2(f32::NAN, 0.0), tick: 3 }, "inside the world"),
    ] {
        let mut wrong = Crowd::new(many::<Vec2>(None)).unwrap();
        wrong.restore(&snapshot).unwrap();
        wrong.population.now.remembered[1] = remembered;
        let error = restored.restore(&wrong.snapshot()).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
    (0..40).for_each(|_| [&mut ordered, &mut restored].into_iter().for_each(Crowd::step));
    assert_eq!(ordered.digest(), restored.digest());
    // A different remembered position gives a different digest.
    restored.population.now.remembered[0].position.x += 1.0;
    assert_ne!(ordered.digest(), restored.digest());
    assert_eq!(Crowd::new(mixed::<Vec2>(None)).unwrap().population.now.remembered_width, 0);
}

#[test]
fn an_added_or_respawned_agent_remembers_nothing_and_explaining_it_changes_nothing() {
    let mut guard = Group::new("guard", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 1.0);
    guard.sight = Some(Perception {
        within: 50.0,
        field_of_view: 180.0,
        ..Perception::new(Target::Point(vec2(30.0, 0.0)))
    });
    guard.states = states(vec![vec![(0, Condition::Stuck(3.0, 1e6))]]);
    let mut crowd = crowd(vec![guard]);
    (0..5).for_each(|_| crowd.step());
    let id = crowd.add(0, vec2(-70.0, 0.0), None).unwrap();
    let of = |crowd: &Crowd<Vec2>, id: AgentId| {
        crowd
            .population
            .now
            .remembered(crowd.row_of(id).unwrap())
            .iter()
            .map(|remembered| remembered.tick)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        [of(&crowd, AgentId(0)), of(&crowd, id)],
        [vec![4, 0], vec![RememberedPosition::<Vec2>::NEVER, 5]]
    );
    let digest = crowd.digest();
    let why = crowd.explain(0).unwrap();
    let labels: Vec<_> = why.annotations.iter().map(|note| (note.behavior, note.label)).collect();
    assert_eq!(
        labels,
        [
            ("sight", "within"),
            ("sight", "field_of_view"),
            ("sight", "field_of_view"),
            ("sight", "seen")
        ]
    );
    assert_eq!(crowd.explain(id).unwrap().annotations.len(), 3);
    assert_eq!(crowd.digest(), digest);
    crowd.step();
    crowd.remove(0);
    assert_eq!(of(&crowd, id), [RememberedPosition::<Vec2>::NEVER, 5]);
}

#[test]
fn perceptions_and_the_conditions_on_them_are_validated() {
    let setup = || {
        let mut guard = Group::new("guard", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 1.0);
        guard.sight = Some(Perception::new(Target::Group(GroupId(0))));
        guard.steer = List::default().with(Seek { target: Target::LastSeen, within: 9.0 });
        guard.states = states(vec![vec![
            (0, Condition::Sees(true)),
            (0, Condition::Not(Box::new(Condition::Remembers(true)))),
        ]]);
        Setup { groups: vec![guard], ..Setup::default() }
    };
    assert!(setup().errors().is_empty());
    let key_paths = |change: fn(&mut Setup<Vec2>)| {
        let mut setup = setup();
        change(&mut setup);
        setup.errors().iter().map(|fault| fault.key_path.to_string()).collect::<Vec<_>>()
    };
    let without = [
        "group[0].steer[0].seek.target",
        "group[0].state[0].leave[0].when.sees",
        "group[0].state[0].leave[1].when.not.remembers",
    ];
    assert_eq!(key_paths(|s| s.groups[0].sight = None), without);
    assert_eq!(key_paths(|s| s.groups[0].name = "last_seen".to_string()), ["group[0].name"]);
    assert_eq!(
        key_paths(|s| s.groups[0].sight = Some(Perception::new(Target::LastSeen))),
        ["group[0].sight.of"]
    );
    assert_eq!(
        key_paths(|s| s.groups[0].sight = Some(Perception::new(Target::Pointer))),
        ["group[0].sight.of"]
    );
    let numbers = |s: &mut Setup<Vec2>| {
        s.groups[0].sight = Some(Perception {
            of: Target::Point(Vec2::ZERO),
            within: -1.0,
            field_of_view: 361.0,
            memory: f32::NAN,
        });
        s.groups[0].states[0].leave[0].when = Condition::Stuck(f32::INFINITY, -1.0);
    };
    let stuck =
        ["group[0].state[0].leave[0].when.stuck_within", "group[0].state[0].leave[0].when.for"];
    assert_eq!(
        key_paths(numbers),
        [
            &["group[0].sight.within", "group[0].sight.field_of_view", "group[0].sight.memory"][..],
            &stuck
        ]
        .concat()
    );
}
