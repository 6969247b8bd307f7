//! `wayfare sweep`: the table, its journal, and what is refused.

use std::path::Path;
use std::process::{Command, Stdio};

use super::support::*;

/// A sweep of `guest.toml` with 24 runs.
const SWEEP: &str = "scene = \"guest.toml\"\nticks = 200\n[over]\n\"group.guest.max_speed\" = { \
                     from = 1, to = 2, count = 12 }\n\"group.guest.mass\" = [5, 20]\n";

fn folder() -> TempDir {
    let folder = folder_with_a_scene();
    std::fs::write(folder.path().join("study.toml"), SWEEP).unwrap();
    folder
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn a_sweep_writes_a_row_per_run_with_the_digest_of_the_run() {
    let folder = folder();
    let output = wayfare(folder.path(), &["sweep", "study.toml", "-o", "study.csv"]);
    assert_eq!((out(&output), err(&output)), ("24 runs; wrote study.csv\n".into(), String::new()));
    assert_eq!(files(folder.path()), ["guest.toml", "study.csv", "study.toml"]);
    let table = text(folder.path(), "study.csv");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows[0], "group.guest.max_speed,group.guest.mass,seed,ticks,agents,digest");
    // The last value of the speed is the scene's, and the first of the mass.
    let alone = wayfare(folder.path(), &["run", "guest.toml", "--ticks", "200", "--digest", "-q"]);
    assert_eq!(rows[23], format!("2,5,0,200,2,{}", out(&alone).trim()));
    for (threads, name) in [("1", "one.csv"), ("5", "five.csv")] {
        let output = ["sweep", "study.toml", "-o", name, "--threads", threads, "--quiet"];
        assert_eq!(out(&wayfare(folder.path(), &output)), "");
        assert_eq!(text(folder.path(), name), table);
    }
    wayfare(folder.path(), &["sweep", "study.toml", "-o", "t.json", "--times"]);
    let rows: serde_json::Value = serde_json::from_str(&text(folder.path(), "t.json")).unwrap();
    assert!(rows[23]["seconds"].as_f64().unwrap() > 0.0 && rows[23]["ticks"] == 200);
}

#[test]
fn a_sweep_that_is_killed_again_and_again_ends_in_the_same_table() {
    let folder = folder();
    let arguments = ["sweep", "study.toml", "-o", "whole.csv", "--keep-runs"];
    assert!(wayfare(folder.path(), &arguments).status.success());
    let lines_of = |name: &str| {
        std::fs::read(folder.path().join(name))
            .map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
    };
    assert_eq!(lines_of("whole.csv.runs"), 25);
    let mut kills = 0;
    loop {
        let before = lines_of("study.csv.runs");
        let mut child = Command::new(env!("CARGO_BIN_EXE_wayfare"))
            .args(["sweep", "study.toml", "-o", "study.csv", "--threads", "2", "--quiet"])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // It is killed as soon as it has finished another run, wherever it is then.
        let ended = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if lines_of("study.csv.runs") > before {
                break None;
            }
            std::thread::yield_now();
        };
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        // A finished run is never lost.
        assert!(folder.path().join("study.csv").exists() || lines_of("study.csv.runs") > before);
        if folder.path().join("study.csv").exists() {
            break;
        }
    }
    assert!(kills >= 2, "it was killed {kills} times");
    assert_eq!(text(folder.path(), "study.csv"), text(folder.path(), "whole.csv"));
}

#[test]
fn what_a_sweep_refuses_is_told_with_what_is_allowed_and_leaves_no_file() {
    let folder = folder();
    let refused = |arguments: &[&str], code: i32| {
        let output = wayfare(folder.path(), &[&["sweep"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{}", err(&output));
        assert_eq!(files(folder.path()), ["guest.toml", "study.toml"]);
        err(&output)
    };
    let text = refused(&["study.toml", "-o", "study.txt"], 1);
    assert!(text.contains("allowed: a file that ends in .csv, .json or .parquet"), "{text}");
    let text = refused(&["study.toml", "-o", "./study.toml"], 1);
    assert!(text.contains("is the input study.toml"), "{text}");
    let text = refused(&["study.toml", "-o", "no/where.csv"], 2);
    assert!(text.contains("where.csv"), "{text}");
    let text = refused(&["missing.toml", "-o", "a.csv"], 2);
    assert!(text.contains("missing.toml"), "{text}");

    let other = SWEEP.replace("guest.toml", "nothing.toml");
    std::fs::write(folder.path().join("study.toml"), other).unwrap();
    let text = refused(&["study.toml", "-o", "a.csv"], 1);
    assert!(text.contains("nothing.toml"), "{text}");
    std::fs::write(folder.path().join("study.toml"), SWEEP.replace("[5, 20]", "[5, -20]")).unwrap();
    let text = refused(&["study.toml", "-o", "a.csv"], 1);
    assert!(text.contains("`group.guest.mass` = -20") && text.contains("study.toml:5:1"), "{text}");
}

/// The TOML blocks of docs/sweeps.md.
fn of_the_docs() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sweeps.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("```toml\n").skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap().to_string()).collect()
}

#[test]
fn the_sweeps_of_the_docs_run() {
    let folder = tempdir().unwrap();
    for (text, runs) in of_the_docs().into_iter().zip([18, 6]) {
        // A few ticks: what is tested is that the page is right.
        let text = text.replace("ticks = 200\n", "").replace("scene =", "ticks = 4\nscene =");
        std::fs::write(folder.path().join("study.toml"), text).unwrap();
        let output = wayfare(folder.path(), &["sweep", "study.toml", "-o", "study.csv"]);
        assert_eq!(out(&output), format!("{runs} runs; wrote study.csv\n"), "{}", err(&output));
    }
}
