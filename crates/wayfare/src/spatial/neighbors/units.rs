//! The units of sums over neighbors: the divisor that gives a pair term a length of about 1.
//!
//! A unit follows from the behavior, from the host's group and from the neighbors that count, never
//! from other agents: a group out of range changes no bit, so a crowd can be split in two.

use super::{LARGEST_TERM, NeighborFilter, NeighborSum, Neighbors, PairTerms};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::quantity::power_of_two_from;
use crate::vector::Vector;

/// The radius is the unit of length unless all neighbors are nearer than this fraction of the
/// radius: then the fixed-point sums would have fewer than ten bits for them.
pub(crate) const SMALL_PART: f32 = 1.0 / 1_024.0;

impl<V: Vector> Neighbors<V> {
    /// The sums of pair terms over the neighbors that `filter` selects, in one pass, with terms in
    /// a unit of length. `in_unit` takes the unit (length) and returns the distance up to which
    /// neighbors count with their close terms (length), and the terms.
    ///
    /// The unit is the radius; if all neighbors, independent of the field of view, are within a
    /// 1024th of it, the unit is the smallest power of two that is at least their largest distance.
    /// Otherwise with a radius of a million the sums of a crowd of extent 100 would have no digits.
    #[inline(always)]
    pub fn sums_in_unit_of_length<const N: usize, T: PairTerms<V, N>>(
        &self,
        filter: NeighborFilter<'_>,
        heading: V,
        in_unit: impl Fn(f32) -> (f32, T),
    ) -> [NeighborSum; N] {
        // Usually no neighbor is close or at a small distance: then the sums in the largest unit
        // are exact enough.
        let (close, terms) = in_unit(largest_unit(&filter));
        let close = close.max(filter.radius * SMALL_PART);
        if let Some(groups) = filter.of.bits() {
            // One result for both cases, so that the usual one copies no sums.
            let mut beyond = self.sums_beyond(&filter, heading, groups, close * close, &terms);
            if self.has_close(&beyond) {
                beyond.sums = self.sums_in_unit_of_small_length(filter, heading, in_unit);
            }
            return beyond.sums;
        }
        self.sums_in_unit_of_small_length(filter, heading, in_unit)
    }

    #[cold]
    #[inline(never)]
    fn sums_in_unit_of_small_length<const N: usize, T: PairTerms<V, N>>(
        &self,
        filter: NeighborFilter<'_>,
        heading: V,
        in_unit: impl Fn(f32) -> (f32, T),
    ) -> [NeighborSum; N] {
        let (close, terms) = in_unit(self.unit_of_length(&filter));
        self.sums(filter, heading, close, &terms)
    }

    /// The unit of length for the neighbors that `filter` selects.
    fn unit_of_length(&self, filter: &NeighborFilter<'_>) -> f32 {
        let (largest, small) = (largest_unit(filter), filter.radius * SMALL_PART);
        let squares = || self.in_range(filter).map(|n| n.distance_squared);
        // Usually one of the first neighbors is not at a small distance.
        if squares().any(|squared| squared > small * small) {
            return largest;
        }
        let farthest = squares().fold(0.0, f32::max).sqrt();
        if farthest == 0.0 { largest } else { power_of_two_from(farthest).min(largest) }
    }

    /// The unit of speed in sums over the neighbors that `filter` selects, independent of its field
    /// of view (length / time): no selected neighbor is more than 64 times faster.
    ///
    /// In a crowd the smallest power of two that is at least the top speed of the host's group, or,
    /// if a selected neighbor is more than 64 times faster, at least that neighbor's speed. Outside
    /// of a crowd the largest speed of the candidates.
    #[inline(always)]
    pub fn unit_of_speed(&self, filter: &NeighborFilter<'_>) -> f32 {
        self.usual_unit_of_speed().unwrap_or_else(|| self.unit_of_large_speeds(filter))
    }

    /// [`unit_of_speed`](Self::unit_of_speed) for every filter; `None` if it depends on the filter.
    #[inline(always)]
    pub(crate) fn usual_unit_of_speed(&self) -> Option<f32> {
        (self.max_speed <= LARGEST_TERM * self.speed).then_some(self.speed)
    }

    #[cold]
    #[inline(never)]
    fn unit_of_large_speeds(&self, filter: &NeighborFilter<'_>) -> f32 {
        let max_speed = self.in_range(filter).map(|n| n.velocity.length()).fold(0.0, f32::max);
        if max_speed <= LARGEST_TERM * self.speed {
            self.speed
        } else {
            power_of_two_from(max_speed)
        }
    }

    fn in_range<'a>(
        &'a self,
        filter: &NeighborFilter<'a>,
    ) -> impl Iterator<Item = super::Neighbor<V>> + 'a {
        self.within(NeighborFilter { field_of_view: 360.0, ..*filter }, V::X)
    }
}

/// The largest unit of length: the radius (length).
pub(crate) fn largest_unit(filter: &NeighborFilter<'_>) -> f32 {
    filter.radius.max(f32::MIN_POSITIVE)
}
