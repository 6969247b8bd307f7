//! Hints at settings that are legal but have no effect or move agents badly.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::allowed::{KeyPath, ValidationError};
use super::bodies::MOST_RADII;
use super::crowd_setup::Setup;
use super::group::{Group, Spawn, StartVelocity};
use super::limit::Limit;
use super::rules::Rules;
use crate::behavior::Tracking;
use crate::combine::List;
use crate::geometry::obstacle::{Obstacle, Shape};
use crate::registry::Behavior;
use crate::spatial::space::Edge;
use crate::vector::Vector;

mod doors;
mod effects;
mod gaps;
mod hint_list;
mod lists;
mod paths;
mod places;
mod reach;
mod room;
mod social_force;
mod solvers;
mod states;
mod turns;
mod world;

use hint_list::Hints;
pub(in crate::crowd) use hint_list::IsGiven;
use lists::ListContext;
use world::HintWorld;

impl<V: Vector> Setup<V> {
    /// Hints at settings that are legal but have no effect or move agents badly, such as a mass
    /// below `dt` or an obstacle without a size: each with its position, what is wrong, and what
    /// works better. The command `wayfare check` shows the same hints for a scene file.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let guests = Group::new("guests", 1, Spawn::point(vec2(0.0, 0.0)), 2.0).mass(0.5);
    /// let setup = Setup::new(1.0).group(guests);
    /// assert!(setup.validate().is_ok());
    /// assert_eq!(
    ///     format!("{:?}", setup.hints()[0]),
    ///     "groups[0].mass: a mass of 0.5 is less than `dt`, 1: forces overshoot at every tick; \
    ///      allowed: a mass (a reaction time) of several `dt`"
    /// );
    /// ```
    pub fn hints(&self) -> Vec<ValidationError> {
        self.hints_if(&|_, differs| differs)
    }

    /// [`hints`](Self::hints) for a setup that was decoded from a file. `is_given` is whether the
    /// file gives the value at a position; its second argument is whether the value differs from
    /// its default.
    pub fn hints_if(&self, is_given: &dyn Fn(&KeyPath, bool) -> bool) -> Vec<ValidationError> {
        V::hints_if(self, is_given)
    }

    pub(in crate::crowd) fn hints_if_here(&self, is_given: IsGiven<'_>) -> Vec<ValidationError> {
        let mut hints = Hints { is_given, found: Vec::new() };
        hints.setup(self);
        hints.found
    }
}

