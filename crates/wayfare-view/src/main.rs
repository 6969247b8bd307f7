//! The viewer in a window of its own: `wayfare-view [SCENE]`.

use std::io::Write;
use std::process::ExitCode;

use wayfare_view::{Opening, open_window};

fn main() -> ExitCode {
    let scene = std::env::args_os().nth(1);
    match open_window(scene.map_or_else(Opening::default, |scene| Opening::of(&scene))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If even standard error is closed, the exit code says it.
            let _ = writeln!(std::io::stderr(), "error: no window can be opened: {error}");
            ExitCode::from(2)
        }
    }
}
