//! Reads a line of a log as a command. Names, indices and key paths are resolved when the command
//! is applied.

use std::any::Any;
use std::sync::LazyLock;

use wayfare::Order;
use wayfare::crowd::{
    AgentChange, Command, Limit, Notation, ReadArguments, Setting, range, tick_at,
};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, Vec3};
use wayfare::vector::Vector;

use super::{FORMAT, json_text};
use crate::decode::{AllowedKey, Decoder, to_f32};
use crate::diagnostic::Problem;
use crate::document::{Content, Entry, Format, Node, parse};
use crate::format;

/// The commands, each with its keys beside `tick`; one for each change of an agent.
pub(super) static COMMANDS: LazyLock<Vec<Vec<AllowedKey>>> = LazyLock::new(|| {
    let changes: Vec<_> = AgentChange::<Vec2>::LIST.iter().flat_map(keys).collect();
    let mut found = Vec::new();
    for command in Command::<Vec2>::LIST {
        let changes = if command.has_change() { &changes[..] } else { &[Vec::new()] };
        for own in keys(command) {
            found.extend(changes.iter().map(|change| [&own[..], change].concat()));
        }
    }
    found
});

/// For each key of a command or a change: the key, and those beside it.
fn keys(notation: &'static Notation) -> impl Iterator<Item = Vec<AllowedKey>> {
    notation
        .keys
        .iter()
        .map(|key| [(*key, true)].into_iter().chain(notation.other_keys()).collect())
}

/// The allowed values in place of a number beyond the range of single precision.
const TOO_LARGE: &str = "a number from -1e9 to 1e9, or inf where there may be no limit";

/// A line of a log.
pub(super) enum Line<V: Vector> {
    /// The number of the log's format.
    Format,
    /// A command and its tick.
    Command(u64, Command<V>),
}

/// Where a command is written, and the words of messages about it.
pub(crate) struct Place<'a> {
    /// The whole of it.
    pub(crate) name: &'static str,
    pub(crate) noun: &'static str,
    /// What is allowed where two commands stand.
    pub(crate) one: &'static str,
    /// A whole one, in words.
    pub(crate) example: String,
    /// The keys beside those of the command, and whether they are required.
    pub(crate) keys: &'a [AllowedKey],
    /// The text around it, if that is JSON.
    pub(crate) text: Option<&'a str>,
}

/// Reads a line; `before` is the tick of the command before it, and `dt` the duration of a tick
/// (time).
pub(super) fn line<V: Vector>(
    text: &str,
    before: Option<u64>,
    dt: f64,
) -> Result<Line<V>, Problem> {
    // Each line is read by itself, so no help about the rest of the file is shown.
    let root = parse(text, Format::Json)
        .map_err(|mut problems| Problem { help: None, ..problems.remove(0) })?;
    if let Some(node) = root.get("format") {
        return format_number(&root, node).map(|()| Line::Format);
    }
    let mut decoder = Decoder::default();
    let place = Place {
        name: "a line of a log",
        noun: "line",
        one: "one command a line",
        example: format!("a line such as {}", example::<V>()),
        keys: &[("tick", root.get("time").is_none()), ("time", false)],
        text: Some(text),
    };
    let command = command(&mut decoder, &root, &place);
    let tick = decoder.tick(&root, before, dt);
    match (tick, command) {
        (Some(tick), Some(command)) if decoder.problems.is_empty() => {
            Ok(Line::Command(tick, command))
        }
        _ => Err(decoder.problems.remove(0)),
    }
}

/// Whether a line that was read is that of the format's number.
pub(super) fn is_format(line: &str) -> bool {
    parse(line, Format::Json).is_ok_and(|root| root.get("format").is_some())
}

fn format_number(root: &Node, node: &Node) -> Result<(), Problem> {
    let mut decoder = Decoder::default();
    decoder.table_entries("format", root, &[("format", true)]);
    if node.content != Content::Integer(FORMAT.into()) {
        let allowed = format!("{FORMAT}; other formats need another version of wayfare");
        decoder.wrong("format", node, allowed);
    }
    if decoder.problems.is_empty() { Ok(()) } else { Err(decoder.problems.remove(0)) }
}

/// A line that moves the pointer.
fn example<V: Vector>() -> &'static str {
    if V::DIMENSION == 2 {
        r#"{"tick": 30, "pointer": [320, 200]}"#
    } else {
        r#"{"tick": 30, "pointer": [320, 200, 50]}"#
    }
}

