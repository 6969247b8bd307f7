//! Going back in time: a snapshot is restored, and the log replays what followed it.

use wayfare_scene::{Problem, Source, log_text, read_log};

use crate::session::dimension::Dimension;
use crate::session::scene::{RunningScene, simulated_clock};
use crate::session::traits::{Simulation, TimeTravel};

impl<V: Dimension> TimeTravel for RunningScene<V> {
    fn known_ticks(&self) -> (u64, u64) {
        self.timeline.known_ticks(self.crowd.tick())
    }

    fn go_to(&mut self, tick: u64) {
        let (first, last) = self.known_ticks();
        let (now, tick) = (self.crowd.tick(), tick.clamp(first, last));
        if tick == now {
            return;
        }
        if now == self.timeline.present {
            self.timeline.last_text = Some(self.draft.text().to_string());
        }
        let Some((from, bytes)) = self.timeline.snapshot_before(tick) else { return };
        if tick < now || *from > now {
            if self.crowd.restore(bytes).is_err() {
                return;
            }
            self.log.go_to(*from);
            // Ticks that are skipped forward leave no trail.
            self.trails.rewind(if tick < now { (now - tick) as usize } else { usize::MAX });
        }
        while self.crowd.tick() < tick {
            self.replay_commands();
            self.crowd.step();
            if self.crowd.tick() > now {
                self.after_tick();
            }
        }
        (self.grabbed, self.mid_tick, self.clock) = (None, false, simulated_clock());
        self.undo.append(&mut self.timeline.later_undo);
        if self.is_before_present() {
            let kept = self.timeline.fewest_undo_steps_since(tick).unwrap_or(usize::MAX);
            self.timeline.later_undo = self.undo.split_off(kept.min(self.undo.len()));
        }
        self.after_replayed_tick();
        self.crowd.rows_by_id(&mut self.rows_by_id);
    }

    fn discard_later(&mut self) {
        self.cut_history();
    }

    fn is_replaying(&self) -> bool {
        self.is_before_present()
    }

    fn replay(&mut self, log: &Source) -> Result<String, Vec<Problem>> {
        let log = read_log::<V>(log, self.setup.dt)?;
        self.restart(self.setup.seed);
        // Commands at the last tick are applied before that tick is stepped.
        self.timeline.present = log.commands().map(|(tick, _)| tick + 1).max().unwrap_or_default();
        self.timeline.last_text = Some(self.draft.text().to_string());
        self.log = log;
        Ok(wayfare_scene::counted(self.log.commands().count(), "command"))
    }

    fn take_replay_error(&mut self) -> Option<String> {
        let event = self.crowd.refused_command().filter(|event| self.told != Some(event.tick));
        if let Some(event) = event {
            self.told = Some(event.tick);
            return Some(event.to_string());
        }
        self.replay_error.take()
    }

    fn log(&self) -> String {
        log_text(&self.log)
    }
}

impl<V: Dimension> RunningScene<V> {
    /// Applies the log's commands of this tick.
    pub(super) fn replay_commands(&mut self) {
        let remaining = self.log.remaining();
        // The crowd is in the state in which it took these commands; only those of an opened log
        // can be refused.
        if let Err(refused) = self.log.apply(&mut self.crowd) {
            self.replay_error = Some(format!(
                "the log is of another scene: at tick {} {}",
                self.crowd.tick(),
                refused.error
            ));
            self.log.cut();
            self.timeline.cut(self.crowd.tick());
        }
        // Commands can add and remove agents.
        if self.log.remaining() != remaining {
            self.crowd.rows_by_id(&mut self.rows_by_id);
        }
    }

    /// Restores text and undo steps of a tick that was reached before.
    pub(super) fn after_replayed_tick(&mut self) {
        let tick = self.crowd.tick();
        if tick == self.timeline.present {
            self.replay_commands();
            self.undo.append(&mut self.timeline.later_undo);
        }
        if let Some(text) = self.timeline.text_at(tick).filter(|text| *text != self.draft.text()) {
            // The draft had this text before, so it is valid.
            let _ = self.draft.set_text(text.to_string());
        }
    }
}

#[cfg(test)]
mod tests;
