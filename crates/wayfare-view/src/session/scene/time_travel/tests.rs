//! Going back and forward in time.

use wayfare::glam::{Vec2, vec2};
use wayfare_scene::edit::Value;
use wayfare_scene::{Format, bundled};

use crate::session::edit::Edit;
use crate::session::open::open;
use crate::session::traits::Session;

fn scene(name: &str) -> Box<dyn Session> {
    open(name, bundled(name).unwrap().text, Format::Toml).unwrap()
}

/// Changes at some ticks: adds, drags, undoes and fires. Returns the pointer.
fn change(session: &mut dyn Session, tick: u64) -> Option<Vec2> {
    match tick {
        8 => session.add_agent(vec2(150.0, 160.0)),
        20 => {
            let first =
                session.first_ids(1).first().and_then(|&id| session.position_of(id)).unwrap();
            let pick = session.pick(first, 1.0).unwrap();
            session.grab(pick);
            session.drag(vec2(30.0, 10.0));
            session.drag(vec2(45.0, -10.0));
            session.release();
        }
        31 => _ = session.undo(),
        12 | 40 => session.fire(vec2(300.0, 20.0)),
        _ => {}
    }
    tick.is_multiple_of(3).then_some(vec2(200.0 + tick as f32, 150.0))
}

/// A scene with changes, and the digest at the beginning of each tick from 0 to `ticks`.
fn played(name: &str, ticks: u64) -> (Box<dyn Session>, Vec<u64>) {
    let mut session = scene(name);
    let mut digests = vec![session.digest()];
    for tick in 0..ticks {
        let pointer = change(session.as_mut(), tick);
        session.step(pointer);
        digests.push(session.digest());
    }
    (session, digests)
}

#[test]
fn every_tick_has_its_digest_again_however_time_goes_back_and_forward() {
    for name in ["captain", "arrive", "hunter-and-prey"] {
        let (mut session, digests) = played(name, 60);
        let (log, count) = (session.log(), session.len());
        for tick in [59, 30, 7, 0, 45, 60, 21, 60, 3] {
            session.go_to(tick);
            assert_eq!(
                (session.tick(), session.digest()),
                (tick, digests[tick as usize]),
                "{name}"
            );
        }
        // The mouse has no effect: the recorded commands are replayed.
        while session.tick() < 60 {
            session.step(Some(vec2(1.0, 1.0)));
            assert_eq!(
                session.digest(),
                digests[session.tick() as usize],
                "{name} at {}",
                session.tick()
            );
        }
        assert_eq!((session.log(), session.len()), (log, count), "{name}");
    }
}

#[test]
fn a_change_in_the_past_discards_what_followed_in_the_log_as_well() {
    let (mut session, digests) = played("arrive", 60);
    session.go_to(25);
    session.add_agent(vec2(10.0, 10.0));
    assert_eq!(session.known_ticks().1, 25);
    let lines = session.log();
    assert!(
        lines.lines().last().unwrap().contains("{\"tick\": 25, \"add\"")
            && !lines.contains("\"tick\": 57"),
        "{lines}"
    );
    (25..60).for_each(|_| session.step(None));
    assert_ne!(session.digest(), digests[60]);
    // The new run has a history, too.
    let end = session.digest();
    session.go_to(10);
    assert_eq!(session.digest(), digests[10]);
    session.go_to(60);
    assert_eq!((session.digest(), session.known_ticks().1), (end, 60));
}

#[test]
fn after_discarding_later_ticks_the_mouse_is_the_pointer_again() {
    let (mut session, digests) = played("arrive", 40);
    session.go_to(30);
    session.discard_later();
    assert_eq!((session.known_ticks().1, session.digest()), (30, digests[30]));
    let before = session.log();
    session.step(Some(vec2(5.0, 5.0)));
    assert!(
        session.log().starts_with(&before)
            && session.log().contains("{\"tick\": 30, \"pointer\": [5.0, 5.0"),
        "{}",
        session.log()
    );
}

#[test]
fn a_change_while_paused_belongs_to_the_present_tick() {
    let (mut session, _) = played("arrive", 30);
    session.add_agent(vec2(70.0, 70.0));
    let (digest, count) = (session.digest(), session.len());
    session.go_to(29);
    assert!(session.len() == count - 1 && session.digest() != digest);
    session.step(None);
    assert_eq!((session.tick(), session.len(), session.digest()), (30, count, digest));
    session.go_to(12);
    session.go_to(30);
    assert_eq!((session.len(), session.digest()), (count, digest));
    // It can be undone after going back and forth.
    session.undo();
    assert_eq!(session.len(), count - 1);
}

#[test]
fn text_and_undo_steps_go_back_with_the_crowd() {
    let mut session = scene("arrive");
    (0..20).for_each(|_| session.step(None));
    let path = session
        .draft()
        .controls()
        .into_iter()
        .find(|field| field.key_path.to_string().ends_with("slowing_radius"))
        .unwrap()
        .key_path;
    let before = session.draft().text().to_string();
    session.edit(&Edit::Set(path, Value::Number(44.0)), true).unwrap();
    let after = session.draft().text().to_string();
    assert!(before != after && session.tick() == 20);
    (0..20).for_each(|_| session.step(None));
    let end = session.digest();
    session.go_to(20);
    assert!(session.draft().text() == before && !session.can_undo());
    session.step(None);
    assert!(session.draft().text() == after && !session.can_undo());
    session.go_to(40);
    assert!(session.draft().text() == after && session.can_undo() && session.digest() == end);
    session.undo();
    assert_eq!(session.draft().text(), before);
}
