//! The project's own commands: `cargo xtask test` runs all that CI runs.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A command prints its progress.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

mod baseline;
mod bench;
mod checks;
mod compiler;
mod docs;
mod failure;
mod layers;
mod modules;
mod no_std;
mod package;
mod pedpy;
mod prose;
mod python;
mod schedule;
mod site;
mod stage;
mod system;
mod web;
mod weight;

const USAGE: &str = "cargo xtask test                everything that CI checks
cargo xtask test --quick        what to run before a commit: the library and the scenes
cargo xtask test --only STAGE   one stage and what it needs; `--list` prints the stages
cargo xtask web                 the viewer as a static site in target/web
cargo xtask site                the book with its demos, and the gallery, in target/site
cargo xtask validate            pedestrians beside measured crowds, solid bodies: prints the tables
cargo xtask chaos --seconds N   random scenes for a time: prints the promises that one breaks
cargo xtask python --bench      what the package for Python costs beside the command
cargo xtask peers               beside JuPedSim, RVO2, Mesa and krABMaga: prints the tables
cargo xtask bench               instruction counts of the bench scenes against their baseline
cargo xtask bench --update      the same, then the counts become the baseline
cargo xtask costs               what each behavior and option costs: prints the table
                                (with `--update` behind it, it is written into the docs)
