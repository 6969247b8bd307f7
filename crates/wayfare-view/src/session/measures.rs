//! Quantities of an agent, or of a group on average, at one tick: the numbers that are plotted.

use wayfare::{AgentId, GroupId};

/// The agent or group that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// An agent by id.
    Agent(AgentId),
    /// A group.
    Group(GroupId),
}

/// A quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantity {
    /// Speed (length / time); of a group the mean, the slowest and the fastest.
    Speed,
    /// Distance (length) to the target of the first behavior that has one.
    Distance,
    /// Length of each behavior's own force (length / time).
    Forces,
    /// Number of pairs of overlapping bodies, in the whole crowd.
    Overlaps,
    /// Number of crossings of each line, by direction.
    Lines,
}

/// A measured number and its name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measure {
    pub(crate) quantity: Quantity,
    pub(crate) name: String,
    pub(crate) value: f32,
}

/// Means by name, in the order in which the names first came.
#[derive(Default)]
pub(crate) struct Means(Vec<(String, f32, u32)>);

impl Means {
    pub(crate) fn add(&mut self, name: &str, value: f32) {
        match self.0.iter_mut().find(|(known, ..)| known == name) {
            Some((_, sum, count)) => (*sum, *count) = (*sum + value, *count + 1),
            None => self.0.push((name.to_string(), value, 1)),
        }
    }

    pub(crate) fn measures(self, quantity: Quantity) -> impl Iterator<Item = Measure> {
        self.0.into_iter().map(move |(name, sum, count)| Measure {
            quantity,
            name,
            value: sum / count as f32,
        })
    }
}
