//! The walk through a scene by the descriptions of the format and of the behaviors, which finds all
//! that can be set in it.

use wayfare::behavior::Behavior;
use wayfare::crowd::{KeyPath, range};
use wayfare::glam::Vec2;
use wayfare::parameter::{self, Kind, Parameter, Range, Unit};

use super::field::{BehaviorEntry, BehaviorList, Field, FieldKind, NumberField};
use super::sense::{Sense, in_space, usual, usual_whole};
use super::value::Value;
use crate::document::{Content, Format, Node};
use crate::format::{self, Key, Table, ValueKind};
use crate::schema::flat;

/// Names in the scene that fields choose from.
pub(super) struct Names {
    pub(super) groups: Vec<String>,
    pub(super) paths: Vec<String>,
    pub(super) fields: Vec<String>,
    pub(super) pointer: bool,
}

impl Names {
    pub(super) fn of(root: &Node) -> Self {
        let names = |list: Option<&Node>| {
            list.and_then(Node::list)
                .unwrap_or_default()
                .iter()
                .filter_map(|item| Some(item.get("name")?.text()?.to_string()))
                .collect()
        };
        let named = |key| {
            root.get(key)
                .and_then(Node::table)
                .unwrap_or_default()
                .iter()
                .map(|entry| entry.key.clone())
                .collect()
        };
        Self {
            groups: names(root.get("group")),
            paths: named("path"),
            fields: named("field"),
            pointer: root.get("pointer").is_some(),
        }
    }
}

/// A walk through a scene by the descriptions.
pub(super) struct Walk<'a> {
    names: Names,
    sense: Sense,
    dimension: usize,
    /// The number that stood at a place when the scene was opened.
    opened: &'a dyn Fn(&KeyPath) -> Option<Value>,
    /// The only place that it goes to, and what is on the way; everywhere, where there is none.
    only: Option<&'a KeyPath>,
    /// The names of the states and stats of the group it is in, and whether that has goals and a
    /// sight.
    states: Vec<String>,
    stats: Vec<String>,
    goal: bool,
    sight: bool,
    pub(super) fields: Vec<Field>,
    pub(super) lists: Vec<BehaviorList>,
}

impl<'a> Walk<'a> {
    pub(super) fn through(
        root: &Node,
        dimension: usize,
        opened: &'a dyn Fn(&KeyPath) -> Option<Value>,
        only: Option<&'a KeyPath>,
    ) -> Self {
        let mut walk = Self {
            names: Names::of(root),
            sense: Sense::of(root),
            dimension,
            opened,
            only,
            states: Vec::new(),
            stats: Vec::new(),
            goal: false,
            sight: false,
            fields: Vec::new(),
            lists: Vec::new(),
        };
        walk.table(&KeyPath::default(), root, &format::SCENE);
        walk
    }

    /// The keys of a table that is there.
    fn table(&mut self, place: &KeyPath, node: &Node, table: &'static Table) {
        if table.name == format::GROUP.name {
            self.enter(node);
        }
        for key in table.keys.iter().filter(|key| !key.name.starts_with('$')) {
            let (place, here) = (place.key(key.name), node.get(key.name));
            let other = table.one_of.iter().any(|set| set.contains(&key.name));
            let waits = table
                .needs
                .iter()
                .any(|(name, needed)| *name == key.name && node.get(needed).is_none());
            let flat_rows =
                table.name == format::GRID.name && key.name == "rows" && self.dimension == 2;
            if self.goes_to(&place) && (here.is_some() || !(other || waits || flat_rows)) {
                self.key(&place, here, table, key, other);
            }
        }
    }

    fn goes_to(&self, place: &KeyPath) -> bool {
        self.only.is_none_or(|only| only.0.iter().zip(&place.0).all(|(a, b)| a == b))
    }

