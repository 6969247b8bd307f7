//! Ghost rows: copies of agents that a crowd reads and does not step.
//!
//! A crowd owns its rows: it steps them, and they are its state. The owner of a ghost is another
//! one: a process of a cluster that steps another part of the same crowd, or an engine that moves a
//! body itself. Ghosts have columns and a neighbor grid of their own, so that a crowd without them
//! pays for one test per grid cell.

use alloc::vec::Vec;
use core::ops::Range;

use super::columns::{Columns, Start, StateInstance};
use crate::agent::Agent;
use crate::id::{AgentId, GroupId};
use crate::row_index::RowIndex;
use crate::simd::column::VectorColumn;
use crate::spatial::grid::Grid;
use crate::spatial::space::Space;
use crate::threads::Share;
use crate::vector::Vector;

/// A copy of an agent that another owner moves; see
/// [`Crowd::set_ghosts`](crate::Crowd::set_ghosts).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ghost<V> {
    /// Its id, which no agent of the crowd has.
    pub id: AgentId,
    /// Its group.
    pub group: GroupId,
    /// Its state of motion and its limits. Neighbors and queries read position, velocity, heading,
    /// facing and radius.
    pub agent: Agent<V>,
}

/// The ghosts of a crowd, sorted by the cells of their own grid.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct Ghosts<V: Vector> {
    columns: Columns<V>,
    grid: Grid<V>,
    /// The rows of their ids in `columns`.
    rows: RowIndex,
    /// The number of ghosts of each group; empty without ghosts.
    counts: Vec<u32>,
    /// The corners of the box around their positions (length).
    low: V,
    high: V,
    /// The largest speed of a ghost (length / time).
    max_speed: f32,
    /// The row of each ghost, in the order in which they were given.
    order: Vec<u32>,
    /// Whether each one is frozen, by row: then contacts do not move it.
    frozen: Vec<bool>,
    /// The positions after the last tick, by row, where another part of the crowd has sent them
    /// (length); else empty.
    moved_to: Vec<V>,
}

/// A ghost, with what only another part of the same crowd knows of it.
#[derive(Clone, Copy, Debug)]
pub(in crate::crowd) struct GhostRow<V> {
    pub(in crate::crowd) id: u32,
    pub(in crate::crowd) group: u32,
    pub(in crate::crowd) state: StateInstance,
    pub(in crate::crowd) frozen: bool,
    pub(in crate::crowd) agent: Agent<V>,
}

impl<V: Vector> From<&Ghost<V>> for GhostRow<V> {
    fn from(ghost: &Ghost<V>) -> Self {
        let &Ghost { id, group, agent } = ghost;
        let state = StateInstance::new(0, 0);
        Self { id: id.0, group: group.0 as u32, state, frozen: false, agent }
    }
}

impl<V: Vector> Default for Ghosts<V> {
    fn default() -> Self {
        Self {
            // A ghost has a facing in any crowd: a neighbor may read it.
            columns: Columns { facing_width: 1, ..Columns::default() },
            grid: Grid::default(),
            rows: RowIndex::with_room_for(0),
            counts: Vec::new(),
            low: V::ZERO,
            high: V::ZERO,
            max_speed: 0.0,
            order: Vec::new(),
            frozen: Vec::new(),
            moved_to: Vec::new(),
        }
    }
}

impl<V: Vector> Ghosts<V> {
    pub(in crate::crowd) fn len(&self) -> usize {
        self.columns.len()
    }

    pub(in crate::crowd) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns, in the order of cells.
    pub(in crate::crowd) fn columns(&self) -> &Columns<V> {
        &self.columns
    }

    /// The number of ghosts of `group`.
    pub(in crate::crowd) fn count(&self, group: usize) -> u32 {
        self.counts.get(group).copied().unwrap_or(0)
    }

    /// The largest speed of a ghost (length / time); 0 without ghosts.
    pub(in crate::crowd) fn max_speed(&self) -> f32 {
        self.max_speed
    }

    /// The rows, in the order in which the ghosts were given.
    pub(in crate::crowd) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Whether the ghost in `row` is frozen.
    pub(in crate::crowd) fn is_frozen(&self, row: usize) -> bool {
        self.frozen[row]
    }

    /// Whether one of them has this id.
    pub(in crate::crowd) fn contain(&self, id: u32) -> bool {
        self.row_of(id).is_some()
    }

    /// The row of the ghost `id`.
    pub(in crate::crowd) fn row_of(&self, id: u32) -> Option<usize> {
        if self.is_empty() { None } else { self.rows.get(id, &self.columns.id) }
    }

