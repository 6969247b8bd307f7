//! Moving whole agents between crowds as bytes: motion, limits, state, stats, memories and
//! remembered positions, with the code of snapshots.

use alloc::vec::Vec;

use super::packed::{pack, unpack};
use crate::crowd::encoding::error::SnapshotError;
use crate::crowd::facade::crowd::Crowd;
use crate::crowd::facade::members::no_agent;
use crate::crowd::pipeline::change::Change;
use crate::crowd::population::columns::{Columns, OwnSettings};
use crate::crowd::population::ghosts::Ghost;
use crate::crowd::setup::allowed::{KeyPath, MAX_AGENTS, ValidationError};
use crate::id::{AgentId, GroupId};
use crate::simd::column::VectorColumn;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Removes the agents `ids` and returns them as bytes, for [`insert`](Self::insert) into
    /// another crowd with the same setup. Repeated ids count once.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let points = vec![vec2(0.0, 0.0), vec2(9.0, 0.0)];
    /// let walkers = Group::new("walkers", 2, Spawn::points(points), 2.0);
    /// let setup = Setup::new(1.0).group(walkers);
    /// let (mut left, mut right) = (setup.clone().crowd()?, setup.crowd()?);
    /// let moved = left.extract(&[1])?;
    /// assert!(right.remove(1));
    /// right.insert(&moved)?;
    /// assert_eq!((left.len(), right.get(1).unwrap().agent.position), (1, vec2(9.0, 0.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// One of the ids is not in the crowd; then nothing changes.
    pub fn extract(
        &mut self,
        ids: &[impl Into<AgentId> + Copy],
    ) -> Result<Vec<u8>, ValidationError> {
        let bytes = self.copy(ids)?;
        for &id in ids {
            if let Some(row) = self.row_of(id.into()) {
                self.remove_row(row);
            }
        }
        Ok(bytes)
    }

    /// The agents `ids` as bytes, like [`extract`](Self::extract), which stay in this crowd:
    /// another crowd with the same setup reads them as [ghosts](Self::set_ghosts). Repeated ids
    /// count once.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let points = vec![vec2(0.0, 0.0), vec2(9.0, 0.0)];
    /// let walkers = Group::new("walkers", 2, Spawn::points(points), 2.0);
    /// let setup = Setup::new(1.0).group(walkers);
    /// let (mut left, mut right) = (setup.clone().crowd()?, setup.crowd()?);
    /// assert!(left.remove(1) && right.remove(0));
    /// // Before each tick, each of two processes gets the agents of the other one.
    /// let (to_right, to_left) = (left.copy(&[0])?, right.copy(&[1])?);
    /// left.set_ghosts(&left.read_ghosts(&to_left)?)?;
    /// right.set_ghosts(&right.read_ghosts(&to_right)?)?;
    /// assert_eq!(left.nearest(vec2(9.0, 0.0), None).unwrap().id, AgentId(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// One of the ids is not in the crowd.
    pub fn copy(&self, ids: &[impl Into<AgentId> + Copy]) -> Result<Vec<u8>, ValidationError> {
        let mut ids: Vec<AgentId> = ids.iter().map(|&id| id.into()).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut rows = Vec::with_capacity(ids.len());
        for id in ids {
            let key = || KeyPath::default().key("id");
            rows.push(self.row_of(id).ok_or_else(|| no_agent(key(), id))? as u32);
        }
        Ok(pack(self, &rows))
    }

    /// Adds the agents that [`extract`](Self::extract) returned, with their ids; returns the ids in
    /// ascending order. Ids that this crowd gives to new agents are higher from now on. Ghosts with
    /// these ids are removed.
    ///
    /// # Errors
    /// The bytes are not agents of a crowd with this setup, a number is out of range, one of the
    /// ids is taken, or the crowd is full; then nothing changes. Any bytes may be given.
    pub fn insert(&mut self, agents: &[u8]) -> Result<Vec<AgentId>, SnapshotError> {
        let (added, previous) = unpack(self, agents)?;
        let ids = &added.id[..added.len()];
        if let Some(id) = ids.iter().find(|id| self.row_of(AgentId(**id)).is_some()) {
            return Err(SnapshotError::Damaged(format!("the id {id} is taken")));
        }
        self.append(&added, &previous)
    }

    /// Removes the agents in the rows of all lists, and returns those of each list as bytes, for
    /// [`receive`](Self::receive) of another part of the same crowd; nothing for an empty list. All
    /// rows change.
    ///
    /// # Panics
    /// There is no such row, or it is in two lists.
    pub fn extract_rows(&mut self, lists: &[Vec<u32>]) -> Vec<Vec<u8>> {
        let mut packed = Vec::with_capacity(lists.len());
        let mut leaves = vec![false; self.len()];
        for rows in lists {
            let mut rows = rows.clone();
            rows.sort_unstable_by_key(|&row| self.population.now.id[row as usize]);
            packed.push(if rows.is_empty() { Vec::new() } else { pack(self, &rows) });
            for row in rows {
                let left = core::mem::replace(&mut leaves[row as usize], true);
                assert!(!left, "row {row} leaves twice");
            }
        }
        self.keep_rows(|_, row| !leaves[row as usize]);
        packed
    }

    /// Removes the agents for whose rows `keep` does not hold.
    pub fn keep_rows(&mut self, keep: impl Fn(&Self, u32) -> bool) {
        // Those that stay have not been relocated.
        let relocated = self.population.relocated;
        for row in (0..self.len() as u32).rev() {
            if !keep(self, row) {
                self.remove_row(row as usize);
            }
        }
        self.population.relocated = relocated;
    }

    /// [Inserts](Self::insert) agents of another part of the same crowd, none of which has an id of
    /// this part: that is not tested, so that the ids need no index.
    ///
    /// # Errors
    /// As of `insert`, without that of a taken id.
    pub fn receive(&mut self, agents: &[u8]) -> Result<(), SnapshotError> {
        let (added, previous) = unpack(self, agents)?;
        // They come from a step of another part; only where a command or a source has put them
        // outside the walls does a wall move them farther than their speed does.
        let outside = |i| {
            let p = added.position.get(i);
            self.world.space.constrain(p, V::ZERO).0 != p
        };
        let relocated = self.population.relocated || (0..added.len()).any(outside);
        self.append(&added, &previous)?;
        self.population.relocated = relocated;
        Ok(())
    }

    fn append(
        &mut self,
        added: &Columns<V>,
        previous: &VectorColumn<V>,
    ) -> Result<Vec<AgentId>, SnapshotError> {
        if self.len() + added.len() > MAX_AGENTS {
            let what = format!("the crowd would have more than {MAX_AGENTS} agents");
            return Err(SnapshotError::Damaged(what));
        }
        let ids: Vec<_> = added.id[..added.len()].iter().copied().map(AgentId).collect();
        if let Some(last) = ids.last() {
            self.population.next_id = self.population.next_id.max(last.0 + 1);
        }
        let first = self.len();
        self.population.now.append(added);
        self.population.next.append(added);
        for i in 0..added.len() {
            self.population.next.position.set(first + i, previous.get(i));
        }
        self.find_standing();
        self.changed(Change::Rows);
        self.changed(Change::Agents);
        self.own_ghosts(&ids);
        Ok(ids)
    }

    /// The agents that [`copy`](Self::copy) or [`extract`](Self::extract) of a crowd with the same
    /// setup returned, as ghosts for [`set_ghosts`](Self::set_ghosts). This crowd does not change.
    ///
    /// # Errors
    /// The bytes are not agents of a crowd with this setup, or a number is out of range. Any bytes
    /// may be given.
    pub fn read_ghosts(&self, agents: &[u8]) -> Result<Vec<Ghost<V>>, SnapshotError> {
        let (columns, _) = unpack(self, agents)?;
        let ghost = |i: usize| Ghost {
            id: AgentId(columns.id[i]),
            group: GroupId(columns.group[i] as usize),
            agent: columns.agent(i),
        };
        Ok((0..columns.len()).map(ghost).collect())
    }
}

