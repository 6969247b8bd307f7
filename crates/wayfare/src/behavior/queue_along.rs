//! Queue along: stand in a queue along a path, first come, first served. The rule of places is that
//! of JuPedSim's `NotifiableQueue` (libsimulator, Forschungszentrum Jülich): the agent nearest to
//! the free place behind the last one takes it, and agents without a place walk to that place.
//!
//! Departures: places lie one spacing apart on a path and have no end, an agent joins within one
//! spacing of the free place instead of 2 m, and agents without a place walk beside the queue, not
//! through it.

use super::{Steer, arrive, seek};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::path::Path;
use crate::parameter::{Auto, Formula, Kind, PathId, Range, Scale, Unit, parameters};
use crate::spatial::space::Space;
use crate::vector::Vector;

parameters! {
    /// Stand in a queue along a path, first come, first served: the first place is the path's end,
    /// each next one a spacing before it, and straight on before the path's first point. The host
    /// walks to the free place behind the last one, beside the queue, and takes it within one
    /// spacing. It keeps its turn while its states have this behavior with this path; places close
    /// up when a member leaves.
    #[doc(alias = "waiting line")]
    #[doc(alias = "queueing")]
    #[doc(alias = "line up")]
    #[derive(Copy)]
    "queue_along" needs(MEMORY QUEUES) is(ROUTES) = pub struct QueueAlong {
        /// The open path that the queue stands on, by its name; all groups with this path stand in
        /// one queue.
        path: PathId = required, Kind::Path;
        /// The distance between two places: more than a body's width. `"auto"` takes the spacing.
        spacing: Auto = (Auto::Auto),
            Kind::Auto(Range::above_zero(Unit::Length), Formula::by_group(Scale::spacing));
        /// The distance from the place at which slowing begins; `"auto"` takes the larger of mass *
        /// max_speed^2 / (2 max_force) and 4 * mass * max_speed.
        slowing_radius: Auto = (Auto::Auto),
            Kind::Auto(Range::from_zero(Unit::Length), Formula::by_host(Scale::slowing_radius));
    }
}

/// The distance at which agents without a place pass a queue, in spacings: half a spacing is left
/// between two of the largest bodies that the places have room for.
const LANE: f32 = 1.5;

/// The point at the distance `along` the path (length), straight on before its first point.
fn point_at<V: Vector>(path: &Path<V>, along: f32) -> V {
    if along >= 0.0 {
        return path.point_at(along);
    }
    let start = path.points().first().copied().unwrap_or(V::ZERO);
    (start + path.direction_at(0.0) * along).clamped()
}

/// The nearest point of the path, straight on before its first point, and its distance along the
/// path (length).
fn project<V: Vector>(path: &Path<V>, p: V) -> (V, f32) {
    let (nearest, along) = path.project(p);
    if along > 0.0 {
        return (nearest, along);
    }
    let before = (p - nearest).dot(path.direction_at(0.0)).min(0.0);
    (point_at(path, before), before)
}

/// The position of place `k` of a queue on `path` (length): 0 is its end, and each next place is
/// `spacing` (length) before the one ahead, straight on before the first point of the path.
///
/// ```
/// use wayfare::behavior::queue_place;
/// use wayfare::{geometry::path::Path, glam::vec2};
/// let path = Path::new(vec![vec2(0.0, 0.0), vec2(10.0, 0.0), vec2(10.0, 5.0)], 1.0, false);
/// let places = [0, 1, 2, 5].map(|k| queue_place(&path, 4.0, k));
/// assert_eq!(places, [vec2(10.0, 5.0), vec2(10.0, 1.0), vec2(7.0, 0.0), vec2(-5.0, 0.0)]);
/// ```
pub fn queue_place<V: Vector>(path: &Path<V>, spacing: f32, k: u32) -> V {
    point_at(path, path.length() - k as f32 * spacing)
}

