//! The events of the last tick: agents that arrived, changed state, crossed a line, left, entered.
//!
//! The events are found in one pass over both generations of columns after a step, shared by the
//! threads; the pass is skipped for crowds in which no event is possible.

use alloc::vec::Vec;

use super::exit::ExitCount;
use super::line::LineCount;
use super::population::Population;
use super::structure::Structure;
use super::world::World;
use super::{CompiledGroup, Crowd, Setup};
use crate::annotation::Recorder;
use crate::behavior::{AtEnd, Steer};
use crate::combine::Contributing;
use crate::geometry::path::Path;
use crate::id::{AgentId, ExitId, GroupId, LineId, PathId, SourceId};
use crate::parameter::{Needs, Roles};
use crate::platform::Mutex;
use crate::registry::Behavior;
use crate::spatial::space::Space;
use crate::threads::{Share, buffer, share_rows};
use crate::vector::Vector;

mod arrival;
mod contact;
mod scan;

use arrival::Stop;
use contact::Contacts;
use scan::{Found, Scan};

/// Something that happened to an agent in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Event {
    /// The agent reached the end of a path that ends in "seek" or "arrive", the target of an
    /// `arrive` or `navigate`, or a place around the target of a `settle`.
    ///
    /// A target is reached within the agent's radius, or a hundredth of the slowing radius if that
    /// is larger. Only an `arrive` that contributed to the agent's force counts: an `arrive` of
    /// weight 0, or one that its list did not evaluate because of `priority` or `budget`, does not.
    /// The agent can arrive at the same target again after it has been outside the slowing radius
    /// or in another state, at a target that has moved, and at a new order, at any distance; an
    /// order to another agent counts as one target, however that moves. An `arrive` whose
    /// target is the nearest member of a group raises no event.
    Arrived {
        /// The agent's id.
        id: AgentId,
    },
    /// The agent changed its state.
    StateChanged {
        /// The agent's id.
        id: AgentId,
        /// The index of the previous state in its group.
        from: usize,
        /// The index of the new state.
        to: usize,
    },
    /// The agent's step crossed a line.
    Crossed {
        /// The agent's id.
        id: AgentId,
        /// The line.
        line: LineId,
        /// Whether the agent is to the left of the line now.
        to_left: bool,
    },
    /// The bodies of two agents have begun to touch: the distance of their positions is at most
    /// the sum of their radii, and was larger before the step. At least one of them is in a group
    /// with [`contacts`](super::Group::contacts), and both radii are above zero. Agents that enter
    /// or are put among others, and ghosts, raise no event.
    Contact {
        /// The lower of the two ids.
        id: AgentId,
        /// The other id.
        other: AgentId,
    },
    /// The agent was in an exit after its step. Unless the exit respawns, it has been removed.
    Left {
        /// The agent's id.
        id: AgentId,
        /// Its group.
        group: GroupId,
        /// The exit.
        exit: ExitId,
    },
    /// A transition led the agent out of the crowd. Unless it respawns, it has been removed.
    Gone {
        /// The agent's id.
        id: AgentId,
        /// Its group.
        group: GroupId,
        /// The index of the agent's last state.
        state: usize,
    },
    /// A search found no way to the target of the agent's `navigate`. The agent brakes, and
    /// searches again when its target or an obstacle changes.
    Unreachable {
        /// The agent's id.
        id: AgentId,
    },
    /// The agent was ordered to another agent, which has left the crowd: its order has ended.
    TargetLost {
        /// The agent's id.
        id: AgentId,
        /// The id of the agent that it was ordered to.
        target: AgentId,
    },
    /// Every member of the group has arrived, since the last of them did in this tick: at the
    /// target of an `arrive` or `settle`, or at the end of a path, of its current state.
    GroupArrived {
        /// The group.
        group: GroupId,
    },
    /// The agent entered by a source.
    Entered {
        /// The agent's id.
        id: AgentId,
        /// Its group.
        group: GroupId,
        /// The source.
        source: SourceId,
    },
}

