//! `wayfare run`: what it prints and writes.

use std::path::Path;
use std::process::Command;

use super::support::*;

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
    assert_eq!(lines.next(), Some("tick,time,id,group,x,y,vx,vy,radius"));
    assert_eq!(lines.next(), Some("0,0,0,guest,0,0,0,0,0"));
    let ticks: Vec<&str> =
        text.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(ticks, ["0", "0", "10", "10", "20", "20"]);
    assert!(err(&output).contains("25 ticks"), "the summary is not part of the trajectories");
}

#[test]
fn a_file_and_standard_output_have_the_same_content() {
    let folder = folder_with_a_scene();
    let output = wayfare(
        folder.path(),
        &["run", "guest.toml", "--ticks", "5", "--quiet", "-o", "-", "-o", "out.csv"],
    );
    assert_eq!(out(&output), std::fs::read_to_string(folder.path().join("out.csv")).unwrap());
    assert_eq!(err(&output), "");
}

#[test]
fn a_time_takes_the_place_of_a_number_of_ticks() {
    let folder = folder_with_a_scene();
    let run =
        |arguments: &[&str]| wayfare(folder.path(), &[&["run", "guest.toml"], arguments].concat());
    let part = run(&["--time", "20.5"]);
    assert!(out(&part).contains("21 ticks to time 21"), "{}", out(&part));
    for (arguments, said) in [
        (&["--time", "-1"][..], "allowed: a time from 0 to 1e18"),
        (&["--time", "3", "--ticks", "3"], "cannot be used with"),
    ] {
        let refused = run(arguments);
        assert!(err(&refused).contains(said), "{}", err(&refused));
    }
}

#[test]
fn the_summary_says_who_did_not_arrive_at_a_point_that_others_hold() {
    let folder = tempfile::tempdir().unwrap();
    let said = |end: &str| {
        let orders: String = (0..12)
            .map(|id| format!("[[event]]\nat = 1\nagent = {id}\norder = [60, 0]\n"))
            .collect();
        let scene = format!(
            "duration = 200\nbodies = {{ solid = true }}\n{orders}\
             [[group]]\nname = \"units\"\ncount = 12\n\
             spawn = {{ grid = {{ origin = [0, 0], spacing = 3, columns = 4 }} }}\nmax_speed = 2\n\
             radius = 1\nsteer = [{{ {end} = {{ target = \"order\" }} }}]\n"
        );
        std::fs::write(folder.path().join("units.toml"), scene).unwrap();
        let run = wayfare(folder.path(), &["run", "units.toml"]);
        out(&run).contains("\n  9 ordered to a point that others hold did not arrive")
    };
    assert_eq!(["arrive", "settle"].map(said), [true, false]);
}

#[test]
fn a_picture_shows_the_time_that_is_asked_for() {
    let folder = folder_with_a_scene();
    let run = |arguments: &[&str]| {
        wayfare(folder.path(), &[&["run", "guest.toml", "--time", "20"], arguments].concat())
    };
    run(&["--at", "6", "-o", "at.svg"]);
    let picture = std::fs::read_to_string(folder.path().join("at.svg")).unwrap();
    assert!(picture.contains("tick 6, time 6"), "{picture}");
    for (arguments, said) in [
        (
            &["--at", "30", "-o", "late.svg"][..],
            "`--at 30` is not in the run\nallowed: a time from 0",
        ),
        (&["--at", "6", "-o", "at.csv"], "allowed: with an `-o` that ends in .png or .svg"),
        (&["--at", "6"], "--output <FILE>"),
    ] {
        let refused = run(arguments);
        assert!(err(&refused).contains(said), "{}", err(&refused));
    }
}

