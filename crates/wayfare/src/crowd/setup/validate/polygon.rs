//! Whether a polygon has an inside: its edges do not cross, and its area is not zero.

use glam::Vec2;

/// Polygons with at most this many corners are searched pair by pair in the order from left to
/// right, which decides the pair that an error names.
const FEW: usize = 64;
/// A cell with at most this many edges is searched pair by pair.
const FEW_IN_CELL: usize = 16;
/// The largest number of times that a cell is divided.
const DEPTH: u32 = 24;

/// Two edges that cross, each by its first corner, the lower one first. Edges that only touch do
/// not cross.
///
/// A quadtree over the edges keeps the number of tested pairs near-linear for outlines of many
/// short edges: 30,000 corners have 450 million pairs. Many long edges side by side still cost
/// about as much as all pairs.
pub(super) fn crossing(points: &[Vec2]) -> Option<(usize, usize)> {
    let mut search = Search { points, tested: 0 };
    let mut edges: Vec<usize> = (0..points.len()).collect();
    if points.len() <= FEW {
        let left = |i: usize| points[i].x.min(search.end(i).x);
        edges.sort_by(|a, b| left(*a).total_cmp(&left(*b)));
        return search.pairs(&edges);
    }
    search.cell(&edges, Cell::around(points), DEPTH)
}

struct Search<'a> {
    points: &'a [Vec2],
    /// The number of pairs that were tested.
    tested: u64,
}

/// A box by its ends on each axis.
#[derive(Clone, Copy)]
struct Cell([[f64; 2]; 2]);

impl Cell {
    fn around(points: &[Vec2]) -> Self {
        let ends = |axis: usize| {
            let along = || points.iter().map(move |p| f64::from(p[axis]));
            [along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)]
        };
        Self([ends(0), ends(1)])
    }

    fn quarters(self) -> [Self; 4] {
        let Self([x, y]) = self;
        let halves = |[low, high]: [f64; 2]| {
            let middle = (low + high) * 0.5;
            [[low, middle], [middle, high]]
        };
        let (x, y) = (halves(x), halves(y));
        [0, 1, 2, 3].map(|i| Self([x[i / 2], y[i % 2]]))
    }
}

impl Search<'_> {
    fn end(&self, i: usize) -> Vec2 {
        self.points[(i + 1) % self.points.len()]
    }

    /// The first pair of these edges that crosses.
    fn pairs(&mut self, edges: &[usize]) -> Option<(usize, usize)> {
        let mut tested = 0;
        let parts = |i: usize, k: usize| {
            let (from, to) = (self.points[i], self.end(i));
            turn(from, to, self.points[k]) * turn(from, to, self.end(k)) < 0.0
        };
        let found = edges.iter().enumerate().find_map(|(n, &i)| {
            tested += (edges.len() - n - 1) as u64;
            let crossed = edges[n + 1..].iter().find(|&&k| parts(i, k) && parts(k, i));
            crossed.map(|&k| (i.min(k), i.max(k)))
        });
        self.tested += tested;
        found
    }

    /// A crossing of these edges, all of which touch the cell.
    fn cell(&mut self, edges: &[usize], cell: Cell, depth: u32) -> Option<(usize, usize)> {
        if edges.len() <= FEW_IN_CELL || depth == 0 {
            return self.pairs(edges);
        }
        cell.quarters().into_iter().find_map(|quarter| {
            let inside: Vec<usize> =
                edges.iter().copied().filter(|&i| self.touches(i, quarter)).collect();
            self.cell(&inside, quarter, depth - 1)
        })
    }

    /// Whether an edge touches a cell, by the separating axes of the two; rounding makes the cell
    /// larger, never smaller.
    fn touches(&self, i: usize, Cell(ends): Cell) -> bool {
        let (from, to) = (self.points[i], self.end(i));
        let from = [f64::from(from.x), f64::from(from.y)];
        let to = [f64::from(to.x), f64::from(to.y)];
        let size = |x: f64, p: &[f64; 2]| x.max(p[0].abs()).max(p[1].abs());
        let room = 1e-12 * [from, to, ends[0], ends[1]].iter().fold(0.0, size);
        let apart = |k: usize| {
            from[k].max(to[k]) < ends[k][0] - room || from[k].min(to[k]) > ends[k][1] + room
        };
        if apart(0) || apart(1) {
            return false;
        }
        let across = [to[1] - from[1], from[0] - to[0]];
        let half = |k: usize| ((ends[k][1] - ends[k][0]) * 0.5 + 2.0 * room) * across[k].abs();
        let away = |k: usize| (from[k] - (ends[k][0] + ends[k][1]) * 0.5) * across[k];
        (away(0) + away(1)).abs() <= (half(0) + half(1)) * (1.0 + 1e-12)
    }
}

