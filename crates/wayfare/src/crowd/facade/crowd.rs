//! The crowd, and what it says about itself and its world.

use alloc::boxed::Box;
use alloc::string::String;

use crate::crowd::compiled::{cell_width, compile_groups};
use crate::crowd::encoding::baseline::Baseline;
use crate::crowd::encoding::setup::fingerprint;
use crate::crowd::encoding::users::Users;
use crate::crowd::origin::Origin;
use crate::crowd::part::PartState;
use crate::crowd::pipeline::change::{Change, changed};
use crate::crowd::pipeline::events::rearm_arrivals_at_pointer;
use crate::crowd::pipeline::tick::Tick;
use crate::crowd::population::columns::Columns;
use crate::crowd::population::{Population, spawn};
use crate::crowd::setup::Setup;
use crate::crowd::setup::allowed::SetupError;
use crate::crowd::setup::command::timed::TimedCommands;
use crate::crowd::setup::validate::Meshes;
use crate::crowd::structure::Structure;
use crate::crowd::world::World;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::Obstacle;
use crate::geometry::path::Path;
use crate::id::GroupId;
use crate::threads::Share;
use crate::vector::{Up, Vector};

/// A crowd: groups of agents that steer by lists of behaviors, stepped tick by tick.
///
/// ```
/// use wayfare::prelude::*;
/// let starts = Spawn::points([vec2(0.0, 0.0), vec2(0.0, 9.0)]);
/// let walkers = Group::new("walkers", 2, starts, 2.0).steer(Seek::new(vec2(50.0, 0.0)));
/// let mut crowd = Setup::new(1.0).group(walkers).crowd()?;
/// crowd.step();
/// assert_eq!(crowd.agents().next().unwrap().1.position, vec2(2.0, 0.0));
/// # Ok::<(), SetupError>(())
/// ```
///
/// A clone continues with the same bits, independent of the original: a rollback keeps one of a
/// tick whose commands may still change. It costs about the copy of the columns; buffers are made
/// anew. The threads of both are the same.
///
/// ```
/// use wayfare::prelude::*;
/// let walker =
///     Group::new("walker", 1, Spawn::point(vec2(0.0, 0.0)), 2.0).velocity(vec2(2.0, 0.0));
/// let mut crowd = Setup::new(1.0).group(walker).crowd()?;
/// let earlier = crowd.clone();
/// crowd.step();
/// assert_eq!((earlier.tick(), crowd.tick()), (0, 1));
/// crowd.clone_from(&earlier);
/// assert_eq!(crowd.digest(), earlier.digest());
/// # Ok::<(), SetupError>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "crowd simulation", alias = "boids", alias = "autonomous agents")]
pub struct Crowd<V: Vector> {
    pub(in crate::crowd) world: World<V>,
    pub(in crate::crowd) population: Population<V>,
    pub(in crate::crowd) tick: Tick<V>,
    pub(in crate::crowd) origin: Origin<V>,
    /// The state of this crowd as a part of a larger one; `None` if it is no part.
    pub(in crate::crowd) part: Option<Box<PartState>>,
}

/// The agents of a crowd at its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::crowd) enum FirstAgents {
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

    pub(in crate::crowd) fn new_here(setup: Setup<V>) -> Result<Self, SetupError> {
        let meshes = setup.validated()?;
        let fingerprint = fingerprint(&setup);
        let structure = Structure::new(&setup);
        Ok(Self::from_parts(setup, structure, fingerprint, FirstAgents::Spawned, meshes))
    }

    /// The crowd of a valid setup with these ids.
    pub(in crate::crowd) fn from_parts(
        mut setup: Setup<V>,
        structure: Structure,
        fingerprint: u64,
        agents: FirstAgents,
        meshes: Meshes<V>,
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
        let baseline = Baseline::new(&setup);
        let timed = TimedCommands::new(core::mem::take(&mut setup.commands), setup.dt);
        let max_speed = spawn::max_speed(&setup.groups);
        let world = World::take(&mut setup, &structure, groups, meshes);
        let mut crowd = Self {
            tick: Tick::new(&setup, cell_width),
            population: Population::new(now, max_speed),
            world,
            origin: Origin {
                setup,
                structure,
                original: None,
                users: Users::default(),
                baseline,
                fingerprint,
                timed,
            },
            part: None,
        };
        crowd.make_scratch();
        crowd.mark_explored(Share::ALONE);
        crowd
    }

    /// Discards what depends on what has changed.
    pub(in crate::crowd) fn changed(&mut self, what: Change) {
        changed(&mut self.population, &mut self.tick, what);
    }

    /// Makes the buffers of each thread.
    pub(in crate::crowd) fn make_scratch(&mut self) {
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
        self.tick.time()
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
        self.world.pointer_at(self.time())
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
        let Self { world, population, tick, origin, .. } = self;
        rearm_arrivals_at_pointer(world, population, tick, origin);
    }
}
