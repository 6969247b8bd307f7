//! Bodies against obstacles and bounds.

use alloc::vec::Vec;
use core::ops::Range;

use super::body::Body;
use super::search::larger;
use crate::geometry::obstacle::{Obstacle, Obstacles};
use crate::simd::column::VectorColumn;
use crate::spatial::space::{Edge, Space};
use crate::vector::Vector;

/// The number of times that a body is pushed out of all walls near it, one after another: in a
/// corner the second wall may push it back into the first.
const SWEEPS: usize = 2;

/// A surface counts as touched up to this multiple of the radius: pushes round.
const TOUCHING: f32 = 1.001;

/// The obstacles and the bounds, which hold bodies and do not move.
#[derive(Clone, Copy)]
pub(super) struct Walls<'a, V: Vector> {
    pub(super) obstacles: Obstacles<'a, V>,
    pub(super) space: &'a Space<V>,
}

impl<'a, V: Vector> Walls<'a, V> {
    /// Appends the indices of the obstacles whose surface may be within `reach` (length) of `p`, in
    /// their order.
    pub(super) fn collect(&self, p: V, reach: f32, found: &mut Vec<u32>) {
        let first = found.len();
        let (low, high) = (p.map(|x| x - reach), p.map(|x| x + reach));
        self.obstacles.near(self.space, low, high, |index, obstacle| {
            if self.distance(obstacle, p) <= reach {
                found.push(index as u32);
            }
        });
        found[first..].sort_unstable();
    }

    /// The walls that [`collect`](Self::collect) may find for the bodies in `rows` with `margin`
    /// more than their radius (length).
    pub(super) fn near_rows(
        self,
        positions: &VectorColumn<V>,
        bodies: &[Body],
        rows: &Range<usize>,
        margin: f32,
    ) -> Self {
        if rows.is_empty() {
            return self;
        }
        let radii = bodies[rows.clone()].iter().map(|body| body.radius);
        let reach = radii.fold(0.0, larger) + margin;
        let (low, high) = positions.box_around(rows.clone(), |p| p);
        let (low, high) = (low.map(|x| x - reach), high.map(|x| x + reach));
        Self { obstacles: self.obstacles.within(self.space, low, high), ..self }
    }

    /// Whether nothing holds any body.
    pub(super) fn is_empty(&self) -> bool {
        self.obstacles.is_empty() && !self.space.edge().has_walls()
    }

    /// Whether the bounds hold a body within `reach` (length) of `p`.
    pub(super) fn at_bounds(&self, p: V, reach: f32) -> bool {
        self.space.edge().has_walls()
            && (0..V::DIMENSION).any(|i| {
                let (low, size, x) =
                    (self.space.min().axis(i), self.space.size().axis(i), p.axis(i));
                x - low < reach || low + size - x < reach
            })
    }

    /// The image of `p` nearest to an obstacle.
    fn image(&self, obstacle: &Obstacle<V>, p: V) -> V {
        self.space.image(obstacle.middle(), p)
    }

    fn distance(&self, obstacle: &Obstacle<V>, p: V) -> f32 {
        obstacle.distance(self.image(obstacle, p))
    }

    fn near<'s>(&'s self, near: &'s [u32]) -> impl Iterator<Item = &'a Obstacle<V>> + 's {
        let all = self.obstacles.iter().as_slice();
        near.iter().map(|&index| &all[index as usize])
    }

    /// The position of a body of this radius at `p` after all walls have pushed it out (lengths);
    /// `near` are the obstacles that may touch it. A center inside an obstacle is put out first.
    pub(super) fn push_out(&self, p: V, radius: f32, near: &[u32]) -> V {
        let mut p = p;
        let push = |obstacle: &Obstacle<V>, at_least: f32, up_to: f32, p: &mut V| {
            let at = self.image(obstacle, *p);
            let distance = obstacle.distance(at);
            if distance < at_least {
                *p += obstacle.outward(at) * (up_to - distance);
            }
        };
        self.near(near).for_each(|obstacle| push(obstacle, 0.0, 0.0, &mut p));
        for _ in 0..SWEEPS {
            self.near(near).for_each(|obstacle| push(obstacle, radius, radius, &mut p));
            p = self.inside_bounds(p, radius);
        }
        self.space.inside(p)
    }

    /// `p` or the nearest position at which the bounds hold all of the body; its middle where the
    /// world is narrower than the body.
    fn inside_bounds(&self, p: V, radius: f32) -> V {
        if !self.space.edge().has_walls() {
            return p;
        }
        V::from_fn(|i| {
            let (low, size, x) = (self.space.min().axis(i), self.space.size().axis(i), p.axis(i));
            if size < 2.0 * radius {
                low + size * 0.5
            } else {
                x.max(low + radius).min(low + size - radius)
            }
        })
    }

    /// Whether a center that moves from `from`, outside all obstacles, to `to` enters or crosses
    /// one of the obstacles `near`.
    pub(super) fn is_blocked(&self, from: V, to: V, near: &[u32]) -> bool {
        self.near(near).any(|obstacle| {
            let (start, end) = (self.image(obstacle, from), self.image(obstacle, to));
            obstacle.distance(start) >= 0.0
                && (obstacle.distance(end) < 0.0 || {
                    // The same image of both: the way may cross the edge of a wrapped world.
                    let end = start + self.space.difference(from, to);
                    obstacle.cast_segment(start, end, 0.0).is_some()
                })
        })
    }

    /// The velocity of a body at `p` without the part that points into a wall that it touches.
    pub(super) fn slide(&self, p: V, radius: f32, velocity: V, near: &[u32]) -> V {
        let mut velocity = velocity;
        for obstacle in self.near(near) {
            let at = self.image(obstacle, p);
            if obstacle.distance(at) <= radius * TOUCHING {
                velocity = without_part_against(velocity, obstacle.outward(at));
            }
        }
        if self.space.edge() != Edge::Wall {
            return velocity;
        }
        V::from_fn(|i| {
            let (low, size, x) = (self.space.min().axis(i), self.space.size().axis(i), p.axis(i));
            let (v, reach) = (velocity.axis(i), radius * TOUCHING);
            let outward = (x - low <= reach && v < 0.0) || (low + size - x <= reach && v > 0.0);
            if outward { 0.0 } else { v }
        })
    }
}

impl<V: Vector> Walls<'_, V> {
    /// The velocity of a body at `p` after the reflecting bounds that it touches.
    pub(super) fn reflected(&self, p: V, radius: f32, velocity: V) -> V {
        self.space.reflected(p, velocity, radius * TOUCHING)
    }
}

/// `velocity` without its part against `direction`, a unit vector.
pub(super) fn without_part_against<V: Vector>(velocity: V, direction: V) -> V {
    let along = velocity.dot(direction);
    if along < 0.0 { velocity - direction * along } else { velocity }
}
