//! The nearest neighbors, several candidates at once.

use arrayvec::ArrayVec;

use super::{Neighbor, Neighbors};
use crate::simd::{SimdMemory, SimdVector, Work};
use crate::vector::Vector;

/// The largest number of neighbors that [`Neighbors::nearest`] finds.
pub const NEAREST: usize = 64;

/// Candidates, nearest first: the squared distance (length squared), the id, the index.
type Found = ArrayVec<(f32, u32, u32), NEAREST>;

impl<V: Vector> Neighbors<V> {
    /// The `count` neighbors nearest to the host, at most [`NEAREST`], and at most `radius` away
    /// (length): nearest first, equally near ones by their ids.
    pub fn nearest(&self, radius: f32, count: usize) -> impl Iterator<Item = Neighbor<V>> + '_ {
        let (squared, count) = (radius * radius, count.min(NEAREST));
        let found = if count == 0 || self.len <= self.host_count {
            Found::new()
        } else {
            self.simd_dispatch().run(Nearest { neighbors: self, squared, count })
        };
        found.into_iter().map(|(.., index)| self.candidate(index as usize))
    }
}

/// The search as work for the widest instruction set.
struct Nearest<'a, V: Vector> {
    neighbors: &'a Neighbors<V>,
    squared: f32,
    count: usize,
}

impl<V: Vector> Work for Nearest<'_, V> {
    type Result = Found;
    #[inline(always)]
    fn run<L: SimdMemory>(self) -> Found {
        let Self { neighbors, mut squared, count } = self;
        let host_position = SimdVector::<L>::splat(neighbors.host_position);
        let mut found = Found::new();
        let mut position = neighbors.position.run(0..neighbors.len.next_multiple_of(L::COUNT));
        let mut first = 0;
        while position.len() >= L::COUNT {
            let offset = neighbors.space.shortest(position.take_block() - host_position);
            let distances = offset.length_squared::<V>();
            let mut bits = L::to_bits(distances.le(L::splat(squared)));
            if bits != 0 {
                let mut lanes = [0.0; crate::simd::MAX_LANES];
                distances.store(&mut lanes, 0);
                while bits != 0 {
                    let lane = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let index = first + lane;
                    if neighbors.is_host(index) {
                        continue;
                    }
                    insert(&mut found, count, (lanes[lane], neighbors.id[index], index as u32));
                }
                if found.len() == count {
                    squared = found[count - 1].0;
                }
            }
            first += L::COUNT;
        }
        found
    }
}

/// Inserts a candidate in its place among the `count` nearest.
#[inline(always)]
fn insert(found: &mut Found, count: usize, candidate: (f32, u32, u32)) {
    let is_before = |a: &(f32, u32, u32)| (candidate.0, candidate.1) < (a.0, a.1);
    if found.len() == count {
        if !is_before(&found[count - 1]) {
            return;
        }
        found.pop();
    }
    let mut at = found.len();
    found.push(candidate);
    while at > 0 && is_before(&found[at - 1]) {
        found[at] = found[at - 1];
        at -= 1;
    }
    found[at] = candidate;
}
