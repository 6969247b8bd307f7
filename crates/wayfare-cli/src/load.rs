//! Scenes by path or by name, and files as text.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use wayfare_scene::{
    AnyScene, BUNDLED, Format, Severity, Source, TextError, bundled, bundled_like, counted, read,
};

use crate::{Failure, error, in_color, shown};

/// A scene's text, where it came from, and how it is written.
pub(crate) struct Loaded {
    pub(crate) source: Source,
    pub(crate) format: Format,
    /// The file, unless it is a bundled scene.
    pub(crate) path: Option<PathBuf>,
}

/// Finds `scene`: a file, or else a bundled scene of that name.
pub(crate) fn find(scene: &OsStr) -> Result<Loaded, Failure> {
    let path = Path::new(scene);
    // A pipe is read as well, a folder is not.
    if path.exists() && !path.is_dir() {
        return Ok(Loaded {
            source: Source { name: shown(path), text: text_of(path)? },
            format: Format::of(path),
            path: Some(path.to_path_buf()),
        });
    }
    let name = shown(path);
    if let Some(found) = bundled(&name) {
        let name = format!("{}/{}.toml", found.folder, found.name);
        return Ok(Loaded {
            source: Source { name, text: found.text.to_string() },
            format: Format::Toml,
            path: None,
        });
    }
    if path.is_dir() {
        return Err(error(format!(
            "`{name}` is a folder\nallowed: a scene file, or several, such as {}",
            shown(&path.join("*.toml"))
        )));
    }
    let guess = guess(path, &name);
    Err(error(format!(
        "there is no file and no bundled scene `{name}`{guess}\nallowed: a scene file, or a name \
         that `wayfare list` shows"
    )))
}

/// The bundled scenes that somebody who typed `name` may have meant, as a question.
fn guess(path: &Path, name: &str) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let names = || BUNDLED.iter().map(|scene| scene.name);
    if let Some(known) = names().find(|known| *known == stem) {
        return format!("; did you mean the bundled scene `{known}`?");
    }
    if path.extension().is_some() || name.contains(['/', '\\']) {
        return String::new();
    }
    match bundled_like(name).as_slice() {
        [] => String::new(),
        known => format!("; did you mean `{}`?", known.join("` or `")),
    }
}

/// The scene itself; the diagnostics of one that cannot run are the error.
pub(crate) fn scene(loaded: &Loaded) -> Result<AnyScene, Failure> {
    read(&loaded.source, loaded.format).map_err(|problems| {
        let text = loaded.source.render(Severity::Error, &problems, in_color(&std::io::stderr()));
        Failure::Input(format!(
            "{text}{}: {}",
            loaded.source.name,
            counted(problems.len(), "error")
        ))
    })
}

/// The text of a file.
pub(crate) fn text_of(path: &Path) -> Result<String, Failure> {
    wayfare_scene::text_of(path).map_err(|problem| match problem {
        TextError::Outside(text) => Failure::Outside(format!("error: {text}")),
        TextError::Content(text) => error(text),
    })
}
