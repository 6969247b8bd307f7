//! The output of a run that a writer of rows makes.

use std::io::{self, Write};

use wayfare::{Crowd, Vector};

use super::{FinishedRun, Output};
use crate::rows::CrowdRows;
use crate::rows::write::WriteRows;

/// Feeds a writer of rows from a run.
pub(super) struct RowsOutput<T> {
    every: u64,
    rows: CrowdRows,
    writer: Box<T>,
}

impl<T> RowsOutput<T> {
    /// Writes the ticks that are multiples of `every`.
    pub(super) fn new(every: u64, writer: T) -> Self {
        Self { every: every.max(1), rows: CrowdRows::default(), writer: Box::new(writer) }
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn writer(&self) -> &T {
        &self.writer
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn writer_mut(&mut self) -> &mut T {
        &mut self.writer
    }
}

impl<W: Write, V: Vector, T: WriteRows<W>> Output<W, V> for RowsOutput<T> {
    fn record(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        if !crowd.tick().is_multiple_of(self.every) {
            return Ok(());
        }
        self.rows.for_each(crowd, |row, names| self.writer.row(row, names))?;
        self.writer.end_tick(crowd.tick())
    }

    fn finish(self: Box<Self>, run: &FinishedRun<'_, V>) -> io::Result<W> {
        // The state of a part says nothing about the run.
        let digest = (!run.crowd.is_part()).then(|| format!("{:016x}", run.crowd.digest()));
        self.writer.finish(&self.rows.names, digest)
    }
}
