//! A running scene as the rest of the viewer sees it, without its number of dimensions.
//!
//! [`Session`] joins one trait per concern, so that a function can ask for only what it needs.

use wayfare::crowd::ValidationError;
use wayfare::glam::{Vec2, Vec3};
use wayfare::spatial::space::Bounds;
use wayfare::vector::Up;
use wayfare::{AgentId, Crowd, GroupId};
use wayfare_record::output::Format;
use wayfare_scene::edit::Draft;
use wayfare_scene::{Presentation, Problem, Source};

use crate::session::agent_settings::{AgentEdit, AgentSettings};
use crate::session::edit::{Edit, Outcome};
use crate::session::explanation::ForceDiagram;
use crate::session::export::Export;
use crate::session::geometry::WorldRect;
use crate::session::measures::{Measure, Quantity, Subject};
use crate::session::picking::Pick;
use crate::session::states::StatesNow;
use crate::session::trails::Trails;

/// The crowd and how it steps.
pub(crate) trait Simulation {
    fn title(&self) -> &str;
    fn seed(&self) -> u64;
    fn tick(&self) -> u64;
    /// Simulated time since the start (time).
    fn time(&self) -> f64;
    /// Simulated time per tick (time).
    fn dt(&self) -> f64;
    /// The number of agents.
    fn len(&self) -> usize;
    fn digest(&self) -> u64;
    fn group_names(&self) -> Vec<String>;
    /// The bounds, or a rectangle around everything at its present position (length).
    fn world(&self) -> WorldRect;
    /// The pointer's position, if the scene has a pointer.
    fn pointer(&self) -> Option<Vec2>;
    /// The number of ticks to run after `time` more of simulated time.
    fn due_ticks(&mut self, time: f64) -> u32;
    /// Runs a part of a tick in which about `agents` agents per thread move; returns whether the
    /// tick ended. Before a tick begins, the pointer moves to `pointer` if that differs.
    fn step_budgeted(&mut self, pointer: Option<Vec2>, agents: usize) -> bool;
    /// Runs one tick, or the rest of one.
    fn step(&mut self, pointer: Option<Vec2>) {
        self.step_budgeted(pointer, usize::MAX);
    }
    /// Starts again from tick 0 with this seed; the log and the history become empty.
    fn restart(&mut self, seed: u64);
}

/// The scene's text and its changes.
pub(crate) trait Editing {
    /// The scene's text and its settings as they are now.
    fn draft(&self) -> &Draft;
    /// The text that the crowd started with; the log replays on it.
    fn starting_text(&self) -> &str;
    /// Changes one setting or list. `new_step` begins a new undo step; otherwise the change joins
    /// the last one, as the moves of one slider drag do.
    ///
    /// # Errors
    /// The refused value and the allowed range; nothing has changed then.
    fn edit(&mut self, edit: &Edit, new_step: bool) -> Result<Outcome, ValidationError>;
    /// Replaces the whole text.
    ///
    /// # Errors
    /// The mistakes in the text; the scene is unchanged then.
    fn replace_text(&mut self, text: String, new_step: bool) -> Result<Outcome, Vec<Problem>>;
    fn undo(&mut self) -> Outcome;
    fn can_undo(&self) -> bool;
}

/// Picking, dragging, adding and firing.
pub(crate) trait Interaction {
    /// The draggable object at a point of the world, within `reach` (length).
    fn pick(&self, at: Vec2, reach: f32) -> Option<Pick>;
    fn is_obstacle_at(&self, at: Vec2) -> bool;
    /// Begins a drag of this object.
    fn grab(&mut self, pick: Pick);
    /// Moves the grabbed object to `offset` (length) from where it was grabbed.
    fn drag(&mut self, offset: Vec2);
    /// Ends the drag and makes it one undo step.
    fn release(&mut self);
    /// Adds an agent of the first group.
    fn add_agent(&mut self, at: Vec2);
    /// Whether a click fires (the scene has `[fire]`).
    fn fires(&self) -> bool;
    /// Makes the shooters fire at a point; no effect without `[fire]`.
    fn fire(&mut self, at: Vec2);
}

/// Settings of single agents.
pub(crate) trait Agents {
    /// The settings of an agent; `None` if it has left.
    fn agent_settings(&self, id: AgentId) -> Option<AgentSettings>;
    /// Changes one setting of an agent by a command. `new_step` begins a new undo step; otherwise
    /// the change joins the last one, as the moves of one drag do.
    ///
    /// # Errors
    /// The refused value and the allowed range; nothing has changed then.
    fn change_agent(
        &mut self,
        id: AgentId,
        edit: &AgentEdit,
        new_step: bool,
    ) -> Result<(), ValidationError>;
}

