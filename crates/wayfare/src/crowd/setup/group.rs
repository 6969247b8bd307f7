//! Groups of agents: their number, start positions, limits and behaviors.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::allowed::{MAX_AGENTS, MAX_THINK_EVERY, ranges};
use super::limit::Limit;
use super::rules::Rules;
use super::start_after::StartAfter;
use super::state::{State, Transition};
use crate::behavior::Steer;
use crate::combine::{Combine, List};
use crate::geometry::obstacle::Shape;
use crate::id::PathId;
use crate::order::WithoutOrder;
use crate::parameter::{
    Field, IntoField, Kind, Named, Needs, Parameters, Range, Scale, StatId, StateId, Target, Value,
    Variants, described, nested, parameters, part_field, tables,
};
use crate::random::Distribution;
use crate::registry::Behavior;
use crate::vector::Vector;

/// A position for each member of a group: its start, or its goal.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Spawn<V> {
    /// Uniformly random inside a circle or a box.
    Inside(Shape<V>),
    /// Random inside a circle or a box, so that a body overlaps no other body, no obstacle and no
    /// wall of the bounds. Groups with other spawns are placed first, then these, in their order.
    /// Each member takes the first free one of at most 1,000 random positions. Only for the start
    /// of a group.
    Apart(Shape<V>),
    /// Evenly spaced along a path, with the heading along it: from end to end of an open path, by
    /// length / `count` on a closed one. Only for the start of a group.
    Along(PathId),
    /// Row by row from `origin`: `columns` positions per row, `spacing` apart; in 3D layer by layer
    /// of `rows` rows, upwards.
    Grid {
        /// The first position (length).
        origin: V,
        /// The distance between neighboring positions (length).
        spacing: f32,
        /// The number of positions in a row, along x.
        columns: u32,
        /// The number of rows of a layer, along the other axis of the ground (y, or z with y up),
        /// before the next layer above it; only in 3D.
        rows: u32,
    },
    /// Evenly spaced on a circle, by an angle of `2 pi / count`; in 3D on a horizontal circle.
    Ring {
        /// The center (length).
        center: V,
        /// The radius (length).
        radius: f32,
        /// The angle of the first position, from +x to +y, with y up from +x to -z (radians).
        turn: f32,
    },
    /// At these points, one agent each.
    Points(Vec<V>),
}

impl<V: Vector> Spawn<V> {
    /// Random inside a circle or a box: [`Spawn::Inside`].
    pub fn inside(shape: Shape<V>) -> Self {
        Spawn::Inside(shape)
    }

    /// Random inside a circle or a box, without overlaps: [`Spawn::Apart`].
    pub fn apart(shape: Shape<V>) -> Self {
        Spawn::Apart(shape)
    }

    /// Rows of `columns` positions from `origin` on: [`Spawn::Grid`]; in space also `columns` rows
    /// in a layer.
    pub fn grid(origin: V, spacing: f32, columns: u32) -> Self {
        Spawn::Grid { origin, spacing, columns, rows: columns }
    }

    /// On a circle, the first position towards +x: [`Spawn::Ring`].
    pub fn ring(center: V, radius: f32) -> Self {
        Spawn::Ring { center, radius, turn: 0.0 }
    }

    /// At these points: [`Spawn::Points`].
    pub fn points(points: impl IntoIterator<Item = V>) -> Self {
        Spawn::Points(points.into_iter().collect())
    }

    /// At one point.
    pub fn point(point: V) -> Self {
        Spawn::Points(vec![point])
    }
}

part_field!(Spawn<V>, Spawn::Points(Vec::new()));

impl<V: Vector> Field<V> for Option<Spawn<V>> {
    fn placeholder() -> Self {
        None
    }
    fn read(value: Value<V>) -> Option<Self> {
        Spawn::read(value).map(Some)
    }
    fn write(&self) -> Option<Value<V>> {
        self.as_ref().and_then(Field::write)
    }
}

/// The same velocity for all members.
impl<V: Vector> IntoField<StartVelocity<V>> for V {
    fn into_field(self) -> StartVelocity<V> {
        StartVelocity::Same(self)
    }
}

