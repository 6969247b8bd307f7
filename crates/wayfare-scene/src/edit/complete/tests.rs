//! Completions in texts in which `|` marks the cursor.

use proptest::prelude::*;

use super::*;

/// The text without the mark, and the completions at the mark.
fn complete_at_mark(text: &str, format: Format) -> (String, Completions) {
    let cursor = text.find('|').expect("the text has a mark");
    let text = text.replacen('|', "", 1);
    let found = complete(&text, cursor, format);
    (text, found)
}

/// The keys of the candidates at the mark.
fn keys(text: &str) -> Vec<String> {
    complete_at_mark(text, Format::Toml)
        .1
        .candidates
        .into_iter()
        .map(|candidate| candidate.key)
        .collect()
}

/// The text with the first candidate inserted.
fn completed_as(text: &str, format: Format) -> String {
    let (mut text, found) = complete_at_mark(text, format);
    let first = found.candidates.first().unwrap_or_else(|| panic!("no candidates for {text}"));
    text.replace_range(found.range, &first.insert);
    text
}

fn completed(text: &str) -> String {
    completed_as(text, Format::Toml)
}

const GROUP: &str = "[bounds]\nmin = [0, 0]\nmax = [400, 200]\n[pointer]\ntrack = [[0, 1, \
                     1]]\n[path.beat]\npoints = [[0, 0]]\nradius = 3\n[[group]]\nname = \
                     \"guest\"\n[[group]]\nname = \"host\"\n";

/// A text after the beginning of a scene with a pointer, a path and two groups.
fn in_scene(text: &str) -> String {
    format!("{GROUP}{text}")
}

#[test]
fn keys_of_the_table_under_the_last_header_are_proposed() {
    assert_eq!(keys("[bounds]\n|"), ["min", "max", "edge"]);
    assert_eq!(keys("[path.beat]\n|\n[[group]]\n")[..2], ["points", "radius"]);
    assert_eq!(keys("[[group]]\nname = \"a\"\nmax_|\nmass = 3"), ["max_speed", "max_force"]);
    assert_eq!(
        keys("[[group]]\n[[group.state]]\n|"),
        [
            "name",
            "mass",
            "max_speed",
            "max_force",
            "radius",
            "drag",
            "combine",
            "rate",
            "steer",
            "leave"
        ]
    );
    assert_eq!(
        keys("[[group]]\n[[group.state]]\n[[group.state.leave]]\n  |"),
        ["to", "then", "when"]
    );
    assert_eq!(keys("[[exit]]\nb|"), ["box"]);
    assert!(keys("|").contains(&"seed".to_string()) && !keys("|").contains(&"$schema".to_string()));
    assert!(keys("[nothing.of.the.kind]\n|").is_empty());
}

#[test]
fn templates_and_their_keys_are_proposed() {
    let text = "[template.person]\nmax_speed = 1\n[[template.person.state]]\nname = \"walk\"\n\
                [template.fast]\nstat = { stamina = { start = 1 } }\n";
    let group = format!("{text}[[group]]\nname = \"a\"\ntemplate = ");
    assert_eq!(keys(&format!("{group}|")), ["\"person\"", "\"fast\""]);
    assert_eq!(keys(&format!("{group}[\"fast\", |]")), ["\"person\""]);
    assert!(keys(&format!("{group}\"person\"\nstart = |")).contains(&"\"walk\"".to_string()));
    assert_eq!(keys("[template.fast]\nmax_s|"), ["max_speed"]);
    assert!(keys(&format!("{text}[[|")).contains(&"[[template.fast.steer]]".to_string()));
    assert!(!keys("[template.fast]\n|").contains(&"name".to_string()));
}

#[test]
fn parameters_of_a_behavior_are_proposed_even_if_its_braces_are_not_closed() {
    for end in
        [" }", "", "\n[[group.steer]]\nseek = { target = [0, 0] }\n", "\n\n[[group]]\nname = \"c\""]
    {
        assert_eq!(
            keys(&in_scene(&format!("[[group.steer]]\narrive = {{ tar|{end}"))),
            ["target"],
            "{end:?}"
        );
        assert!(
            keys(&in_scene(&format!("[[group.steer]]\narrive = {{ target = \"pointer\", |{end}")))
                .contains(&"slowing_radius".to_string()),
            "{end:?}"
        );
    }
    assert_eq!(
        completed(&in_scene("[[group.steer]]\narrive = { slow| }")),
        in_scene("[[group.steer]]\narrive = { slowing_radius =  }")
    );
    // Inline lists, and lists inside lists.
    assert_eq!(keys("group = [{ steer = [{ all = [{ arrive = { slow|"), ["slowing_radius"]);
    assert_eq!(
        keys("group = [{ name = \"a\", steer = [{ wander = {} }, { se|"),
        ["seek", "settle", "separation", "offset_pursue", "interpose"],
        "first names that begin with the word, then names that contain it"
    );
}

