//! Picking, dragging, adding and firing in a running scene.

use wayfare::crowd::{Added, Command};
use wayfare::glam::Vec2;

use crate::session::dimension::Dimension;
use crate::session::edit::UndoStep;
use crate::session::fire::Range;
use crate::session::picking::{Grabbed, Pick};
use crate::session::scene::RunningScene;
use crate::session::traits::Interaction;

impl<V: Dimension> Interaction for RunningScene<V> {
    fn pick(&self, at: Vec2, reach: f32) -> Option<Pick> {
        Pick::at(&self.crowd, at, reach.max(self.visible_radius))
    }

    fn is_obstacle_at(&self, at: Vec2) -> bool {
        Pick::obstacle(&self.crowd, at, 0.0).is_some()
    }

    fn grab(&mut self, pick: Pick) {
        (self.grabbed, self.dragged) = (Grabbed::new(&self.crowd, pick), V::ZERO);
    }

    fn drag(&mut self, offset: Vec2) {
        if let Some(grabbed) = &self.grabbed {
            let offset = self.setup.up.from_ground(offset);
            let command = grabbed.moved(offset);
            if self.apply(command) {
                self.dragged = offset;
            }
        }
    }

    fn release(&mut self) {
        if let Some(grabbed) = self.grabbed.take()
            && !self.write_drag_to_text(&grabbed)
        {
            self.undo.push(UndoStep::Commands(vec![grabbed.restored()]));
        }
    }

    fn add_agent(&mut self, at: Vec2) {
        let Some(group) = self.crowd.group_names().next().map(str::to_string) else { return };
        let position = self.at_middle_height(at);
        let command = Command::Add { group, position, velocity: None };
        if let Ok(Some(Added::Agent(id))) = self.try_apply(command) {
            self.undo.push(UndoStep::Commands(vec![Command::Remove(id)]));
            self.crowd.rows_by_id(&mut self.rows_by_id);
        }
    }

    fn fires(&self) -> bool {
        self.fire.is_some()
    }

    fn fire(&mut self, at: Vec2) {
        let at = self.at_middle_height(at);
        self.apply_fire(|range| range.shots(at));
    }
}

impl<V: Dimension> RunningScene<V> {
    /// Applies the commands that `commands` derives from a scene with `[fire]`.
    pub(super) fn apply_fire(&mut self, commands: impl FnOnce(&Range<V>) -> Vec<Command<V>>) {
        let Some(fire) = self.fire else { return };
        let rows_by_id = &self.rows_by_id;
        let commands =
            commands(&Range { crowd: &self.crowd, setup: &self.setup, fire, rows_by_id });
        if !commands.is_empty() {
            commands.into_iter().for_each(|command| _ = self.apply(command));
            self.crowd.rows_by_id(&mut self.rows_by_id);
        }
    }
}
