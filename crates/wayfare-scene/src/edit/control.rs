//! The editable values of a scene, as data for a panel.

use wayfare::crowd::{KeyPath, KeySegment};
use wayfare::parameter::{Range, Unit};

use super::value::Value;

/// One editable value of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The key path, as in messages and commands: `group[0].steer[1].arrive.slowing_radius`.
    pub key_path: KeyPath,
    /// Which values it accepts.
    pub kind: ControlKind,
    /// The effect of the value, in one line of Markdown.
    pub doc: String,
    /// Whether a scene must give it.
    pub required: bool,
    /// Whether the text gives it.
    pub given: bool,
    /// The value in the text, or else the default; `None` where the text gives none and there is
    /// no default.
    pub value: Option<Value>,
    /// The value where the text gives none.
    pub default: Option<Value>,
}

impl Control {
    /// The last key of the path: the label.
    pub fn name(&self) -> &str {
        last_name(&self.key_path)
    }

    /// The unit of its numbers.
    pub fn unit(&self) -> Unit {
        match &self.kind {
            ControlKind::Number(number) => number.range.unit,
            ControlKind::Point { unit, .. } => *unit,
            _ => Unit::None,
        }
    }
}

/// Which values a [`Control`] accepts.
#[derive(Clone, Debug, PartialEq)]
pub enum ControlKind {
    /// A number.
    Number(NumberControl),
    /// An integer.
    Integer {
        /// Smallest and largest value allowed.
        range: [u64; 2],
        /// Smallest and largest value of a slider.
        slider: [u64; 2],
    },
    /// `true` or `false`.
    Flag,
    /// One of these words or names.
    Choice(Vec<String>),
    /// Names of some of these groups. Without a value it means all groups.
    Groups(Vec<String>),
    /// As many numbers as the scene has dimensions, or one of the words.
    Point {
        /// The unit of the numbers.
        unit: Unit,
        /// Allowed instead of numbers: `"pointer"`, `"goal"`, `"order"`, `"last_seen"` or a group's
        /// name for a target, `"random"` for a velocity.
        words: Vec<String>,
    },
    /// Any text.
    Text,
    /// A list or a table, edited as TOML. Where the text gives it, its parts have controls of their
    /// own.
    Structure {
        /// A valid value.
        example: String,
    },
}

/// The values of a [`Control`] for a number.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberControl {
    /// The allowed range; it may include infinity.
    pub range: Range,
    /// Smallest and largest value of a slider: the part of the range that suits the scene as it
    /// was opened.
    pub slider: [f64; 2],
    /// Words that are allowed instead of a number.
    pub words: &'static [&'static str],
    /// Whether `false` is allowed, which disables what the number is for.
    pub may_be_off: bool,
    /// Whether a distribution is allowed, from which each agent draws its own number:
    /// `{ uniform = [10, 30] }` or `{ normal = [20, 3] }`.
    pub may_vary: bool,
}

/// A list of behaviors: of a group, of a state, or inside a list.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviorList {
    /// The key path, also of a list that the text does not give: `group[0].steer`.
    pub key_path: KeyPath,
    /// The entries in their order.
    pub entries: Vec<BehaviorEntry>,
}

/// One entry of a list of behaviors. The paths of its controls begin with its own path.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviorEntry {
    /// The key path: `group[0].steer[1]`.
    pub key_path: KeyPath,
    /// The behavior's name, or `all` for a nested list.
    pub behavior: String,
    /// Whether it is switched off (`off = true`).
    pub off: bool,
    /// The effect of the behavior, in one line of Markdown.
    pub doc: String,
}

/// The last name in a key path; empty where there is none.
pub(super) fn last_name(path: &KeyPath) -> &str {
    let mut names = path.0.iter().rev().filter_map(|segment| match segment {
        KeySegment::Name(name) => Some(name.as_str()),
        KeySegment::At(_) => None,
    });
    names.next().unwrap_or_default()
}
