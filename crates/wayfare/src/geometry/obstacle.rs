//! Obstacles: circles and spheres, boxes, segments and polygons, with signed distances and first
//! hits of segments.
//!
//! Growing a shape by a body's radius is exact: a grown corner is round. A grown box is taken as
//! the union of the box extended along each axis and of capsules along its edges, a grown polygon
//! as its inside and capsules along its edges (the Minkowski sum with a disc or ball; C. Ericson,
//! "Real-Time Collision Detection", 2005, section 5.5).

use glam::Vec2;

use crate::spatial::bvh::MARGIN;
use crate::spatial::space::Space;
use crate::vector::{Up, Vector};

mod cast;
mod index;
mod outline;
mod shape;
mod surface;
#[cfg(test)]
mod tests;

pub use cast::Hit;
use cast::line_hit;
use cast::{Near, ball_hit, box_hit, capsule_hit, earliest, grown_box_hit, lift};
pub(crate) use index::bvh_of;
pub use index::{ObstacleIndex, Obstacles};
pub(crate) use outline::Outline;
pub use shape::Shape;

/// A shape prepared for queries.
///
/// ```
/// use wayfare::geometry::obstacle::{Obstacle, Shape};
/// use wayfare::glam::vec2;
/// let house = Obstacle::from(Shape::box_between(vec2(0.0, 0.0), vec2(8.0, 6.0)));
/// assert_eq!(house.distance(vec2(11.0, 10.0)), 5.0);
/// assert_eq!(house.distance(vec2(4.0, 5.0)), -1.0);
/// // The way out, and where a segment hits the house.
/// assert_eq!(house.outward(vec2(4.0, 5.0)), vec2(0.0, 1.0));
/// let hit = house.cast_segment(vec2(-10.0, 3.0), vec2(10.0, 3.0), 0.0).unwrap();
/// assert_eq!((hit.along, hit.normal), (0.5, vec2(-1.0, 0.0)));
/// ```
#[derive(Clone, Debug, PartialEq)]
// Aligned to cache lines: with many obstacles, most of the time goes into reading them.
#[repr(align(64))]
pub struct Obstacle<V: Vector> {
    shape: Shape<V>,
    /// Cosine and sine of a box's angle.
    turn: Vec2,
    /// The middle of its extent (length). In a wrapped world, distances are those to the image of
    /// a point nearest to this middle.
    middle: V,
    /// The corners of a box around it, with room for rounding (length).
    low: V,
    high: V,
    /// Without a byte in the plane, so that an obstacle fits a cache line.
    up: V::StoredUp,
}

/// The obstacle of a shape in a world with z up.
impl<V: Vector> From<Shape<V>> for Obstacle<V> {
    fn from(shape: Shape<V>) -> Self {
        Self::with_up(shape, Up::Z)
    }
}

impl<V: Vector> Obstacle<V> {
    /// The obstacle of a shape in a world with this up axis.
    pub fn with_up(shape: Shape<V>, up: Up) -> Self {
        let turn = if let Shape::Box { angle, .. } = shape {
            Vec2::direction_unit(angle)
        } else {
            Vec2::X
        };
        let (low, high) = shape.extent(up);
        let room = MARGIN
            * (0..V::DIMENSION)
                .map(|i| low.axis(i).abs().max(high.axis(i).abs()))
                .fold(0.0, f32::max);
        // A prism has no end along the up axis.
        let endless = |i: usize| up.is_height::<V>(i) && matches!(shape, Shape::Polygon { .. });
        let along = |x: V, room: f32, end: f32| {
            V::from_fn(|i| if endless(i) { end } else { x.axis(i) + room })
        };
        // A very large radius leaves few digits of the middle in the ends.
        let middle = match &shape {
            Shape::Circle { center, .. } | Shape::Box { center, .. } => *center,
            Shape::Segment { from, to, .. } => (*from + *to) * 0.5,
            Shape::Polygon { .. } => (low + high) * 0.5,
        };
        let (low, high) = (along(low, -room, -f32::MAX), along(high, room, f32::MAX));
        Self { shape, turn, middle, low, high, up: up.into() }
    }

    /// The obstacle of a shape in `space`. In a wrapped space it is the image of the shape whose
    /// middle is inside the bounds: all images of a shape give the same obstacle.
    pub fn in_space(shape: Shape<V>, space: &Space<V>) -> Self {
        /// Rounding may leave the middle outside by its last digit: then it is shifted again, so
        /// that the obstacle of the shape that results is the same.
        const MOST_SHIFTS: usize = 4;
        let mut obstacle = Self::with_up(shape, space.up());
        if space.wraps() {
            for _ in 0..MOST_SHIFTS {
                let shift = space.wrapped(obstacle.middle) - obstacle.middle;
                if shift == V::ZERO {
                    break;
                }
                obstacle = Self::with_up(obstacle.shape.shifted(shift, space.up()), space.up());
            }
        }
        obstacle
    }