cargo xtask motion              how each scene moves: writes the table of docs/motion.md
cargo xtask weight              bytes of what is built, lines: held against stored ones
cargo xtask weight --builds     processor seconds of builds from nothing, in turn with a yardstick
                                (with `--update` behind either, they are stored)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(folder) = std::env::var_os(docs::FOLDER) {
        return docs::make(&arguments, &folder);
    }
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["stage", name] => return stage::run(name),
        ["test"] => test(&checks::full(), false),
        ["test", "--quick"] => test(&checks::QUICK, false),
        ["test", "--only", ref names @ ..] if !names.is_empty() => test(names, true),
        ["test", "--list"] => {
            stage::list();
            Ok(())
        }
        ["web"] => web::build(&root()),
        ["site"] => site(),
        ["validate"] => validate(),
        ["chaos", "--seconds", seconds] => chaos(seconds),
        ["python", "--bench"] => python::bench_wheel(&root()),
        ["peers"] => peers(&root()),
        ["bench"] => bench::bench(&root(), false),
        ["bench", "--update"] => bench::bench(&root(), true),
        ["costs"] => bench::costs(&root(), false),
        ["costs", "--update"] => bench::costs(&root(), true),
        ["motion"] => motion(),
        ["weight"] => weight::count(&root(), false),
        ["weight", "--update"] => weight::count(&root(), true),
        ["weight", "--builds"] => weight::measure(&root(), false),
        ["weight", "--builds", "--update"] => weight::measure(&root(), true),
        _ => Err(format!("unknown command `{}`; the commands are\n{USAGE}", arguments.join(" "))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("xtask: {text}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the stages of these names, with what they need.
fn test(names: &[&str], is_shown: bool) -> Result<(), String> {
    schedule::run(&stage::with_needs(names)?, is_shown)
}

/// The command as users build it.
fn release_command() -> Result<PathBuf, String> {
    cargo(&["build", "--release", "--quiet", "--package", "wayfare-cli"])?;
    Ok(root().join("target/release/wayfare"))
}

/// Runs all scenes, and writes how their agents move into the docs.
fn motion() -> Result<(), String> {
    let arguments = ["test", "--quiet", "--package", "wayfare-scene", "--test", "all"];
    let mut test = Command::new(cargo_program());
    test.args(arguments).args(["--", "motion::no_scene"]).env("UPDATE_MOTION", "1");
    web::run(test.current_dir(root()), "the run of all scenes")
}

/// A step of a long command: its name, its share of the whole in hundredths where nothing is built
/// yet, and what it does.
type Step<'a> = (&'a str, u32, &'a dyn Fn() -> Result<(), String>);

/// Builds the gallery and the book, and says how much is left: a reader waits for it.
fn site() -> Result<(), String> {
    let (program, command) = (root().join("target/debug/wayfare-book"), "target/release/wayfare");
    let steps: [Step<'_>; 4] = [
        ("gallery and demos", 55, &|| web::build(&root())),
        ("command", 25, &|| release_command().map(drop)),
        ("program of the book", 10, &|| cargo(&["build", "--package", "wayfare-book"])),
        ("pages and pictures", 10, &|| site::build(&root(), &program, &root().join(command))),
    ];
    let (start, mut done) = (std::time::Instant::now(), 0);
    for (name, share, step) in steps {
        let seconds = start.elapsed().as_secs_f64();
        let left = match done {
            0 => String::new(),
            _ => format!("; about {:.0} s left", seconds / f64::from(done) * f64::from(100 - done)),
        };
        println!("xtask: {name}, after {seconds:.0} s{left}");
        step()?;
        done += share;
    }
    println!("xtask: the book is in target/site, after {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Compares pedestrians with measured crowds, and prints how far bodies overlap.
fn validate() -> Result<(), String> {
    measured_crowds(&root(), &release_command()?)?;
    solid_bodies()
}

/// Draws random scenes for this number of seconds, each time the same ones; `WAYFARE_CHAOS_FIRST`
/// is the number of the first.
fn chaos(seconds: &str) -> Result<(), String> {
    if seconds.parse::<u32>().is_err() {
        return Err(format!("`--seconds` is `{seconds}`; allowed: a whole number"));
    }
    let test = ["test", "--quiet", "--package", "wayfare-study", "--test", "all", "random_scenes"];
    let shown = ["--", "--nocapture"];
    cargo_with(&[&test[..], &shown[..]].concat(), &[("WAYFARE_CHAOS_SECONDS", seconds)])
}

/// Watches solid bodies in scenes and in random buildings; prints how far they overlap.
fn solid_bodies() -> Result<(), String> {
    let bodies =
        ["--package", "wayfare-study", "--test", "all", "solid_bodies::", "--", "--nocapture"];
    cargo(&[&["test", "--release", "--quiet"], &bodies[..]].concat())
}

/// Compares pedestrians with measured crowds; the page that tells it must be the one in `docs`.
fn measured_crowds(root: &Path, wayfare: &Path) -> Result<(), String> {
    let (docs, made) = (root.join("docs"), root.join("target/validation"));
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let folder = if update { &docs } else { &made };
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut command = Command::new(wayfare);
    command.args(["validate", "--page"]).arg(folder.join("validation.md")).current_dir(root);
    web::run(&mut command, "the validation")?;
    for name in VALIDATION_FILES {
        let read = |folder: &Path| {
            let path = folder.join(name);
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
        };
        if read(folder)? != read(&docs)? {
            return Err(format!(
                "docs/{name} is out of date: run `UPDATE_DOCS=1 cargo xtask validate` and read the \
                 difference"
            ));
        }
    }
    Ok(())
}

/// Compares pedestrians with those of other programs, in one run.
fn peers(root: &Path) -> Result<(), String> {
    let folder = root.join("benches/pedestrians");
    let python = python::environment("peers", &folder.join("requirements.txt"))?;
    let wayfare = release_command()?;
    let mut compare = Command::new(&python);
    compare.arg(folder.join("compare.py")).arg(&wayfare);
    web::run(&mut compare, "the comparison")?;
    python::install_wheel(root, &python, "release")?;
    let manifest = root.join("benches/peers/Cargo.toml").display().to_string();
    cargo(&["build", "--release", "--quiet", "--manifest-path", &manifest])?;
    let mut notebook = Command::new(&python);
    notebook.arg(folder.join("notebook.py")).arg(root.join("docs/notebooks/comparison.ipynb"));
    web::run(&mut notebook, "the notebook of the comparison")
}

/// The page that `wayfare validate` makes, and its pictures.
const VALIDATION_FILES: [&str; 3] =
    ["validation.md", "validation-bottleneck.svg", "validation-fundamental-diagram.svg"];

/// Runs cargo in the project's root.
fn cargo(arguments: &[&str]) -> Result<(), String> {
    cargo_with(arguments, &[])
}

/// Runs cargo in the project's root with these environment variables set.
fn cargo_with(arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    let status = Command::new(cargo_program())
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|e| format!("cargo could not be started: {e}"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("`cargo {}` failed ({status})", arguments.join(" ")))
}

fn cargo_program() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
