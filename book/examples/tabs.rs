//! The programs of the chapters' tabs in one: `cargo run -p wayfare-book --example tabs seek bevy`
//! runs `book/code/seek/bevy.rs`. A program of its own for each would take ten seconds to build.
#![allow(clippy::print_stdout, clippy::print_stderr)] // Programs print.

use std::process::{ExitCode, Termination};

/// The modules of chapters, and the function that runs one of their programs.
macro_rules! programs {
    ($($chapter:ident),+) => {
        $(mod $chapter {
            pub(super) mod rust {
                include!(concat!("../code/", stringify!($chapter), "/main.rs"));
                pub(crate) fn run() -> impl std::process::Termination {
                    main()
                }
            }
            pub(super) mod bevy {
                include!(concat!("../code/", stringify!($chapter), "/bevy.rs"));
                pub(crate) fn run() -> impl std::process::Termination {
                    main()
                }
            }
        })+

        fn run(chapter: &str, tab: &str) -> Option<ExitCode> {
            match (chapter, tab) {
                $((stringify!($chapter), "rust") => Some($chapter::rust::run().report()),
                (stringify!($chapter), "bevy") => Some($chapter::bevy::run().report()),)+
                _ => None,
            }
        }
    };
}

// The folders of `book/code`.
programs!(
    arrive,
    combine,
    dense,
    determinism,
    facing,
    fields,
    flocks,
    formations,
    leaders,
    million,
    obstacles,
    paths,
    pursue,
    queues,
    seek,
    states,
    wander
);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let program = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [chapter, tab] => run(chapter, tab),
        _ => None,
    };
    program.unwrap_or_else(|| {
        eprintln!("the arguments are a folder of book/code, and `rust` or `bevy`");
        ExitCode::FAILURE
    })
}
