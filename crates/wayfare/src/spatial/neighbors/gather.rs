//! Gathering the candidates of the agents of one grid cell.

use core::ops::Range;

use super::Neighbors;
use crate::simd::column::VectorColumn;
use crate::simd::{SimdMemory, SimdVector, Work, lanes_in_run};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// Agents that may be near the agents of one grid cell: the crowd's columns, and the box around the
/// agents of the cell.
pub(crate) struct Candidates<'a, V: Vector, B> {
    pub(crate) position: &'a VectorColumn<V>,
    pub(crate) velocity: &'a VectorColumn<V>,
    pub(crate) id: &'a [u32],
    /// `None` if all agents belong to group 0.
    pub(crate) group: Option<&'a [u32]>,
    /// Returns the body radius (length) and the top speed (length / time) of the agent in a row;
    /// `None` if no behavior reads bodies.
    pub(crate) body: Option<B>,
    /// The corners of the box, and the largest distance of a candidate from it (length).
    pub(crate) low: V,
    pub(crate) high: V,
    pub(crate) radius: f32,
    /// The space, if the offset to a candidate may cross the edge. Crossing rounds, so the radius
    /// includes a margin.
    pub(crate) across: Option<Space<V>>,
}

impl<V: Vector, B: Fn(usize) -> (f32, f32)> Candidates<'_, V, B> {
    /// Lets offsets to the candidates cross the edge of `space`; `magnitude` is a bound on the
    /// coordinates (length).
    pub(crate) fn cross(&mut self, space: Space<V>, magnitude: f32) {
        self.across = Some(space);
        self.radius = self.radius * 1.001 + 16.0 * f32::EPSILON * magnitude;
    }
}

/// Gathering as work for the widest instruction set.
///
/// Candidates farther from the box than the radius are skipped. This loses no neighbor: rounding is
/// monotonic, so the computed distance from the box is at most the computed distance from any agent
/// inside the box.
pub(super) struct Gather<'a, 'c, V: Vector, B> {
    pub(super) neighbors: &'a mut Neighbors<V>,
    pub(super) candidates: &'a Candidates<'c, V, B>,
    pub(super) runs: &'a [Range<u32>],
}

impl<V: Vector, B: Fn(usize) -> (f32, f32)> Work for Gather<'_, '_, V, B> {
    type Result = ();
    const GAINS_BY_AVX512: bool = true;
    #[inline(always)]
    fn run<L: SimdMemory>(self) {
        let Self { neighbors, candidates, runs } = self;
        let (low, high) =
            (SimdVector::<L>::splat(candidates.low), SimdVector::splat(candidates.high));
        let middle = SimdVector::splat((candidates.low + candidates.high) * 0.5);
        let half = SimdVector::splat((candidates.high - candidates.low) * 0.5);
        let squared = L::splat(candidates.radius * candidates.radius);
        let zero = SimdVector::splat(V::ZERO);
        let across = candidates.across;
        let mut len = neighbors.len;
        for run in runs {
            let run = run.start as usize..run.end as usize;
            let mut next = run.start;
            while next < run.end {
                let at = next;
                next += L::COUNT;
                let position = SimdVector::load(candidates.position, at);
                let beyond = match &across {
                    None => (low - position).max(position - high),
                    Some(space) => {
                        let offset = space.shortest(position - middle);
                        offset.max(zero - offset) - half
                    }
                };
                let beyond = beyond.max(zero);
                let bits = L::to_bits(beyond.length_squared::<V>().le(squared))
                    & lanes_in_run::<L>(&run, at);
                if bits == 0 {
                    continue;
                }
                position.compress_store(bits, &mut neighbors.position, len);
                let velocity = SimdVector::<L>::load(candidates.velocity, at);
                velocity.compress_store(bits, &mut neighbors.velocity, len);
                L::compress_copy(bits, candidates.id, at, &mut neighbors.id, len);
                if let Some(group) = candidates.group {
                    L::compress_copy(bits, group, at, &mut neighbors.group, len);
                }
                if let Some(body) = &candidates.body {
                    velocity.unit::<V>().compress_store(bits, &mut neighbors.direction, len);
                    let to = len..len + L::COUNT;
                    let (radii, tops) =
                        (&mut neighbors.body[to.clone()], &mut neighbors.top_speed[to]);
                    let mut left = bits;
                    for i in 0..L::COUNT {
                        if left == 0 {
                            break;
                        }
                        (radii[i], tops[i]) = body(at + left.trailing_zeros() as usize);
                        left &= left - 1;
                    }
                }
                len += bits.count_ones() as usize;
            }
        }
        neighbors.len = len;
    }
}
