//! Several behaviors become one force: weighted sum, priority, budget, dither. Reynolds, GDC 1999, "Combining behaviors".
//!
//! A list may stand inside a list, combined by its own rule. Its result is weighted like any other force, and not truncated.

use crate::agent::{Agent, Memory};
use crate::behavior::{Behavior, Steer};
use crate::surroundings::Surroundings;
use crate::vector::Vector;

/// How the forces of a list become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Combine {
    /// The weighted forces are added: the tutorials' way.
    #[default]
    Sum,
    /// The first weighted force longer than the list's epsilon is the result; later ones are not asked.
    Priority,
    /// In order, each weighted force takes what is left of max_force, until nothing is: Reynolds' allocation.
    Budget,
    /// In order, each is drawn with its chance; the first that is drawn and longer than epsilon is the result, divided by its
    /// chance so that the mean stays. Reynolds' prioritized dithering.
    Dither,
}

impl Combine {
    /// The words of the scene format, in the order of the variants.
    pub const WORDS: &'static [&'static str] = &["sum", "priority", "budget", "dither"];
}

/// The force (length / time) up to which [`Combine::Priority`] and [`Combine::Dither`] take a force for none: what rounding leaves.
pub const EPSILON: f32 = 1e-6;

/// What stands at one place of a list.
#[derive(Clone, Debug)]
pub enum Entry<V: Vector> {
    /// A behavior.
    Behavior(Behavior<V>),
    /// A list with its own rule.
    List(List<V>),
}

/// One place of a list: what it steers by, and how much it counts.
#[derive(Clone, Debug)]
pub struct Slot<V: Vector> {
    /// What steers.
    pub entry: Entry<V>,
    /// What its force is multiplied by.
    pub weight: f32,
    /// With [`Combine::Dither`], how likely it is drawn (above 0, up to 1).
    pub chance: f32,
    /// The stream of random numbers of this place.
    stream: u32,
    /// Where the agent keeps what this place remembers.
    memory: usize,
}

impl<V: Vector> Slot<V> {
    /// A place for `entry`, with weight 1 and chance 1.
    pub fn new(entry: Entry<V>) -> Self {
        Self { entry, weight: 1.0, chance: 1.0, stream: 0, memory: 0 }
    }
}

/// Behaviors in their order, and the rule that makes one force of theirs.
#[derive(Clone, Debug)]
pub struct List<V: Vector> {
    /// The rule.
    pub combine: Combine,
    /// The force (length / time) up to which priority and dither take a force for none.
    pub epsilon: f32,
    /// The places in their order.
    pub slots: Vec<Slot<V>>,
}

impl<V: Vector> Default for List<V> {
    fn default() -> Self {
        Self { combine: Combine::Sum, epsilon: EPSILON, slots: Vec::new() }
    }
}

impl<V: Vector> List<V> {
    /// An empty list with this rule.
    pub fn new(combine: Combine) -> Self {
        Self { combine, ..Self::default() }
    }

    /// The list with one more behavior, of weight 1.
    #[must_use]
    pub fn with(self, behavior: impl Into<Behavior<V>>) -> Self {
        self.weighted(1.0, behavior)
    }

    /// The list with one more behavior, whose force is multiplied by `weight`.
    #[must_use]
    pub fn weighted(mut self, weight: f32, behavior: impl Into<Behavior<V>>) -> Self {
        self.slots.push(Slot { weight, ..Slot::new(Entry::Behavior(behavior.into())) });
        self
    }

    /// The list with another list inside, whose force is multiplied by `weight`.
    #[must_use]
    pub fn nested(mut self, weight: f32, list: List<V>) -> Self {
        self.slots.push(Slot { weight, ..Slot::new(Entry::List(list)) });
        self
    }

    /// All behaviors in it, those of nested lists included.
    pub fn behaviors(&self) -> Box<dyn Iterator<Item = &Behavior<V>> + '_> {
        Box::new(self.slots.iter().flat_map(|slot| match &slot.entry {
            Entry::Behavior(behavior) => Box::new(core::iter::once(behavior)),
            Entry::List(list) => list.behaviors(),
        }))
    }

    /// How far its behaviors look for neighbors (length); `None` where none does.
    pub fn neighbor_radius(&self) -> Option<f32> {
        self.behaviors().filter_map(Steer::neighbor_radius).reduce(f32::max)
    }

    /// Gives each place its stream of random numbers, and a memory to each that remembers; counts on from what is there.
    ///
    /// Returns how many memories [`force`](Self::force) takes.
    pub fn number(&mut self, streams: &mut u32, memories: &mut usize) {
        for slot in &mut self.slots {
            slot.stream = *streams;
            slot.memory = *memories;
            *streams += 1;
            match &mut slot.entry {
                Entry::Behavior(behavior) => *memories += usize::from(behavior.remembers()),
                Entry::List(list) => list.number(streams, memories),
            }
        }
    }

    /// The memories of the places that hold a `follow_path`.
    pub(crate) fn path_memories(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for slot in &self.slots {
            match &slot.entry {
                Entry::Behavior(Behavior::FollowPath(_)) => found.push(slot.memory),
                Entry::Behavior(_) => {}
                Entry::List(list) => found.extend(list.path_memories()),
            }
        }
        found
    }

    /// The combined force (length / time), not yet truncated to max_force.
    ///
    /// `memories` holds as many as [`number`](Self::number) counted; a place without one gets a fresh one each time.
    pub fn force(&self, host: &Agent<V>, memories: &mut [Memory<V>], around: &mut Surroundings<'_, V>) -> V {
        let outer = around.sum;
        let mut sum = V::ZERO;
        let mut left = host.max_force;
        for slot in &self.slots {
            around.sum = sum;
            around.stream = slot.stream;
            if self.combine == Combine::Dither && around.random().unit() >= slot.chance {
                continue;
            }
            let force = match &slot.entry {
                Entry::Behavior(behavior) => match memories.get_mut(slot.memory) {
                    Some(memory) => behavior.force(host, memory, around),
                    None => behavior.force(host, &mut Memory::default(), around),
                },
                Entry::List(list) => list.force(host, memories, around),
            };
            let force = (force * slot.weight).held();
            match self.combine {
                Combine::Sum => sum = (sum + force).held(),
                Combine::Priority | Combine::Dither if force.length() > self.epsilon => {
                    sum = if self.combine == Combine::Dither { (force * (1.0 / slot.chance)).held() } else { force };
                    break;
                }
                Combine::Priority | Combine::Dither => {}
                Combine::Budget => {
                    let taken = force.truncate(left);
                    sum = (sum + taken).held();
                    left -= taken.length();
                    if left <= 0.0 {
                        break;
                    }
                }
            }
        }
        around.sum = outer;
        sum
    }
}
