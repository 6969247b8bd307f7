//! What stands in the way: circles and spheres, boxes, segments and polygons, as signed distances and first meetings.
//!
//! Growing a shape by a body's radius is exact: a grown corner is round. A grown box is taken as the union of the box pushed
//! out along each axis and of capsules along its edges, a grown polygon as its inside and capsules along its edges (the
//! Minkowski sum with a disc or ball; C. Ericson, "Real-Time Collision Detection", 2005, section 5.5).

use glam::Vec2;

use crate::random::Random;
use crate::vector::Vector;

/// A shape in the world.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape<V> {
    /// A disc in the plane, a ball in space.
    Circle {
        /// Its center (length).
        center: V,
        /// Its radius (length).
        radius: f32,
    },
    /// A box, turned about the z axis through its center.
    Box {
        /// Its center (length).
        center: V,
        /// Half its extent on each of its own axes (length).
        half: V,
        /// How far it is turned, counter-clockwise (radians).
        angle: f32,
    },
    /// A straight wall with round ends.
    Segment {
        /// One end (length).
        from: V,
        /// The other end (length).
        to: V,
        /// Its full thickness (length); 0 is a line, which in space nothing can meet.
        thickness: f32,
    },
    /// A simple polygon, convex or not, in either winding; in space a prism along z without end.
    Polygon {
        /// Its corners in order, at least three (length).
        points: Vec<Vec2>,
    },
}

impl<V: Vector> Shape<V> {
    /// The box from the corner `min` to the corner `max`.
    pub fn box_between(min: V, max: V) -> Self {
        Shape::Box { center: (min + max) * 0.5, half: (max - min) * 0.5, angle: 0.0 }
    }

    /// The corners of the smallest upright box around it.
    pub fn extent(&self) -> (V, V) {
        match self {
            Shape::Circle { center, radius } => (center.map(|x| x - radius), center.map(|x| x + radius)),
            Shape::Box { center, half, angle } => {
                let turn = Vec2::direction_unit(*angle);
                let flat = half.flat();
                let reach = Vec2::new(turn.x.abs() * flat.x + turn.y.abs() * flat.y, turn.y.abs() * flat.x + turn.x.abs() * flat.y);
                let reach = V::from_fn(|i| if i < 2 { reach[i] } else { half.axis(i) });
                (*center - reach, *center + reach)
            }
            Shape::Segment { from, to, thickness } => (from.min(*to).map(|x| x - thickness * 0.5), from.max(*to).map(|x| x + thickness * 0.5)),
            Shape::Polygon { points } => {
                let first = points.first().copied().unwrap_or_default();
                let (low, high) = points.iter().fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)));
                (V::from_flat(low), V::from_flat(high))
            }
        }
    }

    /// A random point inside a circle or a box, uniform over it; the middle of the extent for other shapes.
    pub fn random_point(&self, random: &mut Random) -> V {
        match self {
            Shape::Circle { center, radius } => *center + V::random_in_ball(random) * *radius,
            Shape::Box { center, half, angle } => *center + V::from_fn(|i| random.between(-1.0, 1.0) * half.axis(i)).turned(Vec2::direction_unit(*angle)),
            _ => {
                let (low, high) = self.extent();
                (low + high) * 0.5
            }
        }
    }
}

/// Where a probe first meets a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting<V> {
    /// How far along the probe, from 0 to 1.
    pub along: f32,
    /// The outward unit normal there.
    pub normal: V,
}

impl<V: Vector> Meeting<V> {
    fn first(self, other: Option<Self>) -> Self {
        other.filter(|o| o.along < self.along).unwrap_or(self)
    }
}

fn earliest<V: Vector>(a: Option<Meeting<V>>, b: Option<Meeting<V>>) -> Option<Meeting<V>> {
    match a {
        Some(a) => Some(a.first(b)),
        None => b,
    }
}

/// A shape that stands in the way, ready for queries.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle<V> {
    shape: Shape<V>,
    /// Cosine and sine of a box's angle.
    turn: Vec2,
}

impl<V: Vector> From<Shape<V>> for Obstacle<V> {
    fn from(shape: Shape<V>) -> Self {
        let turn = if let Shape::Box { angle, .. } = shape { Vec2::direction_unit(angle) } else { Vec2::X };
        Self { shape, turn }
    }
}

