//! The plugin, its systems and their sets.

use bevy_app::{App, FixedUpdate, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec2;
#[cfg(feature = "space")]
use bevy_math::Vec3;
use bevy_time::{Fixed, Time, TimePlugin};
use bevy_transform::TransformSystems;
use wayfare::crowd::{Command, Setup};
use wayfare::spatial::space::Bounds;

use crate::components::{
    DesiredVelocity, FlowGoal, FormationOf, FromSetup, Frozen, Limits, Obstacle, Steer, SteerPath,
    SteerState, SteerTarget, SteeringId, Team, Velocity,
};
use crate::crowd::{Habits, WayfareCrowd};
use crate::inbox::Inbox;
use crate::plane::{Dimension, Plane};
use crate::threads::Threads;
use crate::{read, surroundings, write};

/// Why a plugin cannot make its crowd: its setup is not valid, or threads cannot be started.
pub type PluginError = Box<dyn core::error::Error + Send + Sync>;

/// The sets of the plugin's systems in `FixedUpdate`, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, SystemSet)]
pub enum WayfareSystems {
    /// The crowd reads what has changed: agents, obstacles, paths, settings, transforms.
    Read,
    /// The crowd steps.
    Step,
    /// Transforms, velocities and states are written, and events are triggered.
    Write,
}

/// Steers the entities that have [`Steer<V>`](crate::Steer).
///
/// An app may have two, one for planes and one for space.
#[derive(Clone, Debug)]
pub struct WayfarePlugin<V: Dimension = Vec2> {
    plane: Plane,
    setup: Setup<V>,
    /// The seed; `None` for that of the setup.
    seed: Option<u64>,
    /// The bounds; `None` for those of the setup.
    bounds: Option<Bounds<V>>,
    /// The duration of a tick; `None` for that of `Time<Fixed>`.
    dt: Option<f64>,
    habits: Habits,
    interpolate: bool,
    replay: Vec<(u64, Command<V>)>,
}

impl WayfarePlugin<Vec2> {
    /// A crowd in the plane of x and y.
    pub fn plane() -> Self {
        Self::new(Plane::Xy)
    }

    /// A crowd on the ground, x and z.
    pub fn ground() -> Self {
        Self::new(Plane::Ground)
    }
}

#[cfg(feature = "space")]
impl WayfarePlugin<Vec3> {
    /// A crowd in space, with y up.
    pub fn space() -> Self {
        Self::new(Plane::Space)
    }
}

impl<V: Dimension> WayfarePlugin<V> {
    fn new(plane: Plane) -> Self {
        let setup = Setup { up: V::UP, ..Setup::default() };
        Self {
            plane,
            setup,
            seed: None,
            bounds: None,
            dt: None,
            habits: Habits { turn: true, records: false, threads: Threads::Own(1) },
            interpolate: true,
            replay: Vec::new(),
        }
    }

    /// The seed of all random numbers; without it that of the setup, which is 0 by default.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// The bounds of the crowd, in its own coordinates, for the ground (x, -z); without them those
    /// of the setup, which has none by default.
    ///
    /// ```
    /// use bevy_math::{Vec2, vec2, vec3};
    /// use bevy_wayfare::prelude::*;
    /// use bevy_wayfare::wayfare::spatial::space::{Bounds, Edge};
    /// let field = Bounds { min: vec2(-3.0, -3.0), max: vec2(3.0, 3.0), edge: Edge::Wall };
    /// let mut world = bevy_ecs::world::World::new();
    /// bevy_wayfare::init(&mut world, &WayfarePlugin::plane().with_bounds(field))?;
    /// let ball = Steer2d::new("balls", 2.0, List::default());
    /// let ball = world.spawn((ball, Velocity(vec3(2.0, 0.0, 0.0)))).id();
    /// (0..9).for_each(|_| bevy_wayfare::step::<Vec2>(&mut world));
    /// let at = world.get::<bevy_transform::components::Transform>(ball);
    /// assert_eq!(at.map(|at| at.translation.x), Some(3.0));
    /// # Ok::<(), bevy_wayfare::PluginError>(())
    /// ```
    #[must_use]
    pub fn with_bounds(mut self, bounds: Bounds<V>) -> Self {
        self.bounds = Some(bounds);
        self
    }

    /// The setup of the crowd: bounds, solid bodies, groups, lines, exits and more. Vectors in it
    /// are those of the crowd, for the ground (x, -z). Its duration of a tick counts, and has to be
    /// that of `FixedUpdate` for speeds in units per second.
    #[must_use]
    pub fn with_setup(mut self, setup: Setup<V>) -> Self {
        self.dt = Some(setup.dt);
        self.setup = Setup { up: V::UP, ..setup };
        self
    }

    /// The number of threads that step the crowd; 1 without it. Results are the same.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.habits.threads = Threads::Own(threads);
        self
    }

    /// Steps the crowd by the threads of Bevy's `ComputeTaskPool`, in place of threads of its own.
    /// Results are the same. Bevy's `TaskPoolPlugin`, which `DefaultPlugins` has, comes before this
    /// plugin; the pool has threads if the app has Bevy's feature `multi_threaded`.
    #[must_use]
    pub fn with_task_pool(mut self) -> Self {
        self.habits.threads = Threads::OfTaskPool;
        self
    }

    /// Keeps what is sent to the crowd in [`WayfareCrowd::log`], each with its tick.
    #[must_use]
    pub fn with_recording(mut self) -> Self {
        self.habits.records = true;
        self
    }

    /// Sends these commands to the crowd, each before the step of its tick: what
    /// [`WayfareCrowd::log`] has recorded in an app with the same setup.
    ///
    /// Agents that enter by a command become entities with [`FromSetup`], and those that leave by
    /// one are despawned. The first command that the crowd refuses is told by
    /// [`ReplayRefused`](crate::ReplayRefused), and ends the replay.
    #[must_use]
    pub fn with_replay(mut self, log: impl IntoIterator<Item = (u64, Command<V>)>) -> Self {
        self.replay = log.into_iter().collect();
        self
    }

    /// Rotations of transforms stay as they are; without this they follow headings.
    #[must_use]
    pub fn without_rotation(mut self) -> Self {
        self.habits.turn = false;
        self
    }

    /// Transforms stay where the last tick has put them until the next.
    #[must_use]
    pub fn without_interpolation(mut self) -> Self {
        self.interpolate = false;
        self
    }

    /// The crowd, at the start.
    fn crowd(&self, tick: f64) -> Result<WayfareCrowd<V>, PluginError> {
        let (dt, seed) = (self.dt.unwrap_or(tick), self.seed.unwrap_or(self.setup.seed));
        let bounds = self.bounds.or(self.setup.bounds);
        let setup = Setup { dt, seed, bounds, ..self.setup.clone() };
        let mut crowd = WayfareCrowd::new(setup, self.plane, self.habits)?;
        crowd.replay = self.replay.clone().into();
        Ok(crowd)
    }
}

