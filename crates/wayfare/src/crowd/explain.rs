//! Explanations: the forces of an agent at the next tick, and the annotations of its behaviors.

use super::Crowd;
use super::pipeline::TickInput;
use super::pipeline::steer::{Reads, holding};
use crate::annotation::{DebugDraw, Explanation, Recorder};
use crate::context::SteerContext;
use crate::id::AgentId;
use crate::spatial::neighbors::Neighbors;
use crate::threads::Share;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// The forces and annotations of the behaviors of the agent `id`, computed as the next step
    /// will; `None` if there is no such agent.
    ///
    /// The behaviors are evaluated even if the agent's turn (`think_every`) is not at that tick.
    /// The digest and the next tick do not change. The call may cost as much as a tick, since
    /// agents may have to be sorted.
    ///
    /// ```
    /// use wayfare::{
    ///     Crowd, List,
    ///     behavior::Arrive,
    ///     crowd::{Group, Setup, Spawn},
    ///     glam::vec2,
    /// };
    /// let mut guest = Group::new("guest", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0);
    /// guest.steer = List::default().with(Arrive::new(vec2(9.0, 0.0)));
    /// let mut crowd = Crowd::new(Setup { groups: vec![guest], ..Setup::default() })?;
    /// let why = crowd.explain(0).expect("there is one");
    /// assert_eq!(
    ///     (why.contributions[0].behavior, why.contributions[0].force),
    ///     ("arrive", vec2(2.0, 0.0))
    /// );
    /// assert_eq!(why.annotations[0].label, "slowing_radius");
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn explain(&mut self, id: impl Into<AgentId>) -> Option<Explanation<V>> {
        V::explain(self, id.into())
    }

    pub(super) fn explain_here(&mut self, id: AgentId) -> Option<Explanation<V>> {
        self.row_of(id)?;
        // This may sort the rows, so the row is looked up afterwards.
        self.begin_tick(Share::ALONE);
        let (row, recorder) = (self.row_of(id)?, Recorder::default());
        let (sum, force) = self.next_tick_input().explain(row, recorder.draw());
        Some(recorder.explanation(sum, force))
    }
}

impl<V: Vector> TickInput<'_, V> {
    /// The sum of the forces of the agent in row `i`, and the force that moves it; its behaviors
    /// report their figures to `debug`.
    pub(super) fn explain(&self, i: usize, debug: DebugDraw<'_, V>) -> (V, V) {
        let mut neighbors = Neighbors::none();
        let (id, mut host) = (AgentId(self.now.id[i]), self.now.agent(i));
        let group = &self.groups[self.now.group[i] as usize];
        if let Some(grid) = self.grid {
            self.gather(grid, i..i + 1, (host.position, host.position), &mut neighbors);
            neighbors.set_host(id, host.position, 1, group.speed_unit);
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
        if state.has_limits && instance.state != self.now.state[i].state {
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
