//! `cargo xtask measures`: the measures of three scenes beside PedPy's, value by value.
//!
//! PedPy and what it needs are pinned in crates/wayfare-measure/tests/pedpy/requirements.txt, and
//! installed once into an environment of their own in the cache folder, outside the checkout.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::stages::CANNOT_RUN;
use crate::system;
use crate::web::{run as run_tool, tools};

/// The folder of the scenes, the script and the pinned versions.
const FOLDER: &str = "crates/wayfare-measure/tests/pedpy";

/// The scenes that are compared.
const SCENES: [&str; 3] = ["doorway", "corner", "counterflow"];

/// Runs each scene and compares its measures with PedPy's of its trajectories.
pub(crate) fn compare(root: &Path) -> Result<(), String> {
    let folder = root.join(FOLDER);
    let python = environment(&folder.join("requirements.txt"))?;
    let outputs = root.join("target/pedpy");
    std::fs::create_dir_all(&outputs).map_err(|e| format!("{}: {e}", outputs.display()))?;
    for name in SCENES {
        println!("xtask: {name}, beside PedPy");
        let scene = folder.join(format!("{name}.toml")).display().to_string();
        let output = |extension: &str| outputs.join(name).with_extension(extension);
        let (trajectory, table) = (output("txt"), output("csv"));
        let (trajectory, table) = (trajectory.display().to_string(), table.display().to_string());
        let run = ["run", "--quiet", "--package", "wayfare-cli", "--", "run", "--quiet"];
        crate::cargo(&[&run[..], &[&scene, "--measures", &table, "-o", &trajectory]].concat())?;
        let mut compare = Command::new(&python);
        compare.arg(folder.join("compare.py")).args([&scene, &trajectory, &table]);
        run_tool(&mut compare, &format!("the comparison of {name}"))?;
    }
    Ok(())
}

/// The Python of an environment with the pinned packages, which is made on the first call and again
/// when the versions change.
fn environment(requirements: &Path) -> Result<PathBuf, String> {
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let pinned = std::fs::read_to_string(requirements).map_err(|e| failed(requirements, e))?;
    let folder = tools::cache()?.join("pedpy");
    let (python, complete) = (folder.join("bin/python"), folder.join("complete"));
    // Written last, so that an interrupted installation is done again.
    if std::fs::read_to_string(&complete).is_ok_and(|there| there == pinned) {
        return Ok(python);
    }
    println!("xtask: installing PedPy, once");
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(&folder);
    run_tool(&mut make, "making an environment of Python").map_err(|text| {
        format!("{CANNOT_RUN}{text}: {}", system::install_command(&["python3", "python3-venv"]))
    })?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]);
    run_tool(install.arg(requirements), "installing PedPy (pip)")?;
    std::fs::write(&complete, pinned).map_err(|e| failed(&complete, e))?;
    Ok(python)
}
