//! The tests of ranks: one program, since each would compile the
//! generic code of the library again.

mod checkpoints;
#[path = "../../wayfare/tests/properties/choices.rs"]
mod choices;
#[path = "../../wayfare/tests/properties/drawn.rs"]
mod drawn;
#[cfg(feature = "mpi")]
mod mpi;
mod random;
mod ranks;
mod scenes;