impl<V: Vector> Obstacle<V> {
    /// The shape it was made from.
    pub fn shape(&self) -> &Shape<V> {
        &self.shape
    }

    fn local(&self, v: V) -> V {
        v.turned(Vec2::new(self.turn.x, -self.turn.y))
    }

    fn world(&self, v: V) -> V {
        v.turned(self.turn)
    }

    /// How far `p` is from the surface (length); negative inside.
    pub fn distance(&self, p: V) -> f32 {
        match &self.shape {
            Shape::Circle { center, radius } => (p - *center).length() - radius,
            Shape::Box { center, half, .. } => {
                let beyond = self.local(p - *center).map(f32::abs) - *half;
                let outside = beyond.max(V::ZERO).length();
                if outside > 0.0 { outside } else { largest(beyond).1 }
            }
            Shape::Segment { from, to, thickness } => (p - nearest_on_segment(p, *from, *to)).length() - thickness * 0.5,
            Shape::Polygon { points } => {
                let flat = p.flat();
                let distance = (flat - nearest_edge(flat, points).2).length();
                if inside_polygon(flat, points) { -distance } else { distance }
            }
        }
    }

    /// Whether `p` is inside or on the surface.
    pub fn contains(&self, p: V) -> bool {
        self.distance(p) <= 0.0
    }

    /// The direction of the shortest way out of the shape for `p`, which is inside it or inside its growth.
    ///
    /// Of ways that are equally short the first axis and then the positive side is taken; exactly on a center it is +x.
    pub fn way_out(&self, p: V) -> V {
        let away = |from: V| {
            let unit = (p - from).unit();
            if unit == V::ZERO { V::X } else { unit }
        };
        match &self.shape {
            Shape::Circle { center, .. } => away(*center),
            Shape::Box { center, half, .. } => {
                let local = self.local(p - *center);
                let beyond = local.map(f32::abs) - *half;
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
                // Exactly on the line of the wall every side is equally near: its left.
                if unit == V::ZERO { (*to - *from).unit().left() } else { unit }
            }
            Shape::Polygon { points } => V::from_flat(way_out_of_polygon(p.flat(), points)),
        }
    }

    /// Where the segment from `p`, which is outside, to `far` first meets the shape grown by `growth` (length).
    pub fn first_meeting(&self, p: V, far: V, growth: f32) -> Option<Meeting<V>> {
        let way = far - p;
        match &self.shape {
            Shape::Circle { center, radius } => ball_meeting(p, way, *center, radius + growth),
            Shape::Box { center, half, .. } => {
                let (p, way) = (self.local(p - *center), self.local(way));
                let meeting = if growth > 0.0 { grown_box_meeting(p, way, *half, growth) } else { box_meeting(p, way, *half) };
                meeting.map(|m| Meeting { normal: self.world(m.normal), ..m })
            }
            Shape::Segment { from, to, thickness } => {
                let radius = thickness * 0.5 + growth;
                if radius > 0.0 {
                    capsule_meeting(p, way, *from, *to, radius)
                } else if V::DIMENSION == 2 {
                    line_meeting(p.flat(), way.flat(), from.flat(), to.flat()).map(lift)
                } else {
                    None
                }
            }
            Shape::Polygon { points } => {
                let (p, way) = (p.flat(), way.flat());
                let mut first = None;
                for (a, b) in edges(points) {
                    let meeting = if growth > 0.0 { capsule_meeting(p, way, a, b, growth) } else { line_meeting(p, way, a, b) };
                    first = earliest(first, meeting);
                }
                first.map(lift)
            }
        }
    }
}

fn lift<V: Vector>(m: Meeting<Vec2>) -> Meeting<V> {
    Meeting { along: m.along, normal: V::from_flat(m.normal) }
}

/// The axis of the largest coordinate, the first in a tie, and that coordinate.
fn largest<V: Vector>(v: V) -> (usize, f32) {
    (1..V::DIMENSION).fold((0, v.axis(0)), |best, i| if v.axis(i) > best.1 { (i, v.axis(i)) } else { best })
}

/// The point of the segment from `a` to `b` that is nearest to `p`.
pub(crate) fn nearest_on_segment<V: Vector>(p: V, a: V, b: V) -> V {
    let along = b - a;
    let squared = along.length_squared();
    if squared > 0.0 { a + along * ((p - a).dot(along) / squared).clamp(0.0, 1.0) } else { a }
}

