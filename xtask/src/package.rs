//! The stage `packages`: the packages that a registry would get, and the command built from them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates that are published, each before those that depend on it.
const CRATES: [&str; 9] = [
    "wayfare",
    "wayfare-measure",
    "wayfare-scene",
    "wayfare-record",
    "wayfare-study",
    "wayfare-cli",
    "wayfare-cluster",
    "wayfare-view",
    "bevy_wayfare",
];

/// The scene that is run, and for how many ticks.
const RUN: [&str; 6] = ["run", "seek", "--ticks", "100", "--digest", "--quiet"];

/// Packages all crates, unpacks them outside the workspace, and runs a bundled scene with the
/// command that is built from the packages: its digest is that of the workspace's own build, the
/// command at the path `wayfare`.
pub(crate) fn check(root: &Path, wayfare: &Path) -> Result<(), String> {
    let packages: Vec<&str> = CRATES.iter().flat_map(|name| ["--package", name]).collect();
    let arguments = ["package", "--no-verify", "--allow-dirty", "--quiet"];
    crate::cargo(&[&arguments[..], &packages].concat())?;

    // The command of the packages comes into its place.
    let own = output(Command::new(wayfare).args(RUN))?;
    let folder = std::env::temp_dir().join(format!("wayfare-packages-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let result = run_unpacked(root, &folder);
    let _ = std::fs::remove_dir_all(&folder);
    let digest = result?;
    if digest.len() == 16 && digest == own {
        return Ok(());
    }
    Err(format!("the command built from the packages gives `{digest}`, the workspace's `{own}`"))
}

/// The output of the command that is built from the packages, unpacked into `folder`.
fn run_unpacked(root: &Path, folder: &Path) -> Result<String, String> {
    let version = env!("CARGO_PKG_VERSION");
    for name in CRATES {
        let file = root.join("target/package").join(format!("{name}-{version}.crate"));
        output(Command::new("tar").arg("-xzf").arg(&file).arg("-C").arg(folder))?;
    }
    let unpacked = |name: &str| -> PathBuf { folder.join(format!("{name}-{version}")) };
    let settings = folder.join(".cargo");
    let written = std::fs::create_dir_all(&settings)
        .and_then(|()| std::fs::write(settings.join("config.toml"), profile(root)?));
    written.map_err(|e| format!("{}: {e}", settings.display()))?;
    let mut run = Command::new(crate::cargo_program());
    run.args(["run", "--release", "--quiet", "--target-dir"]).arg(root.join("target"));
    run.arg("--manifest-path").arg(unpacked("wayfare-cli").join("Cargo.toml"));
    for name in &CRATES[..5] {
        let path = unpacked(name).display().to_string();
        run.arg("--config").arg(format!("patch.crates-io.{name}.path={path:?}"));
    }
    // Outside the workspace, so that nothing of it is found by accident.
    output(run.arg("--").args(RUN).current_dir(folder))
}

/// The profile of the workspace's command, so that its dependencies are not built again. The
/// packages run for a moment, so they are not optimized.
fn profile(root: &Path) -> std::io::Result<String> {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml"))?;
    let sections = manifest.split("\n[").filter(|section| {
        section.starts_with("profile.release") && !section.starts_with("profile.release.package.w")
    });
    let mut settings: String = sections.map(|section| format!("[{section}\n")).collect();
    for name in &CRATES[..6] {
        settings += &format!("[profile.release.package.{name}]\nopt-level = 0\n");
    }
    Ok(settings)
}

/// The standard output of a program; an error with its messages if it fails.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{program} could not be started: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_string());
    }
    Err(format!("{program} failed: {}", String::from_utf8_lossy(&output.stderr)))
}
