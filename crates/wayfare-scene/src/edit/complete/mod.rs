//! What can be typed where the cursor stands: keys, words and names, for a text that need not be a
//! scene yet.
//!
//! All of it comes from the descriptions of the format and of the behaviors, by which scenes are
//! read; what is given already is left out, and what a key cannot do without comes with it, as
//! [`Draft::add`](crate::edit::Draft::add) chooses it.

use std::ops::Range;

use wayfare::behavior::{Behavior, Description};
use wayfare::crowd::{KeyPath, KeySegment};
use wayfare::glam::Vec2;
use wayfare::parameter::{Kind, Parameter};

use super::sense::{Sense, in_space};
use super::value::Value;
use super::walk::Names;
use crate::decode::node_at;
use crate::document::{Format, Node};
use crate::format::{self, Table, ValueKind};
use crate::schema::flat;

mod headers;
mod reader;
#[cfg(test)]
mod tests;

use reader::{Reading, Spot, What};

/// What can be typed at a place of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// What a candidate takes the place of (bytes of the text): what has been typed of it, or
    /// nothing.
    pub range: Range<usize>,
    /// The candidates, those that begin as what was typed first; none where nothing can be
    /// proposed.
    pub candidates: Vec<Candidate>,
}

/// Something that can be typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The key, the word or the name.
    pub key: String,
    /// What it does, in a line of Markdown.
    pub doc: String,
    /// What to put in the place of the range: `slowing_radius = `, or `arrive = { target =
    /// "pointer" }`.
    pub insert: String,
}

/// What can be typed where the cursor stands before the byte `byte` of `text`, which need not be a
/// scene yet.
///
/// In comments, in titles and where only numbers can stand there is nothing. A byte inside a letter
/// counts as the one where the letter begins, one beyond the end as the end.
///
/// ```
/// use wayfare_scene::{Format, complete};
/// let text = "[[group]]\nname = \"guest\"\n[[group.steer]]\narrive = { slow";
/// let found = complete(text, text.len(), Format::Toml);
/// assert_eq!((&text[found.range.clone()], found.candidates[0].insert.as_str()), ("slow", "slowing_radius = "));
///
/// let text = "[[group]]\nname = \"guest\"\n[[group.steer]]\nsee";
/// let found = complete(text, text.len(), Format::Toml);
/// assert_eq!((found.candidates[0].key.as_str(), found.candidates[0].insert.as_str()), ("seek", "seek = { target = [320, 240] }"));
/// ```
pub fn complete(text: &str, byte: usize, format: Format) -> Completions {
    let mut cursor = byte.min(text.len());
    while !text.is_char_boundary(cursor) {
        cursor -= 1;
    }
    let Reading { root, spot } = reader::read(text, cursor, format);
    let Some(Spot { what, place, span }) = spot else { return Completions::default() };
    let names = Names::of(&root);
    let mut sense = Sense::of(&root);
    let group = node_at(&root, &KeyPath(place.0[..2.min(place.0.len())].to_vec()))
        .filter(|_| matches!(place.0.first(), Some(KeySegment::Name(key)) if key == "group"));
    if let Some(group) = group {
        sense.enter(group);
    }
    let dimension = if root
        .get("dimension")
        .is_some_and(|node| matches!(node.content, crate::document::Content::Integer(3)))
    {
        3
    } else {
        2
    };
    let at = At { root: &root, place: &place, group, names, sense, format, dimension };
    let candidates = match what {
        What::Header => headers::headers(&root),
        What::KeySegment { assigned } => at.keys(assigned),
        What::Value => at.values(),
    };
    let typed = bare(&text[span.start..cursor]);
    let rank = |candidate: &Candidate| {
        let key = bare(&candidate.key);
        if key.starts_with(typed) { Some(0) } else { key.contains(typed).then_some(1) }
    };
    let there = &text[span.clone()];
    let mut candidates: Vec<_> = candidates
        .into_iter()
        .filter(|candidate| candidate.insert != there)
        .filter_map(|candidate| Some((rank(&candidate)?, candidate)))
        .collect();
    candidates.sort_by_key(|(rank, _)| *rank);
    Completions {
        range: span,
        candidates: candidates.into_iter().map(|(_, candidate)| candidate).collect(),
    }
}

/// A word without its quotes, a header without its brackets.
fn bare(text: &str) -> &str {
    text.trim_matches(['"', '\'', '[', ']', ' '])
}

