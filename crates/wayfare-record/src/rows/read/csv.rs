//! Reads CSV: that of `wayfare run`, or any with the columns `tick`, `time`, `id`, `x` and `y`, in
//! any order.

use std::path::Path;

use super::lines::Lines;
use super::{FINITE, ReadError, ReadOptions, ReadRows, finite};
use crate::rows::write::csv::has_to_be_quoted;
use crate::rows::{Columns, Header, Names, Row};

/// The columns that are read, by their names; others are passed over.
pub(super) const KNOWN: [&str; 15] = [
    "tick", "time", "id", "group", "x", "y", "z", "vx", "vy", "vz", "radius", "fx", "fy", "fz",
    "state",
];

/// The columns that a file must have.
const REQUIRED: [&str; 5] = ["tick", "time", "id", "x", "y"];

/// Reads CSV.
#[derive(Debug)]
pub(super) struct CsvReader {
    lines: Lines,
    header: Header,
    names: Names,
    /// For each column of the file its index in [`KNOWN`].
    columns: Vec<Option<usize>>,
    /// Whether the mark of the end may be missing.
    unmarked: bool,
    /// Whether the latest line has the mark.
    marked: bool,
    fields: Vec<Field>,
}

/// A field, and whether it was quoted.
type Field = (String, bool);

/// The axes of vectors, in the order of their columns.
const VECTORS: [[&str; 3]; 2] = [["vx", "vy", "vz"], ["fx", "fy", "fz"]];

/// Refuses columns of which one is there twice, a vector that lacks one, and names with a unit.
pub(super) fn check_columns<'a>(
    place: &str,
    columns: impl Iterator<Item = &'a str> + Clone,
) -> Result<(), ReadError> {
    let refused = |problem, allowed: &str| Err(ReadError::content(place, problem, allowed));
    let has = |name: &str| columns.clone().any(|known| known == name);
    for (i, name) in columns.clone().enumerate() {
        if KNOWN.contains(&name) && columns.clone().take(i).any(|other| other == name) {
            return refused(format!("the column `{name}` is there twice"), "each column once");
        }
        if let Some((known, _)) = name.split_once('/').filter(|(known, _)| KNOWN.contains(known)) {
            let problem = format!("the column `{}` has a unit", short(name));
            return refused(problem, &format!("`{known}`, in the units of the positions"));
        }
    }
    let axes = if has("z") { 3 } else { 2 };
    for vector in VECTORS {
        let there = vector[..axes].iter().find(|name| has(name));
        let missing = vector[..axes].iter().find(|name| !has(name));
        if let (Some(there), Some(missing)) = (there, missing) {
            let problem = format!("there is `{there}` and no column `{missing}`");
            return refused(problem, "all columns of a vector, or none");
        }
    }
    Ok(())
}

impl CsvReader {
    pub(super) fn open(path: &Path, options: ReadOptions) -> Result<Self, ReadError> {
        let mut lines = Lines::open(path)?;
        let mut fields = Vec::new();
        let Some(first) = lines.next(is_open)? else {
            return Err(ReadError::content("", "the file is empty", "a CSV with a line of names"));
        };
        split(first, &mut fields);
        let columns: Vec<Option<usize>> =
            fields.iter().map(|(name, _)| KNOWN.iter().position(|known| known == name)).collect();
        let has = |name: &str| fields.iter().any(|(known, _)| known == name);
        if let Some(missing) = REQUIRED.iter().find(|name| !has(name)) {
            return Err(ReadError::content(
                "line 1",
                format!("there is no column `{missing}`"),
                "the columns tick, time, id, x and y, and those of docs/running.md",
            ));
        }
        check_columns("line 1", fields.iter().map(|(name, _)| name.as_str()))?;
        if options.fps.is_some() {
            let problem = "the file has a column `time`";
            return Err(ReadError::content("--fps", problem, "no --fps for this file"));
        }
        let dimension = if has("z") { 3 } else { 2 };
        let all = |names: &[&str]| names[..dimension].iter().all(|name| has(name));
        let marked = fields.iter().any(|(name, quoted)| name == "group" && *quoted);
        let header = Header {
            dimension,
            columns: Columns {
                group: has("group"),
                velocity: all(&["vx", "vy", "vz"]),
                radius: has("radius"),
                facing: all(&["fx", "fy", "fz"]),
                state: has("state"),
            },
            dt: None,
            every: None,
            single: !options.unmarked,
            about: Vec::new(),
            areas: Vec::new(),
        };
        let unmarked = options.unmarked;
        Ok(Self { lines, header, names: Names::default(), columns, unmarked, marked, fields })
    }

    /// The value of column `name`.
    fn number<T: std::str::FromStr>(
        &self,
        name: &str,
        text: &str,
        allowed: &str,
    ) -> Result<T, ReadError> {
        text.trim().parse().map_err(|_| {
            let problem = format!("`{name}` is `{}`", short(text));
            ReadError::content(self.lines.place(), problem, allowed)
        })
    }

