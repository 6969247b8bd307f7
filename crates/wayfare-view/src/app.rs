//! The application: which scene is shown, how time passes in it, and what a person does to it.

use std::ffi::OsStr;
use std::path::Path;

use eframe::egui::{self, CentralPanel, Frame as Panel, Pos2, Rect, Sense, Ui, Vec2};
use wayfare::crowd::KeyPath;
use wayfare::glam;
use wayfare_scene::{Format, bundled, bundled_like, text_of};

use crate::panels::files::Files;
use crate::panels::plots::Plots;
use crate::panels::settings::Settings;
use crate::panels::side::Side;
use crate::panels::text::Editor;
use crate::panels::tour::Tour;
use crate::platform::host::{self, Report, State};
use crate::render::camera::View;
use crate::render::forces::{self, Why};
use crate::render::gpu_agents::Swarm;
use crate::render::ground::Ground;
use crate::render::heat::Heat;
use crate::render::theme::{self, TOUCH, Theme};
use crate::session::catalog::{Entry, catalog, sentence};
use crate::session::comparison::Compare;
use crate::session::drag::Hold;
use crate::session::scene::{Edit, Live, Outcome, open};

/// What the viewer opens with.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// A bundled scene's name, or the path of a scene file.
    pub scene: Option<String>,
    /// The tick at which it stops by itself.
    pub until: Option<u64>,
    /// How fast time passes: 1 unless given.
    pub speed: Option<f64>,
    /// The step of the guided tour, from 1, in place of a scene.
    pub tour: Option<usize>,
    /// The bundled scene that stands beside it.
    pub compare: Option<String>,
    /// The scene's text where it is not the bundled one, as a link carries it.
    pub text: Option<String>,
}

impl Opening {
    /// Opens with the scene that an argument names.
    pub fn of(scene: &OsStr) -> Self {
        Self { scene: Some(scene.to_string_lossy().into_owned()), ..Self::default() }
    }
}

/// The longest that ticks may hold up a frame (seconds): the tick that is under way goes on in the
/// next one, what is due beyond is dropped, and the rate says so. More where frames are slow for
/// other reasons, half of one, but never so much that a page feels it.
const BUDGET: [f64; 2] = [0.012, 0.04];
/// So many agents move between two looks at the clock.
const PART: usize = 1_024;
/// So many agents have their digest taken at every frame.
const SMALL: usize = 5_000;

/// What is on the screen.
pub(crate) enum Shown {
    Scene {
        live: Box<dyn Live>,
        sentence: String,
    },
    /// There is none of that name, or it has mistakes: what to tell, and the scenes that may have
    /// been meant.
    Nothing {
        problem: String,
        meant: Vec<&'static str>,
    },
}

/// The viewer.
pub struct Gallery {
    pub(crate) catalog: Vec<Entry>,
    pub(crate) name: String,
    pub(crate) shown: Shown,
    pub(crate) search: String,
    /// Whether the list is open; `None` where the room decides.
    pub(crate) list: Option<bool>,
    pub(crate) playing: bool,
    pub(crate) speed: f64,
    pub(crate) trails: bool,
    /// Whether forces are shown.
    pub(crate) forces: bool,
    /// The agent that was chosen: only its forces are shown.
    pub(crate) chosen: Option<u32>,
    pub(crate) help: bool,
    /// What stands beside the picture.
    pub(crate) side: Option<Side>,
    pub(crate) settings: Settings,
    pub(crate) editor: Editor,
    pub(crate) plots: Plots,
    pub(crate) heat: Heat,
    /// Whether a narrow window shows all controls, and the whole sentence.
    pub(crate) more: bool,
    pub(crate) unfolded: bool,
    /// Whether the list should show where the scene is in it.
    pub(crate) seek_in_list: bool,
    pub(crate) seed: String,
    pub(crate) follow: Option<u32>,
    pub(crate) notice: Option<String>,
    pub(crate) files: Files,
    /// The mouse in the world.
    pub(crate) mouse: Option<Pos2>,
    pub(crate) tour: Tour,
    pub(crate) compare: Compare,
    pub(crate) until: Option<u64>,
    view: View,
    /// What all of the world is, as it was at the start.
    pub(crate) world: Rect,
    /// Ticks that are due.
    pub(crate) due: u32,
    pub(crate) rate: Rate,
    /// What the last press was on.
    pressed_on: Option<Hold>,
    /// Where what is held was taken.
    pub(crate) taken: Option<Pos2>,
    pub(crate) swarm: Swarm,
}

