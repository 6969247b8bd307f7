//! The panels round the canvas, and the keys.

use eframe::egui::{
    self, Align, Button, Key, Label, Layout, Modifiers, Panel, RichText, ScrollArea, TextEdit, Ui,
    vec2,
};

use crate::app::{Gallery, Shown};
use crate::panels::side::{self, Side};
use crate::platform::host;
use crate::render::theme::TOUCH;
use crate::session::catalog::heading;

/// Less room than this and the list is closed until it is asked for.
const NARROW: f32 = 720.0;

/// Lower than this and the list is, and most controls are, as on a phone.
const LOW: f32 = 460.0;

/// The speeds that the keys go through.
const SPEEDS: [f64; 8] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];

/// Whether there is the room of a phone: panels are below the picture then, and most controls
/// behind one button.
pub(crate) fn narrow(ctx: &egui::Context) -> bool {
    let screen = ctx.content_rect();
    screen.width() < NARROW || screen.height() < LOW
}

impl Gallery {
    pub(crate) fn panels(&mut self, ui: &mut Ui) {
        let narrow = narrow(ui.ctx());
        let list = self.lists(ui);
        self.top(ui, list, narrow);
        if self.live().is_some() {
            self.bottom(ui, narrow);
            self.side(ui, narrow);
            self.tour_card(ui, narrow);
        }
        if list {
            let width = if narrow { ui.available_width() * 0.8 } else { 260.0 };
            Panel::left("scenes")
                .resizable(!narrow)
                .default_size(width)
                .show(ui, |ui| self.list(ui, narrow));
        }
    }

    /// Whether the list is open: unless somebody said so, a panel takes its room where there is too
    /// little for both.
    fn lists(&self, ui: &Ui) -> bool {
        let room = ui.available_width() - if self.side.is_some() { side::WIDTH } else { 0.0 };
        self.list.unwrap_or(!narrow(ui.ctx()) && room >= NARROW)
    }

