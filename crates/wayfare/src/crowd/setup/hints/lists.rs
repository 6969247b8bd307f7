//! Hints at lists of behaviors: keys that the rule of the list does not read, and values.

use alloc::format;

use super::hint_list::Hints;
use crate::combine::{Combine, EPSILON, Entry, List, Slot};
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::rules::Rules;
use crate::parameter::{Groups, Kind, Parameter, Value};
use crate::registry::Behavior;
use crate::vector::Vector;

/// A list of behaviors, as hints see it.
pub(super) struct ListContext<'a> {
    pub(super) key_path: KeyPath,
    /// The table with the list's own `combine`, `epsilon` and `standing`; a state has none.
    pub(super) table: Option<KeyPath>,
    /// The rules that combine its forces: one for each state.
    pub(super) rules: Rules,
    /// Whether other forces follow its combined force.
    pub(super) is_followed: bool,
    /// The shortest slowing_radius that does not overshoot (length).
    pub(super) least_slowing_radius: f32,
    /// Whether members have bodies, and the tick (time).
    pub(super) has_bodies: bool,
    pub(super) dt: f32,
    /// Whether there are bounds with an edge, and whether it is a wall.
    pub(super) has_edge: bool,
    pub(super) has_walls: bool,
    /// For each path whether it is closed.
    pub(super) closed: &'a [bool],
}

impl Hints<'_> {
    /// Hints at a list and the lists in it.
    pub(super) fn list<V: Vector>(&mut self, context: &ListContext, list: &List<V>) {
        let rules = context.rules;
        let apply_one_force =
            !rules.has(Combine::Sum) && !rules.has(Combine::Budget) && !rules.has(Combine::Context);
        self.unread_of_list(context, list);
        for (i, slot) in list.slots.iter().enumerate() {
            let key_path = context.key_path.at(i);
            self.unread_of_slot(rules, &key_path, slot);
            match &slot.entry {
                Entry::List(inner) => {
                    let is_followed =
                        !apply_one_force && (context.is_followed || i + 1 < list.slots.len());
                    let inside = ListContext {
                        key_path: key_path.key("all"),
                        table: Some(key_path),
                        rules: Rules::from(inner.combine),
                        is_followed,
                        ..*context
                    };
                    self.list(&inside, inner);
                }
                Entry::Behavior(behavior) => {
                    if let Behavior::Solver(solver) = behavior {
                        self.solver(context, key_path.clone(), solver, slot.weight);
                    }
                    self.behavior(context, &key_path.key(behavior.name()), behavior);
                }
            }
        }
    }

    /// Keys of a list that its rule does not read.
    fn unread_of_list<V: Vector>(&mut self, context: &ListContext, list: &List<V>) {
        let rules = context.rules;
        if let Some(epsilon) = context.table.as_ref().map(|table| table.key("epsilon"))
            && (self.is_given)(&epsilon, list.epsilon != EPSILON)
            && !rules.has(Combine::Priority)
            && !rules.has(Combine::Dither)
        {
            let message = format!("`epsilon` has no effect: {rules}");
            self.add(epsilon, message, "`epsilon` beside `combine = \"priority\"` or \"dither\"");
        }
        if let Some(standing) = context.table.as_ref().map(|table| table.key("standing"))
            && (self.is_given)(&standing, list.standing != 0.0)
            && !rules.has(Combine::Context)
        {
            let message = format!("`standing` has no effect: {rules}");
            self.add(standing, message, "`standing` beside `combine = \"context\"`");
        }
    }

    /// Keys of a slot that the rule of its list does not read.
    fn unread_of_slot<V: Vector>(&mut self, rules: Rules, key_path: &KeyPath, slot: &Slot<V>) {
        let chance = key_path.key("chance");
        if !rules.has(Combine::Dither) && (self.is_given)(&chance, slot.chance != 1.0) {
            self.add(
                chance,
                format!("`chance` has no effect: {rules}"),
                "`chance` in a list with `combine = \"dither\"`",
            );
        }
        let danger = key_path.key("danger");
        if !rules.has(Combine::Context) && (self.is_given)(&danger, slot.danger) {
            self.add(
                danger,
                format!("`danger` has no effect: {rules}"),
                "`danger` in a list with `combine = \"context\"`",
            );
        }
    }

    fn behavior<V: Vector>(
        &mut self,
        context: &ListContext,
        key_path: &KeyPath,
        behavior: &Behavior<V>,
    ) {
        match behavior {
            Behavior::SocialForce(parameters) => self.social_force(context, key_path, parameters),
            Behavior::AvoidObstacles(avoid) => self.absent_walls(context, key_path, avoid),
            Behavior::Contain(contain) => self.absent_region(context, key_path, contain),
            Behavior::FollowPath(follow) => self.unread_of_path(context, key_path, follow),
            _ => {}
        }
        for parameter in behavior.parameters() {
            if let Some(value) = behavior.get(parameter.name) {
                let key_path = key_path.key(parameter.name);
                self.value(&key_path, parameter, &value, context.least_slowing_radius);
            }
        }
    }

    fn value<V: Vector>(
        &mut self,
        key_path: &KeyPath,
        parameter: &Parameter,
        value: &Value<V>,
        least_slowing_radius: f32,
    ) {
        match (value, parameter.kind) {
            (Value::Groups(Groups::Only(groups)), _) if groups.is_empty() => {
                let message =
                    format!("`{}` is an empty list: no agent is ever seen", parameter.name);
                self.add(
                    key_path.clone(),
                    message,
                    format!("groups' names, or no `{}` for all groups", parameter.name),
                );
            }
            (Value::Nested(values), Kind::Nested(parameters)) => {
                for (name, value) in values {
                    if let Some(parameter) = parameters.iter().find(|p| p.name == *name) {
                        self.value(&key_path.key(*name), parameter, value, least_slowing_radius);
                    }
                }
            }
            // If the key is optional, 0 means that the agent does not slow down.
            (Value::Number(radius), kind)
                if parameter.name == "slowing_radius"
                    && *radius < least_slowing_radius
                    && (parameter.required || *radius > 0.0) =>
            {
                let auto = if matches!(kind, Kind::Auto(..)) { ", or \"auto\"" } else { "" };
                let message = format!(
                    "a slowing_radius of {radius} is short for this mass and speed: the agent \
                     overshoots before it settles"
                );
                self.add(
                    key_path.clone(),
                    message,
                    format!("{least_slowing_radius} or more (4 mass max_speed){auto}"),
                );
            }
            _ => {}
        }
    }
}
