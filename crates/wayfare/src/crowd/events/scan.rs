//! Finds the events of runs of rows, from both generations of columns.

use alloc::vec::Vec;
use core::ops::Range;

use super::arrival::{self, Proximity, Targets};
use super::event::Event;
use super::possible::{End, PossibleEvents};
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::exit::{ExitCount, LeaveBy};
use crate::crowd::line::LineCount;
use crate::crowd::population::columns::Columns;
use crate::crowd::population::find_row;
use crate::crowd::population::ghosts::Ghosts;
use crate::crowd::setup::Group;
use crate::id::{AgentId, GroupId, StateId};
use crate::order::Order;
use crate::parameter::Target;
use crate::platform::OnceLock;
use crate::row_index::RowIndex;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The findings of one thread.
#[derive(Debug, Default)]
pub(in crate::crowd) struct Found {
    pub(in crate::crowd) events: Vec<Event>,
    pub(in crate::crowd) leaving: Vec<(u32, LeaveBy)>,
    /// Agents, by their rows, that are at a stop which their list may not have evaluated.
    pub(in crate::crowd) candidates: Vec<(u32, usize)>,
    /// The rows of agents whose order has ended, because its target has left.
    pub(in crate::crowd) lost: Vec<u32>,
    /// The groups of which a member has arrived, some of them repeatedly.
    pub(in crate::crowd) arrived_groups: Vec<u32>,
    /// The rows of agents whose bits of arrival have changed, and those bits.
    pub(in crate::crowd) arrived: Vec<(u32, u32)>,
}

impl Found {
    /// Moves what another thread found behind what this one did.
    pub(in crate::crowd) fn append(&mut self, other: &mut Self) {
        self.events.append(&mut other.events);
        self.leaving.append(&mut other.leaving);
        self.candidates.append(&mut other.candidates);
        self.arrived.append(&mut other.arrived);
        self.lost.append(&mut other.lost);
        self.arrived_groups.append(&mut other.arrived_groups);
    }
}

/// The data that the events of a step follow from.
pub(in crate::crowd) struct Scan<'a, V: Vector> {
    pub(in crate::crowd) now: &'a Columns<V>,
    pub(in crate::crowd) before: &'a Columns<V>,
    pub(in crate::crowd) ghosts: &'a Ghosts<V>,
    pub(in crate::crowd) row_index: &'a OnceLock<RowIndex>,
    pub(in crate::crowd) space: &'a Space<V>,
    pub(in crate::crowd) possible: &'a [PossibleEvents<V>],
    pub(in crate::crowd) lines: &'a [LineCount<V>],
    pub(in crate::crowd) exits: &'a [ExitCount<V>],
    pub(in crate::crowd) setup: &'a [Group<V>],
    pub(in crate::crowd) groups: &'a [CompiledGroup<V>],
    pub(in crate::crowd) seed: u64,
    pub(in crate::crowd) dt: f64,
    pub(in crate::crowd) tick: u64,
    pub(in crate::crowd) pointer: Option<V>,
    pub(in crate::crowd) pointer_before: Option<V>,
}

impl<V: Vector> Scan<'_, V> {
    /// Adds the events of these rows.
    pub(in crate::crowd) fn rows(&self, rows: Range<usize>, found: &mut Found) {
        for i in rows {
            self.row(i, found);
        }
    }

    fn row(&self, i: usize, found: &mut Found) {
        let Self { now, before, space, .. } = *self;
        let (id, group) = (AgentId(now.id[i]), GroupId(now.group[i] as usize));
        let possible = &self.possible[group.0];
        let position = now.position.get(i);
        let (from, to) = (before.state[i].state as usize, now.state[i].state as usize);
        let changed = from != to;
        if changed {
            found.events.push(Event::StateChanged { id, from: StateId(from), to: StateId(to) });
        }
        let had_arrived = |end: &End<V>| before.memory(i)[end.memory].has_arrived();
        let done = |end: &End<V>| {
            let shares = |other: &&End<V>| end.target.is_some() && other.target == end.target;
            now.memory(i)[end.memory].has_arrived()
                && !had_arrived(end)
                && !possible.ends.iter().filter(shares).any(had_arrived)
        };
        let mut arrived = possible.ends.iter().any(done);
        if !possible.stops[to].is_empty() || changed {
            arrived |= self.stops(i, changed, found);
        }
        if arrived {
            found.events.push(Event::Arrived { id });
            found.arrived_groups.push(group.0 as u32);
        }
        if let Some(Order::Agent(target)) = now.own(i).order
            && find_row(now, self.ghosts, self.row_index, target).is_none()
        {
            found.events.push(Event::TargetLost { id, target });
            found.lost.push(i as u32);
        }
        for line in self.lines {
            if let Some(to_left) = line.crossing(before.position.get(i), position, space) {
                found.events.push(Event::Crossed { id, line: line.id, to_left });
            }
        }
        if let Some(index) = usize::from(now.state[i].exit).checked_sub(1) {
            found.events.push(Event::Gone { id, group, state: StateId(to) });
            found.leaving.push((i as u32, LeaveBy::Transition(index)));
        } else if let Some(exit) =
            self.exits.iter().position(|exit| exit.takes(group, position, space))
        {
            found.events.push(Event::Left { id, group, exit: self.exits[exit].id });
            found.leaving.push((i as u32, LeaveBy::Exit(exit)));
        }
    }

    /// Whether agent `i` has arrived at a stop of its state, which `changed` in this step.
    fn stops(&self, i: usize, changed: bool, found: &mut Found) -> bool {
        let Self { now, before, .. } = *self;
        let group = GroupId(now.group[i] as usize);
        let was = if changed { 0 } else { now.state[i].arrived };
        let (agent, mut arrived, mut has_arrived) = (now.agent(i), false, 0);
        let targets = |tick, pointer| Targets {
            now,
            ghosts: self.ghosts,
            row_index: self.row_index,
            seed: self.seed,
            dt: self.dt,
            tick,
            up: self.space.up(),
            pointer,
            setup: &self.setup[group.0],
            group: &self.groups[group.0],
        };
        let stops = &self.possible[group.0].stops[now.state[i].state as usize];
        for (k, stop) in stops.iter().enumerate() {
            let target = stop.arrive.target;
            let Some(position) =
                targets(self.tick, self.pointer).position(target, i, now.remembered(i))
            else {
                continue;
            };
            let Proximity { at, close } = stop.proximity(&agent, position, self.space);
            let moved = || {
                let targets = targets(self.tick - 1, self.pointer_before);
                // A new order lets the agent arrive again at once.
                target != Target::Order
                    && targets.position(target, i, before.remembered(i)) != Some(position)
            };
            let was_at = was & arrival::bit(k) != 0 && (at || !moved());
            if at && !was_at && stop.can_be_hidden {
                found.candidates.push((i as u32, k));
                continue;
            }
            arrived |= at && !was_at;
            if at || (close && was_at) {
                has_arrived |= arrival::bit(k);
            }
        }
        if has_arrived != now.state[i].arrived {
            found.arrived.push((i as u32, has_arrived));
        }
        arrived
    }
}
