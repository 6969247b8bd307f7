//! The assign phase: formation slots, assigned to all members of a group before any agent steers.
//!
//! A slot is stored in the memory that a member has for its `formation`. While the members' slots
//! are 0, 1, 2, … in any order, all members keep their slots. When members enter or leave (the only
//! ticks at which this phase allocates), all slots are assigned anew from the members' positions.
//! While no member is in a state with the formation, the slots are cleared.

use alloc::vec::Vec;

use super::TickInput;
use crate::agent::Memory;
use crate::behavior::{Formation, assign};
use crate::context::{AgentView, SteerContext};
use crate::crowd::Crowd;
use crate::crowd::compiled::CompiledState;
use crate::crowd::population::columns::Columns;
use crate::id::AgentId;
use crate::registry::Behavior;
use crate::vector::Vector;

/// A formation of a group, and the slots of its members at this tick.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct FormationSlots<V: Vector> {
    formation: Formation<V>,
    /// The index of the members' memory that holds the slot.
    memory: usize,
    /// For each state, whether its members keep the formation.
    states: Vec<bool>,
    /// The new slot of each row of the columns, `None` for agents of other groups; empty if all
    /// members keep their slots.
    slots: Vec<Option<u32>>,
    /// The members of the group: ids and rows. Kept from tick to tick while the rows stay the
    /// same.
    members: Vec<(u32, usize)>,
    /// Whether a member has the slot, for each slot.
    taken: Vec<bool>,
}

/// The formations of a group with these states.
pub(in crate::crowd) fn formations<V: Vector>(
    states: &[CompiledState<V>],
) -> Vec<FormationSlots<V>> {
    let mut found: Vec<FormationSlots<V>> = Vec::new();
    for (state, compiled) in states.iter().enumerate() {
        for (memory, behavior) in compiled.list.remembering() {
            let Behavior::Formation(formation) = behavior else { continue };
            // A behavior of the group's own list is also in the compiled list of every state.
            let at = found.iter().position(|known| known.memory == memory).unwrap_or_else(|| {
                found.push(FormationSlots {
                    formation: *formation,
                    memory,
                    states: vec![false; states.len()],
                    slots: Vec::new(),
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

/// Finds the `count` members of `group`, ids and rows, unless `members` are still they; returns
/// whether all rows were read.
fn find_members<V: Vector>(
    members: &mut Vec<(u32, usize)>,
    now: &Columns<V>,
    group: u32,
    count: usize,
) -> bool {
    let is_here = |&(id, row): &(u32, usize)| row < now.len() && now.id[row] == id;
    if members.len() == count && members.iter().all(is_here) {
        return false;
    }
    members.clear();
    members.extend((0..now.len()).filter(|&i| now.group[i] == group).map(|i| (now.id[i], i)));
    true
}

impl<V: Vector> FormationSlots<V> {
    /// Stores the slot of the agent in row `i` in its memories, if the slots have changed.
    pub(in crate::crowd) fn write_slot(&self, i: usize, memories: &mut [Memory<V>]) {
        if let (Some(slot), Some(memory)) = (self.slots.get(i), memories.get_mut(self.memory)) {
            memory.slot = *slot;
        }
    }

    /// Assigns the slots of this tick if necessary; returns the number of members.
    fn update(&mut self, world: &TickInput<'_, V>, group: u32) -> u32 {
        let now = world.now;
        let slot = |i: usize| now.memory(i).get(self.memory).and_then(|memory| memory.slot);
        self.slots.clear();
        let member_count = world.groups[group as usize].member_count as usize;
        find_members(&mut self.members, now, group, member_count);
        let count = self.members.len();
        let in_use = self.members.iter().any(|&(_, i)| self.states[now.state[i].state as usize]);
        if !in_use {
            if self.members.iter().any(|&(_, i)| slot(i).is_some()) {
                self.slots.resize(now.len(), None);
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
        // The numbers of slots and members are equal: if each slot is taken, each member has a
        // slot.
        if !self.taken.iter().all(|taken| *taken) {
            self.assign(world, group);
        }
        count as u32
    }

    /// Assigns all slots from the members' positions, in order of ids; without a leader it assigns
    /// none.
    fn assign(&mut self, world: &TickInput<'_, V>, group: u32) {
        self.members.sort_unstable();
        let Some(&(id, first)) = self.members.first() else { return };
        let shared =
            world.shared(&world.groups[group as usize], first, world.now.remembered(first));
        let context = SteerContext {
            id: AgentId(id),
            goal: world.goal(first),
            shared: Some(&shared),
            groups: world,
            ..world.context
        };
        let Some(leader) = self.formation.leader(&world.now.agent(first), &context) else { return };
        // In a wrapped world every position is replaced by its image nearest to a point inside the
        // bounds.
        let space = &context.space;
        let center = if space.wraps() { space.wrapped(leader.position) } else { leader.position };
        let from: Vec<V> = self
            .members
            .iter()
            .map(|&(_, i)| space.image(center, world.now.position.get(i)))
            .collect();
        let count = from.len() as u32;
        let leader = AgentView { position: center, ..leader };
        let slot = |k| leader.slot(self.formation.slot(k, count), space.up());
        let to: Vec<V> = (0..count).map(slot).collect();
        let slots = assign(&from, &to);
        self.slots.resize(world.now.len(), None);
        self.members.iter().zip(slots).for_each(|(&(_, i), slot)| self.slots[i] = Some(slot));
    }
}

impl<V: Vector> Crowd<V> {
    /// Assigns the formation slots of this tick. The steer phase stores them in the columns.
    pub(super) fn assign(&mut self) {
        for group in 0..self.world.groups.len() {
            if self.world.groups[group].formations.is_empty() {
                continue;
            }
            let mut formations = core::mem::take(&mut self.world.groups[group].formations);
            let world = self.tick_input();
            let counts =
                formations.iter_mut().map(|formation| formation.update(&world, group as u32));
            let size = counts.fold(0, u32::max);
            (self.world.groups[group].formations, self.world.groups[group].formation_size) =
                (formations, size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn the_rows_of_members_are_searched_only_after_they_have_changed() {
        let mut now = Columns::<Vec2> { id: vec![4, 7, 5, 6], ..Columns::default() };
        now.group = vec![1, 0, 1, 0];
        now.state.resize(4, crate::crowd::population::columns::StateInstance::new(0, 0));
        let mut members = Vec::new();
        assert!(find_members(&mut members, &now, 1, 2));
        assert_eq!(members, [(4, 0), (5, 2)]);
        assert!(!find_members(&mut members, &now, 1, 2));
        // Rows change places; a member enters; the last row is removed.
        now.id.swap(1, 2);
        now.group.swap(1, 2);
        assert!(find_members(&mut members, &now, 1, 2));
        assert_eq!(members, [(4, 0), (5, 1)]);
        (now.id[3], now.group[3]) = (9, 1);
        assert!(find_members(&mut members, &now, 1, 3));
        assert_eq!(members, [(4, 0), (5, 1), (9, 3)]);
        now.state.pop();
        assert!(find_members(&mut members, &now, 1, 2));
        assert_eq!(members, [(4, 0), (5, 1)]);
    }
}
