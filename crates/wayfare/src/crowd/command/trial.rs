//! The commands of a setup, tried before a run.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use crate::crowd::facade::crowd::Crowd;
use crate::crowd::setup::Setup;
use crate::crowd::setup::allowed::ValidationError;
use crate::geometry::flow_field::FieldPlan;
use crate::vector::Vector;

/// The most agents of a crowd on which commands are tried.
const MOST_AGENTS: usize = 2_000;
/// The most commands that are tried.
const MOST_COMMANDS: usize = 1_000;

impl<V: Vector> Setup<V> {
    /// The [commands](Self::commands) that a crowd of this setup refuses at whatever tick: they are
    /// tried at its start, in the order of their times, so that names and key paths are checked
    /// before the run. Of agents only the run knows whether they are still there.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let uncount = TimedCommand::new(1.0, Command::RemoveLine("door".to_string()));
    /// let refused = Setup::<Vec2>::new(0.5).command(uncount).refused_commands();
    /// let message = refused[0].to_string();
    /// assert!(message.starts_with("event[0].remove_line: there is no line"), "{message}");
    /// ```
    pub fn refused_commands(&self) -> Vec<ValidationError> {
        V::refused_commands(self)
    }

    pub(in crate::crowd) fn refused_commands_here(&self) -> Vec<ValidationError> {
        if self.commands.is_empty() {
            return Vec::new();
        }
        let mut tried = self.clone();
        let commands = core::mem::take(&mut tried.commands);
        if tried.groups.iter().map(|group| group.count).sum::<usize>() > MOST_AGENTS {
            tried.groups.iter_mut().for_each(|group| group.count = 0);
        }
        for (_, plan) in &mut tried.fields {
            // A field with a goal takes long.
            let (origin, cell) = (V::ZERO, 1.0);
            let (columns, rows, vectors) = (1, None, vec![V::ZERO]);
            *plan = FieldPlan::Vectors { origin, cell, columns, rows, vectors };
        }
        let Ok(mut crowd) = Crowd::new(tried) else { return Vec::new() };
        let mut refused = Vec::new();
        let mut next: Vec<_> = commands.iter().map(|one| one.next_due(0, self.dt)).collect();
        let mut waiting: BTreeSet<usize> = (0..commands.len()).collect();
        for _ in 0..MOST_COMMANDS {
            let due = next.iter().enumerate().filter_map(|(at, tick)| Some((tick.as_ref()?, at)));
            let Some((&tick, index)) = due.min().filter(|_| !waiting.is_empty()) else { break };
            if let Err(error) = crowd.apply_here(&commands[index].command)
                && waiting.contains(&index)
                && !error.message.starts_with("there is no agent")
            {
                refused.push((index, error));
            }
            waiting.remove(&index);
            next[index] = commands[index].next_due(tick + 1, self.dt);
        }
        refused.sort_by_key(|(index, _)| *index);
        refused.into_iter().map(|(index, error)| error.at_event(index)).collect()
    }
}
