//! The application: its state, and the one reducer of actions.
//!
//! A frame collects actions from keys and panels and applies each at once, then lets time pass and
//! draws. `app/frame.rs` has the order; `app/scenes.rs` and `app/files.rs` have the larger actions.

use eframe::egui::{Context, Theme as EguiTheme, Ui};
use wayfare::glam::Vec2;

use crate::action::{Action, Pane, SidePanel};
use crate::opening::Opening;
use crate::panels::agent::AgentPanel;
use crate::panels::canvas::Press;
use crate::panels::control_bar::ControlBarState;
use crate::panels::files::FileWindows;
use crate::panels::plots::Plots;
use crate::panels::scene_list::{SceneList, search_id};
use crate::panels::settings::Settings;
use crate::panels::text::Editor;
use crate::panels::tour::Tour;
use crate::platform::services;
use crate::render::display::Display;
use crate::render::gpu_agents::GpuAgents;
use crate::render::heat::Heat;
use crate::render::theme;
use crate::session::agent_settings::AgentEdit;
use crate::session::catalog::{Entry, catalog};
use crate::session::comparison::{Comparison, partner};
use crate::session::export::Export;
use crate::session::geometry::WorldRect;
use crate::session::playback::{Playback, SPEED_RANGE};
use crate::session::traits::Session;

mod files;
mod frame;
mod scenes;

/// The distance by which an arrow key moves the view (points of the screen).
const NUDGE: f32 = 40.0;

/// The viewer.
pub struct Gallery {
    catalog: Vec<Entry>,
    /// Name of the scene: a bundled one's name, or a path.
    name: String,
    shown: Shown,
    comparison: Comparison,
    /// Whether the mouse was last over the second picture of a comparison.
    over_second: bool,
    playback: Playback,
    /// The time (seconds), by which a frame bounds its ticks.
    clock: fn() -> f64,
    display: Display,
    /// The heat map of each picture.
    heat: [Heat; 2],
    /// The GPU buffers of each picture: both are drawn after both have been filled.
    agents: [GpuAgents; 2],
    press: Press,
    /// The mouse in the world (length); it is the pointer.
    mouse: Option<Vec2>,
    /// The last message to the user.
    notice: Option<String>,
    exporting: Option<ExportJob>,
    panels: PanelStates,
}

/// The content of the screen.
enum Shown {
    Scene(ShownScene),
    /// Why there is no scene, and scenes with a similar name.
    Problem {
        problem: String,
        similar: Vec<&'static str>,
    },
}

struct ShownScene {
    session: Box<dyn Session>,
    description: String,
    /// The area of the whole picture: the world at the start.
    world: WorldRect,
}

/// A file that is being made.
struct ExportJob {
    export: Box<dyn Export>,
    file_name: String,
    /// A remark on the data that the file leaves out.
    remark: String,
}

/// The states of the panels.
#[derive(Default)]
struct PanelStates {
    list: SceneList,
    side: Option<SidePanel>,
    controls: ControlBarState,
    settings: Settings,
    editor: Editor,
    plots: Plots,
    agent: AgentPanel,
    files: FileWindows,
    tour: Tour,
    help: bool,
    /// Whether a narrow title bar shows the whole description.
    unfolded: bool,
}

impl Gallery {
    /// The viewer in a window or on a canvas.
    pub fn new(cc: &eframe::CreationContext<'_>, opening: Opening) -> Self {
        theme::set(&cc.egui_ctx);
        let mut gallery = Self::with([(); 2].map(|()| GpuAgents::new(cc.gl.as_ref())));
        gallery.playback.until = opening.until;
        let speed = opening.speed.filter(|speed| speed.is_finite()).unwrap_or(1.0);
        gallery.playback.speed = speed.clamp(SPEED_RANGE[0], SPEED_RANGE[1]);
        let scene = opening.scene.as_deref().unwrap_or("seek");
        match (opening.tour, &opening.text) {
            (Some(step), _) => gallery.show_tour_step(step.saturating_sub(1)),
            (None, Some(text)) => gallery.show_shared(scene, text),
            (None, None) => gallery.show(scene),
        }
        if opening.edit {
            gallery.panels.side = Some(SidePanel::Text);
        }
        if let Some(second) = opening.compare {
            gallery.compare_with(&second);
        }
        gallery
    }

