//! Changes of the scene itself, while it runs: the text changes, and the crowd goes on with a command where there is one for it, or begins anew.

use wayfare::Crowd;
use wayfare::crowd::{Command, Fault, Place};
use wayfare_scene::edit::{Draft, Value};
use wayfare_scene::{Log, Problem};

use super::{Dimension, Outcome, Show, opened};

/// Something that a person changes in a scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    Set(Place, Value),
    /// To the default.
    Reset(Place),
    /// As the scene was opened: one thing, or all.
    Restore(Place),
    RestoreAll,
    /// A behavior of this name into a list, as the one with this index.
    Add(Place, usize, String),
    Remove(Place),
    Move(Place, usize),
    /// On or off.
    Switch(Place, bool),
}

impl Edit {
    fn apply(&self, draft: &mut Draft) -> Result<(), Fault> {
        match self {
            Self::Set(place, value) => draft.set(place, value.clone()),
            Self::Reset(place) => draft.reset(place),
            Self::Restore(place) => draft.restore(place),
            Self::RestoreAll => {
                draft.restore_all();
                Ok(())
            }
            Self::Add(list, at, behavior) => draft.add(list, *at, behavior),
            Self::Remove(entry) => draft.remove(entry),
            Self::Move(entry, to) => draft.move_to(entry, *to),
            Self::Switch(entry, on) => draft.switch(entry, *on),
        }
    }

    /// The one place that it is about, where a command can be enough.
    fn place(&self) -> Option<Place> {
        match self {
            Self::Set(place, _) | Self::Reset(place) | Self::Restore(place) => Some(place.clone()),
            Self::Switch(entry, _) => Some(entry.key("off")),
            _ => None,
        }
    }
}

/// What takes back what was done.
#[derive(Clone, Debug)]
pub(super) enum Undo<V> {
    /// To the crowd.
    Command(Command<V>),
    /// To the scene: the draft before.
    Draft(Draft),
    /// To one place of it, for which there is a command: the draft before.
    Value(Place, Draft),
}

impl<V: Dimension> Show<V> {
    /// From the start again, as the draft says, with this seed if one is given.
    pub(super) fn begin(&mut self, seed: Option<u64>) {
        let Some(scene) = V::scene(self.draft.scene()).cloned() else { return };
        let mut setup = scene.setup;
        setup.seed = seed.unwrap_or(setup.seed);
        // A draft is always a scene that reads.
        if let Ok(crowd) = Crowd::new(setup.clone()) {
            (self.crowd, self.setup, self.title, self.fire) = (crowd, setup, scene.title, scene.fire);
            self.begun_with = self.draft.text().to_string();
        }
        self.share();
        (self.clock, self.under_way) = (Self::clock(), false);
        self.log = Log::default();
        self.replay.clear();
        self.held = None;
        self.trails.clear();
        self.measure();
        self.remember();
    }

    /// Goes on as `draft` says, whose change is at `place` alone if one is given.
    fn take_draft(&mut self, draft: Draft, place: Option<&Place>) -> Outcome {
        if draft.text() == self.draft.text() {
            self.draft = draft;
            return Outcome::Nothing;
        }
        if V::scene(draft.scene()).is_none() {
            let drafts = self.undo.drain(..).filter_map(|undo| if let Undo::Draft(draft) | Undo::Value(_, draft) = undo { Some(draft) } else { None });
            // It reads, and so it opens.
            return opened(draft, drafts.collect()).map_or(Outcome::Nothing, Outcome::Other);
        }
        let command = place.and_then(|place| draft.command::<V>(place));
        self.draft = draft;
        if command.is_some_and(|command| self.record(command)) {
            return Outcome::Done;
        }
        self.begin(None);
        // What was done to the crowd before is gone with it.
        self.undo.retain(|undo| !matches!(undo, Undo::Command(_)));
        Outcome::Anew
    }

    /// Remembers how to go back to the draft as it is now, unless a slider is still on its way.
    fn note(&mut self, place: Option<Place>, fresh: bool) {
        if fresh || !matches!(self.undo.last(), Some(Undo::Draft(_) | Undo::Value(..))) {
            let before = self.draft.clone();
            self.undo.push(place.map_or_else(|| Undo::Draft(before.clone()), |place| Undo::Value(place, before.clone())));
        }
    }

    pub(super) fn change(&mut self, edit: &Edit, fresh: bool) -> Result<Outcome, Fault> {
        let mut draft = self.draft.clone();
        edit.apply(&mut draft)?;
        if draft.text() == self.draft.text() {
            return Ok(Outcome::Nothing);
        }
        let place = edit.place();
        self.note(place.clone(), fresh);
        Ok(self.take_draft(draft, place.as_ref()))
    }

    pub(super) fn take_text(&mut self, text: String, fresh: bool) -> Result<Outcome, Vec<Problem>> {
        let mut draft = self.draft.clone();
        draft.retype(text)?;
        if draft.text() != self.draft.text() {
            self.note(None, fresh);
        }
        Ok(self.take_draft(draft, None))
    }

    pub(super) fn take_back(&mut self) -> Outcome {
        match self.undo.pop() {
            None => Outcome::Nothing,
            Some(Undo::Command(command)) => {
                // Who has left by an exit since cannot be taken back.
                self.record(command);
                self.crowd.by_id(&mut self.order);
                Outcome::Done
            }
            Some(Undo::Draft(draft)) => self.take_draft(draft, None),
            Some(Undo::Value(place, draft)) => self.take_draft(draft, Some(&place)),
        }
    }
}
