//! The error of writing: [`RecordError`].

use core::fmt;
use std::error::Error;
use std::io;
use std::path::PathBuf;

/// An output that could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordError {
    /// A file. No part of it is left behind, and an existing file is unchanged.
    File {
        /// The path as it was given.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A picture that could not be encoded.
    Picture {
        /// The cause.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, source } => write!(f, "cannot write {}: {source}", path.display()),
            Self::Picture { source } => write!(f, "cannot encode the picture: {source}"),
        }
    }
}

impl Error for RecordError {
    /// The source of the cause: the cause itself is part of the message.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { source, .. } => source.source(),
            Self::Picture { source } => source.source(),
        }
    }
}
