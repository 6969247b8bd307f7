//! Visits of the few neighbors that matter: a test of several candidates at once lets them pass.

use super::{Neighbor, NeighborFilter, Neighbors, Pairs, View};
use crate::simd::{Simd, SimdMemory, SimdVector, Work};
use crate::vector::Vector;

/// A visitor of single neighbors, most of which do not matter.
pub(crate) trait PairVisitor<V: Vector> {
    /// A bit for each neighbor that may matter; directions are unspecified. Rounding must not lose
    /// one, as `visit` decides.
    ///
    /// Implementations need `#[inline(always)]`: only then the method is compiled for the widest
    /// instruction set.
    fn test<L: Simd>(&self, pairs: &Pairs<L>) -> u32;
    /// Looks at a neighbor that passed the test. The order of the neighbors is unspecified.
    fn visit(&mut self, neighbor: &Neighbor<V>);
}

impl<V: Vector> Neighbors<V> {
    /// Visits the neighbors that `filter` selects for a host with this heading, and that pass the
    /// test of `visitor`.
    #[inline(always)]
    pub(crate) fn visit(
        &self,
        filter: NeighborFilter<'_>,
        heading: V,
        visitor: &mut impl PairVisitor<V>,
    ) {
        if self.len > self.host_count {
            let view = self.view(&filter, heading);
            self.simd_dispatch().run(Visit { neighbors: self, filter, view, visitor });
        }
    }
}

/// The visits as work for the widest instruction set.
struct Visit<'a, 'f, V: Vector, T> {
    neighbors: &'a Neighbors<V>,
    filter: NeighborFilter<'f>,
    view: Option<View<V>>,
    visitor: &'a mut T,
}

impl<V: Vector, T: PairVisitor<V>> Work for Visit<'_, '_, V, T> {
    type Result = ();
    #[inline(always)]
    fn run<L: SimdMemory>(self) {
        let Self { neighbors, filter, view, visitor } = self;
        let host_position = SimdVector::<L>::splat(neighbors.host_position);
        let squared = L::splat(filter.squared());
        let rows = 0..neighbors.len.next_multiple_of(L::COUNT);
        let mut position = neighbors.position.run(rows.clone());
        let mut velocity = neighbors.velocity.run(rows.clone());
        let mut bodies = neighbors.body_blocks(neighbors.bodies, &rows);
        let mut first = 0;
        while position.len() >= L::COUNT {
            let offset = neighbors.space.shortest(position.take_block() - host_position);
            let distance_squared = offset.length_squared::<V>();
            let velocity = velocity.take_block();
            let (radius, max_speed) = bodies.take_block();
            let pairs = Pairs {
                offset,
                distance_squared,
                velocity,
                direction: velocity,
                radius,
                max_speed,
            };
            let mut bits = L::to_bits(distance_squared.le(squared)) & visitor.test(&pairs);
            if let Some(view) = &view
                && bits != 0
            {
                bits &= L::to_bits(view.contains(offset, distance_squared));
            }
            while bits != 0 {
                let index = first + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if neighbors.is_host(index) {
                    continue;
                }
                let neighbor = neighbors.candidate(index);
                if filter.of.contain(neighbor.group) {
                    visitor.visit(&neighbor);
                }
            }
            first += L::COUNT;
        }
    }
}
