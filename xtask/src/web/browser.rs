//! The tests of the page in a real browser, against the digests of the native program.

use std::path::Path;
use std::process::Command;

use super::{run, tools};
use crate::stage::CANNOT_RUN;
use crate::system;

/// A scene of the folder `classic` is compared after so many ticks.
const TICKS: u64 = 600;
/// Most scenes of the other folders are compared after fewer: a browser without a graphics card
/// needs minutes for more ticks of a large crowd.
const FEW_TICKS: u64 = 20;
/// Of these small crowds enough ticks are compared that bodies touch and ways turn at corners.
const PEOPLE: [&str; 4] = ["doorway-150", "office-30", "ring-orca", "two-rooms"];
const PEOPLE_TICKS: u64 = 300;

/// The browser, which is installed where that is allowed.
pub(crate) fn chromium() -> Result<&'static str, String> {
    let found = || {
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
            .into_iter()
            .find(|path| Path::new(path).exists())
    };
    if found().is_none() {
        system::install(&["chromium"]);
    }
    found().ok_or_else(|| {
        format!("{CANNOT_RUN}there is no browser: {}", system::install_command(&["chromium"]))
    })
}

/// Tests the site in `target/web` beside the command at this path.
pub(crate) fn test(root: &Path, command: &Path) -> Result<(), String> {
    let chromium = chromium()?;
    let expected = root.join("target").join("web-digests.json");
    std::fs::write(&expected, native_digests(command)?)
        .map_err(|e| format!("{}: {e}", expected.display()))?;
    let snapshot = root.join("target").join("web-forage.snapshot");
    wayfare(
        command,
        &["run", "forage", "--ticks", "20", "--quiet", "-o", &snapshot.display().to_string()],
    )?;
    let report = root.join("target").join("web-report.html");
    wayfare(
        command,
        &["report", "doorway-150", "--ticks", "60", "-q", "-o", &report.display().to_string()],
    )?;
    println!("xtask: the page in {chromium}");
    let mut test = Command::new("node");
    test.arg(root.join("web/tests/gallery.mjs"))
        .arg(root.join("target/web"))
        .arg(&expected)
        .arg(&snapshot)
        .args(std::env::var_os("WAYFARE_SHOTS"));
    run(
        test.env("WAYFARE_NODE_MODULES", tools::playwright()?)
            .env("CHROMIUM", chromium)
            .env("WAYFARE_REPORT", report),
        "the browser tests",
    )
}

/// `{"scene": {"ticks": …, "digest": "…"}, …}` for every bundled scene, by the command.
fn native_digests(command: &Path) -> Result<String, String> {
    let mut entries = Vec::new();
    for (folder, name) in scenes(&wayfare(command, &["list"])?) {
        let ticks = match folder.as_str() {
            "classic" => TICKS,
            _ if PEOPLE.contains(&name.as_str()) => PEOPLE_TICKS,
            _ => FEW_TICKS,
        };
        let count = ticks.to_string();
        let output = wayfare(command, &["run", &name, "--ticks", &count, "--digest", "--quiet"])?;
        let digest = output.trim();
        if digest.len() != 16 {
            return Err(format!("{name}: `{digest}` is no digest"));
        }
        entries.push(format!("\"{name}\": {{\"ticks\": {ticks}, \"digest\": \"{digest}\"}}"));
    }
    if entries.is_empty() {
        return Err("`wayfare list` names no scene".to_string());
    }
    Ok(format!("{{{}}}", entries.join(", ")))
}

/// The folders and names of the bundled scenes in the output of `wayfare list`: a line with the
/// folder, then a line for each scene that begins with two spaces and its name.
fn scenes(list: &str) -> Vec<(String, String)> {
    let mut folder = "";
    let mut scenes = Vec::new();
    for line in list.lines().take_while(|line| !line.trim().is_empty()) {
        match line.strip_prefix("  ").and_then(|scene| scene.split_whitespace().next()) {
            Some(name) => scenes.push((folder.to_string(), name.to_string())),
            None => folder = line.trim(),
        }
    }
    scenes
}

/// The standard output of the command.
fn wayfare(command: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(command)
        .args(arguments)
        .output()
        .map_err(|e| format!("{} could not be started: {e}", command.display()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("`wayfare {}` failed: {text}", arguments.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scenes_of_the_list_are_read_with_their_folders() {
        let list = "classic\n  seek   Seek: one\n  flee   Flee\nbench\n  flock  Birds\n\nRun one\n";
        let named = |folder: &str, name: &str| (folder.to_string(), name.to_string());
        let expected =
            [named("classic", "seek"), named("classic", "flee"), named("bench", "flock")];
        assert_eq!(scenes(list), expected);
    }
}
