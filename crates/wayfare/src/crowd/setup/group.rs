//! Groups of agents: their number, start positions, limits and behaviors.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::limit::Limit;
use super::rules::Rules;
use super::start_after::StartAfter;
use super::state::State;
use super::validate::ranges::STAT;
use crate::behavior::Steer;
use crate::combine::{Combine, List};
use crate::geometry::obstacle::Shape;
use crate::id::PathId;
use crate::order::WithoutOrder;
use crate::parameter::{Range, Target, Variants};
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

/// The initial velocity of a group's members.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
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

/// A group of agents with the same behaviors. Each field has a method of its name, which takes the
/// group and returns it with the value.
///
/// ```
/// use wayfare::prelude::*;
/// let lobby = Spawn::grid(vec2(0.0, 0.0), 2.0, 5);
/// let guests = Group::new("guests", 20, lobby, 1.3)
///     .mass(0.5)
///     .max_speed(1.0..=1.6)
///     .steer(Arrive::new(vec2(30.0, 3.0)))
///     .weighted(0.5, Separation::new(1.0, 1.0));
/// let crowd = Setup::new(0.1).group(guests).crowd()?;
/// assert!(crowd.agents().all(|(_, guest)| (1.0..=1.6).contains(&guest.max_speed)));
/// # Ok::<(), SetupError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Group<V: Vector> {
    /// The name, unique in the setup.
    pub name: String,
    /// The number of members at the start. With [`Spawn::Points`] it has to be the number of
    /// points; [`new`](Self::new) then counts the points itself.
    pub count: usize,
    /// The initial positions.
    pub spawn: Spawn<V>,
    /// The goal of each member, for [`Target::Goal`]. An agent keeps its goal, also when it
    /// respawns; members that enter later share the same set of goals.
    pub goal: Option<Spawn<V>>,
    /// The initial velocities.
    pub velocity: StartVelocity<V>,
    /// The direction in which members head when they enter at rest, not zero; the length does not
    /// count. `None` for the direction of the path with [`Spawn::Along`], and +x otherwise. Members
    /// that enter with a velocity head along it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub heading: Option<V>,
    /// The time that members stand after they have entered, before they begin to steer (time); 0,
    /// the default, for members that begin at once. A member that waits is at rest, does not steer
    /// and does not change its state; others see it, and its body is solid and pushed as theirs
    /// are. It heads along its start velocity. The time counts from its entry, also where it starts
    /// again at an exit; its time in the state counts from the end of it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub start_after: StartAfter,
    /// Reaction time (time), above zero.
    pub mass: Distribution,
    /// The maximum speed (length / time), above zero.
    pub max_speed: Distribution,
    /// The largest max_speed that a member can ever have (length / time): commands cannot set one
    /// beyond it. `None` for the largest of the group and its states. It is the unit of speed in
    /// sums over neighbors, which must not change while a crowd runs.
    pub speed_cap: Option<f32>,
    /// The maximum force (length / time); infinity for no limit.
    pub max_force: Distribution,
    /// Body radius (length).
    pub radius: Distribution,
    /// The fraction of the velocity that is lost per unit of time, from 0 to 1.
    pub drag: f32,
    /// The maximum rate at which members turn their facing (degrees / time). The facing is
    /// separate from the velocity if this rate is finite or a behavior sets a facing;
    /// otherwise agents face along their heading.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))]
    pub turn_rate: f32,
    /// The smallest turning radius of members on wheels (length): such members move only along
    /// their heading. `None` for members without wheels.
    pub turning_radius: Option<f32>,
    /// The time constant with which the heading of members follows the direction of their velocity
    /// (time): the angle between the two falls to 37 % in this time, and at rest the heading stays.
    /// 0, the default, for a heading that is the direction of the velocity: at a low speed it turns
    /// with every small force. Not with `turning_radius`: wheels have a heading of their own.
    #[cfg_attr(feature = "serde", serde(default))]
    pub heading_time: f32,
    /// The number of ticks from one evaluation of a member's behaviors to the next, from 1 to
    /// 1,000. Members are evaluated in rotation, and keep their force between two evaluations.
    ///
    /// The interval reduces the cost of large crowds (C. Reynolds, "Big Fast Crowds on PS3",
    /// 2006). The dt that behaviors read is longer by this factor; an agent that enters a
    /// state is evaluated at once.
    pub think_every: u32,
    /// Whether an [`Event::Contact`](crate::crowd::Event::Contact) is raised when the body of a
    /// member begins to touch another body. It costs a grid of all bodies in every tick.
    pub contacts: bool,
    /// Whether the bodies of the members push others and are pushed, in a world whose
    /// [`Bodies`](super::Bodies) are solid. Walls hold the bodies of such a world in any case.
    #[cfg_attr(feature = "serde", serde(default = "solid_by_default"))]
    pub solid: bool,
    /// The weight of a body in contacts, above 0: of two overlapping bodies the lighter one moves
    /// more. It is not `mass`, which is a reaction time.
    #[cfg_attr(feature = "serde", serde(default = "inertia_by_default"))]
    pub inertia: f32,
    /// The rule for members without an order, where a behavior reads the order of its host.
    pub without_order: WithoutOrder<V>,
    /// The perception of the members; `None` for members that perceive nothing.
    pub sight: Option<Perception<V>>,
    /// The behaviors that all states share, evaluated before those of the state; the rule of this
    /// list applies to both.
    pub steer: List<V>,
    /// The stats, which states change and conditions read.
    pub stats: Vec<Stat>,
    /// The states; empty for a group without states.
    pub states: Vec<State<V>>,
    /// The index of the first state.
    pub start: usize,
}

