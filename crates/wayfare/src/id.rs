//! The ids of agents, groups, paths, flow fields and stats: numbers of different kinds that the
//! compiler keeps apart.

use core::fmt;

/// The id of an agent. A crowd counts ids up from 0 and never gives one to a second agent.
///
/// Functions that look an agent up take the number as well: `crowd.get(0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct AgentId(pub u32);

impl AgentId {
    /// The id of no agent: of a point, the pointer, or a host that is steered alone. A crowd gives
    /// it to no agent.
    pub const NONE: Self = Self(u32::MAX);
}

/// A group by its index in the setup of its crowd.
///
/// Functions that take a group take the index as well: `crowd.add(0, position, None)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct GroupId(pub usize);

impl GroupId {
    /// In place of a group where a behavior takes a quarry, a threat or a leader: the agent of the
    /// host's [order](crate::Order).
    pub const ORDER: Self = Self(u32::MAX as usize);
}

/// A path by its index in the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PathId(pub usize);

impl PathId {
    /// In place of a path where a behavior takes one: the path of the host's
    /// [order](crate::Order).
    pub const ORDER: Self = Self(u32::MAX as usize);
}

/// A flow field by its index in the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct FieldId(pub usize);

/// A stat by its index in its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct StatId(pub usize);

impl From<u32> for AgentId {
    fn from(number: u32) -> Self {
        Self(number)
    }
}

impl From<usize> for GroupId {
    fn from(index: usize) -> Self {
        Self(index)
    }
}

/// Writes the number.
impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Writes the index.
impl fmt::Display for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
