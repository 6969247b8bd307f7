//! The text of scenes, by path or by name of a bundled scene, and of other files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use wayfare_scene::{
    AnyScene, BUNDLED, Bundled, Files, Format, Severity, Source, TextError, bundled, bundled_like,
    counted, read_beside,
};

use crate::{Failure, display, error, use_color};

/// The text of a scene, its origin and its format.
pub(crate) struct Loaded {
    pub(crate) source: Source,
    pub(crate) format: Format,
    /// The path of the file; none for a bundled scene.
    pub(crate) path: Option<PathBuf>,
}

impl Loaded {
    /// The files that the scene may name: those beside it.
    pub(crate) fn files(&self) -> Files {
        self.path.as_deref().map_or_else(Files::none, Files::beside)
    }
}

/// The location of a scene.
pub(crate) enum Location {
    /// A file or a pipe.
    Path(PathBuf),
    Bundled(&'static Bundled),
}

/// Finds `scene`: a file, or else a bundled scene of that name.
pub(crate) fn locate(scene: &OsStr) -> Result<Location, Failure> {
    let path = Path::new(scene);
    let name = display(path);
    let found = std::fs::metadata(path);
    if let Ok(file) = &found
        && !file.is_dir()
    {
        return Ok(Location::Path(path.to_path_buf()));
    }
    if let Some(bundled) = bundled(&name) {
        return Ok(Location::Bundled(bundled));
    }
    match found {
        Ok(_) => Err(error(format!(
            "`{name}` is a folder\nallowed: a scene file, or several, such as {}",
            display(&path.join("*.toml"))
        ))),
        Err(e) if !is_missing(&e) => Err(Failure::System(format!("error: {name}: {e}"))),
        Err(_) if path.is_symlink() => Err(Failure::System(format!(
            "error: {name}: the symbolic link points to a file that does not exist"
        ))),
        Err(_) => {
            let suggestion = suggestion(path, &name);
            Err(error(format!(
                "there is no file and no bundled scene `{name}`{suggestion}\nallowed: a scene \
                 file, or a name that `wayfare list` shows"
            )))
        }
    }
}

/// Whether the error means that no file has the path. Other errors, such as a loop of symbolic
/// links or a folder without read permission, do not.
fn is_missing(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | InvalidInput | InvalidFilename)
}

/// Reads the text of `scene`: of a file, or else of the bundled scene of that name.
pub(crate) fn find(scene: &OsStr) -> Result<Loaded, Failure> {
    match locate(scene)? {
        Location::Path(path) => Ok(Loaded {
            source: Source { name: display(&path), text: text_of(&path)? },
            format: Format::of(&path),
            path: Some(path),
        }),
        Location::Bundled(scene) => Ok(Loaded {
            source: Source {
                name: format!("{}/{}.toml", scene.folder, scene.name),
                text: scene.text.to_string(),
            },
            format: Format::Toml,
            path: None,
        }),
    }
}

/// The bundled scenes with names similar to `name`, as a question.
fn suggestion(path: &Path, name: &str) -> String {
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

/// The scene. The error has the diagnostics of a scene that cannot run.
pub(crate) fn scene(loaded: &Loaded) -> Result<AnyScene, Failure> {
    read_beside(&loaded.source, loaded.format, &loaded.files()).map_err(|problems| {
        let text = loaded.source.render(Severity::Error, &problems, use_color(&std::io::stderr()));
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
        TextError::System(text) => Failure::System(format!("error: {text}")),
        TextError::Content(text) => error(text),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

    #[test]
    fn only_errors_about_the_name_mean_that_a_file_is_missing() {
        for (kind, missing) in [
            (ErrorKind::NotFound, true),
            (ErrorKind::NotADirectory, true),
            (ErrorKind::PermissionDenied, false),
            (ErrorKind::TimedOut, false),
        ] {
            assert_eq!(is_missing(&Error::from(kind)), missing, "{kind:?}");
        }
    }
}
