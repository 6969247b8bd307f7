//! The command `wayfare`: `new`, `show`, `run`, `sweep`, `validate`, `view`, `check`, `list` and
//! `bench` scenes, their `schema`, and `explain` what they contain; `convert` and `play`
//! trajectories; `report` both.
//! Exit codes: 0 done; 1 the scene or the arguments are wrong, with a diagnostic; 2 a file or the
//! system failed, with the path; 3 a validation missed; 130 and 143 interrupted, with all outputs
//! written up to that tick.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};
use wayfare_scene::printable;

mod bench;
mod check;
mod convert;
mod explain;
mod interrupt;
mod list;
mod measuring;
mod new;
mod notice;
mod output;
mod ram;
mod report;
mod run;
mod scene_source;
mod summary;
mod sweep;
mod threads;
mod validate;
mod view;

/// Steering behaviors for autonomous characters: run scene files, and write trajectories, pictures
/// and animations
#[derive(Debug, Parser)]
#[command(name = "wayfare", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a scene, and write its outputs
    #[command(after_help = "Examples:\n  wayfare run arrive -o arrive.png\n  wayfare run \
                            my-scene.toml --ticks 300 --every 10 -o out.csv -o out.svg\n  \
                            wayfare run path-patrol -o patrol.gif -o patrol.json\n  wayfare run \
                            seek -o - --quiet | head\n  wayfare run flock-2d --ticks 100 -o \
                            half.snapshot && wayfare run flock-2d --from half.snapshot --ticks \
                            200\n\nExit codes: 0 done; 1 the scene or an argument is wrong; 2 a \
                            file or the system failed; 130 interrupted, with all outputs written \
                            up to that tick.\nScene files and limits: docs/scenes.md; outputs: \
                            docs/outputs.md")]
    Run(run::Options),
    /// Run a scene with many values and seeds, and write one table
    #[command(after_help = "Examples:\n  wayfare sweep study.toml -o study.parquet\n\nA sweep \
                            file:\n  scene = \"doorway-150\"\n  seeds = 20\n  measures = \
                            [\"door\"]\n  [over]\n  \"group.people.count\" = [50, 100]\n  \
                            \"group.people.max_speed\" = { from = 1, to = 1.6, count = 4 \
                            }\n\nAn interrupted sweep goes on with the same command: finished \
                            runs are in FILE.runs until the table is written. Sweep files: \
                            docs/sweeps.md")]
    Sweep(sweep::Options),
    /// Write a page about a run or a trajectory: picture, player, plots, how to repeat it
    #[command(after_help = "Examples:\n  wayfare report doorway-150 -o doorway.html\n  wayfare \
                            report my-scene.toml --seed 7 --ticks 2000 -o run.html\n  wayfare \
                            report petrack.txt --fps 16 -o petrack.html\n\nThe page is one file \
                            that opens without a network: docs/report.md")]
    Report(report::Options),
    /// Watch a scene live in a window: the mouse is its pointer, a click shows forces
    #[command(after_help = "Examples:\n  wayfare view\n  wayfare view arrive\n  wayfare view \
                            my-scene.toml\n\nThe viewer is a separate program, `wayfare-view`, \
                            which `cargo build --release -p wayfare-view` builds.")]
    View {
        /// A scene file, or the name of a bundled scene; without it, the window lists all bundled
        /// scenes
        scene: Option<OsString>,
    },
    /// Write a trajectory in another format: .csv, .parquet, .sqlite or .txt
    #[command(after_help = "Examples:\n  wayfare convert run.csv run.sqlite\n  wayfare convert \
                            petrack.txt petrack.parquet --fps 16\n\nThe formats: docs/outputs.md")]
    Convert(convert::Options),
    /// Play a trajectory in a window: .csv, .parquet, .sqlite or .txt, also of other programs
    #[command(after_help = "Examples:\n  wayfare play run.sqlite\n  wayfare play measured.txt \
                            run.csv --fps 16\n\nThe player belongs to the viewer, \
                            `wayfare-view`, which `cargo build --release -p wayfare-view` builds.")]
    Play {
        /// The trajectory
        file: PathBuf,
        /// A second trajectory, shown in the same picture as a translucent ghost
        other: Option<PathBuf>,
        #[command(flatten)]
        read: convert::Read,
    },
    /// Check scenes without running them: reports errors, and hints at settings that work badly
    Check {
        /// Scene files, or names of bundled scenes
        #[arg(required = true)]
        scenes: Vec<OsString>,
    },
    /// List the bundled scenes, or draw them all on one sheet; or list the behaviors
    #[command(after_help = "Examples:\n  wayfare list\n  wayfare list behaviors\n  wayfare list \
                            -o scenes.png")]
    List(list::Options),
    /// Explain a behavior, solver, measure, table or key of scenes: its effect, parameters, scenes
    #[command(after_help = "Examples:\n  wayfare explain flock\n  wayfare explain \
                            panic_radius\n\nAll names: wayfare list behaviors")]
    Explain {
        /// The name in scenes
        name: String,
    },
    /// Print the text of a scene
    #[command(after_help = "Example:\n  wayfare show arrive")]
    Show {
        /// The name of a bundled scene, or a scene file
        scene: OsString,
    },
    /// Write a commented scene to start with, NAME.toml
    #[command(after_help = "Examples:\n  wayfare new crowd && wayfare run crowd.toml -o \
                            crowd.png\n  wayfare new door --from doorway-150")]
    New {
        /// The name of the scene; an existing file is never overwritten
        name: OsString,
        /// Write the text of this scene instead: the name of a bundled scene, or a scene file
        #[arg(long, value_name = "SCENE")]
        from: Option<OsString>,
    },
    /// Print the JSON Schema of scene files, for editors
    #[command(after_help = "Example:\n  wayfare schema > wayfare.schema.json

