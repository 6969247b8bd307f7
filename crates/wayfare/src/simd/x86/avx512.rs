//! The sixteen lanes of AVX-512.

use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

use super::{lanes, lanewise};
use crate::simd::arithmetic::sealed::Sealed;
use crate::simd::memory::{block, block_mut};
use crate::simd::{Simd, SimdMemory, array_of};

/// Sixteen numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct Avx512(__m512);

lanewise! {
    Avx512:
    Add, add, _mm512_add_ps;
    Sub, sub, _mm512_sub_ps;
    Mul, mul, _mm512_mul_ps;
    Div, div, _mm512_div_ps;
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

impl Sealed for Avx512 {}

impl Simd for Avx512 {
    const COUNT: usize = 16;
    type Mask = __mmask16;
    type Int = __m512i;

    lanes! {
        fn splat(x: f32) -> Self { Self(_mm512_set1_ps(x)) }
        fn from_fn(f: impl FnMut(usize) -> f32) -> Self {
            Self(_mm512_loadu_ps(array_of::<16>(f).as_ptr()))
        }
        fn first(self) -> f32 { _mm512_cvtss_f32(self.0) }
        fn sqrt(self) -> Self { Self(_mm512_sqrt_ps(self.0)) }
        fn min(self, other: Self) -> Self { Self(_mm512_min_ps(self.0, other.0)) }
        fn max(self, other: Self) -> Self { Self(_mm512_max_ps(self.0, other.0)) }
        fn le(self, other: Self) -> __mmask16 { _mm512_cmp_ps_mask::<_CMP_LE_OQ>(self.0, other.0) }
        fn select(mask: __mmask16, a: Self, b: Self) -> Self {
            Self(_mm512_mask_blend_ps(mask, b.0, a.0))
        }
        fn or_zero(self, mask: __mmask16) -> Self { Self(_mm512_maskz_mov_ps(mask, self.0)) }
        fn or_infinity(self, mask: __mmask16) -> Self {
            Self(_mm512_mask_blend_ps(mask, _mm512_set1_ps(f32::INFINITY), self.0))
        }
        fn and_not(a: __mmask16, b: __mmask16) -> __mmask16 { a & !b }
        fn to_bits(mask: __mmask16) -> u32 { u32::from(mask) }
        fn to_int(self) -> __m512i { _mm512_cvttps_epi32(self.0) }
        fn int_zero() -> __m512i { _mm512_setzero_si512() }
        fn int_add(mask: __mmask16, a: __m512i, b: __m512i) -> __m512i {
            _mm512_mask_add_epi32(a, mask, a, b)
        }
        fn int_increment(mask: __mmask16, a: __m512i) -> __m512i {
            _mm512_mask_add_epi32(a, mask, a, _mm512_set1_epi32(1))
        }
        fn least(self) -> f32 { _mm512_reduce_min_ps(self.0) }
        fn reduce_sum([a, b, c, d]: [__m512i; 4]) -> [i64; 4] {
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
            let mut sums = [0; 4];
            _mm256_storeu_si256(sums.as_mut_ptr().cast(), four);
            sums
        }
    }
}

impl SimdMemory for Avx512 {
    lanes! {
        fn load(column: &[f32], at: usize) -> Self { Self(_mm512_loadu_ps(block(column, at, 16))) }
        fn store(self, column: &mut [f32], at: usize) {
            _mm512_storeu_ps(block_mut(column, at, 16), self.0)
        }
        fn compress_store(self, bits: u32, column: &mut [f32], at: usize) {
            let front = _mm512_maskz_compress_ps(bits as __mmask16, self.0);
            _mm512_storeu_ps(block_mut(column, at, 16), front);
        }
        fn compress_copy(bits: u32, from: &[u32], from_at: usize, to: &mut [u32], at: usize) {
            let lanes = _mm512_loadu_si512(block(from, from_at, 16).cast());
            let front = _mm512_maskz_compress_epi32(bits as __mmask16, lanes);
            _mm512_storeu_si512(block_mut(to, at, 16).cast(), front);
        }
        fn load_in_set(set: u32, column: &[u32], at: usize) -> __mmask16 {
            // A shift by 32 or more gives zero.
            let shifts = _mm512_loadu_si512(block(column, at, 16).cast());
            let shifted = _mm512_srlv_epi32(_mm512_set1_epi32(set as i32), shifts);
            _mm512_test_epi32_mask(shifted, _mm512_set1_epi32(1))
        }
    }
}