/// The first key of each command.
fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = COMMANDS.iter().map(|keys| keys[0].0).collect();
    names.dedup();
    names
}

/// The entry of a command's first key.
pub(super) fn command_entry(root: &Node) -> Option<&Entry> {
    let names = names();
    root.table()?.iter().find(|entry| names.contains(&entry.key.as_str()))
}

/// Reads a command; `None` where a problem was reported.
pub(crate) fn command<V: Vector>(
    decoder: &mut Decoder,
    root: &Node,
    place: &Place<'_>,
) -> Option<Command<V>> {
    let Place { name, noun, one, example, .. } = place;
    let names = names();
    let Some(entries) = root.table() else {
        let message = match place.text {
            Some(_) => format!("{name} is {}", root.describe()),
            None => format!("`{name}` is {}", root.describe()),
        };
        decoder.problem(root.span.clone(), message, example);
        return None;
    };
    let mut found = entries.iter().filter(|entry| names.contains(&entry.key.as_str()));
    let entry = match (found.next(), found.next()) {
        (Some(entry), None) => entry,
        (Some(first), Some(second)) => {
            let message = format!("`{}` stands in one {noun} with `{}`", second.key, first.key);
            decoder.problem(second.span.clone(), message, *one);
            return None;
        }
        (None, _) => {
            let is_own = |key: &str| place.keys.iter().any(|(own, _)| *own == key);
            if let Some(unknown) = entries.iter().find(|entry| !is_own(&entry.key)) {
                let message = format!("`{}` is no command", unknown.key);
                decoder.unknown(&unknown.span, &message, &unknown.key, &names, "");
            } else {
                let message = format!("the {noun} has no command");
                let allowed = format!("{}; {example}", names.join(", "));
                decoder.problem(decoder.head_of(root), message, allowed);
            }
            return None;
        }
    };
    // A key after the first decides between commands that begin with the same key.
    let mut alike = COMMANDS.iter().filter(|keys| keys[0].0 == entry.key);
    let keys =
        alike.clone().find(|keys| keys.get(1).is_some_and(|(key, _)| root.get(key).is_some()));
    if keys.is_none() && alike.clone().count() > 1 {
        let changes: Vec<&str> = alike.filter_map(|keys| Some(keys.get(1)?.0)).collect();
        let message = format!("the {noun} changes nothing of agent {}", describe_id(&entry.node));
        let allowed = format!("one of {} beside it", changes.join(", "));
        decoder.problem(decoder.head_of(root), message, allowed);
        return None;
    }
    let keys = keys.or_else(|| alike.next()).map(|keys| &keys[..]).unwrap_or_default();
    let table = if place.text.is_some() { &entry.key } else { *name };
    decoder.table_entries(table, root, &[keys, place.keys].concat());
    let line = &mut Arguments { decoder, text: place.text, root, keys };
    let command = Command::read(&entry.key, line);
    if command.is_none() && decoder.problems.is_empty() {
        decoder.problem(decoder.head_of(root), format!("the {noun} is no command"), example);
    }
    command
}

/// A command from its form in the library's feature `serde`. `Vector` has two types, which the
/// compiler does not know to be deserializable.
fn decoded<V: Vector>(json: &str) -> serde_json::Result<Command<V>> {
    let any: Box<dyn Any> = if V::DIMENSION == 2 {
        Box::new(serde_json::from_str::<Command<Vec2>>(json)?)
    } else {
        Box::new(serde_json::from_str::<Command<Vec3>>(json)?)
    };
    any.downcast::<Command<V>>()
        .map(|command| *command)
        .map_err(|_| serde::de::Error::custom("the vector is neither Vec2 nor Vec3"))
}

/// The value in JSON, with infinity as a text.
fn json_of(node: &Node) -> String {
    match &node.content {
        Content::Text(text) | Content::TooLarge(text) => json_text(text),
        Content::Integer(x) => x.to_string(),
        Content::Number(x) if x.is_finite() => format!("{x:?}"),
        Content::Number(x) => json_text(&x.to_string()),
        Content::Bool(x) => x.to_string(),
        Content::Other(kind) => (*kind).to_string(),
        Content::List(items) => {
            format!("[{}]", items.iter().map(json_of).collect::<Vec<_>>().join(","))
        }
        Content::Table(entries) => {
            let entry =
                |entry: &Entry| format!("{}:{}", json_text(&entry.key), json_of(&entry.node));
            format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(","))
        }
    }
}

