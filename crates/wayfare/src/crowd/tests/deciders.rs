//! Solvers that decide the velocity: lists, drag, think_every, validation and hints.

use super::*;
use crate::annotation::DebugDraw;
use crate::behavior::{Arrive, Separation};
use crate::parameter::Needs;
use crate::registry::Behavior;
use crate::solve::{Pedestrian, Solution, Solve, Solver};

/// A walker from the origin to (50, 0) whose velocity follows at once.
fn walker(rule: Combine) -> Group<Vec2> {
    let mut walker = Group::new("walkers", 1, Spawn::Points(vec![Vec2::ZERO]), 1.3);
    walker.radius = Distribution::Same(0.2);
    walker.steer = List::new(rule).with(seek(vec2(50.0, 0.0))).with(at_once());
    walker
}

fn at_once() -> Pedestrian {
    Pedestrian { tau: 0.1, ..Pedestrian::default() }
}

fn crowd_of(groups: Vec<Group<Vec2>>) -> Crowd<Vec2> {
    Crowd::new(Setup { dt: 0.1, groups, ..Setup::default() }).unwrap()
}

fn velocity(crowd: &Crowd<Vec2>) -> Vec2 {
    crowd.get(0).unwrap().agent.velocity
}

#[test]
fn mass_max_force_and_drag_have_no_effect_on_a_pedestrian() {
    let mut group = walker(Combine::Sum);
    group.mass = Distribution::Same(20.0);
    group.max_force = Distribution::Same(0.01);
    group.drag = 0.5;
    let mut crowd = crowd_of(vec![group]);
    for _ in 0..3 {
        crowd.step();
        assert_eq!(velocity(&crowd), vec2(1.3, 0.0));
    }
}

#[test]
fn drag_has_its_effect_in_the_other_states() {
    let mut group = walker(Combine::Sum);
    group.drag = 0.75;
    let steer = core::mem::take(&mut group.steer);
    let state = |name: &str, steer: List<Vec2>, time: f64| State {
        steer,
        leave: vec![Transition {
            to: TransitionTarget::from(1),
            when: Condition::TimeInState(time.into()),
        }],
        ..State::new(name)
    };
    group.states = vec![state("walk", steer, 0.3), state("coast", List::default(), 1e9)];
    let mut crowd = crowd_of(vec![group.clone()]);
    (0..3).for_each(|_| crowd.step());
    assert_eq!(velocity(&crowd), vec2(1.3, 0.0));
    crowd.step();
    // As without a pedestrian among the states.
    group.states[0].steer = List::default();
    group.velocity = StartVelocity::Same(vec2(1.3, 0.0));
    let mut coasting = crowd_of(vec![group]);
    coasting.step();
    assert_eq!(velocity(&crowd), velocity(&coasting));
    assert_near(velocity(&crowd), vec2(1.3 * 0.25_f32.powf(0.1), 0.0));
}

#[test]
fn a_pedestrian_follows_what_a_priority_or_context_list_chooses() {
    for rule in [Combine::Sum, Combine::Priority, Combine::Context] {
        let mut crowd = crowd_of(vec![walker(rule)]);
        crowd.step();
        assert_near(velocity(&crowd), vec2(1.3, 0.0));
    }
    // The first of a priority list that pushes decides, and the list called alone does the same.
    let mut group = walker(Combine::Priority);
    group.steer = List::new(Combine::Priority)
        .with(Seek { target: Target::Point(vec2(0.0, 9.0)), within: 5.0 })
        .with(seek(vec2(-9.0, 0.0)))
        .with(seek(vec2(9.0, 0.0)))
        .with(at_once());
    let list = group.steer.clone();
    let mut crowd = crowd_of(vec![group]);
    let host = crowd.get(0).unwrap().agent;
    let mut context = SteerContext::empty(0.1);
    let force = list.force(&host, &mut [], &mut context, DebugDraw::OFF);
    crowd.step();
    assert_near(velocity(&crowd), vec2(-1.3, 0.0));
    assert_eq!((force, context.start), (Vec2::ZERO, Some(velocity(&crowd))));
}

/// A walker before a row of others that stand; the walker thinks every `every` ticks.
fn before_a_row(every: u32) -> Crowd<Vec2> {
    let row = (-6..=6).map(|i| vec2(1.2, 0.35 * i as f32)).collect();
    let mut other = Group::new("others", 13, Spawn::Points(row), 1.3);
    other.radius = Distribution::Same(0.2);
    let mut group = walker(Combine::Sum);
    group.think_every = every;
    crowd_of(vec![group, other])
}

