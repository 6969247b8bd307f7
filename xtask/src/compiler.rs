//! The compiler for targets that the machine may have no standard library for.
//!
//! No toolchain is fetched. The compiler in use is taken if it has a standard library for the
//! target; otherwise the compiler of Debian's package `rustc-web` builds one from the source beside
//! it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::stage::CANNOT_RUN;
use crate::system;

/// A compiler with the source of its standard library, and the linker for wasm32.
const DEBIAN: [&str; 5] =
    ["rustc-web", "libstd-rust-web-dev", "rust-web-src", "rust-web-llvm", "lld-22"];

pub(crate) enum Compiler {
    /// The compiler in use.
    InUse,
    /// Debian's, at this path.
    Debian(PathBuf),
}

impl Compiler {
    pub(crate) fn find(target: &str) -> Result<Self, String> {
        let sysroot = |rustc: &Path| {
            let output = Command::new(rustc).args(["--print", "sysroot"]).output().ok()?;
            Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
        };
        let rustc: PathBuf = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()).into();
        if sysroot(&rustc).is_some_and(|root| root.join("lib/rustlib").join(target).exists()) {
            return Ok(Self::InUse);
        }
        let debian = Path::new("/usr/bin/rustc");
        let found =
            || sysroot(debian).filter(|root| root.join("lib/rustlib/src/rust/library").exists());
        if found().is_none() {
            system::install(&DEBIAN);
        }
        found().map(|_| Self::Debian(debian.to_path_buf())).ok_or_else(|| {
            format!(
                "{CANNOT_RUN}there is no standard library for {target}: run `rustup target add \
                 {target}`, or on Debian {}",
                system::install_command(&DEBIAN)
            )
        })
    }

    /// Makes a command of cargo use this compiler, with these crates of the standard library
    /// (separated by commas).
    pub(crate) fn set(&self, cargo: &mut Command, library: &str) {
        if let Self::Debian(rustc) = self {
            cargo.arg(format!("-Zbuild-std={library}"));
            cargo.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
        }
    }
}
