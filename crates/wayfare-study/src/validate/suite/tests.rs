//! Suites, their mistakes, and their verdicts.

use super::*;
use crate::validate::{Options, Row, Verdict, validate};

const SCENE: &str = r#"
dt = 0.1
duration = 20
[line.door]
from = [5, -1]
to = [5, 1]
[[exit]]
box = { min = [9, -9], max = [12, 9] }
[[measure]]
name = "door"
flow = { line = "door" }
[[group]]
name = "the people"
count = 3
spawn = { grid = { origin = [0, 0], spacing = 1, columns = 3 } }
max_speed = 1
steer = [{ seek = { target = [20, 0] } }]
"#;

fn suite(tests: &str) -> Result<Suite, SuiteError> {
    Suite::read(|file| match file {
        "suite.toml" => Ok(tests.to_string()),
        "door.toml" => Ok(SCENE.to_string()),
        _ => Err("there is no such file".to_string()),
    })
}

/// A test of the scene with these keys besides.
fn test(keys: &str) -> String {
    let start = "[[test]]\nname = \"door\"\nscene = \"door.toml\"\nmeasure = \"door\"\n";
    format!("{start}{keys}")
}

fn rows(tests: &str) -> Vec<Row> {
    let options = Options { seeds: 2, only: None, threads: Some(2) };
    let suite = suite(tests).unwrap_or_else(|e| panic!("{e}"));
    validate(&suite, &options, |_, _| {}).unwrap_or_else(|e| panic!("{e}")).rows
}

#[test]
fn the_bundled_suite_is_read_and_has_every_file_of_its_folder() {
    Suite::bundled();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("validation");
    let mut files: Vec<String> = { std::fs::read_dir(folder).unwrap() }
        .map(|file| file.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    let mut listed: Vec<&str> = BUNDLED.iter().map(|(name, _)| *name).collect();
    files.sort();
    listed.sort_unstable();
    assert_eq!(files, listed);
}

#[test]
fn a_verdict_is_about_the_mean_and_a_known_miss_that_passes_is_unexpected() {
    let verdict = |keys: &str| {
        let row = rows(&test(&format!("quantity = \"all_crossings\"\n{keys}"))).remove(0);
        assert_eq!(row.values, [3.0, 3.0]);
        row.verdict
    };
    for (keys, expected) in [
        ("expected = 3", Verdict::Pass),
        ("expected = 2", Verdict::Miss),
        ("expected = 2\nwithin = 1", Verdict::Pass),
        ("expected = 2\nwithin_percent = 40", Verdict::Miss),
        ("min = 1\nmax = 2.9", Verdict::Miss),
        ("max = 2\nknown = \"a reason\"", Verdict::KnownMiss),
        ("max = 4\nknown = \"a reason\"", Verdict::UnexpectedPass),
        ("", Verdict::Value),
    ] {
        assert_eq!(verdict(keys), expected, "{keys}");
    }
    // No value is a miss.
    let row = rows(&test("quantity = \"crossings\"\ntake = { time_of = 4 }\nmax = 9")).remove(0);
    assert!(row.mean().is_nan() && row.verdict == Verdict::Miss, "{row:?}");
}

#[test]
fn a_difference_may_be_so_many_standard_deviations_or_percent_whichever_is_more() {
    let keys = "quantity = \"crossings\"\ntake = { time_of = 3 }\nset = { \"group[0].spawn\" = { \
                box = { min = [0, -0.5], max = [2, 0.5] } } }\n";
    let row = |more: &str| rows(&test(&format!("{keys}{more}"))).remove(0);
    let free = row("");
    let (mean, deviation) = (free.mean(), free.deviation());
    assert!(deviation > 0.01, "{free:?}");
    let expected = mean + 1.5 * deviation;
    let off = 100.0 * 1.5 * deviation / expected;
    for (count, percent, verdict) in [
        (2.0, 0.5 * off, Verdict::Pass),
        (1.0, 0.5 * off, Verdict::Miss),
        (1.0, 2.0 * off, Verdict::Pass),
    ] {
        let tolerance = format!("within_deviations = {count:?}\nwithin_percent = {percent}");
        let found = row(&format!("expected = {expected}\n{tolerance}"));
        assert_eq!(found.verdict, verdict, "{tolerance}");
        assert_eq!(found.expected, format!("{expected} ± {percent} % or {count} sd"));
    }
}

#[test]
fn a_series_has_a_row_per_point_and_one_for_its_errors_and_a_test_may_be_over_another() {
    let rows = rows(
        r#"
[parameter.count]
"group.the people.count" = 1
[[test]]
name = "{} people"
scene = "door.toml"
parameter = "count"
points = [[2, 2], [6, 5]]
measure = "door"
quantity = "all_crossings"
within = 0.5
rms = 0.8
[[test]]
name = "less"
scene = "door.toml"
measure = "door"
quantity = "all_crossings"
over = "6 people"
max = 1
[[test]]
name = "walls"
check = "walls_crossed"
expected = 0
"#,
    );
    let found: Vec<_> = rows.iter().map(|row| (&*row.name, row.mean(), row.verdict)).collect();
    assert_eq!(
        found,
        [
            ("2 people", 2.0, Verdict::Pass),
            ("6 people", 6.0, Verdict::Miss),
            ("all people", 0.5_f64.sqrt(), Verdict::Pass),
            ("less", 0.5, Verdict::Pass),
            ("walls", 0.0, Verdict::Pass),
        ]
    );
}

#[test]
fn mistakes_name_the_test_and_what_is_allowed() {
    let quantity = "quantity = \"all_crossings\"\n";
    for (text, message) in [
        (test(""), "it has no `measure` with its `quantity`, and no `check`"),
        (test(quantity) + &test(quantity), "its name is empty or given twice"),
        (test(quantity) + "with = { width = 1 }", "there is no parameter \"width\""),
        (test(quantity) + "per = [\"width\"]", "`per` names \"width\""),
        (test(quantity) + "points = [[1, 2]]", "`parameter` and `points` belong together"),
        (test(quantity) + "over = \"gate\"", "`over` is \"gate\""),
        (
            test(quantity).replace("door.toml", "gate.toml"),
            "the scene \"gate.toml\" cannot be read",
        ),
        (test(quantity) + "expects = 3", "unknown field `expects`"),
    ] {
        let error = suite(&text).err().unwrap_or_else(|| panic!("no error for {text}"));
        assert!(error.message.contains(message), "{error}");
    }
    let options = Options { seeds: 1, only: None, threads: Some(1) };
    for (keys, message) in [
        ("set = { \"group.guests.count\" = 2 }", "guests"),
        ("set = { \"group[0].count\" = -2 }", "`count` is the number -2"),
        ("take = { time_of = 1 }\nmeasure = \"gate\"", ""),
    ] {
        let text = test(&format!("{quantity}{keys}"));
        if message.is_empty() {
            assert!(suite(&text).is_err(), "a key that is given twice");
            continue;
        }
        let suite = suite(&text).unwrap_or_else(|e| panic!("{e}"));
        let error = validate(&suite, &options, |_, _| {}).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    let missing = test("quantity = \"no_such\"");
    let suite = suite(&missing).unwrap_or_else(|e| panic!("{e}"));
    let error = validate(&suite, &options, |_, _| {}).map(|_| ()).unwrap_err();
    assert!(error.message.contains("no `no_such` of the measure \"door\""), "{error}");
}
