//! `wayfare convert`: writes a trajectory in another format.

use std::path::{Path, PathBuf};

use clap::Args;
use wayfare_record::rows::read::{ReadError, ReadOptions, extension_of, extensions};
use wayfare_record::rows::{ConvertError, convert};
use wayfare_record::{RecordError, WholeFile, resolved_path};
use wayfare_scene::{counted, printable};

use crate::interrupt::fail_at_size_limit;
use crate::output::{file_failed, write_failed};
use crate::{Failure, display, error, print};

/// The options of `wayfare convert`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The trajectory to read
    from: PathBuf,
    /// The file to write; an existing one is replaced when the new one is complete
    to: PathBuf,
    #[command(flatten)]
    read: Read,
    /// Print nothing
    #[arg(short, long)]
    quiet: bool,
}

/// How a trajectory is read.
#[derive(Debug, Args)]
pub(crate) struct Read {
    /// The number of frames per second of a file that does not tell it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = rate)]
    pub(crate) fps: Option<f64>,
    /// Read a CSV that another program has written, or a text that it has changed: the mark of its
    /// end may be missing, so that a cut at the end of a line is not noticed
    #[arg(long)]
    pub(crate) unmarked: bool,
}

impl Read {
    /// The options of the reader.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions { fps: self.fps, unmarked: self.unmarked }
    }
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| *rate > 0.0 && *rate <= 1e18);
    rate.ok_or_else(|| "allowed: a number above 0, up to 1e18".to_string())
}

/// Converts the file of the options.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    extension(&options.from)?;
    let extension = extension(&options.to)?;
    if resolved_path(&options.from) == resolved_path(&options.to) {
        return Err(error(format!(
            "`{}` is both the input and the output\nallowed: two different files",
            display(&options.from)
        )));
    }
    fail_at_size_limit()?;
    let read_failed = |e: &ReadError| cannot_read(&options.from, e);
    // A source that does not exist is reported first.
    std::fs::File::open(&options.from).map_err(|e| read_failed(&e.into()))?;
    let out = WholeFile::create(&options.to).map_err(file_failed)?;
    let converted = convert(&options.from, options.read.options(), extension, out);
    let converted = converted.map_err(|failure| match failure {
        ConvertError::Read(e) => read_failed(&e),
        ConvertError::Refused(problem, allowed) => {
            error(format!("{}: {problem}\nallowed: {allowed}", display(&options.from)))
        }
        // The output of this command is a file: an error without its path gets it.
        ConvertError::Write(e) if !e.get_ref().is_some_and(|inner| inner.is::<RecordError>()) => {
            let to = display(&options.to);
            Failure::System(format!("error: cannot write {to}: {}", printable(&e.to_string())))
        }
        ConvertError::Write(e) => write_failed(e),
        other => Failure::System(format!("error: {other:?}")),
    })?;
    converted.out.commit().map_err(file_failed)?;
    if options.quiet {
        return Ok(());
    }
    let without = match converted.left_out.as_slice() {
        [] => String::new(),
        parts => format!(", without {}", parts.join(", ")),
    };
    let rows = counted(converted.rows as usize, "row");
    print(&format!("wrote {}: {rows}{without}\n", display(&options.to)))
}

/// The extension of a trajectory.
pub(crate) fn extension(path: &Path) -> Result<&'static str, Failure> {
    extension_of(path).ok_or_else(|| {
        error(format!(
            "`{}`: its extension names no format of trajectories\nallowed: a file that ends in {}",
            display(path),
            extensions()
        ))
    })
}

/// The failure for a trajectory that cannot be read.
pub(crate) fn cannot_read(path: &Path, error: &ReadError) -> Failure {
    let name = display(path);
    match error {
        ReadError::Content { place, problem, allowed } => {
            let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
            let problem = printable(problem);
            Failure::Input(format!("error: {name}: {place}{problem}\nallowed: {allowed}"))
        }
        other => Failure::System(format!("error: {name}: {other}")),
    }
}
