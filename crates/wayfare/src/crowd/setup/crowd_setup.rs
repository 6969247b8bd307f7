//! The whole setup of a crowd.

use alloc::string::String;
use alloc::vec::Vec;

use super::allowed::SetupError;
use super::bodies::Bodies;
use super::command::timed::TimedCommand;
use super::exit::Exit;
use super::group::Group;
use super::line::Line;
use super::navigation::Navigation;
use super::source::Source;
use super::track::Track;
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::obstacle::Shape;
use crate::geometry::path::Path;
use crate::spatial::space::{Bounds, Edge, Space};
use crate::vector::{Up, Vector};

/// The initial state of a crowd and of its world.
///
/// ```
/// use wayfare::prelude::*;
/// let setup = Setup::new(1.0 / 60.0)
///     .obstacle(Shape::circle(vec2(9.0, 5.0), 1.0))
///     .group(Group::new("guests", 1, Spawn::point(vec2(5.0, 5.0)), 1.3));
/// let crowd = setup.clone().crowd()?;
/// assert_eq!((crowd.len(), crowd.obstacles().len()), (1, 1));
/// // All errors are found at once.
/// let error = Setup { dt: -1.0, ..setup }.crowd().unwrap_err();
/// assert!(format!("{error:?}").contains("dt"));
/// # Ok::<(), SetupError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Setup<V: Vector> {
    /// Simulated time per tick (time).
    pub dt: f64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The axis that points up; [`Up::Z`] in the plane. Shapes, spawns, formations, lines, turns
    /// to the left and angles follow it.
    pub up: Up,
    /// The extent of the world; `None` for an unbounded one.
    pub bounds: Option<Bounds<V>>,
    /// Whether bodies are solid.
    pub bodies: Bodies,
    /// The planning of routes round obstacles.
    pub navigation: Navigation,
    /// The track of the pointer; `None` for a world without a pointer.
    pub pointer: Option<Track<V>>,
    /// The obstacles.
    pub obstacles: Vec<Shape<V>>,
    /// The paths and their names.
    pub paths: Vec<(String, Path<V>)>,
    /// The flow fields of `follow_flow`, and their names.
    pub fields: Vec<(String, FieldPlan<V>)>,
    /// The lines whose crossings are counted.
    pub lines: Vec<Line<V>>,
    /// The exits, by which agents leave.
    pub exits: Vec<Exit<V>>,
    /// The sources, by which agents enter.
    pub sources: Vec<Source<V>>,
    /// The groups of agents.
    pub groups: Vec<Group<V>>,
    /// The commands that the crowd applies by itself, each at its time: those of a tick in this
    /// order, before commands from outside. [`Crowd::refused_command`] tells what is refused.
    ///
    /// [`Crowd::refused_command`]: crate::Crowd::refused_command
    pub commands: Vec<TimedCommand<V>>,
}

impl<V: Vector> Default for Setup<V> {
    fn default() -> Self {
        Self {
            dt: 1.0,
            seed: 0,
            up: Up::Z,
            bounds: None,
            bodies: Bodies::default(),
            navigation: Navigation::default(),
            pointer: None,
            obstacles: Vec::new(),
            paths: Vec::new(),
            fields: Vec::new(),
            lines: Vec::new(),
            exits: Vec::new(),
            sources: Vec::new(),
            groups: Vec::new(),
            commands: Vec::new(),
        }
    }
}

impl<V: Vector> Setup<V> {
    /// An empty world without bounds; `dt` is the simulated time per tick (time), above zero.
    pub fn new(dt: f64) -> Self {
        Self { dt, ..Self::default() }
    }

    /// The seed of all random numbers.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The axis that points up.
    #[must_use]
    pub fn up(mut self, up: Up) -> Self {
        self.up = up;
        self
    }

    /// The extent of the world from the corner `min` to the corner `max`, and what its edge does.
    #[must_use]
    pub fn bounds(mut self, min: V, max: V, edge: Edge) -> Self {
        self.bounds = Some(Bounds { min, max, edge });
        self
    }

