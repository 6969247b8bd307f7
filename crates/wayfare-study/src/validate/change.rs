//! Changes to the text of a scene by the paths of keys: `group.people.steer[1].pedestrian.tau`.
//!
//! An entry of a list is named by its index, from 0, or by its `name`.

use toml_edit::{DocumentMut, Item, Value};

use super::suite::SuiteError;

/// A part of a path.
#[derive(Clone, Debug, PartialEq)]
enum Segment {
    Key(String),
    At(usize),
}

/// The text of a scene in TOML with these values at these paths.
///
/// # Errors
/// The path that leads nowhere.
pub(super) fn changed<'a>(
    text: &str,
    changes: impl Iterator<Item = (&'a str, toml::Value)>,
) -> Result<String, SuiteError> {
    let mut document: DocumentMut = text
        .parse()
        .map_err(|e: toml_edit::TomlError| SuiteError::new("its scene", e.to_string(), "TOML"))?;
    for (path, value) in changes {
        let error = |message: String, allowed: &str| {
            SuiteError::new("its changes", format!("`{path}`: {message}"), allowed)
        };
        let segments = segments(path).ok_or_else(|| {
            error("it is no path of keys".to_string(), "such as group.people.count")
        })?;
        let value: Value = value
            .to_string()
            .parse()
            .map_err(|_| error(format!("its value is {value}"), "a value of TOML"))?;
        set(document.as_item_mut(), &segments, value).map_err(|missing| {
            error(format!("there is no {missing}"), "a key of the scene, or a new one of a table")
        })?;
    }
    Ok(document.to_string())
}

/// The parts of a path; keys may be in quotes.
fn segments(path: &str) -> Option<Vec<Segment>> {
    let (mut found, mut rest) = (Vec::new(), path);
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']')?;
            found.push(Segment::At(index.parse().ok()?));
            rest = after;
        } else if let Some(inner) = rest.strip_prefix('"') {
            let (key, after) = inner.split_once('"')?;
            found.push(Segment::Key(key.to_string()));
            rest = after;
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            if end == 0 {
                return None;
            }
            found.push(Segment::Key(rest[..end].to_string()));
            rest = &rest[end..];
        }
        if let Some(after) = rest.strip_prefix('.') {
            if after.is_empty() {
                return None;
            }
            rest = after;
        } else if !rest.is_empty() && !rest.starts_with('[') {
            return None;
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Sets a value; in a table the last key may be new. Otherwise returns what is missing.
fn set(item: &mut Item, path: &[Segment], value: Value) -> Result<(), String> {
    let Some((first, rest)) = path.split_first() else {
        match item.as_value_mut() {
            Some(old) => {
                let decor = old.decor().clone();
                *old = value;
                *old.decor_mut() = decor;
            }
            None => *item = Item::Value(value),
        }
        return Ok(());
    };
    match (first, &mut *item) {
        (Segment::Key(key), Item::ArrayOfTables(tables)) => {
            let is_named = |name: &Item| name.as_str() == Some(key);
            let found = tables.iter_mut().find(|table| table.get("name").is_some_and(is_named));
            let table = found.ok_or_else(|| format!("entry with the name \"{key}\""))?;
            in_table(table, rest, value)
        }
        (Segment::At(index), Item::ArrayOfTables(tables)) => {
            let count = tables.len();
            let table = tables.get_mut(*index);
            let table = table.ok_or_else(|| format!("entry {index}, of {count} entries"))?;
            in_table(table, rest, value)
        }
        (Segment::Key(_), Item::Table(table)) => in_table(table, path, value),
        (_, Item::Value(inner)) => in_value(inner, path, value),
        (Segment::At(index), _) => Err(format!("list with an entry {index}")),
        (Segment::Key(key), _) => Err(format!("table with `{key}`")),
    }
}

fn in_table(table: &mut toml_edit::Table, path: &[Segment], value: Value) -> Result<(), String> {
    match path {
        [Segment::Key(key)] if !table.contains_key(key) => {
            table.insert(key, Item::Value(value));
            Ok(())
        }
        [Segment::Key(key), rest @ ..] => {
            set(table.get_mut(key).ok_or_else(|| format!("`{key}`"))?, rest, value)
        }
        _ => Err("key at the end of the path".to_string()),
    }
}

fn in_value(outer: &mut Value, path: &[Segment], value: Value) -> Result<(), String> {
    let (inner, rest) = match (path, outer) {
        ([Segment::Key(key)], Value::InlineTable(table)) if !table.contains_key(key) => {
            table.insert(key, value);
            return Ok(());
        }
        ([Segment::Key(key), rest @ ..], Value::InlineTable(table)) => {
            (table.get_mut(key).ok_or_else(|| format!("`{key}`"))?, rest)
        }
        ([Segment::At(index), rest @ ..], Value::Array(list)) => {
            let count = list.len();
            let inner = list.get_mut(*index);
            (inner.ok_or_else(|| format!("entry {index}, of {count} entries"))?, rest)
        }
        ([Segment::At(index), ..], _) => return Err(format!("list with an entry {index}")),
        ([Segment::Key(key), ..], _) => return Err(format!("table with `{key}`")),
        ([], _) => return Ok(()),
    };
    if rest.is_empty() {
        let decor = inner.decor().clone();
        *inner = value;
        *inner.decor_mut() = decor;
        return Ok(());
    }
    in_value(inner, rest, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = r#"
[bounds]
min = [0, -1] # the corner
[[obstacle]]
segment = { from = [0, 1], to = [2, 3] }
[[group]]
name = "the people"
steer = [{ seek = { target = [1, 2] } }, { pedestrian = {} }]
"#;

    fn set_to(path: &str, value: toml::Value) -> Result<String, SuiteError> {
        changed(SCENE, std::iter::once((path, value)))
    }

    #[test]
    fn a_value_is_set_by_its_path_and_the_rest_of_the_text_stays() {
        for (path, old, new) in [
            ("bounds.min[1]", "[0, -1] # the corner", "[0, 7.5] # the corner"),
            ("obstacle[0].segment.to[0]", "[2, 3]", "[7.5, 3]"),
            ("group.\"the people\".steer[0].seek.target[1]", "[1, 2]", "[1, 7.5]"),
            ("group[0].steer[1].pedestrian.tau", "pedestrian = {}", "pedestrian = { tau = 7.5 }"),
        ] {
            let text = set_to(path, toml::Value::Float(7.5)).unwrap();
            assert_eq!(text, SCENE.replace(old, new), "{path}");
        }
        let text = set_to("group[0].count", toml::Value::Integer(3)).unwrap();
        assert!(text.ends_with("{ pedestrian = {} }]\ncount = 3\n"), "{text}");
    }

    #[test]
    fn a_path_that_leads_nowhere_is_refused_with_what_is_missing() {
        for (path, missing) in [
            ("group.guests.count", "there is no entry with the name \"guests\""),
            ("obstacle[3].segment.to[0]", "there is no entry 3, of 1 entries"),
            ("bounds.max[0]", "there is no `max`"),
            ("bounds.min[2]", "there is no entry 2, of 2 entries"),
            ("bounds.min.x", "there is no table with `x`"),
            ("bounds..min", "it is no path of keys"),
            ("", "it is no path of keys"),
        ] {
            let error = set_to(path, toml::Value::Integer(1)).unwrap_err();
            assert_eq!(error.message, format!("`{path}`: {missing}"));
        }
    }
}
