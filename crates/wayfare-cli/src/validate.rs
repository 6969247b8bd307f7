//! `wayfare validate`: crowds beside measured ones.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use wayfare_record::WholeFile;
use wayfare_record::table::Format;
use wayfare_study::validate::{self, Suite, page, validate};

use crate::output::{file_failed, write_failed};
use crate::run::{progress_bar, whole_from};
use crate::threads::{thread_count, threads};
use crate::{Failure, display, error, print};

/// The options of `wayfare validate`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The suite of tests (.toml), with its scenes beside it; the bundled one unless given
    suite: Option<PathBuf>,
    /// The number of runs of each scene, with the seeds from 0 on
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true)]
    #[arg(value_parser = whole_from::<1>)]
    seeds: u64,
    /// Only the tests whose name contains this text, and those that they are compared with
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// The number of runs at a time; by default the number of cores. The result does not depend on
    /// it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<usize>,
    #[arg(short, long = "output", value_name = "FILE", help = help())]
    output: Vec<PathBuf>,
    /// A page of Markdown (.md) with the table, and pictures beside it
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Print no table and no progress bar
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the suite of the options.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let outputs: Vec<(&Path, Format)> =
        options.output.iter().map(|path| Ok((&**path, format(path)?))).collect::<Result<_, _>>()?;
    let suite = match &options.suite {
        Some(path) => Suite::of_file(path).map_err(error)?,
        None => Suite::bundled(),
    };
    if let Some(path) = options.page.as_ref().filter(|path| !has_ending(path, "md")) {
        let name = display(path);
        return Err(error(format!("`--page {name}`\nallowed: a file that ends in .md")));
    }
    // A path that cannot be written is found before the first run.
    for path in options.output.iter().chain(&options.page) {
        drop(WholeFile::create(path).map_err(file_failed)?);
    }
    let bar = if options.quiet { indicatif::ProgressBar::hidden() } else { progress_bar("run", 0) };
    let how = validate::Options {
        seeds: options.seeds,
        only: options.only.clone(),
        threads: Some(thread_count(options.threads)?),
    };
    let report = validate(&suite, &how, |done, of| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let report = report.map_err(error)?;
    if !options.quiet {
        print(&report.text())?;
    }
    // No file is moved to its path before all of them are written.
    let mut written = Vec::new();
    for (path, format) in outputs {
        let out = WholeFile::create(path).map_err(file_failed)?;
        written.push(report.table().write(format, out, &[]).map_err(write_failed)?);
    }
    if let Some(path) = &options.page {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        for file in page(&suite, &report, &stem) {
            let ending = if file.ending.is_empty() { ".md" } else { &file.ending };
            let mut out = WholeFile::create(path.with_file_name(format!("{stem}{ending}")))
                .map_err(file_failed)?;
            out.write_all(file.text.as_bytes()).map_err(write_failed)?;
            written.push(out);
        }
    }
    written.into_iter().try_for_each(|file| file.commit().map_err(file_failed))?;
    if report.is_expected() {
        return Ok(());
    }
    Err(Failure::Missed(format!("error: the suite expects other verdicts: {}", report.counts())))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// The format that a file's ending selects.
fn format(path: &Path) -> Result<Format, Failure> {
    let name = display(path);
    Format::from_path(path).ok_or_else(|| {
        error(format!(
            "`-o {name}`: its extension selects no format\nallowed: a file that ends in {}",
            Format::extensions()
        ))
    })
}

fn help() -> String {
    format!("A file for the table, which ends in {}", Format::extensions())
}
