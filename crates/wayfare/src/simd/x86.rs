//! The lanes of AVX2 (eight) and AVX-512 (sixteen).
//!
//! Values of these types are only ever made inside [`run_avx2`] and [`run_avx512`], which run where
//! the machine has the instructions; that is what makes every call of an instruction here sound.
//! Loads and stores go through slices that have been checked to hold a whole block.

use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

use super::{Simd, Work, block, block_mut};
use crate::vector::Vector;

#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn run_avx2<W: Work>(work: W) -> W::Result {
    work.run::<Avx2>()
}

#[target_feature(enable = "avx512f,avx2,popcnt")]
pub(super) fn run_avx512<W: Work>(work: W) -> W::Result {
    work.run::<Avx512>()
}

#[inline(always)]
pub(super) fn prefetch<T>(soon: &T) {
    // SAFETY: it reads nothing, and every machine has it.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(soon).cast()) }
}

/// A bit for each of eight boxes that touches another.
#[inline(always)]
pub(super) fn touching<V: Vector>(ends: &[[[f32; 8]; 2]; 3], low: V, high: V) -> u32 {
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: the machine was found to have it.
        return unsafe { touching_eight::<V>(ends, low, high) };
    }
    touching_fours(ends, low, high)
}

/// Boxes as eight.
#[target_feature(enable = "avx")]
#[inline]
fn touching_eight<V: Vector>(ends: &[[[f32; 8]; 2]; 3], low: V, high: V) -> u32 {
    let mut touch = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for axis in 0..V::DIMENSION {
        // SAFETY: eight numbers are read from arrays of eight.
        let [lows, highs] =
            ends[axis].each_ref().map(|ends| unsafe { _mm256_loadu_ps(ends.as_ptr()) });
        touch = _mm256_and_ps(
            touch,
            _mm256_cmp_ps::<_CMP_GE_OQ>(_mm256_set1_ps(high.axis(axis)), lows),
        );
        touch = _mm256_and_ps(
            touch,
            _mm256_cmp_ps::<_CMP_LE_OQ>(_mm256_set1_ps(low.axis(axis)), highs),
        );
    }
    _mm256_movemask_ps(touch) as u32
}

/// Boxes as four and four, which every machine has.
#[inline(always)]
fn touching_fours<V: Vector>(ends: &[[[f32; 8]; 2]; 3], low: V, high: V) -> u32 {
    let four = |at: usize| {
        // SAFETY: four numbers are read from slices of four.
        unsafe {
            let mut touch = _mm_castsi128_ps(_mm_set1_epi32(-1));
            for axis in 0..V::DIMENSION {
                let [lows, highs] =
                    ends[axis].each_ref().map(|ends| _mm_loadu_ps(ends[at..at + 4].as_ptr()));
                touch = _mm_and_ps(touch, _mm_cmple_ps(lows, _mm_set1_ps(high.axis(axis))));
                touch = _mm_and_ps(touch, _mm_cmple_ps(_mm_set1_ps(low.axis(axis)), highs));
            }
            _mm_movemask_ps(touch) as u32
        }
    };
    four(0) | four(4) << 4
}

/// Eight numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(__m256);

/// Sixteen numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(__m512);

macro_rules! lanewise {
    ($type:ident: $($trait:ident, $method:ident, $instruction:ident;)*) => {
        $(impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: see the module.
                Self(unsafe { $instruction(self.0, other.0) })
            }
        })*
    };
}

lanewise! {
    Avx2:
    Add, add, _mm256_add_ps;
    Sub, sub, _mm256_sub_ps;
    Mul, mul, _mm256_mul_ps;
    Div, div, _mm256_div_ps;
}
lanewise! {
    Avx512:
    Add, add, _mm512_add_ps;
    Sub, sub, _mm512_sub_ps;
    Mul, mul, _mm512_mul_ps;
    Div, div, _mm512_div_ps;
}

impl Neg for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the module.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)) })
    }
}

impl Neg for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the module.
        Self(unsafe {
            _mm512_castsi512_ps(_mm512_xor_si512(
                _mm512_castps_si512(self.0),
                _mm512_set1_epi32(i32::MIN),
            ))
        })
    }
}