/// The force of a host in a queue on `path` (length / time): [`arrive`] at its place `place`.
/// Without one it walks to the place behind the `standing` members that have one.
///
/// On its way it passes the queue at 1.5 spacings, on its own side; exactly on the path it takes
/// the left. Zero for a path without points; exactly on its place it brakes. The
/// [`path`](QueueAlong::path) of the parameters is not read.
///
/// ```
/// use wayfare::behavior::{QueueAlong, queue_along};
/// use wayfare::{Agent, PathId, geometry::path::Path, glam::vec2};
/// let path = Path::new(vec![vec2(0.0, 0.0), vec2(50.0, 0.0)], 1.0, false);
/// let queue = QueueAlong::new(PathId(0)).spacing(5.0);
/// let guest = Agent::new(vec2(40.0, 30.0), 2.0);
/// // The third one has its place at (40, 0).
/// assert_eq!(queue_along(&guest, &path, &queue, Some(2), 4), vec2(0.0, -2.0));
/// // Behind four others it walks to (30, 0).
/// let force = queue_along(&guest, &path, &queue, None, 4);
/// assert!(force.x < 0.0 && (force.y / force.x - 3.0).abs() < 1e-5);
/// ```
pub fn queue_along<V: Vector>(
    host: &impl Host<V>,
    path: &Path<V>,
    parameters: &QueueAlong,
    place: Option<u32>,
    standing: u32,
) -> V {
    queue_in(&Space::default(), host, path, parameters, (place, standing), DebugDraw::OFF)
}

/// [`queue_along()`] in a world that may be wrapped, with debug annotations.
fn queue_in<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    path: &Path<V>,
    parameters: &QueueAlong,
    (place, standing): (Option<u32>, u32),
    debug: DebugDraw<'_, V>,
) -> V {
    if path.points().is_empty() {
        return V::ZERO;
    }
    let host = Agent { position: path.nearest_image(space, host.position()), ..Agent::of(host) };
    let spacing = parameters.spacing.of(&host, Scale::spacing);
    if place.is_none()
        && let Some(target) = beside(space, host.position, path, spacing, standing)
    {
        debug.segment("beside the queue", || (host.position, target));
        return seek(&host, target);
    }
    let target = queue_place(path, spacing, place.unwrap_or(standing));
    let slowing_radius = parameters.slowing_radius.of(&host, Scale::slowing_radius);
    debug.segment("place", || (host.position, target));
    debug.circle("slowing_radius", || (target, slowing_radius));
    arrive(&host, target, slowing_radius)
}

/// The point beside the queue that a host at `p` walks to while it passes the queue; `None` where
/// the way to the place behind the `standing` members is free.
fn beside<V: Vector>(
    space: &Space<V>,
    p: V,
    path: &Path<V>,
    spacing: f32,
    standing: u32,
) -> Option<V> {
    let lane = LANE * spacing;
    let tail = path.length() - standing as f32 * spacing;
    let (nearest, along) = project(path, p);
    let offset = p - nearest;
    if standing == 0 || along <= tail + 0.5 * spacing || offset.length() >= lane {
        return None;
    }
    let direction = path.direction_at(along.max(0.0));
    let side = (offset - direction * offset.dot(direction)).unit();
    let side = if side == V::ZERO { space.up().left(direction) } else { side };
    Some(point_at(path, along - lane) + side * lane)
}

impl<V: Vector> Steer<V> for QueueAlong {
    // Out of line: the code of the other behaviors in the dispatch stays as it is.
    #[inline(never)]
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(path) = context.path(self.path) else { return V::ZERO };
        let standing = context.queue(self.path).standing;
        queue_in(&context.space, host, path, self, (memory.slot, standing), debug)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use glam::{Vec2, Vec3, vec2, vec3};

    fn bent() -> Path<Vec2> {
        Path::new(vec![vec2(0.0, 0.0), vec2(100.0, 0.0), vec2(100.0, 50.0)], 5.0, false)
    }

    fn queue() -> QueueAlong {
        QueueAlong { slowing_radius: Auto::Fixed(0.0), ..QueueAlong::new(PathId(0)).spacing(10.0) }
    }

