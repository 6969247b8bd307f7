//! The lanes of AVX2 and AVX-512.
//!
//! Values of these types are only made inside [`run_avx2`] and [`run_avx512`], which run where the
//! machine has the instructions; that makes every call of an instruction here sound. Loads and
//! stores go through slices that have been checked to hold a whole block.

use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

use super::Work;

mod avx2;
mod avx512;
mod boxes;

use avx2::Avx2;
use avx512::Avx512;
pub(super) use boxes::{at_most, touching};

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

/// Operators on lanes, each one instruction.
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

/// The functions of [`Simd`], whose bodies are calls of instructions.
macro_rules! lanes {
    ($($(#[$meta:meta])* fn $name:ident($($argument:tt)*) $(-> $result:ty)? $body:block)*) => {
        $(#[inline(always)] #[allow(unused_unsafe)] fn $name($($argument)*) $(-> $result)? {
            // SAFETY: see the module.
            unsafe { $body }
        })*
    };
}

use {lanes, lanewise};
