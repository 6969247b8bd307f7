//! States, their conditions, and stats.

use glam::{Vec2, vec2};

use super::*;
use crate::parameter::{Auto, Named, StateId, Target};

fn state(name: &str, leave: Vec<(usize, Condition<Vec2>)>) -> State<Vec2> {
    let leave = leave
        .into_iter()
        .map(|(to, when)| Transition { to: TransitionTarget::from(to), when })
        .collect();
    State { leave, ..State::new(name) }
}

/// A condition that always holds, as no stat is that low.
fn always() -> Condition<Vec2> {
    Condition::All(vec![])
}

fn stamina(start: f32) -> Vec<Stat> {
    vec![Stat {
        name: "stamina".to_string(),
        start: Distribution::Same(start),
        min: 0.0,
        max: 10.0,
    }]
}

/// The state and the stamina of agent 0.
fn status(crowd: &Crowd<Vec2>) -> (String, f32) {
    let mut order = Vec::new();
    crowd.rows_by_id(&mut order);
    let member = crowd.agent_at_row(order[0]).unwrap();
    (member.state.unwrap().to_string(), member.stats[0])
}

#[test]
fn a_tick_changes_the_state_once_then_steers_by_it_and_then_applies_its_rates() {
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    a.stats = stamina(5.0);
    a.states = vec![
        state("one", vec![(1, always()), (2, always())]),
        state("two", vec![(2, always())]),
        state("three", vec![]),
    ];
    a.states[0].rates = vec![(0.into(), 3.0)];
    a.states[1].rates = vec![(0.into(), -1.0)];
    a.states[2].rates = vec![(0.into(), 4.0)];
    a.states[0].steer = List::default().with(seek(vec2(-9.0, 0.0)));
    a.states[1].steer = List::default().with(seek(vec2(9.0, 0.0)));
    let mut crowd = Crowd::new(Setup { dt: 0.5, groups: vec![a], ..Setup::default() }).unwrap();
    assert_eq!(status(&crowd), ("one".to_string(), 5.0));
    crowd.step();
    // Only the first transition whose condition holds is taken; (0, 0) + (5, 0) * 0.5 * 0.5.
    assert_eq!(
        (status(&crowd), agents(&crowd)[0].position),
        (("two".to_string(), 4.5), vec2(1.25, 0.0))
    );
    crowd.step();
    assert_eq!(status(&crowd), ("three".to_string(), 6.5));
    crowd.step();
    crowd.step();
    assert_eq!(status(&crowd), ("three".to_string(), 10.0));
}

#[test]
fn the_groups_own_list_precedes_the_states_list_and_any_state_may_be_the_first() {
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    a.max_speed = Distribution::Same(100.0);
    a.steer = List::new(Combine::Priority)
        .with(Seek { target: Target::Point(vec2(9.0, 0.0)), within: 9.5 });
    a.states = vec![state("unused", vec![]), state("used", vec![])];
    a.states[1].steer = List::default().with(seek(vec2(0.0, 9.0))).with(seek(vec2(0.0, -9.0)));
    a.start = StateId(1);
    let first_step = |group: Group<Vec2>| {
        let mut crowd = crowd(vec![group]);
        crowd.step();
        agents(&crowd)[0].position
    };
    // The rule of the group's list applies to the state's list: here the first force that is not
    // zero.
    assert_near(first_step(a.clone()), vec2(100.0, 0.0));
    a.spawn = Spawn::Points(vec![vec2(-1.0, 0.0)]);
    assert_near(first_step(a), vec2(-1.0, 0.0) + vec2(1.0, 9.0) * (100.0 / 82.0_f32.sqrt()));
}

/// Whether the condition holds at the start for agent 0, at (0, 0) with stamina 5, in a world with
/// other groups.
fn holds(condition: Condition<Vec2>) -> bool {
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    a.stats = stamina(5.0);
    a.states = vec![state("no", vec![(1, condition)]), state("yes", vec![])];
    let groups =
        vec![a, group("others", &[vec2(30.0, 40.0), vec2(60.0, 80.0)]), group("empty", &[])];
    let mut crowd = Crowd::new(Setup {
        pointer: Some(Track::fixed(vec2(0.0, -7.0))),
        groups,
        ..Setup::default()
    })
    .unwrap();
    crowd.step();
    status(&crowd).0 == "yes"
}

