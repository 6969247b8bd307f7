//! Orders: the target that one agent has of its own, which a game changes while the crowd runs.

use crate::id::{AgentId, PathId};
use crate::parameter::Target;

/// The word of scenes that stands for the order of the host where a behavior takes a target, a
/// group or a path.
pub const ORDER: &str = "order";

/// The target of one agent, set by [`Crowd::set_order`](crate::Crowd::set_order). Behaviors read it
/// as [`Target::Order`], [`GroupId::ORDER`](crate::GroupId::ORDER) or [`PathId::ORDER`].
///
/// `P` refers to a path: by its id, or by its name in a [`Command`](crate::crowd::Command).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Order<V, P = PathId> {
    /// To a point (length).
    Point(V),
    /// To another agent, wherever it is, while it is in the crowd.
    Agent(AgentId),
    /// Along a path.
    Path(P),
}

/// What an agent does without an order, where a behavior reads one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum WithoutOrder<V> {
    /// Brakes to a stop: the force is increased by `-v`.
    Hold,
    /// Keeps its velocity: behaviors that read the order exert no force.
    Coast,
    /// Steers as if ordered to this target, which is not [`Target::Order`].
    Target(Target<V>),
}

impl<V, P> Order<V, P> {
    /// The same order with another reference to a path.
    ///
    /// # Errors
    /// That of `reference`.
    pub fn map_path<Q, E>(
        self,
        reference: impl FnOnce(P) -> Result<Q, E>,
    ) -> Result<Order<V, Q>, E> {
        Ok(match self {
            Order::Point(point) => Order::Point(point),
            Order::Agent(id) => Order::Agent(id),
            Order::Path(path) => Order::Path(reference(path)?),
        })
    }
}
