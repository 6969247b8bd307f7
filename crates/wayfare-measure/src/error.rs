//! The error of a measure.

use std::fmt;

/// A measure that cannot be computed: the key at fault, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureError {
    /// The name of the measure.
    pub measure: String,
    /// The key at fault; `name` for the name itself.
    pub key: &'static str,
    /// The problem, as a sentence.
    pub message: String,
    /// The allowed values.
    pub allowed: String,
}

impl fmt::Display for MeasureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "measure \"{}\", {}: {}; allowed: {}",
            self.measure, self.key, self.message, self.allowed
        )
    }
}

impl std::error::Error for MeasureError {}

/// The key at fault, what is wrong, and what is allowed.
pub(crate) type Fault = (&'static str, String, String);
