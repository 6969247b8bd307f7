//! [`Steering`], the tutorials' movement manager ("Movement Manager", 2013), for agents of the
//! user's own types.

use crate::agent::{Agent, Host, Memory, Steerable, agent_with_heading, heading_after};
use crate::annotation::DebugDraw;
use crate::behavior::{
    Alignment, AvoidObstacles, Cohesion, Flock, FollowLeader, FollowPath, Prediction, Roam,
    Separation, Steer, Wander, alignment, arrive, avoid_obstacles, cohesion, evade, flee, flock,
    follow_flow, follow_leader, follow_path, pursue, roam, seek, separation, wander,
};
use crate::context::{AgentView, SteerContext};
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::{Obstacle, Obstacles};
use crate::geometry::path::Path;
use crate::id::AgentId;
use crate::random::{Random, RngKey};
use crate::solve::{Queue, queue};
use crate::spatial::neighbors::Neighbors;
use crate::vector::Vector;

#[cfg(test)]
mod tests;

/// Collects forces: call behaviors one after another, then [`update`](Self::update), which moves
/// the agent and empties the sum.
///
/// It belongs to one agent. The state of the agent's behaviors is in the [`Memory`] beside it.
///
/// ```
/// use wayfare::{
///     Agent, Memory, Steering,
///     glam::{Vec2, vec2},
/// };
/// let mut guard = Agent { mass: 20.0, ..Agent::new(vec2(0.0, 0.0), 3.0) };
/// let (mut steering, mut memory) = (Steering::new(), Memory::default());
/// for _ in 0..600 {
///     steering.arrive(&guard, vec2(100.0, 50.0), 250.0);
///     steering.update(&mut guard, &mut memory, 1.0);
/// }
/// assert!((guard.position - vec2(100.0, 50.0)).length() < 0.1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steering<V> {
    sum: V,
    start: Option<V>,
    /// The heading after the last update, for behaviors that are called without a memory.
    heading: Option<V>,
    seed: u64,
    tick: u64,
    /// The time that all updates have covered (time).
    time: f64,
    draws: u32,
}

impl<V: Vector> Steering<V> {
    /// A manager without forces; random behaviors draw from seed 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// A manager without forces; random behaviors draw from `seed`. Use a different seed for each
    /// agent.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// The sum of the forces so far (length / time), not truncated.
    pub fn sum(&self) -> V {
        self.sum
    }

    /// Adds a force (length / time), such as that of a user's behavior, or a weighted force.
    pub fn add(&mut self, force: V) -> &mut Self {
        self.sum = (self.sum + force).held();
        self
    }

    /// Adds [`seek`](crate::behavior::seek()).
    pub fn seek(&mut self, host: &impl Host<V>, target: V) -> &mut Self {
        self.add(seek(host, target))
    }

    /// Adds [`flee`](crate::behavior::flee()).
    pub fn flee(&mut self, host: &impl Host<V>, target: V, panic_radius: f32) -> &mut Self {
        self.add(flee(host, target, panic_radius))
    }

    /// Adds [`arrive`](crate::behavior::arrive()).
    pub fn arrive(&mut self, host: &impl Host<V>, target: V, slowing_radius: f32) -> &mut Self {
        self.add(arrive(host, target, slowing_radius))
    }

    /// Adds [`pursue`](crate::behavior::pursue()) of `quarry`, predicted by distance.
    pub fn pursue(&mut self, host: &impl Host<V>, quarry: &impl Host<V>) -> &mut Self {
        self.add(pursue(host, &view_of(quarry), Prediction::ByDistance, f32::INFINITY))
    }

    /// Adds [`evade`](crate::behavior::evade()) of `threat` within `panic_radius` (length),
    /// predicted by distance.
    pub fn evade(
        &mut self,
        host: &impl Host<V>,
        threat: &impl Host<V>,
        panic_radius: f32,
    ) -> &mut Self {
        self.add(evade(host, &view_of(threat), panic_radius, Prediction::ByDistance, f32::INFINITY))
    }

    /// Adds [`wander`](crate::behavior::wander()) with a tick of `dt` (time).
    pub fn wander(
        &mut self,
        host: &impl Host<V>,
        parameters: &Wander,
        memory: &mut Memory<V>,
        dt: f32,
    ) -> &mut Self {
        let mut random = Random::new(self.seed, 0, self.tick, self.draws);
        self.draws += 1;
        let host = self.agent_with_heading(host, memory.heading);
        self.add(wander(&host, parameters, &mut memory.wander, &mut random, dt))
    }

    /// Adds [`roam`](crate::behavior::roam()): a new random point at regular intervals of the time
    /// that the updates have covered.
    pub fn roam(&mut self, host: &impl Host<V>, parameters: &Roam<V>) -> &mut Self {
        let force = roam(host, parameters, self.seed, 0, self.draws, self.time);
        self.draws += 1;
        self.add(force)
    }

