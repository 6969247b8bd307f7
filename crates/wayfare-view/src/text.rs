//! The scene as it is written.

use eframe::egui::Ui;

use crate::gallery::Gallery;

impl Gallery {
    pub(crate) fn text(&mut self, ui: &mut Ui) {
        let Some(live) = self.live() else { return };
        ui.monospace(live.draft().text());
    }
}
