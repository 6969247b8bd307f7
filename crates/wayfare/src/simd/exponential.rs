//! The exponential function of lanes, from additions and multiplications alone, so that all levels
//! give the same bits.

use super::Simd;

/// Beyond this number `exp_minus` does not fall any more.
const LARGEST: f32 = 16.0;

/// The coefficients 1 / k! of the exponential series, the last first, with alternating signs.
const SERIES: [f32; 8] =
    [-1.0 / 5_040.0, 1.0 / 720.0, -1.0 / 120.0, 1.0 / 24.0, -1.0 / 6.0, 0.5, -1.0, 1.0];

/// e^-x for numbers from 0 to 16, with a relative error below 4e-6; e^-16, which is 1.1e-7, for
/// larger numbers.
///
/// The series of the 16th part of x, around its middle, to the power of 16.
#[inline(always)]
pub(crate) fn exp_minus<L: Simd>(x: L) -> L {
    let part = x.min(L::splat(LARGEST)) * L::splat(1.0 / 16.0) - L::splat(0.5);
    // No closure: it might not be inlined, and then lacks the instructions of the lanes.
    let mut series = L::splat(SERIES[0]);
    for k in &SERIES[1..] {
        series = series * part + L::splat(*k);
    }
    // e^-0.5, by which the series is around the middle.
    let root = series * L::splat(0.606_530_66);
    let fourth = (root * root) * (root * root);
    (fourth * fourth) * (fourth * fourth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::One;

    #[test]
    fn the_exponential_of_lanes_is_accurate_and_flat_beyond_sixteen() {
        for i in 0..=16_000 {
            let x = i as f32 * 1e-3;
            let (found, exact) = (exp_minus(One::splat(x)).first(), (-f64::from(x)).exp());
            assert!((f64::from(found) / exact - 1.0).abs() < 4e-6, "{x}: {found}, not {exact}");
        }
        let beyond = |x| exp_minus(One::splat(x)).first();
        assert_eq!((beyond(1e30), beyond(f32::INFINITY)), (beyond(16.0), beyond(16.0)));
    }
}
