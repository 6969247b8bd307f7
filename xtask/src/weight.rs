//! The weight of the project, held against stored counts: each growth is a decision.
//!
//! The stage `weight` counts what is the same on every machine: lines, packages, bytes. Machine
//! code stands for the time of a build there. `cargo xtask weight --builds` builds from nothing, in
//! turn with a yardstick: seconds of two machines differ by a factor of three, their ratio to the
//! same build beside them by less.

use std::path::{Path, PathBuf};
use std::process::Command;

use wait4::Wait4;

use crate::baseline::Baseline;
use crate::{cargo_program, checks, package, web};

const COUNTS: Baseline = Baseline {
    file: "xtask/weight/counts.toml",
    what: "Lines of Rust, packages of Cargo.lock, bytes",
    tolerance: 5.0,
    update: "cargo xtask weight --update",
};

const SECONDS: Baseline = Baseline {
    file: "xtask/weight/seconds.toml",
    what: "Processor time of builds from nothing, in hundredths of the yardstick's",
    tolerance: 5.0,
    update: "cargo xtask weight --builds --update",
};

/// Folders with Rust of our own.
const FOLDERS: [&str; 3] = ["book", "examples", "xtask"];

/// The files that visitors fetch, and the folder that holds them all.
const MODULES: [(&str, &str); 2] =
    [("gallery", "target/web/wayfare_bg.wasm"), ("demo", "target/demo/wayfare_demo_bg.wasm")];
const SITE: &str = "target/site";

/// The libraries in the command's build.
const LIBRARIES: [&str; 6] = [
    "wayfare",
    "wayfare_measure",
    "wayfare_scene",
    "wayfare_record",
    "wayfare_study",
    "wayfare_cli",
];

/// Each build is repeated so often; the median counts.
const TURNS: usize = 3;

/// Counts what the builds of the other stages have left.
pub(crate) fn count(root: &Path, update: bool) -> Result<(), String> {
    let mut counts = Vec::new();
    for folder in crates(root)?.into_iter().chain(FOLDERS.map(|name| root.join(name))) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        counts.push((format!("lines_{name}"), lines(&folder)?));
    }
    let lock = root.join("Cargo.lock");
    let text = std::fs::read_to_string(&lock).map_err(|e| format!("{}: {e}", lock.display()))?;
    counts.push(("packages".to_string(), text.matches("[[package]]").count() as u64));
    counts.extend(libraries(root)?);
    counts.push(("bytes_command".to_string(), size(&checks::users_command())?));
    for (name, file) in MODULES {
        let (raw, compressed) = web::sizes(&root.join(file))?;
        counts.push((format!("bytes_{name}"), raw));
        counts.push((format!("bytes_{name}_gzip"), compressed as u64));
    }
    counts.push(("bytes_site".to_string(), size(&root.join(SITE))?));
    COUNTS.hold(root, &counts, update)
}

/// Builds from nothing in turn with the yardstick.
pub(crate) fn measure(root: &Path, update: bool) -> Result<(), String> {
    let builds = builds(root)?;
    let mut seconds: Vec<Vec<f64>> = vec![Vec::new(); builds.len()];
    for turn in 1..=TURNS {
        for ((name, arguments), seconds) in builds.iter().zip(&mut seconds) {
            println!("xtask: turn {turn} of {TURNS}, {name}");
            seconds.push(processor_seconds(root, arguments)?);
        }
    }
    let median = |seconds: &Vec<f64>| {
        let mut sorted = seconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    let yardstick = median(&seconds[0]);
    let mut counts = Vec::new();
    for ((name, _), seconds) in builds.iter().zip(&seconds) {
        println!("xtask: {name:<28} {:>7.1} s of processor {seconds:.1?}", median(seconds));
        counts.push((name.to_string(), (median(seconds) / yardstick * 100.0).round() as u64));
    }
    SECONDS.hold(root, &counts[1..], update)
}

/// Names of builds, and cargo's arguments for them; the first is the yardstick.
fn builds(root: &Path) -> Result<Vec<(&'static str, Vec<String>)>, String> {
    let user = program(root, "user", "wayfare", &root.join("crates/wayfare"))?;
    // A crate with a tree that does not change: it has a fixed version in Cargo.lock.
    let yardstick = program(root, "yardstick", "parquet", &PathBuf::new())?;
    let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
    let of = |arguments: &str, manifest: &Path| {
        [words(arguments), vec!["--manifest-path".to_string(), manifest.display().to_string()]]
            .concat()
    };
    Ok(vec![
        ("yardstick", of("build --release", &yardstick)),
        ("command", of("build --release --package wayfare-cli", &root.join("Cargo.toml"))),
        ("library_release", of("build --release", &user)),
        ("library_dev", of("build", &user)),
        ("library_all_release", of("build --release --features all", &user)),
        ("library_all_dev", of("build --features all", &user)),
    ])
}

/// A program outside the workspace that depends on one crate. Returns its manifest.
fn program(root: &Path, name: &str, depends: &str, path: &Path) -> Result<PathBuf, String> {
    let folder = root.join("target/weight").join(name);
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(folder.join("src")).map_err(failed)?;
    let manifest = match path.as_os_str().is_empty() {
        false => format!(
            "[dependencies]\n{depends} = {{ path = {path:?} }}\n[features]\nall = \
             [\"{depends}/parallel\", \"{depends}/navigation\", \"{depends}/space\"]\n"
        ),
        true => format!(
            "[dependencies]\n{depends} = {{ version = \"{}\", default-features = false }}\n",
            version(root, depends)?
        ),
    };
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{manifest}\
         [workspace]\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).map_err(failed)?;
    let main = match path.as_os_str().is_empty() {
        false => include_str!("../weight/user.rs"),
        true => "fn main() {}\n",
    };
    std::fs::write(folder.join("src/main.rs"), main).map_err(failed)?;
    // The same versions as here.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).map_err(failed)?;
    Ok(folder.join("Cargo.toml"))
}

