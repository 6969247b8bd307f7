//! What is checked of states and of conditions.

use super::super::setup::{Condition, Group, State, TransitionTarget};
use super::{Check, KeyPath, MOST_WAYS, SIGHT, range};
use crate::vector::Vector;

impl<V: Vector> Check<'_, V> {
    pub(super) fn state(&mut self, place: &KeyPath, group: &Group<V>, state: &State<V>, i: usize) {
        if state.name.is_empty() {
            self.fault(
                place.key("name"),
                "the state's name is empty",
                "a name that no other state of the group has",
            );
        } else if group.states[..i].iter().any(|other| other.name == state.name) {
            self.fault(
                place.key("name"),
                format!("there is a state \"{}\" already", state.name),
                "a name that no other state of the group has",
            );
        }
        for &(stat, rate) in &state.rates {
            match group.stats.get(stat) {
                Some(stat) => self.number(place.key("rate").key(&stat.name), rate, range::STAT),
                None => self.fault(
                    place.key("rate"),
                    format!("there is no stat {stat}"),
                    "a stat of the group",
                ),
            }
        }
        self.list(&place.key("steer"), place, &state.steer);
        if state.leave.len() > MOST_WAYS {
            self.fault(
                place.key("leave"),
                format!("`leave` has {} ways", state.leave.len()),
                format!("at most {MOST_WAYS}"),
            );
        }
        for (k, transition) in state.leave.iter().enumerate() {
            let at = place.key("leave").at(k);
            match &transition.to {
                TransitionTarget::State(to) if *to >= group.states.len() => self.fault(
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

    fn condition(&mut self, place: &KeyPath, group: &Group<V>, condition: &Condition<V>) {
        match condition {
            Condition::AtMost(stat, x) | Condition::AtLeast(stat, x) => {
                if *stat >= group.stats.len() {
                    self.fault(
                        place.key("stat"),
                        format!("there is no stat {stat}"),
                        "a stat of the group",
                    );
                }
                let name =
                    if matches!(condition, Condition::AtMost(..)) { "at_most" } else { "at_least" };
                self.number(place.key(name), *x, range::STAT);
            }
            Condition::Near(target, distance) => {
                self.target(place.key("near"), *target);
                self.number(place.key("within"), *distance, range::DISTANCE);
            }
            Condition::FarFrom(target, distance) => {
                self.target(place.key("far_from"), *target);
                self.number(place.key("beyond"), *distance, range::DISTANCE);
            }
            Condition::TimeInState(time) => {
                self.number(place.key("time_in_state"), *time as f32, range::TIME)
            }
            Condition::Sees(_) | Condition::Remembers(_) if group.sight.is_none() => {
                let name =
                    if matches!(condition, Condition::Sees(_)) { "sees" } else { "remembers" };
                self.fault(
                    place.key(name),
                    format!("the condition is `{name}`, and the group has no `sight`"),
                    SIGHT,
                );
            }
            Condition::Sees(_) | Condition::Remembers(_) => {}
            Condition::Stuck(within, time) => {
                self.number(place.key("stuck_within"), *within, range::DISTANCE);
                self.number(place.key("for"), *time as f32, range::TIME);
            }
            Condition::PathDone(_) => {}
            Condition::All(list) | Condition::Any(list) => {
                let name = if matches!(condition, Condition::All(_)) { "all" } else { "any" };
                for (i, inner) in list.iter().enumerate() {
                    self.condition(&place.key(name).at(i), group, inner);
                }
            }
            Condition::Not(inner) => self.condition(&place.key("not"), group, inner),
        }
    }
}
