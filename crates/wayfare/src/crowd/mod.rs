//! The crowd: agents in columns, double buffered, stepped tick by tick.
//!
//! A step reads only the old columns and writes only the new ones, sums over neighbors do not
//! depend on their order, and randomness is keyed by (seed, id, tick, stream): results do not
//! depend on the order of rows. `pipeline/mod.rs` lists the phases of a tick; commands run between
//! ticks.

use alloc::boxed::Box;
use alloc::string::String;

use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::{Obstacle, bvh_of};
use crate::geometry::path::Path;
use crate::id::GroupId;
use crate::simd::{SimdDispatch, SimdLevel};
use crate::vector::{Up, Vector};

mod change;
mod clock;
mod command;
mod compiled;
mod digest;
mod events;
mod exit;
mod explain;
mod instances;
mod line;
mod nearest_member;
mod origin;
mod part;
mod pipeline;
mod population;
mod query;
mod ram;
mod routes;
mod setup;
mod snapshot;
mod source;
mod structure;
#[cfg(test)]
mod tests;
mod world;

pub use crate::spatial::space::{Bounds, Edge};
#[cfg(feature = "parallel")]
pub use crate::threads::{HostThreads, ThreadsError};
pub use clock::{Clock, Pose};
pub use command::{Added, AgentChange, Command, Notation, ReadArguments, Setting, WriteArguments};
pub use digest::DigestPart;
pub use events::Event;
pub use exit::ExitCount;
pub use line::LineCount;
pub use part::{
    Copies, Counts, Division, GroupArrival, HaloTooNarrow, PartLink, PinnedBy, join_events,
};
pub use population::ghosts::Ghost;
pub use population::{AgentRef, DetachedColumns};
pub use query::{RayHit, RayHits};
pub use ram::RamBound;
pub use setup::validate::{
    KeyPath, KeySegment, MAX_AGENTS, MAX_ARRIVALS_PER_TICK, MAX_ITERATIONS, MAX_THINK_EVERY,
    SetupError, ValidationError, ranges as range,
};
pub use setup::{
    Arrivals, Bodies, Condition, Distribution, Exit, ExitAction, Group, Limit, Line, Navigation,
    OwnCondition, Perception, Rhythm, Setup, Source, Spawn, StartAfter, StartVelocity, Stat,
    StatCondition, State, TimeLimit, Track, Transition, TransitionTarget,
};
pub use snapshot::{
    GroupMatch, Migration, MigrationNote, SNAPSHOT_MAGIC, SNAPSHOT_VERSION, SnapshotError,
};
pub use source::SourceCount;

#[cfg(feature = "parallel")]
use crate::threads::Threads;
use crate::threads::{GRAIN, Share};
use change::Change;
use compiled::{CompiledGroup, compile_groups};
use events::EventTracker;
pub(crate) use instances::Instances;
use origin::Origin;
use part::PartState;
use pipeline::index::cell_width;
use pipeline::tick::Tick;
use population::Population;
use population::columns::Columns;
use population::spawn;
use snapshot::{Baseline, Users};
use structure::{Structure, WorldParts, take_world};
use world::World;

/// A crowd: groups of agents that steer by lists of behaviors, stepped tick by tick.
///
/// ```
/// use wayfare::{
///     Crowd, List,
///     behavior::Seek,
///     crowd::{Group, Setup, Spawn},
///     glam::vec2,
///     parameter::Target,
/// };
/// let mut group =
///     Group::new("walkers", 2, Spawn::Points(vec![vec2(0.0, 0.0), vec2(0.0, 9.0)]), 2.0);
/// group.steer = List::default()
///     .with(Seek { target: Target::Point(vec2(50.0, 0.0)), within: f32::INFINITY });
/// let mut crowd = Crowd::new(Setup { groups: vec![group], ..Setup::default() })?;
/// crowd.step();
/// assert_eq!(crowd.agents().next().unwrap().1.position, vec2(2.0, 0.0));
/// # Ok::<(), wayfare::crowd::SetupError>(())
/// ```
///
/// A clone continues with the same bits, independent of the original: a rollback keeps one of a
/// tick whose commands may still change. It costs about the copy of the columns; buffers are made
/// anew. The threads of both are the same.
///
/// ```
/// use wayfare::{
///     Crowd,
///     crowd::{Group, Setup, Spawn, StartVelocity},
///     glam::vec2,
/// };
/// let mut walker = Group::new("walker", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0);
/// walker.velocity = StartVelocity::Same(vec2(2.0, 0.0));
/// let mut crowd = Crowd::new(Setup { groups: vec![walker], ..Setup::default() })?;
/// let earlier = crowd.clone();
/// crowd.step();
/// assert_eq!((earlier.tick(), crowd.tick()), (0, 1));
/// crowd.clone_from(&earlier);
/// assert_eq!(crowd.digest(), earlier.digest());
/// # Ok::<(), wayfare::crowd::SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Crowd<V: Vector> {
    world: World<V>,
    population: Population<V>,
    tick: Tick<V>,
    origin: Origin<V>,
    /// The state of this crowd as a part of a larger one; `None` if it is no part.
    part: Option<Box<PartState>>,
}

