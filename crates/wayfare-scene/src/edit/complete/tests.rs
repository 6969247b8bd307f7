//! Cursors in texts: `|` is where it stands.

use proptest::prelude::*;

use super::*;

fn at(text: &str, format: Format) -> (String, Completions) {
    let cursor = text.find('|').expect("a test says where the cursor is");
    let text = text.replacen('|', "", 1);
    let found = complete(&text, cursor, format);
    (text, found)
}

fn keys(text: &str) -> Vec<String> {
    at(text, Format::Toml).1.candidates.into_iter().map(|candidate| candidate.key).collect()
}

/// The text after the first candidate is taken.
fn taken_as(text: &str, format: Format) -> String {
    let (mut text, found) = at(text, format);
    let first = found.candidates.first().unwrap_or_else(|| panic!("nothing for {text}"));
    text.replace_range(found.range, &first.insert);
    text
}

fn taken(text: &str) -> String {
    taken_as(text, Format::Toml)
}

const GROUP: &str = "[bounds]\nmin = [0, 0]\nmax = [400, 200]\n[pointer]\ntrack = [[0, 1, \
                     1]]\n[path.beat]\npoints = [[0, 0]]\nradius = 3\n[[group]]\nname = \
                     \"guest\"\n[[group]]\nname = \"host\"\n";

fn within(text: &str) -> String {
    format!("{GROUP}{text}")
}

#[test]
fn the_keys_of_the_table_that_the_last_header_began() {
    assert_eq!(keys("[bounds]\n|"), ["min", "max", "edge"]);
    assert_eq!(keys("[path.beat]\n|\n[[group]]\n")[..2], ["points", "radius"]);
    assert_eq!(keys("[[group]]\nname = \"a\"\nmax_|\nmass = 3"), ["max_speed", "max_force"]);
    assert_eq!(keys("[[group]]\n[[group.state]]\n|"), ["name", "rate", "steer", "leave"]);
    assert_eq!(
        keys("[[group]]\n[[group.state]]\n[[group.state.leave]]\n  |"),
        ["to", "then", "when"]
    );
    assert_eq!(keys("[[exit]]\nb|"), ["box"]);
    assert!(keys("|").contains(&"seed".to_string()) && !keys("|").contains(&"$schema".to_string()));
    assert!(keys("[nothing.of.the.kind]\n|").is_empty());
}

#[test]
fn the_parameters_of_the_behavior_whose_braces_are_open_even_if_nobody_has_closed_them() {
    for end in
        [" }", "", "\n[[group.steer]]\nseek = { target = [0, 0] }\n", "\n\n[[group]]\nname = \"c\""]
    {
        assert_eq!(
            keys(&within(&format!("[[group.steer]]\narrive = {{ tar|{end}"))),
            ["target"],
            "{end:?}"
        );
        assert!(
            keys(&within(&format!("[[group.steer]]\narrive = {{ target = \"pointer\", |{end}")))
                .contains(&"slowing_radius".to_string()),
            "{end:?}"
        );
    }
    assert_eq!(
        taken(&within("[[group.steer]]\narrive = { slow| }")),
        within("[[group.steer]]\narrive = { slowing_radius =  }")
    );
    // A list in a line, and lists inside lists.
    assert_eq!(keys("group = [{ steer = [{ all = [{ arrive = { slow|"), ["slowing_radius"]);
    assert_eq!(
        keys("group = [{ name = \"a\", steer = [{ wander = {} }, { se|"),
        ["seek", "settle", "separation", "offset_pursue", "interpose"],
        "what begins so, and then what has it inside"
    );
}

#[test]
fn what_is_given_already_is_left_out_wherever_in_the_table_it_stands() {
    assert_eq!(keys("[bounds]\nmin = [0, 0]\n|\nedge = \"wrap\"\n"), ["max"]);
    let keys_there = keys(&within("[[group.steer]]\narrive = { slowing_radius = 3, | }"));
    assert!(
        keys_there.contains(&"target".to_string())
            && !keys_there.contains(&"slowing_radius".to_string())
    );
    // Another group's keys are its own.
    assert!(
        keys("[[group]]\nname = \"a\"\nmass = 2\n[[group]]\nma|").contains(&"mass".to_string())
    );
    assert!(!keys("bounds.min = [0, 0]\n[bounds]\n|").contains(&"min".to_string()));
}

#[test]
fn of_alternatives_only_what_goes_with_the_one_that_is_there() {
    assert_eq!(keys("[[obstacle]]\nbox = { min = [0, 0], | }"), ["max"]);
    assert_eq!(keys("[[obstacle]]\nbox = { center = [0, 0], | }"), ["size", "angle"]);
    assert!(keys("[[obstacle]]\ncircle = { center = [0, 0], radius = 1 }\n|").is_empty());
    assert_eq!(keys("[[group]]\nspawn = { box = { min = [0, 0], max = [1, 1] }, | }"), [""; 0]);
    assert_eq!(
        keys(&within("[[group.steer]]\nwander = {}\n|")),
        ["weight", "chance", "danger", "off"]
    );
    let leave = "[[group.state]]\n[[group.state.leave]]\nwhen = { near = \"guest\", | }";
    assert_eq!(keys(&within(leave)), ["within"]);
}

