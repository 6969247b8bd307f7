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
use crate::parameter::{Auto, Formula, Kind, Range, Scale, Unit, parameters, words};
use crate::spatial::bvh::MARGIN;
use crate::spatial::space::Space;
use crate::vector::{Up, Vector};

#[cfg(test)]
mod tests;

words! {
    /// The method by which the space ahead is probed.
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
        /// The host's center; obstacles keep their size.
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
    #[doc(alias = "avoid")]
    #[doc(alias = "obstacle avoidance")]
    #[derive(Copy)]
    "avoid_obstacles" is(AVOIDS) = pub struct AvoidObstacles {
        /// The length of the probe at full speed; it shortens with the speed. `"auto"` takes 2
        /// radius + 2 max_speed * reaction.
        see_ahead: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_group(see_ahead));
        /// The strength of the push; `"auto"` takes 2 max_speed, more than any behavior that seeks.
        max_avoid_force: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Speed), Formula::by_group(max_avoid_force));
        /// `"points"`, the tutorial's probe, `"cylinder"`, Reynolds' swept test of the corridor of
        /// the body's width, or `"two_points"`, the tutorial's before its corrections: always
        /// `see_ahead` long, and without a test whether the host is inside a circle.
        probe: Probe = (Probe::Points), Kind::Word(Probe::WORDS);
        /// `"center"` takes obstacles as they are, `"body"` grows them by the host's radius.
        clearance: Clearance = (Clearance::Center), Kind::Word(Clearance::WORDS);
        /// Whether the walls of bounds whose edge is `"wall"` or `"bounce"` count as obstacles.
        bounds: bool = false, Kind::Flag;
    }
}

/// An obstacle that the probe hits: the distance of its surface, its index in the scene, and the
/// data of the push.
struct Threat<V> {
    distance: f32,
    index: usize,
    contact: Contact<V>,
}

enum Contact<V> {
    /// The offset from a circle's center to the far point.
    Circle(V),
    Surface(Hit<V>),
    Inside(V),
}

/// The push away from the most threatening obstacle (length / time); zero without one.
///
/// The most threatening obstacle is the one whose surface is nearest to the host; in a tie the
/// first in the list. A host at rest has a probe of length zero and is only pushed out of an
/// obstacle that contains it; at the center of a circle the push is to the host's left. There are
/// no bounds, so [`bounds`](AvoidObstacles::bounds) has no effect.
///
/// ```
/// use wayfare::behavior::{AvoidObstacles, avoid_obstacles};
/// use wayfare::geometry::obstacle::{Obstacle, Shape};
/// use wayfare::{Agent, glam::vec2};
/// let rock = Obstacle::from(Shape::Circle { center: vec2(25.0, -4.0), radius: 8.0 });
/// let boat = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(3.0, 0.0));
/// let force = avoid_obstacles(&boat, [&rock], &AvoidObstacles::default().see_ahead(50.0)
///     .max_avoid_force(5.0));
/// // The rock is a little to the right: the push is to the left.
/// assert!(force.y > 0.0);
/// assert_eq!(avoid_obstacles(&boat, [], &AvoidObstacles::default().see_ahead(50.0)
///     .max_avoid_force(5.0)), vec2(0.0, 0.0));
/// ```
pub fn avoid_obstacles<'a, V: Vector>(
    host: &impl Host<V>,
    obstacles: impl IntoIterator<Item = &'a Obstacle<V>>,
    parameters: &AvoidObstacles,
) -> V {
    let open = Space::OPEN;
    let mut search = Search::<V, false>::new(&open, host, parameters);
    obstacles.into_iter().enumerate().for_each(|(index, obstacle)| search.test(index, obstacle));
    search.push(host, parameters)
}

/// The length of the probe (length): room to turn.
fn see_ahead(scale: &Scale) -> f32 {
    2.0 * (scale.radius + scale.max_speed * scale.reaction())
}

/// The strength of the push (length / time).
fn max_avoid_force(scale: &Scale) -> f32 {
    2.0 * scale.max_speed
}

