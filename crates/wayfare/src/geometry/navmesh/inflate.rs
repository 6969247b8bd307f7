//! Obstacles grown by the clearance, as polygons.
//!
//! The disc of the clearance is replaced by a regular polygon around it; a grown obstacle is the
//! Minkowski sum with that polygon. As all corners get the same polygon, the outlines of walls that
//! share an end share their corners to the bit.

use alloc::vec::Vec;

use glam::Vec2;

use super::exact::{Point, in_f64, turn};
use crate::geometry::obstacle::Shape;
use crate::vector::Vector;

/// The largest number of corners of a circle is about 700: the tolerance is at least this fraction
/// of the radius.
const FINEST: f64 = 1e-5;

/// Appends the polygons whose union is the shape grown by `clearance` (length); no point of their
/// outline is nearer than `clearance` to the shape, or farther than `clearance + tolerance`.
pub(super) fn inflate<V: Vector>(
    shape: &Shape<V>,
    clearance: f64,
    tolerance: f64,
    polygons: &mut Vec<Vec<Vec2>>,
) {
    let grown = |corners: &[Vec2], radius: f64| {
        let disc = disc(radius, tolerance);
        let add = |p: &Vec2| {
            let p = in_f64(*p);
            disc.iter().map(move |d| rounded(p.x + d.x, p.y + d.y)).collect::<Vec<_>>()
        };
        hull(corners.iter().flat_map(add).collect())
    };
    match shape {
        Shape::Circle { center, radius } => {
            polygons.push(grown(&[center.flat()], clearance + f64::from(*radius)));
        }
        Shape::Box { center, half, angle } => {
            let (turn, half) = (Vec2::direction_unit(*angle), half.flat());
            let corner =
                |x: f32, y: f32| center.flat() + Vec2::new(x * half.x, y * half.y).turned(turn);
            let corners =
                [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            polygons.push(grown(&corners, clearance));
        }
        Shape::Segment { from, to, thickness } => {
            let radius = clearance + 0.5 * f64::from(*thickness);
            polygons.push(grown(&[from.flat(), to.flat()], radius));
        }
        Shape::Polygon { points } => {
            // The inside, and each edge grown: no convex parts are needed.
            if points.len() > 2 {
                polygons.push(points.iter().map(|p| rounded(p.x.into(), p.y.into())).collect());
            }
            let next = points.iter().cycle().skip(1);
            polygons.extend(points.iter().zip(next).map(|(a, b)| grown(&[*a, *b], clearance)));
        }
    }
}

/// The number of corners of the polygons of a grown shape, at most.
pub(super) fn corner_count<V: Vector>(shape: &Shape<V>, clearance: f64, tolerance: f64) -> u64 {
    let around = |radius: f64| side_count(radius, tolerance) as u64;
    match shape {
        Shape::Circle { radius, .. } => around(clearance + f64::from(*radius)),
        Shape::Box { .. } => 4 + around(clearance),
        Shape::Segment { thickness, .. } => 2 + around(clearance + 0.5 * f64::from(*thickness)),
        Shape::Polygon { points } => points.len() as u64 * (3 + around(clearance)),
    }
}

/// The number of sides of a regular polygon around a disc of this radius, no farther than
/// `tolerance` from it (length).
fn side_count(radius: f64, tolerance: f64) -> usize {
    let ratio = (tolerance / radius).max(FINEST);
    let half = libm::acos(1.0 / (1.0 + ratio));
    4 * libm::ceil(core::f64::consts::FRAC_PI_4 / half).max(1.0) as usize
}

/// The corners of a regular polygon around a disc of this radius, no farther than `tolerance` from
/// it (length). Their number is a multiple of four, so that sides face along both axes: walls along
/// an axis are grown by the clearance exactly.
fn disc(radius: f64, tolerance: f64) -> Vec<Point> {
    let count = side_count(radius, tolerance);
    let half = core::f64::consts::PI / count as f64;
    let outer = radius / libm::cos(half);
    let corner = |k: usize| {
        let (sin, cos) = libm::sincos(half * (2 * k + 1) as f64);
        Point { x: outer * cos, y: outer * sin }
    };
    (0..count).map(corner).collect()
}

/// In `f32`, so that corners of routes are exact; without negative zeros and tiny numbers, which
/// triangulations do not take.
fn rounded(x: f64, y: f64) -> Vec2 {
    let round = |x: f64| if x.abs() < 1e-30 { 0.0 } else { x as f32 };
    Vec2::new(round(x), round(y))
}

/// The convex hull, counter-clockwise, without points on its sides: A. M. Andrew, "Another
/// efficient algorithm for convex hulls in two dimensions", Information Processing Letters, 1979.
pub(super) fn hull(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    let mut hull: Vec<Vec2> = Vec::new();
    let mut half = |points: &mut dyn Iterator<Item = &Vec2>| {
        let first = hull.len();
        for &p in points {
            while let [.., a, b] = hull[first..]
                && turn(in_f64(a), in_f64(b), in_f64(p)) <= 0.0
            {
                hull.pop();
            }
            hull.push(p);
        }
        hull.pop();
    };
    half(&mut points.iter());
    half(&mut points.iter().rev());
    hull
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::obstacle::Obstacle;
    use glam::vec2;

    #[test]
    fn an_inflated_outline_is_at_least_the_clearance_away_and_at_most_the_tolerance_more() {
        let shapes = [
            Shape::Circle { center: vec2(3.0, -2.0), radius: 5.0 },
            Shape::Box { center: vec2(1.0, 2.0), half: vec2(4.0, 1.0), angle: 0.7 },
            Shape::Segment { from: vec2(-3.0, 1.0), to: vec2(4.0, 9.0), thickness: 0.5 },
            Shape::Segment { from: vec2(2.0, 2.0), to: vec2(2.0, 2.0), thickness: 0.0 },
        ];
        for (shape, tolerance) in shapes.iter().flat_map(|s| [(s, 0.3), (s, 0.01)]) {
            let obstacle = Obstacle::from(shape.clone());
            let mut polygons = Vec::new();
            inflate(shape, 0.8, tolerance, &mut polygons);
            let [polygon] = &polygons[..] else { panic!("{polygons:?}") };
            let next = polygon.iter().cycle().skip(1);
            for (a, b) in polygon.iter().zip(next) {
                for k in 0..8_u8 {
                    let distance = obstacle.distance(a.lerp(*b, f32::from(k) / 8.0));
                    let allowed = 0.8 - 1e-5..0.8 + tolerance as f32 + 1e-5;
                    assert!(allowed.contains(&distance), "{shape:?}: {distance}");
                }
            }
        }
        // Along the axes a wall is grown exactly.
        let mut polygons = Vec::new();
        let wall = Shape::box_between(vec2(0.0, 0.0), vec2(8.0, 2.0));
        inflate(&wall, 0.5, 0.05, &mut polygons);
        let low = polygons[0].iter().fold(Vec2::ZERO, |low, p| low.min(*p));
        assert_eq!(low, vec2(-0.5, -0.5));
    }
}
