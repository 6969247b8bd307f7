//! The help window: the effects of mouse, fingers and keys.

use eframe::egui::{Align2, Context, Grid, Label, RichText, ScrollArea, Window};

use crate::action::Action;

/// Keys and gestures with their effects; docs/gallery.md has the same table.
const LINES: &[(&str, &str)] = &[
    ("mouse, finger", "the pointer, in scenes that have one"),
    ("drag an object", "moves an agent, an obstacle or a point of a path"),
    ("drag the ground, two fingers", "moves the view"),
    ("wheel, pinch", "zooms in and out"),
    ("click, F", "the forces on an agent, or on several"),
    ("double click, A", "adds an agent of the first group"),
    ("W, Shift+W", "orders the selected agent to the mouse, ends its order"),
    ("I", "the settings of the selected agent"),
    ("click, Enter", "fires in scenes with `fire`; there F shows forces"),
    ("Ctrl+Z", "undoes the last change"),
    ("space", "pause and play"),
    (".", "one tick"),
    (",", "one tick back"),
    ("R", "starts again"),
    ("[ and ]", "slower and faster"),
    ("T", "trails"),
    ("M", "heat map: where agents have been recently"),
    ("O", "plots and states"),
    ("G, Shift+G", "follow an agent, the next one"),
    ("arrows, + and -", "move the view, zoom in and out"),
    ("0", "shows the whole world"),
    ("N, P, Page keys", "the next scene, the previous one"),
    ("U", "the guided tour; the Page keys go through its steps"),
    ("C", "another scene beside this one"),
    ("L", "the list of scenes"),
    ("E", "everything that can be set in the scene"),
    ("X", "the scene's text"),
    ("/", "search for a scene"),
    ("S", "saves a log of what you did"),
    ("V", "files: open, save, record, copy a link"),
    ("Ctrl+S", "saves the scene's text"),
    ("Ctrl+O, drop a file", "opens a scene, replays a log"),
    ("K", "copies a link to the present scene"),
    ("D", "light or dark"),
    ("H, ?", "this help"),
];

/// Shows the window; its close button is an action.
pub(crate) fn show(ctx: &Context) -> Option<Action> {
    let mut open = true;
    Window::new("Keys and the mouse")
        .open(&mut open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ctx, |ui| {
            ui.style_mut().interaction.selectable_labels = false;
            let screen = ctx.content_rect();
            ScrollArea::vertical().max_height(screen.height() - 90.0).show(ui, |ui| {
                if screen.width() < 560.0 {
                    // On a narrow screen the description is below the key.
                    ui.set_width(screen.width() - 50.0);
                    for &(key, effect) in LINES {
                        ui.label(RichText::new(key).strong());
                        ui.add(Label::new(effect).wrap());
                        ui.add_space(4.0);
                    }
                    return;
                }
                // Rows are not for fingers: low ones let the table fit into a low window.
                Grid::new("keys").num_columns(2).min_row_height(18.0).spacing([18.0, 4.0]).show(
                    ui,
                    |ui| {
                        for &(key, effect) in LINES {
                            ui.label(RichText::new(key).strong());
                            ui.label(effect);
                            ui.end_row();
                        }
                    },
                );
            });
        });
    (!open).then_some(Action::ToggleHelp)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_docs_contain_every_key() {
        let page = include_str!("../../../../docs/gallery.md");
        for (key, effect) in super::LINES {
            assert!(page.contains(&format!("| {key} | {effect} |\n")), "{key}");
        }
    }
}
