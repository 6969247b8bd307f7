//! The state in which the viewer starts.

use std::ffi::OsStr;

/// The state in which the viewer starts.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The name of a bundled scene, or the path of a scene file.
    pub scene: Option<String>,
    /// The tick at which the scene pauses.
    pub until: Option<u64>,
    /// Factor to the usual pace, from 0.1 to 16; 1 unless given.
    pub speed: Option<f64>,
    /// The step of the guided tour, counted from 1, instead of a scene.
    pub tour: Option<usize>,
    /// The bundled scene to compare with.
    pub compare: Option<String>,
    /// The text of an edited scene, as a link encodes it.
    pub text: Option<String>,
    /// Whether the scene's text is shown.
    pub edit: bool,
}

impl Opening {
    /// Opens the scene that a command line argument names.
    pub fn of(scene: &OsStr) -> Self {
        Self { scene: Some(scene.to_string_lossy().into_owned()), ..Self::default() }
    }
}
