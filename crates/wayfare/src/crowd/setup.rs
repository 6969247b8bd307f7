//! What is in the world at the start: plain data, built by hand or decoded from a scene file,
//! checked once by [`Crowd::new`](super::Crowd::new).

use crate::combine::List;
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::obstacle::Shape;
use crate::geometry::path::Path;
use crate::parameter::{Groups, Target, words};
use crate::spatial::space::Bounds;
use crate::vector::Vector;

/// Everything that a crowd starts from.
#[derive(Clone, Debug)]
pub struct Setup<V: Vector> {
    /// Simulated time per tick (time).
    pub dt: f64,
    /// What all randomness follows from.
    pub seed: u64,
    /// The extent of the world, if it has one.
    pub bounds: Option<Bounds<V>>,
    /// Where the pointer is at which time, if there is one.
    pub pointer: Option<Track<V>>,
    /// What stands in the way.
    pub obstacles: Vec<Shape<V>>,
    /// The paths and their names.
    pub paths: Vec<(String, Path<V>)>,
    /// The fields that `follow_flow` follows, and their names.
    pub fields: Vec<(String, FieldPlan<V>)>,
    /// The lines whose crossings are counted.
    pub lines: Vec<Line<V>>,
    /// Where agents leave.
    pub exits: Vec<Exit<V>>,
    /// Where agents enter.
    pub sources: Vec<Source<V>>,
    /// The groups of agents.
    pub groups: Vec<Group<V>>,
}

impl<V: Vector> Default for Setup<V> {
    fn default() -> Self {
        Self {
            dt: 1.0,
            seed: 0,
            bounds: None,
            pointer: None,
            obstacles: Vec::new(),
            paths: Vec::new(),
            fields: Vec::new(),
            lines: Vec::new(),
            exits: Vec::new(),
            sources: Vec::new(),
            groups: Vec::new(),
        }
    }
}

/// A line whose crossings are counted, by each direction: a door, a finish. In space its shadow on
/// the x-y plane counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<V> {
    /// Its name, unique.
    pub name: String,
    /// Where it begins (length).
    pub from: V,
    /// Where it ends (length).
    pub to: V,
}

/// Where agents leave: who stands in the shape after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Exit<V> {
    /// Where it is.
    pub shape: Shape<V>,
    /// Whose members leave by it.
    pub groups: Groups,
    /// What becomes of them.
    pub then: ExitAction<V>,
}

/// What becomes of who enters an exit, or takes a way out of its state.
#[derive(Clone, Debug, PartialEq)]
pub enum ExitAction<V> {
    /// It goes.
    Remove,
    /// It begins anew at a random place inside this circle or box: with its group's velocity, state
    /// and stats of the start, nothing remembered, and its own id and limits.
    Respawn(Shape<V>),
}

/// Where agents enter: at the end of a tick, at random places inside the area.
#[derive(Clone, Debug, PartialEq)]
pub struct Source<V> {
    /// Where it is: a circle or a box.
    pub area: Shape<V>,
    /// The index of the group whose members enter.
    pub group: usize,
    /// When, and how many.
    pub arrivals: Arrivals,
    /// How many members of the group there may be at once: who would come then is turned away.
    /// Memory stays within it.
    pub most: usize,
}

/// When agents enter by a source.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// So many per unit of time.
    Rate {
        /// How many per unit of time; at most 10,000 per tick.
        rate: f64,
        /// When it begins (time).
        from: f64,
        /// When it ends (time); infinity for never.
        until: f64,
        /// How they come one after another.
        rhythm: Rhythm,
    },
    /// (time above zero, how many), in the order of time.
    Schedule(Vec<(f64, usize)>),
}

words! {
    /// How agents come one after another.
    pub enum Rhythm {
        /// Evenly: one after each 1 / rate.
        Regular = "regular",
        /// Each on its own: how many come in a tick is drawn from the Poisson distribution, by the seed, the source and the tick.
        Random = "random",
    }
}

/// Points in time: linear between them, held before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<V> {
    /// (time, point) in the order of time; at least one.
    pub points: Vec<(f64, V)>,
}

impl<V: Vector> Track<V> {
    /// A pointer that stays at `point`.
    pub fn fixed(point: V) -> Self {
        Self { points: vec![(0.0, point)] }
    }

    /// Where it is at `time`; the origin for a track without points.
    pub fn at(&self, time: f64) -> V {
        let after = self.points.partition_point(|(t, _)| *t <= time);
        let Some(&(t1, b)) = self.points.get(after) else {
            return self.points.last().map_or(V::ZERO, |(_, p)| *p);
        };
        let Some(&(t0, a)) = after.checked_sub(1).and_then(|i| self.points.get(i)) else {
            return b;
        };
        a + (b - a) * ((time - t0) / (t1 - t0)) as f32
    }
}

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

/// What an agent does for a while.
#[derive(Clone, Debug)]
pub struct State<V: Vector> {
    /// Its name, unique in the group.
    pub name: String,
    /// How stats change in it: (index of the stat, change per unit of time).
    pub rates: Vec<(usize, f32)>,
    /// What it steers by, after the group's own list.
    pub steer: List<V>,
    /// The ways out, in the order in which they are tried.
    pub leave: Vec<Transition<V>>,
}

/// A way out of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition<V> {
    /// Where it leads to.
    pub to: TransitionTarget<V>,
    /// When it is taken.
    pub when: Condition<V>,
}

/// Where a way out of a state leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum TransitionTarget<V> {
    /// The state with this index.
    State(usize),
    /// Out of the crowd: at the end of the tick, in which it steers as before.
    Out(ExitAction<V>),
}

impl<V> TransitionTarget<V> {
    /// The index of the state it leads to, if it leads to one.
    pub fn state(&self) -> Option<usize> {
        if let TransitionTarget::State(state) = self { Some(*state) } else { None }
    }
}

impl<V> From<usize> for TransitionTarget<V> {
    fn from(state: usize) -> Self {
        TransitionTarget::State(state)
    }
}

/// What can hold for an agent.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition<V> {
    /// A stat (its index) is at most this.
    AtMost(usize, f32),
    /// A stat (its index) is at least this.
    AtLeast(usize, f32),
    /// The target is at most this far away (length); never for a group without other members.
    Near(Target<V>, f32),
    /// The target, or everybody of the group, is at least this far away (length).
    FarFrom(Target<V>, f32),
    /// The agent has been in its state for this long (time).
    TimeInState(f64),
    /// Whether a path that it follows now has been walked to its end.
    PathDone(bool),
    /// Whether it sees now whom its group looks out for.
    Sees(bool),
    /// Whether it sees whom its group looks out for, or remembers where it did.
    Remembers(bool),
    /// It has stayed so near to one place (length) for so long (time): the place where it was when
    /// it last was farther from the one before. The time begins anew where a state does.
    Stuck(f32, f64),
    /// All of these hold.
    All(Vec<Condition<V>>),
    /// One of these holds.
    Any(Vec<Condition<V>>),
    /// This does not hold.
    Not(Box<Condition<V>>),
}
