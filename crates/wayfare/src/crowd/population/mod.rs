//! The agents of a crowd: their columns, where each agent's row is, how agents enter and leave.

use super::Crowd;
use crate::agent::Agent;
use crate::vector::Vector;

mod change;
pub(super) mod columns;
pub(super) mod explore;
pub(super) mod spawn;

pub(super) use change::no_agent;

/// One agent of a crowd, with what only a crowd knows of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member<'a, V> {
    /// Its id.
    pub id: u32,
    /// The index of its group.
    pub group: usize,
    /// Its state of motion and its limits.
    pub agent: Agent<V>,
    /// The name of the state it is in, if its group has states.
    pub state: Option<&'a str>,
    /// Its stats, in the order of the group's.
    pub stats: &'a [f32],
}

impl<V: Vector> Crowd<V> {
    /// The agents and their ids, in the order in which they lie in memory; see
    /// [`rows_by_id`](Self::rows_by_id).
    pub fn agents(&self) -> impl Iterator<Item = (u32, Agent<V>)> + '_ {
        (0..self.now.len()).map(|i| (self.now.id[i], self.now.agent(i)))
    }

    /// The places of the agents in the columns, in the order of ids, written into `order`.
    pub fn rows_by_id(&self, order: &mut Vec<u32>) {
        order.clear();
        // Ids are dense unless very many have left: then there is a place for each, and nothing to
        // sort.
        if self.next_id as usize <= 4 * self.len() {
            order.resize(self.next_id as usize, u32::MAX);
            (0..)
                .zip(&self.now.id[..self.len()])
                .for_each(|(place, &id)| order[id as usize] = place);
            order.retain(|&place| place != u32::MAX);
        } else {
            order.extend(0..self.len() as u32);
            order.sort_unstable_by_key(|&i| self.now.id[i as usize]);
        }
    }

    /// The agent at a place that [`rows_by_id`](Self::rows_by_id) gave.
    pub fn at(&self, place: u32) -> Member<'_, V> {
        let i = place as usize;
        let group = &self.groups[self.now.group[i] as usize];
        Member {
            id: self.now.id[i],
            group: self.now.group[i] as usize,
            agent: self.now.agent(i),
            state: group.states.get(self.now.stage[i].state as usize).map(String::as_str),
            stats: &self.now.stats(i)[..group.stats.len()],
        }
    }

    /// Puts the agents into another order in memory: `place[i]` is where the agent that is at `i`
    /// goes.
    ///
    /// It changes nothing else: no result depends on that order. `place` that is no permutation is
    /// left undone.
    pub fn permute(&mut self, place: &[u32]) {
        let mut seen = vec![false; self.len()];
        for &at in place {
            if let Some(slot) = seen.get_mut(at as usize) {
                *slot = true;
            }
        }
        if place.len() == self.len() && seen.iter().all(|&s| s) {
            self.moved = f32::INFINITY;
            self.forget();
            // The generation before goes along.
            let mut other = self.next.clone();
            self.now.permute_into(place, &mut other, false);
            self.next.permute_into(place, &mut self.now, false);
            core::mem::swap(&mut self.now, &mut self.next);
            self.now = other;
        }
    }
}
