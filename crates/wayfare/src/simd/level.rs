//! The levels of SIMD, and the dispatch to one of them while the program runs.

#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Four, SimdMemory};

/// A set of instructions that steps are compiled for. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimdLevel {
    /// The instructions of every machine of its architecture.
    Baseline,
    /// AVX2: eight lanes (x86-64).
    Avx2,
    /// AVX-512: sixteen lanes (x86-64).
    Avx512,
}

impl SimdLevel {
    /// All levels, the widest last.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// The widest level that this machine has.
    pub fn widest() -> Self {
        SimdDispatch::widest().0
    }

    /// Whether this machine has the level. Without the feature `std`: whether the program is
    /// compiled for a machine that has it.
    #[allow(clippy::eq_op, clippy::nonminimal_bool)] // Without `std` these are constants.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        {
            use crate::platform::has_instructions as has;
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

/// Work that is compiled for several levels.
pub(crate) trait Work {
    type Result;
    /// Whether it is compiled for AVX-512, too: only if that gains at least 5 %, as it does for
    /// loops over the candidates of an agent. Elsewhere AVX-512 runs the instance of AVX2.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    const GAINS_BY_AVX512: bool = false;
    /// Mark it `#[inline(always)]`, and what it calls: only then is it compiled for the
    /// instructions of its lanes.
    fn run<L: SimdMemory>(self) -> Self::Result;
}

/// A level that this machine was found to have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SimdDispatch(SimdLevel);

impl SimdDispatch {
    pub(crate) fn new(level: SimdLevel) -> Option<Self> {
        level.is_available().then_some(Self(level))
    }

    pub(crate) fn widest() -> Self {
        SimdLevel::ALL.into_iter().rev().find_map(Self::new).unwrap_or(Self(SimdLevel::Baseline))
    }

    /// Runs `work` with the instructions of this level.
    #[inline(always)]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Result {
        match self.0 {
            // SAFETY: the machine was found to have the level.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 if W::GAINS_BY_AVX512 => unsafe { x86::run_avx512(work) },
            // SAFETY: the same; the level AVX-512 includes AVX2.
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 | SimdLevel::Avx2 => unsafe { x86::run_avx2(work) },
            _ => run_baseline(work),
        }
    }
}

/// Not inlined: its caller is nearly always compiled for wider instructions.
#[inline(never)]
fn run_baseline<W: Work>(work: W) -> W::Result {
    work.run::<Four>()
}
