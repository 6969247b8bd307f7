//! Normally distributed numbers, truncated to a range, from one uniform number each.
//!
//! A number is drawn by the inverse of the cumulative distribution function (M. J. Wichura,
//! "Algorithm AS 241: the percentage points of the normal distribution", Applied Statistics 37,
//! 1988, PPND16) between the probabilities of both ends of the range. No draw is rejected, so a
//! number takes one draw. All arithmetic is in double precision, by operations that give the same
//! bits on every platform and by `libm`.

use super::Random;

/// Numbers are truncated at this many standard deviations from the mean.
pub const MOST_DEVIATIONS: f64 = 3.0;

impl Random {
    /// The next number from the normal distribution with this mean and standard deviation,
    /// truncated to the numbers from `low` to `high` that are at most [`MOST_DEVIATIONS`]
    /// standard deviations from the mean. Some number must be left: `mean` if `deviation` is 0.
    pub fn normal(&mut self, mean: f32, deviation: f32, [low, high]: [f32; 2]) -> f32 {
        let unit = (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64);
        if deviation == 0.0 {
            return mean;
        }
        let (center, width) = (f64::from(mean), f64::from(deviation));
        let end =
            |x: f32| ((f64::from(x) - center) / width).clamp(-MOST_DEVIATIONS, MOST_DEVIATIONS);
        let (from, to) = (end(low), end(high));
        let (below, above) = (cumulative(from), cumulative(to));
        let deviations = inverse(below + (above - below) * unit).clamp(from, to);
        ((center + width * deviations) as f32).clamp(low, high)
    }
}

/// The probability that a standard normal number is at most `x`.
fn cumulative(x: f64) -> f64 {
    0.5 * libm::erfc(-x * core::f64::consts::FRAC_1_SQRT_2)
}

/// The `x` whose [`cumulative`] probability is `p`, for `p` from 1e-10 to 1 - 1e-10.
fn inverse(p: f64) -> f64 {
    let polynomial = |coefficients: &[f64; 8], x: f64| {
        coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
    };
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * polynomial(&A, r) / polynomial(&B, r);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    let r = libm::sqrt(-libm::log(tail)) - 1.6;
    let x = polynomial(&C, r) / polynomial(&D, r);
    if q < 0.0 { -x } else { x }
}

/// The coefficients of the rational functions of AS 241, of rising powers: `A` / `B` near the
/// median, `C` / `D` in the tails.
const A: [f64; 8] = [
    3.387_132_872_796_366_5,
    133.141_667_891_784_38,
    1_971.590_950_306_551_3,
    13_731.693_765_509_46,
    45_921.953_931_549_87,
    67_265.770_927_008_7,
    33_430.575_583_588_13,
    2_509.080_928_730_122_7,
];
const B: [f64; 8] = [
    1.0,
    42.313_330_701_600_91,
    687.187_007_492_057_9,
    5_394.196_021_424_751,
    21_213.794_301_586_597,
    39_307.895_800_092_71,
    28_729.085_735_721_943,
    5_226.495_278_852_854,
];
const C: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    0.241_780_725_177_450_6,
    0.022_723_844_989_269_184,
    0.000_774_545_014_278_341_4,
];
const D: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    0.689_767_334_985_1,
    0.148_103_976_427_480_08,
    0.015_198_666_563_616_457,
    0.000_547_593_808_499_534_5,
    1.050_750_071_644_416_9e-9,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_undoes_the_cumulative_distribution_function() {
        for i in -600..=600 {
            let x = f64::from(i) / 100.0;
            let error = (inverse(cumulative(x)) - x).abs();
            // Near 1 the probability itself has few digits left.
            assert!(error < if x < 2.0 { 1e-14 } else { 1e-6 }, "{x}: {error}");
        }
        assert!((inverse(0.1) + 1.281_551_565_544_600_4).abs() < 1e-15);
    }

    #[test]
    fn numbers_have_the_mean_and_deviation_and_end_at_three_deviations() {
        let (mut sum, mut squares, mut most) = (0.0, 0.0, 0.0_f64);
        for id in 0..100_000 {
            let x = Random::new(1, id, 0, 0).normal(1.34, 0.2, [0.0, 1e9]);
            let deviations = (f64::from(x) - 1.34) / 0.2;
            (sum, squares) = (sum + deviations, squares + deviations * deviations);
            most = most.max(deviations.abs());
        }
        // The deviation of the distribution that is truncated at three deviations is 0.9866; five
        // standard errors are allowed.
        assert!((sum / 1e5).abs() < 5.0 * 0.9866 / 1e5_f64.sqrt());
        let deviation = (squares / 1e5_f64).sqrt();
        assert!((deviation - 0.9866).abs() < 5.0 * 0.7 / 1e5_f64.sqrt(), "{deviation}");
        assert!((2.95..3.000_001).contains(&most), "{most}");
    }

    #[test]
    fn numbers_stay_in_the_range_and_take_one_draw() {
        for id in 0..10_000 {
            let mut random = Random::new(1, id, 0, 0);
            let mut other = random;
            let x = random.normal(1.0, 2.0, [0.5, 1.25]);
            assert!((0.5..=1.25).contains(&x), "{x}");
            assert_eq!(random.normal(3.0, 0.0, [0.0, 9.0]), 3.0);
            for _ in 0..2 {
                other.bits();
            }
            assert_eq!(random, other);
        }
    }

    #[test]
    fn the_first_numbers_are_pinned() {
        let mut random = Random::new(7, 3, 100, 2);
        let mut draw = || random.normal(1.34, 0.2, [0.0, 1e9]).to_bits();
        assert_eq!([draw(), draw(), draw()], PINNED);
    }

    const PINNED: [u32; 3] = [1_066_996_301, 1_070_133_664, 1_070_217_155];
}
