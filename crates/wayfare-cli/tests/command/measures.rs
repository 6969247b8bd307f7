//! `wayfare run --measures`: the table, the summary, and what is refused.

use super::support::*;

/// Three walkers with a speed of 1 who cross a line at x = 2.5 one after the other.
const SCENE: &str = "dt = 0.5
duration = 5
[line.gate]
from = [2.5, -1]
to = [2.5, 9]
[[measure]]
name = \"gate\"
flow = { line = \"gate\" }
[[measure]]
name = \"ways\"
travel = {}
[[exit]]
box = { min = [4, -1], max = [20, 9] }
[[group]]
name = \"walkers\"
spawn = { points = [[2, 0], [1, 1], [0, 2]] }
velocity = [1, 0]
max_speed = 1
";

fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("walk.toml"), SCENE).unwrap();
    folder
}

#[test]
fn the_table_and_the_summary_have_the_values_of_the_measures() {
    let folder = folder();
    let run = ["run", "walk.toml", "--measures", "m.csv", "-o", "s.json"];
    let output = wayfare(folder.path(), &run);
    assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
    let text = out(&output);
    // Each walker has a step that ends on the line, and crosses by the next: at the times 1, 2, 3.
    let expected =
        "  gate: all crossings 3, mean flow 1, specific flow 0.1, mean crossing speed 1\n";
    assert!(text.contains(expected) && text.contains("  wrote m.csv\n"), "{text}");
    assert!(text.contains("  ways: journeys 3, mean travel time 2.5"), "{text}");
    let table = std::fs::read_to_string(folder.path().join("m.csv")).unwrap();
    assert!(table.starts_with("measure,tick,time,quantity,value,unit,group,agent\n"), "{table}");
    assert!(table.contains("\ngate,4,2,time_gap,1,time,walkers,1\n"), "{table}");
    let summary = std::fs::read(folder.path().join("s.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    assert_eq!(summary["measures"]["gate"]["mean_flow"], 1.0);
    assert_eq!(summary["measures"]["ways"]["journeys"], 3.0);
}

#[test]
fn measures_do_not_change_the_digest_and_begin_at_a_snapshot() {
    let folder = folder();
    let without = SCENE.replace("[[measure]]\nname = \"ways\"\ntravel = {}\n", "");
    std::fs::write(folder.path().join("without.toml"), without).unwrap();
    let digest = |arguments: &[&str]| out(&wayfare(folder.path(), arguments));
    let run = ["run", "walk.toml", "--quiet", "--digest"];
    let whole = digest(&run);
    assert_eq!(digest(&[&run[..], &["--measures", "a.json"]].concat()), whole);
    assert_eq!(digest(&["run", "without.toml", "--quiet", "--digest"]), whole);
    digest(&["run", "walk.toml", "--ticks", "3", "-o", "half.snapshot"]);
    let from = ["--from", "half.snapshot", "--measures", "b.csv"];
    assert_eq!(digest(&[&run[..], &from].concat()), whole);
    let table = std::fs::read_to_string(folder.path().join("b.csv")).unwrap();
    // The first walker has crossed before.
    assert!(table.contains("\ngate,3,1.5,crossings,0,"), "{table}");
    assert!(table.contains(",all_crossings,2,"), "{table}");
}

#[test]
fn a_table_that_cannot_be_written_is_refused_before_the_run() {
    let folder = folder();
    let refused = |arguments: &[&str], code, expected: &str| {
        let output = wayfare(folder.path(), arguments);
        let text = err(&output);
        assert!(output.status.code() == Some(code) && text.contains(expected), "{text}");
    };
    let run = ["run", "walk.toml", "--measures"];
    let with = |rest: &[&'static str]| [&run[..], rest].concat();
    refused(&with(&["m.txt"]), 1, "allowed: a file that ends in .csv, .json or .parquet");
    refused(&with(&["m.csv", "-o", "m.csv"]), 1, "`--measures m.csv` is another output of the run");
    refused(&with(&["nowhere/m.csv", "-o", "a.csv"]), 2, "nowhere/m.csv");
    refused(&["run", "seek", "--measures", "m.csv"], 1, "the scene measures nothing");
    std::fs::write(folder.path().join("walk.json"), "{}").unwrap();
    refused(&["run", "walk.json", "--measures", "walk.json"], 1, "is an input of the run");
    assert_eq!(files(folder.path()), ["walk.json", "walk.toml"]);
}
