//! The templates of groups: keys that groups share.
//!
//! Decoding reads a copy of the document in which each group has the keys of its templates, with
//! their spans: a mistake in a template is reported there. The editor edits the document as it is
//! written, and shows what templates supply as defaults.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use wayfare::crowd::{KeyPath, KeySegment, Setup, Spawn, ValidationError};
use wayfare::vector::Vector;

use super::{Decoder, locate};
use crate::diagnostic::Problem;
use crate::document::{Content, Entry, Node};
use crate::format::TEMPLATE;

/// The most values that templates may supply to all groups of a scene together: a small file must
/// not become a document that fills the memory.
const MOST_SUPPLIED: usize = 4_000_000;

/// The tables whose entries are merged by their names.
const STATE: &str = "state";
const STAT: &str = "stat";

/// The document in which groups have the keys of their templates.
pub(crate) fn with_templates(root: &Node) -> Cow<'_, Node> {
    let templates = tables(root);
    if templates.is_empty() || supplied_values(root, &templates) > MOST_SUPPLIED {
        return Cow::Borrowed(root);
    }
    let mut root = root.clone();
    let groups = entry(&mut root, "group").map(items).unwrap_or_default();
    for group in groups {
        // Of two templates the last one wins: what it supplies is not supplied again.
        let names: Vec<String> = names(group).map(str::to_string).collect();
        for template in names.iter().rev().filter_map(|name| templates.get(name.as_str())) {
            inherit(group, template);
        }
    }
    Cow::Owned(root)
}

/// The value that a template supplies to a group for the key at `path`, whether the group writes
/// the key or not.
pub(crate) fn inherited<'n>(root: &'n Node, path: &KeyPath) -> Option<&'n Node> {
    let [KeySegment::Name(groups), KeySegment::At(index), inner @ ..] = &path.0[..] else {
        return None;
    };
    let group = root.get("group").filter(|_| groups == "group")?.list()?.get(*index)?;
    let templates = root.get("template")?;
    let named: Vec<&str> = names(group).collect();
    named.iter().rev().find_map(|name| {
        let template = templates.get(name)?;
        match inner {
            [KeySegment::Name(key), rest @ ..] if !is_merged(key) || rest.is_empty() => {
                let value = template.get(key).filter(|_| TEMPLATE.key(key).is_some())?;
                let is_written = group.get(key).is_some();
                // Of a table that the group writes, nothing is supplied.
                (rest.is_empty() || !is_written).then(|| at(value, rest)).flatten()
            }
            [KeySegment::Name(key), KeySegment::At(index), rest @ ..] if key == STATE => {
                let name = group.get(STATE)?.list()?.get(*index)?.get("name")?.text()?;
                let state = named_in(template.get(STATE)?, name)?;
                supplied_in(state, group.get(STATE)?.list()?.get(*index)?, rest)
            }
            [KeySegment::Name(key), KeySegment::Name(name), rest @ ..] if key == STAT => {
                let stat = template.get(STAT)?.get(name)?;
                match group.get(STAT).and_then(|stats| stats.get(name)) {
                    Some(own) => supplied_in(stat, own, rest),
                    None => at(stat, rest),
                }
            }
            _ => None,
        }
    })
}

/// The path in the setup of what the document has at `path`: states that templates supply come
/// before those of the group.
pub(crate) fn expanded_path(root: &Node, path: &KeyPath) -> KeyPath {
    let mut expanded = path.clone();
    let [KeySegment::Name(key), KeySegment::At(group), KeySegment::Name(inner), state, ..] =
        &mut expanded.0[..]
    else {
        return expanded;
    };
    let KeySegment::At(index) = state else { return expanded };
    if key != "group" || inner != STATE {
        return expanded;
    }
    let of_group = |root: &Node| -> Option<Vec<Option<String>>> {
        let states = root.get("group")?.list()?.get(*group)?.get(STATE)?.list()?;
        let name = |state: &Node| Some(state.get("name")?.text()?.to_string());
        Some(states.iter().map(name).collect())
    };
    let name = of_group(root).and_then(|names| names.get(*index)?.clone());
    let names = of_group(&with_templates(root)).unwrap_or_default();
    if let Some(position) = names.iter().position(|other| name.is_some() && *other == name) {
        *index = position;
    }
    expanded
}

impl Decoder {
    /// Reads the names and the keys of all templates.
    pub(crate) fn templates(&mut self, node: &Node) {
        let entries = self.named_tables("template", node, &TEMPLATE, "[template.person]");
        self.template_names = entries.iter().map(|entry| entry.key.clone()).collect();
        self.faulty_templates = HashSet::new();
        for Entry { key, node, .. } in entries {
            let before = self.problems.len();
            self.described_entries(&format!("template.{key}"), node, &TEMPLATE);
            if self.problems.len() > before {
                self.faulty_templates.insert(key.clone());
            }
        }
    }