In TOML the first line `#:schema ./wayfare.schema.json` names it, in JSON the key \"$schema\": \
                            docs/scenes.md")]
    Schema,
    /// Compare crowds with measured ones: flows, speeds, and the tests of RiMEA, IMO and NIST
    #[command(after_help = "Examples:\n  wayfare validate\n  wayfare validate --only bottleneck \
                            --seeds 2\n  wayfare validate my-suite.toml -o table.csv --page \
                            table.md\n\nExit codes: 0 all verdicts are as the suite expects them; \
                            1 the suite, a scene of it or an argument is wrong; 2 a file or the \
                            system failed; 3 a test misses, or one that is known to miss \
                            passes.\nThe suite: docs/validation.md")]
    Validate(validate::Options),
    /// Measure the speed of scenes
    #[command(after_help = "Examples:\n  wayfare bench\n  wayfare bench flock-2d flock-3d \
                            --agents 10000,100000 --json\n\nColumns and results: \
                            docs/performance.md")]
    Bench(bench::Options),
}

/// The reason why a command fails.
#[derive(Debug)]
enum Failure {
    /// The scene or the arguments are wrong; the text has the position and what is allowed.
    Input(String),
    /// A file or the system failed; the text names the path.
    System(String),
    /// A signal ended the run early, with all outputs written; the code is the exit code.
    Interrupted(String, u8),
    /// A validation has other verdicts than its suite expects; the text counts them.
    Missed(String),
    /// A child process failed and has reported the error; the command returns its exit code.
    ChildFailed(u8),
    /// The reader of standard output has closed it: the command ends without an error.
    OutputClosed,
}

/// Runs the command with these arguments, the first of which is the name of the program, and
/// returns the exit code.
///
/// `allocated` returns the bytes that the process has allocated, for `bench`; without it, the bytes
/// per agent are left out.
pub fn run(arguments: impl IntoIterator<Item = OsString>, allocated: Option<fn() -> usize>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are no errors; anything else is a wrong argument, with exit code 1.
            if !error.use_stderr() {
                let _ = error.print();
                return 0;
            }
            let lines: Vec<String> = error.to_string().lines().map(printable).collect();
            return fail(&lines.join("\n"), 1);
        }
    };
    let result = match arguments.command {
        Command::Run(options) => run::run(&options),
        Command::Sweep(options) => sweep::run(&options),
        Command::Report(options) => report::run(&options),
        Command::View { scene } => view::view(scene.as_deref()),
        Command::Convert(options) => convert::run(&options),
        Command::Play { file, other, read } => {
            let files: Vec<PathBuf> = std::iter::once(file).chain(other).collect();
            view::play(&files, &read)
        }
        Command::Check { scenes } => check::check(&scenes),
        Command::List(options) => list::list(&options),
        Command::Explain { name } => explain::explain(&name),
        Command::Show { scene } => {
            scene_source::find(&scene).and_then(|loaded| print(&loaded.source.text))
        }
        Command::New { name, from } => new::new(&name, from.as_deref()),
        Command::Schema => print(&wayfare_scene::schema()),
        Command::Bench(options) => bench::bench(&options, allocated),
        Command::Validate(options) => validate::run(&options),
    };
    match result {
        Ok(()) | Err(Failure::OutputClosed) => 0,
        Err(Failure::ChildFailed(code)) => code,
        Err(Failure::Input(text)) => fail(&text, 1),
        Err(Failure::System(text)) => fail(&text, 2),
        Err(Failure::Interrupted(text, code)) => fail(&text, code),
        Err(Failure::Missed(text)) => fail(&text, 3),
    }
}

fn fail(text: &str, code: u8) -> u8 {
    // If standard error cannot be written either, there is no way to report it.
    let _ = writeln!(std::io::stderr(), "{}", text.trim_end());
    code
}

/// Writes to standard output.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(standard_output_failed)
}

/// The failure for an error of standard output.
fn standard_output_failed(error: std::io::Error) -> Failure {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        Failure::OutputClosed
    } else {
        Failure::System(format!("error: standard output: {error}"))
    }
}

fn error(text: impl std::fmt::Display) -> Failure {
    Failure::Input(format!("error: {text}"))
}

/// Whether to write in color to `stream`.
fn use_color(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// `path` for messages, with control characters escaped.
fn display(path: &Path) -> String {
    printable(&path.display().to_string())
}
