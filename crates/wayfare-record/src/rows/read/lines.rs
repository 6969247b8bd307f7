//! Lines of a text file, with their numbers.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::ReadError;

/// The longest line (bytes): a file that is no text is not read into memory.
const LONGEST: usize = 1 << 20;

/// Reads lines.
#[derive(Debug)]
pub(super) struct Lines {
    file: BufReader<File>,
    /// The number of the latest line, from 1.
    number: u64,
    bytes: Vec<u8>,
}

impl Lines {
    /// The lines of the file at `path`.
    pub(super) fn open(path: &Path) -> Result<Self, ReadError> {
        let file = BufReader::with_capacity(1 << 16, File::open(path)?);
        Ok(Self { file, number: 0, bytes: Vec::new() })
    }

    /// The place of the latest line.
    pub(super) fn place(&self) -> String {
        format!("line {}", self.number)
    }

    /// The next line without its end; none at the end of the file. While `goes_on` says so of the
    /// lines so far, the next one is added.
    ///
    /// # Errors
    /// The last line has no line end, a line is too long, or is no text.
    pub(super) fn next(
        &mut self,
        goes_on: impl Fn(&[u8]) -> bool,
    ) -> Result<Option<&str>, ReadError> {
        self.bytes.clear();
        loop {
            let before = self.bytes.len();
            let mut limited = std::io::Read::take(&mut self.file, LONGEST as u64);
            limited.read_until(b'\n', &mut self.bytes)?;
            if self.bytes.is_empty() {
                return Ok(None);
            }
            if self.bytes.len() == before {
                let problem = "a quoted field does not end: the file was cut";
                return Err(ReadError::content(self.place(), problem, "a quote at its end"));
            }
            self.number += 1;
            if self.bytes.len() > LONGEST || self.bytes.len() - before == LONGEST {
                let problem = format!("the line has more than {LONGEST} bytes");
                return Err(ReadError::content(self.place(), problem, "shorter lines of text"));
            }
            if !self.bytes.ends_with(b"\n") {
                return Err(ReadError::content(
                    self.place(),
                    "the last line has no line end: the file was cut",
                    "a file whose last line has a line end",
                ));
            }
            if !goes_on(&self.bytes) {
                break;
            }
        }
        self.bytes.pop();
        if self.bytes.ends_with(b"\r") {
            self.bytes.pop();
        }
        // A mark of the byte order, at the start alone.
        let start = if self.number == 1 && self.bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        match std::str::from_utf8(&self.bytes[start..]) {
            Ok(text) => Ok(Some(text)),
            Err(_) => {
                let place = format!("line {}", self.number);
                Err(ReadError::content(place, "the line is no text", "text in UTF-8"))
            }
        }
    }
}
