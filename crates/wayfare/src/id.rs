//! The ids of agents, groups, stats and of everything in the world: numbers of different kinds that
//! the compiler keeps apart.
//!
//! A crowd gives an id once: it stays valid while others are removed, and no other item gets it.

use alloc::string::String;
use core::fmt;

/// The id of an agent. A crowd counts ids up from 0, first the members at the start, group by
/// group, and never gives one to a second agent.
///
/// Functions that look an agent up take the number as well: `crowd.get(0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct AgentId(pub u32);

impl AgentId {
    /// The id of no agent: of a point, the pointer, or a host that is steered alone. A crowd gives
    /// it to no agent.
    pub const NONE: Self = Self(u32::MAX);
}

/// A group by its index in the setup of its crowd; groups that are added later count on.
///
/// Functions that take a group take the index as well: `crowd.add(0, position, None)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct GroupId(pub usize);

impl GroupId {
    /// In place of a group where a behavior takes a quarry, a threat or a leader: the agent of the
    /// host's [order](crate::Order).
    pub const ORDER: Self = Self(u32::MAX as usize);
}

/// A path by its index in the context, which is that in the setup; added paths count on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct PathId(pub usize);

impl PathId {
    /// In place of a path where a behavior takes one: the path of the host's
    /// [order](crate::Order).
    pub const ORDER: Self = Self(u32::MAX as usize);
}

/// A flow field by its index in the context, which is that in the setup; added fields count on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct FieldId(pub usize);

/// A stat by its index in its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct StatId(pub usize);

/// A state by its index in its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct StateId(pub usize);

impl From<u32> for AgentId {
    fn from(number: u32) -> Self {
        Self(number)
    }
}

impl From<usize> for StatId {
    fn from(index: usize) -> Self {
        Self(index)
    }
}

impl From<StatId> for usize {
    fn from(stat: StatId) -> Self {
        stat.0
    }
}

impl From<StateId> for usize {
    fn from(state: StateId) -> Self {
        state.0
    }
}

impl From<usize> for StateId {
    fn from(index: usize) -> Self {
        Self(index)
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

/// An item of a group, such as a state: by its id, or by its name, which the crowd looks up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named<I> {
    /// By its id.
    Id(I),
    /// By its name.
    Name(String),
}

impl<I: Copy + From<usize>> Named<I> {
    /// The id of the item among those with these names, in the order of their ids; `None` if there
    /// is none.
    pub fn among<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Option<I>
    where
        I: PartialEq,
    {
        let mut ids = names.into_iter().enumerate().map(|(i, name)| (I::from(i), name));
        ids.find(|(id, name)| match self {
            Named::Id(other) => other == id,
            Named::Name(other) => other == name,
        })
        .map(|(id, _)| id)
    }
}

macro_rules! named {
    ($($id:ident)*) => {$(
        impl From<$id> for Named<$id> {
            fn from(id: $id) -> Self {
                Named::Id(id)
            }
        }

        impl From<usize> for Named<$id> {
            fn from(index: usize) -> Self {
                Named::Id($id(index))
            }
        }

        impl From<&str> for Named<$id> {
            fn from(name: &str) -> Self {
                Named::Name(name.into())
            }
        }
    )*};
}

named! { StatId StateId }

/// Writes the name in quotes, or the index.
impl<I: Copy + Into<usize>> fmt::Display for Named<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Named::Id(id) => (*id).into().fmt(f),
            Named::Name(name) => write!(f, "\"{name}\""),
        }
    }
}

/// Ids of items that nothing but the caller refers to.
macro_rules! counted_ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl From<u32> for $name {
            fn from(number: u32) -> Self {
                Self(number)
            }
        }

        /// Writes the number.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

counted_ids! {
    /// An obstacle: its index in the setup, or for an added one a number that counts on.
    ObstacleId
    /// A line: its index in the setup, or for an added one a number that counts on.
    LineId
    /// An exit: its index in the setup, or for an added one a number that counts on.
    ExitId
    /// A source: its index in the setup, or for an added one a number that counts on.
    SourceId
}
