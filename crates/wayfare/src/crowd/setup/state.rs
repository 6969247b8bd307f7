//! States of a group, and the transitions between them.

use super::condition::Condition;
use super::exit::ExitAction;
use crate::combine::List;
use crate::vector::Vector;

/// What an agent does for a while.
#[derive(Clone, Debug)]
pub struct State<V: Vector> {
    /// Its name, unique in the group.
    pub name: String,
    /// How stats change in it: (index of the stat, change per unit of time).
    pub rates: Vec<(usize, f32)>,
    /// What it steers by, after the group's own list.
    pub steer: List<V>,
    /// The ways out, in the order in which they are tried.
    pub leave: Vec<Transition<V>>,
}

/// A way out of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition<V> {
    /// Where it leads to.
    pub to: TransitionTarget<V>,
    /// When it is taken.
    pub when: Condition<V>,
}

/// Where a way out of a state leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum TransitionTarget<V> {
    /// The state with this index.
    State(usize),
    /// Out of the crowd: at the end of the tick, in which it steers as before.
    Out(ExitAction<V>),
}

impl<V> TransitionTarget<V> {
    /// The index of the state it leads to, if it leads to one.
    pub fn state(&self) -> Option<usize> {
        if let TransitionTarget::State(state) = self { Some(*state) } else { None }
    }
}

impl<V> From<usize> for TransitionTarget<V> {
    fn from(state: usize) -> Self {
        TransitionTarget::State(state)
    }
}
