//! Separation, alignment and cohesion of one list, with their sums over neighbors in one pass. A
//! sum does not depend on what else the pass adds: each force has the bits that it has alone.

use super::alignment::align_to;
use super::cohesion::cohere_to;
use super::separation::{SHORTEST, fade, force_of, saturation_distance};
use super::{Alignment, Cohesion, Falloff, Separation};
use crate::agent::Agent;
use crate::parameter::words;
use crate::simd::{Simd, Term};
use crate::spatial::neighbors::{
    Filters, Neighbor, NeighborFilter, Neighbors, PairTerms, Pairs, SMALL_PART, largest_unit,
};
use crate::vector::Vector;

/// A pass is tried up to this close distance, as a part of the smallest radius: beyond it neighbors
/// are often close, and the pass is in vain.
const LARGEST_CLOSE_PART: f32 = 1.0 / 16.0;

/// A behavior whose sum over neighbors can be added in one pass with those of the other rules.
#[derive(Clone, Copy, Debug)]
pub enum Rule<'a> {
    Separation(&'a Separation),
    Alignment(&'a Alignment),
    Cohesion(&'a Cohesion),
}

words! {
    /// The force of a rule whose strength is not a parameter of its own.
    pub enum RuleForce {
        /// Reynolds' steering force: the velocity that the rule asks for, minus the host's.
        Steering = "steering",
        /// OpenSteer's: its direction, with the length 1 (length / time). The weight of the entry
        /// is its strength.
        Direction = "direction",
    }
}

/// Up to one behavior of each rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<'a> {
    separation: Option<&'a Separation>,
    alignment: Option<&'a Alignment>,
    cohesion: Option<&'a Cohesion>,
}

impl<'a> Rules<'a> {
    pub(crate) const NONE: Self = Self { separation: None, alignment: None, cohesion: None };

    /// Adds the rule, and returns the index of its force in those of the pass; `None`, and nothing
    /// is added, if there is one of its kind.
    pub(crate) fn take(&mut self, rule: Rule<'a>) -> Option<usize> {
        fn fill<T>(place: &mut Option<T>, rule: T) -> bool {
            let is_free = place.is_none();
            place.get_or_insert(rule);
            is_free
        }
        match rule {
            Rule::Separation(b) => fill(&mut self.separation, b).then_some(0),
            Rule::Alignment(b) => fill(&mut self.alignment, b).then_some(1),
            Rule::Cohesion(b) => fill(&mut self.cohesion, b).then_some(2),
        }
    }

    /// Their pass. `None` where they are always evaluated apart: with different groups, with the
    /// projected falloff, and where one radius is so large that neighbors in it are often close.
    pub(crate) fn pass(&self) -> Option<RulePass> {
        let mut terms = RuleTerms { by_distance: 0.0, push: 0.0, speed: 0.0, length: 0.0 };
        let mut forces = RuleForces {
            falloff: Falloff::Fixed,
            max_force: 0.0,
            alignment: RuleForce::Steering,
            cohesion: RuleForce::Steering,
        };
        let mut close = 0.0_f32;
        if let Some(separation) = self.separation {
            let filter = separation.filter();
            forces.max_force = separation.max_force.known();
            forces.falloff = separation.falloff_in_use();
            match forces.falloff {
                Falloff::Projected => return None,
                Falloff::Inverse | Falloff::Sum | Falloff::Fading | Falloff::Direction => {
                    close = saturation_distance(filter.radius);
                    terms.by_distance = -filter.radius;
                    terms.push = fade(filter.radius, forces.falloff);
                }
                Falloff::Fixed => {
                    let unit = largest_unit(&filter);
                    close = (unit * SHORTEST).max(filter.radius * SMALL_PART);
                    terms.push = -1.0 / unit;
                }
            }
        }
        if let Some(alignment) = self.alignment {
            forces.alignment = alignment.force;
        }
        if let Some(cohesion) = self.cohesion {
            forces.cohesion = cohesion.force;
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
        Some(RulePass { filters: Filters::new(&filters, close)?, terms, forces })
    }
}

/// The pass of some rules over the neighbors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RulePass {
    filters: Filters<3>,
    /// Without the unit of speed.
    terms: RuleTerms,
    forces: RuleForces,
}

/// How forces follow from the sums of a pass.
#[derive(Clone, Copy, Debug)]
struct RuleForces {
    /// Those of separation.
    falloff: Falloff,
    max_force: f32,
    alignment: RuleForce,
    cohesion: RuleForce,
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
        let RuleForces { falloff, max_force, alignment, cohesion } = self.forces;
        Some([
            force_of(push, falloff, max_force),
            align_to(host, velocity, unit_of_speed, alignment),
            cohere_to(host, offset, cohesion),
        ])
    }
}

/// The pair terms of the rules: those of each behavior alone.
#[derive(Clone, Copy, Debug)]
struct RuleTerms {
    /// The push is the offset times `by_distance`, divided by the squared distance, plus `push`.
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
