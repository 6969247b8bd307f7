//! [`Shape`]: the shapes of obstacles, goals, areas and exits.

use alloc::vec::Vec;

use glam::Vec2;

use crate::random::Random;
use crate::vector::{Up, Vector};

/// A shape in the world.
///
/// ```
/// use wayfare::{Vector, geometry::obstacle::Shape, glam::vec2, vector::Up};
/// let house = Shape::box_between(vec2(0.0, 0.0), vec2(8.0, 6.0));
/// assert_eq!(house, Shape::Box { center: vec2(4.0, 3.0), half: vec2(4.0, 3.0), angle: 0.0 });
/// let wall = Shape::Segment { from: vec2(0.0, 0.0), to: vec2(9.0, 0.0), thickness: 2.0 };
/// assert_eq!(wall.extent(Up::Z), (vec2(-1.0, -1.0), vec2(10.0, 1.0)));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Shape<V> {
    /// A disc in the plane, a ball in space.
    Circle {
        /// Its center (length).
        center: V,
        /// Its radius (length).
        radius: f32,
    },
    /// A box, in space turned about the vertical axis through its center.
    Box {
        /// Its center (length).
        center: V,
        /// Half its extent on each of its own axes (length).
        half: V,
        /// The angle of its turn, counter-clockwise as seen from above (radians).
        angle: f32,
    },
    /// A straight wall with round ends.
    Segment {
        /// One end (length).
        from: V,
        /// The other end (length).
        to: V,
        /// Its full thickness (length); 0 is a line, which in space nothing can hit.
        thickness: f32,
    },
    /// A simple polygon, convex or not, in either winding; in space a vertical prism without ends.
    Polygon {
        /// Its corners in order, at least three (length): in space their coordinates on the axes
        /// of the ground, (x, y) with z up and (x, z) with y up.
        points: Vec<Vec2>,
    },
}

impl<V: Vector> Shape<V> {
    /// The circle, or the sphere, around `center`.
    pub fn circle(center: V, radius: f32) -> Self {
        Shape::Circle { center, radius }
    }

    /// The wall from one point to another.
    pub fn segment(from: V, to: V, thickness: f32) -> Self {
        Shape::Segment { from, to, thickness }
    }

    /// The box from the corner `min` to the corner `max`.
    pub fn box_between(min: V, max: V) -> Self {
        Shape::Box { center: (min + max) * 0.5, half: (max - min) * 0.5, angle: 0.0 }
    }

    /// The same shape, translated by `by` (length), in a world with this up axis.
    #[must_use]
    pub fn shifted(&self, by: V, up: Up) -> Self {
        match self.clone() {
            Shape::Circle { center, radius } => Shape::Circle { center: center + by, radius },
            Shape::Box { center, half, angle } => Shape::Box { center: center + by, half, angle },
            Shape::Segment { from, to, thickness } => {
                Shape::Segment { from: from + by, to: to + by, thickness }
            }
            Shape::Polygon { points } => {
                Shape::Polygon { points: points.into_iter().map(|p| p + up.ground(by)).collect() }
            }
        }
    }

    /// The corners of its axis-aligned bounding box in a world with this up axis. Those of a prism
    /// have the height 0.
    pub fn extent(&self, up: Up) -> (V, V) {
        match self {
            Shape::Circle { center, radius } => {
                (center.map(|x| x - radius), center.map(|x| x + radius))
            }
            Shape::Box { center, half, angle } => {
                let turn = Vec2::direction_unit(*angle);
                let flat = up.ground(*half);
                let reach = Vec2::new(
                    turn.x.abs() * flat.x + turn.y.abs() * flat.y,
                    turn.y.abs() * flat.x + turn.x.abs() * flat.y,
                );
                let reach = up.at_height_of(reach, *half);
                (*center - reach, *center + reach)
            }
            Shape::Segment { from, to, thickness } => (
                from.min(*to).map(|x| x - thickness * 0.5),
                from.max(*to).map(|x| x + thickness * 0.5),
            ),
            Shape::Polygon { points } => {
                let first = points.first().copied().unwrap_or_default();
                let (low, high) = points
                    .iter()
                    .fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)));
                (up.from_ground(low), up.from_ground(high))
            }
        }
    }

    /// A random point inside a circle or a box, uniform over it, in a world with this up axis; the
    /// middle of the extent for other shapes. A shape rotated with the world gives the rotated
    /// point.
    pub fn random_point(&self, random: &mut Random, up: Up) -> V {
        match self {
            Shape::Circle { center, radius } => {
                *center + up.from_z_up(V::random_in_ball(random)) * *radius
            }
            Shape::Box { center, half, angle } => {
                let half = up.swap_widths(*half);
                let local = V::from_fn(|i| random.between(-1.0, 1.0) * half.axis(i));
                *center + up.from_z_up(local.turned(Vec2::direction_unit(*angle)))
            }
            _ => {
                let (low, high) = self.extent(up);
                (low + high) * 0.5
            }
        }
    }
}
