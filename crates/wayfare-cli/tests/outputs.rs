//! The outputs of the command: every format is written whole or not at all, and the docs are right
//! about them.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::{TempDir, tempdir};
use wayfare_record::output::{FORMATS, Format};

const EXTENSIONS: [&str; 9] =
    ["csv", "parquet", "sqlite", "txt", "png", "svg", "gif", "json", "snapshot"];

fn wayfare(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The code blocks of docs/outputs.md in this language.
fn blocks(language: &str) -> Vec<String> {
    let page = std::fs::read_to_string(root().join("docs/outputs.md")).unwrap();
    page.split(&format!("```{language}\n"))
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap().to_string())
        .collect()
}

/// A folder with the scene of the docs in it.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    std::fs::write(folder.path().join("fox.toml"), &blocks("toml")[0]).unwrap();
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

fn read(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap()
}

fn json(folder: &Path, name: &str) -> Value {
    serde_json::from_slice(&read(folder, name)).unwrap()
}

/// Whether a file of this format is complete, by its beginning and its end.
fn is_whole(kind: &str, bytes: &[u8]) -> bool {
    match kind {
        "csv" => bytes.starts_with(b"tick,") && bytes.ends_with(b"\n"),
        "parquet" => bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"),
        "sqlite" => {
            let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
            bytes.starts_with(b"SQLite format 3\0") && bytes.len() as u32 == number(28) * 4096
        }
        "txt" => bytes.starts_with(b"# scene: ") && bytes.ends_with(b"\n# end\n"),
        "png" => {
            bytes.starts_with(b"\x89PNG")
                && bytes.windows(4).rev().take(9).any(|four| four == b"IEND")
        }
        "svg" => bytes.starts_with(b"<?xml") && bytes.ends_with(b"</svg>\n"),
        "gif" => bytes.starts_with(b"GIF89a") && bytes.ends_with(b"\x3b"),
        "json" => serde_json::from_slice::<Value>(bytes).is_ok(),
        // Another test continues from one.
        _ => bytes.len() > 100,
    }
}

/// Options that ask for each format as `out.EXTENSION`.
fn all_formats() -> Vec<String> {
    EXTENSIONS.iter().flat_map(|kind| ["-o".to_string(), format!("out.{kind}")]).collect()
}

#[test]
fn the_docs_the_help_and_the_error_text_list_every_format() {
    let page = std::fs::read_to_string(root().join("docs/outputs.md")).unwrap();
    let folder = folder();
    let help = text(&wayfare(folder.path(), &["run", "--help"]).stdout);
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let refused = text(&wayfare(folder.path(), &["run", "fox.toml", "-o", "fox.bmp"]).stderr);
    for Format { extension, content, .. } in FORMATS {
        assert!(page.contains(&format!("\n| `.{extension}` | {content}")), "{extension}");
        assert!(help.contains(&format!(".{extension} {content}")), "{help}");
        assert!(refused.contains(&format!(".{extension}")), "{refused}");
    }
    assert_eq!(EXTENSIONS, FORMATS.iter().map(|format| format.extension).collect::<Vec<_>>()[..]);
}

#[test]
fn the_example_of_the_docs_prints_what_the_docs_show() {
    let folder = folder();
    let mut said = Vec::new();
    for line in blocks("sh")[0].lines() {
        let words: Vec<&str> = line.strip_prefix("wayfare ").unwrap().split(' ').collect();
        let output = wayfare(folder.path(), &words);
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), String::new()),
            "{line}"
        );
        said.push(text(&output.stdout));
    }
    let without_speed = |text: &str| -> String {
        let line = |line: &str| {
            line.split_once(" to time ").map_or(line.to_string(), |(before, after)| {
                format!("{before} to time {}", after.split(',').next().unwrap())
            })
        };
        text.lines().map(|l| line(l) + "\n").collect()
    };
    assert_eq!(without_speed(&said[0]), without_speed(&blocks("text")[0]));
    for kind in EXTENSIONS {
        assert!(is_whole(kind, &read(folder.path(), &format!("fox.{kind}"))), "{kind}");
    }
}

