//! The text panel.

use eframe::egui::{Key, Modifiers};

use super::screen::Screen;
use crate::action::SidePanel;

const CTRL: Modifiers = Modifiers { ctrl: true, ..Modifiers::COMMAND };

#[test]
fn a_mistake_is_shown_with_its_line_and_the_last_valid_scene_goes_on() {
    let mut screen = Screen::with_panel("seek", SidePanel::Text);
    let before = screen.text();
    screen.click("scene-text");
    screen.key_with(Key::End, CTRL);
    screen.type_text("\nradus = 3");
    let problems = screen.gallery.panels.editor.problems();
    assert!(problems.len() == 1 && problems[0].message.contains("radus"), "{problems:?}");
    assert!(Screen::is_shown("problem:0"));
    let tick = screen.tick();
    screen.frames(10);
    assert_eq!(screen.text(), format!("{before}\n"));
    assert!(screen.tick() > tick);
    // Once corrected, the text takes effect.
    (0.."radus = 3".len()).for_each(|_| screen.key(Key::Backspace));
    assert!(!screen.gallery.panels.editor.has_mistakes());
    assert_eq!(screen.text(), format!("{before}\n"));
}

#[test]
fn completions_at_the_cursor_are_shown_and_tab_inserts_one() {
    let mut screen = Screen::with_panel("seek", SidePanel::Text);
    screen.click("scene-text");
    screen.key_with(Key::End, CTRL);
    screen.type_text("\n[[group.steer]]\nwan");
    assert!(Screen::is_shown("offer-key:wander"));
    screen.key(Key::Tab);
    assert!(screen.text().contains("[[group.steer]]\nwander = {}"), "{}", screen.text());
    screen.frames(1);
    assert!(!Screen::is_shown("offer-key:wander"));
}