    /// The shape it was made from.
    pub fn shape(&self) -> &Shape<V> {
        &self.shape
    }

    /// The middle of its extent (length).
    pub(crate) fn middle(&self) -> V {
        self.middle
    }

    /// The corners of a box around it, with room for rounding (length).
    pub(crate) fn aabb(&self) -> (V, V) {
        (self.low, self.high)
    }

    /// Whether a box around it touches the box with these corners (length).
    pub(crate) fn touches(&self, low: V, high: V) -> bool {
        (0..V::DIMENSION)
            .all(|i| self.low.axis(i) <= high.axis(i) && low.axis(i) <= self.high.axis(i))
    }

    /// The axis that points up.
    #[inline(always)]
    pub(crate) fn up(&self) -> Up {
        self.up.into()
    }

    /// An offset from a box's center along the box's own axes, the vertical one last.
    fn local(&self, v: V) -> V {
        self.up().to_z_up(v).turned(Vec2::new(self.turn.x, -self.turn.y))
    }

    /// Half the widths of a box on its own axes, the vertical one last.
    fn local_half(&self, half: V) -> V {
        self.up().swap_widths(half)
    }

    fn world(&self, v: V) -> V {
        self.up().from_z_up(v.turned(self.turn))
    }

    /// The signed distance from `p` to the surface (length); negative inside.
    pub fn distance(&self, p: V) -> f32 {
        match &self.shape {
            Shape::Circle { center, radius } => (p - *center).length() - radius,
            Shape::Box { center, half, .. } => {
                let beyond = self.local(p - *center).map(f32::abs) - self.local_half(*half);
                let outside = beyond.max(V::ZERO).length();
                if outside > 0.0 { outside } else { largest(beyond).1 }
            }
            Shape::Segment { from, to, thickness } => {
                (p - nearest_on_segment(p, *from, *to)).length() - thickness * 0.5
            }
            Shape::Polygon { points } => {
                let flat = self.up().ground(p);
                let nearest = NearestEdge::of(flat, points);
                let distance = (flat - nearest.point).length();
                if nearest.inside { -distance } else { distance }
            }
        }
    }

    /// Whether `p` is inside or on the surface.
    pub fn contains(&self, p: V) -> bool {
        self.distance(p) <= 0.0
    }

    /// The direction from `p`, which is inside the shape or within its growth, to the nearest point
    /// outside.
    ///
    /// Among equal distances the first axis and then the positive side is taken; exactly on a
    /// center it is +x.
    pub fn outward(&self, p: V) -> V {
        let away = |from: V| {
            let unit = (p - from).unit();
            if unit == V::ZERO { V::X } else { unit }
        };
        match &self.shape {
            Shape::Circle { center, .. } => away(*center),
            Shape::Box { center, half, .. } => {
                let local = self.local(p - *center);
                let beyond = local.map(f32::abs) - self.local_half(*half);
                let outward = if beyond.max(V::ZERO) == V::ZERO {
                    let face = largest(beyond).0;
                    V::from_fn(|i| {
                        if i != face {
                            0.0
                        } else if local.axis(i) < 0.0 {
                            -1.0
                        } else {
                            1.0
                        }
                    })
                } else {
                    V::from_fn(|i| beyond.axis(i).max(0.0).copysign(local.axis(i))).unit()
                };
                self.world(outward)
            }
            Shape::Segment { from, to, .. } => {
                let unit = (p - nearest_on_segment(p, *from, *to)).unit();
                // Exactly on the line of the wall both sides are equally near: take the left one.
                if unit == V::ZERO { self.up().left((*to - *from).unit()) } else { unit }
            }
            Shape::Polygon { points } => {
                let up = self.up();
                up.from_ground(outward_of_polygon(up.ground(p), points))
            }
        }
    }

