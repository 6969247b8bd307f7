//! References to names: groups, paths, flow fields, states, stats, and targets.

use std::ops::Range;

use wayfare::GroupId;
use wayfare::glam::Vec2;
use wayfare::parameter::{Kind, Target};
use wayfare::vector::Vector;

use super::Decoder;
use super::names::NameList;
use super::parameter::quoted;
use super::report::{MOST_NAMED, MOST_SUGGESTED};
use crate::document::{Content, Node};

/// The advice where a group has no stats.
const ADD_STAT: &str = "a stat that the group has: add a [group.stat.NAME]";

/// The advice where a group has no states with names.
const ADD_STATE: &str = "a state that the group has: add a [[group.state]] with that name";

impl Decoder {
    /// The index of a stat of the group that is being read.
    pub(super) fn stat_name(&mut self, key: &str, node: &Node) -> Option<usize> {
        let names = std::mem::take(&mut self.group_names.stats);
        let found = self.defined(key, node, &names, ADD_STAT);
        self.group_names.stats = names;
        found
    }

    /// The index of a state of the group that is being read.
    pub(crate) fn state_name(&mut self, key: &str, node: &Node) -> Option<usize> {
        let names = std::mem::take(&mut self.group_names.states);
        let found = self.defined(key, node, &names, ADD_STATE);
        self.group_names.states = names;
        found
    }

    /// The index of a state of the group that is the `target` of a condition.
    pub(crate) fn state_of_target(
        &mut self,
        key: &str,
        node: &Node,
        target: &Node,
    ) -> Option<usize> {
        let name = target.text().unwrap_or_default();
        let Some(group) = self.names.groups.position(name) else {
            if target.text().is_none() || Target::<Vec2>::from_keyword(name).is_some() {
                let message = format!("`{key}` is beside a target that is no group");
                self.problem(node.span.clone(), message, "a group as the target");
            }
            // A name that is no group's is reported where the target is read.
            return None;
        };
        let names = std::mem::take(&mut self.names.states[group]);
        let add = format!("a state that the group \"{name}\" has: add a [[group.state]] to it");
        let found = self.defined(key, node, &names, &add);
        self.names.states[group] = names;
        found
    }

    /// Reports a word that is no stat of the group that is being read.
    pub(crate) fn unknown_stat(&mut self, span: &Range<usize>, message: &str, word: &str) {
        if self.lacks_keys {
            return;
        }
        let names = std::mem::take(&mut self.group_names.stats);
        let known: Vec<&str> = names.iter().collect();
        self.unknown(span, message, word, &known, ADD_STAT);
        self.group_names.stats = names;
    }

    /// Reports a word that is no state of the group that is being read.
    pub(crate) fn unknown_state(&mut self, span: &Range<usize>, message: &str, word: &str) {
        if self.lacks_keys {
            return;
        }
        let names = std::mem::take(&mut self.group_names.states);
        let known: Vec<&str> = names.iter().filter(|name| !name.is_empty()).collect();
        self.unknown(span, message, word, &known, ADD_STATE);
        self.group_names.states = names;
    }

    /// The index of the state or stat of this name in its group. `add` tells how to define one
    /// where the group has none.
    fn defined(&mut self, key: &str, node: &Node, names: &NameList, add: &str) -> Option<usize> {
        let text = node.text();
        if let Some(index) =
            text.filter(|text| !text.is_empty()).and_then(|text| names.position(text))
        {
            return Some(index);
        }
        let known: Vec<&str> = names.iter().filter(|name| !name.is_empty()).collect();
        match text {
            Some(_) if self.lacks_keys => None,
            Some(text) if known.is_empty() => {
                self.unknown(
                    &node.span,
                    &format!("`{key}` is \"{text}\", and the group has none"),
                    text,
                    &known,
                    add,
                );
                None
            }
            None if known.is_empty() => {
                self.wrong(key, node, add);
                None
            }
            _ => self.word(key, node, &known),
        }
    }

    /// The index of the group, path or flow field of this name.
    fn name_of(
        &mut self,
        kind: &str,
        key: &str,
        node: &Node,
        names: &NameList,
        or_position: bool,
    ) -> Option<usize> {
        let Some(text) = node.text() else {
            let all: Vec<&str> = names.iter().filter(|name| !name.is_empty()).take(8).collect();
            let examples =
                if all.is_empty() { String::new() } else { format!(": {}", quoted(&all)) };
            self.wrong(key, node, format!("a {kind}'s name, in quotes{examples}"));
            return None;
        };
        let found = names.position(text);
        let is_keyword = Target::<Vec2>::KEYWORDS.iter().any(|(word, _)| *word == text);
        if is_keyword && found.is_none() {
            self.problem(
                node.span.clone(),
                format!("`{key}` is \"{text}\", which is not an agent"),
                format!("a {kind}'s name; seek, flee and arrive take \"{text}\""),
            );
        } else if found.is_none() {
            let compared = if self.problems.len() < MOST_SUGGESTED {
                names.len()
            } else {
                names.len().min(MOST_NAMED)
            };
            let mut known: Vec<&str> = names.iter().take(compared).collect();
            if kind == "group" && or_position {
                known.extend(Target::<Vec2>::KEYWORDS.iter().map(|(word, _)| *word));
            }
            let add = format!(
                "a {kind} that the scene has: add {}",
                match kind {
                    "path" => "a [path.NAME]",
                    "field" => "a [field.NAME]",
                    "line" => "a [line.NAME]",
                    _ => "a [[group]]",
                }
            );
            self.unknown(
                &node.span,
                &format!("`{key}` names the {kind} \"{text}\", which is not in the scene"),
                text,
                &known,
                &add,
            );
        }
        found
    }

    /// `or_position`: whether the key also takes the words for positions, such as "pointer".
    pub(super) fn group_name(
        &mut self,
        key: &str,
        node: &Node,
        or_position: bool,
    ) -> Option<GroupId> {
        let names = std::mem::take(&mut self.names.groups);
        let found = self.name_of("group", key, node, &names, or_position);
        self.names.groups = names;
        found.map(GroupId)
    }

    pub(crate) fn path_name(&mut self, key: &str, node: &Node) -> Option<usize> {
        let names = std::mem::take(&mut self.names.paths);
        let found = self.name_of("path", key, node, &names, false);
        self.names.paths = names;
        found
    }

    pub(super) fn field_name(&mut self, key: &str, node: &Node) -> Option<usize> {
        let names = std::mem::take(&mut self.names.fields);
        let found = self.name_of("field", key, node, &names, false);
        self.names.fields = names;
        found
    }

    pub(crate) fn line_name(&mut self, key: &str, node: &Node) -> Option<usize> {
        let names = std::mem::take(&mut self.names.lines);
        let found = self.name_of("line", key, node, &names, false);
        self.names.lines = names;
        found
    }

    pub(crate) fn target<V: Vector>(&mut self, key: &str, node: &Node) -> Option<Target<V>> {
        match &node.content {
            Content::Text(text) => Target::from_keyword(text)
                .or_else(|| self.group_name(key, node, true).map(Target::Group)),
            Content::List(items) if !items.is_empty() && items.iter().all(Node::is_number) => {
                self.point(key, node).map(Target::Point)
            }
            _ => {
                self.wrong(key, node, Kind::Target.to_string());
                None
            }
        }
    }
}
