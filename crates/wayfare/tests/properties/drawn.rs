//! Valid setups that use every behavior, rule and edge, drawn from numbers.

use wayfare::behavior::{Choose, QueueLength, RouteClearance};
use wayfare::combine::{Combine, Entry, Slot};
use wayfare::crowd::{
    Arrivals, Bodies, Condition, Distribution, Exit, ExitAction, Group, Limit, Line, Navigation,
    Perception, Rhythm, Setup, Source, Spawn, StartAfter, StartVelocity, Stat, State, Track,
    Transition, TransitionTarget, range,
};
use wayfare::geometry::path::{Curve, Path};
use wayfare::parameter::{GroupId, Groups, Range, Target, Unit};
use wayfare::registry::Behavior;
use wayfare::solve::{Solve, Solver};
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::vector::Up;
use wayfare::{List, Vector};

use crate::choices::{Choices, GROUPS, PATHS};

/// The solvers that can end a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Nothing,
    /// Those that brake the forces before them.
    Queue,
    /// Also those that decide the velocity.
    Any,
}

fn rule(choices: &mut Choices) -> Combine {
    Combine::LIST[choices.below(Combine::LIST.len())]
}

/// A list of up to four slots; a solver only as the last one.
fn list<V: Vector>(choices: &mut Choices, depth: usize, ends: Ends) -> List<V> {
    let combine = rule(choices);
    let (epsilon, standing) = (choices.number(range::EPSILON), choices.number(range::STANDING));
    let mut list = List { epsilon, standing, ..List::new(combine) };
    let slots = choices.below(5);
    for slot_index in 0..slots {
        // A solver has one place in a list only: there it is drawn more often than a behavior.
        let at_end = slot_index + 1 == slots && ends != Ends::Nothing;
        let descriptions =
            if at_end && choices.below(8) == 7 { Solver::<V>::LIST } else { Behavior::<V>::LIST };
        let description = &descriptions[choices.below(descriptions.len())];
        let entry = if depth > 0 && choices.below(4) == 3 {
            Entry::List(self::list(choices, depth - 1, Ends::Queue))
        } else if let Some(solver) = Solver::<V>::from_name(description.name)
            && (slot_index + 1 < slots
                || ends == Ends::Nothing
                || (solver.decides_velocity() && (ends == Ends::Queue || V::DIMENSION == 3)))
        {
            continue;
        } else {
            Entry::Behavior(choices.behavior(description))
        };
        let mut slot = Slot::new(entry);
        (slot.weight, slot.chance, slot.danger) =
            (choices.number(range::WEIGHT), choices.number(range::CHANCE), choices.flag());
        list.slots.push(slot);
    }
    list
}

fn spread(choices: &mut Choices, range: Range) -> Distribution {
    let (a, b) = (choices.number(range), choices.number(range));
    if choices.flag() && a.is_finite() && b.is_finite() {
        Distribution::Uniform(a.min(b), a.max(b))
    } else if a.is_finite() && choices.flag() {
        Distribution::Normal(a, choices.number(range::DEVIATION))
    } else {
        Distribution::Same(a)
    }
}

fn condition<V: Vector>(choices: &mut Choices, depth: usize) -> Condition<V> {
    match choices.below(if depth > 0 { 10 } else { 7 }) {
        0 => Condition::TimeInState(f64::from(choices.number(Range::from_zero(Unit::Time))).into()),
        1 => Condition::stat(0).at_most(choices.number(range::STAT)),
        2 => Condition::stat(0).at_least(choices.number(range::STAT)),
        3 => Condition::Near(choices.target(), choices.number(range::DISTANCE), None),
        4 => Condition::FarFrom(choices.target(), choices.number(range::DISTANCE)),
        5 => Condition::PathDone(choices.flag()),
        6 => match choices.below(6) {
            0 => Condition::Stuck(
                choices.number(range::DISTANCE),
                f64::from(choices.number(range::TIME)),
            ),
            1 => Condition::Sees(choices.flag()),
            2 => Condition::Unreachable(choices.flag()),
            3 => Condition::RouteLength(choices.number(range::DISTANCE)),
            4 => Condition::FirstInQueue(choices.flag()),
            _ => Condition::Remembers(choices.flag()),
        },
        7 => Condition::All(vec![condition(choices, depth - 1), condition(choices, depth - 1)]),
        8 => Condition::Any(vec![condition(choices, depth - 1), condition(choices, depth - 1)]),
        _ => Condition::Not(Box::new(condition(choices, depth - 1))),
    }
}