/// How many ticks a second there are, and how many there should be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rate {
    since: f64,
    ticks: u32,
    pub(crate) measured: f64,
    pub(crate) asked: f64,
}

impl Gallery {
    /// The viewer in a window or on a canvas.
    pub fn new(cc: &eframe::CreationContext<'_>, opening: Opening) -> Self {
        cc.egui_ctx.all_styles_mut(theme::style);
        let mut gallery = Self::with(Swarm::new(cc.gl.as_ref()));
        gallery.until = opening.until;
        gallery.speed =
            opening.speed.filter(|speed| speed.is_finite()).unwrap_or(1.0).clamp(0.1, 16.0);
        gallery.compare = Compare::new(Swarm::new(cc.gl.as_ref()));
        let scene = opening.scene.as_deref().unwrap_or("seek");
        match (opening.tour, &opening.text) {
            (Some(step), _) => gallery.tour_to(step.saturating_sub(1)),
            (None, Some(text)) => gallery.show_shared(scene, text),
            (None, None) => gallery.show(scene),
        }
        if let Some(other) = opening.compare {
            gallery.compare_with(&other);
        }
        gallery
    }

    pub(crate) fn with(swarm: Swarm) -> Self {
        Self {
            catalog: catalog(),
            name: String::new(),
            shown: Shown::Nothing { problem: String::new(), meant: Vec::new() },
            search: String::new(),
            list: None,
            playing: true,
            speed: 1.0,
            trails: true,
            forces: false,
            chosen: None,
            help: false,
            side: None,
            settings: Settings::default(),
            editor: Editor::default(),
            plots: Plots::default(),
            heat: Heat::default(),
            more: false,
            unfolded: false,
            seek_in_list: true,
            seed: String::new(),
            follow: None,
            notice: None,
            files: Files::default(),
            mouse: None,
            tour: Tour::default(),
            compare: Compare::new(Swarm::new(None)),
            until: None,
            view: View::default(),
            world: Rect::ZERO,
            due: 0,
            rate: Rate::default(),
            pressed_on: None,
            taken: None,
            swarm,
        }
    }

    /// Opens the bundled scene of that name, or the file at that path.
    pub(crate) fn show(&mut self, name: &str) {
        let mut meant = Vec::new();
        let (text, format) = match bundled(name) {
            Some(scene) => (Ok(scene.text.to_string()), Format::Toml),
            None if !cfg!(target_arch = "wasm32") && Path::new(name).exists() => {
                (text_of(Path::new(name)).map_err(|e| e.to_string()), Format::of(Path::new(name)))
            }
            None => {
                meant = bundled_like(name);
                let file = if cfg!(target_arch = "wasm32") { "." } else { ", and no such file." };
                (Err(format!("There is no scene called “{name}”{file}")), Format::Toml)
            }
        };
        self.present(name, text, format, meant);
    }