    /// The position of the ghost `id`, if it is in `row` (length).
    pub(in crate::crowd) fn position_of(&self, id: u32, row: usize) -> Option<V> {
        (row < self.len() && self.columns.id[row] == id).then(|| self.columns.position.get(row))
    }

    /// The position of the ghost in `row` after the last tick, if it is known, else before it
    /// (length).
    pub(in crate::crowd) fn position_after(&self, row: usize) -> V {
        self.moved_to.get(row).copied().unwrap_or_else(|| self.columns.position.get(row))
    }

    /// Takes the positions after the tick (length), in the order in which the ghosts were given.
    pub(in crate::crowd) fn move_to(&mut self, positions: impl IntoIterator<Item = (usize, V)>) {
        self.moved_to.clear();
        self.moved_to.extend((0..self.columns.len()).map(|row| self.columns.position.get(row)));
        for (index, position) in positions {
            if let Some(row) = self.order.get(index) {
                self.moved_to[*row as usize] = position;
            }
        }
    }

    /// Whether a ghost may be at most `radius` (length) from the box between these corners.
    pub(in crate::crowd) fn may_be_near(
        &self,
        space: &Space<V>,
        low: V,
        high: V,
        radius: f32,
    ) -> bool {
        // Room for the rounding of squares and roots, as in the grid.
        let radius = radius * 1.002;
        !self.is_empty()
            && (space.wraps()
                || (0..V::DIMENSION).all(|i| {
                    self.low.axis(i) - high.axis(i) <= radius
                        && low.axis(i) - self.high.axis(i) <= radius
                }))
    }

    /// Adds to `runs` the rows that together hold all ghosts within `radius` (length) of the box
    /// between these corners.
    pub(in crate::crowd) fn collect_runs(
        &self,
        low: V,
        high: V,
        radius: f32,
        runs: &mut Vec<Range<u32>>,
    ) {
        self.grid.collect_runs(low, high, radius, runs);
    }

    /// Counts the speeds of all ghosts among those of the crowd, whose bound they keep: they are
    /// copies of agents of the same whole.
    pub(in crate::crowd) fn keep_the_bound_of_speeds(&mut self) {
        self.max_speed = 0.0;
    }

    /// Removes all ghosts and keeps the room.
    pub(in crate::crowd) fn clear(&mut self) {
        self.columns.clear();
        self.counts.clear();
        self.order.clear();
        self.frozen.clear();
        self.moved_to.clear();
        self.max_speed = 0.0;
    }

    /// Replaces all ghosts by `given`, which are validated, with their rows by id; `width` is that
    /// of the cells (length).
    pub(in crate::crowd) fn replace(
        &mut self,
        given: &[GhostRow<V>],
        mut rows: RowIndex,
        width: f32,
        space: &Space<V>,
        groups: usize,
    ) {
        self.clear();
        let mut positions = VectorColumn::default();
        positions.resize(given.len());
        for (i, ghost) in given.iter().enumerate() {
            let position = ghost.agent.position;
            // Differences of positions rely on both being inside the bounds.
            positions.set(i, space.inside(position));
        }
        self.grid.build(&positions, width, space, Share::ALONE);
        (self.low, self.high) = positions.extent();
        let mut order = vec![0_u32; given.len()];
        (0..).zip(self.grid.rows()).for_each(|(i, &row)| order[row as usize] = i);
        self.counts.resize(groups, 0);
        for i in order.into_iter().map(|i| i as usize) {
            let GhostRow { id, group, state, frozen, agent } = given[i];
            let agent = Agent { position: positions.get(i), ..agent };
            let start = Start { state, stats: &[], seed: 0, tick: 0, perceives: false };
            self.columns.push(id, group, start, &agent);
            self.frozen.push(frozen);
            self.counts[group as usize] += 1;
            self.max_speed = self.max_speed.max(agent.velocity.length());
        }
        self.columns.pad();
        self.order.extend_from_slice(self.grid.rows());
        rows.permute(self.grid.rows());
        self.rows = rows;
    }

    /// The ghosts in row order.
    pub(in crate::crowd) fn iter(&self) -> impl Iterator<Item = Ghost<V>> + '_ {
        (0..self.len()).map(|row| Ghost {
            id: AgentId(self.columns.id[row]),
            group: GroupId(self.columns.group[row] as usize),
            agent: self.columns.agent(row),
        })
    }
}

/// The columns that hold a row of the owned agents `now` and of the ghosts behind them, and the row
/// there.
#[inline(always)]
pub(in crate::crowd) fn columns_of<'a, V: Vector>(
    now: &'a Columns<V>,
    ghosts: &'a Ghosts<V>,
    row: usize,
) -> (&'a Columns<V>, usize) {
    match row.checked_sub(now.len()) {
        None => (now, row),
        Some(row) => (&ghosts.columns, row),
    }
}
