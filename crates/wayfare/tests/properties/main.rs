//! Properties of every behavior of the list with any parameters, and of every valid setup.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

mod choices;
mod commands;
mod dangers;
mod drawn;
mod setups;
mod symmetry;
mod turning;
