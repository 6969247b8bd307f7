//! Writers of rows: one file per format.

use std::io;

use super::{Names, Row};

pub(crate) mod csv;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod parquet;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod sqlite;
#[cfg(not(target_arch = "wasm32"))]
mod thread;
pub(crate) mod txt;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod wkt;

/// The size of the buffer of a text (bytes).
const CHUNK: usize = 1 << 16;

/// Writes rows in one format. Rows come in the order of ticks, those of a tick in the order of ids.
pub(crate) trait WriteRows<W> {
    /// Takes a row.
    ///
    /// # Errors
    /// The destination failed; the file is incomplete.
    fn row(&mut self, row: &Row, names: &Names) -> io::Result<()>;

    /// Takes the end of a tick, also of one without rows.
    ///
    /// # Errors
    /// The destination failed; the file is incomplete.
    fn end_tick(&mut self, _tick: u64) -> io::Result<()> {
        Ok(())
    }

    /// Writes the rest, flushes, and returns the destination. `digest` is the hash of the state at
    /// the end of the run, if it is known.
    ///
    /// # Errors
    /// The destination failed.
    fn finish(self: Box<Self>, names: &Names, digest: Option<String>) -> io::Result<W>;
}
