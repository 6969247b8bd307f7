//! The accelerations that one neighbor causes, in two units: of the social term, and of contacts.

use super::Numbers;
use crate::agent::Agent;
use crate::simd::{One, Simd, SimdVector, Term, exp_minus};
use crate::spatial::neighbors::{LARGEST_TERM, Neighbor, Neighbors, PairTerms, Pairs};
use crate::vector::{Up, Vector, ZERO_LENGTH};

/// The largest social term, in strengths: with larger ones the sums would have fewer digits for the
/// many that are small.
const LARGEST_PUSH: f32 = 8.0;

/// The logarithm of [`LARGEST_PUSH`].
const LN_LARGEST_PUSH: f32 = 2.079_441_5;

/// The unit of the first term, in strengths.
pub(super) const PUSH_UNIT: f32 = LARGEST_PUSH / LARGEST_TERM;

/// The gap, in ranges, beyond which an exponential is zero: where [`exp_minus`] ends.
pub(super) const REACH: f32 = 16.0 - LN_LARGEST_PUSH;

/// The squared length of the sum of two unit vectors up to which they are opposite.
const OPPOSITE: f32 = 1e-8;

/// The unit of overlaps: this part of the host's radius, and at least that part of the radius in
/// which neighbors count.
const OVERLAP_PART: f32 = 1.0 / 16.0;
const SMALL_PART: f32 = 1.0 / 1_024.0;

/// e^x, at most [`LARGEST_PUSH`], and zero where x is below `-REACH`.
#[inline(always)]
pub(super) fn exponential<L: Simd>(x: L) -> L {
    let below = L::splat(LN_LARGEST_PUSH) - x;
    let value = exp_minus(below.max(L::splat(0.0))) * L::splat(LARGEST_PUSH);
    value.or_zero(below.le(L::splat(16.0)))
}

/// The pair terms of all neighbors of a host.
pub(super) struct Pushes<'a, V: Vector> {
    host: &'a Agent<V>,
    neighbors: &'a Neighbors<V>,
    numbers: &'a Numbers,
    /// The unit vector to the left of the host.
    left: V,
    /// The unit of overlaps (length), and of accelerations per overlap (1 / time^2).
    overlap: f32,
    stiffness: f32,
}

impl<'a, V: Vector> Pushes<'a, V> {
    /// `speed` is the unit of speed of the neighbors (length / time).
    pub(super) fn new(
        host: &'a Agent<V>,
        neighbors: &'a Neighbors<V>,
        up: Up,
        numbers: &'a Numbers,
        speed: f32,
    ) -> Self {
        Self {
            host,
            neighbors,
            numbers,
            left: up.left(host.heading),
            overlap: (host.radius * OVERLAP_PART)
                .max(numbers.radius * SMALL_PART)
                .max(f32::MIN_POSITIVE),
            stiffness: numbers.body_force.max(numbers.friction * speed).max(f32::MIN_POSITIVE),
        }
    }

    /// The unit of the second term (length / time^2).
    pub(super) fn contact_unit(&self) -> f32 {
        self.overlap * self.stiffness
    }

    /// The terms of neighbors from which the unit vectors `away` lead to the host, and the offsets
    /// `apart` (length).
    #[inline(always)]
    fn of<L: Simd>(
        &self,
        pairs: &Pairs<L>,
        away: SimdVector<L>,
        apart: SimdVector<L>,
    ) -> [SimdVector<L>; 2] {
        let (zero, one, half) = (L::splat(0.0), L::splat(1.0), L::splat(0.5));
        let numbers = self.numbers;
        let distance = pairs.distance_squared.sqrt();
        let bodies = L::splat(self.host.radius) + pairs.radius;
        let relative = pairs.velocity - SimdVector::splat(self.host.velocity);

        // With the angle a between d and d - y, (2 b)^2 is 2 |d| |d - y| (1 + cos a), and the
        // square of |n + unit(d - y)| is 2 (1 + cos a): the length of g needs no b, and stays
        // finite.
        let later = apart - relative * L::splat(numbers.stride_time);
        let least = L::splat(ZERO_LENGTH);
        let (near, far) = (distance.max(least), later.length_squared::<V>().sqrt().max(least));
        let both = away + later.unit::<V>();
        let both_squared = both.length_squared::<V>();
        let mean = (near * far).sqrt();
        let minor = half * mean * both_squared.sqrt();
        let length = half * (near + far) / mean;
        let left = SimdVector::splat(self.left);
        let ahead = SimdVector::splat(self.host.heading).dot::<V>(away).le(zero);
        let aside = SimdVector::select(ahead, left, left * L::splat(-1.0));
        let direction = SimdVector::select(
            both_squared.le(L::splat(OPPOSITE)),
            aside,
            both * (one / both_squared.sqrt()),
        );

        let measured = if numbers.between_bodies { bodies - minor } else { -minor };
        let cosine = -SimdVector::splat(self.host.heading).dot::<V>(away);
        let weight =
            L::splat(numbers.lambda) + L::splat(0.5 * (1.0 - numbers.lambda)) * (one + cosine);
        let strength = exponential(measured * L::splat(1.0 / numbers.range)) * weight * length;
        let social = direction * (strength.min(L::splat(LARGEST_PUSH)) * L::splat(1.0 / PUSH_UNIT));

        let overlap = (bodies - distance).max(zero) * L::splat(1.0 / self.overlap);
        let sliding = relative - away * relative.dot::<V>(away);
        let per_overlap = away * L::splat(numbers.body_force / self.stiffness)
            + sliding * L::splat(numbers.friction / self.stiffness);
        let [x, y, z] = (per_overlap * overlap.min(L::splat(LARGEST_TERM))).0;
        let limited = |x: L| x.min(L::splat(LARGEST_TERM)).max(L::splat(-LARGEST_TERM));
        [social, SimdVector([limited(x), limited(y), limited(z)])]
    }
}

impl<V: Vector> PairTerms<V, 2> for Pushes<'_, V> {
    const READS_BODIES: bool = true;
    #[inline(always)]
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; 2] {
        let apart = pairs.offset * L::splat(-1.0);
        let away = apart * (L::splat(1.0) / pairs.distance_squared.sqrt());
        self.of(pairs, away, apart).map(|term| term.times(L::splat(1.0)))
    }
    /// At the same position nothing is foreseen: the direction is that of the ids.
    fn close_terms(&self, neighbor: &Neighbor<V>) -> [V; 2] {
        let away = SimdVector::<One>::splat(self.neighbors.away(neighbor));
        let pairs = Pairs {
            offset: SimdVector::splat(V::ZERO),
            distance_squared: One::splat(0.0),
            velocity: SimdVector::splat(self.host.velocity),
            direction: SimdVector::splat(V::ZERO),
            radius: One::splat(neighbor.radius),
            max_speed: One::splat(neighbor.max_speed),
        };
        let terms = self.of(&pairs, away, SimdVector::splat(V::ZERO));
        terms.map(|term| V::from_fn(|i| term.0[i].first()))
    }
}
