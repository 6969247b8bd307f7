//! What holds for every behavior of the list, whatever its parameters, and for every valid setup.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

mod choices;
mod dangers;
mod setups;
mod symmetry;
mod turning;
