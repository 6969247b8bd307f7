//! A frame: input, ticks, panels and pictures.

use eframe::egui::{CentralPanel, Context, Frame, Rect, Ui};
use wayfare_scene::Format;

use crate::action::{Action, Pane, SidePanel};
use crate::app::{Gallery, Shown};
use crate::panels::canvas::{self, Canvas, NARROWEST};
use crate::panels::control_bar::ControlBar;
use crate::panels::layout::{NARROW, is_narrow};
use crate::panels::title_bar::TitleBar;
use crate::panels::{help, keys, problem_page, side_panel};
use crate::platform::report::{Report, State};
use crate::platform::services;
use crate::render::picture::Picture;
use crate::render::theme::Theme;
use crate::session::traits::Session;

/// Number of agents up to which the digest is reported in every frame.
const SMALL: usize = 5_000;
/// Longest time that passes in one frame (seconds).
const LONGEST_FRAME: f64 = 0.25;

impl Gallery {
    /// Runs one frame.
    pub(super) fn frame(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let seconds = ui.input(|i| f64::from(i.stable_dt)).min(LONGEST_FRAME);
        let theme = Theme::of(ui.visuals().dark_mode);
        services::begin_frame();
        self.files_frame(ui, &ctx);
        self.reduce_all(&ctx, keys::keys(ui, self.panels.tour.is_on()));
        self.pass_time(seconds, self.clock);
        self.show_panels(ui, &ctx);
        CentralPanel::default().frame(Frame::NONE.fill(theme.outside)).show(ui, |ui| {
            let actions = match &self.shown {
                Shown::Scene(_) => {
                    self.pictures(ui, &theme);
                    Vec::new()
                }
                Shown::Problem { problem, similar } => {
                    problem_page::show(ui, problem, similar, &self.catalog)
                }
            };
            self.reduce_all(&ctx, actions);
        });
        if self.panels.help {
            self.reduce_all(&ctx, help::show(&ctx));
        }
        services::report_state(|| self.report());
        let Shown::Scene(scene) = &self.shown else { return services::report_text("") };
        services::report_text(scene.session.draft().text());
        if self.playback.playing {
            ctx.request_repaint();
        }
    }

    /// Files that were dropped or chosen, the file windows, and the recording that is being made.
    fn files_frame(&mut self, ui: &Ui, ctx: &Context) {
        for file in ui.input(|i| i.raw.dropped_files.clone()) {
            if let Some(path) = services::path_of_dropped(ctx, file) {
                self.reduce(ctx, Action::OpenPath(path));
            }
        }
        for (name, bytes) in services::opened_files() {
            self.reduce(ctx, Action::OpenFile(name, bytes));
        }
        self.reduce_all(ctx, keys::file_keys(ui));
        if let Some(error) = self.session().and_then(|session| session.take_replay_error()) {
            self.notice = Some(error);
        }
        self.advance_export(ctx);
        let actions = self.panels.files.show(ctx);
        self.reduce_all(ctx, actions);
    }

    /// Runs the ticks that are due after another `seconds`; `clock` is in seconds.
    pub(super) fn pass_time(&mut self, seconds: f64, clock: impl Fn() -> f64) {
        let Shown::Scene(scene) = &mut self.shown else { return };
        let plots_open = self.panels.side == Some(SidePanel::Plots);
        let (plots, heat) = (&mut self.panels.plots, &mut self.heat);
        let (world, plotted) = (scene.world, self.display.plotted());
        let first: &mut dyn Session = scene.session.as_mut();
        let comparison = &mut self.comparison;
        self.playback.advance(
            seconds,
            clock,
            first,
            comparison,
            self.mouse,
            |first, comparison| {
                if plots_open {
                    plots.sample(first, plotted);
                }
                heat[0].sample(first, world);
                if let Some(second) = comparison.second() {
                    heat[1].sample(second.session.as_ref(), second.world);
                }
            },
        );
    }

    /// Whether the list is open. Unless the user has opened or closed it, it is open where it and
    /// an open side panel leave enough room for the picture.
    pub(super) fn is_list_open(&self, ctx: &Context) -> bool {
        let side = if self.panels.side.is_some() { side_panel::WIDTH } else { 0.0 };
        let room = ctx.content_rect().width() - side;
        self.panels.list.open.unwrap_or(!is_narrow(ctx) && room >= NARROW)
    }

