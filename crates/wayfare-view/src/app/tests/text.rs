//! The text panel.

use eframe::egui::{Key, Modifiers};

use super::screen::{Screen, USUAL};
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
fn the_panel_follows_the_cursor_to_a_mistake_and_lines_have_numbers() {
    let mut screen = Screen::of("captain");
    screen.gallery.panels.side = Some(SidePanel::Text);
    screen.frames(3);
    let lines = screen.text().split('\n').count();
    screen.click("line:3");
    screen.key_with(Key::End, CTRL);
    screen.type_text("\nradus = 3");
    // The panel scrolls for some frames.
    screen.frames(30);
    let is_seen = |name: &str| {
        Screen::is_shown(name) && {
            let at = Screen::rect(name).center();
            (80.0..USUAL.y).contains(&at.y)
        }
    };
    assert!(is_seen("caret"), "{:?}", Screen::rect("caret"));
    // The number of the last line is at its height.
    let (number, caret) = (Screen::rect(&format!("line:{}", lines + 1)), Screen::rect("caret"));
    assert!((number.center().y - caret.center().y).abs() < 4.0, "{number:?} {caret:?}");
    assert!(number.right() < caret.left() && !Screen::is_shown(&format!("line:{}", lines + 2)));
    // Back to the beginning, and by a click to the mistake.
    screen.key_with(Key::Home, CTRL);
    screen.frames(30);
    assert!(is_seen("line:1") && !is_seen(&format!("line:{}", lines + 1)));
    screen.click("problem:0");
    screen.frames(30);
    let last = format!("line:{}", lines + 1);
    assert!(is_seen("caret") && is_seen(&last), "{:?}", ["caret", &last].map(Screen::rect));
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
