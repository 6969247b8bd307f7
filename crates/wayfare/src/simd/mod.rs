//! SIMD: arithmetic on several numbers at once, and the dispatch to the processor's widest
//! instructions while the program runs.
//!
//! Code that is generic over [`Simd`] is compiled once for the baseline and once for each wider
//! [`SimdLevel`]; the widest level that the machine has is run. No level fuses a multiplication
//! with an addition, and sums over neighbors are sums of integers, so all levels give the same
//! bits, however many lanes they have.
//!
//! - `arithmetic.rs`: the trait [`Simd`], what a formula needs;
//! - `exponential.rs`: an exponential function of that arithmetic alone;
//! - `memory.rs`: loads and stores, for the crate's own loops;
//! - `vector.rs`: vectors of lanes;
//! - `level.rs`: the levels, and the dispatch;
//! - `plain.rs`, `x86/`: the implementations;
//! - `column.rs`: columns of vectors that are read in blocks of lanes.

// The one module with unsafe code: it calls instructions after the processor was found to have
// them.
#![allow(unsafe_code)]

mod arithmetic;
pub(crate) mod column;
mod exponential;
mod level;
mod memory;
mod plain;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use arithmetic::Simd;
pub(crate) use exponential::exp_minus;
pub use level::SimdLevel;
pub(crate) use level::{SimdDispatch, Work};
pub(crate) use memory::{SimdMemory, lanes_in_run};
pub(crate) use plain::{Four, One};
pub use vector::{SimdVector, Term};

use crate::vector::Vector;

/// The largest number of lanes. Columns that are read in blocks are longer than their content by so
/// many entries.
pub(crate) const MAX_LANES: usize = 16;

/// A bit for each of eight boxes that touches the box between the corners `low` and `high`; `ends`
/// has the low and the high ends of the boxes, axis by axis.
#[inline(always)]
pub(crate) fn touching<V: Vector>(ends: &[[[f32; 8]; 2]; 3], low: V, high: V) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return x86::touching(ends, low, high);
    #[cfg(not(target_arch = "x86_64"))]
    {
        let four = |at: usize| {
            (0..V::DIMENSION).fold(u32::MAX, |bits, axis| {
                let [lows, highs] = &ends[axis];
                let (lows, highs) = (Four::load(lows, at), Four::load(highs, at));
                bits & Four::to_bits(lows.le(Four::splat(high.axis(axis))))
                    & Four::to_bits(Four::splat(low.axis(axis)).le(highs))
            })
        };
        four(0) | four(4) << 4
    }
}

/// A bit for each of eight numbers that is at most `limit`.
#[inline(always)]
pub(crate) fn at_most(numbers: &[f32; 8], limit: f32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return x86::at_most(numbers, limit);
    #[cfg(not(target_arch = "x86_64"))]
    {
        let four = |at: usize| Four::to_bits(Four::load(numbers, at).le(Four::splat(limit)));
        four(0) | four(4) << 4
    }
}

/// `core::array::from_fn`, which is not always inlined, and then lacks the instructions of the
/// lanes.
#[inline(always)]
fn array_of<const COUNT: usize>(mut f: impl FnMut(usize) -> f32) -> [f32; COUNT] {
    let mut numbers = [0.0; COUNT];
    for i in 0..COUNT {
        numbers[i] = f(i);
    }
    numbers
}

/// Prefetches what will be read soon.
#[inline(always)]
pub(crate) fn prefetch<T>(soon: &T) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(soon);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}

#[cfg(test)]
mod tests;
