//! Changes of the scene itself, while it runs: the text changes, and the crowd goes on with a command where there is one for it, or begins anew.

use wayfare::Crowd;
use wayfare::crowd::{Command, Fault, Place};
use wayfare_scene::edit::{Draft, Value};
use wayfare_scene::{Log, Problem};

use super::{Dimension, Outcome, Past, Show, opened};

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
}

/// What takes back what was done.
#[derive(Clone, Debug)]
pub(super) enum Undo<V> {
    /// To the crowd.
    Command(Command<V>),
    /// To the scene: the draft before.
    Draft(Box<Draft>),
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
        (self.clock, self.under_way, self.past) = (Self::clock(), false, Past::default());
        self.log = Log::default();
        self.held = None;
        self.trails.clear();
        self.measure();
        self.remember();
    }

    /// Goes on as `draft` says: with commands, if there is one for all that differs.
    fn take_draft(&mut self, draft: Draft) -> Outcome {
        let before = std::mem::replace(&mut self.draft, draft);
        if self.draft.text() == before.text() {
            return Outcome::Nothing;
        }
        if V::scene(self.draft.scene()).is_none() {
            let drafts = self.undo.drain(..).filter_map(|undo| if let Undo::Draft(draft) = undo { Some(*draft) } else { None });
            // It reads, and so it opens.
            return opened(self.draft.clone(), drafts.collect()).map_or(Outcome::Nothing, Outcome::Other);
        }
        if let Some(commands) = commands::<V>(&before, &self.draft) {
            // One that is refused is so for what the crowd is now: then the scene begins anew with it.
            if commands.into_iter().all(|command| self.record(command)) {
                return Outcome::Done;
            }
        }
        self.begin(None);
        // What was done to the crowd before is gone with it.
        self.undo.retain(|undo| matches!(undo, Undo::Draft(_)));
        Outcome::Anew
    }

    /// Remembers how to go back to the draft as it is now, unless a slider is still on its way.
    fn note(&mut self, fresh: bool) {
        if fresh || !matches!(self.undo.last(), Some(Undo::Draft(_))) {
            self.undo.push(Undo::Draft(Box::new(self.draft.clone())));
        }
    }

    pub(super) fn change(&mut self, edit: &Edit, fresh: bool) -> Result<Outcome, Fault> {
        let mut draft = self.draft.clone();
        edit.apply(&mut draft)?;
        if draft.text() != self.draft.text() {
            self.note(fresh);
        }
        Ok(self.take_draft(draft))
    }

    pub(super) fn take_text(&mut self, text: String, fresh: bool) -> Result<Outcome, Vec<Problem>> {
        let mut draft = self.draft.clone();
        draft.retype(text)?;
        if draft.text() != self.draft.text() {
            self.note(fresh);
        }
        Ok(self.take_draft(draft))
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
            Some(Undo::Draft(draft)) => self.take_draft(*draft),
        }
    }
}

/// What does to a running crowd all that differs between two drafts; `None` where something has no command.
fn commands<V: Dimension>(before: &Draft, after: &Draft) -> Option<Vec<Command<V>>> {
    let (old, new) = (before.fields(), after.fields());
    if before.lists() != after.lists() && !only_switches(before, after) {
        return None;
    }
    if old.len() != new.len() || old.iter().zip(&new).any(|(a, b)| a.place != b.place) {
        return None;
    }
    let mut commands = Vec::new();
    let mut whole: Vec<&Place> = Vec::new();
    for (_, field) in old.iter().zip(&new).filter(|(a, b)| a.value != b.value) {
        match after.command::<V>(&field.place) {
            Some(command) if !commands.contains(&command) => commands.push(command),
            Some(_) => {}
            // A table whose parts differ is seen with them.
            None => whole.push(&field.place),
        }
    }
    let parts = |place: &&Place| {
        let inside = |other: &&wayfare_scene::edit::Field| other.place.0.len() > place.0.len() && other.place.0.starts_with(&place.0);
        new.iter().any(|field| inside(&field))
    };
    if !whole.iter().all(parts) || (!whole.is_empty() && commands.is_empty()) {
        return None;
    }
    // Only comments, and where things stand: or else something that is no field.
    if commands.is_empty() && format!("{:?}", before.scene()) != format!("{:?}", after.scene()) {
        return None;
    }
    Some(commands)
}

/// Whether the lists of behaviors differ at most in what is switched off.
fn only_switches(before: &Draft, after: &Draft) -> bool {
    let entries = |draft: &Draft| draft.lists().into_iter().flat_map(|list| list.entries).map(|entry| (entry.place, entry.behavior)).collect::<Vec<_>>();
    entries(before) == entries(after)
}
