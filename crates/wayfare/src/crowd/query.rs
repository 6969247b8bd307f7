//! Questions to a crowd between two steps: who is nearest, who is around, what a ray meets.
//!
//! The trees that answer them are made by the first question after a step, and shared by all until
//! the next one. No answer depends on the order of agents in memory.

use std::sync::OnceLock;

use super::pipeline::index::build_members;
use super::population::columns::Columns;
use super::population::ghosts::columns_of;
use super::{AgentRef, Crowd, nearest_member};
use crate::geometry::obstacle::{Hit, Obstacle, Shape};
use crate::spatial::bvh::{BOXES, Block, Bvh, Item, MARGIN};
use crate::spatial::space::Space;
use crate::vector::{Vector, WORLD_LIMIT};

/// In a wrapped world a ray ends after so many pieces, each a quarter of the narrowest side long.
const MOST_PIECES: usize = 64;

/// What is made by the first question.
#[derive(Debug)]
pub(super) struct Index<V> {
    /// The positions of the members of each group.
    groups: OnceLock<Vec<Bvh<V>>>,
    /// The bodies of all.
    bodies: OnceLock<Bvh<V>>,
}

impl<V> Default for Index<V> {
    fn default() -> Self {
        Self { groups: OnceLock::new(), bodies: OnceLock::new() }
    }
}

/// Where a ray first meets something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit<V> {
    /// How far away (length).
    pub distance: f32,
    /// Where (length); in a wrapped world inside the bounds.
    pub point: V,
    /// The outward unit normal of the surface there.
    pub normal: V,
}

/// What a ray meets: the first body and the first obstacle, each as if the other were not there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHits<'a, V> {
    /// The agent whose body it meets first; the lowest id in a tie.
    pub agent: Option<(AgentRef<'a, V>, RayHit<V>)>,
    /// The place in [`Crowd::obstacles`] of the obstacle that it meets first; the first in the
    /// scene in a tie.
    pub obstacle: Option<(usize, RayHit<V>)>,
}

