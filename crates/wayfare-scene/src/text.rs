//! A file as text, or what is wrong with it.

use std::io::Read;
use std::path::Path;

use crate::{LARGEST_FILE, printable};

/// Why a file gives no text.
#[derive(Debug)]
pub enum TextError {
    /// The system does not let it be read.
    Outside(String),
    /// It holds no text, or too much: the message names the place and what is allowed.
    Content(String),
}

impl core::fmt::Display for TextError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (Self::Outside(text) | Self::Content(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for TextError {}

/// The text of a file or a pipe, in UTF-8 with or without the mark that some editors begin it with,
/// of at most [`LARGEST_FILE`] bytes.
///
/// # Errors
/// It cannot be read, is too large, or is no such text.
pub fn text_of(path: &Path) -> Result<String, TextError> {
    let shown = printable(&path.display().to_string());
    let outside = |e: std::io::Error| TextError::Outside(format!("{shown}: {e}"));
    let mut bytes = Vec::new();
    let mut file = std::fs::File::open(path).map_err(outside)?.take(LARGEST_FILE + 1);
    file.read_to_end(&mut bytes).map_err(outside)?;
    if bytes.len() as u64 > LARGEST_FILE {
        // A pipe has no size to name.
        let size = std::fs::metadata(path)
            .map(|there| there.len())
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

/// The text that the bytes of a file of this name are, as [`text_of`] reads it.
///
/// # Errors
/// They are no such text, or too many.
pub fn text_in(name: &str, bytes: Vec<u8>) -> Result<String, TextError> {
    let shown = printable(name);
    if bytes.len() as u64 > LARGEST_FILE {
        let size = bytes.len() as f64 / f64::from(1 << 20);
        return Err(TextError::Content(format!(
            "{shown} is {size:.1} MiB large\nallowed: a text file of at most {} MiB",
            LARGEST_FILE >> 20
        )));
    }
    text(bytes).map_err(|(place, what)| {
        TextError::Content(format!(
            "{shown}:{place}: {what}\nallowed: text in UTF-8; save the file in that encoding"
        ))
    })
}

/// The text that `bytes` are, or the place and what is there.
fn text(mut bytes: Vec<u8>) -> Result<String, (String, String)> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(("1:1".to_string(), "the text is in UTF-16".to_string()));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err((
            place(&bytes[..at]),
            "a zero byte: this is no text, or text in UTF-16".to_string(),
        ));
    }
    // Columns count without the mark.
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        bytes = rest.to_vec();
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        (place(&e.as_bytes()[..at]), format!("the byte 0x{:02x} is not UTF-8", e.as_bytes()[at]))
    })
}

/// The line and column of what comes after these bytes.
fn place(before: &[u8]) -> String {
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column =
        String::from_utf8_lossy(before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default())
            .chars()
            .count()
            + 1;
    format!("{line}:{column}")
}
