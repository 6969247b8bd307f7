//! The table of a sweep that is still running.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use wayfare_record::table::Format;
use wayfare_record::{RecordError, WholeFile};

use super::{Journal, Sweep};

/// The shortest time between two versions of the table.
const SHORTEST: Duration = Duration::from_secs(1);
/// The time between two versions of the table, beside the time that the last one took.
const RARITY: u32 = 20;

/// A Parquet file with the finished runs of a sweep, while others go on: each version replaces the
/// last one as a whole, so that a reader finds a complete table at any time.
///
/// A table is written at most once per second, and writing takes at most a twentieth of the time.
#[derive(Debug)]
pub struct LiveTable {
    path: PathBuf,
    due: Option<Instant>,
}

impl LiveTable {
    /// The table at `path`, which is written on the first [`refresh`](Self::refresh).
    pub fn new(path: PathBuf) -> Self {
        Self { path, due: None }
    }

    /// Writes the finished runs of the journal, unless the last version is too young.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn refresh(&mut self, sweep: &Sweep, journal: &Journal) -> Result<(), RecordError> {
        match self.due {
            Some(due) if Instant::now() < due => Ok(()),
            _ => self.write(sweep, journal),
        }
    }

    /// Writes the finished runs of the journal.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, sweep: &Sweep, journal: &Journal) -> Result<(), RecordError> {
        let began = Instant::now();
        let table = sweep.finished(journal);
        let file = WholeFile::create(&self.path)?;
        let failed = |source| RecordError::File { path: self.path.clone(), source };
        table.write(Format::Parquet, file, &[]).map_err(failed)?.commit()?;
        let now = Instant::now();
        self.due = Some(now + SHORTEST.max((now - began) * RARITY));
        Ok(())
    }
}
