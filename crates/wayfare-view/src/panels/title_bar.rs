//! The bar above the picture: title, description, and the buttons of panels.

use eframe::egui::text::LayoutJob;
use eframe::egui::{Align, Label, Layout, Panel, RichText, Sense, TextStyle, Ui};

use crate::action::{Action, SidePanel};
use crate::panels::buttons::{button, side_switches, switch, window_buttons};
use crate::platform::services;

/// The data that the bar shows.
pub(crate) struct TitleBar<'a> {
    pub(crate) title: &'a str,
    /// The scene's description; `None` during the tour, which has its own text.
    pub(crate) description: Option<&'a str>,
    pub(crate) tour_on: bool,
    pub(crate) side: Option<SidePanel>,
    pub(crate) text_has_mistakes: bool,
    pub(crate) files_open: bool,
    pub(crate) narrow: bool,
}

impl TitleBar<'_> {
    /// Shows the bar; `unfolded` is whether a narrow one shows the whole description.
    pub(crate) fn show(&self, ui: &mut Ui, unfolded: &mut bool) -> Vec<Action> {
        let mut actions = Vec::new();
        Panel::top("title").show(ui, |ui| {
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                if button(ui, "list", "Scenes", "The list of scenes (L)").clicked() {
                    actions.push(Action::ToggleList);
                }
                if switch(ui, self.tour_on, "tour", "Tour", "A guided tour of eleven steps (U)") {
                    actions.push(Action::ToggleTour);
                }
                if self.narrow {
                    self.title(ui);
                    return;
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    window_buttons(ui, self.files_open, &mut actions);
                    ui.separator();
                    side_switches(ui, self.side, self.text_has_mistakes, &mut actions);
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| self.title(ui));
                });
            });
            if let Some(description) = self.description {
                self.description(ui, description, unfolded);
            }
            ui.add_space(4.0);
        });
        actions
    }

    fn title(&self, ui: &mut Ui) {
        let title = RichText::new(self.title).strong();
        // On a narrow screen a long title takes two lines.
        ui.add(if self.narrow {
            Label::new(title.size(16.0)).wrap()
        } else {
            Label::new(title.heading()).truncate()
        });
    }

    /// The description; on a narrow screen two lines of it, and a touch unfolds the rest.
    fn description(&self, ui: &mut Ui, description: &str, unfolded: &mut bool) {
        let mut job = LayoutJob::simple(
            description.to_string(),
            TextStyle::Body.resolve(ui.style()),
            ui.visuals().text_color(),
            ui.available_width(),
        );
        job.wrap.max_rows = if self.narrow && !*unfolded { 2 } else { usize::MAX };
        let label = ui.add(Label::new(job).sense(Sense::click()));
        services::mark_control("sentence", label.rect);
        if label.clicked() && self.narrow {
            *unfolded = !*unfolded;
        }
    }
}
