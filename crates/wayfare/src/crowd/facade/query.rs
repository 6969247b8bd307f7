//! Spatial queries between two steps: the nearest agent, the agents within a radius, the first hit
//! of a ray.
//!
//! The first queries after a step or a change read all agents; one more builds the search trees,
//! and later ones share them. No result depends on the order of agents in memory.

use alloc::vec::Vec;

use super::agents::AgentRef;
use super::crowd::Crowd;
use crate::crowd::nearest_member;
use crate::crowd::pipeline::index::build_members;
use crate::crowd::population::columns::Columns;
use crate::crowd::population::ghosts::columns_of;
use crate::geometry::obstacle::{Hit, Obstacle, Shape};
use crate::id::{AgentId, FieldId, GroupId};
use crate::registry::Behavior;
use crate::spatial::bvh::{BOXES, Block, Bvh, Item, MARGIN};
use crate::spatial::space::Space;
use crate::vector::{Vector, WORLD_LIMIT};

/// The largest number of segments of a ray in a wrapped world, each as long as a quarter of the
/// narrowest side.
const MAX_SEGMENTS: usize = 64;

/// The first intersection of a ray with a body or an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit<V> {
    /// The distance from the start of the ray (length).
    pub distance: f32,
    /// The point of intersection (length); in a wrapped world its image inside the bounds.
    pub point: V,
    /// The outward unit normal of the surface at that point.
    pub normal: V,
}

/// The first body and the first obstacle that a ray hits, each as if the other did not exist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHits<'a, V> {
    /// The agent whose body is hit first, and the hit; the lowest id wins a tie.
    pub agent: Option<(AgentRef<'a, V>, RayHit<V>)>,
    /// The index in [`Crowd::obstacles`] of the obstacle that is hit first, and the hit; the
    /// lowest index wins a tie.
    pub obstacle: Option<(usize, RayHit<V>)>,
}

