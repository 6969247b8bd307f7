//! Validation of states, their transitions and conditions.

use alloc::collections::BTreeSet;

use super::behaviors::SIGHT;
use super::validator::Validator;
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::allowed::MAX_TRANSITIONS;
use crate::crowd::setup::allowed::ranges;
use crate::crowd::setup::allowed::{plain, quoted};
use crate::crowd::setup::condition::Condition;
use crate::crowd::setup::group::Group;
use crate::crowd::setup::limit::Limit;
use crate::crowd::setup::state::{State, TransitionTarget};
use crate::parameter::{Named, StateId, Target, Variants};
use crate::vector::Vector;

impl<V: Vector> Validator<'_, V> {
    pub(super) fn state<'s>(
        &mut self,
        key_path: &KeyPath,
        group: &Group<V>,
        state: &'s State<V>,
        names: &mut BTreeSet<&'s str>,
    ) {
        if state.name.is_empty() {
            self.error(
                key_path.key("name"),
                "the state's name is empty",
                "a name that no other state of the group has",
            );
        } else if !names.insert(&state.name) {
            self.error(
                key_path.key("name"),
                format!("there is a state \"{}\" already", state.name),
                "a name that no other state of the group has",
            );
        }
        self.table(key_path, state);
        for limit in Limit::ALL {
            if let Some(x) = state.limit(limit).filter(|x| limit.range().holds(*x)) {
                self.limit(key_path.key(limit.name()), group, limit, x);
            }
        }
        if let (Some(x), Some(cap)) = (state.max_speed, group.speed_cap)
            && x > cap
        {
            self.error(
                key_path.key("max_speed"),
                format!("`max_speed` is {}", plain(x)),
                format!("up to the `speed_cap` of the group, {}", plain(cap)),
            );
        }
        for (stat, rate) in &state.rates {
            let known = stat.among(group.stats.iter().map(|stat| &*stat.name));
            match known.map(|stat| &group.stats[stat.0]) {
                Some(stat) => {
                    self.number(key_path.key("rate").key(&stat.name), *rate, ranges::STAT);
                }
                None => self.error(
                    key_path.key("rate"),
                    format!("there is no stat {stat}"),
                    quoted(group.stats.iter().map(|stat| &*stat.name), "no rate: it has no stats"),
                ),
            }
        }
        self.list(&key_path.key("steer"), key_path, &state.steer);
        if state.leave.len() > MAX_TRANSITIONS {
            self.error(
                key_path.key("leave"),
                format!("`leave` has {} transitions", state.leave.len()),
                format!("at most {MAX_TRANSITIONS}"),
            );
        }
        for (k, transition) in state.leave.iter().enumerate() {
            let at = key_path.key("leave").at(k);
            for to in transition.to.states().filter(|to| group.state_of(to).is_none()) {
                let names = group.states.iter().map(|state| &*state.name);
                self.error(at.key("to"), format!("there is no state {to}"), quoted(names, "none"));
            }
            match &transition.to {
                TransitionTarget::State(_) => {}
                TransitionTarget::OneOf(states) => self.chances(&at.key("to"), group, states),
                TransitionTarget::Out(then) => self.then(&at.key("then"), then),
            }
            self.condition(&at.key("when"), group, &transition.when);
        }
    }

    /// Validates the weights of the states to which a transition can lead.
    fn chances(&mut self, key_path: &KeyPath, group: &Group<V>, states: &[(Named<StateId>, f32)]) {
        if states.is_empty() {
            self.error(
                key_path.clone(),
                "`to` names no state",
                "a state, or several with their weights, such as { rest = 2, hunt = 1 }",
            );
        }
        let mut known = BTreeSet::new();
        for (state, weight) in states {
            let Some(state) = group.state_of(state) else { continue };
            let name = &group.states[state.0].name;
            if !known.insert(state) {
                self.error(
                    key_path.key(name),
                    format!("the state \"{name}\" has two weights"),
                    "each state once",
                );
            }
            self.number(key_path.key(name), *weight, ranges::CHOICE);
        }
    }

    /// Validates a state of the members of a group that is a target.
    fn state_of_target(&mut self, key_path: KeyPath, target: Target<V>, state: StateId) {
        let Target::Group(group) = target else {
            let message = "`state` is beside a target that is no group";
            return self.error(key_path, message, "a group as the target");
        };
        // A group that does not exist is reported with the target.
        let Some(group) = self.setup.groups.get(group.0) else { return };
        if state.0 >= group.states.len() {
            let message = format!("the group \"{}\" has no state {}", group.name, state.0);
            let names = group.states.iter().map(|state| &*state.name);
            self.error(key_path, message, quoted(names, "no state: the group has none"));
        }
    }

    fn condition(&mut self, key_path: &KeyPath, group: &Group<V>, condition: &Condition<V>) {
        for parameter in condition.parameters() {
            let key_path = key_path.key(parameter.name);
            if let Some(value) = condition.get(parameter.name) {
                self.value(&key_path, parameter.kind, &value);
            }
            for (i, operand) in condition.operands().iter().enumerate() {
                let one = matches!(condition, Condition::Not(_));
                let key_path = if one { key_path.clone() } else { key_path.at(i) };
                self.condition(&key_path, group, operand);
            }
        }
        match condition {
            Condition::Stat(_, None, None) => self.error(
                key_path.key("stat"),
                "`stat` has no bound to compare with",
                "`at_most` or `at_least` beside it, such as { stat = \"stamina\", at_most = 0 }",
            ),
            Condition::Near(target, _, Some(state)) => {
                self.state_of_target(key_path.key("state"), *target, *state);
            }
            Condition::Sees(_) | Condition::Remembers(_) if group.sight.is_none() => {
                let name = condition.name();
                self.error(
                    key_path.key(name),
                    format!("the condition is `{name}`, and the group has no `sight`"),
                    SIGHT,
                );
            }
            _ => {}
        }
    }
}
