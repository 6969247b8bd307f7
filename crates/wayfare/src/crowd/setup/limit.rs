//! The limits of an agent: which there are, with their names in scenes and their ranges.

use super::validate::ranges;
use crate::parameter::Range;

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