impl<V: Vector> Crowd<V> {
    /// The agent nearest to `point` (length), of the group with this index or of all; the lowest id
    /// in a tie.
    ///
    /// In a wrapped world the shortest way counts, and `point` may be given anywhere. Without such
    /// agents it is `None`.
    ///
    /// ```
    /// use wayfare::{
    ///     Crowd,
    ///     crowd::{Group, Setup, Spawn},
    ///     glam::vec2,
    /// };
    /// let places = vec![vec2(0.0, 0.0), vec2(10.0, 0.0), vec2(30.0, 0.0)];
    /// let crowd = Crowd::new(Setup {
    ///     groups: vec![Group::new("a", 3, Spawn::Points(places), 1.0)],
    ///     ..Setup::default()
    /// })?;
    /// assert_eq!(crowd.nearest(vec2(21.0, 1.0), None).unwrap().id, 2);
    /// assert_eq!(crowd.nearest(vec2(5.0, 0.0), Some(0)).unwrap().id, 0);
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn nearest(&self, point: V, group: Option<usize>) -> Option<AgentRef<'_, V>> {
        let point = self.somewhere(point)?;
        let nearest = self.trees(group).iter().filter_map(|tree| {
            nearest_member::nearest(tree, &self.space, point, f32::INFINITY, u32::MAX)
        });
        let id = |row: usize| {
            let (columns, i) = columns_of(&self.now, &self.ghosts, row);
            columns.id[i]
        };
        let key = |row: usize| (self.squared(point, row), id(row));
        nearest
            .reduce(|a, b| if key(b) < key(a) { b } else { a })
            .map(|row| self.agent_or_ghost_at_row(row as u32))
    }

    /// The agents at most `radius` away from `point` (lengths), of the group with this index or of
    /// all, in the order of their ids.
    ///
    /// Positions count, not bodies. In a wrapped world the shortest way counts, and `point` may be
    /// given anywhere.
    ///
    /// ```
    /// use wayfare::{
    ///     Crowd,
    ///     crowd::{Group, Setup, Spawn},
    ///     glam::vec2,
    /// };
    /// let places = vec![vec2(0.0, 0.0), vec2(10.0, 0.0), vec2(30.0, 0.0)];
    /// let crowd = Crowd::new(Setup {
    ///     groups: vec![Group::new("a", 3, Spawn::Points(places), 1.0)],
    ///     ..Setup::default()
    /// })?;
    /// assert_eq!(
    ///     crowd
    ///         .within(vec2(10.0, 0.0), 10.0, None)
    ///         .iter()
    ///         .map(|member| member.id)
    ///         .collect::<Vec<_>>(),
    ///     [0, 1]
    /// );
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn within(&self, point: V, radius: f32, group: Option<usize>) -> Vec<AgentRef<'_, V>> {
        let Some(point) = self.somewhere(point).filter(|_| radius >= 0.0) else {
            return Vec::new();
        };
        let reach = radius + MARGIN * (point.length() + radius);
        let (low, high) = (point.map(|x| x - reach), point.map(|x| x + reach));
        let mut found = Vec::new();
        for tree in self.trees(group) {
            tree.touching(&self.space, low, high, |i| {
                if self.squared(point, i as usize) <= radius * radius {
                    found.push(self.agent_or_ghost_at_row(i));
                }
            });
        }
        found.sort_unstable_by_key(|member| member.id);
        found
    }

    /// What a ray from `from` in `direction`, of any length, meets up to `length` (length) away.
    ///
    /// Bodies are as large as the agents' radii; what `from` is inside of is not met. In a wrapped
    /// world it goes on across the edges, but ends at the latest where it is 16 times as long
    /// as the narrowest side. A direction of zero meets nothing.
    ///
    /// ```
    /// use wayfare::{
    ///     Crowd,
    ///     crowd::{Distribution, Group, Setup, Spawn},
    ///     geometry::obstacle::Shape,
    ///     glam::vec2,
    /// };
    /// let mut group =
    ///     Group::new("a", 2, Spawn::Points(vec![vec2(0.0, 0.0), vec2(10.0, 0.0)]), 1.0);
    /// group.radius = Distribution::Same(1.0);
    /// let obstacles = vec![Shape::box_between(vec2(20.0, -5.0), vec2(30.0, 5.0))];
    /// let crowd = Crowd::new(Setup { groups: vec![group], obstacles, ..Setup::default() })?;
    /// // From the middle of the first agent along x.
    /// let met = crowd.ray(vec2(0.0, 0.0), vec2(1.0, 0.0), 100.0);
    /// let ((member, hit), (obstacle, wall)) = (met.agent.unwrap(), met.obstacle.unwrap());
    /// assert_eq!((member.id, hit.distance, hit.normal), (1, 9.0, vec2(-1.0, 0.0)));
    /// assert_eq!((obstacle, wall.point), (0, vec2(20.0, 0.0)));
    /// # Ok::<(), wayfare::crowd::SetupError>(())
    /// ```
    pub fn ray(&self, from: V, direction: V, length: f32) -> RayHits<'_, V> {
        let direction = direction.unit();
        let nothing = RayHits { agent: None, obstacle: None };
        let Some(from) = self
            .somewhere(from)
            .filter(|_| direction.is_finite() && direction != V::ZERO && length > 0.0)
        else {
            return nothing;
        };
        let bodies = self.query_index.bodies.get_or_init(|| self.bodies());
        let ray = Ray { space: self.space, from, direction, length: length.min(4.0 * WORLD_LIMIT) };
        RayHits {
            agent: ray
                .first(bodies, |row| {
                    let (columns, i) = columns_of(&self.now, &self.ghosts, row as usize);
                    body(columns, i)
                })
                .map(|(row, hit)| (self.agent_or_ghost_at_row(row), hit)),
            obstacle: ray
                .first(&self.obstacle_bvh, |i| &self.obstacles[i as usize])
                .map(|(i, hit)| (i as usize, hit)),
        }
    }

    /// The agents have moved: what was made for them no longer holds, and no tick is under way.
    pub(super) fn invalidate(&mut self) {
        self.progress = None;
        self.query_index = Index::default();
    }

    fn trees(&self, group: Option<usize>) -> &[Bvh<V>] {
        let trees = self.query_index.groups.get_or_init(|| {
            let mut trees = vec![Bvh::default(); self.groups.len()];
            trees
                .iter_mut()
                .zip(0..)
                .for_each(|(tree, group)| build_members(tree, (&self.now, &self.ghosts), group));
            trees
        });
        match group {
            Some(group) => trees.get(group..=group).unwrap_or_default(),
            None => trees,
        }
    }

    /// The point inside the bounds of a wrapped world; `None` for one that is nowhere.
    fn somewhere(&self, point: V) -> Option<V> {
        point.is_finite().then(|| self.inside(point.held()))
    }

    fn squared(&self, point: V, row: usize) -> f32 {
        let (columns, i) = columns_of(&self.now, &self.ghosts, row);
        self.space.difference(point, columns.position.get(i)).length_squared()
    }

    fn bodies(&self) -> Bvh<V> {
        let mut tree = Bvh::default();
        let item = |row: usize| {
            let (columns, i) = columns_of(&self.now, &self.ghosts, row);
            let (low, high) = body(columns, i).aabb();
            Item { low, high, rank: columns.id[i], index: row as u32 }
        };
        tree.build((0..self.len() + self.ghost_count()).map(item));
        tree
    }
}