/// The agents of a crowd at its start.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FirstAgents {
    /// Those of its groups.
    Spawned,
    /// None, for a crowd that takes the agents of a snapshot.
    None,
}

impl<V: Vector> Crowd<V> {
    /// The crowd that `setup` describes, at tick 0.
    ///
    /// # Errors
    /// Every error in the setup, each with its key path, its value and the allowed range.
    pub fn new(setup: Setup<V>) -> Result<Self, SetupError> {
        const { assert!(V::IS_ON, "`Crowd<Vec2>` needs the feature `plane` of `wayfare`") };
        V::new(setup)
    }

    fn new_here(setup: Setup<V>) -> Result<Self, SetupError> {
        setup.validate()?;
        let fingerprint = snapshot::fingerprint(&setup);
        let structure = Structure::new(&setup);
        Ok(Self::from_parts(setup, structure, fingerprint, FirstAgents::Spawned))
    }

    /// The crowd of a valid setup with these ids.
    fn from_parts(
        mut setup: Setup<V>,
        structure: Structure,
        fingerprint: u64,
        agents: FirstAgents,
    ) -> Self {
        let (groups, widths) = compile_groups(&setup, &structure);
        let cell_width = cell_width(&setup.groups, &groups);
        let mut now = match agents {
            FirstAgents::Spawned => spawn::columns(&setup, widths),
            FirstAgents::None => Columns::with_widths(widths),
        };
        // Agents that enter by these sources have orders.
        if setup.sources.iter().any(|source| !source.to.is_empty()) {
            now.widen_own();
        }
        let space = setup.space();
        let baseline = Baseline::new(&setup);
        let max_speed = spawn::max_speed(&setup.groups);
        let WorldParts { mut tracker, sources, paths, obstacles, fields } =
            take_world(&mut setup, &structure);
        tracker.prepare(&groups, &paths);
        let mut crowd = Self {
            tick: Tick::new(&setup, cell_width),
            population: Population::new(now, max_speed),
            world: World {
                space,
                track: setup.pointer.clone(),
                pointer: None,
                obstacle_bvh: bvh_of(&obstacles),
                obstacles,
                paths,
                fields,
                routes: None,
                groups,
                tracker,
                sources,
            },
            origin: Origin {
                setup,
                structure,
                original: None,
                users: Users::default(),
                baseline,
                fingerprint,
            },
            part: None,
        };
        crowd.make_scratch();
        crowd.find_routes();
        crowd.exclude_unreachable_cells();
        crowd.mark_explored(Share::ALONE);
        crowd
    }

    /// Makes the buffers of each thread.
    fn make_scratch(&mut self) {
        self.tick.make_buffers(self.len());
        self.world.tracker.set_threads(self.tick.threads.count());
    }

    /// The number of ticks so far.
    pub fn tick(&self) -> u64 {
        self.tick.number
    }

    /// The axis that points up.
    pub fn up(&self) -> Up {
        self.world.space.up()
    }

    /// The duration of a tick (time).
    pub fn dt(&self) -> f64 {
        self.tick.dt
    }

    /// The time simulated so far (time): tick * dt.
    pub fn time(&self) -> f64 {
        self.tick.number as f64 * self.tick.dt
    }