    /// The first hit of the segment from `p`, which is outside, to `far` on the shape grown by
    /// `growth` (length).
    pub fn cast_segment(&self, p: V, far: V, growth: f32) -> Option<Hit<V>> {
        let offset = far - p;
        match &self.shape {
            Shape::Circle { center, radius } => ball_hit(p, offset, *center, radius + growth),
            Shape::Box { center, half, .. } => {
                let (p, offset) = (self.local(p - *center), self.local(offset));
                let half = self.local_half(*half);
                let hit = if growth > 0.0 {
                    grown_box_hit(p, offset, half, growth)
                } else {
                    box_hit(p, offset, half)
                };
                hit.map(|hit| Hit { normal: self.world(hit.normal), ..hit })
            }
            Shape::Segment { from, to, thickness } => {
                let radius = thickness * 0.5 + growth;
                if radius > 0.0 {
                    capsule_hit(p, offset, *from, *to, radius)
                } else if V::DIMENSION == 2 {
                    line_hit(p.flat(), offset.flat(), from.flat(), to.flat())
                        .map(|hit| lift(hit, Up::Z))
                } else {
                    None
                }
            }
            Shape::Polygon { points } => {
                let up = self.up();
                let (p, offset) = (up.ground(p), up.ground(offset));
                let mut first = None;
                let near = Near::new(p, offset, growth);
                for (a, b) in edges(points) {
                    let hit = match growth > 0.0 {
                        false => line_hit(p, offset, a, b),
                        true if !near.reaches(a, b) => None,
                        true => capsule_hit(p, offset, a, b, growth),
                    };
                    first = earliest(first, hit);
                }
                first.map(|hit| lift(hit, up))
            }
        }
    }
}

/// The axis of the largest coordinate, the first in a tie, and that coordinate.
fn largest<V: Vector>(v: V) -> (usize, f32) {
    (1..V::DIMENSION)
        .fold((0, v.axis(0)), |best, i| if v.axis(i) > best.1 { (i, v.axis(i)) } else { best })
}

/// The point of the segment from `a` to `b` that is nearest to `p`.
pub(crate) fn nearest_on_segment<V: Vector>(p: V, a: V, b: V) -> V {
    let along = b - a;
    let squared = along.length_squared();
    let fraction = if squared > 0.0 { (p - a).dot(along) / squared } else { 0.0 };
    // Exactly the end: `a + (b - a)` may round to a point beside it.
    if fraction >= 1.0 { b } else { a + along * fraction.max(0.0) }
}

/// The edges of a closed polygon.
fn edges(points: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    // By index: a cycle that skips its first point costs more than the arithmetic of an edge.
    let next = |i: usize| if i + 1 < points.len() { i + 1 } else { 0 };
    (0..points.len()).map(move |i| (points[i], points[next(i)]))
}

/// The edge of a polygon that is nearest to a point, the first in a tie.
struct NearestEdge {
    ends: [Vec2; 2],
    /// Its point that is nearest.
    point: Vec2,
    /// Whether the polygon contains the point by the even-odd rule: a ray along +x crosses the
    /// edges an odd number of times.
    inside: bool,
}

impl NearestEdge {
    fn of(p: Vec2, points: &[Vec2]) -> Self {
        let (mut best, mut inside) = ((f32::INFINITY, [p, p], p), false);
        for (a, b) in edges(points) {
            let q = nearest_on_segment(p, a, b);
            let squared = Vector::length_squared(p - q);
            if squared < best.0 {
                best = (squared, [a, b], q);
            }
            if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
                inside = !inside;
            }
        }
        Self { ends: best.1, point: best.2, inside }
    }
}

fn outward_of_polygon(p: Vec2, points: &[Vec2]) -> Vec2 {
    let NearestEdge { ends: [a, b], point: nearest, inside } = NearestEdge::of(p, points);
    if nearest == a || nearest == b {
        let unit = Vector::unit(if inside { nearest - p } else { p - nearest });
        return if unit == Vec2::ZERO { edge_normal(points, b - a) } else { unit };
    }
    // Along an edge the direction is its normal, which is also exact where `p` is so near to the
    // edge that their difference has no direction.
    let normal = Vector::unit_perp(Vector::unit(b - a));
    let side = Vector::dot(p - a, normal);
    match (side == 0.0, (side > 0.0) == inside) {
        (true, _) => edge_normal(points, b - a),
        (_, true) => -normal,
        _ => normal,
    }
}

/// The outward normal of an edge, which depends on the winding; +x for an edge without length.
fn edge_normal(points: &[Vec2], edge: Vec2) -> Vec2 {
    let area =
        points.windows(2).map(|w| (w[0] - points[0]).perp_dot(w[1] - points[0])).sum::<f32>();
    let right = Vector::unit(Vec2::new(edge.y, -edge.x));
    match (right == Vec2::ZERO, area < 0.0) {
        (true, _) => Vec2::X,
        (_, true) => -right,
        _ => right,
    }
}
