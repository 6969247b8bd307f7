//! Eight numbers at once: plain arrays whose loops the compiler turns into vector instructions, and the choice of those
//! instructions while the program runs.
//!
//! Everything here is one source: [`widest`] compiles its work once for the baseline and once for AVX2, and takes the one that the
//! machine has. Neither fuses a multiplication with an addition, so both give the same bits. What loops cannot say to the
//! compiler, moving the lanes of a mask together, is written for both.

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
        Self(load(column, at))
    }

    /// The larger of each two.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        self.with(other, |a, b| if a > b { a } else { b })
    }

    /// The lanes of `bits` moved together, as [`together`] does.
    #[inline(always)]
    pub(crate) fn together<const WIDE: bool>(self, bits: u32) -> Self {
        Self(together::<WIDE>(self.0.map(f32::to_bits), bits).map(f32::from_bits))
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

    /// The number where the mask says yes, `other` elsewhere.
    #[inline(always)]
    pub(crate) fn or_else(self, mask: Mask, other: f32) -> Self {
        let mut lanes = self.0;
        for i in 0..LANES {
            lanes[i] = if mask.0[i] == 0 { other } else { lanes[i] };
        }
        Self(lanes)
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
    /// A bit for each lane, the first lane's lowest.
    #[inline(always)]
    pub(crate) fn bits<const WIDE: bool>(self) -> u32 {
        #[cfg(target_arch = "x86_64")]
        if WIDE {
            // SAFETY: only `widest` says so, where the machine has AVX2.
            return unsafe { avx2::bits(&self.0) };
        }
        self.0.iter().enumerate().fold(0, |bits, (i, lane)| bits | (lane & 1) << i)
    }

    /// Counts one more in each lane that says yes.
    #[inline(always)]
    pub(crate) fn count_in(self, counts: &mut [u32; LANES]) {
        for i in 0..LANES {
            counts[i] = counts[i].wrapping_sub(self.0[i]);
        }
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

    /// The larger of each two coordinates.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([x.max(u), y.max(v), z.max(w)])
    }

    /// The lanes of `bits` moved together, as [`together`] does.
    #[inline(always)]
    pub(crate) fn together<const WIDE: bool, V: Vector>(self, bits: u32) -> Self {
        let [x, y, z] = self.0;
        Self([x.together::<WIDE>(bits), y.together::<WIDE>(bits), if V::DIMENSION == 3 { z.together::<WIDE>(bits) } else { z }])
    }

    /// Writes them into `column` from `at` on.
    #[inline(always)]
    pub(crate) fn store<V: Vector>(self, column: &mut VectorColumn<V>, at: usize) {
        for axis in 0..V::DIMENSION {
            column.axis_mut(axis)[at..at + LANES].copy_from_slice(&self.0[axis].0);
        }
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

/// Eight of `column` from `at` on.
#[inline(always)]
pub(crate) fn load<T: Copy + Default>(column: &[T], at: usize) -> [T; LANES] {
    let mut lanes = [T::default(); LANES];
    lanes.copy_from_slice(&column[at..at + LANES]);
    lanes
}

/// What is done with the widest instructions there are.
pub(crate) trait Work {
    type Result;
    /// `WIDE` says whether they are AVX2. Mark it `#[inline(always)]`, and what it calls: only then is it compiled for them.
    fn run<const WIDE: bool>(self) -> Self::Result;
}

/// Runs `work` with the widest instructions that this machine has.
#[inline(always)]
pub(crate) fn widest<W: Work>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt") {
        // SAFETY: the machine was just found to have what it is compiled for.
        return unsafe { avx2::run(work) };
    }
    work.run::<false>()
}

/// Moves the lanes whose bit in `bits` is on together, in their order; what is behind them is left over.
#[inline(always)]
pub(crate) fn together<const WIDE: bool>(lanes: [u32; LANES], bits: u32) -> [u32; LANES] {
    #[cfg(target_arch = "x86_64")]
    if WIDE {
        // SAFETY: only `widest` says so, where the machine has AVX2.
        return unsafe { avx2::together(&lanes, bits) };
    }
    let (mut moved, mut count) = ([0; LANES], 0);
    for i in 0..LANES {
        moved[count] = lanes[i];
        count = (count + (bits as usize >> i & 1)) & (LANES - 1);
    }
    moved
}

/// What is compiled for AVX2.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{LANES, Work};
    use std::arch::x86_64::{
        _mm_loadl_epi64, _mm256_castsi256_ps, _mm256_cvtepu8_epi32, _mm256_loadu_si256, _mm256_movemask_ps, _mm256_permutevar8x32_epi32,
        _mm256_storeu_si256,
    };

    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn run<W: Work>(work: W) -> W::Result {
        work.run::<true>()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn bits(mask: &[u32; LANES]) -> u32 {
        // SAFETY: the load is of the array's own 32 bytes.
        unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_loadu_si256(mask.as_ptr().cast()))) as u32 }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn together(lanes: &[u32; LANES], bits: u32) -> [u32; LANES] {
        let mut moved = [0; LANES];
        // SAFETY: the loads and the store are of the arrays' own bytes.
        unsafe {
            let order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(ORDERS[(bits & 255) as usize].as_ptr().cast()));
            let lanes = _mm256_loadu_si256(lanes.as_ptr().cast());
            _mm256_storeu_si256(moved.as_mut_ptr().cast(), _mm256_permutevar8x32_epi32(lanes, order));
        }
        moved
    }

    /// For each set of lanes, the lanes in the order that moves them together.
    static ORDERS: [[u8; LANES]; 256] = orders();

    const fn orders() -> [[u8; LANES]; 256] {
        let mut orders = [[0; LANES]; 256];
        let mut bits = 0;
        while bits < 256 {
            let (mut lane, mut count) = (0, 0);
            while lane < LANES {
                if bits >> lane & 1 == 1 {
                    orders[bits][count] = lane as u8;
                    count += 1;
                }
                lane += 1;
            }
            bits += 1;
        }
        orders
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Move(u32);

    impl Work for Move {
        type Result = (u32, Vec<u32>);
        #[inline(always)]
        fn run<const WIDE: bool>(self) -> Self::Result {
            let lanes = [10, 11, 12, 13, 14, 15, 16, 17];
            let mask = Mask([0, 1, 2, 3, 4, 5, 6, 7].map(|i| if self.0 >> i & 1 == 1 { u32::MAX } else { 0 }));
            (mask.bits::<WIDE>(), together::<WIDE>(lanes, self.0)[..self.0.count_ones() as usize].to_vec())
        }
    }

    #[test]
    fn the_lanes_of_any_mask_are_moved_together_in_their_order() {
        for bits in 0..256 {
            let expected: Vec<u32> = (0..8).filter(|i| bits >> i & 1 == 1).map(|i| 10 + i).collect();
            assert_eq!(Move(bits).run::<false>(), (bits, expected));
            assert_eq!(widest(Move(bits)), Move(bits).run::<false>());
        }
    }
}
