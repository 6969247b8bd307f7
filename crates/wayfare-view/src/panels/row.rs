//! A row of a panel: the name of a setting, before its control.

use eframe::egui::{Align, Label, Layout, RichText, Sense, Ui};

use crate::render::theme::TOUCH;

/// Shows a name in a column of its own, with a hint.
pub(crate) fn name(ui: &mut Ui, name: RichText, hint: &str) {
    let width = (0.36 * ui.available_width()).clamp(90.0, 160.0);
    let label = Label::new(name).truncate().sense(Sense::hover());
    ui.allocate_ui_with_layout([width, TOUCH].into(), Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(width);
        ui.add(label).on_hover_text(hint);
    });
}
