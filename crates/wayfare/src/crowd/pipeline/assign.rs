//! Formations: who of a group has which slot, decided for all of it at once before a tick.
//!
//! A slot is kept in the memory that a member has for its `formation`. As long as the members'
//! slots are 0, 1, 2, … in any order they stay as they are; when somebody has come or gone (the
//! only ticks at which this takes room) they close up, and are assigned anew from where the members
//! stand. While nobody keeps the formation they are let go.

use super::World;
use crate::agent::Memory;
use crate::behavior::{Formation, assign};
use crate::context::SteerContext;
use crate::crowd::Crowd;
use crate::crowd::compiled::CompiledState;
use crate::registry::Behavior;
use crate::vector::Vector;

/// A formation that the members of a group keep.
#[derive(Debug)]
pub(in crate::crowd) struct Formed<V: Vector> {
    formation: Formation<V>,
    /// Which of the members' memories has the slot.
    memory: usize,
    /// For each state whether it is kept there.
    states: Vec<bool>,
    /// What slots are given at this tick, by the places in the columns: nobody's for who is not in
    /// the group; empty where all keep theirs.
    given: Vec<Option<u32>>,
    /// The members of the group: ids and places in the columns.
    members: Vec<(u32, usize)>,
    /// Which slots somebody has.
    taken: Vec<bool>,
}

/// The formations of a group.
pub(in crate::crowd) fn formations<V: Vector>(plans: &[CompiledState<V>]) -> Vec<Formed<V>> {
    let mut found: Vec<Formed<V>> = Vec::new();
    for (state, plan) in plans.iter().enumerate() {
        for (memory, behavior) in plan.list.remembering() {
            let Behavior::Formation(formation) = behavior else { continue };
            // What stands in the group's own list is in that of every state.
            let at = found.iter().position(|known| known.memory == memory).unwrap_or_else(|| {
                let states = vec![false; plans.len()];
                found.push(Formed {
                    formation: *formation,
                    memory,
                    states,
                    given: Vec::new(),
                    members: Vec::new(),
                    taken: Vec::new(),
                });
                found.len() - 1
            });
            found[at].states[state] = true;
        }
    }
    found
}

impl<V: Vector> Formed<V> {
    /// Gives the agent at place `i` of the columns, which has these memories, its slot of this
    /// tick.
    pub(in crate::crowd) fn give(&self, i: usize, memories: &mut [Memory<V>]) {
        if let (Some(slot), Some(memory)) = (self.given.get(i), memories.get_mut(self.memory)) {
            memory.slot = *slot;
        }
    }

    /// Looks whether somebody is to have another slot at this tick; says how many members there
    /// are.
    fn form(&mut self, world: &World<'_, V>, group: u32) -> u32 {
        let now = world.now;
        let slot = |i: usize| now.memory(i).get(self.memory).and_then(|memory| memory.slot);
        self.given.clear();
        self.members.clear();
        self.members
            .extend((0..now.len()).filter(|&i| now.group[i] == group).map(|i| (now.id[i], i)));
        let count = self.members.len();
        let kept = self.members.iter().any(|&(_, i)| self.states[now.stage[i].state as usize]);
        if !kept {
            if self.members.iter().any(|&(_, i)| slot(i).is_some()) {
                self.given.resize(now.len(), None);
            }
            return count as u32;
        }
        self.taken.clear();
        self.taken.resize(count, false);
        for &(_, i) in &self.members {
            if let Some(taken) = slot(i).and_then(|slot| self.taken.get_mut(slot as usize)) {
                *taken = true;
            }
        }
        // As many slots as members, and each is somebody's.
        if !self.taken.iter().all(|taken| *taken) {
            self.assign(world, group);
        }
        count as u32
    }

    /// Assigns all slots from where the members stand, in the order of their ids; none where there
    /// is no leader.
    fn assign(&mut self, world: &World<'_, V>, group: u32) {
        self.members.sort_unstable();
        let Some(&(id, first)) = self.members.first() else { return };
        let shared = world.shared(&world.groups[group as usize], world.now.marks(first));
        let context = SteerContext {
            id,
            goal: world.goal(first),
            shared: Some(&shared),
            agents: world,
            ..world.context
        };
        let Some(leader) = self.formation.leader(&world.now.agent(first), &context) else { return };
        // From a place inside the bounds others are seen at the nearest image of them.
        let space = &context.space;
        let center = if space.wraps() { space.wrapped(leader.position) } else { leader.position };
        let from: Vec<V> = self
            .members
            .iter()
            .map(|&(_, i)| space.image(center, world.now.position.get(i)))
            .collect();
        let count = from.len() as u32;
        let place =
            |(ahead, beside)| center + leader.heading * ahead + leader.heading.unit_perp() * beside;
        let to: Vec<V> = (0..count).map(|k| place(self.formation.slot(k, count))).collect();
        let slots = assign(&from, &to);
        self.given.resize(world.now.len(), None);
        self.members.iter().zip(slots).for_each(|(&(_, i), slot)| self.given[i] = Some(slot));
    }
}

impl<V: Vector> Crowd<V> {
    /// Brings formations up to who is there: before a tick, and of no effect until that gives the
    /// slots.
    pub(in crate::crowd) fn form(&mut self) {
        for group in 0..self.groups.len() {
            if self.groups[group].formed.is_empty() {
                continue;
            }
            let mut formed = core::mem::take(&mut self.groups[group].formed);
            let world = self.world();
            let counts = formed.iter_mut().map(|formed| formed.form(&world, group as u32));
            let count = counts.fold(0, u32::max);
            (self.groups[group].formed, self.groups[group].count) = (formed, count);
        }
    }
}
