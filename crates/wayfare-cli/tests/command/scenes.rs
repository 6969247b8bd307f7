//! `wayfare check`, `list`, `new` and `schema`.

use std::path::Path;

use super::support::*;

#[test]
fn check_reads_many_scenes_and_gives_hints() {
    let folder = folder_with_a_scene();
    std::fs::write(folder.path().join("bad.toml"), "[[group]]\n").unwrap();
    let fine = wayfare(folder.path(), &["check", "guest.toml", "arrive"]);
    assert_eq!(fine.status.code(), Some(0));
    assert!(
        out(&fine).contains("guest.toml: fine\n")
            && out(&fine).contains("the agent overshoots before it settles"),
        "{}",
        out(&fine)
    );
    // Correct scenes are reported and wrong ones explained, in any order.
    let wrong =
        wayfare(folder.path(), &["check", "bad.toml", "guest.toml", "nowhere.toml", "seek"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert_eq!(out(&wrong), "guest.toml: fine\nclassic/seek.toml: fine\n");
    for part in ["`group` has no `name`", "bad.toml: 3 errors", "`nowhere.toml`"] {
        assert!(err(&wrong).contains(part), "{part} is not in {}", err(&wrong));
    }
}

#[test]
fn a_run_says_the_hints_at_a_scene_of_the_users_own_in_a_line_each() {
    let folder = tempdir().unwrap();
    let scene = "duration = 3\n[[group]]\nname = \"birds\"\nspawn = { points = [[0, 0], [0, 9]] \
                 }\nmass = 5\nmax_speed = 2\nsteer = [{ flock = { radius = 12 } }]\n";
    std::fs::write(folder.path().join("birds.toml"), scene).unwrap();
    let run = wayfare(folder.path(), &["run", "birds.toml"]);
    let hint = "hint: birds.toml:7: nothing drives \"birds\": `flock` takes the mean";
    assert_eq!((run.status.code(), err(&run).lines().count()), (Some(0), 1), "{}", err(&run));
    assert!(err(&run).starts_with(hint), "{}", err(&run));
    let quiet = wayfare(folder.path(), &["run", "birds.toml", "-q"]);
    assert_eq!(err(&quiet), "");
    // A bundled scene shows what a hint warns of on purpose.
    assert_eq!(err(&wayfare(folder.path(), &["run", "arrive"])), "");
}

#[test]
fn list_shows_every_bundled_scene_with_its_title() {
    let text = out(&wayfare(Path::new("."), &["list"]));
    for scene in wayfare_scene::BUNDLED {
        assert!(text.contains(scene.name), "{} is not in\n{text}", scene.name);
    }
    assert!(text.contains("Leaving a room through a doorway"), "{text}");
}

#[test]
fn a_new_scene_is_not_overwritten_checks_without_hints_and_runs() {
    let folder = tempdir().unwrap();
    let made = wayfare(folder.path(), &["new", "crowd"]);
    assert_eq!((made.status.code(), err(&made)), (Some(0), String::new()));
    assert!(out(&made).starts_with("wrote crowd.toml\n"), "{}", out(&made));
    assert_eq!(out(&wayfare(folder.path(), &["check", "crowd.toml"])), "crowd.toml: fine\n");
    let text = std::fs::read_to_string(folder.path().join("crowd.toml")).unwrap();
    assert!(text.contains("title = \"crowd\"") && text.matches('#').count() > 10, "{text}");
    let run = wayfare(folder.path(), &["run", "crowd.toml", "-o", "crowd.png"]);
    assert_eq!((run.status.code(), err(&run)), (Some(0), String::new()));
    assert!(out(&run).contains("8 guests, 1 dog; 400 ticks"), "{}", out(&run));

    std::fs::write(folder.path().join("crowd.toml"), "mine").unwrap();
    for (name, expected) in [
        ("crowd", "error: crowd.toml exists already\nallowed: the name of a new file\n"),
        ("crowd.toml", "error: crowd.toml exists already\nallowed: the name of a new file\n"),
        (
            "crowd.json",
            "error: `crowd.json`: the new scene has comments, which JSON does not allow\nallowed: \
             a name that ends in .toml, or has no extension\n",
        ),
        ("..", "error: `..` is not a file name\nallowed: a name such as crowd, for crowd.toml\n"),
    ] {
        let output = wayfare(folder.path(), &["new", name]);
        assert_eq!((output.status.code(), err(&output).as_str()), (Some(1), expected));
    }
    assert_eq!(wayfare(folder.path(), &["new", "none/crowd"]).status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(folder.path().join("crowd.toml")).unwrap(), "mine");
    assert_eq!(files(folder.path()), ["crowd.png", "crowd.toml"]);
}

#[test]
fn the_schema_is_printed_and_a_scene_in_json_may_name_it() {
    let folder = tempdir().unwrap();
    assert_eq!(out(&wayfare(folder.path(), &["schema"])), wayfare_scene::schema());
    let json = "{ \"$schema\": \"wayfare.schema.json\", \"group\": [{ \"name\": \"a\", \"spawn\": \
                { \"points\": [[0, 0]] }, \"max_speed\": 3, \"max_force\": \"inf\" }] }";
    std::fs::write(folder.path().join("a.json"), json).unwrap();
    assert_eq!(out(&wayfare(folder.path(), &["check", "a.json"])), "a.json: fine\n");
}
