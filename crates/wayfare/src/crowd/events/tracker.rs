//! What the events phase keeps from tick to tick.

use alloc::vec::Vec;

use super::arrival::{Stop, bit};
use super::contact::Contacts;
use super::event::Event;
use super::possible::PossibleEvents;
use super::scan::Found;
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::exit::ExitCount;
use crate::crowd::line::LineCount;
use crate::crowd::population::columns::Columns;
use crate::crowd::setup::Setup;
use crate::crowd::structure::Structure;
use crate::geometry::path::Path;
use crate::id::{ExitId, LineId};
use crate::parameter::Target;
use crate::platform::Mutex;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// Lines, exits, the possible events, and the events of the last tick.
#[derive(Debug)]
pub(in crate::crowd) struct EventTracker<V: Vector> {
    pub(in crate::crowd) groups: Vec<PossibleEvents<V>>,
    pub(in crate::crowd) lines: Vec<LineCount<V>>,
    pub(in crate::crowd) exits: Vec<ExitCount<V>>,
    pub(in crate::crowd) events: Vec<Event>,
    /// The agents that were put elsewhere since the last tick, by ids, and their positions after
    /// it: from there they come to touch others. Empty unless a group raises contacts.
    pub(in crate::crowd) put_from: Vec<(u32, V)>,
    /// The buffers of the search for contacts, if any group raises them.
    pub(in crate::crowd) contacts: Option<Contacts<V>>,
    /// The findings of the threads after the last step; one for each thread.
    pub(in crate::crowd) found: Vec<Mutex<Found>>,
}

/// A copy with empty buffers for as many threads.
impl<V: Vector> Clone for EventTracker<V> {
    fn clone(&self) -> Self {
        // The buffers follow from the rest.
        let Self { groups, lines, exits, events, put_from, contacts: _, found } = self;
        let (groups, lines, exits) = (groups.clone(), lines.clone(), exits.clone());
        let (events, put_from) = (events.clone(), put_from.clone());
        let found = found.iter().map(|_| Mutex::default()).collect();
        Self { groups, lines, exits, events, put_from, contacts: None, found }
    }
}

impl<V: Vector> EventTracker<V> {
    /// Moves lines and exits out of `setup`.
    pub(in crate::crowd) fn new(
        setup: &mut Setup<V>,
        structure: &Structure,
        space: &Space<V>,
    ) -> Self {
        let lines = core::mem::take(&mut setup.lines)
            .into_iter()
            .zip(&structure.lines.ids)
            .map(|(line, &id)| LineCount::new(LineId(id), line, space))
            .collect();
        let exits = core::mem::take(&mut setup.exits)
            .into_iter()
            .zip(&structure.exits.ids)
            .map(|(exit, &id)| ExitCount::new(ExitId(id), exit, space))
            .collect();
        Self {
            groups: Vec::new(),
            lines,
            exits,
            events: Vec::new(),
            put_from: Vec::new(),
            contacts: None,
            found: Vec::new(),
        }
    }

    /// Makes the buffers of so many threads.
    pub(in crate::crowd) fn set_threads(&mut self, count: usize) {
        self.found = (0..count).map(|_| Mutex::default()).collect();
    }

    /// Whether no event can happen to any agent.
    pub(in crate::crowd) fn finds_nothing(&self) -> bool {
        self.lines.is_empty()
            && self.exits.is_empty()
            && self.groups.iter().all(PossibleEvents::is_empty)
    }

    /// Whether touching bodies raise events.
    pub(in crate::crowd) fn has_contacts(&self) -> bool {
        self.groups.iter().any(|group| group.contacts)
    }

    /// Keeps the position of the agent `id` after the last tick, from where it is put elsewhere.
    pub(in crate::crowd) fn put(&mut self, id: u32, from: V) {
        let place = self.put_from.binary_search_by_key(&id, |(id, _)| *id);
        if let (true, Err(place)) = (self.has_contacts(), place) {
            self.put_from.insert(place, (id, from));
        }
    }

    /// Whether members of `group` can arrive.
    pub(in crate::crowd) fn can_arrive(&self, group: usize) -> bool {
        let possible = self.groups.get(group);
        possible.is_some_and(|possible| {
            !possible.ends.is_empty() || possible.stops.iter().any(|stops| !stops.is_empty())
        })
    }

    /// Derives the possible events of the groups.
    pub(in crate::crowd) fn prepare(&mut self, groups: &[CompiledGroup<V>], paths: &[Path<V>]) {
        self.groups = groups.iter().map(|group| PossibleEvents::new(group, paths)).collect();
    }

    /// The bits of the stops of a state whose target is the order of the agent.
    pub(in crate::crowd) fn order_stops(&self, group: usize, state: usize) -> u32 {
        let stops = self.groups[group].stops[state].iter().enumerate();
        let ordered = stops.filter(|(_, stop)| stop.arrive.target == Target::Order);
        ordered.fold(0, |bits, (k, _)| bits | bit(k))
    }

    /// Whether agents can arrive at the target of their order.
    pub(in crate::crowd) fn has_order_stops(&self) -> bool {
        let mut stops = self.groups.iter().flat_map(|group| &group.stops).flatten();
        stops.any(|stop| stop.arrive.target == Target::Order)
    }

    /// The stops of each group and state.
    pub(in crate::crowd) fn stops(&self) -> Vec<Vec<Vec<Stop<V>>>> {
        self.groups.iter().map(|group| group.stops.clone()).collect()
    }

    /// Whether the agent in this row, which exists, has arrived and not set out again since.
    pub(in crate::crowd) fn has_arrived(&self, now: &Columns<V>, row: usize) -> bool {
        let ends = self.groups.get(now.group[row] as usize);
        let ends = ends.map_or(&[][..], |group| &group.ends);
        let memory = now.memory(row);
        now.state[row].arrived != 0 || ends.iter().any(|end| memory[end.memory].has_arrived())
    }
}
