//! The common parts of snapshots and packed agents: magic bytes, version, dimension and fingerprint
//! at the start, and the hash at the end.

use alloc::vec::Vec;

use super::bytes::{Read, Reader, Writer, damaged, hash};
use super::error::SnapshotError;
use super::layout::{SNAPSHOT_VERSION, TRAILER};
use crate::vector::Vector;

/// Starts the bytes of a crowd whose setup has this fingerprint, with room for `room` bytes in all.
pub(in crate::crowd) fn begin<V: Vector>(fingerprint: u64, magic: [u8; 8], room: usize) -> Writer {
    let mut writer = Writer(Vec::with_capacity(room));
    writer.0.extend_from_slice(&magic);
    writer.u32(SNAPSHOT_VERSION);
    writer.u32(V::DIMENSION as u32);
    writer.u64(fingerprint);
    writer
}

/// Ends the bytes with their hash.
pub(in crate::crowd) fn end(mut writer: Writer) -> Vec<u8> {
    let sum = hash(&writer.0);
    writer.u64(sum);
    writer.0
}

/// A reader of what follows the fingerprint in bytes that [`begin`] has started with the
/// same one. `header` is the number of bytes that are always there before the hash.
pub(in crate::crowd) fn open<V: Vector>(
    fingerprint: u64,
    magic: [u8; 8],
    header: usize,
    bytes: &[u8],
) -> Read<Reader<'_>> {
    let mut reader = open_any::<V>(magic, header, bytes)?;
    if reader.u64()? != fingerprint {
        return Err(SnapshotError::OtherSetup);
    }
    Ok(reader)
}

/// A reader of the fingerprint and of what follows it, in bytes of a crowd with any setup.
pub(in crate::crowd) fn open_any<V: Vector>(
    magic: [u8; 8],
    header: usize,
    bytes: &[u8],
) -> Read<Reader<'_>> {
    // A file that was cut off within the magic bytes is too short rather than foreign.
    let begun = bytes.len().min(magic.len());
    if bytes[..begun] != magic[..begun] {
        return Err(SnapshotError::Foreign);
    }
    if bytes.len() < header + TRAILER {
        return Err(SnapshotError::TooShort(bytes.len()));
    }
    let (body, end) = bytes.split_at(bytes.len() - TRAILER);
    let mut reader = Reader(&body[magic.len()..]);
    // The layout of another version may differ from here on.
    let version = reader.u32()?;
    if version != SNAPSHOT_VERSION {
        return Err(SnapshotError::Version(version));
    }
    if Reader(end).u64()? != hash(body) {
        return damaged("its hash does not match");
    }
    let dimension = reader.u32()?;
    if dimension as usize != V::DIMENSION {
        return Err(SnapshotError::Dimension(dimension));
    }
    Ok(reader)
}
