//! Recording problems: wrong values, unknown keys and words, with suggestions.

use std::collections::HashSet;
use std::ops::Range;

use super::{Decoder, suggest};
use crate::diagnostic::Problem;
use crate::document::{Content, Entry, Node};

/// The most names that are listed as allowed: more than the number of behaviors, fewer than the
/// groups of a large scene.
pub(super) const MOST_NAMED: usize = 40;

/// After this many problems no suggestions are made: their cost grows with the number of names, and
/// only the first problems are shown.
pub(super) const MOST_SUGGESTED: usize = 100;

impl Decoder {
    pub(crate) fn problem(
        &mut self,
        span: Range<usize>,
        message: impl Into<String>,
        allowed: impl Into<String>,
    ) {
        self.problems.push(Problem::new(span, message, allowed));
    }

    /// Reports the value of `key`.
    pub(crate) fn wrong(&mut self, key: &str, node: &Node, allowed: impl Into<String>) {
        let message = format!("`{key}` is {}", node.describe());
        let mut problem = Problem::new(node.span.clone(), message, allowed);
        problem.help = match &node.content {
            // A number, true or false in quotes.
            Content::Text(text)
                if text.trim().parse::<f64>().is_ok()
                    || ["true", "false"].contains(&text.trim()) =>
            {
                Some(format!("without quotes: {}", text.trim()))
            }
            Content::Text(text) => {
                leading_number(text).map(|number| format!("without quotes and unit: {number}"))
            }
            Content::Other("null") => Some("leave out a key that has no value".to_string()),
            _ => None,
        };
        self.problems.push(problem);
    }

    /// Reports a key that is none of `names`. Suggests a similar key, which it returns, or the
    /// table that the key belongs to.
    pub(crate) fn unknown_key<'k>(
        &mut self,
        table_name: &str,
        entry: &Entry,
        message: &str,
        names: &[&'k str],
    ) -> Option<&'k str> {
        let likely = suggest::nearest(&entry.key, names, suggest::SURE);
        if likely.is_none()
            && let Some(help) = suggest::help_for_misplaced_key(table_name, &entry.key)
        {
            self.problems.push(Problem {
                help: Some(help),
                ..Problem::new(entry.span.clone(), message, names.join(", "))
            });
            return None;
        }
        self.unknown(&entry.span, message, &entry.key, names, "")
    }

    /// Reports a word that is none of `known`. Suggests a similar one, which it returns. `add` is
    /// the advice where `known` is empty.
    pub(crate) fn unknown<'k>(
        &mut self,
        span: &Range<usize>,
        message: &str,
        word: &str,
        known: &[&'k str],
        add: &str,
    ) -> Option<&'k str> {
        let few = self.problems.len() < MOST_SUGGESTED;
        let likely = if few { suggest::nearest(word, known, suggest::LIKELY) } else { None };
        let mut known =
            if few { known.to_vec() } else { known[..known.len().min(MOST_NAMED)].to_vec() };
        // The empty name of a group without one cannot be chosen.
        let mut seen = HashSet::from([""]);
        known.retain(|name| seen.insert(*name));
        let mut allowed = if known.is_empty() {
            add.to_string()
        } else {
            known[..known.len().min(MOST_NAMED)].join(", ")
        };
        if known.len() > MOST_NAMED {
            allowed.push_str(&format!(", and {} more", known.len() - MOST_NAMED));
        }
        let help = likely.map(|candidate| suggest::did_you_mean(word, candidate));
        self.problems.push(Problem { help, ..Problem::new(span.clone(), message, allowed) });
        likely
    }

    /// Whether the table read last, `node`, has no `key`, not even a misspelt one.
    pub(crate) fn misses(&self, node: &Node, key: &str) -> bool {
        let is_misspelt = || self.misspelt.iter().any(|likely| likely == key);
        !self.lacks_keys && node.get(key).is_none() && !is_misspelt()
    }

    /// The beginning of a table: its header line, or its opening brace.
    pub(crate) fn head_of(&self, node: &Node) -> Range<usize> {
        if node.span.is_empty() {
            node.table().and_then(|e| e.first()).map_or(node.span.clone(), |e| e.span.clone())
        } else {
            node.span.clone()
        }
    }
}

/// The number at the beginning of a text such as `140 m`.
fn leading_number(text: &str) -> Option<&str> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c)))?;
    let number = &text[..end];
    number.parse::<f64>().is_ok().then_some(number)
}
