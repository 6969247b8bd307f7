//! Changes of a crowd outside the phases of a tick, and what each of them makes out of date.

use super::Crowd;
use super::query::Index;
use crate::platform::OnceLock;
use crate::vector::Vector;

/// What has changed. A tick that has begun begins again after each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Something that a tick reads and no index depends on: a setting, the world.
    Input,
    /// Positions or bodies of agents or ghosts, as the search trees of queries have them.
    Bodies,
    /// Agents were added, removed or relocated: they must be sorted before the next step.
    Agents,
    /// The order of the rows, which the index of ids has.
    Rows,
}

impl<V: Vector> Crowd<V> {
    /// Discards what depends on what has changed.
    pub(super) fn changed(&mut self, what: Change) {
        self.tick.progress = None;
        match what {
            Change::Input => return,
            Change::Bodies => {}
            Change::Agents => {
                self.tick.max_displacement = f32::INFINITY;
                self.population.relocated = true;
                self.population.recount = true;
            }
            Change::Rows => self.population.row_index = OnceLock::new(),
        }
        self.population.query_index = Index::default();
    }
}
