//! Arithmetic on lanes.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A private supertrait: only this crate's types are lanes.
pub(super) mod sealed {
    pub trait Sealed {}
}

/// [`COUNT`](Self::COUNT) numbers that are computed with at once. Sealed: the levels of
/// [`SimdLevel`](super::SimdLevel) are the only ones.
pub trait Simd:
    sealed::Sealed
    + Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The number of lanes.
    const COUNT: usize;
    /// True or false in each lane.
    type Mask: Copy + Debug;
    /// An integer of 32 bits in each lane.
    type Int: Copy + Debug;

    /// `x` in each lane.
    fn splat(x: f32) -> Self;
    /// `f(i)` in lane `i`.
    fn from_fn(f: impl FnMut(usize) -> f32) -> Self;
    /// The number in the first lane.
    fn first(self) -> f32;
    /// The square roots.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The smaller of each two; `other` where they are equal or one is NaN.
    #[must_use]
    fn min(self, other: Self) -> Self;
    /// The larger of each two; `other` where they are equal or one is NaN.
    #[must_use]
    fn max(self, other: Self) -> Self;
    /// Less or equal, lane by lane; false for NaN.
    fn le(self, other: Self) -> Self::Mask;
    /// `a` where the mask is true, `b` elsewhere.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;
    /// The number where the mask is true, zero elsewhere, also in place of an infinity or NaN.
    #[must_use]
    fn or_zero(self, mask: Self::Mask) -> Self;
    /// The number where the mask is true, infinity elsewhere.
    #[must_use]
    fn or_infinity(self, mask: Self::Mask) -> Self;
    /// True where `a` is true and `b` is not.
    fn and_not(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// A bit for each lane of the mask, that of the first lane lowest.
    fn to_bits(mask: Self::Mask) -> u32;
    /// Rounded towards zero. The result is unspecified for numbers that are not finite or not below
    /// 2^31.
    fn to_int(self) -> Self::Int;
    /// Zero in each lane.
    fn int_zero() -> Self::Int;
    /// The sum where the mask is true, `a` elsewhere.
    fn int_add(mask: Self::Mask, a: Self::Int, b: Self::Int) -> Self::Int;
    /// `a` plus 1 where the mask is true, `a` elsewhere.
    fn int_increment(mask: Self::Mask, a: Self::Int) -> Self::Int;
    /// The smallest number of all lanes, of which none is NaN; either zero where they are equal.
    fn least(self) -> f32;
    /// The sums over the lanes of four integers, each below 2^29 in every lane.
    fn reduce_sum(ints: [Self::Int; 4]) -> [i64; 4];
}
