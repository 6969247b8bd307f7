//! Avoid obstacles: a sideways push from an obstacle that a probe ahead hits. Reynolds, GDC 1999,
//! "Obstacle avoidance", in the version of the tutorials ("Collision Avoidance", 2013) with both of
//! its corrections: the probe's length follows the speed, and a host inside an obstacle is pushed
//! out.
//!
//! Departures: shapes other than circles, which the tutorial does not have, push along their normal
//! and along their face; a push straight back, which would only brake the host, becomes a push to
//! the left.

use super::Steer;
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::obstacle::{Hit, Obstacle, Shape};
use crate::parameter::{Kind, Range, Unit, parameters, words};
use crate::spatial::bvh::MARGIN;
use crate::spatial::space::Space;
use crate::vector::Vector;

#[cfg(test)]
mod tests;

words! {
    /// How the space ahead is probed.
    pub enum Probe {
        /// The tutorial's method: three points against circles, the line from the host to the far
        /// point against other shapes.
        Points = "points",
        /// Reynolds' method: the corridor of the body's width, against every shape.
        Cylinder = "cylinder",
        /// The tutorial's method before its two corrections: a probe of full length at any speed,
        /// and no test whether the host is inside a circle.
        TwoPoints = "two_points",
    }
}

words! {
    /// The part of the host that must stay clear of obstacles.
    pub enum Clearance {
        /// The host's center; obstacles are taken as they are.
        Center = "center",
        /// The host's body; obstacles are grown by its radius.
        Body = "body",
    }
}

parameters! {
    /// A sideways push from the most threatening obstacle ahead: unit(far - center) *
    /// max_avoid_force for circles, unit(normal + along) * max_avoid_force for other shapes.
    ///
    /// It does not solve L and T shapes: it finds no path around them.
    #[derive(Copy)]
    "avoid_obstacles" = pub struct AvoidObstacles {
        /// The length of the probe at full speed; it shortens with the speed.
        see_ahead: f32 = required, Kind::Number(Range::from_zero(Unit::Length));
        /// The strength of the push.
        max_avoid_force: f32 = required, Kind::Number(Range::from_zero(Unit::Speed));
        /// `"points"`, the tutorial's probe, `"cylinder"`, Reynolds' swept test of the corridor of
        /// the body's width, or `"two_points"`, the tutorial's before its corrections: always
        /// `see_ahead` long, and without a test whether the host is inside a circle.
        probe: Probe = (Probe::Points), Kind::Word(Probe::WORDS);
        /// `"center"` takes obstacles as they are, `"body"` grows them by the host's radius.
        clearance: Clearance = (Clearance::Center), Kind::Word(Clearance::WORDS);
    }
}

/// An obstacle that the probe hits: the distance of its surface, its index in the scene, and how to
/// push.
struct Threat<V> {
    distance: f32,
    index: usize,
    found: Found<V>,
}

enum Found<V> {
    /// The offset from a circle's center to the far point.
    Circle(V),
    Surface(Hit<V>),
    Inside(V),
}

/// The push away from the most threatening obstacle (length / time); zero without one.
///
/// The most threatening is the one whose surface is nearest to the host, the first in the list in a
/// tie. A host at rest has a probe of length zero and is only pushed out of an obstacle that it is
/// inside of; at the center of a circle it is pushed to its left.
pub fn avoid_obstacles<'a, V: Vector>(
    host: &impl Host<V>,
    obstacles: impl IntoIterator<Item = &'a Obstacle<V>>,
    parameters: &AvoidObstacles,
) -> V {
    let open = Space::OPEN;
    let mut search = Search::new(&open, host, parameters);
    obstacles.into_iter().enumerate().for_each(|(index, obstacle)| search.test(index, obstacle));
    search.push(host.heading(), parameters)
}

/// The search for the most threatening obstacle, independent of the order of the obstacles.
struct Search<'a, V> {
    space: &'a Space<V>,
    position: V,
    /// The offset to the far point.
    reach: V,
    /// Surfaces farther away are out of reach (length).
    farthest: f32,
    /// The radius by which obstacles are grown (length).
    growth: f32,
    /// The margin of the bounding box that an obstacle must touch to be tested (length), for
    /// rounding.
    room: f32,
    probe: Probe,
    worst: Option<Threat<V>>,
}

