//! Collects the controls and the lists of behaviors of a scene, by the descriptions of the format
//! and of the behaviors.

use std::borrow::Cow;

use wayfare::crowd::{KeyPath, range};
use wayfare::parameter::{Kind, Parameter, Range, Unit};

use super::behaviors::{Behaviors, Described};
use super::control::{BehaviorEntry, BehaviorList, Control, ControlKind, NumberControl};
use super::names::{GroupNames, Names, referred_names, with_order};
use super::suggestions::{Suggestions, in_space, integer_slider};
use super::value::Value;
use crate::decode::{inherited, node_at, supplied, with_templates};
use crate::document::{Content, Format, Node};
use crate::format::{self, Key, Table, ValueKind};
use crate::schema::flat;

/// A walk through the document of a scene that collects what can be edited.
pub(super) struct Collector<'a> {
    root: &'a Node,
    /// The root with what templates supply.
    with_templates: Cow<'a, Node>,
    behaviors: Behaviors,
    names: Names,
    /// The names of the group that is being visited.
    group: GroupNames,
    suggestions: Suggestions,
    dimension: usize,
    /// The value at a path when the scene was opened: it determines the slider, so that a slider
    /// does not change its range while it is moved.
    original_value: &'a dyn Fn(&KeyPath) -> Option<Value>,
    /// Only this path and its prefixes are visited.
    only: Option<&'a KeyPath>,
    controls: Vec<Control>,
    lists: Vec<BehaviorList>,
}

impl<'a> Collector<'a> {
    /// The controls and lists of the scene; with `only`, at least those whose path leads to it.
    pub(super) fn collect(
        root: &'a Node,
        dimension: usize,
        behaviors: Behaviors,
        original_value: &'a dyn Fn(&KeyPath) -> Option<Value>,
        only: Option<&'a KeyPath>,
    ) -> (Vec<Control>, Vec<BehaviorList>) {
        let mut collector = Self {
            root,
            with_templates: with_templates(root),
            behaviors,
            names: Names::of(root),
            group: GroupNames::default(),
            suggestions: Suggestions::of(root),
            dimension,
            original_value,
            only,
            controls: Vec::new(),
            lists: Vec::new(),
        };
        collector.table(&KeyPath::default(), root, &format::SCENE);
        (collector.controls, collector.lists)
    }

    /// Whether `path` is a prefix of the only path, or below it.
    fn visits(&self, path: &KeyPath) -> bool {
        self.only.is_none_or(|only| only.0.iter().zip(&path.0).all(|(a, b)| a == b))
    }

    /// The keys of a table that the text gives.
    fn table(&mut self, path: &KeyPath, node: &Node, table: &'static Table) {
        if [format::GROUP.name, format::TEMPLATE.name].contains(&table.name) {
            let expanded = node_at(&self.with_templates, path).unwrap_or(node);
            self.group = GroupNames::of(expanded);
            self.suggestions.enter_group(expanded);
        }
        let outer = path.clone();
        for key in table.keys.iter().filter(|key| !key.name.starts_with('$')) {
            let path = path.key(key.name);
            if !self.visits(&path) {
                continue;
            }
            let value = node.get(key.name);
            let has = |needed: &str| {
                node.get(needed).is_some() || inherited(self.root, &outer.key(needed)).is_some()
            };
            let is_alternative = table.one_of.iter().any(|set| set.contains(&key.name));
            let lacks_its_partner =
                table.needs.iter().any(|(name, needed)| *name == key.name && !has(needed));
            let can_be_added = !is_alternative
                && !lacks_its_partner
                && !is_only_for_space(table, key, self.dimension)
                // An example names no file that is there.
                && key.name != format::GEOMETRY.name
                && !format::is_misplaced(key.name, |name| node.get(name).is_some());
            if value.is_some() || can_be_added {
                self.key(&path, value, key, is_alternative);
            }
        }
    }