impl<V: Vector> Field<V> for StartVelocity<V> {
    fn placeholder() -> Self {
        StartVelocity::Same(V::ZERO)
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Point(velocity) => Some(StartVelocity::Same(velocity)),
            Value::Word(_) => Some(StartVelocity::Random),
            _ => None,
        }
    }
    fn write(&self) -> Option<Value<V>> {
        Some(match self {
            StartVelocity::Same(velocity) => Value::Point(*velocity),
            StartVelocity::Random => Value::Word("random"),
        })
    }
}

/// The initial velocity of a group's members.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum StartVelocity<V> {
    /// The same velocity for all members (length / time).
    Same(V),
    /// A random direction for each member, at its max_speed.
    Random,
}

impl<V> From<V> for StartVelocity<V> {
    fn from(velocity: V) -> Self {
        StartVelocity::Same(velocity)
    }
}

parameters! {
    /// Agents that have the same behaviors.
    "group" = pub struct Group<V: Vector> without new {
        /// The group's name, unique in the scene, and not "pointer", "goal", "order" or
        /// "last_seen".
        name: String = required, Kind::Text, "\"guest\"";
        /// The number of its members at the start; required unless `spawn` gives points, whose
        /// number it is then.
        count: usize = required, Kind::Integer(0, MAX_AGENTS as u64), "40";
        /// The positions of its members at the start.
        spawn: Spawn<V> = required, Kind::Positions(true),
            "{ points = [[100, 50], [140, 20]] }";
        /// A goal for each member: the target `"goal"`. An agent keeps its goal, also when it
        /// respawns; members that enter later share the same set of goals.
        goal: Option<Spawn<V>> = None, Kind::Positions(false),
            "{ ring = { center = [320, 240], radius = 200, turn = 180 } }";
        /// The velocity at the start (length / time), or `"random"`: a random direction for each
        /// member, at its max_speed.
        velocity: StartVelocity<V> = (StartVelocity::Same(V::ZERO)), Kind::Velocity, "[1, 0]";
        /// The direction in which members at rest head at the start, of any length but zero; along
        /// the path of a spawn `along` one and +x unless given. Members that enter with a velocity
        /// head along it.
        heading: Option<V> = None, Kind::Direction, "[0, 1]";
        /// The time that members stand after they have entered, before they begin to steer; each
        /// draws from a range, or takes its number of a list, `{ list = [0, 5] }`. A member that
        /// waits is at rest, does not steer and does not change its state; others see it, and its
        /// body is solid and pushed as theirs are. The time counts from its entry, also where it
        /// starts again at an exit; its time in the state counts from the end of it.
        start_after: StartAfter = (StartAfter::Drawn(Distribution::Same(0.0))),
            Kind::Times(ranges::TIME), "{ uniform = [5, 20] }";
        /// The reaction time: an agent with a larger mass changes its velocity more slowly.
        mass: Distribution = (Distribution::Same(1.0)), Kind::Distribution(ranges::MASS), "20";
        /// The top speed; a `preset` supplies one.
        max_speed: Distribution = required, Kind::Distribution(ranges::MAX_SPEED), "3";
        /// The largest max_speed that a command can give to a member; the largest of the group and
        /// its states unless given. It is the unit of speed in sums over neighbors, which must not
        /// change while a crowd runs.
        speed_cap: Option<f32> = None, Kind::Number(ranges::MAX_SPEED), "6";
        /// The least speed, of birds and others that cannot stand: at the end of a step a slower
        /// member moves at it, in the direction of its velocity, at rest along its heading. A
        /// member that is frozen or waits for its start stands.
        min_speed: f32 = 0.0, Kind::Number(ranges::MIN_SPEED), "2";
        /// The length to which forces are truncated; unlimited unless given.
        max_force: Distribution = (Distribution::Same(f32::INFINITY)),
            Kind::Distribution(ranges::MAX_FORCE), "5.4";
        /// The radius of the body.
        radius: Distribution = (Distribution::Same(0.0)), Kind::Distribution(ranges::RADIUS), "5";
        /// The part of the velocity that is lost per unit of time.
        drag: f32 = 0.0, Kind::Number(ranges::DRAG), "0.1";
        /// The largest rate at which members turn their facing, apart from their velocity (degrees
        /// / time); they face where they move unless a behavior such as `face` says otherwise.
        turn_rate: f32 = (f32::INFINITY), Kind::Number(ranges::TURN_RATE), "180";
        /// Members move on wheels: along their heading only, and on circles of at least this
        /// radius.
        turning_radius: Option<f32> = None, Kind::Number(ranges::TURNING_RADIUS), "12";
        /// The time in which the angle between the heading and the direction of the velocity falls
        /// to 37 %, so that the heading does not spin at a low speed; at rest it stays. Not beside
        /// `turning_radius`.
        heading_time: f32 = 0.0, Kind::Number(ranges::HEADING_TIME), "0.5";
        /// Members steer only at every n-th tick, in turn, and keep their force in between: it
        /// reduces the cost of large crowds (C. Reynolds, "Big Fast Crowds on PS3", 2006). The dt
        /// that behaviors read is longer by this factor; an agent that enters a state steers at
        /// once.
        think_every: u32 = 1, Kind::Integer(1, MAX_THINK_EVERY as u64), "4";
        /// Whether an event is raised when the body of a member begins to touch another body. It
        /// costs a grid of all bodies in every tick.
        contacts: bool = false, Kind::Flag;
        /// Whether the bodies of the members push others and are pushed, in a world of solid
        /// `bodies`. Walls hold the bodies of such a world in any case.
        solid: bool = true, Kind::Flag, "false";
        /// The weight of a body in contacts: of two solid bodies the lighter one moves more. It is
        /// not `mass`, which is a reaction time.
        inertia: f32 = 1.0, Kind::Number(ranges::INERTIA), "20";
        /// What members without an order do where a behavior reads it: `"hold"` brakes, `"coast"`
        /// keeps the velocity, and a target takes the place of the order.
        without_order: WithoutOrder<V> = (WithoutOrder::Hold), Kind::TargetOr(&["hold", "coast"]),
            "\"goal\"";
        /// What members look out for, and how long they remember where they saw it.
        sight: Option<Perception<V>> = None,
            Kind::Nested(<Perception<V> as Parameters<V>>::PARAMETERS);
        /// The behaviors that all states share, evaluated before those of the state; a
        /// `[[group.steer]]` each. The rule of this list applies to both.
        steer as "steer": List<V> = (List::default()), Kind::Behaviors,
            "[{ seek = { target = [100, 50] } }]";
        /// Numbers that states change and conditions read; a `[group.stat.NAME]` each.
        stats as "stat": Vec<Stat> = (Vec::new()),
            Kind::Tables(<Stat as Parameters<V>>::PARAMETERS), "{ stamina = { start = 100 } }";
        /// States, of which a member is in one at a time; a `[[group.state]]` each.
        states as "state": Vec<State<V>> = (Vec::new()),
            Kind::Tables(<State<V> as Parameters<V>>::PARAMETERS);
        /// The state at the start; the first unless given.
        start: StateId = (StateId(0)), Kind::OwnState, "\"hunt\"";
    }
}

