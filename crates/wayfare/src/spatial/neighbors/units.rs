//! The units of sums over neighbors: what a pair term divides by to be about 1 long.
//!
//! A unit follows from the behavior, from the host's group and from the neighbors that count, never
//! from other agents: a group far away changes no bit, and a crowd can be cut in two.

use super::{LARGEST_TERM, NeighborSum, Neighbors, PairTerms, Sight};
use crate::quantity::power_of_two_from;
use crate::simd::{SimdMemory, SimdVector, Work};
use crate::vector::Vector;

/// The radius is the unit of length unless all neighbors are nearer than this part of it: then the
/// fixed point of the sums would leave them less than ten bits.
const SMALL_PART: f32 = 1.0 / 1_024.0;

impl<V: Vector> Neighbors<V> {
    /// The sums of pair terms over the neighbors within `sight`, in one pass, with terms in a unit
    /// of length. `in_unit` gets the unit (length) and returns the distance up to which neighbors
    /// count with the near terms (length), and the terms.
    ///
    /// The unit is the radius; but where all neighbors are within a 1024th of it, whatever the
    /// field of view, the power of two from their largest distance up. Otherwise a radius of a
    /// million would leave the sums of a crowd that is a hundred wide no digits.
    #[inline(always)]
    pub fn sums_in_unit_of_length<const N: usize, T: PairTerms<V, N>>(
        &self,
        sight: Sight<'_>,
        heading: V,
        in_unit: impl Fn(f32) -> (f32, T),
    ) -> [NeighborSum; N] {
        // Far apart, many agents are their own only candidates.
        if self.len <= self.own {
            return [NeighborSum::default(); N];
        }
        // Nearly always no neighbor is small or close: then the sums in the largest unit hold.
        let (close, terms) = in_unit(largest_unit(&sight));
        let close = close.max(sight.radius * SMALL_PART);
        if let Some(groups) = sight.groups_in_simd() {
            let (sums, closer) = self.sums_beyond(&sight, groups, close * close, &terms);
            if closer <= self.own {
                return sums;
            }
        }
        self.sums_in_unit_of_near(sight, heading, in_unit)
    }

    #[cold]
    #[inline(never)]
    fn sums_in_unit_of_near<const N: usize, T: PairTerms<V, N>>(
        &self,
        sight: Sight<'_>,
        heading: V,
        in_unit: impl Fn(f32) -> (f32, T),
    ) -> [NeighborSum; N] {
        let (close, terms) = in_unit(self.unit_of_length(&sight));
        self.sums(sight, heading, close, &terms)
    }

    /// The unit of length for the neighbors within `sight`.
    fn unit_of_length(&self, sight: &Sight<'_>) -> f32 {
        let Some(groups) = sight.of.bits() else { return self.unit_of_small_lengths(sight) };
        let small = sight.radius * SMALL_PART;
        let squares = [small * small, sight.radius * sight.radius];
        match self.simd_dispatch().run(FindFar { neighbors: self, groups, squares }) {
            Lengths::Far | Lengths::None => largest_unit(sight),
            Lengths::Small => self.unit_of_small_lengths(sight),
        }
    }

    #[cold]
    #[inline(never)]
    fn unit_of_small_lengths(&self, sight: &Sight<'_>) -> f32 {
        let farthest = self.in_range(sight).map(|n| n.distance_squared).fold(0.0, f32::max).sqrt();
        let largest = largest_unit(sight);
        if farthest > sight.radius * SMALL_PART || farthest == 0.0 {
            largest
        } else {
            power_of_two_from(farthest).min(largest)
        }
    }

    /// The unit of speed in sums over the neighbors within `sight`, whatever the field of view
    /// (length / time): no such neighbor is more than 64 times faster.
    ///
    /// In a crowd the power of two from the top speed of the host's group up; only where one of the
    /// neighbors that count is more than 64 times faster, that from its speed up. Otherwise the
    /// largest speed of the candidates.
    #[inline(always)]
    pub fn unit_of_speed(&self, sight: &Sight<'_>) -> f32 {
        if self.fastest <= LARGEST_TERM * self.speed {
            self.speed
        } else {
            self.unit_of_large_speeds(sight)
        }
    }

    #[cold]
    #[inline(never)]
    fn unit_of_large_speeds(&self, sight: &Sight<'_>) -> f32 {
        let fastest = self.in_range(sight).map(|n| n.velocity.length()).fold(0.0, f32::max);
        if fastest <= LARGEST_TERM * self.speed { self.speed } else { power_of_two_from(fastest) }
    }

    fn in_range<'a>(&'a self, sight: &Sight<'a>) -> impl Iterator<Item = super::Neighbor<V>> + 'a {
        self.within(Sight { field_of_view: 360.0, ..*sight }, V::X)
    }
}

/// The largest unit of length: the radius (length).
fn largest_unit(sight: &Sight<'_>) -> f32 {
    sight.radius.max(f32::MIN_POSITIVE)
}

/// The distances of the neighbors that count.
enum Lengths {
    /// There are none but zero.
    None,
    /// All are small.
    Small,
    /// At least one is not small.
    Far,
}

/// The search for a neighbor whose distance is not small: from the middle of the candidates on,
/// which lie in the order of cells, so that the first block nearly always has one.
struct FindFar<'a, V: Vector> {
    neighbors: &'a Neighbors<V>,
    groups: u32,
    /// The squares of the largest small distance and of the radius.
    squares: [f32; 2],
}

impl<V: Vector> Work for FindFar<'_, V> {
    type Result = Lengths;
    #[inline(always)]
    fn run<L: SimdMemory>(self) -> Lengths {
        let Self { neighbors, groups, squares } = self;
        let here = SimdVector::<L>::splat(neighbors.here);
        let [small, radius] = squares.map(L::splat);
        let blocks = neighbors.len.div_ceil(L::COUNT);
        let mut found = Lengths::None;
        for block in (blocks / 2..blocks).chain(0..blocks / 2) {
            let at = block * L::COUNT;
            let mut offset = SimdVector::load(&neighbors.position, at) - here;
            if neighbors.space.wraps() {
                offset = neighbors.space.shortest(offset);
            }
            let mut squared = offset.length_squared::<V>();
            if groups != u32::MAX {
                squared = squared.or_infinity(L::load_in_set(groups, &neighbors.group, at));
            }
            let is_small = squared.le(small);
            if L::to_bits(L::and_not(squared.le(radius), is_small)) != 0 {
                return Lengths::Far;
            }
            if L::to_bits(L::and_not(is_small, squared.le(L::splat(0.0)))) != 0 {
                found = Lengths::Small;
            }
        }
        found
    }
}
