//! The commands of the setup, which a crowd applies by itself.

use alloc::vec::Vec;

use crate::crowd::facade::crowd::Crowd;
use crate::crowd::setup::command::list::Command;
use crate::crowd::setup::command::timed::Refused;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// The first of the [commands of the setup](crate::crowd::Setup::commands) that the crowd has
    /// refused since its start or since it was restored. It has changed nothing, and the crowd goes
    /// on.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let remove = TimedCommand::new(1.0, Command::Remove(AgentId(7)));
    /// let mut crowd = Setup::<Vec2>::new(0.5).command(remove).crowd()?;
    /// (0..3).for_each(|_| crowd.step());
    /// let refused = crowd.refused_command().unwrap();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "at tick 2 event[0].remove: there is no agent 7; allowed: the id of an agent that is \
    ///      in the crowd"
    /// );
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn refused_command(&self) -> Option<&Refused> {
        self.origin.timed.refused.as_ref()
    }

    /// Whether commands of the setup are applied by the next step, or by a command before it.
    pub fn has_due_commands(&self) -> bool {
        self.tick.number >= self.origin.timed.next
    }

    /// Takes the commands of the setup that are due now, which the next step then does not apply:
    /// for a part of a larger crowd, all parts of which apply them together.
    pub fn take_due_commands(&mut self) -> Vec<(usize, Command<V>)> {
        if !self.has_due_commands() {
            return Vec::new();
        }
        let (tick, dt) = (self.tick.number, self.tick.dt);
        let due = self.origin.timed.due_at(tick, dt);
        self.origin.timed.go_to(tick + 1, dt);
        due
    }

    /// Applies the commands of the setup that are due now. Logs have no such commands: they come
    /// before those of a log at the same tick, in every replay.
    pub(in crate::crowd) fn apply_due_commands(&mut self) {
        // The parts of a crowd apply them together.
        if !self.has_due_commands() || self.part.is_some() {
            return;
        }
        let tick = self.tick.number;
        for (index, command) in self.take_due_commands() {
            if let Err(error) = self.apply_one(&command) {
                let refused = || Refused { index, tick, error: error.at_event(index) };
                self.origin.timed.refused.get_or_insert_with(refused);
            }
        }
    }

    /// Takes the place of a crowd at this tick, which has applied the commands of the setup that
    /// are due at it or not.
    pub(in crate::crowd) fn go_on_from(&mut self, tick: u64, applied: bool) {
        let dt = self.tick.dt;
        self.origin.timed.go_to(tick.saturating_add(applied.into()), dt);
        self.origin.timed.refused = None;
    }

    /// Whether commands of the setup at this tick have been applied: a snapshot tells.
    pub(in crate::crowd) fn has_applied_due(&self) -> bool {
        let (tick, timed) = (self.tick.number, &self.origin.timed);
        let is_due = |dt| timed.list.iter().any(|one| one.next_due(tick, dt) == Some(tick));
        timed.next > tick && is_due(self.tick.dt)
    }
}