    /// Shows the scene of this text, or why there is none and the scenes that may have been meant.
    pub(crate) fn present(
        &mut self,
        name: &str,
        text: Result<String, String>,
        format: Format,
        meant: Vec<&'static str>,
    ) {
        self.name = bundled(name).map_or(name, |scene| scene.name).to_string();
        self.shown = match text
            .and_then(|text| open(name, &text, format).map(|live| (live, sentence(&text))))
        {
            Ok((live, sentence)) => {
                self.world = live.world();
                self.seed = live.seed().to_string();
                Shown::Scene { live, sentence }
            }
            Err(problem) => Shown::Nothing { problem, meant },
        };
        self.playing = true;
        (self.unfolded, self.seek_in_list) = (false, true);
        (self.view, self.follow, self.chosen) = (View::default(), None, None);
        (self.mouse, self.taken, self.notice) = (None, None, None);
        (self.settings, self.editor) = (Settings::default(), Editor::default());
        (self.due, self.rate) = (0, Rate::default());
        host::asked("scene", Some(&self.name));
        host::asked("text", None);
        self.end_compare();
        self.opened_in_tour();
        self.plots.begin(true);
        self.heat.begin();
    }

    /// The scene before or after this one in the list.
    pub(crate) fn turn_to(&mut self, by: isize) {
        let count = self.catalog.len() as isize;
        let now = self
            .catalog
            .iter()
            .position(|entry| entry.scene.name == self.name)
            .map_or(0, |i| i as isize + by);
        let name = self.catalog[now.rem_euclid(count) as usize].scene.name;
        self.show(name);
    }

    pub(crate) fn live(&mut self) -> Option<&mut dyn Live> {
        match &mut self.shown {
            Shown::Scene { live, .. } => Some(live.as_mut()),
            Shown::Nothing { .. } => None,
        }
    }