#[test]
fn the_summary_has_the_keys_of_the_docs_and_agrees_with_the_text() {
    let folder = folder();
    let said = text(&wayfare(folder.path(), &["run", "fox.toml", "-o", "out.json"]).stdout);
    let summary = json(folder.path(), "out.json");
    let page = std::fs::read_to_string(root().join("docs/outputs.md")).unwrap();
    let table = page.split("| key | content |").nth(1).unwrap().split("\n\n").next().unwrap();
    let cells =
        table.lines().filter_map(|row| row.split('|').nth(1)).flat_map(|cell| cell.split(','));
    let documented: Vec<&str> = cells
        .map(|key| key.trim().trim_matches('`'))
        .filter(|key| !key.is_empty() && !key.contains(['-', '.']))
        .collect();
    assert_eq!(summary.as_object().unwrap().keys().collect::<Vec<_>>(), documented);
    let number = |pointer: &str| {
        summary
            .pointer(pointer)
            .unwrap_or_else(|| panic!("{pointer} is not in {summary}"))
            .as_u64()
            .unwrap()
    };
    for line in [
        format!(
            "line gate: {} to the left, {} to the right",
            number("/lines/gate/left"),
            number("/lines/gate/right")
        ),
        format!("exit[0]: {} left", number("/exits/0/left")),
        format!("{} arrived", number("/arrived/agents")),
        format!(
            "caught entered {} times, {} in it",
            number("/states/hens/caught/entered"),
            number("/states/hens/caught/inside")
        ),
        format!("{} pairs of bodies overlap", number("/overlaps/pairs")),
    ] {
        assert!(said.contains(&line), "{line} is not in\n{said}");
    }
    // The counts are consistent and not zero.
    let (start, end, caught) = (
        number("/agents/hens/start"),
        number("/agents/hens/end"),
        number("/states/hens/caught/entered"),
    );
    assert_eq!(
        (start, number("/agents/fox/start"), number("/tick"), number("/seed")),
        (12, 1, 200, 4)
    );
    assert_eq!(start - end, number("/exits/0/left"));
    assert!(
        caught > 2
            && number("/arrived/agents") > 0
            && number("/overlaps/over_the_run/most_pairs") > 0
    );
    assert_eq!(
        (number("/overlaps/over_the_run/ticks"), &summary["interrupted"], &summary["files"][0]),
        (101, &Value::from(false), &Value::from("out.json"))
    );
    let digest = text(&wayfare(folder.path(), &["run", "fox.toml", "-q", "--digest"]).stdout);
    assert_eq!(summary["digest"], digest.trim());
}

#[test]
fn every_format_is_reproducible_except_for_the_speed() {
    let (one, two) = (folder(), folder());
    for (folder, threads) in [(&one, "1"), (&two, "3")] {
        let mut arguments = vec!["run", "fox.toml", "--ticks", "60", "-q", "--threads", threads];
        let kinds = all_formats();
        arguments.extend(kinds.iter().map(String::as_str));
        assert_eq!(wayfare(folder.path(), &arguments).status.code(), Some(0));
    }
    for kind in EXTENSIONS.iter().filter(|kind| **kind != "json") {
        let name = format!("out.{kind}");
        assert!(read(one.path(), &name) == read(two.path(), &name), "{kind}");
    }
    let timeless = |folder: &TempDir| {
        let mut summary = json(folder.path(), "out.json");
        for key in ["seconds", "ticks_per_second"] {
            assert!(summary.as_object_mut().unwrap().remove(key).unwrap().as_f64().unwrap() > 0.0);
        }
        summary
    };
    assert_eq!(timeless(&one), timeless(&two));
}

#[test]
fn a_missing_folder_ends_with_2_and_the_path_for_every_format() {
    let folder = folder();
    for kind in EXTENSIONS {
        let path = format!("no/such/folder/out.{kind}");
        let output = wayfare(folder.path(), &["run", "fox.toml", "-o", "good.csv", "-o", &path]);
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(2), String::new()),
            "{kind}"
        );
        assert!(
            text(&output.stderr).starts_with(&format!("error: cannot write {path}: ")),
            "{}",
            text(&output.stderr)
        );
        assert_eq!(files(folder.path()), ["fox.toml"]);
    }
}

