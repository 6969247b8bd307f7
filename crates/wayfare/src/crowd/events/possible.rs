//! The events that are possible for the members of a group.

use alloc::vec::Vec;

use super::arrival::{self, Stop};
use crate::behavior::{AtEnd, Steer};
use crate::combine::Contributing;
use crate::crowd::compiled::CompiledGroup;
use crate::geometry::path::Path;
use crate::id::PathId;
use crate::parameter::{Needs, Roles};
use crate::registry::Behavior;
use crate::vector::Vector;

/// The events that are possible for the members of a group.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct PossibleEvents<V: Vector> {
    pub(in crate::crowd) states: bool,
    /// Whether touching bodies raise events.
    pub(in crate::crowd) contacts: bool,
    /// The memories of `settle` and `navigate`, and of paths with an end.
    pub(in crate::crowd) ends: Vec<usize>,
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
                if has_end && !ends.contains(&memory) {
                    ends.push(memory);
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
