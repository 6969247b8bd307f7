//! `cargo xtask web`: the viewer as a static site in `target/web/`.
//!
//! It never fetches a toolchain. Where the compiler in use has a standard library for wasm32, that
//! is taken; or else the compiler of Debian's package `rustc-web` builds one from the source beside
//! it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
/// A compiler with the source of its standard library, and the linker for this target.
const DEBIAN: [&str; 5] =
    ["rustc-web", "libstd-rust-web-dev", "rust-web-src", "rust-web-llvm", "lld-22"];
/// crates/wayfare-view/Cargo.toml must name the same.
const WASM_BINDGEN: &str = "0.2.130";
/// The optimiser whose output every browser loads; Debian's 108 and the features it turns on by
/// itself are not.
const BINARYEN: &str = "132.0.0";
/// What drives the browser; it fetches none of its own.
const PLAYWRIGHT: &str = "1.64.1";
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
/// More than this for a visitor to fetch (bytes, compressed) fails the build: somebody should know
/// why.
const LARGEST: usize = 4_000_000;

/// Builds the site.
pub(crate) fn web(root: &Path) -> Result<(), String> {
    let compiler = Compiler::find()?;
    let build = root.join("target").join("web-build");
    let mut cargo = Command::new(crate::cargo_itself());
    cargo
        .args([
            "build",
            "--profile",
            "web",
            "--quiet",
            "--package",
            "wayfare-view",
            "--lib",
            "--target",
            TARGET,
        ])
        .arg("--target-dir")
        .arg(&build);
    cargo.env("RUSTFLAGS", "-C target-feature=+simd128").current_dir(root);
    if let Compiler::Debian(rustc) = &compiler {
        cargo.arg("-Zbuild-std=std,panic_abort").env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
    }
    println!("xtask: compiling the viewer for the web");
    run(&mut cargo, "compiling")?;

    let site = root.join("target").join("web");
    let fresh = root.join("target").join("web-next");
    remake(&fresh)?;
    let module = build.join(TARGET).join("web").join("wayfare_view.wasm");
    println!("xtask: binding and optimising it");
    let mut bind = Command::new(wasm_bindgen()?);
    bind.args(["--target", "web", "--no-typescript", "--out-name", "wayfare", "--out-dir"])
        .arg(&fresh)
        .arg(&module);
    run(&mut bind, "wasm-bindgen")?;
    let bound = fresh.join("wayfare_bg.wasm");
    let mut optimise = Command::new("node");
    optimise.arg(binaryen()?).args(["-O2"]).args(FEATURES).arg(&bound).arg("-o").arg(&bound);
    run(&mut optimise, "wasm-opt")?;
    std::fs::copy(root.join("web").join("index.html"), fresh.join("index.html"))
        .map_err(|e| format!("web/index.html: {e}"))?;
    let (size, compressed) = sizes(&bound)?;
    if compressed > LARGEST {
        return Err(format!(
            "the module is {compressed} bytes compressed; allowed: up to {LARGEST}"
        ));
    }
    // The whole site or the one before.
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

enum Compiler {
    /// The one in use, which has what it takes.
    Own,
    /// Debian's, at this path.
    Debian(PathBuf),
}

impl Compiler {
    fn find() -> Result<Self, String> {
        let sysroot = |rustc: &Path| {
            let output = Command::new(rustc).args(["--print", "sysroot"]).output().ok()?;
            Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
        };
        let rustc: PathBuf = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()).into();
        if sysroot(&rustc).is_some_and(|root| root.join("lib/rustlib").join(TARGET).exists()) {
            return Ok(Self::Own);
        }
        let debian = Path::new("/usr/bin/rustc");
        let there =
            || sysroot(debian).filter(|root| root.join("lib/rustlib/src/rust/library").exists());
        if there().is_none() {
            crate::install(&DEBIAN);
        }
        there().map(|_| Self::Debian(debian.to_path_buf())).ok_or_else(|| {
            format!(
                "there is no standard library for {TARGET}: `rustup target add {TARGET}`, or on \
                 Debian `apt-get install {}`",
                DEBIAN.join(" ")
            )
        })
    }
}