/// Runs the command in a shell, after `before`.
#[cfg(target_os = "linux")]
fn in_a_shell(folder: &Path, before: &str, arguments: &str) -> Output {
    let command = format!("{before}; exec {} {arguments}", env!("CARGO_BIN_EXE_wayfare"));
    Command::new("sh").args(["-c", &command]).current_dir(folder).output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_with_2_for_every_format_and_the_old_file_is_unchanged() {
    for kind in EXTENSIONS {
        let (folder, name) = (folder(), format!("out.{kind}"));
        std::fs::write(folder.path().join(&name), "old").unwrap();
        // No file may have a single byte: as on a full disk, the error occurs when it is written.
        let output =
            in_a_shell(folder.path(), "ulimit -f 0", &format!("run fox.toml --ticks 30 -o {name}"));
        let (code, said) = (output.status.code(), text(&output.stderr));
        assert!(
            code == Some(2) && said.starts_with(&format!("error: cannot write {name}: ")),
            "{kind}: {code:?} {said}"
        );
        assert_eq!(
            (read(folder.path(), &name), files(folder.path())),
            (b"old".to_vec(), vec!["fox.toml".to_string(), name]),
            "{kind}"
        );
        // A full device behind a symbolic link.
        let full = format!("full.{kind}");
        std::os::unix::fs::symlink("/dev/full", folder.path().join(&full)).unwrap();
        let output = wayfare(folder.path(), &["run", "fox.toml", "--ticks", "30", "-o", &full]);
        let said = text(&output.stderr);
        assert!(
            output.status.code() == Some(2)
                && said.starts_with(&format!("error: cannot write {full}: ")),
            "{kind}: {said}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_during_the_run_keeps_no_output_of_it() {
    let folder = folder();
    std::fs::write(folder.path().join("out.csv"), "old").unwrap();
    // Some kilobytes fit: the rows of the trajectory exceed them long before the end.
    let output = in_a_shell(
        folder.path(),
        "ulimit -f 64",
        &format!("run fox.toml --ticks 20000 {}", all_formats().join(" ")),
    );
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(
        text(&output.stderr).starts_with("error: cannot write out.csv: "),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(
        (files(folder.path()), read(folder.path(), "out.csv")),
        (vec!["fox.toml".to_string(), "out.csv".to_string()], b"old".to_vec())
    );
}

/// An endless run of the docs' scene in all formats, after a part of an output was written.
#[cfg(unix)]
fn endless_run(folder: &Path) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayfare"));
    command
        .args(["run", "fox.toml", "--ticks", "1000000000000", "--every", "1000"])
        .args(all_formats());
    let child = command
        .current_dir(folder)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let begun = |e: std::fs::DirEntry| {
        e.file_name().to_string_lossy().ends_with(".part")
            && e.metadata().is_ok_and(|m| m.len() > 0)
    };
    let began = std::time::Instant::now();
    while !std::fs::read_dir(folder).unwrap().any(|e| e.is_ok_and(begun)) {
        assert!(began.elapsed().as_secs() < 60, "nothing was written for a minute");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child
}

#[cfg(unix)]
#[test]
fn a_killed_run_leaves_old_files_unchanged_and_no_partial_outputs() {
    let folder = folder();
    for kind in &EXTENSIONS[..4] {
        std::fs::write(folder.path().join(format!("out.{kind}")), "old").unwrap();
    }
    let mut child = endless_run(folder.path());
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None);
    let (temporary, named): (Vec<String>, Vec<String>) = files(folder.path())
        .into_iter()
        .partition(|name| name.starts_with(".wayfare-") && name.ends_with(".part"));
    assert_eq!(
        (temporary.len(), named),
        (
            EXTENSIONS.len(),
            ["fox.toml", "out.csv", "out.parquet", "out.sqlite", "out.txt"]
                .map(str::to_string)
                .to_vec()
        )
    );
    for kind in &EXTENSIONS[..4] {
        assert_eq!(read(folder.path(), &format!("out.{kind}")), b"old", "{kind}");
    }
    // The temporary files do not disturb the next run.
    let output =
        wayfare(folder.path(), &["run", "fox.toml", "--ticks", "3", "-q", "-o", "out.csv"]);
    assert!(output.status.success() && is_whole("csv", &read(folder.path(), "out.csv")));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_every_format_completely() {
    let folder = folder();
    let child = endless_run(folder.path());
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    let tick: u64 = said
        .strip_prefix("interrupted at tick ")
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!(said.contains("all outputs are written up to it"), "{said}");
    assert_eq!(files(folder.path()).len(), 1 + EXTENSIONS.len(), "{:?}", files(folder.path()));
    for kind in EXTENSIONS {
        assert!(is_whole(kind, &read(folder.path(), &format!("out.{kind}"))), "{kind}");
    }
    let summary = json(folder.path(), "out.json");
    assert_eq!(
        (&summary["interrupted"], &summary["tick"]),
        (&Value::from(true), &Value::from(tick))
    );
    assert!(
        text(&read(folder.path(), "out.svg")).contains("A fox among hens, tick "),
        "the picture shows the tick of the interruption"
    );
    // The snapshot is of that tick, too: a run to it has no ticks.
    let ticks = tick.to_string();
    let output = wayfare(
        folder.path(),
        &["run", "fox.toml", "--from", "out.snapshot", "--ticks", &ticks, "-q", "--digest"],
    );
    assert_eq!(text(&output.stdout).trim(), summary["digest"].as_str().unwrap());
}

#[test]
fn the_contact_sheet_in_the_docs_has_every_bundled_scene_and_is_small() {
    let sheet = std::fs::read(root().join("docs/scenes-contact-sheet.png")).unwrap_or_default();
    let names: Vec<&str> = wayfare_scene::BUNDLED.iter().map(|scene| scene.name).collect();
    let names = names.join(", ");
    assert!(
        sheet.windows(names.len()).any(|window| window == names.as_bytes()),
        "out of date: cargo run --release -- list -o docs/scenes-contact-sheet.png"
    );
    assert!(sheet.len() < 1_000_000, "{} bytes", sheet.len());
}

#[test]
fn the_contact_sheet_is_a_png_and_its_path_is_tried_before_any_scene_is_run() {
    let folder = folder();
    let output = wayfare(folder.path(), &["list", "-o", "sheet.svg"]);
    assert_eq!(
        (output.status.code(), text(&output.stderr).contains("allowed: a file that ends in .png")),
        (Some(1), true)
    );
    let output = wayfare(folder.path(), &["list", "-o", "no/sheet.png"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).starts_with("error: cannot write no/sheet.png: "),
        "{}",
        text(&output.stderr)
    );
}