    /// Whether and how bodies are solid.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let hall = Spawn::grid(vec2(0.0, 0.0), 2.0, 5);
    /// let guests =
    ///     Group::new("guests", 20, hall, 1.3).radius(0.5).steer(Arrive::new(vec2(4.0, 4.0)));
    /// let bodies = Bodies::default().solid(true);
    /// let mut crowd = Setup::new(0.1).bodies(bodies).group(guests).crowd()?;
    /// (0..200).for_each(|_| crowd.step());
    /// // All press towards one point, and hardly overlap.
    /// assert!(crowd.deepest_overlap().unwrap() < 0.05);
    /// # Ok::<(), SetupError>(())
    /// ```
    #[must_use]
    pub fn bodies(mut self, bodies: Bodies) -> Self {
        self.bodies = bodies;
        self
    }

    /// How routes round obstacles are planned.
    ///
    /// ```
    /// use wayfare::crowd::{Navigation, Setup};
    /// use wayfare::glam::Vec2;
    /// let setup = Setup::<Vec2>::new(0.1).navigation(Navigation::default().searches_per_tick(4));
    /// assert_eq!(Setup::<Vec2>::default().navigation.searches_per_tick, 16);
    /// ```
    #[must_use]
    pub fn navigation(mut self, navigation: Navigation) -> Self {
        self.navigation = navigation;
        self
    }

    /// The track of the pointer.
    #[must_use]
    pub fn pointer(mut self, track: Track<V>) -> Self {
        self.pointer = Some(track);
        self
    }

    /// One more obstacle.
    #[must_use]
    pub fn obstacle(mut self, shape: Shape<V>) -> Self {
        self.obstacles.push(shape);
        self
    }

    /// More obstacles.
    #[must_use]
    pub fn obstacles(mut self, shapes: impl IntoIterator<Item = Shape<V>>) -> Self {
        self.obstacles.extend(shapes);
        self
    }

    /// One more path. Behaviors refer to it by its number, from `PathId(0)` on.
    #[must_use]
    pub fn path(mut self, name: &str, path: Path<V>) -> Self {
        self.paths.push((String::from(name), path));
        self
    }

    /// One more flow field. Behaviors refer to it by its number, from `FieldId(0)` on.
    #[must_use]
    pub fn field(mut self, name: &str, field: FieldPlan<V>) -> Self {
        self.fields.push((String::from(name), field));
        self
    }

    /// One more line whose crossings are counted.
    #[must_use]
    pub fn line(mut self, line: Line<V>) -> Self {
        self.lines.push(line);
        self
    }

    /// One more exit.
    #[must_use]
    pub fn exit(mut self, exit: Exit<V>) -> Self {
        self.exits.push(exit);
        self
    }

    /// One more source.
    #[must_use]
    pub fn source(mut self, source: Source<V>) -> Self {
        self.sources.push(source);
        self
    }

    /// One more group. Behaviors refer to it by its number, from `GroupId(0)` on.
    #[must_use]
    pub fn group(mut self, group: Group<V>) -> Self {
        self.groups.push(group);
        self
    }

    /// One more command that the crowd applies by itself.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let door = Shape::box_between(vec2(4.0, 0.0), vec2(5.0, 1.0));
    /// let close = TimedCommand::new(20.0, Command::AddObstacle(door));
    /// let mut crowd = Setup::new(0.5).command(close).crowd()?;
    /// (0..40).for_each(|_| crowd.step());
    /// assert_eq!((crowd.time(), crowd.obstacles().len()), (20.0, 0));
    /// crowd.step();
    /// assert_eq!(crowd.obstacles().len(), 1);
    /// # Ok::<(), SetupError>(())
    /// ```
    #[must_use]
    pub fn command(mut self, command: TimedCommand<V>) -> Self {
        self.commands.push(command);
        self
    }

    /// The crowd: the same as [`Crowd::new`](crate::Crowd::new).
    ///
    /// # Errors
    /// Every mistake in the setup.
    pub fn crowd(self) -> Result<crate::Crowd<V>, SetupError> {
        crate::Crowd::new(self)
    }

    /// The bounds, their edge and the axis that points up.
    pub fn space(&self) -> Space<V> {
        Space::new(self.bounds).with_up(self.up)
    }
}
