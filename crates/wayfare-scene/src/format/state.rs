//! States and the transitions between them.

use wayfare::crowd::{State, Transition, TransitionTarget, range};
use wayfare::glam::Vec2;
use wayfare::parameter::{Named, Parameters, StatId};
use wayfare::vector::Vector;

use super::described::{NOTHING, keys_of};
use super::{Table, ValueKind, optional, required};
use crate::decode::{Decoder, TableNode, to_f32};
use crate::document::Node;

pub(crate) static STATE: Table = Table {
    name: "state",
    doc: <State<Vec2> as Parameters<Vec2>>::DOC,
    keys: &{ keys_of::<State<Vec2>, 10>(NOTHING) },
    one_of: &[],
    needs: &[],
    example: "{ name = \"hunt\", steer = [{ pursue = { quarry = \"prey\" } }] }",
};

pub(crate) static LEAVE: Table = Table {
    name: "leave",
    doc: "A transition to another state, or out of the crowd.",
    keys: &[
        optional(
            "to",
            ValueKind::NextState,
            "",
            "\"rest\"",
            "The next state, or several states with the weights of their chances: \
             `{ rest = 2, hunt = 1 }`.",
        ),
        optional(
            "then",
            ValueKind::ExitAction,
            "",
            "\"remove\"",
            "In place of `to`: the agent is removed, `\"remove\"`, or starts again at a random \
             position, `{ respawn = … }`.",
        ),
        required(
            "when",
            ValueKind::Condition,
            "{ time_in_state = 50 }",
            "The condition under which it is taken.",
        ),
    ],
    one_of: &[&["to"], &["then"]],
    needs: &[],
    example: "{ to = \"rest\", when = { time_in_state = 50 } }",
};

impl Decoder {
    pub(super) fn state<V: Vector>(&mut self, node: &Node) -> State<V> {
        self.described_entries("state", node, &STATE);
        let keys = TableNode { node, table: &STATE };
        let mut state = State::new("");
        self.described(keys, V::state_table(&mut state), &["combine", "steer"]);
        // The rule of the list is that of the state.
        state.steer = self.behaviors(node, "steer");
        state.combine = keys.get("combine").map(|_| std::mem::take(&mut state.steer.combine));
        state
    }

    /// The transitions of a state; those that cannot be read are left out.
    pub(crate) fn transitions<V: Vector>(&mut self, node: &Node) -> Option<Vec<Transition<V>>> {
        let items = self.list("leave", node, &format!("a list such as [{}]", LEAVE.example))?;
        Some(items.iter().filter_map(|item| self.transition(item)).collect())
    }

    pub(crate) fn rates(&mut self, node: &Node) -> Vec<(Named<StatId>, f32)> {
        let Some(entries) = node.table() else {
            let allowed = "a table from stats to numbers, such as { stamina = -2 }";
            self.wrong("rate", node, allowed);
            return Vec::new();
        };
        let mut rates = Vec::new();
        for entry in entries {
            let number = self.number(&entry.key, &entry.node, range::STAT);
            match self.group_names.stats.position(&entry.key) {
                Some(stat) => rates.extend(number.map(|x| (stat.into(), to_f32(x)))),
                None => {
                    let message = format!("the group has no stat \"{}\"", entry.key);
                    self.unknown_stat(&entry.span, &message, &entry.key);
                }
            }
        }
        rates
    }

    /// A state, or several with their weights.
    fn next_state<V: Vector>(&mut self, node: &Node) -> Option<TransitionTarget<V>> {
        let Some(entries) = node.table() else {
            return self.state_name("to", node).map(TransitionTarget::from);
        };
        let mut states = Vec::new();
        for entry in entries {
            let weight = self.number(&entry.key, &entry.node, range::CHOICE);
            match self.group_names.states.position(&entry.key) {
                Some(state) => states.extend(weight.map(|x| (state.into(), to_f32(x)))),
                None => {
                    let message = format!("the group has no state \"{}\"", entry.key);
                    self.unknown_state(&entry.span, &message, &entry.key);
                }
            }
        }
        if entries.is_empty() {
            let allowed = "a state, or several with their weights, such as { rest = 2, hunt = 1 }";
            self.wrong("to", node, allowed);
        }
        // A wrong entry has been reported: the others still make a transition.
        (!states.is_empty()).then_some(TransitionTarget::OneOf(states))
    }

    fn transition<V: Vector>(&mut self, node: &Node) -> Option<Transition<V>> {
        self.described_entries("leave", node, &LEAVE)?;
        let to = match (node.get("to"), node.get("then")) {
            (Some(to), None) => self.next_state(to),
            (None, Some(then)) => self.exit_action(then).map(TransitionTarget::Out),
            (Some(_), Some(then)) => {
                self.problem(
                    then.span.clone(),
                    "`leave` has a `then` beside its `to`",
                    "one of to, then: begin another",
                );
                None
            }
            (None, None) => {
                if self.misses(node, "to") && self.misses(node, "then") {
                    let allowed = "`to` must be given, such as to = \"rest\", or `then`, such as \
                                   then = \"remove\"";
                    self.problem(self.head_of(node), "`leave` has no `to`", allowed);
                }
                None
            }
        };
        let when = node.get("when").and_then(|n| self.condition(n));
        Some(Transition { to: to?, when: when? })
    }
}