#[test]
fn a_pedestrian_reacts_at_every_tick_and_keeps_its_way_between_evaluations() {
    let (mut rarely, mut always) = (before_a_row(10), before_a_row(1));
    for tick in 0..30 {
        rarely.step();
        always.step();
        let (one, other) = (velocity(&rarely), velocity(&always));
        // Only the one that thinks always turns back to its target after a step aside.
        assert!((one - other).length() < 1e-2, "tick {tick}: {one}, {other}");
    }
    assert!(velocity(&rarely).x < 0.1);
    // The preferred velocity is kept in a snapshot.
    let mut restored = before_a_row(10);
    restored.restore(&rarely.snapshot()).unwrap();
    (0..7).for_each(|_| [&mut rarely, &mut restored].into_iter().for_each(Crowd::step));
    assert_eq!(rarely.digest(), restored.digest());
}

#[test]
fn switching_a_pedestrian_off_and_on_keeps_the_way() {
    let mut crowd = before_a_row(1_000);
    crowd.step();
    let set_off = |off| Command::Set {
        key_path: "group[0].steer[1].off".to_string(),
        value: Setting::Flag(off),
    };
    let before = velocity(&crowd);
    crowd.apply(&set_off(true)).unwrap();
    crowd.step();
    // The force towards the preferred velocity, by the mass of 1.
    assert_near(velocity(&crowd), before + (vec2(1.3, 0.0) - before) * 0.1);
    crowd.apply(&set_off(false)).unwrap();
    (0..30).for_each(|_| crowd.step());
    assert!(velocity(&crowd).x > 0.0 && velocity(&crowd).x < 0.2, "{}", velocity(&crowd));
}

#[test]
fn the_explanation_of_a_pedestrian_is_the_change_of_its_velocity() {
    let mut crowd = before_a_row(1);
    for _ in 0..10 {
        let (why, before) = (crowd.explain(0).unwrap(), velocity(&crowd));
        crowd.step();
        assert_near(why.sum, velocity(&crowd) - before);
        assert_eq!(why.sum, why.force);
        assert_near(why.contributions.iter().map(|part| part.force).sum(), why.sum);
        let names: Vec<_> = why.contributions.iter().map(|part| part.behavior).collect();
        assert_eq!(names, ["seek", "pedestrian"]);
    }
}

#[track_caller]
fn assert_refused(group: Group<Vec2>, error: &str) {
    let setup = Setup { groups: vec![group], ..Setup::default() };
    let errors: Vec<_> = setup.errors().iter().map(ToString::to_string).collect();
    assert_eq!(errors, [error]);
}

#[test]
fn a_pedestrian_where_it_cannot_decide_is_refused() {
    let rule = |rule, word| {
        assert_refused(
            walker(rule),
            &format!(
                "group[0].steer[1].pedestrian: `pedestrian` decides the velocity, but the rule of \
                 its list is \"{word}\"; allowed: `combine` \"sum\", \"priority\" or \"context\""
            ),
        );
    };
    rule(Combine::Dither, "dither");
    rule(Combine::Budget, "budget");
    let mut state = walker(Combine::Sum);
    state.states = vec![State { combine: Some(Combine::Budget), ..State::new("hurry") }];
    assert_refused(
        state,
        "group[0].steer[1].pedestrian: `pedestrian` decides the velocity, but the rule of its list \
         is \"budget\"; allowed: `combine` \"sum\", \"priority\" or \"context\"",
    );
    let mut inside = walker(Combine::Sum);
    inside.steer = List::default().nested(1.0, walker(Combine::Sum).steer);
    assert_refused(
        inside,
        "group[0].steer[0].all[1].pedestrian: `pedestrian` decides the velocity, but its list is \
         inside of another; allowed: `pedestrian` as the last of the outer list",
    );
    let mut first = walker(Combine::Sum);
    first.steer = List::default().with(at_once()).with(seek(vec2(50.0, 0.0)));
    assert_refused(
        first,
        "group[0].steer[0].pedestrian: `pedestrian` acts on the sum of the preceding forces, but \
         other entries follow it in its list; allowed: `pedestrian` as the last of its list",
    );
    let mut wheels = walker(Combine::Sum);
    wheels.turning_radius = Some(3.0);
    assert_refused(
        wheels,
        "group[0].turning_radius: `turning_radius` is 3, but `pedestrian` decides the velocity; \
         allowed: no `turning_radius` beside `pedestrian`",
    );
    let mut points = walker(Combine::Sum);
    points.radius = Distribution::Uniform(0.0, 0.2);
    assert_refused(
        points,
        "group[0].radius: the smallest `radius` is 0; allowed: a length above 0, up to 1e9, as \
         `pedestrian` keeps bodies apart",
    );
    let mut flying = Group::new("birds", 1, Spawn::Points(vec![Vec3::ZERO]), 1.3);
    flying.radius = Distribution::Same(0.2);
    flying.steer = List::default().with(seek(Vec3::X)).with(at_once());
    let setup = Setup { groups: vec![flying], ..Setup::default() };
    assert_eq!(
        setup.errors()[0].to_string(),
        "group[0].steer[1].pedestrian: `pedestrian` works in the plane, but the world has three \
         dimensions; allowed: a world with `dimension = 2`, or no `pedestrian`"
    );
}

