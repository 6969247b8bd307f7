//! Validation errors: the key path, the problem with the value found, and what is allowed.
//!
//! `Display` of a single error has the keys of scene files, which the command and the viewer show.
//! `Debug`, which `fn main() -> Result<…>` and `unwrap` show, and the errors of a setup have the
//! fields of the Rust API.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use super::key_path::KeyPath;
use super::text::{name_of, plain};
use crate::parameter::Range;
use crate::vector::Vector;

/// One invalid value of a setup.
#[derive(Clone, PartialEq, Eq)]
pub struct ValidationError {
    /// The position in the setup.
    pub key_path: KeyPath,
    /// The problem, with the value found.
    pub message: String,
    /// The allowed values.
    pub allowed: String,
}

impl ValidationError {
    pub(in crate::crowd) fn new(
        key_path: KeyPath,
        message: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        Self { key_path, message: message.into(), allowed: allowed.into() }
    }

    /// The error of a command, as that of the timed command with this index.
    #[must_use]
    pub fn at_event(mut self, index: usize) -> Self {
        let event = KeyPath::default().key("event").at(index);
        self.key_path.0.splice(..0, event.0);
        self
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; allowed: {}", self.key_path, self.message, self.allowed)
    }
}

/// Writes the diagnostic with the fields of the Rust API.
impl fmt::Debug for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; allowed: {}", self.key_path.in_rust(), self.message, self.allowed)
    }
}

/// All validation errors of a setup; at least one. Both of its formats are the diagnostic, with the
/// fields of the Rust API.
///
/// ```
/// use wayfare::prelude::*;
/// let guests = Group::new("guests", 1, Spawn::point(vec2(0.0, 0.0)), 2.0)
///     .steer(Separation::default().radius(-1.0).max_force(5.0));
/// let error = Setup::new(1.0).group(guests).crowd().unwrap_err();
/// assert_eq!(
///     format!("{error:?}"),
///     "the setup has 1 error\n  groups[0].steer[0]: Separation::radius: `radius` is -1; \
///      allowed: a length from 0 to 1e9, or \"auto\""
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SetupError(pub Vec<ValidationError>);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.0.len() == 1 { "" } else { "s" };
        write!(f, "the setup has {} error{plural}", self.0.len())?;
        self.0.iter().try_for_each(|error| write!(f, "\n  {error:?}"))
    }
}

impl fmt::Debug for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for SetupError {}

impl core::error::Error for ValidationError {}

/// The error of a vector with a coordinate outside `range`; `None` for a valid one.
pub(in crate::crowd) fn vector_error<V: Vector>(
    key_path: KeyPath,
    v: V,
    range: Range,
) -> Option<ValidationError> {
    let x = (0..V::DIMENSION).map(|i| v.axis(i)).find(|x| !range.holds(*x))?;
    let message = format!("a coordinate of `{}` is {}", name_of(&key_path), plain(x));
    Some(ValidationError { key_path, message, allowed: range.to_string() })
}
