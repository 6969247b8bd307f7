//! [`Steering`], the tutorials' movement manager ("Movement Manager", 2013), for agents of the
//! user's own types.

use crate::agent::{Agent, Host, Memory, Steerable, agent_with_heading, heading_after};
use crate::combine::EPSILON;
use crate::random::RngKey;
use crate::vector::Vector;

mod behaviors;
#[cfg(test)]
mod tests;

/// Collects forces: call behaviors one after another, then [`update`](Self::update), which moves
/// the agent and empties the sum.
///
/// It belongs to one agent. The state of the agent's behaviors is in the [`Memory`] beside it. Keep
/// both beside your [`Host`], not inside: its methods borrow the host. What a host sees is the
/// answer of [`can_see`](crate::geometry::visibility::can_see).
///
/// ```
/// use wayfare::{
///     Agent, Memory, Steering,
///     glam::{Vec2, vec2},
/// };
/// let mut guard = Agent { mass: 20.0, ..Agent::new(vec2(0.0, 0.0), 3.0) };
/// let (mut steering, mut memory) = (Steering::new(0), Memory::default());
/// for _ in 0..600 {
///     steering.arrive(&guard, vec2(100.0, 50.0), 250.0);
///     steering.update(&mut guard, &mut memory, 1.0);
/// }
/// assert!((guard.position - vec2(100.0, 50.0)).length() < 0.1);
/// ```
///
/// # Weights and priorities
/// [`weighted`](Self::weighted) multiplies what its behaviors add, and
/// [`priority`](Self::priority) applies the first of its behaviors that pushes. Both nest.
///
/// ```
/// use wayfare::{Agent, Steering, glam::vec2};
/// let guard = Agent::new(vec2(0.0, 0.0), 3.0);
/// let (thief, fire, post) = (vec2(9.0, 0.0), vec2(0.0, 50.0), vec2(0.0, 9.0));
/// let mut steering = Steering::new(0);
/// // The fire is too far to flee from, so the guard seeks the thief.
/// steering
///     .priority(|s| s.flee(&guard, fire, 20.0).seek(&guard, thief).arrive(&guard, post, 5.0))
///     .weighted(0.5, |s| s.seek(&guard, post));
/// assert_eq!(steering.sum(), vec2(3.0, 1.5));
/// ```
///
/// # With a physics engine
/// The engine moves the body; [`force`](Self::force) takes the place of `update`. A force here is
/// in velocity units, and the mass of a [`Host`] is a reaction time, so a body of the mass `M` is
/// pushed by the physical force `force * M / mass`.
///
/// ```
/// use wayfare::{Host, Memory, Steering, glam::{Vec2, vec2}};
/// /// A rigid body of the engine, in kilograms, metres and seconds.
/// struct Body { kilograms: f32, position: Vec2, velocity: Vec2 }
/// impl Host<Vec2> for Body {
///     fn position(&self) -> Vec2 { self.position }
///     fn velocity(&self) -> Vec2 { self.velocity }
///     fn max_speed(&self) -> f32 { 1.5 }
///     fn max_force(&self) -> f32 { f32::INFINITY }
///     fn mass(&self) -> f32 { 0.5 } // the reaction time in seconds
/// }
/// let mut body = Body { kilograms: 80.0, position: Vec2::ZERO, velocity: Vec2::ZERO };
/// let (mut steering, mut memory, dt) = (Steering::new(0), Memory::default(), 1.0 / 60.0);
/// steering.seek(&body, vec2(10.0, 0.0));
/// let newtons = steering.force(&body, &mut memory, dt) * body.kilograms / body.mass();
/// assert_eq!(newtons, vec2(240.0, 0.0));
/// // The engine's part:
/// body.velocity += newtons / body.kilograms * dt;
/// body.position += body.velocity * dt;
/// assert!((body.velocity.x - 0.05).abs() < 1e-6); // 1.5 m/s, approached in 0.5 s
/// ```
///
/// # Random numbers
/// The numbers of `wander`, `roam` and `forage` depend on the seed, on the number of updates and on
/// the place of the call among the random behaviors of its tick, and on nothing else: a run
/// repeats, also in another process and on other threads. Two managers with the same seed and the
/// same calls wander alike.
///
/// # Invalid numbers
/// A force, position or velocity that is not finite and a tick that is not above zero are mistakes
/// of the caller: a debug assertion names them. Without debug assertions a force that is NaN counts
/// as zero on that axis and an infinite one is clamped, such a tick counts as no time, and a host
/// with such a position or velocity is not moved and gets no force.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "autonomous agents", alias = "movement manager")]
pub struct Steering<V> {
    sum: V,
    start: Option<V>,
    /// The facing that behaviors have set since the last update.
    next_facing: Option<V>,
    /// The facing that behaviors had set when the last update began.
    facing: Option<V>,
    /// The heading after the last update, for behaviors that are called without a memory.
    heading: Option<V>,
    rule: Rule,
    seed: u64,
    tick: u64,
    /// The time that all updates have covered (time).
    time: f64,
    draws: u32,
}

