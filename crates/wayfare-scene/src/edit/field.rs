//! What can be set in a scene, as data.

use wayfare::crowd::{KeyPath, KeySegment as Step};
use wayfare::parameter::{Range, Unit};

use super::value::Value;

/// One thing that can be set: what a panel draws a control for.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Where it stands, as messages and commands name it:
    /// `group[0].steer[1].arrive.slowing_radius`.
    pub place: KeyPath,
    /// What it takes.
    pub kind: FieldKind,
    /// What it does, in a line of Markdown.
    pub doc: String,
    /// Whether a scene must give it.
    pub required: bool,
    /// Whether the text gives it.
    pub given: bool,
    /// What it is now: as the text gives it, or the default; `None` where nothing is given, and
    /// that is the default.
    pub value: Option<Value>,
    /// What it is where the text does not give it; `None` for nothing.
    pub default: Option<Value>,
}

impl Field {
    /// Its key: the label.
    pub fn name(&self) -> &str {
        name_of(&self.place)
    }

    /// What its numbers measure.
    pub fn unit(&self) -> Unit {
        match &self.kind {
            FieldKind::Number(number) => number.range.unit,
            FieldKind::Point { unit, .. } => *unit,
            _ => Unit::None,
        }
    }
}

/// What a [`Field`] takes.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// A number.
    Number(NumberField),
    /// A whole number.
    Whole {
        /// Least and most that are allowed.
        range: [u64; 2],
        /// Least and most of a slider.
        usual: [u64; 2],
    },
    /// `true` or `false`.
    Flag,
    /// One of these words or names.
    Choice(Vec<String>),
    /// The names of some of these groups; all, where nothing is given.
    Names(Vec<String>),
    /// As many numbers as the scene has dimensions, or one of these words or names.
    Point {
        /// What the numbers measure.
        unit: Unit,
        /// What may stand there instead: `"pointer"`, `"goal"`, `"last_seen"`, a group's name;
        /// `"random"` for a velocity.
        or: Vec<String>,
    },
    /// Any text.
    Text,
    /// Something larger, such as a list of points or a table, to be written as TOML has it; its
    /// parts, where it is there, are fields of their own.
    Written {
        /// One that could stand there.
        example: String,
    },
}

/// A [`Field`] that takes a number.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberField {
    /// Which numbers are allowed; infinity may be one.
    pub range: Range,
    /// Least and most of a slider: the range, or the part of it that goes with the scene as it was
    /// opened.
    pub usual: [f64; 2],
    /// Words that may stand there instead.
    pub words: &'static [&'static str],
    /// Whether it may be `false`, which switches it off.
    pub off: bool,
    /// Whether it may be a range that each agent draws its own number from: `{ uniform = [10, 30]
    /// }`.
    pub spread: bool,
}

/// A list of behaviors: a group's, a state's, or one inside a list.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviorList {
    /// Where it stands, or would: `group[0].steer`.
    pub place: KeyPath,
    /// The places of it in their order.
    pub entries: Vec<BehaviorEntry>,
}

/// One place in a list of behaviors. Its fields are those whose places begin with its own.
#[derive(Clone, Debug, PartialEq)]
pub struct BehaviorEntry {
    /// Where it stands: `group[0].steer[1]`.
    pub place: KeyPath,
    /// The behavior's name, or `all` for a list inside the list.
    pub behavior: String,
    /// Whether it is switched off.
    pub off: bool,
    /// What it does, in a line of Markdown.
    pub doc: String,
}

/// The last name of a place.
pub(super) fn name_of(place: &KeyPath) -> &str {
    let mut names = place
        .0
        .iter()
        .rev()
        .filter_map(|key| if let Step::Name(name) = key { Some(name.as_str()) } else { None });
    names.next().unwrap_or_default()
}
