//! Packages of the system: installed on a Debian by root, otherwise named.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

/// A screen in memory and the libraries that a window opens at run time: the test of the viewer's
/// window needs them.
pub(crate) const WINDOW: [&str; 9] = [
    "xvfb",
    "libegl1",
    "libgl1",
    "libgl1-mesa-dri",
    "libx11-xcb1",
    "libxcursor1",
    "libxi6",
    "libxkbcommon-x11-0",
    "libxrandr2",
];

/// An MPI library and what its binding is made with: the program `wayfare-mpi` needs them.
pub(crate) const MPI: [&str; 3] = ["libopenmpi-dev", "openmpi-bin", "clang"];

/// Installs those of the packages that are missing. Gives back the command that a person has to
/// run where that was not possible.
pub(crate) fn install_missing(packages: &[&str]) -> Option<String> {
    let missing = || -> Vec<&str> {
        packages.iter().filter(|package| !is_installed(package)).copied().collect()
    };
    // Another system has other package names: the tests themselves tell what they lack.
    if missing().is_empty() || !Path::new("/usr/bin/dpkg-query").exists() {
        return None;
    }
    install(&missing());
    let missing = missing();
    (!missing.is_empty()).then(|| install_command(&missing))
}

/// The command that installs the packages.
pub(crate) fn install_command(packages: &[&str]) -> String {
    format!("run `sudo apt-get install {}` first", packages.join(" "))
}

fn is_installed(package: &str) -> bool {
    let output =
        Command::new("dpkg-query").args(["--show", "--showformat=${Status}", package]).output();
    output.is_ok_and(|output| output.stdout.ends_with(b" installed"))
}

/// Installs packages where that is possible without a question; the caller checks the result.
pub(crate) fn install(packages: &[&str]) {
    let id = Command::new("id").arg("-u").output();
    let is_root = id.is_ok_and(|o| o.stdout.trim_ascii() == b"0");
    if is_root && Path::new("/usr/bin/apt-get").exists() {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _guard = ONE_AT_A_TIME.lock();
        println!("xtask: installing {}", packages.join(" "));
        let apt_get = |arguments: &[&str]| {
            Command::new("apt-get")
                .arg("--quiet=2")
                .args(arguments)
                .env("DEBIAN_FRONTEND", "noninteractive")
                .status()
        };
        let _ = apt_get(&["update"]);
        let _ = apt_get(&[&["install", "--yes", "--no-install-recommends"], packages].concat());
    }
}