#[test]
fn no_command_takes_the_body_of_a_pedestrian() {
    let mut crowd = crowd_of(vec![walker(Combine::Sum)]);
    let error = crowd.set_radius(0, Some(0.0)).unwrap_err();
    assert!(error.to_string().ends_with("as `pedestrian` keeps bodies apart"), "{error}");
    let set = Command::Set { key_path: "group[0].radius".to_string(), value: Setting::Number(0.0) };
    let error = crowd.apply(&set).unwrap_err();
    assert!(error.to_string().ends_with("as `pedestrian` keeps bodies apart"), "{error}");
    assert_eq!(crowd.get(0).unwrap().agent.radius, 0.2);
}

#[test]
fn what_misleads_a_pedestrian_is_hinted_at() {
    let hints = |change: &dyn Fn(&mut Group<Vec2>)| -> Vec<String> {
        let mut group = walker(Combine::Sum);
        change(&mut group);
        let setup = Setup { dt: 0.1, groups: vec![group], ..Setup::default() };
        assert_eq!(setup.validate(), Ok(()));
        setup.hints().iter().map(|hint| hint.key_path.to_string()).collect()
    };
    let (list, way) = (List::default, seek(vec2(50.0, 0.0)));
    assert_eq!(hints(&|_| {}), Vec::<String>::new());
    let two = |list: List<Vec2>| list.with(way).with(Arrive::new(vec2(0.0, 9.0)));
    assert_eq!(
        hints(&|group| group.steer = two(list()).with(at_once())),
        ["group[0].steer[2].pedestrian"]
    );
    let nested = |rule| list().nested(1.0, two(List::new(rule))).with(at_once());
    assert_eq!(
        hints(&|group| group.steer = nested(Combine::Sum)),
        ["group[0].steer[1].pedestrian"]
    );
    assert_eq!(hints(&|group| group.steer = nested(Combine::Priority)), Vec::<String>::new());
    let apart = Separation::default().radius(1.0).max_force(0.2);
    assert_eq!(
        hints(&|group| group.steer = list().with(way).with(apart.clone()).with(at_once())),
        Vec::<String>::new()
    );
    assert_eq!(hints(&|group| group.max_speed = Distribution::Same(90.0)), ["group[0].max_speed"]);
    assert_eq!(hints(&|group| group.steer.slots[1].weight = 2.0), ["group[0].steer[1].weight"]);
}

/// `pedestrian` for one agent after another, as a solver of a user.
#[derive(Debug)]
struct OneByOne(Pedestrian, bool);

impl Solve<Vec2> for OneByOne {
    fn solve(
        &self,
        host: &Agent<Vec2>,
        sum: Vec2,
        context: &SteerContext<'_, Vec2>,
        debug: DebugDraw<'_, Vec2>,
    ) -> Solution<Vec2> {
        self.0.solve(host, sum, context, debug)
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.0.sight)
    }
    fn needs(&self) -> Needs {
        Needs::BODIES
    }
    fn decides_velocity(&self) -> bool {
        true
    }
    fn solves_cells(&self) -> bool {
        self.1
    }
}

#[test]
fn the_agents_of_a_cell_decide_together_as_they_do_one_by_one() {
    let crowd = |solvers: [Solver<Vec2>; 2]| {
        let room = Shape::box_between(vec2(0.0, 0.0), vec2(5.0, 5.0));
        let mut group = Group::new("people", 90, Spawn::Inside(room), 1.3);
        group.radius = Distribution::Uniform(0.1, 0.25);
        group.think_every = 2;
        // Of two states, so that those of a cell change from one solver to the other.
        let names = ["east", "north"];
        let change = Condition::TimeInState(Distribution::Uniform(0.2, 0.9).into());
        let goals = [vec2(50.0, 0.0), vec2(0.0, 50.0)];
        group.states = (0..2)
            .map(|i| {
                let solver = Behavior::Solver(solvers[i].clone());
                State::new(names[i])
                    .steer(seek(goals[i]))
                    .steer(solver)
                    .leave(names[1 - i], change.clone())
            })
            .collect();
        let wall = Shape::box_between(vec2(6.0, -9.0), vec2(7.0, 4.0));
        let setup =
            Setup { dt: 0.1, groups: vec![group], obstacles: vec![wall], ..Setup::default() };
        let mut crowd = Crowd::new(setup).unwrap();
        (0..40).for_each(|_| crowd.step());
        crowd
    };
    let parameters = [Pedestrian::default(), Pedestrian { sight: 2.0, ..at_once() }];
    let built_in = crowd(parameters.clone().map(Solver::from));
    for together in [false, true] {
        let own = |p: Pedestrian| Solver::own("one by one", OneByOne(p, together));
        let own = crowd(parameters.clone().map(own));
        for (id, agent) in built_in.agents() {
            assert_eq!(own.get(id).unwrap().agent, agent, "{id}");
        }
    }
}
