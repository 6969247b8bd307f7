//! The pieces of a path in blocks of eight, whose nearest points are computed together. The pieces
//! of a block follow each other, so they are close together: a block that is farther away than a
//! piece that was found is left out.

use alloc::vec::Vec;

use crate::simd::{Four, Simd, SimdMemory, SimdVector, at_most};
use crate::spatial::bvh::{BOXES, Block, Item, MARGIN, least};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// So many blocks are all computed.
const FEW: usize = 3;

/// The pieces; what is loaded for several at once has whole blocks of them, the last one filled by
/// copies of the last piece.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    /// The length of each piece.
    pub(super) lengths: Vec<f32>,
    /// The distance along the path at which each piece begins, and at which the last one ends
    /// (length).
    pub(super) starts: Vec<f32>,
    /// Their ends, axis by axis (length).
    from: [Vec<f32>; 3],
    to: [Vec<f32>; 3],
    /// The squared length of each (length squared).
    squared: Vec<f32>,
    /// The boxes around the blocks.
    boxes: Vec<Block>,
}

impl Pieces {
    pub(super) fn new<V: Vector>(pieces: &[(V, V)]) -> Self {
        let lengths: Vec<f32> = pieces.iter().map(|(a, b)| (*b - *a).length()).collect();
        let (mut along, mut starts) = (0.0, vec![0.0]);
        for length in &lengths {
            along += length;
            starts.push(along);
        }
        let mut all = Self { lengths, starts, ..Self::default() };
        let Some(last) = pieces.last() else { return all };
        for i in 0..pieces.len().next_multiple_of(BOXES) {
            let (a, b) = pieces.get(i).unwrap_or(last);
            for axis in 0..V::DIMENSION {
                all.from[axis].push(a.axis(axis));
                all.to[axis].push(b.axis(axis));
            }
            all.squared.push((*b - *a).length_squared());
        }
        let bounds = |eight: &[(V, V)]| {
            let (mut low, mut high) = (eight[0].0, eight[0].0);
            for (a, b) in eight {
                (low, high) = (low.min(*a).min(*b), high.max(*a).max(*b));
            }
            // Points of a piece are computed, and may round out of its box.
            let room = V::from_fn(|i| MARGIN * low.axis(i).abs().max(high.axis(i).abs()));
            Item { low: low - room, high: high + room, rank: 0, index: 0 }
        };
        let items: Vec<Item<V>> = pieces.chunks(BOXES).map(bounds).collect();
        all.boxes = items.chunks(BOXES).map(Block::of).collect();
        all
    }

    /// The number of the piece that is nearest to `p`, the first in a tie; none where no piece is
    /// nearer than the first point of the path, `start` (lengths).
    pub(super) fn nearest<V: Vector>(&self, p: V, start: V) -> Option<usize> {
        let blocks = self.squared.len() / BOXES;
        let gaps = |boxes: &Block| boxes.gaps(&Space::OPEN, p, p);
        let (mut nearest, mut found) = ((p - start).length_squared(), None);
        let mut take = |block: usize| {
            let squares = self.squares(block, p);
            let least = least(&squares);
            if least < nearest {
                (nearest, found) = (least, Some(block * BOXES + lane_of(&squares, least)));
            }
            nearest
        };
        if blocks <= FEW {
            for block in 0..blocks {
                take(block);
            }
            return found;
        }
        // The nearest of the block that is nearest bounds the search.
        let mut bound = {
            let (mut nearest, mut first) = (f32::INFINITY, 0);
            for (k, boxes) in self.boxes.iter().enumerate() {
                let gaps = gaps(boxes);
                let gap = least(&gaps);
                if gap < nearest {
                    (nearest, first) = (gap, k * BOXES + lane_of(&gaps, gap));
                }
            }
            least(&self.squares(first, p))
        };
        // In their order, so that the first of equally near ones is found.
        for (k, boxes) in self.boxes.iter().enumerate() {
            let mut near = at_most(&gaps(boxes), bound);
            while near != 0 {
                let block = k * BOXES + near.trailing_zeros() as usize;
                near &= near - 1;
                if block < blocks {
                    bound = bound.min(take(block));
                }
            }
        }
        found
    }

    /// The squared distance from `p` to the nearest point of each piece of a block (length
    /// squared), by the arithmetic of
    /// [`nearest_on_segment`](crate::geometry::obstacle::nearest_on_segment).
    #[inline(always)]
    fn squares<V: Vector>(&self, block: usize, p: V) -> [f32; BOXES] {
        let mut squares = [0.0; BOXES];
        for at in (0..BOXES).step_by(Four::COUNT) {
            let first = block * BOXES + at;
            let load = |axes: &[Vec<f32>; 3]| {
                let z = Four::splat(0.0);
                let z = if V::DIMENSION == 3 { Four::load(&axes[2], first) } else { z };
                SimdVector([Four::load(&axes[0], first), Four::load(&axes[1], first), z])
            };
            let (from, to) = (load(&self.from), load(&self.to));
            let squared = Four::load(&self.squared, first);
            let (p, along) = (SimdVector::splat(p), to - from);
            let has_length = Four::splat(f32::from_bits(1)).le(squared);
            let fraction = ((p - from).dot::<V>(along) / squared).or_zero(has_length);
            let inside = from + along * fraction.max(Four::splat(0.0));
            let nearest = SimdVector::select(Four::splat(1.0).le(fraction), to, inside);
            (p - nearest).length_squared::<V>().store(&mut squares, at);
        }
        squares
    }
}

/// The first lane with this number.
#[inline(always)]
fn lane_of(numbers: &[f32; BOXES], number: f32) -> usize {
    numbers.iter().position(|other| *other == number).unwrap_or(0)
}
