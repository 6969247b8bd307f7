//! A tree of boxes: what is near a place, or first on a way, without a look at everything.
//!
//! Median splits bring the items into an order in which neighbors in space lie side by side (J. L. Bentley, "Multidimensional
//! binary search trees used for associative searching", CACM 1975). The boxes around short runs of them are the leaves of a heap, in
//! which the node k is around the nodes 2k and 2k + 1. Answers never depend on the order of the items: ties go to the lowest rank.

use crate::vector::Vector;

/// A leaf holds at most so many items, and half as many at least where there are more.
const RUN: usize = 8;
/// An order is kept until the leaves are so much larger than after the splits.
const LOOSE: f32 = 1.5;
/// A search leaves at most one node waiting at each level; ranks have 32 bits.
const DEEPEST: usize = 32;

/// What a box is larger than the shape in it, as a part of its coordinates: room for the rounding of formulas.
pub(crate) const ROOM: f32 = 1e-5;

/// A box, and the lowest rank of what is in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent<V> {
    pub(crate) low: V,
    pub(crate) high: V,
    pub(crate) rank: u32,
}

/// Something with a box; the rank decides ties.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<V> {
    pub(crate) extent: Extent<V>,
    /// Where the caller keeps it.
    pub(crate) place: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Tree<V> {
    items: Vec<Item<V>>,
    /// The root is node 1, the leaves are the second half; node 0 is none.
    nodes: Vec<Extent<V>>,
    /// The extents of all leaves together, after the splits.
    tight: f32,
}

impl<V: Vector> Default for Tree<V> {
    fn default() -> Self {
        Self { items: Vec::new(), nodes: Vec::new(), tight: 0.0 }
    }
}

impl<V: Vector> Extent<V> {
    pub(crate) fn point(p: V, rank: u32) -> Self {
        Self { low: p, high: p, rank }
    }

    fn and(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high), rank: self.rank.min(other.rank) }
    }

    fn around(items: &[Item<V>]) -> Self {
        let nothing = Self { low: V::from_fn(|_| f32::INFINITY), high: V::from_fn(|_| f32::NEG_INFINITY), rank: u32::MAX };
        items.iter().fold(nothing, |all, item| all.and(item.extent))
    }

    fn length(&self) -> f32 {
        (0..V::DIMENSION).map(|i| self.high.axis(i) - self.low.axis(i)).sum()
    }
}

impl<V: Vector> Item<V> {
    /// Twice the middle on one axis.
    fn middle(&self, axis: usize) -> f32 {
        self.extent.low.axis(axis) + self.extent.high.axis(axis)
    }
}

impl<V: Vector> Tree<V> {
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Holds these items from now on. It does not allocate where there were as many before.
    pub(crate) fn build(&mut self, items: impl Iterator<Item = Item<V>>) {
        self.items.clear();
        self.items.extend(items);
        let leaves = self.items.len().div_ceil(RUN).next_power_of_two();
        self.nodes.clear();
        self.nodes.resize(2 * leaves, Extent::around(&[]));
        self.split(0, leaves);
        self.tight = self.fit();
    }

    /// Gives each item the box that `find` knows for it now, in the order that there is.
    ///
    /// It is `false`, and the tree is to be built again, where `find` misses one or where the order no longer fits.
    #[must_use]
    pub(crate) fn follow(&mut self, find: impl Fn(&Item<V>) -> Option<Extent<V>>) -> bool {
        for item in &mut self.items {
            let Some(extent) = find(item) else { return false };
            item.extent = extent;
        }
        self.fit() <= LOOSE * self.tight
    }

    fn leaves(&self) -> usize {
        self.nodes.len() / 2
    }

    /// The first item of a leaf.
    fn start(&self, leaf: usize) -> usize {
        leaf * self.items.len() / self.leaves()
    }

    fn leaf(&self, leaf: usize) -> &[Item<V>] {
        &self.items[self.start(leaf)..self.start(leaf + 1)]
    }

