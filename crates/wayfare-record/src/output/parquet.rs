//! `.parquet`: trajectories as a table of Apache Parquet (<https://parquet.apache.org>), which
//! DuckDB, pandas, polars and R read. Not on web pages.
//!
//! The columns are those of the [CSV](crate::Trajectory), always with facing (`fx`, `fy`, `fz`) and
//! state, which is null for agents without one. A row group has whole ticks and at least
//! [`ROWS_OF_GROUP`] rows (the last one has the rest), so that a reader skips the ticks that it
//! does not need and memory does not grow with the run. Numbers are stored byte by byte of their
//! significance and compressed by zstd. The metadata of the file has the keys of [`metadata`] and
//! `wayfare.digest`, the hash of the state at the end of the run.
//!
//! A thread of its own encodes and writes the row groups while the run goes on.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, TypePtr};
use wayfare::{Crowd, Vector};

use super::{FinishedRun, Format, Output, RunData, RunInfo};

pub(super) const FORMAT: Format = Format {
    extension: "parquet",
    content: "trajectories as a table of Apache Parquet",
    source: RunData::Rows,
};

/// The least number of rows of a row group, except of the last one: large enough that the columns
/// compress well, small enough for memory.
const ROWS_OF_GROUP: usize = 1 << 16;

/// The columns of numbers, in their order: position, velocity, radius, facing.
fn number_columns(dimension: usize) -> Vec<&'static str> {
    let axes = |names: [&'static str; 3]| names.into_iter().take(dimension);
    axes(["x", "y", "z"])
        .chain(axes(["vx", "vy", "vz"]))
        .chain(["radius"])
        .chain(axes(["fx", "fy", "fz"]))
        .collect()
}

fn schema(dimension: usize) -> Result<TypePtr, ParquetError> {
    let numbers: String =
        number_columns(dimension).iter().map(|name| format!("required float {name};\n")).collect();
    parse_message_type(&format!(
        "message trajectories {{
            required int64 tick;
            required double time;
            required int32 id (integer(32, false));
            required binary group (string);
            {numbers}
            optional binary state (string);
        }}"
    ))
    .map(Arc::new)
}

/// What is known of a run at its start, as metadata of the file.
fn metadata<V: Vector>(info: &RunInfo<V>, crowd: &Crowd<V>) -> Vec<KeyValue> {
    let pair = |key: &str, value: String| KeyValue::new(format!("wayfare.{key}"), value);
    vec![
        pair("version", env!("CARGO_PKG_VERSION").to_string()),
        pair("scene", info.scene.clone()),
        pair("title", info.title.clone()),
        pair("scene_text", info.scene_text.clone()),
        pair("seed", info.seed.to_string()),
        pair("dt", crowd.dt().to_string()),
        pair("length_unit", info.presentation.units.length.clone()),
        pair("time_unit", info.presentation.units.time.clone()),
    ]
}

