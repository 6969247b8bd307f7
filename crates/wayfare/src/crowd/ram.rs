//! An upper bound on the RAM of a crowd, known before any of it is allocated: a failed allocation
//! ends a program without a message.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::nearest_member;
use super::pipeline::contact::{Body, MOST_CANDIDATES};
use super::population::columns::{Limits, RememberedPosition, StateInstance};
use super::setup::allowed::KeyPath;
use super::setup::{Condition, Group, Setup};
use crate::agent::Memory;
use crate::behavior::{Navigate, Steer};
use crate::combine::{Entry, List, Slot};
use crate::geometry::explored;
#[cfg(feature = "navigation")]
use crate::geometry::navmesh::mesh_bytes;
use crate::id::GroupId;
use crate::parameter::{Needs, Roles};
use crate::registry::Behavior;
use crate::vector::Vector;

/// Bytes per agent in the grid, and in lists of rows built between ticks: two `u32` of the grid, a
/// cell for every second agent, a row and an id.
const GRID: u64 = 20;
/// Bytes per agent among the neighbors of one cell, at most.
const NEIGHBOR: u64 = 64;
/// Bytes per agent in the tree over the members of its group, with the list that the tree is built
/// from.
const TREE: u64 = 72;
/// Bytes per agent of the events in one tick, without crossings of lines.
const EVENTS: u64 = 128;
/// Bytes per member of a formation.
const FORMATION: u64 = 40;
/// Bytes per agent that may be in a queue: its entry and its place.
const QUEUE: u64 = 32;
/// Bytes of the route of an agent, with the entries of trees over ids, for routes of up to 64
/// corners.
const ROUTE: u64 = 1_280;
/// Bytes of a crowd without agents: the buffers for the neighbors of one cell, and small lists.
const EMPTY: u64 = 1 << 20;
/// Allocations grow by doubling: the ratio of capacity to size.
const GROWTH: u64 = 2;

/// An upper bound on the RAM of a crowd (bytes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RamBound {
    /// The largest number of agents: of each group the number at the start, or the largest `most`
    /// of its sources.
    pub agents: u64,
    /// Bytes per agent.
    pub per_agent: u64,
    /// Bytes of flow fields, explored grids, compiled lists, and of an empty crowd.
    pub fixed: u64,
    /// The largest of the flow fields, explored grids and lists, and the key that determines its
    /// size; `None` if there is none.
    pub largest: Option<(u64, KeyPath)>,
}

impl RamBound {
    /// The bound (bytes).
    pub fn total(&self) -> u64 {
        self.agents.saturating_mul(self.per_agent).saturating_add(self.fixed)
    }
}

impl<V: Vector> Setup<V> {
    /// The largest number of members of `group`, and the source whose `most` sets
    /// it; `None` if the number at the start is larger.
    pub fn max_members(&self, group: impl Into<GroupId>) -> (u64, Option<usize>) {
        let group = group.into();
        let sources = self.sources.iter().enumerate().filter(|(_, source)| source.group == group);
        let most =
            sources.map(|(i, source)| (source.most as u64, Some(i))).max_by_key(|(most, _)| *most);
        let start = self.groups.get(group.0).map_or(0, |group| group.count as u64);
        most.filter(|(most, _)| *most > start).unwrap_or((start, None))
    }

    /// An upper bound on the RAM of a crowd made from this setup, on one thread: its agents with
    /// their memories, flow fields, explored grids and lists. Agents that commands add, ghosts
    /// (each about as much as an agent), orders and other settings of single agents, snapshots and
    /// the setup itself are not included. The call itself needs little memory.
    pub fn ram_bound(&self) -> RamBound {
        let mut fixed: Vec<(u64, KeyPath)> = Vec::new();
        for (name, plan) in &self.fields {
            let key_path = KeyPath::default().key("field").key(name).key("cell");
            fixed.push((plan.bytes(self.bounds.as_ref()), key_path));
        }
        for (i, group) in self.groups.iter().enumerate() {
            let group_path = KeyPath::default().key("group").at(i);
            explored_grids(&group.steer, &group_path.key("steer"), &mut fixed);
            for (s, state) in group.states.iter().enumerate() {
                let key_path = group_path.key("state").at(s).key("steer");
                explored_grids(&state.steer, &key_path, &mut fixed);
            }
            fixed.push((compiled_lists(group), group_path.key("steer")));
            #[cfg(feature = "navigation")]
            fixed.extend(self.meshes(group).map(|bytes| (bytes, group_path.key("steer"))));
        }
        let sum = fixed.iter().fold(EMPTY, |sum, (bytes, _)| sum.saturating_add(*bytes));
        RamBound {
            agents: (0..self.groups.len())
                .fold(0, |sum, group| sum.saturating_add(self.max_members(group).0)),
            per_agent: self.ram_per_agent(),
            fixed: sum,
            largest: fixed.into_iter().max_by_key(|(bytes, _)| *bytes),
        }
    }

