//! The bar below the picture: time, speed, seed, what is drawn, comparison and status.

use eframe::egui::{Align2, Button, Key, Panel, ScrollArea, Slider, TextEdit, Ui, vec2};

use crate::action::{Action, SidePanel};
use crate::panels::buttons::{button, side_switches, switch, window_buttons};
use crate::panels::timeline;
use crate::platform::services;
use crate::render::display::Display;
use crate::render::theme::TOUCH;
use crate::session::catalog::Entry;
use crate::session::comparison::are_related;
use crate::session::playback::{Playback, SPEED_RANGE};
use crate::session::traits::Session;

/// The data that the bar shows.
pub(crate) struct ControlBar<'a> {
    pub(crate) session: &'a dyn Session,
    /// Name of the scene.
    pub(crate) name: &'a str,
    pub(crate) catalog: &'a [Entry],
    /// Name of the second scene of a comparison.
    pub(crate) compared_with: Option<&'a str>,
    pub(crate) playback: &'a Playback,
    pub(crate) display: &'a Display,
    pub(crate) heat: bool,
    pub(crate) can_undo: bool,
    pub(crate) notice: Option<&'a str>,
    pub(crate) side: Option<SidePanel>,
    pub(crate) text_has_mistakes: bool,
    pub(crate) files_open: bool,
    pub(crate) narrow: bool,
}

/// The input of the user in the bar, and whether all its controls are open.
#[derive(Clone, Debug, Default)]
pub(crate) struct ControlBarState {
    /// The text of the seed field.
    pub(crate) seed: String,
    /// Whether a narrow bar shows all controls.
    more: bool,
}

