//! Follow a path: the tutorials' method from node to node ("Path Following", 2013), or Reynolds'
//! corridor (GDC 1999, "Path following").
//!
//! The corridor departs from Reynolds for a host that is at rest or moves back along the path: the
//! host is steered forward, as in OpenSteer, so that a host that starts at rest inside the corridor
//! sets out.

use super::{Steer, arrive, seek};
use crate::agent::{Agent, Host, Memory, Progress};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::geometry::path::Path;
use crate::parameter::{Kind, PathId, Range, Unit, optional_word, parameters, words};
use crate::spatial::space::Space;
use crate::vector::Vector;

words! {
    /// The behavior at the end of the path.
    pub enum AtEnd {
        /// Keep seeking the last node: the tutorial's first version.
        Seek = "seek",
        /// Slow down towards the last node, and stop on it.
        Arrive = "arrive",
        /// Reverse, and follow the path to the first node.
        Patrol = "patrol",
        /// Return to the first node and start again.
        Loop = "loop",
    }
}

optional_word!(AtEnd);

words! {
    /// The method by which the path is followed.
    pub enum Tracking {
        /// From node to node: the tutorials' method.
        Nodes = "nodes",
        /// Steer only if the predicted position leaves the corridor: Reynolds' method.
        Corridor = "corridor",
    }
}

words! {
    /// The point of the path at which a host begins.
    pub enum PathStart {
        /// At the first node.
        First = "first",
        /// At the point of the path that is nearest to the host.
        Nearest = "nearest",
    }
}

parameters! {
    /// Along a path, from node to node or within its corridor: seek(node), and the next node once
    /// |p - node| <= radius.
    #[doc(alias = "path follow")]
    #[doc(alias = "path following")]
    #[doc(alias = "pathfollow")]
    #[derive(Copy)]
    "follow_path" needs(MEMORY) is(ROUTES FINDS_WAY ARRIVES) = pub struct FollowPath {
        /// The path, by its name, or `"order"` for the path that the host is ordered along.
        path: PathId = required, Kind::Path;
        /// What the host does after the last node: `"seek"` goes on seeking it, `"arrive"` stops on
        /// it, `"patrol"` follows the path back to the first node, `"loop"` goes straight to the
        /// first node and begins again. If left out it is `"arrive"`, or `"loop"` on a closed path.
        at_end: Option<AtEnd> = None, Kind::Word(AtEnd::WORDS);
        /// The distance from the last node at which `"arrive"` begins to slow down; the path's
        /// radius if left out. The other ends do not read it.
        slowing_radius: Option<f32> = None, Kind::Number(Range::from_zero(Unit::Length));
        /// `"nodes"` seeks one node after another, as the tutorials do; a node is reached within
        /// the path's radius. `"corridor"` steers only if the predicted position is farther from
        /// the path than its radius, or no farther along it; there a closed path has no end.
        tracking: Tracking = (Tracking::Nodes), Kind::Word(Tracking::WORDS);
        /// The time after which `"corridor"` predicts the position; the host's mass (its reaction
        /// time) if left out. `"nodes"` does not read it.
        lookahead: Option<f32> = None, Kind::Number(Range::from_zero(Unit::Time));
        /// Where `"nodes"` begins: `"first"` at the first node, `"nearest"` at the point of the
        /// path that is nearest to the host when it first follows the path, and each time that it
        /// comes back to a state which follows it: it seeks the node after that point, on the way
        /// back of a patrol the one before. `"corridor"` always begins at the nearest point.
        start: PathStart = (PathStart::First), Kind::Word(PathStart::WORDS);
        /// Whether `"corridor"` drives a host inside the corridor along the path at full speed; if
        /// not, there is no force inside. `"nodes"` does not read it.
        drive: bool = false, Kind::Flag;
    }
}

impl FollowPath {
    /// The behavior at the end of this path.
    pub fn end<V: Vector>(&self, path: &Path<V>) -> AtEnd {
        self.at_end.unwrap_or(if path.is_closed() { AtEnd::Loop } else { AtEnd::Arrive })
    }
}

/// The force that follows `path` (length / time), continued from `progress`; zero for a path
/// without points. The [`path`](FollowPath::path) of the parameters is not read.
///
/// A node is reached within the path's radius, and at most one is reached per tick. Exactly on a
/// node with radius 0 the host goes on to the next; a host at rest is steered like a moving one.
///
/// ```
/// use wayfare::behavior::{FollowPath, follow_path};
/// use wayfare::{Agent, PathId, agent::Progress, geometry::path::Path, glam::vec2};
/// let beat = Path::new(vec![vec2(0.0, 0.0), vec2(100.0, 0.0), vec2(100.0, 50.0)], 5.0, false);
/// let guard = Agent::new(vec2(2.0, 0.0), 3.0);
/// let mut progress = Progress::default();
/// // The first node is reached: on to the second.
/// let force = follow_path(&guard, &beat, &FollowPath::new(PathId(0)), &mut progress);
/// assert_eq!(force, vec2(3.0, 0.0));
/// ```
pub fn follow_path<V: Vector>(
    host: &impl Host<V>,
    path: &Path<V>,
    parameters: &FollowPath,
    progress: &mut Progress,
) -> V {
    follow_in(&Space::default(), host, path, parameters, progress, DebugDraw::OFF)
}

/// [`follow_path()`] in a world that may be wrapped: the shortest offsets lead to nodes, and the
/// host's image nearest to the path follows the corridor.
#[inline(always)]
fn follow_in<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    path: &Path<V>,
    parameters: &FollowPath,
    progress: &mut Progress,
    debug: DebugDraw<'_, V>,
) -> V {
    if path.points().is_empty() {
        return V::ZERO;
    }
    match parameters.tracking {
        Tracking::Nodes => from_node_to_node(space, host, path, parameters, progress, debug),
        Tracking::Corridor => in_the_corridor(space, host, path, parameters, progress, debug),
    }
}

