//! Reads text that is being typed: all of it that can be told, and where in it the cursor stands.
//!
//! The parsers of TOML and JSON give up where something is not finished, and just there somebody
//! types. This reader takes what is there: a key without a value, a bracket that nobody has closed
//! yet, and says nothing of mistakes.

use std::ops::Range;

use wayfare::crowd::{KeyPath, KeySegment};

use crate::document::{Content, Entry, Format, Node};
use crate::edit::value::Value;

/// Brackets that deep are read no further: no scene has them, and reading is recursive.
const DEEPEST: usize = 64;
/// What stands where a value is still to be typed.
const NOTHING: Content = Content::Other("nothing");

/// What is there, and where the cursor stands, if something can be typed there.
pub(super) struct Reading {
    pub(super) root: Node,
    pub(super) spot: Option<Spot>,
}

/// Where the cursor stands.
pub(super) struct Spot {
    pub(super) what: What,
    /// Of the table, where it is about a key; of the value itself.
    pub(super) place: KeyPath,
    /// The key, the value or the header that is there already (bytes).
    pub(super) span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A key, and whether a value stands behind it.
    KeySegment {
        assigned: bool,
    },
    Value,
    Header,
}

/// Reads `text`, in which the cursor stands before the byte `cursor`.
pub(super) fn read(text: &str, cursor: usize, format: Format) -> Reading {
    let mut reader = Reader {
        text,
        at: 0,
        cursor,
        json: format == Format::Json,
        place: Vec::new(),
        dead: false,
        spot: None,
    };
    if text.starts_with('\u{feff}') {
        reader.at = 3;
    }
    let root = if reader.json { reader.json() } else { reader.toml() };
    Reading { root, spot: reader.spot }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    cursor: usize,
    json: bool,
    /// Where it reads.
    place: Vec<KeySegment>,
    /// Whether the cursor is in a comment.
    dead: bool,
    spot: Option<Spot>,
}

