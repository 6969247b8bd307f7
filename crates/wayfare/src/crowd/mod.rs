//! The crowd: agents in columns, double buffered, stepped tick by tick.
//!
//! A step reads only the old columns and writes only the new ones, sums over neighbors do not
//! depend on their order, and randomness is keyed by (seed, id, tick, stream): the order of agents
//! in memory cannot matter. One tick is: grid, then per agent states, neighbors, forces, step,
//! stats, then events and exits. Commands are done between ticks.

use std::sync::Mutex;

use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::{Obstacle, Obstacles, bvh_of};
use crate::geometry::path::Path;
use crate::simd::{SimdDispatch, SimdLevel};
use crate::spatial::bvh::Bvh;
use crate::spatial::neighbors::Neighbors;
use crate::spatial::space::Space;
use crate::vector::Vector;

mod clock;
mod command;
mod compiled;
mod digest;
mod events;
mod exit;
mod explain;
mod line;
mod nearest_member;
mod pipeline;
mod population;
mod query;
mod setup;
mod snapshot;
mod source;
#[cfg(test)]
mod tests;

#[cfg(feature = "parallel")]
pub use crate::threads::ThreadsError;
pub use clock::Clock;
pub use command::{Command, Setting};
pub use events::Event;
pub use exit::ExitCount;
pub use line::LineCount;
pub use population::Member;
pub use query::{RayHit, RayHits};
pub use setup::validate::{
    KeyPath, KeySegment, MAX_AGENTS, MAX_ARRIVALS_PER_TICK, MAX_THINK_EVERY, SetupError,
    ValidationError, ranges as range,
};
pub use setup::{
    Arrivals, Condition, Distribution, Exit, ExitAction, Group, Line, Perception, Rhythm, Setup,
    Source, Spawn, StartVelocity, Stat, State, Track, Transition, TransitionTarget,
};
pub use snapshot::{SNAPSHOT_MAGIC, SNAPSHOT_VERSION, SnapshotError};
pub use source::SourceCount;

use crate::spatial::grid::Grid;
use crate::threads::{GRAIN, Threads};
use compiled::{CompiledGroup, compile_groups};
use events::EventTracker;
use pipeline::TickProgress;
use pipeline::index::{cell_width, power_of_two_from};
use population::columns::Columns;
use population::spawn;

/// A crowd of agents that moves by what its groups steer by.
///
/// ```
/// use wayfare::{behavior::Seek, crowd::{Group, Setup, Spawn}, glam::vec2, parameter::Target, Crowd, List};
/// let mut group = Group::new("walkers", 2, Spawn::Points(vec![vec2(0.0, 0.0), vec2(0.0, 9.0)]), 2.0);
/// group.steer = List::default().with(Seek { target: Target::Point(vec2(50.0, 0.0)), within: f32::INFINITY });
/// let mut crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() })?;
/// crowd.step();
/// assert_eq!(crowd.agents().next().unwrap().1.position, vec2(2.0, 0.0));
/// # Ok::<(), wayfare::crowd::SetupError>(())
/// ```
#[derive(Debug)]
pub struct Crowd<V: Vector> {
    /// What the crowd was made from, as it is now: commands change it. Points where agents
    /// started, and what is kept below, are taken out.
    setup: Setup<V>,
    dt: f64,
    seed: u64,
    /// A hash of the setup as it was given: what snapshots know it by.
    fingerprint: u64,
    tick: u64,
    /// The id of whoever comes next: ids are never used again.
    next_id: u32,
    space: Space<V>,
    track: Option<Track<V>>,
    pointer: Option<V>,
    obstacles: Vec<Obstacle<V>>,
    obstacle_tree: Bvh<V>,
    paths: Vec<Path<V>>,
    fields: Vec<FlowField<V>>,
    groups: Vec<CompiledGroup<V>>,
    /// Lines, exits and events.
    watch: EventTracker<V>,
    /// Where agents enter.
    sources: Vec<SourceCount<V>>,
    /// A bound on every speed: the unit of speed in sums over neighbors.
    speed: f32,
    /// A bound on every speed, and how far anybody can have moved since the agents were sorted
    /// into cells (lengths).
    fastest: f32,
    moved: f32,
    /// Whether somebody was put somewhere since the last step: a wall may hold them, and move them
    /// farther than their speed does.
    placed: bool,
    /// How wide the grid's cells are to be; `None` where nobody looks for neighbors.
    cell_width: Option<f32>,
    now: Columns<V>,
    /// Between steps the generation before, unless `before` says that it is none; a step writes
    /// the next one into it.
    next: Columns<V>,
    before: bool,
    /// The tick that is under way, if part of it is done.
    part: Option<TickProgress>,
    grid: Grid<V>,
    threads: Threads,
    chosen: SimdDispatch,
    /// Room for the neighbors of one cell, for each thread.
    neighbors: Vec<Mutex<Neighbors<V>>>,
    /// What questions are answered from, until the next step.
    index: query::Index<V>,
}

