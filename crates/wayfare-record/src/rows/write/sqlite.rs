//! Rows as a trajectory of JuPedSim in SQLite, version 2, which PedPy reads.
//!
//! Its tables are `trajectory_data` (frame, id, position, orientation), `metadata` (version, frames
//! per second, bounds), `geometry` (walkable areas as WKT) and `frame_data` (the area of a frame).
//! What they cannot hold is in tables of our own, and in further keys of `metadata`: `wayfare_rows`
//! has velocity, radius, group and state of the row of `trajectory_data` with the same `rowid`, and
//! `wayfare_names` the names of groups and states.
//!
//! An agent without a facing in the source has the orientation of its velocity, or else of its
//! last displacement.
//!
//! A thread of its own writes the rows, in one transaction without a journal: the file is a
//! temporary one until it is complete.

use std::collections::HashMap;
use std::io::{self, Cursor, Read};
use std::mem;
use std::sync::mpsc::Receiver;

use rusqlite::{Connection, ErrorCode, OpenFlags, params};

use super::thread::WritingThread;
use super::{WriteRows, wkt};
use crate::destination::Destination;
use crate::rows::{Columns, Header, Names, Row};

/// The number of rows that are sent to the thread at once.
const BATCH: usize = 1 << 14;

/// The tables of JuPedSim (PedestrianDynamics/jupedsim, `sqlite_serialization.py`, version 2), and
/// ours.
const TABLES: &str = "
    CREATE TABLE trajectory_data (
        frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT NULL,
        ori_x REAL NOT NULL, ori_y REAL NOT NULL);
    CREATE TABLE metadata(key TEXT NOT NULL UNIQUE, value TEXT NOT NULL);
    CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
    CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
    CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
    CREATE INDEX frame_id_idx ON trajectory_data(frame, id);
    CREATE TABLE wayfare_rows(
        row INTEGER PRIMARY KEY, vel_x REAL, vel_y REAL, radius REAL, agent_group INTEGER,
        state INTEGER);
    CREATE TABLE wayfare_names(kind TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL);";

/// A message to the writing thread.
#[derive(Debug)]
enum Message {
    Rows(Vec<Row>),
    /// The file is complete.
    End(Box<End>),
}

/// The data that are known only at the end.
#[derive(Debug)]
struct End {
    names: Names,
    digest: Option<String>,
    /// The first and the last frame of each run of frames without a gap.
    frames: Vec<[u64; 2]>,
    bounds: [[f64; 2]; 2],
    /// The walkable areas, each from its frame on.
    areas: Vec<(u64, String)>,
}

/// Writes a trajectory in SQLite.
#[derive(Debug)]
pub(crate) struct SqliteRows<W> {
    header: Header,
    batch: Vec<Row>,
    /// The first and the last frame of each run of frames without a gap.
    frames: Vec<[u64; 2]>,
    /// The box around all positions; empty before the first.
    seen: [[f64; 2]; 2],
    /// The walkable areas as WKT, each from its tick on; without any, the box around all positions.
    areas: Vec<(u64, String)>,
    /// The last position and orientation of each agent whose facing is not known.
    orientations: HashMap<u32, ([f64; 3], [f64; 3])>,
    thread: WritingThread<Message, W>,
}

