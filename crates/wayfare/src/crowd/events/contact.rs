//! Contacts: pairs of agents whose bodies have begun to touch in the last step.
//!
//! A contact follows from two generations of positions alone, so nothing is stored between ticks.
//! Each pair is found once, by its larger body, whatever the order of the rows.

use alloc::vec::Vec;

use super::{Event, EventTracker};
use crate::crowd::population::columns::Columns;
use crate::id::AgentId;
use crate::spatial::neighbor_grid::NeighborGrid;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The buffers of the search, which keep their room from tick to tick.
#[derive(Clone, Debug)]
pub(super) struct Contacts<V: Vector> {
    grid: NeighborGrid<V>,
    /// The rows of the agents with a body.
    bodies: Vec<u32>,
}

impl<V: Vector> EventTracker<V> {
    /// Raises the events of the step from `before` to `now`.
    pub(super) fn find_contacts(
        &mut self,
        now: &Columns<V>,
        before: &Columns<V>,
        space: &Space<V>,
    ) {
        let Self { groups, events, contacts, .. } = self;
        let radius = |row: u32| now.limits[row as usize].radius;
        let raises = |row: u32| groups[now.group[row as usize] as usize].contacts;
        // Of each pair the larger body searches, so that twice its own radius is far enough.
        let Contacts { grid, bodies } = contacts.get_or_insert_with(|| {
            let rows = 0..now.len() as u32;
            let cell = rows.map(|row| 2.0 * radius(row)).fold(0.0, f32::max);
            let cell = if cell > 0.0 { cell } else { 1.0 };
            Contacts { grid: NeighborGrid::new([], cell, *space), bodies: Vec::new() }
        });
        bodies.clear();
        bodies.extend((0..now.len() as u32).filter(|&row| radius(row) > 0.0));
        grid.rebuild(bodies.iter().map(|&row| now.position.get(row as usize)));
        let distance = |columns: &Columns<V>, a: u32, b: u32| {
            let [a, b] = [a, b].map(|row| columns.position.get(row as usize));
            space.difference(a, b).length_squared()
        };
        for &row in bodies.iter() {
            let (id, own) = (now.id[row as usize], radius(row));
            grid.for_each_within(now.position.get(row as usize), 2.0 * own, |index, _| {
                let other = bodies[index];
                let (other_id, theirs) = (now.id[other as usize], radius(other));
                if (theirs, other_id) >= (own, id) || !(raises(row) || raises(other)) {
                    return;
                }
                let touching = (own + theirs) * (own + theirs);
                if distance(now, row, other) <= touching && distance(before, row, other) > touching
                {
                    let (id, other) = (AgentId(id.min(other_id)), AgentId(id.max(other_id)));
                    events.push(Event::Contact { id, other });
                }
            });
        }
    }
}
