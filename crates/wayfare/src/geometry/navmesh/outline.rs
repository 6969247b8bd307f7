//! The outline of the union of polygons: all edges, cut where they meet, without the parts inside a
//! polygon or outside the region.
//!
//! Signs are exact, so that touching and collinear edges need no tolerance. Crossings are rounded
//! to a fine grid, which merges crossings of several edges in one point (snap rounding: J. D.
//! Hobby, "Practical segment intersection with finite precision output", Computational Geometry,
//! 1999).

use alloc::vec::Vec;

use glam::Vec2;

use super::exact::{
    Point, along, distance, distance_to, dot, in_f64, is_between, is_inside, pairs, turn,
};
use crate::spatial::bvh::{Bvh, Item, MARGIN};
use crate::spatial::space::Space;

/// A tree over the boxes around pieces of geometry.
#[derive(Clone, Debug, Default)]
pub(super) struct BoxTree(Bvh<Vec2>);

impl BoxTree {
    /// The tree over boxes around these points, each with its index.
    pub(super) fn new<P: IntoIterator<Item = Point>>(pieces: impl Iterator<Item = P>) -> Self {
        let mut tree = Bvh::default();
        tree.build((0..).zip(pieces).map(|(index, points)| {
            let ends = points.into_iter().map(in_f32);
            let (low, high) = ends.fold(
                (Vec2::splat(f32::INFINITY), Vec2::splat(f32::NEG_INFINITY)),
                |(low, high), p| (low.min(p), high.max(p)),
            );
            // Room for rounding.
            let room = MARGIN * low.abs().max(high.abs()).max_element();
            Item { low: low - room, high: high + room, rank: index, index }
        }));
        Self(tree)
    }

    /// The indices of the pieces whose boxes touch the box around these points, grown by `room`
    /// (length), in increasing order.
    pub(super) fn near(&self, points: &[Point], room: f64, found: &mut Vec<u32>) {
        self.near_in_any_order(points, room, found);
        found.sort_unstable();
    }

    /// [`near`](Self::near), for those who ask only whether there is one, or sort what follows.
    fn near_in_any_order(&self, points: &[Point], room: f64, found: &mut Vec<u32>) {
        found.clear();
        let (mut low, mut high) = (Vec2::splat(f32::INFINITY), Vec2::splat(f32::NEG_INFINITY));
        for p in points {
            (low, high) = (low.min(in_f32(*p)), high.max(in_f32(*p)));
        }
        let room = Vec2::splat(room as f32);
        self.0.touching(&Space::OPEN, low - room, high + room, |index| found.push(index));
    }
}

pub(super) fn in_f32(p: Point) -> Vec2 {
    Vec2::new(p.x as f32, p.y as f32)
}

/// The region inside which routes lie, and the polygons that they do not enter.
pub(super) struct Area<'a> {
    pub(super) low: Point,
    pub(super) high: Point,
    pub(super) polygons: &'a [Vec<Vec2>],
    tree: BoxTree,
    /// The edges of each polygon with many.
    edges: Vec<Option<BoxTree>>,
    /// The sides of each convex polygon; none of others.
    sides: Vec<Vec<Side>>,
}

/// A side of a convex polygon: `normal` points inwards, and the points of its line have the scalar
/// product `offset` (length) with it.
struct Side {
    normal: Point,
    offset: f64,
}

impl Side {
    /// How far inside `p` is (length).
    fn depth(&self, p: Point) -> f64 {
        self.normal.x * p.x + self.normal.y * p.y - self.offset
    }
}