fn to<V: Vector>(choices: &mut Choices, states: usize) -> TransitionTarget<V> {
    if choices.below(8) == 7 {
        TransitionTarget::Out(then(choices))
    } else if states > 1 && choices.flag() {
        let states = (0..states).map(|state| (state, choices.number(range::CHOICE)));
        TransitionTarget::one_of(states)
    } else {
        TransitionTarget::from(choices.below(states))
    }
}

fn then<V: Vector>(choices: &mut Choices) -> ExitAction<V> {
    if choices.flag() { ExitAction::Remove } else { ExitAction::Respawn(choices.area()) }
}

fn group<V: Vector>(choices: &mut Choices, name: &str) -> Group<V> {
    let count = choices.below(5);
    let spawn = match choices.below(3) {
        0 => Spawn::Points((0..count).map(|_| choices.point()).collect()),
        1 => Spawn::Inside(choices.area()),
        _ => Spawn::Grid {
            origin: choices.point(),
            spacing: choices.number(range::RADIUS),
            columns: 2,
            rows: 1,
        },
    };
    let (min, max) = (choices.number(range::STAT), choices.number(range::STAT));
    let stat = Stat {
        name: "stat".to_string(),
        start: min.min(max).into(),
        min: min.min(max),
        max: if choices.flag() { f32::INFINITY } else { min.max(max) },
    };
    let states = choices.below(3);
    let mut group = Group::new(name, count, spawn, 1.0);
    group.velocity =
        if choices.flag() { StartVelocity::Random } else { StartVelocity::Same(choices.point()) };
    group.mass = spread(choices, range::MASS);
    group.max_speed = spread(choices, range::MAX_SPEED);
    group.max_force = spread(choices, range::MAX_FORCE);
    group.radius = spread(choices, range::RADIUS);
    group.start_after = match choices.below(4) {
        0 => StartAfter::Drawn(spread(choices, range::TIME)),
        1 if count > 0 => {
            StartAfter::Listed((0..count).map(|_| choices.number(range::TIME)).collect())
        }
        // A time that ends during the run.
        2 => StartAfter::Drawn(Distribution::Uniform(0.0, 4.0)),
        _ => StartAfter::default(),
    };
    group.solid = choices.below(4) > 0;
    if !group.solid {
        group.min_speed = 0.5 * group.bounds(Limit::MaxSpeed).0;
    }
    group.inertia = choices.number(range::INERTIA);
    group.turn_rate = choices.number(range::TURN_RATE);
    group.turning_radius = choices.flag().then(|| choices.number(range::TURNING_RADIUS));
    if group.turning_radius.is_none() && choices.flag() {
        group.heading_time = choices.number(range::HEADING_TIME);
    }
    // Conditions on perception require a perception.
    group.sight = (states > 0 || choices.flag()).then(|| Perception {
        of: choices.target(),
        within: choices.number(range::SIGHT),
        field_of_view: choices.number(range::FIELD_OF_VIEW),
        memory: choices.number(range::MEMORY),
    });
    group.drag = choices.number(range::DRAG);
    group.steer = list(choices, 2, if states == 0 { Ends::Any } else { Ends::Nothing });
    group.stats = vec![stat];
    for i in 0..states {
        let leave = (0..2)
            .map(|_| Transition { to: to(choices, states), when: condition(choices, 2) })
            .collect();
        let rates = vec![(0.into(), choices.number(range::STAT))];
        group.states.push(State {
            name: i.to_string(),
            mass: None,
            max_speed: choices.flag().then(|| choices.number(range::MAX_SPEED)),
            max_force: None,
            radius: None,
            drag: choices.flag().then(|| choices.number(range::DRAG)),
            combine: choices.flag().then(|| rule(choices)),
            rates,
            steer: list(choices, 1, Ends::Any),
            leave,
        });
    }
    let decides = |b: &Behavior<V>| matches!(b, Behavior::Solver(s) if s.decides_velocity());
    if group.lists().flat_map(List::behaviors).any(decides) {
        group.turning_radius = None;
        let radius = Range::above_zero(Unit::Length);
        group.radius = match spread(choices, radius) {
            // Three deviations below the mean, the smallest radius is in the range.
            Distribution::Normal(least, _) => {
                let mean = radius.max.min(4.0 * least);
                Distribution::Normal(mean, (mean - least) / 4.0)
            }
            other => other,
        };
        let states = group.states.iter_mut().filter_map(|state| state.combine.as_mut());
        for rule in core::iter::once(&mut group.steer.combine).chain(states) {
            if matches!(rule, Combine::Budget | Combine::Dither) {
                *rule = Combine::Sum;
            }
        }
    }
    keep_one_way(&mut group);
    group
}

