//! Changes of the scene itself, while it runs: the text changes, and the crowd goes on with a
//! command where there is one for it, or begins anew.

use wayfare::Crowd;
use wayfare::crowd::{Command, KeyPath, KeySegment, ValidationError};
use wayfare_scene::edit::{Control, Draft, Value};
use wayfare_scene::{Log, Problem};

use super::{Dimension, Outcome, Past, Show, opened};
use crate::session::drag::Held;

/// Something that a person changes in a scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    Set(KeyPath, Value),
    /// To the default.
    Reset(KeyPath),
    /// As the scene was opened: one thing, or all.
    Restore(KeyPath),
    RestoreAll,
    /// A behavior of this name into a list, as the one with this index.
    Add(KeyPath, usize, String),
    Remove(KeyPath),
    Move(KeyPath, usize),
    /// On or off.
    Switch(KeyPath, bool),
}

impl Edit {
    fn apply(&self, draft: &mut Draft) -> Result<(), ValidationError> {
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
            Self::Switch(entry, on) => draft.set_enabled(entry, *on),
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
            (self.crowd, self.setup, self.title, self.fire) =
                (crowd, setup, scene.title, scene.fire);
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
            let drafts = self
                .undo
                .drain(..)
                .filter_map(|undo| if let Undo::Draft(draft) = undo { Some(*draft) } else { None });
            // It reads, and so it opens.
            return opened(self.draft.clone(), drafts.collect())
                .map_or(Outcome::Nothing, Outcome::Other);
        }
        if let Some(commands) = commands::<V>(&before, &self.draft) {
            // One that is refused is so for what the crowd is now: then the scene begins anew with
            // it.
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

    pub(super) fn change(&mut self, edit: &Edit, fresh: bool) -> Result<Outcome, ValidationError> {
        let mut draft = self.draft.clone();
        edit.apply(&mut draft)?;
        if draft.text() != self.draft.text() {
            self.note(fresh);
        }
        Ok(self.take_draft(draft))
    }

    pub(super) fn take_text(&mut self, text: String, fresh: bool) -> Result<Outcome, Vec<Problem>> {
        let mut draft = self.draft.clone();
        draft.set_text(text)?;
        if draft.text() != self.draft.text() {
            self.note(fresh);
        }
        Ok(self.take_draft(draft))
    }

    /// Writes into the scene's text where an obstacle or a point of a path has been put, so that it
    /// begins there too, is compared and shared so; whether the text has a place for it.
    pub(super) fn write_down(&mut self, held: &Held<V>) -> bool {
        let mut draft = self.draft.clone();
        if self.dragged == V::ZERO || put(&mut draft, held, self.dragged).is_none() {
            return false;
        }
        // Where the text says it is, to the bit.
        let now = V::scene(draft.scene()).map(|scene| scene.setup.clone()).unwrap_or_default();
        let command = match held {
            Held::Obstacle { index, .. } => {
                now.obstacles.get(*index).map(|shape| Command::SetObstacle(*index, shape.clone()))
            }
            Held::Point { path, point, .. } => {
                let found = now
                    .paths
                    .iter()
                    .find(|(name, _)| name == path)
                    .and_then(|(_, path)| path.points.get(*point));
                found.map(|&position| Command::MovePoint {
                    path: path.clone(),
                    point: *point,
                    position,
                })
            }
            Held::Agent { .. } => None,
        };
        if !command.is_some_and(|command| self.record(command)) {
            return false;
        }
        self.note(true);
        self.draft = draft;
        true
    }

    pub(super) fn take_back(&mut self) -> Outcome {
        match self.undo.pop() {
            None => Outcome::Nothing,
            Some(Undo::Command(command)) => {
                // Who has left by an exit since cannot be taken back.
                self.record(command);
                self.crowd.rows_by_id(&mut self.order);
                Outcome::Done
            }
            Some(Undo::Draft(draft)) => self.take_draft(*draft),
        }
    }
}

/// Moves in the text what is held; `None` where the text says it in another way.
fn put<V: Dimension>(draft: &mut Draft, held: &Held<V>, way: V) -> Option<()> {
    let moved = |value: &Value| {
        let Value::List(items) = value else { return None };
        let shifted = |(i, x): (usize, &Value)| {
            Some(Value::from(((x.number()? + f64::from(way.axis(i))) * 100.0).round() / 100.0))
        };
        let flat = items.len().min(V::DIMENSION);
        items[..flat]
            .iter()
            .enumerate()
            .map(shifted)
            .collect::<Option<Vec<Value>>>()
            .map(Value::List)
    };
    match held {
        Held::Agent { .. } => None,
        Held::Obstacle { index, .. } => {
            let place = KeyPath::default().key("obstacle").at(*index);
            if let Some(Value::List(corners)) =
                draft.control(&place.key("polygon")).and_then(|field| field.value)
            {
                let corners = corners.iter().map(moved).collect::<Option<_>>()?;
                return draft.set(&place.key("polygon"), Value::List(corners)).ok();
            }
            let is_point = |field: &Control| {
                field.key_path.0.starts_with(&place.0)
                    && ["center", "min", "max", "from", "to"].contains(&field.name())
            };
            let mut points = draft
                .controls()
                .into_iter()
                .filter(is_point)
                .map(|field| Some((moved(field.value.as_ref()?)?, field.key_path)))
                .collect::<Option<Vec<_>>>()?;
            // A box has its corners in order at each moment: the upper one makes way first.
            if let [.., (max, corner)] = points.as_slice()
                && matches!(corner.0.last(), Some(KeySegment::Name(name)) if name == "max")
            {
                let (Value::List(new), Value::List(old)) = (max, draft.control(corner)?.value?)
                else {
                    return None;
                };
                let larger = new
                    .iter()
                    .zip(&old)
                    .map(|(a, b)| Some(Value::from(a.number()?.max(b.number()?))))
                    .collect::<Option<_>>()?;
                points.insert(0, (Value::List(larger), corner.clone()));
            }
            points.into_iter().try_for_each(|(point, place)| draft.set(&place, point).ok())
        }
        Held::Point { path, point, .. } => {
            let place = KeyPath::default().key("path").key(path.clone());
            let Value::List(mut points) = draft.control(&place.key("points"))?.value? else {
                return None;
            };
            if draft.control(&place.key("curve")).is_some_and(|field| field.given) {
                return None;
            }
            let point = points.get_mut(*point)?;
            *point = moved(point)?;
            draft.set(&place.key("points"), Value::List(points)).ok()
        }
    }
}

/// What moves obstacles and points of paths of a running crowd from where they are in one scene to
/// where they are in another; `None` where more differs.
fn movements<V: Dimension>(before: &Draft, after: &Draft) -> Option<Vec<Command<V>>> {
    let (old, new) = (&V::scene(before.scene())?.setup, &V::scene(after.scene())?.setup);
    if old.obstacles.len() != new.obstacles.len() || old.paths.len() != new.paths.len() {
        return None;
    }
    let obstacles =
        old.obstacles.iter().zip(&new.obstacles).enumerate().filter(|(_, (a, b))| a != b);
    let mut commands: Vec<_> =
        obstacles.map(|(i, (_, shape))| Command::SetObstacle(i, shape.clone())).collect();
    for ((name, a), (other, b)) in old.paths.iter().zip(&new.paths) {
        if name != other
            || a.points.len() != b.points.len()
            || (a.radius, a.closed) != (b.radius, b.closed)
        {
            return None;
        }
        let points = a.points.iter().zip(&b.points).enumerate().filter(|(_, (a, b))| a != b);
        commands.extend(points.map(|(point, (_, &position))| Command::MovePoint {
            path: name.clone(),
            point,
            position,
        }));
    }
    Some(commands)
}

/// What does to a running crowd all that differs between two drafts; `None` where something has no
/// command.
fn commands<V: Dimension>(before: &Draft, after: &Draft) -> Option<Vec<Command<V>>> {
    let (old, new) = (before.controls(), after.controls());
    if before.lists() != after.lists() && !only_switches(before, after) {
        return None;
    }
    if old.len() != new.len() || old.iter().zip(&new).any(|(a, b)| a.key_path != b.key_path) {
        return None;
    }
    let stands = |place: &KeyPath| matches!(place.0.first(), Some(KeySegment::Name(name)) if name == "obstacle" || name == "path");
    let (moved, set): (Vec<_>, Vec<_>) = old
        .iter()
        .zip(&new)
        .filter(|(a, b)| a.value != b.value)
        .map(|(_, field)| field)
        .partition(|field| stands(&field.key_path));
    let mut commands = if moved.is_empty() { Vec::new() } else { movements(before, after)? };
    let mut whole: Vec<&KeyPath> = Vec::new();
    for field in set {
        match after.command::<V>(&field.key_path) {
            Some(command) if !commands.contains(&command) => commands.push(command),
            Some(_) => {}
            // A table whose parts differ is seen with them.
            None => whole.push(&field.key_path),
        }
    }
    let parts = |place: &&KeyPath| {
        let inside = |other: &&Control| {
            other.key_path.0.len() > place.0.len() && other.key_path.0.starts_with(&place.0)
        };
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
    let entries = |draft: &Draft| {
        draft
            .lists()
            .into_iter()
            .flat_map(|list| list.entries)
            .map(|entry| (entry.key_path, entry.behavior))
            .collect::<Vec<_>>()
    };
    entries(before) == entries(after)
}
