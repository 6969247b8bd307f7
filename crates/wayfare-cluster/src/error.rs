//! Errors of a cluster.

use std::fmt;

use wayfare::crowd::{SetupError, SnapshotError, ValidationError};

use crate::link::LinkError;

/// Why a cluster cannot go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClusterError {
    /// The setup is invalid.
    Setup(SetupError),
    /// A command is refused; then nothing has changed.
    Command(ValidationError),
    /// A rank is gone, or messages cannot be sent.
    Link(LinkError),
    /// Bytes that a rank has sent, or those of a checkpoint, are not agents of this crowd.
    Agents(SnapshotError),
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup(error) => error.fmt(f),
            Self::Command(error) => error.fmt(f),
            Self::Link(error) => error.fmt(f),
            Self::Agents(error) => write!(f, "agents of another rank: {error}"),
        }
    }
}

impl std::error::Error for ClusterError {}

impl From<SetupError> for ClusterError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl From<ValidationError> for ClusterError {
    fn from(error: ValidationError) -> Self {
        Self::Command(error)
    }
}

impl From<LinkError> for ClusterError {
    fn from(error: LinkError) -> Self {
        Self::Link(error)
    }
}

impl From<SnapshotError> for ClusterError {
    fn from(error: SnapshotError) -> Self {
        Self::Agents(error)
    }
}
