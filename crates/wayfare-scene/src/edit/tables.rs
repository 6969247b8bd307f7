//! Edits of TOML tables under headers, with `toml_edit`, which keeps comments, order and spacing.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value};
use wayfare::crowd::{KeyPath, KeySegment};

/// An element of a document that can be edited.
enum Element<'a> {
    Table(&'a mut Table),
    Tables(&'a mut ArrayOfTables),
    Value(&'a mut Value),
}

impl<'a> Element<'a> {
    fn of(item: &'a mut Item) -> Option<Self> {
        match item {
            Item::Table(table) => Some(Element::Table(table)),
            Item::ArrayOfTables(tables) => Some(Element::Tables(tables)),
            Item::Value(value) => Some(Element::Value(value)),
            Item::None => None,
        }
    }

    fn child(self, key: &KeySegment) -> Option<Self> {
        match (self, key) {
            (Element::Table(table), KeySegment::Name(name)) => Self::of(table.get_mut(name)?),
            (Element::Tables(tables), KeySegment::At(i)) => tables.get_mut(*i).map(Element::Table),
            (Element::Value(Value::InlineTable(table)), KeySegment::Name(name)) => {
                table.get_mut(name).map(Element::Value)
            }
            (Element::Value(Value::Array(items)), KeySegment::At(i)) => {
                items.get_mut(*i).map(Element::Value)
            }
            _ => None,
        }
    }
}

/// The element at `path` of a document.
fn element_at<'a>(document: &'a mut DocumentMut, path: &[KeySegment]) -> Option<Element<'a>> {
    path.iter().try_fold(Element::Table(document.as_table_mut()), Element::child)
}

/// The text after `change` of the element at `path`. The byte order mark, the line breaks and the
/// end of the text stay as they were.
fn changed(
    text: &str,
    path: &[KeySegment],
    change: impl FnOnce(Element<'_>) -> Option<()>,
) -> Option<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut document: DocumentMut = body.parse().ok()?;
    change(element_at(&mut document, path)?)?;
    let mut out = document.to_string();
    if !body.ends_with('\n') && out.ends_with('\n') {
        out.pop();
    }
    // toml_edit writes all line breaks as LF.
    let crlf_count = body.matches("\r\n").count();
    if crlf_count > 0 && crlf_count == body.matches('\n').count() {
        out = out.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    Some(if body.len() < text.len() { format!("\u{feff}{out}") } else { out })
}

/// The text with the key `name`, whose value is written as `value`, at the end of the table at
/// `path`.
pub(super) fn insert_key(text: &str, path: &KeyPath, name: &str, value: &str) -> Option<String> {
    let value: Value = value.parse().ok()?;
    changed(text, &path.0, |element| match element {
        Element::Table(table) => {
            table.insert(name, Item::Value(value));
            Some(())
        }
        Element::Value(Value::InlineTable(table)) => {
            table.insert(name, value);
            Some(())
        }
        _ => None,
    })
}

/// The text without the key at `path`, in any notation.
pub(super) fn remove_key(text: &str, path: &KeyPath) -> Option<String> {
    let (KeySegment::Name(name), outer) = path.0.split_last()? else { return None };
    changed(text, outer, |element| match element {
        Element::Table(table) => table.remove(name).map(|_| ()),
        Element::Value(Value::InlineTable(table)) => table.remove(name).map(|_| ()),
        _ => None,
    })
}

/// The text with a `[[header]]` inserted at `index` of the list at `path`, with one key below it.
/// The list is created where it is missing.
pub(super) fn insert_table(
    text: &str,
    path: &KeyPath,
    index: usize,
    name: &str,
    value: &str,
) -> Option<String> {
    let (KeySegment::Name(list), outer) = path.0.split_last()? else { return None };
    let mut table = Table::new();
    table.insert(name, Item::Value(value.parse().ok()?));
    // There is a blank line before the new header only if the last header of the list has one.
    table.decor_mut().set_prefix("");
    changed(text, outer, |element| {
        let Element::Table(table_of_list) = element else { return None };
        let Item::ArrayOfTables(tables) =
            table_of_list.entry(list).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()))
        else {
            return None;
        };
        if let Some(prefix) = tables.iter().last().and_then(|last| last.decor().prefix()?.as_str())
        {
            let blank: String =
                prefix.chars().take_while(|c| c.is_whitespace()).filter(|c| *c == '\n').collect();
            table.decor_mut().set_prefix(blank);
        }
        tables.insert(index, table);
        Some(())
    })
}

/// The text without the `[[header]]` at `index` of the list at `path`, without all keys below it
/// and the comment above it.
pub(super) fn remove_table(text: &str, path: &KeyPath, index: usize) -> Option<String> {
    changed(text, &path.0, |element| match element {
        Element::Tables(tables) if index < tables.len() => {
            tables.remove(index);
            Some(())
        }
        _ => None,
    })
}

/// The text with the `[[header]]`s at `index` and `index + 1` swapped, each with the keys below it
/// and the comment above it.
pub(super) fn swap_tables(text: &str, path: &KeyPath, index: usize) -> Option<String> {
    changed(text, &path.0, |element| {
        let Element::Tables(tables) = element else { return None };
        let mut pair = tables.iter_mut().skip(index);
        let (a, b) = (pair.next()?, pair.next()?);
        core::mem::swap(a, b);
        let mut order = Vec::new();
        for table in [&mut *a, &mut *b] {
            for_each_header(table, &mut |table| order.extend(table.position()));
        }
        order.sort_unstable();
        let mut order = order.into_iter();
        for table in [a, b] {
            for_each_header(table, &mut |table| table.set_position(order.next()));
        }
        Some(())
    })
}

/// Calls `visit` with `table` and all tables in it that have headers.
fn for_each_header(table: &mut Table, visit: &mut impl FnMut(&mut Table)) {
    if table.position().is_some() {
        visit(table);
    }
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(inner) => for_each_header(inner, visit),
            Item::ArrayOfTables(inner) => {
                inner.iter_mut().for_each(|table| for_each_header(table, visit))
            }
            _ => {}
        }
    }
}
