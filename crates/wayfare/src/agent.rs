//! The steered agent: [`Agent`], the trait [`Host`] for the user's own types, and the [`Memory`] of
//! behaviors that need one.
//!
//! The terms are Reynolds' (GDC 1999, "Simple vehicle model"): mass, position, velocity, heading,
//! max_force, max_speed, radius.

use crate::quantity::SMALLEST;
use crate::vector::rotation::{angle_between, turned_in};
use crate::vector::{Up, Vector};

/// An agent that can be steered: the one trait that a user's type needs.
///
/// Units are free but must be consistent: lengths in one unit, speeds in that unit per unit of
/// time. A force is in velocity units (desired velocity minus velocity), and the mass is the
/// reaction time by which it is divided.
///
/// [`steerable!`](crate::steerable) implements it with [`Steerable`] for a type that stores its
/// position and velocity.
///
/// ```
/// use wayfare::{behavior::seek, prelude::*};
/// struct Boat { position: Vec2, velocity: Vec2 }
/// impl Host<Vec2> for Boat {
///     fn position(&self) -> Vec2 { self.position }
///     fn velocity(&self) -> Vec2 { self.velocity }
///     fn max_speed(&self) -> f32 { 3.0 }
/// }
/// let boat = Boat { position: Vec2::ZERO, velocity: vec2(1.0, 0.0) };
/// assert_eq!(seek(&boat, vec2(50.0, 0.0)), vec2(2.0, 0.0));
/// ```
pub trait Host<V: Vector> {
    /// The position (length).
    fn position(&self) -> V;
    /// The velocity (length / time).
    fn velocity(&self) -> V;
    /// The top speed (length / time); above zero.
    fn max_speed(&self) -> f32;
    /// The largest force (length / time); default `f32::INFINITY`, no limit.
    fn max_force(&self) -> f32 {
        f32::INFINITY
    }
    /// The mass, which is a reaction time (time); above zero, default 1. At dt = 1 the tutorials'
    /// agents have 20: they turn in 20 frames. The weight of a physics engine's body is another
    /// number; see [`Steering`](crate::Steering#with-a-physics-engine).
    fn mass(&self) -> f32 {
        1.0
    }
    /// The radius of the body (length); default 0, a point.
    fn radius(&self) -> f32 {
        0.0
    }
    /// The heading, a unit vector: the direction of the velocity, and +x at rest.
    ///
    /// A type that stores its heading should return it here. [`Steering`](crate::Steering) stores
    /// the last heading in the [`Memory`].
    fn heading(&self) -> V {
        let unit = self.velocity().unit();
        if unit == V::ZERO { V::X } else { unit }
    }
    /// The facing, the unit vector of the direction in which the agent looks: default the heading.
    fn facing(&self) -> V {
        self.heading()
    }
}

/// A host that [`Steering::update`](crate::Steering::update) can move.
pub trait Steerable<V: Vector>: Host<V> {
    /// Sets the position and the velocity at the end of the step.
    fn set_motion(&mut self, position: V, velocity: V);
    /// Sets the facing, a unit vector, after [`set_motion`](Self::set_motion), if a behavior such
    /// as `face` chose one; a type without a facing ignores it.
    fn set_facing(&mut self, facing: V) {
        let _ = facing;
    }
}

