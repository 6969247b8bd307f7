//! Every kind of lanes does what the plain ones do.

use super::*;
use crate::random::Random;

/// What all functions give on sixteen numbers, eight or sixteen at a time.
struct All([f32; MAX_LANES], u32);

#[derive(Debug, PartialEq)]
struct Found {
    numbers: Vec<u32>,
    wholes: Vec<i64>,
    bits: u32,
    together: Vec<u32>,
}

impl Work for All {
    type Result = Found;
    #[inline(always)]
    fn run<L: Simd>(self) -> Found {
        let Self(column, set) = self;
        let whole: Vec<u32> = (0..MAX_LANES as u32).map(|i| i * 3).collect();
        let mut found = Found { numbers: vec![], wholes: vec![0; 4], bits: 0, together: vec![] };
        for at in (0..MAX_LANES).step_by(L::COUNT) {
            let (a, b) = (L::load(&column, at), L::splat(1.5));
            let (mask, member) = (a.at_most(b), L::members(set, &whole, at));
            let bits = L::bits(member);
            found.bits |= (L::bits(mask) | bits << 16) << at;
            for lanes in [
                a + b,
                a - b,
                a * b,
                b / a,
                -a,
                a.max(b),
                a.min(b),
                (a * a).sqrt(),
                a.or(mask, b),
                L::from_fn(|i| column[at + i] * 3.0),
                a.masked(mask),
                a.or_infinity(mask),
                a.masked(L::but_not(mask, member)),
            ] {
                let mut out = [0.0; MAX_LANES];
                lanes.store_together(u32::MAX, &mut out, 0);
                let mut stored = [0.0; MAX_LANES];
                lanes.store(&mut stored, 0);
                assert_eq!(
                    stored[..L::COUNT].iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
                    out[..L::COUNT].iter().map(|x| x.to_bits()).collect::<Vec<_>>()
                );
                assert_eq!(out[0].to_bits(), lanes.first().to_bits());
                found.numbers.extend(out[..L::COUNT].iter().map(|x| x.to_bits()));
            }
            let rounded = (a * L::splat(5e7)).rounded();
            let wholes = [
                rounded,
                L::plus_where(member, rounded, rounded),
                L::count(L::zero(), mask),
                L::zero(),
            ];
            for (sum, whole) in found.wholes.iter_mut().zip(L::totals(wholes)) {
                *sum += whole;
            }
            let (mut numbers, mut copied) = ([0.0; MAX_LANES], [0; MAX_LANES]);
            a.store_together(bits, &mut numbers, 0);
            L::copy_together(bits, &whole, at, &mut copied, 0);
            let count = bits.count_ones() as usize;
            found.together.extend(
                numbers[..count].iter().map(|x| x.to_bits()).chain(copied[..count].iter().copied()),
            );
        }
        // However many lanes there are at a time.
        found.numbers.sort_unstable();
        found.together.sort_unstable();
        found
    }
}

#[test]
fn wide_lanes_give_the_bits_of_plain_ones() {
    let mut random = Random::new(5, 0, 0, 0);
    for _ in 0..300 {
        let column = core::array::from_fn(|_| random.between(-3.0, 3.0));
        let set = random.between(0.0, 4e9) as u32;
        let expected = All(column, set).run::<Plain>();
        for chosen in SimdLevel::ALL.into_iter().filter_map(SimdDispatch::new) {
            assert_eq!(chosen.run(All(column, set)), expected, "{chosen:?}");
        }
    }
}

#[test]
fn the_lanes_of_a_mask_are_moved_together_in_their_order() {
    let column: Vec<f32> = (0..8).map(|i| i as f32).collect();
    for bits in 0..256_u32 {
        let mut together = [0.0; 8];
        Plain::load(&column, 0).store_together(bits, &mut together, 0);
        let expected: Vec<f32> = (0..8_u8).filter(|i| bits >> i & 1 == 1).map(f32::from).collect();
        assert_eq!(together[..expected.len()], expected);
    }
}