    /// What follows from something that was done to the scene.
    pub(crate) fn came_of(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Nothing | Outcome::Done => {
                if let Shown::Scene { live, sentence: words } = &mut self.shown {
                    *words = sentence(live.draft().text());
                }
                return;
            }
            Outcome::Anew => {}
            Outcome::Other(other) => {
                if let Shown::Scene { live, .. } = &mut self.shown {
                    *live = other;
                }
                self.view = View::default();
            }
        }
        // From the start, with what the scene says now.
        (self.due, self.mouse, self.taken) = (0, None, None);
        self.plots.begin(false);
        self.heat.begin();
        if let Shown::Scene { live, sentence: words } = &mut self.shown {
            (self.world, self.seed) = (live.world(), live.seed().to_string());
            *words = sentence(live.draft().text());
            self.compare.restart(live.seed());
        }
    }

    /// From the start again. A seed that was typed into its field becomes the scene's, as one in
    /// the settings does: links and files carry it.
    pub(crate) fn restart(&mut self) {
        let typed = std::mem::take(&mut self.seed);
        let Some(live) = self.live() else { return };
        let seed = live.seed();
        let outcome = match typed.trim().parse::<u64>() {
            Ok(other) if other != seed => live
                .edit(&Edit::Set(KeyPath::default().key("seed"), other.into()), true)
                .map_err(|fault| fault.to_string()),
            Ok(_) => Ok(Outcome::Anew),
            Err(_) => Err(format!(
                "the seed is “{}”\nallowed: a whole number from 0 to {}",
                typed.trim(),
                u64::MAX
            )),
        };
        match outcome {
            // Also where nothing was changed.
            Ok(Outcome::Anew) if live.seed() == seed => live.restart(seed),
            Ok(_) => {}
            Err(problem) => {
                self.seed = seed.to_string();
                self.notice = Some(problem);
                return;
            }
        }
        self.came_of(Outcome::Anew);
    }

    /// One tick, and time stands still after it.
    pub(crate) fn single_step(&mut self) {
        self.playing = false;
        self.due = 0;
        let pointer = self.mouse;
        if let Shown::Scene { live, .. } = &mut self.shown {
            self.compare.step(live.as_mut(), pointer);
        }
        self.watch();
    }

    /// Looks at what is plotted and where everybody is, at this tick; nothing where neither is
    /// shown.
    pub(crate) fn watch(&mut self) {
        if let Shown::Scene { live, .. } = &mut self.shown {
            if self.side == Some(Side::Plots) {
                self.plots.sample(live.as_mut(), self.chosen.or(self.follow));
            }
            self.heat.sample(live.as_ref(), self.world);
        }
    }

    /// All that is seen again.
    pub(crate) fn whole_view(&mut self) {
        self.view = View::default();
        self.follow = None;
    }

    pub(crate) fn zoom(&mut self, factor: f32, screen: Rect) {
        let camera = self.view.camera(self.world, screen);
        self.view.zoom_at(factor, screen.center(), &camera);
    }

    /// How far the scene has come, and the one beside it.
    fn live_tick(&self) -> Option<u64> {
        if let Shown::Scene { live, .. } = &self.shown {
            Some(self.compare.tick(live.as_ref()))
        } else {
            None
        }
    }

    /// As many ticks as are due after another `seconds`, and as fit into a frame by `clock`
    /// (seconds).
    pub(crate) fn pass(&mut self, seconds: f64, clock: impl Fn() -> f64) {
        let (pointer, until, speed) = (self.mouse, self.until, self.speed);
        let Shown::Scene { live, .. } = &mut self.shown else { return };
        if !self.playing {
            self.compare.catch_up(live.as_ref());
            return;
        }
        let pace = pace(live.dt()) * speed;
        self.rate.asked = pace / live.dt();
        self.due = self.due.saturating_add(live.due(seconds * pace));
        self.compare.pass(seconds * pace);
        let (began, budget) = (clock(), (0.5 * seconds).clamp(BUDGET[0], BUDGET[1]));
        while self.due > 0
            && let Shown::Scene { live, .. } = &mut self.shown
            && until.is_none_or(|tick| self.compare.tick(live.as_ref()) < tick)
        {
            if self.compare.step_budgeted(live.as_mut(), pointer, PART) {
                self.due -= 1;
                self.rate.ticks += 1;
                self.watch();
            }
            if clock() - began > budget {
                // Too slow for its frames: it runs as fast as it can, and no time piles up.
                self.due = self.due.min(1);
                break;
            }
        }
        if self.live_tick().is_some_and(|now| until.is_some_and(|tick| now >= tick)) {
            self.playing = false;
        }
        let since = began - self.rate.since;
        if since >= 0.5 {
            self.rate = Rate {
                since: began,
                ticks: 0,
                measured: f64::from(self.rate.ticks) / since,
                ..self.rate
            };
        }
    }

    /// The scene on a part of the screen; `whose` is what the names of places in it begin with.
    pub(crate) fn picture(&mut self, ui: &mut Ui, theme: &Theme, screen: Rect, whose: &str) {
        host::place(&format!("{whose}canvas"), screen);
        let response = ui.allocate_rect(screen, Sense::click_and_drag());
        let painter = ui.painter_at(screen);
        painter.rect_filled(screen, 0.0, theme.outside);
        if screen.width() < 120.0 {
            // On a phone the open list leaves a strip, in which a picture is no picture.
            return;
        }
        self.touch(ui, &response, screen);
        let (follow, trails, forces, chosen) = (self.follow, self.trails, self.forces, self.chosen);
        let Shown::Scene { live, .. } = &mut self.shown else { return };
        if let Some(place) = follow.and_then(|id| live.place_of(id)) {
            self.view.shift = place - self.world.center();
        }
        let camera = self.view.camera(self.world, screen);
        live.draw_ground(&painter, &camera, theme);
        self.heat.sample(live.as_ref(), self.world);
        self.heat.draw(&painter, &camera, theme);
        if trails {
            live.draw_trails(&painter, &camera, theme);
        }
        let ids = match chosen {
            _ if !forces => Vec::new(),
            Some(id) if live.place_of(id).is_some() => vec![id],
            _ => live.first(forces::MOST),
        };
        let why = live.why(&ids);
        Why::draw_figures(&why, &painter, &camera, theme);
        let smooth = self.playing && !forces && self.due == 0;
        self.swarm.fill(|marks| live.marks(smooth, theme, marks));
        painter.add(self.swarm.shape(&camera));
        why.iter().for_each(|why| why.draw_arrows(&painter, &camera, theme));
        Why::legend(&why, &painter, screen, theme);
        name_groups(live.as_ref(), &painter, screen, theme);
        self.heat.legend(&painter, screen, theme);
        host::places(|| {
            live.landmarks()
                .into_iter()
                .map(|(name, at)| (format!("{whose}{name}"), camera.at(at)))
                .collect()
        });
        if let Some(pointer) = live.pointer() {
            host::place(
                &format!("{whose}pointer:0"),
                Rect::from_center_size(camera.at(pointer), Vec2::ZERO),
            );
            Ground { painter: &painter, camera: &camera, theme }
                .pointer(self.mouse.filter(|_| !live.replays()).unwrap_or(pointer));
        }
        if let Some(place) = follow.and_then(|id| live.place_of(id)) {
            painter.circle_stroke(camera.at(place), 16.0, egui::Stroke::new(1.5, theme.text));
        }
        if let Some(failure) = self.swarm.failure() {
            painter.text(
                screen.center(),
                egui::Align2::CENTER_CENTER,
                format!("Agents cannot be drawn: {failure}"),
                egui::FontId::proportional(16.0),
                theme.text,
            );
        }
    }

    /// What the mouse or a finger does on the canvas.
    fn touch(&mut self, ui: &Ui, response: &egui::Response, screen: Rect) {
        let camera = self.view.camera(self.world, screen);
        let (scroll, zoom, touches, two) = ui
            .input(|i| (i.smooth_scroll_delta(), i.zoom_delta(), i.any_touches(), i.multi_touch()));
        if let Some(two) = two.filter(|two| screen.contains(two.center_pos)) {
            self.view.zoom_at(two.zoom_delta, two.center_pos, &camera);
            self.view.pan(two.translation_delta, &camera);
            return;
        }
        if let Some(at) = response.hover_pos() {
            let factor = zoom * (scroll.y * 0.004).exp();
            if factor != 1.0 {
                self.view.zoom_at(factor, at, &camera);
            }
        }
        let reach = if touches { 22.0 } else { 16.0 } / camera.scale;
        // A finger has to come to the pointer before it can move it: it is what a touch there
        // means, whoever stands on it.
        let pressed = ui.input(|i| i.pointer.press_origin()).map(|at| camera.world(at));
        // Once a press: it looks at everybody.
        if response.is_pointer_button_down_on() && ui.input(|i| i.pointer.any_pressed()) {
            self.pressed_on = pressed.and_then(|at| {
                let live = self.live()?;
                let on_pointer =
                    touches && live.pointer().is_some_and(|pointer| pointer.distance(at) <= reach);
                live.hold(at, reach).filter(|_| !on_pointer)
            });
        }
        if response.drag_started_by(egui::PointerButton::Primary)
            && let (Some(at), Some(hold)) = (pressed, self.pressed_on)
        {
            self.taken = self.live().map(|live| live.take(hold)).map(|()| at);
        }
        // What is drawn over the picture out of a panel is not meant for it.
        let elsewhere = ui.input(|i| i.pointer.any_down()) && !response.is_pointer_button_down_on();
        let at = response.interact_pointer_pos().or(response.hover_pos().filter(|_| !elsewhere));
        if let (Some(from), Some(at)) = (self.taken, at.filter(|_| response.dragged())) {
            let way = camera.world(at) - from;
            if let Some(live) = self.live() {
                live.drag(glam::Vec2::new(way.x, way.y));
            }
        } else if response.dragged_by(egui::PointerButton::Middle)
            || response.dragged_by(egui::PointerButton::Secondary)
            || (response.dragged() && !touches)
        {
            self.view.pan(response.drag_delta(), &camera);
            self.follow = None;
        }
        if response.drag_stopped() && self.taken.take().is_some() {
            // What can be undone now is shown by the panels, which this frame has drawn already.
            ui.ctx().request_repaint();
            if let Some(live) = self.live() {
                live.let_go();
            }
        } else if let Some(at) =
            at.filter(|_| self.taken.is_none() && !(touches && self.pressed_on.is_some()))
        {
            // The mouse is the pointer, at once; a finger on something is there for that.
            let at = camera.world(at);
            // Who is about to drag what stands in the way does not lead everybody into it.
            if !self.live().is_some_and(|live| live.is_obstacle(at)) {
                self.mouse = Some(self.world.clamp(at));
            }
        }
        if response.clicked()
            && let Some(at) = at.map(|at| camera.world(at))
        {
            let agent = self.agent_at(at, reach);
            // Somebody is always where the pointer is: where clicks fire, they choose only among
            // forces that are shown already.
            let chooses = self.forces && agent.is_some();
            match self.live().filter(|live| live.fires()) {
                Some(_) if chooses => self.chosen = agent.filter(|_| self.chosen != agent),
                Some(live) => live.fire(at),
                None => self.choose(agent),
            }
        }
        if response.double_clicked()
            && let (Some(at), Some(live)) = (at, self.live().filter(|live| !live.fires()))
        {
            live.add(camera.world(at));
        }
    }

    fn agent_at(&mut self, at: Pos2, reach: f32) -> Option<u32> {
        match self.live().and_then(|live| live.hold(at, reach)) {
            Some(Hold::Agent(id)) => Some(id),
            _ => None,
        }
    }

    /// A click on an agent shows its forces; one on the ground shows those of several, or none.
    fn choose(&mut self, agent: Option<u32>) {
        self.forces = agent.is_some() || !self.forces;
        self.chosen = agent;
    }

    fn nothing(&mut self, ui: &mut Ui, problem: &str, meant: &[&'static str]) {
        let mut wanted = None;
        let mut offer = |ui: &mut Ui, entry: &Entry| {
            let button = ui
                .add(egui::Button::new(&entry.title).min_size(egui::vec2(0.0, TOUCH)))
                .on_hover_text(&entry.sentence);
            host::place(&format!("offer:{}", entry.scene.name), button.rect);
            if button.clicked() {
                wanted = Some(entry.scene.name);
            }
        };
        let all = &self.catalog;
        egui::ScrollArea::vertical().show(ui, |ui| {
            ui.add_space(24.0);
            ui.heading("There is nothing to show");
            ui.add_space(8.0);
            // A diagnostic points at columns.
            let text = if problem.contains('\n') {
                egui::RichText::new(problem).monospace()
            } else {
                egui::RichText::new(problem)
            };
            ui.label(text);
            ui.add_space(16.0);
            if !meant.is_empty() {
                ui.label("Did you mean");
                ui.horizontal_wrapped(|ui| {
                    meant
                        .iter()
                        .filter_map(|name| all.iter().find(|entry| entry.scene.name == *name))
                        .for_each(|entry| offer(ui, entry))
                });
                ui.add_space(16.0);
            }
            ui.label(if meant.is_empty() { "These are here:" } else { "or one of these?" });
            ui.horizontal_wrapped(|ui| {
                all.iter()
                    .filter(|entry| !meant.contains(&entry.scene.name))
                    .for_each(|entry| offer(ui, entry))
            });
        });
        if let Some(name) = wanted {
            self.show(name);
        }
    }

    fn report(&self) -> Report {
        match &self.shown {
            Shown::Scene { live, .. } => {
                let digest = (!self.playing || live.len() <= SMALL).then(|| live.digest());
                let state = if self.playing { State::Running } else { State::Paused };
                Report {
                    state,
                    scene: self.name.clone(),
                    tick: live.tick(),
                    agents: live.len(),
                    digest,
                    compare: self.compare.report(!self.playing, SMALL),
                }
            }
            Shown::Nothing { .. } => Report {
                state: State::Error,
                scene: self.name.clone(),
                tick: 0,
                agents: 0,
                digest: None,
                compare: None,
            },
        }
    }
}

