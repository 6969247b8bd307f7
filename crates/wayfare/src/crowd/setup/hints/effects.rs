//! Hints at keys without effect: of behaviors in this world, and of bodies that are not solid.

use alloc::format;

use super::hint_list::Hints;
use super::lists::ListContext;
use super::world::is_avoiding;
use crate::behavior::{AtEnd, AvoidObstacles, Contain, FollowPath, PathStart, Tracking};
use crate::combine::List;
use crate::crowd::setup::allowed::{KeyPath, KeySegment};
use crate::crowd::setup::bodies::Bodies;
use crate::crowd::setup::crowd_setup::Setup;
use crate::crowd::setup::group::Group;
use crate::parameter::{Roles, Variants};
use crate::registry::Behavior;
use crate::vector::Vector;

impl Hints<'_> {
    /// `bounds` of an `avoid_obstacles` in a world without walls.
    pub(super) fn absent_walls(
        &mut self,
        context: &ListContext,
        key_path: &KeyPath,
        avoid: &AvoidObstacles,
    ) {
        let bounds = key_path.key("bounds");
        if avoid.bounds && !context.has_walls && (self.is_given)(&bounds, true) {
            self.add(
                bounds,
                "`bounds` has no effect: the world has no bounds whose edge is a wall",
                "`bounds` of the world with edge = \"wall\" or \"bounce\", or no `bounds` here",
            );
        }
    }

    /// A `contain` without a region in a world without an edge.
    pub(super) fn absent_region<V: Vector>(
        &mut self,
        context: &ListContext,
        key_path: &KeyPath,
        contain: &Contain<V>,
    ) {
        if contain.region.is_none() && !context.has_edge {
            self.add(
                key_path.clone(),
                "`contain` has no effect: it has no `region`, and the world has no bounds with an \
                 edge",
                "a `region`, or bounds with another `edge` than \"wrap\"",
            );
        }
    }

    /// Keys of a `follow_path` that its `tracking` or its end does not read.
    pub(super) fn unread_of_path(
        &mut self,
        context: &ListContext,
        key_path: &KeyPath,
        follow: &FollowPath,
    ) {
        let tracking = Tracking::WORDS[follow.tracking as usize];
        let (of_nodes, of_corridor) = match follow.tracking {
            Tracking::Nodes => (false, true),
            Tracking::Corridor => (true, false),
        };
        for (name, differs, is_unread, reader) in [
            ("lookahead", follow.lookahead.is_some(), of_corridor, "corridor"),
            ("drive", follow.drive, of_corridor, "corridor"),
            ("start", follow.start != PathStart::First, of_nodes, "nodes"),
        ] {
            let key_path = key_path.key(name);
            if is_unread && (self.is_given)(&key_path, differs) {
                let message = format!("`{name}` has no effect: `tracking` is \"{tracking}\"");
                self.add(key_path, message, format!("`{name}` beside `tracking = \"{reader}\"`"));
            }
        }
        // The path of an order may be open or closed.
        let end = follow.at_end.or_else(|| match context.closed.get(follow.path.0) {
            Some(false) => Some(AtEnd::Arrive),
            Some(true) => Some(AtEnd::Loop),
            None => None,
        });
        let slowing_radius = key_path.key("slowing_radius");
        if let Some(end) = end.filter(|end| *end != AtEnd::Arrive)
            && (self.is_given)(&slowing_radius, follow.slowing_radius.is_some())
        {
            let message = format!(
                "`slowing_radius` has no effect: at the end of the path the agent does not arrive, \
                 `at_end` is \"{}\"",
                AtEnd::WORDS[end as usize]
            );
            self.add(slowing_radius, message, "`slowing_radius` beside `at_end = \"arrive\"`");
        }
    }

    /// Destinations of a source whose group reads no order.
    pub(super) fn unread_destinations<V: Vector>(&mut self, setup: &Setup<V>) {
        for (i, source) in setup.sources.iter().enumerate() {
            let Some(group) = setup.groups.get(source.group.0) else { continue };
            let mut reads = group.lists().flat_map(List::behaviors).any(|b| b.names_order());
            for transition in group.states.iter().flat_map(|state| &state.leave) {
                transition.when.visit(&mut |condition| {
                    reads |= condition.parameters().iter().any(|parameter| {
                        condition.get(parameter.name).is_some_and(|value| value.is_order())
                    });
                });
            }
            if !source.to.is_empty() && !reads {
                self.add(
                    KeyPath::default().key("source").at(i).key("to"),
                    format!(
                        "`to` has no effect: no behavior of \"{}\" reads \"order\"",
                        group.name
                    ),
                    "a behavior such as navigate = { target = \"order\" }",
                );
            }
        }
    }

    /// A flock or followers of a corridor that nothing drives.
    pub(super) fn absent_drive<V: Vector>(&mut self, key_path: &KeyPath, group: &Group<V>) {
        let behaviors = || group.lists().flat_map(List::behaviors);
        let aligns = |b: &&Behavior<V>| matches!(b, Behavior::Flock(_) | Behavior::Alignment(_));
        let drives = |b: &Behavior<V>| b.roles().has(Roles::ROUTES) || b.is_users();
        let coasts = |b: &Behavior<V>| match b {
            Behavior::FollowPath(follow) => follow.tracking == Tracking::Corridor && !follow.drive,
            _ => false,
        };
        // Those that avoid are meant to slow down, and a solver may drive.
        let passes = |b: &Behavior<V>| is_avoiding(b) || matches!(b, Behavior::Solver(_));
        let slows = group.drag > 0.0 || behaviors().any(|b| !coasts(b) && !passes(b));
        if group.min_speed == 0.0
            && slows
            && behaviors().any(coasts)
            && !behaviors().any(|b| drives(b) && !coasts(b))
        {
            self.add(
                key_path.key("steer"),
                format!(
                    "nothing drives \"{}\" inside its corridor: `follow_path` has no force there, \
                     and what else is lost of the speed does not come back",
                    group.name
                ),
                "`drive = true` of the `follow_path`, or a `min_speed` of the group",
            );
        }
        let Some(flock) = behaviors().find(aligns) else { return };
        if group.min_speed == 0.0 && !behaviors().any(drives) {
            self.add(
                key_path.key("steer"),
                format!(
                    "nothing drives \"{}\": `{}` takes the mean of the neighbors' velocities, \
                     which is slower than they are",
                    group.name,
                    flock.name()
                ),
                "a `min_speed` of the group, or a behavior such as wander = {}",
            );
        }
    }

    /// The settings that only solid bodies read, in a world without them.
    pub(super) fn unread_of_bodies<V: Vector>(&mut self, setup: &Setup<V>) {
        if setup.bodies.solid {
            return;
        }
        let (top, plain) = (KeyPath::default(), Bodies::default());
        let bodies = top.key("bodies");
        let mut unread = alloc::vec![
            (bodies.key("iterations"), setup.bodies.iterations != plain.iterations),
            (bodies.key("relaxation"), setup.bodies.relaxation != plain.relaxation),
        ];
        for (i, group) in setup.groups.iter().enumerate() {
            let key_path = top.key("group").at(i);
            unread.push((key_path.key("solid"), !group.solid));
            unread.push((key_path.key("inertia"), group.inertia != 1.0));
        }
        for (key_path, differs) in unread {
            if (self.is_given)(&key_path, differs) {
                let name = match key_path.0.last() {
                    Some(KeySegment::Name(name)) => name.clone(),
                    _ => continue,
                };
                let message =
                    format!("`{name}` has no effect: the bodies of the world are not solid");
                self.add(key_path, message, "`bodies = { solid = true }` of the world");
            }
        }
    }
}