#[cfg(feature = "serde")]
fn solid_by_default() -> bool {
    true
}

#[cfg(feature = "serde")]
fn inertia_by_default() -> f32 {
    1.0
}

impl<V: Vector> Group<V> {
    /// The goal of each member, for [`Target::Goal`].
    #[must_use]
    pub fn goal(mut self, goal: Spawn<V>) -> Self {
        self.goal = Some(goal);
        self
    }

    /// The initial velocity of all members (length / time).
    #[must_use]
    pub fn velocity(mut self, velocity: impl Into<StartVelocity<V>>) -> Self {
        self.velocity = velocity.into();
        self
    }

    /// The direction in which members head when they enter at rest, not zero.
    #[must_use]
    pub fn heading(mut self, heading: V) -> Self {
        self.heading = Some(heading);
        self
    }

    /// The time that members stand before they begin to steer (time).
    #[must_use]
    pub fn start_after(mut self, time: impl Into<StartAfter>) -> Self {
        self.start_after = time.into();
        self
    }

    /// The reaction time (time), above zero: a number, or a range from which each member draws.
    #[must_use]
    pub fn mass(mut self, mass: impl Into<Distribution>) -> Self {
        self.mass = mass.into();
        self
    }

    /// The maximum speed (length / time), above zero.
    #[must_use]
    pub fn max_speed(mut self, max_speed: impl Into<Distribution>) -> Self {
        self.max_speed = max_speed.into();
        self
    }

    /// The largest max_speed that a member can ever have (length / time).
    #[must_use]
    pub fn speed_cap(mut self, speed_cap: f32) -> Self {
        self.speed_cap = Some(speed_cap);
        self
    }

    /// The maximum force (length / time).
    #[must_use]
    pub fn max_force(mut self, max_force: impl Into<Distribution>) -> Self {
        self.max_force = max_force.into();
        self
    }

    /// The body radius (length).
    #[must_use]
    pub fn radius(mut self, radius: impl Into<Distribution>) -> Self {
        self.radius = radius.into();
        self
    }

    /// The fraction of the velocity that is lost per unit of time, from 0 to 1.
    #[must_use]
    pub fn drag(mut self, drag: f32) -> Self {
        self.drag = drag;
        self
    }

    /// The maximum rate at which members turn their facing (degrees / time).
    #[must_use]
    pub fn turn_rate(mut self, turn_rate: f32) -> Self {
        self.turn_rate = turn_rate;
        self
    }

    /// The smallest turning radius of members on wheels (length).
    #[must_use]
    pub fn turning_radius(mut self, turning_radius: f32) -> Self {
        self.turning_radius = Some(turning_radius);
        self
    }

    /// The time constant with which the heading follows the velocity (time).
    #[must_use]
    pub fn heading_time(mut self, heading_time: f32) -> Self {
        self.heading_time = heading_time;
        self
    }

    /// The number of ticks from one evaluation of a member's behaviors to the next.
    #[must_use]
    pub fn think_every(mut self, ticks: u32) -> Self {
        self.think_every = ticks;
        self
    }

    /// Whether an event is raised when a body of the group begins to touch another one.
    #[must_use]
    pub fn contacts(mut self, contacts: bool) -> Self {
        self.contacts = contacts;
        self
    }

    /// Whether the bodies push others and are pushed, in a world whose bodies are solid.
    #[must_use]
    pub fn solid(mut self, solid: bool) -> Self {
        self.solid = solid;
        self
    }

    /// The weight of a body in contacts, above 0.
    #[must_use]
    pub fn inertia(mut self, inertia: f32) -> Self {
        self.inertia = inertia;
        self
    }

    /// What members without an order do.
    #[must_use]
    pub fn without_order(mut self, without_order: WithoutOrder<V>) -> Self {
        self.without_order = without_order;
        self
    }