/// The effect of the next force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// It is added.
    Sum,
    /// It is added if it is not zero, and decides a priority list.
    Priority,
    /// None: an earlier behavior has decided the priority list.
    Decided,
}

impl<V: Vector> Steering<V> {
    /// A manager without forces.
    ///
    /// `seed` is the key of its random numbers: give each agent its own, such as its index.
    pub fn new(seed: u64) -> Self {
        Self {
            sum: V::ZERO,
            start: None,
            next_facing: None,
            facing: None,
            heading: None,
            rule: Rule::Sum,
            seed,
            tick: 0,
            time: 0.0,
            draws: 0,
        }
    }

    /// The sum of the forces so far (length / time), not truncated.
    pub fn sum(&self) -> V {
        self.sum
    }

    /// The direction in which `face`, `look_where_going` or `match_heading` made the host look in
    /// the tick that the last [`update`](Self::update) or [`force`](Self::force) ended, of any
    /// length; `None` if none did.
    pub fn facing(&self) -> Option<V> {
        self.facing
    }

    /// Adds a force (length / time), such as that of a user's behavior.
    pub fn add(&mut self, force: V) -> &mut Self {
        debug_assert!(
            force.is_finite(),
            "a force is {force:?}: the host's numbers, the target or the behavior are not finite"
        );
        let force = force.clamped();
        match self.rule {
            Rule::Sum => self.sum = (self.sum + force).clamped(),
            Rule::Priority if force.length() > EPSILON => {
                (self.sum, self.rule) = (force, Rule::Decided);
            }
            Rule::Priority | Rule::Decided => {}
        }
        self
    }

