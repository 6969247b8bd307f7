//! Changes a number or a parameter by its key path in the setup, with the setup's own validation.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::combine::{Entry, List, Slot};
use crate::crowd::facade::crowd::Crowd;
use crate::crowd::pipeline::events::rearm_arrivals_since;
use crate::crowd::setup::allowed::{
    KeyPath, KeySegment, ValidationError, quoted, ranges as range, show,
};
use crate::crowd::setup::command::list::{Command, Setting};
use crate::crowd::setup::validate::solver_reason;
use crate::crowd::setup::{Distribution, Group, Limit};
use crate::order::ORDER;
use crate::parameter::{FieldId, GroupId, Groups, Kind, Parameter, PathId, Range, Target, Value};
use crate::registry::{Behavior, SLOT_KEYS};
use crate::vector::Vector;

const EXAMPLE: &str = "a key path such as group[0].max_speed or group[0].steer[1].seek.target";

/// The names that settings can refer to.
struct Names<'a> {
    groups: Vec<Option<&'a str>>,
    paths: Vec<Option<&'a str>>,
    fields: Vec<Option<&'a str>>,
}

/// The names by index, without those of removed items.
fn in_use<'a>(
    names: impl Iterator<Item = &'a str>,
    removed: impl Iterator<Item = bool>,
) -> Vec<Option<&'a str>> {
    names.zip(removed).map(|(name, removed)| (!removed).then_some(name)).collect()
}

impl<V: Vector> Command<V> {
    /// Whether [`Command::Set`] can set the value at this key path of a scene: a group's number, a
    /// weight, a chance, `danger`, `off`, or a parameter. The function does not check whether a
    /// crowd has such a group, list or behavior. All other values require reading the scene again.
    ///
    /// ```
    /// use wayfare::{
    ///     crowd::{Command, KeyPath},
    ///     glam::Vec2,
    /// };
    /// let steer = KeyPath::default().key("group").at(0).key("steer");
    /// assert!(Command::<Vec2>::sets(&steer.at(1).key("arrive").key("slowing_radius")));
    /// assert!(
    ///     !Command::<Vec2>::sets(&steer.at(1))
    ///         && !Command::<Vec2>::sets(&KeyPath::default().key("dt"))
    /// );
    /// ```
    pub fn sets(key_path: &KeyPath) -> bool {
        let mut remainder = match &key_path.0[..] {
            [KeySegment::Name(top), KeySegment::At(_), remainder @ ..] if top == "group" => {
                remainder
            }
            _ => return false,
        };
        if let [KeySegment::Name(name)] = remainder {
            return Limit::from_name(name).is_some();
        }
        if let [KeySegment::Name(state), KeySegment::At(_), after @ ..] = remainder
            && state == "state"
        {
            remainder = after;
        }
        match remainder {
            [KeySegment::Name(steer), KeySegment::At(_), after @ ..] if steer == "steer" => {
                remainder = after
            }
            _ => return false,
        }
        while let [KeySegment::Name(all), KeySegment::At(_), after @ ..] = remainder
            && all == "all"
        {
            remainder = after;
        }
        match remainder {
            [KeySegment::Name(name)] => SLOT_KEYS.contains(&name.as_str()),
            [KeySegment::Name(_), KeySegment::Name(_)]
            | [KeySegment::Name(_), KeySegment::Name(_), KeySegment::Name(_)] => true,
            _ => false,
        }
    }
}

