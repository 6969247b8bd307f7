//! Orders: the target that one agent has of its own, which a game changes while the crowd runs.

use crate::id::{AgentId, PathId};
use crate::parameter::{Field, Target, Value};
use crate::vector::Vector;

/// The word of scenes that stands for the order of the host where a behavior takes a target, a
/// group or a path.
pub const ORDER: &str = "order";

/// The target of one agent, set by [`Crowd::set_order`](crate::Crowd::set_order). Behaviors read it
/// as [`Target::Order`], [`GroupId::ORDER`](crate::GroupId::ORDER) or [`PathId::ORDER`].
///
/// `P` refers to a path: by its id, or by its name in a [`Command`](crate::crowd::Command).
///
/// ```
/// use wayfare::prelude::*;
/// let units = Group::new("units", 2, Spawn::points([vec2(0.0, 0.0), vec2(0.0, 50.0)]), 3.0)
///     .steer(Seek::new(Target::Order));
/// let mut crowd = Setup::new(1.0).group(units).crowd()?;
/// crowd.set_order(0, Some(Order::Agent(AgentId(1))))?;
/// crowd.set_order(1, Some(Order::Point(vec2(90.0, 50.0))))?;
/// crowd.step();
/// let velocity = |id: u32| crowd.get(id).unwrap().agent.velocity;
/// assert_eq!((velocity(0), velocity(1)), (vec2(0.0, 3.0), vec2(3.0, 0.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Order<V, P = PathId> {
    /// To a point (length).
    Point(V),
    /// To another agent, wherever it is, while it is in the crowd.
    Agent(AgentId),
    /// Along a path.
    Path(P),
}

impl<V: Vector, P> From<V> for Order<V, P> {
    fn from(point: V) -> Self {
        Order::Point(point)
    }
}

impl<V, P> From<AgentId> for Order<V, P> {
    fn from(id: AgentId) -> Self {
        Order::Agent(id)
    }
}

impl<V> From<PathId> for Order<V> {
    fn from(path: PathId) -> Self {
        Order::Path(path)
    }
}

/// The rule for an agent without an order, where a behavior reads one.
///
/// ```
/// use wayfare::prelude::*;
/// let unit = Group::new("unit", 1, Spawn::point(vec2(0.0, 0.0)), 3.0)
///     .velocity(vec2(2.0, 0.0))
///     .steer(Seek::new(Target::Order));
/// for (rule, speed) in [(WithoutOrder::Hold, 0.0), (WithoutOrder::Coast, 2.0)] {
///     let unit = Group { without_order: rule, ..unit.clone() };
///     let mut crowd = Setup::new(1.0).group(unit).crowd()?;
///     crowd.step();
///     assert_eq!(crowd.get(0).unwrap().agent.velocity, vec2(speed, 0.0));
/// }
/// # Ok::<(), SetupError>(())
/// ```
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

impl<V: Vector> Field<V> for WithoutOrder<V> {
    fn placeholder() -> Self {
        WithoutOrder::Hold
    }
    fn read(value: Value<V>) -> Option<Self> {
        match value {
            Value::Word("hold") => Some(WithoutOrder::Hold),
            Value::Word("coast") => Some(WithoutOrder::Coast),
            Value::Target(target) => Some(WithoutOrder::Target(target)),
            _ => None,
        }
    }
    fn write(&self) -> Option<Value<V>> {
        Some(match self {
            WithoutOrder::Hold => Value::Word("hold"),
            WithoutOrder::Coast => Value::Word("coast"),
            WithoutOrder::Target(target) => Value::Target(*target),
        })
    }
}
