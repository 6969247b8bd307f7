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

/// Up to this part of its radius a body may overlap a wall: pushes round.
const SLACK: f32 = 1e-3;

/// The largest number of further sweeps where walls push a body into each other.
const MORE_SWEEPS: usize = 8;

/// The obstacles and the bounds, which hold bodies and do not move.
#[derive(Clone, Copy)]
pub(super) struct Walls<'a, V: Vector> {
    pub(super) obstacles: Obstacles<'a, V>,
    pub(super) space: &'a Space<V>,
}

impl<'a, V: Vector> Walls<'a, V> {
    /// Appends the indices of the obstacles whose surface may be within `reach` (length) of `p`, in
    /// their order; returns the signed distance to the nearest of them.
    pub(super) fn collect(&self, p: V, reach: f32, found: &mut Vec<u32>) -> f32 {
        let (first, mut nearest) = (found.len(), f32::INFINITY);
        let (low, high) = (p.map(|x| x - reach), p.map(|x| x + reach));
        self.obstacles.near(self.space, low, high, |index, obstacle| {
            let distance = self.distance(obstacle, p);
            if distance <= reach {
                found.push(index as u32);
                nearest = nearest.min(distance);
            }
        });
        found[first..].sort_unstable();
        nearest
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
    pub(super) fn image(&self, obstacle: &Obstacle<V>, p: V) -> V {
        self.space.image(obstacle.middle(), p)
    }

    pub(super) fn distance(&self, obstacle: &Obstacle<V>, p: V) -> f32 {
        obstacle.distance(self.image(obstacle, p))
    }

    pub(super) fn near<'s>(
        &'s self,
        near: &'s [u32],
    ) -> impl Iterator<Item = &'a Obstacle<V>> + 's {
        let all = self.obstacles.iter().as_slice();
        near.iter().map(|&index| &all[index as usize])
    }

    /// The position of a body of this radius at `p` after all walls have pushed it out (lengths);
    /// `near` are the obstacles that may touch it. A center inside an obstacle is put out first.
    /// Also returns whether the last sweep has pushed, so that the body may still overlap a wall.
    pub(super) fn push_out(&self, p: V, radius: f32, near: &[u32]) -> (V, bool) {
        let mut p = p;
        for obstacle in self.near(near) {
            self.push(obstacle, 0.0, &mut p);
        }
        let mut late = false;
        for _ in 0..SWEEPS {
            late = self.sweep(&mut p, radius, near);
        }
        (self.space.inside(p), late)
    }

    /// Pushes a body of this radius at `p` out of each wall in turn; returns whether one of them
    /// has pushed it by more than rounding.
    pub(super) fn sweep(&self, p: &mut V, radius: f32, near: &[u32]) -> bool {
        let mut pushed = 0.0;
        for obstacle in self.near(near) {
            pushed = larger(pushed, self.push(obstacle, radius, p));
        }
        let held = self.inside_bounds(*p, radius);
        let slack = SLACK * radius;
        let late = pushed > slack || (held - *p).length_squared() > slack * slack;
        *p = held;
        late
    }

    /// Pushes `p` to this distance from an obstacle if it is nearer; returns by how much (lengths).
    #[inline(always)]
    fn push(&self, obstacle: &Obstacle<V>, distance: f32, p: &mut V) -> f32 {
        let at = self.image(obstacle, *p);
        let depth = distance - obstacle.distance(at);
        if depth > 0.0 {
            *p += obstacle.outward(at) * depth;
        }
        depth
    }

    /// The position of a body that walls have pushed to `to` while they may push it into each
    /// other: there, if it overlaps no wall more than at the `start` of the substep and its center
    /// has crossed none; else after more sweeps, at the position `before` the iteration, or at the
    /// start. So a body does not enter a gap that is narrower than it is.
    #[cold]
    pub(super) fn hold(&self, [start, before, to]: [V; 3], radius: f32, near: &[u32]) -> V {
        let mut p = to;
        for _ in 0..MORE_SWEEPS {
            if self.allows(start, p, radius, near) {
                return p;
            }
            if !self.sweep(&mut p, radius, near) {
                break;
            }
            p = self.space.inside(p);
        }
        let mut kept = [p, before].into_iter();
        kept.find(|p| self.allows(start, *p, radius, near)).unwrap_or(start)
    }

    /// Whether a body that was at `start` may be at `to`.
    fn allows(&self, start: V, to: V, radius: f32, near: &[u32]) -> bool {
        let slack = self.slack(to, radius);
        let deeper = |obstacle: &Obstacle<V>| {
            let before = self.distance(obstacle, start);
            let most = if before < radius { before } else { radius };
            self.distance(obstacle, to) < most - slack
        };
        !self.near(near).any(deeper) && !self.is_blocked(start, to, near)
    }

    /// By how much a body of this radius at `p` may overlap a wall (length).
    pub(super) fn slack(&self, p: V, radius: f32) -> f32 {
        let size = (0..V::DIMENSION).map(|i| p.axis(i).abs()).fold(0.0, larger);
        larger(SLACK * radius, 4.0 * f32::EPSILON * size)
    }

    /// `p` or the nearest position at which the bounds hold all of the body; its middle where the
    /// world is narrower than the body.
    pub(super) fn inside_bounds(&self, p: V, radius: f32) -> V {
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
