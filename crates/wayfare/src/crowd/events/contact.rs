//! Contacts: pairs of agents whose bodies have begun to touch in the last step.
//!
//! A contact follows from the positions after this step and after the last one: those before this
//! step, but for agents that were put elsewhere in between. Each pair is found once, by its larger
//! body, whatever the order of the rows.

use alloc::vec::Vec;

use super::event::Event;
use super::possible::PossibleEvents;
use crate::crowd::population::columns::Columns;
use crate::id::AgentId;
use crate::spatial::neighbor_grid::NeighborGrid;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The buffers of the search, which keep their room from tick to tick.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct Contacts<V: Vector> {
    grid: NeighborGrid<V>,
    /// The rows of the agents with a body.
    bodies: Vec<u32>,
}

impl<V: Vector> Contacts<V> {
    /// Buffers for the agents `now`.
    pub(in crate::crowd) fn new(now: &Columns<V>, space: &Space<V>) -> Self {
        let widest = now.limits.iter().map(|limits| 2.0 * limits.radius).fold(0.0, f32::max);
        let cell = if widest > 0.0 { widest } else { 1.0 };
        Self { grid: NeighborGrid::new([], cell, *space), bodies: Vec::new() }
    }

    /// Adds the contacts of the step from `before` to `now` to the `events`; `groups` says whose
    /// contacts raise them, and `put_from` where agents were before they were put elsewhere.
    pub(in crate::crowd) fn find(
        &mut self,
        groups: &[PossibleEvents<V>],
        now: &Columns<V>,
        (before, put_from): (&Columns<V>, &[(u32, V)]),
        space: &Space<V>,
        events: &mut Vec<Event>,
    ) {
        let radius = |row: u32| now.limits[row as usize].radius;
        let raises = |row: u32| groups[now.group[row as usize] as usize].contacts;
        let Self { grid, bodies } = self;
        // Of each pair the larger body searches, so that twice its own radius is far enough.
        bodies.clear();
        bodies.extend((0..now.len() as u32).filter(|&row| radius(row) > 0.0));
        grid.rebuild(bodies.iter().map(|&row| now.position.get(row as usize)));
        let distance = |a, b| space.difference(a, b).length_squared();
        let position = |row: u32| now.position.get(row as usize);
        let start = |row: u32| {
            let put = put_from.binary_search_by_key(&now.id[row as usize], |(id, _)| *id);
            put.map_or_else(|_| before.position.get(row as usize), |k| put_from[k].1)
        };
        for &row in bodies.iter() {
            let (id, own) = (now.id[row as usize], radius(row));
            grid.for_each_within(position(row), 2.0 * own, |index, _| {
                let other = bodies[index];
                let (other_id, theirs) = (now.id[other as usize], radius(other));
                if (theirs, other_id) >= (own, id) || !(raises(row) || raises(other)) {
                    return;
                }
                let touching = (own + theirs) * (own + theirs);
                if distance(position(row), position(other)) <= touching
                    && distance(start(row), start(other)) > touching
                {
                    let (id, other) = (AgentId(id.min(other_id)), AgentId(id.max(other_id)));
                    events.push(Event::Contact { id, other });
                }
            });
        }
    }
}
