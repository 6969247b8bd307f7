//! Numbers as text, in the shortest form that parses to the same value.

/// Appends `x` with the fewest digits that parse to the same value.
///
/// An integer has no decimal point. Numbers with more than 12 (`f32`) or 16 (`f64`) digits before
/// the point, or more than five zeros after it, have an exponent, as in `1e18`. `x` is finite.
pub(crate) fn push_number(bytes: &mut Vec<u8>, x: impl zmij::Float) {
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(x);
    let text = text.strip_suffix(".0").unwrap_or(text);
    bytes.extend(text.bytes().filter(|&byte| byte != b'+'));
}

/// Appends `x`, which is finite, with the fewest digits that parse to the same value: in single
/// precision if it has a value of that.
pub(crate) fn push_decimal(bytes: &mut Vec<u8>, x: f64) {
    let single = x as f32;
    if f64::from(single) == x { push_number(bytes, single) } else { push_number(bytes, x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(x: impl zmij::Float) -> String {
        let mut bytes = Vec::new();
        push_number(&mut bytes, x);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn numbers_have_the_shortest_readable_form() {
        assert_eq!(
            [0.0_f32, -0.0, 1.0, 0.1, -2.5, 640.0, 16_777_216.0].map(text),
            ["0", "-0", "1", "0.1", "-2.5", "640", "16777216"]
        );
        assert_eq!(
            [1e18_f32, -3.5e-20, 1e-5, 123_456.79, -1e9].map(text),
            ["1e18", "-3.5e-20", "0.00001", "123456.79", "-1000000000"]
        );
        assert_eq!(
            [0.1_f64 * 3.0, 1e300, 600.0, 1e15].map(text),
            ["0.30000000000000004", "1e300", "600", "1000000000000000"]
        );
    }

    #[test]
    fn numbers_parse_to_the_same_bits_and_are_no_longer_than_those_of_the_standard_library() {
        let mut bits = 1_u32;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let x = f32::from_bits(bits);
            if x.is_finite() {
                let text = text(x);
                assert_eq!(text.parse::<f32>().unwrap().to_bits(), bits, "{x:e}");
                let digits = |text: &str| {
                    text.split('e').next().unwrap().bytes().filter(u8::is_ascii_digit).count()
                };
                assert!(
                    text.contains('e') == (x.abs() >= 1e13 || x.abs() < 1e-6) || x == 0.0,
                    "{text}"
                );
                assert!(digits(&text) <= digits(&format!("{x}")), "{text} for {x}");
            }
        }
    }
}
