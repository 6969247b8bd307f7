//! The program `wayfare-mpi`: `run` and `bench` on many processes that MPI starts, or with
//! `--ranks` in threads of one process.
//!
//! Exit codes: 0 done; 1 the scene or the arguments are wrong; 2 a file, a rank or the system
//! failed. The first rank prints everything. A rank prints an error itself if the others do not
//! have it.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};
use wayfare_scene::{
    AnyScene, Files, Format, Severity, Source, TextError, bundled, counted, read_beside, text_of,
};

use crate::link::Link;
use crate::threads::in_threads;

mod agreement;
mod bench;
mod mpi;
mod run;

use agreement::agree;

/// Steps one Wayfare scene on many processes, with the same result as on one
#[derive(Debug, Parser)]
#[command(name = "wayfare-mpi", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a scene, and write its trajectories
    #[command(after_help = "Examples:\n  mpirun -n 4 wayfare-mpi run flock-2d --ticks 300 -o \
                            flock.parquet --digest\n  mpirun -n 4 wayfare-mpi run big.toml \
                            --checkpoints saved\n  mpirun -n 16 wayfare-mpi run big.toml --resume \
                            saved\n  wayfare-mpi run flock-2d --ranks 3 --digest\n\nThe folder \
                            flock.parquet has a table for each rank: docs/cluster.md")]
    Run(run::Options),
    /// Measure the speed of a scene on each rank
    #[command(after_help = "Example:\n  mpirun -n 2 wayfare-mpi bench flock-2d --agents \
                            1000000")]
    Bench(bench::Options),
}

/// What `run` and `bench` have in common.
#[derive(Debug, Args)]
struct Common {
    /// A scene file (.toml or .json), or the name of a bundled scene
    scene: OsString,
    /// Use so many threads of this process as ranks, instead of the processes of MPI
    #[arg(long, value_name = "N", value_parser = number::<1, 1024>)]
    ranks: Option<u64>,
    /// The number of threads that share the ticks of a rank
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<1, 1024>)]
    threads: u64,
    /// Divide the world anew at every N-th tick, not only when a rank is 10 % slower than the mean
    #[arg(long, value_name = "N", value_parser = number::<1, { u64::MAX }>)]
    rebalance_every: Option<u64>,
}

impl Common {
    fn settings(&self) -> crate::Settings {
        crate::Settings { rebalance_every: self.rebalance_every, ..crate::Settings::default() }
    }

    /// The scene, which all ranks have read alike.
    fn load(&self, link: &mut impl Link) -> Result<Loaded, Failure> {
        agree(link, &self.scene.display().to_string(), load(&self.scene))
    }
}

/// Parses a whole number in a range.
fn number<const LEAST: u64, const MOST: u64>(text: &str) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|n| (LEAST..=MOST).contains(n))
        .ok_or_else(|| format!("allowed: a whole number from {LEAST} to {MOST}"))
}

/// The reason why the program fails.
#[derive(Debug)]
struct Failure {
    /// The exit code.
    code: u8,
    text: String,
    /// Whether all ranks have this failure.
    is_known: bool,
}

impl Failure {
    /// The scene or the arguments are wrong, on all ranks.
    fn input(text: String) -> Self {
        Self { code: 1, text, is_known: true }
    }

    /// A file, a rank or the system has failed; other ranks may not know it.
    fn system(error: impl std::fmt::Display) -> Self {
        Self { code: 2, text: format!("error: {error}"), is_known: false }
    }

    /// The same failure, which all ranks have.
    fn known(self) -> Self {
        Self { is_known: true, ..self }
    }
}

/// A scene, and the text that it comes from.
#[derive(Debug)]
struct Loaded {
    source: Source,
    scene: AnyScene,
}

/// A file that cannot be read, or is no text.
fn unreadable(error: TextError) -> Failure {
    match error {
        TextError::System(text) => Failure::system(text),
        TextError::Content(text) => Failure::input(format!("error: {text}")),
    }
}

fn load(name: &OsStr) -> Result<Loaded, Failure> {
    let path = Path::new(name);
    let shown = path.display().to_string();
    let (source, format, files) = if path.is_file() {
        let text = text_of(path).map_err(unreadable)?;
        (Source { name: shown, text }, Format::of(path), Files::beside(path))
    } else if let Some(bundled) = bundled(&shown) {
        let source = Source { name: shown, text: bundled.text.to_string() };
        (source, Format::Toml, Files::none())
    } else {
        return Err(Failure::input(format!(
            "error: there is no file and no bundled scene `{shown}`\nallowed: a scene file, or a \
             name that `wayfare list` shows"
        )));
    };
    let scene = read_beside(&source, format, &files).map_err(|problems| {
        let text = source.render(Severity::Error, &problems, false);
        Failure::input(format!("{text}{}: {}", source.name, counted(problems.len(), "error")))
    })?;
    Ok(Loaded { source, scene })
}

/// Runs the program with these arguments, the first of which is its name, and returns the exit
/// code.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = error.print();
            return u8::from(error.use_stderr());
        }
    };
    let ranks = match &arguments.command {
        Command::Run(options) => options.common.ranks,
        Command::Bench(options) => options.common.ranks,
    };
    match ranks {
        Some(ranks) => {
            let ended = in_threads(ranks as usize, |link| on_rank(&arguments.command, link));
            ended.iter().filter_map(|ended| ended.as_ref().err()).map(|f| f.code).max().unwrap_or(0)
        }
        None => match mpi::start() {
            Ok((universe, link)) => {
                end_at_panics();
                let ended = on_rank(&arguments.command, link);
                if let Err(Failure { code, is_known: false, .. }) = ended {
                    // The other ranks may wait for this one.
                    mpi::abort(&universe, code);
                }
                drop(universe);
                ended.map_or_else(|failure| failure.code, |()| 0)
            }
            Err(message) => report(&message, 2),
        },
    }
}

/// Runs the command on one rank. Rank 0 reports the errors that all ranks know.
fn on_rank(command: &Command, link: impl Link) -> Result<(), Failure> {
    let rank = link.rank();
    let ended = match command {
        Command::Run(options) => run::run(options, link),
        Command::Bench(options) => bench::bench(options, link),
    };
    match &ended {
        Err(Failure { code, text, .. }) if rank == 0 => _ = report(text, *code),
        Err(Failure { code, text, is_known: false }) => {
            report(&format!("rank {rank}: {text}"), *code);
        }
        _ => (),
    }
    ended
}

/// Makes a panic of any thread end the process, so that MPI ends the other ranks.
fn end_at_panics() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        hook(panic);
        std::process::abort();
    }));
}

fn report(text: &str, code: u8) -> u8 {
    // If standard error cannot be written either, there is no way to report it.
    let _ = writeln!(std::io::stderr(), "{}", text.trim_end());
    code
}

/// Writes to standard output; a reader that has closed it misses the rest.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// The path of a file that must not be the scene.
fn refuse_scene(option: &str, path: &Path, scene: &OsStr) -> Result<PathBuf, Failure> {
    if wayfare_record::resolved_path(path) == wayfare_record::resolved_path(Path::new(scene)) {
        return Err(Failure::input(format!(
            "error: `{option} {0}` is the input {0}\nallowed: any other path",
            path.display()
        )));
    }
    Ok(path.to_path_buf())
}
