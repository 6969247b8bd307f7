//! What the mouse, fingers and keys do.

use eframe::egui::{Align2, Context, Grid, Label, RichText, ScrollArea, Window};

use crate::app::Gallery;

const LINES: &[(&str, &str)] = &[
    ("mouse, finger", "the pointer, where a scene has one"),
    ("drag a thing", "moves an agent, an obstacle, a point of a path"),
    ("drag the ground, two fingers", "moves the view"),
    ("wheel, pinch", "nearer and farther"),
    ("click, F", "the forces on an agent, or on several"),
    ("double click, A", "adds an agent"),
    ("click, Enter", "fires, where the scene says so: there F shows forces"),
    ("Ctrl+Z", "takes back what was done last"),
    ("space", "pause and play"),
    (".", "one tick"),
    (",", "one tick back, over the last seconds"),
    ("R", "from the start again"),
    ("[ and ]", "slower and faster"),
    ("T", "trails"),
    ("M", "heat map: where agents have been lately"),
    ("O", "plots and states"),
    ("G, Shift+G", "follow an agent, the next one"),
    ("arrows, + and -", "move the view, nearer and farther"),
    ("0", "see everything"),
    ("N, P, Page keys", "the next scene, the one before"),
    ("U", "the guided tour, in which the Page keys go on and back"),
    ("C", "another scene beside this one"),
    ("L", "the list of scenes"),
    ("E", "everything that can be set in the scene"),
    ("X", "the scene as it is written"),
    ("/", "search"),
    ("S", "save what you did as a log"),
    ("V", "files: open, save a scene, a picture, an animation, rows, copy a link"),
    ("Ctrl+S", "save the scene as it is written"),
    ("Ctrl+O, drop a file", "open a scene, replay a log"),
    ("K", "copy a link to the scene as it is now"),
    ("D", "light or dark"),
    ("H, ?", "this help"),
];

impl Gallery {
    pub(crate) fn help_window(&mut self, ctx: &Context) {
        Window::new("Keys and the mouse")
            .open(&mut self.help)
            .resizable(false)
            .collapsible(false)
            .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
            .show(ctx, |ui| {
                ui.style_mut().interaction.selectable_labels = false;
                let screen = ctx.content_rect();
                ScrollArea::vertical().max_height(screen.height() - 90.0).show(ui, |ui| {
                    if screen.width() < 560.0 {
                        // On a phone what is done stands below the finger's way to do it, and keys
                        // are for those who have some.
                        ui.set_width(screen.width() - 50.0);
                        for &(key, what) in LINES {
                            ui.label(RichText::new(key).strong());
                            ui.add(Label::new(what).wrap());
                            ui.add_space(4.0);
                        }
                        return;
                    }
                    // Nothing in it is touched, and all of it should fit into a low window.
                    Grid::new("keys")
                        .num_columns(2)
                        .min_row_height(18.0)
                        .spacing([18.0, 4.0])
                        .show(ui, |ui| {
                            for &(key, what) in LINES {
                                ui.label(RichText::new(key).strong());
                                ui.label(what);
                                ui.end_row();
                            }
                        });
                });
            });
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_docs_name_every_key() {
        let page = include_str!("../../../../docs/gallery.md");
        for (key, what) in super::LINES {
            assert!(page.contains(&format!("| {key} | {what} |\n")), "{key}");
        }
    }
}
