//! The keys.

use eframe::egui::{Key, Modifiers, Ui, vec2};

use crate::action::{Action, SidePanel};

/// The actions of the keys that were pressed; none while text is typed. In the tour the Page keys
/// go through its steps.
pub(crate) fn keys(ui: &Ui, tour_on: bool) -> Vec<Action> {
    if ui.ctx().egui_wants_keyboard_input() {
        return Vec::new();
    }
    let screen = ui.ctx().content_rect();
    let (tour_back, tour_forward) = if tour_on {
        (Action::TourBack, Action::TourForward)
    } else {
        (Action::ShowNextScene(-1), Action::ShowNextScene(1))
    };
    let none = Modifiers::NONE;
    let keys = [
        (none, Key::U, Action::ToggleTour),
        (none, Key::PageDown, tour_forward),
        (none, Key::PageUp, tour_back),
        (none, Key::C, Action::ToggleComparison),
        (Modifiers::COMMAND, Key::Z, Action::Undo),
        (Modifiers::SHIFT, Key::G, Action::FollowNext),
        (none, Key::G, Action::ToggleFollow),
        (none, Key::Escape, Action::CloseWindows),
        (none, Key::Space, Action::TogglePlaying),
        (none, Key::Period, Action::StepForward),
        (none, Key::Comma, Action::StepBack),
        (none, Key::R, Action::Restart),
        (none, Key::F, Action::ToggleForces),
        (none, Key::T, Action::ToggleTrails),
        (none, Key::M, Action::ToggleHeat),
        (none, Key::S, Action::SaveLog),
        (none, Key::V, Action::ToggleFiles),
        (none, Key::K, Action::CopyLink),
        (none, Key::H, Action::ToggleHelp),
        (Modifiers::SHIFT, Key::Questionmark, Action::ToggleHelp),
        (none, Key::D, Action::ToggleTheme),
        (none, Key::E, Action::ToggleSide(SidePanel::Settings)),
        (none, Key::X, Action::ToggleSide(SidePanel::Text)),
        (none, Key::O, Action::ToggleSide(SidePanel::Plots)),
        (none, Key::I, Action::ToggleSide(SidePanel::Agent)),
        (none, Key::L, Action::ToggleList),
        (none, Key::Slash, Action::FocusSearch),
        (none, Key::A, Action::AddAgentAtMouse),
        (none, Key::W, Action::OrderToMouse(true)),
        (Modifiers::SHIFT, Key::W, Action::OrderToMouse(false)),
        (none, Key::Enter, Action::FireAtMouse),
        (none, Key::N, Action::ShowNextScene(1)),
        (none, Key::P, Action::ShowNextScene(-1)),
        (none, Key::OpenBracket, Action::ChangeSpeed(-1)),
        (none, Key::CloseBracket, Action::ChangeSpeed(1)),
        (none, Key::Num0, Action::FitView),
        (none, Key::Plus, Action::ZoomCenter(1.25, screen)),
        (none, Key::Equals, Action::ZoomCenter(1.25, screen)),
        (none, Key::Minus, Action::ZoomCenter(0.8, screen)),
        (none, Key::ArrowLeft, Action::Nudge(vec2(-1.0, 0.0), screen)),
        (none, Key::ArrowRight, Action::Nudge(vec2(1.0, 0.0), screen)),
        (none, Key::ArrowUp, Action::Nudge(vec2(0.0, -1.0), screen)),
        (none, Key::ArrowDown, Action::Nudge(vec2(0.0, 1.0), screen)),
    ];
    pressed(ui, keys)
}

/// The keys of files, which count also while text is typed.
pub(crate) fn file_keys(ui: &Ui) -> Vec<Action> {
    let keys = [(Key::O, Action::AskForFile), (Key::S, Action::SaveScene)];
    pressed(ui, keys.map(|(key, action)| (Modifiers::COMMAND, key, action)))
}

/// The actions of pressed keys, each as often as its key was pressed since the last frame.
fn pressed(ui: &Ui, keys: impl IntoIterator<Item = (Modifiers, Key, Action)>) -> Vec<Action> {
    let count = |modifiers, key| ui.input_mut(|i| i.count_and_consume_key(modifiers, key));
    keys.into_iter()
        .flat_map(|(modifiers, key, action)| std::iter::repeat_n(action, count(modifiers, key)))
        .collect()
}
