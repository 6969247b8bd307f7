//! A k-d tree over the positions of a tick: the nearest other agent, and pairs within a distance.
//!
//! J. L. Bentley, "Multidimensional binary search trees used for associative searching", 1975. In a
//! wrapped world each image of a query is searched.

use crate::world::MeasuredWorld;

/// A k-d tree over points.
pub(crate) struct Tree<'a> {
    points: &'a [[f64; 3]],
    /// The indices of the points: the middle of each part is its root, ties by index.
    order: Vec<usize>,
    axes: usize,
    shifts: Vec<[f64; 3]>,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(points: &'a [[f64; 3]], world: &MeasuredWorld) -> Self {
        let axes = world.dimension;
        let mut order: Vec<usize> = (0..points.len()).collect();
        build(points, &mut order, 0, axes);
        Self { points, order, axes, shifts: world.images(true) }
    }

    /// The distance from a point to the nearest other point.
    pub(crate) fn nearest(&self, index: usize) -> Option<f64> {
        let mut best = f64::INFINITY;
        for shift in &self.shifts {
            let at = self.image(index, shift);
            self.search(&self.order, at, 0, best, &mut |other, square| {
                if other != index && square < best {
                    best = square;
                }
                best
            });
        }
        (best < f64::INFINITY).then(|| best.sqrt())
    }

    /// All pairs of points up to `reach` apart, the lower index first, in their order.
    pub(crate) fn pairs(&self, reach: f64) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for index in 0..self.points.len() {
            for shift in &self.shifts {
                let at = self.image(index, shift);
                self.search(&self.order, at, 0, reach * reach, &mut |other, square| {
                    if other > index && square <= reach * reach {
                        pairs.push((index, other));
                    }
                    reach * reach
                });
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    fn image(&self, index: usize, shift: &[f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|i| self.points[index][i] + shift[i])
    }

    /// Visits the points up to the root of `most` away; `visit` gives the new bound.
    fn search(
        &self,
        part: &[usize],
        at: [f64; 3],
        axis: usize,
        most: f64,
        visit: &mut dyn FnMut(usize, f64) -> f64,
    ) -> f64 {
        let middle = part.len() / 2;
        let Some(&root) = part.get(middle) else { return most };
        let point = self.points[root];
        let offset = [0, 1, 2].map(|i| at[i] - point[i]);
        let square: f64 = offset.iter().map(|x| x * x).sum();
        let mut most = if square <= most { visit(root, square) } else { most };
        let (low, high) = (&part[..middle], &part[middle + 1..]);
        let (near, far) = if offset[axis] < 0.0 { (low, high) } else { (high, low) };
        let next = (axis + 1) % self.axes;
        most = self.search(near, at, next, most, visit);
        if offset[axis] * offset[axis] <= most {
            most = self.search(far, at, next, most, visit);
        }
        most
    }
}

fn build(points: &[[f64; 3]], part: &mut [usize], axis: usize, axes: usize) {
    if part.len() < 2 {
        return;
    }
    let middle = part.len() / 2;
    part.select_nth_unstable_by(middle, |&a, &b| {
        points[a][axis].total_cmp(&points[b][axis]).then(a.cmp(&b))
    });
    let (low, rest) = part.split_at_mut(middle);
    build(points, low, (axis + 1) % axes, axes);
    build(points, &mut rest[1..], (axis + 1) % axes, axes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::crowd::Setup;
    use wayfare::glam::{Vec3, vec3};
    use wayfare::spatial::space::{Bounds, Edge};

    #[test]
    fn the_tree_finds_what_a_search_of_all_pairs_finds_also_across_an_edge() {
        let mut bits = 7_u32;
        let mut random = || {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(bits >> 8) / f64::from(1 << 24) * 10.0
        };
        let points: Vec<[f64; 3]> = (0..200).map(|_| [random(), random(), random()]).collect();
        for edge in [Edge::Open, Edge::Wrap] {
            let bounds = Some(Bounds { min: Vec3::ZERO, max: vec3(10.0, 10.0, 10.0), edge });
            let world = MeasuredWorld::of(&Setup::<Vec3> { bounds, ..Setup::default() });
            let tree = Tree::new(&points, &world);
            let distance = |i: usize, j: usize| {
                let offset = world.offset(points[i], points[j]);
                offset.iter().map(|x| x * x).sum::<f64>().sqrt()
            };
            let mut pairs = Vec::new();
            for i in 0..points.len() {
                let others = (0..points.len()).filter(|j| *j != i);
                let nearest = others.map(|j| distance(i, j)).fold(f64::INFINITY, f64::min);
                assert!((tree.nearest(i).unwrap() - nearest).abs() < 1e-12, "{i}");
                pairs.extend(
                    (i + 1..points.len()).filter(|j| distance(i, *j) <= 1.5).map(|j| (i, j)),
                );
            }
            assert_eq!(tree.pairs(1.5), pairs);
        }
    }
}
