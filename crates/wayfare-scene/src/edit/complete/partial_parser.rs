//! Parses text that is being typed, and finds what is wanted at the cursor.
//!
//! The parsers of TOML and JSON stop at unfinished text, which is where the cursor is. This parser
//! accepts keys without values and brackets that are not closed, and reports no mistakes.

use std::ops::Range;

use wayfare::crowd::{KeyPath, KeySegment};

use crate::document::{Content, Entry, Format, Node};
use crate::edit::value::Value;

/// The depth of brackets beyond which nothing is parsed, because the parser is recursive. Scenes
/// are less deep.
const DEEPEST: usize = 64;
/// The content of a value that is still to be typed.
const MISSING: Content = Content::Other("nothing");

/// The document as far as it is typed, and the position of the cursor, if something can be typed
/// there.
pub(super) struct Parsed {
    pub(super) root: Node,
    pub(super) position: Option<CursorPosition>,
}

/// The kind of text that can be typed at the cursor, and its place.
pub(super) struct CursorPosition {
    pub(super) wanted: Wanted,
    /// For a key, the path of its table; for a value, the path of the value.
    pub(super) path: KeyPath,
    /// The key, value or header at the cursor (bytes).
    pub(super) span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Key {
        /// Whether a value follows the key.
        has_value: bool,
    },
    Value,
    Header,
}

/// Parses `text`. The cursor is before the byte `cursor`.
pub(super) fn parse(text: &str, cursor: usize, format: Format) -> Parsed {
    let mut parser = PartialParser {
        text,
        at: 0,
        cursor,
        json: format == Format::Json,
        path: Vec::new(),
        is_in_comment: false,
        position: None,
    };
    if text.starts_with('\u{feff}') {
        parser.at = 3;
    }
    let root = if parser.json { parser.json() } else { parser.toml() };
    Parsed { root, position: parser.position }
}

struct PartialParser<'t> {
    text: &'t str,
    /// The byte that is parsed next.
    at: usize,
    cursor: usize,
    json: bool,
    /// The path of the table, list or value that is being parsed.
    path: Vec<KeySegment>,
    /// Whether the cursor is in a comment.
    is_in_comment: bool,
    position: Option<CursorPosition>,
}

