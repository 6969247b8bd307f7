//! Loads and stores of lanes, apart from their arithmetic: formulas compute on lanes that the
//! crate's own loops have loaded.

use core::ops::Range;

use super::{Simd, SimdVector};
use crate::simd::column::VectorColumn;
use crate::vector::Vector;

/// Lanes that are loaded from columns and stored into them.
///
/// # Panics
/// Every function panics if a column ends before the last lane.
pub(crate) trait SimdMemory: Simd {
    /// The numbers of `column` from `at` on.
    fn load(column: &[f32], at: usize) -> Self;
    /// Writes the numbers into `column` from `at` on.
    fn store(self, column: &mut [f32], at: usize);
    /// Writes the lanes whose bit in `bits` is 1 contiguously into `column` from `at` on. The
    /// entries of the block behind them become unspecified.
    fn compress_store(self, bits: u32, column: &mut [f32], at: usize);
    /// The same for integers, which are read from `from`.
    fn compress_copy(bits: u32, from: &[u32], from_at: usize, to: &mut [u32], at: usize);
    /// True where the integer in `column` from `at` on is the index of a bit of `set` that is 1;
    /// false for integers from 32 up.
    fn load_in_set(set: u32, column: &[u32], at: usize) -> Self::Mask;
}

impl<L: Simd> SimdVector<L> {
    /// The vectors of `column` from `at` on.
    #[inline(always)]
    pub(crate) fn load<V: Vector>(column: &VectorColumn<V>, at: usize) -> Self
    where
        L: SimdMemory,
    {
        let z = if V::DIMENSION == 3 { L::load(column.axis(2), at) } else { L::splat(0.0) };
        Self([L::load(column.axis(0), at), L::load(column.axis(1), at), z])
    }

    /// Writes the vectors into axes from `at` on.
    #[inline(always)]
    pub(crate) fn store_axes<V: Vector>(self, axes: &mut [&mut [f32]; 3], at: usize)
    where
        L: SimdMemory,
    {
        for i in 0..V::DIMENSION {
            self.0[i].store(axes[i], at);
        }
    }

    /// Writes the lanes whose bit in `bits` is 1 contiguously into `column` from `at` on.
    #[inline(always)]
    pub(crate) fn compress_store<V: Vector>(
        self,
        bits: u32,
        column: &mut VectorColumn<V>,
        at: usize,
    ) where
        L: SimdMemory,
    {
        for axis in 0..V::DIMENSION {
            self.0[axis].compress_store(bits, column.axis_mut(axis), at);
        }
    }
}

/// A bit for each lane of the block at `at` that belongs to `run`.
#[inline(always)]
pub(crate) fn lanes_in_run<L: Simd>(run: &Range<usize>, at: usize) -> u32 {
    u32::MAX >> (32 - L::COUNT.min(run.end - at))
}

/// A pointer to the `count` entries of a column from `at` on, after a check that they exist.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn block<T>(column: &[T], at: usize, count: usize) -> *const T {
    column[at..at + count].as_ptr()
}

/// The same for writing.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn block_mut<T>(column: &mut [T], at: usize, count: usize) -> *mut T {
    column[at..at + count].as_mut_ptr()
}
