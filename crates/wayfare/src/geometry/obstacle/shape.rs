//! [`Shape`]: the shapes of obstacles, goals, areas and exits.

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
        /// The angle of its turn, counter-clockwise (radians).
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
    /// A simple polygon, convex or not, in either winding; in space an infinite prism along z.
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

    /// The same shape, translated by `by` (length).
    #[must_use]
    pub fn shifted(&self, by: V) -> Self {
        match self.clone() {
            Shape::Circle { center, radius } => Shape::Circle { center: center + by, radius },
            Shape::Box { center, half, angle } => Shape::Box { center: center + by, half, angle },
            Shape::Segment { from, to, thickness } => {
                Shape::Segment { from: from + by, to: to + by, thickness }
            }
            Shape::Polygon { points } => {
                Shape::Polygon { points: points.into_iter().map(|p| p + by.flat()).collect() }
            }
        }
    }

    /// The corners of its axis-aligned bounding box.
    pub fn extent(&self) -> (V, V) {
        match self {
            Shape::Circle { center, radius } => {
                (center.map(|x| x - radius), center.map(|x| x + radius))
            }
            Shape::Box { center, half, angle } => {
                let turn = Vec2::direction_unit(*angle);
                let flat = half.flat();
                let reach = Vec2::new(
                    turn.x.abs() * flat.x + turn.y.abs() * flat.y,
                    turn.y.abs() * flat.x + turn.x.abs() * flat.y,
                );
                let reach = V::from_fn(|i| if i < 2 { reach[i] } else { half.axis(i) });
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
                (V::from_flat(low), V::from_flat(high))
            }
        }
    }

    /// A random point inside a circle or a box, uniform over it; the middle of the extent for other
    /// shapes.
    pub fn random_point(&self, random: &mut Random) -> V {
        match self {
            Shape::Circle { center, radius } => *center + V::random_in_ball(random) * *radius,
            Shape::Box { center, half, angle } => {
                *center
                    + V::from_fn(|i| random.between(-1.0, 1.0) * half.axis(i))
                        .turned(Vec2::direction_unit(*angle))
            }
            _ => {
                let (low, high) = self.extent();
                (low + high) * 0.5
            }
        }
    }
}
