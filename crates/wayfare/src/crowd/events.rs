//! What happened in the last tick: who arrived, changed its state, crossed a line, left, entered.
//!
//! It is read off the two generations of columns after a step, in one pass that is left out where
//! nothing of the kind can happen.

use super::exit::{ExitCount, Way};
use super::line::LineCount;
use super::{CompiledGroup, Crowd, Setup, spawn};
use crate::agent::Host;
use crate::behavior::{Arrive, AtEnd};
use crate::geometry::path::Path;
use crate::parameter::Target;
use crate::registry::Behavior;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// Something that happened to an agent in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// It came to where it was going: to the end of a path that ends in "seek" or "arrive", or to
    /// the point or pointer of an `arrive`.
    ///
    /// It has come to a point when it is as near as its body's radius, or as a hundredth of the
    /// slowing radius if that is more; it can arrive again once it has been out of the slowing
    /// radius, or in another state. At a group's member nobody arrives.
    Arrived {
        /// Who.
        id: u32,
    },
    /// It is in another state than before.
    StateChanged {
        /// Who.
        id: u32,
        /// The index of the state in its group that it left.
        from: usize,
        /// The index of the state that it is in now.
        to: usize,
    },
    /// Its step crossed a line.
    Crossed {
        /// Who.
        id: u32,
        /// The index of the line.
        line: usize,
        /// Whether it is to the left of the line now.
        to_left: bool,
    },
    /// It stood in an exit after its step. Unless the exit respawns, it is in the crowd no longer.
    Left {
        /// Who.
        id: u32,
        /// The index of its group.
        group: usize,
        /// The index of the exit.
        exit: usize,
    },
    /// A way out of its state led it out of the crowd. Unless it respawns, it is in the crowd no
    /// longer.
    Gone {
        /// Who.
        id: u32,
        /// The index of its group.
        group: usize,
        /// The index of the state it was in.
        state: usize,
    },
    /// It came into the crowd by a source.
    Entered {
        /// Who.
        id: u32,
        /// The index of its group.
        group: usize,
        /// The index of the source.
        source: usize,
    },
}

impl Event {
    /// Whom it happened to.
    pub fn id(&self) -> u32 {
        match *self {
            Event::Arrived { id }
            | Event::StateChanged { id, .. }
            | Event::Crossed { id, .. }
            | Event::Left { id, .. }
            | Event::Gone { id, .. }
            | Event::Entered { id, .. } => id,
        }
    }

    /// Where it stands among the events of a tick: no two have the same.
    pub(super) fn order(&self) -> (u32, u8, usize) {
        let (kind, which) = match *self {
            Event::Arrived { .. } => (0, 0),
            Event::StateChanged { .. } => (1, 0),
            Event::Crossed { line, .. } => (2, line),
            Event::Left { .. } => (3, 0),
            Event::Gone { .. } => (4, 0),
            Event::Entered { .. } => (5, 0),
        };
        (self.id(), kind, which)
    }
}

/// What can happen to the members of a group.
#[derive(Debug)]
struct Watched<V: Vector> {
    states: bool,
    /// The memories of paths that have an end.
    ends: Vec<usize>,
    /// Each state's behaviors that stop on a point.
    stops: Vec<Vec<Arrive<V>>>,
}

impl<V: Vector> Watched<V> {
    fn new(group: &CompiledGroup<V>, paths: &[Path<V>]) -> Self {
        let mut ends = Vec::new();
        let mut stops = Vec::new();
        for plan in &group.states {
            for (memory, behavior) in plan.list.remembering() {
                if let Behavior::FollowPath(follow) = behavior
                    && paths
                        .get(follow.path.0)
                        .is_some_and(|path| matches!(follow.end(path), AtEnd::Seek | AtEnd::Arrive))
                    && !ends.contains(&memory)
                {
                    ends.push(memory);
                }
            }
            let stop = |behavior: &Behavior<V>| {
                if let Behavior::Arrive(arrive) = behavior { Some(*arrive) } else { None }
            };
            stops.push(
                plan.list
                    .behaviors()
                    .filter_map(stop)
                    .filter(|arrive| !matches!(arrive.target, Target::Group(_)))
                    .collect(),
            );
        }
        Self { states: group.states.iter().any(|plan| !plan.leave.is_empty()), ends, stops }
    }

    fn nothing(&self) -> bool {
        !self.states && self.ends.is_empty() && self.stops.iter().all(Vec::is_empty)
    }
}

/// What is watched, and what was seen in the last tick.
#[derive(Debug)]
pub(super) struct EventTracker<V: Vector> {
    groups: Vec<Watched<V>>,
    pub(super) lines: Vec<LineCount<V>>,
    pub(super) exits: Vec<ExitCount<V>>,
    pub(super) events: Vec<Event>,
    leaving: Vec<(u32, Way)>,
}

