use eframe::egui::{Pos2, pos2};
use wayfare::glam::Vec2;
use wayfare_scene::edit::Value;
use wayfare_scene::{Format, bundled};

use super::*;
use crate::session::scene::{Edit, Live, open};

fn scene(name: &str) -> Box<dyn Live> {
    open(name, bundled(name).unwrap().text, Format::Toml).unwrap()
}

/// What a person does at a tick of the captain's scene or another with a pointer: drags somebody,
/// adds, moves the mouse, fires.
fn act(live: &mut dyn Live, tick: u64) -> Option<Pos2> {
    match tick {
        8 => live.add(pos2(150.0, 160.0)),
        20 => {
            let first = live.first(1).first().and_then(|&id| live.place_of(id)).unwrap();
            let hold = live.hold(first, 1.0).unwrap();
            live.take(hold);
            live.drag(Vec2::new(30.0, 10.0));
            live.drag(Vec2::new(45.0, -10.0));
            live.let_go();
        }
        31 => _ = live.undo(),
        12 | 40 => live.fire(pos2(300.0, 20.0)),
        _ => {}
    }
    tick.is_multiple_of(3).then_some(pos2(200.0 + tick as f32, 150.0))
}

/// The digest at each tick from 0 to `ticks`, before anything is done at it, of a scene in which
/// somebody acts.
fn played(name: &str, ticks: u64) -> (Box<dyn Live>, Vec<u64>) {
    let mut live = scene(name);
    let mut digests = vec![live.digest()];
    for tick in 0..ticks {
        let pointer = act(live.as_mut(), tick);
        live.step(pointer);
        digests.push(live.digest());
    }
    (live, digests)
}

#[test]
fn back_in_time_and_forward_again_every_tick_has_its_digest_whatever_was_done_in_between() {
    for name in ["captain", "arrive", "hunter-and-prey"] {
        let (mut live, digests) = played(name, 60);
        let (log, count) = (live.log(), live.len());
        for tick in [59, 30, 7, 0, 45, 60, 21, 60, 3] {
            live.go_to(tick);
            assert_eq!((live.tick(), live.digest()), (tick, digests[tick as usize]), "{name}");
        }
        // The mouse does not meddle: what was done is done again.
        while live.tick() < 60 {
            live.step(Some(pos2(1.0, 1.0)));
            assert_eq!(live.digest(), digests[live.tick() as usize], "{name} at {}", live.tick());
        }
        assert_eq!((live.log(), live.len()), (log, count), "{name}");
    }
}

#[test]
fn who_does_something_else_in_the_past_goes_another_way_and_the_log_says_which() {
    let (mut live, digests) = played("arrive", 60);
    live.go_to(25);
    live.add(pos2(10.0, 10.0));
    assert_eq!(live.known().1, 25);
    let lines = live.log();
    assert!(
        lines.lines().last().unwrap().contains("{\"tick\": 25, \"add\"")
            && !lines.contains("\"tick\": 57"),
        "{lines}"
    );
    (25..60).for_each(|_| live.step(None));
    assert_ne!(live.digest(), digests[60]);
    // That way can be gone back as well, and its log is the run.
    let end = live.digest();
    live.go_to(10);
    assert_eq!(live.digest(), digests[10]);
    live.go_to(60);
    assert_eq!((live.digest(), live.known().1), (end, 60));
}

#[test]
fn what_comes_later_can_be_forgotten_without_doing_anything_and_then_the_mouse_is_the_pointer() {
    let (mut live, digests) = played("arrive", 40);
    live.go_to(30);
    live.forget_later();
    assert_eq!((live.known().1, live.digest()), (30, digests[30]));
    let before = live.log();
    live.step(Some(pos2(5.0, 5.0)));
    assert!(
        live.log().starts_with(&before)
            && live.log().contains("{\"tick\": 30, \"pointer\": [5.0, 5.0"),
        "{}",
        live.log()
    );
}

#[test]
fn what_is_done_while_it_stands_still_belongs_to_the_present() {
    let (mut live, _) = played("arrive", 30);
    live.add(pos2(70.0, 70.0));
    let (digest, count) = (live.digest(), live.len());
    live.go_to(29);
    assert!(live.len() == count - 1 && live.digest() != digest);
    live.step(None);
    assert_eq!((live.tick(), live.len(), live.digest()), (30, count, digest));
    live.go_to(12);
    live.go_to(30);
    assert_eq!((live.len(), live.digest()), (count, digest));
    // It is undone, as if nobody had been away.
    live.undo();
    assert_eq!(live.len(), count - 1);
}

#[test]
fn the_text_goes_back_with_the_crowd_and_so_does_what_can_be_undone() {
    let mut live = scene("arrive");
    (0..20).for_each(|_| live.step(None));
    let place = live
        .draft()
        .controls()
        .into_iter()
        .find(|field| field.key_path.to_string().ends_with("slowing_radius"))
        .unwrap()
        .key_path;
    let before = live.draft().text().to_string();
    live.edit(&Edit::Set(place, Value::Number(44.0)), true).unwrap();
    let after = live.draft().text().to_string();
    assert!(before != after && live.tick() == 20);
    (0..20).for_each(|_| live.step(None));
    let end = live.digest();
    live.go_to(20);
    assert!(live.draft().text() == before && !live.can_undo());
    live.step(None);
    assert!(live.draft().text() == after && !live.can_undo());
    live.go_to(40);
    assert!(live.draft().text() == after && live.can_undo() && live.digest() == end);
    live.undo();
    assert_eq!(live.draft().text(), before);
}

#[test]
fn memory_is_bounded_and_a_crowd_too_large_for_it_does_without() {
    let (mut past, scene) = (Past::<Vec2>::default(), bundled("seek").unwrap());
    let source = wayfare_scene::Source { name: "seek".to_string(), text: scene.text.to_string() };
    let Ok(wayfare_scene::AnyScene::TwoD(scene)) = wayfare_scene::read(&source, Format::Toml)
    else {
        panic!("it is flat")
    };
    let mut crowd = Crowd::new(scene.setup).unwrap();
    for _ in 0..3 * REACH {
        past.note(&crowd, "text", 0);
        crowd.step();
    }
    assert_eq!(
        (past.moments.len(), past.undos.len() < REACH + 2 * EVERY.0, past.texts.len()),
        (REACH / EVERY.0, true, 1)
    );
    let (first, last) = past.known(past.present);
    assert!(last == past.present && last - first >= (REACH - EVERY.0) as u64, "{first} to {last}");
    // 8 MB each: some have room, farther apart. 80 MB: none has.
    for (agents, kept) in [(100_000, true), (1_000_000, false)] {
        let text = format!(
            "[[group]]\nname = \"many\"\ncount = {agents}\nspawn = {{ box = {{ min = [0, 0], max \
             = [9, 9] }} }}\nmax_speed = 1\n"
        );
        let source = wayfare_scene::Source { name: "many".to_string(), text };
        let Ok(wayfare_scene::AnyScene::TwoD(scene)) = wayfare_scene::read(&source, Format::Toml)
        else {
            panic!("it is flat")
        };
        let crowd = Crowd::new(scene.setup).unwrap();
        let mut past = Past::<Vec2>::default();
        past.note(&crowd, "text", 0);
        assert_eq!((past.every > 0, past.moments.len()), (kept, usize::from(kept)), "{agents}");
        assert!(
            past.spare
                .iter()
                .chain(past.moments.iter().map(|(_, bytes)| bytes))
                .map(Vec::capacity)
                .sum::<usize>()
                <= ROOM
        );
    }
}
