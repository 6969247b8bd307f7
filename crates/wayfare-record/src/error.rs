//! What can go wrong on the way out: [`RecordError`].

use core::fmt;
use std::error::Error;
use std::io;
use std::path::PathBuf;

/// Something that could not be written.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordError {
    /// A file; nothing of it was left behind, and what had stood there stands there still.
    File {
        /// The path that was asked for.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A picture that could not be encoded.
    Picture {
        /// Why.
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
    /// The cause of the cause: the cause itself is in the text.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { source, .. } => source.source(),
            Self::Picture { source } => source.source(),
        }
    }
}
