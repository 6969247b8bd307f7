//! Candidates for keys.

use wayfare::parameter::Kind;

use super::expected::Expected;
use super::{Candidate, Completer};
use crate::decode::node_at;
use crate::document::Format;
use crate::edit::collect::is_only_for_space;
use crate::edit::suggestions::in_space;
use crate::edit::value::Value;
use crate::format::{self, Key, Table, ValueKind};

impl Completer<'_> {
    /// The keys that can be typed in the table at the path. With `has_value`, the key at the cursor
    /// has a value already; it stays, and only the key is replaced.
    pub(super) fn keys(&self, has_value: bool) -> Vec<Candidate> {
        let Some((expected, _)) = Expected::at(&self.path.0, self.behaviors) else {
            return Vec::new();
        };
        let table = node_at(self.root, self.path);
        let is_given = |name: &str| table.is_some_and(|table| table.get(name).is_some());
        // The key at the cursor may be the one alternative that is given; it can be replaced.
        let excludes = |name: &str| is_given(name) && !has_value;
        let mut candidates = Vec::new();
        let mut add = |key: &str, doc: &str, insert: String| {
            let insert = match (has_value, self.format) {
                (false, _) => insert,
                (true, Format::Json) => Value::from(key).write(Format::Json),
                (true, Format::Toml) => key.to_string(),
            };
            candidates.push(self.candidate(key, doc, insert));
        };
        match expected {
            Expected::Table(table) => {
                let excluded = excluded_keys(table, excludes);
                for key in table.keys.iter().filter(|key| {
                    !is_given(key.name)
                        && !excluded.contains(&key.name)
                        && !key.name.starts_with('$')
                        && !is_only_for_space(table, key, self.dimension)
                }) {
                    let insert = match key.kind {
                        ValueKind::Measure(kind) => {
                            let parameters = self.required_parameters(kind.parameters);
                            self.key_value(key.name, Some(parameters))
                        }
                        _ => self.key_with_example(key),
                    };
                    add(key.name, key.doc, insert);
                }
            }
            Expected::Value(ValueKind::ExitAction) => {
                for key in format::EXIT_ACTION.keys {
                    add(key.name, key.doc, self.key_with_example(key));
                }
            }
            Expected::Value(ValueKind::Distribution(_) | ValueKind::Times(_)) => {
                for known in format::DISTRIBUTIONS {
                    add(known.name, known.doc, self.key_value(known.name, None));
                }
            }
            Expected::Value(ValueKind::Rates) => {
                for name in self.group.stats.iter().filter(|name| !is_given(name)) {
                    add(name, "A stat of the group.", self.key_value(name, None));
                }
            }
            Expected::Value(ValueKind::NextState) => {
                for name in self.group.states.iter().filter(|name| !is_given(name)) {
                    let value = Value::Integer(1);
                    add(name, "A state of the group.", self.key_value(name, Some(value)));
                }
            }
            Expected::Parameters(parameters) => {
                for parameter in parameters.iter().filter(|p| !is_given(p.name)) {
                    let value = match parameter.kind {
                        Kind::Nested(parameters) => Some(self.required_parameters(parameters)),
                        Kind::Area => Some(self.suggestions.area()),
                        _ => None,
                    };
                    add(parameter.name, parameter.doc, self.key_value(parameter.name, value));
                }
            }
            Expected::ListEntry => {
                let behaviors = self.behaviors.all();
                let is_taken =
                    excludes("all") || behaviors.iter().any(|behavior| excludes(behavior.name));
                for behavior in behaviors.iter().filter(|_| !is_taken) {
                    let parameters = self.required_parameters(behavior.parameters);
                    add(
                        behavior.name,
                        behavior.doc,
                        self.key_value(behavior.name, Some(parameters)),
                    );
                }
                let table = &format::STEER_ENTRY;
                for key in table.keys.iter().filter(|key| {
                    !(is_given(key.name) || key.name == "all" && is_taken)
                        && table.needs.iter().all(|(n, needed)| *n != key.name || is_given(needed))
                }) {
                    add(key.name, key.doc, self.key_with_example(key));
                }
            }
            Expected::Value(_) | Expected::Parameter(_) => {}
        }
        candidates
    }

    /// The notation of a key, with its value if there is one.
    fn key_value(&self, key: &str, value: Option<Value>) -> String {
        match value {
            Some(value) => Value::entry(key, &value, self.format),
            None if self.format == Format::Json => {
                format!("{}: ", Value::from(key).write(Format::Json))
            }
            None => format!("{key} = "),
        }
    }

    /// The notation of a key of the format. A value in brackets is given as an example.
    fn key_with_example(&self, key: &Key) -> String {
        let has_brackets = matches!(
            key.kind,
            ValueKind::Table(_)
                | ValueKind::Tables(_)
                | ValueKind::NamedTables(_)
                | ValueKind::Behaviors
                | ValueKind::Condition
                | ValueKind::Conditions
                | ValueKind::Rates
        );
        let example = key.example.split(" or ").next().filter(|_| has_brackets);
        let value = example.and_then(Value::read).map(|value| match key.kind {
            // The example of a list of tables is one of the tables.
            ValueKind::Tables(_) => Value::List(vec![value]),
            _ => value,
        });
        let in_dimension = |value| match self.dimension {
            3 => in_space(key.name, key.kind, value),
            _ => value,
        };
        self.key_value(key.name, value.map(in_dimension))
    }
}

/// The keys that are not allowed beside the given keys, because they belong to another alternative.
fn excluded_keys(table: &Table, is_given: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let chosen: Vec<_> =
        table.one_of.iter().filter(|set| set.iter().any(|key| is_given(key))).collect();
    if chosen.is_empty() {
        return Vec::new();
    }
    let is_chosen = |key: &str| chosen.iter().any(|set| set.contains(&key));
    let alternatives = table.one_of.iter().flat_map(|set| set.iter().copied());
    let mut excluded: Vec<_> = alternatives.filter(|key| !is_chosen(key)).collect();
    let dependent: Vec<_> = table
        .needs
        .iter()
        .filter(|(key, needed)| !is_chosen(key) && excluded.contains(needed))
        .map(|(key, _)| *key)
        .collect();
    excluded.extend(dependent);
    let misplaced = table.keys.iter().map(|key| key.name);
    excluded.extend(misplaced.filter(|name| format::is_misplaced(name, &is_given)));
    excluded
}
