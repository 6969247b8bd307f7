//! Separation, alignment and cohesion of one list, with their sums over neighbors in one pass. A
//! sum does not depend on what else the pass adds: each force has the bits that it has alone.

use super::alignment::align_to;
use super::cohesion::cohere_to;
use super::separation::{SHORTEST, force_of, saturation_distance};
use super::{Alignment, Cohesion, Falloff, Separation};
use crate::agent::Agent;
use crate::simd::{Simd, Term};
use crate::spatial::neighbors::{
    Filters, Neighbor, NeighborFilter, Neighbors, PairTerms, Pairs, SMALL_PART, largest_unit,
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

    /// Their pass. `None` where they are always evaluated apart: with different groups, with the
    /// projected falloff, and where one radius is so large that neighbors in it are often close.
    pub(crate) fn pass(&self) -> Option<RulePass> {
        let mut terms = RuleTerms { by_distance: 0.0, push: 0.0, speed: 0.0, length: 0.0 };
        let (mut max_force, mut close) = (0.0, 0.0_f32);
        if let Some(separation) = self.separation {
            let filter = separation.filter();
            max_force = separation.max_force;
            match separation.falloff {
                Falloff::Projected => return None,
                Falloff::Inverse => {
                    close = saturation_distance(filter.radius);
                    terms.by_distance = -filter.radius;
                }
                Falloff::Fixed => {
                    let unit = largest_unit(&filter);
                    close = (unit * SHORTEST).max(filter.radius * SMALL_PART);
                    terms.push = -1.0 / unit;
                }
            }
        }
        if let Some(cohesion) = self.cohesion {
            let filter = cohesion.filter();
            close = close.max(filter.radius * SMALL_PART);
            terms.length = 1.0 / largest_unit(&filter);
        }
        let filters = [
            self.separation.map(Separation::filter),
            self.alignment.map(Alignment::filter),
            self.cohesion.map(Cohesion::filter),
        ];
        let is_small = |filter: &NeighborFilter<'_>| filter.radius * LARGEST_CLOSE_PART < close;
        if filters.iter().flatten().any(is_small) {
            return None;
        }
        Some(RulePass { filters: Filters::new(&filters, close)?, terms, max_force })
    }
}

/// The pass of some rules over the neighbors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RulePass {
    filters: Filters<3>,
    /// Without the unit of speed.
    terms: RuleTerms,
    /// That of separation.
    max_force: f32,
}

impl RulePass {
    /// The forces of separation, alignment and cohesion (length / time), unspecified for a rule
    /// that is not there. `None` where they have to be evaluated apart: if a neighbor is close, or
    /// much faster than the host's group.
    #[inline(always)]
    pub(crate) fn forces<V: Vector>(
        &self,
        host: &Agent<V>,
        neighbors: &Neighbors<V>,
    ) -> Option<[V; 3]> {
        let unit_of_speed = neighbors.usual_unit_of_speed()?;
        let terms = RuleTerms { speed: 1.0 / unit_of_speed, ..self.terms };
        let sums = neighbors.sums_of_filters(&self.filters, host.heading, &terms);
        if neighbors.has_close(&sums) {
            return None;
        }
        let [push, velocity, offset] = &sums.sums;
        let is_fixed = self.terms.by_distance == 0.0;
        Some([
            force_of(push, is_fixed, self.max_force),
            align_to(host, velocity, unit_of_speed),
            cohere_to(host, offset),
        ])
    }
}

/// The pair terms of the rules: those of each behavior alone.
#[derive(Clone, Copy, Debug)]
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