/// The id of an agent as it is written, if it is a number.
fn describe_id(node: &Node) -> String {
    if let Content::Integer(id) = node.content { id.to_string() } else { node.describe() }
}

/// The arguments of the command in a line.
struct Arguments<'a> {
    decoder: &'a mut Decoder,
    /// The text around the command, if that is JSON.
    text: Option<&'a str>,
    root: &'a Node,
    /// The keys of the command, and of its change of an agent.
    keys: &'a [AllowedKey],
}

impl Arguments<'_> {
    fn get<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Decoder, &str, &Node) -> Option<T>,
    ) -> Option<T> {
        read(self.decoder, key, self.root.get(key)?)
    }

    /// The argument, or that it is `null`; in TOML the word `"none"`.
    fn nullable<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Decoder, &str, &Node) -> Option<T>,
    ) -> Option<Option<T>> {
        self.get(key, |decoder, key, node| match node.content {
            Content::Other("null") => Some(None),
            Content::Text(ref word) if word == "none" => Some(None),
            _ => read(decoder, key, node).map(Some),
        })
    }
}

impl<V: Vector> ReadArguments<V> for Arguments<'_> {
    fn index<T: TryFrom<u32>>(&mut self, key: &'static str) -> Option<T> {
        self.get(key, Decoder::index)
    }
    fn text(&mut self, key: &'static str) -> Option<String> {
        self.get(key, Decoder::text)
    }
    fn flag(&mut self, key: &'static str) -> Option<bool> {
        self.get(key, Decoder::flag)
    }
    fn stat(&mut self, key: &'static str) -> Option<f32> {
        self.get(key, |decoder, key, node| decoder.number(key, node, range::STAT)).map(to_f32)
    }
    fn point(&mut self, key: &'static str) -> Option<V> {
        self.get(key, Decoder::point)
    }
    fn optional_point(&mut self, key: &'static str) -> Option<Option<V>> {
        self.root.get(key).map_or(Some(None), |node| self.decoder.point(key, node).map(Some))
    }
    fn pointer(&mut self, key: &'static str) -> Option<Option<V>> {
        let in_log = self.text.is_some();
        self.nullable(key, |decoder, key, node| {
            if node.list().is_some_and(|items| items.len() == V::DIMENSION) {
                return decoder.point(key, node);
            }
            let example = if in_log { format!(": {}", example::<V>()) } else { String::new() };
            let allowed = format!("a point with coordinates up to 1e9, or null{example}");
            decoder.wrong(key, node, allowed);
            None
        })
    }
    fn shape(&mut self, key: &'static str) -> Option<Shape<V>> {
        self.get(key, Decoder::shape)
    }
    fn setting(&mut self, key: &'static str) -> Option<Setting<V>> {
        self.get(key, |decoder, _, node| decoder.setting(node))
    }
    fn order(&mut self, key: &'static str) -> Option<Option<Order<V, String>>> {
        self.nullable(key, |decoder, _, node| decoder.order(node))
    }
    fn limit(&mut self, key: &'static str) -> Option<Limit> {
        Limit::from_name(key)
    }
    fn limit_value(&mut self, _: &'static str) -> Option<Option<f32>> {
        let limit = self.keys.iter().find_map(|(key, _)| Limit::from_name(key))?;
        let read = |decoder: &mut Decoder, key: &str, node: &Node| {
            decoder.number(key, node, limit.range()).map(to_f32)
        };
        self.nullable(limit.name(), read)
    }
    fn change(&mut self, _: &'static str) -> Option<AgentChange<V>> {
        AgentChange::read(self.keys.get(1)?.0, self)
    }
    fn encoded(&mut self, key: &'static str) -> Option<Command<V>> {
        let text = self.text;
        self.get(key, |decoder, key, node| decoder.encoded(key, node, text))
    }
}

