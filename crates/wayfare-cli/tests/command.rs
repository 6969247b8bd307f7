//! The command as a user runs it: what it prints, what it writes, how it ends.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::path::Path;
#[cfg(unix)]
use std::process::{Child, Stdio};
use std::process::{Command, Output};

use tempfile::{TempDir, tempdir};

/// Runs `wayfare` in `folder`.
fn wayfare(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder with the scene `guest.toml` in it.
fn folder_with_a_scene() -> TempDir {
    let folder = tempdir().unwrap();
    std::fs::write(
        folder.path().join("guest.toml"),
        "[pointer]\ntrack = [[0, 50, 0]]\n[[group]]\nname = \"guest\"\nspawn = { points = [[0, \
         0], [0, 9]] }\nmass = 5\nmax_speed = 2\n[[group.steer]]\nseek = { target = \"pointer\" \
         }\n",
    )
    .unwrap();
    folder
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_bundled_scene_runs_anywhere_and_the_summary_names_the_files() {
    let folder = tempdir().unwrap();
    let output =
        wayfare(folder.path(), &["run", "arrive", "--ticks", "20", "-o", "a.csv", "-o", "a.png"]);
    assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
    let text = out(&output);
    assert!(
        text.contains("Arrive: slow down")
            && text.contains("wrote a.csv")
            && text.contains("wrote a.png")
            && text.contains("20 ticks"),
        "{text}"
    );
    assert_eq!(files(folder.path()), ["a.csv", "a.png"]);
    assert!(std::fs::read(folder.path().join("a.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn trajectories_begin_at_tick_zero_and_keep_each_nth_tick() {
    let folder = folder_with_a_scene();
    let output =
        wayfare(folder.path(), &["run", "guest.toml", "--ticks", "25", "--every", "10", "-o", "-"]);
    let text = out(&output);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("tick,time,id,group,x,y,vx,vy"));
    assert_eq!(lines.next(), Some("0,0,0,guest,0,0,0,0"));
    let ticks: Vec<&str> =
        text.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(ticks, ["0", "0", "10", "10", "20", "20"]);
    assert!(err(&output).contains("25 ticks"), "the summary stands apart from the trajectories");
}

#[test]
fn a_file_and_standard_output_say_the_same() {
    let folder = folder_with_a_scene();
    let output = wayfare(
        folder.path(),
        &["run", "guest.toml", "--ticks", "5", "--quiet", "-o", "-", "-o", "out.csv"],
    );
    assert_eq!(out(&output), std::fs::read_to_string(folder.path().join("out.csv")).unwrap());
    assert_eq!(err(&output), "");
}

#[test]
fn a_wrong_scene_ends_with_1_and_its_place_and_writes_nothing() {
    let folder = tempdir().unwrap();
    std::fs::write(
        folder.path().join("bad.toml"),
        "[[group]]\nname = \"a\"\nspawn = { points = [[0, 0]] }\nmax_speed = -3\n",
    )
    .unwrap();
    let output = wayfare(folder.path(), &["run", "bad.toml", "-o", "out.csv", "-o", "out.png"]);
    assert_eq!(output.status.code(), Some(1));
    let text = err(&output);
    assert!(
        text.contains("bad.toml:4:13")
            && text.contains("`max_speed` is the number -3")
            && text.contains("a speed above 0"),
        "{text}"
    );
    assert_eq!((out(&output).as_str(), files(folder.path())), ("", vec!["bad.toml".to_string()]));
}

#[test]
fn wrong_arguments_end_with_1_and_say_what_is_allowed() {
    let folder = folder_with_a_scene();
    for (arguments, expected) in [
        (&["run", "guest.toml", "-o", "guest.toml"][..], "its extension selects no output format"),
        (&["run", "guest.toml", "-o", "a.csv", "-o", "./a.csv"], "`-o ./a.csv` is given twice"),
        (&["run", "arive"], "did you mean `arrive`?"),
        (
            &["run", "doorway"],
            "did you mean `doorway-free` or `doorway-hard-stop` or `doorway-brake`",
        ),
        (&["run", "path-p"], "did you mean `path-patrol`?"),
        (&["run", "./seek"], "did you mean the bundled scene `seek`?"),
        (&["check", "scenes/seek.toml"], "did you mean the bundled scene `seek`?"),
        (&["run", "nowhere.toml"], "there is no file and no bundled scene `nowhere.toml`"),
        (
            &["run", "seek", "--every", "0"],
            "invalid value '0' for '--every <N>': allowed: a whole number from 1 to \
             18446744073709551615",
        ),
        (
            &["run", "seek", "--ticks", "-1"],
            "invalid value '-1' for '--ticks <N>': allowed: a whole number from 0 to",
        ),
        (
            &["run", "seek", "--seed", "1.5"],
            "invalid value '1.5' for '--seed <N>': allowed: a whole number from 0 to",
        ),
        (&["run", "seek\u{1b}[31m"], "no bundled scene `seek\\u{1b}[31m`"),
        (&["run", "seek", "--\u{1b}[31m"], "unexpected argument '--\\u{1b}[31m'"),
        (&["run", "seek", "--tikcs", "5"], "--ticks"),
        (&["walk"], "unrecognized subcommand"),
    ] {
        let output = wayfare(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
    }
    assert_eq!(files(folder.path()), ["guest.toml"]);
}

#[test]
fn an_output_that_is_also_the_input_is_refused() {
    let folder = folder_with_a_scene();
    std::fs::copy(folder.path().join("guest.toml"), folder.path().join("scene.csv")).unwrap();
    let output = wayfare(folder.path(), &["run", "scene.csv", "-o", "./scene.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("`-o ./scene.csv` is the input scene.csv"), "{}", err(&output));
    assert!(std::fs::read_to_string(folder.path().join("scene.csv")).unwrap().contains("guest"));
}

#[test]
fn a_path_that_cannot_be_written_ends_with_2_and_is_named_and_nothing_is_left() {
    let folder = folder_with_a_scene();
    let output = wayfare(
        folder.path(),
        &["run", "guest.toml", "-o", "good.csv", "-o", "no/such/folder/out.csv"],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(
        err(&output).starts_with("error: cannot write no/such/folder/out.csv: "),
        "{}",
        err(&output)
    );
    assert_eq!(err(&output).matches("out.csv").count(), 1, "{}", err(&output));
    assert_eq!(files(folder.path()), ["guest.toml"]);
}

#[test]
fn the_digest_is_the_last_line_and_depends_on_the_run_alone() {
    let folder = folder_with_a_scene();
    let digest = |arguments: &[&str]| {
        out(&wayfare(folder.path(), arguments)).lines().last().unwrap().to_string()
    };
    let one = digest(&["run", "wander", "--ticks", "50", "--digest"]);
    assert!(one.len() == 16 && one.chars().all(|c| c.is_ascii_hexdigit()), "{one}");
    assert_eq!(
        one,
        digest(&[
            "run", "wander", "--ticks", "50", "--digest", "--quiet", "--every", "7", "-o", "w.csv"
        ])
    );
    assert_ne!(one, digest(&["run", "wander", "--ticks", "50", "--digest", "--seed", "12"]));
    assert_ne!(one, digest(&["run", "wander", "--ticks", "51", "--digest"]));
}

#[test]
fn a_log_moves_the_pointer_and_a_wrong_one_is_explained() {
    let folder = folder_with_a_scene();
    std::fs::write(
        folder.path().join("log.jsonl"),
        "{\"tick\": 3, \"pointer\": [0, 90]}\n\n{\"tick\": 9, \"pointer\": null}\n",
    )
    .unwrap();
    let bad = "{\"tick\": 3, \"pointer\": [0, 90]}\n{\"tick\": 2, \"pointer\": null}\n{\"tick\": \
               4, \"tick\": 5}\n"
        .to_string();
    std::fs::write(folder.path().join("bad.jsonl"), bad + &"{}\n".repeat(23)).unwrap();
    let digest = |arguments: &[&str]| out(&wayfare(folder.path(), arguments));
    let plain = digest(&["run", "guest.toml", "--ticks", "20", "--digest", "-q"]);
    let moved =
        digest(&["run", "guest.toml", "--ticks", "20", "--digest", "-q", "--input", "log.jsonl"]);
    assert_ne!(plain, moved);
    assert_eq!(
        moved,
        digest(&["run", "guest.toml", "--ticks", "20", "--digest", "-q", "--input", "log.jsonl"])
    );
    let output = wayfare(folder.path(), &["run", "guest.toml", "--input", "bad.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let text = err(&output);
    for part in [
        "bad.jsonl:2:10",
        "a whole number from 3, the tick of the line before",
        "bad.jsonl:3:13",
        "first given here",
        "and 5 more errors",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(
        !text.contains("from 0, the tick of the line before"),
        "the first line has none before it: {text}"
    );
}

#[test]
fn a_command_that_cannot_be_done_ends_the_run_with_its_line_and_nothing_is_written() {
    let folder = folder_with_a_scene();
    let log = "{\"tick\": 2, \"remove\": 1}\n{\"tick\": 3, \"move\": 1, \"position\": [0, \
               0]}\n{\"tick\": 4, \"set\": \"group[0].mass\", \"value\": -1}\n";
    std::fs::write(folder.path().join("log.jsonl"), log).unwrap();
    let output = wayfare(
        folder.path(),
        &["run", "guest.toml", "--ticks", "9", "--input", "log.jsonl", "-o", "out.csv"],
    );
    assert_eq!(output.status.code(), Some(1));
    for part in [
        "there is no agent 1",
        "log.jsonl:2:21",
        "allowed: the id of an agent that is in the crowd",
    ] {
        assert!(err(&output).contains(part), "{part} is not in {}", err(&output));
    }
    assert_eq!(files(folder.path()), ["guest.toml", "log.jsonl"]);
    std::fs::write(folder.path().join("log.jsonl"), log.lines().last().unwrap()).unwrap();
    let text = err(&wayfare(
        folder.path(),
        &["run", "guest.toml", "--ticks", "9", "--input", "log.jsonl"],
    ));
    assert!(
        text.contains("`mass` cannot be -1")
            && text.contains("log.jsonl:1:1")
            && text.contains("a time above 0"),
        "{text}"
    );
}

#[test]
fn the_summary_names_each_line_with_its_crossings_and_each_exit_with_those_who_left() {
    let folder = tempdir().unwrap();
    let scene = "[line.door]\nfrom = [10, -5]\nto = [10, 5]\n[[exit]]\nbox = { min = [20, -9], \
                 max = [99, 9] }\n[[exit]]\ncircle = { center = [0, 50], radius = 10 }\nthen = { \
                 respawn = { circle = { center = [0, 90], radius = 5 } } }\n[[group]]\nname = \
                 \"out\"\nspawn = { points = [[0, 0], [0, 1], [0, 50]] }\nvelocity = [2, \
                 0]\nmax_speed = 2\n";
    std::fs::write(folder.path().join("door.toml"), scene).unwrap();
    let output = wayfare(
        folder.path(),
        &["run", "door.toml", "--ticks", "20", "-o", "out.csv", "-o", "out.png"],
    );
    assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
    let text = out(&output);
    // Who respawns does so away from the line.
    for part in [
        "  line door: 0 to the left, 2 to the right\n",
        "  exit[0]: 2 left\n",
        "  exit[1]: 1 respawned\n",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let rows = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    let last: Vec<&str> = rows.lines().filter(|row| row.starts_with("20,")).collect();
    assert!(last.len() == 1 && last[0].starts_with("20,20,2,out,"), "{last:?}");
}

#[test]
fn check_reads_many_scenes_and_hints_at_what_moves_badly() {
    let folder = folder_with_a_scene();
    std::fs::write(folder.path().join("bad.toml"), "[[group]]\n").unwrap();
    let fine = wayfare(folder.path(), &["check", "guest.toml", "arrive"]);
    assert_eq!(fine.status.code(), Some(0));
    assert!(
        out(&fine).contains("guest.toml: fine\n")
            && out(&fine).contains("it overshoots before it settles"),
        "{}",
        out(&fine)
    );
    // The good ones are reported and the bad ones explained, wherever they stand.
    let wrong =
        wayfare(folder.path(), &["check", "bad.toml", "guest.toml", "nowhere.toml", "seek"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert_eq!(out(&wrong), "guest.toml: fine\nclassic/seek.toml: fine\n");
    for part in ["`group` has no `name`", "bad.toml: 3 errors", "`nowhere.toml`"] {
        assert!(err(&wrong).contains(part), "{part} is not in {}", err(&wrong));
    }
}

#[test]
fn the_summary_is_short_and_plain_whatever_the_scene_says() {
    let folder = tempdir().unwrap();
    let group = |i: usize| {
        format!(
            "[[group]]\nname = \"g{i}\\u001b[31m{}\"\nspawn = {{ points = [[0, 0]] }}\nmax_speed \
             = 3\n",
            "x".repeat(200 * (i % 2))
        )
    };
    let groups: String = (0..30).map(group).collect();
    std::fs::write(
        folder.path().join("many.toml"),
        format!("title = \"a\\u001b]0;b\\nc\"\n{groups}"),
    )
    .unwrap();
    std::fs::write(
        folder.path().join("late.jsonl"),
        "\u{feff}{\"tick\": 1, \"pointer\": null}\n{\"tick\": 9, \"pointer\": [0, 9]}\n",
    )
    .unwrap();
    let text = out(&wayfare(
        folder.path(),
        &["run", "many.toml", "--ticks", "1", "--input", "late.jsonl"],
    ));
    assert!(text.starts_with("a\\u{1b}]0;b\\nc\n  1 g0\\u{1b}[31m, 1 g1\\u{1b}[31mxxx"), "{text}");
    assert!(
        text.contains("xx…, 1 g2")
            && text.contains(", and 24 more groups: 30 agents in all; 1 tick to time 1"),
        "{text}"
    );
    assert!(text.contains("2 commands of the log not done: the run ended before"), "{text}");
    assert!(text.lines().all(|line| line.len() < 600), "{text}");
}

#[test]
fn a_mark_of_the_encoding_at_the_start_of_a_scene_is_no_mistake() {
    let folder = tempdir().unwrap();
    let json = "{ \"group\": [{ \"name\": \"a\", \"spawn\": { \"points\": [[0, 0]] }, \
                \"max_speed\": 3 }] }";
    let toml = "[[group]]\nname = \"a\"\nspawn = { points = [[0, 0]] }\nmax_speed = 3\n";
    for (name, text) in [("a.json", json), ("a.toml", toml)] {
        std::fs::write(folder.path().join(name), format!("\u{feff}{text}")).unwrap();
    }
    assert_eq!(
        out(&wayfare(folder.path(), &["check", "a.json", "a.toml"])),
        "a.json: fine\na.toml: fine\n"
    );
}

#[test]
fn a_file_that_is_too_large_is_refused_with_its_size() {
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("large.toml"), vec![b'#'; 17 << 20]).unwrap();
    let output = wayfare(folder.path(), &["run", "large.toml"]);
    assert_eq!(
        (output.status.code(), err(&output).as_str()),
        (Some(1), "error: large.toml is 17.0 MiB large\nallowed: a text file of at most 16 MiB\n")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_may_be_any_bytes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder_with_a_scene();
    let path = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    std::fs::rename(folder.path().join("guest.toml"), folder.path().join(path(b"\xff.toml")))
        .unwrap();
    std::fs::write(folder.path().join(path(b"\xff.jsonl")), "").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfare"));
    command.arg("run").args([
        path(b"\xff.toml"),
        path(b"--ticks=1"),
        path(b"--input"),
        path(b"\xff.jsonl"),
        path(b"-o"),
        path(b"\xfe.csv"),
    ]);
    let output = command.current_dir(folder.path()).output().unwrap();
    assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
    assert!(folder.path().join(path(b"\xfe.csv")).is_file());
    let check = Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .arg("check")
        .arg(path(b"\xff.toml"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(check.status.code(), Some(0));
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_place() {
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("latin.toml"), b"title = \"a\"\n# caf\xe9\n").unwrap();
    let output = wayfare(folder.path(), &["check", "latin.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        err(&output).contains("latin.toml:2:6: the byte 0xe9 is not UTF-8"),
        "{}",
        err(&output)
    );
}

/// A folder of one test, and `wayfare` running in it for longer than anybody waits.
#[cfg(unix)]
fn endless_run(arguments: &[&str]) -> (TempDir, Child) {
    let folder = folder_with_a_scene();
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfare"));
    command.args(["run", "guest.toml", "--ticks", "1000000000000"]).args(arguments);
    let child = command
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    (folder, child)
}

#[cfg(unix)]
fn send(signal: &str, to: &Child) {
    assert!(Command::new("kill").args([signal, &to.id().to_string()]).status().unwrap().success());
}

#[cfg(unix)]
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let began = std::time::Instant::now();
    while !holds() {
        assert!(began.elapsed().as_secs() < 60, "{what} for a minute");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_what_it_has_and_ends_with_the_signals_code() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let (folder, child) = endless_run(&["--every", "1000", "-o", "out.csv", "-o", "out.png"]);
        let begun = |e: std::fs::DirEntry| {
            e.file_name().to_string_lossy().ends_with(".part")
                && e.metadata().is_ok_and(|m| m.len() > 0)
        };
        eventually("nothing was written", || {
            std::fs::read_dir(folder.path()).unwrap().any(|e| e.is_ok_and(begun))
        });
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", err(&output));
        assert_eq!(files(folder.path()), ["guest.toml", "out.csv", "out.png"]);
        let tick: u64 = err(&output)
            .strip_prefix("interrupted at tick ")
            .unwrap()
            .split(';')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        assert!(err(&output).contains("what was run until then is written"), "{}", err(&output));
        let rows = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
        let last = rows.lines().last().unwrap();
        assert!(last.starts_with(&format!("{},", tick / 1000 * 1000)), "{last} at tick {tick}");
    }
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_ends_at_once() {
    // Nobody reads its rows, so it hangs in a full pipe, where the first signal has to wait.
    let (_folder, mut child) = endless_run(&["-o", "-"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    send("-INT", &child);
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none(), "it hangs");
    send("-INT", &child);
    eventually("it hangs", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(target_os = "linux")]
#[test]
fn rows_for_a_closed_standard_output_are_a_failure_and_for_dev_null_none() {
    for (redirection, code, text) in
        [(">&-", 2, "error: standard output is closed\n"), (">/dev/null", 0, "")]
    {
        let command = format!(
            "exec {} run seek --ticks 2 --quiet -o - {redirection}",
            env!("CARGO_BIN_EXE_wayfare")
        );
        let output = Command::new("sh").args(["-c", &command]).output().unwrap();
        assert_eq!(
            (output.status.code(), err(&output).as_str()),
            (Some(code), text),
            "{redirection}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_crowd_that_the_memory_cannot_hold_is_refused_with_its_place() {
    let folder = tempdir().unwrap();
    let group = |name: &str, count: u32| {
        format!(
            "[[group]]\nname = \"{name}\"\ncount = {count}\nspawn = {{ circle = {{ center = [0, \
             0], radius = 9 }} }}\nmax_speed = 1\n"
        )
    };
    std::fs::write(folder.path().join("huge.toml"), group("few", 1) + &group("many", 20_000_000))
        .unwrap();
    let command = format!(
        "ulimit -v 2000000; exec {} run huge.toml -o out.csv",
        env!("CARGO_BIN_EXE_wayfare")
    );
    let output =
        Command::new("sh").args(["-c", &command]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let text = err(&output);
    for part in [
        "20000001 agents together take about 5.0 GB of memory",
        "huge.toml:8:9",
        "at most",
        "2.0 GB are free",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert_eq!(files(folder.path()), ["huge.toml"]);
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
fn the_picture_in_the_readme_is_what_the_program_draws() {
    let folder = tempdir().unwrap();
    wayfare(folder.path(), &["run", "doorway-separation", "-q", "-o", "doorway.png"]);
    let shown = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/doorway-separation.png");
    assert!(
        std::fs::read(folder.path().join("doorway.png")).unwrap()
            == std::fs::read(shown).unwrap_or_default(),
        "draw it anew: cargo run --release -- run doorway-separation -o \
         docs/doorway-separation.png"
    );
}

#[test]
fn bench_tells_one_line_of_json_a_case_and_ends_where_run_ends() {
    let folder = tempdir().unwrap();
    let output = wayfare(
        folder.path(),
        &["bench", "game-crowd", "among-obstacles", "--ticks", "4", "--repeats", "2", "--json"],
    );
    assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
    let text = out(&output);
    assert_eq!(text.lines().count(), 2);
    for (line, scene) in text.lines().zip(["game-crowd", "among-obstacles"]) {
        let keys: Vec<&str> = line
            .trim_matches(['{', '}'])
            .split(',')
            .map(|pair| pair.split(':').next().unwrap().trim_matches('"'))
            .collect();
        let contract = [
            "scene",
            "agents",
            "threads",
            "ticks",
            "mean_neighbors",
            "agent_steps_per_second",
            "ns_per_neighbor",
            "bytes_per_agent",
            "digest",
        ];
        assert_eq!(keys[..9], contract, "{line}");
        assert_eq!(keys[9..], ["repeats", "slowest", "fastest"], "{line}");
        let run = wayfare(folder.path(), &["run", scene, "--ticks", "4", "--quiet", "--digest"]);
        assert!(
            line.contains(&format!("\"scene\":\"{scene}\""))
                && line.contains(&format!("\"digest\":\"{}\"", out(&run).trim())),
            "{line}"
        );
    }
    assert!(
        text.contains("\"agents\":2000,\"threads\":1,\"ticks\":4,\"mean_neighbors\":0.000,")
            && text.contains("\"ns_per_neighbor\":null"),
        "{text}"
    );
}

#[test]
fn a_scene_of_the_bench_grows_at_its_density_and_the_table_has_a_row_for_each_count() {
    let folder = tempdir().unwrap();
    let output = wayfare(
        folder.path(),
        &["bench", "flock-2d", "--agents", "1000,4000", "--ticks", "3", "--repeats", "1"],
    );
    let text = out(&output);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 3, "{text}{}", err(&output));
    assert_eq!((rows[1][1], rows[2][1]), ("1,000", "4,000"));
    for row in &rows[1..] {
        // A tenth of a bird in a unit of area, in a circle of radius 10.
        let neighbors: f64 = row[4].parse().unwrap();
        assert!((neighbors - 31.4).abs() < 1.5, "{text}");
    }
    // Without a scene, those of the bench that can grow.
    let output =
        wayfare(folder.path(), &["bench", "--agents", "60", "--ticks", "3", "--repeats", "1"]);
    let scenes: Vec<String> = out(&output)
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().next().unwrap().to_string())
        .collect();
    assert_eq!(scenes, ["flock-3d", "flock-2d", "chase", "separate"]);
}

#[test]
fn any_number_of_threads_ends_with_the_same_digest() {
    let folder = folder_with_a_scene();
    let digests = ["1", "2", "5"].map(|threads| {
        let output = wayfare(
            folder.path(),
            &["run", "flock-3d", "--ticks", "4", "--threads", threads, "--quiet", "--digest"],
        );
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        out(&output)
    });
    assert!(
        digests[0].len() == 17 && digests.iter().all(|digest| *digest == digests[0]),
        "{digests:?}"
    );
    let output = wayfare(
        folder.path(),
        &["bench", "flock-3d", "--threads", "1,2", "--ticks", "4", "--repeats", "1"],
    );
    assert_eq!(out(&output).matches(digests[0].trim()).count(), 2, "{}", out(&output));
}

#[test]
fn what_bench_cannot_measure_ends_with_1_and_the_reason() {
    let folder = folder_with_a_scene();
    for (arguments, expected) in [
        (
            &["bench", "guest.toml", "--agents", "10"][..],
            "`guest.toml` cannot have 10 agents at its density: its world is not \
             wrapped\nallowed: its own 2, or",
        ),
        (&["bench", "among-obstacles", "--agents", "10"], "it has obstacles"),
        (&["bench", "flock-2d", "--agents", "0"], "allowed: whole numbers from 1 to 100000000"),
        (
            &["bench", "flock-2d", "--threads", "0"],
            "invalid value '0' for '--threads <N>': allowed: a whole number from 1 to 1024",
        ),
        (&["bench", "flock-2d", "--ticks", "2"], "allowed: a whole number from 3"),
        (&["bench", "flok-2d"], "did you mean `flock-2d`?"),
    ] {
        let output = wayfare(folder.path(), arguments);
        assert_eq!((output.status.code(), out(&output)), (Some(1), String::new()), "{arguments:?}");
        assert!(err(&output).contains(expected), "{arguments:?}: {}", err(&output));
    }
}

#[test]
fn a_run_goes_on_from_a_snapshot_to_the_same_digest() {
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
    // A snapshot of the end is one from which nothing is left to run, and two runs to there write
    // the same bytes.
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
fn a_snapshot_that_cannot_be_gone_on_from_is_named_with_its_fault() {
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
        "error: cut.snapshot: it is damaged: its hash is another\nallowed: ",
    );
    fails(&["--from", "guest.toml"], 1, "error: guest.toml: it is no snapshot\nallowed: ");
    fails(
        &["--from", "half.snapshot", "--seed", "5"],
        1,
        "error: half.snapshot: it is of another scene, or of another seed\nallowed: ",
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

#[test]
fn a_new_scene_is_written_once_checks_without_hints_and_runs() {
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
        ("crowd", "error: crowd.toml is there already\nallowed: a name that no file has\n"),
        ("crowd.toml", "error: crowd.toml is there already\nallowed: a name that no file has\n"),
        (
            "crowd.json",
            "error: `crowd.json`: the starter has comments, which JSON has not\nallowed: a name \
             that ends in .toml, or has no ending\n",
        ),
        ("..", "error: `..` is no name of a file\nallowed: a name such as crowd, for crowd.toml\n"),
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

#[test]
fn what_is_no_text_is_told_as_such() {
    let folder = tempdir().unwrap();
    let utf16: Vec<u8> = "\u{feff}title".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = utf16.clone();
    for (bytes, expected) in [
        (marked, "error: a.toml:1:1: the text is in UTF-16\nallowed: text in UTF-8"),
        (
            utf16[2..].to_vec(),
            "error: a.toml:1:2: a zero byte: this is no text, or text in UTF-16\nallowed: text in \
             UTF-8",
        ),
        (b"dt = 1\ntitle = \"\0\"".to_vec(), "error: a.toml:2:10: a zero byte"),
    ] {
        std::fs::write(folder.path().join("a.toml"), bytes).unwrap();
        let output = wayfare(folder.path(), &["check", "a.toml"]);
        assert!(
            output.status.code() == Some(1) && err(&output).starts_with(expected),
            "{}",
            err(&output)
        );
    }
    std::fs::create_dir(folder.path().join("scenes")).unwrap();
    let output = wayfare(folder.path(), &["check", "scenes"]);
    assert_eq!(
        (output.status.code(), err(&output).as_str()),
        (
            Some(1),
            "error: `scenes` is a folder\nallowed: a scene file, or several, such as \
             scenes/*.toml\n"
        )
    );
}