impl<V: Vector> Crowd<V> {
    /// The flow field that agent `id` follows: that of the first `follow_flow` of its state. `None`
    /// without one, and for an id that is not in the crowd. Reads the behaviors of the state.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let (origin, vectors) = (vec2(0.0, 0.0), vec![vec2(1.0, 0.0); 2]);
    /// let east = FieldPlan::Vectors { origin, cell: 5.0, columns: 2, rows: None, vectors };
    /// let leaves = Group::new("leaves", 1, Spawn::point(vec2(1.0, 2.0)), 1.0)
    ///     .steer(FollowFlow::new(FieldId(0)));
    /// let crowd = Setup::new(1.0).field("east", east).group(leaves).crowd()?;
    /// assert_eq!(crowd.field_of(0), Some(FieldId(0)));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn field_of(&self, id: impl Into<AgentId>) -> Option<FieldId> {
        let row = self.row_of(id.into())?;
        let group = &self.world.groups[self.population.now.group[row] as usize];
        let state = &group.states[self.population.now.state[row].state as usize];
        state.list.contributing().iter().find_map(|slot| match slot.behavior {
            Behavior::FollowFlow(follow) => Some(follow.field),
            _ => None,
        })
    }

    /// The members of `group`, without ghosts, in the order of their ids. Reads the group of every
    /// agent; [`within`](Self::within) finds the members near a point faster.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let team = |name, x| {
    ///     Group::new(name, 2, Spawn::points([vec2(x, 0.0), vec2(x, 5.0)]), 1.0)
    /// };
    /// let crowd = Setup::new(1.0).group(team("red", 0.0)).group(team("blue", 9.0)).crowd()?;
    /// let blue: Vec<_> = crowd.members(GroupId(1)).iter().map(|agent| agent.id).collect();
    /// assert_eq!(blue, [AgentId(2), AgentId(3)]);
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn members(&self, group: impl Into<GroupId>) -> Vec<AgentRef<'_, V>> {
        let group = group.into();
        let rows = (0..).zip(self.groups()).filter(|(_, of)| *of == group);
        let mut found: Vec<_> = rows.filter_map(|(row, _)| self.agent_at_row(row)).collect();
        found.sort_unstable_by_key(|agent| agent.id);
        found
    }

    /// The agent or ghost nearest to `point` (length) among the members of `group`, or of all
    /// groups without `group`; `None` if there is none. The lowest id wins a tie.
    ///
    /// In a wrapped world distances are taken to the nearest image, and `point` may be outside the
    /// bounds.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let places = Spawn::points([vec2(0.0, 0.0), vec2(10.0, 0.0), vec2(30.0, 0.0)]);
    /// let crowd = Setup::new(1.0).group(Group::new("a", 3, places, 1.0)).crowd()?;
    /// assert_eq!(crowd.nearest(vec2(21.0, 1.0), None).unwrap().id, AgentId(2));
    /// assert_eq!(crowd.nearest(vec2(5.0, 0.0), Some(GroupId(0))).unwrap().id, AgentId(0));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn nearest(&self, point: V, group: Option<GroupId>) -> Option<AgentRef<'_, V>> {
        let point = self.query_point(point)?;
        if self.population.query_index.scans() {
            return self.nearest_row(point, self.rows_of(group));
        }
        let (dispatch, space) = (self.tick.dispatch, &self.world.space);
        let nearest = self.trees(group).iter().filter_map(|tree| {
            nearest_member::nearest(dispatch, tree, space, point, f32::INFINITY, AgentId::NONE)
        });
        self.nearest_row(point, nearest)
    }

    /// The same as [`nearest`](Self::nearest), among the agents and ghosts for which `counts`
    /// holds: it is asked about the nearest ones first.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let places = Spawn::points([vec2(0.0, 0.0), vec2(10.0, 0.0), vec2(30.0, 0.0)]);
    /// let crowd = Setup::new(1.0).group(Group::new("a", 3, places, 1.0)).crowd()?;
    /// let other = crowd.nearest_that(vec2(1.0, 0.0), None, |agent| agent.id != AgentId(0));
    /// assert_eq!(other.map(|agent| agent.id), Some(AgentId(1)));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn nearest_that(
        &self,
        point: V,
        group: Option<GroupId>,
        counts: impl Fn(AgentRef<'_, V>) -> bool,
    ) -> Option<AgentRef<'_, V>> {
        let point = self.query_point(point)?;
        let (space, none) = (&self.world.space, AgentId::NONE);
        let counts = |row: usize| counts(self.agent_or_ghost_at_row(row as u32));
        let nearest = self.trees(group).iter().filter_map(|tree| {
            nearest_member::nearest_that(tree, space, point, f32::INFINITY, none, counts)
        });
        self.nearest_row(point, nearest)
    }

    /// The row that is nearest to `point`; the lowest id wins a tie.
    fn nearest_row(&self, point: V, rows: impl Iterator<Item = usize>) -> Option<AgentRef<'_, V>> {
        let id = |row: usize| {
            let (columns, i) = columns_of(&self.population.now, &self.population.ghosts, row);
            columns.id[i]
        };
        let key = |row: usize| (self.distance_squared(point, row), id(row));
        rows.reduce(|a, b| if key(b) < key(a) { b } else { a })
            .map(|row| self.agent_or_ghost_at_row(row as u32))
    }

    /// The agents and ghosts of `group`, or of all groups without `group`, at most `radius` from
    /// `point` (lengths), in the order of their ids.
    ///
    /// Distances are taken to positions, not to bodies; in a wrapped world to the nearest image,
    /// and `point` may be outside the bounds.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let places = Spawn::points([vec2(0.0, 0.0), vec2(10.0, 0.0), vec2(30.0, 0.0)]);
    /// let crowd = Setup::new(1.0).group(Group::new("a", 3, places, 1.0)).crowd()?;
    /// let near = crowd.within(vec2(10.0, 0.0), 10.0, None);
    /// assert_eq!((near.len(), near[0].id, near[1].id), (2, AgentId(0), AgentId(1)));
    /// # Ok::<(), SetupError>(())
    /// ```
    ///
    /// Costs the boxes that the circle touches and a sort of what it finds; the first queries after
    /// a step read all agents, see [`visit_within`](Self::visit_within).
    pub fn within(&self, point: V, radius: f32, group: Option<GroupId>) -> Vec<AgentRef<'_, V>> {
        let mut found = Vec::new();
        self.visit_within(point, radius, group, |agent| found.push(agent));
        found.sort_unstable_by_key(|agent| agent.id);
        found
    }

    /// Calls `visit` for what [`within`](Self::within) returns, in any order: the order depends on
    /// the rows. The first 16 queries after a step read all agents, and the next one builds trees.
    /// That allocates, and nothing else does.
    pub fn visit_within<'a>(
        &'a self,
        point: V,
        radius: f32,
        group: Option<GroupId>,
        mut visit: impl FnMut(AgentRef<'a, V>),
    ) {
        let Some(point) = self.query_point(point).filter(|_| radius >= 0.0) else { return };
        let padded = radius + MARGIN * (point.length() + radius);
        let (low, high) = (point.map(|x| x - padded), point.map(|x| x + padded));
        self.for_each_near(group, low, high, |row| {
            if self.distance_squared(point, row as usize) <= radius * radius {
                visit(self.agent_or_ghost_at_row(row));
            }
        });
    }

    /// The agents and ghosts of `group`, or of all groups without `group`, whose positions are
    /// inside `shape` or on its edge, in the order of their ids: a selection box, the zone of a
    /// trap.
    ///
    /// A segment and a polygon work as well. In a wrapped world the shape may reach across the
    /// edges, but it should be narrower than half of the world. Costs the boxes that the shape's
    /// bounding box touches and a sort of what it finds.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let places = Spawn::points([vec2(0.0, 0.0), vec2(10.0, 4.0), vec2(30.0, 0.0)]);
    /// let crowd = Setup::new(1.0).group(Group::new("a", 3, places, 1.0)).crowd()?;
    /// let dragged = Shape::box_between(vec2(5.0, -5.0), vec2(40.0, 5.0));
    /// let selected: Vec<_> = crowd.inside(&dragged, None).iter().map(|agent| agent.id).collect();
    /// assert_eq!(selected, [AgentId(1), AgentId(2)]);
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn inside(&self, shape: &Shape<V>, group: Option<GroupId>) -> Vec<AgentRef<'_, V>> {
        let mut found = Vec::new();
        self.visit_inside(shape, group, |agent| found.push(agent));
        found.sort_unstable_by_key(|agent| agent.id);
        found
    }

    /// Calls `visit` for what [`inside`](Self::inside) returns, in any order: the order depends on
    /// the rows. Allocates a copy of a polygon's corners, and trees as
    /// [`visit_within`](Self::visit_within) does.
    pub fn visit_inside<'a>(
        &'a self,
        shape: &Shape<V>,
        group: Option<GroupId>,
        mut visit: impl FnMut(AgentRef<'a, V>),
    ) {
        let shape = Obstacle::in_space(shape.clone(), &self.world.space);
        let (low, high) = shape.aabb();
        if !low.is_finite() || !high.is_finite() {
            return;
        }
        let padding = MARGIN * (low.length() + high.length());
        let (low, high) = (low.map(|x| x - padding), high.map(|x| x + padding));
        let middle = (low + high) * 0.5;
        self.for_each_near(group, low, high, |row| {
            let (columns, i) =
                columns_of(&self.population.now, &self.population.ghosts, row as usize);
            if shape.contains(self.world.space.image(middle, columns.position.get(i))) {
                visit(self.agent_or_ghost_at_row(row));
            }
        });
    }

    /// Casts a ray from `from` along `direction`, which need not be a unit vector, up to the
    /// distance `length` (length). Returns the first body of an agent or ghost and the first
    /// obstacle that it hits.
    ///
    /// A body is a circle or sphere with the agent's radius. A body or obstacle that contains
    /// `from` is not hit. In a wrapped world a ray continues across the edges, up to 16 times the
    /// length of the narrowest side. A direction of zero hits nothing.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let group =
    ///     Group::new("a", 2, Spawn::points([vec2(0.0, 0.0), vec2(10.0, 0.0)]), 1.0).radius(1.0);
    /// let wall = Shape::box_between(vec2(20.0, -5.0), vec2(30.0, 5.0));
    /// let crowd = Setup::new(1.0).group(group).obstacle(wall).crowd()?;
    /// // From the middle of the first agent along x.
    /// let hits = crowd.ray(vec2(0.0, 0.0), vec2(1.0, 0.0), 100.0);
    /// let ((agent, hit), (obstacle, on_wall)) = (hits.agent.unwrap(), hits.obstacle.unwrap());
    /// assert_eq!((agent.id.0, hit.distance, hit.normal), (1, 9.0, vec2(-1.0, 0.0)));
    /// assert_eq!((obstacle, on_wall.point), (0, vec2(20.0, 0.0)));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn ray(&self, from: V, direction: V, length: f32) -> RayHits<'_, V> {
        let direction = direction.unit();
        let nothing = RayHits { agent: None, obstacle: None };
        let Some(from) = self
            .query_point(from)
            .filter(|_| direction.is_finite() && direction != V::ZERO && length > 0.0)
        else {
            return nothing;
        };
        let bodies = self.population.query_index.bodies.get_or_init(|| self.body_tree());
        let ray =
            Ray { space: self.world.space, from, direction, length: length.min(4.0 * WORLD_LIMIT) };
        RayHits {
            agent: ray
                .first(bodies, |row| {
                    let (columns, i) =
                        columns_of(&self.population.now, &self.population.ghosts, row as usize);
                    body(columns, i)
                })
                .map(|(row, hit)| (self.agent_or_ghost_at_row(row), hit)),
            obstacle: ray
                .first(&self.world.obstacle_bvh, |i| &self.world.obstacles[i as usize])
                .map(|(i, hit)| (i as usize, hit)),
        }
    }

    /// The rows of the agents and ghosts of `group`, or of all groups without `group`.
    fn rows_of(&self, group: Option<GroupId>) -> impl Iterator<Item = usize> + '_ {
        let is_in = move |row: &usize| {
            let (columns, i) = columns_of(&self.population.now, &self.population.ghosts, *row);
            group.is_none_or(|group| columns.group[i] as usize == group.0)
        };
        (0..self.len() + self.ghost_count()).filter(is_in)
    }

    /// Visits the row of each agent and ghost of `group` inside the box from `low` to `high`
    /// (length), and maybe others of it.
    fn for_each_near(&self, group: Option<GroupId>, low: V, high: V, mut visit: impl FnMut(u32)) {
        if self.population.query_index.scans() {
            return self.rows_of(group).for_each(|row| visit(row as u32));
        }
        for tree in self.trees(group) {
            tree.touching(&self.world.space, low, high, &mut visit);
        }
    }

    fn trees(&self, group: Option<GroupId>) -> &[Bvh<V>] {
        let trees = self.population.query_index.groups.get_or_init(|| {
            let mut trees = vec![Bvh::default(); self.world.groups.len()];
            trees.iter_mut().zip(0..).for_each(|(tree, group)| {
                build_members(tree, (&self.population.now, &self.population.ghosts), group)
            });
            trees
        });
        match group {
            Some(GroupId(group)) => trees.get(group..=group).unwrap_or_default(),
            None => trees,
        }
    }

    /// The point, in a wrapped world its image inside the bounds; `None` if it is not finite.
    fn query_point(&self, point: V) -> Option<V> {
        point.is_finite().then(|| self.stored_position(point.clamped()))
    }

    /// The squared distance from `point` to the agent or ghost in `row` (length squared).
    fn distance_squared(&self, point: V, row: usize) -> f32 {
        let (columns, i) = columns_of(&self.population.now, &self.population.ghosts, row);
        self.world.space.difference(point, columns.position.get(i)).length_squared()
    }

    /// The tree over the bodies of all agents and ghosts.
    fn body_tree(&self) -> Bvh<V> {
        let mut tree = Bvh::default();
        let item = |row: usize| {
            let (columns, i) = columns_of(&self.population.now, &self.population.ghosts, row);
            let (low, high) = body(columns, i).aabb();
            Item { low, high, rank: columns.id[i], index: row as u32 }
        };
        tree.build((0..self.len() + self.ghost_count()).map(item));
        tree
    }
}

