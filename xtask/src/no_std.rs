//! The library without `std`: it compiles where there is none, and gives the same results.

use std::path::Path;
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

/// The library without `std`, not optimized: that halves the time to compile it.
const WITHOUT: [&str; 5] = [
    "--no-default-features",
    "--features",
    "plane",
    "--config",
    "profile.dev.package.wayfare.opt-level=0",
];

/// Compares what examples print without `std` with those in the folder `with`.
pub(crate) fn compare(root: &Path, with: &Path) -> Result<(), String> {
    for example in EXAMPLES {
        let with = printed(&mut Command::new(with.join(example)), example)?;
        let mut without = Command::new(crate::cargo_program());
        without.args(["run", "--quiet", "--package", "wayfare", "--example", example]);
        let without = printed(without.args(WITHOUT).current_dir(root), example)?;
        if with != without {
            return Err(format!(
                "the example `{example}` prints without `std`\n{without}\nand with it\n{with}"
            ));
        }
    }
    Ok(())
}

/// The standard output of an example.
fn printed(run: &mut Command, example: &str) -> Result<String, String> {
    let output = run.output().map_err(|e| format!("`{example}` could not be started: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("`{example}` failed: {}", String::from_utf8_lossy(&output.stderr)))
}
