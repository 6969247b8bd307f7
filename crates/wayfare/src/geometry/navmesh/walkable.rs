//! The walkable area of a world as polygons with holes: a box without its obstacles.
//!
//! The rings are traced along the outline of the free triangles. Around a point where obstacles
//! touch, a ring keeps to its own free triangles; a ring that nevertheless comes back to one of its
//! points is divided there. Rings are therefore simple, and touch each other in points at most, as
//! OpenGIS Simple Features (OGC 06-103r4, section 6.1.11) require of a valid polygon.

use alloc::vec;
use alloc::vec::Vec;

use glam::Vec2;

use super::exact::{Point, in_f64, turn};
use super::inflate::hull;
use super::outline::{Area, outline};
use super::triangles::{NONE, Triangles, next};
use super::{GRIDS, NavMeshError, grid, is_near};
use crate::geometry::obstacle::Shape;
use crate::vector::Vector;

/// The corners of the polygon inside a circle: at most 0.001 of the radius from it.
const SIDES: usize = 72;

/// A polygon with holes. No ring repeats its first point.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkablePolygon {
    /// The outer ring, counter-clockwise (length).
    pub outer: Vec<[f64; 2]>,
    /// The holes, clockwise, each inside the outer ring (length).
    pub holes: Vec<Vec<[f64; 2]>>,
}

impl WalkablePolygon {
    /// Whether `p` is inside, by the even-odd rule.
    pub fn contains(&self, p: Vec2) -> bool {
        let p = in_f64(p);
        let rings = core::iter::once(&self.outer).chain(&self.holes);
        rings.filter(|ring| ring_contains(ring, p)).count() % 2 == 1
    }
}

/// The box from `low` to `high` without these obstacles, as polygons that do not overlap, from left
/// to right by their first points; none if nothing is free.
///
/// Round shapes are taken as polygons inside them, at most 0.001 of the radius from the curve: a
/// point beside an obstacle is walkable. A wall without thickness has no area and is left out.
///
/// ```
/// use wayfare::geometry::{navmesh::walkable_area, obstacle::Shape};
/// use wayfare::glam::vec2;
/// let pillar = Shape::box_between(vec2(4.0, 4.0), vec2(6.0, 6.0));
/// let area = walkable_area(vec2(0.0, 0.0), vec2(10.0, 8.0), &[pillar])?;
/// assert_eq!((area.len(), area[0].outer.len(), area[0].holes[0].len()), (1, 4, 4));
/// # Ok::<(), wayfare::geometry::navmesh::NavMeshError>(())
/// ```
///
/// # Errors
/// The world has three dimensions; the box has no inside; a coordinate is beyond 1e9; or edges
/// cross so closely that they cannot be told apart.
pub fn walkable_area<V: Vector>(
    low: Vec2,
    high: Vec2,
    obstacles: &[Shape<V>],
) -> Result<Vec<WalkablePolygon>, NavMeshError> {
    if V::DIMENSION != 2 {
        return Err(NavMeshError::Space);
    }
    if !(low.x < high.x && low.y < high.y && is_near(low) && is_near(high)) {
        return Err(NavMeshError::Bounds);
    }
    let mut polygons: Vec<Vec<Vec2>> = Vec::new();
    for (index, shape) in obstacles.iter().enumerate() {
        let polygon = polygon_inside(shape);
        if !polygon.iter().all(|p| is_near(*p)) {
            return Err(NavMeshError::Obstacle(index));
        }
        if polygon.len() > 2 {
            polygons.push(polygon);
        }
    }
    let area = Area::new(low, high, &polygons);
    let triangulate = |bits| Triangles::new(&area, &outline(&area, grid(&polygons, bits)));
    let mesh = GRIDS.into_iter().find_map(triangulate).ok_or(NavMeshError::Precision)?;
    Ok(nested(rings(&mesh)))
}