impl<V: Vector> Crowd<V> {
    pub(super) fn set(&mut self, text: &str, setting: &Setting<V>) -> Result<(), ValidationError> {
        let key_path = KeyPath::read(text).ok_or_else(|| {
            ValidationError::new(
                KeyPath::default().key("set"),
                format!("\"{text}\" is not a key path"),
                EXAMPLE,
            )
        })?;
        let (index, remainder) = match &key_path.0[..] {
            [KeySegment::Name(top), KeySegment::At(index), remainder @ ..]
                if top == "group" && !remainder.is_empty() =>
            {
                (*index, remainder)
            }
            _ => {
                return Err(ValidationError::new(
                    key_path,
                    "nothing can be set at this key path",
                    EXAMPLE,
                ));
            }
        };
        let above = KeyPath::default().key("group").at(index);
        let mut group = {
            self.check_group(above.clone(), GroupId(index))?;
            self.origin.setup.groups[index].clone()
        };
        let names = Names {
            groups: in_use(
                self.group_names(),
                self.origin.structure.groups.iter().map(|entry| entry.removed),
            ),
            paths: in_use(self.path_names(), self.origin.structure.removed_paths.iter().copied()),
            fields: in_use(
                self.field_names(),
                self.origin.structure.removed_fields.iter().copied(),
            ),
        };
        if let [KeySegment::Name(name)] = remainder
            && let Some(limit) = Limit::from_name(name)
        {
            let (mut range, solver) = group.range_of(limit);
            if limit == Limit::MaxSpeed {
                range.min = range.min.max(group.min_speed);
                range.max = group.speed_cap.unwrap_or(range.max);
            }
            let x = number(&key_path, range, setting).map_err(|error| ValidationError {
                allowed: format!("{}{}", error.allowed, solver_reason(solver)),
                ..error
            })?;
            *(match limit {
                Limit::Mass => &mut group.mass,
                Limit::MaxSpeed => &mut group.max_speed,
                Limit::MaxForce => &mut group.max_force,
                Limit::Radius => &mut group.radius,
            }) = Distribution::Same(x);
            // Lengths that follow from limits may be too far for a wrapped world or a mesh.
            self.set_group_of_setup(index, group, limit == Limit::Radius)?;
            self.limits_of_group_changed(index);
            self.rebuild();
            return Ok(());
        }
        let (slot, at, remainder) = slot_at(&mut group, above, remainder)?;
        match remainder {
            [KeySegment::Name(key)] if key == "weight" => {
                slot.weight = number(&key_path, range::WEIGHT, setting)?
            }
            [KeySegment::Name(key)] if key == "chance" => {
                slot.chance = number(&key_path, range::CHANCE, setting)?
            }
            [KeySegment::Name(key)] if key == "off" || key == "danger" => match setting {
                Setting::Flag(flag) => {
                    *(if key == "off" { &mut slot.off } else { &mut slot.danger }) = *flag
                }
                other => return Err(cannot_be(&key_path, other, "true or false".to_string())),
            },
            [KeySegment::Name(key), KeySegment::Name(name), inner @ ..] => {
                let Entry::Behavior(behavior) = &mut slot.entry else {
                    return Err(ValidationError::new(
                        at.key(key),
                        format!("there is no `{key}`"),
                        format!("`all`, {}: it is a list", slot_keys()),
                    ));
                };
                if behavior.name() != key {
                    return Err(ValidationError::new(
                        at.key(key),
                        format!("there is no `{key}`"),
                        format!("`{}`, {}", behavior.name(), slot_keys()),
                    ));
                }
                let parameter = find(behavior.parameters(), name, &key_path)?;
                let value = match inner {
                    [] => read(parameter.kind, setting, &names, &key_path)?,
                    [KeySegment::Name(part)] => {
                        nested(behavior, parameter, part, setting, &names, &key_path)?
                    }
                    _ => {
                        return Err(ValidationError::new(
                            key_path,
                            "nothing can be set at this key path",
                            EXAMPLE,
                        ));
                    }
                };
                self.origin.setup.validate_value(&key_path, parameter.kind, &value)?;
                if !behavior.set(parameter.name, value) {
                    return Err(ValidationError::new(
                        key_path.clone(),
                        format!("`{name}` does not take it"),
                        parameter.kind.to_string(),
                    ));
                }
            }
            _ => {
                return Err(ValidationError::new(
                    key_path,
                    "nothing can be set at this key path",
                    EXAMPLE,
                ));
            }
        }
        self.set_group_of_setup(index, group, true)?;
        let stops = self.world.tracker.stops();
        self.rebuild();
        let Self { world, population, tick, origin, .. } = self;
        rearm_arrivals_since(world, population, tick, origin, &stops);
        Ok(())
    }

    /// Replaces a group of the setup; with `lists` what lists need is validated too, such as the
    /// meshes of routes.
    ///
    /// # Errors
    /// The setup would be invalid; then nothing changes.
    fn set_group_of_setup(
        &mut self,
        index: usize,
        group: Group<V>,
        lists: bool,
    ) -> Result<(), ValidationError> {
        let setup = &mut self.origin.setup;
        let before = core::mem::replace(&mut setup.groups[index], group);
        let valid = setup.validate_bounds();
        let valid = valid.and_then(|()| if lists { setup.validate_lists(index) } else { Ok(()) });
        if valid.is_err() {
            setup.groups[index] = before;
        }
        valid
    }

