//! The stages of `cargo xtask test`.
//!
//! Each set of packages is built once in each profile of cargo: other selections of packages have
//! other features, and cargo would build their dependencies again. So stages run what the tests of
//! the workspace (`build`), or the build of the command (`command`), have left in `target`. The
//! compiler of the workspace's own packages is clippy: lints of their own would read all packages
//! and all dependencies once more.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::stage::{CANNOT_RUN, Stage, Uses};
use crate::{
    cargo, cargo_program, docs, layers, measured_crowds, modules, no_std, package, pedpy, prose,
    python, root, site, system, web, weight,
};

/// The builds for development, and those of what users get.
const DEBUG: Uses = Uses::Builds("debug");
const RELEASE: Uses = Uses::Builds("release");

/// All stages: each after those that it needs, and of several that can begin the first one does.
pub(crate) const STAGES: &[Stage] = &[
    Stage { name: "format", needs: &[], uses: Uses::Cores, run: format },
    Stage { name: "prose", needs: &[], uses: Uses::Cores, run: || prose::check(&root()) },
    Stage { name: "structure", needs: &[], uses: Uses::Cores, run: structure },
    Stage { name: "system", needs: &[], uses: Uses::Cores, run: packages_of_the_system },
    Stage { name: "tools", needs: &["system"], uses: Uses::Cores, run: tools },
    Stage { name: "lints-no-std", needs: &[], uses: DEBUG, run: lints_no_std },
    Stage { name: "build", needs: &["system"], uses: DEBUG, run: build },
    Stage { name: "command", needs: &[], uses: RELEASE, run: command },
    Stage { name: "page", needs: &["tools"], uses: Uses::Builds("web"), run: page },
    Stage { name: "tests", needs: &["build"], uses: Uses::Cores, run: tests },
    Stage { name: "window", needs: &["build"], uses: Uses::Cores, run: window },
    Stage { name: "doc-tests", needs: &["build"], uses: Uses::Cores, run: doc_tests },
    Stage { name: "python", needs: &["build", "tools"], uses: DEBUG, run: wheel },
    Stage {
        name: "page-browser",
        needs: &["page", "command"],
        uses: Uses::Cores,
        run: || web::test(&root(), &users_command()),
    },
    Stage { name: "docs", needs: &["build"], uses: DEBUG, run: documentation },
    Stage {
        name: "packages",
        needs: &["build", "python", "docs"],
        uses: DEBUG,
        run: || package::check(&root(), &tested_command()),
    },
    Stage { name: "digests", needs: &["command"], uses: Uses::Cores, run: digests },
    Stage {
        name: "crowds",
        needs: &["command"],
        uses: Uses::Cores,
        run: || measured_crowds(&root(), &users_command()),
    },
    Stage {
        name: "measures",
        needs: &["build", "tools"],
        uses: Uses::Cores,
        run: || pedpy::compare(&root(), &tested_command()),
    },
    Stage { name: "examples", needs: &["build"], uses: Uses::Cores, run: examples },
    Stage {
        name: "no-std",
        needs: &["build"],
        uses: DEBUG,
        run: || no_std::compare(&root(), &root().join("target/debug/examples")),
    },
    Stage {
        name: "cortex-m",
        needs: &["system"],
        uses: Uses::Builds("no-std"),
        run: || no_std::check(&root()),
    },
    Stage { name: "book", needs: &["build", "command", "page"], uses: Uses::Cores, run: book },
    Stage {
        name: "book-browser",
        needs: &["book"],
        uses: Uses::Cores,
        run: || site::test(&root(), &users_command()),
    },
    Stage {
        name: "weight",
        needs: &["command", "page", "book"],
        uses: RELEASE,
        run: || weight::count(&root(), false),
    },
    Stage { name: "library", needs: &[], uses: DEBUG, run: library },
    Stage { name: "ranks", needs: &["build"], uses: Uses::Machine, run: several_ranks },
];

/// The stages of `--quick`.
pub(crate) const QUICK: [&str; 5] = ["format", "prose", "structure", "lints-no-std", "library"];

/// The stage of `--quick` that checks a part of what others check.
const ONLY_QUICK: &str = "library";

/// The names of the stages of the whole test.
pub(crate) fn full() -> Vec<&'static str> {
    let names = STAGES.iter().map(|stage| stage.name);
    names.filter(|name| *name != ONLY_QUICK).collect()
}