    /// Reads which templates `group` has. Returns whether one of them cannot be read.
    pub(crate) fn templates_of(&mut self, group: &Node) -> bool {
        let Some(node) = group.get("template") else { return false };
        let allowed = "a template's name, such as \"person\", or a list of such names";
        let list = match &node.content {
            Content::Text(_) => std::slice::from_ref(node),
            Content::List(items) => items,
            _ => &[],
        };
        if list.is_empty() && node.list().is_none() {
            self.wrong("template", node, allowed);
            return true;
        }
        let mut is_faulty = false;
        for node in list {
            let Some(name) = node.text() else {
                self.wrong("template", node, allowed);
                is_faulty = true;
                continue;
            };
            if self.template_names.position(name).is_none() {
                let templates = std::mem::take(&mut self.template_names);
                let known: Vec<&str> = templates.iter().collect();
                let message = format!("there is no template \"{name}\"");
                self.unknown(
                    &node.span,
                    &message,
                    name,
                    &known,
                    "a template: add a [template.NAME]",
                );
                self.template_names = templates;
                is_faulty = true;
            }
            is_faulty |= self.faulty_templates.contains(name);
        }
        is_faulty
    }

    /// Checks templates that no group has, each as the only template of a group. Returns what the
    /// validation of the whole setup finds in them.
    pub(super) fn unused_templates<V: Vector>(
        &mut self,
        root: &Node,
        setup: &Setup<V>,
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        if supplied_values(root, &tables(root)) > MOST_SUPPLIED {
            let at = root.table().and_then(|entries| entries.iter().find(|e| e.key == "template"));
            self.problem(
                at.map_or(0..0, |entry| entry.span.clone()),
                "the templates of the groups supply too many values",
                format!("at most {MOST_SUPPLIED} values in all groups together"),
            );
            return problems;
        }
        let groups = root.get("group").and_then(Node::list).unwrap_or_default();
        let used: HashSet<&str> = groups.iter().flat_map(names).collect();
        let unused: Vec<&Entry> = { root.get("template").and_then(Node::table) }
            .unwrap_or_default()
            .iter()
            .filter(|entry| entry.node.table().is_some() && !used.contains(entry.key.as_str()))
            .collect();
        if unused.is_empty() {
            return problems;
        }
        let count = setup.groups.len();
        let mut setup = setup.clone();
        let mut stand_ins = Vec::new();
        for template in unused {
            let stand_in = stand_in(template, V::DIMENSION);
            let before = self.problems.len();
            let mut group = self.group::<V>(&stand_in, setup.groups.len());
            let found = self.problems.split_off(before);
            self.problems.extend(found.into_iter().filter(|p| p.span != template.span));
            group.name = format!("template {}", setup.groups.len());
            if !matches!(group.spawn, Spawn::Points(_))
                && !matches!(group.goal, Some(Spawn::Points(_)))
            {
                group.count = 1;
            }
            setup.groups.push(group);
            stand_ins.push((stand_in, template.span.clone()));
        }
        for error in setup.validate().err().into_iter().flat_map(|errors| errors.0) {
            problems.extend(problem_in(&stand_ins, count, error));
        }
        problems
    }
}

/// An error of a stand-in for a template, where the template gives the value.
fn problem_in(
    stand_ins: &[(Node, Range<usize>)],
    count: usize,
    error: ValidationError,
) -> Option<Problem> {
    let [KeySegment::Name(key), KeySegment::At(index), inner @ ..] = &error.key_path.0[..] else {
        return None;
    };
    let (stand_in, header) = stand_ins.get(index.checked_sub(count)?).filter(|_| key == "group")?;
    let span = locate(stand_in, &KeyPath(inner.to_vec()));
    let is_written = !span.is_empty() && span != *header;
    is_written.then(|| Problem::new(span, error.message, error.allowed))
}

/// A group that has only this template, and what a group must have with the span of the template's
/// name.
fn stand_in(template: &Entry, dimension: usize) -> Node {
    let mut group = template.node.clone();
    let node = |content| Node { span: template.span.clone(), content };
    let table = |key: &str, content| {
        let span = template.span.clone();
        node(Content::Table(vec![Entry { key: key.to_string(), span, node: node(content) }]))
    };
    let center = Content::List((0..dimension).map(|_| node(Content::Integer(0))).collect());
    let mut circle = table("center", center);
    let points = |key: &str| template.node.get(key)?.get("points")?.list().map(<[Node]>::len);
    let count = points("goal").unwrap_or(1);
    let has_points = points("spawn").is_some();
    let mut supplied = vec![
        ("name", node(Content::Text("template".to_string()))),
        ("max_speed", node(Content::Number(1e-9))),
    ];
    if let Content::Table(entries) = &mut circle.content {
        let (key, span) = ("radius".to_string(), template.span.clone());
        entries.push(Entry { key, span, node: node(Content::Integer(1)) });
    }
    supplied.push(("spawn", table("circle", circle.content)));
    if !has_points {
        supplied.push(("count", node(Content::Integer(count as i128))));
    }
    if let Content::Table(entries) = &mut group.content {
        entries.retain(|entry| TEMPLATE.key(&entry.key).is_some());
        for (key, node) in supplied {
            if entries.iter().all(|entry| entry.key != key) {
                let span = template.span.clone();
                entries.push(Entry { key: key.to_string(), span, node });
            }
        }
    }
    group
}