/// Drops every `navigate` in space, or that would be the second of an agent; the others get a
/// clearance that the rounding of coordinates leaves.
fn keep_one_way<V: Vector>(group: &mut Group<V>) {
    keep_ways(group, usize::from(V::DIMENSION == 2));
}

/// Drops every `navigate` after the first `most`.
fn keep_ways<V: Vector>(group: &mut Group<V>, most: usize) {
    let radius = group.largest_radius();
    let mut left = most;
    let mut keep = |slots: &mut Vec<Slot<V>>| drop_ways(slots, &mut left, radius);
    keep(&mut group.steer.slots);
    group.states.iter_mut().for_each(|state| keep(&mut state.steer.slots));
}

fn drop_ways<V: Vector>(slots: &mut Vec<Slot<V>>, left: &mut usize, radius: f32) {
    const LEAST: f32 = 1e4;
    slots.retain_mut(|slot| match &mut slot.entry {
        Entry::Behavior(Behavior::Navigate(navigate)) => {
            navigate.clearance = match navigate.clearance {
                RouteClearance::Auto if radius >= LEAST => RouteClearance::Auto,
                RouteClearance::Auto => RouteClearance::Fixed(LEAST),
                RouteClearance::Fixed(clearance) => RouteClearance::Fixed(clearance.max(LEAST)),
            };
            let is_point = matches!(navigate.target, Target::Point(_));
            let points = &mut navigate.alternatives;
            points.retain(|p| is_point && Target::Point(*p) != navigate.target);
            points.dedup();
            if points.is_empty() {
                navigate.choose = Choose::Nearest;
            }
            if radius == 0.0 && navigate.queue_length == QueueLength::Auto {
                navigate.queue_length = QueueLength::Fixed(2.0);
            }
            let is_kept = *left > 0;
            *left -= usize::from(is_kept);
            is_kept
        }
        Entry::Behavior(_) => true,
        Entry::List(list) => {
            drop_ways(&mut list.slots, left, radius);
            true
        }
    });
}

/// Drops every `queue_along` whose path has no end or no length, or that would be the second of a
/// group.
fn keep_one_queue<V: Vector>(groups: &mut [Group<V>], paths: &[(String, Path<V>)]) {
    for group in groups {
        let mut left = 1;
        drop_queues(&mut group.steer.slots, &mut left, paths);
        group.states.iter_mut().for_each(|s| drop_queues(&mut s.steer.slots, &mut left, paths));
    }
}

fn drop_queues<V: Vector>(slots: &mut Vec<Slot<V>>, left: &mut usize, paths: &[(String, Path<V>)]) {
    slots.retain_mut(|slot| match &mut slot.entry {
        Entry::Behavior(Behavior::QueueAlong(queue)) => {
            let path = &paths[queue.path.0].1;
            let is_kept = *left > 0 && !path.is_closed() && path.length() > 0.0;
            *left -= usize::from(is_kept);
            is_kept
        }
        Entry::Behavior(_) => true,
        Entry::List(list) => {
            drop_queues(&mut list.slots, left, paths);
            true
        }
    });
}

fn path<V: Vector>(choices: &mut Choices) -> Path<V> {
    let points: Vec<V> = (0..1 + choices.below(5)).map(|_| choices.point()).collect();
    let (radius, closed) = (choices.number(range::RADIUS), choices.flag());
    // The tolerance of flattening is relative to the size of the curve.
    let curved = match choices.below(4) {
        2 => Path::curved(Curve::Bezier, &points, radius, closed, 1e7),
        3 => Path::curved(Curve::CatmullRom, &points, radius, closed, 1e7),
        _ => return Path::new(points, radius, closed),
    };
    // The curve may leave the range of coordinates.
    let in_range = curved
        .points()
        .iter()
        .all(|p| (0..V::DIMENSION).all(|i| range::COORDINATE.holds(p.axis(i))));
    if in_range { curved } else { Path::new(points, radius, closed) }
}

fn line<V: Vector>(choices: &mut Choices, i: usize) -> Line<V> {
    let (from, to) = (choices.point::<V>(), choices.point::<V>());
    // Apart on the ground, whichever axis is up.
    let apart = from.axis(0) != to.axis(0) || (1..V::DIMENSION).all(|i| from.axis(i) != to.axis(i));
    let other = V::X * if from.axis(0) == 0.0 { 1.0 } else { 0.0 };
    Line { name: i.to_string(), from, to: if apart { to } else { other } }
}

