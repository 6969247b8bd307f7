//! Tables and their keys.

use super::{Decoder, to_f32};
use crate::document::{Entry, Node};
use crate::format::{Table, ValueKind};
use wayfare::parameter::Range;
use wayfare::vector::Vector;

/// A key that a table can have, and whether it is required.
pub(crate) type AllowedKey = (&'static str, bool);

impl Decoder {
    /// The entries of a table with these keys. Reports unknown keys and required keys that are
    /// missing.
    pub(crate) fn table_entries<'n>(
        &mut self,
        table_name: &str,
        node: &'n Node,
        allowed: &[AllowedKey],
    ) -> Option<&'n [Entry]> {
        let names: Vec<&str> = allowed.iter().map(|(name, _)| *name).collect();
        let Some(entries) = node.table() else {
            self.wrong(table_name, node, format!("a table with the keys {}", names.join(", ")));
            return None;
        };
        self.report_unknown_keys(table_name, entries, &names);
        for (name, _) in allowed.iter().filter(|(_, required)| *required) {
            if self.misses(node, name) {
                self.problem(
                    self.head_of(node),
                    format!("`{table_name}` has no `{name}`"),
                    format!("`{name}` must be given"),
                );
            }
        }
        Some(entries)
    }

    /// The entries of a table with this description; messages call it `table_name`. Reports the
    /// same mistakes as [`table_entries`](Self::table_entries), with examples.
    pub(crate) fn described_entries<'n>(
        &mut self,
        table_name: &str,
        node: &'n Node,
        table: &'static Table,
    ) -> Option<&'n [Entry]> {
        let Some(entries) = node.table() else {
            self.wrong(table_name, node, format!("a table such as {}", table.example));
            return None;
        };
        // Keys for editors only, such as `$schema`, are not offered.
        let names: Vec<&str> = table
            .keys
            .iter()
            .map(|key| key.name)
            .filter(|name| !name.starts_with('$') || node.get(name).is_some())
            .collect();
        self.report_unknown_keys(table_name, entries, &names);
        for key in table.keys.iter().filter(|key| key.required) {
            if self.misses(node, key.name) {
                let (name, example) = (key.name, key.example_value());
                let allowed = format!("`{name}` must be given, such as {name} = {example}");
                self.problem(
                    self.head_of(node),
                    format!("`{table_name}` has no `{name}`"),
                    allowed,
                );
            }
        }
        Some(entries)
    }

    /// The same as [`described_entries`](Self::described_entries), for reading the keys by their
    /// descriptions.
    pub(crate) fn described_table<'n>(
        &mut self,
        table_name: &str,
        node: &'n Node,
        table: &'static Table,
    ) -> Option<TableNode<'n>> {
        self.described_entries(table_name, node, table).map(|_| TableNode { node, table })
    }

    fn report_unknown_keys(&mut self, table_name: &str, entries: &[Entry], names: &[&str]) {
        let mut misspelt = Vec::new();
        for entry in entries.iter().filter(|entry| !names.contains(&entry.key.as_str())) {
            let message = format!("the key `{}` is not known in `{table_name}`", entry.key);
            misspelt
                .extend(self.unknown_key(table_name, entry, &message, names).map(str::to_string));
        }
        self.misspelt = misspelt;
    }

    /// The entries of a table of named tables, such as `path` with `[path.beat]`; `example` is such
    /// a header.
    pub(crate) fn named_tables<'n>(
        &mut self,
        table_name: &str,
        node: &'n Node,
        table: &'static Table,
        example: &str,
    ) -> &'n [Entry] {
        let allowed = format!("a name for each, such as {example}");
        let Some(entries) = node.table() else {
            self.wrong(table_name, node, allowed);
            return &[];
        };
        let is_unnamed =
            |entry: &&Entry| entry.node.table().is_none() && table.key(&entry.key).is_some();
        if let Some(first) = entries.iter().find(is_unnamed) {
            let message = format!("`{table_name}` has the key `{}`, and no name", first.key);
            self.problem(first.span.clone(), message, allowed);
            return &[];
        }
        entries
    }

    /// The key and value of a table that has exactly one of its alternatives, such as a shape.
    pub(crate) fn one_of<'n>(
        &mut self,
        table_name: &str,
        node: &'n Node,
        table: &'static Table,
    ) -> Option<(&'static str, &'n Node)> {
        let before = self.problems.len();
        let entries = self.described_entries(table_name, node, table)?;
        let alternatives = || table.one_of.iter().flat_map(|keys| keys.iter().copied());
        let found: Vec<_> = { entries.iter() }
            .filter_map(|e| alternatives().find(|name| *name == e.key).map(|name| (name, e)))
            .collect();
        if let [(kind, entry)] = found[..] {
            return Some((kind, &entry.node));
        }
        let kinds: Vec<&str> = alternatives().collect();
        if let [(first, _), (second, entry), ..] = found[..] {
            self.problem(
                entry.span.clone(),
                format!("`{table_name}` has a `{second}` beside its `{first}`"),
                format!("one of {}", kinds.join(", ")),
            );
        } else if self.problems.len() == before {
            self.problem(
                self.head_of(node),
                format!("`{table_name}` is empty"),
                format!("one of {}, such as {}", kinds.join(", "), table.example),
            );
        }
        None
    }
}