    fn show_panels(&mut self, ui: &mut Ui, ctx: &Context) {
        let (narrow, list) = (is_narrow(ctx), self.is_list_open(ctx));
        let actions = self.title_bar(ui, narrow);
        self.reduce_all(ctx, actions);
        let actions = self.control_bar(ui, narrow);
        self.reduce_all(ctx, actions);
        let actions = self.side_panel(ui, narrow);
        self.reduce_all(ctx, actions);
        if self.panels.tour.is_on() && matches!(self.shown, Shown::Scene(_)) {
            let actions = self.panels.tour.show(ui, narrow, self.panels.side.is_some());
            self.reduce_all(ctx, actions);
        }
        if list {
            let actions = self.panels.list.show(ui, &self.catalog, &self.name, narrow);
            self.reduce_all(ctx, actions);
        }
    }

    fn title_bar(&mut self, ui: &mut Ui, narrow: bool) -> Vec<Action> {
        let (title, description) = match &self.shown {
            Shown::Scene(scene) => (scene.session.title(), Some(scene.description.as_str())),
            Shown::Problem { .. } => (self.name.as_str(), None),
        };
        let tour_on = self.panels.tour.is_on();
        let bar = TitleBar {
            title,
            description: description.filter(|_| !tour_on),
            tour_on,
            side: self.panels.side,
            text_has_mistakes: self.panels.editor.has_mistakes(),
            files_open: self.panels.files.open,
            narrow,
        };
        bar.show(ui, &mut self.panels.unfolded)
    }

    fn control_bar(&mut self, ui: &mut Ui, narrow: bool) -> Vec<Action> {
        let can_undo = self.pane_to_undo().is_some();
        let Shown::Scene(scene) = &self.shown else { return Vec::new() };
        let bar = ControlBar {
            session: scene.session.as_ref(),
            name: &self.name,
            catalog: &self.catalog,
            compared_with: self.comparison.second().map(|second| second.name.as_str()),
            playback: &self.playback,
            display: &self.display,
            heat: self.heat[0].on,
            can_undo,
            notice: self.notice.as_deref(),
            side: self.panels.side,
            text_has_mistakes: self.panels.editor.has_mistakes(),
            files_open: self.panels.files.open,
            narrow,
        };
        bar.show(ui, &mut self.panels.controls)
    }

    fn side_panel(&mut self, ui: &mut Ui, narrow: bool) -> Vec<Action> {
        let format: Format = self.format();
        let Shown::Scene(scene) = &mut self.shown else { return Vec::new() };
        let (session, panels, name) = (scene.session.as_mut(), &mut self.panels, &self.name);
        let plotted = self.display.plotted();
        match panels.side {
            None => Vec::new(),
            Some(panel @ SidePanel::Settings) => side_panel::show(
                ui,
                panel,
                narrow,
                |_| (),
                |ui| panels.settings.show(ui, session.draft()),
            ),
            Some(panel @ SidePanel::Text) => {
                let editor = std::cell::RefCell::new(&mut panels.editor);
                let header = |ui: &mut Ui| editor.borrow_mut().show_problems(ui, name);
                let text = session.draft().text();
                side_panel::show(ui, panel, narrow, header, |ui| {
                    editor.borrow_mut().show(ui, text, format)
                })
            }
            Some(panel @ SidePanel::Plots) => side_panel::show(
                ui,
                panel,
                narrow,
                |_| (),
                |ui| {
                    panels.plots.show(ui, session, plotted);
                    Vec::new()
                },
            ),
            Some(panel @ SidePanel::Agent) => side_panel::show(
                ui,
                panel,
                narrow,
                |_| (),
                |ui| panels.agent.show(ui, session, plotted),
            ),
        }
    }

    /// The picture, or the two of a comparison.
    fn pictures(&mut self, ui: &mut Ui, theme: &Theme) {
        let screen = ui.available_rect_before_wrap();
        if self.comparison.second().is_none() {
            return self.picture(ui, theme, Pane::First, screen);
        }
        ui.painter().rect_filled(screen, 0.0, theme.edge.gamma_multiply(0.25));
        let halves = canvas::halves(screen, self.world());
        let mouse = ui.input(|i| i.pointer.latest_pos()).filter(|at| screen.contains(*at));
        if let Some(at) = mouse {
            let pane = if halves[1].contains(at) { Pane::Second } else { Pane::First };
            self.reduce(&ui.ctx().clone(), Action::Hover(pane));
        }
        for (pane, half) in [Pane::First, Pane::Second].into_iter().zip(halves) {
            self.picture(ui, theme, pane, half);
            if let (Shown::Scene(scene), Some(second)) = (&self.shown, self.comparison.second()) {
                let (session, world) = match pane {
                    Pane::First => (&scene.session, scene.world),
                    Pane::Second => (&second.session, second.world),
                };
                canvas::caption(ui, theme, session.title(), world, half);
            }
        }
    }

