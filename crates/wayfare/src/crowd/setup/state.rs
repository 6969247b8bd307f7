//! States of a group, and the transitions between them.

use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::condition::Condition;
use super::exit::ExitAction;
use super::limit::Limit;
use crate::combine::{Combine, List};
use crate::random::{Random, chosen};
use crate::registry::Behavior;
use crate::vector::Vector;

/// A state of a group's members: one set of behaviors, and the transitions to other states.
///
/// ```
/// use wayfare::prelude::*;
/// const PREY: GroupId = GroupId(1);
/// let near = Condition::Near(Target::Group(PREY), 60.0, None);
/// let look = State::new("look").steer(Wander::new(2.0, 1.0, 0.3)).leave(1, near);
/// let hunt = State::new("hunt").max_speed(4.0).steer(Pursue::new(PREY));
/// let hunter = Group::new("hunter", 1, Spawn::point(vec2(0.0, 0.0)), 2.0).state(look).state(hunt);
/// let prey = Group::new("prey", 1, Spawn::point(vec2(50.0, 0.0)), 2.0);
/// let mut crowd = Setup::new(1.0).group(hunter).group(prey).crowd()?;
/// crowd.step();
/// let hunter = crowd.get(0).unwrap();
/// assert_eq!((hunter.state, hunter.agent.velocity), (Some("hunt"), vec2(4.0, 0.0)));
/// # Ok::<(), SetupError>(())
/// ```
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
    /// The part of the velocity that is lost per unit of time (0 to 1, exclusive); `None` leaves
    /// that of the group.
    #[cfg_attr(feature = "serde", serde(default))]
    pub drag: Option<f32>,
    /// The rule that combines the forces of the group's own list and of the state's; `None` leaves
    /// that of the group's list. `combine` of the state's own list has no effect, and `epsilon` and
    /// `standing` are those of the group's list in all states.
    #[cfg_attr(feature = "serde", serde(default))]
    pub combine: Option<Combine>,
    /// The change of stats in this state: (index of the stat, change per unit of time).
    pub rates: Vec<(usize, f32)>,
    /// The behaviors of the state, evaluated after the group's own list.
    pub steer: List<V>,
    /// The transitions, in the order in which their conditions are tested.
    pub leave: Vec<Transition<V>>,
}

impl<V: Vector> State<V> {
    /// A state without behaviors that no transition leaves, with the limits of the group.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_string(),
            limits: StateLimits::default(),
            drag: None,
            combine: None,
            rates: Vec::new(),
            steer: List::default(),
            leave: Vec::new(),
        }
    }

    /// The reaction time in this state (time), above zero.
    #[must_use]
    pub fn mass(mut self, mass: f32) -> Self {
        self.limits.mass = Some(mass);
        self
    }

    /// The maximum speed in this state (length / time), above zero.
    #[must_use]
    pub fn max_speed(mut self, max_speed: f32) -> Self {
        self.limits.max_speed = Some(max_speed);
        self
    }

    /// The maximum force in this state (length / time).
    #[must_use]
    pub fn max_force(mut self, max_force: f32) -> Self {
        self.limits.max_force = Some(max_force);
        self
    }

    /// The body radius in this state (length).
    #[must_use]
    pub fn radius(mut self, radius: f32) -> Self {
        self.limits.radius = Some(radius);
        self
    }

    /// One more behavior.
    #[must_use]
    pub fn steer(mut self, behavior: impl Into<Behavior<V>>) -> Self {
        self.steer = self.steer.with(behavior);
        self
    }

    /// One more behavior, whose force is multiplied by `weight`.
    #[must_use]
    pub fn weighted(mut self, weight: f32, behavior: impl Into<Behavior<V>>) -> Self {
        self.steer = self.steer.weighted(weight, behavior);
        self
    }

    /// The rule that combines the forces of the behaviors in this state.
    #[must_use]
    pub fn combine(mut self, rule: Combine) -> Self {
        self.combine = Some(rule);
        self
    }

    /// One more transition, to the state with the index `to`, or out of the crowd.
    #[must_use]
    pub fn leave(mut self, to: impl Into<TransitionTarget<V>>, when: Condition<V>) -> Self {
        self.leave.push(Transition { to: to.into(), when });
        self
    }
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
    /// One of these states: (index of the state, weight above 0). An agent that takes the
    /// transition draws the state, with the probability that its weight has in the sum of all; the
    /// draw follows from the seed, the agent's id and the tick.
    OneOf(Vec<(usize, f32)>),
    /// Out of the crowd, at the end of the tick; during the tick the agent still steers by this
    /// state.
    Out(ExitAction<V>),
}

impl<V> TransitionTarget<V> {
    /// The indices of the states to which the transition can lead; none if it leads out of the
    /// crowd.
    pub fn states(&self) -> impl Iterator<Item = usize> {
        let (one, several) = match self {
            TransitionTarget::State(state) => (Some(*state), &[][..]),
            TransitionTarget::OneOf(states) => (None, &states[..]),
            TransitionTarget::Out(_) => (None, &[][..]),
        };
        one.into_iter().chain(several.iter().map(|(state, _)| *state))
    }

    /// The state to which the transition leads, with the random numbers of the agent that takes
    /// it; `None` if it leads out of the crowd.
    pub(in crate::crowd) fn draw(&self, mut random: Random) -> Option<usize> {
        let TransitionTarget::OneOf(states) = self else { return self.states().next() };
        let weights = states.iter().map(|(_, weight)| *weight);
        chosen(weights, &mut random).map(|index| states[index].0)
    }
}

impl<V> From<usize> for TransitionTarget<V> {
    fn from(state: usize) -> Self {
        TransitionTarget::State(state)
    }
}
