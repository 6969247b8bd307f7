//! The commit phase: the next columns become the current columns.

use crate::crowd::Crowd;
use crate::crowd::change::Change;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Ends the tick: exchanges the generations of columns.
    pub(super) fn commit(&mut self) {
        self.population.now.take_step(&mut self.population.next);
        self.population.has_previous = true;
        self.changed(Change::Bodies);
        self.tick.number += 1;
        // A wall may have moved relocated agents by more than their speed allows.
        if core::mem::take(&mut self.population.relocated) {
            self.tick.max_displacement = f32::INFINITY;
        }
    }
}
