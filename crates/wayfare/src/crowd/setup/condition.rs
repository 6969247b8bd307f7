//! Conditions under which a transition is taken.
//!
//! A new condition is a variant of [`Condition`], its description in the list below, and its
//! evaluation in the crowd's pipeline; decoding, schema, validation, snapshots and docs iterate the
//! list.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use super::allowed::ranges;
use crate::agent::Agent;
use crate::context::SteerContext;
use crate::id::Named;
use crate::parameter::{Field, Kind, PathId, StatId, StateId, Target, Value, describe_variants};
use crate::random::Distribution;
use crate::vector::Vector;

/// A time to wait (time): the same for all agents, or drawn by each.
///
/// ```
/// use wayfare::crowd::{Condition, Distribution};
/// use wayfare::glam::Vec2;
/// let soon = Condition::<Vec2>::TimeInState(3.0.into());
/// let drawn = Condition::<Vec2>::TimeInState(Distribution::Uniform(10.0, 20.0).into());
/// assert_ne!(soon, drawn);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum TimeLimit {
    /// The same time for all agents.
    Same(f64),
    /// A time that each agent draws for itself.
    Drawn(Distribution),
}

impl From<f64> for TimeLimit {
    fn from(time: f64) -> Self {
        TimeLimit::Same(time)
    }
}

impl From<Distribution> for TimeLimit {
    fn from(distribution: Distribution) -> Self {
        TimeLimit::Drawn(distribution)
    }
}

impl<V: Vector> Field<V> for TimeLimit {
    fn placeholder() -> Self {
        TimeLimit::Same(f64::NAN)
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Double(time) => Some(TimeLimit::Same(time)),
            Value::Distribution(distribution) => Some(TimeLimit::Drawn(distribution)),
            _ => None,
        }
    }
    fn write(&self) -> Option<Value<V>> {
        Some(match *self {
            TimeLimit::Same(time) => Value::Double(time),
            TimeLimit::Drawn(distribution) => Value::Distribution(distribution),
        })
    }
}

/// A condition on one agent at one tick. Described by its
/// [`LIST`](crate::parameter::Variants::LIST).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Condition<V> {
    /// A stat is at most the first number and at least the second; each bound is optional. Made by
    /// [`stat`](Self::stat).
    Stat(Named<StatId>, Option<f32>, Option<f32>),
    /// The distance to the target is at most this (length); false for a group without other
    /// members. With a state, only members of the target's group in that state count.
    Near(Target<V>, f32, Option<StateId>),
    /// The distance to the target, or to every member of the group, is at least this (length).
    FarFrom(Target<V>, f32),
    /// The agent has been in its state for at least this long (time). A limit that is drawn is
    /// drawn once for each entry of an agent into a state.
    TimeInState(TimeLimit),
    /// Whether the agent has followed a path of its current state to the end.
    PathDone(bool),
    /// Whether the agent is the first one in the queue of its `queue_along`, at most the path's
    /// radius from the path's end.
    FirstInQueue(bool),
    /// Fewer agents are in the queue on the first path than in the queue on the second one, with
    /// those that walk to its end.
    ShorterQueue(PathId, PathId),
    /// Whether the agent sees the target of its group's [`Perception`](super::Perception) now.
    Sees(bool),
    /// Whether the agent sees the target of its group's [`Perception`](super::Perception), or
    /// remembers the position at which it last saw the target.
    Remembers(bool),
    /// The agent has stayed within this distance (length) of its anchor for at least this long
    /// (time). The anchor moves to the agent when the agent is farther away. The time restarts in
    /// each state.
    Stuck(f32, f64),
    /// Whether there is no route to the target of the agent's `navigate`; see
    /// [`Event::Unreachable`](crate::crowd::Event::Unreachable).
    Unreachable(bool),
    /// The route to the target of the agent's `navigate` is at most this long (length); false while
    /// the agent has none.
    RouteLength(f32),
    /// Whether the agent has an order: see [`Crowd::set_order`](crate::Crowd::set_order).
    HasOrder(bool),
    /// All of these conditions hold.
    All(Vec<Condition<V>>),
    /// At least one of these conditions holds.
    Any(Vec<Condition<V>>),
    /// This condition does not hold.
    Not(Box<Condition<V>>),
    /// A condition of a program. Made by [`own`](Self::own).
    #[cfg_attr(feature = "serde", serde(skip))]
    Own(OwnCondition<V>),
}

/// A stat that is compared with a number.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct StatCondition<V>(Named<StatId>, PhantomData<V>);

impl<V> StatCondition<V> {
    /// The stat is at most `x`.
    #[must_use]
    pub fn at_most(self, x: f32) -> Condition<V> {
        Condition::Stat(self.0, Some(x), None)
    }

    /// The stat is at least `x`.
    #[must_use]
    pub fn at_least(self, x: f32) -> Condition<V> {
        Condition::Stat(self.0, None, Some(x))
    }

