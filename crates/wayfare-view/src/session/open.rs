//! Opening a scene.

use wayfare_scene::edit::Draft;
use wayfare_scene::{AnyScene, Files, Format, Severity, Source};

use crate::session::edit::Reopening;
use crate::session::scene::RunningScene;
use crate::session::traits::Session;

/// Reads a scene's text that names no files, and sets the scene up.
///
/// # Errors
/// The mistakes in the text, as the command prints them.
pub(crate) fn open(name: &str, text: &str, format: Format) -> Result<Box<dyn Session>, String> {
    open_beside(name, text, format, Files::none())
}

/// Reads a scene's text and the files that it names, and sets the scene up.
///
/// # Errors
/// As [`open`].
pub(crate) fn open_beside(
    name: &str,
    text: &str,
    format: Format,
    files: Files,
) -> Result<Box<dyn Session>, String> {
    let source = Source { name: name.to_string(), text: text.to_string() };
    let draft = Draft::beside(source.clone(), format, files)
        .map_err(|problems| source.render(Severity::Error, &problems, false))?;
    reopen(Reopening { draft, earlier: Vec::new() })
}

/// Sets up the scene of a draft.
///
/// # Errors
/// What is wrong with the setup.
pub(crate) fn reopen(reopening: Reopening) -> Result<Box<dyn Session>, String> {
    let Reopening { draft, earlier } = reopening;
    match draft.scene().clone() {
        AnyScene::TwoD(scene) => Ok(Box::new(RunningScene::new(scene, draft, earlier)?)),
        AnyScene::ThreeD(scene) => Ok(Box::new(RunningScene::new(scene, draft, earlier)?)),
    }
}
