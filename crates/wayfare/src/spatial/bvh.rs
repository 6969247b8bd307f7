//! A tree of boxes: what is near a place, or first on a way, without a look at everything.
//!
//! Median splits bring the items into an order in which neighbors in space lie side by side (J. L.
//! Bentley, "Multidimensional binary search trees used for associative searching", CACM 1975).
//! Eight of them make a block, eight blocks one of the level above, and the eight boxes of a block
//! are looked at together. Answers never depend on the order: ties go to the lowest rank.

#![allow(clippy::needless_range_loop)] // Loops over boxes run over several arrays at once.

use crate::simd::{prefetch, touching};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// How many boxes a block holds.
pub(crate) const BOXES: usize = 8;
/// A bit for each of them.
const ALL: u32 = 255;
/// So many levels of blocks hold 2^32 items.
const LEVELS: usize = 11;
/// The order is kept until the blocks are so much larger than after the splits.
const LOOSE: f32 = 1.5;

/// What a box is larger than the shape in it, as a part of its coordinates: room for the rounding
/// of formulas.
pub(crate) const ROOM: f32 = 1e-5;

/// Something with a box; the rank decides ties.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<V> {
    pub(crate) low: V,
    pub(crate) high: V,
    pub(crate) rank: u32,
    /// Where the caller keeps it.
    pub(crate) place: u32,
}

/// Boxes, axis by axis; a flat world uses the first two. Unused ones are inside out and touch
/// nothing.
#[derive(Clone, Debug)]
#[repr(C, align(64))] // What is read together lies in as few lines of the cache as it can.
pub(crate) struct Block {
    /// The ends of each box on each axis: all low ones, then all high ones.
    ends: [[[f32; BOXES]; 2]; 3],
    /// The place of each item; above the lowest level, the block that is in the box.
    pub(crate) place: [u32; BOXES],
    /// The lowest rank in each box.
    pub(crate) rank: [u32; BOXES],
}

#[derive(Clone, Debug)]
pub(crate) struct Bvh<V> {
    /// Level by level, the items' first; the last one is around all.
    blocks: Vec<Block>,
    /// How many blocks the lowest level has.
    lowest: usize,
    /// How many items there are.
    len: usize,
    /// The corners of the box around all.
    low: V,
    high: V,
    /// The extents of the lowest blocks together, after the splits.
    tight: f32,
    /// The items while they are brought into order.
    items: Vec<Item<V>>,
}

impl<V: Vector> Default for Bvh<V> {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            lowest: 0,
            len: 0,
            low: V::ZERO,
            high: V::ZERO,
            tight: 0.0,
            items: Vec::new(),
        }
    }
}

impl Block {
    const EMPTY: Self = Self {
        ends: [[[f32::INFINITY; BOXES], [f32::NEG_INFINITY; BOXES]]; 3],
        place: [u32::MAX; BOXES],
        rank: [u32::MAX; BOXES],
    };

    fn set<V: Vector>(&mut self, lane: usize, item: &Item<V>) {
        for axis in 0..V::DIMENSION {
            self.ends[axis][0][lane] = item.low.axis(axis);
            self.ends[axis][1][lane] = item.high.axis(axis);
        }
        (self.rank[lane], self.place[lane]) = (item.rank, item.place);
    }

    /// The box around all, and the lowest rank.
    fn around<V: Vector>(&self, place: u32) -> Item<V> {
        let low =
            V::from_fn(|axis| self.ends[axis][0].iter().copied().fold(f32::INFINITY, f32::min));
        let high =
            V::from_fn(|axis| self.ends[axis][1].iter().copied().fold(f32::NEG_INFINITY, f32::max));
        Item { low, high, rank: self.rank.iter().copied().fold(u32::MAX, u32::min), place }
    }

    /// The square of how far each box is at least from the box between these corners (length
    /// squared), the shortest way.
    ///
    /// It rounds as the square of [`Space::difference`] does: between two points it is that square,
    /// and between boxes never above that of any two points in them, by not so much as a bit.
    #[inline(always)]
    pub(crate) fn gaps<V: Vector>(&self, space: &Space<V>, low: V, high: V) -> [f32; BOXES] {
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        let smaller = |a: f32, b: f32| if a < b { a } else { b };
        let mut squares = [0.0; BOXES];
        for axis in 0..V::DIMENSION {
            let (from, to, size) = (low.axis(axis), high.axis(axis), space.size().axis(axis));
            // How far behind `to` the box begins, and how far before `from` it ends.
            let after: [f32; BOXES] = self.ends[axis][0].map(|x| x - to);
            let before: [f32; BOXES] = self.ends[axis][1].map(|x| from - x);
            for lane in 0..BOXES {
                let gap = larger(larger(after[lane], before[lane]), 0.0);
                squares[lane] += if space.wraps() {
                    let back = larger(larger(after[lane] - size, before[lane] + size), 0.0);
                    let on = larger(larger(after[lane] + size, before[lane] - size), 0.0);
                    let gap = smaller(gap, smaller(back, on));
                    gap * gap
                } else {
                    gap * gap
                };
            }
        }
        squares
    }
}

