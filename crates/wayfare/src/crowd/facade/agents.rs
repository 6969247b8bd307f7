//! The agents of a crowd, by id and by row.

use alloc::string::String;
use alloc::vec::Vec;

use super::crowd::Crowd;
use crate::agent::Agent;
use crate::crowd::pipeline::change::Change;
use crate::id::{AgentId, GroupId};
use crate::order::Order;
use crate::simd::column::VectorColumn;
use crate::threads::Share;
use crate::vector::Vector;

/// Buffers that were those of a crowd: see [`Crowd::detach_columns`].
#[derive(Clone, Debug)]
pub struct DetachedColumns<V> {
    /// Positions, velocities and headings.
    #[expect(dead_code, reason = "kept for those who read the memory")]
    vectors: [VectorColumn<V>; 3],
    /// Ids and groups.
    #[expect(dead_code, reason = "kept for those who read the memory")]
    numbers: [Vec<u32>; 2],
}

/// One agent of a crowd, with what only the crowd knows of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentRef<'a, V> {
    /// Its id.
    pub id: AgentId,
    /// Its group.
    pub group: GroupId,
    /// Its state of motion and its limits.
    pub agent: Agent<V>,
    /// The name of the state it is in, if its group has states.
    pub state: Option<&'a str>,
    /// Its stats, in the order of the group's; none of a ghost.
    pub stats: &'a [f32],
    /// Its order; see [`set_order`](Crowd::set_order).
    pub order: Option<Order<V>>,
    /// Whether it is frozen; see [`set_frozen`](Crowd::set_frozen).
    pub frozen: bool,
    /// The tick at which it begins, while it waits for that; see
    /// [`start_after`](crate::crowd::Group::start_after).
    pub starts_at: Option<u64>,
    /// Whether the crowd owns and steps it; `false` for a [ghost](Crowd::set_ghosts), which only
    /// queries return.
    pub owned: bool,
}

