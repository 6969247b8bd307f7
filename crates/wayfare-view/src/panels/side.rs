//! What stands beside the picture, one thing at a time.

use eframe::egui::{Panel, RichText, ScrollArea, Ui};

use crate::app::Gallery;
use crate::platform::host;

/// A panel beside the picture; on a phone's width below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// All that can be set in the scene.
    Settings,
    /// The scene's text.
    Text,
    /// What is measured, over time.
    Plots,
}

/// How wide it is until somebody drags its edge.
pub(crate) const WIDTH: f32 = 340.0;

impl Side {
    pub(crate) const ALL: [Self; 3] = [Self::Settings, Self::Text, Self::Plots];

    /// What its button says, what it is for, and its name for tests.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Settings => {
                ("Settings", "Everything that can be set in the scene (E)", "settings")
            }
            Self::Text => ("Text", "The scene as it is written (X)", "text"),
            Self::Plots => ("Plots", "Speeds, forces and states over time (O)", "plots"),
        }
    }
}

impl Gallery {
    /// A button for each panel.
    pub(crate) fn side_controls(&mut self, ui: &mut Ui) {
        let mut all = Side::ALL;
        if ui.layout().prefer_right_to_left() {
            all.reverse();
        }
        for side in all {
            let (text, what, name) = side.words();
            let mut open = self.side == Some(side);
            let wrong = side == Side::Text && self.editor.is_wrong();
            let text = if wrong {
                RichText::new(text).color(ui.visuals().error_fg_color)
            } else {
                RichText::new(text)
            };
            let what = if wrong {
                "What is written is no scene: the last good one goes on (X)"
            } else {
                what
            };
            let button = ui.toggle_value(&mut open, text).on_hover_text(what);
            host::place(name, button.rect);
            if button.clicked() {
                self.turn_side(side);
            }
        }
    }

    /// Opens a panel, or closes it if it is open.
    pub(crate) fn turn_side(&mut self, side: Side) {
        self.side = if self.side == Some(side) { None } else { Some(side) };
    }

    pub(crate) fn side(&mut self, ui: &mut Ui, narrow: bool) {
        let Some(side) = self.side else { return };
        let content = |ui: &mut Ui| {
            // What is wrong with a text stays in sight.
            if side == Side::Text {
                self.problems(ui);
            }
            ScrollArea::vertical().id_salt(side.words().2).auto_shrink(false).show(ui, |ui| {
                match side {
                    Side::Settings => self.settings(ui),
                    Side::Text => self.text(ui),
                    Side::Plots => self.plots(ui),
                }
            });
        };
        if narrow {
            Panel::bottom("side-below")
                .default_size(0.42 * ui.available_height())
                .resizable(true)
                .show(ui, content);
        } else {
            Panel::right("side").default_size(WIDTH).resizable(true).show(ui, content);
        }
    }
}