/// The sides of a polygon that is convex and counter-clockwise; none otherwise.
fn sides(polygon: &[Vec2]) -> Vec<Side> {
    let corner = |k: usize| in_f64(polygon[k % polygon.len()]);
    let count = polygon.len();
    // One that winds round more than once has several corners from which it goes on to the right.
    let is_left = |k: usize| corner(k).x > corner(k + 1).x;
    let starts = (0..count).filter(|&k| is_left(k) && !is_left(k + 1)).count();
    let turns = |k: usize| turn(corner(k), corner(k + 1), corner(k + 2)) > 0.0;
    if starts != 1 || !(0..count).all(turns) {
        return Vec::new();
    }
    let side = |k: usize| {
        let (a, b) = (corner(k), corner(k + 1));
        let length = distance(a, b);
        let normal = Point { x: (a.y - b.y) / length, y: (b.x - a.x) / length };
        Side { normal, offset: normal.x * a.x + normal.y * a.y }
    };
    (0..count).map(side).collect()
}

/// The part of the segment from `a` to `b` that is farther inside all `sides` than `margin`
/// (length), as fractions: M. Cyrus and J. Beck, "Generalized two- and three-dimensional clipping",
/// Computers & Graphics, 1978.
fn inside(sides: &[Side], [a, b]: [Point; 2], margin: f64) -> Option<[f64; 2]> {
    let (mut from, mut to): (f64, f64) = (0.0, if sides.is_empty() { 0.0 } else { 1.0 });
    for side in sides {
        let (at_a, at_b) = (side.depth(a) - margin, side.depth(b) - margin);
        if at_a <= 0.0 && at_b <= 0.0 {
            return None;
        }
        if at_a < 0.0 {
            from = from.max(at_a / (at_a - at_b));
        } else if at_b < 0.0 {
            to = to.min(at_a / (at_a - at_b));
        }
    }
    (from < to).then_some([from, to])
}

/// The number of corners from which on the edges of a polygon are in a tree.
const MANY: usize = 64;