/// The version of a crate in Cargo.lock, as a requirement of exactly this one.
fn version(root: &Path, name: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(root.join("Cargo.lock")).map_err(|e| e.to_string())?;
    let after = text.split_once(&format!("name = \"{name}\"\nversion = \""));
    let version = after.and_then(|(_, rest)| rest.split('"').next());
    version.map(|version| format!("={version}")).ok_or(format!("Cargo.lock has no `{name}`"))
}

/// Builds into an empty folder; the processor time of cargo and all that it started.
fn processor_seconds(root: &Path, arguments: &[String]) -> Result<f64, String> {
    let target = root.join("target/weight/build");
    web::make_empty(&target)?;
    let mut cargo = Command::new(cargo_program());
    cargo.args(arguments).arg("--quiet").arg("--target-dir").arg(&target).current_dir(root);
    let ended = cargo.spawn().and_then(Wait4::wait4);
    let ended = ended.map_err(|e| format!("cargo could not be started: {e}"))?;
    let _ = std::fs::remove_dir_all(&target);
    if !ended.status.success() {
        return Err(format!("`cargo {}` failed ({})", arguments.join(" "), ended.status));
    }
    Ok(ended.rusage.utime.as_secs_f64())
}

/// The folders of the crates, in the order of their names.
fn crates(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut folders = entries(&root.join("crates"))?;
    folders.sort();
    Ok(folders)
}

pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(failed)).collect()
}

/// The lines of Rust in a folder; builds inside are left out.
fn lines(folder: &Path) -> Result<u64, String> {
    let mut sum = 0;
    for path in entries(folder)? {
        if path.is_dir() && !path.ends_with("target") {
            sum += lines(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path);
            sum += text.map_err(|e| format!("{}: {e}", path.display()))?.lines().count() as u64;
        }
    }
    Ok(sum)
}

/// The bytes of a file, or of all files in a folder.
fn size(path: &Path) -> Result<u64, String> {
    if path.is_dir() {
        return entries(path)?.iter().map(|entry| size(entry)).sum();
    }
    std::fs::metadata(path).map(|file| file.len()).map_err(|e| format!("{}: {e}", path.display()))
}

/// The bytes of each library in the command's build, which has nothing left to compile.
fn libraries(root: &Path) -> Result<Vec<(String, u64)>, String> {
    let mut cargo = Command::new(cargo_program());
    cargo.args(["build", "--release", "--quiet", "--package", "wayfare-cli"]);
    // Other stages build other variants in the same folder: cargo says which are the command's.
    let printed = package::output(cargo.arg("--message-format=json").current_dir(root))?;
    let files: Vec<&Path> = printed.split('"').map(Path::new).collect();
    let bytes = |library: &str| {
        let is_of = |path: &&&Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // The package that is built has a name without a hash.
            name.strip_prefix("lib")
                .and_then(|name| name.strip_suffix(".rlib"))
                .and_then(|name| name.split('-').next())
                .is_some_and(|name| name == library)
        };
        let file = files.iter().find(is_of).ok_or(format!("the command has no `{library}`"))?;
        Ok((format!("bytes_{library}"), size(file)?))
    };
    LIBRARIES.into_iter().map(bytes).collect()
}
