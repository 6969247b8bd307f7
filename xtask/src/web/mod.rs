//! `cargo xtask web`: the viewer as a static site in `target/web/`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use toml::de::DeTable;

use crate::compiler::Compiler;

mod browser;
pub(crate) mod tools;

pub(crate) use browser::{chromium, test};

const TARGET: &str = "wasm32-unknown-unknown";
/// The features that wasm-opt may use: those of all browsers of the last years. Debian's version
/// 108 of it and the features that it turns on by itself do not fit.
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

/// What wasm-opt does. Inlining is left to the compiler: here it takes half of the time, and the
/// compressed module is larger with it, as with shared subexpressions and single assignments.
/// Functions in the order of their names compress best: instances of one function are alike.
const PASSES: [&str; 5] = [
    "-Os",
    "--skip-pass=inlining-optimizing",
    "--skip-pass=local-cse",
    "--skip-pass=ssa-nomerge",
    "--reorder-functions-by-name",
];

/// The files of the gallery's start page, and their names there.
const START: [(&str, &str); 2] =
    [("web/index.html", "index.html"), ("crates/wayfare-cli/src/starter.toml", "starter.toml")];
/// The pictures of all scenes, which become a file for each.
const SHEET: &str = "docs/scenes-contact-sheet.png";

/// A module for a page: the package, the name of its files, and the most bytes that a visitor may
/// have to fetch (compressed). A larger one fails the build, so that growth is a decision.
struct Module {
    package: &'static str,
    name: &'static str,
    largest: usize,
}

const GALLERY: Module = Module { package: "wayfare-view", name: "wayfare", largest: 3_000_000 };
const DEMO: Module = Module { package: "wayfare-demo", name: "wayfare_demo", largest: 900_000 };

/// Builds the gallery in `target/web`, and the module of the book's demos in `target/demo`.
pub(crate) fn build(root: &Path) -> Result<(), String> {
    println!("xtask: compiling the gallery and the demos of the book for the web");
    compile(root)?;
    let target = root.join("target");
    let fresh = target.join("web-next");
    GALLERY.write(root, &fresh)?;
    for (file, name) in START {
        std::fs::copy(root.join(file), fresh.join(name)).map_err(|e| format!("{file}: {e}"))?;
    }
    let pictures = fresh.join("scenes");
    make_empty(&pictures)?;
    let mut cut = Command::new("node");
    cut.arg(root.join("web/thumbnails.mjs")).arg(root.join(SHEET)).arg(&pictures);
    let names = crate::package::output(&mut cut)?;
    let titles = fresh.join("scenes.json");
    std::fs::write(&titles, scenes(root, &names)?)
        .map_err(|e| format!("{}: {e}", titles.display()))?;
    // The site has the book beside the gallery, and its chapters.
    let chapters = fresh.join("chapters.json");
    std::fs::write(&chapters, "{}\n").map_err(|e| format!("{}: {e}", chapters.display()))?;
    put(&fresh, &target.join("web"))?;
    DEMO.write(root, &fresh)?;
    put(&fresh, &target.join("demo"))?;
    println!(
        "xtask: the gallery is in target/web; any server can serve it, for example `python3 -m \
         http.server --directory target/web`"
    );
    Ok(())
}

/// The title and the folder of each scene, by its name, as JSON in the order of the names.
fn scenes(root: &Path, names: &str) -> Result<String, String> {
    let mut scenes = BTreeMap::new();
    for folder in crate::weight::entries(&root.join("scenes"))?.iter().filter(|path| path.is_dir())
    {
        let is_toml = |file: &PathBuf| file.extension().is_some_and(|e| e == "toml");
        for file in crate::weight::entries(folder)?.into_iter().filter(is_toml) {
            let failed = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
            let text = std::fs::read_to_string(&file).map_err(|e| failed(&e))?;
            let table = DeTable::parse(&text).map_err(|e| failed(&e))?;
            let title = table.get_ref().get("title").and_then(|title| title.get_ref().as_str());
            let name = |path: &Path| path.file_stem().unwrap_or_default().display().to_string();
            let (title, folder) = (title.unwrap_or_default(), name(folder));
            let entry = format!("{{\"title\": {title:?}, \"folder\": {folder:?}}}");
            scenes.insert(name(&file), entry);
        }
    }
    let entry = |name: &str| match scenes.get(name) {
        Some(entry) => Ok(format!("{name:?}: {entry}")),
        None => Err(format!("{SHEET} has `{name}`, which is no scene")),
    };
    let found: Vec<_> = names.lines().map(entry).collect::<Result<_, _>>()?;
    Ok(format!("{{{}}}\n", found.join(",\n")))
}

/// For the size of the modules: a panic stops the page without a message, and functions are inlined
/// where that makes the code shorter, or where they ask for it.
const FLAGS: &str = "-C target-feature=+simd128 -Z unstable-options -C panic=immediate-abort \
                     -C llvm-args=-inline-threshold=20";

/// The folder of builds for the web.
fn folder(root: &Path) -> PathBuf {
    root.join("target").join("web-build")
}

/// Compiles both modules in one call: their dependencies are the same.
fn compile(root: &Path) -> Result<(), String> {
    let mut cargo = Command::new(crate::cargo_program());
    cargo.args(["build", "--profile", "web", "--lib", "--target", TARGET]);
    cargo.args(["--package", GALLERY.package, "--package", DEMO.package]);
    cargo.arg("--target-dir").arg(folder(root)).current_dir(root);
    cargo.env("RUSTFLAGS", FLAGS);
    Compiler::find(TARGET)?.set(&mut cargo, "std,panic_abort");
    run(&mut cargo, "compiling")
}

impl Module {
    /// Writes the compiled module into an empty folder, with the JavaScript that loads it.
    fn write(&self, root: &Path, to: &Path) -> Result<(), String> {
        make_empty(to)?;
        let library = format!("{}.wasm", self.package.replace('-', "_"));
        let compiled = folder(root).join(TARGET).join("web").join(library);
        let mut bind = Command::new(tools::pages()?);
        run(bind.arg("bind").arg(compiled).arg(to).arg(self.name), "wasm-bindgen")?;
        let bound = to.join(format!("{}_bg.wasm", self.name));
        let mut optimize = Command::new("node");
        optimize.arg(tools::wasm_opt()?).args(PASSES).args(FEATURES);
        run(optimize.arg(&bound).arg("-o").arg(&bound), "wasm-opt")?;
        let (size, compressed) = sizes(&bound)?;
        println!("xtask: {}: {size} bytes, {compressed} compressed", bound.display());
        if compressed <= self.largest {
            return Ok(());
        }
        Err(format!(
            "the module of {} has {compressed} bytes compressed; allowed: up to {}",
            self.package, self.largest
        ))
    }
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