fn exit<V: Vector>(choices: &mut Choices) -> Exit<V> {
    let groups = if choices.flag() { Groups::All } else { Groups::only([choices.below(GROUPS)]) };
    let then = then(choices);
    Exit { shape: choices.shape(), groups, then }
}

fn source<V: Vector>(choices: &mut Choices, dt: f64) -> Source<V> {
    let arrivals = if choices.flag() {
        let times = [choices.number(range::ARRIVAL), choices.number(range::ARRIVAL)].map(f64::from);
        Arrivals::Schedule(if times[0] < times[1] {
            vec![(times[0], 2), (times[1], 1)]
        } else {
            vec![(times[0], choices.below(3))]
        })
    } else {
        let (from, until) =
            (f64::from(choices.number(range::FROM)), f64::from(choices.number(range::UNTIL)));
        let rhythm = if choices.flag() { Rhythm::Random } else { Rhythm::Regular };
        Arrivals::Rate {
            rate: (f64::from(choices.between(0.0, 2.0)) / dt).min(1e9),
            from: from.min(until),
            until,
            rhythm,
        }
    };
    Source {
        area: choices.area(),
        group: GroupId(choices.below(GROUPS)),
        arrivals,
        most: choices.below(9),
        apart: choices.flag(),
        to: (0..choices.below(3))
            .map(|_| (choices.point(), choices.number(range::CHOICE)))
            .collect(),
    }
}

pub(crate) fn setup<V: Vector>(choices: &mut Choices) -> Setup<V> {
    let mut groups: Vec<Group<V>> =
        (0..GROUPS).map(|i| group(choices, &format!("group {i}"))).collect();
    let neighbor_radius =
        groups.iter().flat_map(Group::lists).filter_map(List::neighbor_radius).fold(0.0, f32::max);
    let (a, b) = (choices.point::<V>(), choices.point::<V>());
    let bounds = Bounds {
        min: a.min(b),
        max: a.max(b),
        // Most wrapped worlds are too narrow for their neighbors: they are drawn more often.
        edge: [Edge::Open, Edge::Wall, Edge::Bounce]
            .get(choices.below(8))
            .copied()
            .unwrap_or(Edge::Wrap),
    };
    let narrowest =
        (0..V::DIMENSION).map(|i| (bounds.max - bounds.min).axis(i)).fold(f32::INFINITY, f32::min);
    let wide_enough =
        narrowest > 0.0 && (bounds.edge != Edge::Wrap || narrowest >= 2.0 * neighbor_radius);
    if wide_enough && bounds.edge == Edge::Wrap {
        // No ways lead across the edge.
        groups.iter_mut().for_each(|group| keep_ways(group, 0));
    }
    let (time, dt) = (
        f64::from(choices.number(Range::above_zero(Unit::Time))),
        f64::from(choices.number(range::DT)),
    );
    let mut setup = Setup {
        dt,
        seed: choices.below(1_000) as u64,
        up: if V::DIMENSION == 3 && choices.flag() { Up::Y } else { Up::Z },
        bounds: wide_enough.then_some(bounds),
        bodies: Bodies {
            solid: choices.flag(),
            iterations: 1 + choices.below(8) as u32,
            relaxation: choices.number(range::RELAXATION),
        },
        navigation: Navigation { searches_per_tick: 1 + choices.below(3) as u32 },
        pointer: Some(Track { points: vec![(-time, choices.point()), (time, choices.point())] }),
        obstacles: (0..choices.below(5)).map(|_| choices.shape()).collect(),
        paths: (0..PATHS).map(|i| (i.to_string(), path(choices))).collect(),
        lines: (0..choices.below(3)).map(|i| line(choices, i)).collect(),
        exits: (0..choices.below(3)).map(|_| exit(choices)).collect(),
        sources: (0..choices.below(3)).map(|_| source(choices, dt)).collect(),
        groups,
        // Properties give commands themselves.
        commands: Vec::new(),
        // A field with a goal, and one that may have none.
        fields: vec![
            ("map".to_string(), choices.map()),
            ("vectors".to_string(), if choices.flag() { choices.vectors() } else { choices.map() }),
        ],
    };
    keep_one_queue(&mut setup.groups, &setup.paths);
    setup
}