    /// Takes the input of one picture, and draws it.
    fn picture(&mut self, ui: &mut Ui, theme: &Theme, pane: Pane, screen: Rect) {
        let response = canvas::allocate(ui, pane, screen);
        let painter = ui.painter_at(screen);
        painter.rect_filled(screen, 0.0, theme.outside);
        if screen.width() < NARROWEST {
            return;
        }
        let mut press = self.press;
        let actions =
            self.canvas(pane, screen).map(|canvas| canvas.input(ui, &response, &mut press));
        self.press = press;
        self.reduce_all(&ui.ctx().clone(), actions.into_iter().flatten());
        self.follow_agent(pane);
        let Some(canvas) = self.canvas(pane, screen) else { return };
        let camera = canvas.camera;
        canvas.mark_points();
        let index = usize::from(pane == Pane::Second);
        let session = match (pane, &mut self.shown, self.comparison.second_mut()) {
            (Pane::First, Shown::Scene(scene), _) => scene.session.as_mut(),
            (Pane::Second, _, Some(second)) => second.session.as_mut(),
            _ => return,
        };
        let smooth = self.playback.playing && !self.display.forces && !self.playback.is_behind();
        // The panel of an agent belongs to the first scene.
        let marked = (self.panels.side == Some(SidePanel::Agent) && pane == Pane::First)
            .then(|| session.shown_agent(self.display.plotted()))
            .flatten();
        Picture {
            session,
            display: &self.display,
            marked,
            agents: &self.agents[index],
            heat: &self.heat[index],
            mouse: self.mouse,
            smooth,
        }
        .draw(&painter, &camera, theme);
    }

    /// The picture of a pane as a panel.
    fn canvas(&self, pane: Pane, screen: Rect) -> Option<Canvas<'_>> {
        let (session, world) = match (pane, &self.shown, self.comparison.second()) {
            (Pane::First, Shown::Scene(scene), _) => (scene.session.as_ref(), scene.world),
            (Pane::Second, _, Some(second)) => (second.session.as_ref(), second.world),
            _ => return None,
        };
        Some(Canvas {
            pane,
            session,
            world,
            camera: self.display.view.camera(world, screen),
            forces: self.display.forces,
            selected: self.display.selected,
        })
    }

    /// Moves the view to the agent that it follows, and takes the heat map's sample of this tick.
    fn follow_agent(&mut self, pane: Pane) {
        let world = match (pane, self.comparison.second()) {
            (Pane::Second, Some(second)) => second.world,
            _ => self.world(),
        };
        let followed = self.display.follow;
        let at = self.session_in(pane).and_then(|session| session.position_of(followed?));
        if let Some(at) = at {
            self.display.view.shift = at - world.center();
        }
        let (shown, comparison) = (&self.shown, &self.comparison);
        match (pane, shown, comparison.second()) {
            (Pane::First, Shown::Scene(scene), _) => {
                self.heat[0].sample(scene.session.as_ref(), world)
            }
            (Pane::Second, _, Some(second)) => self.heat[1].sample(second.session.as_ref(), world),
            _ => {}
        }
    }

    fn report(&self) -> Report {
        let Shown::Scene(scene) = &self.shown else {
            let (scene, tick, agents) = (self.name.clone(), 0, 0);
            return Report {
                state: State::Error,
                scene,
                tick,
                agents,
                digest: None,
                compare: None,
            };
        };
        let playing = self.playback.playing;
        let digest =
            |session: &dyn Session| (!playing || session.len() <= SMALL).then(|| session.digest());
        let second = self.comparison.second();
        Report {
            state: if playing { State::Running } else { State::Paused },
            scene: self.name.clone(),
            tick: scene.session.tick(),
            agents: scene.session.len(),
            digest: digest(scene.session.as_ref()),
            compare: second.map(|second| (second.name.clone(), digest(second.session.as_ref()))),
        }
    }
}