/// Whether its area is nothing but rounding, compared with its extent.
pub(super) fn is_flat(points: &[Vec2]) -> bool {
    let doubled: f64 = points.windows(2).map(|pair| turn(points[0], pair[0], pair[1])).sum();
    let extent = points.iter().map(|p| f64::from((*p - points[0]).length())).fold(0.0, f64::max);
    doubled.abs() <= 1e-7 * extent * extent
}

/// Twice the area of the triangle a, b, c: above zero where it turns to the left, below where it
/// turns to the right.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let from_a = |p: Vec2| (f64::from(p.x) - f64::from(a.x), f64::from(p.y) - f64::from(a.y));
    let (b, c) = (from_a(b), from_a(c));
    b.0 * c.1 - b.1 * c.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A star-shaped polygon with corners at random distances from the origin; it does not cross
    /// itself.
    fn star(corners: usize, random: &mut Random) -> Vec<Vec2> {
        let corner = |i: usize| {
            let angle = i as f32 / corners as f32 * core::f32::consts::TAU;
            Vec2::new(libm::cosf(angle), libm::sinf(angle)) * random.between(1.0, 1000.0)
        };
        (0..corners).map(corner).collect()
    }

    #[test]
    fn the_quadtree_finds_a_crossing_where_the_search_of_all_pairs_does() {
        let mut random = Random::new(7, 0, 0, 0);
        let mut crossed = 0;
        for round in 0..300 {
            let corners = 65 + round;
            let mut points = star(corners, &mut random);
            // Two corners change places in every second polygon: most of those cross.
            if round % 2 == 0 {
                points.swap(round % corners, (round * 7 + 3) % corners);
            }
            // A lattice makes edges touch, overlap and end on each other.
            if round % 3 == 0 {
                points.iter_mut().for_each(|p| *p = (*p / 100.0).round() * 100.0);
            }
            let all: Vec<usize> = (0..corners).collect();
            let found = crossing(&points);
            assert_eq!(
                found.is_some(),
                Search { points: &points, tested: 0 }.pairs(&all).is_some(),
                "round {round}"
            );
            if let Some((i, k)) = found {
                assert!(
                    Search { points: &points, tested: 0 }.pairs(&[i, k]).is_some(),
                    "round {round}: {i} and {k}"
                );
                crossed += 1;
            }
        }
        assert!((50..250).contains(&crossed), "{crossed}");
    }

    #[test]
    fn a_long_outline_of_short_edges_is_searched_in_few_pairs() {
        let points: Vec<Vec2> = (0..30_000_u16)
            .map(|i| {
                let angle = f32::from(i) / 30_000.0 * core::f32::consts::TAU;
                let radius = if i.is_multiple_of(2) { 1e6 } else { 1e6 + 300.0 };
                Vec2::new(libm::cosf(angle), libm::sinf(angle)) * radius
            })
            .collect();
        let edges: Vec<usize> = (0..points.len()).collect();
        let mut search = Search { points: &points, tested: 0 };
        assert_eq!(search.cell(&edges, Cell::around(&points), DEPTH), None);
        // All pairs are 450 million.
        assert!(search.tested < 3_000_000, "{} pairs", search.tested);
    }
}
