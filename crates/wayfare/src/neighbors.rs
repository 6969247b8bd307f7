//! Neighbors and the order-free sums over them.
//!
//! A neighbor behavior is a *pair term*, one neighbor's contribution normalised by a radius or a speed to about [-1, 1], and a
//! *finish*, what the sums become. The terms are rounded to fixed point and added as integers, so the same bits come out of
//! any order of neighbors: whatever the grid, the number of threads, or where agents lie in memory.

use crate::agent::Host;
use crate::parameter::Groups;
use crate::random::{Random, absorb, mix};
use crate::vector::{Vector, ZERO_LENGTH_SQUARED};

/// One agent near the host, seen from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor<V> {
    /// Its id; never the host's own.
    pub id: u32,
    /// The group it belongs to.
    pub group: usize,
    /// The shortest way from the host to it (length).
    pub offset: V,
    /// The square of its distance (length squared).
    pub distance_squared: f32,
    /// How it moves (length / time).
    pub velocity: V,
}

/// The agents near one host: gathered once per agent and tick, read by every behavior of its list.
#[derive(Clone, Debug, Default)]
pub struct Neighbors<V> {
    /// The host's own id: what keeps it from being its own neighbor, and parts it from who stands on the same point.
    pub(crate) host: u32,
    /// The unit of speed in the sums: a bound on the speeds of all neighbors.
    pub(crate) speed: f32,
    pub(crate) near: Vec<Neighbor<V>>,
}

/// Which neighbors count for a behavior.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// The farthest that counts (length), included.
    pub radius: f32,
    /// The groups that count.
    pub of: &'a Groups,
    /// The full angle seen, around the heading (degrees, from 0 to 360); 360 is all around.
    pub field_of_view: f32,
}

impl<V: Vector> Neighbors<V> {
    /// Nobody.
    pub fn none() -> Self {
        Self { host: u32::MAX, speed: 1.0, near: Vec::new() }
    }

    /// The positions and velocities of `others`, seen from `host`; pass only who is not the host itself.
    ///
    /// Their ids are their places in the list, and all belong to group 0.
    pub fn of(host: &impl Host<V>, others: impl IntoIterator<Item = (V, V)>) -> Self {
        let mut neighbors = Self::none();
        for (id, (position, velocity)) in others.into_iter().enumerate() {
            neighbors.push(Neighbor { id: id as u32, group: 0, offset: position - host.position(), distance_squared: 0.0, velocity });
        }
        neighbors
    }

    /// Adds one; its distance is taken from its offset.
    pub fn push(&mut self, neighbor: Neighbor<V>) {
        self.speed = self.speed.max(neighbor.velocity.length());
        self.near.push(Neighbor { distance_squared: neighbor.offset.length_squared(), ..neighbor });
    }

    /// All of them, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Neighbor<V>> {
        self.near.iter()
    }

    /// Those within `sight` of a host that faces `heading`; one at distance zero is always seen.
    pub fn within<'a>(&'a self, sight: Sight<'a>, heading: V) -> impl Iterator<Item = &'a Neighbor<V>> {
        let squared = sight.radius * sight.radius;
        let half = sight.field_of_view.min(360.0) * 0.5;
        let cosine = libm::cosf(half.to_radians());
        self.near.iter().filter(move |n| {
            n.distance_squared <= squared
                && sight.of.contain(n.group)
                && (half >= 180.0 || n.distance_squared == 0.0 || n.offset.dot(heading) >= cosine * n.distance_squared.sqrt())
        })
    }

    /// The unit vector away from `neighbor`; from who stands on the same point, a direction that depends only on the two ids,
    /// and is the opposite one for the other.
    pub fn away(&self, neighbor: &Neighbor<V>) -> V {
        if neighbor.distance_squared < ZERO_LENGTH_SQUARED { parting(self.host, neighbor.id) } else { -neighbor.offset.unit() }
    }
}

