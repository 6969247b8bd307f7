//! `cargo xtask web`: the viewer as a static site in `target/web/`.
//!
//! It never fetches a toolchain. Where the compiler in use has a standard library for wasm32, that is taken; or else the compiler of Debian's package
//! `rustc-web` builds one from the source beside it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
/// crates/wayfare-view/Cargo.toml must name the same.
const WASM_BINDGEN: &str = "0.2.130";
/// The optimiser whose output every browser loads; Debian's 108 and the features it turns on by itself are not.
const BINARYEN: &str = "132.0.0";
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
/// More than this for a visitor to fetch (bytes, compressed) fails the build: somebody should know why.
const LARGEST: usize = 4_000_000;

/// Builds the site.
pub(crate) fn web(root: &Path) -> Result<(), String> {
    let compiler = Compiler::find()?;
    let build = root.join("target").join("web-build");
    let mut cargo = Command::new(crate::cargo_itself());
    cargo.args(["build", "--profile", "web", "--quiet", "--package", "wayfare-view", "--lib", "--target", TARGET]).arg("--target-dir").arg(&build);
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
    bind.args(["--target", "web", "--no-typescript", "--out-name", "wayfare", "--out-dir"]).arg(&fresh).arg(&module);
    run(&mut bind, "wasm-bindgen")?;
    let bound = fresh.join("wayfare_bg.wasm");
    let mut optimise = Command::new("node");
    optimise.arg(binaryen()?).args(["-O2"]).args(FEATURES).arg(&bound).arg("-o").arg(&bound);
    run(&mut optimise, "wasm-opt")?;
    std::fs::copy(root.join("web").join("index.html"), fresh.join("index.html")).map_err(|e| format!("web/index.html: {e}"))?;
    let (size, compressed) = sizes(&bound)?;
    if compressed > LARGEST {
        return Err(format!("the module is {compressed} bytes compressed; allowed: up to {LARGEST}"));
    }
    // The whole site or the one before.
    let _ = std::fs::remove_dir_all(&site);
    std::fs::rename(&fresh, &site).map_err(|e| format!("{}: {e}", site.display()))?;
    println!("xtask: the site is in target/web; its module has {size} bytes, {compressed} compressed");
    println!("xtask: any server can serve it, for example `python3 -m http.server --directory target/web`");
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
        let there = || sysroot(debian).filter(|root| root.join("lib/rustlib/src/rust/library").exists());
        if there().is_none() {
            crate::install(&["rustc-web", "libstd-rust-web-dev", "rust-web-src", "rust-web-llvm", "lld-22"]);
        }
        there().map(|_| Self::Debian(debian.to_path_buf())).ok_or_else(|| {
            format!("there is no standard library for {TARGET}: `rustup target add {TARGET}`, or Debian's packages rustc-web libstd-rust-web-dev rust-web-src rust-web-llvm lld-22")
        })
    }
}

/// A folder that outlives the checkout: the tools in it are named by their versions.
fn tools() -> Result<PathBuf, String> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    let folder = cache.unwrap_or_else(std::env::temp_dir).join("wayfare");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

/// The program that writes the module's JavaScript, of just the version that the module was compiled with.
fn wasm_bindgen() -> Result<PathBuf, String> {
    let folder = tools()?.join(format!("wasm-bindgen-{WASM_BINDGEN}"));
    let program = folder.join("bin").join("wasm-bindgen");
    if !program.exists() {
        println!("xtask: building wasm-bindgen {WASM_BINDGEN}, once");
        let mut install = Command::new(crate::cargo_itself());
        install.args(["install", "--quiet", "wasm-bindgen-cli", "--version", WASM_BINDGEN, "--bin", "wasm-bindgen", "--root"]).arg(&folder);
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
        let mut install = Command::new("npm");
        install.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]).arg(&folder).arg(format!("binaryen@{BINARYEN}"));
        run(&mut install, "installing binaryen (npm)")?;
    }
    Ok(script)
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
    let output = Command::new("gzip").args([OsString::from("-9c"), file.into()]).output().map_err(|e| format!("gzip: {e}"))?;
    Ok((size, output.stdout.len()))
}

fn run(command: &mut Command, what: &str) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{what} failed ({status})")),
        Err(error) => Err(format!("{what}: {} could not be started: {error}", command.get_program().to_string_lossy())),
    }
}