/// The templates of a scene that are tables, by their names.
fn tables(root: &Node) -> HashMap<&str, &Node> {
    let entries = root.get("template").and_then(Node::table).unwrap_or_default();
    let tables = entries.iter().filter(|entry| entry.node.table().is_some());
    tables.map(|entry| (entry.key.as_str(), &entry.node)).collect()
}

/// The names in the key `template` of a group.
fn names(group: &Node) -> impl Iterator<Item = &str> {
    let node = group.get("template");
    let list = node.and_then(Node::list).unwrap_or_default();
    node.and_then(Node::text).into_iter().chain(list.iter().filter_map(Node::text))
}

/// The number of values that templates supply to groups.
fn supplied_values(root: &Node, templates: &HashMap<&str, &Node>) -> usize {
    let sizes: HashMap<&str, usize> =
        templates.iter().map(|(name, node)| (*name, size(node))).collect();
    let groups = root.get("group").and_then(Node::list).unwrap_or_default();
    groups.iter().flat_map(names).filter_map(|name| sizes.get(name)).sum()
}

/// The number of values in a node, itself included.
fn size(node: &Node) -> usize {
    let entries = node.table().unwrap_or_default().iter().map(|entry| size(&entry.node));
    let items = node.list().unwrap_or_default().iter().map(size);
    1 + entries.chain(items).sum::<usize>()
}

/// Adds those keys of `template` that `group` does not have.
fn inherit(group: &mut Node, template: &Node) {
    for supplied in template.table().unwrap_or_default() {
        if TEMPLATE.key(&supplied.key).is_none() {
            continue;
        }
        match (supplied.key.as_str(), entry(group, &supplied.key)) {
            (STATE, Some(own)) => inherit_states(own, &supplied.node),
            (STAT, Some(own)) => inherit_stats(own, &supplied.node),
            (_, Some(_)) => {}
            (_, None) => add(group, supplied),
        }
    }
}

/// Puts the states of a template before those of the group. A state of the group takes the place
/// of the template's with its name, and gets the keys that it does not have.
fn inherit_states(own: &mut Node, template: &Node) {
    let (Content::List(own), Some(supplied)) = (&mut own.content, template.list()) else { return };
    let mut states = Vec::new();
    for state in supplied {
        let name = state.get("name").and_then(Node::text);
        let is_same = |own: &Node| own.get("name").and_then(Node::text) == name;
        match own.iter().position(is_same).filter(|_| name.is_some()) {
            Some(position) => {
                let mut own = own.remove(position);
                add_missing(&mut own, state);
                states.push(own);
            }
            None => states.push(state.clone()),
        }
    }
    states.append(own);
    *own = states;
}

fn inherit_stats(own: &mut Node, template: &Node) {
    for stat in template.table().unwrap_or_default() {
        match entry(own, &stat.key) {
            Some(own) => add_missing(own, &stat.node),
            None => add(own, stat),
        }
    }
}

fn add_missing(own: &mut Node, template: &Node) {
    for supplied in template.table().unwrap_or_default() {
        if entry(own, &supplied.key).is_none() {
            add(own, supplied);
        }
    }
}

fn add(table: &mut Node, supplied: &Entry) {
    if let Content::Table(entries) = &mut table.content {
        entries.push(supplied.clone());
    }
}

fn is_merged(key: &str) -> bool {
    key == STATE || key == STAT
}

/// The state with this name in a list of states.
fn named_in<'n>(states: &'n Node, name: &str) -> Option<&'n Node> {
    let name_of = |state: &&Node| state.get("name").and_then(Node::text) == Some(name);
    states.list()?.iter().find(name_of)
}

/// The value that `template` supplies at `path` to the table `own`.
fn supplied_in<'n>(template: &'n Node, own: &Node, path: &[KeySegment]) -> Option<&'n Node> {
    let [KeySegment::Name(key), rest @ ..] = path else { return None };
    let is_written = own.get(key).is_some();
    (rest.is_empty() || !is_written).then(|| at(template.get(key)?, rest)).flatten()
}

fn at<'n>(node: &'n Node, path: &[KeySegment]) -> Option<&'n Node> {
    path.iter().try_fold(node, |node, segment| match segment {
        KeySegment::Name(name) => node.get(name),
        KeySegment::At(index) => node.list()?.get(*index),
    })
}

fn entry<'n>(table: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let Content::Table(entries) = &mut table.content else { return None };
    entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.node)
}

fn items(list: &mut Node) -> &mut [Node] {
    if let Content::List(items) = &mut list.content { items } else { &mut [] }
}

#[cfg(test)]
mod tests;
