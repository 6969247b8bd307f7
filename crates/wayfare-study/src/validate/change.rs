//! Changes to the text of a scene by the paths of keys, in the notation of sweeps:
//! `group.people.steer.pedestrian.tau`. All changes of a scene are made before it is read: between
//! two of them it may be one that is refused.

use toml_edit::{DocumentMut, Item, Value};
use wayfare::crowd::KeySegment;
use wayfare_scene::edit::Draft;

use super::suite::SuiteError;

/// The text of a scene in TOML with these values at these paths.
///
/// # Errors
/// The path that leads nowhere.
pub(super) fn changed<'a>(
    draft: &Draft,
    changes: impl Iterator<Item = (&'a str, toml::Value)>,
) -> Result<String, SuiteError> {
    let place = "its changes";
    let parsed = draft.text().parse::<DocumentMut>();
    let mut document = parsed.map_err(|e| SuiteError::new("its scene", e.to_string(), "TOML"))?;
    for (path, value) in changes {
        let found = draft.path(path).map_err(|e| SuiteError::new(place, e.message, e.allowed))?;
        let error = |message: String, allowed: &str| {
            SuiteError::new(place, format!("`{path}`: {message}"), allowed)
        };
        let value: Value = value
            .to_string()
            .parse()
            .map_err(|_| error(format!("its value is {value}"), "a value of TOML"))?;
        set(document.as_item_mut(), &found.0, value).map_err(|missing| {
            error(format!("there is no {missing}"), "a key of the scene, or a new one of a table")
        })?;
    }
    Ok(document.to_string())
}

/// Sets a value; in a table the last key may be new. Otherwise returns what is missing.
fn set(item: &mut Item, path: &[KeySegment], value: Value) -> Result<(), String> {
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
        (KeySegment::At(index), Item::ArrayOfTables(tables)) => {
            let count = tables.len();
            let table = tables.get_mut(*index);
            let table = table.ok_or_else(|| format!("entry {index}, of {count} entries"))?;
            in_table(table, rest, value)
        }
        (KeySegment::Name(_), Item::Table(table)) => in_table(table, path, value),
        (_, Item::Value(inner)) => in_value(inner, path, value),
        (KeySegment::At(index), _) => Err(format!("list with an entry {index}")),
        (KeySegment::Name(key), _) => Err(format!("table with `{key}`")),
    }
}

fn in_table(table: &mut toml_edit::Table, path: &[KeySegment], value: Value) -> Result<(), String> {
    match path {
        [KeySegment::Name(key)] if !table.contains_key(key) => {
            table.insert(key, Item::Value(value));
            Ok(())
        }
        [KeySegment::Name(key), rest @ ..] => {
            set(table.get_mut(key).ok_or_else(|| format!("`{key}`"))?, rest, value)
        }
        _ => Err("key at the end of the path".to_string()),
    }
}

fn in_value(outer: &mut Value, path: &[KeySegment], value: Value) -> Result<(), String> {
    let (inner, rest) = match (path, outer) {
        ([KeySegment::Name(key)], Value::InlineTable(table)) if !table.contains_key(key) => {
            table.insert(key, value);
            return Ok(());
        }
        ([KeySegment::Name(key), rest @ ..], Value::InlineTable(table)) => {
            (table.get_mut(key).ok_or_else(|| format!("`{key}`"))?, rest)
        }
        ([KeySegment::At(index), rest @ ..], Value::Array(list)) => {
            let count = list.len();
            let inner = list.get_mut(*index);
            (inner.ok_or_else(|| format!("entry {index}, of {count} entries"))?, rest)
        }
        ([KeySegment::At(index), ..], _) => return Err(format!("list with an entry {index}")),
        ([KeySegment::Name(key), ..], _) => return Err(format!("table with `{key}`")),
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
    use wayfare_scene::{Format, Source};

    const SCENE: &str = r#"
[bounds]
min = [0, -1] # the corner
max = [9, 9]
[[obstacle]]
segment = { from = [0, 1], to = [2, 3] }
[[group]]
name = "the people"
count = 1
spawn = { points = [[1, 1]] }
max_speed = 1
radius = 0.2
steer = [{ seek = { target = [1, 2] } }, { pedestrian = {} }]
"#;

    fn set_to(path: &str, value: toml::Value) -> Result<String, SuiteError> {
        let source = Source { name: "scene".to_string(), text: SCENE.to_string() };
        let draft = Draft::new(source, Format::Toml).unwrap();
        changed(&draft, std::iter::once((path, value)))
    }

    #[test]
    fn a_value_is_set_by_its_path_and_the_rest_of_the_text_stays() {
        for (path, old, new) in [
            ("bounds.min[1]", "[0, -1] # the corner", "[0, 7.5] # the corner"),
            ("obstacle[0].segment.to[0]", "[2, 3]", "[7.5, 3]"),
            ("group[0].steer.seek.target[1]", "[1, 2]", "[1, 7.5]"),
            ("group[0].steer[1].pedestrian.tau", "pedestrian = {}", "pedestrian = { tau = 7.5 }"),
            ("group[0].mass", "pedestrian = {} }]", "pedestrian = {} }]\nmass = 7.5"),
        ] {
            let text = set_to(path, toml::Value::Float(7.5)).unwrap();
            assert_eq!(text, SCENE.replace(old, new), "{path}");
        }
    }

    #[test]
    fn a_path_that_leads_nowhere_is_refused_with_what_is_missing() {
        for (path, missing) in [
            ("obstacle[3].segment.to[0]", "entry 3, of 1 entries"),
            ("field.min[0]", "`field`"),
            ("bounds.min[2]", "entry 2, of 2 entries"),
            ("group.guests.count", "guests"),
            ("bounds..min", "bounds..min"),
        ] {
            let error = set_to(path, toml::Value::Integer(1)).unwrap_err();
            assert!(error.message.contains(missing), "{error}");
        }
    }
}
