//! The world of geometric hints: the obstacles in a tree, and the groups that they concern.
//!
//! Every query costs about the logarithm of the number of obstacles. A setup makes a bounded number
//! of queries for each group ([`MEMBERS`], [`WAYS`]) and a few for each point that the setup
//! itself lists and for each piece of a path.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::behavior::Clearance;
use crate::combine::{Entry, List};
use crate::crowd::setup::crowd_setup::Setup;
use crate::crowd::setup::group::Group;
use crate::crowd::setup::limit::Limit;
use crate::geometry::obstacle::{Obstacle, ObstacleIndex, Obstacles};
use crate::parameter::Roles;
use crate::registry::Behavior;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The largest number of members of a group whose start is tested, apart from listed points.
pub(super) const MEMBERS: usize = 256;

/// The largest number of members of a group whose way straight to a target is tested.
pub(super) const WAYS: usize = 8;

/// A setup with its obstacles in a tree.
pub(super) struct HintWorld<'a, V: Vector> {
    pub(super) setup: &'a Setup<V>,
    pub(super) space: Space<V>,
    index: ObstacleIndex<V>,
}

impl<'a, V: Vector> HintWorld<'a, V> {
    pub(super) fn new(setup: &'a Setup<V>) -> Self {
        let space = setup.space();
        Self { setup, space, index: ObstacleIndex::new(setup.obstacles.iter().cloned(), space) }
    }

    pub(super) fn obstacles(&self) -> Obstacles<'_, V> {
        self.index.obstacles()
    }

    pub(super) fn obstacle(&self, i: usize) -> &Obstacle<V> {
        &self.obstacles().iter().as_slice()[i]
    }

    /// Whether there are gaps between obstacles that bodies cannot pass round.
    pub(super) fn has_doors(&self) -> bool {
        V::DIMENSION == 2 && !self.space.wraps() && !self.setup.obstacles.is_empty()
    }

    /// Whether no obstacle is between `a` and `b`.
    pub(super) fn is_free_way(&self, a: V, b: V) -> bool {
        let mut is_free = true;
        self.obstacles().near(&self.space, a.min(b), a.max(b), |_, obstacle| {
            is_free &= !obstacle.contains(a) && obstacle.cast_segment(a, b, 0.0).is_none();
        });
        is_free
    }

    /// The first obstacle with `p` inside.
    pub(super) fn around(&self, p: V) -> Option<usize> {
        let mut first = None;
        self.obstacles().near(&self.space, p, p, |i, obstacle| {
            if obstacle.distance(self.space.image(obstacle.middle(), p)) < 0.0 {
                first = Some(first.map_or(i, |other: usize| other.min(i)));
            }
        });
        first
    }

    /// Whether `p` is outside of bounds that are not wrapped.
    pub(super) fn is_outside(&self, p: V) -> bool {
        let Some(bounds) = self.setup.bounds.filter(|_| !self.space.wraps()) else { return false };
        let axes = 0..V::DIMENSION;
        { axes }.any(|i| p.axis(i) < bounds.min.axis(i) || p.axis(i) > bounds.max.axis(i))
    }

    /// Whether walls stop the members of `group`, or the members steer clear of them.
    pub(super) fn concerns(&self, group: &Group<V>) -> bool {
        self.setup.bodies.solid || active(group).iter().any(|behavior| is_avoiding(behavior))
    }

    /// Whether the members keep their whole bodies clear of walls.
    pub(super) fn keeps_bodies_clear(&self, group: &Group<V>) -> bool {
        self.setup.bodies.solid
            || active(group).iter().any(|behavior| match behavior {
                Behavior::AvoidObstacles(avoid) => avoid.clearance == Clearance::Body,
                other => is_avoiding(other),
            })
    }
}

/// Whether the behavior steers round obstacles.
pub(super) fn is_avoiding<V: Vector>(behavior: &Behavior<V>) -> bool {
    behavior.roles().has(Roles::AVOIDS)
}

/// The behaviors of all lists of the group that are not switched off.
pub(super) fn active<V: Vector>(group: &Group<V>) -> Vec<&Behavior<V>> {
    let mut found = Vec::new();
    group.lists().for_each(|list| add_active(list, &mut found));
    found
}

/// Adds the behaviors of `list` that are not switched off.
pub(super) fn add_active<'a, V: Vector>(list: &'a List<V>, found: &mut Vec<&'a Behavior<V>>) {
    for slot in list.slots.iter().filter(|slot| !slot.off) {
        match &slot.entry {
            Entry::Behavior(behavior) => found.push(behavior),
            Entry::List(inner) => add_active(inner, found),
        }
    }
}

/// The smallest and the largest radius of members at their start (length).
pub(super) fn start_radius<V: Vector>(group: &Group<V>) -> (f32, f32) {
    match group.states.get(group.start.0).and_then(|state| state.radius) {
        Some(radius) => (radius, radius),
        None => group.bounds(Limit::Radius),
    }
}

/// A point in the notation of scenes, to hundredths.
pub(super) fn point<V: Vector>(p: V) -> String {
    let axes: Vec<String> = (0..V::DIMENSION).map(|i| short(p.axis(i))).collect();
    format!("[{}]", axes.join(", "))
}

/// A number to about three digits.
pub(super) fn short(x: f32) -> String {
    let size = x.abs();
    if size == 0.0 || !(1e-3..1e6).contains(&size) {
        return format!("{x}");
    }
    let scale = if size >= 100.0 {
        10.0
    } else if size >= 1.0 {
        100.0
    } else {
        1000.0
    };
    format!("{}", libm::roundf(x * scale) / scale)
}
