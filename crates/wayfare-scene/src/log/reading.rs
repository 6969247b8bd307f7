//! Reads a line of a log as a command. Names, indices and key paths are resolved when the command
//! is applied.

use std::any::Any;

use wayfare::crowd::{AgentChange, Command, Limit, Setting, range};
use wayfare::glam::{Vec2, Vec3};
use wayfare::vector::Vector;
use wayfare::{AgentId, ObstacleId, Order};

use super::FORMAT;
use crate::decode::{AllowedKey, Decoder};
use crate::diagnostic::Problem;
use crate::document::{Content, Format, Node, parse};
use crate::format;

/// The commands, each with its keys beside `tick`.
pub(super) const COMMANDS: &[&[AllowedKey]] = &[
    &[("pointer", true)],
    &[("add", true), ("position", true), ("velocity", false)],
    &[("remove", true)],
    &[("move", true), ("position", true), ("velocity", false)],
    &[("agent", true), ("order", true)],
    &[("agent", true), ("mass", true)],
    &[("agent", true), ("max_speed", true)],
    &[("agent", true), ("max_force", true)],
    &[("agent", true), ("radius", true)],
    &[("agent", true), ("state", true)],
    &[("agent", true), ("stat", true), ("value", true)],
    &[("agent", true), ("group", true)],
    &[("agent", true), ("frozen", true)],
    &[("agent", true), ("facing", true)],
    &[("add_obstacle", true)],
    &[("set_obstacle", true), ("shape", true)],
    &[("remove_obstacle", true)],
    &[("add_point", true), ("path", true), ("position", true)],
    &[("move_point", true), ("path", true), ("position", true)],
    &[("remove_point", true), ("path", true)],
    &[("set", true), ("value", true)],
    &[("add_group", true)],
    &[("remove_group", true)],
    &[("add_path", true)],
    &[("remove_path", true)],
    &[("add_field", true)],
    &[("remove_field", true)],
    &[("add_line", true)],
    &[("remove_line", true)],
    &[("add_exit", true)],
    &[("remove_exit", true)],
    &[("add_source", true)],
    &[("remove_source", true)],
];

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

fn format_number(root: &Node, node: &Node) -> Result<(), Problem> {
    let mut decoder = Decoder::default();
    decoder.table_entries("format", root, &[("format", true)]);
    if node.content != Content::Integer(FORMAT.into()) {
        let allowed = format!("{FORMAT}; other formats need another version of wayfare");
        decoder.wrong("format", node, allowed);
    }
    if decoder.problems.is_empty() { Ok(()) } else { Err(decoder.problems.remove(0)) }
}