impl<'a> Area<'a> {
    pub(super) fn new(low: Vec2, high: Vec2, polygons: &'a [Vec<Vec2>]) -> Self {
        let corners = |polygon: &'a Vec<Vec2>| polygon.iter().map(|p| in_f64(*p));
        let tree = BoxTree::new(polygons.iter().map(corners));
        let edges_of = |polygon: &'a Vec<Vec2>| {
            let ends = pairs(polygon).map(|(a, b)| [in_f64(a), in_f64(b)]);
            (polygon.len() >= MANY).then(|| BoxTree::new(ends))
        };
        let edges = polygons.iter().map(edges_of).collect();
        let sides = polygons.iter().map(|polygon| sides(polygon)).collect();
        Self { low: in_f64(low), high: in_f64(high), polygons, tree, edges, sides }
    }

    /// The corners of the region, counter-clockwise.
    fn corners(&self) -> [Point; 4] {
        let (low, high) = (self.low, self.high);
        [low, Point { x: high.x, y: low.y }, high, Point { x: low.x, y: high.y }]
    }

    /// Whether `p` is outside the region or inside a polygon.
    pub(super) fn is_blocked(&self, p: Point, near: &mut Buffers) -> bool {
        let Buffers { polygons, edges, .. } = near;
        self.is_outside(p, 0.0) || {
            self.tree.near_in_any_order(&[p], 0.0, polygons);
            polygons.iter().any(|&index| {
                let polygon = &self.polygons[index as usize];
                let Some(tree) = &self.edges[index as usize] else {
                    return is_inside(pairs(polygon), p);
                };
                let edge = |k: &u32| {
                    let k = *k as usize;
                    (polygon[k], polygon[if k + 1 == polygon.len() { 0 } else { k + 1 }])
                };
                let end = Point { x: f64::from(f32::MAX), y: p.y };
                tree.near_in_any_order(&[p, end], 0.0, edges);
                is_inside(edges.iter().map(edge), p)
            })
        }
    }

    /// Whether `p` is outside the region or inside a polygon, and farther than `margin` (length)
    /// from the edges. It does not ask polygons with many corners that are not convex: that costs
    /// more than to keep a piece inside them.
    fn is_inner(&self, p: Point, margin: f64, Buffers { polygons, .. }: &mut Buffers) -> bool {
        self.is_outside(p, margin) || {
            self.tree.near_in_any_order(&[p], 0.0, polygons);
            polygons.iter().map(|&k| k as usize).any(|k| {
                let (polygon, sides) = (&self.polygons[k], &self.sides[k]);
                if !sides.is_empty() {
                    return sides.iter().all(|side| side.depth(p) > margin);
                }
                self.edges[k].is_none()
                    && is_inside(pairs(polygon), p)
                    && distance_to(pairs(polygon), p) > margin
            })
        }
    }

    fn is_outside(&self, p: Point, margin: f64) -> bool {
        let beyond = |p: f64, low: f64, high: f64| (low - p).max(p - high) > margin;
        beyond(p.x, self.low.x, self.high.x) || beyond(p.y, self.low.y, self.high.y)
    }

    /// The part of an edge, number `k` of the polygon `own`, outside which all of it is farther
    /// inside convex polygons than `margin` (length), as fractions; `None` if nothing is left.
    fn open_part(
        &self,
        (own, k): (usize, usize),
        edge: [Point; 2],
        margin: f64,
        Buffers { polygons, open, .. }: &mut Buffers,
    ) -> Option<[f64; 2]> {
        open.clear();
        open.push([0.0, 1.0]);
        let mut cover = |[first, last]: [f64; 2], other: usize| {
            let part = [lerp(edge, first), lerp(edge, last)];
            if let Some(covered) = inside(&self.sides[other], part, margin) {
                let [from, to] = covered.map(|at| first + (last - first) * at);
                for k in (0..open.len()).rev() {
                    let [start, end] = open[k];
                    if from < end && start < to {
                        open.swap_remove(k);
                        open.extend([[start, from], [to, end]].into_iter().filter(|[a, b]| a < b));
                    }
                }
            }
            let hull = |[low, high]: [f64; 2], [a, b]: [f64; 2]| [low.min(a), high.max(b)];
            open.iter().copied().reduce(hull)
        };
        // The grown edges of an obstacle follow its polygon, each beside its neighbors.
        let beside = (0..7).flat_map(|k| [own.checked_sub(1 << k), Some(own + (1 << k))]);
        let mut part = [0.0, 1.0];
        let first = [Some(own + 1 + k)].into_iter().chain(beside).flatten();
        for other in first.filter(|&other| other < self.sides.len()) {
            part = cover(part, other)?;
        }
        // Of an edge that they leave whole, others may cover all.
        if part == [0.0, 1.0] {
            self.tree.near_in_any_order(&edge, 0.0, polygons);
            for &other in polygons.iter() {
                part = cover(part, other as usize)?;
            }
        }
        Some(part)
    }
}

/// Buffers of indices.
#[derive(Default)]
pub(super) struct Buffers {
    polygons: Vec<u32>,
    edges: Vec<u32>,
    /// The parts of an edge that are not covered, as fractions.
    open: Vec<[f64; 2]>,
}

/// Points, and the pieces between them, which meet only at their ends.
pub(super) struct Outline {
    pub(super) points: Vec<Point>,
    pub(super) pieces: Vec<[usize; 2]>,
}

/// The outline of the free part of an area; crossings are rounded to a grid of this width (length).
pub(super) fn outline(area: &Area<'_>, grid: f64) -> Outline {
    let mut near = Buffers::default();
    let edges = edges(area, 16.0 * grid, &mut near);
    let cuts = cuts(&edges, grid);
    let mut pieces: Vec<[Point; 2]> = Vec::new();
    for (&Edge { ends: [a, b], .. }, mut cuts) in edges.iter().zip(cuts) {
        cuts.extend([a, b]);
        // An edge starts at its first point from left to right.
        cuts.sort_unstable_by(|p, q| dot(a, b, *p).total_cmp(&dot(a, b, *q)).then(along(p, q)));
        cuts.dedup();
        for pair in cuts.windows(2) {
            let middle =
                Point { x: 0.5 * (pair[0].x + pair[1].x), y: 0.5 * (pair[0].y + pair[1].y) };
            if !area.is_inner(middle, 4.0 * grid, &mut near) {
                let swap = along(&pair[0], &pair[1]).is_gt();
                pieces.push(if swap { [pair[1], pair[0]] } else { [pair[0], pair[1]] });
            }
        }
    }
    let corners = area.corners();
    let mut points: Vec<Point> = pieces.iter().flatten().chain(&corners).copied().collect();
    points.sort_unstable_by(along);
    points.dedup();
    let index = |p: &Point| points.partition_point(|q| along(q, p).is_lt());
    let mut pieces: Vec<[usize; 2]> = pieces.iter().map(|[a, b]| [index(a), index(b)]).collect();
    pieces.sort_unstable();
    pieces.dedup();
    Outline { points, pieces }
}

