//! The command `wayfare`: `new`, `run`, `view`, `check`, `list` and `bench` scenes, and their
//! `schema`.
//!
//! Exit codes: 0 done; 1 the scene or the arguments are wrong, with a diagnostic; 2 something
//! outside failed, and its path; 130 and 143 interrupted, with what was run until then written.

use std::alloc::System;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use cap::Cap;
use clap::{Parser, Subcommand};
use wayfare_scene::printable;

mod bench;
mod check;
mod interrupt;
mod list;
mod load;
mod memory;
mod new;
mod output;
mod run;
mod summary;
mod view;

/// The system's allocator, which counts what it has given out: `bench` tells how much of it an
/// agent takes.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Steering behaviors for autonomous characters: run scene files, take trajectories, pictures and
/// animations away.
#[derive(Debug, Parser)]
#[command(name = "wayfare", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a scene, and write what you ask for.
    #[command(after_help = "Examples:\n  wayfare run arrive -o arrive.png\n  wayfare run \
                            my-scene.toml --ticks 300 --every 10 -o out.csv -o out.svg\n  \
                            wayfare run path-patrol -o patrol.gif -o patrol.json\n  wayfare run \
                            seek -o - --quiet | head\n  wayfare run flock-2d --ticks 100 -o \
                            half.snapshot && wayfare run flock-2d --from half.snapshot --ticks \
                            200\n\nExit codes: 0 done; 1 the scene or an argument is wrong; 2 \
                            something outside failed; 130 interrupted, with what was run until \
                            then written.\nScene files and limits: docs/scenes.md; what is in \
                            each output: docs/outputs.md")]
    Run(run::Options),
    /// Watch a scene live, in a window: the mouse is its pointer, a click shows forces.
    #[command(after_help = "Examples:\n  wayfare view\n  wayfare view arrive\n  wayfare view \
                            my-scene.toml\n\nThe window is a program of its own, `wayfare-view`, \
                            which `cargo build --release -p wayfare-view` builds.")]
    View {
        /// A scene file, or the name of a bundled scene; all bundled scenes are listed in the
        /// window.
        scene: Option<OsString>,
    },
    /// Read scenes without running them: errors, and hints for what moves badly.
    Check {
        /// Scene files, or names of bundled scenes.
        #[arg(required = true)]
        scenes: Vec<OsString>,
    },
    /// List the bundled scenes, or draw them all on one sheet.
    #[command(after_help = "Examples:\n  wayfare list\n  wayfare list -o scenes.png")]
    List(list::Options),
    /// Write a scene to begin with, commented: NAME.toml.
    #[command(after_help = "Example:\n  wayfare new crowd && wayfare run crowd.toml -o crowd.png")]
    New {
        /// What the scene is called; a file that is there is never written over.
        name: OsString,
    },
    /// Print the JSON Schema of scene files, for editors.
    #[command(after_help = "Example:\n  wayfare schema > wayfare.schema.json

In TOML the first line `#:schema ./wayfare.schema.json` names it, in JSON the key \"$schema\": \
                            docs/scenes.md")]
    Schema,
    /// Measure how fast scenes step.
    #[command(after_help = "Examples:\n  wayfare bench\n  wayfare bench flock-2d flock-3d \
                            --agents 10000,100000 --json\n\nWhat the columns say, and what \
                            others reach: docs/performance.md")]
    Bench(bench::Options),
}

/// Why a command stops.
#[derive(Debug)]
enum Failure {
    /// The scene or the arguments are wrong; the text says where and what is allowed.
    Input(String),
    /// Something outside failed; the text names the path.
    Outside(String),
    /// A signal ended the run early; what it had is written, and the exit code says which signal.
    Interrupted(String, u8),
    /// A program that was started has said what failed; its exit code is ours.
    Told(u8),
    /// Who reads our output has gone: nothing is left to do.
    NobodyReads,
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are asked for; anything else is a wrong argument, which is exit code
            // 1 here.
            let asked = !error.use_stderr();
            if asked {
                let _ = error.print();
                return ExitCode::SUCCESS;
            }
            let lines: Vec<String> = error.to_string().lines().map(printable).collect();
            return complain(&lines.join("\n"), 1);
        }
    };
    let result = match arguments.command {
        Command::Run(options) => run::run(&options),
        Command::View { scene } => view::view(scene.as_deref()),
        Command::Check { scenes } => check::check(&scenes),
        Command::List(options) => list::list(&options),
        Command::New { name } => new::new(&name),
        Command::Schema => say(&wayfare_scene::schema()),
        Command::Bench(options) => bench::bench(&options),
    };
    match result {
        Ok(()) | Err(Failure::NobodyReads) => ExitCode::SUCCESS,
        Err(Failure::Told(code)) => ExitCode::from(code),
        Err(Failure::Input(text)) => complain(&text, 1),
        Err(Failure::Outside(text)) => complain(&text, 2),
        Err(Failure::Interrupted(text, code)) => complain(&text, code),
    }
}

fn complain(text: &str, code: u8) -> ExitCode {
    // Nothing can be done where even this cannot be written.
    let _ = writeln!(std::io::stderr(), "{}", text.trim_end());
    ExitCode::from(code)
}

/// Writes to standard output.
fn say(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(standard_output)
}

/// What a failed write to standard output means.
fn standard_output(error: std::io::Error) -> Failure {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        Failure::NobodyReads
    } else {
        Failure::Outside(format!("error: standard output: {error}"))
    }
}

fn error(text: impl std::fmt::Display) -> Failure {
    Failure::Input(format!("error: {text}"))
}

/// Whether to write in color to `stream`.
fn in_color(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// `path` as a person reads it.
fn shown(path: &Path) -> String {
    printable(&path.display().to_string())
}