impl Reader<'_> {
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

    /// Whether the cursor is in this part, or at one of its ends.
    fn on(&self, span: &Range<usize>) -> bool {
        span.start <= self.cursor && self.cursor <= span.end
    }

    fn found(&mut self, what: What, span: Range<usize>) {
        if self.spot.is_none() && !self.dead {
            self.spot = Some(Spot { what, place: KeyPath(self.place.clone()), span });
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        self.skip_while(|c| c != '\n');
        self.dead |= start < self.cursor && self.cursor <= self.at;
    }

    /// Blanks and comments; inside brackets line ends as well. Gives back what it passed.
    fn space(&mut self, inside: bool) -> Range<usize> {
        let start = self.at;
        loop {
            self.skip_while(|c| c == ' ' || c == '\t' || (inside && (c == '\n' || c == '\r')));
            if self.json || !inside || self.peek() != Some('#') {
                return start..self.at;
            }
            self.comment();
        }
    }

    /// Where nothing stands that what is typed there could run into: an empty place for a key or a
    /// value.
    fn is_free(&self, passed: &Range<usize>) -> bool {
        let closed = self.peek().is_none_or(|c| ",}]#\n\r".contains(c));
        self.on(passed) && (closed || self.text[self.cursor..passed.end].contains('\n'))
    }

    fn toml(&mut self) -> Node {
        let mut root = Node { span: 0..0, content: Content::Table(Vec::new()) };
        while self.at < self.text.len() {
            let passed = self.space(false);
            let fresh = passed.start == 0 || self.text[..passed.start].ends_with('\n');
            if fresh && self.is_free(&passed) && self.peek() != Some('#') {
                self.found(What::KeySegment { assigned: false }, self.cursor..self.cursor);
            }
            match self.peek() {
                Some('\n' | '\r') => self.skip(),
                Some('[') => self.header(&mut root),
                Some('#') => self.comment(),
                _ => {
                    let mut entries = Vec::new();
                    self.entry(&mut entries, false);
                    if let Some(Node { content: Content::Table(known), .. }) =
                        descend(&mut root, &self.place)
                    {
                        merge(known, entries);
                    }
                    self.skip_while(|c| c != '\n' && c != '#');
                }
            }
        }
        // The last line, where nothing has been typed yet.
        if self.cursor == self.at && !self.text.ends_with(|c| c != '\n') {
            self.found(What::KeySegment { assigned: false }, self.cursor..self.cursor);
        }
        root
    }

    fn json(&mut self) -> Node {
        self.space(true);
        match self.peek() {
            Some('{') => self.table(),
            _ => Node { span: 0..0, content: Content::Table(Vec::new()) },
        }
    }

    /// A line such as `[[group.steer]]`: what comes after it stands in that table.
    fn header(&mut self, root: &mut Node) {
        let start = self.at;
        self.skip();
        let list = self.peek() == Some('[');
        if list {
            self.skip();
        }
        let mut names = Vec::new();
        loop {
            self.space(false);
            let (name, _) = self.key();
            names.extend(Some(name).filter(|name| !name.is_empty()));
            self.space(false);
            if self.peek() != Some('.') {
                break;
            }
            self.skip();
        }
        self.skip_while(|c| c == ']');
        let span = start..self.at;
        self.place.clear();
        if self.on(&span) && self.cursor > start {
            self.found(What::Header, span);
        }
        let Some((last, above)) = names.split_last() else { return };
        let mut node = root;
        for name in above {
            let Some(inner) = child(node, name) else { return };
            self.place.push(KeySegment::Name(name.clone()));
            node = inner;
            // What is in a list belongs to its last table.
            if let Content::List(items) = &node.content
                && !items.is_empty()
            {
                let last = items.len() - 1;
                self.place.push(KeySegment::At(last));
                let Content::List(items) = &mut node.content else { return };
                node = &mut items[last];
            }
        }
        let Some(node) = child(node, last) else { return };
        self.place.push(KeySegment::Name(last.clone()));
        if list {
            if matches!(&node.content, Content::Table(entries) if entries.is_empty()) {
                node.content = Content::List(Vec::new());
            }
            if let Content::List(items) = &mut node.content {
                items.push(Node { span: start..self.at, content: Content::Table(Vec::new()) });
                self.place.push(KeySegment::At(items.len() - 1));
            }
        }
    }

    /// Whether the line that begins here is a header: whoever is typing above it has left a bracket
    /// open.
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

    /// A key, in quotes or not; empty where none stands.
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

    /// A key with its value, as far as they are there. Always takes something.
    fn entry(&mut self, entries: &mut Vec<Entry>, inside: bool) {
        let (depth, begin) = (self.place.len(), self.at);
        let mut names: Vec<(String, Range<usize>)> = Vec::new();
        let mut cursor = None;
        loop {
            let (name, span) = self.key();
            if self.on(&span) && self.at > begin {
                cursor = Some((names.len(), span.clone()));
            }
            names.push((name, span));
            self.space(false);
            if self.json || self.peek() != Some('.') {
                break;
            }
            self.skip();
            self.space(false);
        }
        let assigned = self.peek() == Some(if self.json { ':' } else { '=' });
        if let Some((i, span)) = cursor {
            self.place.extend(names[..i].iter().map(|(name, _)| KeySegment::Name(name.clone())));
            self.found(What::KeySegment { assigned }, span);
            self.place.truncate(depth);
        }
        if assigned {
            self.skip();
            self.place.extend(names.iter().map(|(name, _)| KeySegment::Name(name.clone())));
            let node = self.value(inside);
            self.place.truncate(depth);
            let mut node = node;
            for (key, span) in names.drain(1..).rev() {
                node = Node {
                    span: span.clone(),
                    content: Content::Table(vec![Entry { key, span, node }]),
                };
            }
            let whole =
                names.into_iter().map(|(key, span)| Entry { key, span, node: node.clone() });
            merge(entries, whole.collect());
        } else if self.at == begin {
            self.skip();
        }
    }

    /// A value, as far as it is there; `inside` brackets it may begin in a later line.
    fn value(&mut self, inside: bool) -> Node {
        let passed = self.space(inside);
        if self.is_free(&passed) {
            self.found(What::Value, self.cursor..self.cursor);
        }
        let start = self.at;
        let deep = self.place.len() > DEEPEST;
        let content = match self.peek() {
            None | Some('\n' | '\r' | ',' | '}' | ']' | '#') => NOTHING,
            Some('[') if !deep => return self.list(),
            Some('{') if !deep => return self.table(),
            Some('"' | '\'') => {
                let text = self.string();
                if self.on(&(start..self.at)) {
                    self.found(What::Value, start..self.at);
                }
                Content::Text(text)
            }
            Some(_) => {
                self.skip();
                self.skip_while(|c| !c.is_whitespace() && !",}]#".contains(c));
                if self.on(&(start..self.at)) {
                    self.found(What::Value, start..self.at);
                }
                plain(&self.text[start..self.at])
            }
        };
        Node { span: start..self.at, content }
    }

    /// A text in quotes, or what there is of it: one that nobody has closed ends with its line.
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
            self.place.push(KeySegment::At(items.len()));
            let begin = self.at;
            let node = self.value(true);
            self.place.pop();
            items.extend(Some(node).filter(|node| node.content != NOTHING));
            self.space(true);
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
        let mut fresh = true;
        loop {
            let passed = self.space(true);
            if fresh && self.is_free(&passed) {
                self.found(What::KeySegment { assigned: false }, self.cursor..self.cursor);
            }
            if self.is_header() {
                break;
            }
            fresh = false;
            match self.peek() {
                None | Some(']') => break,
                Some('}') => {
                    self.skip();
                    break;
                }
                Some(',') => {
                    self.skip();
                    fresh = true;
                }
                _ => self.entry(&mut entries, true),
            }
        }
        Node { span: start..self.at, content: Content::Table(entries) }
    }
}

/// A number, `true` or `false`.
fn plain(text: &str) -> Content {
    match text {
        "true" => Content::Bool(true),
        "false" => Content::Bool(false),
        _ => text
            .parse()
            .map(Content::Integer)
            .or_else(|_| text.parse().map(Content::Number))
            .unwrap_or(NOTHING),
    }
}

/// What stands at `place`, of which all is there.
fn descend<'n>(root: &'n mut Node, place: &[KeySegment]) -> Option<&'n mut Node> {
    place.iter().try_fold(root, |node, key| match (key, &mut node.content) {
        (KeySegment::Name(name), Content::Table(entries)) => {
            entries.iter_mut().find(|entry| entry.key == *name).map(|entry| &mut entry.node)
        }
        (KeySegment::At(i), Content::List(items)) => items.get_mut(*i),
        _ => None,
    })
}

/// The table under this name, made where it is not there.
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

/// Adds entries to a table; of a table that both have, what is in it.
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