impl PartialParser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    fn skip_while(&mut self, test: impl Fn(char) -> bool) {
        self.at += self.rest().find(|c| !test(c)).unwrap_or(self.rest().len());
    }

    /// Whether the cursor is inside this part or at one of its ends.
    fn has_cursor(&self, span: &Range<usize>) -> bool {
        span.start <= self.cursor && self.cursor <= span.end
    }

    /// Notes what is wanted at the cursor. Only the first call counts.
    fn found(&mut self, wanted: Wanted, span: Range<usize>) {
        if self.position.is_none() && !self.is_in_comment {
            self.position = Some(CursorPosition { wanted, path: KeyPath(self.path.clone()), span });
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        self.skip_while(|c| c != '\n');
        self.is_in_comment |= start < self.cursor && self.cursor <= self.at;
    }

    /// Skips spaces and, inside brackets, line breaks and comments. Returns the skipped part.
    fn skip_space(&mut self, inside: bool) -> Range<usize> {
        let start = self.at;
        loop {
            self.skip_while(|c| c == ' ' || c == '\t' || (inside && (c == '\n' || c == '\r')));
            if self.json || !inside || self.peek() != Some('#') {
                return start..self.at;
            }
            self.comment();
        }
    }

    /// Whether the cursor is in the skipped spaces and no other text follows directly, so that a
    /// key or a value can be typed there.
    fn is_free(&self, skipped: &Range<usize>) -> bool {
        let closed = self.peek().is_none_or(|c| ",}]#\n\r".contains(c));
        self.has_cursor(skipped) && (closed || self.text[self.cursor..skipped.end].contains('\n'))
    }

    fn toml(&mut self) -> Node {
        let mut root = Node { span: 0..0, content: Content::Table(Vec::new()) };
        while self.at < self.text.len() {
            let skipped = self.skip_space(false);
            let may_begin_key = skipped.start == 0 || self.text[..skipped.start].ends_with('\n');
            if may_begin_key && self.is_free(&skipped) && self.peek() != Some('#') {
                self.found(Wanted::Key { has_value: false }, self.cursor..self.cursor);
            }
            match self.peek() {
                Some('\n' | '\r') => self.skip(),
                Some('[') => self.header(&mut root),
                Some('#') => self.comment(),
                _ => {
                    let mut entries = Vec::new();
                    self.entry(&mut entries, false);
                    if let Some(Node { content: Content::Table(known), .. }) =
                        descend(&mut root, &self.path)
                    {
                        merge(known, entries);
                    }
                    self.skip_while(|c| c != '\n' && c != '#');
                }
            }
        }
        // The cursor is in an empty last line.
        if self.cursor == self.at && !self.text.ends_with(|c| c != '\n') {
            self.found(Wanted::Key { has_value: false }, self.cursor..self.cursor);
        }
        root
    }

    fn json(&mut self) -> Node {
        self.skip_space(true);
        match self.peek() {
            Some('{') => self.table(),
            _ => Node { span: 0..0, content: Content::Table(Vec::new()) },
        }
    }

    /// A header such as `[[group.steer]]`: the following keys are in that table.
    fn header(&mut self, root: &mut Node) {
        let start = self.at;
        self.skip();
        let list = self.peek() == Some('[');
        if list {
            self.skip();
        }
        let mut names = Vec::new();
        loop {
            self.skip_space(false);
            let (name, _) = self.key();
            names.extend(Some(name).filter(|name| !name.is_empty()));
            self.skip_space(false);
            if self.peek() != Some('.') {
                break;
            }
            self.skip();
        }
        self.skip_while(|c| c == ']');
        let span = start..self.at;
        self.path.clear();
        if self.has_cursor(&span) && self.cursor > start {
            self.found(Wanted::Header, span);
        }
        let Some((last, above)) = names.split_last() else { return };
        let mut node = root;
        for name in above {
            let Some(inner) = child(node, name) else { return };
            self.path.push(KeySegment::Name(name.clone()));
            node = inner;
            // A header inside a list belongs to the last table of the list.
            if let Content::List(items) = &node.content
                && !items.is_empty()
            {
                let last = items.len() - 1;
                self.path.push(KeySegment::At(last));
                let Content::List(items) = &mut node.content else { return };
                node = &mut items[last];
            }
        }
        let Some(node) = child(node, last) else { return };
        self.path.push(KeySegment::Name(last.clone()));
        if list {
            if matches!(&node.content, Content::Table(entries) if entries.is_empty()) {
                node.content = Content::List(Vec::new());
            }
            if let Content::List(items) = &mut node.content {
                items.push(Node { span: start..self.at, content: Content::Table(Vec::new()) });
                self.path.push(KeySegment::At(items.len() - 1));
            }
        }
    }

    /// Whether a header begins here. It ends the brackets above it that are not closed.
    fn is_header(&self) -> bool {
        let begins =
            self.text[..self.at].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
        let line = self.rest().lines().next().unwrap_or_default().trim_end();
        let name = line.trim_start_matches('[');
        !self.json
            && begins
            && line.starts_with('[')
            && line.ends_with(']')
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && !name.contains([',', '"'])
    }

    /// A key, with or without quotes; empty where there is none.
    fn key(&mut self) -> (String, Range<usize>) {
        let start = self.at;
        let name = match self.peek() {
            Some('"' | '\'') => self.string(),
            _ => {
                self.skip_while(|c| c.is_alphanumeric() || c == '_' || c == '-' || c == '$');
                self.text[start..self.at].to_string()
            }
        };
        (name, start..self.at)
    }

    /// A key with its value, as far as they are typed. At least one character is parsed.
    fn entry(&mut self, entries: &mut Vec<Entry>, inside: bool) {
        let (depth, start) = (self.path.len(), self.at);
        let mut names: Vec<(String, Range<usize>)> = Vec::new();
        let mut cursor = None;
        loop {
            let (name, span) = self.key();
            if self.has_cursor(&span) && self.at > start {
                cursor = Some((names.len(), span.clone()));
            }
            names.push((name, span));
            self.skip_space(false);
            if self.json || self.peek() != Some('.') {
                break;
            }
            self.skip();
            self.skip_space(false);
        }
        let has_value = self.peek() == Some(if self.json { ':' } else { '=' });
        if let Some((i, span)) = cursor {
            self.path.extend(names[..i].iter().map(|(name, _)| KeySegment::Name(name.clone())));
            self.found(Wanted::Key { has_value }, span);
            self.path.truncate(depth);
        }
        if has_value {
            self.skip();
            self.path.extend(names.iter().map(|(name, _)| KeySegment::Name(name.clone())));
            let node = self.value(inside);
            self.path.truncate(depth);
            let mut node = node;
            for (key, span) in names.drain(1..).rev() {
                node = Node {
                    span: span.clone(),
                    content: Content::Table(vec![Entry { key, span, node }]),
                };
            }
            let entry =
                names.into_iter().map(|(key, span)| Entry { key, span, node: node.clone() });
            merge(entries, entry.collect());
        } else if self.at == start {
            self.skip();
        }
    }

    /// A value, as far as it is typed; `inside` brackets it may begin on a later line.
    fn value(&mut self, inside: bool) -> Node {
        let skipped = self.skip_space(inside);
        if self.is_free(&skipped) {
            self.found(Wanted::Value, self.cursor..self.cursor);
        }
        let start = self.at;
        let is_too_deep = self.path.len() > DEEPEST;
        let content = match self.peek() {
            None | Some('\n' | '\r' | ',' | '}' | ']' | '#') => MISSING,
            Some('[') if !is_too_deep => return self.list(),
            Some('{') if !is_too_deep => return self.table(),
            Some('"' | '\'') => {
                let text = self.string();
                if self.has_cursor(&(start..self.at)) {
                    self.found(Wanted::Value, start..self.at);
                }
                Content::Text(text)
            }
            Some(_) => {
                self.skip();
                self.skip_while(|c| !c.is_whitespace() && !",}]#".contains(c));
                if self.has_cursor(&(start..self.at)) {
                    self.found(Wanted::Value, start..self.at);
                }
                scalar(&self.text[start..self.at])
            }
        };
        Node { span: start..self.at, content }
    }

    /// A text in quotes. A text that is not closed ends with its line.
    fn string(&mut self) -> String {
        let start = self.at;
        let quote = if self.peek() == Some('"') { '"' } else { '\'' };
        let triple = if quote == '"' { "\"\"\"" } else { "\'\'\'" };
        if !self.json && self.rest().starts_with(triple) {
            let inside = &self.rest()[3..];
            let text = inside.split(triple).next().unwrap_or_default().to_string();
            self.at += (3 + text.len() + 3).min(self.rest().len());
            return text;
        }
        self.skip();
        let mut closed = false;
        while let Some(c) = self.peek().filter(|c| *c != '\n') {
            self.skip();
            if c == quote {
                closed = true;
                break;
            }
            if c == '\\' && quote == '"' {
                self.skip();
            }
        }
        let written = &self.text[start..self.at];
        let inside = &written[1..written.len() - usize::from(closed)];
        let format = if self.json { Format::Json } else { Format::Toml };
        let read =
            if closed && inside.contains('\\') { Value::read_as(written, format) } else { None };
        read.and_then(|value| value.text().map(str::to_string))
            .unwrap_or_else(|| inside.to_string())
    }

    fn list(&mut self) -> Node {
        let (start, mut items) = (self.at, Vec::new());
        self.skip();
        loop {
            self.path.push(KeySegment::At(items.len()));
            let begin = self.at;
            let node = self.value(true);
            self.path.pop();
            items.extend(Some(node).filter(|node| node.content != MISSING));
            self.skip_space(true);
            if self.is_header() && begin < self.at {
                break;
            }
            match self.peek() {
                None | Some('}') => break,
                Some(']') => {
                    self.skip();
                    break;
                }
                Some(',') => self.skip(),
                _ if self.at == begin => self.skip(),
                _ => {}
            }
        }
        Node { span: start..self.at, content: Content::List(items) }
    }

    fn table(&mut self) -> Node {
        let (start, mut entries) = (self.at, Vec::new());
        self.skip();
        let mut may_begin_key = true;
        loop {
            let skipped = self.skip_space(true);
            if may_begin_key && self.is_free(&skipped) {
                self.found(Wanted::Key { has_value: false }, self.cursor..self.cursor);
            }
            if self.is_header() {
                break;
            }
            may_begin_key = false;
            match self.peek() {
                None | Some(']') => break,
                Some('}') => {
                    self.skip();
                    break;
                }
                Some(',') => {
                    self.skip();
                    may_begin_key = true;
                }
                _ => self.entry(&mut entries, true),
            }
        }
        Node { span: start..self.at, content: Content::Table(entries) }
    }
}

