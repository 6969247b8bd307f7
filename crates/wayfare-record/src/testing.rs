//! Helpers of several tests.

use std::io::{self, Write};

/// A destination that refuses every byte, as a full disk does.
#[derive(Debug)]
pub(crate) struct FullDisk;

impl Write for FullDisk {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl crate::destination::Destination for FullDisk {}
