//! TOML's headers that a scene can have.

use super::Candidate;
use crate::document::{Content, Node};
use crate::format::{self, Table, ValueKind};
use crate::schema::flat;

/// The headers that can be typed in this scene.
pub(super) fn headers(root: &Node) -> Vec<Candidate> {
    let mut found = Vec::new();
    of_table(&format::SCENE, "", root, &mut found);
    found
}

/// The headers of a table's own keys, which are written `above`, and of those in them.
fn of_table(table: &'static Table, above: &str, node: &Node, found: &mut Vec<Candidate>) {
    for key in table.keys {
        let path = format!("{above}{}", key.name);
        let here = node.get(key.name);
        let mut add = |header: String| {
            found.push(Candidate { key: header.clone(), doc: flat(key.doc), insert: header })
        };
        match key.kind {
            // Shapes and places stand in a line.
            ValueKind::Table(_) if above.is_empty() && here.is_none() => add(format!("[{path}]")),
            ValueKind::NamedTables(_) => add(format!("[{path}.{}]", name(key.example, here))),
            ValueKind::Behaviors => add(format!("[[{path}]]")),
            ValueKind::Tables(inner) => {
                add(format!("[[{path}]]"));
                if let Some(Content::List(items)) = here.map(|node| &node.content)
                    && let Some(last) = items.last()
                {
                    of_table(inner, &format!("{path}."), last, found);
                }
            }
            _ => {}
        }
    }
}

/// A name that nothing is called yet: that of the example, or with a number.
fn name(example: &str, here: Option<&Node>) -> String {
    let first = example.trim_matches(['{', ' ']).split(' ').next().unwrap_or("name");
    let is_free = |name: &String| here.is_none_or(|node| node.get(name).is_none());
    let numbered = (2..).map(|i| format!("{first}{i}"));
    std::iter::once(first.to_string()).chain(numbered).find(is_free).unwrap_or_default()
}