/// Implements [`Host`](crate::Host) and [`Steerable`](crate::Steerable) for a type that stores its
/// position and velocity: `steerable!(name: Type as Vector { … })` with expressions that read
/// `name`. `position`, `velocity` and `max_speed` come first, in this order; the first two are also
/// assigned. `mass`, `max_force` and `radius` are optional.
///
/// ```
/// use wayfare::prelude::*;
/// struct Enemy {
///     at: Vec2,
///     motion: Vec2,
///     skill: f32,
/// }
/// steerable!(enemy: Enemy as Vec2 {
///     position: enemy.at, velocity: enemy.motion, max_speed: 3.0 * enemy.skill, mass: 0.3,
/// });
/// let mut enemy = Enemy { at: Vec2::ZERO, motion: Vec2::ZERO, skill: 0.5 };
/// Steering::new(0).seek(&enemy, Vec2::X).update(&mut enemy, &mut Memory::default(), 0.3);
/// assert_eq!((enemy.motion, enemy.mass()), (vec2(1.5, 0.0), 0.3));
/// ```
///
/// A type with a heading or a facing of its own implements the traits by hand.
#[macro_export]
macro_rules! steerable {
    ($host:ident: $Type:ty as $Vector:ty {
        position: $position:expr,
        velocity: $velocity:expr,
        max_speed: $max_speed:expr
        $(, $limit:ident: $value:expr)* $(,)?
    }) => {
        impl $crate::Host<$Vector> for $Type {
            fn position(&self) -> $Vector {
                let $host = self;
                $position
            }
            fn velocity(&self) -> $Vector {
                let $host = self;
                $velocity
            }
            #[allow(unused_variables)]
            fn max_speed(&self) -> f32 {
                let $host = self;
                $max_speed
            }
            $(
                #[allow(unused_variables)]
                fn $limit(&self) -> f32 {
                    let $host = self;
                    $value
                }
            )*
        }

        impl $crate::Steerable<$Vector> for $Type {
            fn set_motion(&mut self, position: $Vector, velocity: $Vector) {
                let $host = self;
                $position = position;
                $velocity = velocity;
            }
        }
    };
}

/// The state and limits of one agent, as the formulas read them.
///
/// ```
/// use wayfare::{Agent, behavior::seek, glam::vec2};
/// let guard = Agent { mass: 20.0, ..Agent::new(vec2(0.0, 0.0), 3.0) }.moving(vec2(0.0, 2.0));
/// assert_eq!(guard.heading, vec2(0.0, 1.0));
/// assert_eq!(seek(&guard, vec2(50.0, 0.0)), vec2(3.0, -2.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "boid", alias = "vehicle", alias = "autonomous agent")]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Agent<V> {
    /// The position (length).
    pub position: V,
    /// The velocity (length / time).
    pub velocity: V,
    /// The unit vector of the velocity; unchanged while the speed is below a millionth of
    /// max_speed.
    pub heading: V,
    /// The unit vector of the direction in which the agent looks: the heading, unless the group
    /// has a turn rate or a behavior such as `face`.
    pub facing: V,
    /// The mass, which is a reaction time (time); above zero.
    pub mass: f32,
    /// The top speed (length / time); above zero.
    pub max_speed: f32,
    /// The largest force (length / time); infinity for no limit.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::number"))]
    pub max_force: f32,
    /// The radius of the body (length).
    pub radius: f32,
}

impl<V: Vector> Agent<V> {
    /// An agent at `position`, at rest and facing +x, with mass 1, the given top speed (length /
    /// time), no limit of force and no body.
    pub fn new(position: V, max_speed: f32) -> Self {
        Self {
            position,
            velocity: V::ZERO,
            heading: V::X,
            facing: V::X,
            mass: 1.0,
            max_speed,
            max_force: f32::INFINITY,
            radius: 0.0,
        }
    }

    /// The same agent with `velocity`, and with heading and facing along it.
    #[must_use]
    pub fn moving(self, velocity: V) -> Self {
        let heading = heading_after(self.heading, velocity, self.max_speed);
        Self { velocity, heading, facing: heading, ..self }
    }

    /// An agent with the state and limits of any host.
    ///
    /// A mass or a top speed that is not above zero is replaced by the smallest value that a scene
    /// accepts, 1e-9.
    pub fn of(host: &impl Host<V>) -> Self {
        Self {
            position: host.position(),
            velocity: host.velocity(),
            heading: host.heading(),
            facing: host.facing(),
            mass: host.mass().max(SMALLEST),
            max_speed: host.max_speed().max(SMALLEST),
            max_force: host.max_force(),
            radius: host.radius(),
        }
    }

    /// The position and velocity after one step of semi-implicit Euler from the velocity `start`.
    ///
    /// `force` is truncated to `max_force`, the velocity to `max_speed`; `drag_factor` is
    /// (1 - drag)^dt. With dt = 1 and no drag it is the tutorials' per-frame update.
    pub(crate) fn step(&self, force: V, start: V, drag_factor: f32, dt: f32) -> (V, V) {
        let force = force.truncate(self.max_force);
        let velocity = (start * drag_factor + force * (1.0 / self.mass) * dt)
            .clamped()
            .truncate(self.max_speed);
        ((self.position + velocity * dt).clamped(), velocity)
    }
}

