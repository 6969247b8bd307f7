//! Hints at doors: gaps on the way of a group that are narrower than its bodies.
//!
//! A way is the straight one of a member to the fixed target that it begins with, a piece of a
//! path, or what a flow field leaves open.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::gaps::{gap_between, gap_on};
use super::hint_list::Hints;
use super::world::{HintWorld, WAYS, active, add_active, is_avoiding, short, start_radius};
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::draws;
use crate::crowd::setup::group::{Group, Spawn};
use crate::geometry::flow_field::FieldPlan;
use crate::geometry::path::Path;
use crate::parameter::{Roles, Target, Value};
use crate::registry::Behavior;
use crate::vector::Vector;

impl Hints<'_> {
    pub(super) fn doors<V: Vector>(&mut self, world: &HintWorld<V>) {
        if !world.has_doors() {
            return;
        }
        let mut first = 0_u32;
        for (i, group) in world.setup.groups.iter().enumerate() {
            let radius = start_radius(group).1;
            if radius > 0.0 && world.keeps_bodies_clear(group) {
                let key_path = KeyPath::default().key("group").at(i);
                self.doors_to_targets(world, &key_path, group, first, radius);
            }
            first = first.wrapping_add(group.count as u32);
        }
        self.doors_of_fields(world);
    }

    /// Doors on the straight ways of the first members to the targets that they begin with.
    fn doors_to_targets<V: Vector>(
        &mut self,
        world: &HintWorld<V>,
        key_path: &KeyPath,
        group: &Group<V>,
        first: u32,
        radius: f32,
    ) {
        // Places along a path and apart do not follow from the ids alone.
        if matches!(group.spawn, Spawn::Along(_) | Spawn::Apart(_)) {
            return;
        }
        let mut behaviors = Vec::new();
        add_active(&group.steer, &mut behaviors);
        if let Some(state) = group.states.get(group.start.0) {
            add_active(&state.steer, &mut behaviors);
        }
        if behaviors.iter().any(|behavior| behavior.roles().has(Roles::FINDS_WAY)) {
            return;
        }
        let avoids = behaviors.iter().any(|behavior| is_avoiding(behavior));
        let (setup, up) = (world.setup, world.space.up());
        for behavior in behaviors {
            let straight = Some(behavior).filter(|b| b.roles().has(Roles::HEADS_FOR_TARGET));
            let Some(Value::Target(target)) = straight.and_then(|b| b.get("target")) else {
                continue;
            };
            let members = draws::members(setup, group, first, &[]).take(WAYS);
            let gap = members.into_iter().find_map(|(id, member)| {
                let to = match target {
                    Target::Point(to) => to,
                    Target::Goal => draws::goal(setup.seed, id, group, first, up)?,
                    _ => return None,
                };
                gap_on(world, member.position, to, radius, avoids)
            });
            if let Some(gap) = gap {
                let message = format!(
                    "the way of \"{}\" to its target leads through a gap {}, and a body is {} wide",
                    group.name,
                    gap.text(),
                    short(radius * 2.0)
                );
                self.add(key_path.key("radius"), message, better(radius));
                return;
            }
        }
    }

    /// The first door on a path whose followers have bodies with this radius.
    pub(super) fn door_of_path<V: Vector>(
        &mut self,
        world: &HintWorld<V>,
        key_path: &KeyPath,
        path: &Path<V>,
        group: &Group<V>,
        radius: f32,
    ) {
        if !world.has_doors() || radius == 0.0 {
            return;
        }
        let avoids = active(group).iter().any(|behavior| is_avoiding(behavior));
        if let Some(gap) = path.pieces().find_map(|(a, b)| gap_on(world, a, b, radius, avoids)) {
            let message = format!(
                "the path leads through a gap {}, and a body of \"{}\" is {} wide",
                gap.text(),
                group.name,
                short(radius * 2.0)
            );
            self.add(key_path.clone(), message, better(radius));
        }
    }

    /// Gaps through which a field leads although its followers are wider.
    fn doors_of_fields<V: Vector>(&mut self, world: &HintWorld<V>) {
        for (f, (name, plan)) in world.setup.fields.iter().enumerate() {
            let FieldPlan::Toward { cell, clearance, area, .. } = plan else { continue };
            let followers = world.setup.groups.iter().filter(|group| {
                let follows = |behavior: &&Behavior<V>| match behavior {
                    Behavior::FollowFlow(follow) => follow.field.0 == f,
                    _ => false,
                };
                world.keeps_bodies_clear(group) && active(group).iter().any(follows)
            });
            let largest = followers
                .map(|group| (group.largest_radius(), group))
                .reduce(|a, b| if b.0 > a.0 { b } else { a });
            let Some((radius, group)) = largest.filter(|(radius, _)| radius > clearance) else {
                continue;
            };
            // A field finds no gap that its cells do not resolve.
            let least = 2.0 * clearance + cell;
            let area = area.or(world.setup.bounds.map(|bounds| (bounds.min, bounds.max)));
            let gap = area.and_then(|area| gap_between(world, area, least, 2.0 * radius));
            if let Some(gap) = gap {
                let message = format!(
                    "with a clearance of {} the field \"{name}\" leads through a gap {}, and a \
                     body of \"{}\" is {} wide",
                    short(*clearance),
                    gap.text(),
                    group.name,
                    short(radius * 2.0)
                );
                let key_path = KeyPath::default().key("field").key(name).key("clearance");
                self.add(key_path, message, format!("a `clearance` of {radius} or more"));
            }
        }
    }
}

fn better(radius: f32) -> String {
    format!("a gap wider than {}, or smaller bodies", short(radius * 2.0))
}