impl<W: Destination> SqliteRows<W> {
    /// Begins a trajectory in the plane.
    ///
    /// # Errors
    /// The error of `out`, or the system has no thread.
    pub(crate) fn new(out: W, header: Header) -> io::Result<Self> {
        let connection = match out.file() {
            Some(path) => {
                let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
                Connection::open_with_flags(path, flags)
            }
            None => Connection::open_in_memory(),
        };
        let begun = connection.and_then(|connection| {
            // The file is not seen before it is complete.
            connection.execute_batch(
                "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = \
                 EXCLUSIVE; PRAGMA cache_size = -8192; BEGIN;",
            )?;
            connection.execute_batch(TABLES)?;
            Ok(connection)
        });
        let connection = begun.map_err(|error| out.named(failed(error)))?;
        let thread = {
            let header = header.clone();
            WritingThread::start("sqlite", move |messages| {
                write_all(connection, out, &header, messages)
            })?
        };
        Ok(Self {
            header,
            batch: Vec::new(),
            frames: Vec::new(),
            seen: [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]],
            areas: Vec::new(),
            orientations: HashMap::new(),
            thread,
        })
    }

    /// The box around all positions so far; empty before the first.
    pub(crate) fn seen(&self) -> [[f64; 2]; 2] {
        self.seen
    }

    /// Sets the walkable areas as WKT, each from a tick on; without any, the area is the
    /// [`room`] around all positions.
    pub(crate) fn set_areas(&mut self, areas: Vec<(u64, String)>) {
        self.areas = areas;
    }

    /// The orientation of an agent whose facing is not known.
    fn orientation(&mut self, row: &Row) -> [f64; 3] {
        let (before, last) =
            self.orientations.get(&row.id).copied().unwrap_or((row.position, [1.0, 0.0, 0.0]));
        let moved = [0, 1].map(|axis| row.position[axis] - before[axis]);
        let velocity = [row.velocity[0], row.velocity[1]];
        let along = if self.header.columns.velocity { velocity } else { moved };
        let length = along[0].hypot(along[1]);
        let orientation =
            if length > 0.0 { [along[0] / length, along[1] / length, 0.0] } else { last };
        self.orientations.insert(row.id, (row.position, orientation));
        orientation
    }
}

/// A box grown by a hundredth of its larger side, at least 1 wide; the unit box if it is empty.
pub(crate) fn room([low, high]: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    if low[0] > high[0] {
        return [[0.0; 2], [1.0; 2]];
    }
    let margin = (0.01 * (high[0] - low[0]).max(high[1] - low[1])).max(0.5);
    [low.map(|x| x - margin), high.map(|x| x + margin)]
}

impl<W: Destination> WriteRows<W> for SqliteRows<W> {
    fn row(&mut self, row: &Row, _: &Names) -> io::Result<()> {
        let mut row = *row;
        if !self.header.columns.facing {
            row.facing = self.orientation(&row);
        }
        row.tick = self.header.frame(row.tick);
        for axis in 0..2 {
            self.seen[0][axis] = self.seen[0][axis].min(row.position[axis]);
            self.seen[1][axis] = self.seen[1][axis].max(row.position[axis]);
        }
        self.batch.push(row);
        if self.batch.len() >= BATCH {
            let rows = mem::take(&mut self.batch);
            self.thread.send(Message::Rows(rows))?;
        }
        Ok(())
    }

