//! Reads text of PeTrack, also that of other programs: rows of an id, a frame, x, y and perhaps z,
//! parted by white space, and comments after `#`.
//!
//! Of the comments before the first row, `framerate` tells the frames per second, and `x/cm` or
//! `in cm` that lengths are in centimetres, `x/mm` or `in mm` in millimetres; they are read into
//! metres. Frames may have gaps, and rows any order: the Jülich data archive has them by agents.
//! All rows have as many fields as the first one. The z of other programs, the height of a head, is
//! passed over.

use std::path::Path;

use super::csv::short;
use super::lines::Lines;
use super::{FINITE, ReadError, ReadOptions, ReadRows, finite, no_rate, rate};
use crate::rows::write::txt::END;
use crate::rows::{Columns, Header, Names, Row};

/// Reads text of PeTrack.
#[derive(Debug)]
pub(super) struct TextReader {
    lines: Lines,
    header: Header,
    names: Names,
    /// The ticks of a frame, and the length of a tick (time).
    every: u64,
    dt: f64,
    /// The number of lengths of the file in a metre.
    unit: f64,
    /// The first row, which ends the comments at the beginning, and the number of its fields.
    first: Option<Row>,
    fields: usize,
    /// Whether the file is ours, and has to end with [`END`].
    marked: bool,
    ended: bool,
}

impl TextReader {
    pub(super) fn open(path: &Path, options: ReadOptions) -> Result<Self, ReadError> {
        let mut lines = Lines::open(path)?;
        let (mut told, mut own, mut unit) = (None, None, 1.0);
        let (mut marked, mut ended) = (false, false);
        let mut first = None;
        let columns =
            Columns { group: false, velocity: false, radius: false, facing: false, state: false };
        while let Some(line) = lines.next(|_| false)? {
            let Some(comment) = line.trim_start().strip_prefix('#') else {
                if line.trim().is_empty() {
                    continue;
                }
                first = Some(line.to_string());
                break;
            };
            let lower = comment.to_lowercase();
            if told.is_none() && lower.contains("framerate") {
                told = comment.split_whitespace().find_map(|word| word.parse::<f64>().ok());
            }
            for (name, per_metre) in &UNITS[1..] {
                if lower.contains(&format!("in {name}")) {
                    unit = *per_metre;
                }
            }
            let of_columns = unit_of_columns(&lower);
            if own.is_none() {
                own = ours(comment);
                marked = own.is_some() && !options.unmarked;
            }
            ended |= line == END;
            let refused =
                |problem| ReadError::content(lines.place(), problem, "x and y in m, cm or mm");
            unit = of_columns.map_err(refused)?.unwrap_or(unit);
        }
        let rate = rate(told, options)?.ok_or_else(no_rate)?;
        // The third coordinate of other programs is the height of a head.
        let (dimension, dt, every) = own.unwrap_or((2, 1.0 / rate, 1));
        let header = Header {
            dimension,
            columns,
            dt: Some(dt),
            every: Some(every),
            single: own.is_some(),
            about: Vec::new(),
            areas: Vec::new(),
        };
        let names = Names { groups: vec![String::new()], states: Vec::new() };
        let fields = first.as_deref().map_or(0, |line| words(line).count());
        let first_row = None;
        let mut reader =
            Self { lines, header, names, every, dt, unit, first: first_row, fields, marked, ended };
        reader.first = first.map(|line| reader.row(&line)).transpose()?;
        Ok(reader)
    }

    fn row(&self, line: &str) -> Result<Row, ReadError> {
        let refused = |problem: String, allowed: &str| {
            Err(ReadError::content(self.lines.place(), problem, allowed))
        };
        let mut fields = [""; 5];
        let mut count = 0;
        for field in words(line) {
            if count < 5 {
                fields[count] = field;
            }
            count += 1;
        }
        if count < 4 {
            return refused(format!("there are {count} fields"), "id, frame, x, y and z");
        }
        if count != self.fields {
            let allowed = format!("{}, as the first row has", self.fields);
            return refused(format!("there are {count} fields"), &allowed);
        }
        let Ok(id) = fields[0].parse() else {
            let allowed = "a whole number from 0 to 4294967295";
            return refused(format!("the id is `{}`", short(fields[0])), allowed);
        };
        let frame = fields[1].parse::<u64>().ok();
        let Some(tick) = frame.and_then(|frame| frame.checked_mul(self.every)) else {
            return refused(
                format!("the frame is `{}`", short(fields[1])),
                "a whole number from 0",
            );
        };
        let mut position = [0.0; 3];
        for axis in 0..(count - 2).min(3) {
            let text = fields[axis + 2];
            let Some(x) = text.parse::<f64>().ok().filter(|x| finite(*x)) else {
                let name = ["x", "y", "z"][axis];
                return refused(format!("{name} is `{}`", short(text)), FINITE);
            };
            if axis < self.header.dimension {
                let x = if self.header.single { super::csv::single(text, x) } else { x };
                position[axis] = x / self.unit;
            }
        }
        Ok(Row { tick, time: tick as f64 * self.dt, id, position, ..Row::default() })
    }
}