/// The log of commands, and going back in time.
pub(crate) trait TimeTravel {
    /// The earliest tick that can be restored, and the latest recorded one.
    fn known_ticks(&self) -> (u64, u64);
    /// Goes to the nearest known tick; recorded commands up to it are replayed.
    fn go_to(&mut self, tick: u64);
    /// Discards everything recorded after the present tick.
    fn discard_later(&mut self);
    /// Whether the present tick is before the latest recorded one: the next steps replay the log,
    /// and the mouse does not move the pointer.
    fn is_replaying(&self) -> bool;
    /// Restarts and replays this log; returns the number of commands in words.
    ///
    /// # Errors
    /// The mistakes in the log.
    fn replay(&mut self, log: &Source) -> Result<String, Vec<Problem>>;
    /// Why a replay stopped, once.
    fn take_replay_error(&mut self) -> Option<String>;
    /// All commands since the start, in the format of `wayfare run --input`.
    fn log(&self) -> String;
}

/// A crowd and its bounds, for drawing code that is generic over the dimension.
pub(crate) struct CrowdView<'a, V: wayfare::Vector> {
    pub(crate) crowd: &'a Crowd<V>,
    pub(crate) bounds: Option<&'a Bounds<V>>,
}

/// A crowd of either dimension.
pub(crate) enum AnyCrowd<'a> {
    TwoD(CrowdView<'a, Vec2>),
    ThreeD(CrowdView<'a, Vec3>),
}

impl AnyCrowd<'_> {
    /// The axis that points up.
    pub(crate) fn up(&self) -> Up {
        match self {
            Self::TwoD(view) => view.crowd.up(),
            Self::ThreeD(view) => view.crowd.up(),
        }
    }
}

/// An agent as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AgentPose {
    /// Position (length).
    pub(crate) position: Vec2,
    /// Direction of view, a unit vector in the plane or shorter in space.
    pub(crate) heading: Vec2,
    /// Radius of the body, 0 for agents without one (length).
    pub(crate) radius: f32,
    /// Size of the dart of an agent whose body is too small on the screen: that of the body, or a
    /// visible size for agents without one (length).
    pub(crate) dart: f32,
    /// Its group.
    pub(crate) group: GroupId,
}

/// The data for the drawing of a scene.
pub(crate) trait DrawingData {
    fn crowd(&self) -> AnyCrowd<'_>;
    /// The colors of groups and the names of units.
    fn presentation(&self) -> &Presentation;
    /// The group of bullets, in a scene with `[fire]`.
    fn bullet_group(&self) -> Option<GroupId>;
    /// Calls `see` with each agent in order of ids; `smooth` interpolates between the last two
    /// ticks by the part of the next tick that has passed.
    fn poses(&self, smooth: bool, see: &mut dyn FnMut(AgentPose));
    /// Calls `see` with each agent's position, in no particular order.
    fn positions(&self, see: &mut dyn FnMut(Vec2));
    fn trails(&self) -> &Trails;
    /// The forces on these agents at the next tick, with the geometry behind them.
    fn explain(&mut self, ids: &[AgentId]) -> Vec<ForceDiagram>;
    /// The lowest `count` ids.
    fn first_ids(&self, count: usize) -> Vec<AgentId>;
    /// An agent's position; `None` if it has left.
    fn position_of(&self, id: AgentId) -> Option<Vec2>;
    /// The agent that panels show: the selected one, or else the first one.
    fn shown_agent(&self, selected: Option<AgentId>) -> Option<AgentId> {
        let selected = selected.filter(|&id| self.position_of(id).is_some());
        selected.or_else(|| self.first_ids(1).first().copied())
    }
    /// The agent with the next higher id; after the last one the first.
    fn next_agent(&self, after: Option<AgentId>) -> Option<AgentId>;
    /// Names and positions of the first agents and obstacles, for tests that click on them.
    fn landmarks(&self) -> Vec<(String, Vec2)>;
}

/// Quantities over time and states.
pub(crate) trait Measuring {
    /// The wanted quantities of an agent or a group at this tick.
    fn measure(&mut self, subject: Subject, wanted: &[Quantity]) -> Vec<Measure>;
    /// States and stats of an agent's group or of a group; `None` if it has neither.
    fn states(&self, subject: Subject) -> Option<StatesNow>;
}

/// Files.
pub(crate) trait Exporting {
    /// Begins a file of the run until now; also returns a remark on what it leaves out.
    ///
    /// # Errors
    /// Why it cannot begin.
    fn export(&self, format: &'static Format) -> Result<(Box<dyn Export>, String), String>;
}

/// A running scene of either dimension.
pub(crate) trait Session:
    Simulation + Editing + Interaction + Agents + TimeTravel + DrawingData + Measuring + Exporting
{
}

impl<T> Session for T where
    T: Simulation
        + Editing
        + Interaction
        + Agents
        + TimeTravel
        + DrawingData
        + Measuring
        + Exporting
{
}
