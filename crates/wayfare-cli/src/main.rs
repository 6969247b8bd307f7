//! The program `wayfare`.

use std::alloc::System;
use std::process::ExitCode;

use cap::Cap;

/// The system's allocator, which counts allocated bytes: `bench` reports them per agent.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

fn main() -> ExitCode {
    ExitCode::from(wayfare_cli::run(std::env::args_os(), Some(|| ALLOCATOR.allocated())))
}