    fn with(agents: [GpuAgents; 2]) -> Self {
        Self {
            catalog: catalog(),
            name: String::new(),
            shown: Shown::Problem { problem: String::new(), similar: Vec::new() },
            comparison: Comparison::default(),
            over_second: false,
            playback: Playback::default(),
            clock: services::seconds,
            display: Display::default(),
            heat: Default::default(),
            agents,
            press: Press::default(),
            mouse: None,
            notice: None,
            exporting: None,
            panels: PanelStates::default(),
        }
    }

    /// The first scene.
    fn session(&mut self) -> Option<&mut dyn Session> {
        self.session_in(Pane::First)
    }

    fn session_in(&mut self, pane: Pane) -> Option<&mut dyn Session> {
        match (pane, &mut self.shown) {
            (Pane::First, Shown::Scene(scene)) => Some(scene.session.as_mut()),
            (Pane::First, Shown::Problem { .. }) => None,
            (Pane::Second, _) => Some(self.comparison.second_mut()?.session.as_mut()),
        }
    }

    fn heat_on(&self) -> bool {
        self.heat[0].on
    }

    /// The picture that the mouse was over last.
    fn pane_under_mouse(&self) -> Pane {
        let second = self.over_second && self.comparison.second().is_some();
        if second { Pane::Second } else { Pane::First }
    }

    /// The picture whose scene the next undo is for: that under the mouse, or else the first one.
    fn pane_to_undo(&mut self) -> Option<Pane> {
        let panes = [self.pane_under_mouse(), Pane::First];
        panes
            .into_iter()
            .find(|&pane| self.session_in(pane).is_some_and(|session| session.can_undo()))
    }

    /// Applies actions in their order.
    fn reduce_all(&mut self, ctx: &Context, actions: impl IntoIterator<Item = Action>) {
        actions.into_iter().for_each(|action| self.reduce(ctx, action));
    }

