//! What several tests need.

use std::io::{self, Write};

/// A disk that is full.
#[derive(Debug)]
pub(crate) struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