impl<V: Vector> Columns<V> {
    /// Adds the rows of `other`, which has the same widths except that of own settings.
    fn append(&mut self, other: &Self) {
        let (first, count) = (self.len(), other.len());
        // Without `..`: a new column does not compile until it is appended here.
        let Self {
            id,
            group,
            state,
            position,
            velocity,
            heading,
            limits,
            limits_change: _,
            own,
            own_width,
            facing,
            facing_width: _,
            force,
            force_width: _,
            stats,
            stats_width: _,
            memory,
            memory_width: _,
            remembered,
            remembered_width: _,
        } = self;
        id.truncate(first);
        id.extend(&other.id[..count]);
        group.truncate(first);
        group.extend(&other.group[..count]);
        state.extend(&other.state);
        for i in 0..count {
            position.push(other.position.get(i));
            velocity.push(other.velocity.get(i));
            heading.push(other.heading.get(i));
        }
        limits.extend(&other.limits);
        if *own_width < other.own_width {
            *own_width = other.own_width;
            own.resize(first, OwnSettings::default());
        }
        if *own_width > 0 {
            own.extend((0..count).map(|i| other.own(i)));
        }
        facing.extend(&other.facing);
        force.extend(&other.force);
        stats.extend(&other.stats);
        memory.extend(&other.memory);
        remembered.extend(&other.remembered);
        self.pad();
    }
}
