//! The direction and the pace of a pedestrian: its sum and its minimum over neighbors.

use super::walls::{along_walls, off_walls};
use super::{Pedestrian, STRAIGHT};
use crate::agent::Agent;
use crate::geometry::obstacle::Obstacles;
use crate::parameter::Groups;
use crate::simd::{One, Simd, SimdVector, Term, exp_minus};
use crate::spatial::neighbors::{
    Neighbor, NeighborFilter, Neighbors, PairMinima, PairTerms, Pairs,
};
use crate::spatial::space::Space;
use crate::vector::{Vector, ZERO_LENGTH};

/// Below this fraction of its max_speed an agent stands, as far as its direction counts.
const HAS_DIRECTION: f32 = 0.01;

/// The decisions of a host so far. Each function takes one step of the formula and fills in the
/// values that the next ones read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course<V> {
    /// The unit vector of the preferred velocity, off walls, and the one to the left of it.
    ahead: V,
    left: V,
    /// The preferred speed (length / time).
    wish: f32,
    /// The unit vector of the host's own motion; `None` where it stands.
    heading: Option<V>,
    /// The tangent of the turn by the side-step.
    turn: f32,
    /// The side-step, and straight ahead, both along walls: unit vectors, or zero.
    choice: [V; 2],
    /// The paces that the neighbors allow in them (length / time).
    paces: [f32; 2],
}