described!(Group<V: Vector>);

impl<V: Vector> Group<V> {
    /// One more behavior for all states.
    #[must_use]
    pub fn steer(mut self, behavior: impl Into<Behavior<V>>) -> Self {
        self.steer = self.steer.with(behavior);
        self
    }

    /// One more behavior for all states, whose force is multiplied by `weight`.
    #[must_use]
    pub fn weighted(mut self, weight: f32, behavior: impl Into<Behavior<V>>) -> Self {
        self.steer = self.steer.weighted(weight, behavior);
        self
    }

    /// The rule that combines the forces of the behaviors.
    #[must_use]
    pub fn combine(mut self, rule: Combine) -> Self {
        self.steer.combine = rule;
        self
    }

    /// One more stat.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let health = Stat::new("health", 100.0).min(0.0).max(100.0);
    /// assert_eq!(health.start, Distribution::Same(100.0));
    /// // Each member draws its own number.
    /// assert_ne!(health, health.clone().start(60.0..=100.0));
    /// ```
    #[must_use]
    pub fn stat(mut self, stat: Stat) -> Self {
        self.stats.push(stat);
        self
    }

    /// One more state; the first one is the start.
    #[must_use]
    pub fn state(mut self, state: State<V>) -> Self {
        self.states.push(state);
        self
    }

