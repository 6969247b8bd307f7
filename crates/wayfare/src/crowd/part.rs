//! A crowd as one part of a larger one, which several processes or threads step together.
//!
//! Each part owns some of the agents and has the others that its own ones read as
//! [ghosts](crate::Crowd::set_ghosts). All parts are made from the same setup and take the same
//! ticks. A tick of a part is [`begin_tick_of_part`](crate::Crowd::begin_tick_of_part), then
//! [`set_copies`](crate::Crowd::set_copies) with the copies that the other parts have made of their
//! agents, then [`end_tick_of_part`](crate::Crowd::end_tick_of_part). Together the parts give the
//! same bits as the whole crowd: sums are order-free, random numbers are keyed by the agent's id,
//! and a tick reads only the old columns.
//!
//! This module has what the algorithm needs of the crowd. The algorithm itself, with the domains
//! and the exchange of messages, is the crate `wayfare-cluster`.

use alloc::vec::Vec;

use super::events::Event;
use crate::id::GroupId;

/// The state of a part.
#[derive(Clone, Debug, Default)]
pub(super) struct PartState {
    /// Whether agents enter the whole crowd by the sources of this part.
    pub(super) runs_sources: bool,
    /// The number of members of each group in the other parts, where this part runs the sources.
    pub(super) elsewhere: Vec<u32>,
    /// For each group, what the last tick has found about its arrivals.
    pub(super) arrivals: Vec<GroupArrival>,
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

/// Merges the events of all parts into those of the whole crowd, in the order of
/// [`Crowd::events`](crate::Crowd::events); `arrivals` are the
/// [`group_arrivals`](crate::Crowd::group_arrivals) of each part.
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
