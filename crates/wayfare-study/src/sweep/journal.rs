//! The journal of a sweep: a line per finished run, so that nothing finished is lost.

use std::collections::HashMap;
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::outcome::{Outcome, Value};

/// The first line of a journal.
const HEAD: &str = "{\"journal\":\"wayfare sweep\",\"version\":1}";

/// The finished runs of a sweep, in memory and in a file.
///
/// Each line of the file is written and synchronized before its run counts as finished. What a
/// killed process left of a line is cut off when the file is opened again. The file is locked while
/// it is open.
#[derive(Debug, Default)]
pub struct Journal {
    file: Option<(File, PathBuf)>,
    finished: HashMap<String, Outcome>,
}

/// The error of a journal.
#[derive(Debug)]
pub enum JournalError {
    /// The file cannot be read or written.
    File(PathBuf, io::Error),
    /// Another sweep has it open.
    Locked(PathBuf),
    /// A line of it is no finished run.
    Line(PathBuf, usize),
    /// A line that was to be added is no finished run.
    Added(String),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::File(path, error) => write!(f, "{}: {error}", path.display()),
            JournalError::Locked(path) => write!(
                f,
                "{}: another sweep writes to it\nallowed: one sweep at a time for each table",
                path.display()
            ),
            JournalError::Line(path, line) => write!(
                f,
                "{}:{line}: this is no finished run of a sweep\nallowed: a file that `wayfare \
                 sweep` wrote; without it, all runs begin again",
                path.display()
            ),
            JournalError::Added(line) => {
                write!(
                    f,
                    "this is no finished run of a sweep: {line}\nallowed: a line of a journal"
                )
            }
        }
    }
}

impl std::error::Error for JournalError {}

impl Journal {
    /// A journal in memory only.
    pub fn none() -> Self {
        Self::default()
    }

    /// Opens the journal at `path`, or begins it.
    ///
    /// # Errors
    /// The file cannot be read or written, is open in another process, or is no journal.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let failed = |error| JournalError::File(path.to_path_buf(), error);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::Locked(path.to_path_buf()),
            TryLockError::Error(error) => failed(error),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let is_torn_head = whole == 0 && HEAD.as_bytes().starts_with(&bytes);
        let refused = |line| JournalError::Line(path.to_path_buf(), line);
        if whole == 0 && !is_torn_head {
            return Err(refused(1));
        }
        let mut finished = HashMap::new();
        for (index, line) in bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate() {
            let line = line.trim_ascii_end();
            let (key, outcome) = match index {
                0 if line == HEAD.as_bytes() => continue,
                0 => None,
                _ => read(line),
            }
            .ok_or_else(|| refused(index + 1))?;
            finished.insert(key, outcome);
        }
        file.set_len(whole as u64)
            .and_then(|()| file.seek(io::SeekFrom::End(0)))
            .map_err(failed)?;
        let mut journal = Self { file: Some((file, path.to_path_buf())), finished };
        if whole == 0 {
            journal.line(HEAD.to_string())?;
        }
        Ok(journal)
    }

    /// The number of finished runs.
    pub fn len(&self) -> usize {
        self.finished.len()
    }

    /// Whether no run is finished.
    pub fn is_empty(&self) -> bool {
        self.finished.is_empty()
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.finished.contains_key(key)
    }

    pub(super) fn get(&self, key: &str) -> Option<&Outcome> {
        self.finished.get(key)
    }

    /// Adds a finished run, to the file first.
    pub(super) fn add(&mut self, key: &str, outcome: Outcome) -> Result<(), JournalError> {
        self.line(write(key, &outcome))?;
        self.finished.insert(key.to_string(), outcome);
        Ok(())
    }

    /// Adds a finished run that another process has run, as [`Sweep::run_line`] gives it.
    ///
    /// [`Sweep::run_line`]: super::Sweep::run_line
    ///
    /// # Errors
    /// The line is no finished run, or the file cannot be written.
    pub fn add_line(&mut self, line: &str) -> Result<(), JournalError> {
        let read = read(line.as_bytes());
        let (key, outcome) = read.ok_or_else(|| JournalError::Added(line.to_string()))?;
        self.add(&key, outcome)
    }

    fn line(&mut self, mut text: String) -> Result<(), JournalError> {
        let Some((file, path)) = &mut self.file else { return Ok(()) };
        text.push('\n');
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
        written.map_err(|error| JournalError::File(path.clone(), error))
    }

    /// Deletes the file: the table that it was kept for is written.
    ///
    /// # Errors
    /// The file cannot be deleted.
    pub fn delete(self) -> Result<(), JournalError> {
        let Some((_, path)) = self.file else { return Ok(()) };
        std::fs::remove_file(&path).map_err(|error| JournalError::File(path, error))
    }
}

pub(super) fn write(key: &str, outcome: &Outcome) -> String {
    let Outcome { ticks, agents, digest, values, seconds } = outcome;
    let values: Vec<Json> = values.iter().map(|v| json!([v.name, v.value])).collect();
    let digest = format!("{digest:016x}");
    json!({
        "run": key, "ticks": ticks, "agents": agents, "digest": digest, "values": values,
        "seconds": seconds,
    })
    .to_string()
}

fn read(line: &[u8]) -> Option<(String, Outcome)> {
    let json: Json = serde_json::from_slice(line).ok()?;
    let value = |item: &Json| {
        let number = item.get(1)?;
        let value = if number.is_null() { f64::NAN } else { number.as_f64()? };
        Some(Value { name: item.get(0)?.as_str()?.to_string(), value })
    };
    let outcome = Outcome {
        ticks: json["ticks"].as_u64()?,
        agents: usize::try_from(json["agents"].as_u64()?).ok()?,
        digest: u64::from_str_radix(json["digest"].as_str()?, 16).ok()?,
        values: json["values"].as_array()?.iter().map(value).collect::<Option<_>>()?,
        seconds: json["seconds"].as_f64()?,
    };
    Some((json["run"].as_str()?.to_string(), outcome))
}
