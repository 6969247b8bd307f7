//! [`Steering`], the manager in the tutorials' manner ("Movement Manager", 2013), for agents of the user's own types.

use crate::agent::{Agent, Host, Memory, Steerable, heading_after};
use crate::behavior::{
    Alignment, AvoidObstacles, Cohesion, Flock, FollowLeader, FollowPath, Prediction, Queue, Separation, Steer, Wander, alignment, arrive, avoid_obstacles,
    cohesion, evade, flee, flock, follow_leader, follow_path, pursue, queue, seek, separation, wander,
};
use crate::neighbors::Neighbors;
use crate::obstacle::Obstacle;
use crate::path::Path;
use crate::random::Random;
use crate::surroundings::{Seen, Surroundings};
use crate::vector::Vector;

/// Collects forces: call behaviors one after another, then [`update`](Self::update), and it is empty again.
///
/// It belongs to one agent. What the agent's behaviors remember is in the [`Memory`] beside it.
///
/// ```
/// use wayfare::{glam::{vec2, Vec2}, Agent, Memory, Steering};
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
    seed: u64,
    tick: u64,
    draws: u32,
}

impl<V: Vector> Steering<V> {
    /// No force yet; random behaviors draw from seed 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// No force yet; random behaviors follow from `seed`. Give each agent another.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// The sum of the forces so far (length / time), not truncated.
    pub fn sum(&self) -> V {
        self.sum
    }

    /// Adds a force (length / time): that of a behavior of your own, or a weighted one.
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
        self.add(pursue(host, &seen(quarry), Prediction::ByDistance, f32::INFINITY))
    }

    /// Adds [`evade`](crate::behavior::evade()) of `threat` within `panic_radius` (length), predicted by distance.
    pub fn evade(&mut self, host: &impl Host<V>, threat: &impl Host<V>, panic_radius: f32) -> &mut Self {
        self.add(evade(host, &seen(threat), panic_radius, Prediction::ByDistance, f32::INFINITY))
    }

    /// Adds [`wander`](crate::behavior::wander()) with a tick of `dt` (time).
    pub fn wander(&mut self, host: &impl Host<V>, parameters: &Wander, memory: &mut Memory<V>, dt: f32) -> &mut Self {
        let mut random = Random::new(self.seed, 0, self.tick, self.draws);
        self.draws += 1;
        let host = facing(host, memory);
        self.add(wander(&host, parameters, &mut memory.wander, &mut random, dt))
    }

    /// Adds [`avoid_obstacles`](crate::behavior::avoid_obstacles()).
    pub fn avoid_obstacles<'a>(&mut self, host: &impl Host<V>, obstacles: impl IntoIterator<Item = &'a Obstacle<V>>, parameters: &AvoidObstacles) -> &mut Self {
        self.add(avoid_obstacles(host, obstacles, parameters))
    }

    /// Adds [`follow_path`](crate::behavior::follow_path()).
    pub fn follow_path(&mut self, host: &impl Host<V>, path: &Path<V>, parameters: &FollowPath, memory: &mut Memory<V>) -> &mut Self {
        self.add(follow_path(host, path, parameters, &mut memory.path))
    }

    /// Adds [`separation`](crate::behavior::separation()).
    pub fn separation(&mut self, host: &impl Host<V>, neighbors: &Neighbors<V>, parameters: &Separation) -> &mut Self {
        self.add(separation(host, neighbors, parameters))
    }

    /// Adds [`alignment`](crate::behavior::alignment()).
    pub fn alignment(&mut self, host: &impl Host<V>, neighbors: &Neighbors<V>, parameters: &Alignment) -> &mut Self {
        self.add(alignment(host, neighbors, parameters))
    }

    /// Adds [`cohesion`](crate::behavior::cohesion()).
    pub fn cohesion(&mut self, host: &impl Host<V>, neighbors: &Neighbors<V>, parameters: &Cohesion) -> &mut Self {
        self.add(cohesion(host, neighbors, parameters))
    }

    /// Adds [`flock`](crate::behavior::flock()).
    pub fn flock(&mut self, host: &impl Host<V>, neighbors: &Neighbors<V>, parameters: &Flock) -> &mut Self {
        self.add(flock(host, neighbors, parameters))
    }

    /// Adds [`follow_leader`](crate::behavior::follow_leader()).
    pub fn follow_leader(&mut self, host: &impl Host<V>, leader: &impl Host<V>, neighbors: &Neighbors<V>, parameters: &FollowLeader) -> &mut Self {
        self.add(follow_leader(host, &seen(leader), neighbors, parameters))
    }

    /// Adds [`queue`](crate::behavior::queue()), which brakes the sum so far: call it last. `dt` is the tick (time).
    pub fn queue(&mut self, host: &impl Host<V>, neighbors: &Neighbors<V>, parameters: &Queue, memory: &Memory<V>, dt: f32) -> &mut Self {
        let queueing = queue(&facing(host, memory), self.sum, neighbors, parameters, dt);
        self.start = Some(queueing.start);
        self.add(queueing.force)
    }

    /// Adds any behavior, built in or your own, in `around`, whose sum becomes the one so far.
    pub fn steer(&mut self, host: &impl Host<V>, behavior: &impl Steer<V>, memory: &mut Memory<V>, around: &mut Surroundings<'_, V>) -> &mut Self {
        let host = facing(host, memory);
        (around.sum, around.seed, around.tick, around.stream) = (self.sum, self.seed, self.tick, self.draws);
        self.draws += 1;
        let force = behavior.force(&host, memory, around);
        self.start = Some(around.start(&host));
        self.add(force)
    }

    /// The forces so far, truncated to the host's max_force (length / time): what a physics engine applies in place of `update`.
    pub fn force(&self, host: &impl Host<V>) -> V {
        self.sum.truncate(host.max_force())
    }

    /// Moves `host` by one tick of `dt` (time), and is empty again.
    ///
    /// The step is semi-implicit Euler, as in the crowd; with dt = 1 it is the tutorials' per-frame update.
    pub fn update(&mut self, host: &mut impl Steerable<V>, memory: &mut Memory<V>, dt: f32) {
        let agent = facing(host, memory);
        let (position, velocity) = agent.step(self.sum, self.start.unwrap_or(agent.velocity), 1.0, dt);
        memory.heading = Some(heading_after(agent.heading, velocity, agent.max_speed));
        host.set_motion(position, velocity);
        self.tick += 1;
        self.reset();
    }

    /// Forgets the forces without moving anyone.
    pub fn reset(&mut self) {
        self.sum = V::ZERO;
        self.start = None;
        self.draws = 0;
    }
}

/// The host with the heading that its memory kept while it hardly moves.
fn facing<V: Vector>(host: &impl Host<V>, memory: &Memory<V>) -> Agent<V> {
    let agent = Agent::of(host);
    let heading = memory.heading.map_or(agent.heading, |kept| heading_after(kept, agent.velocity, agent.max_speed));
    Agent { heading, ..agent }
}

fn seen<V: Vector>(host: &impl Host<V>) -> Seen<V> {
    Seen { id: u32::MAX, position: host.position(), velocity: host.velocity(), heading: host.heading() }
}