    /// The stat is at least `least` and at most `most`.
    #[must_use]
    pub fn between(self, least: f32, most: f32) -> Condition<V> {
        Condition::Stat(self.0, Some(most), Some(least))
    }
}

/// A condition of a program, by [`Condition::own`]; equal to one of the same name.
#[derive(Clone)]
pub struct OwnCondition<V> {
    name: &'static str,
    holds: Arc<dyn Holds<V>>,
}

/// A test of one agent. The bound of `V` stands at the function, so that conditions need none.
trait Holds<V>: Send + Sync {
    fn holds(&self, host: &Agent<V>, context: &SteerContext<'_, V>) -> bool
    where
        V: Vector;
}

impl<V, F> Holds<V> for F
where
    V: Vector,
    F: Fn(&Agent<V>, &SteerContext<'_, V>) -> bool + Send + Sync,
{
    fn holds(&self, host: &Agent<V>, context: &SteerContext<'_, V>) -> bool {
        self(host, context)
    }
}

impl<V: Vector> OwnCondition<V> {
    pub(in crate::crowd) fn holds(&self, host: &Agent<V>, context: &SteerContext<'_, V>) -> bool {
        self.holds.holds(host, context)
    }
}

impl<V> OwnCondition<V> {
    /// The name that was given to it.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl<V> PartialEq for OwnCondition<V> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<V> fmt::Debug for OwnCondition<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

describe_variants!(Condition<V> {
    Stat = "stat", "A stat of the group is in a range: `at_most`, `at_least`, or both.",
        r#"{ stat = "stamina", at_most = 0 }"# {
        0 "stat": Named<StatId> = required, Kind::Stat, "The stat.";
        1 "at_most": Option<f32> = None, Kind::Number(ranges::STAT),
            "The largest value of the `stat`.";
        2 "at_least": Option<f32> = None, Kind::Number(ranges::STAT),
            "The smallest value of the `stat`.";
    }
    Near = "near", "The target is at most `within` away; of a group its nearest member.",
        r#"{ near = "prey", within = 180 }"# {
        0 "near": Target<V> = required, Kind::Target, "The target.";
        1 "within": f32 = required, Kind::Number(ranges::DISTANCE),
            "The largest distance to `near`.";
        2 "state": Option<StateId> = None, Kind::State,
            "The state of the members of `near` that count; all of them unless given.";
    }
    FarFrom = "far_from", "The target is at least `beyond` away; of a group its nearest member.",
        r#"{ far_from = "prey", beyond = 250 }"# {
        0 "far_from": Target<V> = required, Kind::Target, "The target.";
        1 "beyond": f32 = required, Kind::Number(ranges::DISTANCE),
            "The smallest distance to `far_from`.";
    }
    TimeInState = "time_in_state",
        "The agent has been in its state for at least this long. A range is drawn from at each \
         entry into the state.",
        "{ time_in_state = 50 }" {
        0 "time_in_state": TimeLimit = required, Kind::Distribution(ranges::TIME),
            "The time in the state.";
    }
    PathDone = "path_done",
        "Whether a path that ends in `\"seek\"` or `\"arrive\"` has been followed to its end.",
        "{ path_done = true }" {
        0 "path_done": bool = required, Kind::Flag, "`true` for done, `false` for not done.";
    }
    FirstInQueue = "first_in_queue",
        "Whether the agent is the first one in the queue of its `queue_along`, and within the \
         path's radius of the path's end.",
        "{ first_in_queue = true }" {
        0 "first_in_queue": bool = required, Kind::Flag,
            "`true` for the first, `false` for others.";
    }
    ShorterQueue = "shorter_queue",
        "Fewer agents are in the queue on this path than in the queue on the path `than`.",
        r#"{ shorter_queue = "left", than = "right" }"# {
        0 "shorter_queue": PathId = required, Kind::Path, "The path of the shorter queue.";
        1 "than": PathId = required, Kind::Path, "The path of the longer queue.";
    }
    Sees = "sees", "Whether the agent sees the target of the group's `sight` now.",
        "{ sees = true }" {
        0 "sees": bool = required, Kind::Flag, "`true` for seen, `false` for not seen.";
    }
    Remembers = "remembers",
        "Whether the agent sees the target of the group's `sight`, or remembers where it saw it.",
        "{ remembers = true }" {
        0 "remembers": bool = required, Kind::Flag, "`true` for remembered, `false` for forgotten.";
    }
    Stuck = "stuck_within",
        "The agent has moved no farther than this from one position, `for` this long.",
        "{ stuck_within = 20, for = 60 }" {
        0 "stuck_within": f32 = required, Kind::Number(ranges::DISTANCE), "The distance.";
        1 "for": f64 = required, Kind::Double(ranges::TIME), "The time, counted in this state.";
    }
    Unreachable = "unreachable",
        "Whether there is no route to the target of the agent's `navigate`.",
        "{ unreachable = true }" {
        0 "unreachable": bool = required, Kind::Flag, "`true` for no route, `false` for others.";
    }
    RouteLength = "route_length",
        "The route to the target of the agent's `navigate` is at most this long.",
        "{ route_length = 5 }" {
        0 "route_length": f32 = required, Kind::Number(ranges::DISTANCE),
            "The largest length of the route that is left.";
    }
    HasOrder = "has_order", "Whether the agent has an order.", "{ has_order = true }" {
        0 "has_order": bool = required, Kind::Flag, "`true` for an order, `false` for none.";
    }
    All = "all", "All of these conditions hold.",
        r#"{ all = [{ time_in_state = 5 }, { near = "prey", within = 180 }] }"# {
        0 "all": Vec<Condition<V>> = required, Kind::Conditions, "The conditions.";
    }
    Any = "any", "At least one of these conditions holds.",
        r#"{ any = [{ time_in_state = 5 }, { near = "prey", within = 180 }] }"# {
        0 "any": Vec<Condition<V>> = required, Kind::Conditions, "The conditions.";
    }
    Not = "not", "This condition does not hold.", "{ not = { time_in_state = 5 } }" {
        0 "not": Box<Condition<V>> = required, Kind::Condition, "The condition.";
    }
} of a program: Own = "own");

