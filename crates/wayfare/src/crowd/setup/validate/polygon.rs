//! Whether a polygon has an inside: its edges do not cross, and its area is not zero.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Bound::{Excluded, Unbounded};

use glam::Vec2;
use robust::{Coord, orient2d};

/// Polygons with at most this many corners are searched pair by pair in the order from left to
/// right, which decides the pair that an error names.
const FEW: usize = 64;

/// Two edges that cross, each by its first corner, the lower one first. Edges that only touch do
/// not cross.
///
/// Many corners are searched by a sweep line, in n log n steps: M. I. Shamos and D. Hoey,
/// "Geometric intersection problems", 17th FOCS, 1976. Signs are exact, so that touching and
/// collinear edges need no tolerance.
pub(super) fn crossing(points: &[Vec2]) -> Option<(usize, usize)> {
    if points.len() > FEW {
        return sweep(points);
    }
    let mut edges: Vec<Edge> = edges(points).collect();
    edges.sort_by(|a, b| a.from.x.total_cmp(&b.from.x).then(a.index.cmp(&b.index)));
    edges.iter().enumerate().find_map(|(n, a)| {
        let crossed = edges[n + 1..].iter().find(|b| a.crosses(b));
        crossed.map(|b| a.pair(b))
    })
}

/// The sweep line moves from left to right, and upwards along a vertical. It keeps the edges that
/// it meets in their order from below to above, and tests edges that become neighbors. The leftmost
/// crossing is one of neighbors: until there the order holds, because edges that touch need not
/// change places. At one point edges end before others start.
fn sweep(points: &[Vec2]) -> Option<(usize, usize)> {
    let edges: Vec<Edge> = edges(points).collect();
    let starts = edges.iter().map(|edge| (edge.from, true, edge));
    let ends = edges.iter().map(|edge| (edge.to, false, edge));
    let mut events: Vec<_> = ends.chain(starts).collect();
    events.sort_by(|a, b| along(a.0, b.0).then(a.1.cmp(&b.1)));
    let mut status: BTreeSet<Edge> = BTreeSet::new();
    for (_, starts, edge) in events {
        if !starts {
            status.remove(edge);
        }
        let below = status.range((Unbounded, Excluded(edge))).next_back();
        let above = status.range((Excluded(edge), Unbounded)).next();
        let found = if starts {
            [below, above]
                .into_iter()
                .flatten()
                .find(|other| edge.crosses(other))
                .map(|b| (edge, b))
        } else {
            below.zip(above).filter(|(below, above)| below.crosses(above))
        };
        if let Some((a, b)) = found {
            return Some(a.pair(b));
        }
        if starts {
            status.insert(*edge);
        }
    }
    None
}

/// The order in which the sweep line reaches points.
fn along(a: Vec2, b: Vec2) -> Ordering {
    let order = |a: f32, b: f32| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    order(a.x, b.x).then(order(a.y, b.y))
}

/// The edges of a polygon. Those between equal corners are left out: they cross nothing.
fn edges(points: &[Vec2]) -> impl Iterator<Item = Edge> + '_ {
    let ends = points.iter().zip(points.iter().cycle().skip(1)).enumerate();
    ends.filter(|(_, (from, to))| from != to).map(|(index, (&a, &b))| {
        let (from, to) = if along(a, b).is_lt() { (a, b) } else { (b, a) };
        Edge { from, to, index }
    })
}

/// An edge, from the end that the sweep line reaches first.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Vec2,
    to: Vec2,
    /// The index of its first corner in the polygon.
    index: usize,
}

impl Edge {
    /// Whether the inner points of both edges meet in one point.
    fn crosses(&self, other: &Self) -> bool {
        let parts = |a: &Self, b: &Self| {
            a.side(b.from).is_gt() && a.side(b.to).is_lt()
                || a.side(b.from).is_lt() && a.side(b.to).is_gt()
        };
        parts(self, other) && parts(other, self)
    }

    /// `Greater` for a point to the left of the edge, which is above it.
    fn side(&self, point: Vec2) -> Ordering {
        #[cfg(test)]
        tests::SIDES.set(tests::SIDES.get() + 1);
        exact_turn(self.from, self.to, point)
    }

    fn pair(&self, other: &Self) -> (usize, usize) {
        (self.index.min(other.index), self.index.max(other.index))
    }
}

/// From below to above along a sweep line that meets both edges; edges on one line by their
/// indices. It is an order only of edges that do not cross.
impl Ord for Edge {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.index == other.index {
            return Ordering::Equal;
        }
        // The later start is beside the earlier edge.
        let side = if along(self.from, other.from).is_lt() {
            self.side(other.from).then_with(|| self.side(other.to)).reverse()
        } else {
            other.side(self.from).then_with(|| other.side(self.to))
        };
        side.then(self.index.cmp(&other.index))
    }
}

