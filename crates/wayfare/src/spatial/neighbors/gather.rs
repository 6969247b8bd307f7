//! Gathering the candidates of the agents of one grid cell.

use core::ops::Range;

use super::Neighbors;
use crate::simd::column::VectorColumn;
use crate::simd::{SimdMemory, SimdVector, Work, lanes_in_run};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// Agents that may be near those of one grid cell: runs of the crowd's columns, and the box in
/// which those of the cell stand.
pub(crate) struct Candidates<'a, V: Vector> {
    pub(crate) position: &'a VectorColumn<V>,
    pub(crate) velocity: &'a VectorColumn<V>,
    pub(crate) id: &'a [u32],
    /// `None` where all belong to group 0.
    pub(crate) group: Option<&'a [u32]>,
    /// The radius of the body (length) of the agent at a place; `None` if no behavior reads bodies.
    pub(crate) body: Option<&'a (dyn Fn(usize) -> f32 + Sync)>,
    /// The corners of the box, and how far from it a candidate may be (length).
    pub(crate) low: V,
    pub(crate) high: V,
    pub(crate) radius: f32,
    /// The extent of the world, if the way to a candidate may lead across its edge. That rounds,
    /// so the radius has room for it.
    pub(crate) across: Option<Space<V>>,
}

/// Gathering as work for the widest instructions.
///
/// Candidates farther from the box than the radius are skipped. No neighbor is lost by that:
/// rounding keeps the order of numbers, so the computed distance from the box is at most the
/// computed distance from any agent inside it.
pub(super) struct Gather<'a, 'c, V: Vector> {
    pub(super) near: &'a mut Neighbors<V>,
    pub(super) candidates: &'a Candidates<'c, V>,
    pub(super) runs: &'a [Range<u32>],
}

impl<V: Vector> Work for Gather<'_, '_, V> {
    type Result = ();
    #[inline(always)]
    fn run<L: SimdMemory>(self) {
        let Self { near, candidates, runs } = self;
        let (low, high) =
            (SimdVector::<L>::splat(candidates.low), SimdVector::splat(candidates.high));
        let middle = SimdVector::splat((candidates.low + candidates.high) * 0.5);
        let half = SimdVector::splat((candidates.high - candidates.low) * 0.5);
        let squared = L::splat(candidates.radius * candidates.radius);
        let nothing = SimdVector::splat(V::ZERO);
        let across = candidates.across;
        let mut len = near.len;
        for run in runs {
            let run = run.start as usize..run.end as usize;
            for at in run.clone().step_by(L::COUNT) {
                let position = SimdVector::load(candidates.position, at);
                let beyond = match &across {
                    None => (low - position).max(position - high),
                    Some(space) => {
                        let way = space.shortest(position - middle);
                        way.max(nothing - way) - half
                    }
                };
                let beyond = beyond.max(nothing);
                let bits = L::to_bits(beyond.length_squared::<V>().le(squared))
                    & lanes_in_run::<L>(&run, at);
                if bits == 0 {
                    continue;
                }
                position.compress_store(bits, &mut near.position, len);
                SimdVector::<L>::load(candidates.velocity, at).compress_store(
                    bits,
                    &mut near.velocity,
                    len,
                );
                L::compress_copy(bits, candidates.id, at, &mut near.id, len);
                if let Some(group) = candidates.group {
                    L::compress_copy(bits, group, at, &mut near.group, len);
                }
                if let Some(body) = candidates.body {
                    let lanes = (0..L::COUNT).filter(|lane| bits & 1 << lane != 0);
                    near.body[len..]
                        .iter_mut()
                        .zip(lanes)
                        .for_each(|(slot, lane)| *slot = body(at + lane));
                }
                len += bits.count_ones() as usize;
            }
        }
        near.len = len;
    }
}