impl<V> Condition<V> {
    /// A stat of the group, by its name or its index; [`at_most`](StatCondition::at_most) or
    /// [`at_least`](StatCondition::at_least) make a condition of it.
    pub fn stat(stat: impl Into<Named<StatId>>) -> StatCondition<V> {
        StatCondition(stat.into(), PhantomData)
    }

    /// A condition of your own: whether `holds` is true of an agent at the start of its tick. The
    /// name stands for it in error texts and snapshots; it cannot be written with `serde`.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let far = Condition::<Vec2>::own("far east", |agent, _| agent.position.x > 20.0);
    /// let graze = State::new("graze").leave("run", far);
    /// let run = State::new("run").steer(Seek::new(vec2(0.0, 0.0)));
    /// let sheep = Group::new("sheep", 1, Spawn::point(vec2(30.0, 0.0)), 2.0);
    /// let mut crowd = Setup::new(0.1).group(sheep.state(graze).state(run)).crowd()?;
    /// crowd.step();
    /// assert_eq!(crowd.get(0).unwrap().state, Some("run"));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn own<F>(name: &'static str, holds: F) -> Self
    where
        V: Vector,
        F: Fn(&Agent<V>, &SteerContext<'_, V>) -> bool + Send + Sync + 'static,
    {
        Condition::Own(OwnCondition { name, holds: Arc::new(holds) })
    }

    /// Replaces the names of stats by their ids; `names` are those of the group.
    pub(in crate::crowd) fn find_stats(&mut self, names: &[&str]) {
        match self {
            Condition::Stat(stat, ..) => {
                if let Some(id) = stat.among(names.iter().copied()) {
                    *stat = Named::Id(id);
                }
            }
            Condition::All(list) | Condition::Any(list) => {
                list.iter_mut().for_each(|inner| inner.find_stats(names));
            }
            Condition::Not(inner) => inner.find_stats(names),
            _ => {}
        }
    }

    /// The conditions inside [`All`](Self::All), [`Any`](Self::Any) or [`Not`](Self::Not); none for
    /// the others.
    pub fn operands(&self) -> &[Condition<V>] {
        match self {
            Condition::All(list) | Condition::Any(list) => list,
            Condition::Not(inner) => core::slice::from_ref(inner),
            _ => &[],
        }
    }

    /// Sets the conditions inside [`All`](Self::All), [`Any`](Self::Any) or [`Not`](Self::Not);
    /// `false` if the condition takes none, or if `Not` is not given exactly one.
    pub fn set_operands(&mut self, mut operands: Vec<Condition<V>>) -> bool {
        match self {
            Condition::All(list) | Condition::Any(list) => *list = operands,
            Condition::Not(inner) if operands.len() == 1 => {
                operands.drain(..).for_each(|operand| **inner = operand);
            }
            _ => return false,
        }
        true
    }

    /// Calls `visit` for this condition and every condition inside it.
    pub(in crate::crowd) fn visit<'a>(&'a self, visit: &mut impl FnMut(&'a Condition<V>)) {
        visit(self);
        self.operands().iter().for_each(|operand| operand.visit(visit));
    }
}

/// Operands have no [`Value`]: read them with [`Condition::operands`].
impl<V: Vector> Field<V> for Vec<Condition<V>> {
    fn placeholder() -> Self {
        Vec::new()
    }
    fn read(_: Value<V>) -> Option<Self> {
        None
    }
    fn write(&self) -> Option<Value<V>> {
        None
    }
}

impl<V: Vector> Field<V> for Box<Condition<V>> {
    fn placeholder() -> Self {
        Box::new(Condition::TimeInState(0.0.into()))
    }
    fn read(_: Value<V>) -> Option<Self> {
        None
    }
    fn write(&self) -> Option<Value<V>> {
        None
    }
}
