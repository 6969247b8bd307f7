//! Consecutive slots of a list whose sums over neighbors are added in one pass.

use super::{Entry, Slot};
use crate::agent::Agent;
use crate::behavior::Rules;
use crate::context::SteerContext;
use crate::registry::Behavior;
use crate::vector::Vector;

/// The first slots in a row, two or three, that hold a separation, an alignment or a cohesion each.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnePass {
    /// The number of slots before them.
    pub(super) first: usize,
    count: usize,
}

impl OnePass {
    pub(super) fn of<V: Vector>(slots: &[Slot<V>]) -> Option<Self> {
        (0..slots.len()).find_map(|first| {
            let mut rules = Rules::NONE;
            let count = slots[first..].iter().take_while(|slot| take(slot, &mut rules)).count();
            (count > 1).then_some(Self { first, count })
        })
    }

    /// Adds the forces of the first of `slots` to the sum of the context, and returns the slots
    /// that are left: all where the rules have to be evaluated apart.
    #[inline(never)]
    pub(super) fn add<'s, V: Vector>(
        self,
        slots: &'s [Slot<V>],
        host: &Agent<V>,
        context: &mut SteerContext<'_, V>,
    ) -> &'s [Slot<V>] {
        let (these, rest) = slots.split_at(self.count);
        let mut rules = Rules::NONE;
        these.iter().for_each(|slot| _ = take(slot, &mut rules));
        let Some([separation, alignment, cohesion]) = rules.forces(host, context.neighbors) else {
            return slots;
        };
        for slot in these {
            let force = match &slot.entry {
                Entry::Behavior(Behavior::Separation(_)) => separation,
                Entry::Behavior(Behavior::Alignment(_)) => alignment,
                _ => cohesion,
            };
            context.sum += force * slot.weight;
        }
        rest
    }
}

/// Whether the slot holds a rule that is not yet in `rules`, which then has it.
#[inline(always)]
fn take<'s, V: Vector>(slot: &'s Slot<V>, rules: &mut Rules<'s>) -> bool {
    match &slot.entry {
        Entry::Behavior(Behavior::Separation(b)) => rules.separation.replace(b).is_none(),
        Entry::Behavior(Behavior::Alignment(b)) => rules.alignment.replace(b).is_none(),
        Entry::Behavior(Behavior::Cohesion(b)) => rules.cohesion.replace(b).is_none(),
        _ => false,
    }
}