    fn decimal(&self, name: &str, text: &str) -> Result<f64, ReadError> {
        let x: f64 = self.number(name, text, FINITE)?;
        if !finite(x) {
            let problem = format!("`{name}` is `{}`", short(text));
            return Err(ReadError::content(self.lines.place(), problem, FINITE));
        }
        Ok(x)
    }

    fn row(&mut self) -> Result<Row, ReadError> {
        if self.fields.len() != self.columns.len() {
            let problem = format!("there are {} fields", self.fields.len());
            let allowed = format!("{}, as line 1 has", self.columns.len());
            return Err(ReadError::content(self.lines.place(), problem, allowed));
        }
        let mut row = Row::default();
        // The mark is a quoted group, or a quoted id where the group has to be quoted.
        let (mut id_quoted, mut group_marked, mut group_exempt) = (false, false, false);
        for i in 0..self.columns.len() {
            let Some(column) = self.columns[i] else { continue };
            let (text, quoted) = &self.fields[i];
            let name = KNOWN[column];
            match name {
                "tick" => row.tick = self.number(name, text, "a whole number from 0")?,
                "time" => row.time = self.decimal(name, text)?,
                "id" => {
                    id_quoted = *quoted;
                    row.id = self.number(name, text, "a whole number from 0 to 4294967295")?;
                }
                "group" => {
                    group_exempt = has_to_be_quoted(text);
                    group_marked = *quoted;
                    row.group = self.names.group_index(text);
                }
                "state" => {
                    row.state = (!text.is_empty()).then(|| self.names.state_index(text));
                }
                _ => {
                    let x = self.decimal(name, text)?;
                    let x = if self.header.single { single(text, x) } else { x };
                    match column {
                        4..=6 => row.position[column - 4] = x,
                        7..=9 => row.velocity[column - 7] = x,
                        10 => row.radius = x,
                        _ => row.facing[column - 11] = x,
                    }
                }
            }
        }
        self.marked = group_marked && (id_quoted || !group_exempt);
        Ok(row)
    }
}

impl ReadRows for CsvReader {
    fn header(&self) -> &Header {
        &self.header
    }

    fn names(&self) -> &Names {
        &self.names
    }

    fn place(&self) -> String {
        self.lines.place()
    }

    fn next_row(&mut self) -> Result<Option<Row>, ReadError> {
        let Some(line) = self.lines.next(is_open)? else {
            if self.marked || self.unmarked {
                return Ok(None);
            }
            return Err(ReadError::content(
                format!("after {}", self.lines.place()),
                "the mark of the end is missing: the file was cut, or another program wrote it",
                "a last line with its mark, or --unmarked for a file of another program",
            ));
        };
        split(line, &mut self.fields);
        if self.marked && !self.unmarked {
            return Err(ReadError::content(
                self.lines.place(),
                "a row follows the mark of the end",
                "no row behind it, or --unmarked for a file of another program",
            ));
        }
        self.row().map(Some)
    }
}

/// A number as the `f32` that it was written from, if it is the shortest text of one.
pub(super) fn single(text: &str, x: f64) -> f64 {
    let single = x as f32;
    let mut shortest = Vec::new();
    crate::number::push_number(&mut shortest, single);
    if shortest == text.as_bytes() { f64::from(single) } else { x }
}

/// Whether a quoted field goes on after the line.
fn is_open(line: &[u8]) -> bool {
    line.iter().filter(|byte| **byte == b'"').count() % 2 == 1
}

/// Splits a line into its fields, whose quotes are removed.
fn split(line: &str, fields: &mut Vec<Field>) {
    let mut count = 0;
    let mut add = |text: &str, quoted: bool| {
        if fields.len() <= count {
            fields.push(Field::default());
        }
        let field = &mut fields[count];
        field.0.clear();
        if quoted {
            field.0.push_str(&text.replace("\"\"", "\""));
        } else {
            field.0.push_str(text);
        }
        field.1 = quoted;
        count += 1;
    };
    let mut rest = line;
    loop {
        let quoted = rest.starts_with('"');
        let mut inside = false;
        let end = rest.bytes().position(|byte| {
            inside ^= byte == b'"';
            byte == b',' && !inside
        });
        let field = &rest[..end.unwrap_or(rest.len())];
        let bare = field.strip_prefix('"').and_then(|field| field.strip_suffix('"'));
        match bare.filter(|_| quoted) {
            Some(bare) => add(bare, true),
            None => add(field, false),
        }
        match end {
            Some(end) => rest = &rest[end + 1..],
            None => break,
        }
    }
    fields.truncate(count);
}

/// A value for messages.
pub(super) fn short(text: &str) -> String {
    let mut short: String =
        text.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}
