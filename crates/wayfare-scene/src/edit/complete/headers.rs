//! Candidates for headers of TOML.

use super::Candidate;
use crate::document::{Content, Node};
use crate::format::{self, Table, ValueKind};
use crate::schema::flat;

/// The headers that can be typed in this scene.
pub(super) fn headers(root: &Node) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    headers_in(&format::SCENE, "", root, &mut candidates);
    candidates
}

/// Adds the headers of a table's keys, which begin with `prefix`, and of the tables inside it.
fn headers_in(table: &'static Table, prefix: &str, node: &Node, candidates: &mut Vec<Candidate>) {
    for key in table.keys {
        let path = format!("{prefix}{}", key.name);
        let value = node.get(key.name);
        let mut add = |header: String| {
            candidates.push(Candidate { key: header.clone(), doc: flat(key.doc), insert: header })
        };
        match key.kind {
            // Only tables of the scene itself get headers; shapes and areas are written inline.
            ValueKind::Table(_) if prefix.is_empty() && value.is_none() => add(format!("[{path}]")),
            ValueKind::NamedTables(inner) => {
                add(format!("[{path}.{}]", free_name(key.example, value)));
                // The lists of the last template have headers of their own, as those of a group.
                if inner.name == format::TEMPLATE.name
                    && let Some(last) = value.and_then(Node::table).and_then(<[_]>::last)
                {
                    headers_in(inner, &format!("{path}.{}.", last.key), &last.node, candidates);
                }
            }
            ValueKind::Behaviors => add(format!("[[{path}]]")),
            ValueKind::Tables(inner) => {
                add(format!("[[{path}]]"));
                if let Some(Content::List(items)) = value.map(|node| &node.content)
                    && let Some(last) = items.last()
                {
                    headers_in(inner, &format!("{path}."), last, candidates);
                }
            }
            _ => {}
        }
    }
}

/// A name that is not used yet: the name in the example, with a number if necessary.
fn free_name(example: &str, tables: Option<&Node>) -> String {
    let first = example.trim_matches(['{', ' ']).split(' ').next().unwrap_or("name");
    let is_free = |name: &String| tables.is_none_or(|node| node.get(name).is_none());
    let numbered = (2..).map(|i| format!("{first}{i}"));
    std::iter::once(first.to_string()).chain(numbered).find(is_free).unwrap_or_default()
}
