//! Writes a trajectory in another format.
//!
//! The source is read twice: once to check all of it, and to find what its beginning does not tell,
//! and once to write it. Memory does not grow with the file, unless its rows are not in the order
//! of ticks and ids: then all are kept to be sorted.

use std::io;
use std::path::Path;

use super::read::{ReadError, ReadOptions, ReadRows, Survey, open, survey};
use super::write::WriteRows;
use super::write::csv::CsvRows;
use super::write::parquet::ParquetRows;
use super::write::sqlite::SqliteRows;
use super::write::txt::TextRows;
use super::{Header, Names, Row};
use crate::destination::Destination;

/// A trajectory that was written in another format.
#[derive(Debug)]
pub struct Conversion<W> {
    /// The destination, flushed.
    pub out: W,
    /// The number of rows.
    pub rows: u64,
    /// The data of the source that the target does not hold, in words.
    pub left_out: Vec<&'static str>,
}

/// Why a trajectory was not converted.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConvertError {
    /// The source cannot be read.
    Read(ReadError),
    /// The target cannot hold the source: what it has and what is allowed.
    Refused(String, String),
    /// The destination failed.
    Write(io::Error),
}

impl From<ReadError> for ConvertError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

/// Reads the trajectory at `path` and writes it to `out` in the format of `extension`, which is one
/// of [`EXTENSIONS`](super::read::EXTENSIONS).
///
/// # Errors
/// The source is malformed or was cut, the target cannot hold it, or the destination failed.
pub fn convert<W: Destination>(
    path: &Path,
    options: ReadOptions,
    extension: &str,
    out: W,
) -> Result<Conversion<W>, ConvertError> {
    let mut first = open(path, options)?;
    let found = survey(first.as_mut())?;
    let mut header = found.complete(first.header());
    drop(first);
    // As of a run: a CSV has this column only if it is of use.
    header.columns.state &= extension != "csv" || found.states;
    let left_out = left_out(&header, extension);
    let reader = open(path, options)?;
    if extension == "sqlite" && header.dimension != 2 {
        return Err(ConvertError::Refused(
            "a .sqlite has two dimensions, and the trajectory has three".to_string(),
            "a trajectory in the plane, or .csv, .parquet or .txt".to_string(),
        ));
    }
    let written = match extension {
        "csv" => copy(reader, &found, CsvRows::new(out, &header)),
        "parquet" => ParquetRows::new(out, header)
            .map_err(ConvertError::Write)
            .and_then(|rows| copy(reader, &found, rows)),
        "sqlite" => {
            let areas = header.areas.clone();
            SqliteRows::new(out, header).map_err(ConvertError::Write).and_then(|mut rows| {
                rows.set_areas(areas);
                copy(reader, &found, rows)
            })
        }
        _ => TextRows::new(out, &header)
            .map_err(ConvertError::Write)
            .and_then(|rows| copy(reader, &found, rows)),
    };
    Ok(Conversion { out: written?, rows: found.rows, left_out })
}

/// The data of the source that the format does not hold.
fn left_out(header: &Header, extension: &str) -> Vec<&'static str> {
    let columns = header.columns;
    let mut left_out = Vec::new();
    let mut note = |is_lost: bool, what| left_out.extend(is_lost.then_some(what));
    let text = extension == "txt";
    note(text && columns.group, "groups");
    note(text && columns.velocity, "velocities");
    note(text && columns.radius, "radii");
    note(text && columns.facing, "facings");
    note(text && columns.state, "states");
    note(extension != "sqlite" && !header.areas.is_empty(), "the walkable area");
    left_out
}

/// Copies all rows, in the order of ticks and ids.
fn copy<W, T: WriteRows<W>>(
    mut reader: Box<dyn ReadRows>,
    found: &Survey,
    writer: T,
) -> Result<W, ConvertError> {
    let mut writer = Box::new(writer);
    let mut tick = None;
    let mut write = |row: &Row, names: &Names| -> io::Result<()> {
        if tick.is_some_and(|tick| tick != row.tick)
            && let Some(ended) = tick
        {
            writer.end_tick(ended)?;
        }
        tick = Some(row.tick);
        writer.row(row, names)
    };
    if found.sorted {
        while let Some(row) = reader.next_row()? {
            write(&row, reader.names()).map_err(ConvertError::Write)?;
        }
    } else {
        let mut rows = Vec::new();
        while let Some(row) = reader.next_row()? {
            rows.push(row);
        }
        // A stable sort: rows of one agent at one tick keep their order.
        rows.sort_by_key(|row| (row.tick, row.id));
        rows.iter().try_for_each(|row| write(row, reader.names())).map_err(ConvertError::Write)?;
    }
    if let Some(tick) = tick {
        writer.end_tick(tick).map_err(ConvertError::Write)?;
    }
    writer.finish(reader.names(), None).map_err(ConvertError::Write)
}

#[cfg(test)]
mod tests;
