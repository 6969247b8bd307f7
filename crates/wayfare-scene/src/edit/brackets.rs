//! Editing between brackets and braces, of TOML and of JSON alike: only the bytes change that have
//! to, and comments stay.

use std::ops::Range;

use crate::document::{self, Content, Node};

/// Whether `node` stands in the text as one piece: a number, a text, or a list or a table in
/// brackets, and not in lines under headers.
pub(super) fn in_one_piece(text: &str, node: &Node) -> bool {
    let begins = |with| text.get(node.span.clone()).is_some_and(|part| part.starts_with(with));
    match &node.content {
        Content::Table(_) => begins('{'),
        Content::List(items) => {
            begins('[')
                && items.iter().all(|item| item.table().is_none() || in_one_piece(text, item))
        }
        _ => true,
    }
}

/// The text with these parts replaced; none touches another.
pub(super) fn replaced(text: &str, mut parts: Vec<(Range<usize>, String)>) -> String {
    parts.sort_by_key(|(span, _)| span.start);
    let mut out = text.to_string();
    for (span, new) in parts.into_iter().rev() {
        out.replace_range(span, &new);
    }
    out
}

/// What stands between the commas of a list or of a table, in the order of the text: each with the
/// index of the item or key that it is of, of which dotted keys have several.
fn pieces(text: &str, outer: &Node) -> Vec<(usize, Range<usize>)> {
    let mut found = Vec::new();
    match &outer.content {
        Content::List(items) => {
            found.extend(items.iter().map(|item| item.span.clone()).enumerate())
        }
        Content::Table(entries) => entries
            .iter()
            .enumerate()
            .for_each(|(i, entry)| leaves(text, entry, &mut |span| found.push((i, span)))),
        _ => {}
    }
    found.sort_by_key(|(_, span)| span.start);
    found
}

/// Gives `tell` the parts of the text that say an entry of a table between braces: one, with all of
/// its key, or those of its dotted keys.
fn leaves(text: &str, entry: &document::Entry, tell: &mut impl FnMut(Range<usize>)) {
    if let Some(entries) = entry.node.table().filter(|_| !in_one_piece(text, &entry.node)) {
        return entries.iter().for_each(|entry| leaves(text, entry, tell));
    }
    let before = &text[..entry.span.start];
    let dotted = before.trim_end_matches(of_a_key).len();
    let spaces = before[dotted..].len() - before[dotted..].trim_start().len();
    tell(dotted + spaces..entry.node.span.end);
}

