//! Constraints on dividing a crowd into parts: what agents read of others, and which groups have to
//! stay in one part.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::crowd::Crowd;
use crate::behavior::{Steer, WithoutLeader};
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::setup::{Condition, Group, Perception, Transition};
use crate::id::GroupId;
use crate::order::WithoutOrder;
use crate::parameter::{Field, Needs, Target, Value, Variants};
use crate::registry::Behavior;
use crate::vector::Vector;

/// Room for the rounding of distances.
const ROUNDING: f32 = 1.01;

/// Why all members of a group have to stay in one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PinnedBy {
    /// A `formation` assigns slots to all members.
    Formation,
    /// A `queue_along` assigns places to all agents in a queue, or a condition compares queues.
    Queue,
    /// The members of an `explore` share a grid.
    Explore,
    /// The searches of `navigate` share a budget and a queue.
    Navigate,
    /// The touching of bodies raises events: `contacts`.
    Contacts,
    /// Bodies are solid, and limits differ between states: a copy has the radius before the tick.
    Radius,
}

impl fmt::Display for PinnedBy {
    /// Writes the key of a scene file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Formation => "formation",
            Self::Queue => "queue_along",
            Self::Explore => "explore",
            Self::Navigate => "navigate",
            Self::Contacts => "contacts",
            Self::Radius => "radius",
        })
    }
}

/// Constraints on dividing a crowd into parts; see [`Crowd::division`].
#[derive(Clone, Debug, PartialEq)]
pub struct Division {
    /// The largest distance at which an agent reads any other one (length).
    pub reach: f32,
    /// For each group, whether an agent may read members of it at any distance.
    pub any_distance: Vec<bool>,
    /// For each group with `any_distance`, whether an agent may read all of its members: their
    /// center, or in a user's behavior. Where false, it reads the nearest members only.
    pub all_members: Vec<bool>,
    /// For each group, why its members have to stay in one part, if they do. All pinned groups are
    /// in the same part.
    pub pinned: Vec<Option<PinnedBy>>,
    /// The largest body radius, if bodies are solid (length); otherwise 0.
    pub body: f32,
}

impl<V: Vector> Crowd<V> {
    /// The constraints on dividing this crowd into parts. Commands that change groups change them.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let birds =
    ///     Group::new("birds", 2, Spawn::points([vec2(0.0, 0.0); 2]), 2.0).steer(Flock::default()
    ///         .radius(10.0));
    /// let crowd = Setup::new(1.0).group(birds).crowd()?;
    /// let division = crowd.division();
    /// assert!((10.0..11.0).contains(&division.reach));
    /// assert_eq!((division.any_distance, division.pinned), (vec![false], vec![None]));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn division(&self) -> Division {
        let none = vec![false; self.world.groups.len()];
        let mut found = Reads { reach: 0.0, any_distance: none.clone(), all_members: none };
        let groups = self.origin.setup.groups.iter().zip(&self.world.groups).enumerate();
        groups.for_each(|(id, (setup, group))| found.group(GroupId(id), setup, group));
        let contacts = self.world.groups.iter().any(|group| group.contacts);
        let radii_change = self.tick.solid.is_some() && self.population.now.limits_change;
        let pinned = |(setup, group): (&Group<V>, &CompiledGroup<V>)| {
            let compares_queues = conditions(setup).any(|condition| {
                let mut compares = false;
                condition.visit(&mut |condition| {
                    compares |= matches!(condition, Condition::ShorterQueue(..));
                });
                compares
            });
            if group.navigates {
                Some(PinnedBy::Navigate)
            } else if !group.queue_memories.is_empty() || compares_queues {
                Some(PinnedBy::Queue)
            } else if !group.formations.is_empty() {
                Some(PinnedBy::Formation)
            } else if !group.explored.is_empty() {
                Some(PinnedBy::Explore)
            } else if contacts {
                Some(PinnedBy::Contacts)
            } else {
                radii_change.then_some(PinnedBy::Radius)
            }
        };
        let radius =
            || self.origin.setup.groups.iter().map(Group::largest_radius).fold(0.0, f32::max);
        Division {
            reach: found.reach * ROUNDING,
            any_distance: found.any_distance,
            all_members: found.all_members,
            pinned: self.origin.setup.groups.iter().zip(&self.world.groups).map(pinned).collect(),
            body: if self.tick.solid.is_some() { radius() } else { 0.0 },
        }
    }
}

