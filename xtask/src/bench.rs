//! `cargo xtask bench`: instruction counts held against a stored baseline. A clock on a busy
//! machine cannot tell a regression of a few percent; a count can.

use std::path::{Path, PathBuf};
use std::process::Command;

use toml::de::{DeTable, DeValue};

/// Of the runner; the library that the manifests of these packages name must be the same.
const GUNGRAUN: &str = "0.20.0";

/// The counts that the next ones are held against.
const BASELINE: &str = "crates/wayfare-scene/benches/counts.toml";

/// The packages with a benchmark `counts`.
const PACKAGES: [&str; 2] = ["wayfare-scene", "bevy_wayfare"];

/// More than this above the baseline fails (percent): another patch of the compiler or another
/// library of the system changes less.
const TOLERANCE: f64 = 3.0;

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
    let path = root.join(BASELINE);
    if update {
        println!("{}", told(&counts, &counts).0);
        return std::fs::write(&path, written(&counts))
            .map_err(|e| format!("{}: {e}", path.display()));
    }
    let stored = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (table, wrong) =
        told(&counts, &read(&stored).map_err(|e| format!("{}: {e}", path.display()))?);
    println!("{table}");
    if wrong.is_empty() {
        println!("xtask: no count is more than {TOLERANCE} % above its baseline");
        return Ok(());
    }
    Err(format!(
        "{}\nif that is meant, `cargo xtask bench --update` renews the baseline; say why in the \
         commit",
        wrong.join("\n")
    ))
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

/// The table for a person, and what is wrong.
fn told(counts: &[(String, u64)], baseline: &[(String, u64)]) -> (String, Vec<String>) {
    let mut table =
        format!("{:<24} {:>15} {:>15} {:>8}", "instructions", "now", "baseline", "change");
    let mut wrong = Vec::new();
    for (case, now) in counts {
        let Some((_, before)) = baseline.iter().find(|(name, _)| name == case) else {
            table.push_str(&format!("\n{case:<24} {now:>15} {:>15}", "-"));
            wrong.push(format!("`{case}` has no baseline"));
            continue;
        };
        let change = (*now as f64 / *before as f64 - 1.0) * 100.0;
        table.push_str(&format!("\n{case:<24} {now:>15} {before:>15} {change:>+6.1} %"));
        if change > TOLERANCE {
            wrong.push(format!(
                "`{case}` takes {change:.1} % more instructions than its baseline; allowed: \
                 {TOLERANCE} %"
            ));
        }
    }
    for (case, _) in baseline.iter().filter(|(case, _)| counts.iter().all(|(name, _)| name != case))
    {
        wrong.push(format!("`{case}` has a baseline and was not counted"));
    }
    (table, wrong)
}

fn read(text: &str) -> Result<Vec<(String, u64)>, String> {
    let table = DeTable::parse(text).map_err(|e| e.to_string())?.into_inner();
    let count = |value: &DeValue<'_>| {
        value.as_integer().and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok())
    };
    table
        .iter()
        .map(|(name, value)| {
            Ok((
                name.get_ref().to_string(),
                count(value.get_ref()).ok_or(format!("`{}` is no count", name.get_ref()))?,
            ))
        })
        .collect()
}

fn written(counts: &[(String, u64)]) -> String {
    let lines: String = counts.iter().map(|(case, count)| format!("{case} = {count}\n")).collect();
    format!(
        "# Instructions of each case in benches/counts.rs, x86-64 with AVX2. Written by `cargo \
         xtask bench --update`.\n{lines}"
    )
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

    #[test]
    fn a_baseline_is_read_as_it_was_written() {
        let mut read = read(&written(&some())).unwrap();
        read.sort_by_key(|(_, count)| core::cmp::Reverse(*count));
        assert_eq!(read, some());
    }

    #[test]
    fn more_than_the_tolerance_is_wrong_and_so_is_a_case_without_its_other_half() {
        let with =
            |chase: u64| vec![("game_crowd".to_string(), 1_000), ("chase".to_string(), chase)];
        assert!(told(&with(205), &some()).1.is_empty() && told(&with(20), &some()).1.is_empty());
        assert!(told(&with(207), &some()).1[0].contains("`chase` takes 3.5 % more"));
        assert!(
            told(&some()[..1], &some()).1[0].contains("`chase` has a baseline and was not counted")
        );
        assert!(told(&some(), &some()[..1]).1[0].contains("`chase` has no baseline"));
    }
}
