//! Editing a scene without losing its author's comments and layout: what a panel of sliders needs,
//! as data.
//!
//! A [`Draft`] is the text of a scene, and always one that can be read. [`Draft::fields`] are all
//! things that can be set in it, made from the descriptions of the format and of the behaviors: a
//! new parameter is a field at once. [`Draft::lists`] are its lists of behaviors. An edit changes
//! the bytes that it is about; one that would leave no scene is refused, and changes nothing. A
//! draft is cloned for undo.
//!
//! ```
//! use wayfare::crowd::KeyPath;
//! use wayfare_scene::{Format, Source, edit::{Draft, FieldKind}};
//! let text = r#"
//! [[group]]
//! name = "guest"
//! spawn = { points = [[0, 0]] }
//! max_speed = 3 # a brisk walk
//! [[group.steer]]
//! arrive = { target = [100, 50], slowing_radius = 240 }
//! "#;
//! let mut draft = Draft::new(Source { name: "guest.toml".to_string(), text: text.to_string() }, Format::Toml).expect("it is a scene");
//! let field = draft.fields().into_iter().find(|field| field.name() == "slowing_radius").expect("arrive has one");
//! let FieldKind::Number(number) = &field.kind else { panic!("it takes a number") };
//! assert_eq!((field.unit().name(), number.usual, number.words), ("length", [0.0, 500.0], &["auto"][..]));
//!
//! draft.set(&field.place, 80.0)?;
//! draft.set(&KeyPath::read("group[0].max_speed").unwrap(), 4.5)?;
//! draft.add(&KeyPath::read("group[0].steer").unwrap(), 1, "wander")?;
//! assert!(draft.text().contains("max_speed = 4.5 # a brisk walk"));
//! assert!(draft.text().contains("arrive = { target = [100, 50], slowing_radius = 80 }\n[[group.steer]]\nwander = { "));
//!
//! let refused = draft.set(&field.place, -1.0).unwrap_err();
//! assert_eq!(refused.to_string(), "group[0].steer[0].arrive.slowing_radius: `slowing_radius` is the number -1; \
//!     allowed: a length from 0 to 1e9, or \"auto\"");
//! # Ok::<(), wayfare::crowd::ValidationError>(())
//! ```

use wayfare::behavior::Behavior;
use wayfare::crowd::{Command, KeyPath, KeySegment, ValidationError};
use wayfare::glam::Vec2;
use wayfare::vector::Vector;

use crate::decode::{Decoder, node_at};
use crate::diagnostic::{Problem, Source};
use crate::document::{self, Format, Node};
use crate::{AnyScene, read_document};

mod brackets;
pub(crate) mod complete;
mod field;
mod headers;
mod sense;
mod value;
mod walk;

pub use field::{BehaviorEntry, BehaviorList, Field, FieldKind, NumberField};
pub use value::Value;

use brackets::in_one_piece;
use field::name_of;
use sense::Sense;
use walk::{Names, Walk};

/// The text of a scene that is being edited.
#[derive(Clone, Debug)]
pub struct Draft {
    source: Source,
    format: Format,
    root: Node,
    scene: AnyScene,
    /// The text as it was opened, and what stood in it.
    opened: (String, Node),
    /// How places in lists of behaviors have moved since.
    moves: Vec<Move>,
}

/// What moved places in a list of behaviors, which stands at this place.
#[derive(Clone, Debug)]
enum Move {
    Added(KeyPath, usize),
    Removed(KeyPath, usize),
    /// This place and the one after it.
    Swapped(KeyPath, usize),
}

impl Draft {
    /// The draft of a scene; [`scene_value`](Self::scene_value) is what it says now.
    ///
    /// # Errors
    /// What [`read`](crate::read) says of a text that is no scene.
    pub fn new(source: Source, format: Format) -> Result<Self, Vec<Problem>> {
        let (root, scene) = read_document(&source, format)?;
        Ok(Self {
            opened: (source.text.clone(), root.clone()),
            source,
            format,
            root,
            scene,
            moves: Vec::new(),
        })
    }

