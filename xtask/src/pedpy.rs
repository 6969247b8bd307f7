//! The stage `measures`: the measures of three scenes beside PedPy's, value by value, and the
//! trajectories of one as PedPy, pandas, DuckDB and polars read them.
//!
//! PedPy and what it needs are pinned in crates/wayfare-measure/tests/pedpy/requirements.txt.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::python;
use crate::web::run as run_tool;

/// The folder of the scenes, the script and the pinned versions.
const FOLDER: &str = "crates/wayfare-measure/tests/pedpy";

/// The scenes that are compared.
const SCENES: [&str; 3] = ["doorway", "corner", "counterflow"];

/// Runs each scene and compares its measures with PedPy's of its trajectories.
pub(crate) fn compare(root: &Path, wayfare: &Path) -> Result<(), String> {
    let folder = root.join(FOLDER);
    let python = environment(root)?;
    let outputs = root.join("target/pedpy");
    std::fs::create_dir_all(&outputs).map_err(|e| format!("{}: {e}", outputs.display()))?;
    for name in SCENES {
        println!("xtask: {name}, beside PedPy");
        let scene = folder.join(format!("{name}.toml")).display().to_string();
        let output = |extension: &str| outputs.join(name).with_extension(extension);
        let (trajectory, table) = (output("txt"), output("csv"));
        let (trajectory, table) = (trajectory.display().to_string(), table.display().to_string());
        let mut run = Command::new(wayfare);
        run.args(["run", "--quiet", &scene, "--measures", &table, "-o", &trajectory]);
        run_tool(run.current_dir(root), &format!("the run of {name}"))?;
        let mut compare = Command::new(&python);
        compare.arg(folder.join("compare.py")).args([&scene, &trajectory, &table]);
        run_tool(&mut compare, &format!("the comparison of {name}"))?;
    }
    read(root, (&folder, &python), wayfare, &outputs.join("run"))
}

/// The Python with PedPy.
pub(crate) fn environment(root: &Path) -> Result<PathBuf, String> {
    python::environment("pedpy", &root.join(FOLDER).join("requirements.txt"))
}

/// Reads the trajectories of a run in all formats.
fn read(
    root: &Path,
    (folder, python): (&Path, &Path),
    wayfare: &Path,
    run: &Path,
) -> Result<(), String> {
    println!("xtask: trajectories, read by PedPy, pandas, DuckDB and polars");
    let scene = folder.join(SCENES[0]).with_extension("toml").display().to_string();
    let paths = ["csv", "parquet", "sqlite", "txt"]
        .map(|extension| run.with_extension(extension).display().to_string());
    let outputs: Vec<&str> = paths.iter().flat_map(|path| ["-o", path]).collect();
    let mut command = Command::new(wayfare);
    command.args(["run", "--quiet", &scene]).args(outputs).current_dir(root);
    run_tool(&mut command, "the run in all formats")?;
    let mut readers = Command::new(python);
    readers.arg(folder.join("readers.py")).arg(run).current_dir(root);
    run_tool(&mut readers, "reading the trajectories")
}