impl<V: Vector> Course<V> {
    /// The course of a host that prefers the unit vector `ahead` at the speed `wish` (length /
    /// time).
    #[inline(always)]
    pub(super) fn towards(
        host: &Agent<V>,
        ahead: V,
        wish: f32,
        walls: (Obstacles<'_, V>, &Space<V>),
        parameters: &Pedestrian,
    ) -> Self {
        let ahead = off_walls(host, ahead, walls, parameters.wall_distance);
        let left = walls.1.up().left(ahead);
        let walks = host.velocity.length() >= HAS_DIRECTION * host.max_speed;
        let heading = walks.then(|| host.velocity.unit());
        Self { ahead, left, wish, heading, turn: 0.0, choice: [V::ZERO; 2], paces: [0.0; 2] }
    }

    /// Finds the turn by the side-step.
    #[inline(always)]
    pub(super) fn side_step(
        &mut self,
        host: &Agent<V>,
        neighbors: &Neighbors<V>,
        parameters: &Pedestrian,
    ) {
        let filter =
            NeighborFilter { radius: parameters.sight, of: &Groups::All, field_of_view: 360.0 };
        let per_range = 1.0 / parameters.range;
        let Self { ahead, left, .. } = *self;
        let side_step = SideStep { host, ahead, left, per_range, neighbors, parameters };
        let [side] = neighbors.sums(filter, ahead, ZERO_LENGTH, &side_step);
        let turn = side.total::<V>().axis(0) * -parameters.repulsion;
        self.turn = turn.clamp(-parameters.max_turn, parameters.max_turn);
    }

    /// Finds the directions to choose from.
    #[inline(always)]
    pub(super) fn find_directions(
        &mut self,
        host: &Agent<V>,
        walls: (Obstacles<'_, V>, &Space<V>),
        parameters: &Pedestrian,
    ) {
        let turned = (self.ahead + self.left * self.turn).unit();
        let directions = [turned, self.ahead];
        self.choice = along_walls(host, directions, walls, parameters.wall_buffer);
    }

    /// Finds the paces that the neighbors allow in the directions.
    #[inline(always)]
    pub(super) fn find_paces(
        &mut self,
        host: &Agent<V>,
        neighbors: &Neighbors<V>,
        space: &Space<V>,
        parameters: &Pedestrian,
    ) {
        let pace = Pace {
            directions: self.choice,
            left: self.choice.map(|direction| space.up().left(direction)),
            headings: self.choice.map(|direction| self.heading.unwrap_or(direction)),
            radius: host.radius,
            per_length: (1.0 - parameters.used_follow()) / parameters.used_time_gap(),
            follow: parameters.used_follow(),
            parameters,
        };
        self.paces = neighbors.minima(parameters.sight, &pace);
    }

    /// The velocity in the better of the directions (length / time).
    #[inline(always)]
    pub(super) fn velocity(&self, host: &Agent<V>, parameters: &Pedestrian) -> V {
        let velocity =
            |k: usize| self.choice[k] * self.paces[k].max(parameters.creep).min(self.wish);
        let (aside, straight) = (velocity(0), velocity(1));
        if straight.dot(self.ahead) > aside.dot(self.ahead) + STRAIGHT * host.max_speed {
            straight
        } else {
            aside
        }
    }
}

/// The pair term of the side-step, without `-repulsion`: its first coordinate.
struct SideStep<'a, V: Vector> {
    host: &'a Agent<V>,
    /// The unit vectors of the preferred velocity, and to the left of it.
    ahead: V,
    left: V,
    /// 1 / `range`.
    per_range: f32,
    neighbors: &'a Neighbors<V>,
    parameters: &'a Pedestrian,
}

impl<V: Vector> SideStep<'_, V> {
    /// The term of neighbors at these distances (length) in the directions `towards`.
    #[inline(always)]
    fn term<L: Simd>(&self, pairs: &Pairs<L>, distance: L, towards: SimdVector<L>) -> L {
        let Pedestrian { anticipation, side_bias, passing_bias, softness, .. } = *self.parameters;
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let (ahead, left) = (SimdVector::splat(self.ahead), SimdVector::splat(self.left));
        let anticipation = L::splat(anticipation);
        let bodies = L::splat(self.host.radius) + pairs.radius;

        let cosine = ahead.dot::<V>(towards).max(zero);
        let closing = SimdVector::splat(self.host.velocity) - pairs.velocity;
        let closing = closing.dot::<V>(towards).max(zero);
        let gap = (distance - bodies - anticipation * closing).max(zero);
        let meeting = ahead.dot::<V>(pairs.direction);
        let aside = left.dot::<V>(pairs.offset + pairs.velocity * anticipation)
            + L::splat(side_bias)
            + L::splat(passing_bias) * (-meeting).max(zero);
        let full = (L::splat(softness) * bodies).max(L::splat(f32::MIN_POSITIVE));
        let share = (aside / full).min(one).max(-one);
        exp_minus(gap * L::splat(self.per_range))
            * (L::splat(1.5) - L::splat(0.5) * meeting)
            * share
            * (cosine * cosine)
    }
}

impl<V: Vector> PairTerms<V, 1> for SideStep<'_, V> {
    const READS_BODIES: bool = true;
    const READS_DIRECTIONS: bool = true;
    #[inline(always)]
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; 1] {
        // Neighbors behind or beyond the sight add nothing: often none of a block counts.
        let behind = SimdVector::splat(self.ahead).dot::<V>(pairs.offset).le(L::splat(0.0));
        let term = if L::to_bits(L::and_not(self.parameters.within(pairs), behind)) == 0 {
            L::splat(0.0)
        } else {
            let distance = pairs.distance_squared.sqrt();
            let towards = pairs.offset * (L::splat(1.0) / distance);
            self.term(pairs, distance, towards)
        };
        [SimdVector::along_x(term).times(L::splat(1.0))]
    }
    fn close_terms(&self, neighbor: &Neighbor<V>) -> [V; 1] {
        let pairs = Pairs {
            offset: SimdVector::<One>::splat(neighbor.offset),
            distance_squared: One::splat(neighbor.distance_squared),
            velocity: SimdVector::splat(neighbor.velocity),
            direction: SimdVector::splat(neighbor.velocity).unit::<V>(),
            radius: One::splat(neighbor.radius),
            max_speed: One::splat(neighbor.max_speed),
        };
        let towards = SimdVector::splat(-self.neighbors.away(neighbor));
        [V::X * self.term(&pairs, One::splat(0.0), towards).first()]
    }
}

