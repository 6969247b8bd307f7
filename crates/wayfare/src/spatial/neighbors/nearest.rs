//! The nearest neighbors, several candidates at once.

use arrayvec::ArrayVec;

use super::{Neighbor, Neighbors};
use crate::simd::{SimdMemory, SimdVector, Work};
use crate::vector::Vector;

/// The largest number of neighbors that [`Neighbors::nearest`] finds.
pub const NEAREST: usize = 64;

/// Parts of the squared radius, the smallest first: only candidates within the smallest that holds
/// enough of them are compared with each other.
const PARTS: [f32; 4] = [0.125, 0.25, 0.375, 0.5];

/// A candidate.
#[derive(Clone, Copy)]
struct Candidate {
    /// The bits of its squared distance, above those of its id: the bits of numbers that are not
    /// negative are in the order of the numbers.
    key: u64,
    index: u32,
}

/// Candidates, nearest first.
type Found = ArrayVec<Candidate, NEAREST>;

impl<V: Vector> Neighbors<V> {
    /// The `count` neighbors nearest to the host, at most [`NEAREST`], and at most `radius` away
    /// (length): nearest first, equally near ones by their ids.
    pub fn nearest(&self, radius: f32, count: usize) -> impl Iterator<Item = Neighbor<V>> + '_ {
        // Finite, as padding is infinitely far away.
        let (squared, count) = ((radius * radius).min(f32::MAX), count.min(NEAREST));
        let found = if count == 0 || self.len <= self.host_count {
            Found::new()
        } else {
            self.simd_dispatch().run(Nearest { neighbors: self, squared, count })
        };
        found.into_iter().map(|found| self.candidate(found.index as usize))
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
        let Self { neighbors, count, .. } = self;
        let host_position = SimdVector::<L>::splat(neighbors.host_position);
        let mut found = Found::new();
        let mut position = neighbors.position.run(0..neighbors.len.next_multiple_of(L::COUNT));
        let mut squared = self.enough::<L>(host_position);
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
                    let key =
                        u64::from(lanes[lane].to_bits()) << 32 | u64::from(neighbors.id[index]);
                    insert(&mut found, count, Candidate { key, index: index as u32 });
                }
                if found.len() == count {
                    squared = f32::from_bits((found[count - 1].key >> 32) as u32);
                }
            }
            first += L::COUNT;
        }
        found
    }
}

impl<V: Vector> Nearest<'_, V> {
    /// A squared distance (length squared) within which the nearest candidates are.
    #[inline(always)]
    fn enough<L: SimdMemory>(&self, host_position: SimdVector<L>) -> f32 {
        let neighbors = self.neighbors;
        // The host is within every limit.
        let wanted = self.count + neighbors.host_count;
        if neighbors.len <= wanted {
            return self.squared;
        }
        let mut limits = PARTS;
        for k in 0..PARTS.len() {
            limits[k] *= self.squared;
        }
        let mut counts = [0; PARTS.len()];
        let mut position = neighbors.position.run(0..neighbors.len.next_multiple_of(L::COUNT));
        while position.len() >= L::COUNT {
            let offset = neighbors.space.shortest(position.take_block() - host_position);
            let distances = offset.length_squared::<V>();
            for k in 0..PARTS.len() {
                counts[k] += L::to_bits(distances.le(L::splat(limits[k]))).count_ones() as usize;
            }
        }
        for k in 0..PARTS.len() {
            if counts[k] >= wanted {
                return limits[k];
            }
        }
        self.squared
    }
}

/// Inserts a candidate in its place among the `count` nearest.
#[inline(always)]
fn insert(found: &mut Found, count: usize, candidate: Candidate) {
    if found.len() == count {
        if candidate.key >= found[count - 1].key {
            return;
        }
        found.pop();
    }
    let mut at = found.len();
    found.push(candidate);
    while at > 0 && candidate.key < found[at - 1].key {
        found[at] = found[at - 1];
        at -= 1;
    }
    found[at] = candidate;
}
