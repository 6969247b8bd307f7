//! The files that a scene names, such as its geometry.

use std::path::{Path, PathBuf};

use crate::text::{TextError, text_of};

/// The source of the files that a scene names: a folder, or none.
///
/// ```
/// use std::path::Path;
/// use wayfare_scene::{Format, Files, Source, read_beside};
/// let text = "[geometry]\nwalkable = \"hall.wkt\"\n[[group]]\nname = \"a\"\n\
///             spawn = { points = [[0, 0]] }\nmax_speed = 1\n";
/// let source = Source { name: "scene".to_string(), text: text.to_string() };
/// let problems = read_beside(&source, Format::Toml, &Files::none()).unwrap_err();
/// assert!(problems[0].message.contains("hall.wkt"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    folder: Option<PathBuf>,
}

impl Files {
    /// No files: a scene that names one is refused, as on a web page, in a link and in a bundled
    /// scene.
    pub fn none() -> Self {
        Self::default()
    }

    /// The files beside the scene file at `path`: their names are relative to its folder.
    pub fn beside(path: &Path) -> Self {
        Self { folder: Some(path.parent().unwrap_or(Path::new("")).to_path_buf()) }
    }

    /// The text of the file with this name, or why it cannot be read.
    pub(crate) fn text(&self, name: &str) -> Result<String, (String, &'static str)> {
        let Some(folder) = &self.folder else {
            let message = format!("the file \"{name}\" cannot be read here");
            return Err((message, "a scene in a file, with the other file beside it"));
        };
        text_of(&folder.join(name)).map_err(|error| {
            let (TextError::System(text) | TextError::Content(text)) = error;
            // The message of a text has what is allowed in its second line.
            let message = text.lines().next().unwrap_or_default().to_string();
            (
                message,
                "a text file in UTF-8, relative to the folder of the scene, of at most 16 MiB",
            )
        })
    }
}
