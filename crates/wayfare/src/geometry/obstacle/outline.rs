//! The outline of an obstacle on the ground: corners, grown by a radius.

use glam::Vec2;

use super::{Obstacle, Shape, edges};
use crate::vector::Vector;

/// The outline of an obstacle on the ground: a polygon of corners in counterclockwise order, grown
/// by a radius. One corner is a disc, two are a wall with round ends.
pub(crate) struct Outline<'a> {
    /// The corners of shapes that are not polygons.
    own: [Vec2; 4],
    count: usize,
    /// The corners of a polygon.
    polygon: Option<&'a [Vec2]>,
    /// Whether those are in clockwise order.
    clockwise: bool,
    /// By how much it is grown (length).
    pub(crate) radius: f32,
}

impl<'a> Outline<'a> {
    /// The outline of `obstacle`; in space that of its projection to the ground, whatever the
    /// heights.
    pub(crate) fn of<V: Vector>(obstacle: &'a Obstacle<V>) -> Self {
        let up = obstacle.up();
        let mut own = [Vec2::ZERO; 4];
        let (mut polygon, mut clockwise) = (None, false);
        let (count, radius) = match obstacle.shape() {
            Shape::Circle { center, radius } => {
                own[0] = up.ground(*center);
                (1, *radius)
            }
            Shape::Segment { from, to, thickness } => {
                [own[0], own[1]] = [up.ground(*from), up.ground(*to)];
                (if own[0] == own[1] { 1 } else { 2 }, thickness * 0.5)
            }
            Shape::Box { center, half, .. } => {
                let half = obstacle.local_half(*half).flat();
                let signs = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
                own = signs.map(|(x, y)| {
                    let local = V::from_flat(Vec2::new(half.x * x, half.y * y));
                    up.ground(*center + obstacle.world(local))
                });
                // The ground of a world with y up is seen from below.
                if (own[1] - own[0]).perp_dot(own[2] - own[0]) < 0.0 {
                    own.swap(1, 3);
                }
                (4, 0.0)
            }
            Shape::Polygon { points } => {
                polygon = Some(&points[..]);
                let twice_area: f32 =
                    edges(points).map(|(a, b)| (a - points[0]).perp_dot(b - points[0])).sum();
                clockwise = twice_area < 0.0;
                (points.len(), 0.0)
            }
        };
        Self { own, count, polygon, clockwise, radius }
    }

    /// The number of corners, at least 1.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The corner `i`, modulo their number.
    pub(crate) fn corner(&self, i: usize) -> Vec2 {
        let i = i % self.count;
        match self.polygon {
            Some(points) if self.clockwise => points[self.count - 1 - i],
            Some(points) => points[i],
            None => self.own[i],
        }
    }
}
