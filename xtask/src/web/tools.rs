//! The tools that the page is built and tested with: pinned versions, fetched once into a cache
//! folder that outlives the checkout.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::run;

const AXE: &str = "4.14.1";
const BINARYEN: &str = "132.0.0";
/// The library that drives the browser; it fetches no browser of its own.
const PLAYWRIGHT: &str = "1.64.1";

/// Installs all of them, so that no test waits for one.
pub(crate) fn all() -> Result<(), String> {
    let tools = [wasm_opt, playwright, axe, pages];
    tools.into_iter().try_for_each(|tool| tool().map(drop))
}

/// The program that writes a module's JavaScript and makes the pages of the book, of the versions
/// that `web/tools` names. It is built again when a file there changes.
pub(crate) fn pages() -> Result<PathBuf, String> {
    let (source, folder) = (crate::root().join("web/tools"), cache()?.join("page-tools"));
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let read = |name: &str| {
        let path = source.join(name);
        std::fs::read_to_string(&path).map_err(|e| failed(&path, e))
    };
    let built = read("Cargo.lock")? + &read("Cargo.toml")? + &read("src/main.rs")?;
    // Written last, so that an interrupted build is done again.
    let complete = folder.join("complete");
    if !std::fs::read_to_string(&complete).is_ok_and(|there| there == built) {
        println!("xtask: building the tools of the pages, once");
        let mut install = Command::new(crate::cargo_program());
        install.args(["install", "--quiet", "--locked", "--force", "--path"]).arg(&source);
        install.arg("--root").arg(&folder);
        install.arg("--target-dir").arg(crate::root().join("target/page-tools"));
        run(&mut install, "building the tools of the pages")?;
        std::fs::write(&complete, built).map_err(|e| failed(&complete, e))?;
    }
    Ok(folder.join("bin/page-tools"))
}

/// The script of the optimiser wasm-opt.
pub(crate) fn wasm_opt() -> Result<PathBuf, String> {
    let folder = npm(&format!("binaryen-{BINARYEN}"), &format!("binaryen@{BINARYEN}"))?;
    Ok(folder.join("binaryen/bin/wasm-opt"))
}

/// The folder of Node's modules with the library that drives the browser.
pub(crate) fn playwright() -> Result<PathBuf, String> {
    npm(&format!("playwright-{PLAYWRIGHT}"), &format!("playwright-core@{PLAYWRIGHT}"))
}

/// The script that checks pages for accessibility.
pub(crate) fn axe() -> Result<PathBuf, String> {
    let folder = npm(&format!("axe-core-{AXE}"), &format!("axe-core@{AXE}"))?;
    Ok(folder.join("axe-core/axe.min.js"))
}

pub(crate) fn cache() -> Result<PathBuf, String> {
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    let folder = cache.unwrap_or_else(std::env::temp_dir).join("wayfare");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

/// The folder `node_modules` with the package, which is installed there on the first call.
fn npm(folder: &str, package: &str) -> Result<PathBuf, String> {
    let folder = cache()?.join(folder);
    let modules = folder.join("node_modules");
    // Written last, so that an interrupted installation is done again.
    let complete = folder.join("complete");
    if !complete.exists() {
        println!("xtask: fetching {package}, once");
        install(&folder, package)?;
        std::fs::write(&complete, "").map_err(|e| format!("{}: {e}", complete.display()))?;
    }
    Ok(modules)
}

/// Installs a package; npm's own messages reach the terminal, as they give the reason of a failure.
fn install(folder: &Path, package: &str) -> Result<(), String> {
    let mut install = Command::new("npm");
    install
        .args(["install", "--loglevel", "warn", "--no-audit", "--no-fund", "--prefix"])
        .arg(folder)
        .arg(package);
    run(&mut install, &format!("installing {package} (npm)"))
}
