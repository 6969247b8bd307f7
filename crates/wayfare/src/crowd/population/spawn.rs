//! The first agents of a crowd, and the start values with which agents enter columns.

use super::columns::{Columns, Start, StateInstance, Widths};
use crate::agent::Agent;
use crate::crowd::setup::draws::members;
use crate::crowd::setup::{Group, Limit, Setup, StartVelocity, State, places, stream};
use crate::random::Random;
use crate::vector::Vector;

/// When an agent enters, and by which numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) seed: u64,
    pub(crate) id: u32,
    /// The id of the first member of its group.
    pub(crate) first: u32,
    /// The tick of the entry.
    pub(crate) tick: u64,
    /// The time per tick (time).
    pub(crate) dt: f64,
}

impl Entry {
    /// The tick at which the member of `group` begins.
    fn begin<V: Vector>(self, group: &Group<V>) -> u64 {
        // An agent that has changed its group may have a lower id than its first member.
        let k = self.id.wrapping_sub(self.first) as usize;
        let random = Random::new(self.seed, self.id, 0, stream::START_AFTER);
        self.tick.saturating_add(group.start_after.ticks(k, random, self.dt))
    }
}

/// The first generation of agents.
pub(crate) fn columns<V: Vector>(setup: &Setup<V>, widths: Widths) -> Columns<V> {
    let mut columns = Columns::with_widths(widths);
    // A valid setup has room for all.
    let places = places::places(setup).unwrap_or_default();
    let mut first = 0;
    for (g, group) in setup.groups.iter().enumerate() {
        let places = places.get(g).map_or(&[][..], |places| places);
        for (id, agent) in members(setup, group, first, places) {
            let entry = Entry { seed: setup.seed, id, first, tick: 0, dt: setup.dt };
            let (start, agent) = entering(entry, group, &agent);
            columns.push(id, g as u32, start, &agent);
        }
        first += group.count as u32;
    }
    columns.pad();
    columns
}

/// Whether the limits of a member may differ between its states.
pub(crate) fn limits_change<V: Vector>(group: &Group<V>) -> bool {
    let has_own = |state: &State<V>| Limit::ALL.iter().any(|limit| state.limit(*limit).is_some());
    group.states.iter().any(has_own)
}

/// The start values of an agent that enters as a member of `group`; `agent` at rest if it waits.
pub(crate) fn entering<'g, V: Vector>(
    entry: Entry,
    group: &'g Group<V>,
    agent: &Agent<V>,
) -> (Start<'g>, Agent<V>) {
    let mut start = start(entry.seed, group, entry.tick);
    if !group.start_after.waits() {
        return (start, *agent);
    }
    start.state.entered = entry.begin(group);
    let waits = start.state.entered > entry.tick;
    let velocity = if waits { V::ZERO } else { agent.velocity };
    (start, Agent { velocity, ..*agent })
}

/// The start values of the members of `group` that begin at `tick`.
pub(crate) fn start<V: Vector>(seed: u64, group: &Group<V>, tick: u64) -> Start<'_> {
    Start {
        seed,
        tick,
        state: StateInstance::new(group.start.0 as u32, tick),
        stats: &group.stats,
        perceives: group.sight.is_some(),
    }
}

/// An upper bound on the speed of every agent that can ever be in a crowd of `groups`
/// (length / time).
pub(crate) fn max_speed<V: Vector>(groups: &[Group<V>]) -> f32 {
    let speeds = groups.iter().flat_map(|group| {
        [
            group.largest_max_speed(),
            if let StartVelocity::Same(v) = group.velocity { v.length() } else { 0.0 },
        ]
    });
    speeds.fold(1e-9, f32::max)
}
