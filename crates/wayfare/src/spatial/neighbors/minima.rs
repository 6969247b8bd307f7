//! Minima over neighbors, several neighbors at once. A minimum does not depend on the order.

use super::{Neighbors, Pairs};
use crate::simd::{Simd, SimdMemory, SimdVector, Work};
use crate::vector::Vector;

/// The values of each neighbor of which the smallest count: `N` numbers, infinity for a neighbor
/// that does not count, never NaN for one within the radius.
pub trait PairMinima<V: Vector, const N: usize> {
    /// The values of several neighbors at once; the host itself may be among them, at the offset
    /// zero.
    ///
    /// Implementations need `#[inline(always)]`: only then the method is compiled for the widest
    /// instruction set.
    fn values<L: Simd>(&self, pairs: &Pairs<L>) -> [L; N];
}

impl<V: Vector> Neighbors<V> {
    /// The smallest values over all neighbors at most `radius` away (length), in one pass; infinity
    /// without one that counts. Zero is never negative.
    pub fn minima<const N: usize>(&self, radius: f32, values: &impl PairMinima<V, N>) -> [f32; N] {
        if self.len <= self.host_count {
            return [f32::INFINITY; N];
        }
        self.simd_dispatch().run(Minima { neighbors: self, squared: radius * radius, values })
    }
}

/// Minima as work for the widest instruction set.
struct Minima<'a, V: Vector, T, const N: usize> {
    neighbors: &'a Neighbors<V>,
    squared: f32,
    values: &'a T,
}

impl<V: Vector, T: PairMinima<V, N>, const N: usize> Work for Minima<'_, V, T, N> {
    type Result = [f32; N];
    const GAINS_BY_AVX512: bool = true;
    #[inline(always)]
    fn run<L: SimdMemory>(self) -> [f32; N] {
        let Self { neighbors, squared, values } = self;
        let host_position = SimdVector::<L>::splat(neighbors.host_position);
        let rows = 0..neighbors.len.next_multiple_of(L::COUNT);
        let mut position = neighbors.position.run(rows.clone());
        let mut velocity = neighbors.velocity.run(rows.clone());
        let mut bodies = neighbors.body_blocks(neighbors.bodies, &rows);
        let mut directions = neighbors.directions(true, &rows);
        let mut least = [L::splat(f32::INFINITY); N];
        while position.len() >= L::COUNT {
            let offset = neighbors.space.shortest(position.take_block() - host_position);
            let distance_squared = offset.length_squared::<V>();
            let (radius, max_speed) = bodies.take_block();
            let velocity = velocity.take_block();
            let within = distance_squared.le(L::splat(squared));
            let direction = match &mut directions {
                Some(directions) => directions.take_block(),
                None => velocity.unit::<V>(),
            };
            let pairs = Pairs { offset, distance_squared, velocity, radius, max_speed, direction };
            let found = values.values(&pairs);
            for k in 0..N {
                least[k] = found[k].or_infinity(within).min(least[k]);
            }
        }
        // The sum turns -0 into 0: which of the two is found may depend on the order.
        let mut smallest = [0.0; N];
        for k in 0..N {
            smallest[k] = least[k].least() + 0.0;
        }
        smallest
    }
}