/// The strength of behaviors without a strength parameter (length / time): max_force, or max_speed
/// if max_force is unlimited.
#[inline(always)]
pub(crate) fn strength<V: Vector>(host: &impl Host<V>) -> f32 {
    if host.max_force().is_finite() { host.max_force() } else { host.max_speed() }
}

impl<V: Vector> Host<V> for Agent<V> {
    fn position(&self) -> V {
        self.position
    }
    fn velocity(&self) -> V {
        self.velocity
    }
    fn max_speed(&self) -> f32 {
        self.max_speed
    }
    fn max_force(&self) -> f32 {
        self.max_force
    }
    fn mass(&self) -> f32 {
        self.mass
    }
    fn radius(&self) -> f32 {
        self.radius
    }
    fn heading(&self) -> V {
        self.heading
    }
    fn facing(&self) -> V {
        self.facing
    }
}

impl<V: Vector> Steerable<V> for Agent<V> {
    fn set_motion(&mut self, position: V, velocity: V) {
        self.position = position;
        self.velocity = velocity;
        self.heading = heading_after(self.heading, velocity, self.max_speed);
        self.facing = self.heading;
    }
    fn set_facing(&mut self, facing: V) {
        self.facing = facing;
    }
}

/// Below this fraction of its top speed an agent keeps its heading.
pub(crate) const MIN_HEADING_SPEED: f32 = 1e-6;

/// The new heading of an agent with the heading `before` that now moves with `velocity`: `before`
/// while the speed is below a millionth of `max_speed`.
pub(crate) fn heading_after<V: Vector>(before: V, velocity: V, max_speed: f32) -> V {
    let slow = max_speed * MIN_HEADING_SPEED;
    let unit = velocity.unit();
    if unit == V::ZERO || velocity.length_squared() < slow * slow { before } else { unit }
}

/// The heading after a tick that turns the heading `before` towards the direction of `velocity` by
/// this `part` of the angle between them; at rest, as [`heading_after`] says, it stays.
pub(crate) fn smoothed_heading<V: Vector>(
    up: Up,
    before: V,
    velocity: V,
    max_speed: f32,
    part: f32,
) -> V {
    let towards = heading_after(before, velocity, max_speed);
    turned_in(up, before, towards, angle_between(before, towards) * part)
}

/// The state of an agent's behaviors from tick to tick: store one beside each agent whose behaviors
/// need it.
///
/// One memory serves one `wander` and one `follow_path`; an agent with two behaviors of the same
/// kind needs two.
///
/// ```
/// use wayfare::{Agent, Memory, Steering, behavior::Wander, glam::vec2};
/// let (mut guard, mut memory) = (Agent::new(vec2(0.0, 0.0), 3.0), Memory::default());
/// let mut steering = Steering::new(0);
/// steering.wander(&guard, &Wander::default().circle_distance(2.0).circle_radius(1.0)
///     .angle_change(0.5), &mut memory, 1.0);
/// steering.update(&mut guard, &mut memory, 1.0);
/// // The direction of the next displacement, near that of this one.
/// assert!(memory.wander.is_some());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory<V: Vector> {
    /// The last heading, for a [`Host`] that does not store its own.
    pub heading: Option<V>,
    /// The direction of the displacement of [`wander`](crate::behavior::wander()), drawn at the
    /// first use; in space in coordinates with z up.
    pub wander: Option<V::Direction>,
    /// The progress of [`follow_path`](crate::behavior::follow_path()).
    pub path: Progress,
    /// The agent's slot in its [`formation`](crate::behavior::formation()), or its place in its
    /// [queue](crate::behavior::queue_along()), assigned by the crowd.
    pub slot: Option<u32>,
    /// Whether [`settle`](crate::behavior::settle()) has arrived at its target.
    pub arrived: bool,
    /// Free for use by a user's behavior.
    pub own: [f32; 4],
}

impl<V: Vector> Memory<V> {
    /// Whether its behavior has arrived, at a target or the end of a path.
    pub(crate) fn has_arrived(&self) -> bool {
        self.path.done || self.arrived
    }

    /// The state of `host` with the remembered heading while the host is at rest (below a millionth
    /// of its max_speed).
    pub fn agent_with_heading(&self, host: &impl Host<V>) -> Agent<V> {
        agent_with_heading(host, self.heading)
    }
}

