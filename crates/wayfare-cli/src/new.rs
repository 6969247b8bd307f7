//! `wayfare new`: a commented scene to start with, or a copy of another scene.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use wayfare_record::WholeFile;
use wayfare_scene::Format;

use crate::scene_source::find;
use crate::{Failure, display, error, print};

/// The text of the new scene, with the placeholders TITLE for its title and NAME for its file.
const STARTER: &str = include_str!("starter.toml");

/// Writes the new scene, or the text of the scene `from`, to `name`, with `.toml` appended if
/// needed; the file must not exist yet.
pub(crate) fn new(name: &OsStr, from: Option<&OsStr>) -> Result<(), Failure> {
    let path = scene_path(name)?;
    if path.symlink_metadata().is_ok() {
        return Err(error(format!(
            "{} exists already\nallowed: the name of a new file",
            display(&path)
        )));
    }
    let text = match from {
        Some(scene) => copied(scene)?,
        None => {
            let title = path.file_stem().unwrap_or_default().to_string_lossy();
            STARTER
                .replace("TITLE", &wayfare_scene::json_text(&title))
                .replace("NAME", &display(&path))
        }
    };
    let mut file = WholeFile::create(&path).map_err(file_failed)?;
    file.write_all(text.as_bytes()).map_err(|e| Failure::System(format!("error: {e}")))?;
    file.commit().map_err(file_failed)?;
    let name = display(&path);
    print(&format!(
        "wrote {name}\nRun it with `wayfare run {name} -o {}`; watch it with `wayfare view \
         {name}`.\n",
        display(&path.with_extension("png"))
    ))
}

/// The text of the scene to copy.
fn copied(scene: &OsStr) -> Result<String, Failure> {
    let loaded = find(scene)?;
    if loaded.format == Format::Json {
        return Err(error(format!(
            "`--from {}`: the scene is JSON, and the new one is TOML\nallowed: a scene in TOML",
            loaded.source.name
        )));
    }
    Ok(loaded.source.text)
}

fn file_failed(error: wayfare_record::RecordError) -> Failure {
    Failure::System(format!("error: {}", wayfare_scene::printable(&error.to_string())))
}

/// The path of the new scene: `name` with the extension `.toml`.
fn scene_path(name: &OsStr) -> Result<PathBuf, Failure> {
    let path = Path::new(name);
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match (path.file_stem(), extension.as_deref()) {
        (None, _) => Err(error(format!(
            "`{}` is not a file name\nallowed: a name such as crowd, for crowd.toml",
            display(path)
        ))),
        (Some(_), Some("toml")) => Ok(path.to_path_buf()),
        (Some(_), Some("json")) => Err(error(format!(
            "`{}`: the new scene has comments, which JSON does not allow\nallowed: a name that \
             ends in .toml, or has no extension",
            display(path)
        ))),
        _ => {
            let mut with_extension = name.to_os_string();
            with_extension.push(".toml");
            Ok(PathBuf::from(with_extension))
        }
    }
}
