//! The formations of a group, and the slots of its members.

use alloc::vec::Vec;

use crate::agent::Memory;
use crate::behavior::Formation;
use crate::combine::List;
use crate::registry::Behavior;
use crate::vector::Vector;

/// A formation of a group, and the slots of its members at this tick.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct FormationSlots<V: Vector> {
    pub(in crate::crowd) formation: Formation<V>,
    /// The index of the members' memory that holds the slot.
    pub(in crate::crowd) memory: usize,
    /// For each state, whether its members keep the formation.
    pub(in crate::crowd) states: Vec<bool>,
    /// The new slot of each row of the columns, `None` for agents of other groups; empty if all
    /// members keep their slots.
    pub(in crate::crowd) slots: Vec<Option<u32>>,
    /// The members of the group: ids and rows. Kept from tick to tick while the rows stay the
    /// same.
    pub(in crate::crowd) members: Vec<(u32, usize)>,
    /// Whether a member has the slot, for each slot.
    pub(in crate::crowd) taken: Vec<bool>,
    /// The positions of the members and of the slots, while they are compared (lengths).
    pub(in crate::crowd) places: [Vec<V>; 2],
    /// The slots of the members, while they are compared.
    pub(in crate::crowd) order: Vec<usize>,
}

/// The formations of a group whose states have these lists.
pub(in crate::crowd) fn formations<V: Vector>(lists: &[&List<V>]) -> Vec<FormationSlots<V>> {
    let mut found: Vec<FormationSlots<V>> = Vec::new();
    for (state, list) in lists.iter().enumerate() {
        for (memory, behavior) in list.remembering() {
            let Behavior::Formation(formation) = behavior else { continue };
            // A behavior of the group's own list is also in the compiled list of every state.
            let at = found.iter().position(|known| known.memory == memory).unwrap_or_else(|| {
                found.push(FormationSlots {
                    formation: *formation,
                    memory,
                    states: vec![false; lists.len()],
                    slots: Vec::new(),
                    members: Vec::new(),
                    taken: Vec::new(),
                    places: [Vec::new(), Vec::new()],
                    order: Vec::new(),
                });
                found.len() - 1
            });
            found[at].states[state] = true;
        }
    }
    found
}

impl<V: Vector> FormationSlots<V> {
    /// Stores the slot of the agent in row `i` in its memories, if the slots have changed.
    pub(in crate::crowd) fn write_slot(&self, i: usize, memories: &mut [Memory<V>]) {
        if let (Some(slot), Some(memory)) = (self.slots.get(i), memories.get_mut(self.memory)) {
            memory.slot = *slot;
        }
    }
}
