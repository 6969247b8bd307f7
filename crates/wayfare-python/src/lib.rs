//! The extension module `wayfare._wayfare`: scenes, crowds, runs and sweeps.
//!
//! It has what needs Rust; the package in `python/wayfare` adds names, docstrings and conversions.
//! No call that steps holds the interpreter's lock.

use pyo3::prelude::*;
use wayfare_scene::BUNDLED;

mod crowd;
mod errors;
mod scene;
mod sweep;
mod value;

#[pymodule]
mod _wayfare {
    #[pymodule_export]
    use super::crowd::Crowd;
    #[pymodule_export]
    use super::errors::{SceneError, WayfareError};
    #[pymodule_export]
    use super::scene::{RunData, Scene};
    #[pymodule_export]
    use super::sweep::Sweep;
    #[pymodule_export]
    use super::{scenes, schema, version};
}

/// The names of the bundled scenes, with their folders and titles.
#[pyfunction]
fn scenes() -> Vec<(&'static str, &'static str)> {
    BUNDLED.iter().map(|scene| (scene.name, scene.folder)).collect()
}

/// The JSON Schema of scene files, as text.
#[pyfunction]
fn schema() -> String {
    wayfare_scene::schema()
}

/// The version of the package.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
