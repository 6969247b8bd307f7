//! The destinations of outputs.

use std::io::{self, Write};
use std::path::Path;

/// The destination of an output: bytes in their order, or a file that a library opens itself.
pub trait Destination: Write + Send + 'static {
    /// The path of an empty regular file to which the bytes go. A library that needs a file of its
    /// own opens and writes it, and nothing is written by [`Write`] then. None by default: such a
    /// library then keeps the file in memory, and its bytes are written at the end.
    fn file(&self) -> Option<&Path> {
        None
    }

    /// The error of a library that wrote to [`file`](Self::file), with the name of the destination.
    fn named(&self, source: io::Error) -> io::Error {
        source
    }
}

impl Destination for Vec<u8> {}
