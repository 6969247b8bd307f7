//! The domains of ranks: boxes that divide the world, found by recursive bisection.
//!
//! The world is cut at the middle of the cost, along its longest side, and each half again, until
//! there is a box for each rank (M. J. Berger, S. H. Bokhari, "A Partitioning Strategy for
//! Nonuniform Problems on Multiprocessors", 1987). Cuts run along the borders of cells of a
//! lattice, whose costs all ranks know.

use wayfare::Vector;
use wayfare::spatial::space::{Bounds, Edge};

use crate::wire::{Message, Numbers};

/// The number of cells on one axis of the lattice, in the plane and in space.
const CELLS: [usize; 2] = [512, 64];

/// The box of one rank: it ends at infinity where no cut bounds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region<V> {
    /// The lower corner (length); part of the region.
    pub low: V,
    /// The upper corner (length); not part of the region.
    pub high: V,
}

impl<V: Vector> Region<V> {
    /// Whether `p` is in the region.
    #[inline]
    pub fn contains(&self, p: V) -> bool {
        (0..V::DIMENSION)
            .all(|axis| p.axis(axis) >= self.low.axis(axis) && p.axis(axis) < self.high.axis(axis))
    }

    /// The distance of `p` from the point of the region that is farthest from it, without regard to
    /// the edges of a wrapped world (length); minus infinity for an empty region.
    pub(crate) fn farthest_point(&self, p: V) -> f32 {
        let mut sum = 0.0;
        for axis in 0..V::DIMENSION {
            let (low, high, x) = (self.low.axis(axis), self.high.axis(axis), p.axis(axis));
            if low > high {
                return f32::NEG_INFINITY;
            }
            let gap = (x - low).abs().max((high - x).abs());
            sum += gap * gap;
        }
        sum.sqrt()
    }

    /// At most so far from the region are the positions with these coordinates on each axis
    /// (length); in a wrapped world of this size by the shortest way across its edges.
    pub(crate) fn farthest<'a>(
        &self,
        coordinates: impl Fn(usize) -> &'a [f32],
        size: Option<V>,
    ) -> f32 {
        let mut sum = 0.0;
        for axis in 0..V::DIMENSION {
            let (low, high) = (self.low.axis(axis), self.high.axis(axis));
            if low == f32::NEG_INFINITY && high == f32::INFINITY {
                continue;
            }
            let gap = match size {
                None => largest(coordinates(axis), |x| (low - x).max(x - high)),
                Some(size) => {
                    let size = size.axis(axis);
                    largest(coordinates(axis), |x| {
                        let gap = (low - x).max(x - high);
                        let below = (low - x - size).max(x + size - high);
                        let above = (low - x + size).max(x - size - high);
                        gap.min(below).min(above)
                    })
                }
            };
            sum += gap * gap;
        }
        sum.sqrt()
    }

    /// The distance of `p` from the region (length); in a wrapped world of this size the shortest
    /// one across its edges.
    #[inline]
    pub fn distance(&self, p: V, size: Option<V>) -> f32 {
        let mut sum = 0.0;
        for axis in 0..V::DIMENSION {
            let (low, high, x) = (self.low.axis(axis), self.high.axis(axis), p.axis(axis));
            let mut gap = (low - x).max(x - high);
            if let Some(size) = size {
                let size = size.axis(axis);
                gap = gap.min((low - x - size).max(x + size - high));
                gap = gap.min((low - x + size).max(x - size - high));
            }
            let gap = gap.max(0.0);
            sum += gap * gap;
        }
        sum.sqrt()
    }
}

/// The largest value of a function of these numbers, and at least 0.
#[inline(always)]
fn largest(numbers: &[f32], f: impl Fn(f32) -> f32) -> f32 {
    const LANES: usize = 8;
    // Several at once, as the compiler may not reorder comparisons of floats.
    let mut most = [0.0_f32; LANES];
    let (blocks, rest) = numbers.as_chunks::<LANES>();
    for block in blocks {
        for (most, &x) in most.iter_mut().zip(block) {
            let value = f(x);
            *most = if value > *most { value } else { *most };
        }
    }
    rest.iter().map(|&x| f(x)).chain(most).fold(0.0, f32::max)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Node {
    /// The domain of a rank.
    Rank(usize),
    /// Positions below `at` on the axis are in the node `low`, the others in `high`.
    Cut { axis: usize, at: f32, low: usize, high: usize },
}

/// The domains of all ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Domains<V> {
    nodes: Vec<Node>,
    regions: Vec<Region<V>>,
}