/// A folder that outlives the checkout: the tools in it are named by their versions.
fn tools() -> Result<PathBuf, String> {
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    let folder = cache.unwrap_or_else(std::env::temp_dir).join("wayfare");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

/// The program that writes the module's JavaScript, of just the version that the module was
/// compiled with.
fn wasm_bindgen() -> Result<PathBuf, String> {
    let folder = tools()?.join(format!("wasm-bindgen-{WASM_BINDGEN}"));
    let program = folder.join("bin").join("wasm-bindgen");
    if !program.exists() {
        println!("xtask: building wasm-bindgen {WASM_BINDGEN}, once");
        let mut install = Command::new(crate::cargo_itself());
        install
            .args([
                "install",
                "--quiet",
                "wasm-bindgen-cli",
                "--version",
                WASM_BINDGEN,
                "--bin",
                "wasm-bindgen",
                "--root",
            ])
            .arg(&folder);
        run(&mut install, "installing wasm-bindgen")?;
    }
    Ok(program)
}

/// The optimiser's script.
fn binaryen() -> Result<PathBuf, String> {
    let folder = tools()?.join(format!("binaryen-{BINARYEN}"));
    let script = folder.join("node_modules/binaryen/bin/wasm-opt");
    if !script.exists() {
        println!("xtask: fetching binaryen {BINARYEN}, once");
        npm(&folder, &format!("binaryen@{BINARYEN}"))?;
    }
    Ok(script)
}

/// The page in a real browser, against the digests of the native program.
pub(crate) fn test(root: &Path) -> Result<(), String> {
    let chromium = || {
        ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
            .into_iter()
            .find(|path| Path::new(path).exists())
    };
    if chromium().is_none() {
        crate::install(&["chromium"]);
    }
    let chromium = chromium().ok_or(
        "there is no browser: install the package `chromium` of your system (Debian: apt-get \
         install chromium)",
    )?;
    let digests = root.join("target").join("web-digests.json");
    std::fs::write(&digests, native_digests(root)?)
        .map_err(|e| format!("{}: {e}", digests.display()))?;
    println!("xtask: the page in {chromium}");
    let mut test = Command::new("node");
    test.arg(root.join("web/tests/gallery.mjs"))
        .arg(root.join("target/web"))
        .arg(&digests)
        .args(std::env::var_os("WAYFARE_SHOTS"));
    run(
        test.env("WAYFARE_NODE_MODULES", playwright()?).env("CHROMIUM", chromium),
        "the browser tests",
    )
}

/// What each classic scene comes to after 600 ticks, by the program that `cargo run --release`
/// builds; of the other scenes only the names.
fn native_digests(root: &Path) -> Result<String, String> {
    let mut entries = Vec::new();
    for folder in ["classic", "crowd", "bench"] {
        let folder = root.join("scenes").join(folder);
        let Ok(files) = std::fs::read_dir(&folder) else { continue };
        let mut names: Vec<_> = files
            .flatten()
            .filter_map(|file| {
                file.path().file_stem().map(|stem| stem.to_string_lossy().into_owned())
            })
            .collect();
        names.sort();
        for name in names {
            if !folder.ends_with("classic") {
                entries.push(format!("\"{name}\": null"));
                continue;
            }
            let mut run = Command::new(crate::cargo_itself());
            run.args([
                "run",
                "--release",
                "--quiet",
                "--",
                "run",
                &name,
                "--ticks",
                "600",
                "--digest",
                "--quiet",
            ])
            .current_dir(root);
            let output = run.output().map_err(|e| format!("cargo could not be started: {e}"))?;
            let digest = String::from_utf8_lossy(&output.stdout).trim().to_string();
            if !output.status.success() || digest.len() != 16 {
                return Err(format!(
                    "{name} does not run: {digest}{}",
                    String::from_utf8_lossy(&output.stderr)
                ));
            }
            entries.push(format!("\"{name}\": \"{digest}\""));
        }
    }
    Ok(format!("{{{}}}", entries.join(", ")))
}

/// The folder of node's modules that holds the library which drives the browser.
fn playwright() -> Result<PathBuf, String> {
    let folder = tools()?.join(format!("playwright-{PLAYWRIGHT}"));
    let modules = folder.join("node_modules");
    if !modules.join("playwright-core/package.json").exists() {
        println!("xtask: fetching playwright-core {PLAYWRIGHT}, once");
        npm(&folder, &format!("playwright-core@{PLAYWRIGHT}"))?;
    }
    Ok(modules)
}

fn npm(folder: &Path, package: &str) -> Result<(), String> {
    let mut install = Command::new("npm");
    install
        .args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"])
        .arg(folder)
        .arg(package);
    run(&mut install, &format!("installing {package} (npm)"))
}

fn remake(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))
}

/// How many bytes a file has, as it is and compressed as servers do it.
fn sizes(file: &Path) -> Result<(u64, usize), String> {
    let size = std::fs::metadata(file).map_err(|e| format!("{}: {e}", file.display()))?.len();
    let output = Command::new("gzip")
        .args([OsString::from("-9c"), file.into()])
        .output()
        .map_err(|e| format!("gzip: {e}"))?;
    Ok((size, output.stdout.len()))
}

fn run(command: &mut Command, what: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what} failed ({status})")),
        Err(error) => {
            let program = command.get_program().to_string_lossy();
            let hint = if program == "node" || program == "npm" {
                "; it comes with Node.js (Debian: apt-get install nodejs npm)"
            } else {
                ""
            };
            Err(format!("{what}: {program} could not be started: {error}{hint}"))
        }
    }
}
