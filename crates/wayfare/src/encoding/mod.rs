//! The feature `serde`: [`Serialize`](serde::Serialize) and [`Deserialize`](serde::Deserialize) for
//! everything that a [`Setup`](crate::crowd::Setup) holds, for [`Agent`](crate::Agent), the ids,
//! [`Command`](crate::crowd::Command) and [`Event`](crate::crowd::Event).
//!
//! Data that derive the traits do so where they are declared. This module has what cannot be
//! derived:
//!
//! - A behavior is a table with its name as the only key, and in it a table of its parameters, both
//!   as its description names them. A behavior of a user is read through a [`Registry`]: see
//!   [`Registry::reading`]. One without described parameters ([`Behavior::Own`]) cannot be written;
//!   the error names it.
//! - Numbers that may be infinite are the strings `"inf"` and `"-inf"` in human-readable formats:
//!   JSON has no infinity. NaN, which no valid setup contains, is `"nan"`.
//!
//! Ranges are not checked here: [`Crowd::new`](crate::Crowd::new) validates a setup, and
//! [`Crowd::apply`](crate::Crowd::apply) a command, wherever they come from.
//!
//! [`Registry`]: crate::Registry
//! [`Registry::reading`]: crate::Registry::reading
//! [`Behavior::Own`]: crate::Behavior::Own

mod behavior;
mod named;
pub(crate) mod number;
pub(crate) mod optional_number;
mod scope;
#[cfg(test)]
#[allow(unreachable_pub)] // `parameters!` declares public structs.
mod tests;

pub(crate) use behavior::{read_table, write_table};
