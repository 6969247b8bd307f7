//! The tests of studies and of scenes as a whole: one program, since each would compile the generic
//! code of the library again.
#![allow(clippy::unwrap_used, clippy::expect_used)] // In a test a panic is the message.
#![allow(clippy::print_stdout)] // Tables and minimal scenes.

mod chaos;
mod motion;
mod solid_bodies;
