//! `wayfare view` and `wayfare play`: start the viewer, which is a separate program, so that the
//! command needs neither a window system nor a GPU.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::convert::{Read, extension};
use crate::{Failure, display, scene_source};

/// The name of the viewer's program.
const PROGRAM: &str = "wayfare-view";

/// Starts the viewer with `scene`, and returns its exit code.
pub(crate) fn view(scene: Option<&OsStr>) -> Result<(), Failure> {
    // A wrong name is reported in the terminal and not in a window. The file itself is read only by
    // the viewer, as a pipe can be read only once.
    if let Some(name) = scene {
        scene_source::locate(name)?;
    }
    start(scene)
}

/// Starts the viewer with trajectories, the second one as a ghost, and returns its exit code.
pub(crate) fn play(files: &[PathBuf], read: &Read) -> Result<(), Failure> {
    let mut arguments = vec![OsString::from("--play")];
    for path in files {
        extension(path)?;
        let file = std::fs::File::open(path);
        file.map_err(|e| Failure::System(format!("error: {}: {e}", display(path))))?;
    }
    let options = read.options();
    if let Some(fps) = options.fps {
        arguments.extend(["--fps".into(), fps.to_string().into()]);
    }
    arguments.extend(options.unmarked.then(|| OsString::from("--unmarked")));
    // A path that begins with a dash is no option.
    arguments.extend(files.iter().map(|path| Path::new(".").join(path).into_os_string()));
    start(arguments)
}

/// Starts the viewer, and returns its exit code.
fn start(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<(), Failure> {
    let beside = beside_command();
    let program = beside
        .as_ref()
        .filter(|path| path.is_file())
        .map_or(OsString::from(PROGRAM), |path| path.into());
    match Command::new(&program).args(arguments).status() {
        Ok(status) if status.success() => Ok(()),
        // The viewer has reported the error.
        Ok(status) => Err(Failure::ChildFailed(code(status))),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let folder = beside
                .as_ref()
                .and_then(|path| path.parent())
                .map_or_else(|| "the folder of `wayfare`".to_string(), display);
            Err(Failure::System(format!(
                "error: the viewer is a separate program, `{PROGRAM}`, which is neither in \
                 {folder} nor on the PATH\n`cargo build --release -p wayfare-view` builds it \
                 into the folder where `cargo build --release` puts `wayfare`"
            )))
        }
        Err(e) => Err(Failure::System(format!(
            "error: {}: the viewer cannot be started: {e}",
            display(Path::new(&program))
        ))),
    }
}

/// The path of the viewer if both were built or installed together.
fn beside_command() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    Some(own.with_file_name(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX)))
}

/// The exit code as shells report it: for a signal, 128 plus its number.
fn code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal as u8;
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
