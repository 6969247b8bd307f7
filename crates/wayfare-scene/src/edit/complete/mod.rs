//! Completion of text that is being typed: keys, words, names and headers for the position of the
//! cursor. The text need not be a valid scene.
//!
//! All candidates come from the descriptions of the format and of the behaviors. Keys that are
//! given already are left out. A candidate for a behavior comes with its required parameters, as
//! [`Draft::add`](crate::edit::Draft::add) chooses them.

use std::ops::Range;

use wayfare::crowd::{KeyPath, KeySegment};

use super::behaviors::Behaviors;
use super::names::{GroupNames, Names};
use super::prefix;
use super::suggestions::Suggestions;
use crate::decode::{node_at, with_templates};
use crate::document::{Content, Format, Node};
use crate::schema::flat;

mod expected;
mod headers;
mod keys;
mod partial_parser;
#[cfg(test)]
mod tests;
mod values;

use partial_parser::{CursorPosition, Parsed, Wanted};

/// The completions at a position of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The bytes of the text that a candidate replaces: the word at the cursor, or nothing.
    pub range: Range<usize>,
    /// The candidates; first those that begin with the typed word, then those that contain it.
    pub candidates: Vec<Candidate>,
}

/// A text that can be typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The key, word, name or header.
    pub key: String,
    /// Its effect, in one line of Markdown.
    pub doc: String,
    /// The text that replaces the range: `slowing_radius = `, or `arrive = { target =
    /// "pointer" }`.
    pub insert: String,
}

/// The completions at the cursor, which is before the byte `byte` of `text`. The text need not be a
/// valid scene.
///
/// There are no candidates in comments, in titles and where only numbers are allowed. A byte inside
/// a character counts as the start of the character, a byte beyond the end as the end.
///
/// ```
/// use wayfare_scene::{Format, complete};
/// let text = "[[group]]\nname = \"guest\"\n[[group.steer]]\narrive = { slow";
/// let found = complete(text, text.len(), Format::Toml);
/// assert_eq!(&text[found.range.clone()], "slow");
/// assert_eq!(found.candidates[0].insert, "slowing_radius = ");
///
/// let text = "[[group]]\nname = \"guest\"\n[[group.steer]]\nsee";
/// let found = complete(text, text.len(), Format::Toml);
/// assert_eq!(found.candidates[0].key, "seek");
/// assert_eq!(found.candidates[0].insert, "seek = { target = [320, 240] }");
/// ```
pub fn complete(text: &str, byte: usize, format: Format) -> Completions {
    let mut cursor = byte.min(text.len());
    while !text.is_char_boundary(cursor) {
        cursor -= 1;
    }
    let Parsed { root, position } = partial_parser::parse(text, cursor, format);
    let Some(CursorPosition { wanted, path, span }) = position else {
        return Completions::default();
    };
    let completer = Completer::new(&root, &path, format);
    let candidates = match wanted {
        Wanted::Header => headers::headers(&root),
        Wanted::Key { has_value } => completer.keys(has_value),
        Wanted::Value => completer.values(),
    };
    let typed = bare(&text[span.start..cursor]);
    let rank = |candidate: &Candidate| {
        let key = bare(&candidate.key);
        if key.starts_with(typed) { Some(0) } else { key.contains(typed).then_some(1) }
    };
    let current = &text[span.clone()];
    let mut ranked: Vec<_> = candidates
        .into_iter()
        .filter(|candidate| candidate.insert != current)
        .filter_map(|candidate| Some((rank(&candidate)?, candidate)))
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    Completions {
        range: span,
        candidates: ranked.into_iter().map(|(_, candidate)| candidate).collect(),
    }
}

/// A word without its quotes, a header without its brackets.
fn bare(text: &str) -> &str {
    text.trim_matches(['"', '\'', '[', ']', ' '])
}

/// Makes the candidates for one path of a document.
struct Completer<'a> {
    root: &'a Node,
    path: &'a KeyPath,
    behaviors: Behaviors,
    names: Names,
    /// The names of the group that the path is in; none outside groups.
    group: GroupNames,
    suggestions: Suggestions,
    format: Format,
    dimension: usize,
}

impl<'a> Completer<'a> {
    fn new(root: &'a Node, path: &'a KeyPath, format: Format) -> Self {
        let mut suggestions = Suggestions::of(root);
        let is_in_group = matches!(path.0.first(),
            Some(KeySegment::Name(key)) if key == "group" || key == "template");
        let with_templates = with_templates(root);
        let group = node_at(&with_templates, &prefix(path, 2)).filter(|_| is_in_group);
        if let Some(group) = group {
            suggestions.enter_group(group);
        }
        let is_in_space =
            root.get("dimension").is_some_and(|node| node.content == Content::Integer(3));
        let dimension = if is_in_space { 3 } else { 2 };
        Self {
            root,
            path,
            behaviors: Behaviors(dimension),
            names: Names::of(root),
            group: group.map(GroupNames::of).unwrap_or_default(),
            suggestions,
            format,
            dimension,
        }
    }

    fn candidate(&self, key: &str, doc: &str, insert: String) -> Candidate {
        Candidate { key: key.to_string(), doc: flat(doc), insert }
    }
}