impl Event {
    /// The id of the agent; [`AgentId::NONE`] for an event of a group.
    pub fn id(&self) -> AgentId {
        match *self {
            Event::Arrived { id }
            | Event::StateChanged { id, .. }
            | Event::Crossed { id, .. }
            | Event::Left { id, .. }
            | Event::Gone { id, .. }
            | Event::Contact { id, .. }
            | Event::Unreachable { id }
            | Event::TargetLost { id, .. }
            | Event::Entered { id, .. } => id,
            Event::GroupArrived { .. } => AgentId::NONE,
        }
    }

    /// The sort key among the events of a tick; unique.
    pub(super) fn order(&self) -> (AgentId, u8, usize) {
        let (kind, which) = match *self {
            Event::Arrived { .. } => (0, 0),
            Event::StateChanged { .. } => (1, 0),
            Event::Crossed { line, .. } => (2, line.0 as usize),
            Event::Contact { other, .. } => (3, other.0 as usize),
            Event::Left { .. } => (4, 0),
            Event::Gone { .. } => (5, 0),
            Event::TargetLost { .. } => (6, 0),
            Event::Entered { .. } => (7, 0),
            Event::GroupArrived { group } => (8, group.0),
            Event::Unreachable { .. } => (9, 0),
        };
        (self.id(), kind, which)
    }
}

/// The events that are possible for the members of a group.
#[derive(Clone, Debug)]
struct PossibleEvents<V: Vector> {
    states: bool,
    /// Whether touching bodies raise events.
    contacts: bool,
    /// The memories of `settle` and `navigate`, and of paths with an end.
    ends: Vec<usize>,
    /// The stops of each state.
    stops: Vec<Vec<Stop<V>>>,
}

impl<V: Vector> PossibleEvents<V> {
    fn new(group: &CompiledGroup<V>, paths: &[Path<V>]) -> Self {
        let mut ends = Vec::new();
        let mut stops = Vec::new();
        for plan in &group.states {
            for Contributing { memory, behavior, .. } in plan.list.contributing() {
                let has_end = match behavior {
                    Behavior::FollowPath(follow) if follow.path == PathId::ORDER => true,
                    Behavior::FollowPath(follow) => paths.get(follow.path.0).is_some_and(|path| {
                        matches!(follow.end(path), AtEnd::Seek | AtEnd::Arrive)
                    }),
                    other => other.roles().has(Roles::ARRIVES) && other.needs().has(Needs::MEMORY),
                };
                if has_end && !ends.contains(&memory) {
                    ends.push(memory);
                }
            }
            stops.push(arrival::stops(&plan.list));
        }
        let states = group.states.iter().any(|plan| !plan.leave.is_empty());
        Self { states, contacts: group.contacts, ends, stops }
    }

    fn is_empty(&self) -> bool {
        !self.states
            && !self.contacts
            && self.ends.is_empty()
            && self.stops.iter().all(Vec::is_empty)
    }
}

/// Lines, exits, the possible events, and the events of the last tick.
#[derive(Debug)]
pub(super) struct EventTracker<V: Vector> {
    groups: Vec<PossibleEvents<V>>,
    pub(super) lines: Vec<LineCount<V>>,
    pub(super) exits: Vec<ExitCount<V>>,
    pub(super) events: Vec<Event>,
    /// The buffers of the search for contacts, if any group raises them.
    contacts: Option<Contacts<V>>,
    /// The findings of the threads after the last step; one for each thread.
    found: Vec<Mutex<Found>>,
}

/// A copy with empty buffers for as many threads.
impl<V: Vector> Clone for EventTracker<V> {
    fn clone(&self) -> Self {
        // The buffers follow from the rest.
        let Self { groups, lines, exits, events, contacts: _, found } = self;
        let (groups, lines, exits) = (groups.clone(), lines.clone(), exits.clone());
        let found = found.iter().map(|_| Mutex::default()).collect();
        Self { groups, lines, exits, events: events.clone(), contacts: None, found }
    }
}

