//! Hashes of what commands can change, as the setup has it.

use alloc::vec::Vec;

use super::bytes::{Writer, hash};
use crate::crowd::setup::{Group, Setup};
use crate::geometry::obstacle::Shape;
use crate::vector::Vector;

/// Hashes of the parts of a setup that commands can change, from before any command: they tell
/// what has been changed by commands, and whether another setup has the same values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::crowd) struct Baseline {
    pub(in crate::crowd) obstacles: u64,
    /// The number of obstacles: added ones have higher ids.
    pub(in crate::crowd) obstacle_count: u32,
    pub(in crate::crowd) paths: Vec<u64>,
    pub(in crate::crowd) groups: Vec<u64>,
}

impl Baseline {
    pub(in crate::crowd) fn new<V: Vector>(setup: &Setup<V>) -> Self {
        Self {
            obstacles: obstacles_hash(setup.obstacles.iter()),
            obstacle_count: setup.obstacles.len() as u32,
            paths: setup.paths.iter().map(|(_, path)| points_hash(path.points())).collect(),
            groups: setup.groups.iter().map(group_hash).collect(),
        }
    }

    /// A group was added.
    pub(in crate::crowd) fn add_group<V: Vector>(&mut self, group: &Group<V>) {
        self.groups.push(group_hash(group));
    }

    /// A path through these points was added.
    pub(in crate::crowd) fn add_path<V: Vector>(&mut self, points: &[V]) {
        self.paths.push(points_hash(points));
    }
}

pub(in crate::crowd) fn hash_of(write: impl FnOnce(&mut Writer)) -> u64 {
    let mut writer = Writer::default();
    write(&mut writer);
    hash(&writer.0)
}

pub(in crate::crowd) fn obstacles_hash<'a, V: Vector>(
    shapes: impl Iterator<Item = &'a Shape<V>>,
) -> u64 {
    hash_of(|writer| shapes.for_each(|shape| writer.shape(shape)))
}

pub(in crate::crowd) fn points_hash<V: Vector>(points: &[V]) -> u64 {
    hash_of(|writer| writer.vectors(points))
}

fn group_hash<V: Vector>(group: &Group<V>) -> u64 {
    hash_of(|writer| writer.changes_of_group(group))
}