    fn top(&mut self, ui: &mut Ui, list: bool, narrow: bool) {
        Panel::top("title").show(ui, |ui| {
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                if control(ui, "list", "Scenes", "The list of scenes (L)").clicked() {
                    self.list = Some(!list);
                }
                let mut tour = self.tour.on;
                let button = ui
                    .toggle_value(&mut tour, "Tour")
                    .on_hover_text("A guided tour of eleven steps (U)");
                host::place("tour", button.rect);
                if button.clicked() {
                    self.turn_tour();
                }
                if narrow {
                    self.title(ui, narrow);
                } else {
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        self.window_controls(ui);
                        ui.separator();
                        self.side_controls(ui);
                        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                            self.title(ui, narrow)
                        });
                    });
                }
            });
            // The tour has its own words.
            if let Shown::Scene { sentence, .. } = &self.shown
                && !self.tour.on
            {
                // In a narrow window its first lines, and a touch unfolds it: the picture has the
                // room.
                let rows = if narrow && !self.unfolded { 2 } else { usize::MAX };
                let font = egui::TextStyle::Body.resolve(ui.style());
                let mut job = egui::text::LayoutJob::simple(
                    sentence.clone(),
                    font,
                    ui.visuals().text_color(),
                    ui.available_width(),
                );
                job.wrap.max_rows = rows;
                let label = ui.add(egui::Label::new(job).sense(egui::Sense::click()));
                host::place("sentence", label.rect);
                if label.clicked() && narrow {
                    self.unfolded = !self.unfolded;
                }
            }
            ui.add_space(4.0);
        });
    }

    fn title(&self, ui: &mut Ui, narrow: bool) {
        let title = match &self.shown {
            Shown::Scene { live, .. } => live.title(),
            Shown::Nothing { .. } => &self.name,
        };
        // On a phone's width a long one takes two lines.
        let title = RichText::new(title).strong();
        ui.add(if narrow {
            Label::new(title.size(16.0)).wrap()
        } else {
            Label::new(title.heading()).truncate()
        });
    }

    fn bottom(&mut self, ui: &mut Ui, narrow: bool) {
        Panel::bottom("controls").show(ui, |ui| {
            ui.add_space(4.0);
            ui.horizontal_wrapped(|ui| {
                self.time_controls(ui);
                if !narrow {
                    ui.separator();
                    self.number_controls(ui);
                    ui.separator();
                }
                self.forces_control(ui);
                if narrow {
                    let more = ui
                        .toggle_value(&mut self.more, "More")
                        .on_hover_text("All that can be done");
                    host::place("more", more.rect);
                } else {
                    self.view_controls(ui);
                }
            });
            if narrow && self.more {
                ui.horizontal(|ui| self.number_controls(ui));
                ui.horizontal_wrapped(|ui| self.view_controls(ui));
                let before = self.side;
                ui.horizontal_wrapped(|ui| {
                    self.side_controls(ui);
                    self.window_controls(ui);
                });
                // A panel that opens takes their room.
                self.more = self.side.is_none() || self.side == before;
            }
            ui.horizontal_wrapped(|ui| {
                if !narrow || self.more {
                    self.rewind_controls(ui);
                }
                self.status(ui);
            });
            ui.add_space(4.0);
        });
    }

    /// What time does.
    fn time_controls(&mut self, ui: &mut Ui) {
        // As wide for either word: what stands beside it stays where it is.
        let play =
            Button::new(if self.playing { "Pause" } else { "Play" }).min_size(vec2(56.0, TOUCH));
        let play = ui.add(play).on_hover_text("Space");
        host::place("play", play.rect);
        if play.clicked() {
            self.playing = !self.playing;
        }
        if control(ui, "step", "Step", "One tick (.)").clicked() {
            self.single_step();
        }
        if control(ui, "restart", "Restart", "From the start again (R)").clicked() {
            self.restart();
        }
        let can_undo = self.undoable().is_some();
        if ui
            .add_enabled_ui(can_undo, |ui| {
                control(ui, "undo", "Undo", "Take back what was done last (Ctrl+Z)")
            })
            .inner
            .clicked()
        {
            self.take_back();
        }
    }

    /// Speed and seed.
    fn number_controls(&mut self, ui: &mut Ui) {
        ui.label("speed");
        let speed = ui.add(
            egui::Slider::new(&mut self.speed, 0.1..=16.0)
                .logarithmic(true)
                .suffix(" x")
                .max_decimals(2),
        );
        host::place("speed", speed.rect);
        ui.label("seed");
        let field = TextEdit::singleline(&mut self.seed)
            .desired_width(56.0)
            .min_size(vec2(0.0, TOUCH))
            .align(egui::Align2::LEFT_CENTER);
        let seed = ui
            .add(field)
            .on_hover_text("What everything random follows from; Enter starts again with it");
        host::place("seed", seed.rect);
        if seed.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
            self.restart();
        }
    }

    fn forces_control(&mut self, ui: &mut Ui) {
        let forces = ui
            .toggle_value(&mut self.forces, "Forces")
            .on_hover_text("Each behavior's own force, and what it goes by (F, or a click)");
        host::place("forces", forces.rect);
    }

    /// What is seen.
    fn view_controls(&mut self, ui: &mut Ui) {
        let trails = ui
            .toggle_value(&mut self.trails, "Trails")
            .on_hover_text("Where agents have been, in crowds of up to 300 (T)");
        host::place("trails", trails.rect);
        let heat = ui
            .toggle_value(&mut self.heat.on, "Heat")
            .on_hover_text("Where agents have been lately, as colors (M)");
        host::place("heat", heat.rect);
        let mut following = self.follow.is_some();
        let follow = ui
            .toggle_value(&mut following, "Follow")
            .on_hover_text("Follow an agent (G), the next one (Shift+G)");
        host::place("follow", follow.rect);
        if follow.clicked() {
            self.follow_next(!following);
        }
        self.compare_controls(ui);
        if control(ui, "whole", "Fit", "See everything (0)").clicked() {
            self.whole_view();
        }
    }

    /// What belongs to the window, from its right end on.
    fn window_controls(&mut self, ui: &mut Ui) {
        if control(ui, "help", "Help", "Keys and the mouse (H)").clicked() {
            self.help = !self.help;
        }
        let dark = ui.visuals().dark_mode;
        if control(ui, "theme", if dark { "Light" } else { "Dark" }, "Light or dark (D)").clicked()
        {
            ui.ctx().set_theme(if dark { egui::Theme::Light } else { egui::Theme::Dark });
        }
        let files = ui
            .toggle_value(&mut self.files.shown, "File")
            .on_hover_text("Open, save, take away, a link to it (V)");
        host::place("file", files.rect);
    }

    /// How far it is, how fast, and what was said last.
    fn status(&self, ui: &mut Ui) {
        if let Shown::Scene { live, .. } = &self.shown {
            let agents = wayfare_scene::counted(live.len(), "agent");
            // In frames the slider says it already.
            let mut text = if live.dt() == 1.0 {
                agents
            } else {
                format!("time {:.1}   {agents}", live.time())
            };
            if self.playing && self.rate.measured > 0.0 {
                let slow = self.rate.measured < 0.9 * self.rate.asked;
                let asked =
                    if slow { format!(" of {:.0}", self.rate.asked) } else { String::new() };
                text += &format!("   {:.0}{asked} ticks/s", self.rate.measured);
            }
            let status = ui.label(text);
            host::place("status", status.rect);
        }
        if let Some(notice) = &self.notice {
            ui.label(notice);
        }
    }

    fn list(&mut self, ui: &mut Ui, narrow: bool) {
        ui.add_space(6.0);
        let field = TextEdit::singleline(&mut self.search)
            .hint_text("Search (/)")
            .desired_width(f32::INFINITY);
        let search = ui.add(
            field
                .min_size(vec2(0.0, TOUCH))
                .align(egui::Align2::LEFT_CENTER)
                .id(egui::Id::unique("search")),
        );
        host::place("search", search.rect);
        let (mut wanted, seek, mut sought) = (None, self.seek_in_list, false);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let mut folder = "";
            for entry in self.catalog.iter().filter(|entry| entry.matches(&self.search)) {
                if entry.scene.folder != folder {
                    folder = entry.scene.folder;
                    ui.add_space(8.0);
                    ui.label(RichText::new(heading(folder)).strong());
                }
                let here = entry.scene.name == self.name;
                let button = ui.add(
                    Button::selectable(here, &entry.title)
                        .wrap()
                        .min_size(vec2(ui.available_width(), TOUCH)),
                );
                host::place(&format!("scene:{}", entry.scene.name), button.rect);
                // Until it is seen whole: panels may take another height in their second frame.
                if here && seek && !ui.clip_rect().contains_rect(button.rect) {
                    button.scroll_to_me(Some(egui::Align::Center));
                    sought = true;
                }
                if button.on_hover_text(&entry.sentence).clicked() {
                    wanted = Some(entry.scene.name);
                }
            }
            if folder.is_empty() {
                ui.label("No scene has these words.");
            }
        });
        self.seek_in_list = sought;
        if let Some(name) = wanted {
            self.show(name);
            if narrow {
                self.list = None;
            }
        }
    }

    fn take_back(&mut self) {
        if let Some(outcome) = self.undoable().map(|live| live.undo()) {
            self.came_of(outcome);
        }
    }

    /// Follows the agent after the one that is followed, or nobody.
    fn follow_next(&mut self, stop: bool) {
        let after = self.follow;
        self.follow = if stop { None } else { self.live().and_then(|live| live.next_agent(after)) };
    }

    pub(crate) fn keys(&mut self, ui: &Ui) {
        let ctx = ui.ctx();
        if ctx.egui_wants_keyboard_input() {
            return;
        }
        self.tour_keys(ui);
        self.compare_keys(ui);
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        if ui.input_mut(|i| i.consume_key(Modifiers::COMMAND, Key::Z)) {
            self.take_back();
        }
        if ui.input_mut(|i| i.consume_key(Modifiers::SHIFT, Key::G)) {
            self.follow_next(false);
        }
        if pressed(Key::Escape) {
            (self.help, self.files.shown) = (false, false);
        }
        if pressed(Key::Space) {
            self.playing = !self.playing;
        }
        if pressed(Key::Period) {
            self.single_step();
        }
        if pressed(Key::Comma) {
            self.step_back();
        }
        if pressed(Key::O) {
            self.turn_side(Side::Plots);
        }
        if pressed(Key::M) {
            self.heat.on = !self.heat.on;
        }
        if pressed(Key::R) {
            self.restart();
        }
        if pressed(Key::F) {
            self.forces = !self.forces;
        }
        if pressed(Key::T) {
            self.trails = !self.trails;
        }
        if pressed(Key::G) {
            self.follow_next(self.follow.is_some());
        }
        if pressed(Key::S) {
            self.save_log();
        }
        if pressed(Key::V) {
            self.files.shown = !self.files.shown;
        }
        if pressed(Key::K) {
            self.copy_link(ctx);
        }
        if pressed(Key::H) || ui.input_mut(|i| i.consume_key(Modifiers::SHIFT, Key::Questionmark)) {
            self.help = !self.help;
        }
        if pressed(Key::D) {
            ctx.set_theme(if ui.visuals().dark_mode {
                egui::Theme::Light
            } else {
                egui::Theme::Dark
            });
        }
        for (key, side) in [(Key::E, Side::Settings), (Key::X, Side::Text)] {
            if pressed(key) {
                self.turn_side(side);
            }
        }
        if pressed(Key::L) {
            self.list = Some(!self.lists(ui));
        }
        if pressed(Key::Slash) {
            self.list = Some(true);
            ctx.memory_mut(|memory| memory.request_focus(egui::Id::unique("search")));
        }
        if pressed(Key::A)
            && let (Some(at), Some(live)) = (self.mouse, self.touched())
        {
            live.add(at);
        }
        if pressed(Key::Enter) {
            let mouse = self.mouse;
            if let Some(live) = self.touched()
                && let Some(at) = mouse.or(live.pointer())
            {
                live.fire(at);
            }
        }
        for (key, by) in [(Key::PageDown, 1), (Key::PageUp, -1), (Key::N, 1), (Key::P, -1)] {
            if pressed(key) {
                self.turn_to(by);
            }
        }
        for (key, by) in [(Key::OpenBracket, -1), (Key::CloseBracket, 1)] {
            if pressed(key) {
                let now = SPEEDS
                    .iter()
                    .position(|&speed| speed >= self.speed - 1e-6)
                    .unwrap_or(SPEEDS.len() - 1) as isize;
                self.speed = SPEEDS[(now + by).clamp(0, SPEEDS.len() as isize - 1) as usize];
            }
        }
        let screen = ctx.content_rect();
        if pressed(Key::Num0) {
            self.whole_view();
        }
        for (key, factor) in [(Key::Plus, 1.25), (Key::Equals, 1.25), (Key::Minus, 0.8)] {
            if pressed(key) {
                self.zoom(factor, screen);
            }
        }
        for (key, way) in [
            (Key::ArrowLeft, vec2(-1.0, 0.0)),
            (Key::ArrowRight, vec2(1.0, 0.0)),
            (Key::ArrowUp, vec2(0.0, -1.0)),
            (Key::ArrowDown, vec2(0.0, 1.0)),
        ] {
            if pressed(key) {
                self.nudge(way, screen);
            }
        }
    }
}

/// A button with a name for tests and a text for those who wonder.
fn control(ui: &mut Ui, name: &str, text: &str, what: &str) -> egui::Response {
    let response = ui.add(Button::new(text).min_size(vec2(TOUCH, TOUCH))).on_hover_text(what);
    host::place(name, response.rect);
    response
}