impl<V: Vector> EventTracker<V> {
    /// Moves lines and exits out of `setup`.
    pub(super) fn new(setup: &mut Setup<V>, structure: &Structure, space: &Space<V>) -> Self {
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
            contacts: None,
            found: Vec::new(),
        }
    }

    /// Makes the buffers of so many threads.
    pub(super) fn set_threads(&mut self, count: usize) {
        self.found = (0..count).map(|_| Mutex::default()).collect();
    }

    /// Whether no event can happen to any agent.
    fn finds_nothing(&self) -> bool {
        self.lines.is_empty()
            && self.exits.is_empty()
            && self.groups.iter().all(PossibleEvents::is_empty)
    }

    /// Whether members of `group` can arrive.
    pub(super) fn can_arrive(&self, group: usize) -> bool {
        let possible = self.groups.get(group);
        possible.is_some_and(|possible| {
            !possible.ends.is_empty() || possible.stops.iter().any(|stops| !stops.is_empty())
        })
    }

    /// Derives the possible events of the groups.
    pub(super) fn prepare(&mut self, groups: &[CompiledGroup<V>], paths: &[Path<V>]) {
        self.groups = groups.iter().map(|group| PossibleEvents::new(group, paths)).collect();
    }
}

impl<V: Vector> Crowd<V> {
    /// The events of the last tick, in the order of ids, and for each id in the order of the
    /// variants of [`Event`].
    ///
    /// ```
    /// use wayfare::{
    ///     AgentId, Crowd, LineId,
    ///     crowd::{Event, Group, Line, Setup, Spawn, StartVelocity},
    ///     glam::vec2,
    /// };
    /// let mut walker = Group::new("walker", 1, Spawn::Points(vec![vec2(0.0, 1.0)]), 2.0);
    /// walker.velocity = StartVelocity::Same(vec2(0.0, -2.0));
    /// let door = Line { name: "door".to_string(), from: vec2(-5.0, 0.0), to: vec2(5.0, 0.0) };
    /// let mut crowd =
    ///     Crowd::new(Setup { groups: vec![walker], lines: vec![door], ..Setup::default() })?;
    /// crowd.step();
    /// let crossed = Event::Crossed { id: AgentId(0), line: LineId(0), to_left: false };
    /// assert_eq!(crowd.events(), [crossed]);
    /// assert_eq!((crowd.lines()[0].left, crowd.lines()[0].right), (0, 1));
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn events(&self) -> &[Event] {
        &self.world.tracker.events
    }

    /// The lines in the order of their ids, with the counts of their crossings.
    pub fn lines(&self) -> &[LineCount<V>] {
        &self.world.tracker.lines
    }

    /// The events phase: detects the events of the last step, and removes or respawns the agents
    /// that leave.
    pub(super) fn detect_events(&mut self, shared: Share) {
        self.world.tracker.events.clear();
        if self.world.tracker.finds_nothing()
            && self.population.now.own_width == 0
            && self.world.routes.is_none()
        {
            self.note_group_arrivals(&mut Vec::new());
            return;
        }
        let mut found = core::mem::take(&mut self.world.tracker.found);
        // One of the buffers is that of the events.
        if let Some(first) = found.first_mut() {
            core::mem::swap(&mut buffer(first).events, &mut self.world.tracker.events);
        }
        let scan = Scan::new(self);
        share_rows(0..self.len(), &found, shared, &|rows, found| scan.rows(rows, found));
        self.conclude(&mut found);
        self.world.tracker.found = found;
    }

    /// Puts together what the threads found, in an order that does not depend on them.
    fn conclude(&mut self, found: &mut [Mutex<Found>]) {
        let Some((first, rest)) = found.split_first_mut() else { return };
        let first = buffer(first);
        rest.iter_mut().for_each(|other| first.append(buffer(other)));
        for (row, arrived) in first.arrived.drain(..) {
            self.population.now.state[row as usize].arrived = arrived;
        }
        let tracker = &mut self.world.tracker;
        core::mem::swap(&mut first.events, &mut tracker.events);
        for event in &tracker.events {
            if let Event::Crossed { line, to_left, .. } = *event {
                let line = tracker.lines.binary_search_by_key(&line, |count| count.id);
                if let Ok(index) = line {
                    tracker.lines[index].count(to_left);
                }
            }
        }
        for row in first.lost.drain(..) {
            self.population.now.own[row as usize].order = None;
        }
        self.confirm_arrivals(&mut first.candidates, &mut first.arrived_groups);
        self.find_group_arrivals(&mut first.arrived_groups);
        let World { tracker, space, routes, .. } = &mut self.world;
        let Population { now, next, .. } = &self.population;
        if tracker.groups.iter().any(|group| group.contacts) {
            tracker.find_contacts(now, next, space);
        }
        tracker.events.extend(routes.iter().flat_map(|routes| routes.unreachable()));
        tracker.events.sort_unstable_by_key(Event::order);
        // An agent can arrive at several targets at once.
        tracker.events.dedup();
        if !first.leaving.is_empty() {
            self.leave(&mut first.leaving);
        }
    }