impl<V: Vector> EventTracker<V> {
    /// Takes lines and exits out of `setup`.
    pub(super) fn new(setup: &mut Setup<V>, space: &Space<V>) -> Self {
        let lines = core::mem::take(&mut setup.lines)
            .into_iter()
            .map(|line| LineCount::new(line, space))
            .collect();
        let exits = core::mem::take(&mut setup.exits)
            .into_iter()
            .map(|exit| ExitCount::new(exit, space))
            .collect();
        Self { groups: Vec::new(), lines, exits, events: Vec::new(), leaving: Vec::new() }
    }

    /// Looks for what can happen to the groups as they are now.
    pub(super) fn prepare(&mut self, groups: &[CompiledGroup<V>], paths: &[Path<V>]) {
        self.groups = groups.iter().map(|group| Watched::new(group, paths)).collect();
    }
}

impl<V: Vector> Crowd<V> {
    /// What happened in the last tick, in the order of ids, and of one id in the order of
    /// [`Event`]'s variants.
    ///
    /// ```
    /// use wayfare::{crowd::{Event, Group, Line, Setup, Spawn, StartVelocity}, glam::vec2, Crowd};
    /// let mut walker = Group::new("walker", 1, Spawn::Points(vec![vec2(0.0, 1.0)]), 2.0);
    /// walker.velocity = StartVelocity::Same(vec2(0.0, -2.0));
    /// let door = Line { name: "door".to_string(), from: vec2(-5.0, 0.0), to: vec2(5.0, 0.0) };
    /// let mut crowd = Crowd::new(Setup { groups: vec![walker], lines: vec![door], ..Setup::default() })?;
    /// crowd.step();
    /// assert_eq!(crowd.events(), [Event::Crossed { id: 0, line: 0, to_left: false }]);
    /// assert_eq!((crowd.lines()[0].left, crowd.lines()[0].right), (0, 1));
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn events(&self) -> &[Event] {
        &self.tracker.events
    }

    /// The lines in the order of the setup, and how often each has been crossed.
    pub fn lines(&self) -> &[LineCount<V>] {
        &self.tracker.lines
    }

    /// Looks at what the step that was just taken has done, and lets those go who stand in an exit.
    pub(super) fn look(&mut self) {
        let pointer = self.pointer();
        let (now, before, space, tracker) =
            (&mut self.now, &self.next, &self.space, &mut self.tracker);
        tracker.events.clear();
        if tracker.lines.is_empty()
            && tracker.exits.is_empty()
            && tracker.groups.iter().all(Watched::nothing)
        {
            return;
        }
        for i in 0..now.len() {
            let (id, group) = (now.id[i], now.group[i] as usize);
            let watched = &tracker.groups[group];
            let position = now.position.get(i);
            let (from, to) = (before.state[i].state as usize, now.state[i].state as usize);
            let changed = from != to;
            if changed {
                tracker.events.push(Event::StateChanged { id, from, to });
            }
            let done = |memory: &usize| {
                now.memory(i)[*memory].path.done && !before.memory(i)[*memory].path.done
            };
            let mut arrived = watched.ends.iter().any(done);
            let stops = &watched.stops[to];
            if !stops.is_empty() || changed {
                let was_here = !changed && now.state[i].arrived;
                let agent = now.agent(i);
                let (mut at, mut near) = (false, false);
                for stop in stops {
                    let Some(target) = (match stop.target {
                        Target::Point(point) => Some(point),
                        Target::Pointer => pointer,
                        Target::Goal => spawn::goal(
                            self.seed,
                            id,
                            &self.setup.groups[group],
                            self.groups[group].first_id,
                        ),
                        Target::LastSeen => {
                            self.groups[group].last_seen(now.remembered(i), self.tick, self.dt)
                        }
                        Target::Group(_) => None,
                    }) else {
                        continue;
                    };
                    let slowing = stop.slowing_radius.of(&agent);
                    let close = agent.radius().max(slowing * 0.01);
                    let distance = (space.image(position, target) - position).length();
                    at |= distance <= close && distance <= stop.within;
                    near |= distance <= close.max(slowing);
                }
                arrived |= at && !was_here;
                now.state[i].arrived = at || (near && was_here);
            }
            if arrived {
                tracker.events.push(Event::Arrived { id });
            }
            for (number, line) in tracker.lines.iter_mut().enumerate() {
                if let Some(to_left) = line.crossing(before.position.get(i), position, space) {
                    line.count(to_left);
                    tracker.events.push(Event::Crossed { id, line: number, to_left });
                }
            }
            if let Some(way) = usize::from(now.state[i].exit).checked_sub(1) {
                tracker.events.push(Event::Gone { id, group, state: to });
                tracker.leaving.push((i as u32, Way::OfState(way)));
            } else if let Some(exit) =
                tracker.exits.iter().position(|exit| exit.takes(group, position, space))
            {
                tracker.events.push(Event::Left { id, group, exit });
                tracker.leaving.push((i as u32, Way::Exit(exit)));
            }
        }
        tracker.events.sort_unstable_by_key(Event::order);
        if !tracker.leaving.is_empty() {
            let mut leaving = core::mem::take(&mut tracker.leaving);
            self.leave(&mut leaving);
            self.tracker.leaving = leaving;
        }
    }
}
