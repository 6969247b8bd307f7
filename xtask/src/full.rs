//! `cargo xtask test`: everything that CI checks, in two lanes that run at the same time.
//!
//! The lanes build with different profiles of cargo, so neither waits for the other's build; one
//! lane uses the cores where the other links, installs or runs something with one thread. Within a
//! lane each set of packages is built once: other selections of packages have other features, and
//! cargo would build their dependencies again. So stages run what the tests of the workspace, or
//! the build of the command, have left in `target`. Some checks of these belong to no lane: a lane
//! that has ended takes the next one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use crate::stages::{Outcome, Stages};
use crate::{
    LINTS_WITHOUT_STD, cargo, cargo_program, cargo_with, measured_crowds, no_std, package, pedpy,
    python, release_command, root, site, solid_bodies, system, text_stages, web,
};

/// The digest of each bundled scene after its duration, which the tests pin.
const DIGESTS: &str = "crates/wayfare-scene/tests/digests.txt";

/// The end of the names of tests that run alone.
const ON_SEVERAL_RANKS: &str = "on_several_ranks";

/// The examples that are run, in the order of their names.
const EXAMPLES: [&str; 8] =
    ["bevy_squad", "flock", "guard", "hunted", "hunter_and_prey", "lockstep", "squad", "starlings"];

/// The tier of CI: everything.
pub(crate) fn test() -> Result<(), String> {
    let mut stages = Stages::default();
    text_stages(&mut stages)?;
    let tests = Tests {
        missing: system::install_missing(&system::WINDOW),
        without_mpi: system::install_missing(&system::MPI),
    };
    let mut other = stages.lane();
    let (built, is_built) = channel();
    let checks = &AtomicUsize::new(0);
    let (development, release) = std::thread::scope(|scope| {
        let other = scope.spawn(move || {
            let page = release_lane(&mut other).and_then(|page| {
                // The other lane drops its end if it fails before.
                is_built.recv().map_err(|_| Stages::ENDED.to_string())?;
                next_checks(&mut other, checks).map(|()| page)
            });
            (page, other)
        });
        let development = development_lane(&mut stages, &tests, (built, checks));
        (development, other.join())
    });
    let (release, other) = release.map_err(|_| "a lane of the tests panicked".to_string())?;
    stages.join(other);
    // A lane that ends because the other one failed says so, and not why.
    match (development, release) {
        (Ok(()), Ok(page)) => {
            match several_ranks(&mut stages, &tests).and_then(|()| book(&mut stages, page)) {
                Ok(()) => stages.finish(),
                Err(text) => stages.failed(text),
            }
        }
        (Err(text), Ok(_)) | (Ok(()), Err(text)) => stages.failed(text),
        (Err(one), Err(two)) => stages.failed(if one == Stages::ENDED { two } else { one }),
    }
}

/// How cargo builds the tests of the workspace.
struct Tests {
    /// The command that installs what a window lacks, where it could not be installed.
    missing: Option<String>,
    /// The command that installs what MPI lacks.
    without_mpi: Option<String>,
}

impl Tests {
    /// One set of features for all: another one would build the dependencies again.
    fn features(&self) -> &'static [&'static str] {
        if self.without_mpi.is_some() { &[] } else { &["--features", "wayfare-cluster/mpi"] }
    }

    /// The arguments of cargo that build and run all tests.
    fn all(&self) -> Vec<&'static str> {
        let skipped: &[&str] =
            if self.missing.is_some() { &["--exclude", "wayfare-view"] } else { &[] };
        [&["test", "--workspace", "--quiet"][..], self.features(), skipped].concat()
    }
}

/// What is built for development: lints, tests, examples, packages. Sends a message when the tests
/// are built, and takes the checks from `checks` on.
fn development_lane(
    stages: &mut Stages,
    tests: &Tests,
    (built, checks): (Sender<()>, &AtomicUsize),
) -> Result<(), String> {
    stages.run("lints", || {
        let arguments = ["clippy", "--workspace", "--all-targets", "--quiet"];
        cargo(&[&arguments[..], tests.features(), &["--", "-D", "warnings"]].concat())
    })?;
    stages.run("lints of the library without std", || cargo(&LINTS_WITHOUT_STD))?;
    let all = tests.all();
    stages.run("build of the tests", || {
        cargo(&[&all[..], &["--no-run"]].concat())?;
        copy_command()
    })?;
    // The other lane may have failed, and does not wait.
    let _ = built.send(());
    stages.run("tests", || cargo(&[&all[..], &["--", "--skip", ON_SEVERAL_RANKS]].concat()))?;
    if let Some(command) = &tests.missing {
        stages.run("tests of the viewer without a window", || {
            cargo(&["test", "--package", "wayfare-view", "--lib", "--quiet"])
        })?;
        stages.skip("the test of the viewer's window", command);
    }
    if let Some(command) = &tests.without_mpi {
        stages.skip("tests under MPI", command);
    }
    let built = root().join("target/debug");
    stages.run("examples", || run_examples(&built.join("examples")))?;
    stages.run("same results without std", || no_std::compare(&root(), &built.join("examples")))?;
    next_checks(stages, checks)?;
    // The command of the packages replaces that of the tests.
    stages.run("packages", || package::check(&root(), &tested_command()))
}

