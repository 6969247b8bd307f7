//! Where in a setup something is wrong, what, and what is allowed instead.

use core::fmt;

use super::key_path::KeyPath;

/// One thing that is wrong with a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError {
    /// Where.
    pub key_path: KeyPath,
    /// What is wrong, with the value.
    pub message: String,
    /// What is allowed instead.
    pub allowed: String,
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; allowed: {}", self.key_path, self.message, self.allowed)
    }
}

/// Everything that is wrong with a setup; at least one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError(pub Vec<ValidationError>);

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            write!(f, "{}{fault}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}

impl std::error::Error for ValidationError {}