    fn enter(&mut self, group: &Node) {
        self.states = group
            .get("state")
            .and_then(Node::list)
            .unwrap_or_default()
            .iter()
            .filter_map(|state| Some(state.get("name")?.text()?.to_string()))
            .collect();
        self.stats = group
            .get("stat")
            .and_then(Node::table)
            .unwrap_or_default()
            .iter()
            .map(|entry| entry.key.clone())
            .collect();
        self.goal = group.get("goal").is_some();
        self.sight = group.get("sight").is_some();
        self.sense.enter(group);
    }

    /// `alternative`: whether it is one of several of which exactly one is there, so that it is not
    /// to be taken away by itself.
    fn key(
        &mut self,
        place: &KeyPath,
        here: Option<&Node>,
        table: &'static Table,
        key: &'static Key,
        alternative: bool,
    ) {
        let default = || {
            Value::plain(key.default)
                .map(|value| if self.dimension == 3 { in_space(key.name, value) } else { value })
        };
        let example = match (key.kind, self.stats.first()) {
            (ValueKind::Rates, None) if here.is_none() => return,
            (ValueKind::Rates, Some(stat)) => {
                Value::Table(vec![(stat.clone(), Value::Whole(-1))]).write(Format::Toml)
            }
            _ if self.dimension == 3 => Value::read(key.example)
                .map(|value| in_space(key.name, value).write(Format::Toml))
                .unwrap_or_default(),
            _ => key.example.to_string(),
        };
        let written = || FieldKind::Written { example: example.clone() };
        self.sense.numbers =
            if matches!(table.name, "when" | "stat") { self.sense.stat } else { 1.0 };
        let kind = match key.kind {
            ValueKind::Text => FieldKind::Text,
            ValueKind::Name => match (table.name, key.name) {
                ("group", "start") | ("leave", "to") => FieldKind::Choice(self.states.clone()),
                ("when", "stat") => FieldKind::Choice(self.stats.clone()),
                ("source", "group") => FieldKind::Choice(self.names.groups.clone()),
                _ => FieldKind::Text,
            },
            ValueKind::Integer(least, most) => self.whole(place, [least, most], default()),
            ValueKind::Dimension => FieldKind::Whole { range: [2, 3], usual: [2, 3] },
            ValueKind::Number(range) => self.number(place, range, default(), false),
            ValueKind::StatLimit => self.number(place, range::STAT.or_infinite(), default(), false),
            ValueKind::Distribution(range) => self.number(place, range, default(), true),
            ValueKind::Flag => FieldKind::Flag,
            ValueKind::Word(words) => FieldKind::Choice(owned(words)),
            ValueKind::Point | ValueKind::Size => {
                FieldKind::Point { unit: Unit::Length, or: Vec::new() }
            }
            ValueKind::Velocity => FieldKind::Point { unit: Unit::Speed, or: owned(&["random"]) },
            ValueKind::Target => self.target(),
            ValueKind::Groups => FieldKind::Names(self.names.groups.clone()),
            ValueKind::Points(_)
            | ValueKind::Corners
            | ValueKind::Track
            | ValueKind::ExitAction
            | ValueKind::Schedule => written(),
            ValueKind::Table(_) | ValueKind::Rates | ValueKind::Condition => written(),
            ValueKind::Behaviors => return self.list(place, here),
            ValueKind::Conditions | ValueKind::Tables(_) | ValueKind::NamedTables(_) => {
                return self.parts(place, here, key);
            }
        };
        // A table that has to be there is changed by its parts.
        let whole = !matches!(kind, FieldKind::Written { .. })
            || !(here.is_some()
                && (key.required || alternative)
                && !matches!(here.map(|node| &node.content), Some(Content::List(_))));
        if whole {
            let default = default();
            self.add(place, here, kind, key.doc, key.required, default);
        }
        self.parts(place, here, key);
    }