/// What the colors of the groups are, in the lower right corner, where there are several and it is
/// not the whole picture.
fn name_groups(live: &dyn Live, painter: &egui::Painter, area: Rect, theme: &Theme) {
    let names = live.groups();
    if !(2..=7).contains(&names.len()) || area.width() < 420.0 || area.height() < 300.0 {
        return;
    }
    let font = egui::FontId::proportional(13.0);
    let texts: Vec<_> = names
        .iter()
        .map(|name| painter.layout_no_wrap(name.clone(), font.clone(), theme.text))
        .collect();
    let width = texts.iter().map(|text| text.size().x).fold(0.0, f32::max) + 32.0;
    let size = egui::vec2(width, 18.0 * names.len() as f32 + 8.0);
    let place = Rect::from_min_size(area.max - size - egui::vec2(10.0, 10.0), size);
    painter.rect_filled(place, 5.0, theme.paper.gamma_multiply(0.85));
    for (i, text) in texts.into_iter().enumerate() {
        let y = place.top() + 13.0 + 18.0 * i as f32;
        painter.circle_filled(egui::pos2(place.left() + 13.0, y), 5.0, live.color(i, theme));
        painter.galley(egui::pos2(place.left() + 24.0, y - 0.5 * text.size().y), text, theme.text);
    }
}

