//! The viewer in a window of its own: `wayfare-view [SCENE]`; recorded trajectories:
//! `wayfare-view --play [--fps N] [--unmarked] FILE [OTHER]`.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use wayfare_record::rows::read::ReadOptions;
use wayfare_view::{Opening, open_player, open_window};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next();
    let result = if first.as_ref().is_some_and(|first| first == "--play") {
        play(arguments)
    } else {
        open_window(first.map_or_else(Opening::default, |scene| Opening::of(&scene)))
            .map_err(|error| format!("no window can be opened: {error}"))
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If even standard error is closed, the exit code says it.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Plays the files of these arguments, which `wayfare play` has checked.
fn play(mut arguments: impl Iterator<Item = OsString>) -> Result<(), String> {
    let (mut files, mut read) = (Vec::new(), ReadOptions::default());
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--unmarked") => read.unmarked = true,
            Some("--fps") => {
                let rate = arguments.next();
                read.fps = rate.and_then(|rate| rate.to_str()?.parse().ok());
            }
            _ => files.push(PathBuf::from(argument)),
        }
    }
    open_player(&files, read)
}
