//! Consecutive slots of a list whose sums over neighbors are added in one pass.

use arrayvec::ArrayVec;

use super::{Entry, Slot};
use crate::agent::Agent;
use crate::behavior::{RulePass, Rules};
use crate::context::SteerContext;
use crate::registry::Behavior;
use crate::vector::Vector;

/// The first slots in a row, two or three, that hold a separation, an alignment or a cohesion each.
#[derive(Clone, Debug)]
pub(super) struct OnePass {
    /// The number of slots before them.
    pub(super) first: usize,
    /// Which of the forces of the pass is that of each slot.
    forces: ArrayVec<usize, 3>,
    pass: RulePass,
}

impl OnePass {
    pub(super) fn of<V: Vector>(slots: &[Slot<V>]) -> Option<Self> {
        (0..slots.len()).find_map(|first| {
            let mut rules = Rules::NONE;
            let forces: ArrayVec<_, 3> =
                slots[first..].iter().map_while(|slot| take(slot, &mut rules)).collect();
            let pass = if forces.len() > 1 { rules.pass()? } else { return None };
            Some(Self { first, forces, pass })
        })
    }

    /// Adds the forces of the first of `slots` to the sum of the context, and returns the slots
    /// that are left: all where the rules have to be evaluated apart.
    #[inline(never)]
    pub(super) fn add<'s, V: Vector>(
        &self,
        slots: &'s [Slot<V>],
        host: &Agent<V>,
        context: &mut SteerContext<'_, V>,
    ) -> &'s [Slot<V>] {
        let Some(forces) = self.pass.forces(host, context.neighbors) else { return slots };
        let (these, rest) = slots.split_at(self.forces.len());
        let mut sum = context.sum;
        for (slot, &k) in these.iter().zip(&self.forces) {
            sum += forces[k] * slot.weight;
        }
        context.sum = sum;
        rest
    }
}

/// The index of the force of the rule that the slot holds, if it is not yet in `rules`, which then
/// has it.
fn take<'s, V: Vector>(slot: &'s Slot<V>, rules: &mut Rules<'s>) -> Option<usize> {
    let Entry::Behavior(behavior) = &slot.entry else { return None };
    match behavior {
        Behavior::Separation(b) if rules.separation.is_none() => {
            rules.separation = Some(b);
            Some(0)
        }
        Behavior::Alignment(b) if rules.alignment.is_none() => {
            rules.alignment = Some(b);
            Some(1)
        }
        Behavior::Cohesion(b) if rules.cohesion.is_none() => {
            rules.cohesion = Some(b);
            Some(2)
        }
        _ => None,
    }
}
