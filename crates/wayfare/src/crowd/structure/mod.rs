//! Groups and everything in the world, added and removed between two ticks.
//!
//! Ids are given once. Obstacles, lines, exits and sources, to which nothing in the crowd refers,
//! stay dense lists in the order of their ids: a removed item leaves no gap. Groups, paths and
//! fields are referred to by index, in behaviors and in columns: a removed one leaves an empty
//! entry of a few hundred bytes at its index, without members, points or cells.

use alloc::string::String;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::Crowd;
use super::compiled::compile_groups;
use super::events::EventTracker;
use super::setup::validate::{KeyPath, KeySegment, ValidationError};
use super::setup::{Setup, Spawn};
use super::source::SourceCount;
use crate::combine::List;
use crate::crowd::change::Change;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::{Obstacle, Obstacles, bvh_of};
use crate::geometry::path::Path;
use crate::id::SourceId;
use crate::parameter::Value;
use crate::vector::Vector;

mod groups;
mod world;

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
    fn remove(&mut self, index: usize) {
        self.ids.remove(index);
    }

    /// The error of a list without the item `id`.
    fn none(&self, key: &str, what: &str, id: u32) -> ValidationError {
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

/// The parts of a crowd that follow from its setup, apart from the agents.
pub(super) struct WorldParts<V: Vector> {
    pub(super) tracker: EventTracker<V>,
    pub(super) sources: Vec<SourceCount<V>>,
    pub(super) paths: Vec<Path<V>>,
    pub(super) obstacles: Vec<Obstacle<V>>,
    pub(super) fields: Vec<FlowField<V>>,
}

/// Moves out of `setup` what a crowd keeps elsewhere.
pub(super) fn take_world<V: Vector>(setup: &mut Setup<V>, structure: &Structure) -> WorldParts<V> {
    let space = setup.space();
    let tracker = EventTracker::new(setup, structure, &space);
    let sources = core::mem::take(&mut setup.sources)
        .into_iter()
        .zip(&structure.sources.ids)
        .map(|(source, &id)| SourceCount::new(SourceId(id), source))
        .collect();
    for group in &mut setup.groups {
        if let Spawn::Points(points) = &mut group.spawn {
            *points = Vec::new();
        }
    }
    let paths = setup
        .paths
        .iter_mut()
        .map(|(_, path)| core::mem::replace(path, Path::new(Vec::new(), 0.0, false)))
        .collect();
    let obstacles: Vec<_> = core::mem::take(&mut setup.obstacles)
        .into_iter()
        .map(|shape| Obstacle::in_space(shape, &space))
        .collect();
    let bvh = bvh_of(&obstacles);
    let all = Obstacles::indexed(&obstacles, &bvh);
    let fields = setup
        .fields
        .iter()
        .map(|(_, plan)| FlowField::checked(plan, all, setup.bounds.as_ref(), setup.up))
        .collect();
    WorldParts { tracker, sources, paths, obstacles, fields }
}

impl<V: Vector> Crowd<V> {
    /// The current setup with everything in the world; spawn points are not stored.
    pub(super) fn current_setup(&self) -> Setup<V> {
        let mut setup = self.origin.setup.clone();
        setup.obstacles =
            self.world.obstacles.iter().map(|obstacle| obstacle.shape().clone()).collect();
        for ((_, path), now) in setup.paths.iter_mut().zip(&self.world.paths) {
            path.clone_from(now);
        }
        setup.lines = self.world.tracker.lines.iter().map(|count| count.line.clone()).collect();
        setup.exits = self.world.tracker.exits.iter().map(|count| count.exit.clone()).collect();
        setup.sources = self.world.sources.iter().map(|count| count.source.clone()).collect();
        setup
    }

    /// The setup and ids from before the first change of the structure.
    pub(super) fn as_original(&self) -> Arc<(Setup<V>, Structure)> {
        Arc::new((self.current_setup(), self.origin.structure.clone()))
    }

    /// Something but an obstacle is going to be added or removed: a snapshot from before needs the
    /// setup as it is.
    pub(super) fn keep_original(&mut self) {
        if !self.origin.structure.changed {
            self.origin.original = Some(self.as_original());
            self.origin.structure.changed = true;
        }
        self.changed(Change::Input);
    }

    /// Compiles the groups again after some were added or removed, and gives the columns the widths
    /// that they need.
    fn groups_changed(&mut self) {
        let widths = compile_groups(&self.origin.setup, &self.origin.structure).1;
        self.population.now.set_widths(widths);
        self.population.next.set_widths(widths);
        self.rebuild();
    }

    /// The first behavior with a parameter for which `is_sought` holds, and its group, in words.
    fn find_parameter(&self, is_sought: impl Fn(&Value<V>) -> bool) -> Option<String> {
        self.origin.setup.groups.iter().find_map(|group| {
            let mut behaviors = group.lists().flat_map(List::behaviors);
            let behavior = behaviors.find(|behavior| {
                let parameters = behavior.parameters().iter();
                parameters
                    .filter_map(|parameter| behavior.get(parameter.name))
                    .any(|value| is_sought(&value))
            })?;
            Some(format!("`{}` of group \"{}\"", behavior.name(), group.name))
        })
    }
}

/// The error of a single item in a list of the setup, with the key of a command in place of the
/// list and the item's index or name.
fn under(key: &str, error: ValidationError) -> ValidationError {
    let mut segments = vec![KeySegment::Name(key.to_string())];
    segments.extend(error.key_path.0.into_iter().skip(2));
    ValidationError { key_path: KeyPath(segments), ..error }
}
