//! Reads a line of a log as a command. Names, indices and key paths are resolved when the command
//! is applied.

use std::any::Any;
use std::sync::LazyLock;

use wayfare::Order;
use wayfare::crowd::{AgentChange, Command, Limit, Notation, ReadArguments, Setting, range};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, Vec3};
use wayfare::vector::Vector;

use super::FORMAT;
use crate::decode::{AllowedKey, Decoder, to_f32};
use crate::diagnostic::Problem;
use crate::document::{Content, Format, Node, parse};
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

/// Reads a line; `before` is the tick of the command before it.
pub(super) fn line<V: Vector>(text: &str, before: Option<u64>) -> Result<Line<V>, Problem> {
    // Each line is read by itself, so no help about the rest of the file is shown.
    let root = parse(text, Format::Json)
        .map_err(|mut problems| Problem { help: None, ..problems.remove(0) })?;
    match root.get("format") {
        Some(node) => format_number(&root, node).map(|()| Line::Format),
        None => command(text, &root, before).map(|(tick, command)| Line::Command(tick, command)),
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

fn command<V: Vector>(
    text: &str,
    root: &Node,
    before: Option<u64>,
) -> Result<(u64, Command<V>), Problem> {
    let example = example::<V>();
    let wrong = |node: &Node, message: String, allowed: String| {
        Problem::new(node.span.clone(), message, allowed)
    };
    let mut names: Vec<&str> = COMMANDS.iter().map(|keys| keys[0].0).collect();
    names.dedup();
    let Some(entries) = root.table() else {
        return Err(wrong(
            root,
            format!("a line of a log is {}", root.describe()),
            format!("a line such as {example}"),
        ));
    };
    let mut found = entries.iter().filter(|entry| names.contains(&entry.key.as_str()));
    let mut decoder = Decoder::default();
    let entry = match (found.next(), found.next()) {
        (Some(entry), None) => entry,
        (Some(first), Some(second)) => {
            let message = format!("`{}` stands in one line with `{}`", second.key, first.key);
            return Err(Problem::new(second.span.clone(), message, "one command a line"));
        }
        (None, _) => {
            if let Some(unknown) = entries.iter().find(|entry| entry.key != "tick") {
                decoder.unknown(
                    &unknown.span,
                    &format!("`{}` is no command", unknown.key),
                    &unknown.key,
                    &names,
                    "",
                );
                return Err(decoder.problems.remove(0));
            }
            return Err(wrong(
                root,
                "the line has no command".to_string(),
                format!("{}; a line such as {example}", names.join(", ")),
            ));
        }
    };
    // A key after the first decides between commands that begin with the same key.
    let mut alike = COMMANDS.iter().filter(|keys| keys[0].0 == entry.key);
    let keys =
        alike.clone().find(|keys| keys.get(1).is_some_and(|(key, _)| root.get(key).is_some()));
    if keys.is_none() && alike.clone().count() > 1 {
        let changes: Vec<&str> = alike.filter_map(|keys| Some(keys.get(1)?.0)).collect();
        return Err(wrong(
            root,
            format!("the line changes nothing of agent {}", describe_id(&entry.node)),
            format!("one of {} beside it", changes.join(", ")),
        ));
    }
    let keys = keys.or_else(|| alike.next()).map(|keys| &keys[..]).unwrap_or_default();
    decoder.table_entries(&entry.key, root, &[keys, &[("tick", true)]].concat());
    let tick = root.get("tick").and_then(|node| match node.content {
        Content::Integer(t) if u64::try_from(t).is_ok_and(|t| t >= before.unwrap_or(0)) => {
            Some(t as u64)
        }
        _ => {
            let allowed = before.map_or_else(
                || "a whole number from 0".to_string(),
                |before| format!("a whole number from {before}, the tick of the line before"),
            );
            decoder.wrong("tick", node, allowed);
            None
        }
    });
    let line = &mut Arguments { decoder: &mut decoder, text, root, keys };
    let command = Command::read(&entry.key, line);
    match (tick, command) {
        (Some(tick), Some(command)) if decoder.problems.is_empty() => Ok((tick, command)),
        _ if decoder.problems.is_empty() => Err(wrong(
            root,
            "the line is no command".to_string(),
            format!("a line such as {example}"),
        )),
        _ => Err(decoder.problems.remove(0)),
    }
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

/// The id of an agent as it is written, if it is a number.
fn describe_id(node: &Node) -> String {
    if let Content::Integer(id) = node.content { id.to_string() } else { node.describe() }
}

/// The arguments of the command in a line.
struct Arguments<'a> {
    decoder: &'a mut Decoder,
    text: &'a str,
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

    /// The argument, or that it is `null`.
    fn nullable<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Decoder, &str, &Node) -> Option<T>,
    ) -> Option<Option<T>> {
        self.get(key, |decoder, key, node| match node.content {
            Content::Other("null") => Some(None),
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
        self.nullable(key, |decoder, key, node| {
            if node.list().is_some_and(|items| items.len() == V::DIMENSION) {
                return decoder.point(key, node);
            }
            let example = example::<V>();
            let allowed = format!("a point with coordinates up to 1e9, or null: {example}");
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
    fn encoded<V: Vector>(&mut self, key: &str, node: &Node, text: &str) -> Option<Command<V>> {
        let prefix = format!("{{\"{key}\":");
        let json = format!("{prefix}{}}}", text.get(node.span.clone()).unwrap_or_default());
        decoded(&json)
            .map_err(|error| {
                // The position is that in the line, and not part of the message.
                let at = error.column().saturating_sub(prefix.len() + 1) + node.span.start;
                let at = at.clamp(node.span.start, node.span.end.saturating_sub(1));
                let message = error.to_string();
                let message = message.split(" at line ").next().unwrap_or_default();
                let message = format!("`{key}` cannot be read: {message}");
                let allowed = format!("`{key}` as a log writes it: docs/running.md has an example");
                self.problems.push(Problem::new(at..at + 1, message, allowed));
            })
            .ok()
    }

    fn order<V: Vector>(&mut self, node: &Node) -> Option<Order<V, String>> {
        const KINDS: &str =
            "a point, { \"agent\": 7 }, { \"path\": \"beat\" }, or null for no order";
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