    /// Gives the members of `group` its new limits, where neither their state nor a command for one
    /// agent says otherwise. Velocities are truncated to a new max_speed at once, and so are
    /// max_speeds of single agents to a new largest one.
    fn limits_of_group_changed(&mut self, group: usize) {
        let largest = self.origin.setup.groups[group].largest_max_speed();
        for row in 0..self.population.now.len() {
            if self.population.now.group[row] as usize == group {
                let mut limits = self.limits_of_row(row, self.population.now.limits[row]);
                limits.max_speed = limits.max_speed.min(largest);
                self.population.now.limits[row] = limits;
                let velocity = self.population.now.velocity.get(row).truncate(limits.max_speed);
                self.population.now.velocity.set(row, velocity);
            }
        }
    }
}

fn slot_keys() -> String {
    let [first, second, third, last] = SLOT_KEYS;
    format!("`{first}`, `{second}`, `{third}` or `{last}`")
}

/// The slot that `keys` lead to from the table of a group, its key path, and the remaining keys.
fn slot_at<'a, 'k, V: Vector>(
    group: &'a mut Group<V>,
    above: KeyPath,
    keys: &'k [KeySegment],
) -> Result<(&'a mut Slot<V>, KeyPath, &'k [KeySegment]), ValidationError> {
    match keys {
        [
            KeySegment::Name(state),
            KeySegment::At(s),
            KeySegment::Name(steer),
            KeySegment::At(i),
            remainder @ ..,
        ] if state == "state" && steer == "steer" => {
            let (above, count) = (above.key("state").at(*s), group.states.len());
            match group.states.get_mut(*s) {
                Some(state) => slot_in(&mut state.steer, above.key("steer"), *i, remainder),
                None => Err(no_such(above, "state", *s, count)),
            }
        }
        [KeySegment::Name(steer), KeySegment::At(i), remainder @ ..] if steer == "steer" => {
            slot_in(&mut group.steer, above.key("steer"), *i, remainder)
        }
        [KeySegment::Name(name), ..] => {
            let known = Limit::ALL.map(Limit::name);
            let allowed = format!(
                "{}, or a key path such as steer[0].seek.target or state[0].steer[0].weight",
                known.join(", ")
            );
            Err(ValidationError::new(
                above.key(name),
                format!("`{name}` cannot be set in a running crowd"),
                allowed,
            ))
        }
        _ => Err(ValidationError::new(above, "nothing can be set at this key path", EXAMPLE)),
    }
}

fn slot_in<'a, 'k, V: Vector>(
    list: &'a mut List<V>,
    above: KeyPath,
    i: usize,
    keys: &'k [KeySegment],
) -> Result<(&'a mut Slot<V>, KeyPath, &'k [KeySegment]), ValidationError> {
    let count = list.slots.len();
    let key_path = above.at(i);
    let Some(slot) = list.slots.get_mut(i) else {
        return Err(no_such(key_path, "slot", i, count));
    };
    match keys {
        [KeySegment::Name(all), KeySegment::At(k), remainder @ ..]
            if all == "all" && matches!(slot.entry, Entry::List(_)) =>
        {
            match &mut slot.entry {
                Entry::List(inner) => slot_in(inner, key_path.key("all"), *k, remainder),
                Entry::Behavior(_) => Err(no_such(key_path, "list", *k, 0)),
            }
        }
        _ => Ok((slot, key_path, keys)),
    }
}

fn find<'p>(
    parameters: &'p [Parameter],
    name: &str,
    key_path: &KeyPath,
) -> Result<&'p Parameter, ValidationError> {
    let known = || parameters.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
    parameters.iter().find(|p| p.name == name).ok_or_else(|| {
        ValidationError::new(key_path.clone(), format!("there is no parameter `{name}`"), known())
    })
}

/// The value of a nested table of parameters after one of them is set.
fn nested<V: Vector>(
    behavior: &Behavior<V>,
    outer: &Parameter,
    name: &str,
    setting: &Setting<V>,
    names: &Names<'_>,
    key_path: &KeyPath,
) -> Result<Value<V>, ValidationError> {
    let (Kind::Nested(parameters), Some(Value::Nested(mut values))) =
        (outer.kind, behavior.get(outer.name))
    else {
        return Err(ValidationError::new(
            key_path.clone(),
            format!("`{}` has no `{name}` to be set", outer.name),
            "a parameter of a table that was given",
        ));
    };
    let parameter = find(parameters, name, key_path)?;
    let value = read(parameter.kind, setting, names, key_path)?;
    match values.iter_mut().find(|(known, _)| *known == parameter.name) {
        Some((_, old)) => *old = value,
        None => values.push((parameter.name, value)),
    }
    Ok(Value::Nested(values))
}

