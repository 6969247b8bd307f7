//! Environments of Python with pinned packages, in the cache folder outside the checkout.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::stages::CANNOT_RUN;
use crate::system;
use crate::web::{run as run_tool, tools};

/// The Python of the environment `name` with the pinned packages, which is made on the first call
/// and again when the versions change.
pub(crate) fn environment(name: &str, requirements: &Path) -> Result<PathBuf, String> {
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