    /// One key of a table. An alternative cannot be removed by itself.
    fn key(
        &mut self,
        path: &KeyPath,
        node: Option<&Node>,
        key: &'static Key,
        is_alternative: bool,
    ) {
        let supplied = self.supplied(path);
        let required = key.required && supplied.is_none();
        let of_format = || Value::plain(&key.default()).map(|value| self.in_dimension(key, value));
        let default = supplied.or_else(of_format);
        let own_default = || default.clone();
        let kind = match key.kind {
            ValueKind::Text | ValueKind::Color | ValueKind::UnitName => ControlKind::Text,
            ValueKind::Name => match referred_names(key.name, &self.names, &self.group) {
                Some(names) => ControlKind::Choice(names.to_vec()),
                None => ControlKind::Text,
            },
            ValueKind::NextState if node.is_none_or(|node| node.table().is_none()) => {
                ControlKind::Choice(self.group.states.clone())
            }
            ValueKind::Integer(least, most) => self.integer(path, [least, most], own_default()),
            ValueKind::Dimension => ControlKind::Integer { range: [2, 3], slider: [2, 3] },
            ValueKind::Number(range) => self.number(path, range, own_default()),
            ValueKind::StatLimit => self.number(path, range::STAT.or_infinite(), own_default()),
            ValueKind::Times(_) if node.is_some_and(|node| node.get(format::LIST).is_some()) => {
                ControlKind::Structure { example: key.example.to_string() }
            }
            ValueKind::Distribution(range) | ValueKind::Times(range) => {
                match self.number(path, range, own_default()) {
                    ControlKind::Number(number) => {
                        ControlKind::Number(NumberControl { may_vary: true, ..number })
                    }
                    other => other,
                }
            }
            ValueKind::Flag => ControlKind::Flag,
            ValueKind::Word(words) => ControlKind::Choice(owned(words)),
            ValueKind::Point | ValueKind::Size => {
                ControlKind::Point { unit: Unit::Length, words: Vec::new() }
            }
            ValueKind::Direction => ControlKind::Point { unit: Unit::None, words: Vec::new() },
            ValueKind::Velocity => {
                ControlKind::Point { unit: Unit::Speed, words: owned(&["random"]) }
            }
            ValueKind::Target => self.target(&[]),
            ValueKind::TargetOr(words) => self.target(words),
            ValueKind::Groups => ControlKind::Groups(self.names.groups.clone()),
            ValueKind::Templates if node.is_none() && self.names.templates.is_empty() => return,
            ValueKind::Templates => match node.and_then(Node::list) {
                Some(_) => ControlKind::Structure { example: key.example.to_string() },
                None => ControlKind::Choice(self.names.templates.clone()),
            },
            ValueKind::Measure(kind) => {
                let Some(inner) = node else { return };
                return self.parameters(
                    path,
                    inner,
                    Described::Measure(kind.name),
                    kind.parameters,
                );
            }
            ValueKind::Behaviors => {
                let inherited = inherited(self.root, path);
                return self.list(path, node.or(inherited));
            }
            ValueKind::Conditions | ValueKind::Tables(_) | ValueKind::NamedTables(_) => {
                return self.parts(path, node, key);
            }
            // A state can only change stats that its group has.
            ValueKind::Rates if node.is_none() && self.group.stats.is_empty() => return,
            ValueKind::KeyPaths if node.is_none() => return,
            ValueKind::KeyPaths
            | ValueKind::Points(_)
            | ValueKind::Corners
            | ValueKind::Track
            | ValueKind::ExitAction
            | ValueKind::Schedule
            | ValueKind::Argument(_)
            | ValueKind::Table(_)
            | ValueKind::Rates
            | ValueKind::NextState
            | ValueKind::Destinations
            | ValueKind::Condition => ControlKind::Structure { example: self.example(key) },
        };
        // A table that cannot be removed is edited by its parts only.
        let is_edited_by_parts = matches!(kind, ControlKind::Structure { .. })
            && (required || is_alternative)
            && node.is_some_and(|node| !matches!(node.content, Content::List(_)));
        if !is_edited_by_parts {
            self.add(path, node, kind, key.doc, required, default);
        }
        self.parts(path, node, key);
    }

    /// The value that a template or a preset supplies for the key at `path`.
    fn supplied(&self, path: &KeyPath) -> Option<Value> {
        inherited(self.root, path)
            .and_then(Value::of)
            .or_else(|| Value::plain(&supplied(self.root, path)?))
    }

    /// A value of the plane for this key, in the dimension of the scene.
    fn in_dimension(&self, key: &Key, value: Value) -> Value {
        if self.dimension == 3 { in_space(key.name, key.kind, value) } else { value }
    }

    /// An example for a structure, as TOML.
    fn example(&self, key: &Key) -> String {
        match (key.kind, self.group.stats.first()) {
            (ValueKind::Rates, Some(stat)) => {
                Value::Table(vec![(stat.clone(), Value::Integer(-1))]).write(Format::Toml)
            }
            _ if self.dimension == 2 => key.example.to_string(),
            _ => Value::read(key.example)
                .map(|value| self.in_dimension(key, value).write(Format::Toml))
                .unwrap_or_default(),
        }
    }

