//! The way out of a wall of a body that overlaps it deeper than a step or a push can explain: it
//! started there, a source or a command has set it there, or a wall was moved onto it.
//!
//! Such a body moves by at most its longest step, or a quarter of its radius where that is longer,
//! in each tick, until it overlaps no wall by more than that; then walls push it out as any other
//! body. Nothing else moves it meanwhile. A body whose center is outside of all walls stays on its
//! side: after at most four ticks it is out. One whose center is `depth` inside takes the nearest
//! way on which it crosses no other wall: at most `4 * (depth / radius + 1)` ticks along it.
//!
//! The way is straight. Its direction is the best of those away from and along the walls nearby;
//! where none of them leads to a place with room, of those of a fan. A body with none of them stays
//! where it is, unless its center is inside a wall: then it goes to the nearest place outside of
//! all walls. Directions, walls and steps are few, so that a body that cannot get out costs a
//! bounded time in each tick.

use alloc::vec::Vec;

use super::body::Leaving;
use super::others::{Others, Ways};
use super::pairs::Chunk;
use super::search::larger;
use super::solid::SolidBodies;
use super::walls::Walls;
use crate::geometry::obstacle::{Obstacle, Shape};
use crate::threads::Share;
use crate::vector::Vector;

/// The least way in a tick, as a part of the radius.
const LEAST: f32 = 0.25;
/// A body that overlaps a wall by more than this part of its radius may be across it after a step.
const DEEP: f32 = 0.49;
/// The shortest step along a way, as a part of the radius.
const STEP: f32 = 0.02;
/// The largest number of steps along a way, inside walls and outside of them. A step inside a wall
/// is as long as the place is deep in it, so that few reach a surface.
const MOST_STEPS: usize = 24;
/// The largest number of walls away from and along which ways are tried.
const MOST_NEAR: usize = 8;
/// The number of halvings of the last step.
const HALVINGS: usize = 24;
/// A way replaces one that was tried before if it is shorter than this part of it.
const SHORTER: f32 = 0.99;

/// A way of which the center of a body has left all walls after the distance `length` (length).
#[derive(Clone, Copy, Debug)]
struct WayOut<V> {
    direction: V,
    length: f32,
    /// Whether the whole body then overlaps no wall.
    fits: bool,
}

impl<V: Vector> SolidBodies<V> {
    /// Finds the walls near all bodies, in the first substep, and the ways of those that are in
    /// one before the tick.
    pub(super) fn find_ways_out(
        &mut self,
        ways: &Ways<'_, V>,
        walls: Walls<'_, V>,
        others: Option<&mut Others<'_>>,
        shared: Share,
    ) {
        self.find_walls(walls, shared);
        self.leaving.clear();
        self.leaving.reserve(self.agents);
        let mut longest = 0.0;
        for row in Chunk::rows_at_walls(&self.chunks) {
            let (from, radius) = (ways.start(row), self.bodies[row].radius);
            let step = ways.longest_step(row);
            if let Some(way) = walls.way_out(from, radius, step, &mut self.near) {
                longest = larger(longest, way.length());
                self.leaving.push(Leaving { row, from, way });
            }
        }
        for leaving in &self.leaving {
            Chunk::set_leaving(&mut self.chunks, leaving.row);
        }
        if let Some(others) = others {
            let mut numbers = [longest];
            others.parts.largest(&mut numbers);
            longest = numbers[0];
        }
        self.travelled = larger(self.travelled, longest);
    }

    /// Moves the bodies that leave walls by this part of their ways in the tick.
    pub(super) fn go_out(&mut self, walls: Walls<'_, V>, part: f32) {
        for leaving in &self.leaving {
            let p = walls.space.inside(leaving.from + leaving.way * part);
            self.position.set(leaving.row, p);
        }
    }
}