/// Agents on wheels, whose velocity is along their heading.
impl<V: Vector> Agent<V> {
    /// The position, the velocity and the heading after one step on wheels, from the velocity
    /// `start`.
    ///
    /// The desired velocity is `w = start + force`. The speed approaches that of `w` by the
    /// fraction dt / m (at most 1), and the heading turns towards `w` by the same fraction of the
    /// angle. A circle of `turning_radius` (length) limits the turn: to the length of this step or
    /// of the previous step, whichever is shorter, divided by the radius. So three consecutive
    /// positions never lie on a smaller circle.
    pub(crate) fn step_wheeled(
        &self,
        force: V,
        start: V,
        drag_factor: f32,
        dt: f32,
        turning_radius: f32,
        up: Up,
    ) -> (V, V, V) {
        let before = start.length() * drag_factor;
        let desired = (start * drag_factor + force.truncate(self.max_force)).clamped();
        let fraction = (dt / self.mass).min(1.0);
        let speed = (before + (desired.length() - before) * fraction).clamp(0.0, self.max_speed);
        let max_angle = before.min(speed) * dt / turning_radius;
        let angle = angle_between(self.heading, desired.unit());
        let heading = turned_in(up, self.heading, desired, max_angle.min(angle * fraction));
        let velocity = heading * speed;
        ((self.position + velocity * dt).clamped(), velocity, heading)
    }
}

/// The state of `host` with the heading `remembered`, if there is one, while the host is at rest.
pub(crate) fn agent_with_heading<V: Vector>(
    host: &impl Host<V>,
    remembered: Option<V>,
) -> Agent<V> {
    let agent = Agent::of(host);
    let heading = remembered
        .map_or(agent.heading, |before| heading_after(before, agent.velocity, agent.max_speed));
    // An agent without its own facing looks along its heading.
    let facing = if agent.facing == agent.heading { heading } else { agent.facing };
    Agent { heading, facing, ..agent }
}

impl<V: Vector> Default for Memory<V> {
    fn default() -> Self {
        Self {
            heading: None,
            wander: None,
            path: Progress::default(),
            slot: None,
            arrived: false,
            own: [0.0; 4],
        }
    }
}

