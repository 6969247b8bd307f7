//! A bounding volume hierarchy: boxes near a point, boxes that overlap a box, and the first box on
//! a segment, without a search of all boxes.
//!
//! Median splits order the items so that neighbors in space are neighbors in memory (J. L. Bentley,
//! "Multidimensional binary search trees used for associative searching", CACM 1975). Eight items
//! make a block of the lowest level, and eight blocks make a block of the next level. The eight
//! boxes of a block are tested together. Results never depend on the order: ties go to the lowest
//! rank.

use alloc::vec::Vec;

use arrayvec::ArrayVec;

use crate::id::AgentId;
use crate::simd::{Four, Simd, SimdMemory, at_most, prefetch, touching};
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The number of boxes in a block.
pub(crate) const BOXES: usize = 8;
/// A mask with one bit for each box of a block.
const ALL_BOXES: u32 = 255;
/// The largest number of levels: eleven levels of blocks hold 2^32 items.
const LEVELS: usize = 11;
/// The order is kept until the total extent of the lowest blocks has grown by this factor since the
/// splits.
const MAX_GROWTH: f32 = 1.5;

/// The margin between a shape and its box, as a fraction of the coordinates: it covers the rounding
/// errors of formulas.
pub(crate) const MARGIN: f32 = 1e-5;

/// A box with its rank, which decides ties, and its index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<V> {
    pub(crate) low: V,
    pub(crate) high: V,
    pub(crate) rank: u32,
    /// The index of the item in the caller's storage.
    pub(crate) index: u32,
}

/// Eight boxes, axis by axis; a 2D world uses the first two axes. In an unused box the low end is
/// above the high end, so that it touches nothing.
#[derive(Clone, Debug)]
#[repr(C, align(64))] // Data read together occupies as few cache lines as possible.
pub(crate) struct Block {
    /// The ends of each box on each axis: all low ends, then all high ends.
    ends: [[[f32; BOXES]; 2]; 3],
    /// The index of each item; above the lowest level, the index of the block inside the box.
    pub(crate) index: [u32; BOXES],
    /// The lowest rank in each box.
    pub(crate) rank: [u32; BOXES],
}

#[derive(Clone, Debug)]
pub(crate) struct Bvh<V> {
    /// All blocks, level by level, from the lowest one; the last block is the root.
    blocks: Vec<Block>,
    /// The number of blocks of the lowest level.
    lowest: usize,
    /// The number of items.
    len: usize,
    /// The corners of the box around all items.
    low: V,
    high: V,
    /// The total extent of the lowest blocks after the splits (length).
    built_extent: f32,
    /// The items while they are sorted; kept for their capacity.
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
            built_extent: 0.0,
            items: Vec::new(),
        }
    }
}

/// The smaller of two numbers that are not NaN, in one instruction: `f32::min` takes three.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The smallest of the values that are not NaN; infinity without one.
#[inline(always)]
pub(crate) fn least(values: &[f32; BOXES]) -> f32 {
    let mut fours = [f32::INFINITY; 4];
    for lane in 0..BOXES {
        fours[lane % 4] = smaller(values[lane], fours[lane % 4]);
    }
    smaller(smaller(fours[0], fours[1]), smaller(fours[2], fours[3]))
}

/// Whether `a`, a key with its rank, comes before `b`: by the key, and in a tie by the rank.
#[inline(always)]
fn is_before(a: (f32, u32), b: (f32, u32)) -> bool {
    a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
}

impl Block {
    const EMPTY: Self = Self {
        ends: [[[f32::INFINITY; BOXES], [f32::NEG_INFINITY; BOXES]]; 3],
        index: [u32::MAX; BOXES],
        rank: [u32::MAX; BOXES],
    };

    /// A block of at most eight items.
    pub(crate) fn of<V: Vector>(items: &[Item<V>]) -> Self {
        let mut block = Self::EMPTY;
        items.iter().enumerate().for_each(|(lane, item)| block.set(lane, item));
        block
    }

    fn set<V: Vector>(&mut self, lane: usize, item: &Item<V>) {
        for axis in 0..V::DIMENSION {
            self.ends[axis][0][lane] = item.low.axis(axis);
            self.ends[axis][1][lane] = item.high.axis(axis);
        }
        (self.rank[lane], self.index[lane]) = (item.rank, item.index);
    }

    /// The box around all boxes of the block, with their lowest rank, as an item with this index.
    fn bounds<V: Vector>(&self, index: u32) -> Item<V> {
        let low =
            V::from_fn(|axis| self.ends[axis][0].iter().copied().fold(f32::INFINITY, f32::min));
        let high =
            V::from_fn(|axis| self.ends[axis][1].iter().copied().fold(f32::NEG_INFINITY, f32::max));
        Item { low, high, rank: self.rank.iter().copied().fold(u32::MAX, u32::min), index }
    }

