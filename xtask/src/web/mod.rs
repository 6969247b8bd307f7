//! `cargo xtask web`: the viewer as a static site in `target/web/`.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::compiler::Compiler;

mod browser;
pub(crate) mod tools;

pub(crate) use browser::test;

const TARGET: &str = "wasm32-unknown-unknown";
/// What wasm-opt may use: what all browsers of the last years have. Debian's version 108 of it and
/// the features that it turns on by itself do not fit.
const FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-simd",
];
/// The largest module for a visitor to fetch (bytes, compressed): a larger one fails the build, so
/// that growth is a decision.
const LARGEST: usize = 4_000_000;

/// Builds the site.
pub(crate) fn build(root: &Path) -> Result<(), String> {
    let compiler = Compiler::find(TARGET)?;
    let build = root.join("target").join("web-build");
    let mut cargo = Command::new(crate::cargo_program());
    cargo
        .args(["build", "--profile", "web", "--quiet", "--package", "wayfare-view", "--lib"])
        .args(["--target", TARGET])
        .arg("--target-dir")
        .arg(&build);
    cargo.env("RUSTFLAGS", "-C target-feature=+simd128").current_dir(root);
    compiler.set(&mut cargo, "std,panic_abort");
    println!("xtask: compiling the viewer for the web");
    run(&mut cargo, "compiling")?;

    let site = root.join("target").join("web");
    let fresh = root.join("target").join("web-next");
    make_empty(&fresh)?;
    let module = build.join(TARGET).join("web").join("wayfare_view.wasm");
    println!("xtask: binding and optimising the module");
    let mut bind = Command::new(tools::wasm_bindgen()?);
    bind.args(["--target", "web", "--no-typescript", "--out-name", "wayfare", "--out-dir"])
        .arg(&fresh)
        .arg(&module);
    run(&mut bind, "wasm-bindgen")?;
    let bound = fresh.join("wayfare_bg.wasm");
    let mut optimise = Command::new("node");
    optimise.arg(tools::wasm_opt()?).arg("-O2").args(FEATURES).arg(&bound).arg("-o").arg(&bound);
    run(&mut optimise, "wasm-opt")?;
    std::fs::copy(root.join("web").join("index.html"), fresh.join("index.html"))
        .map_err(|e| format!("web/index.html: {e}"))?;
    let (size, compressed) = sizes(&bound)?;
    if compressed > LARGEST {
        return Err(format!(
            "the module is {compressed} bytes compressed; allowed: up to {LARGEST}"
        ));
    }
    // The site is replaced as a whole, so that a failed build leaves the last one.
    let _ = std::fs::remove_dir_all(&site);
    std::fs::rename(&fresh, &site).map_err(|e| format!("{}: {e}", site.display()))?;
    println!(
        "xtask: the site is in target/web; its module has {size} bytes, {compressed} compressed"
    );
    println!(
        "xtask: any server can serve it, for example `python3 -m http.server --directory \
         target/web`"
    );
    Ok(())
}

fn make_empty(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

/// The size of a file in bytes, as it is and compressed as servers do it.
fn sizes(file: &Path) -> Result<(u64, usize), String> {
    let size = std::fs::metadata(file).map_err(|e| format!("{}: {e}", file.display()))?.len();
    let output = Command::new("gzip")
        .args([OsString::from("-9c"), file.into()])
        .output()
        .map_err(|e| format!("gzip: {e}"))?;
    Ok((size, output.stdout.len()))
}

pub(crate) fn run(command: &mut Command, what: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what} failed ({status})")),
        Err(error) => {
            let program = command.get_program().to_string_lossy();
            let hint = if program == "node" || program == "npm" {
                "; it comes with Node.js (Debian: `sudo apt-get install nodejs npm`)"
            } else {
                ""
            };
            Err(format!("{what}: {program} could not be started: {error}{hint}"))
        }
    }
}
