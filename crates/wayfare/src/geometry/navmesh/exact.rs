//! Points with coordinates in `f64`, and exact signs.

use core::cmp::Ordering;

use glam::Vec2;

/// A point of the plane (length).
pub(super) type Point = robust::Coord<f64>;

pub(super) fn in_f64(p: Vec2) -> Point {
    Point { x: f64::from(p.x), y: f64::from(p.y) }
}

/// Twice the area of the triangle a, b, c, with the exact sign: above zero where `c` is to the left
/// of the line from `a` to `b`.
pub(super) fn turn(a: Point, b: Point, c: Point) -> f64 {
    robust::orient2d(a, b, c)
}

pub(super) fn distance(a: Point, b: Point) -> f64 {
    let (x, y) = (b.x - a.x, b.y - a.y);
    (x * x + y * y).sqrt()
}

/// The scalar product of the offsets from `a` to `b` and from `a` to `c`.
pub(super) fn dot(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.x - a.x) + (b.y - a.y) * (c.y - a.y)
}

/// Whether `p` is on the segment from `a` to `b`, ends included, where the three are on one line.
pub(super) fn is_between(a: Point, b: Point, p: Point) -> bool {
    let within = |a: f64, b: f64, p: f64| a.min(b) <= p && p <= a.max(b);
    within(a.x, b.x, p.x) && within(a.y, b.y, p.y)
}

/// From left to right, upwards along a vertical.
pub(super) fn along(a: &Point, b: &Point) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

/// The point of the segment from `a` to `b` that is nearest to `p`.
pub(super) fn nearest_on(a: Point, b: Point, p: Point) -> Point {
    let squared = dot(a, b, b);
    let fraction = if squared > 0.0 { dot(a, b, p) / squared } else { 0.0 };
    if fraction <= 0.0 {
        a
    } else if fraction >= 1.0 {
        b
    } else {
        Point { x: a.x + (b.x - a.x) * fraction, y: a.y + (b.y - a.y) * fraction }
    }
}

/// The edges of a polygon.
pub(super) fn pairs(polygon: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    polygon.iter().copied().zip(polygon.iter().copied().cycle().skip(1))
}

/// Even-odd rule with exact signs: whether a ray from `p` along +x crosses these edges of a polygon
/// an odd number of times. Those that the ray does not reach may be missing.
pub(super) fn is_inside(edges: impl Iterator<Item = (Vec2, Vec2)>, p: Point) -> bool {
    let mut inside = false;
    for (a, b) in edges {
        let (a, b) = (in_f64(a), in_f64(b));
        if (a.y > p.y) != (b.y > p.y) && (turn(a, b, p) > 0.0) == (b.y > a.y) {
            inside = !inside;
        }
    }
    inside
}

/// The distance from `p` to the nearest of these edges.
pub(super) fn distance_to(edges: impl Iterator<Item = (Vec2, Vec2)>, p: Point) -> f64 {
    let distance = |(a, b): (Vec2, Vec2)| distance(p, nearest_on(in_f64(a), in_f64(b), p));
    edges.map(distance).fold(f64::INFINITY, f64::min)
}