/// What is asked for at a place, by the descriptions.
#[derive(Clone, Copy)]
enum Asked {
    Table(&'static Table),
    /// A place in a list of behaviors.
    Entry,
    Parameters(&'static [Parameter]),
    ValueKind(ValueKind),
    Kind(Kind),
}

impl Asked {
    fn of(kind: ValueKind) -> Self {
        match kind {
            ValueKind::Table(table) => Self::Table(table),
            ValueKind::Condition => Self::Table(&format::CONDITION),
            other => Self::ValueKind(other),
        }
    }

    fn of_kind(kind: Kind) -> Self {
        match kind {
            Kind::Nested(parameters) => Self::Parameters(parameters),
            Kind::Area => Self::Table(&format::AREA),
            Kind::Target => Self::ValueKind(ValueKind::Target),
            Kind::Groups => Self::ValueKind(ValueKind::Groups),
            other => Self::Kind(other),
        }
    }

    /// What is asked for one step further, and the doc of the key there.
    fn step(self, key: &KeySegment) -> Option<(Self, Option<&'static str>)> {
        match (self, key) {
            (Self::Table(table), KeySegment::Name(name)) => {
                table.key(name).map(|key| (Self::of(key.kind), Some(key.doc)))
            }
            (Self::Entry, KeySegment::Name(name)) => match behavior(name) {
                Some(behavior) => Some((Self::Parameters(behavior.parameters), Some(behavior.doc))),
                None => {
                    format::STEER_ENTRY.key(name).map(|key| (Self::of(key.kind), Some(key.doc)))
                }
            },
            (Self::Parameters(all), KeySegment::Name(name)) => {
                all.iter().find(|p| p.name == name).map(|p| (Self::of_kind(p.kind), Some(p.doc)))
            }
            (Self::ValueKind(ValueKind::ExitAction), KeySegment::Name(name)) => {
                format::RESPAWN.key(name).map(|key| (Self::of(key.kind), Some(key.doc)))
            }
            (Self::ValueKind(ValueKind::NamedTables(table)), KeySegment::Name(_))
            | (Self::ValueKind(ValueKind::Tables(table)), KeySegment::At(_)) => {
                Some((Self::Table(table), None))
            }
            (Self::ValueKind(ValueKind::Behaviors), KeySegment::At(_)) => Some((Self::Entry, None)),
            (Self::ValueKind(ValueKind::Conditions), KeySegment::At(_)) => {
                Some((Self::Table(&format::CONDITION), None))
            }
            (Self::ValueKind(ValueKind::Groups), KeySegment::At(_)) => {
                Some((Self::Kind(Kind::Group), None))
            }
            _ => None,
        }
    }
}

fn behavior(name: &str) -> Option<&'static Description> {
    Behavior::<Vec2>::LIST.iter().find(|behavior| behavior.name == name)
}

/// The keys that nothing can be given beside those that are: all of another alternative.
fn excluded(table: &Table, given: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let chosen: Vec<_> =
        table.one_of.iter().filter(|set| set.iter().any(|key| given(key))).collect();
    if chosen.is_empty() {
        return Vec::new();
    }
    let fits = |key: &str| chosen.iter().any(|set| set.contains(&key));
    let mut out: Vec<_> =
        table.one_of.iter().flat_map(|set| set.iter().copied()).filter(|key| !fits(key)).collect();
    out.extend(
        table
            .needs
            .iter()
            .filter(|(key, needed)| !fits(key) && out.contains(needed))
            .map(|(key, _)| *key)
            .collect::<Vec<_>>(),
    );
    out
}

/// Where the cursor stands, and what there is to choose from.
struct At<'a> {
    root: &'a Node,
    place: &'a KeyPath,
    /// The group that it is in.
    group: Option<&'a Node>,
    names: Names,
    sense: Sense,
    format: Format,
    dimension: usize,
}

