//! `cargo xtask bench`: instruction counts held against stored baselines, and `cargo xtask costs`:
//! the table of what behaviors cost. A clock on a busy machine cannot tell a regression of a few
//! percent; a count can.

use std::path::Path;
use std::process::Command;

use crate::baseline::Baseline;

/// Another patch of the compiler or another library of the system changes less.
const TOLERANCE: f64 = 3.0;
const UPDATE: &str = "cargo xtask bench --update";

/// The scenes and lists that are watched.
const SCENES: Baseline = Baseline {
    file: "crates/wayfare-scene/benches/counts.toml",
    what: "Instructions of each case in benches/counts.rs, x86-64 with AVX2",
    tolerance: TOLERANCE,
    update: UPDATE,
};
/// Each behavior, and each of its options.
const COSTS: Baseline = Baseline {
    file: "crates/wayfare-scene/benches/costs.toml",
    what: "Instructions of 1,000 agents in 16 ticks, each case of benches/costs, x86-64 with AVX2",
    tolerance: TOLERANCE,
    update: UPDATE,
};

/// The baselines, each with the packages and benchmarks that count for it.
const COUNTED: [(Baseline, &[[&str; 2]]); 2] = [
    (SCENES, &[["wayfare-scene", "counts"], ["bevy_wayfare", "counts"]]),
    (COSTS, &[["wayfare-scene", "costs"]]),
];

/// The page with the table of costs, and how the table begins.
const PAGE: &str = "docs/performance.md";
const TABLE: &str = "| list | instructions |";

/// Counts, and compares, or with `update` writes what was counted.
pub(crate) fn bench(root: &Path, update: bool) -> Result<(), String> {
    has_valgrind()?;
    println!("xtask: counting; this takes some minutes");
    let mut failed = Vec::new();
    for (baseline, benchmarks) in COUNTED {
        let mut counts = Vec::new();
        for benchmark in benchmarks {
            counts.extend(counts_in(&output_of(root, *benchmark, &[])?)?);
        }
        failed.extend(baseline.hold(root, &counts, update).err());
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// Times each behavior and prints the table, or with `update` writes it into the page.
pub(crate) fn costs(root: &Path, update: bool) -> Result<(), String> {
    println!("xtask: timing; this takes ten minutes, and other work disturbs it");
    let table = output_of(root, ["wayfare-scene", "costs"], &["table"])?;
    if !update {
        print!("{table}");
        return Ok(());
    }
    let path = root.join(PAGE);
    let failed = |e: std::io::Error| format!("{}: {e}", path.display());
    let page = std::fs::read_to_string(&path).map_err(failed)?;
    let no_table = || format!("{PAGE} has no table that begins with `{TABLE}`");
    let (before, rest) = page.split_once(TABLE).ok_or_else(no_table)?;
    let (_, after) = rest.split_once("\n\n").unwrap_or((rest, ""));
    std::fs::write(&path, format!("{before}{table}\n{after}")).map_err(failed)
}

/// The output of a benchmark with these arguments; its errors are shown as they come.
fn output_of(
    root: &Path,
    [package, bench]: [&str; 2],
    arguments: &[&str],
) -> Result<String, String> {
    let output = Command::new(crate::cargo_program())
        .args(["bench", "--quiet", "--package", package, "--bench", bench, "--"])
        .args(arguments)
        .current_dir(root)
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|e| format!("cargo could not be started: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("the benchmark `{bench}` of {package} failed ({})", output.status))
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

/// The cases and their instructions: a line with both for each.
fn counts_in(text: &str) -> Result<Vec<(String, u64)>, String> {
    let count = |line: &str| {
        let (name, count) = line.split_once(' ')?;
        Some((name.to_string(), count.parse().ok()?))
    };
    let found = text.lines().map(|line| count(line).ok_or(format!("no count: `{line}`")));
    let found: Vec<_> = found.collect::<Result<_, _>>()?;
    if found.is_empty() { Err("no counts were found".to_string()) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_a_name_and_a_number_in_a_line() {
        let text = "game_crowd 1000\nflock-field_of_view-270 200\n";
        let counts = [("game_crowd", 1000), ("flock-field_of_view-270", 200)];
        assert_eq!(counts_in(text), Ok(counts.map(|(name, n)| (name.to_string(), n)).to_vec()));
        assert!(counts_in("game_crowd\n").is_err() && counts_in("").is_err());
    }
}
