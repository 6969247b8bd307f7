//! The evaluation of one agent with the annotations of its behaviors.

use super::input::TickInput;
use super::steer::{Reads, holding};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::id::{AgentId, GroupId};
use crate::spatial::neighbors::Neighbors;
use crate::vector::Vector;

impl<V: Vector> TickInput<'_, V> {
    /// The sum of the forces of the agent in row `i`, and the force that moves it; its behaviors
    /// report their figures to `debug`.
    pub(in crate::crowd) fn explain(&self, i: usize, debug: DebugDraw<'_, V>) -> (V, V) {
        let mut neighbors = Neighbors::none();
        let (id, mut host) = (AgentId(self.now.id[i]), self.now.agent(i));
        let group = &self.groups[self.now.group[i] as usize];
        if let Some(grid) = self.grid {
            self.gather(grid, i..i + 1, (host.position, host.position), &mut neighbors);
            neighbors.set_host(id, host.position, 1, group.speed_unit);
            neighbors.set_reach(group.radius);
        }
        // Copies: the evaluation does not change the agent's memories.
        let mut remembered = self.now.remembered(i).to_vec();
        let mut memory = self.now.memory(i).to_vec();
        self.perceive(i, group, &host, &mut remembered);
        self.draw_perception(group, &host, &remembered, debug);
        if self.now.own(i).frozen || self.now.state[i].waits(self.context.rng_key.tick()) {
            return (V::ZERO, V::ZERO);
        }
        let (instance, state) = self.state_for_tick(i, group, self.now.state[i], &remembered);
        let is_new = instance.state != self.now.state[i].state;
        if is_new {
            let before = &group.states[self.now.state[i].state as usize];
            state.paths_after(before).for_each(|path| memory[path].path.begun = false);
        }
        if state.has_limits && is_new {
            let limits = self.limits_in(i, instance.state as usize);
            host = limits.agent([host.position, host.velocity, host.heading], Some(&host.facing));
        }
        group.formations.iter().for_each(|formation| formation.write_slot(i, &mut memory));
        self.queues.write_place(i, group, self.now, &mut memory);
        let shared = self.shared(group, i, &remembered);
        let mut context = SteerContext {
            dt: self.context.dt * group.think_every as f32,
            id,
            goal: self.goal(i),
            neighbors: &neighbors,
            groups: self,
            shared: Some(&shared),
            group: Some(GroupId(self.now.group[i] as usize)),
            on_wheels: group.is_on_wheels(),
            ..self.context
        };
        let mut force = state.list.force(&host, &mut memory, &mut context, debug);
        if state.names_order {
            let hold = holding(group, &host, &context);
            if hold != V::ZERO {
                debug.set_source(|| "hold", u32::MAX);
                debug.contribution(hold);
            }
            force += hold;
        }
        if let Some(decider) = &state.decider {
            let reads = Reads { goal: self.goal(i), shared: Some(&shared) };
            let next = self.decide(i, decider, &host, force, (&neighbors, reads), debug);
            return (next - host.velocity, next - host.velocity);
        }
        (force, force.truncate(host.max_force))
    }
}
