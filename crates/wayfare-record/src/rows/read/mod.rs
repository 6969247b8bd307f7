//! Reading trajectories: one file per format.
//!
//! [`open`] chooses the format by the extension, and checks at once what can be checked without
//! reading all rows. A malformed or truncated file gives a [`ReadError`] that names the place, the
//! value and what is allowed.

use std::fmt;
use std::io;
use std::path::Path;

use super::{Header, Names, Row};

mod checked;
mod csv;
mod lines;
#[cfg(not(target_arch = "wasm32"))]
mod parquet;
#[cfg(not(target_arch = "wasm32"))]
mod sqlite;
mod survey;
mod txt;

use checked::Checked;
pub use survey::{Survey, survey};

/// A trajectory that cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be read.
    Io(io::Error),
    /// The content is not a trajectory, or not all of one.
    Content {
        /// The place in the file, such as `line 7`; empty for the whole file.
        place: String,
        /// The problem at that place.
        problem: String,
        /// The allowed values.
        allowed: String,
    },
}

impl ReadError {
    fn content(
        place: impl Into<String>,
        problem: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        let (place, problem, allowed) = (place.into(), problem.into(), allowed.into());
        Self::Content { place, problem, allowed }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Content { place, problem, allowed } => {
                let colon = if place.is_empty() { "" } else { ": " };
                write!(f, "{place}{colon}{problem}; allowed: {allowed}")
            }
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The options of a reader.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReadOptions {
    /// Frames per unit of time, for a file that does not tell them.
    pub fps: Option<f64>,
    /// Whether a CSV or a text of ours may lack the mark of its end, as one that another program
    /// has written.
    pub unmarked: bool,
}

/// Reads rows, in the order of the file.
pub trait ReadRows {
    /// The metadata of the file, which hold for all rows.
    fn header(&self) -> &Header;

    /// The names of groups and states in the rows that were read so far.
    fn names(&self) -> &Names;

    /// The metadata of the run's end and of the program that wrote the file: `version` and
    /// `digest`, as far as the file has them. They do not belong to the rows, so that no conversion
    /// keeps them.
    fn origin(&self) -> &[(String, String)] {
        &[]
    }

    /// The place of the latest row in the file, such as `line 7`.
    fn place(&self) -> String;

    /// The next row; none at the end.
    ///
    /// # Errors
    /// The row is malformed, or the file ends before its end.
    fn next_row(&mut self) -> Result<Option<Row>, ReadError>;
}

/// The extensions of the formats that can be read, in lower case.
pub const EXTENSIONS: &[&str] = &[
    "csv",
    #[cfg(not(target_arch = "wasm32"))]
    "parquet",
    #[cfg(not(target_arch = "wasm32"))]
    "sqlite",
    "txt",
];

/// The extensions as the end of a sentence: `.csv, … or .txt`.
pub fn extensions() -> String {
    let all: Vec<String> = EXTENSIONS.iter().map(|extension| format!(".{extension}")).collect();
    let (last, others) = all.split_last().map_or(("", &all[..]), |(last, rest)| (last, rest));
    format!("{} or {last}", others.join(", "))
}

/// The one of [`EXTENSIONS`] that the path has, in any case.
pub fn extension_of(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?;
    EXTENSIONS.iter().find(|known| known.eq_ignore_ascii_case(extension)).copied()
}

/// Opens the trajectory at `path`.
///
/// # Errors
/// The file cannot be read, its extension is none of [`EXTENSIONS`], or its beginning or end is
/// malformed.
pub fn open(path: &Path, options: ReadOptions) -> Result<Box<dyn ReadRows>, ReadError> {
    match extension_of(path) {
        Some("csv") => Ok(Box::new(Checked::new(csv::CsvReader::open(path, options)?))),
        Some("txt") => Ok(Box::new(Checked::new(txt::TextReader::open(path, options)?))),
        #[cfg(not(target_arch = "wasm32"))]
        Some("parquet") => Ok(Box::new(Checked::new(parquet::ParquetReader::open(path, options)?))),
        #[cfg(not(target_arch = "wasm32"))]
        Some("sqlite") => Ok(Box::new(Checked::new(sqlite::SqliteReader::open(path, options)?))),
        _ => Err(ReadError::content(
            "",
            "its extension names no format of trajectories",
            format!("a file that ends in {}", extensions()),
        )),
    }
}

/// A number of a file: finite and at most 1e18 from zero.
fn finite(x: f64) -> bool {
    x.abs() <= 1e18
}

/// The numbers that [`finite`] allows.
const FINITE: &str = "a number from -1e18 to 1e18";

/// The rate that a file tells, or the one that was given for it.
///
/// # Errors
/// Both are there, or the rate is not above 0.
fn rate(told: Option<f64>, options: ReadOptions) -> Result<Option<f64>, ReadError> {
    if let (Some(told), Some(_)) = (told, options.fps) {
        let problem = format!("the file has {told} frames per second");
        return Err(ReadError::content("--fps", problem, "no --fps for this file"));
    }
    let rate = told.or(options.fps);
    match rate {
        Some(rate) if !(rate > 0.0 && finite(rate)) => Err(ReadError::content(
            "",
            format!("the frame rate is {rate}"),
            "frames per second above 0, up to 1e18",
        )),
        rate => Ok(rate),
    }
}

/// The error for a file without a rate.
fn no_rate() -> ReadError {
    let allowed = "--fps N, the number of frames per second";
    ReadError::content("", "the file does not tell its frame rate", allowed)
}

/// The metadata of a run: the keys that are not of the file itself.
#[cfg(not(target_arch = "wasm32"))]
fn about(own: &[(String, String)]) -> Vec<(String, String)> {
    let keys = ["scene", "title", "scene_text", "seed", "length_unit", "time_unit"];
    own.iter().filter(|(key, _)| keys.contains(&key.as_str())).cloned().collect()
}

/// The metadata of the run's end and of the program, of the keys that are of the file itself.
#[cfg(not(target_arch = "wasm32"))]
fn origin(own: &[(String, String)]) -> Vec<(String, String)> {
    own.iter().filter(|(key, _)| key == "version" || key == "digest").cloned().collect()
}
