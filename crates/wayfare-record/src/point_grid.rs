//! A uniform grid of points for neighbor queries, separate from the crowd's own grid: a measurement
//! must not depend on the code that it measures.

use wayfare::Vector;
use wayfare::spatial::space::Bounds;

/// Points in the cells of a uniform grid.
///
/// ```
/// use wayfare::glam::vec2;
/// let points = [vec2(0.0, 0.0), vec2(9.0, 0.0), vec2(1.0, 1.0)];
/// let grid = wayfare_record::PointGrid::new(&points, None, 2.0);
/// let mut near = Vec::new();
/// grid.visit_near(vec2(0.0, 0.0), 2.0, |candidates| near.extend_from_slice(candidates));
/// assert!(near.contains(&0) && near.contains(&2) && !near.contains(&1));
/// ```
#[derive(Clone, Debug)]
pub struct PointGrid<V> {
    origin: V,
    extent: V,
    /// The number of cells along each axis.
    count: [usize; 3],
    wraps: bool,
    starts: Vec<u32>,
    points: Vec<u32>,
}

impl<V: Vector> PointGrid<V> {
    /// A grid of `points` with cells about `width` (length) wide, and at most as many cells as
    /// points.
    ///
    /// `wrapped` are the bounds of a wrapped world; they contain all points.
    pub fn new(points: &[V], wrapped: Option<Bounds<V>>, width: f32) -> Self {
        let first = points.first().copied().unwrap_or(V::ZERO);
        let (low, high) = match wrapped {
            Some(bounds) => (bounds.min, bounds.max),
            None => {
                points.iter().fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)))
            }
        };
        let mut cells = Self {
            origin: low,
            extent: high - low,
            count: [1; 3],
            wraps: wrapped.is_some(),
            starts: Vec::new(),
            points: Vec::new(),
        };
        // The number of cells is bounded: wider cells cost time but change no result.
        let most = (points.len() as f64).powf(1.0 / V::DIMENSION as f64).ceil();
        for i in 0..V::DIMENSION {
            cells.count[i] =
                f64::from(cells.extent.axis(i) / width).floor().clamp(1.0, most.max(1.0)) as usize;
        }
        let mut starts = vec![0_u32; cells.count.iter().product::<usize>() + 1];
        for position in points {
            starts[cells.of(*position) + 1] += 1;
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut next = starts.clone();
        let mut sorted = vec![0; points.len()];
        for (i, position) in points.iter().enumerate() {
            let at = &mut next[cells.of(*position)];
            sorted[*at as usize] = i as u32;
            *at += 1;
        }
        (cells.starts, cells.points) = (starts, sorted);
        cells
    }

    /// Visits the indices of all points within `reach` (length) of `position`, and of some that are
    /// farther away, in runs; each index once.
    pub fn visit_near(&self, position: V, reach: f32, mut visit: impl FnMut(&[u32])) {
        for z in self.beside(2, position, reach) {
            for y in self.beside(1, position, reach) {
                for x in self.beside(0, position, reach) {
                    let cell = self.number([x, y, z]);
                    visit(&self.points[self.starts[cell] as usize..self.starts[cell + 1] as usize]);
                }
            }
        }
    }

    /// The position of a coordinate on axis `i`, in cells.
    fn along(&self, i: usize, x: f64) -> f64 {
        let part = (x - f64::from(self.origin.axis(i))) / f64::from(self.extent.axis(i));
        // A world without extent on an axis has one cell there.
        if part.is_finite() { (part * self.count[i] as f64).floor() } else { 0.0 }
    }

    fn of(&self, position: V) -> usize {
        let mut cell = [0; 3];
        for (i, cell) in cell.iter_mut().enumerate().take(V::DIMENSION) {
            *cell = self
                .along(i, f64::from(position.axis(i)))
                .clamp(0.0, (self.count[i] - 1) as f64) as usize;
        }
        self.number(cell)
    }

    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.count[1] + y) * self.count[0] + x
    }

    /// The cells on axis `i` that contain all points within `reach`.
    fn beside(&self, i: usize, position: V, reach: f32) -> impl Iterator<Item = usize> + use<V> {
        let (first, last) = self.range(i, position, reach);
        let count = self.count[i];
        (first as usize..=last as usize).map(move |c| c % count)
    }

    /// The first and the last of these cells. In a wrapped world, cells past the end continue at
    /// the beginning.
    fn range(&self, i: usize, position: V, reach: f32) -> (f64, f64) {
        let most = self.count[i] as f64;
        if i >= V::DIMENSION || self.count[i] == 1 {
            return (0.0, 0.0);
        }
        let (x, reach) = (f64::from(position.axis(i)), f64::from(reach));
        // Distances are computed in single precision: a point within reach can lie slightly beyond
        // it.
        let reach = reach + 1e-6 * (x.abs() + reach + f64::from(self.extent.axis(i)));
        let (first, last) = (self.along(i, x - reach), self.along(i, x + reach));
        if !self.wraps {
            return (first.clamp(0.0, most - 1.0), last.clamp(0.0, most - 1.0));
        }
        if last - first + 1.0 >= most {
            return (0.0, most - 1.0);
        }
        // Cells below zero are on the opposite side of the world.
        let up = if first < 0.0 { most } else { 0.0 };
        (first + up, last + up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::glam::{Vec2, Vec3, vec2, vec3};
    use wayfare::random::Random;
    use wayfare::spatial::space::{Edge, Space};

    /// Asserts that a grid finds the same points as a search through all, each once.
    fn assert_same_as_linear_search<V: Vector>(size: V, edge: Edge) {
        let points: Vec<V> = (0..300)
            .map(|id| {
                let mut random = Random::new(5, id, 0, 0);
                V::from_fn(|i| random.between(0.0, size.axis(i)))
            })
            .collect();
        let bounds = Some(Bounds { min: V::ZERO, max: size, edge });
        let space = Space::new(bounds);
        for (width, reach) in [(3.0, 3.0), (1.0, 7.0), (9.0, 2.0), (3.0, 40.0), (0.0, 5.0)] {
            let cells = PointGrid::new(&points, bounds.filter(|_| space.wraps()), width);
            for &p in &points {
                let within = |i: u32| space.difference(p, points[i as usize]).length() <= reach;
                let mut found = Vec::new();
                cells.visit_near(p, reach, |run| found.extend(run.iter().copied()));
                found.sort_unstable();
                assert!(
                    found.windows(2).all(|pair| pair[0] != pair[1]),
                    "{p:?} within {reach}, cells of {width}"
                );
                found.retain(|&i| within(i));
                assert_eq!(
                    found,
                    (0..300).filter(|&i| within(i)).collect::<Vec<u32>>(),
                    "{p:?} within {reach}, cells of {width}"
                );
            }
        }
    }

    #[test]
    fn a_grid_finds_the_same_points_as_a_linear_search_also_across_wrapped_edges() {
        for edge in [Edge::Open, Edge::Wrap] {
            for size in [vec2(90.0, 60.0), vec2(90.0, 16.0), vec2(10.0, 9.0)] {
                assert_same_as_linear_search(size, edge);
            }
            assert_same_as_linear_search(vec3(40.0, 30.0, 50.0), edge);
        }
    }

    #[test]
    fn a_grid_may_be_empty_or_hold_all_points_at_one_position() {
        let mut count = 0;
        PointGrid::<Vec2>::new(&[], None, 1.0)
            .visit_near(Vec2::ZERO, 5.0, |run| count += run.len());
        assert_eq!(count, 0);
        PointGrid::new(&[Vec3::X, Vec3::X], None, 1.0)
            .visit_near(Vec3::X, 0.0, |run| count += run.len());
        assert_eq!(count, 2);
    }
}