impl<V: Vector> Domains<V> {
    /// The rank whose domain `p` is in.
    #[inline]
    pub fn owner(&self, p: V) -> usize {
        let mut node = 0;
        loop {
            match self.nodes[node] {
                Node::Rank(rank) => return rank,
                Node::Cut { axis, at, low, high } => {
                    node = if p.axis(axis) < at { low } else { high };
                }
            }
        }
    }

    /// The box of `rank`.
    ///
    /// # Panics
    /// There is no such rank.
    pub fn region(&self, rank: usize) -> Region<V> {
        self.regions[rank]
    }

    /// The boxes of all ranks.
    pub fn regions(&self) -> &[Region<V>] {
        &self.regions
    }

    /// The first of `ranks` ranks has everything.
    pub(crate) fn whole(ranks: usize) -> Self {
        let low = V::from_fn(|_| f32::NEG_INFINITY);
        let high = V::from_fn(|_| f32::INFINITY);
        let mut regions = vec![Region { low: high, high }; ranks];
        regions[0].low = low;
        Self { nodes: vec![Node::Rank(0)], regions }
    }

    /// The part of the region of `rank` that is farther than `halo` (length) from its borders.
    pub(crate) fn interior(&self, rank: usize, halo: f32) -> Interior<V> {
        let Region { low, high } = self.regions[rank];
        Interior { low: low.map(|x| x + halo), high: high.map(|x| x - halo) }
    }

    /// Domains with these parts of the cost, by the costs of the lattice.
    pub(crate) fn divide(lattice: &Lattice<V>, shares: &[f64], bounds: Option<Bounds<V>>) -> Self {
        let all =
            Region { low: V::from_fn(|_| f32::NEG_INFINITY), high: V::from_fn(|_| f32::INFINITY) };
        let mut domains = Self { nodes: Vec::new(), regions: vec![all; shares.len()] };
        let cells: Vec<u32> =
            (0..).zip(&lattice.cost).filter(|(_, cost)| **cost > 0.0).map(|(i, _)| i).collect();
        domains.cut(lattice, cells, 0, shares, all);
        if let Some(Bounds { min, max, edge: Edge::Wrap }) = bounds {
            // On an axis with a cut the edges of the world are borders of domains, too.
            for region in &mut domains.regions {
                let (low, high) = (region.low, region.high);
                let is_cut = |axis| low.axis(axis).is_finite() || high.axis(axis).is_finite();
                region.low = V::from_fn(|axis| {
                    if is_cut(axis) { low.axis(axis).max(min.axis(axis)) } else { low.axis(axis) }
                });
                region.high = V::from_fn(|axis| {
                    if is_cut(axis) { high.axis(axis).min(max.axis(axis)) } else { high.axis(axis) }
                });
            }
        }
        domains
    }

    /// Divides the cells among the ranks; returns the node.
    fn cut(
        &mut self,
        lattice: &Lattice<V>,
        cells: Vec<u32>,
        first: usize,
        shares: &[f64],
        region: Region<V>,
    ) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node::Rank(first));
        if shares.len() == 1 {
            self.regions[first] = region;
            return node;
        }
        let (low_shares, high_shares) = shares.split_at(shares.len() / 2);
        let (low_sum, sum): (f64, f64) = (low_shares.iter().sum(), shares.iter().sum());
        let part = if sum > 0.0 { low_sum / sum } else { 0.5 };
        let (axis, slab) = lattice.best_cut(&cells, part);
        // Without cells on both sides the best cut may be outside: domains never overlap.
        let at = lattice.border(axis, slab).clamp(region.low.axis(axis), region.high.axis(axis));
        let (low_cells, high_cells) =
            cells.into_iter().partition(|cell| lattice.slab(*cell, axis) < slab);
        let with = |v: V, x: f32| V::from_fn(|i| if i == axis { x } else { v.axis(i) });
        let low_region = Region { high: with(region.high, at), ..region };
        let high_region = Region { low: with(region.low, at), ..region };
        let low = self.cut(lattice, low_cells, first, low_shares, low_region);
        let high =
            self.cut(lattice, high_cells, first + low_shares.len(), high_shares, high_region);
        self.nodes[node] = Node::Cut { axis, at, low, high };
        node
    }
}

/// A box, open at both corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interior<V> {
    low: V,
    high: V,
}

impl<V: Vector> Interior<V> {
    #[inline(always)]
    pub(crate) fn contains(&self, p: V) -> bool {
        (0..V::DIMENSION)
            .all(|axis| p.axis(axis) > self.low.axis(axis) && p.axis(axis) < self.high.axis(axis))
    }
}

