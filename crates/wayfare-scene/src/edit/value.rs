//! A value of a scene as data, and its notation in TOML and JSON.

use crate::document::{Content, Entry, Format, Node, parse};
use crate::log::json_text;

/// A value of a scene.
///
/// Numbers from a slider or from the library are rounded to the seven digits of single precision,
/// so that their notation is short: 80 and 0.3.
///
/// ```
/// use wayfare_scene::{Format, edit::Value};
/// assert_eq!(Value::from(0.1_f32 + 0.2_f32).write(Format::Toml), "0.3");
/// assert_eq!(Value::from([100.0, 50.5]).write(Format::Json), "[100, 50.5]");
/// let distribution = Value::read("{ uniform = [1, 2] }").unwrap();
/// assert_eq!(distribution.write(Format::Json), r#"{ "uniform": [1, 2] }"#);
/// ```
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer: a seed, a count.
    Integer(i128),
    /// Any number, including infinity.
    Number(f64),
    /// `true` or `false`.
    Flag(bool),
    /// A text, a word, or a name.
    Text(String),
    /// A list: a point, points, names.
    List(Vec<Value>),
    /// A table: a range, a shape, the parameters of a behavior.
    Table(Vec<(String, Value)>),
}

/// An integer equals the same number with a decimal point, as in a scene.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Flag(a), Value::Flag(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Table(a), Value::Table(b)) => a == b,
            (a, b) => a.number().is_some() && a.number() == b.number(),
        }
    }
}

impl Value {
    /// Reads a value in TOML notation; `None` where `text` is no value.
    pub fn read(text: &str) -> Option<Self> {
        Self::read_as(text, Format::Toml)
    }

    /// The same as [`read`](Self::read); faster for a single word or number, as most defaults are.
    pub(super) fn plain(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let quoted = text
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .filter(|word| word.chars().all(char::is_alphanumeric));
        match quoted {
            Some(word) => Some(Value::from(word)),
            None => text
                .parse()
                .map(Value::Integer)
                .or_else(|_| text.parse().map(Value::Number))
                .or_else(|_| text.parse().map(Value::Flag))
                .ok()
                .or_else(|| Self::read(text)),
        }
    }

    pub(super) fn read_as(text: &str, format: Format) -> Option<Self> {
        let document = if format == Format::Json {
            format!("{{\"x\":{text}}}")
        } else {
            format!("x = {text}")
        };
        let root = parse(&document, format).ok()?;
        if root.table()?.len() == 1 { Self::of(root.get("x")?) } else { None }
    }

    /// The notation of the value, in one line.
    pub fn write(&self, format: Format) -> String {
        let json = format == Format::Json;
        match self {
            Value::Integer(x) => x.to_string(),
            Value::Number(x) if x.is_finite() => number_notation(*x),
            Value::Number(x) if json => format!("\"{x}\""),
            Value::Number(x) => x.to_string(),
            Value::Flag(x) => x.to_string(),
            Value::Text(text) => json_text(text),
            Value::List(items) => format!(
                "[{}]",
                items.iter().map(|item| item.write(format)).collect::<Vec<_>>().join(", ")
            ),
            Value::Table(entries) if entries.is_empty() => "{}".to_string(),
            Value::Table(entries) => {
                let entry = |(key, value): &(String, Value)| Self::entry(key, value, format);
                format!("{{ {} }}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The notation of a key with its value.
    pub(super) fn entry(key: &str, value: &Value, format: Format) -> String {
        let bare = !key.is_empty()
            && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        match format {
            Format::Json => format!("{}: {}", json_text(key), value.write(format)),
            Format::Toml if bare => format!("{key} = {}", value.write(format)),
            Format::Toml => format!("{} = {}", json_text(key), value.write(format)),
        }
    }

    /// The number; `None` for any other value.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Integer(x) => Some(*x as f64),
            Value::Number(x) => Some(*x),
            _ => None,
        }
    }

    /// The text; `None` for any other value.
    pub fn text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    /// The value of a node of a document; `None` for values that no scene has, such as dates.
    pub(crate) fn of(node: &Node) -> Option<Self> {
        Some(match &node.content {
            Content::Text(text) => Value::Text(text.clone()),
            Content::Integer(x) => Value::Integer(*x),
            Content::Number(x) => Value::Number(*x),
            Content::Bool(x) => Value::Flag(*x),
            Content::List(items) => Value::List(items.iter().map(Self::of).collect::<Option<_>>()?),
            Content::Table(entries) => Value::Table(
                entries
                    .iter()
                    .map(|entry| Some((entry.key.clone(), Self::of(&entry.node)?)))
                    .collect::<Option<_>>()?,
            ),
            Content::TooLarge(_) | Content::Other(_) => return None,
        })
    }

    /// A node of a document with this value, with empty spans.
    pub(super) fn node(&self) -> Node {
        let content = match self {
            Value::Integer(x) => Content::Integer(*x),
            Value::Number(x) => Content::Number(*x),
            Value::Flag(x) => Content::Bool(*x),
            Value::Text(text) => Content::Text(text.clone()),
            Value::List(items) => Content::List(items.iter().map(Self::node).collect()),
            Value::Table(entries) => Content::Table(
                entries
                    .iter()
                    .map(|(key, value)| Entry { key: key.clone(), span: 0..0, node: value.node() })
                    .collect(),
            ),
        };
        Node { span: 0..0, content }
    }
}

/// The short notation of a number: 80, 0.5, 1e9.
fn number_notation(x: f64) -> String {
    if x != 0.0 && !(1e-4..1e7).contains(&x.abs()) { format!("{x:e}") } else { format!("{x}") }
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Value::Number(if x.is_finite() { format!("{x:.6e}").parse().unwrap_or(x) } else { x })
    }
}

impl From<f32> for Value {
    fn from(x: f32) -> Self {
        Self::from(f64::from(x))
    }
}

impl From<u64> for Value {
    fn from(x: u64) -> Self {
        Value::Integer(x.into())
    }
}

impl From<bool> for Value {
    fn from(x: bool) -> Self {
        Value::Flag(x)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_string())
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(items: [T; N]) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_short_notation_and_read_back() {
        for (x, text) in [
            (80.000_001_19, "80"),
            (0.30000000000000004, "0.3"),
            (-2.5, "-2.5"),
            (0.0, "0"),
            (1e9, "1e9"),
            (1e-9, "1e-9"),
            (1.0 / 3.0, "0.3333333"),
        ] {
            assert_eq!(Value::from(x).write(Format::Toml), text);
            assert_eq!(Value::read(text), Some(Value::from(x)));
        }
        assert_eq!(
            (
                Value::Number(f64::INFINITY).write(Format::Toml),
                Value::Number(f64::INFINITY).write(Format::Json)
            ),
            ("inf".into(), "\"inf\"".into())
        );
        assert_eq!(Value::from(u64::MAX).write(Format::Json), u64::MAX.to_string());
    }

    #[test]
    fn any_value_reads_back_from_either_format() {
        let odd = "a \"b\"\\\n\u{7}é";
        let value = Value::Table(vec![
            ("key".into(), Value::from([[1.5, 2.0], [3.0, -4.0]])),
            (odd.into(), Value::from(odd)),
            ("off".into(), true.into()),
        ]);
        for format in [Format::Toml, Format::Json] {
            assert_eq!(Value::read_as(&value.write(format), format), Some(value.clone()));
        }
        for text in ["", "1 2", "1\ny = 2", "{", "1979-05-27"] {
            assert_eq!(Value::read(text), None, "{text}");
        }
    }
}
