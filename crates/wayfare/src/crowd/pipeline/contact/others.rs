//! The other parts of a crowd, and the ways of all bodies in a tick.

use alloc::vec::Vec;

use crate::crowd::part::PartLink;
use crate::crowd::population::columns::Columns;
use crate::simd::column::VectorColumn;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The other parts of a crowd, with which the bodies of this part are in contact.
pub(in crate::crowd) struct Others<'a> {
    pub(super) parts: &'a mut dyn PartLink,
    /// The row of each ghost, in the order in which they were given.
    pub(super) rows: Vec<u32>,
}

impl<'a> Others<'a> {
    pub(in crate::crowd) fn new(parts: &'a mut dyn PartLink) -> Self {
        Self { parts, rows: Vec::new() }
    }

    pub(in crate::crowd) fn members_elsewhere(&mut self, members: &mut [u32]) {
        self.parts.members_elsewhere(members);
    }

    /// Replaces the positions of the ghosts, which stand behind the `agents` owned ones, by those
    /// that their owners have.
    pub(super) fn replace<V: Vector>(&mut self, position: &mut VectorColumn<V>, agents: usize) {
        for (index, p) in self.exchange(position) {
            let Some(row) = self.rows.get(index) else { continue };
            position.set(agents + *row as usize, p);
        }
    }

    pub(in crate::crowd) fn have_orders(&self) -> bool {
        self.parts.have_orders()
    }

    /// Sends positions of owned agents (length) to the other parts, and returns those of the
    /// ghosts, each with its index in the order in which the ghosts were given.
    pub(in crate::crowd) fn exchange<V: Vector>(
        &mut self,
        position: &VectorColumn<V>,
    ) -> Vec<(usize, V)> {
        let mut received = Vec::with_capacity(self.rows.len());
        self.parts.positions(
            &mut |row| {
                let p: V = position.get(row as usize);
                core::array::from_fn(|axis| if axis < V::DIMENSION { p.axis(axis) } else { 0.0 })
            },
            &mut |index, p| received.push((index, V::from_fn(|axis| p[axis]))),
        );
        received
    }
}

/// The ways of all bodies in a tick: of agents, then of ghosts, which go on with their velocity.
pub(super) struct Ways<'a, V: Vector> {
    pub(super) now: &'a Columns<V>,
    pub(super) next: &'a Columns<V>,
    pub(super) ghosts: &'a Columns<V>,
    pub(super) dt: f32,
}

impl<V: Vector> Ways<'_, V> {
    /// Writes the positions of all bodies before the tick into `column` (length).
    pub(super) fn write_starts(&self, column: &mut VectorColumn<V>) {
        column.copy_from(&self.now.position, self.now.len());
        (self.now.len()..column.len()).for_each(|i| column.set(i, self.start(i)));
    }

    /// Writes the positions of all bodies after the tick, were they alone, into `column` (length).
    pub(super) fn write_ends(&self, space: &Space<V>, column: &mut VectorColumn<V>) {
        column.copy_from(&self.next.position, self.now.len());
        (self.now.len()..column.len()).for_each(|i| column.set(i, self.end(i, space)));
    }

    /// The position of body `i` before the tick (length).
    #[inline(always)]
    pub(super) fn start(&self, i: usize) -> V {
        match i.checked_sub(self.now.len()) {
            None => self.now.position.get(i),
            Some(ghost) => self.ghosts.position.get(ghost),
        }
    }

    /// The position of body `i` after the tick, were it alone (length).
    #[inline(always)]
    pub(super) fn end(&self, i: usize, space: &Space<V>) -> V {
        let Some(ghost) = i.checked_sub(self.now.len()) else { return self.next.position.get(i) };
        let end = self.ghosts.position.get(ghost) + self.ghosts.velocity.get(ghost) * self.dt;
        space.inside(end)
    }

    /// The longest way of an agent in a tick by its own speed (length).
    pub(super) fn longest_step(&self, row: usize) -> f32 {
        let limits = if self.next.limits_change { &self.next.limits } else { &self.now.limits };
        limits[row].max_speed * self.dt
    }
}