    /// The controls of the parts of a value that the text gives.
    fn parts(&mut self, path: &KeyPath, node: Option<&Node>, key: &'static Key) {
        let Some(node) = node else { return };
        let table = match key.kind {
            ValueKind::Table(table) | ValueKind::Tables(table) | ValueKind::NamedTables(table) => {
                table
            }
            ValueKind::Condition | ValueKind::Conditions => &format::CONDITION,
            ValueKind::ExitAction => &format::EXIT_ACTION,
            ValueKind::Rates => return self.rates(path, node),
            ValueKind::NextState => return self.next_states(path, node),
            _ => return,
        };
        if matches!(key.kind, ValueKind::NamedTables(_)) {
            for entry in node.table().unwrap_or_default() {
                self.table(&path.key(&entry.key), &entry.node, table);
            }
        } else if let Some(items) = node.list() {
            for (i, item) in items.iter().enumerate() {
                if self.visits(&path.at(i)) {
                    self.table(&path.at(i), item, table);
                }
            }
        } else if node.table().is_some() {
            self.table(path, node, table);
        }
    }

    /// The change that a state makes to each stat of the group.
    fn rates(&mut self, path: &KeyPath, node: &Node) {
        for stat in self.group.stats.clone() {
            let path = path.key(&stat);
            let zero = Some(Value::Integer(0));
            let kind = self.number_around(&path, range::STAT, zero.clone(), 1.0);
            let doc = "The change of the stat per unit of time.";
            self.add(&path, node.get(&stat), kind, doc, false, zero);
        }
    }

    /// The weights of the states to which a transition can lead.
    fn next_states(&mut self, path: &KeyPath, node: &Node) {
        for entry in node.table().unwrap_or_default() {
            let path = path.key(&entry.key);
            let kind = self.number_around(&path, range::CHOICE, None, 1.0);
            let doc = "The weight of this state among those to which the transition can lead.";
            self.add(&path, Some(&entry.node), kind, doc, true, None);
        }
    }

    /// A list of behaviors, also one that the text does not give.
    fn list(&mut self, path: &KeyPath, node: Option<&Node>) {
        let index = self.lists.len();
        self.lists.push(BehaviorList { key_path: path.clone(), entries: Vec::new() });
        for (i, item) in node.and_then(Node::list).unwrap_or_default().iter().enumerate() {
            let path = path.at(i);
            if self.visits(&path) {
                let entry = self.list_entry(&path, item);
                self.lists[index].entries.push(entry);
            }
        }
    }

    /// The controls of one entry of a list of behaviors.
    fn list_entry(&mut self, path: &KeyPath, node: &Node) -> BehaviorEntry {
        let description = node
            .table()
            .unwrap_or_default()
            .iter()
            .find_map(|entry| Some((self.behaviors.find(&entry.key)?, &entry.node)));
        let (name, doc) = match description {
            Some((description, _)) => (description.name, description.doc),
            None => ("all", format::STEER_ENTRY.doc),
        };
        if let Some((description, node)) = description {
            let path = path.key(description.name);
            let behavior = Described::Behavior(description.name);
            self.parameters(&path, node, behavior, description.parameters);
        }
        for key in format::STEER_ENTRY.keys {
            let value = node.get(key.name);
            let can_be_added = key.name != "all"
                && format::STEER_ENTRY
                    .needs
                    .iter()
                    .all(|(name, needed)| *name != key.name || node.get(needed).is_some());
            if value.is_some() || can_be_added {
                self.key(&path.key(key.name), value, key, false);
            }
        }
        BehaviorEntry {
            key_path: path.clone(),
            behavior: name.to_string(),
            off: node.get("off").is_some_and(|node| node.content == Content::Bool(true)),
            doc: flat(doc),
        }
    }

    /// The parameters of a behavior, of a behavior's table inside another behavior, or of a
    /// measure.
    fn parameters(
        &mut self,
        path: &KeyPath,
        node: &Node,
        owner: Described,
        parameters: &'static [Parameter],
    ) {
        for parameter in parameters {
            let (path, node) = (path.key(parameter.name), node.get(parameter.name));
            if !self.visits(&path) {
                continue;
            }
            let default = match parameter.required {
                true => None,
                false => {
                    self.supplied(&path).or_else(|| self.behaviors.default(owner, parameter.name))
                }
            };
            let kind = self.parameter_kind(&path, parameter.kind, default.clone());
            self.add(&path, node, kind, parameter.doc, parameter.required, default);
            match (parameter.kind, node) {
                (Kind::Area, Some(node)) => self.table(&path, node, &format::AREA),
                (Kind::Nested(inner), Some(node)) => {
                    let owner = Described::Behavior(parameter.name);
                    self.parameters(&path, node, owner, inner);
                }
                _ => {}
            }
        }
    }

