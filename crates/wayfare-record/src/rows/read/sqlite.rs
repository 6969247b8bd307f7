//! Reads trajectories of JuPedSim in SQLite, versions 1 to 3, and the tables that `wayfare run`
//! adds.
//!
//! Rows are read in the order of frames and ids, some thousands at a time.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::{FINITE, ReadError, ReadOptions, ReadRows, finite, no_rate, rate};
use crate::rows::{Columns, Header, Names, Row};

/// The number of rows that are read at once.
const BATCH: i64 = 4_096;

/// The columns of a row as they are read, in their order.
const COLUMNS: [&str; 12] = [
    "frame",
    "id",
    "rowid",
    "pos_x",
    "pos_y",
    "ori_x",
    "ori_y",
    "vel_x",
    "vel_y",
    "radius",
    "agent_group",
    "state",
];

/// What the column `wayfare.columns` of `metadata` can name.
const NAMED: [&str; 5] = ["group", "velocity", "radius", "facing", "state"];

/// Reads a trajectory in SQLite.
#[derive(Debug)]
pub(super) struct SqliteReader {
    connection: Connection,
    header: Header,
    origin: Vec<(String, String)>,
    names: Names,
    dt: f64,
    every: u64,
    has_orientations: bool,
    has_own: bool,
    /// The number of rows that are read at once: all, if no index gives their order.
    batch: i64,
    rows: VecDeque<(i64, Row)>,
    /// The rowid of the latest row.
    latest: i64,
    /// The frame and the rowid after which the next batch begins; none before the first.
    after: Option<(i64, i64, i64)>,
    ended: bool,
}

fn refused(problem: impl std::fmt::Display) -> ReadError {
    let problem = format!("the database cannot be read: {problem}");
    ReadError::content("", problem, "a whole trajectory of JuPedSim in SQLite")
}

/// An error of SQLite, without its queries and their names.
fn failed(error: rusqlite::Error) -> ReadError {
    use rusqlite::Error::{FromSqlConversionFailure, InvalidColumnType, Utf8Error};
    let text = error.to_string();
    match &error {
        InvalidColumnType(_, column, kind) => {
            let kind = format!("{kind:?}").to_lowercase();
            refused(format!("the column `{column}` has a value of type {kind}"))
        }
        Utf8Error(..) | FromSqlConversionFailure(..) => refused("a text is not in UTF-8"),
        _ => {
            for what in ["table", "column"] {
                let missing = text.split_once(&format!("no such {what}: "));
                if let Some(name) = missing.and_then(|(_, rest)| rest.split([' ', ',']).next()) {
                    let name = name.rsplit('.').next().unwrap_or(name);
                    return refused(format!("there is no {what} `{}`", super::csv::short(name)));
                }
            }
            refused("it is damaged")
        }
    }
}

/// Whether the file is as long as its header says: SQLite itself notices a cut only where it reads.
fn check_length(path: &Path) -> Result<(), ReadError> {
    let mut file = File::open(path)?;
    let mut head = [0; 100];
    let length = file.metadata()?.len();
    if length < 100 {
        return Err(refused(format!("it has {length} bytes")));
    }
    file.read_exact(&mut head)?;
    if !head.starts_with(b"SQLite format 3\0") {
        return Err(refused("it does not begin as a database of SQLite does"));
    }
    let number =
        |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let page = match u64::from(number(16) >> 16) {
        1 => 65_536,
        size => size,
    };
    // The number of pages is valid only if the two counters of changes agree (section 1.3.7 of
    // the format).
    let pages = if number(24) == number(92) { u64::from(number(28)) } else { 0 };
    if page == 0 || !length.is_multiple_of(page) || length < pages * page {
        return Err(refused(format!(
            "it has {length} bytes and not {pages} pages of {page}: the file was cut"
        )));
    }
    Ok(())
}

