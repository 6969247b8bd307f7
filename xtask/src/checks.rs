//! The stages of `cargo xtask test`.
//!
//! Each set of packages is built once in each profile of cargo: other selections of packages have
//! other features, and cargo would build their dependencies again. So stages run what the tests of
//! the workspace (`build`), or the build of the command (`command`), have left in `target`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::stage::{CANNOT_RUN, Stage, Uses};
use crate::{
    cargo, cargo_program, cargo_with, layers, measured_crowds, modules, no_std, package, pedpy,
    prose, python, root, site, system, web, weight,
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
    Stage { name: "lints", needs: &["system"], uses: DEBUG, run: lints },
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
    Stage { name: "docs", needs: &["lints"], uses: DEBUG, run: documentation },
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
    Stage { name: "library-lints", needs: &[], uses: DEBUG, run: library_lints },
    Stage { name: "library", needs: &[], uses: DEBUG, run: library },
    Stage { name: "ranks", needs: &["build"], uses: Uses::Machine, run: several_ranks },
];

/// The stages of `--quick`.
pub(crate) const QUICK: [&str; 6] =
    ["format", "prose", "structure", "library-lints", "lints-no-std", "library"];

/// The stages of `--quick` that check a part of what others check.
const ONLY_QUICK: [&str; 2] = ["library-lints", "library"];

/// The names of the stages of the whole test.
pub(crate) fn full() -> Vec<&'static str> {
    let names = STAGES.iter().map(|stage| stage.name);
    names.filter(|name| !ONLY_QUICK.contains(name)).collect()
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

/// The arguments of cargo for the workspace, with one set of features for all: another one would
/// build the dependencies again.
fn workspace(command: &'static str) -> Vec<&'static str> {
    let features: &[&str] = match system::install_missing(&system::MPI) {
        None => &["--features", "wayfare-cluster/mpi"],
        Some(_) => &[],
    };
    [&[command, "--workspace", "--quiet"], features].concat()
}

/// Checks all targets with clippy in place of the compiler: what `cargo clippy` does, by an
/// environment that the documentation shares, which is made from the same checked crates.
fn lints() -> Result<(), String> {
    check_with_clippy(&[&workspace("check")[..], &["--all-targets"]].concat())
}

fn check_with_clippy(arguments: &[&str]) -> Result<(), String> {
    let mut sysroot = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let sysroot = package::output(sysroot.args(["--print", "sysroot"]))?;
    let driver = Path::new(&sysroot).join("bin/clippy-driver").display().to_string();
    let environment = [
        ("RUSTC_WORKSPACE_WRAPPER", driver.as_str()),
        ("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"),
        ("RUSTDOCFLAGS", "-D warnings"),
    ];
    cargo_with(arguments, &environment)
}

/// Builds tests, examples and the command of the workspace.
fn build() -> Result<(), String> {
    cargo(&[&workspace("test")[..], &["--no-run"]].concat())?;
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
    cargo(&[&workspace("test")[..], &["--tests", "--no-fail-fast", "--"], names].concat())
}

/// The tests that share the machine and need no window.
fn tests() -> Result<(), String> {
    tests_of(&["--skip", ON_SEVERAL_RANKS, "--skip", IN_A_WINDOW])
}

fn doc_tests() -> Result<(), String> {
    cargo(&[&workspace("test")[..], &["--no-fail-fast", "--", IN_DOCS]].concat())
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
    let arguments = [&workspace("test")[..], &["--tests", "--", ON_SEVERAL_RANKS]].concat();
    let mut run = Command::new(cargo_program());
    let printed = package::output(run.args(arguments).current_dir(root()))?;
    println!("{printed}");
    match crate::failure::passed(&printed) {
        3 => Ok(()),
        passed => Err(format!("{passed} tests passed of 3 with names in {ON_SEVERAL_RANKS}")),
    }
}

fn documentation() -> Result<(), String> {
    // With examples, since they bring the features of the tests.
    let targets = ["--no-deps", "--lib", "--bins", "--examples"];
    check_with_clippy(&[&workspace("doc")[..], &targets].concat())
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

fn library_lints() -> Result<(), String> {
    cargo(
        &[&["clippy", "--all-targets", "--quiet"], &LIBRARY[..], &["--", "-D", "warnings"]]
            .concat(),
    )
}

fn library() -> Result<(), String> {
    // One build for both calls. Most other tests of scene files are of what edits them.
    let scenes = ["--lib", "--test", "all", "--", "bundled::", "conformance::"];
    cargo(&[&["test", "--quiet"], &LIBRARY[..], &scenes].concat())?;
    cargo(&[&["test", "--quiet"], &LIBRARY[..], &["--lib", "--no-fail-fast"]].concat())
}
