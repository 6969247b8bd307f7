//! Editing the text of a scene without losing its author's comments and layout.
//!
//! A [`Draft`] is the text of a scene that can be read at all times. [`Draft::controls`] lists the
//! editable values as data for a panel, and [`Draft::lists`] the lists of behaviors. Both are made
//! from the descriptions of the format and of the behaviors, so a new parameter has a control at
//! once. An edit changes only the bytes of the edited value. An edit after which the text is no
//! scene is refused and changes nothing. For undo, clone the draft.
//!
//! ```
//! use wayfare::crowd::KeyPath;
//! use wayfare_scene::{
//!     Format, Source,
//!     edit::{ControlKind, Draft},
//! };
//! let text = r#"
//! [[group]]
//! name = "guest"
//! spawn = { points = [[0, 0]] }
//! max_speed = 3 # a brisk walk
//! [[group.steer]]
//! arrive = { target = [100, 50], slowing_radius = 240 }
//! "#;
//! let source = Source { name: "guest.toml".to_string(), text: text.to_string() };
//! let mut draft = Draft::new(source, Format::Toml).expect("the text is a scene");
//! let path = KeyPath::read("group[0].steer[0].arrive.slowing_radius").unwrap();
//! let control = draft.control(&path).expect("arrive has a slowing radius");
//! let ControlKind::Number(number) = &control.kind else { panic!("it is not a number") };
//! assert_eq!((control.unit().name(), number.slider), ("length", [0.0, 500.0]));
//! assert_eq!(number.words, ["auto"]);
//!
//! draft.set(&path, 80.0)?;
//! draft.set(&KeyPath::read("group[0].max_speed").unwrap(), 4.5)?;
//! draft.add(&KeyPath::read("group[0].steer").unwrap(), 1, "wander")?;
//! assert!(draft.text().contains("max_speed = 4.5 # a brisk walk"));
//! assert!(draft.text().contains("arrive = { target = [100, 50], slowing_radius = 80 }"));
//! assert!(draft.text().contains("[[group.steer]]\nwander = {"));
//!
//! let error = draft.set(&path, -1.0).unwrap_err();
//! assert_eq!(error.message, "`slowing_radius` is the number -1");
//! assert_eq!(error.allowed, "a length from 0 to 1e9, or \"auto\"");
//! # Ok::<(), wayfare::crowd::ValidationError>(())
//! ```

use wayfare::Registry;
use wayfare::crowd::{Command, KeyPath, KeySegment, ValidationError};
use wayfare::vector::Vector;

use crate::decode::{Decoder, expanded_path, inherited, node_at};
use crate::diagnostic::{Problem, Source};
use crate::document::{Format, Node};
use crate::files::Files;
use crate::{AnyScene, read_document};

mod behaviors;
mod collect;
pub(crate) mod complete;
mod control;
mod inline;
mod lists;
mod moves;
mod named_path;
mod names;
mod suggestions;
mod tables;
mod value;

pub use control::{BehaviorEntry, BehaviorList, Control, ControlKind, NumberControl};
pub use value::Value;

use behaviors::Behaviors;
use collect::Collector;
use control::last_name;
use inline::is_inline;
use moves::Moves;
use names::Names;

/// The text of a scene that is being edited.
#[derive(Clone, Debug)]
pub struct Draft {
    source: Source,
    format: Format,
    /// The files that the scene may name.
    files: Files,
    root: Node,
    scene: AnyScene,
    /// The text when the scene was opened.
    original_text: String,
    /// The document of the original text.
    original_root: Node,
    /// The moves of entries of lists of behaviors since then.
    moves: Moves,
}

impl Draft {
    /// Opens a scene for editing.
    ///
    /// # Errors
    /// The problems that [`read`](crate::read) finds in a text that is no scene.
    pub fn new(source: Source, format: Format) -> Result<Self, Vec<Problem>> {
        Self::beside(source, format, Files::none())
    }