/// The progress of an agent along its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The target node.
    pub node: u32,
    /// Whether the agent moves from the last node towards the first.
    pub backwards: bool,
    /// Whether the agent has reached the end of a path with `at_end` "seek" or "arrive".
    pub done: bool,
    /// Whether the agent has begun a path with `start` "nearest".
    pub begun: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use glam::{Vec2, Vec3, vec2, vec3};

    fn agent() -> Agent<Vec2> {
        Agent { mass: 2.0, ..Agent::new(vec2(10.0, 20.0), 100.0) }
    }

    #[test]
    fn a_step_moves_by_the_velocity_that_the_force_has_changed() {
        // (3, 0) * 0.9 + (4, -8) / 2 * 0.5 = (3.7, -2); the position moves by half of that.
        let (position, velocity) = agent().step(vec2(4.0, -8.0), vec2(3.0, 0.0), 0.9, 0.5);
        assert_near(velocity, vec2(3.7, -2.0));
        assert_near(position, vec2(11.85, 19.0));
        // With dt = 1 and mass 4: (0, 0, 3) + (4, -8, 0) / 4.
        let agent = Agent { mass: 4.0, ..Agent::new(Vec3::ONE, 100.0) };
        let (position, velocity) = agent.step(vec3(4.0, -8.0, 0.0), vec3(0.0, 0.0, 3.0), 1.0, 1.0);
        assert_near(velocity, vec3(1.0, -2.0, 3.0));
        assert_near(position, vec3(2.0, -1.0, 4.0));
    }

    #[test]
    fn the_force_is_truncated_before_division_by_the_mass_and_the_velocity_last() {
        // (6, 8) becomes (3, 4), and (1.5, 2) after the mass.
        let limited = Agent { max_force: 5.0, ..agent() };
        assert_near(limited.step(vec2(6.0, 8.0), Vec2::ZERO, 1.0, 1.0).1, vec2(1.5, 2.0));
        assert_near(limited.step(vec2(3.0, 0.0), Vec2::ZERO, 1.0, 1.0).1, vec2(1.5, 0.0));
        // (0, 4) + (6, 8) / 2 = (3, 8) is truncated to 5; without force (30, 40) is truncated, too.
        let slow = Agent { max_speed: 5.0, ..agent() };
        let (position, velocity) = slow.step(vec2(6.0, 8.0), vec2(0.0, 4.0), 1.0, 1.0);
        assert_near(velocity, vec2(3.0, 8.0) * (5.0 / 73.0_f32.sqrt()));
        assert_near(position, vec2(10.0, 20.0) + velocity);
        assert_near(slow.step(Vec2::ZERO, vec2(30.0, 40.0), 1.0, 1.0).1, vec2(3.0, 4.0));
        // At max_force 0 no force acts.
        assert_eq!(
            Agent { max_force: 0.0, ..agent() }.step(vec2(6.0, 8.0), Vec2::X, 1.0, 1.0).1,
            Vec2::X
        );
    }

    #[test]
    fn on_wheels_the_velocity_follows_the_heading_and_turns_on_no_smaller_circle() {
        // The desired velocity is (0, 4), the mass 2: half of 90 degrees exceeds the turn on a
        // circle of 12 over a distance of 3.
        let agent = agent().moving(vec2(3.0, 0.0));
        let (position, velocity, heading) =
            agent.step_wheeled(vec2(-3.0, 4.0), agent.velocity, 1.0, 1.0, 12.0, Up::Z);
        assert_near(heading, Vec2::from_angle(0.25));
        assert_near(velocity, heading * 3.5);
        assert_near(position, vec2(10.0, 20.0) + velocity);
        // On a small circle the agent turns by half of the angle, and a force along the velocity
        // changes only the speed.
        assert_near(
            agent.step_wheeled(vec2(-3.0, 4.0), agent.velocity, 1.0, 1.0, 0.1, Up::Z).2,
            Vec2::from_angle(core::f32::consts::FRAC_PI_4),
        );
        assert_near(
            agent.step_wheeled(vec2(2.0, 0.0), agent.velocity, 1.0, 1.0, 12.0, Up::Z).1,
            vec2(4.0, 0.0),
        );
        // With a desired velocity straight back the agent moves on and turns to its left; at rest
        // it does not turn; with a desired velocity of zero it keeps its heading.
        let (_, back, heading) =
            agent.step_wheeled(vec2(-6.0, 0.0), agent.velocity, 1.0, 1.0, 12.0, Up::Z);
        assert_near(heading, Vec2::from_angle(0.25));
        assert_near(back, heading * 3.0);
        assert_near(
            agent.step_wheeled(vec2(0.0, 4.0), Vec2::ZERO, 1.0, 1.0, 12.0, Up::Z).1,
            vec2(2.0, 0.0),
        );
        assert_near(
            agent.step_wheeled(vec2(-3.0, 0.0), agent.velocity, 1.0, 1.0, 12.0, Up::Z).1,
            vec2(1.5, 0.0),
        );
    }

    #[test]
    fn the_heading_is_the_direction_of_the_velocity_and_kept_below_a_millionth_of_max_speed() {
        assert_eq!(heading_after(Vec2::Y, vec2(0.6, -0.8), 1.0), vec2(0.6, -0.8));
        assert_eq!(heading_after(Vec2::Y, vec2(0.9e-6, 0.0), 1.0), Vec2::Y);
        assert_near(heading_after(Vec2::Y, vec2(1.1e-6, 0.0), 1.0), Vec2::X);
        assert_eq!(heading_after(Vec3::Y, Vec3::ZERO, 1.0), Vec3::Y);
        let mut agent = Agent::new(Vec2::ZERO, 5.0);
        assert_eq!(agent.heading, Vec2::X);
        agent.set_motion(Vec2::ONE, vec2(0.0, -2.0));
        assert_eq!(
            (agent.position, agent.velocity, agent.heading),
            (Vec2::ONE, vec2(0.0, -2.0), vec2(0.0, -1.0))
        );
        agent.set_motion(Vec2::ONE, Vec2::ZERO);
        assert_eq!(agent.heading, vec2(0.0, -1.0));
        assert_eq!(agent.moving(vec2(-3.0, 0.0)).heading, vec2(-1.0, 0.0));
    }
}
