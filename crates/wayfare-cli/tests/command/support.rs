//! Helpers of all tests of the command.

use std::path::Path;
use std::process::{Command, Output};

pub(crate) use tempfile::{TempDir, tempdir};

/// Runs `wayfare` in `folder`.
pub(crate) fn wayfare(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder with the scene `guest.toml` in it.
pub(crate) fn folder_with_a_scene() -> TempDir {
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

pub(crate) fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