    /// A group at rest, with mass 1, unlimited force, radius 0, and no behaviors.
    ///
    /// With [`Spawn::Points`] there is one member per point, and `count` is not read. A group
    /// whose members come later has a count of 0, or no points.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let lobby = Spawn::grid(vec2(0.0, 0.0), 2.0, 5);
    /// let guests = Group::new("guests", 20, lobby, 1.3)
    ///     .mass(0.5)
    ///     .max_speed(1.0..=1.6)
    ///     .steer(Arrive::new(vec2(30.0, 3.0)))
    ///     .weighted(0.5, Separation::default().radius(1.0).max_force(1.0));
    /// let crowd = Setup::new(0.1).group(guests).crowd()?;
    /// assert!(crowd.agents().all(|(_, guest)| (1.0..=1.6).contains(&guest.max_speed)));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn new(name: &str, count: usize, spawn: Spawn<V>, max_speed: f32) -> Self {
        Self {
            name: name.to_string(),
            count: if let Spawn::Points(points) = &spawn { points.len() } else { count },
            spawn,
            max_speed: Distribution::Same(max_speed),
            ..Self::undecoded()
        }
    }

    /// The distribution of this limit among the members, apart from their states.
    pub fn limit(&self, limit: Limit) -> Distribution {
        match limit {
            Limit::Mass => self.mass,
            Limit::MaxSpeed => self.max_speed,
            Limit::MaxForce => self.max_force,
            Limit::Radius => self.radius,
        }
    }

    /// The smallest and the largest value of this limit among the members, apart from their states.
    pub fn bounds(&self, limit: Limit) -> (f32, f32) {
        self.limit(limit).bounds(limit.range())
    }

    /// What formulas of `"auto"` are built from in `state`: a limit that is a range counts by its
    /// middle.
    pub(crate) fn scale(&self, state: &State<V>, dt: f32) -> Scale {
        let limit = |limit: Limit| {
            let (low, high) = self.bounds(limit);
            let middle = if low == high { low } else { (low + high) * 0.5 };
            state.limit(limit).unwrap_or(middle)
        };
        Scale {
            mass: limit(Limit::Mass),
            max_speed: limit(Limit::MaxSpeed),
            max_force: limit(Limit::MaxForce),
            radius: limit(Limit::Radius),
            dt,
        }
    }

    /// The largest distance up to which members look for neighbors, with the numbers of `"auto"`
    /// for a tick of `dt` (length, time); `None` if they look for none.
    pub fn neighbor_radius(&self, dt: f32) -> Option<f32> {
        let lone = [State::new("")];
        let states = if self.states.is_empty() { &lone[..] } else { &self.states };
        let radii = states.iter().flat_map(|state| {
            let scale = self.scale(state, dt);
            [&self.steer, &state.steer].map(|list| {
                let mut list = list.clone();
                list.resolve(&scale);
                list.neighbor_radius()
            })
        });
        radii.flatten().reduce(f32::max)
    }

    /// The largest max_speed that a member can ever have (length / time).
    pub fn largest_max_speed(&self) -> f32 {
        self.speed_cap.unwrap_or_else(|| {
            let states = self.states.iter().filter_map(|state| state.max_speed);
            states.fold(self.bounds(Limit::MaxSpeed).1, f32::max)
        })
    }

    /// The largest body radius of the setup: of the group and of its states (length).
    pub fn largest_radius(&self) -> f32 {
        let states = self.states.iter().filter_map(|state| state.radius);
        states.fold(self.bounds(Limit::Radius).1, f32::max)
    }

    /// Whether the facing of the members is separate from their velocity.
    pub fn turns(&self) -> bool {
        self.turn_rate.is_finite()
            || self.lists().any(|list| list.behaviors().any(|b| b.needs().has(Needs::FACING)))
    }

    /// The state that is meant; `None` if there is none.
    pub fn state_of(&self, state: &Named<StateId>) -> Option<StateId> {
        state.among(self.states.iter().map(|state| &*state.name))
    }

    /// The changes of stats of a state, by their ids.
    pub(in crate::crowd) fn rates(&self, state: &State<V>) -> Vec<(StatId, f32)> {
        let names = || self.stats.iter().map(|stat| &*stat.name);
        state.rates.iter().filter_map(|(stat, rate)| Some((stat.among(names())?, *rate))).collect()
    }

    /// The transitions of a state, with the ids of states and stats in place of their names.
    pub(in crate::crowd) fn transitions(&self, state: &State<V>) -> Vec<Transition<V>> {
        let states: Vec<&str> = self.states.iter().map(|state| &*state.name).collect();
        let stats: Vec<&str> = self.stats.iter().map(|stat| &*stat.name).collect();
        let mut leave = state.leave.clone();
        for transition in &mut leave {
            transition.to.find_states(&states);
            transition.when.find_stats(&stats);
        }
        leave
    }

    /// The rule that combines the forces of members in `state`.
    pub(in crate::crowd) fn rule(&self, state: &State<V>) -> Combine {
        state.combine.unwrap_or(self.steer.combine)
    }

    /// The rule that combines the forces of members in each of the states.
    pub(in crate::crowd) fn rules(&self) -> Rules {
        if self.states.is_empty() {
            return Rules::from(self.steer.combine);
        }
        self.states.iter().map(|state| self.rule(state)).collect()
    }

    /// Whether its behaviors and conditions refer to no group, path or field of a setup, so that it
    /// can be added to any crowd. Orders stand for those of each agent, and refer to nothing.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let guards = || Group::<Vec2>::new("guards", 0, Spawn::points([]), 1.0);
    /// assert!(guards().steer(Arrive::new(Target::Order)).stands_alone());
    /// assert!(!guards().steer(Pursue::new(GroupId(1))).stands_alone());
    /// ```
    pub fn stands_alone(&self) -> bool {
        let mut refers = matches!(self.without_order, WithoutOrder::Target(Target::Group(_)))
            || self.sight.is_some_and(|sight| matches!(sight.of, Target::Group(_)));
        for behavior in self.lists().flat_map(List::behaviors) {
            let values = behavior.parameters().iter().filter_map(|p| behavior.get(p.name));
            refers |= { values }.any(|value| value.refers_to_setup());
        }
        for transition in self.states.iter().flat_map(|state| &state.leave) {
            transition.when.visit(&mut |condition| {
                let values = condition.parameters().iter().filter_map(|p| condition.get(p.name));
                refers |= { values }.any(|value| value.refers_to_setup());
            });
        }
        !refers
    }

    /// The group's own list, then those of its states.
    pub fn lists(&self) -> impl Iterator<Item = &List<V>> {
        core::iter::once(&self.steer).chain(self.states.iter().map(|state| &state.steer))
    }
}

