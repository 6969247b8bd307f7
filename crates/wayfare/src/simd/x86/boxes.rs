//! Tests of bounding boxes, eight at a time.

use core::arch::x86_64::*;

use crate::platform::has_instructions;
use crate::vector::Vector;

/// A bit for each of eight boxes that touches another.
#[inline(always)]
pub(in crate::simd) fn touching<V: Vector>(ends: &[[[f32; 8]; 2]; 3], low: V, high: V) -> u32 {
    if has_instructions!("avx") {
        // SAFETY: the machine was found to have it.
        return unsafe { touching_eight::<V>(ends, low, high) };
    }
    touching_fours(ends, low, high)
}

/// A bit for each of eight numbers that is at most `limit`.
#[inline(always)]
pub(in crate::simd) fn at_most(numbers: &[f32; 8], limit: f32) -> u32 {
    let four = |at: usize| {
        // SAFETY: four numbers are read from slices of four, with SSE.
        unsafe {
            let numbers = _mm_loadu_ps(numbers[at..at + 4].as_ptr());
            _mm_movemask_ps(_mm_cmple_ps(numbers, _mm_set1_ps(limit))) as u32
        }
    };
    four(0) | four(4) << 4
}

/// All eight boxes at once.
#[target_feature(enable = "avx")]
#[inline]
fn touching_eight<V: Vector>(ends: &[[[f32; 8]; 2]; 3], low: V, high: V) -> u32 {
    let mut touch = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for axis in 0..V::DIMENSION {
        let [lows, highs] = &ends[axis];
        // SAFETY: eight numbers are read from arrays of eight.
        let (lows, highs) =
            unsafe { (_mm256_loadu_ps(lows.as_ptr()), _mm256_loadu_ps(highs.as_ptr())) };
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

/// Four boxes at a time, with SSE, which every x86-64 machine has.
#[inline(always)]
fn touching_fours<V: Vector>(ends: &[[[f32; 8]; 2]; 3], low: V, high: V) -> u32 {
    let four = |at: usize| {
        // SAFETY: four numbers are read from slices of four.
        unsafe {
            let mut touch = _mm_castsi128_ps(_mm_set1_epi32(-1));
            for axis in 0..V::DIMENSION {
                let [lows, highs] = &ends[axis];
                let lows = _mm_loadu_ps(lows[at..at + 4].as_ptr());
                let highs = _mm_loadu_ps(highs[at..at + 4].as_ptr());
                touch = _mm_and_ps(touch, _mm_cmple_ps(lows, _mm_set1_ps(high.axis(axis))));
                touch = _mm_and_ps(touch, _mm_cmple_ps(_mm_set1_ps(low.axis(axis)), highs));
            }
            _mm_movemask_ps(touch) as u32
        }
    };
    four(0) | four(4) << 4
}
