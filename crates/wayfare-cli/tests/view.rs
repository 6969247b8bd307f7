//! `wayfare view`, with a stand-in for the viewer's program.
#![cfg(unix)]
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::tempdir;

/// The command in a folder without a viewer.
fn command_alone(folder: &Path) -> PathBuf {
    let program = folder.join("wayfare");
    let built = env!("CARGO_BIN_EXE_wayfare");
    std::fs::hard_link(built, &program)
        .or_else(|_| std::fs::copy(built, &program).map(|_| ()))
        .unwrap();
    program
}

/// A stand-in that prints its folder, the number of its arguments and the first, and ends with 7.
fn viewer_stand_in(folder: &Path) {
    let program = folder.join("wayfare-view");
    std::fs::write(
        &program,
        "#!/bin/sh\nprintf 'in %s:%s:%s' \"$(basename \"$(dirname \"$0\")\")\" \"$#\" \
         \"$1\"\nexit 7\n",
    )
    .unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn view(program: &Path, path: &Path, scene: &[&str]) -> Output {
    let system = std::env::var("PATH").unwrap();
    Command::new(program)
        .arg("view")
        .args(scene)
        .env("PATH", format!("{}:{system}", path.display()))
        .output()
        .unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn the_viewer_beside_the_command_gets_the_scene_and_its_exit_code_is_returned() {
    let folder = tempdir().unwrap();
    let [own, path] = ["own", "path"].map(|name| folder.path().join(name));
    [&own, &path].into_iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
    let program = command_alone(&own);
    viewer_stand_in(&path);
    let found = view(&program, &path, &["arrive"]);
    assert_eq!((out(&found).as_str(), found.status.code()), ("in path:1:arrive", Some(7)));
    viewer_stand_in(&own);
    assert_eq!(
        out(&view(&program, &path, &["arrive"])),
        "in own:1:arrive",
        "the viewer beside the command comes before the one on the PATH"
    );
    assert_eq!(
        out(&view(&program, &path, &[])),
        "in own:0:",
        "without a scene it gets no argument"
    );
    let file = folder.path().join("a scene.toml");
    std::fs::write(&file, "").unwrap();
    assert_eq!(
        out(&view(&program, &path, &[file.to_str().unwrap()])),
        format!("in own:1:{}", file.display())
    );
}

#[test]
fn play_starts_the_viewer_with_its_files_if_they_exist_and_are_trajectories() {
    let folder = tempdir().unwrap();
    let program = command_alone(folder.path());
    viewer_stand_in(folder.path());
    let play = |arguments: &[&str]| {
        Command::new(&program)
            .arg("play")
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap()
    };
    std::fs::write(folder.path().join("a.txt"), "").unwrap();
    let played = play(&["a.txt", "a.txt", "--fps", "16", "--unmarked"]);
    let name = folder.path().file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!((out(&played), played.status.code()), (format!("in {name}:6:--play"), Some(7)));
    for (path, code, said) in [
        ("a.png", 1, "error: `a.png`: its extension names no format of trajectories"),
        ("b.csv", 2, "error: b.csv: "),
    ] {
        let refused = play(&[path]);
        let text = String::from_utf8(refused.stderr.clone()).unwrap();
        assert!(refused.status.code() == Some(code) && text.starts_with(said), "{text}");
        assert_eq!(out(&refused), "");
    }
}

#[test]
fn without_a_viewer_the_error_says_how_to_build_one_and_a_wrong_name_never_starts_it() {
    let folder = tempdir().unwrap();
    let program = command_alone(folder.path());
    let missing = view(&program, folder.path(), &["arrive"]);
    let text = String::from_utf8(missing.stderr).unwrap();
    assert!(
        missing.status.code() == Some(2)
            && text.contains("cargo build --release -p wayfare-view")
            && text.contains(folder.path().to_str().unwrap()),
        "{text}"
    );
    viewer_stand_in(folder.path());
    let wrong = view(&program, folder.path(), &["arive"]);
    let text = String::from_utf8(wrong.stderr.clone()).unwrap();
    assert!(
        wrong.status.code() == Some(1)
            && out(&wrong).is_empty()
            && text.contains("did you mean `arrive`?"),
        "{text}"
    );
}