    /// The number of agents, without ghosts.
    pub fn len(&self) -> usize {
        self.population.now.len()
    }

    /// Whether there are no agents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of the groups, in the order of their indices, those of removed groups included.
    pub fn group_names(&self) -> impl Iterator<Item = &str> {
        self.world.groups.iter().map(|group| group.name.as_str())
    }

    /// The names of the states of a group, in the order of their indices; none for a group without
    /// states and for one that does not exist or was removed.
    pub fn state_names(&self, group: impl Into<GroupId>) -> impl Iterator<Item = &str> {
        let group = self.world.groups.get(group.into().0);
        group.into_iter().flat_map(|group| &group.state_names).map(String::as_str)
    }

    /// Whether any group has states; groups without members count too.
    pub fn has_states(&self) -> bool {
        self.world.groups.iter().any(|group| !group.state_names.is_empty())
    }

    /// Whether any group, also one without members, has a facing apart from its heading.
    pub fn has_facings(&self) -> bool {
        self.population.now.facing_width > 0
    }

    /// The paths, in the order of their indices; a removed one has no points.
    pub fn paths(&self) -> &[Path<V>] {
        &self.world.paths
    }

    /// The names of the paths, in the order of their indices, those of removed paths included.
    pub fn path_names(&self) -> impl Iterator<Item = &str> {
        self.origin.setup.paths.iter().map(|(name, _)| name.as_str())
    }

    /// The flow fields, in the order of their indices; a removed one has a single cell.
    pub fn fields(&self) -> &[FlowField<V>] {
        &self.world.fields
    }

    /// The names of the flow fields, in the order of their indices, those of removed ones included.
    pub fn field_names(&self) -> impl Iterator<Item = &str> {
        self.origin.setup.fields.iter().map(|(name, _)| name.as_str())
    }

    /// The obstacles, in the order of their [ids](Self::obstacle_ids).
    pub fn obstacles(&self) -> &[Obstacle<V>] {
        &self.world.obstacles
    }

    /// The position of the pointer now, if there is one (length).
    pub fn pointer(&self) -> Option<V> {
        self.pointer_at(self.tick.number)
    }

    /// The position of the pointer at `tick`: the point that [`set_pointer`](Self::set_pointer) has
    /// set, otherwise that of its track.
    fn pointer_at(&self, tick: u64) -> Option<V> {
        let time = tick as f64 * self.tick.dt;
        self.world.pointer.or_else(|| self.world.track.as_ref().map(|track| track.at(time)))
    }

    /// Moves the pointer to `point` (length), or with `None` back to its track.
    ///
    /// A point with a coordinate that is not finite is ignored: the pointer stays where it is.
    pub fn set_pointer(&mut self, point: Option<V>) {
        if point.is_some_and(|point| !point.is_finite()) {
            return;
        }
        self.changed(Change::Input);
        self.world.pointer = point.map(V::clamped);
        self.rearm_arrivals_at_pointer();
    }

    /// Sets the number of threads that share each step; 0 and 1 mean the caller's own thread.
    /// Results do not depend on it.
    ///
    /// Crowds of up to 512 agents are stepped by one thread anyway: sharing costs more than it
    /// gains.
    ///
    /// ```
    /// use wayfare::crowd::{Group, Setup, Spawn};
    /// use wayfare::{Crowd, List, behavior::Flock, geometry::obstacle::Shape, glam::vec2};
    /// let sky = Shape::box_between(vec2(0.0, 0.0), vec2(300.0, 300.0));
    /// let mut birds = Group::new("birds", 2_000, Spawn::Inside(sky), 2.0);
    /// birds.steer = List::default().with(Flock::new(10.0));
    /// let mut alone = Crowd::new(Setup { groups: vec![birds], ..Setup::default() })?;
    /// let mut shared = alone.clone();
    /// shared.set_threads(4)?;
    /// alone.step();
    /// shared.step();
    /// assert_eq!(alone.digest(), shared.digest());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The threads could not be started.
    #[cfg(feature = "parallel")]
    pub fn set_threads(&mut self, count: usize) -> Result<(), ThreadsError> {
        self.tick.threads = Threads::new(count)?;
        self.make_scratch();
        Ok(())
    }