impl<'a, V: Vector> Search<'a, V> {
    #[inline(always)]
    fn new(space: &'a Space<V>, host: &impl Host<V>, parameters: &AvoidObstacles) -> Self {
        let (position, speed) = (host.position(), host.velocity().length());
        let part =
            if parameters.probe == Probe::TwoPoints { 1.0 } else { speed / host.max_speed() };
        let reach = host.heading() * (parameters.see_ahead * part);
        let swept = parameters.probe == Probe::Cylinder;
        let growth =
            if swept || parameters.clearance == Clearance::Body { host.radius() } else { 0.0 };
        let length = reach.length();
        // The sum of the coordinates is an upper bound of the length without a square root.
        let size = (0..V::DIMENSION).map(|i| position.axis(i).abs()).sum::<f32>();
        let room = MARGIN * (size + length + growth + space.diagonal());
        Self {
            space,
            position,
            reach,
            farthest: length + room,
            growth,
            room,
            probe: parameters.probe,
            worst: None,
        }
    }

    /// The bounding box of the probe from `p`, grown by `margin` on every side.
    #[inline(always)]
    fn extent(&self, p: V, margin: f32) -> (V, V) {
        let far = p + self.reach;
        (p.min(far).map(|x| x - margin), p.max(far).map(|x| x + margin))
    }

    /// The box outside of which no obstacle is a threat.
    #[inline(always)]
    fn aabb(&self) -> (V, V) {
        // Twice the margin: each obstacle is tested from its nearest image of the host, which is
        // rounded.
        let p = if self.space.wraps() { self.space.wrapped(self.position) } else { self.position };
        self.extent(p, self.growth + 2.0 * self.room)
    }

    /// Tests an obstacle, and keeps it if it is the most threatening so far: the nearest, and the
    /// first in the scene in a tie.
    fn test(&mut self, index: usize, obstacle: &Obstacle<V>) {
        let p = self.space.image(obstacle.middle(), self.position);
        let (low, high) = self.extent(p, self.growth + self.room);
        // Also without an index: rounding would hit a wall exactly in line with the probe and out
        // of its reach.
        if !obstacle.touches(low, high) {
            return;
        }
        let distance = obstacle.distance(p) - self.growth;
        if distance > self.farthest
            || self
                .worst
                .as_ref()
                .is_some_and(|worst| (worst.distance, worst.index) <= (distance, index))
        {
            return;
        }
        if let Some(found) =
            threatening(obstacle, p, p + self.reach, self.growth, distance, self.probe)
        {
            self.worst = Some(Threat { distance, index, found });
        }
    }

    /// The push away from the most threatening obstacle.
    #[inline(always)]
    fn push(self, heading: V, parameters: &AvoidObstacles) -> V {
        match self.worst {
            None => V::ZERO,
            Some(worst) => worst.push(heading) * parameters.max_avoid_force,
        }
    }
}

impl<V: Vector> Threat<V> {
    /// The direction of the push away from the obstacle.
    fn push(self, heading: V) -> V {
        match self.found {
            Found::Circle(out) => {
                let push = out.unit();
                let along = push.dot(heading);
                if push == V::ZERO || (along < 0.0 && (push - heading * along).length() < 0.001) {
                    heading.unit_perp()
                } else {
                    push
                }
            }
            Found::Surface(hit) => {
                let along = heading - hit.normal * heading.dot(hit.normal);
                // Below this the part along the face is rounding error.
                let along = if along.length() < 1e-5 { heading.unit_perp() } else { along.unit() };
                (hit.normal + along).unit()
            }
            Found::Inside(way_out) => way_out,
        }
    }
}

fn threatening<V: Vector>(
    obstacle: &Obstacle<V>,
    p: V,
    far: V,
    growth: f32,
    distance: f32,
    probe: Probe,
) -> Option<Found<V>> {
    if let Shape::Circle { center, radius } = *obstacle.shape() {
        let reach = (radius + growth) * (radius + growth);
        let near = |point: V| (point - center).length_squared() <= reach;
        let met = near(far)
            || match probe {
                Probe::Points => near((p + far) * 0.5) || near(p),
                Probe::Cylinder => near(p) || obstacle.cast_segment(p, far, growth).is_some(),
                Probe::TwoPoints => near((p + far) * 0.5),
            };
        return met.then_some(Found::Circle(far - center));
    }
    if distance <= 0.0 {
        return Some(Found::Inside(obstacle.way_out(p)));
    }
    obstacle.cast_segment(p, far, growth).map(Found::Surface)
}

impl<V: Vector> Steer<V> for AvoidObstacles {
    #[inline(always)]
    fn force(
        &self,
        host: &Agent<V>,
        _: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let mut search = Search::new(&context.space, host, self);
        let (low, high) = search.aabb();
        context
            .obstacles
            .near(&context.space, low, high, |index, obstacle| search.test(index, obstacle));
        debug.segment("probe", || (host.position, host.position + search.reach));
        if let Some(Threat { found: Found::Surface(hit), .. }) = &search.worst {
            debug.point("hit", || host.position + search.reach * hit.along);
        }
        search.push(host.heading, self)
    }
}
