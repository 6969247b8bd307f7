//! What the tests share: equality up to rounding, and company for a host.

use crate::agent::{Agent, Memory};
use crate::behavior::Steer;
use crate::neighbors::{Neighbor, Neighbors};
use crate::surroundings::{Agents, Seen, Surroundings};
use crate::vector::Vector;

/// Fails unless the two differ by less than a hundred-thousandth of the longer one (of 1 if both are shorter).
#[track_caller]
pub(crate) fn assert_near<V: Vector>(found: V, expected: V) {
    let scale = found.length().max(expected.length()).max(1.0);
    assert!((found - expected).length() < 1e-5 * scale, "found {found:?}, expected {expected:?}");
}

/// The neighbors at these offsets from the host, with these velocities and groups; their ids are their places in the list.
pub(crate) fn company<V: Vector>(others: &[(V, V, usize)]) -> Neighbors<V> {
    let mut neighbors = Neighbors::none();
    for (id, &(offset, velocity, group)) in others.iter().enumerate() {
        neighbors.push(Neighbor { id: id as u32, group, offset, distance_squared: 0.0, velocity });
    }
    neighbors
}

/// One other agent, the only member of group 0.
#[derive(Debug)]
pub(crate) struct Other<V>(pub(crate) Seen<V>);

impl<V: Vector> Agents<V> for Other<V> {
    fn nearest(&self, group: usize, to: V, within: f32, _: u32) -> Option<Seen<V>> {
        (group == 0 && (self.0.position - to).length() <= within).then_some(self.0)
    }
}

/// The force of a behavior with `other` as the only member of group 0, and nothing else around.
pub(crate) fn force_with<V: Vector>(behavior: &impl Steer<V>, host: &Agent<V>, other: Seen<V>) -> V {
    let other = Other(other);
    behavior.force(host, &mut Memory::default(), &mut Surroundings { agents: &other, ..Surroundings::empty(1.0) })
}

/// The force of a behavior with nothing and nobody around.
pub(crate) fn force_alone<V: Vector>(behavior: &impl Steer<V>, host: &Agent<V>) -> V {
    behavior.force(host, &mut Memory::default(), &mut Surroundings::empty(1.0))
}
