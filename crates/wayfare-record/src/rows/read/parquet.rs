//! Reads tables of Parquet: those of `wayfare run`, or any with the columns `tick`, `time`, `id`,
//! `x` and `y`.

use std::cell::Cell;
use std::fs::File;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::record::reader::RowIter;

use super::csv::{check_columns, short};
use super::{FINITE, ReadError, ReadOptions, ReadRows, finite};
use crate::rows::{Columns, Header, Names, Row};

/// The columns of numbers, in the order of [`Row`].
const NUMBERS: [&str; 10] = ["x", "y", "z", "vx", "vy", "vz", "radius", "fx", "fy", "fz"];

/// Reads a table.
pub(super) struct ParquetReader {
    rows: RowIter<'static>,
    header: Header,
    origin: Vec<(String, String)>,
    names: Names,
    /// The number of the latest row, from 1.
    number: u64,
    /// The number of rows that the file says it has.
    count: u64,
}

fn refused(problem: impl std::fmt::Display) -> ReadError {
    let problem = format!("the table cannot be read: {problem}");
    ReadError::content("", problem, "a whole table of Parquet, uncompressed, by snappy or by zstd")
}

/// The problem that the library has with a table. Its own words are about its types, and name no
/// place.
fn told(error: &ParquetError) -> &'static str {
    let text = error.to_string();
    let is_about = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if is_about(&["footer", "too small"]) && !is_about(&["encrypted"]) {
        "it does not end as a table of Parquet does"
    } else if is_about(&["encrypted"]) {
        "it is encrypted"
    } else if is_about(&["NYI", "not supported"]) {
        "it has an encoding that is not read here"
    } else if is_about(&["as String"]) {
        "a text is not in UTF-8"
    } else {
        "it is damaged"
    }
}

thread_local! {
    /// Whether this thread is in [`guarded`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// What `read` gives. The library panics at some damaged files: that is an error here, and no panic
/// is reported.
fn guarded<T>(read: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                report(panic);
            }
        }));
    });
    GUARDED.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(false);
    done.unwrap_or_else(|_| Err(refused("its parts contradict one another")))
}

impl ParquetReader {
    pub(super) fn open(path: &Path, options: ReadOptions) -> Result<Self, ReadError> {
        guarded(|| Self::begin(path, options))
    }

    fn begin(path: &Path, options: ReadOptions) -> Result<Self, ReadError> {
        let reader = SerializedFileReader::new(File::open(path)?).map_err(|e| refused(told(&e)))?;
        if options.fps.is_some() {
            let problem = "the file has a column `time`";
            return Err(ReadError::content("--fps", problem, "no --fps for this file"));
        }
        let metadata = reader.metadata().file_metadata();
        let pairs = metadata.key_value_metadata().cloned().unwrap_or_default();
        let own = pairs
            .iter()
            .filter_map(|pair| Some((pair.key.strip_prefix("wayfare.")?, pair.value.as_ref()?)));
        let own: Vec<(String, String)> =
            own.map(|(key, value)| (key.to_string(), value.clone())).collect();
        let told = |key: &str| own.iter().find(|(known, _)| known == key).map(|(_, v)| v.as_str());
        let schema = metadata.schema_descr();
        let columns: Vec<_> = schema.columns().iter().collect();
        let has = |name: &str| columns.iter().any(|column| column.name() == name);
        let required = ["tick", "time", "id", "x", "y"];
        if let Some(missing) = required.iter().find(|name| !has(name)) {
            let problem = format!("there is no column `{missing}`");
            return Err(ReadError::content("", problem, "the columns tick, time, id, x and y"));
        }
        check_columns("", columns.iter().map(|column| column.name()))?;
        for column in reader.metadata().row_groups().iter().flat_map(|group| group.columns()) {
            use Compression::{SNAPPY, UNCOMPRESSED, ZSTD};
            let codec = column.compression();
            if !matches!(codec, UNCOMPRESSED | SNAPPY | ZSTD(_)) {
                let codec = codec.to_string().to_lowercase();
                let name = codec.split('(').next().unwrap_or_default();
                let problem = format!("the table is compressed by {name}");
                let allowed = "no compression, snappy or zstd: write it again with one of them";
                return Err(ReadError::content("", problem, allowed));
            }
        }
        let dimension = if has("z") { 3 } else { 2 };
        let all = |names: &[&str]| names[..dimension].iter().all(|name| has(name));
        let single = columns
            .iter()
            .filter(|column| NUMBERS.contains(&column.name()))
            .all(|column| column.physical_type() == parquet::basic::Type::FLOAT);
        let header = Header {
            dimension,
            columns: Columns {
                group: has("group"),
                velocity: all(&["vx", "vy", "vz"]),
                radius: has("radius"),
                facing: all(&["fx", "fy", "fz"]),
                state: has("state"),
            },
            dt: told("dt").and_then(|dt| dt.parse().ok()).filter(|dt| *dt > 0.0 && finite(*dt)),
            every: told("every").and_then(|n| n.parse().ok()).filter(|n| *n > 0),
            single,
            about: super::about(&own),
            areas: Vec::new(),
        };
        let count = u64::try_from(metadata.num_rows()).unwrap_or(0);
        let rows = RowIter::from_file_into(Box::new(reader));
        let (origin, names) = (super::origin(&own), Names::default());
        Ok(Self { rows, header, origin, names, number: 0, count })
    }

