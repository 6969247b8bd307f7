//! Separation, alignment and cohesion of one list, with their sums over neighbors in one pass. A
//! sum does not depend on what else the pass adds: each force has the bits that it has alone.

use super::alignment::align_to;
use super::cohesion::cohere_to;
use super::separation::{SHORTEST, saturation_distance};
use super::{Alignment, Cohesion, Falloff, Separation};
use crate::agent::Agent;
use crate::simd::{Simd, Term};
use crate::spatial::neighbors::{
    Neighbor, NeighborFilter, Neighbors, PairTerms, Pairs, SMALL_PART, largest_unit,
};
use crate::vector::Vector;

/// A pass is tried up to this close distance, as a part of the smallest radius: beyond it neighbors
/// are often close, and the pass is in vain.
const LARGEST_CLOSE_PART: f32 = 1.0 / 16.0;

/// Up to one behavior of each rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<'a> {
    pub(crate) separation: Option<&'a Separation>,
    pub(crate) alignment: Option<&'a Alignment>,
    pub(crate) cohesion: Option<&'a Cohesion>,
}

impl Rules<'_> {
    pub(crate) const NONE: Self = Self { separation: None, alignment: None, cohesion: None };

    /// The forces of separation, alignment and cohesion (length / time), zero for a rule that is
    /// not there. `None` where they have to be evaluated apart: with different groups, with the
    /// projected falloff, and if a neighbor is close.
    #[inline(always)]
    pub(crate) fn forces<V: Vector>(
        &self,
        host: &Agent<V>,
        neighbors: &Neighbors<V>,
    ) -> Option<[V; 3]> {
        let mut terms = RuleTerms { by_distance: 0.0, push: 0.0, speed: 0.0, length: 0.0 };
        let mut unit_of_speed = 1.0;
        let mut close = [0.0; 3];
        let mut filters = [None; 3];
        if let Some(separation) = self.separation {
            let filter = separation.filter();
            match separation.falloff {
                Falloff::Projected => return None,
                Falloff::Inverse => {
                    close[0] = saturation_distance(filter.radius);
                    terms.by_distance = -filter.radius;
                }
                Falloff::Fixed => {
                    let unit = largest_unit(&filter);
                    close[0] = (unit * SHORTEST).max(filter.radius * SMALL_PART);
                    terms.push = -1.0 / unit;
                }
            }
            filters[0] = Some(filter);
        }
        if let Some(alignment) = self.alignment {
            let filter = alignment.filter();
            unit_of_speed = neighbors.unit_of_speed(&filter);
            terms.speed = 1.0 / unit_of_speed;
            filters[1] = Some(filter);
        }
        if let Some(cohesion) = self.cohesion {
            let filter = cohesion.filter();
            close[2] = filter.radius * SMALL_PART;
            terms.length = 1.0 / largest_unit(&filter);
            filters[2] = Some(filter);
        }
        let close = close[0].max(close[2]);
        let groups = common_groups(&filters, close)?;
        let sums = neighbors.sums_of_filters(&filters, groups, host.heading, close, &terms);
        if neighbors.has_close(&sums) {
            return None;
        }
        let [push, velocity, offset] = &sums.sums;
        let separation = self.separation.map_or(V::ZERO, |s| s.force_of(push));
        let alignment = self.alignment.map_or(V::ZERO, |_| align_to(host, velocity, unit_of_speed));
        let cohesion = self.cohesion.map_or(V::ZERO, |_| cohere_to(host, offset));
        Some([separation, alignment, cohesion])
    }
}

/// The mask of the groups that all filters select, if all select the same and the `close` distance
/// (length) is small.
#[inline(always)]
fn common_groups(filters: &[Option<NeighborFilter<'_>>; 3], close: f32) -> Option<u32> {
    let mut groups = None;
    for k in 0..3 {
        if let Some(filter) = &filters[k] {
            let these = filter.of.bits()?;
            if *groups.get_or_insert(these) != these || filter.radius * LARGEST_CLOSE_PART < close {
                return None;
            }
        }
    }
    groups
}

/// The pair terms of the rules: those of each behavior alone.
struct RuleTerms {
    /// The push is the offset times `by_distance`, divided by the squared distance, plus `push`:
    /// one of the two is zero.
    by_distance: f32,
    push: f32,
    /// The factors that scale velocities and offsets to about length 1.
    speed: f32,
    length: f32,
}

impl<V: Vector> PairTerms<V, 3> for RuleTerms {
    #[inline(always)]
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; 3] {
        let push = L::splat(self.by_distance) / pairs.distance_squared + L::splat(self.push);
        [
            pairs.offset.times(push),
            pairs.velocity.times(L::splat(self.speed)),
            pairs.offset.times(L::splat(self.length)),
        ]
    }
    /// A pass with a close neighbor is not used.
    fn close_terms(&self, _: &Neighbor<V>) -> [V; 3] {
        [V::ZERO; 3]
    }
}