    fn ram_per_agent(&self) -> u64 {
        let widest =
            |width: &dyn Fn(&Group<V>) -> usize| self.groups.iter().map(width).max().unwrap_or(0);
        let has = |what: &dyn Fn(&Group<V>) -> bool| usize::from(self.groups.iter().any(what));
        // All rows have the width of the widest group.
        let row = 2 * size_of::<u32>()
            + size_of::<StateInstance>()
            + 3 * size_of::<V>()
            + size_of::<Limits>()
            + has(&Group::turns) * size_of::<V>()
            + has(&|group| group.think_every > 1) * size_of::<V>()
            + widest(&|group| group.stats.len()) * size_of::<f32>()
            + widest(&memories) * size_of::<Memory<V>>()
            + widest(&remembered_positions) * size_of::<RememberedPosition<V>>();
        // Both generations: the first grows by doubling, the second is a copy. With sources both
        // grow, and while a list grows its old allocation exists, too.
        let generations = if self.sources.is_empty() { 3 } else { 5 };
        let sought = nearest_member::searched(&self.groups).into_iter().any(|sought| sought);
        let reads_neighbors = has(&|group| {
            let mut lists = group.lists();
            lists.any(|list| list.neighbor_radius().is_some())
        });
        let events = !self.lines.is_empty()
            || !self.exits.is_empty()
            || has(&|group| !group.states.is_empty() || group.contacts || arrives(group)) > 0;
        // The grid of the bodies: positions as given and in the order of cells, velocities, rows.
        let contact = 3 * size_of::<V>() + 2 * size_of::<u32>();
        // The contact phase: a body, four positions, one in the order of cells, what is active,
        // candidates, walls.
        let solid = size_of::<Body>()
            + 5 * size_of::<V>()
            + 48
            + (MOST_CANDIDATES + 1) * size_of::<u32>()
            + self.obstacles.len().min(MOST_CANDIDATES) * size_of::<u32>();
        let formations: usize = self.groups.iter().map(formations).sum();
        generations * row as u64
            + GROWTH * GRID
            + reads_neighbors as u64 * GROWTH * NEIGHBOR
            + u64::from(sought) * GROWTH * TREE
            + has(&|group| group.contacts) as u64 * GROWTH * (GRID + contact as u64)
            + u64::from(self.bodies.solid) * GROWTH * (GRID + solid as u64)
            + u64::from(events) * GROWTH * (EVENTS + 32 * self.lines.len() as u64)
            + GROWTH * FORMATION * formations as u64
            + has(&queues) as u64 * GROWTH * QUEUE
            + has(&|group| routes(group).next().is_some()) as u64 * ROUTE
    }

    /// The bytes of the meshes for the routes of a group.
    #[cfg(feature = "navigation")]
    fn meshes(&self, group: &Group<V>) -> impl Iterator<Item = u64> {
        let radius = group.largest_radius();
        routes(group).map(move |route| mesh_bytes(&self.obstacles, route.clearance_for(radius)))
    }
}

/// The number of memories of a member.
fn memories<V: Vector>(group: &Group<V>) -> usize {
    group
        .lists()
        .flat_map(List::behaviors)
        .filter(|behavior| behavior.needs().has(Needs::MEMORY))
        .count()
}

/// The number of remembered positions of a member: the last seen position, and an anchor for each
/// distance of its `stuck` conditions.
fn remembered_positions<V: Vector>(group: &Group<V>) -> usize {
    let mut distances = BTreeSet::new();
    for transition in group.states.iter().flat_map(|state| &state.leave) {
        transition.when.visit(&mut |condition| {
            if let Condition::Stuck(within, _) = condition {
                distances.insert(within.to_bits());
            }
        });
    }
    usize::from(group.sight.is_some()) + distances.len()
}

fn formations<V: Vector>(group: &Group<V>) -> usize {
    let formation = |behavior: &&Behavior<V>| behavior.needs().has(Needs::MEMBERS);
    group.lists().flat_map(List::behaviors).filter(formation).count()
}

fn queues<V: Vector>(group: &Group<V>) -> bool {
    let queue = |behavior: &Behavior<V>| behavior.needs().has(Needs::QUEUES);
    group.lists().flat_map(List::behaviors).any(queue)
}

fn routes<V: Vector>(group: &Group<V>) -> impl Iterator<Item = &Navigate<V>> {
    group.lists().flat_map(List::behaviors).filter_map(|behavior| match behavior {
        Behavior::Navigate(navigate) => Some(navigate),
        _ => None,
    })
}

fn arrives<V: Vector>(group: &Group<V>) -> bool {
    group.lists().flat_map(List::behaviors).any(|behavior| behavior.roles().has(Roles::ARRIVES))
}

/// The bytes of each explored grid of a list, with the key that determines its size.
fn explored_grids<V: Vector>(list: &List<V>, key_path: &KeyPath, found: &mut Vec<(u64, KeyPath)>) {
    for (i, slot) in list.slots.iter().enumerate() {
        match &slot.entry {
            Entry::Behavior(Behavior::Explore(explore)) => found.push((
                explored::bytes(&explore.area, explore.cell_width()),
                key_path.at(i).key("explore").key("cell"),
            )),
            Entry::Behavior(_) => {}
            Entry::List(inner) => explored_grids(inner, &key_path.at(i).key("all"), found),
        }
    }
}

/// The bytes of a group's lists: each state has a copy of the group's own.
fn compiled_lists<V: Vector>(group: &Group<V>) -> u64 {
    let own = slots(&group.steer);
    let states = group.states.iter().map(|state| own + slots(&state.steer));
    let slots = own + if group.states.is_empty() { own } else { states.sum() };
    slots * GROWTH * size_of::<Slot<V>>() as u64
}

fn slots<V: Vector>(list: &List<V>) -> u64 {
    let inner = |slot: &Slot<V>| match &slot.entry {
        Entry::Behavior(_) => 0,
        Entry::List(list) => slots(list),
    };
    list.slots.iter().map(|slot| 1 + inner(slot)).sum()
}
