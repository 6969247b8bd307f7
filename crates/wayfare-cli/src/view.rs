//! `wayfare view`: starts the viewer, a program of its own, so that this one needs neither windows
//! nor a GPU.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::{Failure, load, shown};

/// The viewer's name, as cargo gives it to the program.
const PROGRAM: &str = "wayfare-view";

/// Opens the viewer with `scene`, and ends as it ends.
pub(crate) fn view(scene: Option<&OsStr>) -> Result<(), Failure> {
    // A wrong name is told here, where it was typed, and not in a window. What is there is read by
    // the viewer: a pipe is read once.
    if let Some(name) = scene.filter(|name| !Path::new(name).exists() || Path::new(name).is_dir()) {
        load::find(name)?;
    }
    let beside = beside();
    let program = beside
        .as_ref()
        .filter(|path| path.is_file())
        .map_or(OsString::from(PROGRAM), |path| path.into());
    match Command::new(&program).args(scene).status() {
        Ok(status) if status.success() => Ok(()),
        // It has said why.
        Ok(status) => Err(Failure::Told(code(status))),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let folder = beside
                .as_ref()
                .and_then(|path| path.parent())
                .map_or_else(|| "the folder of `wayfare`".to_string(), shown);
            Err(Failure::Outside(format!(
                "error: the viewer is a program of its own, `{PROGRAM}`, and there is none in \
                 {folder} or on the PATH\n`cargo build --release -p wayfare-view` builds it, \
                 beside the `wayfare` that `cargo build --release` makes"
            )))
        }
        Err(e) => Err(Failure::Outside(format!(
            "error: {}: it cannot be started: {e}",
            shown(Path::new(&program))
        ))),
    }
}

/// Where the viewer is when both were built or installed together.
fn beside() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    Some(own.with_file_name(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX)))
}

/// An exit code as a shell has it: for a signal, 128 and its number.
fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal as u8;
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
