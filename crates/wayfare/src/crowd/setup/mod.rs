//! The setup of a crowd: plain data, built by hand or decoded from a scene file, and validated once
//! by [`Crowd::new`](super::Crowd::new).

use alloc::string::String;
use alloc::vec::Vec;

use crate::geometry::flow_field::FieldPlan;
use crate::geometry::obstacle::Shape;
use crate::geometry::path::Path;
use crate::spatial::space::{Bounds, Space};
use crate::vector::{Up, Vector};

mod bodies;
mod condition;
mod exit;
mod group;
pub(super) mod hints;
mod limit;
mod line;
mod navigation;
mod rules;
mod source;
mod start_after;
mod state;
mod track;
pub(super) mod validate;

pub use crate::random::Distribution;
pub use bodies::Bodies;
pub use condition::{Condition, TimeLimit};
pub use exit::{Exit, ExitAction};
pub use group::{Group, Perception, Spawn, StartVelocity, Stat};
pub use limit::Limit;
pub use line::Line;
pub use navigation::Navigation;
pub(in crate::crowd) use rules::Rules;
pub use source::{Arrivals, Rhythm, Source};
pub(in crate::crowd) use start_after::LONGEST_WAIT;
pub use start_after::StartAfter;
pub use state::{State, StateLimits, Transition, TransitionTarget};
pub use track::Track;

/// The initial state of a crowd and of its world.
///
/// ```
/// use wayfare::crowd::{Group, Setup, Spawn};
/// use wayfare::geometry::obstacle::Shape;
/// use wayfare::{Crowd, glam::vec2};
/// let guests = Group::new("guests", 1, Spawn::Points(vec![vec2(5.0, 5.0)]), 1.3);
/// let setup = Setup {
///     dt: 1.0 / 60.0,
///     obstacles: vec![Shape::Circle { center: vec2(9.0, 5.0), radius: 1.0 }],
///     groups: vec![guests],
///     ..Setup::default()
/// };
/// let crowd = Crowd::new(setup.clone())?;
/// assert_eq!((crowd.len(), crowd.obstacles().len()), (1, 1));
/// // All errors are found at once.
/// let error = Crowd::new(Setup { dt: -1.0, ..setup }).unwrap_err();
/// assert!(format!("{error:?}").contains("dt"));
/// # Ok::<(), wayfare::crowd::SetupError>(())
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
    /// How ways round obstacles are planned.
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
        }
    }
}

impl<V: Vector> Setup<V> {
    /// A hash of everything in the setup; of user-defined behaviors only the names.
    ///
    /// A snapshot is accepted by a crowd whose setup has the same. Equal setups of the same version
    /// of the library give the same runs.
    ///
    /// ```
    /// use wayfare::{crowd::Setup, glam::Vec2};
    /// let (one, two) = (Setup::<Vec2>::default(), Setup::<Vec2> { dt: 0.05, ..Setup::default() });
    /// assert_ne!(one.fingerprint(), two.fingerprint());
    /// ```
    pub fn fingerprint(&self) -> u64 {
        super::snapshot::fingerprint(self)
    }

    /// The bounds, their edge and the axis that points up.
    pub fn space(&self) -> Space<V> {
        Space::new(self.bounds).with_up(self.up)
    }
}