#[test]
fn a_behavior_comes_with_what_it_cannot_do_without() {
    assert_eq!(
        taken(&within("[[group.steer]]\narr|")),
        within("[[group.steer]]\narrive = { target = \"pointer\", slowing_radius = 50 }")
    );
    assert_eq!(
        taken(&within("[[group.steer]]\npurs|")),
        within("[[group.steer]]\npursue = { quarry = \"guest\" }")
    );
    assert_eq!(
        taken(&within("[[group.steer]]\nfollow_p|")),
        within("[[group.steer]]\nfollow_path = { path = \"beat\" }")
    );
    assert_eq!(
        taken("dimension = 3\n[[group]]\nname = \"a\"\n[[group.steer]]\nsee|").lines().last(),
        Some("seek = { target = [320, 240, 240] }")
    );
    // There is no path: a name to begin with.
    assert!(
        taken("[[group]]\nname = \"a\"\n[[group.steer]]\nfollow_p|")
            .ends_with("follow_path = { path = \"beat\" }")
    );
}

#[test]
fn every_candidate_for_a_key_leaves_a_text_that_toml_reads() {
    for text in [
        "|\n[[group]]",
        "[bounds]\n|",
        "[[group]]\n|",
        "[[group]]\n[[group.steer]]\n|",
        "[[group]]\n[[group.steer]]\nqueue = { | }",
        "[[exit]]\nthen = { | }",
    ] {
        let (text, found) = at(text, Format::Toml);
        assert!(!found.candidates.is_empty());
        for candidate in found.candidates {
            let mut text = text.clone();
            let end = if candidate.insert.ends_with("= ") { "1" } else { "" };
            text.replace_range(found.range.clone(), &format!("{}{end}", candidate.insert));
            assert!(crate::document::parse(&text, Format::Toml).is_ok(), "{text}");
            assert!(
                !candidate.doc.is_empty() && !candidate.doc.contains('\n'),
                "{}",
                candidate.key
            );
        }
    }
}

#[test]
fn a_key_that_has_a_value_becomes_another_and_keeps_it() {
    assert_eq!(
        taken(&within("[[group.steer]]\narrive = { slow| = 20 }")),
        within("[[group.steer]]\narrive = { slowing_radius = 20 }")
    );
    assert_eq!(taken("se| = 3\n"), "seed = 3\n");
    assert_eq!(
        taken(&within("[[group.steer]]\nse| = { target = [0, 0] }")),
        within("[[group.steer]]\nseek = { target = [0, 0] }")
    );
}

#[test]
fn words_and_names_are_values() {
    assert_eq!(keys("[bounds]\nedge = |"), ["\"open\"", "\"wrap\"", "\"wall\""]);
    assert_eq!(
        taken("[bounds]\nedge = \"wr|\"\nmin = [0, 0]"),
        "[bounds]\nedge = \"wrap\"\nmin = [0, 0]"
    );
    assert_eq!(
        taken("[bounds]\nedge = \"wr|\nmin = [0, 0]"),
        "[bounds]\nedge = \"wrap\"\nmin = [0, 0]"
    );
    assert_eq!(
        keys(&within("[[group.steer]]\nseek = { target = | }")),
        ["\"pointer\"", "\"guest\"", "\"host\""]
    );
    assert_eq!(
        keys(&within("goal = { points = [[0, 0]] }\n[[group.steer]]\nseek = { target = |")),
        ["\"pointer\"", "\"goal\"", "\"guest\"", "\"host\""]
    );
    assert_eq!(keys(&within("[[group.steer]]\npursue = { quarry = \"h| }")), ["\"host\""]);
    assert_eq!(keys(&within("[[group.steer]]\nfollow_path = { path = \"|\" }")), ["\"beat\""]);
    assert_eq!(
        keys(&within("[[group.steer]]\nseparation = { of = [\"guest\", |] }")),
        ["\"host\""]
    );
    assert_eq!(keys(&within("[[group.steer]]\narrive = { slowing_radius = | }")), ["\"auto\""]);
    assert_eq!(keys("[[group]]\nmax_force = |"), ["inf"]);
    assert_eq!(keys("[path.a]\nclosed = t|"), ["true"]);
    assert_eq!(keys(&within("[fire]\nshooters = |")), ["\"guest\"", "\"host\""]);
    let states = "[group.stat.stamina]\nstart = 1\n[[group.state]]\nname = \
                  \"hunt\"\n[[group.state.leave]]\n";
    assert_eq!(keys(&within(&format!("{states}to = |"))), ["\"hunt\""]);
    assert_eq!(keys(&within(&format!("{states}when = {{ stat = | }}"))), ["\"stamina\""]);
    assert_eq!(
        taken(&within("[group.stat.stamina]\nstart = 1\n[[group.state]]\nrate = { | }"))
            .lines()
            .last(),
        Some("rate = { stamina =  }")
    );
    assert_eq!(keys("[[group]]\nspawn = |").len(), 2);
}

