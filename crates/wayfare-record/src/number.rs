//! Numbers as text: the shortest form that reads back to the same value.

use core::fmt::{Display, LowerExp};
use std::io::Write;

/// Appends `x` in the fewest digits that read back to the same value.
///
/// From 1e-5 up to below 1e16 it has no exponent, as in Rust's `{:?}`; a whole number has no point.
pub(crate) fn push(bytes: &mut Vec<u8>, x: impl Display + LowerExp + Copy + Into<f64>) {
    let size = x.into().abs();
    // The bound is the `f32` nearest to 1e-5, so that it counts as 1e-5 itself.
    // Writing into a vector cannot fail.
    let _ = if size == 0.0 || (f64::from(1e-5_f32)..1e16).contains(&size) { write!(bytes, "{x}") } else { write!(bytes, "{x:e}") };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(x: impl Display + LowerExp + Copy + Into<f64>) -> String {
        let mut bytes = Vec::new();
        push(&mut bytes, x);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_number_is_as_short_as_it_can_be_and_readable() {
        assert_eq!([0.0_f32, -0.0, 1.0, 0.1, -2.5, 640.0, 16_777_216.0].map(text), ["0", "-0", "1", "0.1", "-2.5", "640", "16777216"]);
        assert_eq!([1e18_f32, -3.5e-20, 1e-5, 9.9e-6, 1e16, 123_456.79].map(text), ["1e18", "-3.5e-20", "0.00001", "9.9e-6", "1e16", "123456.79"]);
        assert_eq!([0.1_f64 * 3.0, 1e300, 600.0].map(text), ["0.30000000000000004", "1e300", "600"]);
    }

    #[test]
    fn every_number_reads_back_to_the_same_bits() {
        let mut bits = 1_u32;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let x = f32::from_bits(bits);
            if x.is_finite() {
                assert_eq!(text(x).parse::<f32>().unwrap().to_bits(), bits, "{x:e}");
            }
        }
    }
}