impl SqliteReader {
    pub(super) fn open(path: &Path, options: ReadOptions) -> Result<Self, ReadError> {
        check_length(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        let pairs = pairs(&connection).map_err(failed)?;
        let told =
            |key: &str| pairs.iter().find(|(known, _)| known == key).map(|(_, v)| v.as_str());
        match told("version") {
            Some("1" | "2" | "3") => {}
            version => {
                let problem = format!("its version is {}", version.unwrap_or("missing"));
                return Err(ReadError::content("table metadata", problem, "version 1, 2 or 3"));
            }
        }
        let fps = told("fps").map(|fps| {
            fps.parse::<f64>().map_err(|_| {
                let problem = format!("fps is `{}`", super::csv::short(fps));
                ReadError::content("table metadata", problem, "a number above 0")
            })
        });
        let rate = rate(fps.transpose()?, options)?.ok_or_else(no_rate)?;
        let own_number = |key: &str| told(&format!("wayfare.{key}"));
        let dt = own_number("dt").and_then(|dt| dt.parse().ok());
        let dt = dt.filter(|dt| *dt > 0.0 && finite(*dt));
        let every = own_number("every").and_then(|n| n.parse().ok()).filter(|n| *n > 0);
        let (dt, every) = dt.zip(every).unwrap_or((1.0 / rate, 1));
        let has = own_number("columns").map(|columns| columns.split(',').collect::<Vec<_>>());
        if let Some(name) =
            has.iter().flatten().find(|name| !name.is_empty() && !NAMED.contains(name))
        {
            let problem = format!("wayfare.columns names `{}`", super::csv::short(name));
            return Err(ReadError::content("table metadata", problem, NAMED.join(", ")));
        }
        let has_own = has.is_some();
        let has = |name: &str| has.as_ref().is_some_and(|columns| columns.contains(&name));
        let orientation = connection.prepare("SELECT ori_x, ori_y FROM trajectory_data LIMIT 0");
        let has_orientations = orientation.is_ok();
        drop(orientation);
        let query = "SELECT count(*) FROM pragma_index_list('trajectory_data')";
        let has_index = connection.query_row(query, [], |row| row.get::<_, i64>(0));
        let has_index = has_index.map_err(failed)? > 0;
        let own: Vec<(String, String)> = pairs
            .iter()
            .filter_map(|(key, value)| {
                Some((key.strip_prefix("wayfare.")?.to_string(), value.clone()))
            })
            .collect();
        // Rows without a frame or an id have no place in the order of rows.
        let query = "SELECT rowid FROM trajectory_data WHERE frame IS NULL OR id IS NULL LIMIT 1";
        let missing = connection.query_row(query, [], |row| row.get::<_, i64>(0)).optional();
        if let Some(row) = missing.map_err(failed)? {
            let (place, problem) =
                (format!("trajectory_data, row {row}"), "frame or id is missing");
            return Err(ReadError::content(place, problem, "whole numbers from 0"));
        }
        let areas = areas(&connection, every).map_err(failed)?;
        if let Some((_, wkt)) = areas.iter().find(|(_, wkt)| !is_wkt(wkt)) {
            let problem = format!("wkt is `{}`", super::csv::short(wkt));
            let allowed = "a whole geometry in WKT, such as POLYGON ((0 0, 4 0, 4 3, 0 0))";
            return Err(ReadError::content("table geometry", problem, allowed));
        }
        let header = Header {
            dimension: 2,
            columns: Columns {
                group: has("group"),
                velocity: has("velocity"),
                radius: has("radius"),
                facing: if has_own { has("facing") } else { has_orientations },
                state: has("state"),
            },
            dt: Some(dt),
            every: Some(every),
            single: own_number("precision") == Some("single"),
            about: super::about(&own),
            areas,
        };
        let names = if has_own { names(&connection).map_err(failed)? } else { Names::default() };
        Ok(Self {
            connection,
            header,
            origin: super::origin(&own),
            names,
            dt,
            every,
            has_orientations,
            has_own,
            batch: if has_index { BATCH } else { i64::MAX },
            rows: VecDeque::new(),
            latest: 0,
            after: None,
            ended: false,
        })
    }

    /// Reads the next rows.
    fn read_batch(&mut self) -> Result<(), ReadError> {
        let orientation = if self.has_orientations { "t.ori_x, t.ori_y" } else { "1.0, 0.0" };
        let (own, join) = if self.has_own {
            (
                "w.vel_x, w.vel_y, w.radius, w.agent_group, w.state",
                "LEFT JOIN wayfare_rows w ON w.row = t.rowid",
            )
        } else {
            ("NULL, NULL, NULL, NULL, NULL", "")
        };
        let (frame, id, row) = self.after.unwrap_or((i64::MIN, i64::MIN, i64::MIN));
        let query = format!(
            "SELECT t.frame, t.id, t.rowid, t.pos_x, t.pos_y, {orientation}, {own} FROM \
             trajectory_data t {join} WHERE (t.frame, t.id, t.rowid) > (?, ?, ?) ORDER BY \
             t.frame, t.id, t.rowid LIMIT ?"
        );
        let mut statement = self.connection.prepare(&query).map_err(failed)?;
        let mut found = statement.query((frame, id, row, self.batch)).map_err(failed)?;
        while let Some(values) = found.next().map_err(failed)? {
            let rowid: i64 = values.get(2).map_err(failed)?;
            let place = || format!("trajectory_data, row {rowid}");
            let whole = |column: usize| match values.get_ref(column).map_err(failed)? {
                rusqlite::types::ValueRef::Integer(n) => Ok(n),
                value => {
                    let problem = format!("{} is {}", COLUMNS[column], shown(value));
                    Err(ReadError::content(place(), problem, "a whole number from 0"))
                }
            };
            let (frame, id) = (whole(0)?, whole(1)?);
            self.after = Some((frame, id, rowid));
            let tick = u64::try_from(frame).ok().and_then(|frame| frame.checked_mul(self.every));
            let Some(tick) = tick else {
                let problem = format!("the frame is {frame}");
                return Err(ReadError::content(place(), problem, "a whole number from 0"));
            };
            let Ok(id) = u32::try_from(id) else {
                let allowed = "a whole number from 0 to 4294967295";
                return Err(ReadError::content(place(), format!("the id is {id}"), allowed));
            };
            let number = |column: usize, required: bool| -> Result<f64, ReadError> {
                let value = values.get_ref(column).map_err(failed)?;
                let x = match value {
                    rusqlite::types::ValueRef::Real(x) => x,
                    rusqlite::types::ValueRef::Integer(n) => n as f64,
                    rusqlite::types::ValueRef::Null if !required => 0.0,
                    _ => f64::NAN,
                };
                if finite(x) {
                    return Ok(x);
                }
                let problem = format!("{} is {}", COLUMNS[column], shown(value));
                Err(ReadError::content(place(), problem, FINITE))
            };
            let index = |column: usize, names: &[String]| -> Result<Option<u32>, ReadError> {
                let value = values.get_ref(column).map_err(failed)?;
                let number = match value {
                    rusqlite::types::ValueRef::Null => return Ok(None),
                    rusqlite::types::ValueRef::Integer(n) => u32::try_from(n).ok(),
                    _ => None,
                };
                match number.filter(|n| (*n as usize) < names.len()) {
                    Some(number) => Ok(Some(number)),
                    None => {
                        let problem = format!("{} is {}", COLUMNS[column], shown(value));
                        let allowed = format!(
                            "the number of one of the {} names of its kind in wayfare_names",
                            names.len()
                        );
                        Err(ReadError::content(place(), problem, allowed))
                    }
                }
            };
            let has = self.header.columns;
            let optional = |column: usize, has: bool| number(column, has);
            let row = Row {
                tick,
                time: tick as f64 * self.dt,
                id,
                group: match index(10, &self.names.groups)? {
                    None if has.group => {
                        let problem = "agent_group is missing";
                        return Err(ReadError::content(place(), problem, "the number of a name"));
                    }
                    group => group.unwrap_or(0),
                },
                state: index(11, &self.names.states)?,
                position: [number(3, true)?, number(4, true)?, 0.0],
                velocity: [optional(7, has.velocity)?, optional(8, has.velocity)?, 0.0],
                radius: optional(9, has.radius)?,
                facing: [number(5, true)?, number(6, true)?, 0.0],
            };
            self.rows.push_back((rowid, row));
        }
        self.ended = self.rows.is_empty();
        Ok(())
    }
}

impl ReadRows for SqliteReader {
    fn header(&self) -> &Header {
        &self.header
    }