#[test]
fn stats_are_compared_with_both_ends_included() {
    assert!(holds(Condition::stat(0).at_most(5.0)) && !holds(Condition::stat(0).at_most(4.99)));
    assert!(holds(Condition::stat(0).at_least(5.0)) && !holds(Condition::stat(0).at_least(5.01)));
}

#[test]
fn near_and_far_from_use_the_distance_to_a_point_the_pointer_or_the_nearest_member() {
    for (target, distance) in [
        (Target::Point(vec2(3.0, 4.0)), 5.0),
        (Target::Pointer, 7.0),
        (Target::Group(GroupId(1)), 50.0),
    ] {
        assert!(
            holds(Condition::Near(target, distance, None))
                && !holds(Condition::Near(target, distance - 0.01, None))
        );
        assert!(
            holds(Condition::FarFrom(target, distance))
                && !holds(Condition::FarFrom(target, distance + 0.01))
        );
    }
    // A group without members is never near and always far; the host itself does not count.
    for target in [Target::Group(GroupId(2)), Target::Group(GroupId(0))] {
        assert!(
            !holds(Condition::Near(target, 1e9, None)) && holds(Condition::FarFrom(target, 1e9))
        );
    }
}

#[test]
fn near_with_a_state_counts_only_members_in_that_state() {
    let (asleep, awake) = (StateId(0), StateId(1));
    let near = |guards: Vec<(Vec2, usize)>, within, of| {
        let mut a = group("a", &[vec2(0.0, 0.0)]);
        a.stats = stamina(5.0);
        let when = Condition::Near(Target::Group(GroupId(1)), within, of);
        a.states = vec![state("no", vec![(1, when)]), state("yes", vec![])];
        let mut groups = vec![a];
        groups.push(group("guards", &[]));
        groups[1].states = vec![state("asleep", vec![]), state("awake", vec![])];
        let mut crowd = crowd(groups);
        for (position, now) in guards {
            let guard = crowd.add(GroupId(1), position, None).unwrap();
            crowd.set_state(guard, ["asleep", "awake"][now]).unwrap();
        }
        crowd.step();
        status(&crowd).0 == "yes"
    };
    let guards = || vec![(vec2(3.0, 0.0), 0), (vec2(0.0, 8.0), 1), (vec2(-9.0, 0.0), 1)];
    assert!(near(guards(), 3.0, None) && near(guards(), 3.0, Some(asleep)));
    assert!(!near(guards(), 7.9, Some(awake)) && near(guards(), 8.0, Some(awake)));
    assert!(!near(vec![(vec2(3.0, 0.0), 0)], 1e9, Some(awake)));
}

#[test]
fn a_state_that_the_target_has_not_is_refused_with_the_names_of_those_it_has() {
    let error = |target| {
        let mut a = group("a", &[vec2(0.0, 0.0)]);
        let when = Condition::Near(target, 3.0, Some(StateId(2)));
        a.states = vec![state("one", vec![(1, when)]), state("two", vec![])];
        let setup = Setup { groups: vec![a, group("b", &[])], ..Setup::default() };
        setup.errors().into_iter().map(|error| error.to_string()).collect::<Vec<_>>()
    };
    let at = "group[0].state[0].leave[0].when.state";
    assert_eq!(
        error(Target::Group(GroupId(0))),
        [format!("{at}: the group \"a\" has no state 2; allowed: \"one\", \"two\"")]
    );
    assert_eq!(
        error(Target::Group(GroupId(1))),
        [format!("{at}: the group \"b\" has no state 2; allowed: no state: the group has none")]
    );
    assert_eq!(
        error(Target::Point(Vec2::ZERO)),
        [format!(
            "{at}: `state` is beside a target that is no group; allowed: a group as the target"
        )]
    );
}

#[test]
fn a_group_whose_states_a_condition_names_can_be_removed() {
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    let when = Condition::Near(Target::Group(GroupId(1)), 9.0, Some(StateId(1)));
    a.states = vec![state("one", vec![(1, when)]), state("two", vec![])];
    let mut b = group("b", &[vec2(1.0, 0.0)]);
    b.states = vec![state("asleep", vec![]), state("awake", vec![])];
    let setup = || Setup { groups: vec![a.clone(), b.clone()], ..Setup::default() };
    let mut crowd = Crowd::new(setup()).unwrap();
    crowd.remove_group(GroupId(1)).unwrap();
    crowd.step();
    let mut other = Crowd::new(setup()).unwrap();
    other.restore(&crowd.snapshot()).unwrap();
    assert_eq!(other.digest(), crowd.digest());
}

