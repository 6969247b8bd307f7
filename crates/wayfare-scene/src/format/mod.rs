//! The tables of a scene: each is described once, and read beside its description.
//!
//! Decoding, error texts, the schema, the editor's fields and completions iterate the descriptions;
//! a test checks docs/scenes.md against them. Parameters of behaviors are described in the library,
//! by the behaviors themselves.

use std::borrow::Cow;

use wayfare::crowd::range;
use wayfare::parameter::{Description, Range, Unit};

mod condition;
mod described;
mod destinations;
mod distribution;
mod event;
mod exit;
mod fire;
mod flow_field;
mod geometry;
mod group;
mod measure;
mod path;
mod scene;
mod shape;
mod source;
mod spawn;
mod state;
mod steer;
mod sweep;
mod units;
mod variants;
mod world;

pub(crate) use condition::CONDITION;
pub(crate) use described::kind_of;
pub(crate) use distribution::{DISTRIBUTION_EXAMPLE, DISTRIBUTIONS, LIST};
pub(crate) use event::EVENT;
pub(crate) use exit::{EXIT, EXIT_ACTION, exit_action_words};
pub(crate) use fire::FIRE;
pub use fire::Fire;
pub(crate) use flow_field::{EXTENT, FIELD};
pub(crate) use geometry::GEOMETRY;
pub(crate) use group::{GROUP, SIGHT, STAT, TEMPLATE};
pub(crate) use measure::{MEASURE, kinds as measure_kinds, measure_schema_name};
pub(crate) use path::PATH;
pub(crate) use scene::SCENE;
pub(crate) use shape::{AREA, BOX, CIRCLE, OBSTACLE, SEGMENT};
pub(crate) use source::{SOURCE, arrivals_names};
pub(crate) use spawn::{GOAL, GRID, RING, SPAWN, is_misplaced};
pub(crate) use state::{LEAVE, STATE};
pub(crate) use steer::STEER_ENTRY;
pub(crate) use sweep::{MOST_RUNS, OVER, STEPS, SWEEP};
pub(crate) use units::{LONGEST_UNIT, UNITS};
pub(crate) use world::{BODIES, BOUNDS, LINE, NAVIGATION, POINTER};

