//! The file window, and the question for a path.
//!
//! A window asks for a path instead of showing the system's dialog: a crate for such dialogs brings
//! a message bus and dozens of other crates along.

use eframe::egui::{Align2, Button, Context, Key, RichText, TextEdit, Ui, Window, vec2};
use wayfare_record::output::FORMATS;

use crate::action::Action;
use crate::platform::services;
use crate::render::theme::TOUCH;

/// Width of the buttons (points of the screen).
const WIDTH: f32 = 132.0;

/// The windows of files.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileWindows {
    /// Whether the file window is open.
    pub(crate) open: bool,
    /// Whether a path is asked for, and what has been typed of it.
    asking: bool,
    path: String,
}

impl FileWindows {
    /// Opens or closes the question for a path.
    pub(crate) fn toggle_question(&mut self) {
        self.asking = !self.asking;
    }

    /// Shows the windows that are open.
    pub(crate) fn show(&mut self, ctx: &Context) -> Vec<Action> {
        let mut actions = Vec::new();
        self.file_window(ctx, &mut actions);
        self.question(ctx, &mut actions);
        actions
    }

    fn question(&mut self, ctx: &Context, actions: &mut Vec<Action>) {
        let (mut open, mut confirmed) = (self.asking, false);
        Window::new("Open a scene or a log")
            .open(&mut open)
            .resizable(false)
            .collapsible(false)
            .show(ctx, |ui| {
                ui.label(
                    "The path of a scene (.toml, .json) or of a log (.jsonl) to replay. Files can \
                     also be dropped on the window.",
                );
                let field = TextEdit::singleline(&mut self.path)
                    .hint_text("scenes/mine.toml")
                    .desired_width(360.0)
                    .min_size(vec2(0.0, TOUCH));
                let field = ui.add(field);
                if self.path.is_empty() && !field.has_focus() {
                    field.request_focus();
                }
                let entered = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
                let button = ui.add(Button::new("Open").min_size(vec2(TOUCH, TOUCH)));
                confirmed = entered || button.clicked();
            });
        self.asking = open;
        if confirmed && !self.path.trim().is_empty() {
            self.asking = false;
            actions.push(Action::OpenPath(std::mem::take(&mut self.path).trim().to_string()));
        }
    }

    fn file_window(&mut self, ctx: &Context, actions: &mut Vec<Action>) {
        let mut row = |ui: &mut Ui, name: &str, text: &str, hint: &str, action: Action| {
            ui.horizontal(|ui| {
                let button = Button::new(RichText::new(text).strong());
                let button = ui.add(button.min_size(vec2(WIDTH, TOUCH)));
                services::mark_control(name, button.rect);
                if button.clicked() {
                    actions.push(action);
                }
                ui.label(hint);
            });
        };
        let mut open = self.open;
        let window = Window::new("File")
            .open(&mut open)
            .resizable(false)
            .collapsible(false)
            .anchor(Align2::RIGHT_TOP, [-8.0, 44.0]);
        window.show(ctx, |ui| {
            row(ui, "open", "Open", "a scene, or a log to replay (Ctrl+O)", Action::AskForFile);
            row(ui, "link", "Copy link", "to the present scene (K)", Action::CopyLink);
            row(ui, "save-scene", "Save scene", "its present text (Ctrl+S)", Action::SaveScene);
            let log = "what you did, for `wayfare run --input` (S)";
            row(ui, "save-log", "Save log", log, Action::SaveLog);
            for format in FORMATS {
                let name = format!("save-{}", format.extension);
                let text = format!("Save {}", format.extension.to_uppercase());
                row(ui, &name, &text, format.content, Action::Export(format));
            }
        });
        self.open = open && actions.is_empty();
    }
}