impl<V: Dimension> Plugin for WayfarePlugin<V> {
    /// # Panics
    /// The setup is not valid; the message says where and what is allowed.
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<TimePlugin>() {
            app.add_plugins(TimePlugin);
        }
        let tick = app.world_mut().get_resource_or_init::<Time<Fixed>>().timestep();
        match self.crowd(tick.as_secs_f64()) {
            Ok(crowd) => app.insert_resource(crowd),
            Err(error) => panic!("the setup of `WayfarePlugin` is not valid: {error}"),
        };
        app.init_resource::<Inbox<V>>()
            .register_type::<Steer<V>>()
            .register_type::<SteeringId>()
            .register_type::<Limits>()
            .register_type::<SteerTarget>()
            .register_type::<SteerState>()
            .register_type::<Velocity>()
            .register_type::<DesiredVelocity>()
            .register_type::<Frozen>()
            .register_type::<Team>()
            .register_type::<FromSetup>()
            .register_type::<Obstacle>()
            .register_type::<SteerPath>()
            .register_type::<FlowGoal>()
            .register_type::<FormationOf>();
        app.edit_schedule(FixedUpdate, add_systems::<V>);
        #[cfg(feature = "gizmos")]
        app.register_type::<crate::ShowSteering>()
            .add_systems(PostUpdate, crate::gizmos::draw::<V>.run_if(crate::gizmos::has_gizmos));
        if self.interpolate {
            app.add_systems(
                PostUpdate,
                write::interpolate::<V>.before(TransformSystems::Propagate),
            );
        }
    }

    fn is_unique(&self) -> bool {
        true
    }
}