/// The costs of the cells of a lattice over the agents.
#[derive(Clone, Debug)]
pub(crate) struct Lattice<V> {
    low: V,
    width: V,
    count: usize,
    cost: Vec<f64>,
}

impl<V: Vector> Lattice<V> {
    /// A lattice without costs over the box between these corners (length).
    pub(crate) fn new(low: V, high: V) -> Self {
        let count = CELLS[V::DIMENSION - 2];
        let width = V::from_fn(|axis| {
            let size = high.axis(axis) - low.axis(axis);
            if size > 0.0 && size.is_finite() { size / count as f32 } else { 1.0 }
        });
        Self { low, width, count, cost: vec![0.0; count.pow(V::DIMENSION as u32)] }
    }

    /// Adds `cost` to the cell that `p` is in, or to the nearest one.
    pub(crate) fn add(&mut self, p: V, cost: f64) {
        let mut index = 0;
        for axis in (0..V::DIMENSION).rev() {
            let cell = (p.axis(axis) - self.low.axis(axis)) / self.width.axis(axis);
            index = index * self.count + (cell.max(0.0) as usize).min(self.count - 1);
        }
        self.cost[index] += cost;
    }

    /// The sum of all costs.
    pub(crate) fn total(&self) -> f64 {
        self.cost.iter().sum()
    }

