//! Errors of a cluster.

use std::fmt;

use wayfare::crowd::{SetupError, SnapshotError, ValidationError};

use crate::link::LinkError;

/// Why a call of a cluster has failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClusterError {
    /// The setup is invalid.
    Setup(SetupError),
    /// The command is invalid; nothing has changed.
    Command(ValidationError),
    /// Communication with the other ranks has failed.
    Link(LinkError),
    /// A message or a checkpoint holds bytes that are not agents of this crowd.
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