/// An edge from left to right.
#[derive(Clone, Copy)]
struct Edge {
    ends: [Point; 2],
    /// The ends of its open part: the rest is inside polygons.
    part: [Point; 2],
}

/// The edges of the region and the polygons, each once, from left to right, without those that
/// convex polygons cover by more than `margin` (length). The grown edges of a fine outline cover
/// each other many times, and each would be cut by all the others.
fn edges(area: &Area<'_>, margin: f64, near: &mut Buffers) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut add = |corners: &[Point], own: Option<usize>| {
        let next = corners.iter().cycle().skip(1);
        for (k, (&a, &b)) in corners.iter().zip(next).enumerate().filter(|(_, (a, b))| a != b) {
            let ends = if along(&a, &b).is_lt() { [a, b] } else { [b, a] };
            let mut part = |own: usize| area.open_part((own, k), ends, margin, near);
            let open = own.map_or(Some([0.0, 1.0]), &mut part);
            edges.extend(open.map(|open| Edge { ends, part: open.map(|at| lerp(ends, at)) }));
        }
    };
    add(&area.corners(), None);
    let mut corners = Vec::new();
    for (own, polygon) in area.polygons.iter().enumerate() {
        corners.clear();
        // Negative zeros would tell equal points apart.
        corners.extend(polygon.iter().map(|p| in_f64(*p + Vec2::ZERO)));
        add(&corners, Some(own));
    }
    let order = |p: [Point; 2], q: [Point; 2]| along(&p[0], &q[0]).then(along(&p[1], &q[1]));
    edges.sort_unstable_by(|p, q| order(p.ends, q.ends));
    edges.dedup_by(|p, q| p.ends == q.ends);
    edges
}

/// The points inside each edge at which its open part meets those of others.
fn cuts(edges: &[Edge], grid: f64) -> Vec<Vec<Point>> {
    let tree = BoxTree::new(edges.iter().map(|edge| edge.part));
    let mut cuts: Vec<Vec<Point>> = vec![Vec::new(); edges.len()];
    let mut near = Vec::new();
    for (i, &Edge { ends: [a, b], part }) in edges.iter().enumerate() {
        tree.near_in_any_order(&part, 0.0, &mut near);
        for k in near.iter().map(|&k| k as usize).filter(|&k| k > i) {
            let [c, d] = edges[k].ends;
            let ([sc, sd], [sa, sb]) =
                ([turn(a, b, c), turn(a, b, d)], [turn(c, d, a), turn(c, d, b)]);
            let parts = |s: f64, t: f64| (s > 0.0 && t < 0.0) || (s < 0.0 && t > 0.0);
            if parts(sc, sd) && parts(sa, sb) {
                let crossing = on_grid(crossing([a, b], [c, d]), grid);
                cuts[i].push(crossing);
                cuts[k].push(crossing);
                continue;
            }
            let mut touch = |edge: usize, sign: f64, p: Point| {
                let [a, b] = edges[edge].ends;
                if sign == 0.0 && is_between(a, b, p) && p != a && p != b {
                    cuts[edge].push(p);
                }
            };
            touch(i, sc, c);
            touch(i, sd, d);
            touch(k, sa, a);
            touch(k, sb, b);
        }
    }
    cuts
}