/// A table of a file with its description, by which its keys are read.
///
/// Each reader returns `None` where the key is missing or its value is wrong; those that end in
/// `_or` return the default where the key is missing.
#[derive(Clone, Copy)]
pub(crate) struct TableNode<'n> {
    pub(crate) node: &'n Node,
    pub(crate) table: &'static Table,
}

impl<'n> TableNode<'n> {
    pub(crate) fn get(&self, key: &str) -> Option<&'n Node> {
        self.node.get(key)
    }

    pub(crate) fn entry(&self, key: &str) -> Option<&'n Entry> {
        self.node.table()?.iter().find(|entry| entry.key == key)
    }

    fn range(&self, key: &str) -> Range {
        self.table.key(key).map_or(wayfare::crowd::range::STAT, |key| key.range())
    }

    pub(crate) fn number(&self, decoder: &mut Decoder, key: &str) -> Option<f64> {
        decoder.number(key, self.get(key)?, self.range(key))
    }

    pub(crate) fn number_or(&self, decoder: &mut Decoder, key: &str, default: f64) -> Option<f64> {
        if self.get(key).is_none() { Some(default) } else { self.number(decoder, key) }
    }

    /// The number, or `default` where it is missing or wrong.
    pub(crate) fn f32(&self, decoder: &mut Decoder, key: &str, default: f32) -> f32 {
        self.number(decoder, key).map_or(default, to_f32)
    }

    pub(crate) fn integer(&self, decoder: &mut Decoder, key: &str) -> Option<usize> {
        let (least, most) = match self.table.key(key)?.kind {
            ValueKind::Integer(least, most) => (least, most),
            _ => (0, u64::MAX),
        };
        decoder.integer(key, self.get(key)?, least, most)
    }

    pub(crate) fn integer_or(
        &self,
        decoder: &mut Decoder,
        key: &str,
        default: usize,
    ) -> Option<usize> {
        if self.get(key).is_none() { Some(default) } else { self.integer(decoder, key) }
    }

    /// The index of the word among those that the key takes.
    pub(crate) fn word(&self, decoder: &mut Decoder, key: &str) -> Option<usize> {
        let ValueKind::Word(words) = self.table.key(key)?.kind else { return None };
        decoder.word(key, self.get(key)?, words)
    }

    pub(crate) fn flag(&self, decoder: &mut Decoder, key: &str) -> Option<bool> {
        decoder.flag(key, self.get(key)?)
    }

    pub(crate) fn text(&self, decoder: &mut Decoder, key: &str) -> Option<String> {
        decoder.text(key, self.get(key)?)
    }

    pub(crate) fn point<V: Vector>(&self, decoder: &mut Decoder, key: &str) -> Option<V> {
        decoder.point(key, self.get(key)?)
    }
}