    /// Takes what its author has typed for its text.
    ///
    /// # Errors
    /// What [`read`](crate::read) says of a text that is no scene; then nothing has changed.
    pub fn retype(&mut self, text: String) -> Result<(), Vec<Problem>> {
        self.retake(text)?;
        if self.text() == self.opened.0 {
            self.moves.clear();
        }
        Ok(())
    }

    /// Makes all of it what it was when the scene was opened.
    pub fn restore_all(&mut self) {
        // It was read before.
        let _ = self.retype(self.opened.0.clone());
    }

    fn retake(&mut self, text: String) -> Result<(), Vec<Problem>> {
        let source = Source { name: self.source.name.clone(), text };
        let (root, scene) = read_document(&source, self.format)?;
        (self.source, self.root, self.scene) = (source, root, scene);
        Ok(())
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The text under its name.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The scene that the text says.
    pub fn scene(&self) -> &AnyScene {
        &self.scene
    }

    fn dimension(&self) -> usize {
        if matches!(self.scene, AnyScene::ThreeD(_)) { 3 } else { 2 }
    }

    fn walk(&self, only: Option<&KeyPath>) -> (Vec<Field>, Vec<BehaviorList>) {
        let opened = |place: &KeyPath| {
            self.origin(place).and_then(|place| node_at(&self.opened.1, &place).and_then(Value::of))
        };
        let walk = Walk::through(&self.root, self.dimension(), &opened, only);
        (walk.fields, walk.lists)
    }

    /// All that can be set, in the order in which the format has its keys.
    pub fn fields(&self) -> Vec<Field> {
        self.walk(None).0
    }

    /// The field at `place`, if something can be set there.
    pub fn field(&self, place: &KeyPath) -> Option<Field> {
        self.walk(Some(place)).0.into_iter().find(|field| field.place == *place)
    }

    /// All lists of behaviors, with those of groups and states that are not there yet.
    pub fn lists(&self) -> Vec<BehaviorList> {
        self.walk(None).1
    }

    /// What stood at `place` when the scene was opened; `None` where nothing was given. What has
    /// moved in its list since is found again.
    pub fn scene_value(&self, place: &KeyPath) -> Option<Value> {
        node_at(&self.opened.1, &self.origin(place)?).and_then(Value::of)
    }

    /// Where in the scene as it was opened that was, which is at `place` now; `None` for what was
    /// added.
    fn origin(&self, place: &KeyPath) -> Option<KeyPath> {
        let mut place = place.clone();
        for moved in self.moves.iter().rev() {
            let (Move::Added(list, _) | Move::Removed(list, _) | Move::Swapped(list, _)) = moved;
            let depth = list.0.len();
            let Some(KeySegment::At(now)) =
                place.0.get(depth).filter(|_| place.0.starts_with(&list.0)).cloned()
            else {
                continue;
            };
            let before = match moved {
                Move::Added(_, i) if now == *i => None,
                Move::Added(_, i) => Some(if now > *i { now - 1 } else { now }),
                Move::Removed(_, i) => Some(if now >= *i { now + 1 } else { now }),
                Move::Swapped(_, i) => Some(if now == *i {
                    i + 1
                } else if now == i + 1 {
                    *i
                } else {
                    now
                }),
            };
            place.0[depth] = KeySegment::At(before?);
        }
        Some(place)
    }

    /// Sets what stands at `place`. What is so already is left as it is written.
    ///
    /// # Errors
    /// The value, and what is allowed, where the scene could not be read with it; then nothing has
    /// changed.
    pub fn set(&mut self, place: &KeyPath, value: impl Into<Value>) -> Result<(), ValidationError> {
        let value = value.into();
        let written = value.write(self.format);
        self.set_as(place, value, &written)
    }

    /// Sets what stands at `place` to a value that is written so.
    fn set_as(
        &mut self,
        place: &KeyPath,
        value: Value,
        written: &str,
    ) -> Result<(), ValidationError> {
        let field = self.field(place).ok_or_else(|| self.no_field(place))?;
        if field.value.as_ref() == Some(&value) {
            return Ok(());
        }
        let text = match node_at(&self.root, place) {
            Some(node) if in_one_piece(self.text(), node) => {
                brackets::replaced(self.text(), vec![(node.span.clone(), written.to_string())])
            }
            Some(_) => {
                let allowed = "changes of what is in it, or of the text".to_string();
                return Err(ValidationError {
                    key_path: place.clone(),
                    message: format!("`{}` stands in lines of its own", field.name()),
                    allowed,
                });
            }
            None => self.with_key(place, value).ok_or_else(|| self.no_field(place))?,
        };
        self.take(place, text)
    }

    /// The text with one key more, at `place`.
    fn with_key(&self, place: &KeyPath, value: Value) -> Option<String> {
        let mut there = place.0.len() - 1;
        while node_at(&self.root, &KeyPath(place.0[..there].to_vec())).is_none() {
            there -= 1;
        }
        let above = KeyPath(place.0[..there].to_vec());
        let mut missing = place.0[there..]
            .iter()
            .map(|key| if let KeySegment::Name(name) = key { Some(name) } else { None });
        let name = missing.next()??;
        // Tables that are not there either come with it.
        let value = missing
            .rev()
            .try_fold(value, |inner, name| Some(Value::Table(vec![(name?.clone(), inner)])))?;
        let outer = node_at(&self.root, &above)?;
        if in_one_piece(self.text(), outer) {
            return Some(brackets::insert(
                self.text(),
                outer,
                usize::MAX,
                &Value::entry(name, &value, self.format),
            ));
        }
        headers::insert_key(self.text(), &above, name, &value.write(Format::Toml))
    }

    /// Takes away what the text gives at `place`, so that the default counts.
    ///
    /// # Errors
    /// It must be given; then nothing has changed.
    pub fn reset(&mut self, place: &KeyPath) -> Result<(), ValidationError> {
        let field = self.field(place).ok_or_else(|| self.no_field(place))?;
        if field.required {
            let message = format!("`{}` has to be given", field.name());
            return Err(ValidationError {
                key_path: place.clone(),
                message,
                allowed: "another value".to_string(),
            });
        }
        if node_at(&self.root, place).is_none() {
            return Ok(());
        }
        let text = self.without_key(place).ok_or_else(|| self.no_field(place))?;
        self.take(place, text)
    }

    fn without_key(&self, place: &KeyPath) -> Option<String> {
        let (KeySegment::Name(name), above) = place.0.split_last()? else { return None };
        let outer = node_at(&self.root, &KeyPath(above.to_vec()))?;
        let i = outer.table()?.iter().position(|entry| entry.key == *name)?;
        let entry = &outer.table()?[i];
        if in_one_piece(self.text(), outer) {
            return brackets::remove(self.text(), outer, i)
                .or_else(|| headers::remove_key(self.text(), place));
        }
        let line = in_one_piece(self.text(), &entry.node)
            .then(|| brackets::remove_line(self.text(), &entry.span, &entry.node.span))
            .flatten();
        line.or_else(|| headers::remove_key(self.text(), place))
    }

    /// Makes what stands at `place` what it was when the scene was opened; of what was added since,
    /// the default.
    ///
    /// # Errors
    /// What else has changed does not go with it; then nothing has changed.
    pub fn restore(&mut self, place: &KeyPath) -> Result<(), ValidationError> {
        let Some(value) = self.scene_value(place) else { return self.reset(place) };
        // As its author wrote it, where that can be taken over.
        let (text, root) = &self.opened;
        let node = self
            .origin(place)
            .and_then(|origin| node_at(root, &origin))
            .filter(|node| in_one_piece(text, node));
        let written = node
            .map_or_else(|| value.write(self.format), |node| text[node.span.clone()].to_string());
        self.set_as(place, value, &written)
    }

    /// Adds a behavior to the list at `list`, as the one with index `at` (or as the last), with
    /// values for what must be given that make sense in the scene.
    ///
    /// # Errors
    /// There is no such list or behavior, the scene has nothing that it needs, or it cannot stand
    /// there; then nothing has changed.
    pub fn add(
        &mut self,
        list: &KeyPath,
        at: usize,
        behavior: &str,
    ) -> Result<(), ValidationError> {
        let known = self.list(list)?;
        let at = at.min(known.entries.len());
        let place = list.at(at);
        let description = Behavior::<Vec2>::LIST
            .iter()
            .find(|known| known.name == behavior)
            .ok_or_else(|| {
                let names: Vec<&str> =
                    Behavior::<Vec2>::LIST.iter().map(|behavior| behavior.name).collect();
                ValidationError {
                    key_path: place.clone(),
                    message: format!("`{behavior}` is no behavior"),
                    allowed: names.join(", "),
                }
            })?;
        let mut sense = Sense::of(&self.root);
        if let Some(group) = node_at(&self.root, &KeyPath(list.0[..2.min(list.0.len())].to_vec())) {
            sense.enter(group);
        }
        let values =
            sense.required(description.parameters, &Names::of(&self.root)).map_err(|what| {
                ValidationError {
                    key_path: place.clone(),
                    message: format!("`{behavior}` needs {what}, and the scene has none"),
                    allowed: format!("a scene with {what}"),
                }
            })?;
        let (values, none) = (Value::Table(values), || self.no_field(&place));
        let text = match node_at(&self.root, list) {
            Some(node) if in_one_piece(self.text(), node) => {
                let entry = Value::Table(vec![(behavior.to_string(), values)]);
                Some(brackets::insert(self.text(), node, at, &entry.write(self.format)))
            }
            Some(_) => {
                headers::insert_table(self.text(), list, at, behavior, &values.write(Format::Toml))
            }
            // A group under a header gets its list under headers; all else has it in a line.
            None if list.0.len() == 3
                && !in_one_piece(
                    self.text(),
                    node_at(&self.root, &KeyPath(list.0[..2].to_vec())).ok_or_else(none)?,
                ) =>
            {
                headers::insert_table(self.text(), list, at, behavior, &values.write(Format::Toml))
            }
            None => self.with_key(
                list,
                Value::List(vec![Value::Table(vec![(behavior.to_string(), values)])]),
            ),
        };
        self.take(&place, text.ok_or_else(|| self.no_field(&place))?)?;
        self.moves.push(Move::Added(list.clone(), at));
        Ok(())
    }

    /// Takes the place `entry` out of its list of behaviors, with the comments that are its own.
    ///
    /// # Errors
    /// There is none; then nothing has changed.
    pub fn remove(&mut self, entry: &KeyPath) -> Result<(), ValidationError> {
        let (list, at) = self.entry(entry)?;
        let text = match node_at(&self.root, &list) {
            Some(node) if in_one_piece(self.text(), node) => {
                brackets::remove(self.text(), node, at)
            }
            _ => headers::remove_table(self.text(), &list, at),
        };
        self.take(entry, text.ok_or_else(|| self.no_field(entry))?)?;
        self.moves.push(Move::Removed(list, at));
        Ok(())
    }

    /// Puts the place `entry` to the index `to` (or the last) of its list of behaviors, with the
    /// comments that are its own.
    ///
    /// # Errors
    /// There is none, or it cannot stand there, such as a `queue` that is not the last; then
    /// nothing has changed.
    pub fn move_to(&mut self, entry: &KeyPath, to: usize) -> Result<(), ValidationError> {
        let (list, mut at) = self.entry(entry)?;
        let to = to.min(self.list(&list)?.entries.len() - 1);
        let (mut text, mut moves) = (self.text().to_string(), Vec::new());
        while at != to {
            let first = if to > at { at } else { at - 1 };
            let root = document::parse(&text, self.format)
                .map_err(|problems| fault_of(entry, problems))?;
            let swapped = match node_at(&root, &list) {
                Some(node) if in_one_piece(&text, node) => brackets::swap(&text, node, first),
                _ => headers::swap_tables(&text, &list, first),
            };
            text = swapped.ok_or_else(|| self.no_field(entry))?;
            moves.push(Move::Swapped(list.clone(), first));
            at = if to > at { at + 1 } else { at - 1 };
        }
        self.take(entry, text)?;
        self.moves.extend(moves);
        Ok(())
    }

    /// Switches the place `entry` of a list of behaviors on or off: its text stays, beside `off =
    /// true`.
    ///
    /// # Errors
    /// There is none; then nothing has changed.
    pub fn switch(&mut self, entry: &KeyPath, on: bool) -> Result<(), ValidationError> {
        self.entry(entry)?;
        let off = entry.key("off");
        if on { self.reset(&off) } else { self.set(&off, true) }
    }

    /// The command that does to a running crowd what the text now says at `place`, so that it need
    /// not begin anew; `None` where none can: the scene is to be read again.
    ///
    /// `V` is the vector of the scene's dimension.
    pub fn command<V: Vector>(&self, place: &KeyPath) -> Option<Command<V>> {
        // A part of a shape is set with the whole of it.
        (1..=place.0.len())
            .map(|depth| KeyPath(place.0[..depth].to_vec()))
            .filter(Command::<V>::sets)
            .find_map(|place| {
                let value = Decoder::default().setting(&self.field(&place)?.value?.node())?;
                Some(Command::Set { key_path: place.to_string(), value })
            })
    }

    fn list(&self, place: &KeyPath) -> Result<BehaviorList, ValidationError> {
        let lists = self.lists();
        let known =
            || lists.iter().map(|list| list.place.to_string()).collect::<Vec<_>>().join(", ");
        let none = || ValidationError {
            key_path: place.clone(),
            message: "there is no list of behaviors".to_string(),
            allowed: known(),
        };
        lists.iter().find(|list| list.place == *place).cloned().ok_or_else(none)
    }

    /// The list that `entry` is a place of, and its index there.
    fn entry(&self, entry: &KeyPath) -> Result<(KeyPath, usize), ValidationError> {
        let Some((KeySegment::At(at), list)) = entry.0.split_last() else {
            return Err(self.no_field(entry));
        };
        let list = self.list(&KeyPath(list.to_vec()))?;
        let Some(most) = list.entries.len().checked_sub(1).filter(|most| at <= most) else {
            let allowed = match list.entries.len() {
                0 => "nothing: the list is empty".to_string(),
                count => format!("an index from 0 to {}", count - 1),
            };
            return Err(ValidationError {
                key_path: entry.clone(),
                message: format!("there is no behavior {at} in the list"),
                allowed,
            });
        };
        Ok((list.place, (*at).min(most)))
    }

    fn no_field(&self, place: &KeyPath) -> ValidationError {
        let above = &place.0[..place.0.len().saturating_sub(1)];
        let beside: Vec<String> = self
            .fields()
            .iter()
            .filter(|field| {
                field.place.0.len() == above.len() + 1 && field.place.0.starts_with(above)
            })
            .map(|field| field.name().to_string())
            .collect();
        let allowed = if beside.is_empty() {
            "the place of a field, such as group[0].max_speed".to_string()
        } else {
            beside.join(", ")
        };
        ValidationError {
            key_path: place.clone(),
            message: format!("`{}` cannot be set there", name_of(place)),
            allowed,
        }
    }

    /// Takes a text, if it is a scene.
    fn take(&mut self, place: &KeyPath, text: String) -> Result<(), ValidationError> {
        self.retake(text).map_err(|problems| fault_of(place, problems))
    }
}

/// What is said of an edit that leaves no scene.
fn fault_of(place: &KeyPath, problems: Vec<Problem>) -> ValidationError {
    let first = problems
        .into_iter()
        .next()
        .unwrap_or_else(|| Problem::new(0..0, "it leaves no scene", "a scene"));
    ValidationError { key_path: place.clone(), message: first.message, allowed: first.allowed }
}
