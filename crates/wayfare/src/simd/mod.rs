//! Several numbers at once, and the choice of the processor's instructions while the program runs.
//!
//! What is written for any [`Simd`] is compiled once for the baseline and once for each wider set
//! of [`SimdLevel`], of which the widest that the machine has are run. None of them fuses a
//! multiplication with an addition, and sums over neighbors are whole numbers, so all give the same
//! bits, however many lanes they have.

// The one module with unsafe code: it calls code that was compiled for instructions after the
// processor was found to have them.
#![allow(unsafe_code)]

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Range, Sub};

use crate::simd::column::VectorColumn;
use crate::vector::Vector;

pub(crate) mod column;
mod plain;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use plain::Plain;

/// The most lanes there are: columns that are read in blocks have so many entries more than they
/// need.
pub(crate) const MAX_LANES: usize = 16;

/// Numbers that are computed with at once, [`COUNT`](Self::COUNT) of them.
pub trait Simd:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// How many there are.
    const COUNT: usize;
    /// Yes or no in each lane.
    type Mask: Copy + Debug;
    /// A whole number of 32 bits in each lane.
    type Whole: Copy + Debug;

    /// The same number in each lane.
    fn splat(x: f32) -> Self;
    /// The numbers of `column` from `at` on.
    ///
    /// # Panics
    /// Where the column ends before the last lane.
    fn load(column: &[f32], at: usize) -> Self;
    /// The number `f(i)` in lane `i`.
    fn from_fn(f: impl FnMut(usize) -> f32) -> Self;
    /// Writes the numbers into `column` from `at` on.
    ///
    /// # Panics
    /// Where the column ends before the last lane.
    fn store(self, column: &mut [f32], at: usize);
    /// The number of the first lane.
    fn first(self) -> f32;
    /// The square roots.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The smaller of each two, the other where they are equal.
    #[must_use]
    fn min(self, other: Self) -> Self;
    /// The larger of each two, the other where they are equal.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// The number where the mask says yes, the other elsewhere.
    #[must_use]
    fn or(self, mask: Self::Mask, other: Self) -> Self;
    /// Whether each is at most the other.
    fn at_most(self, other: Self) -> Self::Mask;
    /// The number where the mask says yes, zero elsewhere, also in place of an infinity or NaN.
    #[must_use]
    fn masked(self, mask: Self::Mask) -> Self;
    /// The number where the mask says yes, infinity elsewhere.
    #[must_use]
    fn or_infinity(self, mask: Self::Mask) -> Self;
    /// Rounded towards zero; what a number that is not finite and below 2^31 becomes depends on the
    /// instructions.
    fn rounded(self) -> Self::Whole;
    /// Zero in each lane.
    fn zero() -> Self::Whole;
    /// What the first says and the second does not.
    fn but_not(mask: Self::Mask, other: Self::Mask) -> Self::Mask;
    /// The sum of each two where the mask says yes, the first elsewhere.
    fn plus_where(mask: Self::Mask, a: Self::Whole, b: Self::Whole) -> Self::Whole;
    /// One more where the mask says yes.
    fn count(counts: Self::Whole, mask: Self::Mask) -> Self::Whole;
    /// The sums of all lanes of four numbers, each below 2^29 in every lane.
    fn totals(wholes: [Self::Whole; 4]) -> [i64; 4];
    /// A bit for each lane, the first lane's lowest.
    fn bits(mask: Self::Mask) -> u32;
    /// Yes where the number in `column` from `at` on is that of a bit of `set` that is on; bits
    /// count from 0, and those from 32 up are off.
    fn members(set: u32, column: &[u32], at: usize) -> Self::Mask;
    /// Writes the lanes whose bit in `bits` is on side by side into `column` from `at` on, and
    /// something behind them.
    fn store_together(self, bits: u32, column: &mut [f32], at: usize);
    /// The same for whole numbers, which are read from `from`.
    fn copy_together(bits: u32, from: &[u32], from_at: usize, to: &mut [u32], at: usize);
}

/// Several terms of a sum: vectors, and what they are multiplied by to be about as long as 1.
///
/// The two are kept apart so that the sum's own unit is multiplied into the scale: once, where the
/// scale is the same for all.
#[derive(Clone, Copy, Debug)]
pub struct Term<L> {
    pub(crate) vector: SimdVector<L>,
    pub(crate) scale: L,
}

/// Several vectors; of three axes, of which a flat world uses the first two.
#[derive(Clone, Copy, Debug)]
pub struct SimdVector<L>(pub(crate) [L; 3]);

impl<L: Simd> SimdVector<L> {
    /// The same vector in each lane.
    #[inline(always)]
    pub(crate) fn splat<V: Vector>(v: V) -> Self {
        Self([
            L::splat(v.axis(0)),
            L::splat(v.axis(1)),
            L::splat(if V::DIMENSION == 3 { v.axis(2) } else { 0.0 }),
        ])
    }

    /// The vectors of `column` from `at` on.
    #[inline(always)]
    pub(crate) fn load<V: Vector>(column: &VectorColumn<V>, at: usize) -> Self {
        let z = if V::DIMENSION == 3 { L::load(column.axis(2), at) } else { L::splat(0.0) };
        Self([L::load(column.axis(0), at), L::load(column.axis(1), at), z])
    }