fn properties(dimension: usize, metadata: Vec<KeyValue>) -> Result<WriterProperties, ParquetError> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_created_by(format!("wayfare version {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(metadata));
    for name in number_columns(dimension) {
        let path = ColumnPath::from(name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::BYTE_STREAM_SPLIT);
    }
    Ok(properties.build())
}

/// Rows that are not written yet, column by column.
#[derive(Default)]
struct Rows {
    tick: Vec<i64>,
    time: Vec<f64>,
    id: Vec<i32>,
    group: Vec<ByteArray>,
    /// As [`number_columns`] names them.
    numbers: Vec<Vec<f32>>,
    /// The states of the agents that have one.
    states: Vec<ByteArray>,
    /// 1 for an agent with a state, 0 for one without.
    has_state: Vec<i16>,
}

impl Rows {
    fn new(dimension: usize) -> Self {
        Self { numbers: vec![Vec::new(); number_columns(dimension).len()], ..Self::default() }
    }

    /// Writes the rows as a row group.
    fn write<W: Write + Send>(
        &self,
        file: &mut SerializedFileWriter<W>,
    ) -> Result<(), ParquetError> {
        let mut group = file.next_row_group()?;
        let (mut numbers, mut texts) =
            (self.numbers.iter(), [(&self.group, None), (&self.states, Some(&self.has_state[..]))]);
        let mut texts = texts.iter_mut();
        while let Some(mut column) = group.next_column()? {
            match column.untyped() {
                ColumnWriter::Int64ColumnWriter(writer) => {
                    writer.write_batch(&self.tick, None, None)?;
                }
                ColumnWriter::DoubleColumnWriter(writer) => {
                    writer.write_batch(&self.time, None, None)?;
                }
                ColumnWriter::Int32ColumnWriter(writer) => {
                    writer.write_batch(&self.id, None, None)?;
                }
                ColumnWriter::FloatColumnWriter(writer) => {
                    let values = numbers.next().map_or(&[][..], Vec::as_slice);
                    writer.write_batch(values, None, None)?;
                }
                ColumnWriter::ByteArrayColumnWriter(writer) => {
                    if let Some((values, levels)) = texts.next() {
                        writer.write_batch(values, *levels, None)?;
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

/// What the writing thread is sent.
enum Message {
    Rows(Rows),
    /// The digest at the end of the run: the file is complete.
    End(String),
}

struct Table<W> {
    every: u64,
    dimension: usize,
    order: Vec<u32>,
    rows: Rows,
    /// The names of groups and states, which rows share.
    groups: Vec<ByteArray>,
    states: Vec<(String, ByteArray)>,
    /// `None` after an error.
    thread: Option<(SyncSender<Message>, JoinHandle<io::Result<W>>)>,
}

pub(super) fn begin<W: Write + Send + 'static, V: Vector>(
    out: W,
    crowd: &Crowd<V>,
    info: &RunInfo<V>,
) -> io::Result<impl Output<W, V> + use<W, V>> {
    let metadata = metadata(info, crowd);
    let properties = properties(V::DIMENSION, metadata).map_err(failed)?;
    let schema = schema(V::DIMENSION).map_err(failed)?;
    let file = SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(failed)?;
    // One row group waits while another is written.
    let (sender, receiver) = sync_channel(1);
    let thread = std::thread::Builder::new()
        .name("parquet".to_string())
        .spawn(move || write_all(file, &receiver))?;
    Ok(Table {
        every: info.every.max(1),
        dimension: V::DIMENSION,
        order: Vec::new(),
        rows: Rows::new(V::DIMENSION),
        groups: Vec::new(),
        states: Vec::new(),
        thread: Some((sender, thread)),
    })
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
                file.append_key_value_metadata(KeyValue::new("wayfare.digest".into(), digest));
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

/// The name as a value of a column.
fn bytes_of(name: &str) -> ByteArray {
    ByteArray::from(name.as_bytes().to_vec())
}

impl<W> Table<W> {
    /// Sends a message to the thread; an error is the one that ended the thread.
    fn send(&mut self, message: Message) -> io::Result<()> {
        let Some((sender, _)) = &self.thread else {
            return Err(io::Error::other("the output has failed before"));
        };
        if sender.send(message).is_ok() {
            return Ok(());
        }
        self.join().and(Err(io::ErrorKind::Interrupted.into()))
    }

    /// Waits for the end of the thread.
    fn join(&mut self) -> io::Result<W> {
        let Some((sender, thread)) = self.thread.take() else {
            return Err(io::Error::other("the output has failed before"));
        };
        drop(sender);
        thread.join().unwrap_or_else(|_| Err(io::Error::other("the writing thread has failed")))
    }

    fn state(&mut self, name: &str) -> ByteArray {
        if let Some((_, bytes)) = self.states.iter().find(|(known, _)| known == name) {
            return bytes.clone();
        }
        let bytes = bytes_of(name);
        self.states.push((name.to_string(), bytes.clone()));
        bytes
    }

    fn push<V: Vector>(&mut self, crowd: &Crowd<V>) {
        let (tick, time) = (crowd.tick() as i64, crowd.time());
        // Groups may have been added since the last tick.
        let known = self.groups.len();
        self.groups.extend(crowd.group_names().skip(known).map(bytes_of));
        let mut order = mem::take(&mut self.order);
        crowd.rows_by_id(&mut order);
        for &row in &order {
            let Some(agent_ref) = crowd.agent_at_row(row) else { continue };
            self.rows.tick.push(tick);
            self.rows.time.push(time);
            self.rows.id.push(agent_ref.id.0 as i32);
            self.rows.group.push(self.groups[agent_ref.group.0].clone());
            let agent = &agent_ref.agent;
            let axes = |vector: V| (0..V::DIMENSION).map(move |axis| vector.axis(axis));
            let values = axes(agent.position)
                .chain(axes(agent.velocity))
                .chain([agent.radius])
                .chain(axes(agent.facing));
            for (column, value) in self.rows.numbers.iter_mut().zip(values) {
                column.push(value);
            }
            self.rows.has_state.push(i16::from(agent_ref.state.is_some()));
            if let Some(name) = agent_ref.state {
                let state = self.state(name);
                self.rows.states.push(state);
            }
        }
        self.order = order;
    }
}

/// A run that is given up waits for the thread, which drops the destination: a temporary file is
/// then removed.
impl<W> Drop for Table<W> {
    fn drop(&mut self) {
        // The run has failed with an error of its own.
        drop(self.join());
    }
}

impl<W: Write, V: Vector> Output<W, V> for Table<W> {
    fn record(&mut self, crowd: &Crowd<V>) -> io::Result<()> {
        if crowd.tick().is_multiple_of(self.every) {
            self.push(crowd);
        }
        if self.rows.tick.len() < ROWS_OF_GROUP {
            return Ok(());
        }
        let rows = mem::replace(&mut self.rows, Rows::new(self.dimension));
        self.send(Message::Rows(rows))
    }

    fn finish(mut self: Box<Self>, run: &FinishedRun<'_, V>) -> io::Result<W> {
        if !self.rows.tick.is_empty() {
            let rows = mem::take(&mut self.rows);
            self.send(Message::Rows(rows))?;
        }
        self.send(Message::End(format!("{:016x}", run.crowd.digest())))?;
        self.join()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{RunEnd, RunOutputs};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use wayfare::crowd::{Group, Setup, Spawn, StartVelocity, State};
    use wayfare::glam::{Vec2, Vec3, vec2, vec3};

    /// The file of a run of so many ticks, of which each `every`-th is written, and its digest.
    fn file<V: Vector>(setup: &Setup<V>, ticks: u64, every: u64) -> (Vec<u8>, String) {
        let mut info = RunInfo::new("birds.toml", "Birds", setup, ticks);
        (info.every, info.scene_text) = (every, "seed = 1".to_string());
        let mut crowd = Crowd::new(setup.clone()).unwrap();
        let mut outputs = RunOutputs::begin([(&FORMAT, Vec::new())], &crowd, info).unwrap();
        for _ in 0..ticks {
            crowd.step();
            outputs.record(&crowd).unwrap();
        }
        let (files, _) = outputs.finish(&crowd, RunEnd::default()).unwrap();
        (files.into_iter().next().unwrap(), format!("{:016x}", crowd.digest()))
    }

    fn read(file: Vec<u8>) -> SerializedFileReader<bytes::Bytes> {
        SerializedFileReader::new(bytes::Bytes::from(file)).unwrap()
    }

    fn group<V: Vector>(points: Vec<V>, velocity: V) -> Group<V> {
        Group {
            velocity: StartVelocity::Same(velocity),
            ..Group::new("birds", 0, Spawn::Points(points), 9.0)
        }
    }

    fn stones_and_birds() -> Setup<Vec2> {
        let state = State::new("rest");
        let mut stones = group(vec![vec2(0.1, 2.0)], Vec2::ZERO);
        (stones.name, stones.states) = ("stones, \"big\"".to_string(), vec![state]);
        stones.radius = 0.5.into();
        let birds = group(vec![vec2(1.0, 0.0)], vec2(0.0, 3.0));
        Setup { dt: 0.5, groups: vec![stones, birds], ..Setup::default() }
    }

    #[test]
    fn a_table_has_the_values_of_the_run_and_null_for_no_state() {
        let reader = read(file(&stones_and_birds(), 2, 2).0);
        let rows: Vec<Vec<Field>> = reader
            .get_row_iter(None)
            .unwrap()
            .map(|row| row.unwrap().into_columns().into_iter().map(|(_, field)| field).collect())
            .collect();
        let row = |tick, id, group: &str, numbers: [f32; 7], state: Option<&str>| {
            let start = [
                Field::Long(tick),
                Field::Double(tick as f64 * 0.5),
                Field::UInt(id),
                Field::Str(group.to_string()),
            ];
            let state = state.map_or(Field::Null, |state| Field::Str(state.to_string()));
            start.into_iter().chain(numbers.map(Field::Float)).chain([state]).collect::<Vec<_>>()
        };
        let stone = [0.1, 2.0, 0.0, 0.0, 0.5, 1.0, 0.0];
        let bird = |y| [1.0, y, 0.0, 3.0, 0.0, 0.0, 1.0];
        let expected = [
            row(0, 0, "stones, \"big\"", stone, Some("rest")),
            row(0, 1, "birds", bird(0.0), None),
            row(2, 0, "stones, \"big\"", stone, Some("rest")),
            row(2, 1, "birds", bird(3.0), None),
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn the_metadata_tells_how_to_repeat_the_run() {
        let (bytes, digest) = file(&stones_and_birds(), 2, 1);
        let reader = read(bytes);
        let pairs = reader.metadata().file_metadata().key_value_metadata().unwrap();
        let value = |key: &str| {
            let key = format!("wayfare.{key}");
            pairs.iter().find(|pair| pair.key == key).unwrap().value.clone().unwrap()
        };
        let keys = ["version", "scene", "title", "scene_text", "seed", "dt", "digest"];
        let expected =
            [env!("CARGO_PKG_VERSION"), "birds.toml", "Birds", "seed = 1", "0", "0.5", &digest];
        assert_eq!(keys.map(value), expected);
    }

    #[test]
    fn row_groups_have_whole_ticks_and_enough_rows() {
        let points = (0..30_000).map(|i| vec3(i as f32, 0.0, 0.0)).collect();
        let setup = Setup { groups: vec![group(points, Vec3::X)], ..Setup::default() };
        let reader = read(file(&setup, 7, 1).0);
        let groups = reader.metadata().row_groups();
        let rows: Vec<i64> = groups.iter().map(|group| group.num_rows()).collect();
        assert_eq!(rows, [90_000, 90_000, 60_000]);
        // A reader that looks for a tick skips the other groups.
        let ticks = groups.iter().map(|group| {
            let statistics = group.column(0).statistics().unwrap();
            (statistics.min_bytes_opt().unwrap()[0], statistics.max_bytes_opt().unwrap()[0])
        });
        assert_eq!(ticks.collect::<Vec<_>>(), [(0, 2), (3, 5), (6, 7)]);
    }

    #[test]
    fn a_file_without_its_end_is_refused_by_readers() {
        let (bytes, _) = file(&stones_and_birds(), 2, 1);
        for end in [0, 3, 4, 100, bytes.len() - 1] {
            let cut = bytes::Bytes::from(bytes[..end].to_vec());
            assert!(SerializedFileReader::new(cut).is_err(), "{end}");
        }
    }
}
