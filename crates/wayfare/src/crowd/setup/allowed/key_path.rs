//! Key paths: the position of a value in a setup, written with the keys of a scene file.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use crate::registry::is_slot_key;

/// One segment of a [`KeyPath`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySegment {
    /// A key of a table.
    Name(String),
    /// An index into a list, from 0.
    At(usize),
}

/// The position of a value in a setup, by the keys of a scene file:
/// `group[0].steer[1].arrive.slowing_radius`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct KeyPath(pub Vec<KeySegment>);

/// Tables of scene files with the fields of the setup that have another name: at the top (0) or
/// inside (1).
const FIELDS: [(usize, &str, &str); 11] = [
    (0, "obstacle", "obstacles"),
    (0, "path", "paths"),
    (0, "field", "fields"),
    (0, "line", "lines"),
    (0, "exit", "exits"),
    (0, "source", "sources"),
    (0, "group", "groups"),
    (0, "event", "commands"),
    (1, "state", "states"),
    (1, "stat", "stats"),
    (1, "rate", "rates"),
];

/// The kind of the preceding node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Field,
    /// A table whose keys are names of the user.
    Named,
    /// A list of behaviors.
    List,
    Slot,
    Behavior,
}

/// The word with a capital letter first.
fn capitalized(word: &str) -> impl Iterator<Item = char> + '_ {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters)
}

impl KeyPath {
    /// The path of the key `name` in the table at this path.
    #[must_use]
    pub fn key(&self, name: impl Into<String>) -> Self {
        let mut keys = self.0.clone();
        keys.push(KeySegment::Name(name.into()));
        Self(keys)
    }

    /// The path of item `i` of the list at this path.
    #[must_use]
    pub fn at(&self, i: usize) -> Self {
        let mut keys = self.0.clone();
        keys.push(KeySegment::At(i));
        Self(keys)
    }

    /// The position by the fields of [`Setup`](super::super::Setup) and of the structs in it:
    /// `groups[0].steer[1]: Arrive::slowing_radius`.
    ///
    /// Named tables of scene files are lists there, written with the name: `paths["round"]`. The
    /// slots of a list are written without `slots`.
    pub fn in_rust(&self) -> String {
        let mut text = String::new();
        let mut before = Before::Field;
        for (i, segment) in self.0.iter().enumerate() {
            match (segment, before) {
                (KeySegment::At(index), _) => {
                    text.push_str(&format!("[{index}]"));
                    before = if before == Before::List { Before::Slot } else { Before::Field };
                    continue;
                }
                (KeySegment::Name(name), Before::Named) => text.push_str(&format!("[{name:?}]")),
                (KeySegment::Name(name), Before::Slot) if !is_slot_key(name) => {
                    text.push_str(": ");
                    text.extend(name.split('_').flat_map(capitalized));
                    before = Before::Behavior;
                    continue;
                }
                (KeySegment::Name(name), Before::Behavior) => {
                    text.push_str("::");
                    text.push_str(name);
                }
                (KeySegment::Name(name), _) => {
                    let depth = if i == 0 { 0 } else { 1 };
                    let field = FIELDS.iter().find(|(at, key, _)| *at == depth && key == name);
                    text.push_str(if i == 0 { "" } else { "." });
                    text.push_str(field.map_or(name, |(_, _, field)| field));
                    let is_list = matches!(&**name, "steer" | "all");
                    before = if is_list {
                        Before::List
                    } else if field.is_some()
                        && matches!(self.0.get(i + 1), Some(KeySegment::Name(_)))
                    {
                        Before::Named
                    } else {
                        Before::Field
                    };
                    continue;
                }
            }
            before = Before::Field;
        }
        text
    }

    /// Parses a path as it is displayed: `group[0].steer[1].arrive`; `None` if `text` is not a
    /// path.
    pub fn read(text: &str) -> Option<Self> {
        let mut keys = Vec::new();
        for part in text.split('.') {
            let (name, mut remainder) = part.split_at(part.find('[').unwrap_or(part.len()));
            if name.is_empty() {
                return None;
            }
            keys.push(KeySegment::Name(name.to_string()));
            while let Some((index, after)) =
                remainder.strip_prefix('[').and_then(|remainder| remainder.split_once(']'))
            {
                keys.push(KeySegment::At(index.parse().ok()?));
                remainder = after;
            }
            if !remainder.is_empty() {
                return None;
            }
        }
        Some(Self(keys))
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, key) in self.0.iter().enumerate() {
            match key {
                KeySegment::Name(name) if i == 0 => write!(f, "{name}")?,
                KeySegment::Name(name) => write!(f, ".{name}")?,
                KeySegment::At(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Behavior;
    use glam::Vec2;

    #[test]
    fn a_path_in_rust_names_the_fields_of_the_setup_and_the_types_of_behaviors() {
        let in_rust = |text: &str| KeyPath::read(text).unwrap().in_rust();
        for (keys, fields) in [
            ("dt", "dt"),
            ("group[0].max_speed", "groups[0].max_speed"),
            (
                "group[0].steer[1].arrive.slowing_radius",
                "groups[0].steer[1]: Arrive::slowing_radius",
            ),
            (
                "group[2].state[1].steer[0].all[3].queue.separation.radius",
                "groups[2].states[1].steer[0].all[3]: Queue::separation.radius",
            ),
            ("group[0].steer[1].weight", "groups[0].steer[1].weight"),
            ("group[0].stat.hunger.start", "groups[0].stats[\"hunger\"].start"),
            ("group[0].state[0].leave[1].when", "groups[0].states[0].leave[1].when"),
            ("path.round.points[2]", "paths[\"round\"].points[2]"),
            ("obstacle[3].circle.radius", "obstacles[3].circle.radius"),
            ("source[0].group", "sources[0].group"),
        ] {
            assert_eq!(in_rust(keys), fields);
        }
    }

    #[test]
    fn the_type_of_every_behavior_is_its_name_with_capitals() {
        for description in Behavior::<Vec2>::LIST {
            let behavior = Behavior::<Vec2>::from_name(description.name).unwrap();
            let path = KeyPath::default().key("steer").at(0).key(description.name);
            let name = path.in_rust().replace("steer[0]: ", "");
            // A type without parameters is printed as its name alone.
            let (shown, types) =
                (format!("{behavior:?}"), [format!("{name} {{"), format!("({name})")]);
            assert!(types.iter().any(|name| shown.contains(name)), "{shown}");
        }
    }

    #[test]
    fn errors_of_a_setup_print_the_same_diagnostic_by_debug_and_by_display() {
        let setup = crate::crowd::Setup::<Vec2> { dt: 0.0, ..Default::default() };
        let error = setup.validate().unwrap_err();
        assert_eq!(format!("{error:?}"), error.to_string());
        assert!(error.to_string().starts_with("the setup has 1 error\n  dt: `dt` is 0; allowed: "));
    }
}
