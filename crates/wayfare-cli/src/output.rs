//! The outputs of `wayfare run -o`: their formats, their destinations, and the errors of writing
//! them.
//!
//! The formats themselves are listed in [`wayfare_record::output`].

use std::io::{self, Stdout, Write};
use std::path::{Path, PathBuf};

use wayfare::Vector;
use wayfare_record::output::{FORMATS, Format, RunData};
use wayfare_record::{RecordError, WholeFile, resolved_path};
use wayfare_scene::printable;

use crate::{Failure, display, error, standard_output_failed};

/// A requested output, not yet begun.
#[derive(Clone, Debug)]
pub(crate) struct OutputRequest {
    /// None for standard output.
    path: Option<PathBuf>,
    format: &'static Format,
}

impl OutputRequest {
    /// The request of `-o path`; none of `inputs` may be overwritten.
    pub(crate) fn new(path: &Path, inputs: &[&Path]) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self { path: None, format: &FORMATS[0] });
        }
        let name = display(path);
        let Some(format) = Format::from_path(path) else {
            return Err(error(format!(
                "`-o {name}`: its extension selects no output format\nallowed: a file that ends \
                 in {}, or - for CSV on standard output",
                Format::extensions()
            )));
        };
        for input in inputs {
            if resolved_path(input) == resolved_path(path) {
                return Err(error(format!(
                    "`-o {name}` is the input {}\nallowed: any other file",
                    display(input)
                )));
            }
        }
        Ok(Self { path: Some(path.to_path_buf()), format })
    }

    /// Whether a run of this dimension can be written.
    pub(crate) fn check_dimension<V: Vector>(&self) -> Result<(), Failure> {
        if V::DIMENSION == 2 || !self.format.planar {
            return Ok(());
        }
        let name = self.path.as_deref().map_or_else(String::new, display);
        let others = FORMATS.iter().filter(|format| !format.planar);
        let others: Vec<String> = others.map(|format| format!(".{}", format.extension)).collect();
        Err(error(format!(
            "`-o {name}`: {}\nallowed: a scene in the plane, or one of {}",
            self.format.refused_in_space(),
            others.join(", ")
        )))
    }

    pub(crate) fn is_standard_output(&self) -> bool {
        self.path.is_none()
    }

    /// The file, unless it is standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Whether it shows the values of the measures.
    pub(crate) fn has_summary(&self) -> bool {
        self.format.source == RunData::Summary
    }

    /// Whether it shows one tick.
    pub(crate) fn is_picture(&self) -> bool {
        self.format.source == RunData::Trails
    }

    /// Whether both requests name the same file.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (&self.path, &other.path) {
            (Some(a), Some(b)) => resolved_path(a) == resolved_path(b),
            (None, None) => true,
            _ => false,
        }
    }

    /// Opens the destination: a path that cannot be written is found before the run begins.
    pub(crate) fn open(&self) -> Result<(&'static Format, Destination), Failure> {
        let destination = match &self.path {
            Some(path) => Destination::File(WholeFile::create(path).map_err(file_failed)?),
            None if standard_output_is_closed() => {
                return Err(Failure::System("error: standard output is closed".to_string()));
            }
            None => Destination::StandardOutput(io::stdout()),
        };
        Ok((self.format, destination))
    }
}

/// The help text of `-o`.
pub(crate) fn help() -> String {
    let formats: String = FORMATS
        .iter()
        .map(|format| format!("\n  {:10} {}", format!(".{}", format.extension), format.content))
        .collect();
    format!(
        "A file to write, whose extension selects the format; can be given several times:{formats}\
         \n  -          trajectories as CSV, on standard output"
    )
}

/// The destination of an output.
pub(crate) enum Destination {
    File(WholeFile),
    StandardOutput(Stdout),
}

impl Destination {
    /// Moves a file to its path.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        match self {
            Self::File(file) => file.commit().map_err(file_failed),
            Self::StandardOutput(_) => Ok(()),
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::StandardOutput(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::StandardOutput(out) => out.flush(),
        }
    }
}

impl wayfare_record::Destination for Destination {
    fn file(&self) -> Option<&Path> {
        match self {
            Self::File(file) => wayfare_record::Destination::file(file),
            Self::StandardOutput(_) => None,
        }
    }

    fn named(&self, source: io::Error) -> io::Error {
        match self {
            Self::File(file) => wayfare_record::Destination::named(file, source),
            Self::StandardOutput(_) => source,
        }
    }
}

/// The failure for an error that names its file.
pub(crate) fn file_failed(error: RecordError) -> Failure {
    Failure::System(format!("error: {}", printable(&error.to_string())))
}

/// The failure for an error of an output: errors of files and encoders carry a [`RecordError`],
/// which names the path; all others are errors of standard output.
pub(crate) fn write_failed(error: io::Error) -> Failure {
    match error.downcast::<RecordError>() {
        Ok(error) => file_failed(error),
        Err(error) => standard_output_failed(error),
    }
}

/// Whether standard output was closed when the command started. Rust's library then opens
/// `/dev/null` in its place, for reading as well, and all rows would be lost without an error.
/// Known only on Linux.
fn standard_output_is_closed() -> bool {
    let is_null =
        std::fs::read_link("/proc/self/fd/1").is_ok_and(|target| target == Path::new("/dev/null"));
    let info = std::fs::read_to_string("/proc/self/fdinfo/1").unwrap_or_default();
    // The last octal digit of the flags is 1 for writing alone, 2 for both.
    is_null && info.lines().any(|line| line.starts_with("flags:") && line.ends_with('2'))
}