/// The kind of a key's value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueKind {
    /// Any text.
    Text,
    /// A color: `#rrggbb`, or a name.
    Color,
    /// The name of a unit.
    UnitName,
    /// A name that the scene defines or refers to.
    Name,
    /// A whole number from the first to the second.
    Integer(u64, u64),
    /// 2 or 3.
    Dimension,
    /// A number in a range.
    Number(Range),
    /// A number, `-inf` or `inf`: a limit of a stat.
    StatLimit,
    /// A number, or a distribution from which each agent draws its own number.
    Distribution(Range),
    /// The same, or a list with a number for each member: `{ list = [0, 5] }`.
    Times(Range),
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A point: as many numbers as the scene has dimensions.
    Point,
    /// Lengths of at least 0: as many as the scene has dimensions.
    Size,
    /// At least this many points.
    Points(usize),
    /// The corners of a polygon, each of two numbers in the plane and in space.
    Corners,
    /// Points `[time, x, y]`.
    Track,
    /// A direction: as many numbers as the scene has dimensions, not all of them 0.
    Direction,
    /// A velocity, or `"random"`.
    Velocity,
    /// A point, `"pointer"`, `"goal"`, `"order"`, `"last_seen"` or a group's name.
    Target,
    /// A target, or one of these words.
    TargetOr(&'static [&'static str]),
    /// Names of groups.
    Groups,
    /// Key paths of the scene.
    KeyPaths,
    /// The name of a template, or a list of such names.
    Templates,
    /// A table from stats to numbers per unit of time.
    Rates,
    /// The name of a state of the group, or a table from such names to weights.
    NextState,
    /// The name of an exit, or a table from such names to shares.
    Destinations,
    /// `"remove"`, or a table with `respawn`.
    ExitAction,
    /// Pairs of a time and a number of agents.
    Schedule,
    /// An argument of a command, of this kind.
    Argument(&'static str),
    /// A list of behaviors.
    Behaviors,
    /// A condition.
    Condition,
    /// A list of conditions.
    Conditions,
    /// A table of the parameters of a kind of measure.
    Measure(&'static Description),
    /// A table.
    Table(&'static Table),
    /// A list of such tables.
    Tables(&'static Table),
    /// Such tables, each under a name.
    NamedTables(&'static Table),
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) kind: ValueKind,
    pub(crate) default: KeyDefault,
    /// Its effect, in Markdown.
    pub(crate) doc: &'static str,
    /// A value as TOML writes it; of a list of tables, one of them.
    pub(crate) example: &'static str,
}

/// The default of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyDefault {
    /// As TOML writes it; empty where there is none.
    Text(&'static str),
    /// That of a struct of the library, by the name of the key.
    Described(fn(&str) -> String),
}

impl KeyDefault {
    pub(crate) const NONE: Self = Self::Text("");
}

impl Key {
    /// The default as TOML writes it; empty where there is none.
    pub(crate) fn default(&self) -> Cow<'static, str> {
        match self.default {
            KeyDefault::Text(text) => Cow::Borrowed(text),
            KeyDefault::Described(default) => Cow::Owned(default(self.name)),
        }
    }

    /// The example as it stands behind the key: a list of tables in its brackets.
    pub(crate) fn example_value(&self) -> Cow<'static, str> {
        match self.kind {
            ValueKind::Tables(_) => Cow::Owned(format!("[{}]", self.example)),
            _ => Cow::Borrowed(self.example),
        }
    }

    /// The numbers that it takes; without a number, those that a stat takes.
    pub(crate) fn range(&self) -> Range {
        match self.kind {
            ValueKind::Number(range) | ValueKind::Distribution(range) | ValueKind::Times(range) => {
                range
            }
            _ => range::STAT,
        }
    }
}

/// A table of a scene.
#[derive(Debug)]
pub(crate) struct Table {
    /// Its name in messages and in the schema.
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    pub(crate) keys: &'static [Key],
    /// Sets of keys of which exactly one must be given; empty where there is no such choice.
    pub(crate) one_of: &'static [&'static [&'static str]],
    /// Pairs of a key and another key that it needs beside it.
    pub(crate) needs: &'static [(&'static str, &'static str)],
    /// A whole table, as TOML writes it in a line; alternatives are joined by " or ".
    pub(crate) example: &'static str,
}

impl Table {
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

const fn required(
    name: &'static str,
    kind: ValueKind,
    example: &'static str,
    doc: &'static str,
) -> Key {
    Key { name, required: true, kind, default: KeyDefault::NONE, doc, example }
}

const fn optional(
    name: &'static str,
    kind: ValueKind,
    default: &'static str,
    example: &'static str,
    doc: &'static str,
) -> Key {
    Key { name, required: false, kind, default: KeyDefault::Text(default), doc, example }
}

/// Angles of boxes and rings.
const ANGLE: Range = Range::new(-360.0, 360.0, Unit::Degrees);

/// All tables.
pub(crate) static TABLES: &[&Table] = &[
    &SCENE,
    &UNITS,
    &BOUNDS,
    &BODIES,
    &NAVIGATION,
    &POINTER,
    &GEOMETRY,
    &OBSTACLE,
    &CIRCLE,
    &BOX,
    &SEGMENT,
    &AREA,
    &PATH,
    &FIELD,
    &EXTENT,
    &LINE,
    &EXIT,
    &EXIT_ACTION,
    &SOURCE,
    &EVENT,
    &MEASURE,
    &FIRE,
    &GROUP,
    &TEMPLATE,
    &SPAWN,
    &GOAL,
    &GRID,
    &RING,
    &STEER_ENTRY,
    &SIGHT,
    &STAT,
    &STATE,
    &LEAVE,
    &CONDITION,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Format, parse};

    #[test]
    fn every_example_is_toml() {
        let is_toml = |text: &str| parse(&format!("x = {text}"), Format::Toml).is_ok();
        for table in TABLES {
            for example in table.example.split(" or ") {
                assert!(is_toml(example), "{}: {example}", table.name);
            }
            for key in table.keys {
                let example = key.example_value();
                assert!(example.is_empty() || is_toml(&example), "{}: {example}", key.name);
                let default = key.default();
                assert!(default.is_empty() || is_toml(&default), "{}: {default}", key.name);
            }
        }
    }
}
