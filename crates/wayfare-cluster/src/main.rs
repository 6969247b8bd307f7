//! The program `wayfare-mpi`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(wayfare_cluster::program::main(std::env::args_os()))
}
