//! States of a group, and the transitions between them.

use alloc::string::String;
use alloc::vec::Vec;

use super::condition::Condition;
use super::exit::ExitAction;
use super::limit::Limit;
use crate::combine::List;
use crate::vector::Vector;

/// A state of a group's members: one set of behaviors, and the transitions to other states.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct State<V: Vector> {
    /// The name, unique in the group.
    pub name: String,
    /// The limits of agents in this state, in place of those of the group.
    pub limits: StateLimits,
    /// The change of stats in this state: (index of the stat, change per unit of time).
    pub rates: Vec<(usize, f32)>,
    /// The behaviors of the state, evaluated after the group's own list.
    pub steer: List<V>,
    /// The transitions, in the order in which their conditions are tested.
    pub leave: Vec<Transition<V>>,
}

/// The limits that a state gives its agents; `None` leaves that of the group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct StateLimits {
    /// The reaction time (time), above zero.
    pub mass: Option<f32>,
    /// The maximum speed (length / time), above zero.
    pub max_speed: Option<f32>,
    /// The maximum force (length / time); infinity for no limit.
    #[cfg_attr(feature = "serde", serde(with = "crate::encoding::optional_number"))]
    pub max_force: Option<f32>,
    /// The body radius (length).
    pub radius: Option<f32>,
}

impl StateLimits {
    /// The limits with their names in scenes and their ranges.
    pub fn named(&self) -> [(Limit, Option<f32>); 4] {
        let Self { mass, max_speed, max_force, radius } = *self;
        [
            (Limit::Mass, mass),
            (Limit::MaxSpeed, max_speed),
            (Limit::MaxForce, max_force),
            (Limit::Radius, radius),
        ]
    }
}

/// A transition out of a state.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Transition<V> {
    /// The target of the transition.
    pub to: TransitionTarget<V>,
    /// The condition under which the transition is taken.
    pub when: Condition<V>,
}

/// The target of a transition.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum TransitionTarget<V> {
    /// The state with this index.
    State(usize),
    /// Out of the crowd, at the end of the tick; during the tick the agent still steers by this
    /// state.
    Out(ExitAction<V>),
}

impl<V> TransitionTarget<V> {
    /// The index of the target state; `None` if the transition leads out of the crowd.
    pub fn state(&self) -> Option<usize> {
        if let TransitionTarget::State(state) = self { Some(*state) } else { None }
    }
}

impl<V> From<usize> for TransitionTarget<V> {
    fn from(state: usize) -> Self {
        TransitionTarget::State(state)
    }
}