/// Without `std` a forgotten function of numbers, such as `sqrt`, does not compile.
/// Each dimension alone: the other lints have both.
fn lints_no_std() -> Result<(), String> {
    let clippy = ["clippy", "--package", "wayfare", "--lib", "--no-default-features", "--quiet"];
    ["plane", "space"].iter().try_for_each(|dimension| {
        cargo(&[&clippy[..], &["--features", dimension, "--", "-D", "warnings"]].concat())
    })
}

/// The digest of each bundled scene after its duration, which the tests pin.
const DIGESTS: &str = "crates/wayfare-scene/tests/digests.txt";

/// The end of the names of tests that run alone: beside other work a rank waits for cores that the
/// others need.
const ON_SEVERAL_RANKS: &str = "on_several_ranks";

/// The beginning of the names of tests that open a window.
const IN_A_WINDOW: &str = "the_window_";

/// A part of the names of tests in documentation, `FILE - ITEM (line N)`.
const IN_DOCS: &str = "(line ";

/// The examples that are run, in the order of their names.
const EXAMPLES: [&str; 10] = [
    "aquarium",
    "bevy_squad",
    "enemy",
    "flock",
    "hunted",
    "hunter_and_prey",
    "rollback",
    "strategy",
    "wolves",
    "zombies",
];

fn format() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"])?;
    // The programs of the book are included by one program, where cargo does not find them.
    let folder = root().join("book/code");
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut check = Command::new("rustfmt");
    check.args(["--check", "--edition", "2024"]);
    for chapter in std::fs::read_dir(&folder).map_err(failed)? {
        let chapter = chapter.map_err(failed)?.path();
        check.args([chapter.join("main.rs"), chapter.join("bevy.rs")]);
    }
    web::run(&mut check, "the formatting of the book's programs")
}

fn structure() -> Result<(), String> {
    layers::check(&root())?;
    layers::count(&root())?;
    modules::check(&root())?;
    modules::check_crowd(&root())
}

/// Installs what is missing where that is possible; stages that lack something then say so.
fn packages_of_the_system() -> Result<(), String> {
    system::install_missing(&[&system::WINDOW[..], &system::MPI].concat());
    Ok(())
}

fn tools() -> Result<(), String> {
    python::test_environment(&root())?;
    pedpy::environment(&root())?;
    web::tools::all()
}

/// Sets clippy in the place of the compiler, as `cargo clippy` does, for what a program builds. Its
/// warnings are errors.
pub(crate) fn set_clippy(program: &mut Command) -> Result<(), String> {
    let mut sysroot = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let sysroot = package::output(sysroot.args(["--print", "sysroot"]))?;
    program.env("RUSTC_WORKSPACE_WRAPPER", Path::new(&sysroot).join("bin/clippy-driver"));
    program.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    Ok(())
}

fn with_clippy(arguments: &[&str]) -> Result<Command, String> {
    let mut cargo = Command::new(cargo_program());
    set_clippy(cargo.args(arguments).current_dir(root()))?;
    Ok(cargo)
}

/// `cargo test` for the workspace, with one set of features for all: another one would build the
/// dependencies again.
fn test_workspace(arguments: &[&str]) -> Result<Command, String> {
    let mut cargo = with_clippy(&["test", "--workspace", "--quiet"])?;
    if system::install_missing(&system::MPI).is_none() {
        cargo.args(["--features", "wayfare-cluster/mpi"]);
    }
    cargo.args(arguments);
    Ok(cargo)
}

/// Builds and lints tests, examples, benchmarks and the command of the workspace.
fn build() -> Result<(), String> {
    // Two calls, and not `--all-targets`: that would build examples as tests, and put another
    // program in the place of the one that runs.
    for targets in [&["--no-run"][..], &["--no-run", "--benches"]] {
        web::run(&mut test_workspace(targets)?, "the build")?;
    }
    copy("debug", &tested_command())
}

/// Copies the command of a build: other builds in the folder replace it.
fn copy(build: &str, to: &Path) -> Result<(), String> {
    let from = root().join("target").join(build).join("wayfare");
    let copied = std::fs::create_dir_all(root().join("target/tested"))
        .and_then(|()| std::fs::copy(&from, to).map(drop));
    copied.map_err(|e| format!("copying {} to {}: {e}", from.display(), to.display()))
}

/// The command of the development build.
fn tested_command() -> PathBuf {
    root().join("target/tested/wayfare")
}