    /// What is inside a value that is there.
    fn parts(&mut self, place: &KeyPath, here: Option<&Node>, key: &'static Key) {
        let Some(node) = here else { return };
        let table = match key.kind {
            ValueKind::Table(table) | ValueKind::Tables(table) | ValueKind::NamedTables(table) => {
                table
            }
            ValueKind::Condition | ValueKind::Conditions => &format::CONDITION,
            ValueKind::ExitAction => &format::RESPAWN,
            ValueKind::Rates => return self.rates(place, node),
            _ => return,
        };
        if matches!(key.kind, ValueKind::NamedTables(_)) {
            for entry in node.table().unwrap_or_default() {
                self.table(&place.key(&entry.key), &entry.node, table);
            }
        } else if let Some(items) = node.list() {
            for (i, item) in items.iter().enumerate() {
                if self.goes_to(&place.at(i)) {
                    self.table(&place.at(i), item, table);
                }
            }
        } else if node.table().is_some() {
            self.table(place, node, table);
        }
    }

    /// What a state adds to each of the group's stats.
    fn rates(&mut self, place: &KeyPath, node: &Node) {
        for stat in self.stats.clone() {
            let place = place.key(&stat);
            let kind = self.number(&place, range::STAT, Some(Value::Whole(0)), false);
            self.add(
                &place,
                node.get(&stat),
                kind,
                "What is added to it per unit of time.",
                false,
                Some(Value::Whole(0)),
            );
        }
    }

    /// A list of behaviors, which may not be there yet.
    fn list(&mut self, place: &KeyPath, here: Option<&Node>) {
        let at = self.lists.len();
        self.lists.push(BehaviorList { place: place.clone(), entries: Vec::new() });
        for (i, item) in here.and_then(Node::list).unwrap_or_default().iter().enumerate() {
            let place = place.at(i);
            if !self.goes_to(&place) {
                continue;
            }
            let description = item.table().unwrap_or_default().iter().find_map(|entry| {
                let description =
                    Behavior::<Vec2>::LIST.iter().find(|behavior| behavior.name == entry.key)?;
                Some((description, &entry.node))
            });
            let (behavior, doc) = description
                .map_or(("all", format::STEER_ENTRY.doc), |(description, _)| {
                    (description.name, description.doc)
                });
            let off = item.get("off").is_some_and(|node| node.content == Content::Bool(true));
            self.lists[at].entries.push(BehaviorEntry {
                place: place.clone(),
                behavior: behavior.to_string(),
                off,
                doc: flat(doc),
            });
            if let Some((description, node)) = description {
                let blank = Behavior::<Vec2>::from_name(description.name);
                let default = |name: &str| blank.as_ref()?.get(name);
                self.parameters(
                    &place.key(description.name),
                    Some(node),
                    description.parameters,
                    &default,
                );
            }
            let keys = format::STEER_ENTRY
                .keys
                .iter()
                .filter(|key| key.name != "all" || item.get("all").is_some());
            for key in keys.filter(|key| {
                format::STEER_ENTRY
                    .needs
                    .iter()
                    .all(|(name, needed)| *name != key.name || item.get(needed).is_some())
            }) {
                self.key(
                    &place.key(key.name),
                    item.get(key.name),
                    &format::STEER_ENTRY,
                    key,
                    false,
                );
            }
        }
    }

