//! Rows as a table of Apache Parquet (<https://parquet.apache.org>), which DuckDB, pandas, polars
//! and R read.
//!
//! A row group has whole ticks and at least [`ROWS_OF_GROUP`] rows (the last one has the rest), so
//! that a reader skips the ticks that it does not need and memory does not grow with the run.
//! Numbers are stored byte by byte of their significance and compressed by zstd. A thread of its
//! own encodes and writes the row groups.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, TypePtr};

use super::WriteRows;
use super::thread::WritingThread;
use crate::rows::{Header, Names, Row};

/// The least number of rows of a row group, except of the last one: large enough that the columns
/// compress well, small enough for memory.
const ROWS_OF_GROUP: usize = 1 << 16;

/// The columns of numbers, in their order: position, velocity, radius, facing.
fn number_columns(header: &Header) -> Vec<&'static str> {
    let axes = |names: [&'static str; 3], has: bool| {
        names.into_iter().take(if has { header.dimension } else { 0 })
    };
    let columns = header.columns;
    axes(["x", "y", "z"], true)
        .chain(axes(["vx", "vy", "vz"], columns.velocity))
        .chain(columns.radius.then_some("radius"))
        .chain(axes(["fx", "fy", "fz"], columns.facing))
        .collect()
}

fn schema(header: &Header) -> Result<TypePtr, ParquetError> {
    let kind = if header.single { "float" } else { "double" };
    let numbers = number_columns(header).into_iter().map(|name| format!("required {kind} {name};"));
    let numbers: String = numbers.collect();
    let columns = header.columns;
    let group = if columns.group { "required binary group (string);" } else { "" };
    let state = if columns.state { "optional binary state (string);" } else { "" };
    parse_message_type(&format!(
        "message trajectories {{
            required int64 tick;
            required double time;
            required int32 id (integer(32, false));
            {group}
            {numbers}
            {state}
        }}"
    ))
    .map(Arc::new)
}

/// The data that are known before the first row, as metadata of the file.
fn metadata(header: &Header) -> Vec<KeyValue> {
    let pair = |key: &str, value: String| KeyValue::new(format!("wayfare.{key}"), value);
    let mut pairs = vec![pair("version", env!("CARGO_PKG_VERSION").to_string())];
    pairs.extend(header.about.iter().map(|(key, value)| pair(key, value.clone())));
    pairs.extend(header.dt.map(|dt| pair("dt", dt.to_string())));
    pairs.extend(header.every.map(|every| pair("every", every.to_string())));
    pairs
}

fn properties(header: &Header) -> Result<WriterProperties, ParquetError> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_created_by(format!("wayfare version {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(metadata(header)));
    for name in number_columns(header) {
        let path = ColumnPath::from(name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT);
    }
    Ok(properties.build())
}

/// Rows that are not written yet, column by column.
#[derive(Debug, Default)]
struct Batch {
    tick: Vec<i64>,
    time: Vec<f64>,
    id: Vec<i32>,
    group: Vec<ByteArray>,
    /// As [`number_columns`] names them; one of the two has values.
    singles: Vec<Vec<f32>>,
    doubles: Vec<Vec<f64>>,
    /// The states of the agents that have one.
    states: Vec<ByteArray>,
    /// 1 for an agent with a state, 0 for one without.
    has_state: Vec<i16>,
}

impl Batch {
    fn new(header: &Header) -> Self {
        let count = number_columns(header).len();
        let (singles, doubles) = if header.single { (count, 0) } else { (0, count) };
        Self {
            singles: vec![Vec::new(); singles],
            doubles: vec![Vec::new(); doubles],
            ..Self::default()
        }
    }

    /// Writes the rows as a row group.
    fn write<W: Write + Send>(
        &self,
        file: &mut SerializedFileWriter<W>,
    ) -> Result<(), ParquetError> {
        let mut group = file.next_row_group()?;
        let (mut singles, mut doubles) =
            (self.singles.iter(), [&self.time].into_iter().chain(&self.doubles));
        while let Some(mut column) = group.next_column()? {
            match column.untyped() {
                ColumnWriter::Int64ColumnWriter(writer) => {
                    writer.write_batch(&self.tick, None, None)?;
                }
                ColumnWriter::Int32ColumnWriter(writer) => {
                    writer.write_batch(&self.id, None, None)?;
                }
                ColumnWriter::DoubleColumnWriter(writer) => {
                    let values = doubles.next().map_or(&[][..], Vec::as_slice);
                    writer.write_batch(values, None, None)?;
                }
                ColumnWriter::FloatColumnWriter(writer) => {
                    let values = singles.next().map_or(&[][..], Vec::as_slice);
                    writer.write_batch(values, None, None)?;
                }
                ColumnWriter::ByteArrayColumnWriter(writer) => {
                    if writer.get_descriptor().name() == "group" {
                        writer.write_batch(&self.group, None, None)?;
                    } else {
                        writer.write_batch(&self.states, Some(&self.has_state), None)?;
                    }
                }
                _ => return Err(ParquetError::General("a column of another type".to_string())),
            }
            column.close()?;
        }
        group.close()?;
        Ok(())
    }
}

/// A message to the writing thread.
#[derive(Debug)]
enum Message {
    Rows(Batch),
    /// The digest at the end of the run, if it is known: the file is complete.
    End(Option<String>),
}

/// Writes a table of Parquet.
#[derive(Debug)]
pub(crate) struct ParquetRows<W> {
    header: Header,
    batch: Batch,
    /// The names of groups and states, which rows share.
    groups: Vec<ByteArray>,
    states: Vec<ByteArray>,
    thread: WritingThread<Message, W>,
}

impl<W: Write + Send + 'static> ParquetRows<W> {
    /// Begins a table.
    ///
    /// # Errors
    /// The error of `out`, or the system has no thread.
    pub(crate) fn new(out: W, header: Header) -> io::Result<Self> {
        let properties = properties(&header).map_err(failed)?;
        let schema = schema(&header).map_err(failed)?;
        let file = SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(failed)?;
        let thread = WritingThread::start("parquet", move |messages| write_all(file, messages))?;
        let batch = Batch::new(&header);
        Ok(Self { header, batch, groups: Vec::new(), states: Vec::new(), thread })
    }
}

