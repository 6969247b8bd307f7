//! Arrival at the targets of `arrive`: which behaviors count, and which targets an agent is at.

use alloc::vec::Vec;

use crate::agent::Agent;
use crate::agent::Host;
use crate::behavior::Arrive;
use crate::combine::{Contributing, List};
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::population::columns::{Columns, RememberedPosition};
use crate::crowd::population::ghosts::Ghosts;
use crate::crowd::population::{find_row, spawn};
use crate::crowd::setup::Group;
use crate::crowd::{Crowd, EventTracker};
use crate::order::{Order, WithoutOrder};
use crate::parameter::Target;
use crate::platform::OnceLock;
use crate::registry::Behavior;
use crate::row_index::RowIndex;
use crate::spatial::space::Space;
use crate::vector::{Up, Vector};

/// An `arrive` of a state's list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::crowd) struct Stop<V> {
    pub(super) arrive: Arrive<V>,
    /// The slot that holds it, as annotations number slots.
    pub(super) slot: u32,
    /// Whether earlier slots can prevent the evaluation of this slot.
    pub(super) can_be_hidden: bool,
}

/// The proximity of an agent to a stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Proximity {
    /// Within the distance that counts as arrived.
    pub(super) at: bool,
    /// Within the slowing radius.
    pub(super) close: bool,
}

/// The bit of a state's stop `k` in [`StateInstance::arrived`]; the stops from the 32nd on share
/// one.
///
/// [`StateInstance::arrived`]: crate::crowd::population::columns::StateInstance::arrived
pub(super) fn bit(k: usize) -> u32 {
    1 << k.min(31)
}

/// The stops of a list: its `arrive` behaviors that contribute a force and whose target is not the
/// nearest member of a group.
pub(super) fn stops<V: Vector>(list: &List<V>) -> Vec<Stop<V>> {
    let stop = |found: Contributing<'_, V>| match found.behavior {
        Behavior::Arrive(arrive) if !matches!(arrive.target, Target::Group(_)) => {
            let (slot, can_be_hidden) = (found.stream, found.can_be_hidden);
            Some(Stop { arrive: *arrive, slot, can_be_hidden })
        }
        _ => None,
    };
    list.contributing().into_iter().filter_map(stop).collect()
}

impl<V: Vector> Stop<V> {
    /// The proximity of `agent` to this stop, whose target is at `target`.
    pub(super) fn proximity(&self, agent: &Agent<V>, target: V, space: &Space<V>) -> Proximity {
        let slowing = self.arrive.slowing_radius.of(agent);
        let close = agent.radius().max(slowing * 0.01);
        let position = agent.position;
        let distance = (space.image(position, target) - position).length();
        Proximity {
            at: distance <= close && distance <= self.arrive.within,
            close: distance <= close.max(slowing),
        }
    }
}

/// The data that determines the positions of targets, for the agents of one group at one tick.
pub(super) struct Targets<'a, V: Vector> {
    /// The columns after the last step, and the rows of ids in them.
    pub(super) now: &'a Columns<V>,
    pub(super) ghosts: &'a Ghosts<V>,
    pub(super) row_index: &'a OnceLock<RowIndex>,
    pub(super) seed: u64,
    pub(super) dt: f64,
    pub(super) tick: u64,
    pub(super) up: Up,
    pub(super) pointer: Option<V>,
    pub(super) setup: &'a Group<V>,
    pub(super) group: &'a CompiledGroup<V>,
}

impl<V: Vector> Targets<'_, V> {
    /// The position of `target` for the agent in row `i`, whose remembered positions are
    /// `remembered`.
    pub(super) fn position(
        &self,
        target: Target<V>,
        i: usize,
        remembered: &[RememberedPosition<V>],
    ) -> Option<V> {
        match target {
            Target::Point(point) => Some(point),
            Target::Pointer => self.pointer,
            Target::Goal => {
                let id = self.now.id[i];
                spawn::goal(self.seed, id, self.setup, self.group.first_id, self.up)
            }
            Target::LastSeen => self.group.last_seen(remembered, self.tick, self.dt),
            Target::Order => match (self.now.own(i).order, self.setup.without_order) {
                (Some(Order::Point(point)), _) => Some(point),
                (Some(Order::Agent(id)), _) => {
                    let row = find_row(self.now, self.ghosts, self.row_index, id)?;
                    Some(match row.checked_sub(self.now.len()) {
                        None => self.now.position.get(row),
                        Some(ghost) => self.ghosts.position_after(ghost),
                    })
                }
                (None, WithoutOrder::Target(target)) => self.position(target, i, remembered),
                _ => None,
            },
            Target::Group(_) => None,
        }
    }
}

impl<V: Vector> EventTracker<V> {
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
}

impl<V: Vector> Crowd<V> {
    /// Lets agents arrive again at stops whose target differs from that in `before`, unless they
    /// are at the new target.
    pub(in crate::crowd) fn rearm_arrivals_since(&mut self, before: &[Vec<Vec<Stop<V>>>]) {
        let target = |stops: &[Vec<Vec<Stop<V>>>], group: usize, state: usize, k: usize| {
            Some(stops.get(group)?.get(state)?.get(k)?.arrive.target)
        };
        self.rearm_arrivals(|stop, group, state, k| {
            target(before, group, state, k) != Some(stop.arrive.target)
        });
    }

    /// Lets agents arrive again at stops whose target a command has moved away from them. `moved`
    /// returns whether a stop was moved, by stop, group, state and number.
    fn rearm_arrivals(&mut self, moved: impl Fn(&Stop<V>, usize, usize, usize) -> bool) {
        let pointer = self.pointer();
        for i in 0..self.population.now.len() {
            let instance = self.population.now.state[i];
            if instance.arrived == 0 {
                continue;
            }
            let group = self.population.now.group[i] as usize;
            let state = instance.state as usize;
            let targets = Targets {
                now: &self.population.now,
                ghosts: &self.population.ghosts,
                row_index: &self.population.row_index,
                seed: self.tick.seed,
                dt: self.tick.dt,
                tick: self.tick.number,
                up: self.world.space.up(),
                pointer,
                setup: &self.origin.setup.groups[group],
                group: &self.world.groups[group],
            };
            let agent = self.population.now.agent(i);
            let mut arrived = instance.arrived;
            for (k, stop) in self.world.tracker.groups[group].stops[state].iter().enumerate() {
                let target =
                    targets.position(stop.arrive.target, i, self.population.now.remembered(i));
                let at = |target| stop.proximity(&agent, target, &self.world.space).at;
                if moved(stop, group, state, k) && !target.is_some_and(at) {
                    arrived &= !bit(k);
                }
            }
            self.population.now.state[i].arrived = arrived;
        }
    }

    /// Lets agents arrive again at the pointer, which has been moved, unless they are at it.
    pub(in crate::crowd) fn rearm_arrivals_at_pointer(&mut self) {
        let at_pointer = |stop: &Stop<V>| stop.arrive.target == Target::Pointer;
        if self.world.tracker.groups.iter().flat_map(|group| &group.stops).flatten().any(at_pointer)
        {
            self.rearm_arrivals(|stop, _, _, _| at_pointer(stop));
        }
    }
}