/// The functions of [`Simd`], whose bodies are calls of instructions.
macro_rules! lanes {
    ($($(#[$meta:meta])* fn $name:ident($($argument:tt)*) $(-> $result:ty)? $body:block)*) => {
        $(#[inline(always)] #[allow(unused_unsafe)] fn $name($($argument)*) $(-> $result)? {
            // SAFETY: see the module.
            unsafe { $body }
        })*
    };
}

impl Simd for Avx2 {
    const COUNT: usize = 8;
    /// All bits set for yes.
    type Mask = __m256;
    type Whole = __m256i;

    lanes! {
        fn splat(x: f32) -> Self { Self(_mm256_set1_ps(x)) }
        fn load(column: &[f32], at: usize) -> Self { Self(_mm256_loadu_ps(block(column, at, 8))) }
        fn first(self) -> f32 { _mm256_cvtss_f32(self.0) }
        fn from_fn(f: impl FnMut(usize) -> f32) -> Self { Self(_mm256_loadu_ps(core::array::from_fn::<f32, 8, _>(f).as_ptr())) }
        fn store(self, column: &mut [f32], at: usize) { _mm256_storeu_ps(block_mut(column, at, 8), self.0) }
        fn sqrt(self) -> Self { Self(_mm256_sqrt_ps(self.0)) }
        fn min(self, other: Self) -> Self { Self(_mm256_min_ps(self.0, other.0)) }
        fn max(self, other: Self) -> Self { Self(_mm256_max_ps(self.0, other.0)) }
        fn at_most(self, other: Self) -> __m256 { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0) }
        fn or(self, mask: __m256, other: Self) -> Self { Self(_mm256_blendv_ps(other.0, self.0, mask)) }
        fn masked(self, mask: __m256) -> Self { Self(_mm256_and_ps(self.0, mask)) }
        fn or_infinity(self, mask: __m256) -> Self { Self(_mm256_blendv_ps(_mm256_set1_ps(f32::INFINITY), self.0, mask)) }
        fn rounded(self) -> __m256i { _mm256_cvttps_epi32(self.0) }
        fn zero() -> __m256i { _mm256_setzero_si256() }
        fn but_not(mask: __m256, other: __m256) -> __m256 { _mm256_andnot_ps(other, mask) }
        fn plus_where(mask: __m256, a: __m256i, b: __m256i) -> __m256i { _mm256_add_epi32(a, _mm256_and_si256(b, _mm256_castps_si256(mask))) }
        fn count(counts: __m256i, mask: __m256) -> __m256i { _mm256_sub_epi32(counts, _mm256_castps_si256(mask)) }
        fn totals([a, b, c, d]: [__m256i; 4]) -> [i64; 4] {
            // Transposed so that lanes of one column lie above each other, and added: a b a b …,
            // then a b c d a b c d.
            let ab = _mm256_add_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
            let cd = _mm256_add_epi32(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
            let (lower, upper) = (_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));
            let all = _mm256_add_epi32(lower, upper);
            let (low, high) = (_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
            let mut totals = [0; 4];
            let four = _mm256_add_epi64(_mm256_cvtepi32_epi64(low), _mm256_cvtepi32_epi64(high));
            _mm256_storeu_si256(totals.as_mut_ptr().cast(), four);
            totals
        }
        fn bits(mask: __m256) -> u32 { _mm256_movemask_ps(mask) as u32 }
        fn members(set: u32, column: &[u32], at: usize) -> __m256 {
            // A shift by 32 or more gives zero.
            let shifts = _mm256_loadu_si256(block(column, at, 8).cast());
            let shifted = _mm256_srlv_epi32(_mm256_set1_epi32(set as i32), shifts);
            let one = _mm256_set1_epi32(1);
            _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(shifted, one), one))
        }
        fn store_together(self, bits: u32, column: &mut [f32], at: usize) {
            let together = _mm256_permutevar8x32_ps(self.0, order(bits));
            _mm256_storeu_ps(block_mut(column, at, 8), together);
        }
        fn copy_together(bits: u32, from: &[u32], from_at: usize, to: &mut [u32], at: usize) {
            let lanes = _mm256_loadu_si256(block(from, from_at, 8).cast());
            let together = _mm256_permutevar8x32_epi32(lanes, order(bits));
            _mm256_storeu_si256(block_mut(to, at, 8).cast(), together);
        }
    }
}

impl Simd for Avx512 {
    const COUNT: usize = 16;
    type Mask = __mmask16;
    type Whole = __m512i;

