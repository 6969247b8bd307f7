//! States of a group, and the transitions between them.

use alloc::string::String;
use alloc::vec::Vec;

use super::allowed::ranges;
use super::condition::Condition;
use super::exit::ExitAction;
use super::limit::Limit;
use crate::combine::{Combine, List};
use crate::id::{Named, StatId, StateId};
use crate::parameter::{Kind, described, parameters, part_field, tables};
use crate::random::{Random, chosen};
use crate::registry::Behavior;
use crate::vector::Vector;

parameters! {
    /// A state of a group's members: one set of behaviors, and the transitions to other states.
    "state" = pub struct State<V: Vector> {
        /// The state's name, unique in the group.
        name: String = required, Kind::Text, "\"hunt\"";
        /// The reaction time in this state, in place of that of the group.
        mass: Option<f32> = None, Kind::Number(ranges::MASS), "20";
        /// The top speed in this state.
        max_speed: Option<f32> = None, Kind::Number(ranges::MAX_SPEED), "4";
        /// The length to which forces are truncated in this state.
        max_force: Option<f32> = None, Kind::Number(ranges::MAX_FORCE), "5.4";
        /// The radius of the body in this state.
        radius: Option<f32> = None, Kind::Number(ranges::RADIUS), "5";
        /// The part of the velocity that is lost per unit of time in this state.
        drag: Option<f32> = None, Kind::Number(ranges::DRAG), "0.1";
        /// The rule that combines the forces of the group's own list and of the state's, in place
        /// of that of the group. `epsilon` and `standing` are those of the group in all states.
        combine: Option<Combine> = None, Kind::Word(Combine::WORDS), "\"priority\"";
        /// The change of stats per unit of time.
        rates as "rate": Vec<(Named<StatId>, f32)> = (Vec::new()), Kind::Rates, "{ stamina = -2 }";
        /// The behaviors in this state, after the group's own list.
        steer as "steer": List<V> = (List::default()), Kind::Behaviors,
            "[{ pursue = { quarry = \"prey\" } }]";
        /// Transitions to other states or out of the crowd, in the order in which their conditions
        /// are tested; the first that holds is taken.
        leave as "leave": Vec<Transition<V>> = (Vec::new()), Kind::Transitions;
    }
}

described!(State<V: Vector>);
tables!(State<V>);

impl<V: Vector> State<V> {
    /// This limit of its agents; `None` for that of the group.
    pub fn limit(&self, limit: Limit) -> Option<f32> {
        match limit {
            Limit::Mass => self.mass,
            Limit::MaxSpeed => self.max_speed,
            Limit::MaxForce => self.max_force,
            Limit::Radius => self.radius,
        }
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

    /// One more stat that changes in this state, by its name or its index: by `rate` per unit of
    /// time.
    #[must_use]
    pub fn rate(mut self, stat: impl Into<Named<StatId>>, rate: f32) -> Self {
        self.rates.push((stat.into(), rate));
        self
    }

    /// One more transition: to a state by its name or its index, or out of the crowd.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// const PREY: GroupId = GroupId(1);
    /// let near = Condition::Near(Target::Group(PREY), 60.0, None);
    /// let look = State::new("look").steer(Wander::default().circle_distance(2.0)
    ///     .circle_radius(1.0).angle_change(0.3)).leave("hunt", near);
    /// let hunt = State::new("hunt").max_speed(4.0).steer(Pursue::new(PREY));
    /// let hunter = Group::new("hunter", 1, Spawn::point(Vec2::ZERO), 2.0).state(look).state(hunt);
    /// let prey = Group::new("prey", 1, Spawn::point(vec2(50.0, 0.0)), 2.0);
    /// let mut crowd = Setup::new(1.0).group(hunter).group(prey).crowd()?;
    /// crowd.step();
    /// let hunter = crowd.get(0).unwrap();
    /// assert_eq!((hunter.state, hunter.agent.velocity), (Some("hunt"), vec2(4.0, 0.0)));
    /// # Ok::<(), SetupError>(())
    /// ```
    #[must_use]
    pub fn leave(mut self, to: impl Into<TransitionTarget<V>>, when: Condition<V>) -> Self {
        self.leave.push(Transition { to: to.into(), when });
        self
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
#[non_exhaustive]
pub enum TransitionTarget<V> {
    /// This state.
    State(Named<StateId>),
    /// One of these states: (state, weight above 0). An agent that takes the
    /// transition draws the state, with the probability that its weight has in the sum of all; the
    /// draw follows from the seed, the agent's id and the tick.
    OneOf(Vec<(Named<StateId>, f32)>),
    /// Out of the crowd, at the end of the tick; during the tick the agent still steers by this
    /// state.
    Out(ExitAction<V>),
}

impl<V> TransitionTarget<V> {
    /// One of these states, each with its weight above 0: [`OneOf`](Self::OneOf).
    pub fn one_of<S: Into<Named<StateId>>>(states: impl IntoIterator<Item = (S, f32)>) -> Self {
        let states = states.into_iter().map(|(state, weight)| (state.into(), weight));
        TransitionTarget::OneOf(states.collect())
    }

    /// The states to which the transition can lead; none if it leads out of the crowd.
    pub fn states(&self) -> impl Iterator<Item = &Named<StateId>> {
        let (one, several) = match self {
            TransitionTarget::State(state) => (Some(state), &[][..]),
            TransitionTarget::OneOf(states) => (None, &states[..]),
            TransitionTarget::Out(_) => (None, &[][..]),
        };
        one.into_iter().chain(several.iter().map(|(state, _)| state))
    }

    /// The state to which the transition leads, with the random numbers of the agent that takes
    /// it; `None` if it leads out of the crowd.
    pub(in crate::crowd) fn draw(&self, mut random: Random) -> Option<StateId> {
        let state = match self {
            TransitionTarget::OneOf(states) => {
                let weights = states.iter().map(|(_, weight)| *weight);
                chosen(weights, &mut random).map(|index| &states[index].0)
            }
            _ => self.states().next(),
        };
        match state? {
            Named::Id(state) => Some(*state),
            // Names of states are found when the group is compiled.
            Named::Name(_) => None,
        }
    }

    /// Replaces the names of states by their ids; `names` are those of the group.
    pub(in crate::crowd) fn find_states(&mut self, names: &[&str]) {
        let find = |state: &mut Named<StateId>| {
            if let Some(id) = state.among(names.iter().copied()) {
                *state = Named::Id(id);
            }
        };
        match self {
            TransitionTarget::State(state) => find(state),
            TransitionTarget::OneOf(states) => states.iter_mut().for_each(|(state, _)| find(state)),
            TransitionTarget::Out(_) => {}
        }
    }
}

impl<V, S: Into<Named<StateId>>> From<S> for TransitionTarget<V> {
    fn from(state: S) -> Self {
        TransitionTarget::State(state.into())
    }
}

impl<V> From<ExitAction<V>> for TransitionTarget<V> {
    fn from(then: ExitAction<V>) -> Self {
        TransitionTarget::Out(then)
    }
}

part_field!(Vec<Transition<V>>, Vec::new());
