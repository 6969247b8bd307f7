//! Validation of steering lists: behaviors, their parameters and the names that they refer to.

use alloc::string::String;

use super::validator::Validator;
use crate::combine::{Combine, Entry, List, MAX_NESTED_CHOICES};
use crate::crowd::setup::allowed::ranges;
use crate::crowd::setup::allowed::{KeyPath, KeySegment};
use crate::crowd::setup::allowed::{name_of, plain, quoted, show};
use crate::crowd::setup::group::Group;
use crate::geometry::explored::{MOST_CELLS, cells_of};
use crate::parameter::{GroupId, Groups, Kind, PathId, Table, Target, Value};
use crate::registry::Behavior;
use crate::vector::Vector;

/// The allowed value in errors about a group that uses its perception without having `sight`.
pub(super) const SIGHT: &str =
    "a `sight` of the group, such as { of = \"intruder\", within = 150 }";

impl<V: Vector> Validator<'_, V> {
    /// `outer` is the table that holds the list, its rule and its epsilon.
    pub(super) fn list(&mut self, key_path: &KeyPath, outer: &KeyPath, list: &List<V>) {
        self.number(outer.key("epsilon"), list.epsilon, ranges::EPSILON);
        self.number(outer.key("standing"), list.standing, ranges::STANDING);
        for (i, slot) in list.slots.iter().enumerate() {
            let at = key_path.at(i);
            self.number(at.key("weight"), slot.weight, ranges::WEIGHT);
            self.number(at.key("chance"), slot.chance, ranges::CHANCE);
            match &slot.entry {
                Entry::List(inner) => self.list(&at.key("all"), &at, inner),
                Entry::Behavior(behavior) => self.behavior(&at.key(behavior.name()), behavior),
            }
        }
    }

    fn behavior(&mut self, key_path: &KeyPath, behavior: &Behavior<V>) {
        for parameter in behavior.parameters() {
            if let Some(value) = behavior.get(parameter.name) {
                self.value(&key_path.key(parameter.name), parameter.kind, &value);
            }
        }
        if let Behavior::Explore(explore) = behavior {
            let cells = cells_of(&explore.area, explore.cell_width());
            if cells > MOST_CELLS as f64 {
                let message = format!(
                    "`cell` is {}, and the area has {cells:e} such cells",
                    plain(explore.cell_width())
                );
                self.error(
                    key_path.key("cell"),
                    message,
                    format!("cells so wide that the area has at most {MOST_CELLS}"),
                );
            }
        }
    }

    /// Validates the ranges of a described table, and the names that it refers to; what depends
    /// on other values is validated beside it.
    pub(super) fn table(&mut self, key_path: &KeyPath, table: &dyn Table<V>) {
        for parameter in table.parameters() {
            let is_structure = matches!(
                parameter.kind,
                Kind::Positions(_)
                    | Kind::Behaviors
                    | Kind::Tables(_)
                    | Kind::Transitions
                    | Kind::Shape(_)
                    | Kind::Arrivals
                    | Kind::ExitAction
            );
            if let Some(value) = table.value(parameter.name).filter(|_| !is_structure) {
                self.value(&key_path.key(parameter.name), parameter.kind, &value);
            }
        }
    }

    pub(super) fn value(&mut self, key_path: &KeyPath, kind: Kind, value: &Value<V>) {
        match (kind, value) {
            (_, Value::Target(target)) => self.target(key_path.clone(), *target),
            (Kind::Quarry, Value::Group(GroupId::ORDER))
            | (Kind::Path, Value::Path(PathId::ORDER)) => {}
            (_, Value::Groups(Groups::Only(list))) => self.groups(key_path, list),
            (Kind::Stat, Value::Text(name)) => {
                let stats = self.group_at(key_path).map_or(&[][..], |group| &group.stats);
                if stats.iter().all(|stat| stat.name != *name) {
                    let names = stats.iter().map(|stat| &*stat.name);
                    let allowed = quoted(names, "another condition: the group has no stats");
                    self.error(key_path.clone(), format!("there is no stat \"{name}\""), allowed);
                }
            }
            (Kind::Distribution(range) | Kind::Times(range), Value::Distribution(distribution)) => {
                self.distribution(key_path.clone(), *distribution, range);
            }
            (Kind::Times(range), Value::Numbers(list)) => {
                for (i, x) in list.iter().enumerate() {
                    self.number(key_path.key("list").at(i), *x, range);
                }
            }
            (Kind::Velocity, Value::Point(velocity)) => {
                for i in 0..V::DIMENSION {
                    self.number(key_path.clone(), velocity.axis(i), ranges::VELOCITY);
                }
            }
            (Kind::Direction, Value::Point(direction)) if *direction == V::ZERO => self.error(
                key_path.clone(),
                format!("`{}` is zero, which is no direction", name_of(key_path)),
                "a direction such as [0, 1]",
            ),
            (_, Value::Destinations(list)) => {
                for (k, (point, share)) in list.iter().enumerate() {
                    self.point(key_path.at(k), *point);
                    self.number(key_path.at(k), *share, ranges::CHOICE);
                }
            }
            (_, Value::Point(point)) => self.point(key_path.clone(), *point),
            (Kind::StatLimit, Value::Number(x)) if x.is_nan() => {
                let name = name_of(key_path);
                self.error(key_path.clone(), format!("`{name}` is NaN"), "a number, or inf");
            }
            (_, Value::Schedule(list)) => self.schedule(key_path, list),
            (_, Value::Area(shape)) => self.area(key_path, shape),
            (Kind::Nested(parameters), Value::Nested(values)) => {
                for (name, value) in values {
                    if let Some(parameter) = parameters.iter().find(|p| p.name == *name) {
                        self.value(&key_path.key(*name), parameter.kind, value);
                    }
                }
            }
            (_, value) => {
                if let Some((message, allowed)) = self.missing(key_path, kind, value) {
                    self.error(key_path.clone(), message, allowed);
                } else if let Err(allowed) = kind.check(value) {
                    let (name, shown) = (name_of(key_path), show(value));
                    self.error(key_path.clone(), format!("`{name}` is {shown}"), allowed);
                }
            }
        }
    }

    /// The error of an id to which nothing belongs, and what is allowed.
    fn missing(
        &self,
        key_path: &KeyPath,
        kind: Kind,
        value: &Value<V>,
    ) -> Option<(String, &'static str)> {
        let (setup, group) = (self.setup, self.group_at(key_path));
        let (text, allowed) = match (kind, value) {
            (_, Value::Group(group)) if group.0 >= setup.groups.len() => {
                (format!("group {group}"), "an existing group")
            }
            (_, Value::Path(path)) if path.0 >= setup.paths.len() => {
                (format!("path {}", path.0), "an existing path")
            }
            (_, Value::Field(field)) if field.0 >= setup.fields.len() => {
                (format!("field {}", field.0), "an existing field")
            }
            (_, Value::Stat(stat)) if group.is_none_or(|group| stat.0 >= group.stats.len()) => {
                (format!("stat {}", stat.0), "a stat of the group")
            }
            (Kind::OwnState, Value::State(state))
                if state.0 > 0 && group.is_none_or(|group| state.0 >= group.states.len()) =>
            {
                (format!("state {}", state.0), "one of the group's states")
            }
            _ => return None,
        };
        Some((format!("there is no {text}"), allowed))
    }

    pub(super) fn target(&mut self, key_path: KeyPath, target: Target<V>) {
        match target {
            Target::Point(p) => self.point(key_path, p),
            Target::Pointer if self.setup.pointer.is_none() => {
                self.error(
                    key_path,
                    "the target is \"pointer\", and there is no `pointer`",
                    "a `pointer` with a track, or another target",
                );
            }
            Target::Pointer => {}
            Target::Goal if self.group_at(&key_path).is_none_or(|group| group.goal.is_none()) => {
                self.error(
                    key_path,
                    "the target is \"goal\", and the group has no `goal`",
                    "a `goal` of the group, such as { circle = { center = [100, 50], radius = 20 \
                     } }, or another target",
                );
            }
            Target::Goal => {}
            Target::LastSeen
                if self.group_at(&key_path).is_none_or(|group| group.sight.is_none()) =>
            {
                self.error(
                    key_path,
                    "the target is \"last_seen\", and the group has no `sight`",
                    format!("{SIGHT}, or another target"),
                );
            }
            Target::LastSeen | Target::Order => {}
            Target::Group(GroupId::ORDER) => self.error(
                key_path,
                "`GroupId::ORDER` stands for a quarry, a threat or a leader, and this is a target",
                "`Target::Order`, or an existing group",
            ),
            Target::Group(group) if group.0 >= self.setup.groups.len() => {
                self.error(key_path, format!("there is no group {group}"), "an existing group")
            }
            Target::Group(_) => {}
        }
    }

    /// The group that `key_path` leads into.
    fn group_at(&self, key_path: &KeyPath) -> Option<&Group<V>> {
        if let [KeySegment::Name(group), KeySegment::At(i), ..] = &key_path.0[..]
            && group == "group"
        {
            return self.setup.groups.get(*i);
        }
        None
    }

    pub(super) fn groups(&mut self, key_path: &KeyPath, list: &[GroupId]) {
        for (i, group) in list.iter().enumerate().filter(|(_, g)| g.0 >= self.setup.groups.len()) {
            self.error(key_path.at(i), format!("there is no group {group}"), "an existing group");
        }
    }

    /// There is room for the choices of a limited number of context lists in the dangers of one.
    /// `rule` combines the list: that of the group, for the list of a state; `before` are the
    /// context lists in the dangers of the group's own list. Returns the number with those of this
    /// list.
    pub(super) fn nested_choices_are_few(
        &mut self,
        key_path: &KeyPath,
        list: &List<V>,
        rule: Combine,
        before: usize,
    ) -> usize {
        let mut count = before;
        for (i, slot) in list.slots.iter().enumerate() {
            let Entry::List(inner) = &slot.entry else { continue };
            self.nested_choices_are_few(&key_path.at(i).key("all"), inner, inner.combine, 0);
            if !slot.danger || rule != Combine::Context {
                continue;
            }
            let sum = count + slot.entry.context_lists();
            if count <= MAX_NESTED_CHOICES && sum > MAX_NESTED_CHOICES {
                self.error(
                    key_path.at(i).key("danger"),
                    format!("with this danger, there are {sum} context lists in those of its list"),
                    format!("at most {MAX_NESTED_CHOICES} context lists in the dangers of a list"),
                );
            }
            count = sum;
        }
        count
    }
}