/// Simulated time per second of real time: scenes in seconds run in real time, those in frames at
/// sixty a second.
fn pace(dt: f64) -> f64 {
    if dt >= 0.25 { 60.0 * dt } else { 1.0 }
}

impl eframe::App for Gallery {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        self.frame(ui);
    }

    fn on_exit(&mut self, gl: Option<&eframe::glow::Context>) {
        if let Some(gl) = gl {
            self.swarm.destroy(gl);
            self.compare.destroy(gl);
        }
    }

    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(self)
    }
}

/// How far an arrow key moves the view, on the screen.
pub(crate) const NUDGE: f32 = 40.0;

impl Gallery {
    /// All of a frame: what was typed and touched, the ticks that are due, and what is seen.
    pub(crate) fn frame(&mut self, ui: &mut Ui) {
        let seconds = ui.input(|i| f64::from(i.stable_dt)).min(0.25);
        let theme = Theme::of(ui.visuals().dark_mode);
        host::begin();
        self.files(ui);
        self.keys(ui);
        self.pass(seconds, host::seconds);
        self.panels(ui);
        let panel = Panel::NONE.fill(theme.outside);
        CentralPanel::default().frame(panel).show(ui, |ui| match &self.shown {
            Shown::Scene { .. } => self.canvas(ui, &theme),
            Shown::Nothing { problem, meant } => {
                let (problem, meant) = (problem.clone(), meant.clone());
                Panel::NONE.inner_margin(24.0).show(ui, |ui| self.nothing(ui, &problem, &meant));
            }
        });
        self.help_window(ui.ctx());
        host::tell(|| self.report());
        host::tell_text(if let Shown::Scene { live, .. } = &self.shown {
            live.draft().text()
        } else {
            ""
        });
        if self.playing && matches!(self.shown, Shown::Scene { .. }) {
            ui.ctx().request_repaint();
        }
    }

    pub(crate) fn nudge(&mut self, way: Vec2, screen: Rect) {
        let camera = self.view.camera(self.world, screen);
        self.view.pan(way * -NUDGE, &camera);
        self.follow = None;
    }
}

#[cfg(test)]
pub(crate) mod screen;
#[cfg(test)]
pub(crate) mod tests;