    /// The perception of the members.
    #[must_use]
    pub fn sight(mut self, sight: Perception<V>) -> Self {
        self.sight = Some(sight);
        self
    }

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
    pub fn new(name: &str, count: usize, spawn: Spawn<V>, max_speed: f32) -> Self {
        Self {
            name: name.to_string(),
            count: if let Spawn::Points(points) = &spawn { points.len() } else { count },
            spawn,
            goal: None,
            velocity: StartVelocity::Same(V::ZERO),
            heading: None,
            start_after: StartAfter::default(),
            mass: Distribution::Same(1.0),
            max_speed: Distribution::Same(max_speed),
            speed_cap: None,
            max_force: Distribution::Same(f32::INFINITY),
            radius: Distribution::Same(0.0),
            drag: 0.0,
            turn_rate: f32::INFINITY,
            turning_radius: None,
            heading_time: 0.0,
            think_every: 1,
            contacts: false,
            solid: true,
            inertia: 1.0,
            without_order: WithoutOrder::Hold,
            sight: None,
            steer: List::default(),
            stats: Vec::new(),
            states: Vec::new(),
            start: 0,
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

    /// The largest max_speed that a member can ever have (length / time).
    pub fn largest_max_speed(&self) -> f32 {
        self.speed_cap.unwrap_or_else(|| {
            let states = self.states.iter().filter_map(|state| state.limits.max_speed);
            states.fold(self.bounds(Limit::MaxSpeed).1, f32::max)
        })
    }

    /// The largest body radius of the setup: of the group and of its states (length).
    pub fn largest_radius(&self) -> f32 {
        let states = self.states.iter().filter_map(|state| state.limits.radius);
        states.fold(self.bounds(Limit::Radius).1, f32::max)
    }

    /// Whether the facing of the members is separate from their velocity.
    pub fn turns(&self) -> bool {
        self.turn_rate.is_finite() || self.lists().any(|list| list.behaviors().any(Steer::faces))
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
    /// use wayfare::behavior::{Arrive, Pursue};
    /// use wayfare::crowd::{Group, Spawn};
    /// use wayfare::glam::Vec2;
    /// use wayfare::{GroupId, List, parameter::Target};
    /// let group = |list| {
    ///     let mut group = Group::<Vec2>::new("guards", 0, Spawn::Points(Vec::new()), 1.0);
    ///     group.steer = list;
    ///     group
    /// };
    /// assert!(group(List::default().with(Arrive::new(Target::Order))).stands_alone());
    /// assert!(!group(List::default().with(Pursue::new(GroupId(1)))).stands_alone());
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

/// The target that the members of a group look for, and how long they remember its position: the
/// input of [`Condition::Sees`](super::Condition::Sees),
/// [`Condition::Remembers`](super::Condition::Remembers) and [`Target::LastSeen`].
///
/// Each member tests its view at every tick, as [`can_see`](crate::geometry::visibility::can_see)
/// describes. If the target is a group, a member sees the nearest visible agent of that group,
/// which is not always the nearest one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Perception<V> {
    /// The target; not [`Target::LastSeen`].
    pub of: Target<V>,
    /// The viewing distance (length); may be infinite.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))]
    pub within: f32,
    /// The full angle of view around the facing (degrees, up to 360).
    pub field_of_view: f32,
    /// The time for which a member remembers the position after it last saw the target (time); may
    /// be infinite.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))]
    pub memory: f32,
}

impl<V> Perception<V> {
    /// A perception of `of` in all directions, at any distance, with an unlimited memory.
    pub fn new(of: Target<V>) -> Self {
        Self { of, within: f32::INFINITY, field_of_view: 360.0, memory: f32::INFINITY }
    }
}

/// A number that each member of a group has, such as stamina.
///
/// ```
/// use wayfare::crowd::{Distribution, Stat};
/// let health = Stat { min: 0.0, max: 100.0, ..Stat::new("health", 100.0) };
/// assert_eq!(health.start, Distribution::Same(100.0));
/// // Each member draws its own number.
/// assert_ne!(health, Stat { start: Distribution::Uniform(60.0, 100.0), ..health.clone() });
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Stat {
    /// The name, unique in the group.
    pub name: String,
    /// The initial value, drawn by each member from the seed and its id.
    pub start: Distribution,
    /// The smallest value; may be minus infinity.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))]
    pub min: f32,
    /// The largest value; may be infinite.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))]
    pub max: f32,
}

impl Stat {
    /// A stat that begins at `start` and has no smallest and no largest value.
    pub fn new(name: &str, start: impl Into<Distribution>) -> Self {
        let start = start.into();
        Self { name: name.to_string(), start, min: f32::NEG_INFINITY, max: f32::INFINITY }
    }

    /// The range of its values, within that of all stats.
    pub(in crate::crowd) fn range(&self) -> Range {
        Range { min: self.min.max(STAT.min), max: self.max.min(STAT.max), ..STAT }
    }
}