/// The schedule of a crowd in a `World` without an app.
#[derive(Clone, Debug, PartialEq, Eq, Hash, ScheduleLabel)]
struct Tick(Plane);

/// Adds the systems of a tick to a schedule.
fn add_systems<V: Dimension>(schedule: &mut Schedule) {
    let sets = (WayfareSystems::Read, WayfareSystems::Step, WayfareSystems::Write);
    schedule.configure_sets(sets.chain());
    let reads = (
        surroundings::spawn_setup::<V>,
        read::replay::<V>,
        surroundings::read_obstacles::<V>,
        surroundings::read_paths::<V>,
        surroundings::read_goals::<V>,
        read::spawn_newcomers::<V>,
        read::read_population::<V>,
        read::read_settings::<V>,
        read::read_positions::<V>,
        read::read_formations::<V>,
    );
    schedule.add_systems(reads.chain().in_set(WayfareSystems::Read));
    schedule.add_systems(step_crowd::<V>.in_set(WayfareSystems::Step));
    let writes = (write::write_agents::<V>, write::write_events::<V>);
    schedule.add_systems(writes.chain().in_set(WayfareSystems::Write));
}

fn step_crowd<V: Dimension>(mut crowd: ResMut<'_, WayfareCrowd<V>>) {
    crowd.crowd.step();
}

/// Prepares a `World` without an app for [`step`]; a tick takes that of the plugin's setup, or 1.
///
/// ```
/// use bevy_ecs::world::World;
/// use bevy_wayfare::prelude::*;
/// let mut world = World::new();
/// bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
/// let list = List::default().with(Seek::new(wayfare::glam::vec2(9.0, 0.0)));
/// let guard = world.spawn(Steer2d::new("guards", 2.0, list)).id();
/// bevy_wayfare::step::<wayfare::glam::Vec2>(&mut world);
/// assert_eq!(world.get::<Velocity>(guard).map(|velocity| velocity.0.x), Some(2.0));
/// # use bevy_wayfare::wayfare;
/// # Ok::<(), bevy_wayfare::PluginError>(())
/// ```
///
/// # Errors
/// The setup is not valid, or threads cannot be started; then nothing changes.
pub fn init<V: Dimension>(world: &mut World, plugin: &WayfarePlugin<V>) -> Result<(), PluginError> {
    let crowd = plugin.crowd(1.0)?;
    let mut schedule = Schedule::new(Tick(plugin.plane));
    add_systems::<V>(&mut schedule);
    world.insert_resource(crowd);
    world.init_resource::<Inbox<V>>();
    world.add_schedule(schedule);
    Ok(())
}

/// Reads, steps and writes the crowd of a `World` that [`init`] has prepared; without it, nothing
/// happens.
pub fn step<V: Dimension>(world: &mut World) {
    let Some(plane) = world.get_resource::<WayfareCrowd<V>>().map(|crowd| crowd.plane) else {
        return;
    };
    // Without a schedule an app steps the crowd.
    let _ = world.try_run_schedule(Tick(plane));
}