#[test]
fn in_comments_titles_numbers_and_finished_lines_there_is_nothing() {
    for text in [
        "# se|",
        "seed = 7 # se|\n",
        "title = \"se|\"\n",
        "title = \"se|",
        "title = '''\nse|\n'''\n",
        "[[group]]\nname = \"gu|\"\n",
        "seed = 7|\n",
        "seed = 7 |\n",
        "seed = |\n",
        "[bounds]\nmin = [0, |]\n",
        "group = [{ steer = [{ wander = {} | }] }]",
        "[bounds]\n| min = [0, 0]",
        "[bounds]| \n",
    ] {
        assert_eq!(keys(text), [""; 0], "{text}");
    }
}

#[test]
fn headers_are_those_that_the_scene_can_have() {
    let found = keys(&within("[[group.state]]\n[|"));
    for header in [
        "[fire]",
        "[[obstacle]]",
        "[path.beat2]",
        "[line.door]",
        "[[group]]",
        "[[group.steer]]",
        "[group.stat.stamina]",
        "[[group.state.leave]]",
    ] {
        assert!(found.contains(&header.to_string()), "{header}: {found:?}");
    }
    assert!(!found.contains(&"[bounds]".to_string()), "it is there already");
    assert_eq!(keys("[[gro|"), ["[[group]]"]);
    assert_eq!(taken("[bou|]\nmin = [0, 0]"), "[bounds]\nmin = [0, 0]");
}

#[test]
fn json_is_completed_with_its_own_quotes_and_colons() {
    let scene =
        r#"{ "pointer": { "track": [[0, 1, 1]] }, "group": [{ "name": "guest", "steer": [{ "#;
    assert_eq!(
        taken_as(&format!("{scene}\"arr|"), Format::Json),
        format!("{scene}\"arrive\": {{ \"target\": \"pointer\", \"slowing_radius\": 50 }}")
    );
    assert_eq!(
        taken_as(&format!("{scene}arr|"), Format::Json),
        format!("{scene}\"arrive\": {{ \"target\": \"pointer\", \"slowing_radius\": 50 }}")
    );
    assert_eq!(
        taken_as(&format!("{scene}\"arrive\": {{ \"slow|\": 3 }} }}] }}] }}"), Format::Json),
        format!("{scene}\"arrive\": {{ \"slowing_radius\": 3 }} }}] }}] }}")
    );
    assert_eq!(
        taken_as("{ \"bounds\": { \"edge\": \"wr|\" } }", Format::Json),
        "{ \"bounds\": { \"edge\": \"wrap\" } }"
    );
    assert!(at("{ \"title\": \"a|\" }", Format::Json).1.candidates.is_empty());
}

#[test]
fn at_every_byte_of_every_bundled_scene_what_is_taken_leaves_a_range_of_the_text() {
    for scene in crate::BUNDLED.iter().take(12) {
        for byte in (0..scene.text.len() + 3).step_by(3) {
            let found = complete(scene.text, byte, Format::Toml);
            assert!(
                scene.text.get(found.range.clone()).is_some() && (found.range.start <= byte),
                "{} {byte}",
                scene.name
            );
        }
    }
}

/// Pieces of which scenes are made, and of which they are not.
fn pieces() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "[[group]]",
        "[[group.steer]]",
        "[bounds]",
        "[",
        "]",
        "{",
        "}",
        "=",
        ".",
        ",",
        "\"",
        "'",
        "\"\"\"",
        "#",
        "\n",
        "\r\n",
        " ",
        "\\",
        "é",
        "\u{feff}",
        "min",
        "max",
        "group",
        "steer",
        "arrive",
        "target",
        "\"pointer\"",
        "inf",
        "nan",
        "-1e999",
        "1",
        "dimension",
        "3",
        "spawn",
        "box",
        "when",
        "state",
        "name",
        ":",
        "rate",
        "path",
    ]);
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_text_and_no_cursor_panics(text in prop_oneof![pieces(), ".*"], byte in 0..400_usize, json in any::<bool>()) {
        let found = complete(&text, byte, if json { Format::Json } else { Format::Toml });
        prop_assert!(text.get(found.range).is_some());
    }
}

#[test]
fn brackets_without_end_are_no_matter() {
    for open in ["[", "{", "a = [", "a = {", "a={b=", "[[a.", "{\"a\":"] {
        let text = open.repeat(20_000);
        for format in [Format::Toml, Format::Json] {
            assert!(complete(&text, text.len(), format).range.end <= text.len());
        }
    }
}
