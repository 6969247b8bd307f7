//! Wrong scenes, arguments and files: the message and the exit code of each.

use std::process::Command;

use super::support::*;

#[test]
fn a_wrong_scene_ends_with_1_and_its_position_and_writes_nothing() {
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
fn wrong_arguments_end_with_1_and_the_allowed_values() {
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
fn a_path_that_cannot_be_written_ends_with_2_and_its_name_and_leaves_nothing() {
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
fn a_refused_command_ends_the_run_with_its_line_and_writes_nothing() {
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
fn a_file_that_is_too_large_is_refused_with_its_size() {
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("large.toml"), vec![b'#'; 17 << 20]).unwrap();
    let output = wayfare(folder.path(), &["run", "large.toml"]);
    assert_eq!(
        (output.status.code(), err(&output).as_str()),
        (Some(1), "error: large.toml is 17.0 MiB large\nallowed: a text file of at most 16 MiB\n")
    );
}

#[test]
fn bytes_that_are_not_text_are_refused_with_their_position() {
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

#[cfg(target_os = "linux")]
#[test]
fn rows_for_a_closed_standard_output_are_an_error_but_not_for_dev_null() {
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
fn a_crowd_that_does_not_fit_into_memory_is_refused_with_its_position() {
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
    for part in
        ["20000001 agents together take up to", "huge.toml:8:9", "at most", "2.0 GB are free"]
    {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert_eq!(files(folder.path()), ["huge.toml"]);
}

#[test]
fn files_that_are_not_text_are_refused() {
    let folder = tempdir().unwrap();
    let utf16: Vec<u8> = "\u{feff}title".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = utf16.clone();
    for (bytes, expected) in [
        (marked, "error: a.toml:1:1: the text is in UTF-16\nallowed: text in UTF-8"),
        (
            utf16[2..].to_vec(),
            "error: a.toml:1:2: a zero byte: this is not text, or text in UTF-16\nallowed: text in \
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

#[cfg(unix)]
#[test]
fn a_loop_of_symbolic_links_ends_with_2_and_says_what_it_is() {
    use std::os::unix::fs::symlink;
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    symlink("b.toml", path("a.toml")).unwrap();
    symlink("a.toml", path("b.toml")).unwrap();
    symlink("missing.toml", path("dangling.toml")).unwrap();
    for command in ["run", "check", "bench", "view"] {
        let output = wayfare(folder.path(), &[command, "a.toml"]);
        assert_eq!(output.status.code(), Some(2), "{command}: {}", err(&output));
        assert!(err(&output).starts_with("error: a.toml: "), "{}", err(&output));
        assert!(!err(&output).contains("no file"), "{}", err(&output));
        let output = wayfare(folder.path(), &[command, "dangling.toml"]);
        let text = "error: dangling.toml: the symbolic link points to a file that does not exist\n";
        assert_eq!((output.status.code(), err(&output).as_str()), (Some(2), text), "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn threads_beyond_the_limit_of_address_space_are_refused() {
    let folder = folder_with_a_scene();
    let run = |arguments: &str| {
        let command = format!(
            "ulimit -v 600000; exec {} run guest.toml --ticks 2 -q {arguments}",
            env!("CARGO_BIN_EXE_wayfare")
        );
        Command::new("sh").args(["-c", &command]).current_dir(folder.path()).output().unwrap()
    };
    let refused = run("--threads 1024");
    assert_eq!(refused.status.code(), Some(1), "{}", err(&refused));
    let text = err(&refused);
    let most = text
        .strip_prefix(
            "error: 1024 threads do not fit into the limit of address space (ulimit \
             -v)\nallowed: at most --threads ",
        )
        .and_then(|rest| rest.strip_suffix(" here\n"));
    let most: usize = most.unwrap_or_else(|| panic!("{text}")).parse().unwrap();
    assert!((2..20).contains(&most), "{most}");
    // The allowed number works, and so does the default.
    for arguments in [format!("--threads {most}"), String::new()] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {}", err(&output));
    }
}

#[test]
fn a_scene_given_as_a_log_is_refused_with_one_message() {
    let folder = folder_with_a_scene();
    let output = wayfare(folder.path(), &["run", "guest.toml", "--input", "guest.toml"]);
    let text = "error: guest.toml is not a log of commands\nallowed: one JSON object per line, \
                such as {\"tick\": 3, \"pointer\": [0, 90]}\n";
    assert_eq!((output.status.code(), err(&output).as_str()), (Some(1), text));
}