    /// Adds [`avoid_obstacles`](crate::behavior::avoid_obstacles()).
    pub fn avoid_obstacles<'a>(
        &mut self,
        host: &impl Host<V>,
        obstacles: impl IntoIterator<Item = &'a Obstacle<V>>,
        parameters: &AvoidObstacles,
    ) -> &mut Self {
        self.add(avoid_obstacles(&self.agent_with_heading(host, None), obstacles, parameters))
    }

    /// Adds [`follow_path`](crate::behavior::follow_path()).
    pub fn follow_path(
        &mut self,
        host: &impl Host<V>,
        path: &Path<V>,
        parameters: &FollowPath,
        memory: &mut Memory<V>,
    ) -> &mut Self {
        self.add(follow_path(host, path, parameters, &mut memory.path))
    }

    /// Adds [`follow_flow`](crate::behavior::follow_flow()), by the field's direction at the host's
    /// position.
    pub fn follow_flow(
        &mut self,
        host: &impl Host<V>,
        field: &FlowField<V>,
        obstacles: Obstacles<'_, V>,
    ) -> &mut Self {
        self.add(follow_flow(host, field, obstacles, 0.0, 0.0))
    }

    /// Adds [`separation`](crate::behavior::separation()).
    pub fn separation(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Separation,
    ) -> &mut Self {
        self.add(separation(&self.agent_with_heading(host, None), neighbors, parameters))
    }

    /// Adds [`alignment`](crate::behavior::alignment()).
    pub fn alignment(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Alignment,
    ) -> &mut Self {
        self.add(alignment(&self.agent_with_heading(host, None), neighbors, parameters))
    }

    /// Adds [`cohesion`](crate::behavior::cohesion()).
    pub fn cohesion(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Cohesion,
    ) -> &mut Self {
        self.add(cohesion(&self.agent_with_heading(host, None), neighbors, parameters))
    }

    /// Adds [`flock`](crate::behavior::flock()).
    pub fn flock(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Flock,
    ) -> &mut Self {
        self.add(flock(&self.agent_with_heading(host, None), neighbors, parameters))
    }

    /// Adds [`follow_leader`](crate::behavior::follow_leader()).
    ///
    /// A leader whose type stores no heading faces +x at rest; pass the result of
    /// [`Memory::agent_with_heading`] to keep the leader's last heading.
    pub fn follow_leader(
        &mut self,
        host: &impl Host<V>,
        leader: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &FollowLeader,
    ) -> &mut Self {
        self.add(follow_leader(
            &self.agent_with_heading(host, None),
            &view_of(leader),
            neighbors,
            parameters,
        ))
    }

    /// Adds [`queue`](crate::solve::queue()), which brakes the sum so far: call it last. `dt` is
    /// the tick (time).
    pub fn queue(
        &mut self,
        host: &impl Host<V>,
        neighbors: &Neighbors<V>,
        parameters: &Queue,
        memory: &Memory<V>,
        dt: f32,
    ) -> &mut Self {
        let queueing = queue(
            &self.agent_with_heading(host, memory.heading),
            self.sum,
            neighbors,
            parameters,
            dt,
        );
        self.start = Some(queueing.start);
        self.add(queueing.force)
    }

    /// Adds any behavior, built-in or user-defined, in `context`, whose sum, time and random
    /// numbers become those of this manager.
    pub fn steer(
        &mut self,
        host: &impl Host<V>,
        behavior: &impl Steer<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
    ) -> &mut Self {
        let host = self.agent_with_heading(host, memory.heading);
        (context.sum, context.rng_key, context.time, context.stream) =
            (self.sum, RngKey::new(self.seed, self.tick), self.time, self.draws);
        self.draws += 1;
        context.start = self.start;
        let force = behavior.force(&host, memory, context, DebugDraw::OFF);
        self.start = context.start;
        self.add(force)
    }

    /// The forces so far, truncated to the host's max_force (length / time): what a physics engine
    /// applies in place of `update`.
    pub fn force(&self, host: &impl Host<V>) -> V {
        self.sum.truncate(host.max_force())
    }

    /// Moves `host` by one tick of `dt` (time), and empties the sum.
    ///
    /// The step is semi-implicit Euler, as in the crowd; with dt = 1 it is the tutorials' per-frame
    /// update.
    pub fn update(&mut self, host: &mut impl Steerable<V>, memory: &mut Memory<V>, dt: f32) {
        let agent = self.agent_with_heading(host, memory.heading);
        let (position, velocity) =
            agent.step(self.sum, self.start.unwrap_or(agent.velocity), 1.0, dt);
        self.heading = Some(heading_after(agent.heading, velocity, agent.max_speed));
        memory.heading = self.heading;
        host.set_motion(position, velocity);
        self.tick += 1;
        self.time += f64::from(dt);
        self.reset();
    }

    /// Empties the sum without moving the host.
    pub fn reset(&mut self) {
        self.sum = V::ZERO;
        self.start = None;
        self.draws = 0;
    }

    /// The state of `host` with the remembered heading while the host is at rest.
    fn agent_with_heading(&self, host: &impl Host<V>, remembered: Option<V>) -> Agent<V> {
        agent_with_heading(host, remembered.or(self.heading))
    }
}

fn view_of<V: Vector>(host: &impl Host<V>) -> AgentView<V> {
    AgentView {
        id: AgentId::NONE,
        position: host.position(),
        velocity: host.velocity(),
        heading: host.heading(),
        facing: host.facing(),
    }
}
