//! Links that carry a scene.

use wayfare_scene::{Format, bundled};

use super::screen::Screen;
use crate::action::Action;
use crate::app::Shown;
use crate::session::edit::Edit;
use crate::session::link::encode;
use crate::session::open::open;

const EDITED: &str = "title = \"Größer\" # ein Kommentar\n[[group]]\nname = \"a\"\ncount = \
                      7\nmax_speed = 2\nspawn = { circle = { center = [0, 0], radius = 9 } }\n";

#[test]
fn a_shared_scene_is_an_edit_of_the_bundled_one_and_can_be_restored() {
    let mut screen = Screen::of("flee");
    screen.gallery.show_shared("seek", &encode(EDITED));
    assert_eq!(screen.gallery.name, "seek");
    let session = screen.session();
    assert_eq!((session.title(), session.len()), ("Größer", 7));
    let alone = open("a", EDITED, Format::Toml).unwrap().digest();
    assert_eq!((session.digest(), session.starting_text()), (alone, EDITED));
    screen.act(Action::Edit(Edit::RestoreAll, true));
    assert_eq!(screen.text(), bundled("seek").unwrap().text);
    // A scene that is not bundled is opened as it is.
    screen.gallery.show_shared("mine.toml", &encode(EDITED));
    let session = screen.session();
    assert_eq!((session.title(), session.can_undo()), ("Größer", false));
}

#[test]
fn a_broken_link_and_one_with_mistakes_show_the_problem() {
    let mut screen = Screen::of("flee");
    for (name, text, message) in [
        ("seek", "x".to_string(), "cannot be read"),
        ("seek", encode("sed = 7\n"), "seed"),
        ("my.toml", encode("sed = 7\n"), "my.toml"),
    ] {
        screen.gallery.show_shared(name, &text);
        let Shown::Problem { problem, .. } = &screen.gallery.shown else { panic!("{name}") };
        assert!(problem.contains(message), "{problem}");
    }
}