impl Hints<'_> {
    fn setup<V: Vector>(&mut self, setup: &Setup<V>) {
        let top = KeyPath::default();
        for (i, shape) in setup.obstacles.iter().enumerate() {
            self.obstacle(&top.key("obstacle").at(i), shape);
        }
        for (i, exit) in setup.exits.iter().enumerate() {
            if has_no_inside(&exit.shape) {
                self.add(
                    top.key("exit").at(i),
                    "this exit has no inside: no agent leaves by it",
                    "a size or a `thickness` above 0",
                );
            }
        }
        for (name, path) in &setup.paths {
            let closed = top.key("path").key(name).key("closed");
            if path.points().len() < 3 && path.is_closed() && (self.is_given)(&closed, true) {
                let points = match path.points().len() {
                    1 => "1 point".to_string(),
                    many => format!("{many} points"),
                };
                let message = format!("`closed` hardly has an effect: the path has {}", points);
                self.add(closed, message, "at least 3 points");
            }
        }
        self.flow_fields(setup);
        self.bodies(setup);
        self.unread_of_bodies(setup);
        self.unread_destinations(setup);
        let closed: Vec<bool> = setup.paths.iter().map(|(_, path)| path.is_closed()).collect();
        for (i, group) in setup.groups.iter().enumerate() {
            let key_path = top.key("group").at(i);
            let has_source = setup.sources.iter().any(|source| source.group.0 == i);
            if group.count == 0 && !has_source {
                self.empty(&key_path, group);
            }
            self.group(&key_path, group, setup, &closed);
            self.missed_nodes(&key_path, group, setup);
            self.states(&key_path, group, setup);
        }
        let world = HintWorld::new(setup);
        self.room(&world);
        self.places(&world);
        self.paths(&world);
        self.turns(setup);
        self.doors(&world);
        self.fields_to_nowhere(&world);
        #[cfg(feature = "navigation")]
        self.routes_to_nowhere(&world);
    }

    /// Bodies that are not solid although they should be, or too fast for it.
    fn bodies<V: Vector>(&mut self, setup: &Setup<V>) {
        if !setup.bodies.solid {
            return;
        }
        let radii = setup.groups.iter().map(|group| group.bounds(Limit::Radius).0);
        let smallest = radii.filter(|radius| *radius > 0.0).fold(f32::INFINITY, f32::min);
        for (i, group) in setup.groups.iter().enumerate() {
            let key_path = KeyPath::default().key("group").at(i);
            if group.solid && group.bounds(Limit::Radius).1 == 0.0 {
                self.add(
                    key_path.key("radius"),
                    "bodies are solid, but the members have none: their radius is 0",
                    "a radius above 0, or solid = false",
                );
            }
            let farthest = group.bounds(Limit::MaxSpeed).1 * setup.dt as f32;
            if group.bounds(Limit::Radius).1 > 0.0 && farthest > MOST_RADII * smallest {
                let message = format!(
                    "members move up to {farthest} in a tick: where bodies are solid none moves by \
                     more than {MOST_RADII} of the smallest radius, {}",
                    MOST_RADII * smallest
                );
                self.add(key_path.key("max_speed"), message, "a smaller dt, or larger bodies");
            }
        }
    }

    /// Flow fields whose goal cannot be reached.
    fn flow_fields<V: Vector>(&mut self, setup: &Setup<V>) {
        let obstacles: Vec<Obstacle<V>> =
            setup.obstacles.iter().cloned().map(|o| Obstacle::with_up(o, setup.up)).collect();
        for (name, plan) in &setup.fields {
            if !plan.has_free_goal(&obstacles, setup.bounds.as_ref(), setup.up) {
                let message = format!(
                    "no path leads to the goal of the field \"{name}\": it is outside the area, or \
                     nearer to obstacles than the clearance"
                );
                self.add(
                    KeyPath::default().key("field").key(name).key("goal"),
                    message,
                    "a goal that contains a free cell",
                );
            }
        }
    }

    fn obstacle<V: Vector>(&mut self, key_path: &KeyPath, shape: &Shape<V>) {
        if let Shape::Box { angle, .. } = shape
            && *angle != 0.0
            && angle.to_degrees().abs() <= 1.6
        {
            let message =
                format!("`angle` is in degrees, and {} is hardly a turn", angle.to_degrees());
            self.add(
                key_path.key("box").key("angle"),
                message,
                format!("{:.1} if it was meant in radians", angle.to_degrees().to_degrees()),
            );
        }
        if let Shape::Segment { thickness: 0.0, .. } = shape
            && V::DIMENSION == 3
        {
            self.add(
                key_path.key("segment"),
                "a line without `thickness` has no effect in space",
                "a `thickness` above 0",
            );
        } else if is_point(shape) {
            self.add(
                key_path.clone(),
                "this obstacle has no size: it is a point",
                "a size above 0",
            );
        }
    }

    fn empty<V: Vector>(&mut self, key_path: &KeyPath, group: &Group<V>) {
        let (key, more) = if matches!(group.spawn, Spawn::Points(_)) {
            ("spawn", "at least one point, unless members enter later")
        } else {
            ("count", "a `count` from 1, unless members enter later")
        };
        self.add(key_path.key(key), format!("the group \"{}\" has no members", group.name), more);
    }

    fn group<V: Vector>(
        &mut self,
        key_path: &KeyPath,
        group: &Group<V>,
        setup: &Setup<V>,
        closed: &[bool],
    ) {
        let dt = setup.dt;
        let (lightest, heaviest) = group.bounds(Limit::Mass);
        let always_decided = solvers::is_always_decided(group);
        if dt as f32 / lightest > 1.0 && !always_decided {
            let message = format!(
                "a mass of {lightest} is less than `dt`, {dt}: forces overshoot at every tick"
            );
            self.add(key_path.key("mass"), message, "a mass (a reaction time) of several `dt`");
        }
        let at_one_point = match &group.spawn {
            Spawn::Inside(shape) => is_point(shape),
            Spawn::Ring { radius, .. } => *radius == 0.0,
            _ => false,
        };
        if at_one_point && group.count > 1 {
            self.add(
                key_path.key("spawn"),
                format!("all {} start at one point", group.count),
                "a size above 0, or `points`",
            );
        }
        self.faster_than_allowed(key_path, group);
        self.deciders(key_path, group);
        self.absent_drive(key_path, group);
        let slowest = solvers::reaction_time(group).unwrap_or(heaviest);
        let least_slowing_radius = 4.0 * slowest * group.bounds(Limit::MaxSpeed).1;
        let is_followed = group.states.iter().any(|state| !state.steer.slots.is_empty());
        let own = ListContext {
            key_path: key_path.key("steer"),
            table: Some(key_path.clone()),
            rules: group.rules(),
            is_followed,
            least_slowing_radius,
            has_bodies: group.bounds(Limit::Radius).1 > 0.0,
            dt: dt as f32,
            has_edge: setup.bounds.is_some_and(|bounds| bounds.edge != Edge::Wrap),
            has_walls: setup.bounds.is_some_and(|bounds| bounds.edge.has_walls()),
            closed,
        };
        self.list(&own, &group.steer);
        for (k, state) in group.states.iter().enumerate() {
            let (key_path, rules) =
                (key_path.key("state").at(k).key("steer"), Rules::from(group.rule(state)));
            self.list(
                &ListContext { key_path, table: None, rules, is_followed: false, ..own },
                &state.steer,
            );
        }
    }

    /// Nodes that a step can miss: the agent turns back and circles them.
    fn missed_nodes<V: Vector>(&mut self, key_path: &KeyPath, group: &Group<V>, setup: &Setup<V>) {
        let step = group.bounds(Limit::MaxSpeed).1 * setup.dt as f32;
        for behavior in group.lists().flat_map(List::behaviors) {
            let Behavior::FollowPath(follow) = behavior else { continue };
            let Some((name, path)) = setup.paths.get(follow.path.0) else { continue };
            let key_path = KeyPath::default().key("path").key(name).key("radius");
            if follow.tracking == Tracking::Nodes
                && path.points().len() > 1
                && path.radius < step / 2.0
                && !self.found.iter().any(|hint| hint.key_path == key_path)
            {
                let message = format!(
                    "a radius of {} is small beside the {step} that \"{}\" moves in a tick: it \
                     can miss its nodes, and circle them",
                    path.radius, group.name
                );
                self.add(
                    key_path,
                    message,
                    format!("{} or more, or `tracking = \"corridor\"`", step / 2.0),
                );
            }
        }
        if group.bounds(Limit::MaxForce).1 == 0.0 && !solvers::is_always_decided(group) {
            self.add(
                key_path.key("max_force"),
                "with a `max_force` of 0 the group does not steer",
                "a `max_force` above 0",
            );
        }
    }

    fn faster_than_allowed<V: Vector>(&mut self, key_path: &KeyPath, group: &Group<V>) {
        let limit = group.bounds(Limit::MaxSpeed).0;
        if let StartVelocity::Same(velocity) = group.velocity
            && velocity.length() > limit * 1.0001
        {
            let message = format!(
                "the start velocity, {} long, is above `max_speed`: the first step truncates it",
                velocity.length()
            );
            self.add(key_path.key("velocity"), message, format!("a velocity of at most {limit}"));
        }
    }
}

fn has_no_inside<V: Vector>(shape: &Shape<V>) -> bool {
    match shape {
        Shape::Box { half, .. } => (0..V::DIMENSION).any(|i| half.axis(i) == 0.0),
        Shape::Segment { thickness, .. } => *thickness == 0.0,
        other => is_point(other),
    }
}

fn is_point<V: Vector>(shape: &Shape<V>) -> bool {
    match shape {
        Shape::Circle { radius, .. } => *radius == 0.0,
        Shape::Box { half, .. } => *half == V::ZERO,
        Shape::Segment { from, to, thickness } => from == to && *thickness == 0.0,
        Shape::Polygon { .. } => false,
    }
}
