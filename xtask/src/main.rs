//! The project's own commands: `cargo xtask test` runs all that CI runs.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A command prints its progress.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

mod bench;
mod compiler;
mod layers;
mod modules;
mod no_std;
mod package;
mod pedpy;
mod prose;
mod python;
mod stages;
mod system;
mod web;

use stages::{Outcome, Stages};

const USAGE: &str = "cargo xtask test            everything that CI checks
cargo xtask test --quick    formatting, lints, unit and doc tests of the library, all scenes
cargo xtask web             the viewer as a static site in target/web
cargo xtask web --test      the same, and the page's tests in a browser
cargo xtask no-std          the library without `std`: for a Cortex-M4F, and the same results
cargo xtask package         the packages of all crates, and a run of the command built from them
cargo xtask python          the package for Python: its wheel, installed and tested
cargo xtask python --bench  what the package for Python costs beside the command
cargo xtask measures        measures and trajectories, read by PedPy, pandas, DuckDB and polars
cargo xtask validate        pedestrians beside measured crowds, solid bodies: prints the tables
cargo xtask peers           beside JuPedSim, RVO2, Mesa and krABMaga: prints the tables
cargo xtask bench           instruction counts of the bench scenes against their baseline
cargo xtask bench --update  the same, then the counts become the baseline";

/// Without `std` a forgotten function of numbers, such as `sqrt`, does not compile.
const LINTS_WITHOUT_STD: [&str; 9] = [
    "clippy",
    "--package",
    "wayfare",
    "--lib",
    "--no-default-features",
    "--quiet",
    "--",
    "-D",
    "warnings",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["test", "--quick"] => quick(),
        ["web"] => web::build(&root()),
        ["web", "--test"] => web::build(&root()).and_then(|()| web::test(&root())),
        ["no-std"] => no_std::check(&root()).and_then(|()| no_std::compare(&root())),
        ["validate"] => validate(),
        ["python", "--bench"] => python::bench_wheel(&root()),
        ["python"] => python::test_wheel(&root()),
        ["measures"] => pedpy::compare(&root()),
        ["peers"] => peers(&root()),
        ["package"] => package::check(&root()),
        ["bench"] => bench::bench(&root(), false),
        ["bench", "--update"] => bench::bench(&root(), true),
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

/// The stages that need no build: both tiers begin with them.
fn text_stages(stages: &mut Stages) -> Result<(), String> {
    stages.run("formatting", || cargo(&["fmt", "--all", "--check"]))?;
    stages.run("prose and line lengths", || prose::check(&root()))?;
    stages.run("crate layers", || layers::check(&root()))?;
    stages.run("number of crates", || layers::count(&root()))?;
    stages.run("import cycles", || modules::check(&root()))
}

/// The tier of a contributor: what finds most mistakes, in minutes.
fn quick() -> Result<(), String> {
    let mut stages = Stages::default();
    text_stages(&mut stages)?;
    let library = ["--package", "wayfare", "--package", "wayfare-scene"];
    stages.run("lints of the library", || {
        cargo(
            &[&["clippy", "--all-targets", "--quiet"], &library[..], &["--", "-D", "warnings"]]
                .concat(),
        )
    })?;
    stages.run("lints of the library without std", || cargo(&LINTS_WITHOUT_STD))?;
    // One build: both test programs are compiled at the same time.
    stages.run("tests of the library, scenes", || {
        let tests = ["--lib", "--test", "bundled"];
        cargo(&[&["test", "--quiet"], &library[..], &tests[..]].concat())
    })?;
    stages.run("doc tests of the library", || {
        cargo(&["test", "--package", "wayfare", "--doc", "--quiet"])
    })?;
    stages.finish()
}

/// Compares pedestrians with measured crowds, and watches their bodies.
fn validate() -> Result<(), String> {
    let root = root();
    let (docs, made) = (root.join("docs"), root.join("target/validation"));
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let folder = if update { &docs } else { &made };
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let page = folder.join("validation.md").display().to_string();
    cargo(&["run", "--release", "--quiet", "--", "validate", "--page", &page])?;
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
    let bodies = ["--package", "wayfare-scene", "--test", "solid_bodies", "--", "--nocapture"];
    cargo(&[&["test", "--release", "--quiet"], &bodies[..]].concat())
}

/// Compares pedestrians with those of other programs, in one run.
fn peers(root: &Path) -> Result<(), String> {
    let folder = root.join("benches/pedestrians");
    let python = python::environment("peers", &folder.join("requirements.txt"))?;
    cargo(&["build", "--release", "--quiet", "--package", "wayfare-cli"])?;
    let mut compare = Command::new(&python);
    compare.arg(folder.join("compare.py")).arg(root.join("target/release/wayfare"));
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

/// The tier of CI: everything.
fn test() -> Result<(), String> {
    let mut stages = Stages::default();
    text_stages(&mut stages)?;
    stages.run("lints", || {
        cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])
    })?;
    stages.run("lints of the library without std", || cargo(&LINTS_WITHOUT_STD))?;
    let missing = system::install_missing(&system::WINDOW);
    let skipped: &[&str] = if missing.is_some() { &["--exclude", "wayfare-view"] } else { &[] };
    let tests = [&["test", "--workspace", "--quiet"][..], skipped].concat();
    stages.run("tests", || cargo(&tests))?;
    if let Some(command) = missing {
        stages.run("tests of the viewer without a window", || {
            cargo(&["test", "--package", "wayfare-view", "--lib", "--quiet"])
        })?;
        stages.skip("the test of the viewer's window", &command);
    }
    // The same digests from optimised code, and the README's own command.
    stages.run("digests of the release build", || {
        let bundled = ["--package", "wayfare-scene", "--test", "bundled"];
        cargo(&[&["test", "--release", "--quiet"], &bundled[..]].concat())
    })?;
    stages.run("measured crowds", validate)?;
    stages.attempt("measures beside PedPy's", || pedpy::compare(&root()))?;
    stages.attempt("the package for Python", || python::test_wheel(&root()))?;
    stages.run("the README's command", || {
        cargo(&["run", "--release", "--quiet", "--", "run", "doorway-150"])
    })?;
    stages.run("the examples", || {
        let examples = ["guard", "hunter_and_prey", "starlings", "squad", "lockstep"];
        examples.iter().try_for_each(|example| {
            cargo(&["run", "--quiet", "--package", "wayfare", "--example", example])
        })?;
        ["squad", "hunted", "flock"].iter().try_for_each(|example| {
            cargo(&["run", "--quiet", "--package", "bevy_wayfare", "--example", example])
        })
    })?;
    stages.attempt("the library without std on a Cortex-M4F", || no_std::check(&root()))?;
    stages.run("the same results without std", || no_std::compare(&root()))?;
    stages.run("documentation", || {
        let arguments = ["doc", "--workspace", "--no-deps", "--quiet"];
        cargo_with(&arguments, &[("RUSTDOCFLAGS", "-D warnings")])
    })?;
    stages.run("packages", || package::check(&root()))?;
    match stages.attempt("web page", || web::build(&root()))? {
        Outcome::Done => {
            stages.attempt("web page in a browser", || web::test(&root()))?;
        }
        Outcome::Skipped => {}
    }
    stages.finish()
}

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
