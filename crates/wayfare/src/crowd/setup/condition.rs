//! Conditions under which a transition is taken.

use crate::parameter::Target;

/// What can hold for an agent.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition<V> {
    /// A stat (its index) is at most this.
    AtMost(usize, f32),
    /// A stat (its index) is at least this.
    AtLeast(usize, f32),
    /// The target is at most this far away (length); never for a group without other members.
    Near(Target<V>, f32),
    /// The target, or everybody of the group, is at least this far away (length).
    FarFrom(Target<V>, f32),
    /// The agent has been in its state for this long (time).
    TimeInState(f64),
    /// Whether a path that it follows now has been walked to its end.
    PathDone(bool),
    /// Whether it sees now whom its group looks out for.
    Sees(bool),
    /// Whether it sees whom its group looks out for, or remembers where it did.
    Remembers(bool),
    /// It has stayed so near to one place (length) for so long (time): the place where it was when
    /// it last was farther from the one before. The time begins anew where a state does.
    Stuck(f32, f64),
    /// All of these hold.
    All(Vec<Condition<V>>),
    /// One of these holds.
    Any(Vec<Condition<V>>),
    /// This does not hold.
    Not(Box<Condition<V>>),
}
