//! Sums of pair terms over neighbors, several at once, in fixed point.

use super::{Neighbors, PairTerms, Pairs, Sight};
use crate::simd::{Plain, Simd, SimdMemory, SimdVector, Work};
use crate::vector::Vector;

/// After so many terms of the largest size, 2^26, a lane has come to 2^29.
const MOST_TERMS: usize = 8;

/// The fixed-point unit of the sums: 2^-20.
const ONE: f32 = 1_048_576.0;

/// The largest term that is added as it is; what is longer counts as this long on each axis.
pub const LARGEST_TERM: f32 = 64.0;

/// A sum of vectors over neighbors that does not depend on their order.
///
/// Each term is rounded towards zero to a multiple of 2^-20 and added as an integer of 64 bits;
/// more than 2^37 neighbors with terms of the largest size would be needed to overflow it, more
/// than the ids there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NeighborSum {
    sums: [i64; 3],
    count: u32,
}

impl NeighborSum {
    /// The sum of `terms`, of about unit length each.
    pub fn over<V: Vector>(terms: impl IntoIterator<Item = V>) -> Self {
        let mut sum = Self::default();
        for term in terms {
            sum.add(term);
        }
        sum
    }

    /// Adds one neighbor's term.
    pub fn add<V: Vector>(&mut self, term: V) {
        for i in 0..V::DIMENSION {
            // The cast of NaN is 0; the clamp bounds the rest.
            self.sums[i] += (term.axis(i).clamp(-LARGEST_TERM, LARGEST_TERM) * ONE) as i64;
        }
        self.count += 1;
    }

    /// How many terms were added.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The sum of the terms divided by their number; zero with none.
    pub fn mean<V: Vector>(&self) -> V {
        // The unit is a power of two: dividing by it rounds nothing.
        let share = 1.0 / self.count.max(1) as f32 * (1.0 / ONE);
        V::from_fn(|i| self.sums[i] as f32 * share)
    }
}

impl<V: Vector> Neighbors<V> {
    /// The sums of pair terms over those within `sight`, in one pass; who is at most `close`
    /// (length) away counts with the near terms.
    #[inline(always)]
    pub fn sums<const N: usize>(
        &self,
        sight: Sight<'_>,
        heading: V,
        close: f32,
        terms: &impl PairTerms<V, N>,
    ) -> [NeighborSum; N] {
        // Far apart, many agents are their own only candidates.
        if self.len <= self.own {
            return [NeighborSum::default(); N];
        }
        let close_squared = close * close;
        let Some(groups) = sight.groups_in_simd() else {
            let none = [NeighborSum::default(); N];
            return self.sums_of_each(none, sight, heading, close_squared, true, terms);
        };
        let (sums, closer) = self.sums_beyond(&sight, groups, close_squared, terms);
        // The host is among the closer ones as often as it is a candidate.
        if closer <= self.own {
            sums
        } else {
            self.sums_of_each(sums, sight, heading, close_squared, false, terms)
        }
    }

    /// The sums of the terms of the neighbors of these `groups` within the radius of `sight` that
    /// are farther away than the square root of `close_squared`, and the number of candidates that
    /// are not, the host included.
    #[inline(always)]
    pub(super) fn sums_beyond<const N: usize>(
        &self,
        sight: &Sight<'_>,
        groups: u32,
        close_squared: f32,
        terms: &impl PairTerms<V, N>,
    ) -> ([NeighborSum; N], usize) {
        let reach = Reach { groups, squared: sight.radius * sight.radius, close_squared };
        if self.space.wraps() || groups != u32::MAX {
            self.simd_dispatch().run(SumFar::<_, _, N, true> { near: self, reach, terms })
        } else {
            self.simd_dispatch().run(SumFar::<_, _, N, false> { near: self, reach, terms })
        }
    }

    /// Adds the terms one by one: of who is close, and if `one_by_one` of the others as well.
    #[inline(never)]
    fn sums_of_each<const N: usize>(
        &self,
        mut sums: [NeighborSum; N],
        sight: Sight<'_>,
        heading: V,
        close_squared: f32,
        one_by_one: bool,
        terms: &impl PairTerms<V, N>,
    ) -> [NeighborSum; N] {
        for n in self.within(sight, heading) {
            if n.distance_squared <= close_squared {
                for (sum, term) in sums.iter_mut().zip(terms.near(&n)) {
                    sum.add(term);
                }
            } else if one_by_one {
                let (offset, velocity) =
                    (SimdVector::<Plain>::splat(n.offset), SimdVector::splat(n.velocity));
                let pairs =
                    Pairs { offset, distance_squared: Plain::splat(n.distance_squared), velocity };
                for (sum, term) in sums.iter_mut().zip(terms.far(&pairs)) {
                    sum.add(V::from_fn(|i| (term.vector.0[i] * term.scale).first()));
                }
            }
        }
        sums
    }