/// The direction in which `host` leaves `other`, who is at the same point.
fn parting<V: Vector>(host: u32, other: u32) -> V {
    let (low, high) = (host.min(other), host.max(other));
    let unit = V::random_unit(&mut Random::new(absorb(mix(u64::from(low)), u64::from(high)), 0, 0, 0));
    if host < other { unit } else { -unit }
}

/// The fixed-point unit of the sums: 2^-24.
///
/// Finer than the 2^-20 that would do, as it costs nothing: terms from half a unit up keep every bit they have in `f32`.
const ONE: f32 = 16_777_216.0;

/// The largest term that is added as it is; what is longer counts as this long on each axis.
pub const LARGEST_TERM: f32 = 64.0;

/// A sum of vectors over neighbors that does not depend on their order.
///
/// Each term is rounded towards zero to a multiple of 2^-24 and added as an integer of 64 bits; more than 2^33 neighbors with
/// terms of the largest size would be needed to overflow it, more than the ids there are.
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
        let share = 1.0 / (f64::from(ONE) * f64::from(self.count.max(1)));
        V::from_fn(|i| (self.sums[i] as f64 * share) as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use glam::{Vec2, Vec3, vec2};

    #[test]
    fn a_sum_has_the_same_bits_in_any_order() {
        let mut random = Random::new(1, 0, 0, 0);
        let mut terms: Vec<Vec3> = (0..1_000).map(|_| Vec3::from_fn(|_| random.between(-1.0, 1.0))).collect();
        let one = NeighborSum::over(terms.iter().copied());
        terms.reverse();
        terms.rotate_left(321);
        assert_eq!(one, NeighborSum::over(terms.iter().copied()));
        let (exact, count) = (terms.iter().fold(0.0, |sum, t| sum + f64::from(t.x)), 1_000.0);
        assert!((f64::from(one.mean::<Vec3>().x) - exact / count).abs() < 1e-7);
    }

    #[test]
    fn a_term_that_is_too_long_or_no_number_is_bounded() {
        let sum = NeighborSum::over([vec2(f32::INFINITY, f32::NAN), vec2(-1e30, 1.0)]);
        assert_eq!(sum.mean::<Vec2>(), vec2(0.0, 0.5));
        // What is shorter than the bound keeps every bit from half a unit up, and is rounded to 2^-24 below.
        let mean = NeighborSum::over([vec2(-0.7, 1e-3)]).mean::<Vec2>();
        assert!(mean.x == -0.7 && (mean.y - 1e-3).abs() < 6e-8, "{mean}");
        assert_eq!(NeighborSum::default().mean::<Vec2>(), Vec2::ZERO);
    }

    #[test]
    fn two_on_the_same_point_part_in_opposite_directions() {
        let mut here = Neighbors::<Vec2>::none();
        here.host = 3;
        here.push(Neighbor { id: 8, group: 0, offset: Vec2::ZERO, distance_squared: 0.0, velocity: Vec2::ZERO });
        let mut there = Neighbors::<Vec2>::none();
        there.host = 8;
        there.push(Neighbor { id: 3, group: 0, offset: Vec2::ZERO, distance_squared: 0.0, velocity: Vec2::ZERO });
        let (one, two) = (here.away(&here.near[0]), there.away(&there.near[0]));
        assert_eq!(one, -two);
        assert!((one.length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn sight_ends_at_the_radius_and_at_the_field_of_view() {
        let host = Agent::new(Vec2::ZERO, 1.0);
        let others = [vec2(10.0, 0.0), vec2(10.1, 0.0), vec2(0.0, 5.0), vec2(-5.0, 0.0), vec2(0.0, 0.0)];
        let near = Neighbors::of(&host, others.map(|p| (p, Vec2::ZERO)));
        let seen = |field_of_view| {
            let sight = Sight { radius: 10.0, of: &Groups::All, field_of_view };
            near.within(sight, Vec2::X).map(|n| n.id).collect::<Vec<_>>()
        };
        assert_eq!(seen(360.0), [0, 2, 3, 4]);
        assert_eq!(seen(200.0), [0, 2, 4]);
        assert_eq!(seen(90.0), [0, 4]);
    }
}
