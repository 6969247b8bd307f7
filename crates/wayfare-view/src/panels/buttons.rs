//! Buttons that several panels have.

use eframe::egui::{Button, Response, RichText, Ui, vec2};

use crate::action::{Action, SidePanel};
use crate::platform::services;
use crate::render::theme::TOUCH;

/// A button with a name for tests and a hint.
pub(crate) fn button(ui: &mut Ui, name: &str, text: &str, hint: &str) -> Response {
    let response = ui.add(Button::new(text).min_size(vec2(TOUCH, TOUCH))).on_hover_text(hint);
    services::mark_control(name, response.rect);
    response
}

/// A switch with a name for tests and a hint; returns whether it was clicked.
pub(crate) fn switch(ui: &mut Ui, on: bool, name: &str, text: &str, hint: &str) -> bool {
    let mut on = on;
    let response = ui.toggle_value(&mut on, text).on_hover_text(hint);
    services::mark_control(name, response.rect);
    response.clicked()
}

/// A switch for each side panel; `text_has_mistakes` marks that of the text.
pub(crate) fn side_switches(
    ui: &mut Ui,
    open: Option<SidePanel>,
    text_has_mistakes: bool,
    actions: &mut Vec<Action>,
) {
    let mut all = [
        (
            SidePanel::Settings,
            "settings",
            "Settings",
            "Everything that can be set in the scene (E)",
        ),
        (SidePanel::Text, "text", "Text", "The scene's text (X)"),
        (SidePanel::Plots, "plots", "Plots", "Speeds, forces and states over time (O)"),
        (SidePanel::Agent, "agent", "Agent", "The settings of the selected agent (I)"),
    ];
    if ui.layout().prefer_right_to_left() {
        all.reverse();
    }
    for (panel, name, text, hint) in all {
        let mut on = open == Some(panel);
        let mistakes = panel == SidePanel::Text && text_has_mistakes;
        let (text, hint) = if mistakes {
            let hint = "The text has mistakes: the last valid scene goes on (X)";
            (RichText::new(text).color(ui.visuals().error_fg_color), hint)
        } else {
            (RichText::new(text), hint)
        };
        let response = ui.toggle_value(&mut on, text).on_hover_text(hint);
        services::mark_control(name, response.rect);
        if response.clicked() {
            actions.push(Action::ToggleSide(panel));
        }
    }
}

/// Help, theme and files. In a layout from right to left the first one is the rightmost.
pub(crate) fn window_buttons(ui: &mut Ui, files_open: bool, actions: &mut Vec<Action>) {
    if button(ui, "help", "Help", "Keys and the mouse (H)").clicked() {
        actions.push(Action::ToggleHelp);
    }
    let theme = if ui.visuals().dark_mode { "Light" } else { "Dark" };
    if button(ui, "theme", theme, "Light or dark (D)").clicked() {
        actions.push(Action::ToggleTheme);
    }
    if switch(ui, files_open, "file", "File", "Open, save, record, copy a link (V)") {
        actions.push(Action::ToggleFiles);
    }
}
