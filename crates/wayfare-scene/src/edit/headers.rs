//! Editing the lines of TOML that stand under headers, with `toml_edit`, which keeps comments,
//! order and spacing.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value};
use wayfare::crowd::{KeyPath, KeySegment};

/// A place of a document.
enum Spot<'a> {
    Table(&'a mut Table),
    Tables(&'a mut ArrayOfTables),
    Value(&'a mut Value),
}

impl<'a> Spot<'a> {
    fn of(item: &'a mut Item) -> Option<Self> {
        match item {
            Item::Table(table) => Some(Spot::Table(table)),
            Item::ArrayOfTables(tables) => Some(Spot::Tables(tables)),
            Item::Value(value) => Some(Spot::Value(value)),
            Item::None => None,
        }
    }

    fn step(self, key: &KeySegment) -> Option<Self> {
        match (self, key) {
            (Spot::Table(table), KeySegment::Name(name)) => Self::of(table.get_mut(name)?),
            (Spot::Tables(tables), KeySegment::At(i)) => tables.get_mut(*i).map(Spot::Table),
            (Spot::Value(Value::InlineTable(table)), KeySegment::Name(name)) => {
                table.get_mut(name).map(Spot::Value)
            }
            (Spot::Value(Value::Array(items)), KeySegment::At(i)) => {
                items.get_mut(*i).map(Spot::Value)
            }
            _ => None,
        }
    }
}

/// What stands at `place` of a document.
fn at<'a>(document: &'a mut DocumentMut, place: &[KeySegment]) -> Option<Spot<'a>> {
    place.iter().try_fold(Spot::Table(document.as_table_mut()), Spot::step)
}

/// The text after `change` of what stands at `place`, with its mark, its line breaks and its end as
/// they were.
fn changed(
    text: &str,
    place: &[KeySegment],
    change: impl FnOnce(Spot<'_>) -> Option<()>,
) -> Option<String> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut document: DocumentMut = body.parse().ok()?;
    change(at(&mut document, place)?)?;
    let mut out = document.to_string();
    if !body.ends_with('\n') && out.ends_with('\n') {
        out.pop();
    }
    // All breaks are written as LF.
    let of_windows = body.matches("\r\n").count();
    if of_windows > 0 && of_windows == body.matches('\n').count() {
        out = out.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    Some(if body.len() < text.len() { format!("\u{feff}{out}") } else { out })
}

/// `name` with a value that is written as `value`, as the last key of the table at `place`.
pub(super) fn insert_key(text: &str, place: &KeyPath, name: &str, value: &str) -> Option<String> {
    let value: Value = value.parse().ok()?;
    changed(text, &place.0, |spot| match spot {
        Spot::Table(table) => {
            table.insert(name, Item::Value(value));
            Some(())
        }
        Spot::Value(Value::InlineTable(table)) => {
            table.insert(name, value);
            Some(())
        }
        _ => None,
    })
}

/// Without the key at `place`, however it is written.
pub(super) fn remove_key(text: &str, place: &KeyPath) -> Option<String> {
    let (KeySegment::Name(name), above) = place.0.split_last()? else { return None };
    changed(text, above, |spot| match spot {
        Spot::Table(table) => table.remove(name).map(|_| ()),
        Spot::Value(Value::InlineTable(table)) => table.remove(name).map(|_| ()),
        _ => None,
    })
}

/// A `[[header]]` more in the list at `place`, which may not be there yet, with the index `i` and
/// one key.
pub(super) fn insert_table(
    text: &str,
    place: &KeyPath,
    i: usize,
    name: &str,
    value: &str,
) -> Option<String> {
    let (KeySegment::Name(list), above) = place.0.split_last()? else { return None };
    let mut table = Table::new();
    table.insert(name, Item::Value(value.parse().ok()?));
    // Headers of lists follow one another without a blank line, unless those that are there do not.
    table.decor_mut().set_prefix("");
    changed(text, above, |spot| {
        let Spot::Table(outer) = spot else { return None };
        let Item::ArrayOfTables(tables) =
            outer.entry(list).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()))
        else {
            return None;
        };
        if let Some(prefix) = tables.iter().last().and_then(|last| last.decor().prefix()?.as_str())
        {
            let blank: String =
                prefix.chars().take_while(|c| c.is_whitespace()).filter(|c| *c == '\n').collect();
            table.decor_mut().set_prefix(blank);
        }
        tables.insert(i, table);
        Some(())
    })
}

/// Without the `[[header]]` with index `i` of the list at `place`, all that stands under it, and
/// the comment above it.
pub(super) fn remove_table(text: &str, place: &KeyPath, i: usize) -> Option<String> {
    changed(text, &place.0, |spot| match spot {
        Spot::Tables(tables) if i < tables.len() => {
            tables.remove(i);
            Some(())
        }
        _ => None,
    })
}

/// The `[[header]]` with index `i` and the one after it in each other's place, with all that stands
/// under them and above them.
pub(super) fn swap_tables(text: &str, place: &KeyPath, i: usize) -> Option<String> {
    changed(text, &place.0, |spot| {
        let Spot::Tables(tables) = spot else { return None };
        let mut pair = tables.iter_mut().skip(i);
        let (a, b) = (pair.next()?, pair.next()?);
        core::mem::swap(a, b);
        let mut order = Vec::new();
        for table in [&mut *a, &mut *b] {
            each(table, &mut |table| order.extend(table.position()));
        }
        order.sort_unstable();
        let mut order = order.into_iter();
        for table in [a, b] {
            each(table, &mut |table| table.set_position(order.next()));
        }
        Some(())
    })
}

/// `table` and all tables in it that have headers.
fn each(table: &mut Table, look: &mut impl FnMut(&mut Table)) {
    if table.position().is_some() {
        look(table);
    }
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(inner) => each(inner, look),
            Item::ArrayOfTables(inner) => inner.iter_mut().for_each(|table| each(table, look)),
            _ => {}
        }
    }
}