    /// Adds the terms of all that are farther than close; says how many candidates are closer.
    ///
    /// Unless `ANY`, in a space without edges and over all groups, which is the usual case and the
    /// fast one.
    #[inline(always)]
    fn sum_far<L: SimdMemory, T: PairTerms<V, N>, const N: usize, const ANY: bool>(
        &self,
        reach: &Reach,
        terms: &T,
    ) -> ([NeighborSum; N], usize) {
        let here = SimdVector::<L>::splat(self.here);
        let space = self.space;
        let (radius, close) = (L::splat(reach.squared), L::splat(reach.close_squared));
        let mut sums = [NeighborSum::default(); N];
        let (mut counted, mut closer) = (0, 0);
        let mut first = 0;
        while first < self.len {
            let end = self.len.min(first + MOST_TERMS * L::COUNT);
            let mut totals = [[L::int_zero(); 3]; N];
            // How many count, and how many are too close.
            let mut counts = [L::int_zero(); 2];
            // Cut to whole blocks once, so that none is checked when it is read.
            let whole = first..first + (end - first).next_multiple_of(L::COUNT);
            let mut position = self.position.run(whole.clone());
            let mut velocity =
                if T::READS_VELOCITIES { self.velocity.run(whole.clone()) } else { position };
            let mut groups = if ANY { &self.group[whole] } else { &[] };
            while position.len() >= L::COUNT {
                let mut offset = position.take_block() - here;
                let velocity = velocity.take_block();
                if ANY {
                    offset = space.shortest(offset);
                }
                let mut distance_squared = offset.length_squared::<V>();
                if ANY {
                    let (these, rest) = groups.split_at(L::COUNT);
                    groups = rest;
                    if reach.groups != u32::MAX {
                        distance_squared =
                            distance_squared.or_infinity(L::load_in_set(reach.groups, these, 0));
                    }
                }
                let too_close = distance_squared.le(close);
                let mask = L::and_not(distance_squared.le(radius), too_close);
                counts =
                    [L::int_increment(mask, counts[0]), L::int_increment(too_close, counts[1])];
                let terms = terms.far(&Pairs { offset, distance_squared, velocity });
                for (total, term) in totals.iter_mut().zip(terms) {
                    let scale = term.scale * L::splat(ONE);
                    for (total, axis) in total.iter_mut().zip(term.vector.0).take(V::DIMENSION) {
                        *total = L::int_add(mask, *total, (axis * scale).to_int());
                    }
                }
            }
            // Four at a time: the axes of all sums, and behind them the counts.
            let whole = |k: usize| {
                totals.get(k / V::DIMENSION).map_or_else(
                    || counts.get(k - N * V::DIMENSION).copied().unwrap_or(L::int_zero()),
                    |total| total[k % V::DIMENSION],
                )
            };
            for at in (0..N * V::DIMENSION + 2).step_by(4) {
                for (k, total) in (at..).zip(L::reduce_sum([at, at + 1, at + 2, at + 3].map(whole)))
                {
                    match k.checked_sub(N * V::DIMENSION) {
                        None => sums[k / V::DIMENSION].sums[k % V::DIMENSION] += total,
                        Some(0) => counted += total,
                        Some(1) => closer += total,
                        Some(_) => {}
                    }
                }
            }
            first = end;
        }
        sums.iter_mut().for_each(|sum| sum.count = counted as u32);
        (sums, closer as usize)
    }
}

/// Which candidates a sum looks at: of these groups, within a radius, and how close is too close
/// (lengths squared).
pub(super) struct Reach {
    pub(super) groups: u32,
    pub(super) squared: f32,
    pub(super) close_squared: f32,
}

/// Summing as work for the widest instructions.
pub(super) struct SumFar<'a, V: Vector, T, const N: usize, const ANY: bool> {
    pub(super) near: &'a Neighbors<V>,
    pub(super) reach: Reach,
    pub(super) terms: &'a T,
}

impl<V: Vector, T: PairTerms<V, N>, const N: usize, const ANY: bool> Work
    for SumFar<'_, V, T, N, ANY>
{
    type Result = ([NeighborSum; N], usize);
    #[inline(always)]
    fn run<L: SimdMemory>(self) -> Self::Result {
        self.near.sum_far::<L, T, N, ANY>(&self.reach, self.terms)
    }
}
