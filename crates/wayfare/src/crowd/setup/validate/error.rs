//! Validation errors: the key path, the problem with the value found, and what is allowed.

use core::fmt;

use super::key_path::KeyPath;

/// One invalid value of a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError {
    /// The position in the setup.
    pub key_path: KeyPath,
    /// The problem, with the value found.
    pub message: String,
    /// What is allowed.
    pub allowed: String,
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; allowed: {}", self.key_path, self.message, self.allowed)
    }
}

/// All validation errors of a setup; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub Vec<ValidationError>);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.0.iter().enumerate() {
            write!(f, "{}{error}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}

impl std::error::Error for ValidationError {}
