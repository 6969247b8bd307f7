//! Why an agent does what it does: its forces at the next tick, and what they go by.

use super::Crowd;
use super::pipeline::World;
use crate::annotation::{DebugDraw, Explanation, Recorder};
use crate::context::SteerContext;
use crate::spatial::neighbors::Neighbors;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Asks the behaviors of the agent `id` as the next step will, and writes down what each says
    /// and goes by; `None` if there is no such agent.
    ///
    /// The agent is asked even if it does not think at that tick (`think_every`). Nothing is
    /// changed: the digest stays, and the next tick is the same. It may cost as much as a tick,
    /// since agents may have to be sorted for it.
    ///
    /// ```
    /// use wayfare::{behavior::Arrive, crowd::{Group, Setup, Spawn}, glam::vec2, parameter::Target, Crowd, List};
    /// let mut guest = Group::new("guest", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0);
    /// guest.steer = List::default().with(Arrive { target: Target::Point(vec2(9.0, 0.0)), ..Arrive::default() });
    /// let mut crowd = Crowd::new(Setup { groups: vec![guest], ..Setup::default() })?;
    /// let why = crowd.explain(0).expect("there is one");
    /// assert_eq!((why.contributions[0].behavior, why.contributions[0].force), ("arrive", vec2(2.0, 0.0)));
    /// assert_eq!(why.annotations[0].label, "slowing_radius");
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn explain(&mut self, id: u32) -> Option<Explanation<V>> {
        self.place_of(id)?;
        self.begin_tick(false);
        let (i, recorder) = (self.place_of(id)?, Recorder::default());
        let (sum, max_force) = self.world().explain(i, recorder.draw());
        Some(recorder.explanation(sum, sum.truncate(max_force)))
    }
}

impl<V: Vector> World<'_, V> {
    /// The sum of the forces of agent `i`, and its max_force; its behaviors report their
    /// figures to `debug`.
    fn explain(&self, i: usize, debug: DebugDraw<'_, V>) -> (V, f32) {
        let mut near = Neighbors::none();
        let (id, host) = (self.now.id[i], self.now.agent(i));
        if let Some(grid) = self.grid {
            self.gather(grid, i..i + 1, &mut near);
            near.aim(id, host.position, 1);
        }
        let group = &self.groups[self.now.group[i] as usize];
        let mut marks = self.now.marks(i).to_vec();
        self.mark(i, group, &host, &mut marks);
        self.tell_sight(group, &host, &marks, debug);
        let (_, plan) = self.plan(i, group, self.now.stage[i], &marks);
        // What the behaviors remember of this is thrown away.
        let mut memory = self.now.memory(i).to_vec();
        group.formed.iter().for_each(|formed| formed.give(i, &mut memory));
        let dt = self.context.dt * group.think_every as f32;
        let shared = self.shared(group, &marks);
        let mut context = SteerContext {
            dt,
            id,
            goal: self.goal(i),
            neighbors: &near,
            agents: self,
            shared: Some(&shared),
            ..self.context
        };
        (plan.list.force(&host, &mut memory, &mut context, debug), host.max_force)
    }
}