/// The body of the agent in row `i`.
fn body<V: Vector>(columns: &Columns<V>, i: usize) -> Obstacle<V> {
    Shape::Circle { center: columns.position.get(i), radius: columns.limits[i].radius }.into()
}

/// A ray from a point inside the bounds; the direction is a unit vector.
#[derive(Clone, Copy, Debug)]
pub(in crate::crowd) struct Ray<V> {
    pub(in crate::crowd) space: Space<V>,
    pub(in crate::crowd) from: V,
    pub(in crate::crowd) direction: V,
    pub(in crate::crowd) length: f32,
}

impl<V: Vector> Ray<V> {
    /// The item of `tree` that is hit first, and the hit; the lowest rank wins a tie. `obstacle`
    /// returns the shape of an item.
    fn first<O: core::borrow::Borrow<Obstacle<V>>>(
        &self,
        tree: &Bvh<V>,
        obstacle: impl Fn(u32) -> O,
    ) -> Option<(u32, RayHit<V>)> {
        self.segments().find_map(|(before, from, offset)| {
            let mut first: Option<(f32, u32, u32, V)> = None;
            for p in self.images(from) {
                let best = first.map_or(1.0, |(along, ..)| along);
                let entries = |block: &Block| block.entries(p, offset);
                let fractions = |block: &Block| {
                    let entries = entries(block);
                    let fraction = |lane: usize| {
                        first_hit(obstacle(block.index[lane]).borrow(), p, offset)
                            .map_or(f32::NAN, |hit| hit.along)
                    };
                    let mut fractions = [f32::NAN; BOXES];
                    (0..BOXES)
                        .filter(|&lane| entries[lane] <= 1.0)
                        .for_each(|lane| fractions[lane] = fraction(lane));
                    fractions
                };
                if let Some((along, rank, item)) = tree.min_by(best, entries, fractions)
                    && first.is_none_or(|(best, best_rank, ..)| (along, rank) < (best, best_rank))
                {
                    first = Some((along, rank, item, p));
                }
            }
            let (along, _, item, p) = first?;
            let normal = first_hit(obstacle(item).borrow(), p, offset)?.normal;
            let point = from + offset * along;
            let point = self.space.inside(point);
            Some((item, RayHit { distance: before + offset.length() * along, point, normal }))
        })
    }

