//! Parameters of behaviors, read by the library's descriptions.

use wayfare::crowd::{ExitAction, Spawn};
use wayfare::order::ORDER;
use wayfare::parameter::{
    Field, FieldId, GroupId, Groups, Kind, Parameter, PathId, StatId, StateId, Table, Value,
};
use wayfare::vector::Vector;

use super::{Decoder, TableNode, to_f32};
use crate::diagnostic::Problem;
use crate::document::{Content, Node};
use crate::format;

impl Decoder {
    /// Sets the values of a described table, without those of the keys that are `read` apart; one
    /// that is missing or wrong keeps its default. Returns whether there is a value for each key
    /// that is required.
    pub(crate) fn described<V: Vector>(
        &mut self,
        keys: TableNode<'_>,
        table: &mut dyn Table<V>,
        read: &[&str],
    ) -> bool {
        let mut is_whole = true;
        for parameter in table.parameters().iter().filter(|p| !read.contains(&p.name)) {
            let node = keys.get(parameter.name);
            let value = node.and_then(|node| self.value(parameter.name, parameter.kind, node));
            let is_set = value.is_some_and(|value| table.set_value(parameter.name, value));
            is_whole &= is_set || !parameter.required;
        }
        is_whole
    }

    /// The values of a table of parameters, read by their descriptions.
    pub(crate) fn parameters<V: Vector>(
        &mut self,
        name: &str,
        parameters: &'static [Parameter],
        node: &Node,
    ) -> Vec<(&'static str, Value<V>)> {
        let known: Vec<_> = parameters.iter().map(|p| (p.name, false)).collect();
        if node.table().is_none() {
            self.wrong(name, node, format!("a table such as {}", example(parameters)));
            return stand_ins(parameters, &[]);
        }
        self.table_entries(name, node, &known);
        for parameter in parameters.iter().filter(|p| p.required) {
            if self.misses(node, parameter.name) {
                let allowed = format!("`{}` must be given: {}", parameter.name, parameter.kind);
                self.problem(
                    self.head_of(node),
                    format!("`{name}` has no `{}`", parameter.name),
                    allowed,
                );
            }
        }
        let mut values = Vec::new();
        for parameter in parameters {
            if let Some(value) = node
                .get(parameter.name)
                .and_then(|inner| self.value(parameter.name, parameter.kind, inner))
            {
                values.push((parameter.name, value));
            }
        }
        let missing = stand_ins(parameters, &values);
        values.extend(missing);
        values
    }