impl<V: Vector> Crowd<V> {
    /// The crowd that `setup` describes, at tick 0.
    ///
    /// # Errors
    /// Everything that is wrong with the setup, each with its place, its value and what is allowed.
    pub fn new(mut setup: Setup<V>) -> Result<Self, SetupError> {
        setup.validate()?;
        let fingerprint = snapshot::fingerprint(&setup);
        let (groups, memory_width) = compile_groups(&setup);
        let cell_width = cell_width(&setup.groups, &groups);
        let stats_width = setup.groups.iter().map(|group| group.stats.len()).max().unwrap_or(0);
        let marks_width = groups.iter().map(CompiledGroup::marks).max().unwrap_or(0);
        let now = spawn::columns(&setup, stats_width, memory_width, marks_width);
        let space = Space::new(setup.bounds);
        let mut watch = EventTracker::new(&mut setup, &space);
        let sources =
            core::mem::take(&mut setup.sources).into_iter().map(SourceCount::new).collect();
        let fastest = spawn::fastest(&setup.groups);
        for group in &mut setup.groups {
            if let Spawn::Points(points) = &mut group.spawn {
                *points = Vec::new();
            }
        }
        let paths: Vec<_> = setup
            .paths
            .iter_mut()
            .map(|(_, path)| core::mem::replace(path, Path::new(Vec::new(), 0.0, false)))
            .collect();
        watch.prepare(&groups, &paths);
        let obstacles: Vec<_> =
            core::mem::take(&mut setup.obstacles).into_iter().map(Obstacle::from).collect();
        let obstacle_tree = bvh_of(&obstacles);
        let standing = Obstacles::indexed(&obstacles, &obstacle_tree);
        let fields = setup
            .fields
            .iter()
            .map(|(_, plan)| FlowField::checked(plan, standing, setup.bounds.as_ref()))
            .collect();
        let mut crowd = Self {
            dt: setup.dt,
            seed: setup.seed,
            fingerprint,
            tick: 0,
            next_id: now.len() as u32,
            space,
            track: setup.pointer.clone(),
            pointer: None,
            obstacle_tree,
            obstacles,
            paths,
            fields,
            groups,
            watch,
            sources,
            speed: power_of_two_from(fastest),
            fastest,
            // Nobody is sorted yet.
            moved: f32::INFINITY,
            placed: true,
            cell_width,
            grid: Grid::default(),
            neighbors: Vec::new(),
            chosen: SimdDispatch::widest(),
            threads: Threads::default(),
            index: query::Index::default(),
            next: now.clone(),
            before: true,
            part: None,
            now,
            setup,
        };
        crowd.make_room();
        crowd.leave_out();
        crowd.visit();
        Ok(crowd)
    }

    /// Room for neighbors, for each thread: more than stand in the cells around one place, unless a
    /// crowd is very dense; then it grows once.
    fn make_room(&mut self) {
        let mut near = Neighbors::with_room(self.len().min(1_024));
        near.choose(self.chosen);
        self.neighbors = (0..self.threads.count()).map(|_| Mutex::new(near.clone())).collect();
    }