    /// Shares each step between threads of the program around it, in place of threads of its own.
    /// Results do not depend on it.
    ///
    /// ```
    /// use wayfare::Crowd;
    /// use wayfare::crowd::{HostThreads, Setup};
    /// struct Pair;
    /// impl HostThreads for Pair {
    ///     fn count(&self) -> usize {
    ///         2
    ///     }
    ///     fn join(&self, a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    ///         std::thread::scope(|scope| {
    ///             scope.spawn(a);
    ///             b();
    ///         });
    ///     }
    /// }
    /// let mut crowd = Crowd::<wayfare::glam::Vec2>::new(Setup::default())?;
    /// crowd.set_host_threads(&Pair);
    /// assert_eq!(crowd.threads(), 2);
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    #[cfg(feature = "parallel")]
    pub fn set_host_threads(&mut self, host: &'static dyn HostThreads) {
        self.tick.threads = Threads::of_host(host);
        self.make_scratch();
    }

    /// Makes steps use the instructions of `level` instead of the widest level that the machine
    /// has. Returns `false` and changes nothing if the machine lacks them.
    ///
    /// For tests: results do not depend on it.
    pub fn set_simd_level(&mut self, level: SimdLevel) -> bool {
        let Some(dispatch) = SimdDispatch::new(level) else { return false };
        self.tick.dispatch = dispatch;
        self.make_scratch();
        true
    }

    /// The number of threads that share a step.
    pub fn threads(&self) -> usize {
        self.tick.threads.count()
    }

    /// Advances the crowd by one tick, or ends a tick that [`step_budgeted`](Self::step_budgeted)
    /// has begun. A step cannot fail.
    ///
    /// ```
    /// use wayfare::crowd::{Group, Setup, Spawn, StartVelocity};
    /// use wayfare::{Crowd, glam::vec2};
    /// let mut walker = Group::new("walker", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0);
    /// walker.velocity = StartVelocity::Same(vec2(2.0, 0.0));
    /// let mut crowd = Crowd::new(Setup { dt: 0.5, groups: vec![walker], ..Setup::default() })?;
    /// (0..6).for_each(|_| crowd.step());
    /// assert_eq!((crowd.tick(), crowd.time()), (6, 3.0));
    /// assert_eq!(crowd.agents().next().unwrap().1.position, vec2(6.0, 0.0));
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    ///
    /// # Panics
    /// Only if a user's behavior panics: then the crowd keeps its state from before the tick, but
    /// loses the previous positions, from which a [`Clock`] interpolates.
    pub fn step(&mut self) {
        self.step_budgeted(usize::MAX);
    }

    /// Advances the current tick by about `agents` agents: at least one, and the agents of a grid
    /// cell together. Returns whether the tick has ended.
    ///
    /// For programs that cannot wait for a full tick. A tick in parts gives the same bits as a full
    /// tick, at nearly the same cost. Until the tick ends, the crowd shows the state before it. A
    /// change of the crowd during a tick restarts the tick.
    ///
    /// ```
    /// use wayfare::{
    ///     Crowd, List,
    ///     behavior::Wander,
    ///     crowd::{Group, Setup, Spawn},
    ///     geometry::obstacle::Shape,
    ///     glam::vec2,
    /// };
    /// let sky = Shape::box_between(vec2(0.0, 0.0), vec2(600.0, 400.0));
    /// let mut birds = Group::new("birds", 900, Spawn::Inside(sky), 2.0);
    /// birds.steer = List::default().with(Wander::new(1.0, 1.0, 0.5));
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
        V::step(self, agents)
    }

    fn step_here(&mut self, agents: usize) -> bool {
        self.run_shared(|crowd, shared| crowd.advance(agents, shared))
    }

    /// Runs `work` with the threads of this crowd, if there are enough agents.
    fn run_shared<T: Send>(&mut self, work: impl FnOnce(&mut Self, Share) -> T + Send) -> T {
        let threads = self.tick.threads.clone();
        if threads.count() > 1 && self.len() > 2 * GRAIN {
            threads.run(|shared| work(self, shared))
        } else {
            work(self, Share::ALONE)
        }
    }
}
