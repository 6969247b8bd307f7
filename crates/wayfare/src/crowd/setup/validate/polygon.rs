//! Whether a polygon has an inside: its edges do not cross, and it is no line.

use glam::Vec2;

/// The first two edges that cross, each by its first corner. Edges that only touch do not.
pub(super) fn crossing(points: &[Vec2]) -> Option<(usize, usize)> {
    let end = |i: usize| points[(i + 1) % points.len()];
    let parts = |i: usize, k: usize| {
        turn(points[i], end(i), points[k]) * turn(points[i], end(i), end(k)) < 0.0
    };
    // From left to right, so that only edges that share some x are compared.
    let (left, right) =
        (|i: usize| points[i].x.min(end(i).x), |i: usize| points[i].x.max(end(i).x));
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|a, b| left(*a).total_cmp(&left(*b)));
    order.iter().enumerate().find_map(|(n, &i)| {
        let mut beside = order[n + 1..].iter().take_while(|k| left(**k) <= right(i));
        beside.find(|k| parts(i, **k) && parts(**k, i)).map(|&k| (i.min(k), i.max(k)))
    })
}

/// Whether its area is nothing but rounding, next to its extent.
pub(super) fn is_flat(points: &[Vec2]) -> bool {
    let doubled: f64 = points.windows(2).map(|pair| turn(points[0], pair[0], pair[1])).sum();
    let extent = points.iter().map(|p| f64::from((*p - points[0]).length())).fold(0.0, f64::max);
    doubled.abs() <= 1e-7 * extent * extent
}

/// Twice the area of the triangle: above zero where a, b, c turn one way, below where they turn the
/// other.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let from_a = |p: Vec2| (f64::from(p.x) - f64::from(a.x), f64::from(p.y) - f64::from(a.y));
    let (b, c) = (from_a(b), from_a(c));
    b.0 * c.1 - b.1 * c.0
}