#[test]
fn members_draw_the_start_of_a_stat_from_its_range_by_their_ids() {
    let stats = |start: Distribution, seed| {
        let mut a = group("a", &[Vec2::ZERO; 200]);
        a.stats = stamina(3.0);
        a.stats.push(Stat { start, ..stamina(0.0).remove(0) });
        a.stats[1].name = "hunger".to_string();
        let mut crowd = Crowd::new(Setup { seed, groups: vec![a], ..Setup::default() }).unwrap();
        crowd.add(GroupId(0), Vec2::ZERO, None).unwrap();
        let all = (0..201).map(|id| crowd.get(id).unwrap().stats[1]);
        assert!((0..201).all(|id| crowd.get(id).unwrap().stats[0] == 3.0));
        all.collect::<Vec<f32>>()
    };
    let even = stats(Distribution::Uniform(2.0, 4.0), 1);
    assert_eq!(even, stats(Distribution::Uniform(2.0, 4.0), 1));
    assert_ne!(even, stats(Distribution::Uniform(2.0, 4.0), 2));
    assert!(even.iter().all(|x| (2.0..=4.0).contains(x)) && even[0] != even[1]);
    let mean = even.iter().sum::<f32>() / 201.0;
    assert!((mean - 3.0).abs() < 0.15, "{mean}");
    // A normal one is truncated at the ends of the stat, from 0 to 10.
    let normal = stats(Distribution::Normal(1.0, 2.0), 1);
    assert!(normal.iter().all(|x| (0.0..=7.0).contains(x)));
    assert!(normal.iter().any(|x| *x > 3.0) && normal.iter().any(|x| *x < 0.5));
}

