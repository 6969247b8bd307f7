//! Encodes numbers as little-endian bytes, floats by their bits, and decodes them; and the hash at
//! the end of a snapshot.

use alloc::string::String;
use alloc::vec::Vec;

use super::error::SnapshotError;
use crate::random::{absorb, mix};
use crate::vector::Vector;

/// The decoded value, or the reason why the bytes are invalid.
pub(in crate::crowd) type Read<T> = Result<T, SnapshotError>;

/// The error for invalid bytes with a valid hash.
pub(in crate::crowd) fn damaged<T>(what: impl Into<String>) -> Read<T> {
    Err(SnapshotError::Damaged(what.into()))
}

/// A hash of `bytes`: the chain of mixing steps that random numbers and the digest use, over blocks
/// of eight bytes.
///
/// Each step is a bijection, so damage within one block is always detected, and other damage is
/// missed once in 2^64 cases. The hash needs no table and no other crate, and costs about as much
/// as a few copies of the bytes.
pub(in crate::crowd) fn hash(bytes: &[u8]) -> u64 {
    let mut state = mix(bytes.len() as u64);
    for chunk in bytes.chunks(8) {
        let mut block = [0; 8];
        block[..chunk.len()].copy_from_slice(chunk);
        state = absorb(state, u64::from_le_bytes(block));
    }
    state
}

/// Writes a snapshot.
#[derive(Debug, Default)]
pub(in crate::crowd) struct Writer(pub(in crate::crowd) Vec<u8>);

impl Writer {
    pub(in crate::crowd) fn u8(&mut self, x: u8) {
        self.0.push(x);
    }
    pub(in crate::crowd) fn flag(&mut self, x: bool) {
        self.0.push(u8::from(x));
    }
    pub(in crate::crowd) fn u32(&mut self, x: u32) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }
    pub(in crate::crowd) fn u64(&mut self, x: u64) {
        self.0.extend_from_slice(&x.to_le_bytes());
    }
    pub(in crate::crowd) fn index(&mut self, x: usize) {
        self.u64(x as u64);
    }
    pub(in crate::crowd) fn f32(&mut self, x: f32) {
        self.u32(x.to_bits());
    }
    pub(in crate::crowd) fn f64(&mut self, x: f64) {
        self.u64(x.to_bits());
    }
    pub(in crate::crowd) fn vector<V: Vector>(&mut self, v: V) {
        (0..V::DIMENSION).for_each(|i| self.f32(v.axis(i)));
    }
    /// The length of the text, and its bytes in UTF-8.
    pub(in crate::crowd) fn text(&mut self, text: &str) {
        self.index(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }
    pub(in crate::crowd) fn vectors<V: Vector>(&mut self, list: &[V]) {
        self.index(list.len());
        list.iter().for_each(|v| self.vector(*v));
    }
}

/// Reads a snapshot; every length is checked against the remaining bytes before anything is
/// allocated.
#[derive(Debug)]
pub(in crate::crowd) struct Reader<'a>(pub(in crate::crowd) &'a [u8]);

impl<'a> Reader<'a> {
    pub(in crate::crowd) fn bytes(&mut self, count: usize) -> Read<&'a [u8]> {
        let Some((bytes, remainder)) = self.0.split_at_checked(count) else {
            return damaged("it ends too early");
        };
        self.0 = remainder;
        Ok(bytes)
    }
    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }
    pub(in crate::crowd) fn u8(&mut self) -> Read<u8> {
        self.array().map(|[x]| x)
    }
    pub(in crate::crowd) fn flag(&mut self) -> Read<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            x => damaged(format!("a flag is {x}")),
        }
    }
    pub(in crate::crowd) fn u32(&mut self) -> Read<u32> {
        self.array().map(u32::from_le_bytes)
    }
    pub(in crate::crowd) fn u64(&mut self) -> Read<u64> {
        self.array().map(u64::from_le_bytes)
    }
    pub(in crate::crowd) fn index(&mut self) -> Read<usize> {
        let x = self.u64()?;
        usize::try_from(x).or_else(|_| damaged(format!("an index is {x}")))
    }
    pub(in crate::crowd) fn f32(&mut self) -> Read<f32> {
        self.u32().map(f32::from_bits)
    }
    pub(in crate::crowd) fn f64(&mut self) -> Read<f64> {
        self.u64().map(f64::from_bits)
    }
    pub(in crate::crowd) fn vector<V: Vector>(&mut self) -> Read<V> {
        let bytes = self.bytes(4 * V::DIMENSION)?;
        Ok(V::from_fn(|i| f32::from_le_bytes([0, 1, 2, 3].map(|k| bytes[4 * i + k]))))
    }
    /// The number of items that follow, each at least `size` bytes long. A number that the
    /// remaining bytes cannot hold is an error.
    pub(in crate::crowd) fn count(&mut self, size: usize) -> Read<usize> {
        let count = self.index()?;
        if count > self.0.len() / size {
            damaged(format!("it is too short for a list of {count}"))
        } else {
            Ok(count)
        }
    }
    pub(in crate::crowd) fn text(&mut self) -> Read<&'a str> {
        let count = self.count(1)?;
        core::str::from_utf8(self.bytes(count)?).or_else(|_| damaged("a name is not UTF-8"))
    }
    pub(in crate::crowd) fn vectors<V: Vector>(&mut self) -> Read<Vec<V>> {
        let count = self.count(4 * V::DIMENSION)?;
        self.many(count, Self::vector)
    }
    /// `count` items in a row; the caller has checked the count against the remaining bytes.
    pub(in crate::crowd) fn many<T>(
        &mut self,
        count: usize,
        mut one: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        let mut list = Vec::with_capacity(count.min(self.0.len()));
        for _ in 0..count {
            list.push(one(self)?);
        }
        Ok(list)
    }
}
