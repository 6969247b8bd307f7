//! The eight lanes of AVX2.

use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

use super::{lanes, lanewise};
use crate::simd::arithmetic::sealed::Sealed;
use crate::simd::memory::{block, block_mut};
use crate::simd::{Simd, SimdMemory, array_of};

/// Eight numbers.
#[derive(Clone, Copy, Debug)]
pub(in crate::simd) struct Avx2(__m256);

lanewise! {
    Avx2:
    Add, add, _mm256_add_ps;
    Sub, sub, _mm256_sub_ps;
    Mul, mul, _mm256_mul_ps;
    Div, div, _mm256_div_ps;
}

impl Neg for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the module.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)) })
    }
}

impl Sealed for Avx2 {}

impl Simd for Avx2 {
    const COUNT: usize = 8;
    /// All bits of a lane are set for true.
    type Mask = __m256;
    type Int = __m256i;

    lanes! {
        fn splat(x: f32) -> Self { Self(_mm256_set1_ps(x)) }
        fn from_fn(f: impl FnMut(usize) -> f32) -> Self {
            Self(_mm256_loadu_ps(array_of::<8>(f).as_ptr()))
        }
        fn first(self) -> f32 { _mm256_cvtss_f32(self.0) }
        fn sqrt(self) -> Self { Self(_mm256_sqrt_ps(self.0)) }
        fn min(self, other: Self) -> Self { Self(_mm256_min_ps(self.0, other.0)) }
        fn max(self, other: Self) -> Self { Self(_mm256_max_ps(self.0, other.0)) }
        fn le(self, other: Self) -> __m256 { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0) }
        fn select(mask: __m256, a: Self, b: Self) -> Self { Self(_mm256_blendv_ps(b.0, a.0, mask)) }
        fn or_zero(self, mask: __m256) -> Self { Self(_mm256_and_ps(self.0, mask)) }
        fn or_infinity(self, mask: __m256) -> Self {
            Self(_mm256_blendv_ps(_mm256_set1_ps(f32::INFINITY), self.0, mask))
        }
        fn and_not(a: __m256, b: __m256) -> __m256 { _mm256_andnot_ps(b, a) }
        fn to_bits(mask: __m256) -> u32 { _mm256_movemask_ps(mask) as u32 }
        fn to_int(self) -> __m256i { _mm256_cvttps_epi32(self.0) }
        fn int_zero() -> __m256i { _mm256_setzero_si256() }
        fn int_add(mask: __m256, a: __m256i, b: __m256i) -> __m256i {
            _mm256_add_epi32(a, _mm256_and_si256(b, _mm256_castps_si256(mask)))
        }
        fn int_increment(mask: __m256, a: __m256i) -> __m256i {
            _mm256_sub_epi32(a, _mm256_castps_si256(mask))
        }
        fn least(self) -> f32 {
            let halves = (_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let four = _mm_min_ps(halves.0, halves.1);
            let two = _mm_min_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)))
        }
        fn reduce_sum([a, b, c, d]: [__m256i; 4]) -> [i64; 4] {
            // Transposed so that lanes of one column lie above each other, and added: a b a b …,
            // then a b c d a b c d.
            let ab = _mm256_add_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
            let cd = _mm256_add_epi32(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
            let (lower, upper) = (_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));
            let all = _mm256_add_epi32(lower, upper);
            let (low, high) = (_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
            let mut sums = [0; 4];
            let four = _mm256_add_epi64(_mm256_cvtepi32_epi64(low), _mm256_cvtepi32_epi64(high));
            _mm256_storeu_si256(sums.as_mut_ptr().cast(), four);
            sums
        }
    }
}

impl SimdMemory for Avx2 {
    lanes! {
        fn load(column: &[f32], at: usize) -> Self { Self(_mm256_loadu_ps(block(column, at, 8))) }
        fn store(self, column: &mut [f32], at: usize) {
            _mm256_storeu_ps(block_mut(column, at, 8), self.0)
        }
        fn compress_store(self, bits: u32, column: &mut [f32], at: usize) {
            let front = _mm256_permutevar8x32_ps(self.0, permutation(bits));
            _mm256_storeu_ps(block_mut(column, at, 8), front);
        }
        fn compress_copy(bits: u32, from: &[u32], from_at: usize, to: &mut [u32], at: usize) {
            let lanes = _mm256_loadu_si256(block(from, from_at, 8).cast());
            let front = _mm256_permutevar8x32_epi32(lanes, permutation(bits));
            _mm256_storeu_si256(block_mut(to, at, 8).cast(), front);
        }
        fn load_in_set(set: u32, column: &[u32], at: usize) -> __m256 {
            // A shift by 32 or more gives zero.
            let shifts = _mm256_loadu_si256(block(column, at, 8).cast());
            let shifted = _mm256_srlv_epi32(_mm256_set1_epi32(set as i32), shifts);
            let one = _mm256_set1_epi32(1);
            _mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(shifted, one), one))
        }
    }
}

/// The permutation of eight lanes that moves those of `bits` to the front.
#[inline(always)]
unsafe fn permutation(bits: u32) -> __m256i {
    // SAFETY: see the module.
    unsafe {
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(PERMUTATIONS[(bits & 255) as usize].as_ptr().cast()))
    }
}

static PERMUTATIONS: [[u8; 8]; 256] = permutations();

const fn permutations() -> [[u8; 8]; 256] {
    let mut permutations = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < 8 {
            if bits >> lane & 1 == 1 {
                permutations[bits][count] = lane as u8;
                count += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    permutations
}
