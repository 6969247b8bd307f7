//! The names that a scene defines, from which the values of other keys are chosen.

use wayfare::order::ORDER;

use crate::document::Node;

/// The names that the whole scene can refer to.
pub(super) struct Names {
    pub(super) groups: Vec<String>,
    pub(super) paths: Vec<String>,
    pub(super) flow_fields: Vec<String>,
    pub(super) lines: Vec<String>,
    pub(super) templates: Vec<String>,
    has_pointer: bool,
}

impl Names {
    pub(super) fn of(root: &Node) -> Self {
        Self {
            groups: names_in_list(root.get("group")),
            paths: keys_of_table(root.get("path")),
            flow_fields: keys_of_table(root.get("field")),
            lines: keys_of_table(root.get("line")),
            templates: keys_of_table(root.get("template")),
            has_pointer: root.get("pointer").is_some(),
        }
    }

    /// Whether the scene has the target `"pointer"`.
    pub(super) fn has_pointer(&self) -> bool {
        self.has_pointer
    }

    /// The words and names that a member of `group` can have as a target.
    pub(super) fn targets(&self, group: &GroupNames) -> Vec<String> {
        let words = [
            ("pointer", self.has_pointer),
            ("goal", group.has_goal),
            (ORDER, true),
            ("last_seen", group.has_sight),
        ];
        let words = words.iter().filter(|(_, exists)| *exists).map(|(word, _)| word.to_string());
        words.chain(self.groups.iter().cloned()).collect()
    }
}

/// `names`, and the word that stands for what an agent is ordered to.
pub(super) fn with_order(names: &[String]) -> Vec<String> {
    names.iter().cloned().chain([ORDER.to_string()]).collect()
}

/// The names that a group defines for its own keys.
#[derive(Default)]
pub(super) struct GroupNames {
    pub(super) states: Vec<String>,
    pub(super) stats: Vec<String>,
    has_goal: bool,
    has_sight: bool,
}

impl GroupNames {
    pub(super) fn of(group: &Node) -> Self {
        Self {
            states: names_in_list(group.get("state")),
            stats: keys_of_table(group.get("stat")),
            has_goal: group.get("goal").is_some(),
            has_sight: group.get("sight").is_some(),
        }
    }
}

/// The values of `name` in a list of tables.
fn names_in_list(list: Option<&Node>) -> Vec<String> {
    let items = list.and_then(Node::list).unwrap_or_default();
    items.iter().filter_map(|item| Some(item.get("name")?.text()?.to_string())).collect()
}

/// The keys of a table of named tables.
fn keys_of_table(table: Option<&Node>) -> Vec<String> {
    let entries = table.and_then(Node::table).unwrap_or_default();
    entries.iter().map(|entry| entry.key.clone()).collect()
}

/// The names that the value of a key can refer to; `None` where the value is a new name.
pub(super) fn referred_names<'n>(
    key: &str,
    names: &'n Names,
    group: &'n GroupNames,
) -> Option<&'n [String]> {
    match key {
        "start" | "to" => Some(&group.states),
        "stat" => Some(&group.stats),
        "along" => Some(&names.paths),
        "group" | "shooters" | "bullets" | "targets" => Some(&names.groups),
        _ => None,
    }
}