    /// Splits the ray into segments, in a wrapped world of at most a quarter of the narrowest side.
    /// Returns for each its distance from the start of the ray (length), its start inside the
    /// bounds, and the offset to its end.
    pub(in crate::crowd) fn segments(self) -> impl Iterator<Item = (f32, V, V)> {
        let narrowest =
            (0..V::DIMENSION).map(|i| self.space.size().axis(i)).fold(f32::INFINITY, f32::min);
        let wraps = self.space.wraps();
        let (length, count) =
            if wraps { (narrowest * 0.25, MAX_SEGMENTS) } else { (self.length, 1) };
        (0..count)
            .map(move |i| length * i as f32)
            .take_while(move |before| *before < self.length)
            .map(move |before| {
                let from = self.from + self.direction * before;
                let from = if wraps { self.space.wrapped(from) } else { from };
                (before, from, self.direction * length.min(self.length - before))
            })
    }

    /// A point inside the bounds; in a wrapped world also its images in the adjacent worlds.
    pub(in crate::crowd) fn images(&self, p: V) -> impl Iterator<Item = V> + use<V> {
        self.space.image_offsets().map(move |offset| p + offset)
    }
}

/// The first hit on the segment from `p` with this offset, unless `p` is inside the obstacle.
pub(in crate::crowd) fn first_hit<V: Vector>(
    obstacle: &Obstacle<V>,
    p: V,
    offset: V,
) -> Option<Hit<V>> {
    if obstacle.contains(p) { None } else { obstacle.cast_segment(p, p + offset, 0.0) }
}
