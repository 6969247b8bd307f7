//! The page that is shown instead of a scene that cannot be opened.

use eframe::egui::{Button, Frame, RichText, ScrollArea, Ui, vec2};

use crate::action::Action;
use crate::platform::services;
use crate::render::theme::TOUCH;
use crate::session::catalog::Entry;

/// Shows the problem, the scenes with a similar name, and all others.
pub(crate) fn show(
    ui: &mut Ui,
    problem: &str,
    similar: &[&'static str],
    catalog: &[Entry],
) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut offer = |ui: &mut Ui, entry: &Entry| {
        let button = ui
            .add(Button::new(&entry.title).min_size(vec2(0.0, TOUCH)))
            .on_hover_text(&entry.description);
        services::mark_control(&format!("offer:{}", entry.scene.name), button.rect);
        if button.clicked() {
            actions.push(Action::ShowScene(entry.scene.name.to_string()));
        }
    };
    let page = |ui: &mut Ui| {
        ui.add_space(24.0);
        ui.heading("There is nothing to show");
        ui.add_space(8.0);
        // A diagnostic points at columns, which need a monospaced font.
        let text = RichText::new(problem);
        ui.label(if problem.contains('\n') { text.monospace() } else { text });
        ui.add_space(16.0);
        if !similar.is_empty() {
            ui.label("Did you mean");
            ui.horizontal_wrapped(|ui| {
                similar
                    .iter()
                    .filter_map(|name| catalog.iter().find(|entry| entry.scene.name == *name))
                    .for_each(|entry| offer(ui, entry))
            });
            ui.add_space(16.0);
        }
        ui.label(if similar.is_empty() { "The bundled scenes:" } else { "or one of these?" });
        ui.horizontal_wrapped(|ui| {
            catalog
                .iter()
                .filter(|entry| !similar.contains(&entry.scene.name))
                .for_each(|entry| offer(ui, entry))
        });
    };
    Frame::NONE.inner_margin(24.0).show(ui, |ui| ScrollArea::vertical().show(ui, page));
    actions
}