/// Writes row groups until the end of the run. The file has no end, and is refused by readers, if
/// the run is given up before.
fn write_all<W: Write + Send>(
    mut file: SerializedFileWriter<W>,
    messages: &Receiver<Message>,
) -> io::Result<W> {
    for message in messages {
        match message {
            Message::Rows(rows) => rows.write(&mut file).map_err(failed)?,
            Message::End(digest) => {
                if let Some(digest) = digest {
                    file.append_key_value_metadata(KeyValue::new("wayfare.digest".into(), digest));
                }
                let mut out = file.into_inner().map_err(failed)?;
                out.flush()?;
                return Ok(out);
            }
        }
    }
    Err(io::ErrorKind::Interrupted.into())
}

/// The error of the destination, if it is one.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

/// Adds the names that are not among the values yet.
fn add_new(values: &mut Vec<ByteArray>, names: &[String]) {
    let known = values.len();
    values.extend(names.iter().skip(known).map(|name| ByteArray::from(name.as_bytes().to_vec())));
}

impl<W: Write + Send + 'static> WriteRows<W> for ParquetRows<W> {
    fn row(&mut self, row: &Row, names: &Names) -> io::Result<()> {
        add_new(&mut self.groups, &names.groups);
        add_new(&mut self.states, &names.states);
        let (batch, columns) = (&mut self.batch, self.header.columns);
        batch.tick.push(row.tick as i64);
        batch.time.push(row.time);
        batch.id.push(row.id as i32);
        if columns.group {
            let group = self.groups.get(row.group as usize).cloned();
            batch.group.push(group.unwrap_or_else(|| ByteArray::from("")));
        }
        let axes = |vector: [f64; 3], has: bool| {
            vector.into_iter().take(if has { self.header.dimension } else { 0 })
        };
        let values = axes(row.position, true)
            .chain(axes(row.velocity, columns.velocity))
            .chain(columns.radius.then_some(row.radius))
            .chain(axes(row.facing, columns.facing));
        if self.header.single {
            for (column, value) in batch.singles.iter_mut().zip(values) {
                column.push(value as f32);
            }
        } else {
            for (column, value) in batch.doubles.iter_mut().zip(values) {
                column.push(value);
            }
        }
        if columns.state {
            let state = row.state.and_then(|state| self.states.get(state as usize));
            batch.has_state.push(i16::from(state.is_some()));
            batch.states.extend(state.cloned());
        }
        Ok(())
    }

    fn end_tick(&mut self, _: u64) -> io::Result<()> {
        if self.batch.tick.len() < ROWS_OF_GROUP {
            return Ok(());
        }
        let rows = mem::replace(&mut self.batch, Batch::new(&self.header));
        self.thread.send(Message::Rows(rows))
    }

    fn finish(mut self: Box<Self>, _: &Names, digest: Option<String>) -> io::Result<W> {
        if !self.batch.tick.is_empty() {
            let rows = mem::take(&mut self.batch);
            self.thread.send(Message::Rows(rows))?;
        }
        self.thread.send(Message::End(digest))?;
        self.thread.join()
    }
}
