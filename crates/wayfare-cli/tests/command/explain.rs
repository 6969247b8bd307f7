//! `wayfare explain`, `list behaviors`, `show` and `new --from`.

use std::path::Path;

use super::support::*;

fn explained(name: &str) -> String {
    let output = wayfare(Path::new("."), &["explain", name]);
    assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()), "{name}");
    out(&output)
}

#[test]
fn a_behavior_is_explained_with_its_formula_parameters_scenes_and_page() {
    let text = explained("arrive");
    for part in [
        "arrive, a behavior\n\nTowards the target, slowing down to stop on it",
        "\n  slowing_radius: a length from 0 to 1e9, or \"auto\"; default \"auto\"\n      The",
        "\n  target: a point such as [100, 50]",
        "\nScenes: arrive, ",
        "\nPicture: wayfare run arrive -o arrive.png\nText: wayfare show arrive\n",
        "/docs/behaviors.md#arrive\n",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    // Another name for it; a measure has the same name.
    let (boids, flock) = (explained("boids"), explained("flock"));
    assert!(flock.strip_prefix(&boids).is_some_and(|rest| rest.starts_with("\nflock, a measure")));
    assert!(explained("orca").starts_with("orca, a solver\n"));
    let keys = explained("panic_radius");
    for owner in ["flee", "evade"] {
        let line = format!("panic_radius, a key of the behavior {owner}\n");
        assert!(keys.contains(&line), "{keys}");
    }
    assert!(explained("group").contains("\n  max_speed: "), "{}", explained("group"));
}

#[test]
fn every_topic_is_listed_and_explained_and_every_behavior_has_a_page_and_a_scene() {
    let listed = out(&wayfare(Path::new("."), &["list", "behaviors"]));
    let page = include_str!("../../../../docs/behaviors.md");
    for topic in wayfare_scene::topics() {
        let line = format!("  {} ", topic.name);
        assert!(listed.lines().any(|l| l.starts_with(&line)), "{} in\n{listed}", topic.name);
        let text = explained(topic.name);
        for key in &topic.keys {
            assert!(text.contains(&format!("\n  {}: ", key.name)), "{text}");
        }
        if ["behavior", "solver"].contains(&topic.kind) {
            assert!(page.contains(&format!("\n## {}\n", topic.name)), "{}", topic.name);
            assert!(text.contains("\nScenes: "), "no scene has\n{text}");
        }
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest_ones_and_how_to_list_all() {
    for (name, question) in [("separaton", "; did you mean `separation`?"), ("xyzzyxyzzy", "")] {
        let output = wayfare(Path::new("."), &["explain", name]);
        let expected = format!(
            "error: nothing in a scene is called `{name}`{question}\nallowed: a name that \
             `wayfare list behaviors` shows, or a key of a scene\n"
        );
        assert_eq!((output.status.code(), err(&output)), (Some(1), expected));
    }
}

#[test]
fn a_scene_is_printed_and_copied_but_not_over_a_file_and_not_from_json() {
    let folder = tempdir().unwrap();
    let text = wayfare_scene::bundled("doorway-150").unwrap().text;
    assert_eq!(out(&wayfare(folder.path(), &["show", "doorway-150"])), text);
    let made = wayfare(folder.path(), &["new", "door", "--from", "doorway-150"]);
    assert_eq!((made.status.code(), err(&made)), (Some(0), String::new()));
    assert!(out(&made).starts_with("wrote door.toml\n"), "{}", out(&made));
    let copy = || std::fs::read_to_string(folder.path().join("door.toml")).unwrap();
    assert_eq!(copy(), text);
    std::fs::write(folder.path().join("a.json"), "{}").unwrap();
    for (arguments, message) in [
        (["new", "door", "--from", "seek"], "error: door.toml exists already\n"),
        (["new", "b", "--from", "a.json"], "error: `--from a.json`: the scene is JSON, and "),
        (["new", "b", "--from", "sek"], "error: there is no file and no bundled scene `sek`; did"),
        (["list", "behaviors", "-o", "a.png"], "error: `-o` draws scenes\nallowed: "),
    ] {
        let refused = wayfare(folder.path(), &arguments);
        assert_eq!(refused.status.code(), Some(1));
        assert!(err(&refused).starts_with(message), "{}", err(&refused));
    }
    assert_eq!(copy(), text);
    assert_eq!(files(folder.path()), ["a.json", "door.toml"]);
}

#[test]
fn the_commands_of_the_page_about_scenes_do_what_it_says() {
    let page = include_str!("../../../../docs/scenes.md");
    let folder = tempdir().unwrap();
    let mut count = 0;
    for block in page.split("```sh\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            let command = line.split(['#', '>']).next().unwrap().trim();
            let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
            let output = wayfare(folder.path(), &arguments);
            assert!(output.status.success(), "{command}: {}", err(&output));
            count += 1;
        }
    }
    assert!(count >= 8, "the page has only {count} commands");
}