#[test]
fn keys_that_the_table_has_already_are_left_out() {
    assert_eq!(keys("[bounds]\nmin = [0, 0]\n|\nedge = \"wrap\"\n"), ["max"]);
    let keys_there = keys(&in_scene("[[group.steer]]\narrive = { slowing_radius = 3, | }"));
    assert!(
        keys_there.contains(&"target".to_string())
            && !keys_there.contains(&"slowing_radius".to_string())
    );
    // Keys of another group do not matter.
    assert!(
        keys("[[group]]\nname = \"a\"\nmass = 2\n[[group]]\nma|").contains(&"mass".to_string())
    );
    assert!(!keys("bounds.min = [0, 0]\n[bounds]\n|").contains(&"min".to_string()));
}

#[test]
fn only_keys_that_fit_the_given_alternative_are_proposed() {
    assert_eq!(keys("[[obstacle]]\nbox = { min = [0, 0], | }"), ["max"]);
    assert_eq!(keys("[[obstacle]]\nbox = { center = [0, 0], | }"), ["size", "angle"]);
    assert!(keys("[[obstacle]]\ncircle = { center = [0, 0], radius = 1 }\n|").is_empty());
    assert_eq!(keys("[[group]]\nspawn = { box = { min = [0, 0], max = [1, 1] }, | }"), ["apart"]);
    assert_eq!(keys("[[group]]\nspawn = { along = \"a\", | }"), [""; 0]);
    assert_eq!(
        keys(&in_scene("[[group.steer]]\nwander = {}\n|")),
        ["weight", "chance", "danger", "off"]
    );
    let leave = "[[group.state]]\n[[group.state.leave]]\nwhen = { near = \"guest\", | }";
    assert_eq!(keys(&in_scene(leave)), ["within", "state"]);
}

#[test]
fn a_behavior_is_proposed_with_its_required_parameters() {
    assert_eq!(
        completed(&in_scene("[[group.steer]]\narr|")),
        in_scene("[[group.steer]]\narrive = { target = \"pointer\" }")
    );
    assert_eq!(
        completed(&in_scene("[[group.steer]]\npurs|")),
        in_scene("[[group.steer]]\npursue = { quarry = \"guest\" }")
    );
    assert_eq!(
        completed(&in_scene("[[group.steer]]\nfollow_p|")),
        in_scene("[[group.steer]]\nfollow_path = { path = \"beat\" }")
    );
    assert_eq!(
        completed("dimension = 3\n[[group]]\nname = \"a\"\n[[group.steer]]\nsee|").lines().last(),
        Some("seek = { target = [320, 240, 240] }")
    );
    // The scene has no path: the name is an example.
    assert!(
        completed("[[group]]\nname = \"a\"\n[[group.steer]]\nfollow_p|")
            .ends_with("follow_path = { path = \"beat\" }")
    );
}