/// Whether it may stand in a key, quotes and dots included.
fn of_a_key(c: char) -> bool {
    c.is_alphanumeric() || " \t._-\"'".contains(c)
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Where the line ends, before its break.
fn line_end(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    if text[at..end].ends_with('\r') { end - 1 } else { end }
}

/// Where the text goes on after the break that ends the line.
fn next_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// An entry with what belongs to it.
struct Entry {
    /// The comment lines above it; empty where there are none, or it does not begin its line.
    above: Range<usize>,
    span: Range<usize>,
    /// The end of the comma behind it; the end of itself, where there is none.
    comma: usize,
    /// What stands in front of it, if it begins its line.
    indent: Option<String>,
    /// The comment behind it in its line, with the spaces before it; `None` where other entries or
    /// the closing bracket follow there.
    behind: Option<Range<usize>>,
}

impl Entry {
    fn of(text: &str, span: Range<usize>) -> Self {
        let start = line_start(text, span.start);
        let indent = Some(&text[start..span.start])
            .filter(|before| before.trim().is_empty())
            .map(str::to_string);
        let mut above = start;
        while indent.is_some() && above > 0 {
            let line = line_start(text, above - 1);
            if !text[line..above].trim_start().starts_with('#') {
                break;
            }
            above = line;
        }
        let blank = text[span.end..].len() - text[span.end..].trim_start().len();
        let comma =
            if text[span.end + blank..].starts_with(',') { span.end + blank + 1 } else { span.end };
        let end = line_end(text, comma);
        let rest = text[comma..end].trim_start();
        let behind = (rest.is_empty() || rest.starts_with('#')).then_some(comma..end);
        Self { above: above..start, span, comma, indent, behind }
    }

    /// Whether it has its line for itself.
    fn alone(&self) -> bool {
        self.indent.is_some() && self.behind.is_some()
    }
}

/// `entry` as the one with index `at` of what stands in brackets or braces.
pub(super) fn insert(text: &str, outer: &Node, at: usize, entry: &str) -> String {
    let entries: Vec<Entry> =
        pieces(text, outer).into_iter().map(|(_, span)| Entry::of(text, span)).collect();
    if let Some(next) = entries.get(at) {
        let (place, new) = match &next.indent {
            Some(indent) => (next.above.start, format!("{indent}{entry},{}", line_break(text))),
            None => (next.span.start, format!("{entry}, ")),
        };
        return replaced(text, vec![(place..place, new)]);
    }
    let Some(last) = entries.last() else {
        let inside = outer.span.start + 1..outer.span.end - 1;
        let new = if matches!(outer.content, Content::List(_)) {
            entry.to_string()
        } else {
            format!(" {entry} ")
        };
        // A comment inside stays, and the entry comes after it.
        let place =
            if text[inside.clone()].trim().is_empty() { inside } else { inside.end..inside.end };
        return replaced(text, vec![(place, new)]);
    };
    let has_comma = last.comma > last.span.end;
    match (&last.indent, &last.behind) {
        (Some(indent), Some(behind)) => {
            let new =
                format!("{}{indent}{entry}{}", line_break(text), if has_comma { "," } else { "" });
            let mut parts = vec![(behind.end..behind.end, new)];
            if !has_comma && behind.end > last.span.end {
                parts.push((last.span.end..last.span.end, ",".to_string()));
            } else if !has_comma {
                parts[0].1.insert(0, ',');
            }
            replaced(text, parts)
        }
        _ => replaced(text, vec![(last.span.end..last.span.end, format!(", {entry}"))]),
    }
}

/// The text without the entry with index `at` of what stands in brackets or braces. A comment in
/// its line goes with it, others stay.
pub(super) fn remove(text: &str, outer: &Node, at: usize) -> Option<String> {
    let pieces = pieces(text, outer);
    let (entries, of): (Vec<Entry>, Vec<usize>) =
        pieces.into_iter().map(|(i, span)| (Entry::of(text, span), i)).unzip();
    let whole = of.iter().filter(|i| **i == at).count() == 1;
    let at = of.iter().position(|i| *i == at).filter(|_| whole)?;
    let entry = &entries[at];
    let before = at.checked_sub(1).and_then(|i| entries.get(i));
    let mut parts = Vec::new();
    if entry.alone() {
        parts.push((
            line_start(text, entry.span.start)..next_line(text, entry.comma),
            String::new(),
        ));
        // What is the last now has a comma behind it only if the last had one.
        if let Some(before) = before.filter(|before| {
            at + 1 == entries.len()
                && entry.comma == entry.span.end
                && before.comma > before.span.end
        }) {
            parts.push((before.comma - 1..before.comma, String::new()));
        }
    } else if at + 1 < entries.len() {
        let spaces =
            text[entry.comma..].len() - text[entry.comma..].trim_start_matches([' ', '\t']).len();
        parts.push((entry.span.start..entry.comma + spaces, String::new()));
    } else if let Some(before) = before {
        let between = &text[before.comma..entry.span.start];
        let start = if between.trim().is_empty() { before.span.end } else { entry.span.start };
        parts.push((start..entry.span.end, String::new()));
    } else {
        let inside = outer.span.start + 1..outer.span.end - 1;
        let others = text[inside.start..entry.span.start].trim().is_empty()
            && text[entry.comma..inside.end].trim().is_empty();
        parts.push((if others { inside } else { entry.span.start..entry.comma }, String::new()));
    }
    Some(replaced(text, parts))
}

/// The text with the entries `at` and `at + 1` of a list in each other's place, each with the
/// comments that are its own.
pub(super) fn swap(text: &str, outer: &Node, at: usize) -> Option<String> {
    let pieces = pieces(text, outer);
    let [a, b] = [at, at + 1].map(|i| pieces.get(i).map(|(_, span)| Entry::of(text, span.clone())));
    let (a, b) = (a?, b?);
    let mut parts = exchanged(text, &a.span, &b.span);
    if a.alone() && b.alone() {
        parts.extend(exchanged(text, &a.above, &b.above));
        if let (Some(behind), Some(other)) = (&a.behind, &b.behind) {
            parts.extend(exchanged(text, behind, other));
        }
    }
    Some(replaced(text, parts))
}

fn exchanged(text: &str, a: &Range<usize>, b: &Range<usize>) -> Vec<(Range<usize>, String)> {
    vec![(a.clone(), text[b.clone()].to_string()), (b.clone(), text[a.clone()].to_string())]
}

/// How the lines of the text end.
fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The text without the lines of a key that stands in lines of its own under a header; `None` where
/// it does not. What stands above it stays.
pub(super) fn remove_line(text: &str, key: &Range<usize>, value: &Range<usize>) -> Option<String> {
    let start = line_start(text, key.start);
    let end = line_end(text, value.end);
    let rest = text[value.end..end].trim_start();
    if !text[start..key.start].chars().all(of_a_key) || !(rest.is_empty() || rest.starts_with('#'))
    {
        return None;
    }
    let next = next_line(text, value.end);
    // A text that does not end with a break will not end with one after that either.
    let start = if next == text.len() && !text.ends_with('\n') {
        text[..start].trim_end_matches(['\r', '\n']).len().max(start.saturating_sub(2))
    } else {
        start
    };
    Some(replaced(text, vec![(start..next, String::new())]))
}