    fn origin(&self) -> &[(String, String)] {
        &self.origin
    }

    fn names(&self) -> &Names {
        &self.names
    }

    fn place(&self) -> String {
        format!("trajectory_data, row {}", self.latest)
    }

    fn next_row(&mut self) -> Result<Option<Row>, ReadError> {
        if self.rows.is_empty() && !self.ended {
            self.read_batch()?;
        }
        Ok(self.rows.pop_front().map(|(rowid, row)| {
            self.latest = rowid;
            row
        }))
    }
}

/// A value for messages.
fn shown(value: rusqlite::types::ValueRef<'_>) -> String {
    match value {
        rusqlite::types::ValueRef::Null => "missing".to_string(),
        rusqlite::types::ValueRef::Integer(n) => n.to_string(),
        rusqlite::types::ValueRef::Real(x) => x.to_string(),
        rusqlite::types::ValueRef::Text(text) => {
            format!("the text `{}`", super::csv::short(&String::from_utf8_lossy(text)))
        }
        rusqlite::types::ValueRef::Blob(bytes) => format!("{} bytes", bytes.len()),
    }
}

/// Whether a text is a whole geometry: a word, and brackets that close, with points of finite
/// numbers in the innermost ones.
fn is_wkt(text: &str) -> bool {
    let text = text.trim();
    let mut depth = 0_i32;
    let is_point = |point: &str| {
        let mut numbers = point.split_whitespace().map(str::parse::<f64>);
        numbers.clone().count() >= 2 && numbers.all(|x| x.is_ok_and(finite))
    };
    let mut was_opened = false;
    for part in text.split_inclusive(['(', ')']) {
        let (opens, closes) = (part.ends_with('('), part.ends_with(')'));
        if closes && was_opened && !part.trim_end_matches(')').split(',').all(is_point) {
            return false;
        }
        depth += i32::from(opens) - i32::from(closes);
        was_opened = opens;
        if depth < 0 {
            return false;
        }
    }
    let is_closed = depth == 0 && (text.ends_with(')') || text.ends_with("EMPTY"));
    is_closed && text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The keys and values of `metadata`.
fn pairs(connection: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    // Values may be numbers.
    let mut pairs = connection.prepare("SELECT key, CAST(value AS TEXT) AS value FROM metadata")?;
    let pairs = pairs.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    pairs.collect()
}

/// The walkable areas, each from its tick on.
fn areas(connection: &Connection, every: u64) -> rusqlite::Result<Vec<(u64, String)>> {
    let has_frames = connection
        .query_row("SELECT 1 FROM sqlite_schema WHERE name = 'frame_data'", [], |_| Ok(()))
        .optional()?
        .is_some();
    if !has_frames {
        let mut areas = connection.prepare("SELECT wkt FROM geometry LIMIT 1")?;
        return areas.query_map([], |row| Ok((0, row.get(0)?)))?.collect();
    }
    let mut frames = connection.prepare(
        "SELECT f.frame, g.wkt, f.geometry_hash FROM frame_data f JOIN geometry g ON g.hash = \
         f.geometry_hash WHERE f.geometry_hash IS NOT (SELECT e.geometry_hash FROM frame_data e \
         WHERE e.rowid = f.rowid - 1) ORDER BY f.rowid",
    )?;
    let areas = frames.query_map([], |row| {
        let frame: i64 = row.get(0)?;
        Ok((u64::try_from(frame).unwrap_or(0).saturating_mul(every), row.get(1)?))
    })?;
    areas.collect()
}

/// The names of groups and states.
fn names(connection: &Connection) -> rusqlite::Result<Names> {
    let list = |kind: &str| -> rusqlite::Result<Vec<String>> {
        let mut names =
            connection.prepare("SELECT name FROM wayfare_names WHERE kind = ? ORDER BY number")?;
        names.query_map([kind], |row| row.get(0))?.collect()
    };
    Ok(Names { groups: list("group")?, states: list("state")? })
}
