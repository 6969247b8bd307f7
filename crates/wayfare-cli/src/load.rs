//! Scenes by path or by name, and files as text.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use wayfare_scene::{AnyScene, BUNDLED, Format, LARGEST_FILE, Severity, Source, bundled, bundled_like, counted, read};

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
        return Ok(Loaded { source: Source { name: shown(path), text: text_of(path)? }, format: Format::of(path), path: Some(path.to_path_buf()) });
    }
    let name = shown(path);
    if let Some(found) = bundled(&name) {
        let name = format!("{}/{}.toml", found.folder, found.name);
        return Ok(Loaded { source: Source { name, text: found.text.to_string() }, format: Format::Toml, path: None });
    }
    if path.is_dir() {
        return Err(error(format!("`{name}` is a folder\nallowed: a scene file, or several, such as {}", shown(&path.join("*.toml")))));
    }
    let guess = guess(path, &name);
    Err(error(format!("there is no file and no bundled scene `{name}`{guess}\nallowed: a scene file, or a name that `wayfare list` shows")))
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
        Failure::Input(format!("{text}{}: {}", loaded.source.name, counted(problems.len(), "error")))
    })
}

/// The text of a file.
pub(crate) fn text_of(path: &Path) -> Result<String, Failure> {
    let outside = |e: std::io::Error| Failure::Outside(format!("error: {}: {e}", shown(path)));
    let mut bytes = Vec::new();
    let mut file = std::fs::File::open(path).map_err(outside)?.take(LARGEST_FILE + 1);
    file.read_to_end(&mut bytes).map_err(outside)?;
    if bytes.len() as u64 > LARGEST_FILE {
        // A pipe has no size to name.
        let size = std::fs::metadata(path).map(|there| there.len()).ok().filter(|size| *size > LARGEST_FILE);
        let size = size.map_or_else(|| "too large".to_string(), |size| format!("{:.1} MiB large", size as f64 / f64::from(1 << 20)));
        return Err(error(format!("{} is {size}\nallowed: a text file of at most {} MiB", shown(path), LARGEST_FILE >> 20)));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(error(format!("{}:1:1: the text is in UTF-16\nallowed: text in UTF-8; save the file in that encoding", shown(path))));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        let (line, column) = place(&bytes[..at]);
        return Err(error(format!(
            "{}:{line}:{column}: a zero byte: this is no text, or text in UTF-16\nallowed: text in UTF-8; save the file in that encoding",
            shown(path)
        )));
    }
    // The mark that some editors begin a file with; columns count without it.
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        bytes = rest.to_vec();
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let byte = e.as_bytes()[at];
        let (line, column) = place(&e.as_bytes()[..at]);
        error(format!("{}:{line}:{column}: the byte 0x{byte:02x} is not UTF-8\nallowed: text in UTF-8; save the file in that encoding", shown(path)))
    })
}

/// The line and column of what comes after these bytes.
fn place(before: &[u8]) -> (usize, usize) {
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = String::from_utf8_lossy(before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default()).chars().count() + 1;
    (line, column)
}
