//! Two scenes in step.

use super::*;
use crate::app::tests::{click_at, frame_with, gallery, key};
use crate::session::catalog::catalog;
use eframe::egui;

fn digests(gallery: &mut Gallery) -> [(u64, u64); 2] {
    let other = gallery
        .compare
        .other
        .as_ref()
        .map(|other| (other.live.tick(), other.live.digest()))
        .unwrap();
    let live = gallery.live().unwrap();
    [(live.tick(), live.digest()), other]
}

#[test]
fn a_scene_beside_itself_is_the_same_at_every_frame_with_one_pointer_and_another_one_is_not() {
    for (beside, same) in [("arrive", true), ("seek", false)] {
        let (mut gallery, ctx) = (gallery(), egui::Context::default());
        gallery.show("arrive");
        gallery.seed = "5".to_string();
        gallery.compare_with(beside);
        for i in 0..90_u8 {
            // Over the first picture, and over the second.
            let x = if i < 45 { 500.0 } else { 1000.0 };
            frame_with(
                &mut gallery,
                &ctx,
                egui::Event::PointerMoved(egui::pos2(x + f32::from(i), 400.0)),
            );
            let [first, second] = digests(&mut gallery);
            assert!(
                first.0 == second.0 && (first.1 == second.1 || !same),
                "frame {i}: {first:?} {second:?}"
            );
        }
        let [first, second] = digests(&mut gallery);
        assert!(first.0 > 40 && (first.1 == second.1) == same, "{first:?} {second:?}");
        let other = gallery.compare.other.as_ref().unwrap();
        let pointer = (other.live.pointer(), other.live.seed());
        let live = gallery.live().unwrap();
        assert_eq!((live.pointer(), live.seed()), pointer);
        assert_eq!(pointer.1, 5);
    }
}

#[test]
fn however_a_tick_is_cut_into_frames_both_are_in_step_and_a_single_tick_is_one_of_both() {
    let mut gallery = gallery();
    gallery.show("flock-2000-2d");
    gallery.compare_with("flock-2000-2d");
    let now = std::cell::Cell::new(0.0);
    let mut apart = 0;
    for i in 0..40 {
        gallery.mouse = Some(egui::pos2(f32::from(i as u8), 0.0));
        gallery.pass(0.1, || {
            now.set(now.get() + 0.05);
            now.get()
        });
        let [first, second] = digests(&mut gallery);
        assert!(first.0 - second.0 <= 1);
        apart += u32::from(first.0 != second.0);
    }
    assert!(apart > 0, "parts of ticks end in one before the other");
    gallery.playing = false;
    gallery.pass(0.1, || 0.0);
    let [first, second] = digests(&mut gallery);
    assert!(first == second && first.0 > 2, "{first:?} {second:?}");
    gallery.single_step();
    let [next, also] = digests(&mut gallery);
    assert!(next == also && next.0 == first.0 + 1);
}

#[test]
fn who_is_added_stands_in_the_picture_under_the_mouse_and_is_taken_back_there() {
    let (mut gallery, ctx) = (gallery(), egui::Context::default());
    gallery.show("arrive");
    gallery.compare_with("seek");
    gallery.playing = false;
    let counts = |gallery: &mut Gallery| {
        [gallery.live().unwrap().len() - 5, gallery.compare.other.as_ref().unwrap().live.len() - 3]
    };
    assert_eq!(counts(&mut gallery), [0, 0]);
    let second = pos2(1000.0, 400.0);
    click_at(&mut gallery, &ctx, second);
    click_at(&mut gallery, &ctx, second);
    key(&mut gallery, &ctx, Key::A);
    assert_eq!(counts(&mut gallery), [0, 2], "a double click, and A");
    frame_with(&mut gallery, &ctx, egui::Event::PointerMoved(pos2(500.0, 400.0)));
    key(&mut gallery, &ctx, Key::A);
    assert_eq!(counts(&mut gallery), [1, 2]);
    let mut undo = |at: Pos2| {
        frame_with(&mut gallery, &ctx, egui::Event::PointerMoved(at));
        let event = egui::Event::Key {
            key: Key::Z,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::COMMAND,
        };
        frame_with(&mut gallery, &ctx, event);
        counts(&mut gallery)
    };
    assert_eq!(undo(second), [1, 1]);
    assert_eq!(undo(pos2(500.0, 400.0)), [0, 1]);
    assert_eq!(undo(second), [0, 0]);
}

#[test]
fn it_stops_where_it_was_asked_to_with_both_and_a_change_or_a_restart_begins_both_anew() {
    let mut gallery = gallery();
    gallery.until = Some(12);
    gallery.show("doorway-separation");
    gallery.compare_with("doorway-free");
    (0..60).for_each(|_| gallery.pass(1.0 / 60.0, || 0.0));
    assert!(digests(&mut gallery).map(|(tick, _)| tick) == [12, 12] && !gallery.playing);
    gallery.restart();
    assert_eq!(digests(&mut gallery).map(|(tick, _)| tick), [0, 0]);
    gallery.single_step();
    let draft = gallery.live().unwrap().draft().text().replace("count = 40", "count = 41");
    let outcome = gallery.live().unwrap().retype(draft, true).unwrap();
    gallery.came_of(outcome);
    assert_eq!(digests(&mut gallery).map(|(tick, _)| tick), [0, 0]);
    gallery.show("seek");
    assert!(gallery.compare.other.is_none(), "another scene stands alone");
    gallery.compare_with("no-such-scene");
    assert!(gallery.compare.other.is_none() && gallery.notice.is_some());
}

#[test]
fn the_partner_of_every_scene_is_there_and_has_the_same_world() {
    let world = |name: &str| open(name, bundled(name).unwrap().text, Format::Toml).unwrap().world();
    for entry in catalog() {
        let name = entry.scene.name;
        assert_eq!(world(partner(name)), world(name), "{name}");
    }
    assert!(PAIRS.iter().all(|(first, second)| bundled(first).is_some() && first != second));
    assert_eq!(
        ["doorway-free", "doorway-brake-and-stop", "avoid-uncorrected", "pursue-30"].map(partner),
        ["doorway-separation", "doorway-separation", "avoid-corrected", "pursue-3"]
    );
}

#[test]
fn the_two_are_beside_each_other_on_a_wide_screen_and_one_above_the_other_on_a_phone() {
    let world = Rect::from_min_size(Pos2::ZERO, vec2(640.0, 480.0));
    for (size, wide) in [(vec2(1000.0, 640.0), true), (vec2(390.0, 600.0), false)] {
        let screen = Rect::from_min_size(pos2(10.0, 20.0), size);
        let [first, second] = halves(screen, world);
        assert_eq!(
            (first.min, second.max, first.top() == second.top(), first.left() == second.left()),
            (screen.min, screen.max, wide, !wide)
        );
        assert!(!first.intersects(second) && first.size() == second.size());
    }
}