#[test]
fn events_go_on_from_a_snapshot_and_a_refused_one_ends_the_run_at_its_place() {
    let folder = folder_with_a_scene();
    let guest = std::fs::read_to_string(folder.path().join("guest.toml")).unwrap();
    let event = "[[event]]\nat = 20\nremove = 1\n[[event]]\nat = 30\nevery = 9\nmove = 0\n\
                 position = [5, 5]\n";
    std::fs::write(folder.path().join("events.toml"), format!("{guest}\n{event}")).unwrap();
    let log = "{\"time\": 20, \"remove\": 1}\n{\"time\": 30, \"move\": 0, \"position\": [5, 5]}\n\
               {\"tick\": 39, \"move\": 0, \"position\": [5, 5]}\n";
    std::fs::write(folder.path().join("log.jsonl"), log).unwrap();
    let digest = |arguments: &[&str]| {
        let output = wayfare(folder.path(), &[&["run", "-q", "--digest"], arguments].concat());
        assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
        out(&output)
    };
    let whole = digest(&["events.toml", "--time", "45"]);
    assert_eq!(whole, digest(&["guest.toml", "--time", "45", "--input", "log.jsonl"]));
    digest(&["events.toml", "--ticks", "30", "-o", "part.snapshot"]);
    assert_eq!(whole, digest(&["events.toml", "--time", "45", "--from", "part.snapshot"]));

    let again = "[[event]]\nat = 25\nremove = 1\n";
    std::fs::write(folder.path().join("events.toml"), format!("{guest}\n{event}{again}")).unwrap();
    let output = wayfare(folder.path(), &["run", "events.toml", "-o", "out.csv"]);
    let said = err(&output);
    assert!(said.contains("at tick 25 there is no agent 1\n  --> events.toml:"), "{said}");
    assert_eq!((output.status.code(), out(&output)), (Some(1), String::new()));
    assert!(!files(folder.path()).contains(&"out.csv".to_string()));
}

#[test]
fn the_digest_is_the_last_line_and_does_not_depend_on_outputs() {
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
fn a_log_moves_the_pointer_and_mistakes_in_a_log_are_explained() {
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
fn the_summary_has_the_crossings_of_each_line_and_the_count_of_each_exit() {
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
    // Agents respawn away from the line.
    for part in [
        "  line door: 0 to the left, 2 to the right\n",
        "  exit[0]: 2 left\n",
        "  exit[1]: 1 respawned\n",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let rows = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    let last: Vec<&str> = rows.lines().filter(|row| row.starts_with("20,")).collect();
    assert!(last.len() == 1 && last[0].starts_with("20,20,2,\"out\","), "{last:?}");
}

#[test]
fn the_summary_is_short_and_escapes_control_characters() {
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
    assert!(text.contains("2 commands of the log not applied: the run ended before"), "{text}");
    assert!(text.lines().all(|line| line.len() < 600), "{text}");
}

#[test]
fn a_byte_order_mark_at_the_start_of_a_scene_is_accepted() {
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

#[cfg(target_os = "linux")]
#[test]
fn a_path_need_not_be_utf_8() {
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
fn the_picture_in_the_readme_is_what_the_program_draws() {
    let folder = tempdir().unwrap();
    wayfare(folder.path(), &["run", "doorway-150", "-q", "-o", "doorway.png"]);
    let shown = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/doorway-150.png");
    assert!(
        std::fs::read(folder.path().join("doorway.png")).unwrap()
            == std::fs::read(shown).unwrap_or_default(),
        "out of date: cargo run --release -- run doorway-150 -o docs/doorway-150.png"
    );
}

#[test]
fn the_digest_does_not_depend_on_the_number_of_threads() {
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

#[cfg(target_os = "linux")]
#[test]
fn a_link_to_a_pipe_is_written_through() {
    let folder = folder_with_a_scene();
    std::os::unix::fs::symlink("/dev/stdout", folder.path().join("link.csv")).unwrap();
    let output =
        wayfare(folder.path(), &["run", "guest.toml", "--ticks", "2", "-q", "-o", "link.csv"]);
    assert_eq!((output.status.code(), err(&output)), (Some(0), String::new()));
    assert!(out(&output).starts_with("tick,time,id,group"), "{}", out(&output));
    assert!(folder.path().join("link.csv").is_symlink());
}