    #[test]
    fn places_lie_on_the_path_from_its_end_and_straight_on_before_its_start() {
        let place = |k| queue_place(&bent(), 10.0, k);
        assert_eq!([0, 4, 5].map(place), [(100.0, 50.0), (100.0, 10.0), (100.0, 0.0)].map(vec));
        assert_eq!([6, 15, 17].map(place), [(90.0, 0.0), (0.0, 0.0), (-20.0, 0.0)].map(vec));
        assert!(queue_place(&bent(), 1e9, u32::MAX).is_finite());
        let point = Path::new(vec![Vec2::ONE], 5.0, false);
        assert_eq!(queue_place(&point, 10.0, 3), Vec2::ONE);
    }

    fn vec((x, y): (f32, f32)) -> Vec2 {
        vec2(x, y)
    }

    #[test]
    fn a_member_arrives_at_its_place_and_others_behind_the_last_place() {
        let host = Agent::new(vec2(70.0, 40.0), 5.0);
        // Place 6 is (90, 0), 20 to the right and 40 down.
        let force = queue_along(&host, &bent(), &queue(), Some(6), 9);
        assert_near(force, vec2(1.0, -2.0).normalize() * 5.0);
        // Behind nine others it is (60, 0).
        let force = queue_along(&host, &bent(), &queue(), None, 9);
        assert_near(force, vec2(-1.0, -4.0).normalize() * 5.0);
        let slow = QueueAlong { slowing_radius: Auto::Fixed(20.0), ..queue() };
        let near = Agent::new(vec2(90.0, 4.0), 5.0);
        assert_near(queue_along(&near, &bent(), &slow, Some(6), 9), vec2(0.0, -1.0));
        // On its place it brakes, also in space.
        let moving = Agent::new(vec2(90.0, 0.0), 5.0).moving(vec2(3.0, 0.0));
        assert_near(queue_along(&moving, &bent(), &queue(), Some(6), 9), vec2(-3.0, 0.0));
        let up = Path::new(vec![Vec3::ZERO, Vec3::Z * 30.0], 1.0, false);
        let host = Agent::new(vec3(0.0, 0.0, 13.0), 2.0);
        assert_near(queue_along(&host, &up, &queue(), Some(1), 2), Vec3::Z * 2.0);
    }

    #[test]
    fn a_host_that_passes_the_queue_walks_beside_it() {
        let straight = Path::new(vec![vec2(0.0, 0.0), vec2(100.0, 0.0)], 5.0, false);
        let toward = |p: Vec2, standing| {
            queue_along(&Agent::new(p, 1.0), &straight, &queue(), None, standing)
        };
        // Five stand from (60, 0) to (100, 0): the lane is 15 from them.
        for (p, target) in [
            (vec2(80.0, 5.0), vec2(65.0, 15.0)),
            (vec2(80.0, -5.0), vec2(65.0, -15.0)),
            (vec2(80.0, 0.0), vec2(65.0, 15.0)),
            (vec2(104.0, 3.0), vec2(85.0, 15.0)),
            // Far from the queue, and beside the place.
            (vec2(80.0, 16.0), vec2(50.0, 0.0)),
            (vec2(54.0, 9.0), vec2(50.0, 0.0)),
        ] {
            assert_near(toward(p, 5), (target - p).normalize());
        }
        // Without others it goes straight to the end.
        assert_near(toward(vec2(80.0, 5.0), 0), vec2(20.0, -5.0).normalize());
        // Before the start of the path as well: fifteen stand up to (-40, 0).
        let p = vec2(-20.0, 1.0);
        assert_near(toward(p, 15), (vec2(-35.0, 15.0) - p).normalize());
    }

    #[test]
    fn a_path_without_points_exerts_no_force() {
        let nowhere = Path::new(Vec::new(), 1.0, false);
        let host = Agent::new(Vec2::ZERO, 1.0).moving(vec2(1.0, 0.0));
        assert_eq!(queue_along(&host, &nowhere, &queue(), Some(0), 1), Vec2::ZERO);
        let force = queue().force(
            &host,
            &mut Memory::default(),
            &mut SteerContext::empty(1.0),
            DebugDraw::OFF,
        );
        assert_eq!(force, Vec2::ZERO);
    }
}
