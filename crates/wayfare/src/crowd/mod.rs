//! The crowd: agents in columns, double buffered, stepped tick by tick.
//!
//! A step reads only the old columns and writes only the new ones, sums over neighbors do not
//! depend on their order, and randomness is keyed by (seed, id, tick, stream): the order of agents
//! in memory cannot matter. One tick is: grid, then per agent states, neighbors, forces, step,
//! stats, then events and exits. Commands are done between ticks.

use std::sync::Mutex;

use crate::agent::Agent;
use crate::context::SteerContext;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::{Obstacle, Obstacles, bvh_of};
use crate::geometry::path::Path;
use crate::random::RngKey;
use crate::simd::{SimdDispatch, SimdLevel};
use crate::spatial::bvh::Bvh;
use crate::spatial::neighbors::Neighbors;
use crate::spatial::space::Space;
use crate::vector::Vector;

mod change;
mod clock;
mod columns;
mod command;
mod digest;
mod events;
mod exit;
mod explain;
mod explore;
mod formed;
mod line;
mod marks;
mod members;
mod motion;
mod query;
mod setup;
mod snapshot;
mod source;
mod spawn;
mod step;
mod targets;
#[cfg(test)]
mod tests;

#[cfg(feature = "parallel")]
pub use crate::threads::ThreadsError;
pub use clock::Clock;
pub use command::{Command, Setting};
pub use events::Event;
pub use exit::ExitCount;
pub use line::LineCount;
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
use columns::Columns;
use events::EventTracker;
use members::{CompiledGroup, CompiledState, members};
use step::World;

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
    part: Option<Part>,
    grid: Grid<V>,
    threads: Threads,
    chosen: SimdDispatch,
    /// Room for the neighbors of one cell, for each thread.
    neighbors: Vec<Mutex<Neighbors<V>>>,
    /// What questions are answered from, until the next step.
    index: query::Index<V>,
}

/// How far a tick has come.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The cells whose agents have moved; where there are no cells, the agents.
    done: usize,
    reach: f32,
}

impl<V: Vector> Crowd<V> {
    /// The crowd that `setup` describes, at tick 0.
    ///
    /// # Errors
    /// Everything that is wrong with the setup, each with its place, its value and what is allowed.
    pub fn new(mut setup: Setup<V>) -> Result<Self, SetupError> {
        setup.validate()?;
        let fingerprint = snapshot::fingerprint(&setup);
        let (groups, memory_width) = members(&setup);
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

    /// The agents and their ids, in the order in which they lie in memory; see
    /// [`rows_by_id`](Self::rows_by_id).
    pub fn agents(&self) -> impl Iterator<Item = (u32, Agent<V>)> + '_ {
        (0..self.now.len()).map(|i| (self.now.id[i], self.now.agent(i)))
    }

    /// The places of the agents in the columns, in the order of ids, written into `order`.
    pub fn rows_by_id(&self, order: &mut Vec<u32>) {
        order.clear();
        // Ids are dense unless very many have left: then there is a place for each, and nothing to
        // sort.
        if self.next_id as usize <= 4 * self.len() {
            order.resize(self.next_id as usize, u32::MAX);
            (0..)
                .zip(&self.now.id[..self.len()])
                .for_each(|(place, &id)| order[id as usize] = place);
            order.retain(|&place| place != u32::MAX);
        } else {
            order.extend(0..self.len() as u32);
            order.sort_unstable_by_key(|&i| self.now.id[i as usize]);
        }
    }

    /// The agent at a place that [`rows_by_id`](Self::rows_by_id) gave.
    pub fn at(&self, place: u32) -> Member<'_, V> {
        let i = place as usize;
        let group = &self.groups[self.now.group[i] as usize];
        Member {
            id: self.now.id[i],
            group: self.now.group[i] as usize,
            agent: self.now.agent(i),
            state: group.states.get(self.now.stage[i].state as usize).map(String::as_str),
            stats: &self.now.stats(i)[..group.stats.len()],
        }
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

