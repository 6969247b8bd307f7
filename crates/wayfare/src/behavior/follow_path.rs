//! Follow a path: the tutorials' way from node to node ("Path Following", 2013), or Reynolds' corridor (GDC 1999, "Path following").
//!
//! The corridor departs from Reynolds where the host stands still or moves back along the path: it steers forward then, as
//! OpenSteer does, so that who starts at rest inside the corridor sets out.

use super::{Steer, arrive, seek};
use crate::agent::{Agent, Host, Memory, Progress};
use crate::parameter::{Field, Kind, PathId, Range, Unit, Value, parameters, words};
use crate::path::Path;
use crate::surroundings::Surroundings;
use crate::vector::Vector;

words! {
    /// What to do at the end of the path.
    pub enum AtEnd {
        /// Stay on the last node and go on seeking it: the tutorial's first version.
        Seek = "seek",
        /// Slow down on the way to the last node, and stop on it.
        Arrive = "arrive",
        /// Turn round and go back.
        Patrol = "patrol",
        /// Go to the first node again.
        Loop = "loop",
    }
}

impl<V: Vector> Field<V> for Option<AtEnd> {
    fn blank() -> Self {
        None
    }
    fn read(value: Value<V>) -> Option<Self> {
        AtEnd::read(value).map(Some)
    }
    fn write(&self) -> Option<Value<V>> {
        self.as_ref().and_then(AtEnd::write)
    }
}

words! {
    /// How the path is kept to.
    pub enum Tracking {
        /// From node to node: the tutorials'.
        Nodes = "nodes",
        /// Steer only where the predicted position leaves the corridor: Reynolds'.
        Corridor = "corridor",
    }
}

parameters! {
    /// Along a path, from node to node or within its corridor.
    "follow_path" = pub struct FollowPath {
        /// The path.
        path: PathId = required, Kind::Path;
        /// `"seek"` goes on seeking the last node, `"arrive"` stops on it, `"patrol"` turns round, `"loop"` begins again. Left
        /// out, it is `"arrive"`, and `"loop"` on a closed path.
        at_end: Option<AtEnd> = None, Kind::Word(AtEnd::WORDS);
        /// The distance from the last node at which `"arrive"` slows down; the path's radius if left out.
        slowing_radius: Option<f32> = None, Kind::Number(Range::from_zero(Unit::Length));
        /// `"nodes"` makes for one node after another, `"corridor"` steers only where the predicted position leaves the path's width.
        tracking: Tracking = (Tracking::Nodes), Kind::Word(Tracking::WORDS);
        /// How far ahead in time `"corridor"` predicts; the mass (the reaction time) if left out.
        lookahead: Option<f32> = None, Kind::Number(Range::from_zero(Unit::Time));
    }
}

impl FollowPath {
    /// What is done at the end of this path.
    pub fn end<V>(&self, path: &Path<V>) -> AtEnd {
        self.at_end.unwrap_or(if path.closed { AtEnd::Loop } else { AtEnd::Arrive })
    }
}

/// The force that follows `path` (length / time), from where `progress` says the host has come to; zero for a path without points.
///
/// A node is reached within the path's radius, and at most one is reached per tick.
pub fn follow_path<V: Vector>(host: &impl Host<V>, path: &Path<V>, parameters: &FollowPath, progress: &mut Progress) -> V {
    if path.points.is_empty() {
        return V::ZERO;
    }
    match parameters.tracking {
        Tracking::Nodes => from_node_to_node(host, path, parameters, progress),
        Tracking::Corridor => in_the_corridor(host, path, parameters, progress),
    }
}

fn from_node_to_node<V: Vector>(host: &impl Host<V>, path: &Path<V>, parameters: &FollowPath, progress: &mut Progress) -> V {
    let last = path.points.len() as u32 - 1;
    let end = parameters.end(path);
    progress.node = progress.node.min(last);
    let here = path.points[progress.node as usize];
    if (host.position() - here).length() <= path.radius {
        let at_the_end = if progress.backwards { progress.node == 0 } else { progress.node == last };
        match (at_the_end, end) {
            (false, _) if progress.backwards => progress.node -= 1,
            (false, _) => progress.node += 1,
            (true, AtEnd::Seek | AtEnd::Arrive) => progress.done = true,
            // The end node again: it turns to the one before it on the next tick.
            (true, AtEnd::Patrol) => progress.backwards = !progress.backwards,
            (true, AtEnd::Loop) => progress.node = if progress.backwards { last } else { 0 },
        }
    }
    let target = path.points[progress.node as usize];
    if end == AtEnd::Arrive && progress.node == last { arrive(host, target, parameters.slowing_radius.unwrap_or(path.radius)) } else { seek(host, target) }
}

fn in_the_corridor<V: Vector>(host: &impl Host<V>, path: &Path<V>, parameters: &FollowPath, progress: &mut Progress) -> V {
    let (p, v) = (host.position(), host.velocity());
    let end = parameters.end(path);
    let length = path.length();
    let slowing = parameters.slowing_radius.unwrap_or(path.radius);
    let (_, along) = path.project(p);
    if !path.closed {
        let finish = if progress.backwards { path.points[0] } else { path.points[path.points.len() - 1] };
        let to_finish = (p - finish).length();
        if to_finish <= path.radius {
            match end {
                AtEnd::Patrol => progress.backwards = !progress.backwards,
                AtEnd::Loop => {}
                AtEnd::Seek | AtEnd::Arrive => progress.done = true,
            }
        }
        match end {
            AtEnd::Arrive if progress.done || to_finish <= slowing => return arrive(host, finish, slowing),
            AtEnd::Seek if progress.done => return seek(host, finish),
            // Back to the first point, straight.
            AtEnd::Loop if progress.done || to_finish <= path.radius => {
                progress.done = (p - path.points[0]).length() > path.radius;
                return seek(host, path.points[0]);
            }
            _ => {}
        }
    }
    let ahead = parameters.lookahead.unwrap_or(host.mass());
    let future = p + v * ahead;
    let (nearest, future_along) = path.project(future);
    let mut gain = if progress.backwards { along - future_along } else { future_along - along };
    if path.closed && gain < -0.5 * length {
        gain += length;
    }
    if (future - nearest).length() <= path.radius && gain > 0.0 {
        return V::ZERO;
    }
    // Far enough ahead to be a direction and not a place: what is covered in the look-ahead at full speed, and at least the width.
    let stride = (host.max_speed() * ahead).max(path.radius);
    seek(host, path.point_at(along + if progress.backwards { -stride } else { stride }))
}

impl<V: Vector> Steer<V> for FollowPath {
    fn force(&self, host: &Agent<V>, memory: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> V {
        around.path(self.path).map_or(V::ZERO, |path| follow_path(host, path, self, &mut memory.path))
    }
    fn remembers(&self) -> bool {
        true
    }
}
