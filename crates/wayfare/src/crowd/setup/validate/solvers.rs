//! Validation of solvers: their place in a list, and what those need that decide the velocity.

use alloc::string::String;

use super::validator::Validator;
use crate::combine::{Combine, Entry, List};
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::allowed::plain;
use crate::crowd::setup::group::Group;
use crate::crowd::setup::limit::Limit;
use crate::crowd::setup::rules::Rules;
use crate::parameter::Range;
use crate::random::Distribution;
use crate::registry::Behavior;
use crate::solve::{Solve, Solver};
use crate::vector::Vector;

impl<V: Vector> Group<V> {
    /// The range of a limit of the members, and the solver for which it is narrower than usual.
    pub(in crate::crowd) fn range_of(&self, limit: Limit) -> (Range, Option<&'static str>) {
        let range = limit.range();
        let keeper = |behavior: &Behavior<V>| match behavior {
            Behavior::Solver(solver) if solver.keeps_bodies_apart() => Some(solver.name()),
            _ => None,
        };
        if limit == Limit::Radius
            && let Some(name) = self.lists().flat_map(List::behaviors).find_map(keeper)
        {
            return (Range::above_zero(range.unit), Some(name));
        }
        (range, None)
    }
}

/// The reason that an error adds to a range which is narrower for this solver.
pub(in crate::crowd) fn solver_reason(solver: Option<&str>) -> String {
    solver.map_or(String::new(), |name| format!(", as `{name}` keeps bodies apart"))
}

impl<V: Vector> Validator<'_, V> {
    /// Validates a limit of members of `group`.
    pub(super) fn limit(&mut self, key_path: KeyPath, group: &Group<V>, limit: Limit, x: f32) {
        let (range, solver) = group.range_of(limit);
        if !range.holds(x) {
            let message = format!("`{}` is {}", limit.name(), plain(x));
            self.error(key_path, message, format!("{range}{}", solver_reason(solver)));
        }
    }

    /// Validates the smallest radius that a member of `group` can draw.
    pub(super) fn least_radius(&mut self, key_path: KeyPath, group: &Group<V>) {
        let (least, (range, solver)) =
            (group.bounds(Limit::Radius).0, group.range_of(Limit::Radius));
        if !range.holds(least) {
            let of = if let Distribution::Same(_) = group.radius { "" } else { "the smallest " };
            let message = format!("{of}`radius` is {}", plain(least));
            self.error(key_path, message, format!("{range}{}", solver_reason(solver)));
        }
    }

    /// A solver acts on the sum of the preceding forces, so it must be the last entry of its list;
    /// a state's list follows the group's own.
    pub(super) fn solvers(&mut self, key_path: &KeyPath, group: &Group<V>) {
        self.deciders(key_path, group);
        let follows = group.states.iter().any(|state| !state.steer.slots.is_empty());
        self.solver_is_last(&key_path.key("steer"), &group.steer, follows);
        for (i, state) in group.states.iter().enumerate() {
            self.solver_is_last(&key_path.key("state").at(i).key("steer"), &state.steer, false);
        }
    }

    fn solver_is_last(&mut self, key_path: &KeyPath, list: &List<V>, follows: bool) {
        for (i, slot) in list.slots.iter().enumerate() {
            match &slot.entry {
                Entry::Behavior(Behavior::Solver(solver))
                    if follows || i + 1 < list.slots.len() =>
                {
                    let problem = if i + 1 < list.slots.len() {
                        "other entries follow it in its list"
                    } else {
                        "the lists of the states follow it"
                    };
                    self.error(
                        key_path.at(i).key(solver.name()),
                        format!(
                            "`{}` acts on the sum of the preceding forces, but {problem}",
                            solver.name()
                        ),
                        format!("`{}` as the last of its list", solver.name()),
                    );
                }
                Entry::List(inner) => self.solver_is_last(&key_path.at(i).key("all"), inner, false),
                Entry::Behavior(_) => {}
            }
        }
    }

    /// A solver that decides the velocity acts on the combined force of the whole list.
    fn deciders(&mut self, key_path: &KeyPath, group: &Group<V>) {
        let mut decides = None;
        let states = group.states.iter().enumerate();
        let own = (key_path.clone(), &group.steer, group.rules());
        for (key_path, list, rules) in core::iter::once(own).chain(states.map(|(i, state)| {
            (key_path.key("state").at(i), &state.steer, Rules::from(group.rule(state)))
        })) {
            for (i, slot) in list.slots.iter().enumerate() {
                let at = key_path.key("steer").at(i);
                match &slot.entry {
                    Entry::Behavior(Behavior::Solver(solver)) if solver.decides_velocity() => {
                        decides = Some(solver.name());
                        self.decider(&at.key(solver.name()), solver, rules);
                    }
                    Entry::Behavior(_) => {}
                    Entry::List(inner) => self.no_decider_inside(&at.key("all"), inner),
                }
            }
        }
        if let (Some(name), Some(radius)) = (decides, group.turning_radius) {
            self.error(
                key_path.key("turning_radius"),
                format!("`turning_radius` is {}, but `{name}` decides the velocity", plain(radius)),
                format!("no `turning_radius` beside `{name}`"),
            );
        }
    }

    fn decider(&mut self, key_path: &KeyPath, solver: &Solver<V>, rules: Rules) {
        let name = solver.name();
        let wrong = [Combine::Budget, Combine::Dither].into_iter().find(|rule| rules.has(*rule));
        if let Some(rule) = wrong {
            let word = Combine::WORDS[rule as usize];
            self.error(
                key_path.clone(),
                format!("`{name}` decides the velocity, but the rule of its list is \"{word}\""),
                "`combine` \"sum\", \"priority\" or \"context\"",
            );
        }
        if V::DIMENSION == 3 && solver.keeps_bodies_apart() {
            self.error(
                key_path.clone(),
                format!("`{name}` works in the plane, but the world has three dimensions"),
                format!("a world with `dimension = 2`, or no `{name}`"),
            );
        }
    }

    fn no_decider_inside(&mut self, key_path: &KeyPath, list: &List<V>) {
        for (i, slot) in list.slots.iter().enumerate() {
            match &slot.entry {
                Entry::Behavior(Behavior::Solver(solver)) if solver.decides_velocity() => {
                    let name = solver.name();
                    self.error(
                        key_path.at(i).key(name),
                        format!("`{name}` decides the velocity, but its list is inside of another"),
                        format!("`{name}` as the last of the outer list"),
                    );
                }
                Entry::Behavior(_) => {}
                Entry::List(inner) => self.no_decider_inside(&key_path.at(i).key("all"), inner),
            }
        }
    }
}
