//! The library without `std`: it compiles where there is none, and gives the same results.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::compiler::Compiler;

/// A Cortex-M4F: 32 bits, `core` and `alloc` alone.
const TARGET: &str = "thumbv7em-none-eabihf";

/// An example that steers its own types by `Steering`, and one that prints digests of a crowd.
const EXAMPLES: [&str; 2] = ["enemy", "wolves"];

/// Checks the library for a machine without `std`.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let compiler = Compiler::find(TARGET)?;
    let mut cargo = Command::new(crate::cargo_program());
    cargo
        .args(["check", "--quiet", "--package", "wayfare", "--lib", "--no-default-features"])
        .args(["--features", "plane,space", "--target", TARGET])
        .arg("--target-dir")
        .arg(root.join("target").join("no-std"))
        .current_dir(root);
    // The code of `core` is not run: most of the time goes into its compilation, once.
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_DEV_DEBUG", "false");
    compiler.set(&mut cargo, "core,alloc");
    let status = cargo.status().map_err(|e| format!("cargo could not be started: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("the check for {TARGET} failed ({status})")) }
}

/// Compares what examples print without `std` with those in the folder `with`.
pub(crate) fn compare(root: &Path, with: &Path) -> Result<(), String> {
    let manifest = program(root)?;
    for example in EXAMPLES {
        let with = printed(&mut Command::new(with.join(example)), example)?;
        let mut without = Command::new(crate::cargo_program());
        without.args(["run", "--quiet", "--bin", example, "--manifest-path"]).arg(&manifest);
        let without = printed(without.current_dir(root), example)?;
        if with != without {
            return Err(format!(
                "the example `{example}` prints without `std`\n{without}\nand with it\n{with}"
            ));
        }
    }
    Ok(())
}

/// A program of the examples outside the workspace, which would build all that the library's tests
/// and benchmarks need. Returns its manifest.
fn program(root: &Path) -> Result<PathBuf, String> {
    let folder = root.join("target/no-std-examples");
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let library = root.join("crates/wayfare");
    let mut manifest = format!(
        "[package]\nname = \"no-std-examples\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [workspace]\n[dependencies.wayfare]\npath = {library:?}\n\
         default-features = false\nfeatures = [\"plane\"]\n"
    );
    for example in EXAMPLES {
        let path = root.join("examples").join(format!("{example}.rs"));
        manifest.push_str(&format!("[[bin]]\nname = \"{example}\"\npath = {path:?}\n"));
    }
    std::fs::write(folder.join("Cargo.toml"), manifest).map_err(failed)?;
    // The same versions as here.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).map_err(failed)?;
    Ok(folder.join("Cargo.toml"))
}

/// The standard output of an example.
fn printed(run: &mut Command, example: &str) -> Result<String, String> {
    let output = run.output().map_err(|e| format!("`{example}` could not be started: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("`{example}` failed: {}", String::from_utf8_lossy(&output.stderr)))
}