    /// The cells with a cost, as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut message = Message::default();
        for (cell, cost) in (0..).zip(&self.cost).filter(|(_, cost)| **cost > 0.0) {
            message.u32(cell);
            message.f64(*cost);
        }
        message.0
    }

    /// Adds the costs of another rank.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) {
        let mut numbers = Numbers(bytes);
        for _ in 0..bytes.len() / 12 {
            let (cell, cost) = (numbers.u32(), numbers.f64());
            if let Some(sum) = self.cost.get_mut(cell as usize) {
                *sum += cost;
            }
        }
    }

    /// The number of a cell on one axis.
    fn slab(&self, cell: u32, axis: usize) -> usize {
        cell as usize / self.count.pow(axis as u32) % self.count
    }

    /// The lower border of the cells with this number on one axis (length).
    fn border(&self, axis: usize, slab: usize) -> f32 {
        self.low.axis(axis) + slab as f32 * self.width.axis(axis)
    }

    /// The axis and the number of the first cell behind a cut that leaves this part of the cost of
    /// `cells` before it: on the longest side, unless a cut of another side is much better.
    fn best_cut(&self, cells: &[u32], part: f64) -> (usize, usize) {
        let total: f64 = cells.iter().map(|cell| self.cost[*cell as usize]).sum();
        let mut best: Option<(f64, usize, usize)> = None;
        for axis in 0..V::DIMENSION {
            let mut slabs = vec![0.0; self.count];
            for cell in cells {
                slabs[self.slab(*cell, axis)] += self.cost[*cell as usize];
            }
            let (mut before, mut error, mut at) = (0.0, f64::INFINITY, self.count / 2);
            for slab in 1..self.count {
                before += slabs[slab - 1];
                let off = (before - part * total).abs();
                if off < error {
                    (error, at) = (off, slab);
                }
            }
            let used = |slab: &usize| slabs[*slab] > 0.0;
            let first = (0..self.count).find(used).unwrap_or(0);
            let last = (0..self.count).rev().find(used).unwrap_or(0);
            let length = (last + 1 - first) as f64 * f64::from(self.width.axis(axis));
            // An error of a tenth of the cost outweighs the length of a side.
            let relative = if total > 0.0 { error / total } else { 0.0 };
            let badness = relative.max(0.01) / length.max(f64::MIN_POSITIVE);
            if best.is_none_or(|(least, ..)| badness < least) {
                best = Some((badness, axis, at));
            }
        }
        best.map_or((0, self.count / 2), |(_, axis, at)| (axis, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::glam::{Vec2, vec2};

    fn divided(points: &[Vec2], ranks: usize, edge: Edge) -> Domains<Vec2> {
        let mut lattice = Lattice::new(Vec2::ZERO, vec2(200.0, 100.0));
        points.iter().for_each(|p| lattice.add(*p, 1.0));
        let bounds = Bounds { min: Vec2::ZERO, max: vec2(200.0, 100.0), edge };
        Domains::divide(&lattice, &vec![1.0; ranks], Some(bounds))
    }

    fn points() -> Vec<Vec2> {
        let mut random = wayfare::random::Random::new(1, 0, 0, 0);
        // Twice as dense on the left.
        (0..3_000)
            .map(|i| {
                let x = if i % 3 < 2 {
                    random.between(0.0, 100.0)
                } else {
                    random.between(100.0, 200.0)
                };
                vec2(x, random.between(0.0, 100.0))
            })
            .collect()
    }

    #[test]
    fn domains_have_about_the_same_cost_and_contain_their_agents() {
        let points = points();
        for ranks in [1, 2, 3, 4, 7, 16] {
            let domains = divided(&points, ranks, Edge::Wall);
            let mut counts = vec![0; ranks];
            for p in &points {
                let owner = domains.owner(*p);
                assert_eq!(domains.region(owner).distance(*p, None), 0.0);
                counts[owner] += 1;
            }
            let mean = points.len() / ranks;
            let even = |count: &usize| count.abs_diff(mean) * 10 <= mean;
            assert!(counts.iter().all(even), "{ranks} ranks: {counts:?}");
        }
    }

    #[test]
    fn domains_do_not_overlap_where_few_cells_have_agents() {
        let mut random = wayfare::random::Random::new(6, 0, 0, 0);
        for (count, ranks) in [(1, 4), (2, 4), (2, 7), (3, 16), (5, 7)] {
            let points: Vec<Vec2> =
                (0..count).map(|i| vec2(60.0 + 30.0 * i as f32, 40.0 + 7.0 * i as f32)).collect();
            for edge in [Edge::Wall, Edge::Wrap, Edge::Open] {
                let domains = divided(&points, ranks, edge);
                for _ in 0..500 {
                    let p = vec2(random.between(0.0, 200.0), random.between(0.0, 100.0));
                    let holds = |rank: &usize| domains.region(*rank).contains(p);
                    let found: Vec<usize> = (0..ranks).filter(holds).collect();
                    assert_eq!(found, [domains.owner(p)], "{p} of {ranks} ranks");
                }
            }
        }
    }

    #[test]
    fn every_position_has_an_owner_even_outside_the_agents() {
        let domains = divided(&points(), 5, Edge::Open);
        for p in [vec2(-1e9, 1e9), vec2(1e18, 0.0), vec2(f32::MAX, f32::MIN)] {
            assert!(domains.owner(p) < 5);
        }
        // Without agents, or with all of them on one spot, too.
        let domains = divided(&[], 4, Edge::Open);
        assert!(domains.owner(Vec2::ZERO) < 4);
        let domains = divided(&[vec2(3.0, 3.0); 50], 4, Edge::Wrap);
        assert!(domains.owner(vec2(3.0, 3.0)) < 4);
    }

    #[test]
    fn no_position_is_farther_from_a_region_than_the_farthest() {
        let points: Vec<Vec2> = points().into_iter().take(77).collect();
        let columns: [Vec<f32>; 2] =
            [points.iter().map(|p| p.x).collect(), points.iter().map(|p| p.y).collect()];
        let infinity = f32::INFINITY;
        for size in [None, Some(vec2(200.0, 100.0))] {
            for (low, high) in [
                (vec2(30.0, 20.0), vec2(60.0, 70.0)),
                (vec2(-infinity, 20.0), vec2(infinity, 70.0)),
                (vec2(100.0, 0.0), vec2(200.0, 50.0)),
            ] {
                let region = Region { low, high };
                let farthest = region.farthest(|axis| &columns[axis], size);
                let most = points.iter().map(|p| region.distance(*p, size)).fold(0.0, f32::max);
                let corner: f32 = (0..2)
                    .map(|axis| {
                        let on_axis = |p: &Vec2| {
                            let mut p = *p;
                            // On the other axis it is inside.
                            p[1 - axis] = low[1 - axis].max(0.0);
                            region.distance(p, size)
                        };
                        points.iter().map(on_axis).fold(0.0, f32::max).powi(2)
                    })
                    .sum();
                assert!(farthest >= most && (farthest - corner.sqrt()).abs() < 1e-3, "{region:?}");
            }
        }
    }

    #[test]
    fn the_distance_in_a_wrapped_world_is_the_shortest_across_the_edges() {
        let region = Region { low: vec2(10.0, f32::NEG_INFINITY), high: vec2(50.0, f32::INFINITY) };
        let size = Some(vec2(200.0, 100.0));
        assert_eq!(region.distance(vec2(190.0, 40.0), None), 140.0);
        assert_eq!(region.distance(vec2(190.0, 40.0), size), 20.0);
        assert_eq!(region.distance(vec2(60.0, 40.0), size), 10.0);
        assert_eq!(region.distance(vec2(30.0, 99.0), size), 0.0);
    }
}
