//! `wayfare new`: a scene to begin with, commented.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use wayfare_record::WholeFile;

use crate::{Failure, error, say, shown};

/// The scene that is written: TITLE and NAME stand for what it is called and for its file.
const STARTER: &str = include_str!("starter.toml");

/// Writes `NAME.toml`, which must not be there.
pub(crate) fn new(name: &OsStr) -> Result<(), Failure> {
    let path = file(name)?;
    if path.symlink_metadata().is_ok() {
        return Err(error(format!(
            "{} is there already\nallowed: a name that no file has",
            shown(&path)
        )));
    }
    let title =
        path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let text =
        STARTER.replace("TITLE", &wayfare_scene::json_text(&title)).replace("NAME", &shown(&path));
    let mut file = WholeFile::create(&path).map_err(outside)?;
    file.write_all(text.as_bytes()).map_err(|e| Failure::Outside(format!("error: {e}")))?;
    file.commit().map_err(outside)?;
    let name = shown(&path);
    say(&format!(
        "wrote {name}\nRun it with `wayfare run {name} -o {}`, and change what you like.\n",
        shown(&path.with_extension("png"))
    ))
}

fn outside(error: wayfare_record::RecordError) -> Failure {
    Failure::Outside(format!("error: {}", wayfare_scene::printable(&error.to_string())))
}

/// The path that `name` asks for: it ends in `.toml`.
fn file(name: &OsStr) -> Result<PathBuf, Failure> {
    let path = Path::new(name);
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match (path.file_stem(), ending.as_deref()) {
        (None, _) => Err(error(format!(
            "`{}` is no name of a file\nallowed: a name such as crowd, for crowd.toml",
            shown(path)
        ))),
        (Some(_), Some("toml")) => Ok(path.to_path_buf()),
        (Some(_), Some("json")) => Err(error(format!(
            "`{}`: the starter has comments, which JSON has not\nallowed: a name that ends in \
             .toml, or has no ending",
            shown(path)
        ))),
        _ => {
            let mut whole = name.to_os_string();
            whole.push(".toml");
            Ok(PathBuf::from(whole))
        }
    }
}