/// The command as users get it.
pub(crate) fn users_command() -> PathBuf {
    root().join("target/tested/wayfare-release")
}

/// Runs tests of the build by their names. A selection of some targets in place of names would have
/// other features, and cargo would build anew.
fn tests_of(names: &[&str]) -> Result<(), String> {
    let mut run = test_workspace(&["--tests", "--no-fail-fast"])?;
    web::run(run.arg("--").args(names), "a test")
}

/// The tests that share the machine and need no window.
fn tests() -> Result<(), String> {
    tests_of(&["--skip", ON_SEVERAL_RANKS, "--skip", IN_A_WINDOW])
}

fn doc_tests() -> Result<(), String> {
    web::run(&mut tests_in_docs()?, "a test in the documentation")
}

/// Cargo with the tests in documentation: by their names, as `--doc` would have other features.
fn tests_in_docs() -> Result<Command, String> {
    test_workspace(&["--no-fail-fast", "--", IN_DOCS])
}

fn window() -> Result<(), String> {
    match system::install_missing(&system::WINDOW) {
        None => tests_of(&[IN_A_WINDOW]),
        Some(command) => Err(format!("{CANNOT_RUN}{command}")),
    }
}

/// The tests of all scenes on several ranks, under MPI and on threads.
fn several_ranks() -> Result<(), String> {
    if let Some(command) = system::install_missing(&system::MPI) {
        return Err(format!("{CANNOT_RUN}{command}"));
    }
    let mut run = test_workspace(&["--tests", "--", ON_SEVERAL_RANKS])?;
    let printed = package::output(&mut run)?;
    println!("{printed}");
    match crate::failure::passed(&printed) {
        3 => Ok(()),
        passed => Err(format!("{passed} tests passed of 3 with names in {ON_SEVERAL_RANKS}")),
    }
}

/// Makes the documentation of all libraries; a broken link is an error.
fn documentation() -> Result<(), String> {
    let mut make = tests_in_docs()?;
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    make.env("RUSTDOC", program).env(docs::FOLDER, root().join("target/doc"));
    web::run(&mut make, "the documentation")
}

fn wheel() -> Result<(), String> {
    python::test_wheel(&root(), &tested_command())
}

/// Runs the examples that the tests of the workspace have built.
fn examples() -> Result<(), String> {
    let folder = root().join("target/debug/examples");
    EXAMPLES.iter().try_for_each(|example| {
        web::run(&mut Command::new(folder.join(example)), &format!("the example {example}"))
    })
}

/// The README's first command.
fn command() -> Result<(), String> {
    let picture = root().join("target/doorway.png").display().to_string();
    cargo(&["run", "--release", "--", "run", "doorway-150", "-o", &picture])?;
    copy("release", &users_command())
}

/// Compares the digests of all bundled scenes by the command with those that the tests pin.
fn digests() -> Result<(), String> {
    let wayfare = users_command();
    let pinned = std::fs::read_to_string(root().join(DIGESTS));
    let pinned = pinned.map_err(|e| format!("{DIGESTS}: {e}"))?;
    for line in pinned.lines() {
        let (name, digest) = line.split_once(' ').unwrap_or((line, ""));
        let mut run = Command::new(&wayfare);
        let found = package::output(run.args(["run", name, "--digest", "--quiet"]))?;
        if found != digest {
            return Err(format!("{name}: the command gives `{found}`, the tests pin `{digest}`"));
        }
    }
    println!("xtask: {} scenes have their digests", pinned.lines().count());
    Ok(())
}

/// The gallery and the demos of the book.
fn page() -> Result<(), String> {
    web::build(&root())
}

/// The book, of what the builds have left.
fn book() -> Result<(), String> {
    let program = root().join("target/debug/wayfare-book");
    site::build(&root(), &program, &users_command())
}

/// The packages that contributors build in place of the workspace: most changes are in these.
const LIBRARY: [&str; 4] = ["--package", "wayfare", "--package", "wayfare-scene"];

fn library() -> Result<(), String> {
    let test = |arguments: &[&str]| {
        let arguments = [&["test", "--quiet"], &LIBRARY[..], arguments].concat();
        web::run(&mut with_clippy(&arguments)?, "a test of the library")
    };
    // One build for all calls.
    test(&["--no-run", "--all-targets"])?;
    test(&["--lib", "--no-fail-fast"])?;
    // Most other tests of scene files are of what edits them.
    test(&["--lib", "--test", "all", "--", "bundled::", "conformance::"])
}
