//! Tables of any columns, in CSV, JSON or Parquet: the results of many runs.
//!
//! ```
//! use wayfare_record::table::{Cell, Column, Format, Table};
//! let table = Table {
//!     columns: vec![
//!         Column { name: "seed".to_string(), cells: vec![Cell::Integer(0), Cell::Integer(1)] },
//!         Column { name: "flow".to_string(), cells: vec![Cell::Number(1.5), Cell::Empty] },
//!     ],
//! };
//! let text = String::from_utf8(table.write(Format::Csv, Vec::new(), &[])?)?;
//! assert_eq!(text, "seed,flow\n0,1.5\n1,\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io::{self, Write};
use std::path::Path;

use crate::number::push_number;
use crate::rows::write::csv;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod parquet;

/// A format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line of text per row.
    Csv,
    /// A list of objects.
    Json,
    /// A table of Apache Parquet; not on web pages.
    #[cfg(not(target_arch = "wasm32"))]
    Parquet,
}

impl Format {
    /// All formats, in the order in which they are shown.
    pub const ALL: &'static [Format] = &[
        Format::Csv,
        Format::Json,
        #[cfg(not(target_arch = "wasm32"))]
        Format::Parquet,
    ];

    /// The ending of a file's name, without its dot.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Json => "json",
            #[cfg(not(target_arch = "wasm32"))]
            Format::Parquet => "parquet",
        }
    }

    /// The format that the ending of `path` selects, in any case.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        let is_of = |format: &&Format| format.extension().eq_ignore_ascii_case(extension);
        Self::ALL.iter().find(is_of).copied()
    }

    /// The endings of all formats, for messages: ".csv, .json or .parquet".
    pub fn extensions() -> String {
        let names: Vec<String> =
            Self::ALL.iter().map(|format| format!(".{}", format.extension())).collect();
        let (last, others) = names.split_last().map_or(("", &[][..]), |(last, rest)| (last, rest));
        format!("{} or {last}", others.join(", "))
    }
}

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cell {
    /// No value.
    Empty,
    /// A whole number.
    Integer(i128),
    /// A number; an infinite one and NaN are written as no value.
    Number(f64),
    /// `true` or `false`.
    Flag(bool),
    /// A text.
    Text(String),
}

impl Cell {
    fn is_empty(&self) -> bool {
        matches!(self, Cell::Empty) || matches!(self, Cell::Number(x) if !x.is_finite())
    }

    /// The value as text; empty for no value.
    fn text(&self) -> String {
        match self {
            Cell::Integer(x) => x.to_string(),
            Cell::Number(x) if x.is_finite() => {
                let mut bytes = Vec::new();
                push_number(&mut bytes, *x);
                String::from_utf8_lossy(&bytes).into_owned()
            }
            Cell::Flag(x) => x.to_string(),
            Cell::Text(text) => text.clone(),
            Cell::Empty | Cell::Number(_) => String::new(),
        }
    }

    fn json(&self) -> serde_json::Value {
        match self {
            Cell::Integer(x) => match (u64::try_from(*x), i64::try_from(*x)) {
                (Ok(x), _) => x.into(),
                (_, Ok(x)) => x.into(),
                _ => (*x as f64).into(),
            },
            // Not a number becomes null.
            Cell::Number(x) => (*x).into(),
            Cell::Flag(x) => (*x).into(),
            Cell::Text(text) => text.as_str().into(),
            Cell::Empty => serde_json::Value::Null,
        }
    }
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name, unique in the table.
    pub name: String,
    /// Its values, one per row.
    pub cells: Vec<Cell>,
}

/// A table; all columns have the same number of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns in their order.
    pub columns: Vec<Column>,
}