/// The body of the agent at a place of the columns, as a shape.
fn body<V: Vector>(now: &Columns<V>, i: usize) -> Obstacle<V> {
    Shape::Circle { center: now.position.get(i), radius: now.limits[i].radius }.into()
}

/// A ray from a point inside the bounds; the direction is a unit vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray<V> {
    pub(super) space: Space<V>,
    pub(super) from: V,
    pub(super) direction: V,
    pub(super) length: f32,
}

impl<V: Vector> Ray<V> {
    /// The place of the first thing of `tree` that it meets, and where; the lowest rank in a tie.
    fn first<O: core::borrow::Borrow<Obstacle<V>>>(
        &self,
        tree: &Bvh<V>,
        obstacle: impl Fn(u32) -> O,
    ) -> Option<(u32, RayHit<V>)> {
        self.pieces().find_map(|(before, from, way)| {
            let mut first: Option<(f32, u32, u32, V)> = None;
            for p in self.images(from) {
                let bound = first.map_or(1.0, |(along, ..)| along);
                let below = |block: &Block| block.entries(p, way);
                let measure = |block: &Block| {
                    let entries = below(block);
                    let along = |lane: usize| {
                        meeting(obstacle(block.index[lane]).borrow(), p, way)
                            .map_or(f32::NAN, |m| m.along)
                    };
                    let mut measures = [f32::NAN; BOXES];
                    (0..BOXES)
                        .filter(|&lane| entries[lane] <= 1.0)
                        .for_each(|lane| measures[lane] = along(lane));
                    measures
                };
                if let Some((along, rank, place)) = tree.min_by(bound, below, measure)
                    && first.is_none_or(|(least, lowest, ..)| (along, rank) < (least, lowest))
                {
                    first = Some((along, rank, place, p));
                }
            }
            let (along, _, place, p) = first?;
            let normal = meeting(obstacle(place).borrow(), p, way)?.normal;
            let point = from + way * along;
            let point = if self.space.wraps() { self.space.wrapped(point) } else { point };
            Some((place, RayHit { distance: before + way.length() * along, point, normal }))
        })
    }

    /// Its pieces, each short against a wrapped world: how far away it begins, where inside the
    /// bounds, and the way to its end.
    pub(super) fn pieces(self) -> impl Iterator<Item = (f32, V, V)> {
        let narrowest =
            (0..V::DIMENSION).map(|i| self.space.size().axis(i)).fold(f32::INFINITY, f32::min);
        let (wraps, most) = (self.space.wraps(), if self.space.wraps() { MOST_PIECES } else { 1 });
        let piece = if wraps { narrowest * 0.25 } else { self.length };
        (0..most)
            .map(move |i| piece * i as f32)
            .take_while(move |before| *before < self.length)
            .map(move |before| {
                let from = self.from + self.direction * before;
                let from = if wraps { self.space.wrapped(from) } else { from };
                (before, from, self.direction * piece.min(self.length - before))
            })
    }

    /// A point inside the bounds, and as it is seen from the worlds around in a wrapped one.
    pub(super) fn images(&self, p: V) -> impl Iterator<Item = V> + use<V> {
        self.space.image_offsets().map(move |turn| p + turn)
    }
}

/// Where a way from `p` first meets an obstacle that `p` is not inside of.
pub(super) fn meeting<V: Vector>(obstacle: &Obstacle<V>, p: V, way: V) -> Option<Hit<V>> {
    if obstacle.contains(p) { None } else { obstacle.cast_segment(p, p + way, 0.0) }
}