    fn end_tick(&mut self, tick: u64) -> io::Result<()> {
        let frame = self.header.frame(tick);
        match self.frames.last_mut() {
            Some([_, last]) if *last + 1 >= frame => *last = frame,
            _ => self.frames.push([frame; 2]),
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, names: &Names, digest: Option<String>) -> io::Result<W> {
        if !self.batch.is_empty() {
            let rows = mem::take(&mut self.batch);
            self.thread.send(Message::Rows(rows))?;
        }
        let mut areas = mem::take(&mut self.areas);
        if areas.is_empty() {
            let [low, high] = room(self.seen);
            areas.push((0, wkt::of_box(low, high)));
        }
        let bounds = wkt::extent(areas.iter().map(|(_, area)| area.as_str()));
        let areas = areas.into_iter().map(|(tick, area)| (self.header.frame(tick), area));
        let end = End {
            names: names.clone(),
            digest,
            frames: mem::take(&mut self.frames),
            bounds,
            areas: areas.collect(),
        };
        self.thread.send(Message::End(Box::new(end)))?;
        self.thread.join()
    }
}

/// Writes rows until the end of the run.
fn write_all<W: Destination>(
    mut connection: Connection,
    mut out: W,
    header: &Header,
    messages: &Receiver<Message>,
) -> io::Result<W> {
    for message in messages {
        match message {
            Message::Rows(rows) => {
                let written = write_rows(&connection, header.columns, &rows);
                written.map_err(|error| out.named(failed(error)))?;
            }
            Message::End(end) => {
                let ended = write_end(&connection, header, &end)
                    .and_then(|()| connection.execute_batch("COMMIT"));
                ended.map_err(|error| out.named(failed(error)))?;
                if out.file().is_none() {
                    copy(&mut connection, &mut out)?;
                }
                let closed = connection.close().map_err(|(_, error)| error);
                closed.map_err(|error| out.named(failed(error)))?;
                out.flush()?;
                return Ok(out);
            }
        }
    }
    Err(io::ErrorKind::Interrupted.into())
}

/// Writes a database that is in memory.
fn copy<W: Destination>(connection: &mut Connection, out: &mut W) -> io::Result<()> {
    let bytes = connection.serialize("main").map_err(failed)?;
    io::copy(&mut Cursor::new(&*bytes).by_ref(), out).map(|_| ())
}

fn write_rows(connection: &Connection, columns: Columns, rows: &[Row]) -> rusqlite::Result<()> {
    let mut place = connection.prepare("INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)")?;
    let mut more = connection.prepare("INSERT INTO wayfare_rows VALUES (?, ?, ?, ?, ?, ?)")?;
    let any = columns.velocity || columns.radius || columns.group || columns.state;
    for row in rows {
        let ([x, y, _], [ori_x, ori_y, _]) = (row.position, row.facing);
        place.execute(params![row.tick as i64, row.id, x, y, ori_x, ori_y])?;
        if any {
            let velocity = |axis: usize| columns.velocity.then_some(row.velocity[axis]);
            let radius = columns.radius.then_some(row.radius);
            let group = columns.group.then_some(row.group);
            let rowid = connection.last_insert_rowid();
            more.execute(params![rowid, velocity(0), velocity(1), radius, group, row.state])?;
        }
    }
    Ok(())
}

fn write_end(connection: &Connection, header: &Header, end: &End) -> rusqlite::Result<()> {
    let mut key = connection.prepare("INSERT INTO metadata VALUES (?, ?)")?;
    let mut set = |name: &str, value: String| key.execute(params![name, value]).map(|_| ());
    set("version", "2".to_string())?;
    set("fps", header.rate().unwrap_or(1.0).to_string())?;
    let [[xmin, ymin], [xmax, ymax]] = end.bounds;
    for (name, value) in [("xmin", xmin), ("xmax", xmax), ("ymin", ymin), ("ymax", ymax)] {
        set(name, value.to_string())?;
    }
    set("wayfare.version", env!("CARGO_PKG_VERSION").to_string())?;
    for (name, value) in &header.about {
        set(&format!("wayfare.{name}"), value.clone())?;
    }
    let columns = header.columns;
    let has = [
        ("group", columns.group),
        ("velocity", columns.velocity),
        ("radius", columns.radius),
        ("facing", columns.facing),
        ("state", columns.state),
    ];
    let has: Vec<&str> = has.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
    set("wayfare.columns", has.join(","))?;
    set("wayfare.precision", if header.single { "single" } else { "double" }.to_string())?;
    if let (Some(dt), Some(every)) = (header.dt, header.every) {
        set("wayfare.dt", dt.to_string())?;
        set("wayfare.every", every.to_string())?;
    }
    if let Some(digest) = &end.digest {
        set("wayfare.digest", digest.clone())?;
    }
    let mut name = connection.prepare("INSERT INTO wayfare_names VALUES (?, ?, ?)")?;
    for (kind, names) in [("group", &end.names.groups), ("state", &end.names.states)] {
        for (number, text) in names.iter().enumerate() {
            name.execute(params![kind, number as i64, text])?;
        }
    }
    let mut area = connection.prepare("INSERT OR IGNORE INTO geometry VALUES (?, ?)")?;
    for (_, text) in &end.areas {
        area.execute(params![hash(text), text])?;
    }
    let mut frame_data = connection.prepare("INSERT INTO frame_data VALUES (?, ?)")?;
    for frame in end.frames.iter().flat_map(|[first, last]| *first..=*last) {
        let before = end.areas.partition_point(|(from, _)| *from <= frame);
        if let Some((_, text)) = end.areas.get(before.max(1) - 1) {
            frame_data.execute(params![frame as i64, hash(text)])?;
        }
    }
    Ok(())
}

/// The key of an area: FNV-1a, 64 bits.
fn hash(text: &str) -> i64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    }) as i64
}

/// The error of the disk, if it is one.
fn failed(error: rusqlite::Error) -> io::Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => io::ErrorKind::StorageFull.into(),
        Some(ErrorCode::OutOfMemory) => io::ErrorKind::OutOfMemory.into(),
        _ => io::Error::other(error),
    }
}
