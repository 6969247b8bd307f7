//! The actions of a user, from any panel, key or the picture. The reducer in `app` applies them.

use eframe::egui::{Pos2, Rect, Vec2};
use wayfare::AgentId;
use wayfare::glam;
use wayfare_record::output::Format;

use crate::render::camera::Camera;
use crate::session::agent_settings::AgentEdit;
use crate::session::edit::Edit;
use crate::session::picking::Pick;

/// One of the two pictures of a comparison; without one there is only the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pane {
    #[default]
    First,
    Second,
}

/// A panel beside the picture; on a narrow screen below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SidePanel {
    /// Everything that can be set in the scene.
    Settings,
    /// The scene's text.
    Text,
    /// Measured quantities over time, and states.
    Plots,
    /// The settings of the selected agent.
    Agent,
}

/// A request of the user.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    // Scenes and files.
    /// Shows a bundled scene.
    ShowScene(String),
    /// Shows the scene this many places further in the list.
    ShowNextScene(isize),
    /// Opens a scene or replays a log.
    OpenPath(String),
    /// Opens a file that was read already: its name and content.
    OpenFile(String, Vec<u8>),
    /// Asks for a file to open.
    AskForFile,
    SaveScene,
    SaveLog,
    /// Saves a file of the run in this format.
    Export(&'static Format),
    CopyLink,

    // Time.
    TogglePlaying,
    StepForward,
    StepBack,
    GoTo(u64),
    DiscardLater,
    /// Starts again, with the seed that was typed.
    Restart,
    SetSpeed(f64),
    /// Goes to the next higher or lower of the usual speeds.
    ChangeSpeed(isize),

    // Changes of the scene.
    /// An edit, and whether it is a new undo step.
    Edit(Edit, bool),
    /// A new text, and whether it is a new undo step.
    ReplaceText(String, bool),
    Undo,
    /// Adds an agent at the mouse.
    AddAgentAtMouse,
    /// Changes one setting of an agent, and whether it is a new undo step.
    ChangeAgent(AgentId, AgentEdit, bool),
    /// Orders the selected agent to the mouse, or ends its order.
    OrderToMouse(bool),
    /// Fires at the mouse.
    FireAtMouse,
    AddAgent(Pane, glam::Vec2),
    Fire(Pane, glam::Vec2),
    Grab(Pane, Pick),
    Drag(Pane, glam::Vec2),
    Release(Pane),

    // The picture.
    /// The mouse is over this picture.
    Hover(Pane),
    /// The mouse is at this point of the world, which makes it the pointer.
    MovePointer(glam::Vec2),
    /// Shows the forces on one agent, or those on several or none.
    SelectForForces(Option<AgentId>),
    /// Selects an agent among the forces that are shown.
    SelectAgent(Option<AgentId>),
    ToggleForces,
    ToggleTrails,
    ToggleHeat,
    FollowNext,
    ToggleFollow,
    FitView,
    /// Zooms by a factor at the middle of this part of the screen.
    ZoomCenter(f32, Rect),
    ZoomAt(f32, Pos2, Camera),
    /// Moves the world by an offset on the screen.
    Pan(Vec2, Camera),
    /// Moves the view by an arrow key on this part of the screen.
    Nudge(Vec2, Rect),

    // Comparison.
    ToggleComparison,
    CompareWith(String),

    // Panels.
    ToggleList,
    CloseList,
    FocusSearch,
    ToggleSide(SidePanel),
    /// Opens the settings with this name.
    FindSetting(&'static str),
    ToggleFiles,
    ToggleHelp,
    CloseWindows,
    ToggleTheme,

    // Tour.
    ToggleTour,
    EndTour,
    TourForward,
    TourBack,
}