    fn value_refused(&self, name: &str, field: &Field, allowed: &str) -> ReadError {
        let value = match field {
            Field::Null => "missing".to_string(),
            Field::Str(text) => format!("the text `{}`", short(text)),
            Field::Float(x) => x.to_string(),
            Field::Double(x) => x.to_string(),
            Field::Bytes(bytes) => format!("{} bytes", bytes.len()),
            Field::Bool(_)
            | Field::Byte(_)
            | Field::Short(_)
            | Field::Int(_)
            | Field::Long(_)
            | Field::UByte(_)
            | Field::UShort(_)
            | Field::UInt(_)
            | Field::ULong(_) => field.to_string(),
            _ => "of another type".to_string(),
        };
        ReadError::content(self.place(), format!("`{name}` is {value}"), allowed)
    }

    fn whole(&self, name: &str, field: &Field) -> Result<u64, ReadError> {
        let whole = match *field {
            Field::Byte(n) => u64::try_from(n).ok(),
            Field::Short(n) => u64::try_from(n).ok(),
            Field::Int(n) => u64::try_from(n).ok(),
            Field::Long(n) => u64::try_from(n).ok(),
            Field::UByte(n) => Some(n.into()),
            Field::UShort(n) => Some(n.into()),
            Field::UInt(n) => Some(n.into()),
            Field::ULong(n) => Some(n),
            _ => None,
        };
        whole.ok_or_else(|| {
            self.value_refused(name, field, "a column of integers, with whole numbers from 0")
        })
    }

    fn decimal(&self, name: &str, field: &Field) -> Result<f64, ReadError> {
        let x = match *field {
            Field::Float(x) => f64::from(x),
            Field::Double(x) => x,
            Field::Int(n) => f64::from(n),
            Field::Long(n) => n as f64,
            _ => {
                let allowed = "a number of FLOAT, DOUBLE, INT32 or INT64";
                return Err(self.value_refused(name, field, allowed));
            }
        };
        if finite(x) { Ok(x) } else { Err(self.value_refused(name, field, FINITE)) }
    }
}

impl ReadRows for ParquetReader {
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
        format!("row {}", self.number)
    }

    fn next_row(&mut self) -> Result<Option<Row>, ReadError> {
        let Some(fields) = guarded(|| Ok(self.rows.next()))? else {
            if self.number == self.count {
                return Ok(None);
            }
            return Err(refused(format!("it has {} of {} rows", self.number, self.count)));
        };
        self.number += 1;
        let fields = fields.map_err(|e| refused(format!("row {}: {}", self.number, told(&e))))?;
        let mut row = Row::default();
        for (name, field) in fields.get_column_iter() {
            match name.as_str() {
                "tick" => row.tick = self.whole(name, field)?,
                "time" => row.time = self.decimal(name, field)?,
                "id" => {
                    let id = self.whole(name, field)?;
                    let allowed = "a whole number from 0 to 4294967295";
                    row.id = id.try_into().map_err(|_| self.value_refused(name, field, allowed))?;
                }
                "group" => match field {
                    Field::Str(text) => row.group = self.names.group_index(text),
                    Field::Null => row.group = self.names.group_index(""),
                    _ => return Err(self.value_refused(name, field, "a text")),
                },
                "state" => match field {
                    Field::Str(text) => row.state = Some(self.names.state_index(text)),
                    Field::Null => {}
                    _ => return Err(self.value_refused(name, field, "a text or null")),
                },
                name => {
                    let Some(at) = NUMBERS.iter().position(|known| *known == name) else {
                        continue;
                    };
                    let x = self.decimal(name, field)?;
                    match at {
                        0..=2 => row.position[at] = x,
                        3..=5 => row.velocity[at - 3] = x,
                        6 => row.radius = x,
                        _ => row.facing[at - 7] = x,
                    }
                }
            }
        }
        Ok(Some(row))
    }
}