/// The shape as a polygon that does not reach beyond it.
fn polygon_inside<V: Vector>(shape: &Shape<V>) -> Vec<Vec2> {
    let around = |centers: &[Vec2], radius: f32| {
        let corner = |k: usize| {
            let angle = core::f64::consts::TAU * k as f64 / SIDES as f64;
            let (sin, cos) = libm::sincos(angle);
            Vec2::new((f64::from(radius) * cos) as f32, (f64::from(radius) * sin) as f32)
        };
        hull(centers.iter().flat_map(|c| (0..SIDES).map(|k| *c + corner(k))).collect())
    };
    match shape {
        Shape::Circle { center, radius } => around(&[center.flat()], *radius),
        Shape::Box { center, half, angle } => {
            let (turn, half) = (Vec2::direction_unit(*angle), half.flat());
            let corner = |(x, y)| center.flat() + Vec2::new(x * half.x, y * half.y).turned(turn);
            hull([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(corner).to_vec())
        }
        Shape::Segment { thickness, .. } if *thickness <= 0.0 => Vec::new(),
        Shape::Segment { from, to, thickness } => {
            around(&[from.flat(), to.flat()], 0.5 * *thickness)
        }
        Shape::Polygon { points } => points.clone(),
    }
}

/// The outline of the free triangles as simple rings, with the free side on the left.
fn rings(mesh: &Triangles) -> Vec<Vec<Point>> {
    let mut rings = Vec::new();
    let boundary: Vec<u32> = mesh.boundary().collect();
    let most = boundary.iter().map(|h| *h as usize + 1).max().unwrap_or(0);
    let mut visited = vec![false; most];
    for first in boundary {
        let (mut ring, mut h): (Vec<Point>, u32) = (Vec::new(), first);
        while !visited[h as usize] {
            visited[h as usize] = true;
            let point = mesh.start(h);
            if let Some(at) = ring.iter().position(|p| *p == point) {
                rings.push(ring.split_off(at));
            }
            ring.push(point);
            // The next piece of the outline, around the free triangles at the end of this one.
            h = next(h);
            while mesh.twin[h as usize] != NONE {
                h = next(mesh.twin[h as usize]);
            }
        }
        rings.push(ring);
    }
    rings.iter_mut().for_each(simplify);
    rings.retain(|ring| ring.len() > 2);
    rings
}

/// Removes the points on straight sides, and lets the ring begin at its first point from left to
/// right.
fn simplify(ring: &mut Vec<Point>) {
    let count = ring.len();
    let is_corner = |i: usize| {
        let (before, after) = (ring[(i + count - 1) % count], ring[(i + 1) % count]);
        turn(before, ring[i], after) != 0.0
    };
    let corners: Vec<Point> = (0..count).filter(|i| is_corner(*i)).map(|i| ring[i]).collect();
    *ring = corners;
    let first = (0..ring.len()).min_by(|a, b| super::exact::along(&ring[*a], &ring[*b]));
    ring.rotate_left(first.unwrap_or(0));
}

/// Twice the area of a ring, above zero if it is counter-clockwise.
fn twice_area(ring: &[Point]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    let origin = ring[0];
    let cross = |(a, b): (&Point, &Point)| {
        (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y)
    };
    ring.iter().zip(next).map(cross).sum()
}

/// Holes in the smallest outer rings around them.
fn nested(mut rings: Vec<Vec<Point>>) -> Vec<WalkablePolygon> {
    rings.sort_by(|a, b| super::exact::along(&a[0], &b[0]).then(a.len().cmp(&b.len())));
    let coordinates = |ring: &[Point]| ring.iter().map(|p| [p.x, p.y]).collect::<Vec<_>>();
    let areas: Vec<f64> = rings.iter().map(|ring| twice_area(ring)).collect();
    let outer: Vec<usize> = (0..rings.len()).filter(|i| areas[*i] > 0.0).collect();
    let polygon = |i: &usize| WalkablePolygon { outer: coordinates(&rings[*i]), holes: Vec::new() };
    let mut polygons: Vec<WalkablePolygon> = outer.iter().map(polygon).collect();
    for hole in (0..rings.len()).filter(|i| areas[*i] < 0.0) {
        // Its corners may be on the outer ring; the middle of a side is not.
        let [a, b] = [rings[hole][0], rings[hole][1]];
        let middle = Point { x: 0.5 * (a.x + b.x), y: 0.5 * (a.y + b.y) };
        let around = (0..outer.len())
            .filter(|k| ring_contains(&polygons[*k].outer, middle))
            .min_by(|a, b| areas[outer[*a]].total_cmp(&areas[outer[*b]]));
        if let Some(k) = around {
            polygons[k].holes.push(coordinates(&rings[hole]));
        }
    }
    polygons
}

/// Even-odd rule with exact signs.
fn ring_contains(ring: &[[f64; 2]], p: Point) -> bool {
    let point = |[x, y]: [f64; 2]| Point { x, y };
    let next = ring.iter().cycle().skip(1);
    let crosses = |(a, b): (&[f64; 2], &[f64; 2])| {
        let (a, b) = (point(*a), point(*b));
        (a.y > p.y) != (b.y > p.y) && (turn(a, b, p) > 0.0) == (b.y > a.y)
    };
    ring.iter().zip(next).filter(|pair| crosses(*pair)).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;

    fn area(obstacles: &[Shape<Vec2>]) -> Vec<WalkablePolygon> {
        walkable_area(Vec2::ZERO, vec2(10.0, 10.0), obstacles).unwrap()
    }

    fn boxed(x: f32, y: f32, width: f32, height: f32) -> Shape<Vec2> {
        Shape::box_between(vec2(x, y), vec2(x + width, y + height))
    }

    /// The outer corners and the corners of the holes of each polygon.
    fn corners(area: &[WalkablePolygon]) -> Vec<(usize, Vec<usize>)> {
        let holes = |p: &WalkablePolygon| p.holes.iter().map(Vec::len).collect();
        area.iter().map(|p| (p.outer.len(), holes(p))).collect()
    }

    fn size(area: &[WalkablePolygon]) -> f64 {
        let ring = |ring: &Vec<[f64; 2]>| {
            let points: Vec<Point> = ring.iter().map(|&[x, y]| Point { x, y }).collect();
            0.5 * twice_area(&points)
        };
        area.iter().map(|p| ring(&p.outer) + p.holes.iter().map(ring).sum::<f64>()).sum()
    }

    #[test]
    fn obstacles_inside_are_holes_and_obstacles_at_the_edge_are_cut_off() {
        let found = area(&[boxed(2.0, 2.0, 2.0, 2.0), boxed(8.0, -1.0, 4.0, 3.0)]);
        assert_eq!((corners(&found), size(&found)), (vec![(6, vec![4])], 92.0));
        assert!(found[0].contains(vec2(1.0, 1.0)) && !found[0].contains(vec2(3.0, 3.0)));
    }

    #[test]
    fn obstacles_that_overlap_or_share_a_side_are_one_hole() {
        let side = [boxed(2.0, 2.0, 2.0, 2.0), boxed(4.0, 2.0, 2.0, 2.0)];
        assert_eq!((corners(&area(&side)), size(&area(&side))), (vec![(4, vec![4])], 92.0));
        let overlap = [boxed(2.0, 2.0, 3.0, 2.0), boxed(4.0, 3.0, 3.0, 2.0)];
        assert_eq!((corners(&area(&overlap)), size(&area(&overlap))), (vec![(4, vec![8])], 89.0));
    }

    #[test]
    fn obstacles_that_touch_in_a_point_are_two_holes() {
        let found = area(&[boxed(2.0, 2.0, 2.0, 2.0), boxed(4.0, 4.0, 2.0, 2.0)]);
        assert_eq!((corners(&found), size(&found)), (vec![(4, vec![4, 4])], 92.0));
        // At the edge of the world.
        let diamond = vec![vec2(0.0, 5.0), vec2(2.0, 3.0), vec2(4.0, 5.0), vec2(2.0, 7.0)];
        let found = area(&[Shape::Polygon { points: diamond }]);
        assert_eq!((corners(&found), size(&found)), (vec![(4, vec![4])], 92.0));
    }

    #[test]
    fn a_wall_across_the_world_leaves_two_polygons_and_a_courtyard_is_one_of_its_own() {
        let found = area(&[boxed(4.0, 0.0, 1.0, 10.0)]);
        assert_eq!((corners(&found), size(&found)), (vec![(4, vec![]), (4, vec![])], 90.0));
        let walls = [
            boxed(2.0, 2.0, 6.0, 1.0),
            boxed(2.0, 7.0, 6.0, 1.0),
            boxed(2.0, 2.0, 1.0, 6.0),
            boxed(7.0, 2.0, 1.0, 6.0),
        ];
        let found = area(&walls);
        assert_eq!((corners(&found), size(&found)), (vec![(4, vec![4]), (4, vec![])], 80.0));
    }

    #[test]
    fn round_shapes_are_polygons_inside_them_and_lines_are_left_out() {
        let disc = Shape::Circle { center: vec2(5.0, 5.0), radius: 2.0 };
        let found = area(&[disc]);
        let missing = 100.0 - size(&found);
        assert!((12.54..12.567).contains(&missing), "{missing}");
        let radius = |[x, y]: &[f64; 2]| (x - 5.0).hypot(y - 5.0);
        assert!(found[0].holes[0].iter().all(|p| (1.999_999..=2.000_001).contains(&radius(p))));
        let line = Shape::Segment { from: vec2(2.0, 5.0), to: vec2(8.0, 5.0), thickness: 0.0 };
        assert_eq!(corners(&area(&[line])), [(4, vec![])]);
        let everything = boxed(-1.0, -1.0, 12.0, 12.0);
        assert_eq!(area(&[everything]), []);
    }
}