parameters! {
    /// What the members of a group look out for: read by the conditions `sees` and `remembers` and
    /// by the target `"last_seen"`.
    ///
    /// Each member tests its view at every tick, as
    /// [`can_see`](crate::geometry::visibility::can_see) describes. If the target is a group, a
    /// member sees the nearest visible agent of that group, which is not always the nearest one.
    #[derive(Copy)]
    "sight" = pub struct Perception<V> {
        /// The target, not `"last_seen"`; of a group, its nearest member that no obstacle hides.
        of: Target<V> = required, Kind::Target, "\"intruder\"";
        /// The distance up to which a member sees.
        within: f32 = (f32::INFINITY), Kind::Number(ranges::SIGHT), "150";
        /// The full angle in which a member sees, around its facing.
        field_of_view: f32 = 360.0, Kind::Number(ranges::FIELD_OF_VIEW), "120";
        /// The time for which a member remembers the position after it was last seen.
        memory: f32 = (f32::INFINITY), Kind::Number(ranges::MEMORY), "200";
    }
}

described!(Perception<V>);
nested!(Perception<V>);

parameters! {
    /// A number that each member of a group has, such as stamina: states change it, and conditions
    /// read it.
    "stat" = pub struct Stat {
        /// The name, unique in the group.
        name: String = required, Kind::Text, "\"stamina\"";
        /// Its value at the start, from `min` to `max`; each member draws from a range.
        start: Distribution = required, Kind::Distribution(ranges::STAT), "100";
        /// Its smallest value.
        min: f32 = (f32::NEG_INFINITY), Kind::StatLimit, "0";
        /// Its largest value.
        max: f32 = (f32::INFINITY), Kind::StatLimit, "100";
    }
}

described!(Stat);
tables!(Stat);

impl Stat {
    /// The range of its values, within that of all stats.
    pub(in crate::crowd) fn range(&self) -> Range {
        Range {
            min: self.min.max(ranges::STAT.min),
            max: self.max.min(ranges::STAT.max),
            ..ranges::STAT
        }
    }
}