    fn parameter_kind(&self, path: &KeyPath, kind: Kind, default: Option<Value>) -> ControlKind {
        let structure = |example: &str| ControlKind::Structure { example: example.to_string() };
        let number = |range, words, may_be_off| match self.number(path, range, default.clone()) {
            ControlKind::Number(number) => {
                ControlKind::Number(NumberControl { words, may_be_off, ..number })
            }
            other => other,
        };
        match kind {
            Kind::Number(range) if range.unit == Unit::Count => {
                self.integer(path, [range.min as u64, range.max as u64], default)
            }
            Kind::Number(range) | Kind::Double(range) | Kind::Distribution(range) => {
                number(range, &[], false)
            }
            Kind::NumberOr(range, words) => number(range, words, false),
            Kind::Auto(range, _) => number(range, kind.words(), false),
            Kind::NumberOrOff(range) => number(range, &[], true),
            Kind::Flag => ControlKind::Flag,
            Kind::Stat => ControlKind::Choice(self.group.stats.clone()),
            Kind::State => ControlKind::Text,
            Kind::Word(words) => ControlKind::Choice(owned(words)),
            Kind::Target => self.target(&[]),
            Kind::Points => {
                let point = Value::from(self.suggestions.point_at(0.5));
                structure(&Value::List(vec![point]).write(Format::Toml))
            }
            Kind::Line => {
                let line = [0.4, 0.6].map(|x| Value::from(self.suggestions.point_at(x)));
                structure(&Value::List(line.to_vec()).write(Format::Toml))
            }
            Kind::Group => ControlKind::Choice(self.names.groups.clone()),
            Kind::Quarry => ControlKind::Choice(with_order(&self.names.groups)),
            Kind::Groups => ControlKind::Groups(self.names.groups.clone()),
            Kind::Path => ControlKind::Choice(with_order(&self.names.paths)),
            Kind::Field => ControlKind::Choice(self.names.flow_fields.clone()),
            Kind::Area => {
                ControlKind::Structure { example: self.suggestions.area().write(Format::Toml) }
            }
            Kind::Nested(inner) => {
                let values =
                    self.suggestions.required_parameters(inner, &self.names).unwrap_or_default();
                ControlKind::Structure { example: Value::Table(values).write(Format::Toml) }
            }
            other => structure(format::kind_of(other).1),
        }
    }

    fn number(&self, path: &KeyPath, range: Range, default: Option<Value>) -> ControlKind {
        let is_stat = range == range::STAT || range == range::STAT.or_infinite();
        let unitless = if is_stat { self.suggestions.largest_stat } else { 1.0 };
        self.number_around(path, range, default, unitless)
    }

    /// A number whose slider suits numbers like `unitless`, if its range has no unit.
    fn number_around(
        &self,
        path: &KeyPath,
        range: Range,
        default: Option<Value>,
        unitless: f64,
    ) -> ControlKind {
        let example = (self.original_value)(path).or(default);
        let slider = self.suggestions.slider(range, example.as_ref(), unitless);
        ControlKind::Number(NumberControl {
            range,
            slider,
            words: &[],
            may_be_off: false,
            may_vary: false,
        })
    }

    fn integer(&self, path: &KeyPath, range: [u64; 2], default: Option<Value>) -> ControlKind {
        let example = (self.original_value)(path).or(default);
        ControlKind::Integer { range, slider: integer_slider(range, example.as_ref()) }
    }

    /// A target, or one of `words`.
    fn target(&self, words: &[&str]) -> ControlKind {
        let words = owned(words).into_iter().chain(self.names.targets(&self.group));
        ControlKind::Point { unit: Unit::Length, words: words.collect() }
    }

    fn add(
        &mut self,
        path: &KeyPath,
        node: Option<&Node>,
        kind: ControlKind,
        doc: &str,
        required: bool,
        default: Option<Value>,
    ) {
        self.controls.push(Control {
            key_path: path.clone(),
            kind,
            doc: flat(doc),
            required,
            given: node.is_some(),
            value: node.and_then(Value::of).or_else(|| default.clone()),
            default,
        });
    }
}

/// Whether a key is left out in the plane.
pub(super) fn is_only_for_space(table: &Table, key: &Key, dimension: usize) -> bool {
    table.name == format::GRID.name && key.name == "rows" && dimension == 2
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}