/// A copy of the command of the development build, which other builds do not replace.
fn tested_command() -> PathBuf {
    root().join("target/tested/wayfare")
}

/// Copies the command of the development build.
fn copy_command() -> Result<(), String> {
    let (from, to) = (root().join("target/debug/wayfare"), tested_command());
    let copied = std::fs::create_dir_all(root().join("target/tested"))
        .and_then(|()| std::fs::copy(&from, &to).map(drop));
    copied.map_err(|e| format!("copying {} to {}: {e}", from.display(), to.display()))
}

/// A check of what the development lane has built, beside its tests.
type Check = (&'static str, fn() -> Result<(), String>);

/// The checks that either lane runs.
const CHECKS: [Check; 3] = [
    ("package for Python", || python::test_wheel(&root(), &tested_command())),
    ("measures beside PedPy's", || pedpy::compare(&root(), &tested_command())),
    ("documentation", || {
        let arguments = ["doc", "--workspace", "--no-deps", "--quiet"];
        cargo_with(&arguments, &[("RUSTDOCFLAGS", "-D warnings")])
    }),
];

/// Runs the checks that no lane has begun; `next` is the index of the first of them.
fn next_checks(stages: &mut Stages, next: &AtomicUsize) -> Result<(), String> {
    while let Some((name, check)) = CHECKS.get(next.fetch_add(1, Ordering::Relaxed)) {
        stages.attempt(name, check)?;
    }
    Ok(())
}

/// The tests of all scenes on several ranks, when both lanes have ended: beside other work a rank
/// waits for cores that the others need, and the tests take several times as long.
fn several_ranks(stages: &mut Stages, tests: &Tests) -> Result<(), String> {
    stages.run("scenes on several ranks", || {
        let arguments = [&tests.all()[..], &["--tests", "--", ON_SEVERAL_RANKS]].concat();
        let mut run = Command::new(cargo_program());
        let run = run.args(arguments).current_dir(root()).stderr(Stdio::inherit());
        let output = run.output().map_err(|e| format!("cargo could not be started: {e}"))?;
        let printed = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            return Err(format!("{printed}\ntests failed whose names end in {ON_SEVERAL_RANKS}"));
        }
        let passed = |line: &str| {
            let count = line.strip_prefix("test result: ok. ")?.split(' ').next()?;
            count.parse::<usize>().ok()
        };
        let passed: usize = printed.lines().filter_map(passed).sum();
        let expected = if tests.without_mpi.is_some() { 2 } else { 3 };
        if passed == expected {
            return Ok(());
        }
        Err(format!("{passed} tests passed of {expected} whose names end in {ON_SEVERAL_RANKS}"))
    })
}

/// The book, of what both lanes have built.
fn book(stages: &mut Stages, page: Outcome) -> Result<(), String> {
    if page == Outcome::Skipped {
        return Ok(());
    }
    let (program, command) =
        (root().join("target/debug/wayfare-book"), root().join("target/release/wayfare"));
    stages.run("book", || site::build(&root(), &program, &command))?;
    stages.attempt("book in a browser", || site::test(&root(), &command)).map(drop)
}

/// What is built as users get it: the command and the page. Returns whether there is a page.
fn release_lane(stages: &mut Stages) -> Result<Outcome, String> {
    // The other lane needs these later.
    stages.attempt("tools of the tests", || {
        python::test_environment(&root())?;
        pedpy::environment(&root()).map(drop)?;
        web::tools::mdbook().map(drop)
    })?;
    stages.run("README's command", || {
        cargo(&["run", "--release", "--quiet", "--", "run", "doorway-150"])
    })?;
    let wayfare = release_command()?;
    stages.run("digests of the command", || digests(&wayfare))?;
    stages.run("measured crowds", || measured_crowds(&root(), &wayfare))?;
    stages.run("solid bodies", solid_bodies)?;
    stages.attempt("library without std on a Cortex-M4F", || no_std::check(&root()))?;
    let page = stages.attempt("web page", || web::build(&root()))?;
    if page == Outcome::Done {
        stages.attempt("web page in a browser", || web::test(&root(), &wayfare))?;
    }
    Ok(page)
}

/// Runs the examples that the tests of the workspace have built in `folder`.
fn run_examples(folder: &Path) -> Result<(), String> {
    EXAMPLES.iter().try_for_each(|example| {
        web::run(&mut Command::new(folder.join(example)), &format!("the example {example}"))
    })
}

/// Compares the digests of all bundled scenes by the command with those that the tests pin.
fn digests(wayfare: &Path) -> Result<(), String> {
    let pinned = std::fs::read_to_string(root().join(DIGESTS));
    let pinned = pinned.map_err(|e| format!("{DIGESTS}: {e}"))?;
    for line in pinned.lines() {
        let (name, digest) = line.split_once(' ').unwrap_or((line, ""));
        let mut run = Command::new(wayfare);
        let found = package::output(run.args(["run", name, "--digest", "--quiet"]))?;
        if found != digest {
            return Err(format!("{name}: the command gives `{found}`, the tests pin `{digest}`"));
        }
    }
    println!("xtask: {} scenes have their digests", pinned.lines().count());
    Ok(())
}