/// The search for the most threatening obstacle, independent of the order of the obstacles.
///
/// With `BY_SURFACE` circles count by their surface, as the other shapes do.
struct Search<'a, V, const BY_SURFACE: bool> {
    space: &'a Space<V>,
    position: V,
    /// The offset to the far point.
    reach: V,
    /// The distance beyond which no surface is a threat (length).
    farthest: f32,
    /// The radius by which obstacles are grown (length).
    growth: f32,
    /// The margin of the bounding box that an obstacle must touch to be tested (length); it covers
    /// rounding errors.
    margin: f32,
    probe: Probe,
    worst: Option<Threat<V>>,
}

impl<'a, V: Vector, const BY_SURFACE: bool> Search<'a, V, BY_SURFACE> {
    #[inline(always)]
    fn new(space: &'a Space<V>, host: &impl Host<V>, parameters: &AvoidObstacles) -> Self {
        let (position, speed) = (host.position(), host.velocity().length());
        let scale =
            if parameters.probe == Probe::TwoPoints { 1.0 } else { speed / host.max_speed() };
        let length = parameters.see_ahead.of(host, see_ahead) * scale;
        let cylinder = parameters.probe == Probe::Cylinder;
        let growth =
            if cylinder || parameters.clearance == Clearance::Body { host.radius() } else { 0.0 };
        let heading = host.heading();
        Self::along(space, position, heading, length, growth, parameters.probe)
    }