/// The edges of a closed polygon.
fn edges(points: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    let next = points.iter().copied().cycle().skip(1);
    points.iter().copied().zip(next)
}

/// The edge of a polygon that is nearest to `p`, the first in a tie, and its point nearest to `p`.
fn nearest_edge(p: Vec2, points: &[Vec2]) -> (Vec2, Vec2, Vec2) {
    let mut best = (f32::INFINITY, (p, p, p));
    for (a, b) in edges(points) {
        let q = nearest_on_segment(p, a, b);
        let squared = Vector::length_squared(p - q);
        if squared < best.0 {
            best = (squared, (a, b, q));
        }
    }
    best.1
}

fn way_out_of_polygon(p: Vec2, points: &[Vec2]) -> Vec2 {
    let (a, b, nearest) = nearest_edge(p, points);
    let inside = inside_polygon(p, points);
    if nearest == a || nearest == b {
        let unit = Vector::unit(if inside { nearest - p } else { p - nearest });
        return if unit == Vec2::ZERO { outward(points, b - a) } else { unit };
    }
    // Along an edge the way out is its normal: exact also where `p` is too near for a difference to have a direction.
    let normal = Vector::left(Vector::unit(b - a));
    let side = Vector::dot(p - a, normal);
    match (side == 0.0, (side > 0.0) == inside) {
        (true, _) => outward(points, b - a),
        (_, true) => -normal,
        _ => normal,
    }
}

/// The outward normal of an edge, which depends on the winding; +x for an edge without length.
fn outward(points: &[Vec2], edge: Vec2) -> Vec2 {
    let area = points.windows(2).map(|w| (w[0] - points[0]).perp_dot(w[1] - points[0])).sum::<f32>();
    let right = Vector::unit(Vec2::new(edge.y, -edge.x));
    match (right == Vec2::ZERO, area < 0.0) {
        (true, _) => Vec2::X,
        (_, true) => -right,
        _ => right,
    }
}

/// Even-odd rule: a ray along +x crosses the edges an odd number of times.
fn inside_polygon(p: Vec2, points: &[Vec2]) -> bool {
    let mut inside = false;
    for (a, b) in edges(points) {
        if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
            inside = !inside;
        }
    }
    inside
}

/// A probe against an infinitely thin wall of the plane; the normal is the one that faces the probe.
fn line_meeting(p: Vec2, way: Vec2, a: Vec2, b: Vec2) -> Option<Meeting<Vec2>> {
    let (wall, to) = (b - a, a - p);
    let across = way.perp_dot(wall);
    if across == 0.0 {
        return None;
    }
    let (along, at) = (to.perp_dot(wall) / across, to.perp_dot(way) / across);
    let met = (0.0..=1.0).contains(&along) && (0.0..=1.0).contains(&at);
    let normal = Vector::unit(Vec2::new(-wall.y, wall.x));
    met.then_some(Meeting { along, normal: if Vector::dot(normal, way) > 0.0 { -normal } else { normal } })
}

/// A probe from outside against a ball.
fn ball_meeting<V: Vector>(p: V, way: V, center: V, radius: f32) -> Option<Meeting<V>> {
    let from = p - center;
    let squared = way.length_squared();
    if squared == 0.0 {
        return None;
    }
    // The nearest approach first, then back by half the chord: b * b - a * c would lose a grazing probe to cancellation.
    let nearest = -from.dot(way) / squared;
    let half_chord_squared = radius * radius - (from + way * nearest).length_squared();
    if half_chord_squared.is_nan() || half_chord_squared < 0.0 {
        return None;
    }
    let along = nearest - (half_chord_squared / squared).sqrt();
    (0.0..=1.0).contains(&along).then(|| Meeting { along, normal: (from + way * along).unit() })
}

/// A probe from outside against all points within `radius` of a segment: its round side, then its two round ends.
fn capsule_meeting<V: Vector>(p: V, way: V, a: V, b: V, radius: f32) -> Option<Meeting<V>> {
    let ends = earliest(ball_meeting(p, way, a, radius), ball_meeting(p, way, b, radius));
    let axis = b - a;
    let squared = axis.length_squared();
    if squared == 0.0 {
        return ends;
    }
    // The parts of probe and start across the axis: there the side is a ball around the origin.
    let across = |v: V| v - axis * (v.dot(axis) / squared);
    let side = ball_meeting(across(p - a), across(way), V::ZERO, radius).filter(|m| {
        let at = (p + way * m.along - a).dot(axis) / squared;
        (0.0..=1.0).contains(&at)
    });
    earliest(side, ends)
}