impl Decoder {
    /// A command in the form of the library's feature `serde`; the key stands in place of the
    /// variant.
    fn encoded<V: Vector>(
        &mut self,
        key: &str,
        node: &Node,
        text: Option<&str>,
    ) -> Option<Command<V>> {
        if cfg!(target_arch = "wasm32") {
            // Reading all of the library's types from JSON is 3 % of the gallery's module.
            let message = format!("`{key}` is not read on a page");
            self.problem(node.span.clone(), message, "a run by the command, or another event");
            return None;
        }
        let prefix = format!("{{\"{key}\":");
        let value = match text {
            Some(text) => text.get(node.span.clone()).unwrap_or_default().to_string(),
            None => json_of(node),
        };
        let json = format!("{prefix}{value}}}");
        decoded(&json)
            .map_err(|error| {
                // The position is that in the line, and not part of the message.
                let at = error.column().saturating_sub(prefix.len() + 1) + node.span.start;
                let at = at.clamp(node.span.start, node.span.end.saturating_sub(1));
                let span = if text.is_some() { at..at + 1 } else { node.span.clone() };
                let message = error.to_string();
                let message = message.split(" at line ").next().unwrap_or_default();
                let message = format!("`{key}` cannot be read: {message}");
                let allowed = format!("`{key}` as a log writes it: docs/running.md has an example");
                self.problems.push(Problem::new(span, message, allowed));
            })
            .ok()
    }

    /// The tick of a line: its `tick`, or the first one that starts at its `time` or later.
    fn tick(&mut self, root: &Node, before: Option<u64>, dt: f64) -> Option<u64> {
        let least = before.unwrap_or(0);
        if let (Some(_), Some(time)) = (root.get("tick"), root.get("time")) {
            self.problem(time.span.clone(), "`time` stands beside `tick`", "one of them");
            return None;
        }
        if let Some(node) = root.get("time") {
            let tick = tick_at(self.number("time", node, range::TIME)?, dt);
            if tick < least {
                let from = least as f64 * dt;
                let allowed = format!("a time from {from}, that of the line before");
                self.wrong("time", node, allowed);
            }
            return (tick >= least).then_some(tick);
        }
        let node = root.get("tick")?;
        match node.content {
            Content::Integer(t) if u64::try_from(t).is_ok_and(|t| t >= least) => Some(t as u64),
            _ => {
                let allowed = before.map_or_else(
                    || "a whole number from 0".to_string(),
                    |before| format!("a whole number from {before}, the tick of the line before"),
                );
                self.wrong("tick", node, allowed);
                None
            }
        }
    }

    fn order<V: Vector>(&mut self, node: &Node) -> Option<Order<V, String>> {
        const KINDS: &str = "a point, { agent = 7 }, { path = \"beat\" }, or null for no order";
        if node.list().is_some() {
            return self.point("order", node).map(Order::Point);
        }
        match node.table().map(|entries| entries.iter().map(|e| &*e.key).collect::<Vec<_>>()) {
            Some(keys) if keys == ["agent"] => {
                self.index("agent", node.get("agent")?).map(Order::Agent)
            }
            Some(keys) if keys == ["path"] => self.text("path", node.get("path")?).map(Order::Path),
            _ => {
                self.wrong("order", node, KINDS);
                None
            }
        }
    }

    /// An id or an index.
    fn index<T: TryFrom<u32>>(&mut self, key: &str, node: &Node) -> Option<T> {
        let index = self.integer(key, node, 0, u64::from(u32::MAX))?;
        T::try_from(index as u32).ok()
    }

    pub(crate) fn setting<V: Vector>(&mut self, node: &Node) -> Option<Setting<V>> {
        let is_text = |item: &Node| item.text().is_some();
        match &node.content {
            // Reported here as it is written: the crowd would report it rounded to its own type.
            Content::Number(x) if x.is_finite() && x.abs() > f64::from(f32::MAX) => {
                self.wrong("value", node, TOO_LARGE);
                None
            }
            Content::TooLarge(_) => {
                self.wrong("value", node, TOO_LARGE);
                None
            }
            Content::Integer(_) | Content::Number(_) => {
                self.any_number("value", node).map(|x| Setting::Number(to_f32(x)))
            }
            Content::Bool(flag) => Some(Setting::Flag(*flag)),
            Content::Text(text) => Some(Setting::Text(text.clone())),
            Content::List(items) if items.iter().all(is_text) => Some(Setting::Texts(
                items.iter().filter_map(Node::text).map(str::to_string).collect(),
            )),
            Content::List(_) => self.point("value", node).map(Setting::Point),
            Content::Table(_) => {
                let (kind, inner) = self.one_of("value", node, &format::AREA)?;
                self.shape_of(kind, inner).map(Setting::Area)
            }
            Content::Other(_) => {
                self.wrong(
                    "value",
                    node,
                    "a number, a text, true or false, a point, a list of groups' names, or a \
                     circle or a box",
                );
                None
            }
        }
    }
}
