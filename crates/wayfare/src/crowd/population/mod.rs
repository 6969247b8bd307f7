//! The agents of a crowd: their columns, the row of each id, how agents enter and leave; and
//! ghosts, which the crowd reads and does not own.

use crate::agent::Agent;
use crate::id::AgentId;
use crate::platform::OnceLock;
use crate::row_index::RowIndex;
use crate::vector::Vector;
use columns::{Columns, OwnSettings, Start};
use ghosts::Ghosts;
use query_index::QueryIndex;

pub(super) mod columns;
mod entries;
pub(super) mod ghosts;
pub(super) mod query_index;
pub(super) mod slices;
pub(super) mod spawn;

/// The agents, and what is known of them by row and by id.
#[derive(Clone, Debug)]
pub(super) struct Population<V: Vector> {
    /// The current generation.
    pub(super) now: Columns<V>,
    /// The other generation: a step writes its results here, then exchanges it with `now`. Between
    /// steps it holds the previous positions if `has_previous`.
    pub(super) next: Columns<V>,
    pub(super) has_previous: bool,
    pub(super) ghosts: Ghosts<V>,
    /// The id of the next agent that enters: ids are never reused.
    pub(super) next_id: u32,
    /// An upper bound on every speed (length / time).
    pub(super) max_speed: f32,
    /// Whether an agent was added or relocated since the last step: a wall may then move that
    /// agent by more than its speed allows.
    pub(super) relocated: bool,
    /// Whether agents were added or removed since the groups' members were counted.
    pub(super) recount: bool,
    /// The rows of all ids, built by the first lookup.
    pub(super) row_index: OnceLock<RowIndex>,
    /// Search trees for queries, built by a query once many came after a step.
    pub(super) query_index: QueryIndex<V>,
}

impl<V: Vector> Population<V> {
    /// The agents `now` of a new crowd, none of which is faster than `max_speed` (length / time).
    pub(super) fn new(now: Columns<V>, max_speed: f32) -> Self {
        Self {
            next: now.clone(),
            has_previous: true,
            ghosts: Ghosts::default(),
            next_id: now.len() as u32,
            max_speed,
            relocated: true,
            recount: true,
            row_index: OnceLock::new(),
            query_index: QueryIndex::default(),
            now,
        }
    }

    /// The first id from `next_id` on that no ghost has; `u32::MAX` if there is none.
    pub(super) fn unused_id(&self) -> u32 {
        let mut id = self.next_id;
        while self.ghosts.contain(id) {
            id += 1;
        }
        id
    }

    /// Adds an agent of `(id, group)` as the last row of both generations.
    pub(super) fn push(&mut self, (id, group): (u32, u32), start: Start<'_>, agent: &Agent<V>) {
        let row = self.now.len();
        if let Some(index) = self.row_index.get_mut() {
            if index.has_room(row) {
                index.insert(id, row as u32);
            } else {
                self.row_index = OnceLock::new();
            }
        }
        for columns in [&mut self.now, &mut self.next] {
            columns.push(id, group, start, agent);
            columns.pad();
        }
    }

    /// Removes row `row`; the last row moves there.
    pub(super) fn remove_row(&mut self, row: usize) {
        let ids = &self.now.id[..self.now.len()];
        if let Some(index) = self.row_index.get_mut() {
            let (id, last) = (ids[row], ids[ids.len() - 1]);
            index.remove(id, ids);
            if id != last {
                index.relocate(last, row as u32, ids);
            }
        }
        self.now.swap_remove(row);
        self.next.swap_remove(row);
    }

    /// The own settings of the agent in `row`; makes room for those of all agents at the first use.
    pub(super) fn own_settings(&mut self, row: usize) -> &mut OwnSettings<V> {
        [&mut self.now, &mut self.next].into_iter().for_each(Columns::widen_own);
        &mut self.now.own[row]
    }

    /// The row of the owned agent `id`.
    pub(super) fn row_of(&self, id: AgentId) -> Option<usize> {
        find_owned_row(&self.now, &self.row_index, id)
    }
}

/// The row of the agent or ghost `id`: ghosts stand behind the owned agents.
pub(super) fn find_row<V: Vector>(
    now: &Columns<V>,
    ghosts: &Ghosts<V>,
    row_index: &OnceLock<RowIndex>,
    id: AgentId,
) -> Option<usize> {
    let owned = find_owned_row(now, row_index, id);
    owned.or_else(|| Some(now.len() + ghosts.row_of(id.0)?))
}

/// The row of the owned agent `id`.
fn find_owned_row<V: Vector>(
    now: &Columns<V>,
    row_index: &OnceLock<RowIndex>,
    id: AgentId,
) -> Option<usize> {
    let ids = &now.id[..now.len()];
    row_index.get_or_init(|| RowIndex::new(ids)).get(id.0, ids)
}
