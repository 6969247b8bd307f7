//! `cargo xtask measures`: the measures of three scenes beside PedPy's, value by value, and the
//! trajectories of one as PedPy, pandas, DuckDB and polars read them.
//!
//! PedPy and what it needs are pinned in crates/wayfare-measure/tests/pedpy/requirements.txt.

use std::path::Path;
use std::process::Command;

use crate::python;
use crate::web::run as run_tool;

/// The folder of the scenes, the script and the pinned versions.
const FOLDER: &str = "crates/wayfare-measure/tests/pedpy";

/// The scenes that are compared.
const SCENES: [&str; 3] = ["doorway", "corner", "counterflow"];

/// Runs each scene and compares its measures with PedPy's of its trajectories.
pub(crate) fn compare(root: &Path) -> Result<(), String> {
    let folder = root.join(FOLDER);
    let python = python::environment("pedpy", &folder.join("requirements.txt"))?;
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
    read(root, &folder, &python, &outputs.join("run"))
}

/// Reads the trajectories of a run in all formats.
fn read(root: &Path, folder: &Path, python: &Path, run: &Path) -> Result<(), String> {
    println!("xtask: trajectories, read by PedPy, pandas, DuckDB and polars");
    let scene = folder.join(SCENES[0]).with_extension("toml").display().to_string();
    let paths = ["csv", "parquet", "sqlite", "txt"]
        .map(|extension| run.with_extension(extension).display().to_string());
    let outputs: Vec<&str> = paths.iter().flat_map(|path| ["-o", path]).collect();
    let begin = ["run", "--quiet", "--package", "wayfare-cli", "--", "run", "--quiet", &scene];
    crate::cargo(&[&begin[..], &outputs].concat())?;
    let mut readers = Command::new(python);
    readers.arg(folder.join("readers.py")).arg(run).current_dir(root);
    run_tool(&mut readers, "reading the trajectories")
}