    /// Brings the items of `count` leaves from `first` on, a power of two, into order: halves along the axis on which they reach farthest.
    fn split(&mut self, first: usize, count: usize) {
        if count < 2 {
            return;
        }
        let (start, middle, end) = (self.start(first), self.start(first + count / 2), self.start(first + count));
        let items = &mut self.items[start..end];
        let reach = |axis| {
            let ends = |(low, high): (f32, f32), x: f32| (low.min(x), high.max(x));
            let (low, high) = items.iter().map(|item| item.middle(axis)).fold((f32::INFINITY, f32::NEG_INFINITY), ends);
            high - low
        };
        let longest = (0..V::DIMENSION).map(|axis| (reach(axis), axis)).fold((f32::NEG_INFINITY, 0), |a, b| if b.0 > a.0 { b } else { a }).1;
        items.select_nth_unstable_by(middle - start, |a, b| a.middle(longest).total_cmp(&b.middle(longest)));
        self.split(first, count / 2);
        self.split(first + count / 2, count / 2);
    }

    /// Takes all boxes anew, from the leaves up, and returns how long the leaves' are together.
    fn fit(&mut self) -> f32 {
        let leaves = self.leaves();
        for leaf in 0..leaves {
            self.nodes[leaves + leaf] = Extent::around(self.leaf(leaf));
        }
        for node in (1..leaves).rev() {
            self.nodes[node] = self.nodes[2 * node].and(self.nodes[2 * node + 1]);
        }
        self.nodes[leaves..].iter().map(Extent::length).sum()
    }

    /// The items with a `wanted` box, in no order that means anything; a box around a wanted one must be wanted, too.
    pub(crate) fn all<F: Fn(&Extent<V>) -> bool>(&self, wanted: F) -> Visit<'_, V, F> {
        Visit { tree: self, node: usize::from(!self.items.is_empty()), run: [].iter(), wanted }
    }

    /// The item with the least `measure`, if that is at most `bound`; the one of the lowest rank in a tie.
    ///
    /// `below` is what the measure of all that is in a box is at least. Items without a measure do not count.
    pub(crate) fn least(&self, bound: f32, below: impl Fn(&Extent<V>) -> f32, measure: impl Fn(&Item<V>) -> Option<f32>) -> Option<(f32, Item<V>)> {
        if self.items.is_empty() {
            return None;
        }
        let (mut best, mut limit) = (None, (bound, u32::MAX));
        let key = |node: usize| (below(&self.nodes[node]), self.nodes[node].rank);
        let mut waiting = [(1, key(1)); DEEPEST];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (mut node, mut least) = waiting[count];
            while node < self.leaves() && least < limit {
                // The child that may hold the better one first: what it holds may rule out the other.
                let (one, two) = ((2 * node, key(2 * node)), (2 * node + 1, key(2 * node + 1)));
                let other;
                ((node, least), other) = if two.1 < one.1 { (two, one) } else { (one, two) };
                if other.1 < limit {
                    waiting[count] = other;
                    count += 1;
                }
            }
            if least < limit {
                for item in self.leaf(node - self.leaves()) {
                    let found = measure(item).map(|m| (m, item.extent.rank));
                    if let Some(found) = found.filter(|found| *found < limit) {
                        (best, limit) = (Some((found.0, *item)), found);
                    }
                }
            }
        }
        best
    }
}

/// An iterator over the items of a tree with a wanted box.
#[derive(Clone, Debug)]
pub(crate) struct Visit<'t, V, F> {
    tree: &'t Tree<V>,
    /// The next node to look at; 0 after the last.
    node: usize,
    run: core::slice::Iter<'t, Item<V>>,
    wanted: F,
}

impl<'t, V: Vector, F: Fn(&Extent<V>) -> bool> Iterator for Visit<'t, V, F> {
    type Item = &'t Item<V>;

    fn next(&mut self) -> Option<&'t Item<V>> {
        let leaves = self.tree.leaves();
        loop {
            if let Some(item) = self.run.find(|item| (self.wanted)(&item.extent)) {
                return Some(item);
            }
            if self.node == 0 {
                return None;
            }
            let wanted = (self.wanted)(&self.tree.nodes[self.node]);
            if wanted && self.node < leaves {
                self.node *= 2;
                continue;
            }
            if wanted {
                self.run = self.tree.leaf(self.node - leaves).iter();
            }
            // On to the right, from as high up as all is done; to the right of the root there is nothing.
            let next = self.node + 1;
            self.node = if next.is_power_of_two() { 0 } else { next >> next.trailing_zeros() };
        }
    }
}