#[inline(never)]
fn in_the_corridor<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    path: &Path<V>,
    parameters: &FollowPath,
    progress: &mut Progress,
    debug: DebugDraw<'_, V>,
) -> V {
    if !space.wraps() {
        return along_the_corridor(host, path, parameters, progress, debug);
    }
    let position = path.nearest_image(space, host.position());
    let host = Agent { position, ..Agent::of(host) };
    along_the_corridor(&host, path, parameters, progress, debug)
}

/// Unless the path has begun, seeks the node after its point that is nearest to `p` (length).
#[inline(never)]
fn begin_at_the_nearest_point<V: Vector>(
    path: &Path<V>,
    space: &Space<V>,
    p: V,
    progress: &mut Progress,
) {
    if progress.begun {
        return;
    }
    let next = path.next_point(path.nearest_image(space, p));
    let node = match next.checked_sub(1) {
        _ if !progress.backwards => next,
        Some(before) => before,
        None if path.is_closed() => path.points().len() - 1,
        None => 0,
    };
    *progress = Progress { node: node as u32, begun: true, done: false, ..*progress };
}

#[inline(always)]
fn from_node_to_node<V: Vector>(
    space: &Space<V>,
    host: &impl Host<V>,
    path: &Path<V>,
    parameters: &FollowPath,
    progress: &mut Progress,
    debug: DebugDraw<'_, V>,
) -> V {
    let last = path.points().len() as u32 - 1;
    if parameters.start == PathStart::Nearest {
        begin_at_the_nearest_point(path, space, host.position(), progress);
    }
    progress.node = progress.node.min(last);
    let mut target = space.image(host.position(), path.points()[progress.node as usize]);
    if (target - host.position()).length() <= path.radius {
        let at_the_end =
            if progress.backwards { progress.node == 0 } else { progress.node == last };
        match (at_the_end, parameters.end(path)) {
            (false, _) if progress.backwards => progress.node -= 1,
            (false, _) => progress.node += 1,
            (true, AtEnd::Seek | AtEnd::Arrive) => progress.done = true,
            // This tick still seeks the end node; the next tick seeks the node before it.
            (true, AtEnd::Patrol) => progress.backwards = !progress.backwards,
            (true, AtEnd::Loop) => progress.node = if progress.backwards { last } else { 0 },
        }
        target = space.image(host.position(), path.points()[progress.node as usize]);
    }
    debug.circle("radius", || (target, path.radius));
    if progress.node == last && parameters.end(path) == AtEnd::Arrive {
        arrive(host, target, parameters.slowing_radius.unwrap_or(path.radius))
    } else {
        seek(host, target)
    }
}

fn along_the_corridor<V: Vector>(
    host: &impl Host<V>,
    path: &Path<V>,
    parameters: &FollowPath,
    progress: &mut Progress,
    debug: DebugDraw<'_, V>,
) -> V {
    let (p, v) = (host.position(), host.velocity());
    let end = parameters.end(path);
    let length = path.length();
    let slowing = parameters.slowing_radius.unwrap_or(path.radius);
    let (here, along) = path.project(p);
    if !path.is_closed() {
        let finish = if progress.backwards {
            path.points()[0]
        } else {
            path.points()[path.points().len() - 1]
        };
        let to_finish = (p - finish).length();
        if to_finish <= path.radius {
            match end {
                AtEnd::Patrol => progress.backwards = !progress.backwards,
                AtEnd::Loop => {}
                AtEnd::Seek | AtEnd::Arrive => progress.done = true,
            }
        }
        match end {
            AtEnd::Arrive if progress.done || to_finish <= slowing => {
                return arrive(host, finish, slowing);
            }
            AtEnd::Seek if progress.done => return seek(host, finish),
            // Seek the first point in a straight line.
            AtEnd::Loop if progress.done || to_finish <= path.radius => {
                progress.done = (p - path.points()[0]).length() > path.radius;
                return seek(host, path.points()[0]);
            }
            _ => {}
        }
    }
    let ahead = parameters.lookahead.unwrap_or(host.mass());
    let future = p + v * ahead;
    let (nearest, future_along) = path.project(future);
    debug.segment("prediction", || (p, future));
    debug.point("nearest", || nearest);
    let mut gain = if progress.backwards { along - future_along } else { future_along - along };
    if path.is_closed() {
        // The shorter of the two directions around the closed path.
        if gain < -0.5 * length {
            gain += length;
        } else if gain > 0.5 * length {
            gain -= length;
        }
    }
    let is_inside = (future - nearest).length() <= path.radius && gain > 0.0;
    if is_inside && !parameters.drive {
        return V::ZERO;
    }
    // The point lies far enough ahead to define a direction: by the distance covered in the
    // look-ahead at full speed, and at least by the width.
    let stride = (host.max_speed() * ahead).max(path.radius);
    let target = path.point_at(along + if progress.backwards { -stride } else { stride });
    debug.point("target", || target);
    if is_inside {
        // Along the path, beside its middle.
        let direction = (target - here).unit();
        return if direction == V::ZERO { V::ZERO } else { direction * host.max_speed() - v };
    }
    seek(host, target)
}

impl<V: Vector> Steer<V> for FollowPath {
    #[inline(always)]
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let Some(path) = context.path(self.path) else { return V::ZERO };
        follow_in(&context.space, host, path, self, &mut memory.path, debug)
    }
}

#[cfg(test)]
mod tests;
