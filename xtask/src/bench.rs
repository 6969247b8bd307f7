//! `cargo xtask bench`: instruction counts held against a stored baseline. A clock on a busy
//! machine cannot tell a regression of a few percent; a count can.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::baseline::Baseline;

/// Of the runner; the library that the manifests of these packages name must be the same.
const GUNGRAUN: &str = "0.20.0";

/// Another patch of the compiler or another library of the system changes less.
const BASELINE: Baseline = Baseline {
    file: "crates/wayfare-scene/benches/counts.toml",
    what: "Instructions of each case in benches/counts.rs, x86-64 with AVX2",
    tolerance: 3.0,
    update: "cargo xtask bench --update",
};

/// The packages with a benchmark `counts`.
const PACKAGES: [&str; 2] = ["wayfare-scene", "bevy_wayfare"];

/// Counts, and compares, or with `update` writes what was counted.
pub(crate) fn bench(root: &Path, update: bool) -> Result<(), String> {
    has_valgrind()?;
    let runner = runner(root)?;
    println!("xtask: counting; this takes a minute or two");
    let mut counts = Vec::new();
    for package in PACKAGES {
        counts.extend(count(root, &runner, package)?);
    }
    if counts.is_empty() {
        return Err("no counts were found".to_string());
    }
    BASELINE.hold(root, &counts, update)
}

/// Runs the benchmark of a package, and returns what it counted.
fn count(root: &Path, runner: &Path, package: &str) -> Result<Vec<(String, u64)>, String> {
    let output = Command::new(crate::cargo_program())
        .args(["bench", "--quiet", "--package", package, "--bench", "counts"])
        .current_dir(root)
        .envs([("GUNGRAUN_RUNNER", runner.as_os_str()), ("GUNGRAUN_COLOR", "never".as_ref())])
        .output()
        .map_err(|e| format!("cargo could not be started: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        return Ok(counts(&text));
    }
    let error = String::from_utf8_lossy(&output.stderr);
    Err(format!("counting failed ({})\n{text}{error}", output.status))
}

/// Installs valgrind where that is possible without a question.
fn has_valgrind() -> Result<(), String> {
    let there =
        || Command::new("valgrind").arg("--version").output().is_ok_and(|o| o.status.success());
    if there() {
        return Ok(());
    }
    crate::system::install(&["valgrind"]);
    if there() {
        return Ok(());
    }
    Err("there is no valgrind: install the package `valgrind` of your system (Debian: apt-get \
         install valgrind)"
        .to_string())
}

/// The program that starts valgrind for each case; built into target/ once.
fn runner(root: &Path) -> Result<PathBuf, String> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |t| root.join(t));
    let folder = target.join(format!("tools/gungraun-{GUNGRAUN}"));
    let runner = folder.join("bin/gungraun-runner");
    if !runner.exists() {
        let folder = folder.display().to_string();
        // It only starts other programs: a quick build is enough.
        let arguments = [
            "install",
            "gungraun-runner",
            "--version",
            GUNGRAUN,
            "--locked",
            "--debug",
            "--quiet",
            "--root",
            &folder,
        ];
        crate::cargo(&arguments)?;
    }
    Ok(runner)
}

/// The cases and their instructions, in the runner's words: a line with the name of each, and below
/// it one with its instructions.
fn counts(text: &str) -> Vec<(String, u64)> {
    let (mut counts, mut case) = (Vec::new(), None);
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("counts::") {
            case = name
                .split_whitespace()
                .nth(1)
                .and_then(|id| id.split(':').next())
                .map(str::to_string);
        } else if let Some(rest) = line.trim_start().strip_prefix("Instructions:")
            && let Some(count) = rest.split('|').next().and_then(|count| count.trim().parse().ok())
            && let Some(case) = case.take()
        {
            counts.push((case, count));
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Vec<(String, u64)> {
        vec![("game_crowd".to_string(), 1_000), ("chase".to_string(), 200)]
    }

    #[test]
    fn counts_are_found_in_what_the_runner_says() {
        let text = "counts::ticks::ten_ticks game_crowd:(crowd(\"x\"))\n  Instructions:   \
                    1000|N/A    (****)\n  L1 Hits:  7|N/A\ncounts::ticks::one_tick \
                    chase:(crowd(\"y\"))\n  Instructions:   200|210   (-4.7%) [-1.05x]\n";
        assert_eq!(counts(text), some());
    }
}
