//! `wayfare validate` with a suite of one's own: verdicts, exit codes, and what is refused.

use std::path::Path;

use super::support::*;

/// Two people of 1 m/s cross a line 3 m before them.
const SCENE: &str = r#"
dt = 0.1
duration = 5
[line.door]
from = [3, 5]
to = [3, -5]
[[group]]
name = "people"
spawn = { points = [[0, 0], [0, 2]] }
velocity = [1, 0]
max_speed = 1
[[measure]]
name = "door"
flow = { line = "door" }
"#;

const SUITE: &str = r#"
[[test]]
name = "both cross"
source = "two of two"
scene = "walk.toml"
measure = "door"
quantity = "all_crossings"
expected = 2
[[test]]
name = "their speed"
source = "a source"
scene = "walk.toml"
measure = "door"
quantity = "mean_crossing_speed"
min = 1.5
"#;

fn folder(suite: &str) -> TempDir {
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("walk.toml"), SCENE).unwrap();
    std::fs::write(folder.path().join("suite.toml"), suite).unwrap();
    folder
}

fn validate(folder: &Path, more: &[&str]) -> (Option<i32>, String, String) {
    let output = wayfare(folder, &[&["validate", "suite.toml"], more].concat());
    (output.status.code(), out(&output), err(&output))
}

/// The line of the printed table that begins so.
fn line<'t>(table: &'t str, begins: &str) -> &'t str {
    table.lines().find(|line| line.starts_with(begins)).unwrap_or_else(|| panic!("{table}"))
}

#[test]
fn a_miss_is_told_as_a_miss_and_gives_the_exit_code_3() {
    let folder = folder(SUITE);
    let (code, table, error) = validate(folder.path(), &["--seeds", "2", "-o", "table.csv"]);
    assert_eq!(code, Some(3), "{table}{error}");
    assert!(line(&table, "both cross").ends_with("pass"), "{table}");
    assert!(line(&table, "their speed").ends_with("miss"), "{table}");
    assert!(table.contains("1 passed, 1 missed, 0 known to miss; 2 runs, 2 seeds each"), "{table}");
    assert!(error.contains("1 missed"), "{error}");
    let rows = std::fs::read_to_string(folder.path().join("table.csv")).unwrap();
    assert!(rows.lines().count() == 3 && rows.contains(",miss"), "{rows}");
    // The test that passes, alone.
    let (code, table, _) = validate(folder.path(), &["--seeds", "1", "--only", "both"]);
    assert!(code == Some(0) && !table.contains("their speed"), "{table}");
}

#[test]
fn a_known_miss_is_expected_and_a_pass_in_its_place_is_not() {
    let known = SUITE.replace("min = 1.5", "min = 1.5\nknown = \"they walk\"");
    let (code, table, _) = validate(folder(&known).path(), &["--seeds", "1"]);
    assert!(
        code == Some(0) && line(&table, "their speed").ends_with("known miss: they walk"),
        "{table}"
    );
    let passes = known.replace("min = 1.5", "min = 0.5");
    let (code, table, _) = validate(folder(&passes).path(), &["--seeds", "1"]);
    assert_eq!(code, Some(3), "{table}");
}

#[test]
fn a_wrong_suite_is_refused_with_the_test_and_what_is_allowed() {
    for (old, new, part) in [
        ("measure = \"door\"", "measure = \"dor\"", "both cross"),
        ("walk.toml", "run.toml", "run.toml"),
        ("expected = 2", "expectd = 2", "expectd"),
    ] {
        let (code, _, error) = validate(folder(&SUITE.replace(old, new)).path(), &["--seeds", "1"]);
        assert!(code == Some(1) && error.contains(part), "{error}");
        assert!(error.contains("allowed"), "{error}");
    }
    let folder = folder(SUITE);
    let (code, _, error) = validate(folder.path(), &["-o", "no/table.csv"]);
    assert!(code == Some(2) && error.contains("table.csv"), "{error}");
    let (code, _, error) = validate(folder.path(), &["-o", "table.txt"]);
    assert!(code == Some(1) && error.contains(".csv, .json or .parquet"), "{error}");
}
