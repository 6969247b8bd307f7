//! The limits of an agent: which there are, with their names in scenes and their ranges, and the
//! values of one agent.

use super::allowed::ranges;
use crate::agent::Agent;
use crate::parameter::Range;
use crate::vector::Vector;

/// A limit of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Limit {
    /// The mass, which is a reaction time (time).
    Mass,
    /// The top speed (length / time).
    MaxSpeed,
    /// The largest force (length / time).
    MaxForce,
    /// The body radius (length).
    Radius,
}

impl Limit {
    /// All limits.
    pub const ALL: [Self; 4] = [Limit::Mass, Limit::MaxSpeed, Limit::MaxForce, Limit::Radius];

    /// The name, which is its key in scenes.
    pub const fn name(self) -> &'static str {
        match self {
            Limit::Mass => "mass",
            Limit::MaxSpeed => "max_speed",
            Limit::MaxForce => "max_force",
            Limit::Radius => "radius",
        }
    }

    /// The allowed values.
    pub const fn range(self) -> Range {
        match self {
            Limit::Mass => ranges::MASS,
            Limit::MaxSpeed => ranges::MAX_SPEED,
            Limit::MaxForce => ranges::MAX_FORCE,
            Limit::Radius => ranges::RADIUS,
        }
    }

    /// The limit with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|limit| limit.name() == name)
    }

    /// The bit of this limit among those that an agent has of its own.
    pub(in crate::crowd) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The limits of an agent, which do not change as it moves. They share one column because each step
/// reads all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    pub(crate) mass: f32,
    pub(crate) max_speed: f32,
    pub(crate) max_force: f32,
    pub(crate) radius: f32,
}

impl Limits {
    /// The limits of `agent`.
    pub(crate) fn of<V>(agent: &Agent<V>) -> Self {
        let &Agent { mass, max_speed, max_force, radius, .. } = agent;
        Self { mass, max_speed, max_force, radius }
    }

    /// These limits, with those of `before` that are an agent's own: a bit for each
    /// [`Limit`].
    pub(crate) fn with_own(self, own: u8, before: Self) -> Self {
        let keep = |limit: Limit| own & limit.bit() != 0;
        let choose = |limit, before, new| if keep(limit) { before } else { new };
        Self {
            mass: choose(Limit::Mass, before.mass, self.mass),
            max_speed: choose(Limit::MaxSpeed, before.max_speed, self.max_speed),
            max_force: choose(Limit::MaxForce, before.max_force, self.max_force),
            radius: choose(Limit::Radius, before.radius, self.radius),
        }
    }

    /// The limit `which`.
    pub(crate) fn of_kind(&mut self, which: Limit) -> &mut f32 {
        match which {
            Limit::Mass => &mut self.mass,
            Limit::MaxSpeed => &mut self.max_speed,
            Limit::MaxForce => &mut self.max_force,
            Limit::Radius => &mut self.radius,
        }
    }

    /// An agent with these limits, its position, velocity and heading, and its facing; without one
    /// it faces along its heading.
    #[inline(always)]
    pub(crate) fn agent<V: Vector>(
        self,
        [position, velocity, heading]: [V; 3],
        facing: Option<&V>,
    ) -> Agent<V> {
        let Self { mass, max_speed, max_force, radius } = self;
        let facing = facing.copied().unwrap_or(heading);
        Agent { position, velocity, heading, facing, mass, max_speed, max_force, radius }
    }
}
