//! Hints at states: conditions that never hold, and states that are never entered.

use super::hint_list::Hints;
use crate::behavior::{AtEnd, Steer};
use crate::combine::List;
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::condition::Condition;
use crate::crowd::setup::crowd_setup::Setup;
use crate::crowd::setup::group::Group;
use crate::id::StateId;
use crate::parameter::Needs;
use crate::registry::Behavior;
use crate::vector::Vector;

/// The paths of a group's members, as far as their conditions depend on them.
#[derive(Clone, Copy, Debug)]
struct Followed {
    /// Whether a path that they follow has an end.
    path_end: bool,
    /// Whether they have a `queue_along`.
    queue: bool,
}

impl Hints<'_> {
    /// Conditions that never hold, and states that are never entered.
    pub(super) fn states<V: Vector>(
        &mut self,
        key_path: &KeyPath,
        group: &Group<V>,
        setup: &Setup<V>,
    ) {
        let has_path_end = group.lists().flat_map(List::behaviors).any(|behavior| match behavior {
            Behavior::FollowPath(follow) => {
                let closed =
                    setup.paths.get(follow.path.0).is_some_and(|(_, path)| path.is_closed());
                match follow.at_end {
                    Some(end) => matches!(end, AtEnd::Seek | AtEnd::Arrive),
                    None => !closed,
                }
            }
            _ => false,
        });
        let queues = |behavior: &Behavior<V>| behavior.needs().has(Needs::QUEUES);
        let has = Followed {
            path_end: has_path_end,
            queue: group.lists().flat_map(List::behaviors).any(queues),
        };
        for (k, state) in group.states.iter().enumerate() {
            let at = key_path.key("state").at(k);
            let reached = k == group.start.0
                || group.states.iter().enumerate().any(|(j, from)| {
                    let leads = |to| group.state_of(to) == Some(StateId(k));
                    j != k && from.leave.iter().any(|leave| leave.to.states().any(leads))
                });
            if !reached {
                let message = format!(
                    "only a command can enter the state \"{}\": it is not the first, and no \
                     `leave` leads to it",
                    state.name
                );
                self.add(
                    at.key("name"),
                    message,
                    format!("a `leave` of another state with to = \"{}\"", state.name),
                );
            }
            for (j, leave) in state.leave.iter().enumerate() {
                self.condition(&at.key("leave").at(j).key("when"), &leave.when, has);
            }
        }
    }

    fn condition<V: Vector>(
        &mut self,
        key_path: &KeyPath,
        condition: &Condition<V>,
        has: Followed,
    ) {
        match condition {
            Condition::All(list) if list.is_empty() => self.add(
                key_path.key("all"),
                "an empty `all` always holds",
                "conditions in the list",
            ),
            Condition::Any(list) if list.is_empty() => self.add(
                key_path.key("any"),
                "an empty `any` never holds",
                "conditions in the list",
            ),
            Condition::All(list) | Condition::Any(list) => {
                let name = if matches!(condition, Condition::All(_)) { "all" } else { "any" };
                for (i, inner) in list.iter().enumerate() {
                    self.condition(&key_path.key(name).at(i), inner, has);
                }
            }
            Condition::Not(inner) => self.condition(&key_path.key("not"), inner, has),
            Condition::PathDone(true) if !has.path_end => {
                let message = "`path_done` never holds: this group follows no path to its end";
                self.add(
                    key_path.key("path_done"),
                    message,
                    "a `follow_path` with `at_end` \"arrive\" or \"seek\"",
                );
            }
            Condition::FirstInQueue(true) if !has.queue => {
                let message = "`first_in_queue` never holds: this group has no `queue_along`";
                self.add(
                    key_path.key("first_in_queue"),
                    message,
                    "a `queue_along` in the state with the condition",
                );
            }
            _ => {}
        }
    }
}