    /// Puts the agents into another order in memory: `place[i]` is where the agent that is at `i`
    /// goes.
    ///
    /// It changes nothing else: no result depends on that order. `place` that is no permutation is
    /// left undone.
    pub fn permute(&mut self, place: &[u32]) {
        let mut seen = vec![false; self.len()];
        for &at in place {
            if let Some(slot) = seen.get_mut(at as usize) {
                *slot = true;
            }
        }
        if place.len() == self.len() && seen.iter().all(|&s| s) {
            self.moved = f32::INFINITY;
            self.forget();
            // The generation before goes along.
            let mut other = self.next.clone();
            self.now.permute_into(place, &mut other, false);
            self.next.permute_into(place, &mut self.now, false);
            core::mem::swap(&mut self.now, &mut self.next);
            self.now = other;
        }
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

    /// Makes everything anew that follows from the groups of the setup.
    fn rebuild(&mut self) {
        let before = core::mem::replace(&mut self.groups, members(&self.setup).0);
        self.go_on_exploring(before);
        self.cell_width = cell_width(&self.setup.groups, &self.groups);
        self.fastest = spawn::fastest(&self.setup.groups);
        self.speed = power_of_two_from(self.fastest);
        self.watch.prepare(&self.groups, &self.paths);
        self.disordered();
    }

    /// Brings the agents into the order of the grid's cells, where they have left them too far
    /// behind.
    ///
    /// Sorting costs as much as a good part of a tick, and cells need not be exact: who looks for
    /// neighbors looks as much farther as anybody can have moved since.
    fn sort(&mut self, shared: bool) {
        let Some(width) = self.width() else { return };
        // What adding a step and turning round at an edge round is a movement, too.
        let moved = self.moved
            + self.fastest * self.dt as f32 * 1.001
            + 4.0 * f32::EPSILON * self.grid.magnitude();
        if moved <= MOST_MOVED * width.max(0.5 * self.grid.width()) {
            self.moved = moved;
            return;
        }
        self.grid.build(&self.now.position, width * (1.0 + MOST_MOVED), &self.space, shared);
        self.now.permute_into(self.grid.places(), &mut self.next, shared);
        core::mem::swap(&mut self.now, &mut self.next);
        self.before = false;
        self.moved = 0.0;
    }

    /// How wide cells are. Where nobody looks for neighbors there are cells only among many
    /// obstacles: agents that come one after another as they stand find in the processor's
    /// cache what the one before has looked at.
    fn width(&self) -> Option<f32> {
        // They are sorted anew when they have moved by a part of the width: some ticks later.
        self.cell_width.or_else(|| {
            (self.obstacles.len() > FEW_OBSTACLES).then_some(self.fastest * self.dt as f32 * 100.0)
        })
    }

    /// A bound on the distance of any two agents (length), the same however the agents are sorted;
    /// infinity where everybody looks less far.
    fn reach(&self) -> f32 {
        let widest = self.groups.iter().filter_map(|group| group.radius).fold(0.0, f32::max);
        // Since they were sorted both ends may have moved on every axis.
        if !self.space.wraps() && self.grid.reach() - 4.0 * self.moved > widest {
            return f32::INFINITY;
        }
        let (low, high) = if self.space.wraps() {
            (V::ZERO, self.space.size())
        } else {
            self.now.position.extent()
        };
        power_of_two_from((high - low).length())
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

    fn advance(&mut self, agents: usize, shared: bool) -> bool {
        let Part { done, reach } = self.prepare(shared);
        self.before = false;
        let mut next = core::mem::take(&mut self.next);
        let world = self.world();
        let end = world.end_of(done, agents);
        let these = world.agents(done..end);
        let (_, rest) = next.slices().split(these.start);
        world.advance_units(done..end, rest.split(these.len()).0, &self.neighbors, shared);
        let ended = end == world.units();
        self.next = next;
        if !ended {
            self.part = Some(Part { done: end, reach });
            return false;
        }
        self.now.take_step(&mut self.next);
        self.before = true;
        self.forget();
        self.tick += 1;
        if core::mem::take(&mut self.placed) {
            self.moved = f32::INFINITY;
        }
        self.look();
        self.enter();
        self.visit();
        true
    }

    /// Begins a tick, unless one has begun: brings everything that a step reads up to the agents'
    /// places; no result depends on it. Gives back how far it is.
    fn prepare(&mut self, shared: bool) -> Part {
        if let Some(part) = self.part {
            return part;
        }
        self.sort(shared);
        for (i, group) in self.groups.iter_mut().enumerate().filter(|(_, group)| group.sought) {
            targets::follow(&mut group.members, &self.now, i as u32);
        }
        self.form();
        *self.part.insert(Part { done: 0, reach: self.reach() })
    }

    /// All that a step reads.
    fn world(&self) -> World<'_, V> {
        let context = SteerContext {
            time: self.time(),
            rng_key: RngKey::new(self.seed, self.tick),
            pointer: self.pointer(),
            space: self.space,
            obstacles: Obstacles::indexed(&self.obstacles, &self.obstacle_tree),
            paths: &self.paths,
            ..SteerContext::empty(self.dt as f32)
        };
        World {
            now: &self.now,
            groups: &self.groups,
            setup: &self.setup.groups,
            grid: self.cell_width.is_some().then_some(&self.grid),
            dt: self.dt,
            speed: self.speed,
            reach: self.part.map_or_else(|| self.reach(), |part| part.reach),
            moved: self.moved,
            fields: &self.fields,
            wheels: self.groups.iter().any(|group| group.turning_radius.is_some()),
            chosen: self.chosen,
            context,
        }
    }
}

/// One agent of a crowd, with what only a crowd knows of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member<'a, V> {
    /// Its id.
    pub id: u32,
    /// The index of its group.
    pub group: usize,
    /// Its state of motion and its limits.
    pub agent: Agent<V>,
    /// The name of the state it is in, if its group has states.
    pub state: Option<&'a str>,
    /// Its stats, in the order of the group's.
    pub stats: &'a [f32],
}

/// So many obstacles are in the processor's cache anyway.
const FEW_OBSTACLES: usize = 512;

/// Agents are sorted into cells again when somebody may have moved by this part of a cell's width.
const MOST_MOVED: f32 = 0.2;

/// How wide the grid's cells are best: the radius of the largest group that looks for neighbors,
/// unless others look much farther.
fn cell_width<V: Vector>(setup: &[Group<V>], groups: &[CompiledGroup<V>]) -> Option<f32> {
    let widest = groups.iter().filter_map(|group| group.radius).reduce(f32::max)?;
    let looking =
        setup.iter().zip(groups).filter_map(|(setup, group)| Some((setup.count, group.radius?)));
    let usual = looking.max_by_key(|(count, _)| *count)?.1;
    Some(usual.max(widest / 8.0))
}

/// The smallest power of two that is not below `x`, from 2^-60 up to 2^100: a unit in which
/// dividing loses no bits.
fn power_of_two_from(x: f32) -> f32 {
    let (_, exponent) = libm::frexpf(x.clamp(1e-18, 1e30));
    let above = libm::ldexpf(1.0, exponent);
    if above * 0.5 >= x { above * 0.5 } else { above }
}