/// The paces in two directions that one neighbor allows (length / time).
struct Pace<'a, V> {
    directions: [V; 2],
    /// The unit vectors to the left of the directions.
    left: [V; 2],
    /// The direction of the host's own motion, or where it stands, the direction itself.
    headings: [V; 2],
    /// The radius of the host's body (length).
    radius: f32,
    /// The part of the pace by the free way ahead, per length (1 / time).
    per_length: f32,
    follow: f32,
    parameters: &'a Pedestrian,
}

impl Pedestrian {
    /// Which neighbors are within the sight.
    #[inline(always)]
    fn within<L: Simd>(&self, pairs: &Pairs<L>) -> L::Mask {
        pairs.distance_squared.le(L::splat(self.sight * self.sight))
    }
}

/// The positions of neighbors in the strip along one direction.
struct Strip<L: Simd> {
    /// Their distances ahead (length).
    along: L,
    /// The square of half the strip's width where they are (length squared).
    inside: L,
    /// Which of them are in the strip.
    counts: L::Mask,
}

// Closures over lanes are functions of their own where they are not inlined, without the
// instructions of the caller: five times as slow with many codegen units. So these are methods.
impl<V: Vector> Pace<'_, V> {
    #[inline(always)]
    fn strip<L: Simd>(&self, k: usize, pairs: &Pairs<L>, width: L, within: L::Mask) -> Strip<L> {
        let along = SimdVector::splat(self.directions[k]).dot::<V>(pairs.offset);
        let across = SimdVector::splat(self.left[k]).dot::<V>(pairs.offset);
        let (zero, inside) = (L::splat(0.0), width * width - across * across);
        let counts = L::and_not(L::and_not(within, along.le(zero)), inside.le(zero));
        Strip { along, inside, counts }
    }

    #[inline(always)]
    fn pace<L: Simd>(
        &self,
        k: usize,
        pairs: &Pairs<L>,
        strip: &Strip<L>,
        heading: SimdVector<L>,
    ) -> L {
        let zero = L::splat(0.0);
        let direction = SimdVector::splat(self.directions[k]);
        let ahead = (SimdVector::splat(self.headings[k]) + heading).dot::<V>(pairs.offset);
        let free = strip.along - strip.inside.max(zero).sqrt() - L::splat(self.parameters.standoff);
        let pace = L::splat(self.per_length) * free
            + L::splat(self.follow) * pairs.velocity.dot::<V>(direction);
        let meeting = (-direction.dot::<V>(pairs.direction)).max(zero);
        let pace = pace.max(L::splat(self.parameters.squeeze) * meeting);
        // Only neighbors with all three above zero: "not less or equal".
        pace.or_infinity(L::and_not(strip.counts, ahead.le(zero)))
    }
}

impl<V: Vector> PairMinima<V, 2> for Pace<'_, V> {
    #[inline(always)]
    fn values<L: Simd>(&self, pairs: &Pairs<L>) -> [L; 2] {
        let width = (L::splat(self.radius) + pairs.radius) * L::splat(self.parameters.width);
        let within = self.parameters.within(pairs);
        let first = self.strip(0, pairs, width, within);
        let second = self.strip(1, pairs, width, within);
        // Few neighbors are in a strip: often none of a block.
        if L::to_bits(first.counts) == 0 && L::to_bits(second.counts) == 0 {
            return [L::splat(f32::INFINITY); 2];
        }
        let slow = pairs.max_speed * L::splat(HAS_DIRECTION);
        let walks = (slow * slow).le(pairs.velocity.length_squared::<V>());
        let heading = SimdVector::select(walks, pairs.direction, SimdVector::splat(V::ZERO));
        [self.pace(0, pairs, &first, heading), self.pace(1, pairs, &second, heading)]
    }
}
