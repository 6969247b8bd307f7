//! `cargo xtask web`: the viewer as a static site in `target/web/`.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use crate::compiler::Compiler;

mod browser;
pub(crate) mod tools;

pub(crate) use browser::{chromium, test};

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

/// The files of the gallery's start page, and their names there.
const START: [(&str, &str); 3] = [
    ("web/index.html", "index.html"),
    ("docs/scenes-contact-sheet.png", "scenes.png"),
    ("crates/wayfare-cli/src/starter.toml", "starter.toml"),
];

/// Builds the gallery in `target/web`, and the module of the book's demos in `target/demo`.
pub(crate) fn build(root: &Path) -> Result<(), String> {
    let compiler = Compiler::find(TARGET)?;
    let fresh = root.join("target").join("web-next");
    println!("xtask: compiling the viewer for the web");
    let (size, compressed) = module(root, &compiler, ("wayfare-view", "wayfare"), &fresh)?;
    if compressed > LARGEST {
        return Err(format!(
            "the module is {compressed} bytes compressed; allowed: up to {LARGEST}"
        ));
    }
    for (file, name) in START {
        std::fs::copy(root.join(file), fresh.join(name)).map_err(|e| format!("{file}: {e}"))?;
    }
    put(&fresh, &root.join("target").join("web"))?;
    println!(
        "xtask: the site is in target/web; its module has {size} bytes, {compressed} compressed"
    );
    println!(
        "xtask: any server can serve it, for example `python3 -m http.server --directory \
         target/web`"
    );
    println!("xtask: compiling the demos of the book");
    let (size, compressed) = module(root, &compiler, ("wayfare-demo", "wayfare_demo"), &fresh)?;
    put(&fresh, &root.join("target").join("demo"))?;
    println!("xtask: the module of the demos has {size} bytes, {compressed} compressed");
    Ok(())
}

/// Compiles the library of a package for the web into an empty folder, with the JavaScript that
/// loads it. Returns its size and its compressed size (bytes).
fn module(
    root: &Path,
    compiler: &Compiler,
    (package, name): (&str, &str),
    folder: &Path,
) -> Result<(u64, usize), String> {
    let build = root.join("target").join("web-build");
    let mut cargo = Command::new(crate::cargo_program());
    cargo
        .args(["build", "--profile", "web", "--quiet", "--package", package, "--lib"])
        .args(["--target", TARGET])
        .arg("--target-dir")
        .arg(&build);
    cargo.env("RUSTFLAGS", "-C target-feature=+simd128").current_dir(root);
    compiler.set(&mut cargo, "std,panic_abort");
    run(&mut cargo, "compiling")?;
    make_empty(folder)?;
    let library = format!("{}.wasm", package.replace('-', "_"));
    let mut bind = Command::new(tools::wasm_bindgen()?);
    bind.args(["--target", "web", "--no-typescript", "--out-name", name, "--out-dir"])
        .arg(folder)
        .arg(build.join(TARGET).join("web").join(library));
    run(&mut bind, "wasm-bindgen")?;
    let bound = folder.join(format!("{name}_bg.wasm"));
    let mut optimise = Command::new("node");
    optimise.arg(tools::wasm_opt()?).arg("-O2").args(FEATURES).arg(&bound).arg("-o").arg(&bound);
    run(&mut optimise, "wasm-opt")?;
    sizes(&bound)
}

/// Puts a folder in the place of another as a whole, so that a failed build leaves the last one.
pub(crate) fn put(fresh: &Path, place: &Path) -> Result<(), String> {
    let _ = std::fs::remove_dir_all(place);
    std::fs::rename(fresh, place).map_err(|e| format!("{}: {e}", place.display()))
}

pub(crate) fn make_empty(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

/// The size of a file in bytes, as it is and compressed as servers do it.
pub(crate) fn sizes(file: &Path) -> Result<(u64, usize), String> {
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