    /// The squared distance (length squared) from each box to the box with these corners; in a
    /// wrapped world the distance between the nearest images.
    ///
    /// The value rounds as the square of [`Space::difference`] does: between two points it equals
    /// that square bit for bit, and between two boxes it is never above the square for any two
    /// points in the boxes.
    #[inline(always)]
    pub(crate) fn gaps<V: Vector>(&self, space: &Space<V>, low: V, high: V) -> [f32; BOXES] {
        let mut squares = [0.0; BOXES];
        for at in (0..BOXES).step_by(Four::COUNT) {
            let mut square = Four::splat(0.0);
            for axis in 0..V::DIMENSION {
                let [lows, highs] = &self.ends[axis];
                let (from, to) = (Four::splat(low.axis(axis)), Four::splat(high.axis(axis)));
                // The distance from `to` to the low end of the box, and from its high end to
                // `from`.
                let (after, before) = (Four::load(lows, at) - to, from - Four::load(highs, at));
                let mut gap = after.max(before).max(Four::splat(0.0));
                if space.wraps() {
                    let size = Four::splat(space.size().axis(axis));
                    let backward = (after - size).max(before + size).max(Four::splat(0.0));
                    let forward = (after + size).max(before - size).max(Four::splat(0.0));
                    gap = gap.min(backward.min(forward));
                }
                square = square + gap * gap;
            }
            square.store(&mut squares, at);
        }
        squares
    }
}

impl Block {
    /// A lower bound on the fraction of the segment from `p` to `p + displacement` at which it
    /// enters each box, from 0 to 1; infinity for a box that it misses. The slab test of
    /// [`crate::geometry::obstacle`].
    #[inline(always)]
    pub(crate) fn entries<V: Vector>(&self, p: V, displacement: V) -> [f32; BOXES] {
        let (mut enter, mut leave) = ([0.0_f32; BOXES], [1.0_f32; BOXES]);
        for axis in 0..V::DIMENSION {
            let (p, step) = (p.axis(axis), displacement.axis(axis));
            for lane in 0..BOXES {
                let (low, high) = (self.ends[axis][0][lane], self.ends[axis][1][lane]);
                // A segment without extent on this axis lies between the two sides entirely or not
                // at all.
                let inside =
                    if low <= p && p <= high { (0.0, 1.0) } else { (f32::INFINITY, f32::INFINITY) };
                let (one, two) =
                    if step == 0.0 { inside } else { ((low - p) / step, (high - p) / step) };
                enter[lane] = enter[lane].max(one.min(two));
                leave[lane] = leave[lane].min(one.max(two));
            }
        }
        // An unused box has its ends swapped: without this test every segment would enter it.
        for lane in 0..BOXES {
            let is_used = self.ends[0][0][lane] <= self.ends[0][1][lane];
            if !(enter[lane] <= leave[lane] && is_used) {
                enter[lane] = f32::INFINITY;
            }
        }
        enter
    }

    /// A mask of the boxes that touch the box with these corners; in a wrapped world also across
    /// the edge.
    #[inline(always)]
    fn touching<V: Vector>(&self, space: &Space<V>, low: V, high: V) -> u32 {
        // The indices are read after the test of the boxes: the prefetch hides the latency.
        prefetch(&self.index);
        if space.wraps() {
            let gaps = self.gaps(space, low, high);
            let mut bits = 0;
            for lane in 0..BOXES {
                bits |= u32::from(gaps[lane] == 0.0) << lane;
            }
            return bits;
        }
        touching(&self.ends, low, high)
    }
}

