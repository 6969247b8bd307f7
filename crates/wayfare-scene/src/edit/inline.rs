//! Edits of inline lists and tables, which are in brackets and braces in TOML and in JSON. Only the
//! bytes of the edited entry change, and comments stay.

use std::ops::Range;

use crate::document::{self, Content, Node};

/// Whether `node` is written inline: a single value, or a list or table in brackets or braces, and
/// not in lines under headers.
pub(super) fn is_inline(text: &str, node: &Node) -> bool {
    let begins = |with| text.get(node.span.clone()).is_some_and(|part| part.starts_with(with));
    match &node.content {
        Content::Table(_) => begins('{'),
        Content::List(items) => {
            begins('[') && items.iter().all(|item| item.table().is_none() || is_inline(text, item))
        }
        _ => true,
    }
}

/// The text with these parts replaced. The parts must not overlap.
pub(super) fn replaced(text: &str, mut parts: Vec<(Range<usize>, String)>) -> String {
    parts.sort_by_key(|(span, _)| span.start);
    let mut out = text.to_string();
    for (span, new) in parts.into_iter().rev() {
        out.replace_range(span, &new);
    }
    out
}

/// The parts of a list or of a table between the commas, in the order of the text, each with the
/// index of its item or key. A key that is written with several dotted keys has several parts.
fn comma_separated(text: &str, outer: &Node) -> Vec<(usize, Range<usize>)> {
    let mut found = Vec::new();
    match &outer.content {
        Content::List(items) => {
            found.extend(items.iter().map(|item| item.span.clone()).enumerate())
        }
        Content::Table(entries) => entries
            .iter()
            .enumerate()
            .for_each(|(i, entry)| entry_parts(text, entry, &mut |span| found.push((i, span)))),
        _ => {}
    }
    found.sort_by_key(|(_, span)| span.start);
    found
}

/// Calls `visit` with each part of the text that writes an entry of an inline table: one part with
/// the whole key and the value, or a part for each dotted key.
fn entry_parts(text: &str, entry: &document::Entry, visit: &mut impl FnMut(Range<usize>)) {
    if let Some(entries) = entry.node.table().filter(|_| !is_inline(text, &entry.node)) {
        return entries.iter().for_each(|entry| entry_parts(text, entry, visit));
    }
    let before = &text[..entry.span.start];
    let dotted = before.trim_end_matches(is_key_char).len();
    let spaces = before[dotted..].len() - before[dotted..].trim_start().len();
    visit(dotted + spaces..entry.node.span.end);
}

/// Whether a character can be part of a key, quotes, spaces and dots included.
fn is_key_char(c: char) -> bool {
    c.is_alphanumeric() || " \t._-\"'".contains(c)
}

/// The start of the line.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// The end of the line, before the line break.
fn line_end(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    if text[at..end].ends_with('\r') { end - 1 } else { end }
}

/// The start of the next line.
fn next_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// An entry of a list or table, with its comments and its comma.
struct Entry {
    /// The comment lines above; empty where there are none or the entry does not begin its line.
    above: Range<usize>,
    span: Range<usize>,
    /// The end of the comma after the entry; the end of the entry where there is none.
    comma_end: usize,
    /// The spaces before the entry; `None` where it does not begin its line.
    indent: Option<String>,
    /// The comment after the entry on its line, with the spaces before the comment; `None` where
    /// another entry or the closing bracket follows on the line.
    trailing: Option<Range<usize>>,
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
        let comma_end =
            if text[span.end + blank..].starts_with(',') { span.end + blank + 1 } else { span.end };
        let end = line_end(text, comma_end);
        let rest = text[comma_end..end].trim_start();
        let trailing = (rest.is_empty() || rest.starts_with('#')).then_some(comma_end..end);
        Self { above: above..start, span, comma_end, indent, trailing }
    }

    /// Whether it is the only entry on its line.
    fn is_alone(&self) -> bool {
        self.indent.is_some() && self.trailing.is_some()
    }
}

