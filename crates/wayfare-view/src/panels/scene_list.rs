//! The list of bundled scenes, with a search field.

use eframe::egui::{Align, Align2, Button, Id, Panel, RichText, ScrollArea, TextEdit, Ui, vec2};

use crate::action::Action;
use crate::platform::services;
use crate::render::theme::TOUCH;
use crate::session::catalog::{Entry, heading};

/// The input of the user in the list, and whether it is open.
#[derive(Clone, Debug)]
pub(crate) struct SceneList {
    /// Whether the list is open; `None` if it depends on the room.
    pub(crate) open: Option<bool>,
    search: String,
    /// Whether to scroll to the present scene.
    pub(crate) scroll_to_scene: bool,
}

impl Default for SceneList {
    fn default() -> Self {
        Self { open: None, search: String::new(), scroll_to_scene: true }
    }
}

/// The search field.
pub(crate) fn search_id() -> Id {
    Id::unique("search")
}

impl SceneList {
    /// Shows the list; `name` is the present scene.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        catalog: &[Entry],
        name: &str,
        narrow: bool,
    ) -> Vec<Action> {
        let mut actions = Vec::new();
        let width = if narrow { ui.available_width() * 0.8 } else { 260.0 };
        Panel::left("scenes").resizable(!narrow).default_size(width).show(ui, |ui| {
            self.content(ui, catalog, name, &mut actions);
        });
        if narrow && !actions.is_empty() {
            actions.push(Action::CloseList);
        }
        actions
    }

    fn content(&mut self, ui: &mut Ui, catalog: &[Entry], name: &str, actions: &mut Vec<Action>) {
        ui.add_space(6.0);
        let field = TextEdit::singleline(&mut self.search)
            .hint_text("Search (/)")
            .desired_width(f32::INFINITY)
            .min_size(vec2(0.0, TOUCH))
            .align(Align2::LEFT_CENTER)
            .id(search_id());
        let search = ui.add(field);
        services::mark_control("search", search.rect);
        let mut scrolling = false;
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let mut folder = "";
            for entry in catalog.iter().filter(|entry| entry.matches(&self.search)) {
                if entry.scene.folder != folder {
                    folder = entry.scene.folder;
                    ui.add_space(8.0);
                    ui.label(RichText::new(heading(folder)).strong());
                }
                let is_shown = entry.scene.name == name;
                let button = Button::selectable(is_shown, &entry.title).wrap();
                let button = ui.add(button.min_size(vec2(ui.available_width(), TOUCH)));
                services::mark_control(&format!("scene:{}", entry.scene.name), button.rect);
                // Scroll until the entry is visible: panels can change their height in their second
                // frame.
                let hidden = !ui.clip_rect().contains_rect(button.rect);
                if is_shown && self.scroll_to_scene && hidden {
                    button.scroll_to_me(Some(Align::Center));
                    scrolling = true;
                }
                if button.on_hover_text(&entry.description).clicked() {
                    actions.push(Action::ShowScene(entry.scene.name.to_string()));
                }
            }
            if folder.is_empty() {
                ui.label("No scene contains these words.");
            }
        });
        self.scroll_to_scene = scrolling;
    }
}