/// A probe from outside against the box from -half to half: slabs (Kay and Kajiya, SIGGRAPH 1986).
fn box_meeting<V: Vector>(p: V, way: V, half: V) -> Option<Meeting<V>> {
    let (mut enter, mut leave, mut face) = (f32::NEG_INFINITY, f32::INFINITY, 0);
    for i in 0..V::DIMENSION {
        let (p, way, half) = (p.axis(i), way.axis(i), half.axis(i));
        if way == 0.0 {
            if p.abs() > half {
                return None;
            }
            continue;
        }
        let (one, two) = ((-half - p) / way, (half - p) / way);
        if one.min(two) > enter {
            (enter, face) = (one.min(two), i);
        }
        leave = leave.min(one.max(two));
    }
    let met = enter <= leave && (0.0..=1.0).contains(&enter);
    met.then(|| Meeting { along: enter, normal: V::from_fn(|i| if i == face { -way.axis(i).signum() } else { 0.0 }) })
}

fn grown_box_meeting<V: Vector>(p: V, way: V, half: V, growth: f32) -> Option<Meeting<V>> {
    let mut first = None;
    for i in 0..V::DIMENSION {
        let pushed = V::from_fn(|k| if k == i { half.axis(k) + growth } else { half.axis(k) });
        first = earliest(first, box_meeting(p, way, pushed));
        // The edges along axis i: one for each choice of sides on the other axes.
        for corner in 0..1_u32 << V::DIMENSION {
            if corner >> i & 1 == 0 {
                let a = V::from_fn(|k| if corner >> k & 1 == 0 { -half.axis(k) } else { half.axis(k) });
                let b = V::from_fn(|k| if k == i { half.axis(k) } else { a.axis(k) });
                first = earliest(first, capsule_meeting(p, way, a, b, growth));
            }
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use core::f32::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_6};
    use glam::{Vec3, vec2, vec3};

    fn circle<V: Vector>(center: V, radius: f32) -> Obstacle<V> {
        Shape::Circle { center, radius }.into()
    }

    fn boxed<V: Vector>(center: V, half: V, angle: f32) -> Obstacle<V> {
        Shape::Box { center, half, angle }.into()
    }

    fn segment<V: Vector>(from: V, to: V, thickness: f32) -> Obstacle<V> {
        Shape::Segment { from, to, thickness }.into()
    }

    /// An L with its corner at the origin: 10 long, 4 wide.
    fn concave<V: Vector>() -> Obstacle<V> {
        let points = [(0.0, 0.0), (10.0, 0.0), (10.0, 4.0), (4.0, 4.0), (4.0, 10.0), (0.0, 10.0)];
        Shape::Polygon { points: points.map(|(x, y)| vec2(x, y)).to_vec() }.into()
    }

    #[track_caller]
    fn assert_distances<V: Vector>(obstacle: &Obstacle<V>, expected: &[(V, f32)]) {
        for &(p, distance) in expected {
            let found = obstacle.distance(p);
            assert!((found - distance).abs() < 1e-5, "{p:?}: {found}, expected {distance}");
            assert_eq!(obstacle.contains(p), distance <= 0.0);
        }
    }

    #[test]
    fn distances_are_negative_inside() {
        assert_distances(&circle(vec2(3.0, 4.0), 2.0), &[(vec2(0.0, 0.0), 3.0), (vec2(3.0, 5.0), -1.0)]);
        assert_distances(&circle(vec3(1.0, 2.0, 2.0), 2.0), &[(Vec3::ZERO, 1.0), (vec3(1.0, 2.0, 2.0), -2.0)]);
        // To a corner, a face, and inside the nearest face.
        let flat = boxed(vec2(10.0, 0.0), vec2(4.0, 2.0), 0.0);
        assert_distances(&flat, &[(vec2(17.0, 6.0), 5.0), (vec2(4.0, -1.0), 2.0), (vec2(12.0, 1.0), -1.0)]);
        assert_distances(&boxed(Vec3::ZERO, vec3(1.0, 2.0, 3.0), 0.0), &[(vec3(2.0, -4.0, 5.0), 3.0), (vec3(0.0, 0.0, -2.5), -0.5)]);
        let wall = segment(vec2(0.0, 0.0), vec2(10.0, 0.0), 4.0);
        assert_distances(&wall, &[(vec2(5.0, 6.0), 4.0), (vec2(13.0, 4.0), 3.0), (vec2(-3.0, -4.0), 3.0), (vec2(5.0, 1.0), -1.0)]);
        assert_distances(&segment(Vec3::Z, Vec3::Z, 2.0), &[(vec3(2.0, 2.0, 2.0), 2.0)]);
    }

    #[test]
    fn a_box_is_turned_counter_clockwise() {
        assert_distances(&boxed(vec2(10.0, 0.0), vec2(4.0, 2.0), FRAC_PI_2), &[(vec2(10.0, 5.0), 1.0), (vec2(13.0, 0.0), 1.0)]);
        // A plate at 30 degrees: its own axis, and (5, -8.66) seen along -30 degrees.
        let (cos, sin) = (FRAC_PI_6.cos(), FRAC_PI_6.sin());
        let plate = boxed(vec3(0.0, 0.0, 7.0), vec3(8.0, 1.0, 1.0), FRAC_PI_6);
        assert_distances(&plate, &[(vec3(10.0 * cos, 10.0 * sin, 7.0), 2.0), (vec3(10.0 * cos, -10.0 * sin, 7.0), 7.660_254)]);
        assert_near(plate.way_out(vec3(7.9 * cos, 7.9 * sin, 7.0)), vec3(cos, sin, 0.0));
        assert_near(plate.first_meeting(vec3(20.0 * cos, 20.0 * sin, 7.0), vec3(0.0, 0.0, 7.0), 0.0).unwrap().normal, vec3(cos, sin, 0.0));
        assert_eq!(boxed(vec2(1.0, 2.0), vec2(4.0, 2.0), 0.0).shape().extent(), (vec2(-3.0, 0.0), vec2(5.0, 4.0)));
        let (low, high) = boxed(Vec2::ZERO, vec2(8.0, 1.0), FRAC_PI_6).shape().extent();
        assert_near(high, vec2(8.0 * cos + sin, 8.0 * sin + cos));
        assert_near(low, -high);
    }

    #[test]
    fn a_polygon_may_be_concave_and_wound_either_way() {
        let expected = [
            (vec2(7.0, 7.0), 3.0),
            (vec2(5.0, 6.0), 1.0),
            (vec2(2.0, 2.0), -2.0),
            (vec2(1.0, 9.0), -1.0),
            (vec2(3.5, 3.5), -core::f32::consts::FRAC_1_SQRT_2),
            (vec2(-3.0, -4.0), 5.0),
        ];
        let mut points = if let Shape::Polygon { points } = concave::<Vec2>().shape() { points.clone() } else { vec![] };
        assert_distances(&concave(), &expected);
        assert_distances(&concave(), &expected.map(|(p, distance)| (vec3(p.x, p.y, 99.0), distance)));
        points.reverse();
        let reversed: Obstacle<Vec2> = Shape::Polygon { points }.into();
        assert_distances(&reversed, &expected);
        for obstacle in [concave(), reversed] {
            assert_near(obstacle.way_out(vec2(6.0, 1.0)), vec2(0.0, -1.0));
            assert_near(obstacle.way_out(vec2(3.5, 3.5)), Vec2::splat(core::f32::consts::FRAC_1_SQRT_2));
            assert_near(obstacle.way_out(vec2(6.0, 5.0)), vec2(0.0, 1.0));
            // Exactly on an edge the way out is across it.
            assert_near(obstacle.way_out(vec2(0.0, 5.0)), vec2(-1.0, 0.0));
            assert_near(obstacle.way_out(vec2(4.0, 7.0)), vec2(1.0, 0.0));
        }
    }

    #[test]
    fn the_way_out_is_the_shortest_one() {
        assert_near(circle(vec2(3.0, 4.0), 9.0).way_out(vec2(0.0, 0.0)), vec2(-0.6, -0.8));
        assert_eq!(circle(Vec3::ONE, 9.0).way_out(Vec3::ONE), Vec3::X);
        let flat = boxed(vec2(10.0, 0.0), vec2(4.0, 2.0), 0.0);
        assert_near(flat.way_out(vec2(12.0, -1.0)), vec2(0.0, -1.0));
        assert_near(flat.way_out(vec2(7.0, 0.5)), vec2(-1.0, 0.0));
        // Equally short ways: the first axis, the positive side. Within the growth: away from the nearest point.
        assert_eq!(boxed(Vec3::ZERO, Vec3::splat(4.0), 0.0).way_out(Vec3::ZERO), Vec3::X);
        assert_near(flat.way_out(vec2(17.0, 6.0)), vec2(0.6, 0.8));
        assert_near(boxed(Vec2::ZERO, vec2(4.0, 2.0), FRAC_PI_4).way_out(vec2(-0.5, 0.5)), Vec2::new(-1.0, 1.0) * core::f32::consts::FRAC_1_SQRT_2);
        let wall = segment(vec2(0.0, 0.0), vec2(10.0, 0.0), 4.0);
        assert_near(wall.way_out(vec2(5.0, -1.0)), vec2(0.0, -1.0));
        assert_near(wall.way_out(vec2(13.0, 4.0)), vec2(0.6, 0.8));
        assert_near(wall.way_out(vec2(5.0, 0.0)), vec2(0.0, 1.0));
        assert_near(segment(Vec3::ZERO, vec3(0.0, 0.0, 5.0), 4.0).way_out(Vec3::Z), Vec3::X);
    }

    /// Where the probe from the origin to 20 along x first meets the obstacle, as a length and the normal.
    fn meeting<V: Vector>(obstacle: &Obstacle<V>, growth: f32) -> Option<(f32, V)> {
        obstacle.first_meeting(V::ZERO, V::X * 20.0, growth).map(|m| (m.along * 20.0, m.normal))
    }

    #[track_caller]
    fn assert_met<V: Vector>(found: Option<(f32, V)>, along: f32, normal: V) {
        let (distance, found) = found.unwrap();
        assert!((distance - along).abs() < 1e-4, "at {distance}, expected {along}");
        assert_near(found, normal);
    }

    #[test]
    fn a_probe_meets_the_first_surface_on_its_way() {
        assert_met(meeting(&circle(vec2(10.0, 3.0), 5.0), 0.0), 6.0, vec2(-0.8, -0.6));
        assert_met(meeting(&circle(vec3(10.0, 0.0, 3.0), 5.0), 0.0), 6.0, vec3(-0.8, 0.0, -0.6));
        assert_met(meeting(&boxed(vec2(15.0, 3.0), vec2(5.0, 4.0), 0.0), 0.0), 10.0, vec2(-1.0, 0.0));
        assert_met(meeting(&segment(vec2(10.0, -5.0), vec2(10.0, 5.0), 0.0), 0.0), 10.0, vec2(-1.0, 0.0));
        assert_met(meeting(&segment(vec2(10.0, 5.0), vec2(10.0, -5.0), 2.0), 0.0), 9.0, vec2(-1.0, 0.0));
        assert_met(meeting(&segment(vec2(10.0, 3.0), vec2(10.0, 9.0), 10.0), 0.0), 6.0, vec2(-0.8, -0.6));
        assert_met(meeting(&segment(vec3(10.0, 3.0, -9.0), vec3(10.0, 3.0, 9.0), 10.0), 0.0), 6.0, vec3(-0.8, -0.6, 0.0));
        // Beside it, behind it, beyond it, along it; and in space nothing meets a line.
        assert_eq!(meeting(&circle(vec2(10.0, 5.1), 5.0), 0.0), None);
        assert_eq!(meeting(&circle(vec2(-10.0, 0.0), 5.0), 0.0), None);
        assert_eq!(meeting(&boxed(vec2(25.0, 0.0), vec2(4.0, 4.0), 0.0), 0.0), None);
        assert_eq!(meeting(&boxed(vec2(10.0, 5.0), vec2(4.0, 4.0), 0.0), 0.0), None);
        assert_eq!(meeting(&segment(vec3(10.0, -5.0, 0.0), vec3(10.0, 5.0, 0.0), 0.0), 0.0), None);
        assert_eq!(circle(vec2(1.0, 0.0), 0.5).first_meeting(Vec2::ZERO, Vec2::ZERO, 0.1), None);
    }

    #[test]
    fn a_probe_enters_the_hollow_of_a_concave_polygon() {
        let met = concave::<Vec2>().first_meeting(vec2(20.0, 7.0), vec2(0.0, 7.0), 0.0).unwrap();
        assert_met(Some((met.along * 20.0, met.normal)), 16.0, vec2(1.0, 0.0));
        let met = concave::<Vec3>().first_meeting(vec3(7.0, 9.0, 0.0), vec3(7.0, -1.0, 5.0), 1.0).unwrap();
        assert_met(Some((met.along * 10.0, met.normal)), 4.0, vec3(0.0, 1.0, 0.0));
        assert_eq!(concave::<Vec2>().first_meeting(vec2(9.0, 5.0), vec2(5.0, 9.0), 0.0), None);
        assert_eq!(concave::<Vec3>().first_meeting(vec3(5.0, 5.0, 0.0), vec3(5.0, 5.0, 9.0), 0.5), None);
    }

    #[test]
    fn growing_a_shape_rounds_its_corners() {
        // Past the corner (10, 1) with 3, and in space past the edge (10, 1) and the corner (10, 1, 1).
        let (root7, root8) = (7.0_f32.sqrt(), 8.0_f32.sqrt());
        let corner = |half: f32| boxed(vec2(10.0 + half, 1.0 + half), vec2(half, half), 0.0);
        assert_met(meeting(&corner(5.0), 3.0), 10.0 - root8, vec2(-root8, -1.0) / 3.0);
        assert_met(meeting(&boxed(vec3(15.0, 6.0, 0.0), Vec3::splat(5.0), 0.0), 3.0), 10.0 - root8, vec3(-root8, -1.0, 0.0) / 3.0);
        assert_met(meeting(&boxed(vec3(15.0, 6.0, 6.0), Vec3::splat(5.0), 0.0), 3.0), 10.0 - root7, vec3(-root7, -1.0, -1.0) / 3.0);
        assert_eq!(meeting(&corner(5.0), 0.99), None);
        // A face is only pushed out.
        assert_met(meeting(&boxed(vec2(15.0, 0.0), vec2(5.0, 4.0), 0.0), 3.0), 7.0, vec2(-1.0, 0.0));
        assert_met(meeting(&circle(vec2(10.0, 3.0), 2.0), 3.0), 6.0, vec2(-0.8, -0.6));
        assert_met(meeting(&segment(vec3(10.0, 3.0, 3.0), vec3(10.0, 3.0, 9.0), 0.0), 5.0), 10.0 - root7, vec3(-root7, -3.0, -3.0) / 5.0);
    }

    /// Random probes at random shapes: the place where one meets is exactly `growth` from the shape, everything before it farther.
    fn assert_first_meetings<V: Vector>() {
        let mut met = 0;
        for id in 0..2_000 {
            let mut random = Random::new(17, id, 0, 0);
            let point = |random: &mut Random| V::from_fn(|_| random.between(-10.0, 10.0));
            let (a, b, size, angle) = (point(&mut random), point(&mut random), random.between(0.1, 6.0), random.between(-4.0, 4.0));
            let obstacle: Obstacle<V> = match id % 4 {
                0 => circle(a, size),
                1 => boxed(a, b.map(|x| x.abs() * 0.5), angle),
                2 => segment(a, b, size),
                _ => concave(),
            };
            let growth = if id % 8 < 4 { 0.0 } else { random.between(0.1, 3.0) };
            let (p, far) = (point(&mut random), point(&mut random));
            if obstacle.distance(p) <= growth {
                continue;
            }
            let found = obstacle.first_meeting(p, far, growth);
            let end = found.map_or(1.0, |m| m.along);
            for k in 0..100 {
                let before = p + (far - p) * (end * k as f32 * 0.01);
                assert!(obstacle.distance(before) > growth - 1e-4, "{obstacle:?} {p:?} {far:?} {growth}");
            }
            if let Some(m) = found {
                met += 1;
                let there = p + (far - p) * m.along;
                assert!((obstacle.distance(there) - growth).abs() < 1e-4, "{obstacle:?} {p:?} {far:?} {growth}");
                // A little way along the normal it is that little farther away.
                assert!((obstacle.distance(there + m.normal * 0.01) - growth - 0.01).abs() < 1e-3, "{obstacle:?} {p:?} {far:?} {growth}");
            }
        }
        assert!(met > 300, "{met}");
    }

    #[test]
    fn a_meeting_is_on_the_grown_surface_and_nothing_is_met_before_it() {
        assert_first_meetings::<Vec2>();
        assert_first_meetings::<Vec3>();
    }
}
