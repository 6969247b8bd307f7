//! Snapshots: `-o FILE.snapshot` and `--from`.

use std::process::Command;

use super::support::*;

#[test]
fn a_run_continued_from_a_snapshot_ends_in_the_same_digest() {
    let folder = folder_with_a_scene();
    let log = "{\"tick\": 2, \"pointer\": [0, 40]}\n{\"tick\": 10, \"add\": \"guest\", \
               \"position\": [5, 5]}\n{\"tick\": 15, \"remove\": 0}\n";
    std::fs::write(folder.path().join("log.jsonl"), log).unwrap();
    let run = |arguments: &[&str]| {
        let output = wayfare(
            folder.path(),
            &[&["run", "guest.toml", "--digest", "--input", "log.jsonl"], arguments].concat(),
        );
        assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
        out(&output)
    };
    let whole = run(&["-q", "--ticks", "20"]);
    let first = run(&["--ticks", "10", "-o", "half.snapshot"]);
    assert!(first.contains("wrote half.snapshot"), "{first}");
    let rest = run(&[
        "--ticks",
        "20",
        "--from",
        "half.snapshot",
        "-o",
        "rest.csv",
        "-o",
        "rest.png",
        "-o",
        "end.snapshot",
    ]);
    assert!(rest.ends_with(&whole) && rest.contains("10 ticks to time 20,"), "{rest}");
    let rows = std::fs::read_to_string(folder.path().join("rest.csv")).unwrap();
    assert!(rows.lines().nth(1).unwrap().starts_with("10,10,0,guest,"), "{rows}");
    // A run from a snapshot of the last tick has no ticks, and two runs to the same tick write the
    // same bytes.
    assert_eq!(
        run(&["-q", "--ticks", "20", "--from", "end.snapshot", "-o", "again.snapshot"]),
        whole
    );
    run(&["-q", "--ticks", "20", "-o", "whole.snapshot"]);
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(
        bytes("end.snapshot") == bytes("whole.snapshot")
            && bytes("again.snapshot") == bytes("whole.snapshot")
    );
}

#[test]
fn a_run_continues_in_a_changed_scene_on_request() {
    let folder = folder_with_a_scene();
    wayfare(folder.path(), &["run", "guest.toml", "--ticks", "10", "-o", "half.snapshot"]);
    let scene = folder.path().join("guest.toml");
    let dog = "[[group]]\nname = \"dog\"\nspawn = { points = [[9, 9]] }\nmax_speed = 1\n";
    let text = std::fs::read_to_string(&scene).unwrap().replace("mass = 5", "mass = 6");
    std::fs::write(&scene, text + dog).unwrap();
    let arguments = ["run", "guest.toml", "--ticks", "12", "--from", "half.snapshot", "--changed"];
    let output = wayfare(folder.path(), &arguments);
    let report = "Group \"guest\": 2 agents kept.\nGroup \"dog\" is new: it starts with 1 agent.\n";
    assert_eq!((output.status.code(), err(&output).as_str()), (Some(0), report));
    let output = wayfare(folder.path(), &["run", "guest.toml", "--changed"]);
    assert!(output.status.code() == Some(1) && err(&output).contains("--from"), "{}", err(&output));
}

#[test]
fn an_unusable_snapshot_is_refused_with_the_reason() {
    let folder = folder_with_a_scene();
    wayfare(folder.path(), &["run", "guest.toml", "--ticks", "10", "-o", "half.snapshot"]);
    let whole = std::fs::read(folder.path().join("half.snapshot")).unwrap();
    std::fs::write(folder.path().join("cut.snapshot"), &whole[..whole.len() - 9]).unwrap();
    let fails = |arguments: &[&str], code: i32, expected: &str| {
        let output =
            wayfare(folder.path(), &[&["run", "guest.toml", "-o", "out.csv"], arguments].concat());
        assert!(
            output.status.code() == Some(code) && err(&output).contains(expected),
            "{}",
            err(&output)
        );
        assert!(!folder.path().join("out.csv").exists());
    };
    fails(
        &["--from", "cut.snapshot"],
        1,
        "error: cut.snapshot: it is damaged: its hash does not match\nallowed: ",
    );
    fails(&["--from", "guest.toml"], 1, "error: guest.toml: it is not a snapshot\nallowed: ");
    fails(
        &["--from", "half.snapshot", "--seed", "5"],
        1,
        "error: half.snapshot: it is of another setup or seed\nallowed: a snapshot of a crowd with \
         the same setup, or --changed",
    );
    fails(
        &["--from", "half.snapshot", "--ticks", "5"],
        1,
        "error: half.snapshot: it is of tick 10, and the run ends at tick 5\nallowed: --ticks \
         from 10",
    );
    fails(
        &["--from", "half.snapshot", "-o", "half.snapshot"],
        1,
        "`-o half.snapshot` is the input half.snapshot",
    );
    fails(&["--from", "none.snapshot"], 2, "error: none.snapshot: ");
    assert_eq!(std::fs::read(folder.path().join("half.snapshot")).unwrap(), whole);
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_snapshot_from_a_pipe_is_refused() {
    let folder = folder_with_a_scene();
    let magic = wayfare::crowd::SNAPSHOT_MAGIC;
    std::fs::write(folder.path().join("magic"), magic).unwrap();
    let command = format!(
        "ulimit -v 400000; cat magic /dev/zero | {} run guest.toml --from /dev/stdin",
        env!("CARGO_BIN_EXE_wayfare")
    );
    let output =
        Command::new("sh").args(["-c", &command]).current_dir(folder.path()).output().unwrap();
    let text = err(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.starts_with("error: /dev/stdin is too large\nallowed: a snapshot of less than 0.1 GB"),
        "{text}"
    );
}
