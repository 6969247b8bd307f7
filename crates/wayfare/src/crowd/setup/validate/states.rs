//! What is checked of states and of conditions.

use super::{KeyPath, MAX_TRANSITIONS, SIGHT, Validator, ranges};
use crate::crowd::setup::{Condition, Group, State, TransitionTarget};
use crate::vector::Vector;

impl<V: Vector> Validator<'_, V> {
    pub(super) fn state(
        &mut self,
        key_path: &KeyPath,
        group: &Group<V>,
        state: &State<V>,
        i: usize,
    ) {
        if state.name.is_empty() {
            self.error(
                key_path.key("name"),
                "the state's name is empty",
                "a name that no other state of the group has",
            );
        } else if group.states[..i].iter().any(|other| other.name == state.name) {
            self.error(
                key_path.key("name"),
                format!("there is a state \"{}\" already", state.name),
                "a name that no other state of the group has",
            );
        }
        for &(stat, rate) in &state.rates {
            match group.stats.get(stat) {
                Some(stat) => self.number(key_path.key("rate").key(&stat.name), rate, ranges::STAT),
                None => self.error(
                    key_path.key("rate"),
                    format!("there is no stat {stat}"),
                    "a stat of the group",
                ),
            }
        }
        self.list(&key_path.key("steer"), key_path, &state.steer);
        if state.leave.len() > MAX_TRANSITIONS {
            self.error(
                key_path.key("leave"),
                format!("`leave` has {} ways", state.leave.len()),
                format!("at most {MAX_TRANSITIONS}"),
            );
        }
        for (k, transition) in state.leave.iter().enumerate() {
            let at = key_path.key("leave").at(k);
            match &transition.to {
                TransitionTarget::State(to) if *to >= group.states.len() => self.error(
                    at.key("to"),
                    format!("there is no state {to}"),
                    "one of the group's states",
                ),
                TransitionTarget::State(_) => {}
                TransitionTarget::Out(then) => self.then(&at.key("then"), then),
            }
            self.condition(&at.key("when"), group, &transition.when);
        }
    }

    fn condition(&mut self, key_path: &KeyPath, group: &Group<V>, condition: &Condition<V>) {
        match condition {
            Condition::AtMost(stat, x) | Condition::AtLeast(stat, x) => {
                if *stat >= group.stats.len() {
                    self.error(
                        key_path.key("stat"),
                        format!("there is no stat {stat}"),
                        "a stat of the group",
                    );
                }
                let name =
                    if matches!(condition, Condition::AtMost(..)) { "at_most" } else { "at_least" };
                self.number(key_path.key(name), *x, ranges::STAT);
            }
            Condition::Near(target, distance) => {
                self.target(key_path.key("near"), *target);
                self.number(key_path.key("within"), *distance, ranges::DISTANCE);
            }
            Condition::FarFrom(target, distance) => {
                self.target(key_path.key("far_from"), *target);
                self.number(key_path.key("beyond"), *distance, ranges::DISTANCE);
            }
            Condition::TimeInState(time) => {
                self.number(key_path.key("time_in_state"), *time as f32, ranges::TIME)
            }
            Condition::Sees(_) | Condition::Remembers(_) if group.sight.is_none() => {
                let name =
                    if matches!(condition, Condition::Sees(_)) { "sees" } else { "remembers" };
                self.error(
                    key_path.key(name),
                    format!("the condition is `{name}`, and the group has no `sight`"),
                    SIGHT,
                );
            }
            Condition::Sees(_) | Condition::Remembers(_) => {}
            Condition::Stuck(within, time) => {
                self.number(key_path.key("stuck_within"), *within, ranges::DISTANCE);
                self.number(key_path.key("for"), *time as f32, ranges::TIME);
            }
            Condition::PathDone(_) => {}
            Condition::All(list) | Condition::Any(list) => {
                let name = if matches!(condition, Condition::All(_)) { "all" } else { "any" };
                for (i, inner) in list.iter().enumerate() {
                    self.condition(&key_path.key(name).at(i), group, inner);
                }
            }
            Condition::Not(inner) => self.condition(&key_path.key("not"), group, inner),
        }
    }
}