    /// Applies an action: the only function in which the user changes the viewer.
    fn reduce(&mut self, ctx: &Context, action: Action) {
        match action {
            Action::ShowScene(name) => self.show(&name),
            Action::ShowNextScene(by) => self.show_next(by),
            Action::OpenPath(path) => self.open_path(&path),
            Action::OpenFile(name, bytes) => self.open_file(&name, bytes),
            Action::AskForFile => {
                if !services::open_file_dialog(ctx) {
                    self.panels.files.toggle_question();
                }
            }
            Action::SaveScene => self.save_scene(),
            Action::SaveLog => self.save_log(),
            Action::Export(format) => self.begin_export(format),
            Action::CopyLink => self.copy_link(ctx),

            Action::TogglePlaying => self.playback.playing = !self.playback.playing,
            Action::StepForward => self.single_step(),
            Action::StepBack => {
                if let Some(tick) = self.session().map(|session| session.tick()) {
                    self.go_to(tick.saturating_sub(1));
                }
            }
            Action::GoTo(tick) => self.go_to(tick),
            Action::DiscardLater => {
                self.with_session(Pane::First, |session| session.discard_later())
            }
            Action::Restart => self.restart(),
            Action::SetSpeed(speed) => self.playback.speed = speed,
            Action::ChangeSpeed(by) => self.playback.change_speed(by),

            Action::Edit(edit, new_step) => self.edit(&edit, new_step),
            Action::ReplaceText(text, new_step) => self.replace_text(text, new_step),
            Action::Undo => self.undo(),
            Action::AddAgentAtMouse => {
                if let Some(at) = self.mouse {
                    self.reduce(ctx, Action::AddAgent(self.pane_under_mouse(), at));
                }
            }
            Action::ChangeAgent(agent, edit, new_step) => {
                let session = self.session();
                let result = session.map(|session| session.change_agent(agent, &edit, new_step));
                if let Some(result) = result {
                    self.panels.agent.set_result(agent, result);
                }
            }
            Action::OrderToMouse(goes) => {
                if let (Some(agent), Some(at)) = (self.display.selected, self.mouse) {
                    let (pane, order) =
                        (self.pane_under_mouse(), AgentEdit::Order(goes.then_some(at)));
                    let session = self.session_in(pane);
                    // The agent may have left.
                    let ordered = session.map(|session| session.change_agent(agent, &order, true));
                    self.notice = ordered.and_then(|ordered| Some(ordered.err()?.to_string()));
                }
            }
            Action::FireAtMouse => {
                let (pane, mouse) = (self.pane_under_mouse(), self.mouse);
                self.with_session(pane, |session| {
                    if let Some(at) = mouse.or(session.pointer()) {
                        session.fire(at);
                    }
                });
            }
            Action::AddAgent(pane, at) => self.with_session(pane, |session| session.add_agent(at)),
            Action::Fire(pane, at) => self.with_session(pane, |session| session.fire(at)),
            Action::Grab(pane, pick) => self.with_session(pane, |session| session.grab(pick)),
            Action::Drag(pane, offset) => self.with_session(pane, |session| session.drag(offset)),
            Action::Release(pane) => self.with_session(pane, |session| session.release()),

            Action::Hover(pane) => self.over_second = pane == Pane::Second,
            Action::MovePointer(at) => self.mouse = Some(at),
            Action::SelectForForces(agent) => {
                self.display.forces = agent.is_some() || !self.display.forces;
                self.display.selected = agent;
            }
            Action::SelectAgent(agent) => self.display.selected = agent,
            Action::ToggleForces => self.display.forces = !self.display.forces,
            Action::ToggleTrails => self.display.trails = !self.display.trails,
            Action::ToggleHeat => {
                let on = !self.heat_on();
                self.heat.iter_mut().for_each(|heat| heat.on = on);
            }
            Action::FollowNext => self.follow_next(),
            Action::ToggleFollow if self.display.follow.is_some() => self.display.follow = None,
            Action::ToggleFollow => self.follow_next(),
            Action::FitView => self.display.fit(),
            Action::ZoomCenter(factor, screen) => {
                let camera = self.display.view.camera(self.world(), screen);
                self.display.view.zoom_at(factor, screen.center(), &camera);
            }
            Action::ZoomAt(factor, at, camera) => self.display.view.zoom_at(factor, at, &camera),
            Action::Pan(by, camera) => {
                self.display.view.pan(by, &camera);
                self.display.follow = None;
            }
            Action::Nudge(direction, screen) => {
                let camera = self.display.view.camera(self.world(), screen);
                self.display.view.pan(direction * -NUDGE, &camera);
                self.display.follow = None;
            }

            Action::ToggleComparison if self.comparison.second().is_some() => self.end_comparison(),
            Action::ToggleComparison => {
                let name = partner(&self.name).to_string();
                self.compare_with(&name);
            }
            Action::CompareWith(name) => self.compare_with(&name),

            Action::ToggleList => self.panels.list.open = Some(!self.is_list_open(ctx)),
            Action::CloseList => self.panels.list.open = None,
            Action::FocusSearch => {
                self.panels.list.open = Some(true);
                ctx.memory_mut(|memory| memory.request_focus(search_id()));
            }
            Action::ToggleSide(panel) => {
                self.panels.side = Some(panel).filter(|_| self.panels.side != Some(panel));
            }
            Action::FindSetting(name) => {
                self.panels.side = Some(SidePanel::Settings);
                self.panels.settings.find(name);
            }
            Action::ToggleFiles => self.panels.files.open = !self.panels.files.open,
            Action::ToggleHelp => self.panels.help = !self.panels.help,
            Action::CloseWindows => (self.panels.help, self.panels.files.open) = (false, false),
            Action::ToggleTheme => {
                let dark = ctx.theme() == EguiTheme::Dark;
                ctx.set_theme(if dark { EguiTheme::Light } else { EguiTheme::Dark });
            }

            Action::ToggleTour if self.panels.tour.is_on() => self.end_tour(),
            Action::ToggleTour => self.start_tour_step(),
            Action::EndTour => self.end_tour(),
            Action::TourForward => {
                if self.panels.tour.forward() {
                    self.start_tour_step();
                } else {
                    self.end_tour();
                }
            }
            Action::TourBack => {
                self.panels.tour.back();
                self.start_tour_step();
            }
        }
    }

    fn with_session(&mut self, pane: Pane, act: impl FnOnce(&mut dyn Session)) {
        if let Some(session) = self.session_in(pane) {
            act(session);
        }
    }

    /// The area of the whole picture.
    fn world(&self) -> WorldRect {
        match &self.shown {
            Shown::Scene(scene) => scene.world,
            Shown::Problem { .. } => WorldRect { min: Vec2::ZERO, max: Vec2::ONE },
        }
    }

    /// Follows the agent after the one that is followed.
    fn follow_next(&mut self) {
        let after = self.display.follow;
        self.display.follow = self.session().and_then(|session| session.next_agent(after));
    }
}

impl eframe::App for Gallery {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        self.frame(ui);
    }

    fn on_exit(&mut self, gl: Option<&eframe::glow::Context>) {
        if let Some(gl) = gl {
            self.agents.iter().for_each(|agents| agents.destroy(gl));
        }
    }

    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self)
    }
}

#[cfg(test)]
mod tests;