impl ControlBar<'_> {
    pub(crate) fn show(&self, ui: &mut Ui, state: &mut ControlBarState) -> Vec<Action> {
        let mut actions = Vec::new();
        Panel::bottom("controls").show(ui, |ui| self.rows(ui, state, &mut actions));
        actions
    }

    fn rows(&self, ui: &mut Ui, state: &mut ControlBarState, actions: &mut Vec<Action>) {
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            self.time_controls(ui, actions);
            if !self.narrow {
                ui.separator();
                self.speed_and_seed(ui, state, actions);
                ui.separator();
            }
            let hint = "Each behavior's own force and its geometry (F, or a click)";
            if switch(ui, self.display.forces, "forces", "Forces", hint) {
                actions.push(Action::ToggleForces);
            }
            if !self.narrow {
                self.display_controls(ui, actions);
            } else if switch(ui, state.more, "more", "More", "All controls") {
                state.more = !state.more;
            }
        });
        if self.narrow && state.more {
            ui.horizontal(|ui| self.speed_and_seed(ui, state, actions));
            ui.horizontal_wrapped(|ui| self.display_controls(ui, actions));
            ui.horizontal_wrapped(|ui| {
                side_switches(ui, self.side, self.text_has_mistakes, actions);
                window_buttons(ui, self.files_open, actions);
            });
            // A side panel that opens takes the room.
            let opens = |action: &Action| match action {
                Action::ToggleSide(panel) => self.side != Some(*panel),
                _ => false,
            };
            state.more = !actions.iter().any(opens);
        }
        ui.horizontal_wrapped(|ui| {
            if !self.narrow || state.more {
                timeline::show(ui, self.session, actions);
            }
            self.status(ui);
        });
        ui.add_space(4.0);
    }

    fn time_controls(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        // A fixed width keeps the next buttons in place when the word changes.
        let word = if self.playback.playing { "Pause" } else { "Play" };
        let play = ui.add(Button::new(word).min_size(vec2(56.0, TOUCH))).on_hover_text("Space");
        services::mark_control("play", play.rect);
        if play.clicked() {
            actions.push(Action::TogglePlaying);
        }
        if button(ui, "step", "Step", "One tick (.)").clicked() {
            actions.push(Action::StepForward);
        }
        if button(ui, "restart", "Restart", "Start again (R)").clicked() {
            actions.push(Action::Restart);
        }
        let undo = ui.add_enabled_ui(self.can_undo, |ui| {
            button(ui, "undo", "Undo", "Undo the last change (Ctrl+Z)")
        });
        if undo.inner.clicked() {
            actions.push(Action::Undo);
        }
    }

    fn speed_and_seed(&self, ui: &mut Ui, state: &mut ControlBarState, actions: &mut Vec<Action>) {
        ui.label("speed");
        let mut speed = self.playback.speed;
        let slider = Slider::new(&mut speed, SPEED_RANGE[0]..=SPEED_RANGE[1])
            .logarithmic(true)
            .suffix(" x")
            .max_decimals(2);
        let slider = ui.add(slider);
        services::mark_control("speed", slider.rect);
        if slider.changed() {
            actions.push(Action::SetSpeed(speed));
        }
        ui.label("seed");
        let field = TextEdit::singleline(&mut state.seed)
            .desired_width(56.0)
            .min_size(vec2(0.0, TOUCH))
            .align(Align2::LEFT_CENTER);
        let field = ui
            .add(field)
            .on_hover_text("The seed of all random numbers; Enter starts again with it");
        services::mark_control("seed", field.rect);
        if field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter)) {
            actions.push(Action::Restart);
        }
    }

    fn display_controls(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let hint = "The last positions of agents, in crowds of up to 300 (T)";
        if switch(ui, self.display.trails, "trails", "Trails", hint) {
            actions.push(Action::ToggleTrails);
        }
        let hint = "Where agents have been recently, as colors (M)";
        if switch(ui, self.heat, "heat", "Heat", hint) {
            actions.push(Action::ToggleHeat);
        }
        let hint = "Follow an agent (G), the next one (Shift+G)";
        if switch(ui, self.display.follow.is_some(), "follow", "Follow", hint) {
            actions.push(Action::ToggleFollow);
        }
        self.comparison_controls(ui, actions);
        if button(ui, "whole", "Fit", "Show the whole world (0)").clicked() {
            actions.push(Action::FitView);
        }
    }

    fn comparison_controls(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let hint = "Another scene beside this one, with the same seed and pointer (C)";
        if switch(ui, self.compared_with.is_some(), "compare", "Compare", hint) {
            actions.push(Action::ToggleComparison);
        }
        let Some(second) = self.compared_with else { return };
        let menu = ui.menu_button(format!("with {second} …"), |ui| {
            ui.set_width(330.0_f32.min(ui.ctx().content_rect().width() - 40.0));
            // Related scenes come first.
            let mut names: Vec<&str> = self.catalog.iter().map(|entry| entry.scene.name).collect();
            if !names.contains(&self.name) {
                names.insert(0, self.name);
            }
            names.sort_by_key(|name| !are_related(name, self.name));
            ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                for name in names {
                    let button = Button::selectable(name == second, self.title_of(name)).wrap();
                    let size = vec2(ui.available_width(), TOUCH);
                    let button = ui.add(button.min_size(size));
                    services::mark_control(&format!("compare:{name}"), button.rect);
                    if button.clicked() {
                        actions.push(Action::CompareWith(name.to_string()));
                        ui.close();
                    }
                }
            });
        });
        services::mark_control("compare-with", menu.response.rect);
    }

    fn title_of<'b>(&'b self, name: &'b str) -> &'b str {
        let entry = self.catalog.iter().find(|entry| entry.scene.name == name);
        entry.map_or(name, |entry| &entry.title)
    }

    /// Time, number of agents, rate, and the last notice.
    fn status(&self, ui: &mut Ui) {
        let agents = wayfare_scene::counted(self.session.len(), "agent");
        // In scenes with one unit of time per tick the slider shows the time.
        let mut text = if self.session.dt() == 1.0 {
            agents
        } else {
            let unit = self.session.presentation().units.after_time();
            format!("time {:.1}{unit}   {agents}", self.session.time())
        };
        let rate = self.playback.rate;
        if self.playback.playing && rate.measured > 0.0 {
            let slow = rate.measured < 0.9 * rate.wanted;
            let wanted = if slow { format!(" of {:.0}", rate.wanted) } else { String::new() };
            text += &format!("   {:.0}{wanted} ticks/s", rate.measured);
        }
        let status = ui.label(text);
        services::mark_control("status", status.rect);
        if let Some(notice) = self.notice {
            ui.label(notice);
        }
    }
}