impl<V: Vector> Bvh<V> {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Room for `count` items: [`build`](Self::build) then allocates nothing.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.items.reserve(count.saturating_sub(self.items.len()));
        // Each level has an eighth of the blocks of the one below it, rounded up.
        let blocks = count / (BOXES - 1) + LEVELS;
        self.blocks.reserve(blocks.saturating_sub(self.blocks.len()));
    }

    /// Replaces all items. The call allocates only for more items than ever before.
    pub(crate) fn build(&mut self, items: impl Iterator<Item = Item<V>>) {
        self.items.clear();
        self.items.extend(items);
        self.arrange();
    }

    /// Sorts the items into blocks: once for all kinds of iterators that build a tree.
    #[inline(never)]
    fn arrange(&mut self) {
        self.len = self.items.len();
        split(&mut self.items, BOXES.pow(LEVELS as u32 - 1));
        self.blocks.clear();
        for run in self.items.chunks(BOXES) {
            self.blocks.push(Block::of(run));
        }
        self.lowest = self.blocks.len();
        let (mut start, mut end) = (0, self.blocks.len());
        while end - start > 1 {
            for first in (start..end).step_by(BOXES) {
                let mut block = Block::EMPTY;
                (first..end.min(first + BOXES)).enumerate().for_each(|(lane, inner)| {
                    block.set(lane, &self.blocks[inner].bounds::<V>(inner as u32))
                });
                self.blocks.push(block);
            }
            (start, end) = (end, self.blocks.len());
        }
        self.built_extent = self.total_extent();
        self.update_bounds();
    }

    /// Moves each item to the point that `find` returns for its rank and index, and recomputes the
    /// boxes without a new sort.
    ///
    /// Returns `false` if the caller must build the tree again: `find` returned no point for an
    /// item, or the boxes have grown by more than [`MAX_GROWTH`].
    #[must_use]
    pub(crate) fn refit(&mut self, find: impl Fn(u32, u32) -> Option<V>) -> bool {
        for i in 0..self.len {
            let (block, lane) = (&mut self.blocks[i / BOXES], i % BOXES);
            let Some(p) = find(block.rank[lane], block.index[lane]) else { return false };
            for axis in 0..V::DIMENSION {
                (block.ends[axis][0][lane], block.ends[axis][1][lane]) =
                    (p.axis(axis), p.axis(axis));
            }
        }
        for outer in self.lowest..self.blocks.len() {
            for lane in 0..BOXES {
                let inner = self.blocks[outer].index[lane];
                if inner != u32::MAX {
                    let bounds = self.blocks[inner as usize].bounds::<V>(inner);
                    self.blocks[outer].set(lane, &bounds);
                }
            }
        }
        self.update_bounds();
        self.total_extent() <= MAX_GROWTH * self.built_extent
    }

    /// The items of a tree over points: ranks, which are ids, and points; in unspecified order.
    pub(crate) fn points(&self) -> impl Iterator<Item = (AgentId, V)> + Clone + '_ {
        (0..self.len).map(|i| {
            let (block, lane) = (&self.blocks[i / BOXES], i % BOXES);
            let point = V::from_fn(|axis| block.ends[axis][0][lane]);
            (AgentId(block.rank[lane]), point)
        })
    }

    fn update_bounds(&mut self) {
        if let Some(root) = self.blocks.last() {
            let bounds = root.bounds::<V>(0);
            (self.low, self.high) = (bounds.low, bounds.high);
        }
    }

    /// The total extent of the boxes around the lowest blocks, over all axes (length).
    fn total_extent(&self) -> f32 {
        let extent = |block: &Block| {
            let bounds = block.bounds::<V>(0);
            (0..V::DIMENSION).map(|i| (bounds.high - bounds.low).axis(i)).sum::<f32>()
        };
        self.blocks[..self.lowest].iter().map(extent).sum()
    }

    /// Visits the index of each item whose box touches the box from `low` to `high`, in a wrapped
    /// world also across the edge: each item once, in unspecified order.
    #[inline(always)]
    pub(crate) fn touching(&self, space: &Space<V>, low: V, high: V, mut visit: impl FnMut(u32)) {
        let Some(root) = self.blocks.len().checked_sub(1) else { return };
        // Unused boxes lie at infinity: finite corners never touch them.
        let (low, high) = (low.map(|x| x.max(-f32::MAX)), high.map(|x| x.min(f32::MAX)));
        // Most queries do not reach the edge: they skip the arithmetic of wrapping.
        let space = if self.gap_across(space, low, high) > 0.0 { &Space::OPEN } else { space };
        // A single block needs no stack.
        if root == 0 {
            let mut bits = self.blocks[0].touching(space, low, high);
            while bits != 0 {
                visit(self.blocks[0].index[bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
            return;
        }
        // The stack: for each level above, the block and a mask of its boxes that are not visited
        // yet.
        let mut stack = [0_u64; LEVELS];
        let mut level = 0;
        let (mut node, mut bits) = (root, self.blocks[root].touching(space, low, high));
        loop {
            if bits != 0 {
                let index = self.blocks[node].index[bits.trailing_zeros() as usize];
                bits &= bits - 1;
                if node < self.lowest {
                    visit(index);
                } else {
                    stack[level] = (node as u64) << BOXES | u64::from(bits);
                    level += 1;
                    node = index as usize;
                    bits = self.blocks[node].touching(space, low, high);
                }
            } else if level > 0 {
                level -= 1;
                (node, bits) = ((stack[level] >> BOXES) as usize, stack[level] as u32 & ALL_BOXES);
            } else {
                return;
            }
        }
    }

    /// A lower bound on the squared distance (length squared) from a box to any item across the
    /// edge of a wrapped world; infinity in a world that does not wrap.
    #[inline(always)]
    pub(crate) fn gap_across(&self, space: &Space<V>, low: V, high: V) -> f32 {
        if !space.wraps() {
            return f32::INFINITY;
        }
        // The arithmetic of `gaps`. An offset across the edge crosses it on at least one axis.
        let mut gap = f32::INFINITY;
        for axis in 0..V::DIMENSION {
            let (from, to, size) = (low.axis(axis), high.axis(axis), space.size().axis(axis));
            let [after, before] = [self.low.axis(axis) - to, from - self.high.axis(axis)];
            gap = gap
                .min((after - size).max(before + size).max(0.0))
                .min((after + size).max(before - size).max(0.0));
        }
        gap * gap
    }

    /// The key, rank and index of the item with the smallest key, if the key is at most `bound`; in
    /// a tie the item with the lowest rank.
    ///
    /// `key` returns the keys of the items in a block; items whose key is NaN do not count.
    /// `lower_bound` returns a lower bound on the keys of all items inside each box of a block.
    #[inline(always)]
    pub(crate) fn min_by(
        &self,
        bound: f32,
        lower_bound: impl Fn(&Block) -> [f32; BOXES],
        key: impl Fn(&Block) -> [f32; BOXES],
    ) -> Option<(f32, u32, u32)> {
        let (mut best, mut limit) = (None, (bound, u32::MAX));
        // The blocks to search, each with the lower bound on the keys in it.
        let mut stack = ArrayVec::<(f32, u32), { BOXES * LEVELS }>::new();
        stack.push((f32::NEG_INFINITY, self.blocks.len().checked_sub(1)? as u32));
        while let Some((lower, node)) = stack.pop() {
            if lower > limit.0 {
                continue;
            }
            let block = &self.blocks[node as usize];
            if (node as usize) < self.lowest {
                // Only those with the least key can come first.
                let keys = key(block);
                let least = least(&keys);
                let mut bits = if least <= limit.0 { at_most(&keys, least) } else { 0 };
                while bits != 0 {
                    let lane = bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let found = (keys[lane], block.rank[lane]);
                    if is_before(found, limit) {
                        (best, limit) = (Some((found.0, found.1, block.index[lane])), found);
                    }
                }
                continue;
            }
            let (lower, first) = (lower_bound(block), stack.len());
            let mut next = (limit, first);
            // Unused boxes are infinitely far away.
            let mut bits = at_most(&lower, smaller(limit.0, f32::MAX));
            while bits != 0 {
                let lane = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let candidate = (lower[lane], block.rank[lane]);
                if is_before(candidate, limit) {
                    if is_before(candidate, next.0) {
                        next = (candidate, stack.len());
                    }
                    stack.push((candidate.0, block.index[lane]));
                }
            }
            // The box with the smallest lower bound is searched first: its result rules out other
            // boxes.
            if let Some(last) = stack.len().checked_sub(1).filter(|last| *last >= first) {
                stack.swap(next.1, last);
            }
        }
        best
    }
}

/// Sorts the items so that each run of `unit` items, each run of an eighth of that, and so on, is
/// compact in space.
fn split<V: Vector>(items: &mut [Item<V>], mut unit: usize) {
    if items.len() <= BOXES {
        return;
    }
    while unit >= items.len() {
        unit /= BOXES;
    }
    // Twice the center: sorting needs no division.
    let twice_center = |item: &Item<V>, axis| item.low.axis(axis) + item.high.axis(axis);
    let extent = |axis| {
        let ends = |(low, high): (f32, f32), x: f32| (low.min(x), high.max(x));
        let (low, high) = items
            .iter()
            .map(|item| twice_center(item, axis))
            .fold((f32::INFINITY, f32::NEG_INFINITY), ends);
        high - low
    };
    let longest = (1..V::DIMENSION)
        .fold(
            (0, extent(0)),
            |best, axis| if extent(axis) > best.1 { (axis, extent(axis)) } else { best },
        )
        .0;
    let half = items.len().div_ceil(unit) / 2 * unit;
    items.select_nth_unstable_by(half, |a, b| {
        twice_center(a, longest).total_cmp(&twice_center(b, longest))
    });
    let (one, two) = items.split_at_mut(half);
    split(one, unit);
    split(two, unit);
}

#[cfg(test)]
mod tests;
