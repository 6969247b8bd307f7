//! The commit phase: the next columns become the current columns.

use super::change::{Change, changed};
use super::tick::Tick;
use crate::crowd::population::Population;
use crate::vector::Vector;

/// Ends the tick: exchanges the generations of columns.
pub(super) fn commit<V: Vector>(population: &mut Population<V>, tick: &mut Tick<V>) {
    population.now.take_step(&mut population.next);
    population.has_previous = true;
    changed(population, tick, Change::Bodies);
    tick.number += 1;
    // A wall may have moved relocated agents by more than their speed allows.
    if core::mem::take(&mut population.relocated) {
        tick.max_displacement = f32::INFINITY;
    }
}
