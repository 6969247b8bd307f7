//! The extension module `wayfare._wayfare`: scenes, crowds, runs and sweeps.
//!
//! It has what needs Rust; the package in `python/wayfare` adds names, docstrings and conversions.
//! No call that steps holds the interpreter's lock.

use pyo3::prelude::*;
use wayfare_scene::BUNDLED;

mod behaviors;
mod columns;
mod crowd;
mod errors;
mod events;
mod scene;
mod shapes;
mod sweep;
mod value;

#[pymodule]
mod _wayfare {
    #[pymodule_export]
    use super::columns::Columns;
    #[pymodule_export]
    use super::crowd::Crowd;
    #[pymodule_export]
    use super::errors::{SceneError, WayfareError};
    #[pymodule_export]
    use super::scene::{RunData, Scene};
    #[pymodule_export]
    use super::sweep::{Journal, Sweep};
    #[pymodule_export]
    use super::{commands, main, scenes, schema, version};
}

/// The names of the bundled scenes, with their folders and titles.
#[pyfunction]
fn scenes() -> Vec<(&'static str, &'static str)> {
    BUNDLED.iter().map(|scene| (scene.name, scene.folder)).collect()
}

/// The keys of each command of a log, the command first.
#[pyfunction]
fn commands() -> Vec<Vec<&'static str>> {
    wayfare_scene::log_commands().collect()
}

/// The JSON Schema of scene files, as text.
#[pyfunction]
fn schema() -> String {
    wayfare_scene::schema()
}

/// Runs the command with these arguments, and returns its exit code.
///
/// The allocator of the module is not the command's, so `bench` leaves out the bytes per agent.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| wayfare_cli::run(arguments, None))
}

/// The version of the package.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