    /// These vectors as terms of a sum, each multiplied by `scale`.
    #[inline(always)]
    pub fn times(self, scale: L) -> Term<L> {
        Term { vector: self, scale }
    }

    /// Writes the vectors into axes from `at` on.
    #[inline(always)]
    pub(crate) fn store_axes<V: Vector>(self, axes: &mut [&mut [f32]; 3], at: usize) {
        for (axis, lanes) in axes.iter_mut().zip(self.0).take(V::DIMENSION) {
            lanes.store(axis, at);
        }
    }

    /// The vectors where the mask says yes, the others elsewhere.
    #[inline(always)]
    pub(crate) fn or(self, mask: L::Mask, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([x.or(mask, u), y.or(mask, v), z.or(mask, w)])
    }

    /// The larger of each two coordinates.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([x.max(u), y.max(v), z.max(w)])
    }

    /// Writes the lanes of `bits` side by side into `column` from `at` on.
    #[inline(always)]
    pub(crate) fn store_together<V: Vector>(
        self,
        bits: u32,
        column: &mut VectorColumn<V>,
        at: usize,
    ) {
        for axis in 0..V::DIMENSION {
            self.0[axis].store_together(bits, column.axis_mut(axis), at);
        }
    }

    /// The squares of the lengths, summed in the order x, y, z as [`Vector::dot`] does.
    #[inline(always)]
    pub(crate) fn length_squared<V: Vector>(self) -> L {
        let [x, y, z] = self.0;
        let flat = x * x + y * y;
        if V::DIMENSION == 3 { flat + z * z } else { flat }
    }
}

impl<L: Simd> Add for SimdVector<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([x + u, y + v, z + w])
    }
}

impl<L: Simd> Sub for SimdVector<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([x - u, y - v, z - w])
    }
}

impl<L: Simd> Mul<L> for SimdVector<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, scale: L) -> Self {
        let [x, y, z] = self.0;
        Self([x * scale, y * scale, z * scale])
    }
}

/// What is done with the instructions that were chosen.
pub(crate) trait Work {
    type Result;
    /// RememberedPosition it `#[inline(always)]`, and what it calls: only then is it compiled for
    /// the instructions of its lanes.
    fn run<L: Simd>(self) -> Self::Result;
}

/// The sets of instructions that sums over neighbors are compiled for. All of them give the same
/// bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimdLevel {
    /// What every machine of its kind has.
    Baseline,
    /// Eight lanes (x86-64).
    Avx2,
    /// Sixteen lanes (x86-64).
    Avx512,
}

impl SimdLevel {
    /// All, the widest last.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// The widest that this machine has.
    pub fn widest() -> Self {
        SimdDispatch::widest().0
    }

    /// Whether this machine has them.
    pub fn are_there(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let avx2 = || has!("avx2") && has!("popcnt");
            match self {
                Self::Baseline => true,
                Self::Avx2 => avx2(),
                Self::Avx512 => avx2() && has!("avx512f"),
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            self == Self::Baseline
        }
    }
}

/// SimdLevel that this machine was found to have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SimdDispatch(SimdLevel);

impl SimdDispatch {
    pub(crate) fn new(instructions: SimdLevel) -> Option<Self> {
        instructions.are_there().then_some(Self(instructions))
    }

    pub(crate) fn widest() -> Self {
        SimdLevel::ALL.into_iter().rev().find_map(Self::new).unwrap_or(Self(SimdLevel::Baseline))
    }

    /// Runs `work` with them.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Result {
        match self.0 {
            // SAFETY: the machine was found to have them.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 => unsafe { x86::run_avx512(work) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2 => unsafe { x86::run_avx2(work) },
            _ => run_plain(work),
        }
    }
}

/// Apart from where it is called, which is nearly always compiled for wider ones.
#[inline(never)]
fn run_plain<W: Work>(work: W) -> W::Result {
    work.run::<Plain>()
}

/// A bit for each of eight boxes that touches the box between these corners; `ends` has the low and
/// the high ends of the boxes, axis by axis.
#[inline(always)]
pub(crate) fn touching<V: Vector>(ends: &[[[f32; 8]; 2]; 3], low: V, high: V) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return x86::touching(ends, low, high);
    #[cfg(not(target_arch = "x86_64"))]
    (0..V::DIMENSION).fold(u32::MAX, |bits, axis| {
        let [lows, highs] = ends[axis].each_ref().map(|ends| Plain::load(ends, 0));
        bits & Plain::bits(lows.at_most(Plain::splat(high.axis(axis))))
            & Plain::bits(Plain::splat(low.axis(axis)).at_most(highs))
    })
}

/// Lets the processor bring what will be read soon.
#[inline(always)]
pub(crate) fn prefetch<T>(soon: &T) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(soon);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}

/// The pointer to `count` entries of a column from `at` on, which are all there.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn block<T>(column: &[T], at: usize, count: usize) -> *const T {
    column[at..at + count].as_ptr()
}

/// The same for writing.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn block_mut<T>(column: &mut [T], at: usize, count: usize) -> *mut T {
    column[at..at + count].as_mut_ptr()
}

/// The lanes of a block whose bits are on in a run that ends after `left` more entries.
#[inline(always)]
pub(crate) fn run_on<L: Simd>(run: &Range<usize>, at: usize) -> u32 {
    u32::MAX >> (32 - L::COUNT.min(run.end - at))
}

#[cfg(test)]
mod tests;