#[test]
fn a_start_outside_of_its_stat_is_refused() {
    let error = |start: Distribution| {
        let mut a = group("a", &[Vec2::ZERO]);
        a.stats = stamina(0.0);
        a.stats[0].start = start;
        let errors = Setup { groups: vec![a], ..Setup::default() }.errors();
        errors.into_iter().map(|error| error.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        error(Distribution::Uniform(5.0, 11.0)),
        ["group[0].stat.stamina.start.uniform: `uniform` is [5, 11]; allowed: two numbers, the \
          smaller first, each a number from 0 to 10"]
    );
    assert_eq!(error(Distribution::Normal(11.0, 1.0)).len(), 1);
    assert_eq!(error(Distribution::Normal(9.0, 5.0)), Vec::<String>::new());
}

#[test]
fn conditions_are_combined_by_all_any_and_not() {
    let (yes, no) = (|| Condition::stat(0).at_most(5.0), || Condition::stat(0).at_most(4.0));
    assert!(holds(Condition::All(vec![yes(), yes()])) && !holds(Condition::All(vec![yes(), no()])));
    assert!(holds(Condition::Any(vec![no(), yes()])) && !holds(Condition::Any(vec![no(), no()])));
    assert!(holds(Condition::Not(Box::new(no()))) && !holds(Condition::Not(Box::new(yes()))));
    assert!(holds(Condition::All(vec![])) && !holds(Condition::Any(vec![])));
}

#[test]
fn the_time_in_a_state_counts_from_the_tick_of_entry_and_restarts() {
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    a.stats = stamina(5.0);
    a.states = vec![
        state("one", vec![(1, Condition::TimeInState(1.5.into()))]),
        state("two", vec![(1, Condition::TimeInState(1.0.into()))]),
    ];
    // Each entry into `two`, also that from `two`, costs a point.
    a.states[1].rates = vec![(0.into(), 1.0)];
    let mut crowd = Crowd::new(Setup { dt: 0.5, groups: vec![a], ..Setup::default() }).unwrap();
    let mut entries = Vec::new();
    for tick in 0..10 {
        crowd.step();
        if crowd.population.now.state[0].entered == tick {
            entries.push((tick, status(&crowd).0));
        }
    }
    // At tick 0 the agent is in the first state without a transition; it changes after 1.5, and
    // then every 1.0.
    let names = ["one", "two", "two", "two", "two"].map(str::to_string);
    assert_eq!(entries, [0, 3, 5, 7, 9].into_iter().zip(names).collect::<Vec<_>>());
}

#[test]
fn a_path_is_done_at_its_end_and_its_progress_outlasts_a_state() {
    let mut a = group("a", &[vec2(0.0, 0.0)]);
    a.stats = stamina(5.0);
    let walk = || List::default().with(FollowPath::new(PathId(0)));
    // The agent walks 5 per tick; at (10, 0) it is in another state for two ticks, moves to (15, 0)
    // and back, and then walks on to the same node as before.
    let stop = Condition::All(vec![
        Condition::PathDone(false),
        Condition::Near(Target::Point(vec2(10.0, 0.0)), 1.0, None),
    ]);
    a.states = vec![
        state("walk", vec![(1, stop), (2, Condition::PathDone(true))]),
        state("rest", vec![(0, Condition::TimeInState(2.0.into()))]),
        state("done", vec![(0, Condition::PathDone(true))]),
    ];
    a.states[0].steer = walk();
    a.states[1].steer = List::default().with(crate::behavior::Arrive {
        target: Target::Point(vec2(12.0, 0.0)),
        slowing_radius: Auto::Fixed(0.0),
        within: f32::INFINITY,
    });
    let paths = vec![(
        "way".to_string(),
        Path::new(vec![vec2(0.0, 0.0), vec2(5.0, 0.0), vec2(25.0, 0.0)], 1.0, false),
    )];
    let mut crowd = Crowd::new(Setup { paths, groups: vec![a], ..Setup::default() }).unwrap();
    let mut states = Vec::new();
    for _ in 0..12 {
        crowd.step();
        states.push(status(&crowd).0);
    }
    // The agent reaches the end with tick 6, which tick 7 detects. The state `done` follows no
    // path, so `path_done` is false there and the agent stays in it.
    let expected = [
        "walk", "walk", "rest", "rest", "walk", "walk", "walk", "walk", "done", "done", "done",
        "done",
    ];
    assert_eq!(states, expected, "{:?}", agents(&crowd));
    assert_eq!(crowd.population.now.memory(0)[0].path.node, 2);
}

#[test]
fn with_think_every_agents_are_evaluated_in_rotation_by_id_and_keep_their_force() {
    /// A behavior that pushes along x by the number of the tick, and records the dt that it reads.
    #[derive(Debug)]
    struct Tick;
    impl crate::behavior::Steer<Vec2> for Tick {
        fn force(
            &self,
            _: &Agent<Vec2>,
            _: &mut crate::Memory<Vec2>,
            context: &mut SteerContext<'_, Vec2>,
            _: crate::annotation::DebugDraw<'_, Vec2>,
        ) -> Vec2 {
            vec2(context.rng_key.tick() as f32 + 1.0, context.dt)
        }
    }
    let mut seldom = group("seldom", &[vec2(0.0, 0.0), vec2(0.0, 50.0)]);
    (seldom.think_every, seldom.max_speed) = (4, Distribution::Same(1e6));
    seldom.steer = List::default().with(crate::registry::Behavior::own("tick", Tick));
    let mut crowd = crowd(vec![seldom]);
    let mut forces = [vec![], vec![]];
    for _ in 0..9 {
        let before = agents(&crowd);
        crowd.step();
        for ((forces, before), now) in forces.iter_mut().zip(before).zip(agents(&crowd)) {
            forces.push((now.velocity - before.velocity).x);
            assert_eq!((now.velocity - before.velocity).y, 4.0);
        }
    }
    // Both agents are evaluated at the first tick; then agent 0 at ticks 4 and 8, agent 1 at ticks
    // 3 and 7.
    assert_eq!(forces[0], [1.0, 1.0, 1.0, 1.0, 5.0, 5.0, 5.0, 5.0, 9.0]);
    assert_eq!(forces[1], [1.0, 1.0, 1.0, 4.0, 4.0, 4.0, 4.0, 8.0, 8.0]);
}

#[test]
fn an_agent_that_enters_a_state_is_evaluated_at_once() {
    let mut guest = group("guest", &[vec2(0.0, 0.0)]);
    guest.think_every = 100;
    guest.max_speed = Distribution::Same(5.0);
    let go = |x: f32| List::default().with(seek(vec2(x, 0.0)));
    let leave = vec![Transition {
        to: TransitionTarget::from(1),
        when: Condition::TimeInState(3.0.into()),
    }];
    let state = |name: &str, steer, leave| State { steer, leave, ..State::new(name) };
    guest.states = vec![state("there", go(1e3), leave), state("back", go(-1e3), vec![])];
    let mut crowd = crowd(vec![guest]);
    let speeds: Vec<f32> = (0..5).map(|_| (crowd.step(), agents(&crowd)[0].velocity.x).1).collect();
    assert_eq!(speeds, [5.0, 5.0, 5.0, -5.0, -5.0]);
}

/// A group of 2,000 agents with these states.
fn many(states: Vec<State<Vec2>>) -> Group<Vec2> {
    let points: Vec<Vec2> = (0..2_000).map(|i| vec2(i as f32, 0.0)).collect();
    Group { states, ..group("many", &points) }
}

/// A state that agents leave under `when` for one of these states, by their weights.
fn choice(name: &str, states: Vec<(usize, f32)>, when: Condition<Vec2>) -> State<Vec2> {
    let leave = vec![Transition { to: TransitionTarget::one_of(states), when }];
    State { leave, ..State::new(name) }
}

#[test]
fn a_transition_leads_to_one_of_several_states_by_their_weights() {
    let states = vec![
        choice("one", vec![(1, 3.0), (2, 1.0)], always()),
        State::new("two"),
        // Half of the agents leave in each tick.
        choice("three", vec![(2, 0.5), (3, 0.5)], always()),
        State::new("four"),
    ];
    let setup = |seed| Setup { seed, groups: vec![many(states.clone())], ..Setup::default() };
    let mut crowd = Crowd::new(setup(1)).unwrap();
    let mut counts = Vec::new();
    for _ in 0..4 {
        crowd.step();
        counts.push([1, 2, 3].map(|state| {
            crowd.population.now.state.iter().filter(|now| now.state == state).count() as i32
        }));
    }
    // Five standard deviations, which is 19 for a chance of 3/4 and at most 11 for the others.
    assert!((counts[0][0] - 1_500).abs() < 97, "{counts:?}");
    for (three, four) in [(500, 0), (250, 250), (125, 375), (62, 438)] {
        let [two, now_three, now_four] = counts.remove(0);
        assert_eq!(two + now_three + now_four, 2_000);
        assert!((now_three - three * (2_000 - two) / 500).abs() < 57, "{now_three}");
        assert!((now_four - four * (2_000 - two) / 500).abs() < 57, "{now_four}");
    }
    let (mut same, mut other) = (Crowd::new(setup(1)).unwrap(), Crowd::new(setup(2)).unwrap());
    (0..4).for_each(|_| [&mut same, &mut other].map(Crowd::step).into_iter().for_each(drop));
    assert_eq!(same.digest(), crowd.digest());
    assert_ne!(other.population.now.state, crowd.population.now.state);
}

#[test]
fn a_range_of_times_in_a_state_is_drawn_once_for_each_entry() {
    let stay = |distribution: Distribution| Condition::TimeInState(distribution.into());
    let states = vec![
        state("one", vec![(1, stay(Distribution::Uniform(10.0, 20.0)))]),
        state("two", vec![(2, stay(Distribution::Uniform(10.0, 20.0)))]),
        state("three", vec![(3, stay(Distribution::Normal(10.0, 2.0)))]),
        state("four", vec![]),
    ];
    let mut crowd = Crowd::new(Setup { groups: vec![many(states)], ..Setup::default() }).unwrap();
    let mut stays = vec![[0.0_f64; 3]; 2_000];
    for _ in 0..60 {
        crowd.step();
        for (id, now) in crowd.population.now.id.iter().zip(&crowd.population.now.state) {
            if let Some(stay) = stays[*id as usize].get_mut(now.state as usize) {
                *stay += 1.0;
            }
        }
    }
    let mean = |of: &dyn Fn(&[f64; 3]) -> f64| stays.iter().map(of).sum::<f64>() / 2_000.0;
    // Times are rounded up to a tick. Limits: five standard errors, of 2.9 and 2 per stay.
    for state in [0, 1] {
        assert!(stays.iter().all(|stay| (10.0..=20.0).contains(&stay[state])));
        assert!((mean(&|stay| stay[state]) - 15.5).abs() < 0.33);
    }
    assert!(stays.iter().all(|stay| (4.0..=16.0).contains(&stay[2])));
    assert!((mean(&|stay| stay[2]) - 10.5).abs() < 0.23);
    let covariance = mean(&|stay| (stay[0] - 15.5) * (stay[1] - 15.5));
    assert!(covariance.abs() < 5.0 * 8.3 / 2_000_f64.sqrt(), "{covariance}");
}

#[test]
fn states_and_stats_are_called_by_their_names() {
    let hungry = || Condition::stat("hunger").at_least(3.0);
    let eat = State::new("eat")
        .rate("hunger", -1.0)
        .leave("walk", Condition::stat("hunger").at_most(0.0));
    let walk = State::new("walk").rate("hunger", 1.0).leave("eat", hungry());
    let cow = group("cow", &[Vec2::ZERO]).stat(Stat::new("hunger", 0.0)).state(walk).state(eat);
    let mut crowd = Setup::new(1.0).group(cow.clone()).crowd().unwrap();
    let states: Vec<_> = (0..8)
        .map(|_| {
            crowd.step();
            crowd.get(0).unwrap().state.unwrap().to_string()
        })
        .collect();
    assert_eq!(states, ["walk", "walk", "walk", "eat", "eat", "eat", "walk", "walk"]);
    // By indices it is the same crowd.
    let mut by_index = cow.clone();
    let names = [by_index.transitions(&cow.states[0]), by_index.transitions(&cow.states[1])];
    by_index.states.iter_mut().zip(names).for_each(|(state, leave)| state.leave = leave);
    assert_eq!(by_index.states[0].leave[0].to, TransitionTarget::State(Named::Id(StateId(1))));
    let mut other = Setup::new(1.0).group(by_index).crowd().unwrap();
    (0..8).for_each(|_| other.step());
    assert_eq!(other.digest(), crowd.digest());
}

#[test]
fn a_name_that_the_group_does_not_have_is_an_error_with_those_that_it_has() {
    let error = |state: State<Vec2>| {
        let group = group("a", &[Vec2::ZERO]).stat(Stat::new("hunger", 0.0)).state(state);
        Setup::new(1.0).group(group).errors().remove(0).to_string()
    };
    let always = || Condition::TimeInState(0.0.into());
    let found = [
        error(State::new("walk").leave("eet", always())),
        error(State::new("walk").leave("walk", Condition::stat("angr").at_least(1.0))),
        error(State::new("walk").rate("angr", 1.0)),
    ];
    let expected = [
        "group[0].state[0].leave[0].to: there is no state \"eet\"; allowed: \"walk\"",
        "group[0].state[0].leave[0].when.stat: there is no stat \"angr\"; allowed: \"hunger\"",
        "group[0].state[0].rate: there is no stat \"angr\"; allowed: \"hunger\"",
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_condition_of_a_program_may_search_and_is_restored_by_its_name() {
    let near = || {
        Condition::<Vec2>::own("wolf near", |host, context| {
            context.member(host, GroupId(1), 5.0).is_some()
        })
    };
    let sheep = group("sheep", &[Vec2::ZERO])
        .state(State::new("graze").leave("flee", near()))
        .state(State::new("flee").leave("graze", Condition::Not(near().into())));
    let wolf = group("wolf", &[vec2(8.0, 0.0)]).velocity(vec2(-1.0, 0.0));
    let setup = Setup::new(1.0).group(sheep).group(wolf);
    let mut crowd = setup.clone().crowd().unwrap();
    let states = |crowd: &mut Crowd<Vec2>| {
        [(); 2].map(|()| {
            crowd.step();
            crowd.get(0).unwrap().state.unwrap().to_string()
        })
    };
    assert_eq!(states(&mut crowd), ["graze", "graze"]);
    crowd.add_group(group("crow", &[])).unwrap();
    let bytes = crowd.snapshot();
    assert_eq!(states(&mut crowd), ["graze", "flee"]);
    let mut restored = setup.crowd().unwrap();
    restored.restore(&bytes).unwrap();
    assert_eq!(states(&mut restored), ["graze", "flee"]);
    assert_eq!(restored.digest(), crowd.digest());
}
