//! The documentation of a library, made from the build of the tests.
//!
//! `cargo doc` reads all dependencies once more. Tests in documentation do not: cargo calls rustdoc
//! with the libraries that are built. In rustdoc's place it calls this program, which makes the
//! pages.

use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode};

/// The environment variable with the folder for the pages; if it is set this program is rustdoc.
pub(crate) const FOLDER: &str = "WAYFARE_DOCS";

/// Makes the pages of the library whose tests these arguments would run.
pub(crate) fn make(arguments: &[String], folder: &OsStr) -> ExitCode {
    let mut rustdoc = Command::new("rustdoc");
    rustdoc.args(of_pages(arguments)).args(["-D", "warnings", "--out-dir"]).arg(folder);
    match rustdoc.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("xtask: rustdoc could not be started: {e}");
            ExitCode::FAILURE
        }
    }
}

/// The arguments without those of tests.
fn of_pages(arguments: &[String]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--test" | "--no-run" | "--nocapture" => {}
            "--test-run-directory" | "--test-args" | "--doctest-build-arg" => {
                arguments.next();
            }
            _ => kept.push(argument.into()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_tests_are_left_out() {
        let given = ["--crate-name", "a", "--test", "src/lib.rs", "--test-args", "--x", "-L", "b"];
        let kept = of_pages(&given.map(String::from));
        assert_eq!(kept, ["--crate-name", "a", "src/lib.rs", "-L", "b"]);
    }
}
