//! Names that a scene defines and refers to: groups, paths, flow fields, states and stats.

use std::collections::HashMap;

use crate::document::Node;

/// Names in the order in which they are defined, with an index for look-ups.
#[derive(Default)]
pub(crate) struct NameList {
    names: Vec<String>,
    /// The first position of each name; a scene may give a name twice by mistake.
    positions: HashMap<String, usize>,
}

impl NameList {
    /// The position of the first definition of `name`.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The `name` of each table of a list; empty where a table has none.
    pub(crate) fn of_list(list: Option<&Node>) -> Self {
        let items = list.and_then(Node::list).unwrap_or_default();
        let names = items.iter().map(|item| item.get("name").and_then(Node::text));
        names.map(|name| name.unwrap_or_default().to_string()).collect()
    }

    /// The keys of a table of named tables, such as `[path.beat]`.
    pub(crate) fn of_table(table: Option<&Node>) -> Self {
        let entries = table.and_then(Node::table).unwrap_or_default();
        entries.iter().map(|entry| entry.key.clone()).collect()
    }
}

impl FromIterator<String> for NameList {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let names: Vec<String> = names.into_iter().collect();
        let mut positions = HashMap::with_capacity(names.len());
        for (position, name) in names.iter().enumerate() {
            positions.entry(name.clone()).or_insert(position);
        }
        Self { names, positions }
    }
}

/// The names that behaviors, conditions, exits and sources may refer to anywhere in a scene.
#[derive(Default)]
pub(crate) struct SceneNames {
    pub(crate) groups: NameList,
    pub(crate) paths: NameList,
    pub(crate) fields: NameList,
    pub(crate) exits: NameList,
    pub(crate) lines: NameList,
    /// The tables of the lines.
    pub(crate) line_tables: Vec<Node>,
    /// The states of each group.
    pub(crate) states: Vec<NameList>,
}

impl SceneNames {
    pub(crate) fn of(root: &Node) -> Self {
        let groups = root.get("group").and_then(Node::list).unwrap_or_default();
        Self {
            states: groups.iter().map(|group| NameList::of_list(group.get("state"))).collect(),
            groups: NameList::of_list(root.get("group")),
            paths: NameList::of_table(root.get("path")),
            fields: NameList::of_table(root.get("field")),
            exits: NameList::of_list(root.get("exit")),
            lines: NameList::of_table(root.get("line")),
            line_tables: root
                .get("line")
                .and_then(Node::table)
                .unwrap_or_default()
                .iter()
                .map(|entry| entry.node.clone())
                .collect(),
        }
    }
}

/// The names that the conditions and rates of one group may refer to.
#[derive(Default)]
pub(crate) struct GroupNames {
    pub(crate) stats: NameList,
    pub(crate) states: NameList,
}

impl GroupNames {
    pub(crate) fn of(group: &Node) -> Self {
        Self {
            stats: NameList::of_table(group.get("stat")),
            states: NameList::of_list(group.get("state")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_equal_names_is_found() {
        let names: NameList = ["a", "b", "a"].map(str::to_string).into_iter().collect();
        assert_eq!((names.position("a"), names.position("b")), (Some(0), Some(1)));
        assert_eq!((names.position("c"), names.len()), (None, 3));
    }
}
