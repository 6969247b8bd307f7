//! Environments of Python with pinned packages, in the cache folder outside the checkout.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::stage::CANNOT_RUN;
use crate::system;
use crate::web::{run as run_tool, tools};

/// The Python of the environment `name` with the pinned packages, which is made on the first call
/// and again when the versions change.
pub(crate) fn environment(name: &str, requirements: &Path) -> Result<PathBuf, String> {
    // Two lanes of stages may need the same one.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let pinned = std::fs::read_to_string(requirements).map_err(|e| failed(requirements, e))?;
    let folder = tools::cache()?.join(name);
    let (python, complete) = (folder.join("bin/python"), folder.join("complete"));
    // Written last, so that an interrupted installation is done again.
    if std::fs::read_to_string(&complete).is_ok_and(|there| there == pinned) {
        return Ok(python);
    }
    println!("xtask: installing the packages of {name}, once");
    let mut make = Command::new("python3");
    make.args(["-m", "venv", "--clear"]).arg(&folder);
    run_tool(&mut make, "making an environment of Python").map_err(|text| {
        format!("{CANNOT_RUN}{text}: {}", system::install_command(&["python3", "python3-venv"]))
    })?;
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]);
    run_tool(install.arg(requirements), "installing packages of Python (pip)")?;
    std::fs::write(&complete, pinned).map_err(|e| failed(&complete, e))?;
    Ok(python)
}

/// The folder of the package for Python.
const FOLDER: &str = "crates/wayfare-python";

/// Builds the wheel by a profile of cargo, and installs it for `python`, which has maturin.
pub(crate) fn install_wheel(root: &Path, python: &Path, profile: &str) -> Result<(), String> {
    let wheels = root.join("target/wheels").join(profile);
    // Wheels of other versions would be installed as well.
    let _ = std::fs::remove_dir_all(&wheels);
    let mut build = module(root, python, "maturin");
    build.args(["build", "--quiet", "--profile", profile, "--out"]).arg(&wheels);
    build.arg("--target-dir").arg(root.join("target"));
    if profile == "dev" {
        // No other build of the tests has this package.
        crate::checks::set_clippy(&mut build)?;
    }
    run_tool(&mut build, "building the wheel (maturin)")?;
    let wheel = std::fs::read_dir(&wheels).map_err(|e| format!("{}: {e}", wheels.display()))?;
    let wheel = wheel.flatten().next().ok_or("maturin has made no wheel")?.path();
    let mut install = module(root, python, "pip");
    install.args(["install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
    run_tool(install.arg("--force-reinstall").arg(wheel), "installing the wheel (pip)")
}

/// A module of Python as a command in the folder of the package.
fn module(root: &Path, python: &Path, name: &str) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", name]).current_dir(root.join(FOLDER));
    command
}

/// Builds the wheel, installs it, and tests it: by mypy, and by pytest beside the command at the
/// path `wayfare`.
pub(crate) fn test_wheel(root: &Path, wayfare: &Path) -> Result<(), String> {
    let python = test_environment(root)?;
    install_wheel(root, &python, "dev")?;
    let mut types = module(root, &python, "mypy");
    run_tool(types.arg("python/wayfare"), "the types of the package (mypy)")?;
    let mut test = module(root, &python, "pytest");
    test.args(["--quiet", "-p", "no:cacheprovider", "tests"]);
    // Outside the sources, so that what is tested is what the wheel has.
    test.env("WAYFARE", wayfare).env("PYTHONDONTWRITEBYTECODE", "1");
    run_tool(&mut test, "the tests of the package (pytest)")
}

/// Measures what the package costs beside the command, and prints it.
pub(crate) fn bench_wheel(root: &Path) -> Result<(), String> {
    let python = test_environment(root)?;
    let wayfare = crate::release_command()?;
    install_wheel(root, &python, "release")?;
    let mut bench = Command::new(&python);
    bench.arg(root.join(FOLDER).join("benches/cost.py"));
    run_tool(bench.arg(wayfare), "the benchmark of the package")
}

/// The Python in which the package is tested.
pub(crate) fn test_environment(root: &Path) -> Result<PathBuf, String> {
    environment("python", &root.join(FOLDER).join("tests/requirements.txt"))
}