    /// The parameters of a behavior, or of a table inside it.
    fn parameters(
        &mut self,
        place: &KeyPath,
        here: Option<&Node>,
        parameters: &'static [Parameter],
        default: &dyn Fn(&str) -> Option<parameter::Value<Vec2>>,
    ) {
        for parameter in parameters {
            let (place, node) =
                (place.key(parameter.name), here.and_then(|node| node.get(parameter.name)));
            if !self.goes_to(&place) {
                continue;
            }
            let default = if parameter.required {
                None
            } else {
                default(parameter.name).as_ref().and_then(plain)
            };
            let number = |walk: &Self, range, words, off| match walk.number(
                &place,
                range,
                default.clone(),
                false,
            ) {
                FieldKind::Number(number) => {
                    FieldKind::Number(NumberField { words, off, ..number })
                }
                other => other,
            };
            let kind = match parameter.kind {
                Kind::Number(range) => number(self, range, &[], false),
                Kind::NumberOr(range, words) => number(self, range, words, false),
                Kind::NumberOrOff(range) => number(self, range, &[], true),
                Kind::Double(range) => number(self, range, &[], false),
                Kind::Flag => FieldKind::Flag,
                Kind::Stat => FieldKind::Choice(self.stats.clone()),
                Kind::Schedule => FieldKind::Written { example: "[[10, 5]]".to_string() },
                Kind::Condition => {
                    FieldKind::Written { example: "{ time_in_state = 5 }".to_string() }
                }
                Kind::Conditions => {
                    FieldKind::Written { example: "[{ time_in_state = 5 }]".to_string() }
                }
                Kind::Word(words) => FieldKind::Choice(owned(words)),
                Kind::Target => self.target(),
                Kind::Group => FieldKind::Choice(self.names.groups.clone()),
                Kind::Groups => FieldKind::Names(self.names.groups.clone()),
                Kind::Path => FieldKind::Choice(self.names.paths.clone()),
                Kind::Field => FieldKind::Choice(self.names.fields.clone()),
                Kind::Area => FieldKind::Written { example: self.sense.area().write(Format::Toml) },
                Kind::Nested(inner) => {
                    let values = self.sense.required(inner, &self.names).unwrap_or_default();
                    FieldKind::Written { example: Value::Table(values).write(Format::Toml) }
                }
            };
            self.add(&place, node, kind, parameter.doc, parameter.required, default);
            match (parameter.kind, node) {
                (Kind::Area, Some(node)) => self.table(&place, node, &format::AREA),
                (Kind::Nested(inner), Some(node)) => {
                    // A table inside a behavior takes what the behavior of that name takes.
                    let blank = Behavior::<Vec2>::from_name(parameter.name);
                    self.parameters(&place, Some(node), inner, &|name| blank.as_ref()?.get(name));
                }
                _ => {}
            }
        }
    }

    fn number(
        &self,
        place: &KeyPath,
        range: Range,
        default: Option<Value>,
        spread: bool,
    ) -> FieldKind {
        let given = (self.opened)(place).or(default);
        let usual = usual(range, given.as_ref(), &self.sense);
        FieldKind::Number(NumberField { range, usual, words: &[], off: false, spread })
    }

    fn whole(&self, place: &KeyPath, range: [u64; 2], default: Option<Value>) -> FieldKind {
        FieldKind::Whole {
            range,
            usual: usual_whole(range, (self.opened)(place).or(default).as_ref()),
        }
    }

    fn target(&self) -> FieldKind {
        let own = [("pointer", self.names.pointer), ("goal", self.goal), ("last_seen", self.sight)];
        let words = own.iter().filter(|(_, there)| *there).map(|(word, _)| word.to_string());
        FieldKind::Point {
            unit: Unit::Length,
            or: words.chain(self.names.groups.iter().cloned()).collect(),
        }
    }

    fn add(
        &mut self,
        place: &KeyPath,
        here: Option<&Node>,
        kind: FieldKind,
        doc: &str,
        required: bool,
        default: Option<Value>,
    ) {
        let value = here.and_then(Value::of).or_else(|| default.clone());
        self.fields.push(Field {
            place: place.clone(),
            kind,
            doc: flat(doc),
            required,
            given: here.is_some(),
            value,
            default,
        });
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}

/// A default of the library as a scene has it; `None` where that is nothing.
fn plain(value: &parameter::Value<Vec2>) -> Option<Value> {
    match value {
        parameter::Value::Number(x) => Some(Value::from(*x)),
        parameter::Value::Word(word) => Some(Value::from(*word)),
        parameter::Value::Off => Some(Value::Flag(false)),
        _ => None,
    }
}
