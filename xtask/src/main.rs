//! The project's own commands: `cargo xtask test` runs all that CI runs.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A command prints its progress.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

mod bench;
mod compiler;
mod full;
mod layers;
mod modules;
mod no_std;
mod package;
mod pedpy;
mod prose;
mod python;
mod site;
mod stages;
mod system;
mod web;

use stages::Stages;

const USAGE: &str = "cargo xtask test            everything that CI checks
cargo xtask test --quick    formatting, lints, unit and doc tests of the library, all scenes
cargo xtask web             the viewer as a static site in target/web
cargo xtask web --test      the same, and the page's tests in a browser
cargo xtask site            the book with its demos, and the gallery, in target/site
cargo xtask site --test     the same, and the tests of the book in a browser
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
        ["test"] => full::test(),
        ["test", "--quick"] => quick(),
        ["web"] => web::build(&root()),
        ["web", "--test"] => web_and_its_tests(),
        ["site"] => site(),
        ["site", "--test"] => site().and_then(|()| site::test(&root(), &release_command()?)),
        ["no-std"] => no_std::check(&root())
            .and_then(|()| no_std::examples_with_std(&root()))
            .and_then(|with| no_std::compare(&root(), &with)),
        ["validate"] => validate(),
        ["python", "--bench"] => python::bench_wheel(&root()),
        ["python"] => {
            development_command().and_then(|wayfare| python::test_wheel(&root(), &wayfare))
        }
        ["measures"] => development_command().and_then(|wayfare| pedpy::compare(&root(), &wayfare)),
        ["peers"] => peers(&root()),
        ["package"] => development_command().and_then(|wayfare| package::check(&root(), &wayfare)),
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
    stages.run("formatting", || {
        cargo(&["fmt", "--all", "--check"])?;
        format_of_tabs(&root().join("book/code"))
    })?;
    stages.run("prose and line lengths", || prose::check(&root()))?;
    stages.run("crate layers", || layers::check(&root()))?;
    stages.run("number of crates", || layers::count(&root()))?;
    stages.run("import cycles", || modules::check(&root()))
}

/// Checks the formatting of the programs in `folder`, which one program includes: cargo does not
/// find them.
fn format_of_tabs(folder: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut check = Command::new("rustfmt");
    check.args(["--check", "--edition", "2024"]);
    for chapter in std::fs::read_dir(folder).map_err(failed)? {
        let chapter = chapter.map_err(failed)?.path();
        check.args([chapter.join("main.rs"), chapter.join("bevy.rs")]);
    }
    web::run(&mut check, "the formatting of the book's programs")
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

/// The command as developers build it.
fn development_command() -> Result<PathBuf, String> {
    cargo(&["build", "--quiet", "--package", "wayfare-cli"])?;
    Ok(root().join("target/debug/wayfare"))
}

/// The command as users build it.
fn release_command() -> Result<PathBuf, String> {
    cargo(&["build", "--release", "--quiet", "--package", "wayfare-cli"])?;
    Ok(root().join("target/release/wayfare"))
}

/// Builds the page, and tests it beside the command.
fn web_and_its_tests() -> Result<(), String> {
    web::build(&root())?;
    web::test(&root(), &release_command()?)
}

/// Builds the gallery and the book.
fn site() -> Result<(), String> {
    web::build(&root())?;
    cargo(&["build", "--quiet", "--package", "wayfare-book"])?;
    site::build(&root(), &root().join("target/debug/wayfare-book"), &release_command()?)
}

/// Compares pedestrians with measured crowds, and prints how far bodies overlap.
fn validate() -> Result<(), String> {
    measured_crowds(&root(), &release_command()?)?;
    solid_bodies()
}

/// Watches solid bodies in scenes and in random buildings; prints how far they overlap. Of all
/// crates, `wayfare-study` shares the most of its build with the command.
fn solid_bodies() -> Result<(), String> {
    let bodies = ["--package", "wayfare-study", "--test", "solid_bodies", "--", "--nocapture"];
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