    /// Raises an event for each of the groups `arrived`, of which a member has arrived in this
    /// tick, if all of its members have.
    fn find_group_arrivals(&mut self, arrived: &mut Vec<u32>) {
        if self.part.is_some() {
            return self.note_group_arrivals(arrived);
        }
        arrived.sort_unstable();
        arrived.dedup();
        for group in arrived.drain(..) {
            let member = |row: &u32| self.population.now.group[*row as usize] == group;
            let mut members = (0..self.len() as u32).filter(member);
            if members.all(|row| self.has_arrived_at_row(row)) {
                let group = GroupId(group as usize);
                self.world.tracker.events.push(Event::GroupArrived { group });
            }
        }
    }

    /// Whether the agent in this row (see [`rows_by_id`](Self::rows_by_id)) has arrived by the
    /// rules of [`Event::Arrived`], and not set out again since; `false` beyond the last row.
    ///
    /// ```
    /// use wayfare::crowd::{Group, Setup, Spawn};
    /// use wayfare::{Crowd, List, behavior::Arrive, glam::vec2};
    /// let mut guest = Group::new("guest", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0);
    /// guest.steer = List::default().with(Arrive::new(vec2(9.0, 0.0)));
    /// let mut crowd = Crowd::new(Setup { groups: vec![guest], ..Setup::default() })?;
    /// assert!(!crowd.has_arrived_at_row(0));
    /// (0..100).for_each(|_| crowd.step());
    /// assert!(crowd.has_arrived_at_row(0));
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn has_arrived_at_row(&self, row: u32) -> bool {
        let row = row as usize;
        if row >= self.len() {
            return false;
        }
        let ends = self.world.tracker.groups.get(self.population.now.group[row] as usize);
        let ends = ends.map_or(&[][..], |group| &group.ends);
        let memory = self.population.now.memory(row);
        self.population.now.state[row].arrived != 0
            || ends.iter().any(|&end| memory[end].path.done || memory[end].arrived)
    }

    /// Raises the arrivals of the candidates whose list evaluated the `arrive` in the last tick.
    /// The list is evaluated again on the columns of that tick.
    fn confirm_arrivals(
        &mut self,
        candidates: &mut Vec<(u32, usize)>,
        arrived_groups: &mut Vec<u32>,
    ) {
        if candidates.is_empty() {
            return;
        }
        // Ids, groups and limits are stored in one generation only: `take_step` does not exchange
        // them.
        self.population.now.take_step(&mut self.population.next);
        self.tick.number -= 1;
        candidates.retain(|&(row, k)| {
            let (row, recorder) = (row as usize, Recorder::default());
            let group = &self.world.tracker.groups[self.population.now.group[row] as usize];
            let slot = group.stops[self.population.next.state[row].state as usize][k].slot;
            let (sum, force) = self.tick_input().explain(row, recorder.draw());
            let explanation = recorder.explanation(sum, force);
            explanation.contributions.iter().any(|contribution| contribution.slot == slot)
        });
        self.tick.number += 1;
        self.population.now.take_step(&mut self.population.next);
        for (row, k) in candidates.drain(..) {
            self.population.now.state[row as usize].arrived |= arrival::bit(k);
            self.world
                .tracker
                .events
                .push(Event::Arrived { id: AgentId(self.population.now.id[row as usize]) });
            arrived_groups.push(self.population.now.group[row as usize]);
        }
    }
}