    /// The search along a probe from `position` in the direction of the unit vector `along`, for
    /// obstacles that are grown by `growth` (lengths).
    #[inline(always)]
    fn along(
        space: &'a Space<V>,
        position: V,
        along: V,
        length: f32,
        growth: f32,
        probe: Probe,
    ) -> Self {
        // The sum of the coordinates is an upper bound on the length, and needs no square root.
        let size = (0..V::DIMENSION).map(|i| position.axis(i).abs()).sum::<f32>();
        let margin = MARGIN * (size + length + growth + space.diagonal());
        Self {
            space,
            position,
            reach: along * length,
            farthest: length + margin,
            growth,
            margin,
            probe,
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
        // Twice the margin: each obstacle is tested against the nearest image of the host, and the
        // image is rounded.
        let p = self.space.inside(self.position);
        self.extent(p, self.growth + 2.0 * self.margin)
    }

    /// Tests an obstacle, and stores it if it is the most threatening so far: the nearest, in a tie
    /// the first in the scene.
    fn test(&mut self, index: usize, obstacle: &Obstacle<V>) {
        let p = self.space.image(obstacle.middle(), self.position);
        let (low, high) = self.extent(p, self.growth + self.margin);
        // Tested also without an index: by rounding the probe would hit a wall exactly in line with
        // it and beyond its end.
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
        let (far, probe) = (p + self.reach, (!BY_SURFACE).then_some(self.probe));
        if let Some(contact) = contact(obstacle, p, far, self.growth, distance, probe) {
            self.worst = Some(Threat { distance, index, contact });
        }
    }

    /// Tests the walls of the bounds, after all obstacles: a wall is the threat if it is nearer
    /// than every obstacle.
    #[inline(never)]
    fn test_walls(&mut self) {
        let nearest = self.worst.as_ref().map_or(f32::INFINITY, |worst| worst.distance);
        let mut nearest = nearest.min(self.farthest);
        for (normal, distance) in self.space.walls(self.position) {
            let (distance, approach) = (distance - self.growth, -self.reach.dot(normal));
            let contact = if distance <= 0.0 {
                Contact::Inside(normal)
            } else if distance <= approach {
                Contact::Surface(Hit { along: distance / approach, normal })
            } else {
                continue;
            };
            if distance < nearest {
                nearest = distance;
                self.worst = Some(Threat { distance, index: usize::MAX, contact });
            }
        }
    }

    /// The push away from the most threatening obstacle.
    #[inline(always)]
    fn push(self, host: &impl Host<V>, parameters: &AvoidObstacles) -> V {
        match self.worst {
            None => V::ZERO,
            Some(worst) => {
                let strength = parameters.max_avoid_force.of(host, max_avoid_force);
                worst.push(host.heading(), self.space.up()) * strength
            }
        }
    }
}

impl<V: Vector> Threat<V> {
    /// The direction of the push away from the obstacle.
    fn push(self, heading: V, up: Up) -> V {
        match self.contact {
            Contact::Circle(out) => {
                let push = out.unit();
                let along = push.dot(heading);
                if push == V::ZERO || (along < 0.0 && (push - heading * along).length() < 0.001) {
                    up.left(heading)
                } else {
                    push
                }
            }
            Contact::Surface(hit) => {
                let along = heading - hit.normal * heading.dot(hit.normal);
                // Below this length the component along the face is rounding error.
                let along = if along.length() < 1e-5 { up.left(heading) } else { along.unit() };
                (hit.normal + along).unit()
            }
            Contact::Inside(outward) => outward,
        }
    }
}

/// The ways off the obstacle, or wall of the bounds, that is nearest to the host among those ahead.
pub(super) struct WayOff<V> {
    /// Its outward normal where it is met.
    pub(super) normal: V,
    /// The unit vector halfway between the normal and the way along it.
    pub(super) away: V,
}

/// The ways off the obstacle, or wall of the bounds, that is nearest among those within `see_ahead`
/// (length) of `host` along the unit vector `ahead`. `None` without one.
#[inline(never)]
pub(super) fn way_off_nearest<V: Vector>(
    host: &Agent<V>,
    ahead: V,
    see_ahead: f32,
    context: &SteerContext<'_, V>,
) -> Option<WayOff<V>> {
    let (space, growth) = (&context.space, host.radius);
    let (at, probe) = (host.position, Probe::Cylinder);
    let mut search = Search::<V, true>::along(space, at, ahead, see_ahead, growth, probe);
    let (low, high) = search.aabb();
    context.obstacles.near(space, low, high, |index, obstacle| search.test(index, obstacle));
    search.test_walls();
    let worst = search.worst?;
    let normal = match &worst.contact {
        Contact::Circle(out) => out.unit(),
        Contact::Surface(hit) => hit.normal,
        Contact::Inside(outward) => *outward,
    };
    Some(WayOff { normal, away: worst.push(ahead, space.up()) })
}

/// The contact of the probe with an obstacle, if there is one; without a kind of probe, circles
/// count by their surface.
#[inline(always)]
fn contact<V: Vector>(
    obstacle: &Obstacle<V>,
    p: V,
    far: V,
    growth: f32,
    distance: f32,
    probe: Option<Probe>,
) -> Option<Contact<V>> {
    if let (Shape::Circle { center, radius }, Some(probe)) = (obstacle.shape(), probe) {
        let (center, radius) = (*center, *radius);
        let squared = (radius + growth) * (radius + growth);
        let inside = |point: V| (point - center).length_squared() <= squared;
        let hit = inside(far)
            || match probe {
                Probe::Points => inside((p + far) * 0.5) || inside(p),
                Probe::Cylinder => inside(p) || obstacle.cast_segment(p, far, growth).is_some(),
                Probe::TwoPoints => inside((p + far) * 0.5),
            };
        return hit.then_some(Contact::Circle(far - center));
    }
    if distance <= 0.0 {
        return Some(Contact::Inside(obstacle.outward(p)));
    }
    obstacle.cast_segment(p, far, growth).map(Contact::Surface)
}

impl AvoidObstacles {
    /// The push away from the most threatening obstacle; with `WALLS` walls of the bounds count.
    #[inline(always)]
    fn sought<const WALLS: bool, V: Vector>(
        &self,
        host: &Agent<V>,
        context: &SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let mut search = Search::<V, false>::new(&context.space, host, self);
        let (low, high) = search.aabb();
        context
            .obstacles
            .near(&context.space, low, high, |index, obstacle| search.test(index, obstacle));
        if WALLS {
            search.test_walls();
        }
        debug.segment("probe", || (host.position, host.position + search.reach));
        if let Some(Threat { contact: Contact::Surface(hit), .. }) = &search.worst {
            debug.point("hit", || host.position + search.reach * hit.along);
        }
        search.push(host, self)
    }

    #[inline(never)]
    fn among_walls<V: Vector>(
        &self,
        host: &Agent<V>,
        context: &SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        self.sought::<true, V>(host, context, debug)
    }
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
        // Else the compiler computes speed and size of the host for every agent, before the loop
        // over the behaviors of its list.
        let host = core::hint::black_box(host);
        if self.bounds {
            self.among_walls(host, context, debug)
        } else {
            self.sought::<false, V>(host, context, debug)
        }
    }
}