fn command<V: Vector>(
    text: &str,
    root: &Node,
    before: Option<u64>,
) -> Result<(u64, Command<V>), Problem> {
    let example = if V::DIMENSION == 2 {
        r#"{"tick": 30, "pointer": [320, 200]}"#
    } else {
        r#"{"tick": 30, "pointer": [320, 200, 50]}"#
    };
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
    let keys = keys.or_else(|| alike.next()).copied().unwrap_or_default();
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
    let command = decoder.command(text, root, keys, &entry.node, example);
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

impl Decoder {
    fn command<V: Vector>(
        &mut self,
        text: &str,
        root: &Node,
        keys: &[AllowedKey],
        node: &Node,
        example: &str,
    ) -> Option<Command<V>> {
        let kind = keys.first().map_or("", |(key, _)| *key);
        let path = |decoder: &mut Self| root.get("path").and_then(|n| decoder.text("path", n));
        Some(match kind {
            "pointer" if node.content == Content::Other("null") => Command::Pointer(None),
            "pointer" if node.list().is_none_or(|items| items.len() != V::DIMENSION) => {
                self.wrong(
                    "pointer",
                    node,
                    format!("a point with coordinates up to 1e9, or null: {example}"),
                );
                return None;
            }
            "pointer" => Command::Pointer(Some(self.point("pointer", node)?)),
            "add" => {
                let group = self.text("add", node);
                let (position, velocity) = self.motion(root)?;
                Command::Add { group: group?, position, velocity }
            }
            "remove" => Command::Remove(self.agent_id("remove", node)?),
            "move" => {
                let id = self.agent_id("move", node);
                let (position, velocity) = self.motion(root)?;
                Command::Move { id: id?, position, velocity }
            }
            "agent" => {
                let id = self.agent_id("agent", node);
                let key = keys.get(1).map_or("", |(key, _)| *key);
                let change = root.get(key).and_then(|value| self.agent_change(root, key, value));
                Command::Agent { id: id?, change: change? }
            }
            "add_obstacle" => Command::AddObstacle(self.shape("add_obstacle", node)?),
            "set_obstacle" => {
                let index = self.index("set_obstacle", node);
                let shape = root.get("shape").and_then(|n| self.shape("shape", n));
                Command::SetObstacle(ObstacleId(index? as u32), shape?)
            }
            "remove_obstacle" => {
                Command::RemoveObstacle(ObstacleId(self.index("remove_obstacle", node)? as u32))
            }
            "add_point" => {
                let (point, path) = (self.index("add_point", node), path(self));
                Command::AddPoint { path: path?, point: point?, position: self.motion(root)?.0 }
            }
            "move_point" => {
                let (point, path) = (self.index("move_point", node), path(self));
                Command::MovePoint { path: path?, point: point?, position: self.motion(root)?.0 }
            }
            "remove_point" => {
                let (point, path) = (self.index("remove_point", node), path(self));
                Command::RemovePoint { path: path?, point: point? }
            }
            "set" => {
                let key_path = self.text("set", node);
                let value = root.get("value").and_then(|n| self.setting(n));
                Command::Set { key_path: key_path?, value: value? }
            }
            _ => self.encoded(kind, node, text)?,
        })
    }

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

    /// The change of an agent under `key`, whose value is `node`.
    fn agent_change<V: Vector>(
        &mut self,
        root: &Node,
        key: &str,
        node: &Node,
    ) -> Option<AgentChange<V>> {
        let is_null = node.content == Content::Other("null");
        if let Some(limit) = Limit::from_name(key) {
            let value = if is_null { None } else { Some(self.number(key, node, limit.range())?) };
            return Some(AgentChange::Limit(limit, value.map(crate::decode::to_f32)));
        }
        Some(match key {
            "order" if is_null => AgentChange::Order(None),
            "order" => AgentChange::Order(Some(self.order(node)?)),
            "state" => AgentChange::State(self.text(key, node)?),
            "stat" => {
                let value = root.get("value").and_then(|n| self.number("value", n, range::STAT));
                AgentChange::Stat(self.text(key, node)?, crate::decode::to_f32(value?))
            }
            "group" => AgentChange::Group(self.text(key, node)?),
            "frozen" => AgentChange::Frozen(self.flag(key, node)?),
            _ => AgentChange::Facing(self.point(key, node)?),
        })
    }

    fn order<V: Vector>(&mut self, node: &Node) -> Option<Order<V, String>> {
        const KINDS: &str =
            "a point, { \"agent\": 7 }, { \"path\": \"beat\" }, or null for no order";
        if node.list().is_some() {
            return self.point("order", node).map(Order::Point);
        }
        match node.table().map(|entries| entries.iter().map(|e| &*e.key).collect::<Vec<_>>()) {
            Some(keys) if keys == ["agent"] => {
                self.agent_id("agent", node.get("agent")?).map(Order::Agent)
            }
            Some(keys) if keys == ["path"] => self.text("path", node.get("path")?).map(Order::Path),
            _ => {
                self.wrong("order", node, KINDS);
                None
            }
        }
    }

    fn agent_id(&mut self, key: &str, node: &Node) -> Option<AgentId> {
        self.index(key, node).map(|number| AgentId(number as u32))
    }

    /// Ids and indices.
    fn index(&mut self, key: &str, node: &Node) -> Option<usize> {
        self.integer(key, node, 0, u64::from(u32::MAX))
    }

    fn motion<V: Vector>(&mut self, root: &Node) -> Option<(V, Option<V>)> {
        let position = root.get("position").and_then(|n| self.point("position", n));
        let velocity = root.get("velocity").map(|n| self.point("velocity", n));
        Some((position?, velocity.map_or(Some(None), |velocity| velocity.map(Some))?))
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
                self.any_number("value", node).map(|x| Setting::Number(crate::decode::to_f32(x)))
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
