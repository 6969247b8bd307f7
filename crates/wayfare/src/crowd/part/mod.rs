//! A crowd as one part of a larger one, which several processes or threads step together.
//!
//! Each part owns some of the agents and has the others that its own ones read as
//! [ghosts](Crowd::set_ghosts). All parts are made from the same setup and take the same ticks.
//! A tick of a part is [`begin_tick_of_part`](Crowd::begin_tick_of_part), then
//! [`set_copies`](Crowd::set_copies) with the copies that the other parts have made of their
//! agents, then [`end_tick_of_part`](Crowd::end_tick_of_part). Together the parts give the same
//! bits as the whole crowd: sums are order-free, random numbers are keyed by the agent's id, and
//! a tick reads only the old columns.
//!
//! This module has what the algorithm needs of the crowd. The algorithm itself, with the domains
//! and the exchange of messages, is the crate `wayfare-cluster`.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::compiled::CompiledGroup;
use super::pipeline::contact::Others;
use super::{Crowd, Event, MAX_AGENTS};
use crate::crowd::change::Change;
use crate::id::{AgentId, GroupId};
use crate::order::Order;
use crate::vector::Vector;

mod copies;
mod counts;
mod division;

pub use copies::Copies;
pub use counts::Counts;
pub use division::{Division, PinnedBy};

/// The state of a part.
#[derive(Clone, Debug, Default)]
pub(super) struct PartState {
    /// Whether agents enter the whole crowd by the sources of this part.
    runs_sources: bool,
    /// The number of members of each group in the other parts, where this part runs the sources.
    elsewhere: Vec<u32>,
    /// For each group, what the last tick has found about its arrivals.
    arrivals: Vec<GroupArrival>,
}

/// The arrivals of a group in one part. [`Event::GroupArrived`] is raised when a member in any part
/// has arrived in the tick, and all members in all parts have arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupArrival {
    /// Whether a member of this part has arrived in the last tick.
    pub now: bool,
    /// Whether all members of this part have arrived.
    pub all: bool,
}

/// Communication between the parts of a crowd during a tick.
///
/// Every call is collective: all parts make the same calls in the same order. Vectors are given as
/// three coordinates; in the plane the third one is 0.
pub trait PartLink {
    /// The width of the halo: the distance from the border of a domain up to which agents were
    /// copied to the neighboring part (length).
    fn halo(&self) -> f32;

    /// Whether any agent of any part has an order whose target is an agent. In that case each part
    /// has ghosts of all agents that its own agents are ordered to.
    fn have_orders(&self) -> bool;

    /// Replaces each number by its maximum over all parts.
    fn largest(&mut self, numbers: &mut [f32]);

    /// Replaces the number of members of each group in this part by the sum over all other parts.
    fn members_elsewhere(&mut self, members: &mut [u32]);

    /// Sends the positions of those agents of this part that others have copies of, in the order
    /// in which they were copied (`own` gives the position of a row), and calls `copy` with the
    /// index and the position of each copy that this part has.
    fn positions(
        &mut self,
        own: &mut dyn FnMut(u32) -> [f32; 3],
        copy: &mut dyn FnMut(usize, [f32; 3]),
    );
}

/// The halo is too narrow for the contacts of this tick: the tick was not taken, and has to begin
/// again with a halo of this width (length).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HaloTooNarrow(pub f32);

impl<V: Vector> Crowd<V> {
    /// Makes this crowd a part of a larger one. Exactly one part has `runs_sources`: new agents
    /// enter the whole crowd by the sources of that part, and that part alone plans the ways of
    /// agents with `navigate`.
    pub fn become_part(&mut self, runs_sources: bool) {
        if !runs_sources {
            self.world.routes = None;
            self.find_routes();
        }
        self.part = Some(Box::new(PartState { runs_sources, ..PartState::default() }));
    }

    /// Whether this crowd is a part of a larger one.
    pub fn is_part(&self) -> bool {
        self.part.is_some()
    }

    /// The ids of agents that are targets of orders in this part, which are read at any distance;
    /// an id may occur more than once.
    pub fn ordered_targets(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.population.now.own.iter().filter_map(|own| match own.order {
            Some(Order::Agent(id)) => Some(id),
            _ => None,
        })
    }

    /// The row of the agent `id`, if this part owns it; valid until the crowd is stepped or
    /// changed.
    pub fn row(&self, id: impl Into<AgentId>) -> Option<u32> {
        self.row_of(id.into()).map(|row| row as u32)
    }

    /// The id of the next agent that is added or enters by a source.
    pub fn next_id(&self) -> AgentId {
        AgentId(self.population.next_id)
    }

    /// Raises the id of the next agent to at least `next`.
    pub fn reserve_ids(&mut self, next: AgentId) {
        self.population.next_id = self.population.next_id.max(next.0);
    }

    /// Whether the next tick sorts the rows: moving agents between parts before it costs no
    /// additional sort.
    pub fn sorts_next(&self) -> bool {
        self.is_sort_due().is_some()
    }

    /// Begins a tick of a part: sorts the rows, whose order stays until the end of the tick. Call
    /// [`set_copies`](Self::set_copies) and [`end_tick_of_part`](Self::end_tick_of_part) after it.
    pub fn begin_tick_of_part(&mut self) {
        self.clear_ghosts();
        self.run_shared(Self::sort);
        self.tick.is_sorted_for_part = true;
        self.tick.interior.clear();
    }