impl<V: Vector> Crowd<V> {
    /// The agents and their ids, in the order of rows: that of memory, which changes from tick to
    /// tick and is another one after [`restore`](Self::restore). Rules of a game that depend on the
    /// order go by [`members`](Self::members) or [`rows_by_id`](Self::rows_by_id), so that they
    /// repeat.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, Agent<V>)> + '_ {
        (0..self.population.now.len())
            .map(|i| (AgentId(self.population.now.id[i]), self.population.now.agent(i)))
    }

    /// The ids of the agents, by row.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = AgentId> + Clone + '_ {
        self.id_column().iter().map(|&id| AgentId(id))
    }

    /// The group of each agent, by row.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = GroupId> + Clone + '_ {
        self.group_column().iter().map(|&group| GroupId(group as usize))
    }

    /// The numbers of [`ids`](Self::ids) as they are in memory, for bindings and other buffers.
    pub fn id_column(&self) -> &[u32] {
        &self.population.now.id[..self.len()]
    }

    /// The numbers of [`groups`](Self::groups) as they are in memory.
    pub fn group_column(&self) -> &[u32] {
        &self.population.now.group[..self.len()]
    }

    /// The coordinates of all agents' positions on one axis (length), by row; empty for an axis
    /// that the world does not have.
    pub fn positions(&self, axis: usize) -> &[f32] {
        self.column(&self.population.now.position, axis)
    }

    /// The components of all agents' velocities on one axis (length / time), by row; empty for an
    /// axis that the world does not have.
    pub fn velocities(&self, axis: usize) -> &[f32] {
        self.column(&self.population.now.velocity, axis)
    }

    /// The components of all agents' headings, which are unit vectors, on one axis, by row; empty
    /// for an axis that the world does not have.
    pub fn headings(&self, axis: usize) -> &[f32] {
        self.column(&self.population.now.heading, axis)
    }

    /// Replaces the buffers of [`positions`](Self::positions), [`velocities`](Self::velocities),
    /// [`headings`](Self::headings), [`id_column`](Self::id_column) and
    /// [`group_column`](Self::group_column) by equal copies, and returns the former ones, which
    /// nothing changes any more.
    ///
    /// For bindings that lend the buffers to a reader without copying them: they call this before
    /// the crowd changes, while a reader is there, and keep the result until it is gone.
    pub fn detach_columns(&mut self) -> DetachedColumns<V> {
        fn replace<T: Clone>(buffer: &mut T) -> T {
            let copy = buffer.clone();
            core::mem::replace(buffer, copy)
        }
        DetachedColumns {
            vectors: [
                &mut self.population.now.position,
                &mut self.population.now.velocity,
                &mut self.population.now.heading,
            ]
            .map(replace),
            numbers: [&mut self.population.now.id, &mut self.population.now.group].map(replace),
        }
    }

    fn column<'a>(&self, column: &'a VectorColumn<V>, axis: usize) -> &'a [f32] {
        if axis < V::DIMENSION { &column.axis(axis)[..self.len()] } else { &[] }
    }

    /// Writes the rows of the agents into `order`, sorted by id. A row is valid until the crowd is
    /// stepped or changed.
    pub fn rows_by_id(&self, order: &mut Vec<u32>) {
        order.clear();
        // Unless very many agents have left, ids are dense: a counting sort needs one slot per id.
        if self.population.next_id as usize <= 4 * self.len() {
            order.resize(self.population.next_id as usize, u32::MAX);
            (0..)
                .zip(&self.population.now.id[..self.len()])
                .for_each(|(row, &id)| order[id as usize] = row);
            order.retain(|&row| row != u32::MAX);
        } else {
            order.extend(0..self.len() as u32);
            order.sort_unstable_by_key(|&row| self.population.now.id[row as usize]);
        }
    }

    /// The agent in a row that [`rows_by_id`](Self::rows_by_id) gave; `None` beyond the last row,
    /// as for [`between`](Self::between).
    pub fn agent_at_row(&self, row: u32) -> Option<AgentRef<'_, V>> {
        ((row as usize) < self.len()).then(|| self.at_row(row as usize))
    }

    /// The agent in row `i`, which exists.
    pub(in crate::crowd) fn at_row(&self, i: usize) -> AgentRef<'_, V> {
        let (group, own) =
            (&self.world.groups[self.population.now.group[i] as usize], self.population.now.own(i));
        AgentRef {
            id: AgentId(self.population.now.id[i]),
            group: GroupId(self.population.now.group[i] as usize),
            agent: self.population.now.agent(i),
            state: group
                .state_names
                .get(self.population.now.state[i].state as usize)
                .map(String::as_str),
            stats: &self.population.now.stats(i)[..group.stats.len()],
            order: own.order,
            frozen: own.frozen,
            starts_at: Some(self.population.now.state[i].entered)
                .filter(|tick| *tick > self.tick.number),
            owned: true,
        }
    }

    /// The agent `id`, if it is in the crowd; ghosts are not. The first lookup indexes all ids;
    /// later ones take constant time.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let walker =
    ///     Group::new("walker", 1, Spawn::point(vec2(0.0, 0.0)), 2.0).velocity(vec2(2.0, 0.0));
    /// let mut crowd = Setup::new(1.0).group(walker).crowd()?;
    /// let (id, walker) = (0, crowd.get(0).expect("it is in the crowd"));
    /// assert_eq!((walker.group.0, walker.agent.velocity), (0, vec2(2.0, 0.0)));
    /// crowd.remove(id);
    /// assert!(crowd.get(id).is_none());
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn get(&self, id: impl Into<AgentId>) -> Option<AgentRef<'_, V>> {
        self.row_of(id.into()).map(|row| self.at_row(row))
    }

    /// The row of the agent `id`.
    pub(in crate::crowd) fn row_of(&self, id: AgentId) -> Option<usize> {
        self.population.row_of(id)
    }

    /// Puts the agents into another order in memory: row `i` becomes row `rows[i]`.
    ///
    /// For tests: no result depends on that order. Does nothing unless `rows` is a permutation.
    #[doc(hidden)]
    pub fn permute(&mut self, rows: &[u32]) {
        let mut seen = vec![false; self.len()];
        for &row in rows {
            if let Some(seen) = seen.get_mut(row as usize) {
                *seen = true;
            }
        }
        if rows.len() == self.len() && seen.iter().all(|&seen| seen) {
            self.tick.max_displacement = f32::INFINITY;
            self.changed(Change::Rows);
            // The previous generation keeps the same row order.
            let mut other = self.population.next.clone();
            self.population.now.permute_into(rows, &mut other, Share::ALONE);
            self.population.next.permute_into(rows, &mut self.population.now, Share::ALONE);
            core::mem::swap(&mut self.population.now, &mut self.population.next);
            self.population.now = other;
        }
    }
}
