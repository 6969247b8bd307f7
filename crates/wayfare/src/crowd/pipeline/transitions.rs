//! Transitions between states, which begin the steer phase of an agent: the first exit of its state
//! whose condition holds.

use super::World;
use crate::agent::Agent;
use crate::context::SteerContext;
use crate::crowd::compiled::{CompiledGroup, CompiledState};
use crate::crowd::population::columns::{RememberedPosition, StateInstance};
use crate::crowd::setup::{Condition, TransitionTarget};
use crate::parameter::Target;
use crate::vector::Vector;

/// Where an agent is in its states, and what it keeps in mind.
struct At<'a, V: Vector> {
    group: &'a CompiledGroup<V>,
    plan: &'a CompiledState<V>,
    marks: &'a [RememberedPosition<V>],
}

impl<V: Vector> World<'_, V> {
    /// Whether `condition` holds for agent `i` at the start of the tick.
    fn holds(
        &self,
        condition: &Condition<V>,
        i: usize,
        at: &At<'_, V>,
        host: &Agent<V>,
        context: &SteerContext<'_, V>,
    ) -> bool {
        match condition {
            Condition::Stat(stat, at_most, at_least) => {
                let x = self.now.stats(i)[stat.0];
                at_most.is_none_or(|most| x <= most) && at_least.is_none_or(|least| x >= least)
            }
            Condition::Near(target, distance) => context
                .target(host, target, f32::INFINITY)
                .is_some_and(|p| (p - host.position).length() <= *distance),
            Condition::FarFrom(target, distance) => {
                match (context.target(host, target, f32::INFINITY), target) {
                    (Some(p), _) => (p - host.position).length() >= *distance,
                    (None, Target::Group(_)) => true,
                    (None, _) => false,
                }
            }
            Condition::TimeInState(time) => self.time_since(self.now.stage[i].entered) >= *time,
            Condition::Sees(sees) => at.group.sees(at.marks, context.rng_key.tick()) == *sees,
            Condition::Remembers(remembers) => context.last_seen().is_some() == *remembers,
            Condition::Stuck(within, time) => {
                at.group.stuck_since(at.marks, *within).is_some_and(|since| {
                    self.time_since(since.max(self.now.stage[i].entered)) >= *time
                })
            }
            Condition::PathDone(done) => {
                at.plan.paths.iter().any(|&m| self.now.memory(i)[m].path.done) == *done
            }
            Condition::All(list) => {
                list.iter().all(|inner| self.holds(inner, i, at, host, context))
            }
            Condition::Any(list) => {
                list.iter().any(|inner| self.holds(inner, i, at, host, context))
            }
            Condition::Not(inner) => !self.holds(inner, i, at, host, context),
        }
    }

    /// How long ago `tick` was (time).
    fn time_since(&self, tick: u64) -> f64 {
        (self.context.rng_key.tick() - tick) as f64 * self.dt
    }

    /// The state in which agent `i` of `group`, which was at `stage` and has these marks now,
    /// steers at this tick, and what it does there.
    #[inline(always)]
    pub(in crate::crowd) fn plan<'g>(
        &self,
        i: usize,
        group: &'g CompiledGroup<V>,
        stage: StateInstance,
        marks: &[RememberedPosition<V>],
    ) -> (StateInstance, &'g CompiledState<V>) {
        let plan = &group.plans[stage.state as usize];
        if plan.leave.is_empty() {
            return (stage, plan);
        }
        self.transition(i, &At { group, plan, marks })
            .map_or((stage, plan), |other| (other, &group.plans[other.state as usize]))
    }

    /// The stage of agent `i` after the first of the ways out of its state that holds now.
    fn transition(&self, i: usize, at: &At<'_, V>) -> Option<StateInstance> {
        let tick = self.context.rng_key.tick();
        let shared = self.shared(at.group, at.marks);
        let context = SteerContext {
            id: self.now.id[i],
            goal: self.goal(i),
            shared: Some(&shared),
            agents: self,
            ..self.context
        };
        let host = self.now.agent(i);
        let way = at.plan.leave.iter().position(|t| self.holds(&t.when, i, at, &host, &context))?;
        let stage = self.now.stage[i];
        Some(match at.plan.leave[way].to {
            // Who comes into its own state again stays arrived.
            TransitionTarget::State(state) => StateInstance {
                here: stage.here && state as u32 == stage.state,
                ..StateInstance::new(state as u32, tick)
            },
            TransitionTarget::Out(_) => StateInstance { out: way as u16 + 1, ..stage },
        })
    }
}