fn conditions<V: Vector>(group: &Group<V>) -> impl Iterator<Item = &Condition<V>> {
    let transitions = group.states.iter().flat_map(|state| &state.leave);
    transitions.map(|transition: &Transition<V>| &transition.when)
}

/// The reads of other agents; the fields are those of [`Division`].
struct Reads {
    reach: f32,
    any_distance: Vec<bool>,
    all_members: Vec<bool>,
}

impl Reads {
    fn group<V: Vector>(&mut self, id: GroupId, setup: &Group<V>, group: &CompiledGroup<V>) {
        self.reach = group.radius.unwrap_or(0.0).max(self.reach);
        for behavior in setup.lists().flat_map(crate::combine::List::behaviors) {
            self.behavior(behavior);
            if behavior.needs().has(Needs::PEERS) {
                self.members(id, f32::INFINITY);
                // The one nearest to a point that may be anywhere.
                self.all_members[id.0] = true;
            }
        }
        if let WithoutOrder::Target(Target::Group(of)) = setup.without_order {
            self.members(of, f32::INFINITY);
        }
        if let Some(Perception { of: Target::Group(of), within, .. }) = setup.sight {
            self.members(of, within);
            // The nearest one in view may be behind many others.
            if within == f32::INFINITY
                && let Some(all_members) = self.all_members.get_mut(of.0)
            {
                *all_members = true;
            }
        }
        for condition in conditions(setup) {
            condition.visit(&mut |condition| match condition {
                Condition::Near(Target::Group(of), distance, _)
                | Condition::FarFrom(Target::Group(of), distance) => self.members(*of, *distance),
                Condition::Own(_) => self.any_agent(),
                _ => {
                    let values =
                        condition.parameters().iter().filter_map(|p| condition.get(p.name));
                    values.for_each(|value| self.value(&value, f32::INFINITY));
                }
            });
        }
    }

    /// A user's code may read any agent.
    fn any_agent(&mut self) {
        let all = self.any_distance.iter_mut().chain(&mut self.all_members);
        all.for_each(|reads| *reads = true);
    }

    fn behavior<V: Vector>(&mut self, behavior: &Behavior<V>) {
        if behavior.is_users() {
            self.any_agent();
        }
        // Whether a group has no member at all is asked of its members at any distance.
        let asks_all = behavior.needs().has(Needs::CENTERS)
            || behavior.get("without_leader") == WithoutLeader::Hold.write();
        let within = match behavior.get("within") {
            Some(Value::Number(within)) if !asks_all => within,
            _ => f32::INFINITY,
        };
        for value in behavior.parameters().iter().filter_map(|p| behavior.get(p.name)) {
            self.value(&value, within);
            if let Value::Group(group) | Value::Target(Target::Group(group)) = value
                && behavior.needs().has(Needs::CENTERS)
                && let Some(all_members) = self.all_members.get_mut(group.0)
            {
                *all_members = true;
            }
        }
    }

    fn value<V: Vector>(&mut self, value: &Value<V>, within: f32) {
        match value {
            Value::Target(Target::Group(group)) | Value::Group(group) => {
                self.members(*group, within);
            }
            Value::Nested(values) => {
                values.iter().for_each(|(_, value)| self.value(value, f32::INFINITY));
            }
            _ => {}
        }
    }

    /// An agent reads the members of `group` up to this distance (length).
    fn members(&mut self, group: GroupId, within: f32) {
        if within.is_finite() {
            self.reach = self.reach.max(within);
        } else if let Some(any_distance) = self.any_distance.get_mut(group.0) {
            *any_distance = true;
        }
    }
}
