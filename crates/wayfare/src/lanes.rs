//! Eight numbers at once: plain arrays whose loops the compiler turns into vector instructions, and the choice of those
//! instructions while the program runs.
//!
//! Everything here is one source: `widest` compiles its closure once for the baseline and once for AVX2, and takes the one that the
//! machine has. Neither fuses a multiplication with an addition, so both give the same bits.

#![allow(clippy::needless_range_loop)] // Loops over lanes run over several arrays at once.
#![allow(unsafe_code)] // The one module: calling code compiled for instructions that were just found to be there.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::column::VectorColumn;
use crate::vector::Vector;

/// How many numbers there are in [`Lanes`].
pub const LANES: usize = 8;

/// Eight numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct Lanes(pub [f32; LANES]);

/// Eight times yes (all bits set) or no.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Mask(pub(crate) [u32; LANES]);

impl Lanes {
    /// Eight times `x`.
    #[inline(always)]
    pub fn splat(x: f32) -> Self {
        Self([x; LANES])
    }

    /// Eight numbers of `column` from `at` on.
    #[inline(always)]
    pub(crate) fn load(column: &[f32], at: usize) -> Self {
        let mut lanes = [0.0; LANES];
        lanes.copy_from_slice(&column[at..at + LANES]);
        Self(lanes)
    }

    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut lanes = self.0;
        for i in 0..LANES {
            lanes[i] = f(lanes[i], other.0[i]);
        }
        Self(lanes)
    }

    #[inline(always)]
    fn compare(self, other: Self, f: impl Fn(f32, f32) -> bool) -> Mask {
        let mut mask = [0; LANES];
        for i in 0..LANES {
            mask[i] = if f(self.0[i], other.0[i]) { u32::MAX } else { 0 };
        }
        Mask(mask)
    }

    #[inline(always)]
    pub(crate) fn at_most(self, other: Self) -> Mask {
        self.compare(other, |a, b| a <= b)
    }

    #[inline(always)]
    pub(crate) fn above(self, other: Self) -> Mask {
        self.compare(other, |a, b| a > b)
    }

    /// The number where the mask says yes, zero elsewhere, also in place of an infinity or NaN.
    #[inline(always)]
    pub(crate) fn masked(self, mask: Mask) -> Self {
        let mut lanes = self.0;
        for i in 0..LANES {
            lanes[i] = f32::from_bits(lanes[i].to_bits() & mask.0[i]);
        }
        Self(lanes)
    }

    /// The sum of eight counts.
    #[inline(always)]
    pub(crate) fn total(self) -> u32 {
        self.0.iter().map(|&x| x as u32).sum()
    }

    /// Times `scale`, rounded towards zero.
    #[inline(always)]
    pub(crate) fn rounded(self, scale: f32) -> [i32; LANES] {
        let mut lanes = [0; LANES];
        for i in 0..LANES {
            let x = self.0[i] * scale;
            debug_assert!(x.abs() <= 2_147_483_520.0);
            // SAFETY: the caller's lanes are finite and at most `LARGEST_TERM` long, which times the scale of the sums is 2^26.
            // (`as` would be safe, and twice as slow: it checks the range once more.)
            lanes[i] = unsafe { x.to_int_unchecked::<i32>() };
        }
        lanes
    }
}

impl Mask {
    #[inline(always)]
    pub(crate) fn and(self, other: Self) -> Self {
        let mut mask = self.0;
        for i in 0..LANES {
            mask[i] &= other.0[i];
        }
        Self(mask)
    }

    /// Yes in those lanes whose bit in `set` is on: `lanes` counts bits from 0, and those from 32 up are off.
    #[inline(always)]
    pub(crate) fn members(set: u32, lanes: &[u32], at: usize) -> Self {
        let mut mask = [0; LANES];
        for i in 0..LANES {
            mask[i] = if (set >> (lanes[at + i] & 31)) & 1 == 1 { u32::MAX } else { 0 };
        }
        Self(mask)
    }
}

macro_rules! lanewise {
    ($($trait:ident, $method:ident, $op:tt;)*) => {
        $(impl $trait for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(other, |a, b| a $op b)
            }
        })*
    };
}

lanewise! { Add, add, +; Sub, sub, -; Mul, mul, *; Div, div, /; }

impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.with(self, |a, _| -a)
    }
}

/// Eight vectors; of three axes, of which a flat world uses the first two.
#[derive(Clone, Copy, Debug)]
pub struct VectorLanes(pub(crate) [Lanes; 3]);

impl VectorLanes {
    /// The same vector eight times.
    #[inline(always)]
    pub(crate) fn splat<V: Vector>(v: V) -> Self {
        Self([v.axis(0), v.axis(1), if V::DIMENSION == 3 { v.axis(2) } else { 0.0 }].map(Lanes::splat))
    }

    /// Eight vectors of `column` from `at` on.
    #[inline(always)]
    pub(crate) fn load<V: Vector>(column: &VectorColumn<V>, at: usize) -> Self {
        let z = if V::DIMENSION == 3 { Lanes::load(column.axis(2), at) } else { Lanes::splat(0.0) };
        Self([Lanes::load(column.axis(0), at), Lanes::load(column.axis(1), at), z])
    }

    /// The squares of the lengths, summed in the order x, y, z as [`Vector::dot`] does.
    #[inline(always)]
    pub(crate) fn length_squared<V: Vector>(self) -> Lanes {
        let [x, y, z] = self.0;
        let flat = x * x + y * y;
        if V::DIMENSION == 3 { flat + z * z } else { flat }
    }
}

impl Sub for VectorLanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([x - u, y - v, z - w])
    }
}

impl Mul<Lanes> for VectorLanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, scale: Lanes) -> Self {
        let [x, y, z] = self.0;
        Self([x * scale, y * scale, z * scale])
    }
}

/// Runs `work` with the widest instructions that this machine has.
#[inline(always)]
pub(crate) fn widest<R>(work: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the machine was just found to have what `avx2` is compiled for.
            return unsafe { avx2(work) };
        }
    }
    work()
}