    /// Steps the agents that read no ghost while the ghosts are still in transfer: runs of agents
    /// whose bounding box (its two corners, length) satisfies `is_interior`. Does nothing where
    /// agents read others at any distance.
    pub fn advance_interior(&mut self, is_interior: &(dyn Fn(V, V) -> bool + Sync)) {
        let reads_all = |group: &CompiledGroup<V>| {
            group.searched
                || group.reads_order
                || !group.formations.is_empty()
                || !group.queue_memories.is_empty()
        };
        if !self.tick.is_sorted_for_part || self.world.groups.iter().any(reads_all) {
            return;
        }
        self.run_shared(|crowd, shared| crowd.move_interior(is_interior, shared));
    }

    /// Ends a tick of a part.
    ///
    /// # Errors
    /// The halo is too narrow: all parts get the same error, and nothing has changed. Call
    /// [`set_copies`](Self::set_copies) with a wider halo, and then this again.
    pub fn end_tick_of_part(&mut self, others: &mut dyn PartLink) -> Result<(), HaloTooNarrow> {
        V::end_part(self, others)
    }

    pub(super) fn end_part_here(&mut self, others: &mut dyn PartLink) -> Result<(), HaloTooNarrow> {
        let others = &mut Others::new(others);
        self.run_shared(Self::move_rest);
        // On this thread: others may belong to it.
        if let Err(error) = self.resolve_contacts_of_part(others) {
            self.changed(Change::Input);
            return Err(error);
        }
        self.tick.is_sorted_for_part = false;
        if self.world.tracker.has_order_stops() && others.have_orders() {
            // Agents arrive at where others are after the tick.
            self.population.ghosts.move_to(others.exchange(&self.population.next.position));
        }
        self.run_shared(Self::observe);
        if !self.world.sources.is_empty() {
            self.count_members();
            let mut members: Vec<u32> =
                self.world.groups.iter().map(|group| group.member_count).collect();
            others.members_elsewhere(&mut members);
            if let Some(part) = &mut self.part {
                part.elsewhere = members;
            }
        }
        self.run_shared(Self::populate);
        Ok(())
    }

    /// The arrivals of each group in the last tick of a part. Empty in a crowd that is not a part,
    /// and where no member of any group can arrive.
    pub fn group_arrivals(&self) -> &[GroupArrival] {
        self.part.as_ref().map_or(&[], |part| &part.arrivals)
    }

    /// Notes the arrivals of groups, of which those `arrived` have a member that has arrived in
    /// this tick.
    pub(super) fn note_group_arrivals(&mut self, arrived: &mut Vec<u32>) {
        let Some(mut part) = self.part.take() else { return };
        part.arrivals.clear();
        part.arrivals.resize(self.world.groups.len(), GroupArrival::default());
        for group in 0..self.world.groups.len() as u32 {
            let member = |row: &u32| self.population.now.group[*row as usize] == group;
            let mut members = (0..self.len() as u32).filter(member);
            let all = self.world.tracker.can_arrive(group as usize)
                && members.all(|row| self.has_arrived_at_row(row));
            let now = arrived.contains(&group);
            part.arrivals[group as usize] = GroupArrival { now, all };
        }
        arrived.clear();
        self.part = Some(part);
    }

    /// The number of agents that may still enter by a source into `group`, which takes at most
    /// `most` members.
    pub(super) fn room_for_arrivals(&self, group: GroupId, most: usize) -> usize {
        let elsewhere = self.part.as_ref().map_or(&[][..], |part| &part.elsewhere);
        let others = elsewhere.get(group.0).map_or(0, |count| *count as usize);
        let elsewhere: usize = elsewhere.iter().map(|count| *count as usize).sum();
        let members = self.population.now.group[..self.len()]
            .iter()
            .filter(|of| **of as usize == group.0)
            .count();
        most.min(MAX_AGENTS)
            .saturating_sub(members + others)
            .min(MAX_AGENTS.saturating_sub(self.len() + elsewhere))
            .min(((u32::MAX - self.population.next_id) as usize).saturating_sub(self.ghost_count()))
    }

    /// Whether agents enter by the sources of this crowd.
    pub(super) fn runs_sources(&self) -> bool {
        self.part.as_ref().is_none_or(|part| part.runs_sources)
    }
}

/// Merges the events of all parts into those of the whole crowd, in the order of
/// [`Crowd::events`]; `arrivals` are the [`group_arrivals`](Crowd::group_arrivals) of each part.
pub fn join_events(
    events: impl IntoIterator<Item = Event>,
    arrivals: &[Vec<GroupArrival>],
) -> Vec<Event> {
    let mut events: Vec<Event> = events.into_iter().collect();
    let groups = arrivals.iter().map(Vec::len).max().unwrap_or(0);
    for group in 0..groups {
        let found = || arrivals.iter().filter_map(|part| part.get(group));
        if found().any(|arrival| arrival.now) && found().all(|arrival| arrival.all) {
            events.push(Event::GroupArrived { group: GroupId(group) });
        }
    }
    events.sort_unstable_by_key(Event::order);
    events
}