    /// Adds the forces that `behaviors` add, multiplied by `weight`.
    ///
    /// `queue` and user's behaviors inside read the sum of the forces inside.
    pub fn weighted(
        &mut self,
        weight: f32,
        behaviors: impl for<'a> FnOnce(&'a mut Self) -> &'a mut Self,
    ) -> &mut Self {
        self.nested(weight, Rule::Sum, behaviors)
    }

    /// Adds the first force above 1e-6 among those that `behaviors` add; the behaviors after it are
    /// not evaluated.
    pub fn priority(
        &mut self,
        behaviors: impl for<'a> FnOnce(&'a mut Self) -> &'a mut Self,
    ) -> &mut Self {
        self.nested(1.0, Rule::Priority, behaviors)
    }

    fn nested(
        &mut self,
        weight: f32,
        rule: Rule,
        behaviors: impl for<'a> FnOnce(&'a mut Self) -> &'a mut Self,
    ) -> &mut Self {
        let (outer_sum, outer_rule) = (self.sum, self.rule);
        // The behaviors of a list that is not evaluated are called all the same: each random
        // behavior keeps its stream.
        self.rule = if outer_rule == Rule::Decided { Rule::Decided } else { rule };
        self.sum = V::ZERO;
        behaviors(self);
        let force = self.sum * weight;
        (self.sum, self.rule) = (outer_sum, outer_rule);
        self.add(force)
    }

    /// Adds a force that is computed only if it can have an effect.
    fn entry(&mut self, force: impl FnOnce(&mut Self) -> V) -> &mut Self {
        if self.rule == Rule::Decided {
            return self;
        }
        let force = force(self);
        self.add(force)
    }

    /// The stream of random numbers of the next random behavior.
    fn next_stream(&mut self) -> u32 {
        self.draws += 1;
        self.draws - 1
    }

    fn rng_key(&self) -> RngKey {
        RngKey::new(self.seed, self.tick)
    }

    /// Ends a tick for a host that a physics engine moves, and empties the sum: returns the force
    /// that changes the velocity as [`update`](Self::update) would (length / time).
    ///
    /// It is the sum, truncated to the host's max_force, with the damping of
    /// [`queue`](Self::queue), and it never pushes the host beyond its max_speed. A host that
    /// something else made faster is not braked down to max_speed.
    ///
    /// A body of the mass M gets the physical force `force * M / mass`, where the mass of the host
    /// is its reaction time: apply it for the time `dt`. See the
    /// [example](Self#with-a-physics-engine).
    pub fn force(&mut self, host: &impl Host<V>, memory: &mut Memory<V>, dt: f32) -> V {
        let dt = checked_dt(dt);
        let agent = self.agent_with_heading(host, memory.heading);
        let mut force = self.sum.truncate(agent.max_force);
        if !is_valid(&agent) {
            force = V::ZERO;
        } else if dt > 0.0 {
            let (time, velocity) = (agent.mass / dt, agent.velocity);
            force += (self.start.unwrap_or(velocity) - velocity) * time;
            let (after, top) =
                (velocity + force * (1.0 / time), agent.max_speed.max(velocity.length()));
            if after.length() > top {
                force = (after.truncate(top) - velocity) * time;
            }
        }
        self.end_tick(agent.heading, memory, dt);
        force.clamped()
    }

    /// Moves `host` by one tick of `dt` (time), and empties the sum.
    ///
    /// The step is semi-implicit Euler, as in the crowd; with dt = 1 it is the tutorials' per-frame
    /// update.
    pub fn update(&mut self, host: &mut impl Steerable<V>, memory: &mut Memory<V>, dt: f32) {
        let dt = checked_dt(dt);
        let agent = self.agent_with_heading(host, memory.heading);
        let mut heading = agent.heading;
        if is_valid(&agent) {
            let (position, velocity) =
                agent.step(self.sum, self.start.unwrap_or(agent.velocity), 1.0, dt);
            heading = heading_after(heading, velocity, agent.max_speed);
            host.set_motion(position, velocity);
        }
        self.end_tick(heading, memory, dt);
        if let Some(facing) = self.facing {
            host.set_facing(facing.unit());
        }
    }

    fn end_tick(&mut self, heading: V, memory: &mut Memory<V>, dt: f32) {
        if heading.is_finite() {
            (self.heading, memory.heading) = (Some(heading), Some(heading));
        }
        self.facing = self.next_facing;
        self.tick += 1;
        self.time += f64::from(dt);
        self.reset();
    }

    /// Empties the sum without moving the host: the tick begins again.
    pub fn reset(&mut self) {
        (self.sum, self.start, self.next_facing, self.draws) = (V::ZERO, None, None, 0);
    }

    /// The state of `host` with the remembered heading while the host is at rest.
    fn agent_with_heading(&self, host: &impl Host<V>, remembered: Option<V>) -> Agent<V> {
        agent_with_heading(host, remembered.or(self.heading))
    }
}

/// A tick (time) as documented at [`Steering`]: zero in place of one that is not above zero and
/// finite.
fn checked_dt(dt: f32) -> f32 {
    debug_assert!(dt.is_finite() && dt > 0.0, "`dt` is {dt}: it must be a number above 0");
    valid_dt(dt)
}

fn valid_dt(dt: f32) -> f32 {
    if dt.is_finite() { dt.max(0.0) } else { 0.0 }
}

/// Whether the host can be moved.
fn is_valid<V: Vector>(agent: &Agent<V>) -> bool {
    let (position, velocity) = (agent.position, agent.velocity);
    debug_assert!(position.is_finite(), "the host's position is {position:?}: it must be finite");
    debug_assert!(velocity.is_finite(), "the host's velocity is {velocity:?}: it must be finite");
    position.is_finite() && velocity.is_finite()
}
