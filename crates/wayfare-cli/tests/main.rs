//! The tests of the command: one program, since each would compile the
//! generic code of the library again.

mod bevy_log;
#[path = "command/main.rs"]
mod command;
mod outputs;
mod view;
