//! Opening and exporting files.

use wayfare::AgentId;
use wayfare::glam::vec2;
use wayfare_record::output::Format;

use super::screen::Screen;
use crate::app::Shown;

/// A scene at tick 40, in which an agent was added and the mouse was moved.
fn used(scene: &str) -> Screen {
    let mut screen = Screen::of(scene);
    let session = screen.session();
    for tick in 0..40 {
        if tick == 7 {
            session.add_agent(vec2(50.0, 60.0));
            session.fire(vec2(300.0, 200.0));
        }
        session.step(Some(vec2(200.0 + tick as f32, 100.0)));
    }
    screen
}

#[test]
fn an_opened_log_replays_to_the_same_digest_wherever_the_mouse_is() {
    for scene in ["seek", "captain"] {
        let mut first = used(scene);
        let (log, digest) = (first.session().log(), first.session().digest());
        let mut again = Screen::of(scene);
        again.session().step(Some(vec2(1.0, 1.0)));
        again.gallery.open_text("used.jsonl", log.clone());
        let session = again.session();
        (0..40).for_each(|_| session.step(Some(vec2(9.0, 9.0))));
        assert_eq!((session.digest(), session.log()), (digest, log.clone()), "{scene}");
        assert_eq!(session.take_replay_error(), None);
        // Going back and forth during the replay, and a change in its middle.
        again.gallery.open_text("used.jsonl", log.clone());
        let session = again.session();
        (0..20).for_each(|_| session.step(None));
        assert_eq!((session.is_replaying(), session.known_ticks()), (true, (0, 20)));
        assert_eq!(session.log(), log);
        session.go_to(3);
        (3..40).for_each(|_| session.step(None));
        assert_eq!((session.digest(), session.is_replaying()), (digest, false), "{scene}");
        session.go_to(30);
        session.discard_later();
        session.step(Some(vec2(9.0, 9.0)));
        assert!(!session.is_replaying() && session.log() != log && session.digest() != digest);
    }
}

#[test]
fn a_file_that_cannot_be_opened_is_reported_with_its_name_and_the_allowed_ones() {
    let mut screen = Screen::of("seek");
    for (name, bytes, message) in [
        ("a/b.txt", &b"x"[..], "b.txt is neither a scene nor a log"),
        ("b.toml", b"\xff", "b.toml:1:1: the byte 0xff is not UTF-8"),
        ("c.jsonl", b"{}", "c.jsonl"),
    ] {
        screen.gallery.open_file(name, bytes.to_vec());
        let notice = screen.gallery.notice.take().unwrap();
        assert!(notice.contains(message), "{notice}");
        assert!(name == "c.jsonl" || notice.contains("allowed:"), "{notice}");
        assert_eq!(screen.gallery.name, "seek");
    }
}

#[test]
fn a_log_of_another_scene_stops_with_a_message() {
    let mut screen = Screen::of("seek");
    screen.gallery.open_file("c.jsonl", b"{\"tick\": 0, \"remove\": 99}".to_vec());
    let session = screen.session();
    session.step(None);
    let error = session.take_replay_error().unwrap();
    assert!(error.contains("another scene"), "{error}");
    assert_eq!(session.take_replay_error(), None);
}

#[test]
fn a_scene_file_is_shown_and_one_with_mistakes_is_reported() {
    let mut screen = Screen::of("seek");
    let json = "{\"title\": \"Mine\", \"group\": [{\"name\": \"a\", \"spawn\": {\"points\": [[0, \
                0]]}, \"max_speed\": 1}]}";
    screen.gallery.open_file("mine.json", json.into());
    assert_eq!(screen.session().title(), "Mine");
    assert_eq!(screen.gallery.file_name("png"), "mine.png");
    screen.gallery.open_file("bad.toml", b"sed = 7".to_vec());
    let Shown::Problem { problem, .. } = &screen.gallery.shown else { panic!("a scene is shown") };
    assert!(problem.contains("bad.toml:1:1"), "{problem}");
}

#[test]
fn an_export_is_the_run_again_with_all_commands() {
    let mut screen = used("captain");
    let session = screen.session();
    let file = |extension| {
        let format = Format::from_extension(extension).unwrap();
        let (mut export, remark) = session.export(format).unwrap();
        assert_eq!((remark.as_str(), export.progress()), ("", 0.0));
        (0..100).find_map(|_| export.advance().unwrap()).unwrap()
    };
    assert!(file("gif").starts_with(b"GIF89a"));
    assert!(file("png").starts_with(b"\x89PNG"));
    let rows = String::from_utf8(file("csv")).unwrap();
    let last: Vec<_> = rows.lines().filter(|row| row.starts_with("40,")).collect();
    assert_eq!(last.len(), session.len());
    let at = session.position_of(AgentId(0)).unwrap();
    let fields: Vec<_> = last[0].split(',').collect();
    assert_eq!((fields[4].parse(), fields[5].parse()), (Ok(at.x), Ok(at.y)));
}