fn number<V: Vector>(
    key_path: &KeyPath,
    range: Range,
    setting: &Setting<V>,
) -> Result<f32, ValidationError> {
    match setting {
        Setting::Number(x) if range.holds(*x) => Ok(*x),
        Setting::Text(text) if text == "inf" && range.infinite => Ok(f32::INFINITY),
        other => Err(cannot_be(key_path, other, range.to_string())),
    }
}

/// The value of `setting` for a parameter of `kind`.
fn read<V: Vector>(
    kind: Kind,
    setting: &Setting<V>,
    names: &Names<'_>,
    key_path: &KeyPath,
) -> Result<Value<V>, ValidationError> {
    let named = |known: &[Option<&str>], what: &str, name: &str| {
        let missing = || {
            ValidationError::new(
                key_path.clone(),
                format!("there is no {what} \"{name}\""),
                quoted(known.iter().copied().flatten(), &format!("none, as there is no {what}")),
            )
        };
        known.iter().position(|other| *other == Some(name)).ok_or_else(missing)
    };
    let group = |name: &String| named(&names.groups, "group", name).map(GroupId);
    let value = match (kind, setting) {
        (
            Kind::Number(range)
            | Kind::NumberOr(range, _)
            | Kind::Auto(range, _)
            | Kind::NumberOrOff(range),
            Setting::Text(text),
        ) if text == "inf" && range.infinite => Value::Number(f32::INFINITY),
        (
            Kind::Number(_) | Kind::NumberOr(..) | Kind::Auto(..) | Kind::NumberOrOff(_),
            Setting::Number(x),
        ) => Value::Number(*x),
        (Kind::NumberOrOff(_), Setting::Flag(false)) => Value::Off,
        (Kind::Flag, Setting::Flag(x)) => Value::Flag(*x),
        (Kind::NumberOr(..) | Kind::Auto(..) | Kind::Word(_), Setting::Text(text))
            if kind.words().contains(&text.as_str()) =>
        {
            Value::Word(kind.words().iter().find(|word| *word == text).copied().unwrap_or_default())
        }
        (Kind::Target, Setting::Point(p)) => Value::Target(Target::Point(*p)),
        (Kind::Target, Setting::Text(name)) => match Target::from_keyword(name) {
            Some(target) => Value::Target(target),
            None => Value::Target(Target::Group(group(name)?)),
        },
        (Kind::Quarry, Setting::Text(name)) if name == ORDER => Value::Group(GroupId::ORDER),
        (Kind::Group | Kind::Quarry, Setting::Text(name)) => Value::Group(group(name)?),
        (Kind::Path, Setting::Text(name)) if name == ORDER => Value::Path(PathId::ORDER),
        (Kind::Groups, Setting::Texts(list)) => {
            Value::Groups(Groups::Only(list.iter().map(group).collect::<Result<_, _>>()?))
        }
        (Kind::Path, Setting::Text(name)) => {
            Value::Path(PathId(named(&names.paths, "path", name)?))
        }
        (Kind::Field, Setting::Text(name)) => {
            Value::Field(FieldId(named(&names.fields, "field", name)?))
        }
        (Kind::Area, Setting::Area(shape)) => Value::Area(shape.clone()),
        (kind, other) => return Err(cannot_be(key_path, other, kind.to_string())),
    };
    kind.check(&value).map_err(|allowed| cannot_be(key_path, setting, allowed))?;
    Ok(value)
}

fn cannot_be<V: Vector>(
    key_path: &KeyPath,
    setting: &Setting<V>,
    allowed: String,
) -> ValidationError {
    let name = key_path
        .0
        .iter()
        .rev()
        .find_map(|key| if let KeySegment::Name(name) = key { Some(name.as_str()) } else { None })
        .unwrap_or_default();
    let shown = match setting {
        Setting::Number(x) => show::<V>(&Value::Number(*x)),
        Setting::Flag(flag) => flag.to_string(),
        Setting::Text(text) => format!("\"{text}\""),
        Setting::Texts(_) => "a list of texts".to_string(),
        Setting::Point(_) => "a point".to_string(),
        Setting::Area(_) => "a shape".to_string(),
    };
    ValidationError::new(key_path.clone(), format!("`{name}` cannot be {shown}"), allowed)
}

/// The error of an index into a list of `count` items.
pub(super) fn no_such(
    key_path: KeyPath,
    what: &str,
    index: usize,
    count: usize,
) -> ValidationError {
    let allowed = if count == 0 {
        format!("no {what}: there are none")
    } else {
        format!("a whole number from 0 to {}", count - 1)
    };
    ValidationError::new(key_path, format!("there is no {what} {index}"), allowed)
}
