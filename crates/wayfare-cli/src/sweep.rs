//! `wayfare sweep`: one scene with many values and seeds, in one table.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use wayfare_record::table::Format as TableFormat;
use wayfare_record::{WholeFile, resolved_path};
use wayfare_scene::{Format, Source, SweepFile, counted};
use wayfare_study::sweep::SweepError;
use wayfare_study::{Journal, JournalError, Outcome, Study, Sweep};

use crate::interrupt::Interrupt;
use crate::output::{file_failed, write_failed};
use crate::run::{diagnosed, progress_bar};
use crate::scene_source::{find, text_of};
use crate::threads::{thread_count, threads};
use crate::{Failure, display, error, print, ram};

/// The options of `wayfare sweep`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The sweep file (.toml or .json)
    file: PathBuf,
    #[arg(short, long = "output", value_name = "FILE", help = help())]
    output: PathBuf,
    /// The number of runs at a time; by default the number of cores. The table does not depend on
    /// it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<usize>,
    /// Add a column with the duration of each run (seconds), which differs from time to time
    #[arg(long)]
    times: bool,
    /// Keep the finished runs in FILE.runs after the table is written, for a later sweep with more
    /// values or seeds
    #[arg(long)]
    keep_runs: bool,
    /// Print no summary and no progress bar
    #[arg(short, long)]
    quiet: bool,
}

fn help() -> String {
    format!("The table, a row per run: a file that ends in {}", TableFormat::extensions())
}

/// Runs the sweep of the options.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let (file, output) = (&options.file, &options.output);
    let source = Source { name: display(file), text: text_of(file)? };
    let read = SweepFile::read(&source, Format::of(file));
    let read = read.map_err(|problems| diagnosed(&source, &problems))?;
    let (study, scene_path) = study(file, &read)?;
    let format = table_format(output, &[Some(file.as_path()), scene_path.as_deref()])?;
    let workers = thread_count(options.threads)?;
    let sweep = Sweep::of(&read, &study, ram::available() / workers as u64);
    let sweep = sweep.map_err(|problems| diagnosed(&source, &problems))?;

    let interrupt = Interrupt::listen()?;
    // A path that cannot be written is found before the first run.
    drop(WholeFile::create(output).map_err(file_failed)?);
    let mut journal = Journal::open(&journal_path(output)).map_err(journal_failed)?;
    let bar = if options.quiet {
        ProgressBar::hidden()
    } else {
        progress_bar("run", sweep.runs() as u64)
    };
    bar.enable_steady_tick(Duration::from_secs(1));
    let (mut first, mut done) = (None, 0);
    let outcomes = sweep
        .run(&mut journal, workers, &|| interrupt.exit_code().is_some(), &mut |progress, _| {
            done = progress.done;
            first.get_or_insert(done);
            bar.set_position(done as u64);
        })
        .map_err(|failed| match failed {
            SweepError::Journal(failed) => journal_failed(failed),
            SweepError::Run(failed) => error(failed),
        });
    bar.finish_and_clear();
    let Some(outcomes) = outcomes? else {
        let text = format!(
            "interrupted: {done} of {} are done; the same command goes on",
            counted(sweep.runs(), "run")
        );
        return Err(Failure::Interrupted(text, interrupt.exit_code().unwrap_or(1)));
    };

    write(&sweep, &outcomes, options, format, &[&source, &study.source])?;
    if !options.keep_runs {
        journal.delete().map_err(journal_failed)?;
    }
    if options.quiet {
        return Ok(());
    }
    let before = match first {
        Some(before) if before > 0 => format!(", {before} of them before"),
        _ => String::new(),
    };
    print(&format!("{}{before}; wrote {}\n", counted(sweep.runs(), "run"), display(output)))
}

/// The scene of a sweep file, and its path unless it is bundled. A path is relative to the sweep
/// file.
fn study(file: &Path, read: &SweepFile) -> Result<(Study, Option<PathBuf>), Failure> {
    let name = Path::new(&read.scene.text);
    let beside = file.parent().unwrap_or(Path::new("")).join(name);
    let name = if beside.exists() { OsString::from(&beside) } else { OsString::from(name) };
    let loaded = find(&name)?;
    let files = loaded.files();
    Ok((Study { source: loaded.source, format: loaded.format, files }, loaded.path))
}

/// The format that the ending of the output's name selects; no input may be overwritten.
fn table_format(output: &Path, inputs: &[Option<&Path>]) -> Result<TableFormat, Failure> {
    let name = display(output);
    let is_input = |input: &&Path| resolved_path(input) == resolved_path(output);
    if let Some(input) = inputs.iter().flatten().find(|input| is_input(input)) {
        return Err(error(format!(
            "`-o {name}` is the input {}\nallowed: any other file",
            display(input)
        )));
    }
    TableFormat::from_path(output).ok_or_else(|| {
        error(format!(
            "`-o {name}`: its extension selects no format\nallowed: a file that ends in {}",
            TableFormat::extensions()
        ))
    })
}

/// The journal of a table: its path with `.runs` behind it.
fn journal_path(output: &Path) -> PathBuf {
    let mut name = resolved_path(output).into_os_string();
    name.push(".runs");
    PathBuf::from(name)
}

/// Writes the table, whole or not at all.
fn write(
    sweep: &Sweep,
    outcomes: &[Outcome],
    options: &Options,
    format: TableFormat,
    [file, scene]: &[&Source; 2],
) -> Result<(), Failure> {
    let table =
        if options.times { sweep.table_with_times(outcomes) } else { sweep.table(outcomes) };
    let facts = [
        ("wayfare.sweep", file.text.clone()),
        ("wayfare.scene", scene.text.clone()),
        ("wayfare.version", env!("CARGO_PKG_VERSION").to_string()),
    ];
    let out = WholeFile::create(&options.output).map_err(file_failed)?;
    let out = table.write(format, out, &facts).map_err(write_failed)?;
    out.commit().map_err(file_failed)
}

fn journal_failed(failed: JournalError) -> Failure {
    match failed {
        JournalError::File(..) => Failure::System(format!("error: {failed}")),
        JournalError::Locked(_) | JournalError::Line(..) | JournalError::Added(_) => error(failed),
    }
}