impl At<'_> {
    fn asked(&self, place: &[KeySegment]) -> Option<(Asked, &'static str)> {
        place.iter().try_fold((Asked::Table(&format::SCENE), ""), |(asked, doc), key| {
            asked.step(key).map(|(asked, more)| (asked, more.unwrap_or(doc)))
        })
    }

    /// The keys that can be typed in the table at the place.
    fn keys(&self, assigned: bool) -> Vec<Candidate> {
        let Some((asked, _)) = self.asked(&self.place.0) else { return Vec::new() };
        let node = node_at(self.root, self.place);
        let typed = |name: &str| node.is_some_and(|node| node.get(name).is_some());
        // The key at the cursor itself is in the table, if it has a value: it can become another.
        let given = |name: &str| typed(name) && !assigned;
        let mut keys: Vec<(&str, &str, String)> = Vec::new();
        match asked {
            Asked::Table(table) => {
                let out = excluded(table, given);
                let free = table.keys.iter().filter(|key| {
                    !typed(key.name) && !out.contains(&key.name) && !key.name.starts_with('$')
                });
                let flat_rows = |name: &str| {
                    table.name == format::GRID.name && name == "rows" && self.dimension == 2
                };
                keys.extend(
                    free.filter(|key| !flat_rows(key.name))
                        .map(|key| (key.name, key.doc, self.with_value(key))),
                );
            }
            Asked::ValueKind(ValueKind::ExitAction) => keys.extend(
                format::RESPAWN.keys.iter().map(|key| (key.name, key.doc, self.with_value(key))),
            ),
            Asked::ValueKind(ValueKind::Distribution(_)) => keys.push((
                "uniform",
                "A range that each agent draws its own from.",
                self.entry("uniform", None),
            )),
            Asked::ValueKind(ValueKind::Rates) => {
                return self
                    .stats()
                    .into_iter()
                    .filter(|name| !typed(name))
                    .map(|name| {
                        self.candidate(
                            &name,
                            "A stat of the group.",
                            self.entry(&name, None),
                            assigned,
                        )
                    })
                    .collect();
            }
            Asked::Parameters(parameters) => {
                let free = parameters.iter().filter(|parameter| !typed(parameter.name));
                keys.extend(free.map(|parameter| {
                    (
                        parameter.name,
                        parameter.doc,
                        self.entry(parameter.name, self.structure(parameter.kind)),
                    )
                }));
            }
            Asked::Entry => {
                let is_taken = !assigned
                    && (typed("all")
                        || Behavior::<Vec2>::LIST.iter().any(|behavior| typed(behavior.name)));
                if !is_taken {
                    keys.extend(Behavior::<Vec2>::LIST.iter().map(|behavior| {
                        (
                            behavior.name,
                            behavior.doc,
                            self.entry(behavior.name, Some(self.required(behavior))),
                        )
                    }));
                }
                let belongs = |name: &str| match name {
                    "all" => !is_taken,
                    "combine" | "epsilon" => typed("all"),
                    _ => true,
                };
                let free = format::STEER_ENTRY
                    .keys
                    .iter()
                    .filter(|key| !typed(key.name) && belongs(key.name));
                keys.extend(free.map(|key| (key.name, key.doc, self.with_value(key))));
            }
            Asked::ValueKind(_) | Asked::Kind(_) => {}
        }
        keys.into_iter()
            .map(|(name, doc, insert)| self.candidate(name, doc, insert, assigned))
            .collect()
    }

    /// What can be typed for the value at the place.
    fn values(&self) -> Vec<Candidate> {
        let Some((asked, doc)) = self.asked(&self.place.0) else { return Vec::new() };
        let key = self
            .place
            .0
            .iter()
            .rev()
            .find_map(
                |key| if let KeySegment::Name(name) = key { Some(name.as_str()) } else { None },
            )
            .unwrap_or_default();
        let quoted =
            |words: &[&str]| words.iter().map(|word| Value::from(*word)).collect::<Vec<_>>();
        let named = |names: Vec<String>| {
            names.iter().map(|name| Value::from(name.as_str())).collect::<Vec<_>>()
        };
        let infinite = |range: wayfare::parameter::Range| {
            if range.infinite { vec![Value::Number(f64::INFINITY)] } else { Vec::new() }
        };
        let values = match asked {
            Asked::ValueKind(ValueKind::Word(words))
            | Asked::Kind(Kind::Word(words) | Kind::NumberOr(_, words)) => quoted(words),
            Asked::ValueKind(ValueKind::Flag) => vec![true.into(), false.into()],
            Asked::ValueKind(ValueKind::Dimension) => vec![Value::Whole(2), Value::Whole(3)],
            Asked::ValueKind(ValueKind::Number(range) | ValueKind::Distribution(range))
            | Asked::Kind(Kind::Number(range)) => infinite(range),
            Asked::ValueKind(ValueKind::StatLimit) => {
                vec![Value::Number(f64::NEG_INFINITY), Value::Number(f64::INFINITY)]
            }
            Asked::Kind(Kind::NumberOrOff(_)) => vec![false.into()],
            Asked::ValueKind(ValueKind::Velocity) => quoted(&["random"]),
            Asked::ValueKind(ValueKind::ExitAction) => quoted(&["remove"]),
            Asked::ValueKind(ValueKind::Target) => {
                let has = |key| self.group.is_some_and(|group| group.get(key).is_some());
                let words = [
                    ("pointer", self.names.pointer),
                    ("goal", has("goal")),
                    ("last_seen", has("sight")),
                ];
                let words: Vec<_> =
                    words.into_iter().filter(|(_, there)| *there).map(|(word, _)| word).collect();
                [quoted(&words), named(self.names.groups.clone())].concat()
            }
            Asked::ValueKind(ValueKind::Groups) => named(self.names.groups.clone())
                .into_iter()
                .map(|name| Value::List(vec![name]))
                .collect(),
            Asked::Kind(Kind::Group) => named(
                self.names.groups.iter().filter(|name| !self.is_listed(name)).cloned().collect(),
            ),
            Asked::Kind(Kind::Path) => named(self.names.paths.clone()),
            Asked::Kind(Kind::Field) => named(self.names.fields.clone()),
            Asked::ValueKind(ValueKind::Name) => named(match key {
                "shooters" | "bullets" | "targets" | "group" => self.names.groups.clone(),
                "start" | "to" => self.states(),
                "stat" => self.stats(),
                // What it calls is up to whoever types.
                _ => Vec::new(),
            }),
            Asked::Entry => Behavior::<Vec2>::LIST
                .iter()
                .map(|behavior| {
                    Value::Table(vec![(behavior.name.to_string(), self.required(behavior))])
                })
                .collect(),
            Asked::Table(table) => {
                table.example.split(" or ").filter_map(|example| self.example(example)).collect()
            }
            Asked::Parameters(parameters) => vec![self.of_parameters(parameters)],
            Asked::ValueKind(_) | Asked::Kind(_) => Vec::new(),
        };
        let candidate = |value: Value| {
            let (written, doc) = match (asked, &value) {
                // Of many the one that it is about.
                (Asked::Entry, Value::Table(entries)) => (
                    entries[0].0.clone(),
                    behavior(&entries[0].0).map_or(doc, |behavior| behavior.doc),
                ),
                (_, value) => (value.write(self.format), doc),
            };
            Candidate { key: written, doc: flat(doc), insert: value.write(self.format) }
        };
        values.into_iter().map(candidate).collect()
    }

    fn candidate(&self, key: &str, doc: &str, insert: String, assigned: bool) -> Candidate {
        // What has a value already gets another key, and keeps it.
        let insert = match (assigned, self.format) {
            (false, _) => insert,
            (true, Format::Json) => Value::from(key).write(Format::Json),
            (true, Format::Toml) => key.to_string(),
        };
        Candidate { key: key.to_string(), doc: flat(doc), insert }
    }

    /// A key, with its value where it has one.
    fn entry(&self, key: &str, value: Option<Value>) -> String {
        match value {
            Some(value) => Value::entry(key, &value, self.format),
            None if self.format == Format::Json => {
                format!("{}: ", Value::from(key).write(Format::Json))
            }
            None => format!("{key} = "),
        }
    }

    /// A key of the format; what stands in brackets comes as an example.
    fn with_value(&self, key: &format::Key) -> String {
        let structured = matches!(
            key.kind,
            ValueKind::Table(_)
                | ValueKind::Tables(_)
                | ValueKind::NamedTables(_)
                | ValueKind::Behaviors
                | ValueKind::Condition
                | ValueKind::Conditions
                | ValueKind::Rates
        );
        let single = key.example.split(" or ").next().filter(|_| structured);
        let value = single.and_then(|example| match key.kind {
            // The example of a list of tables is one of them.
            ValueKind::Tables(_) => self.example(example).map(|item| Value::List(vec![item])),
            _ => self.example(example),
        });
        self.entry(key.name, value)
    }

    /// An example of the format, as this scene has it.
    fn example(&self, text: &str) -> Option<Value> {
        let value = Value::read(text)?;
        Some(if self.dimension == 3 { in_space("", value) } else { value })
    }

    /// What a behavior cannot do without.
    fn required(&self, behavior: &Description) -> Value {
        self.of_parameters(behavior.parameters)
    }

    fn of_parameters(&self, parameters: &[Parameter]) -> Value {
        let values = self.sense.required(parameters, &self.names).map(Value::Table);
        // Of what the scene does not have yet, a name to begin with.
        values
            .ok()
            .or_else(|| self.example(&crate::decode::example(parameters)))
            .unwrap_or(Value::Table(Vec::new()))
    }

    /// The value of a parameter that stands in brackets.
    fn structure(&self, kind: Kind) -> Option<Value> {
        match kind {
            Kind::Nested(parameters) => Some(self.of_parameters(parameters)),
            Kind::Area => Some(self.sense.area()),
            _ => None,
        }
    }

    /// Whether the list that the cursor is in has this name already.
    fn is_listed(&self, name: &str) -> bool {
        let Some((KeySegment::At(i), list)) = self.place.0.split_last() else { return false };
        let items =
            node_at(self.root, &KeyPath(list.to_vec())).and_then(Node::list).unwrap_or_default();
        items.iter().enumerate().any(|(at, item)| at != *i && item.text() == Some(name))
    }

    fn states(&self) -> Vec<String> {
        let states = self
            .group
            .and_then(|group| group.get("state"))
            .and_then(Node::list)
            .unwrap_or_default();
        states.iter().filter_map(|state| Some(state.get("name")?.text()?.to_string())).collect()
    }

    fn stats(&self) -> Vec<String> {
        let stats = self
            .group
            .and_then(|group| group.get("stat"))
            .and_then(Node::table)
            .unwrap_or_default();
        stats.iter().map(|entry| entry.key.clone()).collect()
    }
}
