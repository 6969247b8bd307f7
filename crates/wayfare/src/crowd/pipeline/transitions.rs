//! Transitions between states, at the start of the steer phase of an agent: the agent takes the
//! first transition of its state whose condition holds.

use super::input::TickInput;
use crate::agent::Agent;
use crate::context::SteerContext;
use crate::crowd::compiled::{CompiledGroup, CompiledState};
use crate::crowd::nearest_member;
use crate::crowd::population::columns::{RememberedPosition, StateInstance};
use crate::crowd::population::ghosts::columns_of;
use crate::crowd::setup::allowed::ranges;
use crate::crowd::setup::{Condition, TimeLimit, stream};
use crate::id::{AgentId, GroupId, Named, StateId};
use crate::parameter::Target;
use crate::random::Random;
use crate::route::{CurrentRoute, RouteState};
use crate::vector::Vector;

/// The group and state of an agent, and the positions that it remembers.
struct Situation<'a, V: Vector> {
    group: &'a CompiledGroup<V>,
    state: &'a CompiledState<V>,
    remembered: &'a [RememberedPosition<V>],
}

impl<V: Vector> TickInput<'_, V> {
    /// The state for this tick of agent `i` of `group`, whose last state is `state_instance`.
    #[inline(always)]
    pub(in crate::crowd) fn state_for_tick<'g>(
        &self,
        i: usize,
        group: &'g CompiledGroup<V>,
        state_instance: StateInstance,
        remembered: &[RememberedPosition<V>],
    ) -> (StateInstance, &'g CompiledState<V>) {
        let state = &group.states[state_instance.state as usize];
        if state.leave.is_empty() {
            return (state_instance, state);
        }
        self.transition(i, &Situation { group, state, remembered })
            .map_or((state_instance, state), |other| (other, &group.states[other.state as usize]))
    }

    /// The new state of agent `i` after the first transition whose condition holds.
    fn transition(&self, i: usize, situation: &Situation<'_, V>) -> Option<StateInstance> {
        let Situation { group, state, remembered } = *situation;
        let tick = self.context.rng_key.tick();
        let shared = self.shared(group, i, remembered);
        let context = SteerContext {
            id: AgentId(self.now.id[i]),
            goal: self.goal(i),
            shared: Some(&shared),
            groups: self,
            ..self.context
        };
        let host = self.now.agent(i);
        let met = |condition| self.holds(condition, i, situation, &host, &context);
        let exit = state.leave.iter().position(|transition| met(&transition.when))?;
        let state_instance = self.now.state[i];
        let random = context.rng_key.random(self.now.id[i], stream::TRANSITION);
        Some(match state.leave[exit].to.draw(random) {
            // An agent that enters its current state again does not arrive again.
            Some(state) => StateInstance {
                arrived: if state.0 as u32 == state_instance.state {
                    state_instance.arrived
                } else {
                    0
                },
                ..StateInstance::new(state.0 as u32, tick)
            },
            None => StateInstance { exit: exit as u16 + 1, ..state_instance },
        })
    }

    /// Whether `condition` holds for agent `i` at the start of the tick.
    fn holds(
        &self,
        condition: &Condition<V>,
        i: usize,
        situation: &Situation<'_, V>,
        host: &Agent<V>,
        context: &SteerContext<'_, V>,
    ) -> bool {
        let Situation { group, state, remembered } = *situation;
        match condition {
            Condition::Stat(stat, at_most, at_least) => {
                // Names of stats are found when the group is compiled.
                let Named::Id(stat) = stat else { return false };
                let x = self.now.stats(i)[stat.0];
                at_most.is_none_or(|most| x <= most) && at_least.is_none_or(|least| x >= least)
            }
            Condition::Near(Target::Group(group), distance, Some(state)) => {
                self.is_near_in_state(host, context.id, *group, *state, *distance)
            }
            Condition::Near(target, distance, _) => context
                .target(host, target, search_radius(host, target, *distance))
                .is_some_and(|p| (p - host.position).length() <= *distance),
            Condition::FarFrom(target, distance) => context
                .target(host, target, search_radius(host, target, *distance))
                .map_or(matches!(target, Target::Group(_)), |p| {
                    (p - host.position).length() >= *distance
                }),
            Condition::TimeInState(limit) => {
                let entered = self.now.state[i].entered;
                let limit = match limit {
                    TimeLimit::Same(time) => *time,
                    // A function of the tick of entry, so that no agent has to store it.
                    TimeLimit::Drawn(distribution) => {
                        let seed = context.rng_key.seed();
                        let random = Random::new(seed, self.now.id[i], entered, stream::TIME_LIMIT);
                        distribution.draw(ranges::TIME, random).into()
                    }
                };
                self.time_since(entered) >= limit
            }
            Condition::Unreachable(is_unreachable) => {
                let has_none = |route: CurrentRoute<'_>| route.state == RouteState::Unreachable;
                context.route().is_some_and(has_none) == *is_unreachable
            }
            Condition::RouteLength(length) => {
                let route = context.route().filter(|route| route.state == RouteState::Known);
                route.and_then(|route| route.aim).is_some_and(|aim| aim.left <= *length)
            }
            Condition::HasOrder(has) => self.now.own(i).order.is_some() == *has,
            Condition::Sees(sees) => group.sees(remembered, context.rng_key.tick()) == *sees,
            Condition::Remembers(remembers) => context.last_seen().is_some() == *remembers,
            Condition::Stuck(within, time) => {
                group.stuck_since(remembered, *within).is_some_and(|since| {
                    self.time_since(since.max(self.now.state[i].entered)) >= *time
                })
            }
            Condition::FirstInQueue(first) => self.is_first_in_queue(i, state) == *first,
            Condition::ShorterQueue(path, than) => {
                context.queue(*path).members < context.queue(*than).members
            }
            Condition::PathDone(done) => {
                state.paths.iter().any(|&m| self.now.memory(i)[m].path.done) == *done
            }
            Condition::All(list) => {
                list.iter().all(|inner| self.holds(inner, i, situation, host, context))
            }
            Condition::Any(list) => {
                list.iter().any(|inner| self.holds(inner, i, situation, host, context))
            }
            Condition::Not(inner) => !self.holds(inner, i, situation, host, context),
            Condition::Own(own) => own.holds(host, context),
        }
    }

    /// Whether a member of `of` in `state`, apart from the host, is at most `distance` (length)
    /// away.
    fn is_near_in_state(
        &self,
        host: &Agent<V>,
        except: AgentId,
        of: GroupId,
        state: StateId,
        distance: f32,
    ) -> bool {
        let (p, space) = (host.position, &self.context.space);
        let within = search_radius(host, &Target::Group(of), distance);
        let counts = |row| {
            let (columns, i) = columns_of(self.now, self.ghosts, row);
            columns.state[i].state as usize == state.0
        };
        let Some(of) = self.groups.get(of.0) else { return false };
        let nearest = nearest_member::nearest_that(&of.members, space, p, within, except, counts);
        nearest.is_some_and(|row| {
            let (columns, i) = columns_of(self.now, self.ghosts, row);
            (space.image(p, columns.position.get(i)) - p).length() <= distance
        })
    }

    /// The time since `tick` (time).
    fn time_since(&self, tick: u64) -> f64 {
        (self.context.rng_key.tick() - tick) as f64 * self.dt
    }
}

/// The search radius for a target whose distance is compared with `distance` (lengths): for the
/// nearest member of a group slightly larger, so that rounding excludes no member.
fn search_radius<V: Vector>(host: &Agent<V>, target: &Target<V>, distance: f32) -> f32 {
    match target {
        Target::Group(_) => {
            distance * 1.001 + 16.0 * f32::EPSILON * (host.position.length() + distance)
        }
        _ => f32::INFINITY,
    }
}
