//! Hints at solvers: what they act on.

use alloc::vec::Vec;

use super::hint_list::Hints;
use super::lists::ListContext;
use crate::behavior::Steer;
use crate::combine::{Combine, Entry, List, Slot};
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::group::Group;
use crate::crowd::setup::limit::Limit;
use crate::crowd::setup::rules::Rules;
use crate::parameter::{Needs, Roles};
use crate::registry::Behavior;
use crate::solve::{Queue, Solve, Solver};
use crate::vector::Vector;

/// The solver that ends a list, if it is switched on.
fn last_solver<V: Vector>(list: &List<V>) -> Option<&Solver<V>> {
    let last = list.slots.last().filter(|slot| !slot.off)?;
    match &last.entry {
        Entry::Behavior(Behavior::Solver(solver)) => Some(solver),
        _ => None,
    }
}

/// Whether a solver decides the velocity of the members in all their states: then mass and
/// max_force have no effect.
pub(super) fn is_always_decided<V: Vector>(group: &Group<V>) -> bool {
    let decides = |list: &List<V>| last_solver(list).is_some_and(Solve::decides_velocity);
    let all_states = !group.states.is_empty() && group.states.iter().all(|s| decides(&s.steer));
    decides(&group.steer) || all_states
}

/// The time in which the velocity of pedestrians follows, if all lists end in one (time).
pub(super) fn reaction_time<V: Vector>(group: &Group<V>) -> Option<f32> {
    let taus = group.lists().filter_map(|list| match last_solver(list) {
        Some(Solver::Pedestrian(pedestrian)) => Some(pedestrian.tau),
        Some(Solver::Orca(_)) => Some(0.0),
        _ => None,
    });
    taus.reduce(f32::max).filter(|_| is_always_decided(group))
}

/// The speed above which a pedestrian is not measured in metres and seconds (length / time).
const FAST: f32 = 10.0;

impl Hints<'_> {
    /// Hints at a solver in the slot at `key_path`, with this weight.
    pub(super) fn solver<V: Vector>(
        &mut self,
        context: &ListContext,
        key_path: KeyPath,
        solver: &Solver<V>,
        weight: f32,
    ) {
        let name = solver.name();
        if solver.decides_velocity() {
            if (self.is_given)(&key_path.key("weight"), weight != 1.0) {
                let message = format!("`weight` has no effect: `{name}` decides the velocity");
                self.add(key_path.key("weight"), message, "no `weight`");
            }
            return;
        }
        if let Solver::Queue(Queue { brake: Some(brake), separation: None, .. }) = solver
            && *brake >= 1.0
        {
            self.add(
                key_path.key(name).key("brake"),
                format!(
                    "with a `brake` of {brake} nothing is left of the forces behind an agent: two \
                     that face each other stand for good"
                ),
                "a `brake` below 1, such as 0.8, or a `separation`",
            );
        }
        let selects = [Combine::Priority, Combine::Dither];
        if let Some(rule) = selects.into_iter().find(|rule| context.rules.has(*rule)) {
            let rule = Combine::WORDS[rule as usize];
            let message = format!(
                "`{name}` brakes the forces before it, and \"{rule}\" applies one force alone"
            );
            self.add(
                key_path.key(name),
                message,
                format!(
                    "`{name}` as the last of a list with `combine = \"sum\"`, which can be nested \
                     in this one as `all`"
                ),
            );
        } else if context.is_followed {
            let message = format!(
                "`{name}` brakes only the forces of its own list, and other forces follow that list"
            );
            self.add(
                key_path.key(name),
                message,
                format!("`{name}` as the last of the outer list"),
            );
        }
    }

    /// Hints at what the solvers of a group that decide the velocity follow, and at the speed of
    /// pedestrians.
    pub(super) fn deciders<V: Vector>(&mut self, key_path: &KeyPath, group: &Group<V>) {
        let mut walks = false;
        let own = (key_path.key("steer"), &group.steer.slots[..], group.rules());
        let states = group.states.iter().enumerate().map(|(i, state)| {
            let key_path = key_path.key("state").at(i).key("steer");
            (key_path, &state.steer.slots[..], Rules::from(group.rule(state)))
        });
        for (key_path, slots, rules) in core::iter::once(own).chain(states) {
            let Some((last, before)) = slots.split_last() else { continue };
            let is_own = core::ptr::eq(slots, &group.steer.slots[..]);
            let name = match &last.entry {
                Entry::Behavior(Behavior::Solver(solver)) if solver.keeps_bodies_apart() => {
                    solver.name()
                }
                _ => continue,
            };
            walks |= name == "pedestrian";
            let shared = if is_own { &[] } else { &group.steer.slots[..] };
            let mut routing = Vec::new();
            if rules.has(Combine::Sum) {
                shared.iter().chain(before).for_each(|slot| add_routing(slot, &mut routing));
            }
            if let [first, second, ..] = routing[..] {
                let message = format!(
                    "`{first}` and `{second}` both say where to go, and their sum is neither way"
                );
                self.add(
                    key_path.at(before.len()).key(name),
                    message,
                    format!(
                        "one of them before `{name}`, or both in a list with `combine = \
                         \"priority\"` or \"context\""
                    ),
                );
            }
        }
        let fastest = group.bounds(Limit::MaxSpeed).1;
        if walks && fastest > FAST {
            let message = format!(
                "a `max_speed` of {fastest} is fast for `pedestrian`, whose defaults are in metres \
                 and seconds"
            );
            self.add(key_path.key("max_speed"), message, "lengths in metres, times in seconds");
        }
    }
}

/// Adds the names of the behaviors that say where to go and are summed in this slot; of a list with
/// another rule, one. One that settles among bodies is left out: it ends the way of another one.
fn add_routing<V: Vector>(slot: &Slot<V>, found: &mut Vec<&'static str>) {
    if slot.off || slot.weight == 0.0 {
        return;
    }
    match &slot.entry {
        Entry::Behavior(behavior) if behavior.roles().has(Roles::ROUTES) => {
            let settles =
                behavior.roles().has(Roles::ARRIVES) && behavior.needs().has(Needs::BODIES);
            if !settles {
                found.push(behavior.name());
            }
        }
        Entry::Behavior(_) => {}
        Entry::List(List { combine, slots, .. }) => {
            let before = found.len();
            slots.iter().for_each(|slot| add_routing(slot, found));
            if *combine != Combine::Sum {
                found.truncate(before + 1);
            }
        }
    }
}
