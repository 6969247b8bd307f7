//! Rows as CSV (RFC 4180, with line feeds as line ends).
//!
//! The columns are `tick,time,id,group,x,y,vx,vy,radius`, in space
//! `tick,time,id,group,x,y,z,vx,vy,vz,radius`, then `fx,fy` (`fx,fy,fz`) for facings and `state`;
//! those that the header does not have are left out, except for `group`. Positions and radii are
//! lengths, velocities length / time, both in the crowd's own units; time is tick * dt, computed in
//! `f64`. Numbers are in the shortest form that parses to the same value: time as `f64`, all others
//! of a crowd as `f32`.
//!
//! **The end mark.** CSV has no comments and no end. In the last line, and only there, the group is
//! quoted although it need not be: readers of CSV take it as the same name, and
//! [`read`](crate::rows::read) refuses a file that was cut, at a line end too. Where the name of
//! the group has to be quoted, the id is quoted in its place.

use std::io::{self, Write};
use std::ops::Range;

use super::{CHUNK, WriteRows};
use crate::number::push_decimal;
use crate::rows::{Columns, Header, Names, Row};

#[cfg(test)]
mod tests;

const AXES: [usize; 3] = [0, 1, 2];

/// Writes CSV.
#[derive(Debug)]
pub(crate) struct CsvRows<W> {
    out: W,
    dimension: usize,
    columns: Columns,
    /// The names of groups and states, quoted where necessary.
    groups: Vec<Vec<u8>>,
    states: Vec<Vec<u8>>,
    /// Lines that are not written yet; the last line always is one of them.
    bytes: Vec<u8>,
    /// The field of the last line that is quoted at the end: its group, or its id if the group is
    /// quoted already.
    mark_at: Range<usize>,
    /// The first fields of all lines of a tick, and the tick.
    prefix: Vec<u8>,
    tick: Option<u64>,
}

impl<W: Write> CsvRows<W> {
    /// Begins a CSV; its first line is written with the first rows. `out` needs no buffer.
    pub(crate) fn new(out: W, header: &Header) -> Self {
        let (dimension, columns) = (header.dimension, header.columns);
        let mut bytes = Vec::with_capacity(CHUNK + 512);
        bytes.extend(b"tick,time,id,");
        let mark_at = bytes.len()..bytes.len() + 5;
        bytes.extend(b"group");
        let mut add = |names: [&str; 3]| {
            names[..dimension].iter().for_each(|name| bytes.extend([",", name].concat().bytes()));
        };
        add(["x", "y", "z"]);
        if columns.velocity {
            add(["vx", "vy", "vz"]);
        }
        if columns.radius {
            bytes.extend(b",radius");
        }
        if columns.facing {
            let names = ["fx", "fy", "fz"];
            names[..dimension].iter().for_each(|name| bytes.extend([",", name].concat().bytes()));
        }
        bytes.extend(if columns.state { &b",state\n"[..] } else { b"\n" });
        Self {
            out,
            dimension,
            columns,
            groups: Vec::new(),
            states: Vec::new(),
            bytes,
            mark_at,
            prefix: Vec::new(),
            tick: None,
        }
    }

    /// Writes all lines so far, the last one included.
    ///
    /// # Errors
    /// The error of the destination.
    fn write_buffer(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    fn begin_tick(&mut self, row: &Row) {
        self.tick = Some(row.tick);
        self.prefix.clear();
        // Writing to a vector cannot fail.
        let _ = write!(self.prefix, "{},", row.tick);
        crate::number::push_number(&mut self.prefix, row.time);
    }
}

impl<W: Write> WriteRows<W> for CsvRows<W> {
    fn row(&mut self, row: &Row, names: &Names) -> io::Result<()> {
        if self.bytes.len() >= CHUNK {
            self.write_buffer()?;
        }
        if self.tick != Some(row.tick) {
            self.begin_tick(row);
        }
        quote_new(&mut self.groups, &names.groups);
        quote_new(&mut self.states, &names.states);
        let bytes = &mut self.bytes;
        bytes.extend(&self.prefix);
        bytes.push(b',');
        let id_at = bytes.len();
        write!(bytes, "{}", row.id)?;
        let id_at = id_at..bytes.len();
        bytes.push(b',');
        let group = self.groups.get(row.group as usize).map_or(&b""[..], Vec::as_slice);
        let is_quoted = group.starts_with(b"\"");
        self.mark_at = if is_quoted { id_at } else { bytes.len()..bytes.len() + group.len() };
        bytes.extend(group);
        let axes = &AXES[..self.dimension];
        let mut add = |x: f64| {
            bytes.push(b',');
            push_decimal(bytes, x);
        };
        axes.iter().for_each(|&axis| add(row.position[axis]));
        if self.columns.velocity {
            axes.iter().for_each(|&axis| add(row.velocity[axis]));
        }
        if self.columns.radius {
            add(row.radius);
        }
        if self.columns.facing {
            axes.iter().for_each(|&axis| add(row.facing[axis]));
        }
        if self.columns.state {
            bytes.push(b',');
            let state = row.state.and_then(|state| self.states.get(state as usize));
            bytes.extend(state.map_or(&b""[..], Vec::as_slice));
        }
        bytes.push(b'\n');
        Ok(())
    }

    fn finish(mut self: Box<Self>, _: &Names, _: Option<String>) -> io::Result<W> {
        let Range { start, end } = self.mark_at;
        self.bytes.insert(end, b'"');
        self.bytes.insert(start, b'"');
        self.write_buffer()?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Adds the names that are not among the quoted ones yet.
fn quote_new(quoted: &mut Vec<Vec<u8>>, names: &[String]) {
    let known = quoted.len();
    quoted.extend(names.iter().skip(known).map(|name| field(name)));
}

/// Whether a name is quoted in every line.
pub(crate) fn has_to_be_quoted(name: &str) -> bool {
    name.contains([',', '"', '\n', '\r'])
}

/// A name as a field: one with a comma, a quote or a line end is quoted, and its quotes are
/// doubled.
pub(crate) fn field(name: &str) -> Vec<u8> {
    if !has_to_be_quoted(name) {
        return name.as_bytes().to_vec();
    }
    format!("\"{}\"", name.replace('"', "\"\"")).into_bytes()
}
