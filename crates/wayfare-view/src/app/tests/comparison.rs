//! Two scenes side by side.

use eframe::egui::{Key, Modifiers, Pos2, pos2};

use super::screen::Screen;
use crate::action::Action;

/// Ticks and digests of both scenes.
fn states(screen: &mut Screen) -> [(u64, u64); 2] {
    let second = screen.gallery.comparison.second().unwrap();
    let second = (second.session.tick(), second.session.digest());
    [screen.state(), second]
}

#[test]
fn a_scene_beside_itself_stays_the_same_with_one_pointer_and_another_scene_differs() {
    for (second, same) in [("arrive", true), ("seek", false)] {
        let mut screen = Screen::of("arrive");
        screen.gallery.panels.controls.seed = "5".to_string();
        screen.act(Action::CompareWith(second.to_string()));
        for i in 0..90_u8 {
            // Over the first picture, then over the second one.
            let x = if i < 45 { 500.0 } else { 1000.0 };
            screen.move_mouse(pos2(x + f32::from(i), 400.0));
            let [a, b] = states(&mut screen);
            assert!(a.0 == b.0 && (a.1 == b.1 || !same), "frame {i}: {a:?} {b:?}");
        }
        let [a, b] = states(&mut screen);
        assert!(a.0 > 40 && (a.1 == b.1) == same, "{a:?} {b:?}");
        let other = &screen.gallery.comparison.second().unwrap().session;
        let other = (other.pointer(), other.seed());
        assert_eq!((screen.session().pointer(), screen.session().seed()), other);
        assert_eq!(other.1, 5);
    }
}

#[test]
fn an_added_agent_is_in_the_scene_under_the_mouse_and_so_is_its_undo() {
    let mut screen = Screen::of("arrive");
    screen.act(Action::CompareWith("seek".to_string()));
    screen.gallery.playback.playing = false;
    let counts = |screen: &mut Screen| {
        let second = screen.gallery.comparison.second().unwrap().session.len();
        [screen.session().len() - 5, second - 3]
    };
    assert_eq!(counts(&mut screen), [0, 0]);
    let (first, second) = (pos2(500.0, 400.0), pos2(1000.0, 400.0));
    screen.click_at(second);
    screen.click_at(second);
    screen.key(Key::A);
    assert_eq!(counts(&mut screen), [0, 2], "a double click, and A");
    screen.move_mouse(first);
    screen.key(Key::A);
    assert_eq!(counts(&mut screen), [1, 2]);
    let mut undo = |at: Pos2| {
        screen.move_mouse(at);
        screen.key_with(Key::Z, Modifiers::COMMAND);
        counts(&mut screen)
    };
    assert_eq!(undo(second), [1, 1]);
    assert_eq!(undo(first), [0, 1]);
    assert_eq!(undo(second), [0, 0]);
}

#[test]
fn both_pause_at_the_requested_tick_and_start_again_together() {
    let mut screen = Screen::of("doorway-separation");
    screen.gallery.playback.until = Some(12);
    screen.act(Action::CompareWith("doorway-free".to_string()));
    (0..60).for_each(|_| screen.gallery.pass_time(1.0 / 60.0, || 0.0));
    let ticks = |screen: &mut Screen| states(screen).map(|(tick, _)| tick);
    assert_eq!((ticks(&mut screen), screen.gallery.playback.playing), ([12, 12], false));
    screen.act(Action::Restart);
    assert_eq!(ticks(&mut screen), [0, 0]);
    screen.act(Action::StepForward);
    assert_eq!(ticks(&mut screen), [1, 1]);
    let text = screen.text().replace("count = 40", "count = 41");
    screen.act(Action::ReplaceText(text, true));
    assert_eq!(ticks(&mut screen), [0, 0]);
    screen.gallery.show("seek");
    assert!(screen.gallery.comparison.second().is_none(), "another scene is shown alone");
    screen.act(Action::CompareWith("no-such-scene".to_string()));
    assert!(screen.gallery.comparison.second().is_none() && screen.gallery.notice.is_some());
}

#[test]
fn an_undo_that_restarts_the_second_scene_restarts_both() {
    let mut screen = Screen::of("seek");
    screen.act(Action::CompareWith("arrive".to_string()));
    screen.gallery.playback.playing = false;
    let second = screen.gallery.comparison.second_mut().unwrap();
    let text = second.session.draft().text().replace("seed = ", "seed = 1");
    let text = format!(
        "{text}\n[[group]]\nname = \"more\"\nspawn = {{ points = [[9, 9]] }}\nmax_speed = 1\n"
    );
    let restarted = second.session.replace_text(text, true);
    assert!(restarted.is_ok());
    (0..3).for_each(|_| screen.act(Action::StepForward));
    screen.act(Action::Hover(crate::action::Pane::Second));
    screen.act(Action::Undo);
    let [a, b] = states(&mut screen).map(|(tick, _)| tick);
    assert_eq!((a, b), (0, 0));
}