impl Table {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }

    /// Writes the table, flushes, and returns the destination. `facts` are names and texts about
    /// the table, which only Parquet has, as its metadata.
    ///
    /// A column of Parquet has the type of its cells: 64-bit integers, doubles, booleans, or else
    /// text.
    ///
    /// # Errors
    /// The destination failed.
    pub fn write<W: Write + Send>(
        &self,
        format: Format,
        mut out: W,
        facts: &[(&str, String)],
    ) -> io::Result<W> {
        match format {
            Format::Csv => out.write_all(&self.csv())?,
            Format::Json => out.write_all(&self.json())?,
            #[cfg(not(target_arch = "wasm32"))]
            Format::Parquet => return parquet::write(self, out, facts),
        }
        #[cfg(target_arch = "wasm32")]
        let _ = facts;
        out.flush()?;
        Ok(out)
    }

    fn csv(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut line = |fields: &mut dyn Iterator<Item = String>| {
            for (i, text) in fields.enumerate() {
                if i > 0 {
                    bytes.push(b',');
                }
                bytes.extend(csv::field(&text));
            }
            bytes.push(b'\n');
        };
        line(&mut self.columns.iter().map(|column| column.name.clone()));
        for row in 0..self.rows() {
            line(&mut self.columns.iter().map(|column| column.cells[row].text()));
        }
        bytes
    }

    fn json(&self) -> Vec<u8> {
        let row = |row: usize| {
            let cell = |column: &Column| (column.name.clone(), column.cells[row].json());
            serde_json::Value::Object(self.columns.iter().map(cell).collect()).to_string()
        };
        let rows: Vec<String> = (0..self.rows()).map(row).collect();
        format!("[\n{}\n]\n", rows.join(",\n")).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let column = |name: &str, cells| Column { name: name.to_string(), cells };
        let text = |text: &str| Cell::Text(text.to_string());
        Table {
            columns: vec![
                column("a,b", vec![Cell::Integer(-1), Cell::Integer(7)]),
                column("seed", vec![Cell::Integer(u64::MAX.into()), Cell::Integer(2)]),
                column("flow", vec![Cell::Number(0.1), Cell::Number(f64::NAN)]),
                column("mixed", vec![Cell::Integer(3), text("auto")]),
                column("solid", vec![Cell::Flag(true), Cell::Empty]),
            ],
        }
    }

    fn written(format: Format) -> Vec<u8> {
        table().write(format, Vec::new(), &[("scene", "a scene".to_string())]).unwrap()
    }

    #[test]
    fn cells_without_a_value_are_empty_and_names_are_quoted() {
        let text = String::from_utf8(written(Format::Csv)).unwrap();
        assert_eq!(
            text,
            "\"a,b\",seed,flow,mixed,solid\n-1,18446744073709551615,0.1,3,true\n7,2,,auto,\n"
        );
        let rows: serde_json::Value = serde_json::from_slice(&written(Format::Json)).unwrap();
        assert_eq!(rows[0]["seed"], serde_json::json!(u64::MAX));
        assert_eq!(rows[1]["flow"], serde_json::Value::Null);
    }

    #[test]
    fn columns_of_parquet_have_the_type_of_their_cells() {
        use ::parquet::file::reader::{FileReader, SerializedFileReader};
        let bytes = bytes::Bytes::from(written(Format::Parquet));
        let reader = SerializedFileReader::new(bytes).unwrap();
        let file = reader.metadata().file_metadata();
        let types: Vec<String> = { file.schema_descr().columns().iter() }
            .map(|column| format!("{} {}", column.name(), column.physical_type()))
            .collect();
        assert_eq!(
            types,
            ["a,b INT64", "seed INT64", "flow DOUBLE", "mixed BYTE_ARRAY", "solid BOOLEAN"]
        );
        let facts = file.key_value_metadata().unwrap();
        assert!(facts.iter().any(|fact| fact.key == "scene"));
        let rows: Vec<String> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        assert_eq!(
            rows,
            [
                "{a,b: -1, seed: 18446744073709551615, flow: 0.1, mixed: \"3\", solid: true}",
                "{a,b: 7, seed: 2, flow: null, mixed: \"auto\", solid: null}"
            ]
        );
    }
}