impl ReadRows for TextReader {
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
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        while let Some(line) = self.lines.next(|_| false)? {
            if line == END {
                self.ended = true;
            }
            let text = line.trim_start();
            if !text.is_empty() && !text.starts_with('#') {
                let line = line.to_string();
                if self.ended && self.marked {
                    let allowed = format!("no row behind `{END}`, or --unmarked");
                    let problem = "a row follows the last line of the file";
                    return Err(ReadError::content(self.lines.place(), problem, allowed));
                }
                return self.row(&line).map(Some);
            }
        }
        if self.ended || !self.marked {
            return Ok(None);
        }
        Err(ReadError::content(
            format!("after {}", self.lines.place()),
            "the last line is missing: the file was cut",
            format!("`{END}` as the last line of a text of `wayfare`"),
        ))
    }
}

/// The units of length that are read, and how many of them a metre has.
const UNITS: [(&str, f64); 3] = [("m", 1.0), ("cm", 100.0), ("mm", 1000.0)];

/// The fields of a row.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().take_while(|field| !field.starts_with('#'))
}

/// The number of lengths in a metre that a comment with the columns' names tells, such as
/// `id frame x/cm y/cm z/cm` or with `x[cm]`; none of another comment.
///
/// # Errors
/// The problem: the unit is another one, the columns differ in it, or are in another order.
fn unit_of_columns(comment: &str) -> Result<Option<f64>, String> {
    let word = |axis: &str| {
        let mut words = comment.split_whitespace().enumerate();
        words.find_map(|(at, word)| {
            let unit = word.trim_matches('"').strip_prefix(axis)?;
            let unit = unit.strip_prefix(['/', '[', '('])?;
            Some((at, unit.trim_end_matches([']', ')'])))
        })
    };
    // Other comments may name x and y, too.
    let names_columns = comment.split_whitespace().any(|word| word.trim_matches('"') == "frame");
    let Some((at_x, x)) = word("x") else { return Ok(None) };
    let (at_y, y) = match word("y") {
        None if names_columns => return Err("there is no column y".to_string()),
        None => return Ok(None),
        Some(y) => y,
    };
    if names_columns && at_y != at_x + 1 {
        return Err("the column y is not behind x".to_string());
    }
    if x != y {
        return Err(format!("x is in `{}`, and y in `{}`", short(x), short(y)));
    }
    if let Some((_, z)) = word("z").filter(|(_, z)| *z != x) {
        return Err(format!("x is in `{}`, and z in `{}`", short(x), short(z)));
    }
    let unit = UNITS.iter().find(|(name, _)| *name == x);
    unit.map(|(_, per_metre)| Some(*per_metre))
        .ok_or_else(|| format!("the unit of x is `{}`", short(x)))
}

/// The number of axes, the length of a tick and the ticks of a frame that a comment of ours tells.
fn ours(comment: &str) -> Option<(usize, f64, u64)> {
    let (rest, every) = comment.rsplit_once(", every ")?;
    let (rest, dt) = rest.rsplit_once(", dt ")?;
    let (rest, dimension) = rest.rsplit_once(", dimension ")?;
    rest.rsplit_once("wayfare ")?;
    let dimension = dimension.parse::<usize>().ok().filter(|axes| [2, 3].contains(axes))?;
    let dt = dt.parse::<f64>().ok().filter(|dt| *dt > 0.0 && finite(*dt))?;
    Some((dimension, dt, every.trim().parse::<u64>().ok().filter(|every| *every > 0)?))
}
