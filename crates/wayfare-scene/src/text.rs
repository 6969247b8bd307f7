//! Reading a file as text.

use std::io::Read;
use std::path::Path;

use crate::{LARGEST_FILE, printable};

/// Why a file cannot be read as text.
#[derive(Debug)]
pub enum TextError {
    /// The system failed to read it.
    System(String),
    /// It is not text, or too long: the message names the position and what is allowed.
    Content(String),
}

impl core::fmt::Display for TextError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (Self::System(text) | Self::Content(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for TextError {}

/// The text of a file or a pipe: UTF-8 with or without a byte order mark, of at most
/// [`LARGEST_FILE`] bytes.
///
/// # Errors
/// It cannot be read, is too large, or is not UTF-8.
pub fn text_of(path: &Path) -> Result<String, TextError> {
    let shown = printable(&path.display().to_string());
    let system_error = |e: std::io::Error| TextError::System(format!("{shown}: {e}"));
    let mut bytes = Vec::new();
    let mut file = std::fs::File::open(path).map_err(system_error)?.take(LARGEST_FILE + 1);
    file.read_to_end(&mut bytes).map_err(system_error)?;
    if bytes.len() as u64 > LARGEST_FILE {
        // A pipe has no size.
        let size = std::fs::metadata(path)
            .map(|metadata| metadata.len())
            .ok()
            .filter(|size| *size > LARGEST_FILE);
        let size = size.map_or_else(
            || "too large".to_string(),
            |size| format!("{:.1} MiB large", size as f64 / f64::from(1 << 20)),
        );
        return Err(TextError::Content(format!(
            "{shown} is {size}\nallowed: a text file of at most {} MiB",
            LARGEST_FILE >> 20
        )));
    }
    text_in(&shown, bytes)
}

/// The text of the bytes of a file with this name; [`text_of`] reads files by it.
///
/// # Errors
/// They are not UTF-8, or too many.
pub fn text_in(name: &str, bytes: Vec<u8>) -> Result<String, TextError> {
    let shown = printable(name);
    if bytes.len() as u64 > LARGEST_FILE {
        let size = bytes.len() as f64 / f64::from(1 << 20);
        return Err(TextError::Content(format!(
            "{shown} is {size:.1} MiB large\nallowed: a text file of at most {} MiB",
            LARGEST_FILE >> 20
        )));
    }
    text(bytes).map_err(|(position, mistake)| {
        TextError::Content(format!(
            "{shown}:{position}: {mistake}\nallowed: text in UTF-8; save the file in that encoding"
        ))
    })
}

/// The text of `bytes`, or the position and description of the first byte that is not text.
fn text(mut bytes: Vec<u8>) -> Result<String, (String, String)> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(("1:1".to_string(), "the text is in UTF-16".to_string()));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err((
            line_and_column(&bytes[..at]),
            "a zero byte: this is not text, or text in UTF-16".to_string(),
        ));
    }
    // Columns are counted without the byte order mark.
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        bytes = rest.to_vec();
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        (
            line_and_column(&e.as_bytes()[..at]),
            format!("the byte 0x{:02x} is not UTF-8", e.as_bytes()[at]),
        )
    })
}

/// The line and column after these bytes.
fn line_and_column(before: &[u8]) -> String {
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column =
        String::from_utf8_lossy(before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default())
            .chars()
            .count()
            + 1;
    format!("{line}:{column}")
}
