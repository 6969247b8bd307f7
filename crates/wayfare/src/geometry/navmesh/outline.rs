//! The outline of the union of polygons: all edges, cut where they meet, without the parts inside a
//! polygon or outside the region.
//!
//! Signs are exact, so that touching and collinear edges need no tolerance. Crossings are rounded
//! to a fine grid, which merges crossings of several edges in one point (snap rounding: J. D.
//! Hobby, "Practical segment intersection with finite precision output", Computational Geometry,
//! 1999).

use alloc::vec::Vec;

use glam::Vec2;

use super::exact::{Point, along, distance_to, dot, in_f64, is_between, is_inside, pairs, turn};
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
        Self { low: in_f64(low), high: in_f64(high), polygons, tree, edges }
    }

    /// The corners of the region, counter-clockwise.
    fn corners(&self) -> [Point; 4] {
        let (low, high) = (self.low, self.high);
        [low, Point { x: high.x, y: low.y }, high, Point { x: low.x, y: high.y }]
    }

    /// Whether `p` is outside the region or inside a polygon, and farther than `margin` (length)
    /// from the edges.
    pub(super) fn is_blocked(&self, p: Point, margin: f64, near: &mut Buffers) -> bool {
        let beyond = |p: f64, low: f64, high: f64| (low - p).max(p - high) > margin;
        if beyond(p.x, self.low.x, self.high.x) || beyond(p.y, self.low.y, self.high.y) {
            return true;
        }
        let Buffers { polygons, edges } = near;
        self.tree.near_in_any_order(&[p], 0.0, polygons);
        polygons.iter().any(|&index| {
            let polygon = &self.polygons[index as usize];
            let edge = |k: u32| {
                let k = k as usize;
                (polygon[k], polygon[if k + 1 == polygon.len() { 0 } else { k + 1 }])
            };
            // The distance first: the middle of an edge is on its own polygon.
            match &self.edges[index as usize] {
                Some(tree) => {
                    tree.near_in_any_order(&[p], margin, edges);
                    if margin > 0.0 && distance_to(edges.iter().map(|&k| edge(k)), p) <= margin {
                        return false;
                    }
                    tree.near_in_any_order(
                        &[p, Point { x: f64::from(f32::MAX), y: p.y }],
                        0.0,
                        edges,
                    );
                    is_inside(edges.iter().map(|&k| edge(k)), p)
                }
                None => {
                    is_inside(pairs(polygon), p)
                        && (margin == 0.0 || distance_to(pairs(polygon), p) > margin)
                }
            }
        })
    }
}

/// Buffers of indices.
#[derive(Default)]
pub(super) struct Buffers {
    polygons: Vec<u32>,
    edges: Vec<u32>,
}

/// Points, and the pieces between them, which meet only at their ends.
pub(super) struct Outline {
    pub(super) points: Vec<Point>,
    pub(super) pieces: Vec<[usize; 2]>,
}

/// The outline of the free part of an area; crossings are rounded to a grid of this width (length).
pub(super) fn outline(area: &Area<'_>, grid: f64) -> Outline {
    let edges = edges(area);
    let cuts = cuts(&edges, grid);
    let mut near = Buffers::default();
    let mut pieces: Vec<[Point; 2]> = Vec::new();
    for (&[a, b], mut cuts) in edges.iter().zip(cuts) {
        cuts.extend([a, b]);
        // An edge starts at its first point from left to right.
        cuts.sort_unstable_by(|p, q| dot(a, b, *p).total_cmp(&dot(a, b, *q)).then(along(p, q)));
        cuts.dedup();
        for pair in cuts.windows(2) {
            let middle =
                Point { x: 0.5 * (pair[0].x + pair[1].x), y: 0.5 * (pair[0].y + pair[1].y) };
            if !area.is_blocked(middle, 4.0 * grid, &mut near) {
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

/// The edges of the region and the polygons, each once, from left to right.
fn edges(area: &Area<'_>) -> Vec<[Point; 2]> {
    let mut edges = Vec::new();
    let mut add = |corners: &[Point]| {
        let next = corners.iter().cycle().skip(1);
        let in_order = |(a, b): (&Point, &Point)| {
            if along(a, b).is_lt() { [*a, *b] } else { [*b, *a] }
        };
        edges.extend(corners.iter().zip(next).filter(|(a, b)| a != b).map(in_order));
    };
    add(&area.corners());
    let mut corners = Vec::new();
    for polygon in area.polygons {
        corners.clear();
        // Negative zeros would tell equal points apart.
        corners.extend(polygon.iter().map(|p| in_f64(*p + Vec2::ZERO)));
        add(&corners);
    }
    edges.sort_unstable_by(|p, q| along(&p[0], &q[0]).then(along(&p[1], &q[1])));
    edges.dedup();
    edges
}

/// The points inside each edge at which it meets others.
fn cuts(edges: &[[Point; 2]], grid: f64) -> Vec<Vec<Point>> {
    let tree = BoxTree::new(edges.iter().copied());
    let mut cuts: Vec<Vec<Point>> = vec![Vec::new(); edges.len()];
    let mut near = Vec::new();
    for (i, &[a, b]) in edges.iter().enumerate() {
        tree.near_in_any_order(&[a, b], 0.0, &mut near);
        for k in near.iter().map(|&k| k as usize).filter(|&k| k > i) {
            let [c, d] = edges[k];
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
                let [a, b] = edges[edge];
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
