//! Everything that can be set in the scene, as sliders and fields.

use eframe::egui::Ui;

use crate::gallery::Gallery;

impl Gallery {
    pub(crate) fn settings(&mut self, ui: &mut Ui) {
        let Some(live) = self.live() else { return };
        for field in live.draft().fields() {
            ui.label(field.place.to_string());
        }
    }
}