impl Block {
    /// How far along the way from `p` each box is entered at least, from 0 to 1; infinity where it
    /// is not. The slabs of [`crate::geometry::obstacle`].
    #[inline(always)]
    pub(crate) fn entries<V: Vector>(&self, p: V, way: V) -> [f32; BOXES] {
        let (mut enter, mut leave) = ([0.0_f32; BOXES], [1.0_f32; BOXES]);
        for axis in 0..V::DIMENSION {
            let (p, way) = (p.axis(axis), way.axis(axis));
            for lane in 0..BOXES {
                let (low, high) = (self.ends[axis][0][lane], self.ends[axis][1][lane]);
                // Along a way that does not move on this axis all or nothing is between the sides.
                let inside =
                    if low <= p && p <= high { (0.0, 1.0) } else { (f32::INFINITY, f32::INFINITY) };
                let (one, two) =
                    if way == 0.0 { inside } else { ((low - p) / way, (high - p) / way) };
                enter[lane] = enter[lane].max(one.min(two));
                leave[lane] = leave[lane].min(one.max(two));
            }
        }
        // The slabs of an unused box, which is inside out, go on for ever.
        let entered = |lane: usize| {
            enter[lane] <= leave[lane] && self.ends[0][0][lane] <= self.ends[0][1][lane]
        };
        core::array::from_fn(|lane| if entered(lane) { enter[lane] } else { f32::INFINITY })
    }

    /// A bit for each box that touches the box between these corners, across the edge of a wrapped
    /// world as well.
    #[inline(always)]
    fn touching<V: Vector>(&self, space: &Space<V>, low: V, high: V) -> u32 {
        // Where a box leads is looked up as soon as it is known to touch: by then it has come.
        prefetch(&self.place);
        if space.wraps() {
            let gaps = self.gaps(space, low, high);
            return (0..BOXES).fold(0, |bits, lane| bits | u32::from(gaps[lane] == 0.0) << lane);
        }
        touching(&self.ends, low, high)
    }
}