    pub(crate) fn value<V: Vector>(
        &mut self,
        key: &str,
        kind: Kind,
        node: &Node,
    ) -> Option<Value<V>> {
        match kind {
            Kind::Target => self.target(key, node).map(Value::Target),
            Kind::Points => self.points(key, node).map(Value::Points),
            Kind::Line => self.line(key, node).map(Value::Points),
            Kind::Group => self.group_name(key, node, false).map(Value::Group),
            Kind::Quarry if node.text() == Some(ORDER) => Some(Value::Group(GroupId::ORDER)),
            Kind::Quarry => self.group_name(key, node, false).map(Value::Group),
            Kind::Path if node.text() == Some(ORDER) => Some(Value::Path(PathId::ORDER)),
            Kind::Path => self.path_name(key, node).map(|path| Value::Path(PathId(path))),
            Kind::Field => self.field_name(key, node).map(|field| Value::Field(FieldId(field))),
            Kind::Groups => {
                if let Some(text) = node.text() {
                    let mut problem = Problem::new(
                        node.span.clone(),
                        format!("`{key}` is {}", node.describe()),
                        kind.to_string(),
                    );
                    problem.help = Some(format!("in brackets: [\"{text}\"]"));
                    self.problems.push(problem);
                    return None;
                }
                let items = self.list(key, node, &kind.to_string())?;
                let groups = items.iter().filter_map(|item| self.group_name(key, item, false));
                Some(Value::Groups(Groups::only(groups)))
            }
            Kind::Area => {
                let (shape, inner) = self.one_of(key, node, &format::AREA)?;
                self.shape_of(shape, inner).map(Value::Area)
            }
            Kind::Nested(parameters) => Some(Value::Nested(self.parameters(key, parameters, node))),
            Kind::Double(range) => self.number(key, node, range).map(Value::Double),
            Kind::Distribution(range) if node.is_number() => {
                self.number(key, node, range).map(Value::Double)
            }
            Kind::Distribution(range) => {
                self.distribution(key, node, range).map(Value::Distribution)
            }
            Kind::Flag => self.flag(key, node).map(Value::Flag),
            Kind::Stat => self.stat_name(key, node).map(|stat| Value::Stat(StatId(stat))),
            Kind::Schedule => self.schedule(node).map(Value::Schedule),
            // Read beside the keys that they depend on.
            Kind::Condition
            | Kind::Conditions
            | Kind::State
            | Kind::Behaviors
            | Kind::Tables(_)
            | Kind::Destinations
            | Kind::Shape(_)
            | Kind::Arrivals => None,
            Kind::Text => self.text(key, node).map(Value::Text),
            Kind::Integer(least, most) => {
                self.integer(key, node, least, most).map(|x| Value::Integer(x as u64))
            }
            Kind::Point => self.point(key, node).map(Value::Point),
            Kind::Direction => self.direction(key, node).map(Value::Point),
            Kind::Velocity if node.text() == Some("random") => Some(Value::Word("random")),
            Kind::Velocity => self.velocity(node).map(Value::Point),
            Kind::StatLimit => self.stat_limit(key, node).map(|x| Value::Number(to_f32(x))),
            Kind::Times(range) => self.start_after(key, node, range).and_then(|x| x.write()),
            Kind::TargetOr(words) => {
                let word = words.iter().find(|word| node.text() == Some(word));
                match word {
                    Some(word) => Some(Value::Word(word)),
                    None => self.target(key, node).map(Value::Target),
                }
            }
            Kind::Positions(starts) => {
                let table = if starts { &format::SPAWN } else { &format::GOAL };
                self.spawn(table, node).and_then(|spawn: Spawn<V>| spawn.write())
            }
            Kind::OwnState => self.state_name(key, node).map(|i| Value::State(StateId(i))),
            Kind::Rates => Some(Value::Rates(self.rates(node))),
            Kind::Transitions => self.transitions::<V>(node).and_then(|list| list.write()),
            Kind::ExitAction => self.exit_action(node).and_then(|then: ExitAction<V>| then.write()),
            Kind::Word(words) => self.word(key, node, words).map(|i| Value::Word(words[i])),
            Kind::Number(_) | Kind::NumberOr(..) | Kind::Auto(..) | Kind::NumberOrOff(_) => {
                let value = match (&node.content, kind) {
                    (Content::Integer(x), _) => Some(Value::Number(to_f32(*x as f64))),
                    (Content::Number(x), _) => Some(Value::Number(to_f32(*x))),
                    (Content::Text(text), Kind::Number(range))
                        if text == "inf" && range.infinite =>
                    {
                        Some(Value::Number(f32::INFINITY))
                    }
                    (Content::Text(text), Kind::NumberOr(..) | Kind::Auto(..)) => {
                        kind.words().iter().find(|word| *word == text).map(|word| Value::Word(word))
                    }
                    (Content::Bool(false), Kind::NumberOrOff(_)) => Some(Value::Off),
                    _ => None,
                };
                let allowed = value.filter(|value| kind.check(value).is_ok());
                if allowed.is_none() {
                    self.wrong(key, node, kind.to_string());
                }
                allowed
            }
        }
    }
}

/// Valid numbers for the required parameters that are not among `given`: what is wrong with those
/// is reported where they are read, once.
fn stand_ins<V: Vector>(
    parameters: &[Parameter],
    given: &[(&'static str, Value<V>)],
) -> Vec<(&'static str, Value<V>)> {
    let is_given = |name| given.iter().any(|(known, _)| *known == name);
    let number = |parameter: &Parameter| match parameter.kind {
        Kind::Number(range)
        | Kind::NumberOr(range, _)
        | Kind::Auto(range, _)
        | Kind::NumberOrOff(range) => Some((parameter.name, Value::Number(range.min))),
        Kind::Double(range) | Kind::Distribution(range) => {
            Some((parameter.name, Value::Double(range.min.into())))
        }
        _ => None,
    };
    { parameters.iter() }.filter(|p| p.required && !is_given(p.name)).filter_map(number).collect()
}

/// The required parameters, as a table in a line.
pub(crate) fn example(parameters: &[Parameter]) -> String {
    let value = |parameter: &Parameter| match (parameter.kind, parameter.example) {
        (Kind::Nested(parameters), _) => example(parameters),
        (Kind::Target, "") => "[100, 50]".to_string(),
        (Kind::Word(words), "") => quoted(&words[..1]),
        (Kind::NumberOr(..) | Kind::Auto(..) | Kind::NumberOrOff(_), "") => "20".to_string(),
        (kind, "") => format::kind_of(kind).1.to_string(),
        (_, example) => example.to_string(),
    };
    let entries: Vec<String> = parameters
        .iter()
        .filter(|p| p.required)
        .map(|p| format!("{} = {}", p.name, value(p)))
        .collect();
    format!("{{ {} }}", entries.join(", "))
}

/// Words in quotes.
pub(super) fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}
