//! The reasons why a snapshot is refused.

use alloc::string::String;

use super::layout::{HEADER, SNAPSHOT_VERSION, TRAILER};

/// The reason why a snapshot is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The bytes do not start with [`SNAPSHOT_MAGIC`](crate::crowd::SNAPSHOT_MAGIC).
    Foreign,
    /// The number of bytes, which is below that of the shortest snapshot.
    TooShort(usize),
    /// The version of the snapshot's format, which is not [`SNAPSHOT_VERSION`].
    Version(u32),
    /// The dimension of the snapshot's crowd, which is not that of this crowd.
    Dimension(u32),
    /// The snapshot is of a crowd with another setup.
    OtherSetup,
    /// The snapshot is damaged; the text names the invalid value.
    Damaged(String),
}

impl core::fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Foreign => {
                write!(f, "it is not a snapshot; allowed: the bytes of Crowd::snapshot")
            }
            Self::TooShort(length) => write!(
                f,
                "it ends after {length} bytes; allowed: a whole snapshot of at least {}",
                HEADER + TRAILER
            ),
            Self::Version(found) => write!(
                f,
                "it is a snapshot of version {found}; allowed: version {SNAPSHOT_VERSION}"
            ),
            Self::Dimension(found) => write!(
                f,
                "it is of a crowd in {found} dimensions; allowed: the dimension of this crowd"
            ),
            Self::OtherSetup => write!(
                f,
                "it is of another setup or seed; allowed: a snapshot of a crowd with the same \
                 setup"
            ),
            Self::Damaged(what) => {
                write!(f, "it is damaged: {what}; allowed: an unchanged snapshot")
            }
        }
    }
}

impl core::error::Error for SnapshotError {}
