//! Changes of a crowd outside the phases of a tick, and what each of them makes out of date.

use super::tick::Tick;
use crate::crowd::population::Population;
use crate::crowd::population::query_index::QueryIndex;
use crate::platform::OnceLock;
use crate::vector::Vector;

/// What has changed. A tick that has begun begins again after each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::crowd) enum Change {
    /// Something that a tick reads and no index depends on: a setting, the world.
    Input,
    /// Positions or bodies of agents or ghosts, as the search trees of queries have them.
    Bodies,
    /// Agents were added, removed or relocated: they must be sorted before the next step.
    Agents,
    /// The order of the rows, which the index of ids has.
    Rows,
}

/// Discards what depends on what has changed.
pub(in crate::crowd) fn changed<V: Vector>(
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    what: Change,
) {
    tick.progress = None;
    match what {
        Change::Input => return,
        Change::Bodies => {}
        Change::Agents => {
            tick.max_displacement = f32::INFINITY;
            population.relocated = true;
            population.recount = true;
        }
        Change::Rows => population.row_index = OnceLock::new(),
    }
    population.query_index = QueryIndex::default();
}