/// The text with `entry` inserted into an inline list or table at `index`, or at the end.
pub(super) fn insert(text: &str, outer: &Node, index: usize, entry: &str) -> String {
    let entries: Vec<Entry> =
        comma_separated(text, outer).into_iter().map(|(_, span)| Entry::of(text, span)).collect();
    if let Some(next) = entries.get(index) {
        let (position, new) = match &next.indent {
            Some(indent) => (next.above.start, format!("{indent}{entry},{}", line_break(text))),
            None => (next.span.start, format!("{entry}, ")),
        };
        return replaced(text, vec![(position..position, new)]);
    }
    let Some(last) = entries.last() else {
        let inside = outer.span.start + 1..outer.span.end - 1;
        let new = if matches!(outer.content, Content::List(_)) {
            entry.to_string()
        } else {
            format!(" {entry} ")
        };
        // The entry is inserted after a comment.
        let part =
            if text[inside.clone()].trim().is_empty() { inside } else { inside.end..inside.end };
        return replaced(text, vec![(part, new)]);
    };
    let has_comma = last.comma_end > last.span.end;
    match (&last.indent, &last.trailing) {
        (Some(indent), Some(trailing)) => {
            let new =
                format!("{}{indent}{entry}{}", line_break(text), if has_comma { "," } else { "" });
            let mut parts = vec![(trailing.end..trailing.end, new)];
            if !has_comma && trailing.end > last.span.end {
                parts.push((last.span.end..last.span.end, ",".to_string()));
            } else if !has_comma {
                parts[0].1.insert(0, ',');
            }
            replaced(text, parts)
        }
        _ => replaced(text, vec![(last.span.end..last.span.end, format!(", {entry}"))]),
    }
}

/// The text without the entry at `index` of an inline list or table. The comment on the entry's
/// line is removed too, other comments stay. `None` where the entry has several parts.
pub(super) fn remove(text: &str, outer: &Node, index: usize) -> Option<String> {
    let (entries, owners): (Vec<Entry>, Vec<usize>) = comma_separated(text, outer)
        .into_iter()
        .map(|(owner, span)| (Entry::of(text, span), owner))
        .unzip();
    let has_one_part = owners.iter().filter(|owner| **owner == index).count() == 1;
    let at = owners.iter().position(|owner| *owner == index).filter(|_| has_one_part)?;
    let entry = &entries[at];
    let before = at.checked_sub(1).and_then(|i| entries.get(i));
    let mut parts = Vec::new();
    if entry.is_alone() {
        parts.push((
            line_start(text, entry.span.start)..next_line(text, entry.comma_end),
            String::new(),
        ));
        // The new last entry keeps its comma only if the removed last entry had one.
        if let Some(before) = before.filter(|before| {
            at + 1 == entries.len()
                && entry.comma_end == entry.span.end
                && before.comma_end > before.span.end
        }) {
            parts.push((before.comma_end - 1..before.comma_end, String::new()));
        }
    } else if at + 1 < entries.len() {
        let spaces = text[entry.comma_end..].len()
            - text[entry.comma_end..].trim_start_matches([' ', '\t']).len();
        parts.push((entry.span.start..entry.comma_end + spaces, String::new()));
    } else if let Some(before) = before {
        let between = &text[before.comma_end..entry.span.start];
        let start = if between.trim().is_empty() { before.span.end } else { entry.span.start };
        parts.push((start..entry.span.end, String::new()));
    } else {
        let inside = outer.span.start + 1..outer.span.end - 1;
        let others = text[inside.start..entry.span.start].trim().is_empty()
            && text[entry.comma_end..inside.end].trim().is_empty();
        parts
            .push((if others { inside } else { entry.span.start..entry.comma_end }, String::new()));
    }
    Some(replaced(text, parts))
}

/// The text with the entries `index` and `index + 1` of a list swapped, each with its comments.
pub(super) fn swap(text: &str, outer: &Node, index: usize) -> Option<String> {
    let parts = comma_separated(text, outer);
    let [a, b] =
        [index, index + 1].map(|i| parts.get(i).map(|(_, span)| Entry::of(text, span.clone())));
    let (a, b) = (a?, b?);
    let mut parts = exchanged(text, &a.span, &b.span);
    if a.is_alone() && b.is_alone() {
        parts.extend(exchanged(text, &a.above, &b.above));
        if let (Some(trailing), Some(other)) = (&a.trailing, &b.trailing) {
            parts.extend(exchanged(text, trailing, other));
        }
    }
    Some(replaced(text, parts))
}

/// The replacements that swap two parts of the text.
fn exchanged(text: &str, a: &Range<usize>, b: &Range<usize>) -> Vec<(Range<usize>, String)> {
    vec![(a.clone(), text[b.clone()].to_string()), (b.clone(), text[a.clone()].to_string())]
}

/// The line break that the text uses.
fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The text without the lines of a key under a header; `None` where other text is on these lines.
/// Comments above the key stay.
pub(super) fn remove_line(text: &str, key: &Range<usize>, value: &Range<usize>) -> Option<String> {
    let start = line_start(text, key.start);
    let end = line_end(text, value.end);
    let rest = text[value.end..end].trim_start();
    if !text[start..key.start].chars().all(is_key_char)
        || !(rest.is_empty() || rest.starts_with('#'))
    {
        return None;
    }
    let next = next_line(text, value.end);
    // A text without a line break at its end keeps none.
    let start = if next == text.len() && !text.ends_with('\n') {
        text[..start].trim_end_matches(['\r', '\n']).len().max(start.saturating_sub(2))
    } else {
        start
    };
    Some(replaced(text, vec![(start..next, String::new())]))
}
