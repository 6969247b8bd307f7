//! Groups and everything in the world, added and removed between two ticks.
//!
//! Ids are given once. Obstacles, lines, exits and sources, to which nothing in the crowd refers,
//! stay dense lists in the order of their ids: a removed item leaves no gap. Groups, paths and
//! fields are referred to by index, in behaviors and in columns: a removed one leaves an empty
//! entry of a few hundred bytes at its index, without members, points or cells.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::setup::Setup;
use super::setup::allowed::{KeyPath, ValidationError};
use crate::vector::Vector;

/// Ids and removals, which the setup does not determine.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Structure {
    /// Whether anything but an obstacle has been added or removed.
    pub(super) changed: bool,
    pub(super) groups: Vec<GroupEntry>,
    /// Whether each path and each field has been removed.
    pub(super) removed_paths: Vec<bool>,
    pub(super) removed_fields: Vec<bool>,
    /// The ids of the obstacles, lines, exits and sources, in ascending order.
    pub(super) obstacles: Ids,
    pub(super) lines: Ids,
    pub(super) exits: Ids,
    pub(super) sources: Ids,
}

/// The data of a group beside its setup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GroupEntry {
    /// The id of its first member at the start, or when it was added.
    pub(super) first_id: u32,
    pub(super) removed: bool,
}

/// The ids of a dense list, in ascending order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ids {
    pub(super) ids: Vec<u32>,
    pub(super) next: u32,
}

impl Ids {
    fn first(count: usize) -> Self {
        Self { ids: (0..count as u32).collect(), next: count as u32 }
    }

    /// The index of the item `id`.
    pub(super) fn index_of(&self, id: u32) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// The id of a new last item.
    pub(super) fn push(&mut self) -> u32 {
        let id = self.next;
        self.ids.push(id);
        self.next += 1;
        id
    }

    /// Removes the id of the item at `index`.
    pub(super) fn remove(&mut self, index: usize) {
        self.ids.remove(index);
    }

    /// The error of a list without the item `id`.
    pub(super) fn none(&self, key: &str, what: &str, id: u32) -> ValidationError {
        let allowed = if self.ids.is_empty() {
            format!("no {what}: there are none")
        } else {
            let list: Vec<_> = self.ids.iter().take(20).map(u32::to_string).collect();
            let more = if self.ids.len() > 20 { ", …" } else { "" };
            format!("one of {}{more}", list.join(", "))
        };
        let message = format!("there is no {what} {id}");
        ValidationError::new(KeyPath::default().key(key), message, allowed)
    }

    /// Whether the ids are in ascending order below `next`, one for each of `count` items.
    pub(super) fn fit(&self, count: usize) -> bool {
        self.ids.len() == count
            && self.ids.is_sorted_by(|a, b| a < b)
            && self.ids.last().is_none_or(|last| *last < self.next)
    }
}

impl Structure {
    pub(super) fn new<V: Vector>(setup: &Setup<V>) -> Self {
        let mut first_id = 0;
        let groups = setup
            .groups
            .iter()
            .map(|group| {
                let entry = GroupEntry { first_id, removed: false };
                first_id += group.count as u32;
                entry
            })
            .collect();
        Self {
            changed: false,
            groups,
            removed_paths: vec![false; setup.paths.len()],
            removed_fields: vec![false; setup.fields.len()],
            obstacles: Ids::first(setup.obstacles.len()),
            lines: Ids::first(setup.lines.len()),
            exits: Ids::first(setup.exits.len()),
            sources: Ids::first(setup.sources.len()),
        }
    }
}
