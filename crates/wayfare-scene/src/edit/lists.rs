//! Edits of lists of behaviors: adding, removing, moving and disabling entries.

use wayfare::crowd::{KeyPath, KeySegment, ValidationError};

use super::control::BehaviorList;
use super::inline::is_inline;
use super::suggestions::Suggestions;
use super::value::Value;
use super::{Draft, Names, first_error, inline, prefix, tables};
use crate::decode::node_at;
use crate::document::{self, Format};

impl Draft {
    /// Adds a behavior to the list with the path `list`, at `index` or else as the last entry. Its
    /// required parameters get values that suit the scene.
    ///
    /// # Errors
    /// There is no such list or behavior, the scene lacks what the behavior needs, or it is not
    /// allowed at that index. Then nothing has changed.
    pub fn add(
        &mut self,
        list: &KeyPath,
        index: usize,
        behavior: &str,
    ) -> Result<(), ValidationError> {
        let index = index.min(self.list(list)?.entries.len());
        if let Some(own) = self.with_own_list(list)? {
            return self.replace_by(own, |own| own.add(list, index, behavior));
        }
        let path = list.at(index);
        let behaviors = self.behaviors();
        let Some(description) = behaviors.find(behavior) else {
            let names: Vec<&str> = behaviors.all().iter().map(|known| known.name).collect();
            return Err(ValidationError {
                key_path: path,
                message: format!("`{behavior}` is no behavior"),
                allowed: names.join(", "),
            });
        };
        let mut suggestions = Suggestions::of(&self.root);
        let group = node_at(&self.root, &prefix(list, 2));
        if let Some(group) = group {
            suggestions.enter_group(group);
        }
        let parameters = suggestions
            .required_parameters(description.parameters, &Names::of(&self.root))
            .map_err(|missing| ValidationError {
                key_path: path.clone(),
                message: format!("`{behavior}` needs {missing}, and the scene has none"),
                allowed: format!("a scene with {missing}"),
            })?;
        let parameters = Value::Table(parameters);
        let list_node = node_at(&self.root, list);
        let is_under_headers = match list_node {
            Some(node) => !is_inline(self.text(), node),
            // A new list is written under headers if it belongs to a group under a header.
            None => list.0.len() == 3 && group.is_some_and(|node| !is_inline(self.text(), node)),
        };
        let text = if is_under_headers {
            let parameters = parameters.write(Format::Toml);
            tables::insert_table(self.text(), list, index, behavior, &parameters)
        } else {
            let entry = Value::Table(vec![(behavior.to_string(), parameters)]);
            match list_node {
                Some(node) => {
                    let entry = entry.write(self.format);
                    Some(inline::insert(self.text(), node, index, &entry))
                }
                None => self.with_key(list, Value::List(vec![entry])),
            }
        };
        self.accept(&path, text.ok_or_else(|| self.not_editable(&path))?)?;
        self.moves.add(list, index);
        Ok(())
    }

    /// Removes an entry from its list of behaviors, together with its comments.
    ///
    /// # Errors
    /// There is no such entry. Then nothing has changed.
    pub fn remove(&mut self, entry: &KeyPath) -> Result<(), ValidationError> {
        let (list, index) = self.list_and_index(entry)?;
        if let Some(own) = self.with_own_list(entry)? {
            return self.replace_by(own, |own| own.remove(entry));
        }
        let text = match node_at(&self.root, &list.key_path) {
            Some(node) if is_inline(self.text(), node) => inline::remove(self.text(), node, index),
            _ => tables::remove_table(self.text(), &list.key_path, index),
        };
        self.accept(entry, text.ok_or_else(|| self.not_editable(entry))?)?;
        self.moves.remove(&list.key_path, index);
        Ok(())
    }

    /// Moves an entry to the index `to`, or to the end, of its list of behaviors, together with its
    /// comments.
    ///
    /// # Errors
    /// There is no such entry, or it is not allowed at that index, such as a `queue` that would not
    /// be the last. Then nothing has changed.
    pub fn move_to(&mut self, entry: &KeyPath, to: usize) -> Result<(), ValidationError> {
        let (list, mut index) = self.list_and_index(entry)?;
        if let Some(own) = self.with_own_list(entry)? {
            return self.replace_by(own, |own| own.move_to(entry, to));
        }
        let to = to.min(list.entries.len() - 1);
        let (mut text, mut moves) = (self.text().to_string(), self.moves.clone());
        while index != to {
            let next = if to > index { index + 1 } else { index - 1 };
            let first = index.min(next);
            let root = document::parse(&text, self.format)
                .map_err(|problems| first_error(entry, problems))?;
            let swapped = match node_at(&root, &list.key_path) {
                Some(node) if is_inline(&text, node) => inline::swap(&text, node, first),
                _ => tables::swap_tables(&text, &list.key_path, first),
            };
            text = swapped.ok_or_else(|| self.not_editable(entry))?;
            moves.swap(&list.key_path, first);
            index = next;
        }
        self.accept(entry, text)?;
        self.moves = moves;
        Ok(())
    }

    /// Switches an entry of a list of behaviors on or off. The text of the entry stays, and gets or
    /// loses `off = true`.
    ///
    /// # Errors
    /// There is no such entry. Then nothing has changed.
    pub fn set_enabled(&mut self, entry: &KeyPath, enabled: bool) -> Result<(), ValidationError> {
        self.list_and_index(entry)?;
        let off = entry.key("off");
        if enabled { self.reset(&off) } else { self.set(&off, true) }
    }

    fn list(&self, path: &KeyPath) -> Result<BehaviorList, ValidationError> {
        let lists = self.lists();
        if let Some(list) = lists.iter().find(|list| list.key_path == *path) {
            return Ok(list.clone());
        }
        let known: Vec<String> = lists.iter().map(|list| list.key_path.to_string()).collect();
        Err(ValidationError {
            key_path: path.clone(),
            message: "there is no list of behaviors".to_string(),
            allowed: known.join(", "),
        })
    }

    /// The list that `entry` is in, and its index there.
    fn list_and_index(&self, entry: &KeyPath) -> Result<(BehaviorList, usize), ValidationError> {
        let Some((KeySegment::At(index), list)) = entry.0.split_last() else {
            return Err(self.not_editable(entry));
        };
        let list = self.list(&KeyPath(list.to_vec()))?;
        if *index < list.entries.len() {
            return Ok((list, *index));
        }
        let allowed = match list.entries.len() {
            0 => "nothing: the list is empty".to_string(),
            count => format!("an index from 0 to {}", count - 1),
        };
        Err(ValidationError {
            key_path: entry.clone(),
            message: format!("there is no behavior {index} in the list"),
            allowed,
        })
    }
}
