//! Paths that people write: `group.people.steer.arrive.slowing_radius`.

use wayfare::crowd::{KeyPath, KeySegment, ValidationError};

use super::Draft;
use crate::decode::{inherited, node_at, suggest};
use crate::document::Node;

impl Draft {
    /// The path of the value that `text` names. Beside the notation of [`KeyPath::read`], an entry
    /// of a list can be named: a group, a state or a measure by its `name`, an entry of a list of
    /// behaviors by its behavior, and a table with exactly one of several kinds by its kind.
    ///
    /// ```
    /// use wayfare_scene::{Format, Source, edit::Draft};
    /// let text = r#"
    /// [[group]]
    /// name = "guest"
    /// spawn = { points = [[0, 0]] }
    /// max_speed = 3
    /// steer = [{ arrive = { target = [100, 50], slowing_radius = 240 } }]
    /// "#;
    /// let source = Source { name: "guest.toml".to_string(), text: text.to_string() };
    /// let draft = Draft::new(source, Format::Toml).expect("the text is a scene");
    /// let path = draft.path("group.guest.steer.arrive.slowing_radius")?;
    /// assert_eq!(path.to_string(), "group[0].steer[0].arrive.slowing_radius");
    /// # Ok::<(), wayfare::crowd::ValidationError>(())
    /// ```
    ///
    /// # Errors
    /// `text` is no path, or a list has no such entry; the names that it has are listed.
    pub fn path(&self, text: &str) -> Result<KeyPath, ValidationError> {
        let Some(written) = KeyPath::read(text) else {
            return Err(ValidationError {
                key_path: KeyPath::default(),
                message: format!("`{text}` is no path"),
                allowed: "keys and names with points between them, such as \
                          group.people.max_speed"
                    .to_string(),
            });
        };
        let mut path = KeyPath::default();
        for segment in written.0 {
            let here = node_at(&self.root, &path).or_else(|| inherited(&self.root, &path));
            if let (KeySegment::Name(name), Some(items)) = (&segment, here.and_then(Node::list)) {
                let Some(index) = named(items, name) else {
                    return Err(no_entry(path, name, items));
                };
                path = path.at(index);
                // The name of an entry is its `name`, or a key in it.
                if has_name(&items[index], name) {
                    continue;
                }
            }
            path.0.push(segment);
        }
        Ok(path)
    }
}

fn has_name(item: &Node, name: &str) -> bool {
    item.get("name").and_then(Node::text) == Some(name)
}

/// The index of the only entry with this name, or else of the only one with this key.
fn named(items: &[Node], name: &str) -> Option<usize> {
    let only = |is: &dyn Fn(&Node) -> bool| {
        let mut found = items.iter().enumerate().filter(|(_, item)| is(item));
        found.next().filter(|_| found.next().is_none()).map(|(index, _)| index)
    };
    only(&|item| has_name(item, name)).or_else(|| only(&|item| item.get(name).is_some()))
}

fn no_entry(path: KeyPath, name: &str, items: &[Node]) -> ValidationError {
    let named = items.iter().filter_map(|item| item.get("name").and_then(Node::text));
    let mut known: Vec<&str> = named.collect();
    if known.is_empty() {
        known = { items.iter().flat_map(|item| item.table().unwrap_or_default()) }
            .map(|entry| entry.key.as_str())
            .collect();
    }
    let count = known.iter().filter(|other| **other == name).count();
    let message = if count > 1 {
        format!("`{path}` has {count} entries `{name}`")
    } else {
        let likely = suggest::nearest(name, &known, suggest::LIKELY);
        let likely = likely.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        format!("`{path}` has no `{name}`{likely}")
    };
    known.sort_unstable();
    known.dedup();
    let last = items.len().saturating_sub(1);
    let index = format!("an index, from {path}[0] to {path}[{last}]");
    let allowed = match &known[..] {
        [] => index,
        _ if count > 0 => index,
        names => names.join(", "),
    };
    ValidationError { key_path: path, message, allowed }
}
