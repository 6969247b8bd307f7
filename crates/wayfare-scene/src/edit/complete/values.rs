//! Candidates for values.

use wayfare::crowd::{KeyPath, KeySegment};
use wayfare::parameter::{Kind, Parameter, Range};

use super::expected::Expected;
use super::{Candidate, Completer};
use crate::decode::node_at;
use crate::document::Node;
use crate::edit::control::last_name;
use crate::edit::names::{referred_names, with_order};
use crate::edit::suggestions::{parameters_in_space, table_in_space};
use crate::edit::value::Value;
use crate::format::ValueKind;
use crate::presentation::COLOR_NAMES;

impl Completer<'_> {
    /// The values that can be typed at the path.
    pub(super) fn values(&self) -> Vec<Candidate> {
        let Some((expected, doc)) = Expected::at(&self.path.0, self.behaviors) else {
            return Vec::new();
        };
        if let Expected::ListEntry = expected {
            let candidate = |name: &str, doc, parameters| {
                let entry = Value::Table(vec![(name.to_string(), parameters)]);
                self.candidate(name, doc, entry.write(self.format))
            };
            return self
                .behaviors
                .all()
                .iter()
                .map(|b| candidate(b.name, b.doc, self.required_parameters(b.parameters)))
                .collect();
        }
        let values = match expected {
            Expected::Value(kind) => self.values_of_kind(kind),
            Expected::Parameter(kind) => self.values_of_parameter(kind),
            Expected::Table(table) => {
                let examples = table.example.split(" or ").filter_map(Value::read);
                let in_dimension = |value| match self.dimension {
                    3 => table_in_space(table, value),
                    _ => value,
                };
                examples.map(in_dimension).collect()
            }
            Expected::Parameters(parameters) => vec![self.required_parameters(parameters)],
            Expected::ListEntry => Vec::new(),
        };
        let written = values.iter().map(|value| value.write(self.format));
        written.map(|written| self.candidate(&written, doc, written.clone())).collect()
    }

    fn values_of_kind(&self, kind: ValueKind) -> Vec<Value> {
        match kind {
            ValueKind::Word(words) => texts(words),
            ValueKind::Color => texts(&COLOR_NAMES.map(|(name, _)| name)),
            ValueKind::Flag => vec![true.into(), false.into()],
            ValueKind::Dimension => vec![Value::Integer(2), Value::Integer(3)],
            ValueKind::Number(range) | ValueKind::Distribution(range) | ValueKind::Times(range) => {
                infinity_in(range)
            }
            ValueKind::StatLimit => {
                vec![Value::Number(f64::NEG_INFINITY), Value::Number(f64::INFINITY)]
            }
            ValueKind::Velocity => texts(&["random"]),
            ValueKind::ExitAction => texts(&["remove"]),
            ValueKind::Target => texts(&self.names.targets(&self.group)),
            ValueKind::TargetOr(words) => {
                let mut values = texts(words);
                values.extend(texts(&self.names.targets(&self.group)));
                values
            }
            ValueKind::Templates => {
                let names = self.names.templates.iter().filter(|name| !self.is_listed(name));
                texts(&names.collect::<Vec<_>>())
            }
            ValueKind::Groups => {
                texts(&self.names.groups).into_iter().map(|name| Value::List(vec![name])).collect()
            }
            ValueKind::Name | ValueKind::NextState => {
                let names = referred_names(last_name(self.path), &self.names, &self.group);
                texts(names.unwrap_or_default())
            }
            _ => Vec::new(),
        }
    }

    fn values_of_parameter(&self, kind: Kind) -> Vec<Value> {
        match kind {
            Kind::Word(words) | Kind::NumberOr(_, words) => texts(words),
            Kind::Auto(..) => texts(kind.words()),
            Kind::Number(range) => infinity_in(range),
            Kind::NumberOrOff(_) => vec![false.into()],
            Kind::Group => {
                let names = self.names.groups.iter().filter(|name| !self.is_listed(name));
                texts(&names.collect::<Vec<_>>())
            }
            Kind::Quarry => texts(&with_order(&self.names.groups)),
            Kind::Path => texts(&with_order(&self.names.paths)),
            Kind::Field => texts(&self.names.flow_fields),
            Kind::Line => texts(&self.names.lines),
            _ => Vec::new(),
        }
    }

    /// Values for the required parameters; examples where the scene lacks what they refer to.
    pub(super) fn required_parameters(&self, parameters: &[Parameter]) -> Value {
        match self.suggestions.required_parameters(parameters, &self.names) {
            Ok(values) => Value::Table(values),
            Err(_) => {
                let example = Value::read(&crate::decode::example(parameters))
                    .unwrap_or(Value::Table(Vec::new()));
                match self.dimension {
                    3 => parameters_in_space(parameters, example),
                    _ => example,
                }
            }
        }
    }

    /// Whether another item of the list at the cursor has this name.
    fn is_listed(&self, name: &str) -> bool {
        let Some((KeySegment::At(index), list)) = self.path.0.split_last() else { return false };
        let list = node_at(self.root, &KeyPath(list.to_vec())).and_then(Node::list);
        let items = list.unwrap_or_default().iter().enumerate();
        items.into_iter().any(|(i, item)| i != *index && item.text() == Some(name))
    }
}

fn texts<T: AsRef<str>>(words: &[T]) -> Vec<Value> {
    words.iter().map(|word| Value::from(word.as_ref())).collect()
}

/// Infinity, if the range has it.
fn infinity_in(range: Range) -> Vec<Value> {
    if range.infinite { vec![Value::Number(f64::INFINITY)] } else { Vec::new() }
}
