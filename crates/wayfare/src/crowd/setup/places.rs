//! Start positions that do not follow from a member's id alone: along a path, and apart from other
//! bodies.
//!
//! Bodies apart are placed by random sequential addition: each takes the first of its random
//! positions that is free. In the plane this fills about half of an area, however many positions
//! are tried.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::crowd_setup::Setup;
use super::draws::Place;
use super::group::{Group, Spawn};
use super::{draws, stream};
use crate::geometry::obstacle::{ObstacleIndex, Obstacles, Shape};
use crate::geometry::path::Path;
use crate::random::Random;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The number of random positions that are tried for a member.
const TRIES: u32 = 1_000;

/// A group whose members found no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoRoom {
    /// The index of the group.
    pub(crate) group: usize,
    /// The number of members that were placed.
    pub(crate) placed: usize,
}

/// The places of the members of each group; none for a group whose positions follow from the ids
/// of its members.
pub(crate) fn places<V: Vector>(setup: &Setup<V>) -> Result<Vec<Vec<Place<V>>>, NoRoom> {
    let mut all: Vec<Vec<Place<V>>> = { setup.groups.iter() }
        .map(|group| match &group.spawn {
            Spawn::Along(path) => setup.paths.get(path.0).map(|(_, path)| along(path, group.count)),
            _ => None,
        })
        .map(Option::unwrap_or_default)
        .collect();
    let is_apart = |group: &&Group<V>| matches!(group.spawn, Spawn::Apart(_));
    if !setup.groups.iter().any(|group| is_apart(&group)) {
        return Ok(all);
    }
    let (space, index) =
        (setup.space(), ObstacleIndex::new(setup.obstacles.clone(), setup.space()));
    let largest = setup.groups.iter().map(Group::largest_radius).fold(0.0, f32::max);
    let mut room = Room::new(space, index.obstacles(), largest);
    let firsts: Vec<u32> = { setup.groups.iter() }
        .scan(0, |next, group| {
            *next += group.count as u32;
            Some(*next - group.count as u32)
        })
        .collect();
    for ((group, first), places) in setup.groups.iter().zip(&firsts).zip(&all) {
        if !is_apart(&group) {
            for (_, agent) in draws::members(setup, group, *first, places) {
                room.take(agent.position, agent.radius);
            }
        }
    }
    for (g, (group, first)) in setup.groups.iter().zip(&firsts).enumerate() {
        if let Spawn::Apart(area) = &group.spawn {
            let placed = room.place(setup.seed, group, area, *first);
            all[g] = placed.map_err(|placed| NoRoom { group: g, placed })?;
        }
    }
    Ok(all)
}

/// `count` places along `path`, at equal distances and with the heading along it.
pub(crate) fn along<V: Vector>(path: &Path<V>, count: usize) -> Vec<Place<V>> {
    let gaps = if path.is_closed() { count } else { count.saturating_sub(1) };
    let length = path.length();
    (0..count)
        .map(|k| {
            let along = (f64::from(length) * k as f64 / gaps.max(1) as f64) as f32;
            Place { position: path.point_at(along), heading: path.direction_at(along) }
        })
        .collect()
}

/// The room that bodies and obstacles leave.
pub(crate) struct Room<'a, V: Vector> {
    space: Space<V>,
    obstacles: Obstacles<'a, V>,
    /// The largest radius of a body (length); cells are as wide as its diameter.
    largest: f32,
    bodies: BTreeMap<[i64; 3], Vec<(V, f32)>>,
}

impl<'a, V: Vector> Room<'a, V> {
    /// The room beside `obstacles`, for bodies with radii of at most `largest` (length).
    pub(crate) fn new(space: Space<V>, obstacles: Obstacles<'a, V>, largest: f32) -> Self {
        Self { space, obstacles, largest, bodies: BTreeMap::new() }
    }

    /// Takes the room of a body. One without a radius takes none.
    pub(crate) fn take(&mut self, position: V, radius: f32) {
        if radius > 0.0 {
            self.bodies.entry(self.cell(position)).or_default().push((position, radius));
        }
    }

    /// Places the members of `group`, whose ids begin at `first`, inside `area`; or the number of
    /// those that were placed before one found no room.
    pub(crate) fn place(
        &mut self,
        seed: u64,
        group: &Group<V>,
        area: &Shape<V>,
        first: u32,
    ) -> Result<Vec<Place<V>>, usize> {
        let mut placed = Vec::new();
        for id in first..first + group.count as u32 {
            let radius = draws::limits(seed, id, group, group.start.0).radius;
            let mut random = Random::new(seed, id, 0, stream::POSITION);
            let mut tried = (0..TRIES).map(|_| {
                let p = area.random_point(&mut random, self.space.up());
                self.space.inside(p)
            });
            let Some(position) = tried.find(|p| self.is_free(*p, radius)) else {
                return Err(placed.len());
            };
            self.take(position, radius);
            placed.push(Place { position, heading: V::ZERO });
        }
        Ok(placed)
    }

    /// Whether a body at `p` reaches into no body, no obstacle and no wall of the bounds.
    fn is_free(&self, p: V, radius: f32) -> bool {
        let is_inside = self.space.walls(p).all(|(_, distance)| distance >= radius);
        let nearest = self.obstacles.nearest(&self.space, p, radius);
        is_inside
            && nearest.is_none_or(|(_, _, distance)| distance >= radius)
            && (radius == 0.0
                || self.space.image_offsets().all(|turn| self.is_free_of_bodies(p + turn, radius)))
    }

    fn is_free_of_bodies(&self, p: V, radius: f32) -> bool {
        let reach = radius + self.largest;
        let [low, high] = [-reach, reach].map(|reach| self.cell(p.map(|x| x + reach)));
        let overlaps = |(q, other): &(V, f32)| (*q - p).length() < radius + other;
        (low[0]..=high[0]).all(|x| {
            (low[1]..=high[1]).all(|y| {
                // A column of cells is a range of keys.
                let mut column = self.bodies.range([x, y, low[2]]..=[x, y, high[2]]);
                !column.any(|(_, bodies)| bodies.iter().any(overlaps))
            })
        })
    }

    fn cell(&self, p: V) -> [i64; 3] {
        let width = f64::from(self.largest) * 2.0;
        let cell = |i| libm::floor(f64::from(p.axis(i)) / width) as i64;
        core::array::from_fn(|i| if i < V::DIMENSION { cell(i) } else { 0 })
    }
}