#[test]
fn every_candidate_for_a_key_gives_valid_toml() {
    for text in [
        "|\n[[group]]",
        "[bounds]\n|",
        "[[group]]\n|",
        "[[group]]\n[[group.steer]]\n|",
        "[[group]]\n[[group.steer]]\nqueue = { | }",
        "[[exit]]\nthen = { | }",
    ] {
        let (text, found) = complete_at_mark(text, Format::Toml);
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
fn a_key_that_has_a_value_is_replaced_and_keeps_the_value() {
    assert_eq!(
        completed(&in_scene("[[group.steer]]\narrive = { slow| = 20 }")),
        in_scene("[[group.steer]]\narrive = { slowing_radius = 20 }")
    );
    assert_eq!(completed("se| = 3\n"), "seed = 3\n");
    assert_eq!(
        completed(&in_scene("[[group.steer]]\nse| = { target = [0, 0] }")),
        in_scene("[[group.steer]]\nseek = { target = [0, 0] }")
    );
}

#[test]
fn words_and_names_are_proposed_as_values() {
    assert_eq!(keys("[bounds]\nedge = |"), ["\"open\"", "\"wrap\"", "\"wall\"", "\"bounce\""]);
    assert_eq!(
        completed("[bounds]\nedge = \"wr|\"\nmin = [0, 0]"),
        "[bounds]\nedge = \"wrap\"\nmin = [0, 0]"
    );
    assert_eq!(
        completed("[bounds]\nedge = \"wr|\nmin = [0, 0]"),
        "[bounds]\nedge = \"wrap\"\nmin = [0, 0]"
    );
    assert_eq!(
        keys(&in_scene("[[group.steer]]\nseek = { target = | }")),
        ["\"pointer\"", "\"order\"", "\"guest\"", "\"host\""]
    );
    assert_eq!(
        keys(&in_scene("goal = { points = [[0, 0]] }\n[[group.steer]]\nseek = { target = |")),
        ["\"pointer\"", "\"goal\"", "\"order\"", "\"guest\"", "\"host\""]
    );
    assert_eq!(keys(&in_scene("[[group.steer]]\npursue = { quarry = \"h| }")), ["\"host\""]);
    assert_eq!(
        keys(&in_scene("[[group.steer]]\nfollow_path = { path = \"|\" }")),
        ["\"beat\"", "\"order\""]
    );
    assert_eq!(
        keys(&in_scene("[[group.steer]]\nseparation = { of = [\"guest\", |] }")),
        ["\"host\""]
    );
    assert_eq!(keys(&in_scene("[[group.steer]]\narrive = { slowing_radius = | }")), ["\"auto\""]);
    assert_eq!(keys("[[group]]\nmax_force = |"), ["inf"]);
    assert_eq!(keys("[path.a]\nclosed = t|"), ["true"]);
    assert_eq!(keys(&in_scene("[fire]\nshooters = |")), ["\"guest\"", "\"host\""]);
    let states = "[group.stat.stamina]\nstart = 1\n[[group.state]]\nname = \
                  \"hunt\"\n[[group.state.leave]]\n";
    assert_eq!(keys(&in_scene(&format!("{states}to = |"))), ["\"hunt\""]);
    assert_eq!(keys(&in_scene(&format!("{states}to = {{ | }}"))), ["hunt"]);
    assert_eq!(keys("[[group]]\nmass = { | }"), ["uniform", "normal"]);
    assert_eq!(keys(&in_scene(&format!("{states}when = {{ stat = | }}"))), ["\"stamina\""]);
    assert_eq!(
        completed(&in_scene("[group.stat.stamina]\nstart = 1\n[[group.state]]\nrate = { | }"))
            .lines()
            .last(),
        Some("rate = { stamina =  }")
    );
    assert_eq!(keys("[[group]]\nspawn = |").len(), 2);
}

#[test]
fn nothing_is_proposed_in_comments_titles_numbers_and_finished_lines() {
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
fn headers_that_the_scene_can_have_are_proposed() {
    let found = keys(&in_scene("[[group.state]]\n[|"));
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
    assert!(!found.contains(&"[bounds]".to_string()), "the scene has one already");
    assert_eq!(keys("[[gro|"), ["[[group]]"]);
    assert_eq!(completed("[bou|]\nmin = [0, 0]"), "[bounds]\nmin = [0, 0]");
}

#[test]
fn json_is_completed_with_quotes_and_colons() {
    let scene =
        r#"{ "pointer": { "track": [[0, 1, 1]] }, "group": [{ "name": "guest", "steer": [{ "#;
    assert_eq!(
        completed_as(&format!("{scene}\"arr|"), Format::Json),
        format!("{scene}\"arrive\": {{ \"target\": \"pointer\" }}")
    );
    assert_eq!(
        completed_as(&format!("{scene}arr|"), Format::Json),
        format!("{scene}\"arrive\": {{ \"target\": \"pointer\" }}")
    );
    assert_eq!(
        completed_as(&format!("{scene}\"arrive\": {{ \"slow|\": 3 }} }}] }}] }}"), Format::Json),
        format!("{scene}\"arrive\": {{ \"slowing_radius\": 3 }} }}] }}] }}")
    );
    assert_eq!(
        completed_as("{ \"bounds\": { \"edge\": \"wr|\" } }", Format::Json),
        "{ \"bounds\": { \"edge\": \"wrap\" } }"
    );
    assert!(complete_at_mark("{ \"title\": \"a|\" }", Format::Json).1.candidates.is_empty());
}

#[test]
fn at_every_byte_of_bundled_scenes_the_replaced_range_is_valid() {
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

/// Random sequences of tokens, of scenes and others.
fn token_sequences() -> impl Strategy<Value = String> {
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
    fn no_text_and_no_cursor_cause_a_panic(text in prop_oneof![token_sequences(), ".*"], byte in 0..400_usize, json in any::<bool>()) {
        let found = complete(&text, byte, if json { Format::Json } else { Format::Toml });
        prop_assert!(text.get(found.range).is_some());
    }
}

#[test]
fn kinds_of_measures_their_parameters_and_the_lines_of_the_scene_are_proposed() {
    let scene = "[line.door]\nfrom = [0, 0]\nto = [0, 9]\n[[measure]]\n";
    let found = keys(&format!("{scene}|"));
    assert_eq!(found[..3], ["name", "flow", "classic_density"]);
    assert_eq!(keys(&format!("{scene}flow = {{ |")).first().unwrap(), "line");
    assert_eq!(keys(&format!("{scene}flow = {{ line = |")), ["\"door\""]);
    let text = completed(&format!("{scene}flo|"));
    assert!(text.ends_with("flow = { line = \"door\" }"), "{text}");
    // Another kind cannot stand beside it.
    assert_eq!(keys(&format!("{scene}flow = {{ line = \"door\" }}\n|")), ["name"]);
}

#[test]
fn many_open_brackets_do_not_overflow_the_stack() {
    for open in ["[", "{", "a = [", "a = {", "a={b=", "[[a.", "{\"a\":"] {
        let text = open.repeat(20_000);
        for format in [Format::Toml, Format::Json] {
            assert!(complete(&text, text.len(), format).range.end <= text.len());
        }
    }
}
