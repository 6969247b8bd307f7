//! The commit phase: the next columns become the columns that are read.

use crate::crowd::Crowd;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Ends the tick: exchanges the generations of columns.
    pub(super) fn commit(&mut self) {
        self.now.take_step(&mut self.next);
        self.before = true;
        self.forget();
        self.tick += 1;
        if core::mem::take(&mut self.placed) {
            self.moved = f32::INFINITY;
        }
    }
}