/// A number, `true` or `false`.
fn scalar(text: &str) -> Content {
    match text {
        "true" => Content::Bool(true),
        "false" => Content::Bool(false),
        _ => text
            .parse()
            .map(Content::Integer)
            .or_else(|_| text.parse().map(Content::Number))
            .unwrap_or(MISSING),
    }
}

/// The node at `path`, all of which exists.
fn descend<'n>(root: &'n mut Node, path: &[KeySegment]) -> Option<&'n mut Node> {
    path.iter().try_fold(root, |node, key| match (key, &mut node.content) {
        (KeySegment::Name(name), Content::Table(entries)) => {
            entries.iter_mut().find(|entry| entry.key == *name).map(|entry| &mut entry.node)
        }
        (KeySegment::At(i), Content::List(items)) => items.get_mut(*i),
        _ => None,
    })
}

/// The table with this name, which is created where it is missing.
fn child<'n>(node: &'n mut Node, name: &str) -> Option<&'n mut Node> {
    let empty = || Node { span: 0..0, content: Content::Table(Vec::new()) };
    if !matches!(node.content, Content::Table(_)) {
        *node = empty();
    }
    let Content::Table(entries) = &mut node.content else { return None };
    let i = entries.iter().position(|entry| entry.key == name).unwrap_or(entries.len());
    if i == entries.len() {
        entries.push(Entry { key: name.to_string(), span: 0..0, node: empty() });
    }
    Some(&mut entries[i].node)
}

/// Adds entries to a table. Tables that are on both sides are merged.
fn merge(known: &mut Vec<Entry>, more: Vec<Entry>) {
    for entry in more {
        match (
            known.iter_mut().find(|old| old.key == entry.key).map(|old| &mut old.node.content),
            entry,
        ) {
            (
                Some(Content::Table(inner)),
                Entry { node: Node { content: Content::Table(entries), .. }, .. },
            ) => merge(inner, entries),
            (_, entry) => known.push(entry),
        }
    }
}
