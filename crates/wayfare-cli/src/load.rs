//! Scenes by path or by name, and files as text.

use std::io::Read;
use std::path::{Path, PathBuf};

use wayfare_scene::{AnyScene, BUNDLED, Format, LARGEST_FILE, Severity, Source, bundled, read};

use crate::{Failure, error, in_color, shown};

/// A scene's text, where it came from, and how it is written.
pub(crate) struct Loaded {
    pub(crate) source: Source,
    pub(crate) format: Format,
    /// The file, unless it is a bundled scene.
    pub(crate) path: Option<PathBuf>,
}

/// Finds `scene`: a file, or else a bundled scene of that name.
pub(crate) fn find(scene: &str) -> Result<Loaded, Failure> {
    let path = Path::new(scene);
    if path.is_file() {
        return Ok(Loaded { source: Source { name: scene.to_string(), text: text_of(path)? }, format: Format::of(path), path: Some(path.to_path_buf()) });
    }
    if let Some(found) = bundled(scene) {
        let name = format!("{}/{}.toml", found.folder, found.name);
        return Ok(Loaded { source: Source { name, text: found.text.to_string() }, format: Format::Toml, path: None });
    }
    let looks_like_a_file = path.extension().is_some() || scene.contains(['/', '\\']);
    let nearest = BUNDLED.iter().map(|b| (strsim::normalized_damerau_levenshtein(scene, b.name), b.name)).max_by(|a, b| a.0.total_cmp(&b.0));
    let guess = match nearest {
        Some((likeness, name)) if likeness >= 0.5 && !looks_like_a_file => format!("; did you mean `{name}`?"),
        _ if path.is_dir() => "; it is a folder".to_string(),
        _ => String::new(),
    };
    Err(error(format!("there is no file and no bundled scene `{scene}`{guess}\nallowed: a scene file, or a name that `wayfare list` shows")))
}

/// The scene itself; the diagnostics of one that cannot run are the error.
pub(crate) fn scene(loaded: &Loaded) -> Result<AnyScene, Failure> {
    read(&loaded.source, loaded.format).map_err(|problems| {
        let count = problems.len();
        let text = loaded.source.render(Severity::Error, &problems, in_color());
        Failure::Input(format!("{text}{}: {count} error{}; nothing was run", loaded.source.name, if count == 1 { "" } else { "s" }))
    })
}

/// The text of a file.
pub(crate) fn text_of(path: &Path) -> Result<String, Failure> {
    let outside = |e: std::io::Error| Failure::Outside(format!("error: {}: {e}", shown(path)));
    let mut bytes = Vec::new();
    let mut file = std::fs::File::open(path).map_err(outside)?.take(LARGEST_FILE + 1);
    file.read_to_end(&mut bytes).map_err(outside)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(error(format!("{} is larger than {} MiB\nallowed: a text file of some kilobytes", shown(path), LARGEST_FILE >> 20)));
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let byte = e.as_bytes()[at];
        let before = &e.as_bytes()[..at];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let column = String::from_utf8_lossy(before.rsplit(|b| *b == b'\n').next().unwrap_or_default()).chars().count() + 1;
        error(format!("{}:{line}:{column}: the byte 0x{byte:02x} is not UTF-8\nallowed: text in UTF-8; save the file in that encoding", shown(path)))
    })
}
