//! Every level gives the bits of the plain lanes.

use super::*;
use crate::random::Random;

/// The results of all functions on sixteen numbers, a block of lanes at a time.
struct All([f32; MAX_LANES], u32);

#[derive(Debug, PartialEq)]
struct Found {
    numbers: Vec<u32>,
    sums: Vec<i64>,
    bits: u32,
    compressed: Vec<u32>,
}

impl Work for All {
    type Result = Found;
    const GAINS_BY_AVX512: bool = true;
    #[inline(always)]
    fn run<L: SimdMemory>(self) -> Found {
        let Self(column, set) = self;
        let ids: Vec<u32> = (0..MAX_LANES as u32).map(|i| i * 3).collect();
        let mut found = Found { numbers: vec![], sums: vec![0; 4], bits: 0, compressed: vec![] };
        for at in (0..MAX_LANES).step_by(L::COUNT) {
            let (a, b) = (L::load(&column, at), L::splat(1.5));
            let (mask, member) = (a.le(b), L::load_in_set(set, &ids, at));
            let bits = L::to_bits(member);
            found.bits |= (L::to_bits(mask) | bits << 16) << at;
            for lanes in [
                a + b,
                a - b,
                a * b,
                b / a,
                -a,
                a.max(b),
                a.min(b),
                (a * a).sqrt(),
                L::select(mask, a, b),
                L::from_fn(|i| column[at + i] * 3.0),
                a.or_zero(mask),
                a.or_infinity(mask),
                a.or_zero(L::and_not(mask, member)),
            ] {
                let mut out = [0.0; MAX_LANES];
                lanes.compress_store(u32::MAX, &mut out, 0);
                let mut stored = [0.0; MAX_LANES];
                lanes.store(&mut stored, 0);
                assert_eq!(
                    stored[..L::COUNT].iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
                    out[..L::COUNT].iter().map(|x| x.to_bits()).collect::<Vec<_>>()
                );
                assert_eq!(out[0].to_bits(), lanes.first().to_bits());
                if stored.iter().all(|x| !x.is_nan()) {
                    let least = stored[..L::COUNT].iter().copied().reduce(f32::min);
                    assert_eq!(Some(lanes.least()), least);
                }
                found.numbers.extend(out[..L::COUNT].iter().map(|x| x.to_bits()));
            }
            let rounded = (a * L::splat(5e7)).to_int();
            let ints = [
                rounded,
                L::int_add(member, rounded, rounded),
                L::int_increment(mask, L::int_zero()),
                L::int_zero(),
            ];
            for (sum, int) in found.sums.iter_mut().zip(L::reduce_sum(ints)) {
                *sum += int;
            }
            let (mut numbers, mut copied) = ([0.0; MAX_LANES], [0; MAX_LANES]);
            a.compress_store(bits, &mut numbers, 0);
            L::compress_copy(bits, &ids, at, &mut copied, 0);
            let count = bits.count_ones() as usize;
            found.compressed.extend(
                numbers[..count].iter().map(|x| x.to_bits()).chain(copied[..count].iter().copied()),
            );
        }
        // The order depends on the number of lanes.
        found.numbers.sort_unstable();
        found.compressed.sort_unstable();
        found
    }
}

#[test]
fn every_level_gives_the_bits_of_the_plain_lanes() {
    let mut random = Random::new(5, 0, 0, 0);
    for _ in 0..300 {
        let column = core::array::from_fn(|_| random.between(-3.0, 3.0));
        let set = random.between(0.0, 4e9) as u32;
        let expected = All(column, set).run::<Four>();
        for chosen in SimdLevel::ALL.into_iter().filter_map(SimdDispatch::new) {
            assert_eq!(chosen.run(All(column, set)), expected, "{chosen:?}");
        }
    }
}

#[test]
fn compress_store_keeps_the_order_of_the_lanes() {
    let column: Vec<f32> = (0..4).map(|i| i as f32).collect();
    for bits in 0..16_u32 {
        let mut front = [0.0; 4];
        Four::load(&column, 0).compress_store(bits, &mut front, 0);
        let expected: Vec<f32> = (0..4_u8).filter(|i| bits >> i & 1 == 1).map(f32::from).collect();
        assert_eq!(front[..expected.len()], expected);
    }
}
