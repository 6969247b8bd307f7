//! Edits of a running scene: the text changes, and the crowd goes on with commands where there are
//! commands for the change, or starts again.

use wayfare::crowd::{Command, ValidationError};
use wayfare_scene::Problem;
use wayfare_scene::edit::Draft;

use crate::session::dimension::Dimension;
use crate::session::draft_commands::{commands_between, move_in_text};
use crate::session::edit::{Edit, Outcome, Reopening, UndoStep};
use crate::session::picking::Grabbed;
use crate::session::scene::RunningScene;
use crate::session::traits::Editing;

impl<V: Dimension> Editing for RunningScene<V> {
    fn draft(&self) -> &Draft {
        &self.draft
    }

    fn starting_text(&self) -> &str {
        &self.starting_text
    }

    fn edit(&mut self, edit: &Edit, new_step: bool) -> Result<Outcome, ValidationError> {
        let mut draft = self.draft.clone();
        edit.apply(&mut draft)?;
        Ok(self.take_edited(draft, new_step))
    }

    fn replace_text(&mut self, text: String, new_step: bool) -> Result<Outcome, Vec<Problem>> {
        let mut draft = self.draft.clone();
        draft.set_text(text)?;
        Ok(self.take_edited(draft, new_step))
    }

    fn undo(&mut self) -> Outcome {
        match self.undo.pop() {
            None => Outcome::Unchanged,
            Some(UndoStep::Commands(commands)) => {
                // The crowd refuses commands for an agent that has left since.
                commands.into_iter().for_each(|command| _ = self.apply(command));
                self.crowd.rows_by_id(&mut self.rows_by_id);
                Outcome::Applied
            }
            Some(UndoStep::Draft(draft)) => self.take_draft(*draft),
        }
    }

    fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }
}

impl<V: Dimension> RunningScene<V> {
    /// Takes an edited draft and makes the change an undo step.
    fn take_edited(&mut self, draft: Draft, new_step: bool) -> Outcome {
        if draft.text() != self.draft.text() {
            self.push_undo_draft(new_step);
        }
        self.take_draft(draft)
    }

    /// Goes on with `draft`: by commands if there are commands for the whole difference.
    fn take_draft(&mut self, draft: Draft) -> Outcome {
        let before = std::mem::replace(&mut self.draft, draft);
        if self.draft.text() == before.text() {
            return Outcome::Unchanged;
        }
        if V::scene(self.draft.scene()).is_none() {
            let earlier = self.undo.drain(..).filter_map(|step| match step {
                UndoStep::Draft(draft) => Some(*draft),
                UndoStep::Commands(_) => None,
            });
            let earlier = earlier.collect();
            return Outcome::Reopen(Box::new(Reopening { draft: self.draft.clone(), earlier }));
        }
        if let Some(commands) = commands_between::<V>(&before, &self.draft) {
            // The crowd's present state can make it refuse a command: then the scene starts again.
            if commands.into_iter().all(|command| self.apply(command)) {
                return Outcome::Applied;
            }
        }
        self.start_again(None);
        // Steps that are commands were for the crowd before.
        self.undo.retain(|step| matches!(step, UndoStep::Draft(_)));
        Outcome::Restarted
    }

    /// Makes the draft as it is now an undo step, unless the change joins the last one.
    fn push_undo_draft(&mut self, new_step: bool) {
        if new_step || !matches!(self.undo.last(), Some(UndoStep::Draft(_))) {
            self.undo.push(UndoStep::Draft(Box::new(self.draft.clone())));
        }
    }

    /// Writes the new position of a dragged obstacle or path point into the text, so that a
    /// restart, a comparison and a link have it; returns whether the text states the position.
    pub(super) fn write_drag_to_text(&mut self, grabbed: &Grabbed<V>) -> bool {
        let mut draft = self.draft.clone();
        let up = self.setup.up;
        if self.dragged == V::ZERO || move_in_text(&mut draft, grabbed, self.dragged, up).is_none()
        {
            return false;
        }
        // The text rounds: the running object goes exactly where the text says.
        let setup = V::scene(draft.scene()).map(|scene| scene.setup.clone()).unwrap_or_default();
        let command = match grabbed {
            // The first ids are the indices in the text.
            Grabbed::Obstacle { id, .. } => setup
                .obstacles
                .get(id.0 as usize)
                .map(|shape| Command::SetObstacle(*id, shape.clone())),
            Grabbed::Point { path, point, .. } => {
                let found = setup
                    .paths
                    .iter()
                    .find(|(name, _)| name == path)
                    .and_then(|(_, path)| path.points().get(*point));
                found.map(|&position| Command::MovePoint {
                    path: path.clone(),
                    point: *point,
                    position,
                })
            }
            Grabbed::Agent { .. } => None,
        };
        if !command.is_some_and(|command| self.apply(command)) {
            return false;
        }
        self.push_undo_draft(true);
        self.draft = draft;
        true
    }
}
