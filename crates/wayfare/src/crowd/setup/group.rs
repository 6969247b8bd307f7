//! Groups of agents: how many, where they start, their limits and what they steer by.

use super::state::State;
use crate::behavior::Steer;
use crate::combine::List;
use crate::geometry::obstacle::Shape;
use crate::parameter::Target;
use crate::vector::Vector;

/// A number, or a range from which each agent draws its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// The same for all.
    Same(f32),
    /// Uniform between the two.
    Uniform(f32, f32),
}

/// A place for each member of a group: where it starts, or where it is bound for.
#[derive(Clone, Debug, PartialEq)]
pub enum Spawn<V> {
    /// Uniformly random inside a circle or a box.
    Inside(Shape<V>),
    /// Row by row from `origin`, `columns` in each, `spacing` apart; in space layer by layer of
    /// `rows` rows.
    Grid {
        /// The first place (length).
        origin: V,
        /// How far apart (length).
        spacing: f32,
        /// How many in a row along x.
        columns: u32,
        /// How many rows along y before the next layer along z begins; only in space.
        rows: u32,
    },
    /// Evenly on a circle, each one `2 pi / count` on from the one before; in space on a circle
    /// about z.
    Ring {
        /// Its center (length).
        center: V,
        /// Its radius (length).
        radius: f32,
        /// Where the first one is: the angle from +x to +y (radians).
        turn: f32,
    },
    /// At these points, one agent each.
    Points(Vec<V>),
}

/// How a group's members move at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StartVelocity<V> {
    /// All with this velocity (length / time).
    Same(V),
    /// Each in a direction of its own, at its full speed.
    Random,
}

/// Agents of one kind.
#[derive(Clone, Debug)]
pub struct Group<V: Vector> {
    /// Its name, unique.
    pub name: String,
    /// How many; with [`Spawn::Points`] the number of points.
    pub count: usize,
    /// Where they start.
    pub spawn: Spawn<V>,
    /// Where each of them is bound for, if anywhere: what [`Target::Goal`] names. It is kept for
    /// life, also by who begins anew elsewhere; of who comes while the crowd runs each takes
    /// one of the same places.
    pub goal: Option<Spawn<V>>,
    /// How they move at the start.
    pub velocity: StartVelocity<V>,
    /// Reaction time (time), above zero.
    pub mass: Distribution,
    /// Top speed (length / time), above zero.
    pub max_speed: Distribution,
    /// The longest force (length / time); infinity for no limit.
    pub max_force: Distribution,
    /// Body radius (length).
    pub radius: Distribution,
    /// The part of the velocity that is lost in one unit of time, from 0 to 1.
    pub drag: f32,
    /// How fast its members turn where they look (degrees / time): apart from their velocity, if
    /// this is not infinite or one of its behaviors says where to look. Unless one does they
    /// look where they go.
    pub turn_rate: f32,
    /// Its members roll on wheels: they move along their heading alone, and turn on no smaller
    /// circle than of this radius (length), if there is one.
    pub turning_radius: Option<f32>,
    /// Its members look around and steer anew at every so many ticks, in turn, and keep their
    /// force in between; from 1 to 1,000.
    ///
    /// It is what makes large crowds cheap (C. Reynolds, "Big Fast Crowds on PS3", 2006). Their
    /// behaviors see a tick that is so many times as long; who enters a state steers at once.
    pub think_every: u32,
    /// Whom its members look out for, if for anybody.
    pub sight: Option<Perception<V>>,
    /// What all states have in common; it comes before each state's own list, and its rule is
    /// theirs.
    pub steer: List<V>,
    /// The numbers that states change and conditions read.
    pub stats: Vec<Stat>,
    /// The states; none for a group that always does the same.
    pub states: Vec<State<V>>,
    /// The index of the first state.
    pub start: usize,
}

impl<V: Vector> Group<V> {
    /// A group with mass 1, no limit of force, no bodies, at rest, and nothing to steer by.
    pub fn new(name: &str, count: usize, spawn: Spawn<V>, max_speed: f32) -> Self {
        Self {
            name: name.to_string(),
            count: if let Spawn::Points(points) = &spawn { points.len() } else { count },
            spawn,
            goal: None,
            velocity: StartVelocity::Same(V::ZERO),
            mass: Distribution::Same(1.0),
            max_speed: Distribution::Same(max_speed),
            max_force: Distribution::Same(f32::INFINITY),
            radius: Distribution::Same(0.0),
            drag: 0.0,
            turn_rate: f32::INFINITY,
            turning_radius: None,
            think_every: 1,
            sight: None,
            steer: List::default(),
            stats: Vec::new(),
            states: Vec::new(),
            start: 0,
        }
    }

    /// Whether its members turn where they look, apart from their velocity.
    pub fn turns(&self) -> bool {
        self.turn_rate.is_finite() || self.lists().any(|list| list.behaviors().any(Steer::faces))
    }

    /// The group's own list and those of its states.
    pub fn lists(&self) -> impl Iterator<Item = &List<V>> {
        core::iter::once(&self.steer).chain(self.states.iter().map(|state| &state.steer))
    }
}

/// Whom the members of a group look out for, and how long they remember where they saw somebody:
/// what [`Condition::Sees`], [`Condition::Remembers`] and [`Target::LastSeen`] go by.
///
/// Each member looks at every tick. It sees what [`can_see`](crate::geometry::visibility::can_see) sees; of a
/// group its nearest member that it sees, which need not be the nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Perception<V> {
    /// Whom or what; not [`Target::LastSeen`].
    pub of: Target<V>,
    /// How far it sees (length); may be infinite.
    pub within: f32,
    /// How wide it sees, around its heading (degrees, up to 360).
    pub field_of_view: f32,
    /// For how long it remembers the place when it sees nobody any more (time); may be infinite.
    pub memory: f32,
}

impl<V> Perception<V> {
    /// Looks out for `of` all round, without an end, and forgets nothing.
    pub fn new(of: Target<V>) -> Self {
        Self { of, within: f32::INFINITY, field_of_view: 360.0, memory: f32::INFINITY }
    }
}

/// A number that each agent of a group has.
#[derive(Clone, Debug, PartialEq)]
pub struct Stat {
    /// Its name, unique in the group.
    pub name: String,
    /// What it is at the start.
    pub start: f32,
    /// The least it can be.
    pub min: f32,
    /// The most it can be.
    pub max: f32,
}
