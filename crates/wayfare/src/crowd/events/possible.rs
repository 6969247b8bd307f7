//! The events that are possible for the members of a group.

use alloc::vec::Vec;

use super::arrival::{self, Stop};
use crate::behavior::{AtEnd, Steer};
use crate::combine::Contributing;
use crate::crowd::compiled::CompiledGroup;
use crate::geometry::path::Path;
use crate::id::PathId;
use crate::parameter::{Needs, Roles, Target, Value};
use crate::registry::Behavior;
use crate::vector::Vector;

/// A behavior that remembers whether it has arrived.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct End<V: Vector> {
    /// Which memory of the agent is its own.
    pub(in crate::crowd) memory: usize,
    /// Where it arrives, if that is a target: behaviors that share one arrive at once.
    pub(in crate::crowd) target: Option<Target<V>>,
}

/// The events that are possible for the members of a group.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct PossibleEvents<V: Vector> {
    pub(in crate::crowd) states: bool,
    /// Whether touching bodies raise events.
    pub(in crate::crowd) contacts: bool,
    /// Where `settle`, `navigate`, `formation` and paths with an end remember that the agent has
    /// arrived.
    pub(in crate::crowd) ends: Vec<End<V>>,
    /// The stops of each state.
    pub(in crate::crowd) stops: Vec<Vec<Stop<V>>>,
}

impl<V: Vector> PossibleEvents<V> {
    pub(in crate::crowd) fn new(group: &CompiledGroup<V>, paths: &[Path<V>]) -> Self {
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
                if has_end && !ends.iter().any(|end: &End<V>| end.memory == memory) {
                    let target = match behavior.get_here("target") {
                        Some(Value::Target(target)) => Some(target),
                        _ => None,
                    };
                    ends.push(End { memory, target });
                }
            }
            stops.push(arrival::stops(&plan.list));
        }
        let states = group.states.iter().any(|plan| !plan.leave.is_empty());
        Self { states, contacts: group.contacts, ends, stops }
    }

    pub(in crate::crowd) fn is_empty(&self) -> bool {
        !self.states
            && !self.contacts
            && self.ends.is_empty()
            && self.stops.iter().all(Vec::is_empty)
    }
}
