//! The table of `wayfare run --measures`: a row per value, in CSV, JSON or Parquet.
//!
//! The columns are [`COLUMNS`]. `group` and `agent` are empty (null) where a value belongs to
//! none, and a value that is not a number is empty as well.
//!
//! ```
//! use wayfare::prelude::*;
//! use wayfare_measure::{Measure, Measures, kind::Flow};
//! use wayfare_record::measure_table::{Format, MeasureTable};
//! use wayfare_scene::Units;
//! let walkers =
//!     Group::new("walkers", 1, Spawn::point(vec2(0.0, 0.5)), 1.0).velocity(vec2(1.0, 0.0));
//! let setup = Setup::new(1.0).group(walkers);
//! let door = Measure::new("door", Flow::new(vec![vec2(0.5, 0.0), vec2(0.5, 1.0)]));
//! let mut measures = Measures::new(&[door], &setup)?;
//! let mut crowd = setup.crowd()?;
//! let mut table = MeasureTable::begin(Format::Csv, Vec::new(), &Units::default())?;
//! measures.record(&crowd);
//! crowd.step();
//! measures.record(&crowd);
//! measures.finish(&crowd);
//! table.write(&mut measures, &crowd)?;
//! let text = String::from_utf8(table.finish()?)?;
//! assert!(text.contains("\ndoor,1,1,crossing_speed,1,length / time,walkers,0\n"), "{text}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::{self, Write};

use wayfare::{Crowd, Vector};
use wayfare_measure::{Measures, Row};
use wayfare_scene::Units;

use crate::number::push_number;
use crate::rows::write::csv;

pub use crate::table::Format;

#[cfg(not(target_arch = "wasm32"))]
mod parquet;
#[cfg(test)]
mod tests;

/// The columns in their order.
pub const COLUMNS: [&str; 8] =
    ["measure", "tick", "time", "quantity", "value", "unit", "group", "agent"];

/// The size of the buffer of a text (bytes).
const CHUNK: usize = 1 << 16;

/// A table of measures while it is written.
pub struct MeasureTable<W: Write + Send> {
    body: Body<W>,
    units: Units,
}

enum Body<W: Write + Send> {
    Text {
        out: W,
        bytes: Vec<u8>,
        is_json: bool,
        rows: u64,
    },
    #[cfg(not(target_arch = "wasm32"))]
    Parquet(Box<parquet::Table<W>>),
}

impl<W: Write + Send> MeasureTable<W> {
    /// Begins a table, whose units have the names of `units`.
    ///
    /// # Errors
    /// The destination failed.
    pub fn begin(format: Format, out: W, units: &Units) -> io::Result<Self> {
        let text = |out, bytes: Vec<u8>, is_json| Body::Text { out, bytes, is_json, rows: 0 };
        let body = match format {
            Format::Csv => text(out, format!("{}\n", COLUMNS.join(",")).into_bytes(), false),
            Format::Json => text(out, b"[".to_vec(), true),
            #[cfg(not(target_arch = "wasm32"))]
            Format::Parquet => Body::Parquet(Box::new(parquet::Table::begin(out)?)),
        };
        Ok(Self { body, units: units.clone() })
    }

    /// Writes the rows that the measures have so far.
    ///
    /// # Errors
    /// The destination failed.
    pub fn write<V: Vector>(
        &mut self,
        measures: &mut Measures<V>,
        crowd: &Crowd<V>,
    ) -> io::Result<()> {
        let taken = measures.take_rows();
        if taken.is_empty() {
            return Ok(());
        }
        let groups: Vec<&str> = crowd.group_names().collect();
        for row in &taken {
            let named = Named {
                row,
                unit: &self.units.in_names(row.quantity.unit),
                measure: &measures.names()[row.measure],
                group: row.group.and_then(|group| groups.get(group)).copied(),
            };
            match &mut self.body {
                Body::Text { out, bytes, is_json, rows } => {
                    if *is_json {
                        bytes.extend(if *rows == 0 { &b"\n"[..] } else { b",\n" });
                        push_object(bytes, &named);
                    } else {
                        push_line(bytes, &named);
                    }
                    *rows += 1;
                    if bytes.len() >= CHUNK {
                        out.write_all(bytes)?;
                        bytes.clear();
                    }
                }
                #[cfg(not(target_arch = "wasm32"))]
                Body::Parquet(table) => table.push(&named)?,
            }
        }
        Ok(())
    }

    /// Writes the rest, flushes, and returns the destination.
    ///
    /// # Errors
    /// The destination failed.
    pub fn finish(self) -> io::Result<W> {
        match self.body {
            Body::Text { mut out, mut bytes, is_json, .. } => {
                if is_json {
                    bytes.extend(b"\n]\n");
                }
                out.write_all(&bytes)?;
                out.flush()?;
                Ok(out)
            }
            #[cfg(not(target_arch = "wasm32"))]
            Body::Parquet(table) => table.finish(),
        }
    }
}

/// A row with the names that it refers to.
struct Named<'a> {
    row: &'a Row,
    unit: &'a str,
    measure: &'a str,
    group: Option<&'a str>,
}

impl Named<'_> {
    /// The value, if it is a number.
    fn value(&self) -> Option<f64> {
        Some(self.row.value).filter(|value| value.is_finite())
    }
}

fn push_line(bytes: &mut Vec<u8>, named: &Named<'_>) {
    let row = named.row;
    bytes.extend(csv::field(named.measure));
    bytes.extend(format!(",{},", row.tick).bytes());
    push_number(bytes, row.time);
    bytes.push(b',');
    bytes.extend(csv::field(row.quantity.name));
    bytes.push(b',');
    if let Some(value) = named.value() {
        push_number(bytes, value);
    }
    bytes.push(b',');
    bytes.extend(csv::field(named.unit));
    bytes.push(b',');
    bytes.extend(csv::field(named.group.unwrap_or_default()));
    bytes.push(b',');
    if let Some(agent) = row.agent {
        bytes.extend(agent.to_string().bytes());
    }
    bytes.push(b'\n');
}

fn push_object(bytes: &mut Vec<u8>, named: &Named<'_>) {
    let row = named.row;
    let [measure, tick, time, quantity, value, unit, group, agent] = COLUMNS;
    let object = serde_json::json!({
        measure: named.measure,
        tick: row.tick,
        time: row.time,
        quantity: row.quantity.name,
        value: named.value(),
        unit: named.unit,
        group: named.group,
        agent: row.agent,
    });
    bytes.extend(object.to_string().bytes());
}