    /// How many ticks have passed.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The simulated time of a tick (time).
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// The simulated time (time): tick * dt.
    pub fn time(&self) -> f64 {
        self.tick as f64 * self.dt
    }

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.now.len()
    }

    /// Whether there are no agents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of the groups, in the order of their indices.
    pub fn group_names(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().map(|group| group.name.as_str())
    }

    /// Whether any group has states, be it with or without members now.
    pub fn has_states(&self) -> bool {
        self.groups.iter().any(|group| !group.states.is_empty())
    }

    /// Whether any group turns where it looks apart from its velocity, be it with or without
    /// members now.
    pub fn has_facings(&self) -> bool {
        self.now.facing_width > 0
    }

    /// The paths, in the order of their indices.
    pub fn paths(&self) -> &[Path<V>] {
        &self.paths
    }

    /// The names of the paths, in the order of their indices.
    pub fn path_names(&self) -> impl Iterator<Item = &str> {
        self.setup.paths.iter().map(|(name, _)| name.as_str())
    }

    /// The fields, in the order of their indices.
    pub fn fields(&self) -> &[FlowField<V>] {
        &self.fields
    }

    /// The names of the fields, in the order of their indices.
    pub fn field_names(&self) -> impl Iterator<Item = &str> {
        self.setup.fields.iter().map(|(name, _)| name.as_str())
    }

    /// What stands in the way.
    pub fn obstacles(&self) -> &[Obstacle<V>] {
        &self.obstacles
    }

    /// Where the pointer is at the present time, if there is one (length).
    pub fn pointer(&self) -> Option<V> {
        self.pointer.or_else(|| self.track.as_ref().map(|track| track.at(self.time())))
    }

    /// Puts the pointer at `point`, or with `None` back on its track.
    pub fn set_pointer(&mut self, point: Option<V>) {
        self.part = None;
        self.pointer = point.map(V::held);
    }

    /// Lets `count` threads share each step from now on; 0 and 1 are the caller's own thread.
    /// Results do not depend on it.
    ///
    /// Crowds of less than some hundred agents are stepped by one thread all the same: sharing them
    /// costs more than it gains.
    ///
    /// # Errors
    /// The threads cannot be started.
    #[cfg(feature = "parallel")]
    pub fn set_threads(&mut self, count: usize) -> Result<(), ThreadsError> {
        self.threads = Threads::new(count)?;
        self.make_room();
        Ok(())
    }

    /// Lets sums over neighbors be computed with these instructions from now on, instead of the
    /// widest that the machine has.
    ///
    /// Results do not depend on it: that is what it is for, a test. Says whether the machine has
    /// them; if not, nothing changes.
    pub fn set_instructions(&mut self, instructions: SimdLevel) -> bool {
        let Some(chosen) = SimdDispatch::new(instructions) else { return false };
        self.chosen = chosen;
        self.make_room();
        true
    }

    /// How many threads share a step.
    pub fn threads(&self) -> usize {
        self.threads.count()
    }

    /// A hash of the state of all agents, and of where those who explore have been: it depends on
    /// every bit of it, and not on their order in memory.
    pub fn digest(&self) -> u64 {
        let explored = self
            .groups
            .iter()
            .flat_map(|group| &group.explored)
            .map(|(_, explored)| explored.times());
        digest::with_times(digest::digest(self.tick, &self.now), explored)
    }

    /// One tick of dt, or the rest of one that [`step_budgeted`](Self::step_budgeted) has begun. It cannot
    /// fail.
    pub fn step(&mut self) {
        self.step_budgeted(usize::MAX);
    }

    /// A part of a tick, in which about `agents` more agents move (at least one of them, and all of
    /// a cell together); whether that ended it.
    ///
    /// For programs that no tick may hold up: a tick in parts is the same as a whole one, to the
    /// bit, and costs hardly more. Until it has ended the crowd is, to everybody who asks, as
    /// it was before. What changes the crowd meanwhile lets the tick begin anew.
    ///
    /// ```
    /// use wayfare::{behavior::Wander, crowd::{Group, Setup, Spawn}, glam::vec2, geometry::obstacle::Shape, Crowd, List};
    /// let sky = Shape::box_between(vec2(0.0, 0.0), vec2(600.0, 400.0));
    /// let mut birds = Group::new("birds", 900, Spawn::Inside(sky), 2.0);
    /// birds.steer = List::default().with(Wander::default());
    /// let mut crowd = Crowd::new(Setup { groups: vec![birds], ..Setup::default() })?;
    /// let mut parts = 1;
    /// while !crowd.step_budgeted(300) {
    ///     assert_eq!(crowd.tick(), 0); // here a frame may be drawn
    ///     parts += 1;
    /// }
    /// assert_eq!((parts, crowd.tick()), (3, 1));
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn step_budgeted(&mut self, agents: usize) -> bool {
        let threads = self.threads.clone();
        let shared = threads.count() > 1 && self.len() > 2 * GRAIN;
        if shared {
            threads.run(|| self.advance(agents, true))
        } else {
            self.advance(agents, false)
        }
    }
}
