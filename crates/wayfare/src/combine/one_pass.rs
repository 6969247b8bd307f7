//! Consecutive slots of a list whose sums over neighbors are added in one pass.

use arrayvec::ArrayVec;

use super::Slot;
use crate::agent::Agent;
use crate::behavior::{RulePass, Rules};
use crate::context::SteerContext;
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
                slots[first..].iter().map_while(|slot| rules.take(slot.rule()?)).collect();
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