    lanes! {
        fn splat(x: f32) -> Self { Self(_mm512_set1_ps(x)) }
        fn load(column: &[f32], at: usize) -> Self { Self(_mm512_loadu_ps(block(column, at, 16))) }
        fn first(self) -> f32 { _mm512_cvtss_f32(self.0) }
        fn from_fn(f: impl FnMut(usize) -> f32) -> Self { Self(_mm512_loadu_ps(core::array::from_fn::<f32, 16, _>(f).as_ptr())) }
        fn store(self, column: &mut [f32], at: usize) { _mm512_storeu_ps(block_mut(column, at, 16), self.0) }
        fn sqrt(self) -> Self { Self(_mm512_sqrt_ps(self.0)) }
        fn min(self, other: Self) -> Self { Self(_mm512_min_ps(self.0, other.0)) }
        fn max(self, other: Self) -> Self { Self(_mm512_max_ps(self.0, other.0)) }
        fn at_most(self, other: Self) -> __mmask16 { _mm512_cmp_ps_mask::<_CMP_LE_OQ>(self.0, other.0) }
        fn or(self, mask: __mmask16, other: Self) -> Self { Self(_mm512_mask_blend_ps(mask, other.0, self.0)) }
        fn masked(self, mask: __mmask16) -> Self { Self(_mm512_maskz_mov_ps(mask, self.0)) }
        fn or_infinity(self, mask: __mmask16) -> Self { Self(_mm512_mask_blend_ps(mask, _mm512_set1_ps(f32::INFINITY), self.0)) }
        fn rounded(self) -> __m512i { _mm512_cvttps_epi32(self.0) }
        fn zero() -> __m512i { _mm512_setzero_si512() }
        fn but_not(mask: __mmask16, other: __mmask16) -> __mmask16 { mask & !other }
        fn plus_where(mask: __mmask16, a: __m512i, b: __m512i) -> __m512i { _mm512_mask_add_epi32(a, mask, a, b) }
        fn count(counts: __m512i, mask: __mmask16) -> __m512i { _mm512_mask_add_epi32(counts, mask, counts, _mm512_set1_epi32(1)) }
        fn totals([a, b, c, d]: [__m512i; 4]) -> [i64; 4] {
            // As with eight lanes, and once more.
            let ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
            let cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
            let (lower, upper) = (_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
            let all = _mm512_add_epi32(lower, upper);
            let (low, high) = (_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64::<1>(all));
            let eight = _mm512_add_epi64(_mm512_cvtepi32_epi64(low), _mm512_cvtepi32_epi64(high));
            let low = _mm512_castsi512_si256(eight);
            let high = _mm512_extracti64x4_epi64::<1>(eight);
            let four = _mm256_add_epi64(low, high);
            let mut totals = [0; 4];
            _mm256_storeu_si256(totals.as_mut_ptr().cast(), four);
            totals
        }
        fn bits(mask: __mmask16) -> u32 { u32::from(mask) }
        fn members(set: u32, column: &[u32], at: usize) -> __mmask16 {
            // A shift by 32 or more gives zero.
            let shifts = _mm512_loadu_si512(block(column, at, 16).cast());
            let shifted = _mm512_srlv_epi32(_mm512_set1_epi32(set as i32), shifts);
            _mm512_test_epi32_mask(shifted, _mm512_set1_epi32(1))
        }
        fn store_together(self, bits: u32, column: &mut [f32], at: usize) {
            let together = _mm512_maskz_compress_ps(bits as __mmask16, self.0);
            _mm512_storeu_ps(block_mut(column, at, 16), together);
        }
        fn copy_together(bits: u32, from: &[u32], from_at: usize, to: &mut [u32], at: usize) {
            let lanes = _mm512_loadu_si512(block(from, from_at, 16).cast());
            let together = _mm512_maskz_compress_epi32(bits as __mmask16, lanes);
            _mm512_storeu_si512(block_mut(to, at, 16).cast(), together);
        }
    }
}

/// The order of eight lanes that brings those of `bits` together.
#[inline(always)]
unsafe fn order(bits: u32) -> __m256i {
    // SAFETY: see the module.
    unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(ORDERS[(bits & 255) as usize].as_ptr().cast())) }
}

static ORDERS: [[u8; 8]; 256] = orders();

const fn orders() -> [[u8; 8]; 256] {
    let mut orders = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < 8 {
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