impl<V: Vector> Bvh<V> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Holds these items from now on. It does not allocate where there were as many before.
    pub(crate) fn build(&mut self, items: impl Iterator<Item = Item<V>>) {
        self.items.clear();
        self.items.extend(items);
        self.len = self.items.len();
        split(&mut self.items, BOXES.pow(LEVELS as u32 - 1));
        self.blocks.clear();
        for run in self.items.chunks(BOXES) {
            let mut block = Block::EMPTY;
            run.iter().enumerate().for_each(|(lane, item)| block.set(lane, item));
            self.blocks.push(block);
        }
        self.lowest = self.blocks.len();
        let (mut start, mut end) = (0, self.blocks.len());
        while end - start > 1 {
            for first in (start..end).step_by(BOXES) {
                let mut block = Block::EMPTY;
                (first..end.min(first + BOXES)).enumerate().for_each(|(lane, inner)| {
                    block.set(lane, &self.blocks[inner].around::<V>(inner as u32))
                });
                self.blocks.push(block);
            }
            (start, end) = (end, self.blocks.len());
        }
        self.tight = self.length();
        self.bound();
    }

    /// Moves each item to the point that `find` knows for its rank and place, in the order that
    /// there is.
    ///
    /// It is `false`, and the tree is to be built again, where `find` misses one or where the order
    /// no longer fits.
    #[must_use]
    pub(crate) fn follow(&mut self, find: impl Fn(u32, u32) -> Option<V>) -> bool {
        for i in 0..self.len {
            let (block, lane) = (&mut self.blocks[i / BOXES], i % BOXES);
            let Some(p) = find(block.rank[lane], block.place[lane]) else { return false };
            for axis in 0..V::DIMENSION {
                (block.ends[axis][0][lane], block.ends[axis][1][lane]) =
                    (p.axis(axis), p.axis(axis));
            }
        }
        for outer in self.lowest..self.blocks.len() {
            for lane in 0..BOXES {
                let inner = self.blocks[outer].place[lane];
                if inner != u32::MAX {
                    let bounds = self.blocks[inner as usize].around::<V>(inner);
                    self.blocks[outer].set(lane, &bounds);
                }
            }
        }
        self.bound();
        self.length() <= LOOSE * self.tight
    }

    fn bound(&mut self) {
        if let Some(root) = self.blocks.last() {
            let bounds = root.around::<V>(0);
            (self.low, self.high) = (bounds.low, bounds.high);
        }
    }

    /// How long the boxes around the lowest blocks are together.
    fn length(&self) -> f32 {
        let length = |block: &Block| {
            let bounds = block.around::<V>(0);
            (0..V::DIMENSION).map(|i| (bounds.high - bounds.low).axis(i)).sum::<f32>()
        };
        self.blocks[..self.lowest].iter().map(length).sum()
    }

    /// Visits the places of the items whose box touches the box from `low` to `high`, across the
    /// edge of a wrapped world as well: each once, in no order that means anything.
    #[inline(always)]
    pub(crate) fn touching(&self, space: &Space<V>, low: V, high: V, mut visit: impl FnMut(u32)) {
        let Some(root) = self.blocks.len().checked_sub(1) else { return };
        // Unused boxes are infinitely far away: what has no end must not reach them.
        let (low, high) = (low.map(|x| x.max(-f32::MAX)), high.map(|x| x.min(f32::MAX)));
        // Most boxes are not near the edge.
        let space = if self.gap_across(space, low, high) > 0.0 { &Space::OPEN } else { space };
        // A few items are one block, and nothing waits.
        if root == 0 {
            let mut bits = self.blocks[0].touching(space, low, high);
            while bits != 0 {
                visit(self.blocks[0].place[bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
            return;
        }
        // What is left to visit on the levels above, as a bit for each box of a block, and the
        // block.
        let mut waiting = [0_u64; LEVELS];
        let mut level = 0;
        let (mut node, mut bits) = (root, self.blocks[root].touching(space, low, high));
        loop {
            if bits != 0 {
                let place = self.blocks[node].place[bits.trailing_zeros() as usize];
                bits &= bits - 1;
                if node < self.lowest {
                    visit(place);
                } else {
                    waiting[level] = (node as u64) << BOXES | u64::from(bits);
                    level += 1;
                    node = place as usize;
                    bits = self.blocks[node].touching(space, low, high);
                }
            } else if level > 0 {
                level -= 1;
                (node, bits) = ((waiting[level] >> BOXES) as usize, waiting[level] as u32 & ALL);
            } else {
                return;
            }
        }
    }

    /// The square of how far all items are at least from a box on the ways across the edge (length
    /// squared); infinity where there is none.
    #[inline(always)]
    pub(crate) fn gap_across(&self, space: &Space<V>, low: V, high: V) -> f32 {
        if !space.wraps() {
            return f32::INFINITY;
        }
        // As `gaps` has it: what is across is so on one axis at least.
        let mut least = f32::INFINITY;
        for axis in 0..V::DIMENSION {
            let (from, to, size) = (low.axis(axis), high.axis(axis), space.size().axis(axis));
            let [after, before] = [self.low.axis(axis) - to, from - self.high.axis(axis)];
            least = least
                .min((after - size).max(before + size).max(0.0))
                .min((after + size).max(before - size).max(0.0));
        }
        least * least
    }

    /// The measure, rank and place of the item with the least measure, if that is at most `bound`;
    /// the one of the lowest rank in a tie.
    ///
    /// `below` is what the measure of all in each box is at least. NaN is no measure, and does not
    /// count.
    #[inline(always)]
    pub(crate) fn least(
        &self,
        bound: f32,
        below: impl Fn(&Block) -> [f32; BOXES],
        measure: impl Fn(&Block) -> [f32; BOXES],
    ) -> Option<(f32, u32, u32)> {
        let (mut best, mut limit) = (None, (bound, u32::MAX));
        // What waits: blocks, and what is in them is at least.
        let mut waiting = [(f32::NEG_INFINITY, 0); BOXES * LEVELS];
        waiting[0].1 = self.blocks.len().checked_sub(1)? as u32;
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (least, node) = waiting[count];
            if least > limit.0 {
                continue;
            }
            let block = &self.blocks[node as usize];
            if (node as usize) < self.lowest {
                let measures = measure(block);
                for lane in 0..BOXES {
                    let found = (measures[lane], block.rank[lane]);
                    if found < limit {
                        (best, limit) = (Some((found.0, found.1, block.place[lane])), found);
                    }
                }
                continue;
            }
            let (least, first) = (below(block), count);
            let mut next = (limit, first);
            for lane in 0..BOXES {
                let key = (least[lane], block.rank[lane]);
                if key < limit {
                    if key < next.0 {
                        next = (key, count);
                    }
                    waiting[count] = (key.0, block.place[lane]);
                    count += 1;
                }
            }
            // The one that may hold the best is looked at first: what is found there rules out
            // others.
            if count > first {
                waiting.swap(next.1, count - 1);
            }
        }
        best
    }
}

/// Brings items into an order in which each run of `unit` of them, of an eighth of that, and so on,
/// is close together.
fn split<V: Vector>(items: &mut [Item<V>], mut unit: usize) {
    if items.len() <= BOXES {
        return;
    }
    while unit >= items.len() {
        unit /= BOXES;
    }
    // Twice the middle will do as well.
    let middle = |item: &Item<V>, axis| item.low.axis(axis) + item.high.axis(axis);
    let reach = |axis| {
        let ends = |(low, high): (f32, f32), x: f32| (low.min(x), high.max(x));
        let (low, high) = items
            .iter()
            .map(|item| middle(item, axis))
            .fold((f32::INFINITY, f32::NEG_INFINITY), ends);
        high - low
    };
    let longest = (1..V::DIMENSION)
        .fold(
            (0, reach(0)),
            |best, axis| if reach(axis) > best.1 { (axis, reach(axis)) } else { best },
        )
        .0;
    let half = items.len().div_ceil(unit) / 2 * unit;
    items.select_nth_unstable_by(half, |a, b| middle(a, longest).total_cmp(&middle(b, longest)));
    let (one, two) = items.split_at_mut(half);
    split(one, unit);
    split(two, unit);
}

#[cfg(test)]
mod tests;
