//! The project's own commands: `cargo xtask test` runs all that CI runs.
#![allow(clippy::print_stdout, clippy::print_stderr)] // A command tells what it does.

use std::path::Path;
use std::process::{Command, ExitCode};

mod arrows;
mod bench;
mod web;

/// A screen in memory, and what a window wants of a Linux that has none: the test of the viewer's
/// window opens one.
const WINDOW: [&str; 9] = [
    "xvfb",
    "libegl1",
    "libgl1",
    "libgl1-mesa-dri",
    "libx11-xcb1",
    "libxcursor1",
    "libxi6",
    "libxkbcommon-x11-0",
    "libxrandr2",
];

const USAGE: &str = "cargo xtask test             formatting, lints, the arrow check, all tests, \
                     docs, the web page in a browser: what CI runs
cargo xtask web              the viewer as a static site in target/web
cargo xtask web --test       the same, and the page's tests in a browser
cargo xtask bench            instruction counts of the bench scenes against their baseline (needs \
                     valgrind)
cargo xtask bench --update   the same, and what was counted becomes the baseline";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["web"] => web::web(&root()),
        ["web", "--test"] => web::web(&root()).and_then(|()| web::test(&root())),
        ["bench"] => bench::bench(&root(), false),
        ["bench", "--update"] => bench::bench(&root(), true),
        _ => Err(format!("there is no such command\n{USAGE}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("xtask: {text}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    cargo("formatting", &["fmt", "--all", "--check"], &[])?;
    arrows::check(&root())?;
    println!("xtask: the arrows between crates run one way");
    install_missing(&WINDOW);
    cargo(
        "lints",
        &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"],
        &[],
    )?;
    cargo("tests", &["test", "--workspace", "--quiet"], &[])?;
    // The same digests from optimised code, and the README's own command.
    cargo(
        "bits of a release build",
        &["test", "--release", "--quiet", "--package", "wayfare-scene", "--test", "bundled"],
        &[],
    )?;
    cargo(
        "the README's command",
        &["run", "--release", "--quiet", "--", "run", "doorway-separation"],
        &[],
    )?;
    cargo(
        "the example",
        &["run", "--release", "--quiet", "--package", "wayfare", "--example", "hunter_and_prey"],
        &[],
    )?;
    cargo(
        "docs",
        &["doc", "--workspace", "--no-deps", "--quiet"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    )?;
    web::web(&root())?;
    web::test(&root())?;
    println!("xtask: all is well");
    Ok(())
}

/// Runs cargo in the project's root.
fn cargo(what: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    println!("xtask: {what}: cargo {}", arguments.join(" "));
    let status = Command::new(cargo_itself())
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root())
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what} failed ({status})")),
        Err(error) => Err(format!("{what}: cargo could not be started: {error}")),
    }
}

/// Installs those of the packages that a Debian lacks. Elsewhere, and who may not: the test that
/// needs one says so.
fn install_missing(packages: &[&str]) {
    let there = |package: &&&str| {
        let output =
            Command::new("dpkg-query").args(["--show", "--showformat=${Status}", package]).output();
        output.is_ok_and(|output| output.stdout.ends_with(b" installed"))
    };
    let missing: Vec<&str> = packages.iter().filter(|package| !there(package)).copied().collect();
    if !missing.is_empty() {
        install(&missing);
    }
}

/// Installs packages of the system where that is possible without a question; whether it was is for
/// the caller to find out.
fn install(packages: &[&str]) {
    let is_root =
        Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.trim_ascii() == b"0");
    if is_root && Path::new("/usr/bin/apt-get").exists() {
        println!("xtask: installing {}", packages.join(" "));
        let quietly = |arguments: &[&str]| {
            Command::new("apt-get")
                .arg("--quiet=2")
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive")
                .status()
        };
        let _ = quietly(&["update"]);
        let _ = quietly(&[&["install", "--yes", "--no-install-recommends"], packages].concat());
    }
}

fn cargo_itself() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