    /// Opens a scene that may name files; they are read again with each change of the text.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn beside(source: Source, format: Format, files: Files) -> Result<Self, Vec<Problem>> {
        let (root, scene) = read_document(&source, format, &Registry::default(), &files)?;
        Ok(Self {
            files,
            original_text: source.text.clone(),
            original_root: root.clone(),
            source,
            format,
            root,
            scene,
            moves: Moves::default(),
        })
    }

    /// Replaces the whole text.
    ///
    /// # Errors
    /// The problems that [`read`](crate::read) finds in a text that is no scene. Then nothing has
    /// changed.
    pub fn set_text(&mut self, text: String) -> Result<(), Vec<Problem>> {
        self.replace_text(text)?;
        if self.source.text == self.original_text {
            self.moves.clear();
        }
        Ok(())
    }

    /// Restores the whole text as the scene was opened.
    pub fn restore_all(&mut self) {
        // The original text has been read before, so this cannot fail.
        let _ = self.set_text(self.original_text.clone());
    }

    fn replace_text(&mut self, text: String) -> Result<(), Vec<Problem>> {
        let source = Source { name: self.source.name.clone(), text };
        let (root, scene) = read_document(&source, self.format, &Registry::default(), &self.files)?;
        (self.source, self.root, self.scene) = (source, root, scene);
        Ok(())
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The text with its name.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The files that the scene may name.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The scene that the text describes.
    pub fn scene(&self) -> &AnyScene {
        &self.scene
    }

    fn dimension(&self) -> usize {
        if matches!(self.scene, AnyScene::ThreeD(_)) { 3 } else { 2 }
    }

    fn behaviors(&self) -> Behaviors {
        Behaviors(self.dimension())
    }

    /// The controls and lists of the scene; with `only`, at least those whose path leads to it.
    fn collect(&self, only: Option<&KeyPath>) -> (Vec<Control>, Vec<BehaviorList>) {
        let original_value = |path: &KeyPath| self.original_value(path);
        let (dimension, behaviors) = (self.dimension(), self.behaviors());
        Collector::collect(&self.root, dimension, behaviors, &original_value, only)
    }

    /// All editable values, in the order in which the format has their keys.
    pub fn controls(&self) -> Vec<Control> {
        self.collect(None).0
    }

    /// The editable value at `path`.
    pub fn control(&self, path: &KeyPath) -> Option<Control> {
        self.collect(Some(path)).0.into_iter().find(|control| control.key_path == *path)
    }

    /// All lists of behaviors, also those of groups and states that the text does not give.
    pub fn lists(&self) -> Vec<BehaviorList> {
        self.collect(None).1
    }

    /// The value at `path` when the scene was opened; `None` where the text gave none. Entries of
    /// lists of behaviors are followed when they move.
    pub fn original_value(&self, path: &KeyPath) -> Option<Value> {
        self.original_node(path).and_then(Value::of)
    }

    fn original_node(&self, path: &KeyPath) -> Option<&Node> {
        let path = self.moves.original_path(path)?;
        let root = &self.original_root;
        node_at(root, &path).or_else(|| inherited(root, &path).filter(|_| is_in_list(&path)))
    }

    /// Sets the value at `path`. A value that is already so keeps its notation.
    ///
    /// # Errors
    /// The value and what is allowed, where the text would be no scene. Then nothing has changed.
    pub fn set(&mut self, path: &KeyPath, value: impl Into<Value>) -> Result<(), ValidationError> {
        let value = value.into();
        let written = value.write(self.format);
        self.set_written(path, value, &written)
    }

    /// Sets the value at `path`, with `written` as its notation.
    fn set_written(
        &mut self,
        path: &KeyPath,
        value: Value,
        written: &str,
    ) -> Result<(), ValidationError> {
        let Some(control) = self.control(path) else {
            return self.replace_written(path, written);
        };
        if control.value.as_ref() == Some(&value) {
            return Ok(());
        }
        if let Some(own) = self.with_own_list(path)? {
            return self.replace_by(own, |own| own.set_written(path, value, written));
        }
        let text = match node_at(&self.root, path) {
            Some(node) if is_inline(self.text(), node) => {
                inline::replaced(self.text(), vec![(node.span.clone(), written.to_string())])
            }
            Some(_) => {
                return Err(ValidationError {
                    key_path: path.clone(),
                    message: format!("`{}` stands in lines of its own", control.name()),
                    allowed: "changes of its parts, or of the text".to_string(),
                });
            }
            None => self.with_key(path, value).ok_or_else(|| self.not_editable(path))?,
        };
        self.accept(path, text)
    }

    /// Sets a value that has no control, such as a list of points, where the text gives it.
    fn replace_written(&mut self, path: &KeyPath, written: &str) -> Result<(), ValidationError> {
        let node = node_at(&self.root, path).filter(|node| is_inline(self.text(), node));
        let node = node.ok_or_else(|| self.not_editable(path))?;
        let replaced = vec![(node.span.clone(), written.to_string())];
        self.accept(path, inline::replaced(self.text(), replaced))
    }

    /// The text with the key at `path` added. Missing outer tables are added too.
    fn with_key(&self, path: &KeyPath, value: Value) -> Option<String> {
        let mut depth = path.0.len() - 1;
        while node_at(&self.root, &prefix(path, depth)).is_none() {
            depth -= 1;
        }
        let outer_path = prefix(path, depth);
        let outer = node_at(&self.root, &outer_path)?;
        let mut missing = path.0[depth..].iter().map(|segment| match segment {
            KeySegment::Name(name) => Some(name),
            KeySegment::At(_) => None,
        });
        let name = missing.next()??;
        let value = missing
            .rev()
            .try_fold(value, |inner, name| Some(Value::Table(vec![(name?.clone(), inner)])))?;
        if is_inline(self.text(), outer) {
            let entry = Value::entry(name, &value, self.format);
            return Some(inline::insert(self.text(), outer, usize::MAX, &entry));
        }
        tables::insert_key(self.text(), &outer_path, name, &value.write(Format::Toml))
    }

    /// Removes the key at `path`, so that its default applies.
    ///
    /// # Errors
    /// The key is required. Then nothing has changed.
    pub fn reset(&mut self, path: &KeyPath) -> Result<(), ValidationError> {
        let control = self.control(path).ok_or_else(|| self.not_editable(path))?;
        if control.required {
            return Err(ValidationError {
                key_path: path.clone(),
                message: format!("`{}` has to be given", control.name()),
                allowed: "another value".to_string(),
            });
        }
        if !control.given {
            return Ok(());
        }
        if let Some(own) = self.with_own_list(path)? {
            return self.replace_by(own, |own| own.reset(path));
        }
        if node_at(&self.root, path).is_none() {
            return Ok(());
        }
        let text = self.without_key(path).ok_or_else(|| self.not_editable(path))?;
        self.accept(path, text)
    }

    /// The text without the key at `path`.
    fn without_key(&self, path: &KeyPath) -> Option<String> {
        let (KeySegment::Name(name), outer) = path.0.split_last()? else { return None };
        let outer = node_at(&self.root, &KeyPath(outer.to_vec()))?;
        let index = outer.table()?.iter().position(|entry| entry.key == *name)?;
        let entry = &outer.table()?[index];
        let text = if is_inline(self.text(), outer) {
            inline::remove(self.text(), outer, index)
        } else if is_inline(self.text(), &entry.node) {
            inline::remove_line(self.text(), &entry.span, &entry.node.span)
        } else {
            None
        };
        text.or_else(|| tables::remove_key(self.text(), path))
    }

    /// Restores the value at `path` as the scene was opened, with its notation; a value that was
    /// added since gets its default.
    ///
    /// # Errors
    /// The value contradicts other changes. Then nothing has changed.
    pub fn restore(&mut self, path: &KeyPath) -> Result<(), ValidationError> {
        let Some(value) = self.original_value(path) else { return self.reset(path) };
        let text = &self.original_text;
        let written = self
            .original_node(path)
            .filter(|node| is_inline(text, node))
            .map_or_else(|| value.write(self.format), |node| text[node.span.clone()].to_string());
        self.set_written(path, value, &written)
    }

    /// The command that applies the value at `path` to a running crowd; `None` where no command
    /// can, so that the crowd has to be made anew from the scene.
    ///
    /// `V` is the vector of the scene's dimension.
    pub fn command<V: Vector>(&self, path: &KeyPath) -> Option<Command<V>> {
        // A part of a shape is set together with the whole shape, which has a shorter path.
        (1..=path.0.len()).map(|depth| prefix(path, depth)).filter(Command::<V>::sets).find_map(
            |path| {
                let value = Decoder::default().setting(&self.control(&path)?.value?.node())?;
                let key_path = expanded_path(&self.root, &path).to_string();
                Some(Command::Set { key_path, value })
            },
        )
    }

    /// The draft in which the group has a list of behaviors of its own, where `path` is in a list
    /// that a template supplies: an edit of the list of one group leaves those of others as they
    /// are.
    fn with_own_list(&self, path: &KeyPath) -> Result<Option<Self>, ValidationError> {
        let lists = path.0.iter().enumerate().filter(|(_, segment)| is_list(segment));
        for (position, _) in lists {
            let list = prefix(path, position + 1);
            if node_at(&self.root, &list).is_some() {
                continue;
            }
            let Some(value) = inherited(&self.root, &list).and_then(Value::of) else { continue };
            let mut own = self.clone();
            let text = self.with_key(&list, value).ok_or_else(|| self.not_editable(path))?;
            own.accept(path, text)?;
            return Ok(Some(own));
        }
        Ok(None)
    }

    /// Becomes `other` after `edit`; where the edit fails nothing has changed.
    fn replace_by(
        &mut self,
        mut other: Self,
        edit: impl FnOnce(&mut Self) -> Result<(), ValidationError>,
    ) -> Result<(), ValidationError> {
        edit(&mut other)?;
        *self = other;
        Ok(())
    }

    /// The error for a path without a control.
    fn not_editable(&self, path: &KeyPath) -> ValidationError {
        let outer = &path.0[..path.0.len().saturating_sub(1)];
        let siblings: Vec<String> = self
            .controls()
            .iter()
            .filter(|c| c.key_path.0.len() == outer.len() + 1 && c.key_path.0.starts_with(outer))
            .map(|control| control.name().to_string())
            .collect();
        let allowed = if siblings.is_empty() {
            "the path of a value, such as group[0].max_speed".to_string()
        } else {
            siblings.join(", ")
        };
        let message = format!("`{}` cannot be set there", last_name(path));
        ValidationError { key_path: path.clone(), message, allowed }
    }

    /// Replaces the text, if the new text is a scene.
    fn accept(&mut self, path: &KeyPath, text: String) -> Result<(), ValidationError> {
        self.replace_text(text).map_err(|problems| first_error(path, problems))
    }
}

/// Whether a segment of a path is the key of a list of behaviors.
fn is_list(segment: &KeySegment) -> bool {
    matches!(segment, KeySegment::Name(name) if name == "steer")
}

/// Whether `path` leads into a list of behaviors.
fn is_in_list(path: &KeyPath) -> bool {
    path.0.iter().any(is_list)
}

/// The first `length` segments of a path, or the whole path where it is shorter.
fn prefix(path: &KeyPath, length: usize) -> KeyPath {
    KeyPath(path.0[..length.min(path.0.len())].to_vec())
}

/// The error for an edit at `path` after which the text has these problems.
fn first_error(path: &KeyPath, problems: Vec<Problem>) -> ValidationError {
    let first = problems
        .into_iter()
        .next()
        .unwrap_or_else(|| Problem::new(0..0, "the text would be no scene", "a scene"));
    ValidationError { key_path: path.clone(), message: first.message, allowed: first.allowed }
}