impl<V: Vector> Walls<'_, V> {
    /// The way in this tick of a body that is in a wall at `p` and moves by at most `step` by
    /// itself (lengths); `None` for other bodies. `near` is a buffer.
    pub(super) fn way_out(&self, p: V, radius: f32, step: f32, near: &mut Vec<u32>) -> Option<V> {
        near.clear();
        let nearest = self.collect(p, radius, near);
        let clearance = nearest.min(self.inside_by(p, radius));
        let overlap = radius - clearance;
        if overlap <= 2.0 * self.slack(p, radius) {
            return None;
        }
        let longest = larger(LEAST * radius, step);
        let is_deep = overlap > longest.min(DEEP * radius);
        if !is_deep && !self.squeezes(p, radius, near) {
            return None;
        }
        let best = self.best_way(p, radius, near)?;
        (best.fits || clearance < 0.0).then(|| best.direction * best.length.min(longest))
    }

    /// Whether walls cannot push a body of this radius at `p` out of all of them.
    fn squeezes(&self, p: V, radius: f32, near: &[u32]) -> bool {
        let (mut out, mut late) = self.push_out(p, radius, near);
        for _ in 0..8 {
            if !late {
                return false;
            }
            late = self.sweep(&mut out, radius, near);
        }
        self.clearance(out, radius) < radius - 2.0 * self.slack(p, radius)
    }

    /// The shortest of the ways from `p` at whose end a body of this radius overlaps no wall, or if
    /// there is none, of those that lead out of all walls.
    fn best_way(&self, p: V, radius: f32, near: &[u32]) -> Option<WayOut<V>> {
        let mut best = None;
        let attempt = |best: &mut Option<WayOut<V>>, direction: V| {
            let is_better = |way: &WayOut<V>| {
                best.is_none_or(|best| {
                    if way.fits == best.fits {
                        way.length < SHORTER * best.length
                    } else {
                        way.fits
                    }
                })
            };
            if let Some(way) = self.way_along(p, direction, radius).filter(is_better) {
                *best = Some(way);
            }
        };
        for obstacle in self.near(near).take(MOST_NEAR) {
            let outward = obstacle.outward(self.image(obstacle, p));
            let along = self.space.up().left(outward);
            [outward, along, -along].into_iter().for_each(|way| attempt(&mut best, way));
        }
        if best.is_none_or(|best| !best.fits) {
            (0..V::FAN).for_each(|k| attempt(&mut best, V::X.fan(k)));
        }
        best
    }

    /// The way from `p` in this direction; `None` if it leads across a wall, or is too long.
    fn way_along(&self, p: V, direction: V, radius: f32) -> Option<WayOut<V>> {
        let at = |length: f32| self.clearance(p + direction * length, radius);
        let place = |length: f32| p + direction * length;
        let (out, clearance) = Self::first(0.0, radius, 0.0, &at)?;
        if direction == V::ZERO || self.crosses_line([p, place(out)], self.slack(p, radius)) {
            return None;
        }
        // Where a body just fits, rounding may leave less than its radius.
        let free = [radius, radius - self.slack(p, radius)]
            .into_iter()
            .filter(|_| clearance >= 0.0)
            .find_map(|enough| Self::first(out, radius, enough, &at))
            .filter(|(length, _)| !self.crosses(place(out), place(*length)));
        let length = free.map_or(out, |(length, _)| length);
        Some(WayOut { direction, length, fits: free.is_some() })
    }

    /// The first length from `start` on at which `clearance` is at least `enough`, and what it is
    /// there (lengths). It is approached in steps that jump over no wall, and then halved, so that
    /// it hardly depends on rounding.
    fn first(
        start: f32,
        radius: f32,
        enough: f32,
        clearance: &impl Fn(f32) -> f32,
    ) -> Option<(f32, f32)> {
        let (mut length, mut found) = (start, clearance(start));
        if found >= enough {
            return Some((length, found));
        }
        for _ in 0..MOST_STEPS {
            let safe = if found < 0.0 { -found } else { found.min(enough - found) };
            let step = larger(STEP * radius, safe);
            let (mut low, mut high) = (length, length + step);
            (length, found) = (high, clearance(high));
            if found < enough {
                if found < 0.0 && enough > 0.0 {
                    return None;
                }
                continue;
            }
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                let at = clearance(middle);
                if at >= enough {
                    (high, found) = (middle, at);
                } else {
                    low = middle;
                }
            }
            return Some((high, found));
        }
        None
    }

    /// The distance of `p` from the nearest wall (length; negative inside), up to `radius`.
    fn clearance(&self, p: V, radius: f32) -> f32 {
        let nearest = self.obstacles.nearest(self.space, p, radius);
        nearest.map_or(radius, |(_, _, distance)| distance).min(self.inside_by(p, radius))
    }

    /// The distance of `p` from the nearest bounds with a wall (length; negative outside), up to
    /// `radius`. A world that is narrower than a body holds it in its middle.
    fn inside_by(&self, p: V, radius: f32) -> f32 {
        let held = self.inside_bounds(p, radius);
        let beyond = (0..V::DIMENSION).map(|i| (held.axis(i) - p.axis(i)).abs());
        radius - beyond.fold(0.0, larger)
    }

    /// Whether the way of a center from `a`, outside of all walls, to `b` enters one.
    fn crosses(&self, a: V, b: V) -> bool {
        self.meets(a, b, &|_, _| true)
    }

    /// Whether the way of a center from `a` to `b` crosses a wall without thickness inside the
    /// bounds, by `slack` (length). One at or beyond them does not keep a body out of its world.
    fn crosses_line(&self, [a, b]: [V; 2], slack: f32) -> bool {
        self.meets(a, b, &|obstacle, hit| {
            let is_line = matches!(obstacle.shape(), Shape::Segment { thickness: 0.0, .. });
            is_line && self.inside_by(hit, 2.0 * slack) >= slack
        })
    }

    /// Whether the way from `a` to `b` meets an obstacle for which `counts` holds with the place.
    fn meets(&self, a: V, b: V, counts: &dyn Fn(&Obstacle<V>, V) -> bool) -> bool {
        let mut found = false;
        self.obstacles.near(self.space, a.min(b), a.max(b), |_, obstacle| {
            let from = self.image(obstacle, a);
            if !found && obstacle.distance(from) > 0.0 {
                let hit = obstacle.cast_segment(from, from + (b - a), 0.0);
                found = hit.is_some_and(|hit| counts(obstacle, a + (b - a) * hit.along));
            }
        });
        found
    }
}
