//! Edits of a scene as data, and their outcomes.

use wayfare::Vector;
use wayfare::crowd::{Command, KeyPath, ValidationError};
use wayfare_scene::edit::{Draft, Value};

/// A change of one setting or list entry.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    Set(KeyPath, Value),
    /// Sets the default.
    Reset(KeyPath),
    /// Sets the value that the scene had when it was opened.
    Restore(KeyPath),
    /// Restores the whole scene as it was opened.
    RestoreAll,
    /// Inserts a behavior with this name into a list, at this index.
    Add(KeyPath, usize, String),
    Remove(KeyPath),
    /// Moves a list entry to another index.
    Move(KeyPath, usize),
    /// Switches a list entry on or off.
    Switch(KeyPath, bool),
}

impl Edit {
    /// # Errors
    /// The refused value and the allowed range.
    pub(crate) fn apply(&self, draft: &mut Draft) -> Result<(), ValidationError> {
        match self {
            Self::Set(path, value) => draft.set(path, value.clone()),
            Self::Reset(path) => draft.reset(path),
            Self::Restore(path) => draft.restore(path),
            Self::RestoreAll => {
                draft.restore_all();
                Ok(())
            }
            Self::Add(list, index, behavior) => draft.add(list, *index, behavior),
            Self::Remove(entry) => draft.remove(entry),
            Self::Move(entry, index) => draft.move_to(entry, *index),
            Self::Switch(entry, on) => draft.set_enabled(entry, *on),
        }
    }
}

/// One step of undo.
#[derive(Clone, Debug)]
pub(crate) enum UndoStep<V: Vector> {
    /// Commands for the crowd.
    Commands(Vec<Command<V>>),
    /// The draft before the change.
    Draft(Box<Draft>),
}

/// The result of an edit, an undo or a new text.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// There was nothing to do.
    Unchanged,
    /// The crowd goes on with the change.
    Applied,
    /// The crowd started again from tick 0.
    Restarted,
    /// The scene has another number of dimensions now and has to be opened again.
    Reopen(Box<Reopening>),
}

/// A scene to be opened again, and the earlier drafts that undo returns to.
#[derive(Debug)]
pub(crate) struct Reopening {
    pub(crate) draft: Draft,
    pub(crate) earlier: Vec<Draft>,
}