impl PartialOrd for Edge {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Edge {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Edge {}

/// The sign of [`turn`], exactly.
fn exact_turn(a: Vec2, b: Vec2, c: Vec2) -> Ordering {
    let [a, b, c] = [a, b, c].map(|p| Coord { x: p.x, y: p.y });
    orient2d(a, b, c).partial_cmp(&0.0).unwrap_or(Ordering::Equal)
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
    use core::cell::Cell;

    thread_local! {
        /// The number of times that a side was computed on this thread.
        pub(super) static SIDES: Cell<u64> = const { Cell::new(0) };
    }

    /// The definition: some two edges cross.
    fn some_pair_crosses(points: &[Vec2]) -> bool {
        let edges: Vec<Edge> = edges(points).collect();
        edges.iter().enumerate().any(|(i, a)| edges[i + 1..].iter().any(|b| a.crosses(b)))
    }

    #[track_caller]
    fn assert_sweep_agrees(points: &[Vec2]) -> bool {
        let found = sweep(points);
        assert_eq!(found.is_some(), some_pair_crosses(points), "{points:?}");
        if let Some((i, k)) = found {
            let named = |n| edges(points).find(|edge| edge.index == n).unwrap();
            assert!(i < k && named(i).crosses(&named(k)), "{i} and {k} of {points:?}");
        }
        assert_eq!(crossing(points).is_some(), found.is_some(), "{points:?}");
        found.is_some()
    }

    #[test]
    fn the_sweep_finds_a_crossing_where_the_search_of_all_pairs_does() {
        let mut random = Random::new(7, 0, 0, 0);
        let mut crossed = 0;
        for round in 0..20_000_u32 {
            let corners = 3 + round % 9;
            // A small lattice makes corners coincide and edges touch, overlap and stand upright.
            let width = 2 + round / 7 % 6;
            let mut axis = || {
                let on_lattice = (random.unit() * width as f32).floor();
                if round % 5 == 0 { random.between(-1e3, 1e3) } else { on_lattice }
            };
            let points: Vec<Vec2> = (0..corners).map(|_| Vec2::new(axis(), axis())).collect();
            crossed += u32::from(assert_sweep_agrees(&points));
        }
        assert!((5_000..15_000).contains(&crossed), "{crossed}");
    }

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
    fn the_sweep_agrees_on_stars_with_two_corners_exchanged_and_on_a_lattice() {
        let mut random = Random::new(7, 0, 0, 0);
        let mut crossed = 0;
        for round in 0..300 {
            let corners = 65 + round;
            let mut points = star(corners, &mut random);
            // Two corners change places in every second polygon: most of those cross.
            if round % 2 == 0 {
                points.swap(round % corners, (round * 7 + 3) % corners);
            }
            if round % 3 == 0 {
                points.iter_mut().for_each(|p| *p = (*p / 100.0).round() * 100.0);
            }
            crossed += u32::from(assert_sweep_agrees(&points));
        }
        assert!((50..250).contains(&crossed), "{crossed}");
    }

    #[test]
    fn fans_and_combs_of_long_edges_are_swept_in_about_n_log_n_steps() {
        let corners = 20_000_u16;
        // Needles from one point in all directions; teeth side by side.
        let needle = |i: u16| {
            let angle = f32::from(i) / f32::from(corners) * 1.5;
            Vec2::new(libm::cosf(angle), libm::sinf(angle)) * f32::from(i % 2) * 1e6
        };
        let tooth = |i: u16| Vec2::new(f32::from(i / 2), if i % 4 < 2 { 1.0 } else { 1e5 });
        let leaning =
            |i: u16| Vec2::new(f32::from(i), 1.0) + Vec2::new(1e4, 1e5) * f32::from(i % 2);
        let below = [Vec2::new(9e4, 0.0), Vec2::new(-1.0, 0.0)];
        let comb = |tooth: &dyn Fn(u16) -> Vec2| (0..corners).map(tooth).chain(below).collect();
        for points in [(0..corners).map(needle).collect(), comb(&tooth), comb(&leaning)] {
            let points: Vec<Vec2> = points;
            SIDES.set(0);
            assert_eq!(crossing(&points), None);
            // All pairs are 200 million, with two or four sides each.
            assert!(SIDES.get() < 1_000 * points.len() as u64, "{} sides", SIDES.get());
        }
    }

    #[test]
    fn the_side_of_a_point_is_exact() {
        // The differences of these coordinates have more bits than an f64.
        let far = Vec2::splat(1e9);
        let (on, above) = (Vec2::splat(1e-9), Vec2::new(1e-9, 2e-9));
        assert_eq!(exact_turn(-far, far, on), Ordering::Equal);
        assert_eq!(exact_turn(-far, far, above), Ordering::Greater);
        assert_eq!(exact_turn(far, -far, above), Ordering::Less);
        assert_eq!(exact_turn(above, on, on), Ordering::Equal);
    }
}