/// The point at this fraction of an edge; its ends are exact.
fn lerp([a, b]: [Point; 2], at: f64) -> Point {
    if at >= 1.0 { b } else { Point { x: a.x + (b.x - a.x) * at, y: a.y + (b.y - a.y) * at } }
}

/// The intersection of two edges that cross (length).
fn crossing([a, b]: [Point; 2], [c, d]: [Point; 2]) -> Point {
    // Relative to `a`: differences keep the digits of edges far from the origin.
    let cross = |p: Point, q: Point| p.x * q.y - p.y * q.x;
    let minus = |p: Point, q: Point| Point { x: p.x - q.x, y: p.y - q.y };
    let (first, second, between) = (minus(b, a), minus(d, c), minus(c, a));
    let divisor = cross(first, second);
    // Exact signs say that they cross; rounding may nevertheless say that they are parallel.
    let fraction =
        if divisor == 0.0 { 0.5 } else { (cross(between, second) / divisor).clamp(0.0, 1.0) };
    Point { x: a.x + first.x * fraction, y: a.y + first.y * fraction }
}

fn on_grid(p: Point, grid: f64) -> Point {
    let round = |x: f64| libm::round(x / grid) * grid + 0.0;
    Point { x: round(p.x), y: round(p.y) }
}

#[cfg(test)]
mod tests {
    use core::f32::consts::TAU;

    use glam::vec2;

    use super::super::inflate::inflate;
    use super::*;
    use crate::geometry::obstacle::Shape;
    use crate::random::Random;

    /// The grown polygons of a star with so many corners, between 20 and `tip` from the middle.
    fn star(count: u16, tip: f32, clearance: f64, random: &mut Random) -> Vec<Vec<Vec2>> {
        let mut corner = |k: u16| {
            let angle = TAU * f32::from(k) / f32::from(count);
            vec2(50.0, 50.0) + random.between(20.0, tip) * vec2(angle.cos(), angle.sin())
        };
        let points = (0..count).map(&mut corner).collect();
        let mut polygons = Vec::new();
        inflate::<Vec2>(&Shape::Polygon { points }, clearance, clearance / 50.0, &mut polygons);
        polygons
    }

    #[test]
    fn an_outline_is_the_same_as_one_of_all_edges() {
        let mut random = Random::new(30, 0, 0, 0);
        let mut covered = 0;
        for round in 0..60_u16 {
            let clearance = f64::from(random.between(0.1, 12.0));
            let mut polygons = star(3 + round, 40.0, clearance, &mut random);
            polygons.extend(star(4, 21.0, 1.0, &mut random));
            let mut area = Area::new(Vec2::ZERO, vec2(95.0, 95.0), &polygons);
            let grid = 1e-12;
            let found = outline(&area, grid);
            let some = edges(&area, 16.0 * grid, &mut Buffers::default()).len();
            area.sides.iter_mut().for_each(Vec::clear);
            let all = outline(&area, grid);
            assert!(found.points == all.points && found.pieces == all.pieces, "round {round}");
            covered += edges(&area, 16.0 * grid, &mut Buffers::default()).len() - some;
        }
        assert!(covered > 10_000, "{covered}");
    }

    #[test]
    fn the_edges_of_a_fine_outline_are_cut_a_few_times_each() {
        let mut random = Random::new(31, 0, 0, 0);
        for (tip, clearance) in [(20.0, 0.3), (20.1, 3.0), (40.0, 0.3), (40.0, 3.0)] {
            let polygons = star(4_000, tip, clearance, &mut random);
            let area = Area::new(Vec2::ZERO, vec2(100.0, 100.0), &polygons);
            let edges = edges(&area, 1e-12, &mut Buffers::default());
            let cuts: usize = cuts(&edges, 1e-13).iter().map(Vec::len).sum();
            // Of 68,000 or more, and each meets hundreds of others.
            assert!(edges.len() < 24_000 && cuts < 24_000, "{} edges, {cuts} cuts", edges.len());
        }
    }
}
