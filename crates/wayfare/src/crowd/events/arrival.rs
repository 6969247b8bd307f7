//! Arrival at the targets of `arrive`: which behaviors count, and which targets an agent is at.

use alloc::vec::Vec;

use crate::agent::Agent;
use crate::agent::Host;
use crate::behavior::Arrive;
use crate::combine::{Contributing, List};
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::population::columns::{Columns, RememberedPosition};
use crate::crowd::population::find_row;
use crate::crowd::population::ghosts::Ghosts;
use crate::crowd::setup::{Group, draws};
use crate::order::{Order, WithoutOrder};
use crate::parameter::{Scale, Target};
use crate::platform::OnceLock;
use crate::registry::Behavior;
use crate::row_index::RowIndex;
use crate::spatial::space::Space;
use crate::vector::{Up, Vector};

/// An `arrive` of a state's list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::crowd) struct Stop<V> {
    pub(in crate::crowd) arrive: Arrive<V>,
    /// The slot that holds it, as annotations number slots.
    pub(in crate::crowd) slot: u32,
    /// Whether earlier slots can prevent the evaluation of this slot.
    pub(in crate::crowd) can_be_hidden: bool,
}

/// The proximity of an agent to a stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::crowd) struct Proximity {
    /// Within the distance that counts as arrived.
    pub(in crate::crowd) at: bool,
    /// Within the slowing radius.
    pub(in crate::crowd) close: bool,
}

/// The bit of a state's stop `k` in [`StateInstance::arrived`]; the stops from the 32nd on share
/// one.
///
/// [`StateInstance::arrived`]: crate::crowd::population::columns::StateInstance::arrived
pub(in crate::crowd) fn bit(k: usize) -> u32 {
    1 << k.min(31)
}

/// The stops of a list: its `arrive` behaviors that contribute a force and whose target is not the
/// nearest member of a group.
pub(in crate::crowd) fn stops<V: Vector>(list: &List<V>) -> Vec<Stop<V>> {
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
    pub(in crate::crowd) fn proximity(
        &self,
        agent: &Agent<V>,
        target: V,
        space: &Space<V>,
    ) -> Proximity {
        let slowing = self.arrive.slowing_radius.of(agent, Scale::slowing_radius);
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
pub(in crate::crowd) struct Targets<'a, V: Vector> {
    /// The columns after the last step, and the rows of ids in them.
    pub(in crate::crowd) now: &'a Columns<V>,
    pub(in crate::crowd) ghosts: &'a Ghosts<V>,
    pub(in crate::crowd) row_index: &'a OnceLock<RowIndex>,
    pub(in crate::crowd) seed: u64,
    pub(in crate::crowd) dt: f64,
    pub(in crate::crowd) tick: u64,
    pub(in crate::crowd) up: Up,
    pub(in crate::crowd) pointer: Option<V>,
    pub(in crate::crowd) setup: &'a Group<V>,
    pub(in crate::crowd) group: &'a CompiledGroup<V>,
}

impl<V: Vector> Targets<'_, V> {
    /// The position of `target` for the agent in row `i`, whose remembered positions are
    /// `remembered`.
    pub(in crate::crowd) fn position(
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
                draws::goal(self.seed, id, self.setup, self.group.first_id, self.up)
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
