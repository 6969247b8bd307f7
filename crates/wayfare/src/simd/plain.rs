//! Lanes as plain arrays: the baseline, whose four lanes every machine has as one register (SSE2,
//! NEON, simd128), and single numbers for formulas that are written for lanes.

use core::ops::{Add, Div, Mul, Neg, Sub};

use super::arithmetic::sealed::Sealed;
use super::{Simd, SimdMemory, array_of};
#[cfg(not(feature = "std"))]
use crate::platform::Float;

/// `COUNT` numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain<const COUNT: usize>([f32; COUNT]);

/// The lanes of the baseline.
pub(crate) type Four = Plain<4>;

/// One number, where a formula for lanes is computed for a single pair.
pub(crate) type One = Plain<1>;

impl<const COUNT: usize> Plain<COUNT> {
    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut lanes = self.0;
        for i in 0..COUNT {
            lanes[i] = f(lanes[i], other.0[i]);
        }
        Self(lanes)
    }
}

macro_rules! lanewise {
    ($($trait:ident, $method:ident, $op:tt;)*) => {
        $(impl<const COUNT: usize> $trait for Plain<COUNT> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(other, |a, b| a $op b)
            }
        })*
    };
}

lanewise! { Add, add, +; Sub, sub, -; Mul, mul, *; Div, div, /; }

impl<const COUNT: usize> Neg for Plain<COUNT> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let mut lanes = self.0;
        for i in 0..COUNT {
            lanes[i] = -lanes[i];
        }
        Self(lanes)
    }
}

impl<const COUNT: usize> Sealed for Plain<COUNT> {}

impl<const COUNT: usize> Simd for Plain<COUNT> {
    const COUNT: usize = COUNT;
    /// All bits of a lane are set for true.
    type Mask = [u32; COUNT];
    type Int = [i32; COUNT];

    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self([x; COUNT])
    }
    #[inline(always)]
    fn from_fn(f: impl FnMut(usize) -> f32) -> Self {
        Self(array_of(f))
    }
    #[inline(always)]
    fn first(self) -> f32 {
        self.0[0]
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let mut lanes = self.0;
        for i in 0..COUNT {
            lanes[i] = lanes[i].sqrt();
        }
        Self(lanes)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.with(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn least(self) -> f32 {
        let mut least = f32::INFINITY;
        for i in 0..COUNT {
            least = if least < self.0[i] { least } else { self.0[i] };
        }
        least
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn le(self, other: Self) -> Self::Mask {
        let mut mask = [0; COUNT];
        for i in 0..COUNT {
            mask[i] = if self.0[i] <= other.0[i] { u32::MAX } else { 0 };
        }
        mask
    }
    #[inline(always)]
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self {
        let mut lanes = a.0;
        for i in 0..COUNT {
            lanes[i] = if mask[i] == 0 { b.0[i] } else { lanes[i] };
        }
        Self(lanes)
    }
    #[inline(always)]
    fn or_zero(self, mask: Self::Mask) -> Self {
        let mut lanes = self.0;
        for i in 0..COUNT {
            lanes[i] = f32::from_bits(lanes[i].to_bits() & mask[i]);
        }
        Self(lanes)
    }
    #[inline(always)]
    fn or_infinity(self, mask: Self::Mask) -> Self {
        let mut lanes = self.0;
        for i in 0..COUNT {
            lanes[i] = if mask[i] == 0 { f32::INFINITY } else { lanes[i] };
        }
        Self(lanes)
    }
    #[inline(always)]
    fn and_not(mut a: Self::Mask, b: Self::Mask) -> Self::Mask {
        for i in 0..COUNT {
            a[i] &= !b[i];
        }
        a
    }
    #[inline(always)]
    fn to_bits(mask: Self::Mask) -> u32 {
        let mut bits = 0;
        for i in 0..COUNT {
            bits |= (mask[i] & 1) << i;
        }
        bits
    }
    #[inline(always)]
    fn to_int(self) -> Self::Int {
        let mut lanes = [0; COUNT];
        for i in 0..COUNT {
            // An unchecked cast takes half the time, but a user's pair term that is not finite
            // would be undefined behavior.
            lanes[i] = self.0[i] as i32;
        }
        lanes
    }
    #[inline(always)]
    fn int_zero() -> Self::Int {
        [0; COUNT]
    }
    #[inline(always)]
    fn int_add(mask: Self::Mask, mut a: Self::Int, b: Self::Int) -> Self::Int {
        for i in 0..COUNT {
            a[i] = a[i].wrapping_add(b[i] & mask[i] as i32);
        }
        a
    }
    #[inline(always)]
    fn int_increment(mask: Self::Mask, mut a: Self::Int) -> Self::Int {
        for i in 0..COUNT {
            a[i] += (mask[i] & 1) as i32;
        }
        a
    }
    #[inline(always)]
    fn reduce_sum(ints: [Self::Int; 4]) -> [i64; 4] {
        let mut sums = [0; 4];
        for k in 0..4 {
            for i in 0..COUNT {
                sums[k] += i64::from(ints[k][i]);
            }
        }
        sums
    }
}

impl<const COUNT: usize> SimdMemory for Plain<COUNT> {
    #[inline(always)]
    fn load(column: &[f32], at: usize) -> Self {
        let mut lanes = [0.0; COUNT];
        lanes.copy_from_slice(&column[at..at + COUNT]);
        Self(lanes)
    }
    #[inline(always)]
    fn store(self, column: &mut [f32], at: usize) {
        column[at..at + COUNT].copy_from_slice(&self.0);
    }
    #[inline(always)]
    fn compress_store(self, bits: u32, column: &mut [f32], at: usize) {
        let column = &mut column[at..at + COUNT];
        let mut count = 0;
        for i in 0..COUNT {
            column[count] = self.0[i];
            count = (count + (bits as usize >> i & 1)) % COUNT;
        }
    }
    #[inline(always)]
    fn compress_copy(bits: u32, from: &[u32], from_at: usize, to: &mut [u32], at: usize) {
        let (from, to) = (&from[from_at..from_at + COUNT], &mut to[at..at + COUNT]);
        let mut count = 0;
        for i in 0..COUNT {
            to[count] = from[i];
            count = (count + (bits as usize >> i & 1)) % COUNT;
        }
    }
    #[inline(always)]
    fn load_in_set(set: u32, column: &[u32], at: usize) -> Self::Mask {
        let mut mask = [0; COUNT];
        let column = &column[at..at + COUNT];
        for i in 0..COUNT {
            mask[i] = if column[i] < 32 && set >> column[i] & 1 == 1 { u32::MAX } else { 0 };
        }
        mask
    }
}
