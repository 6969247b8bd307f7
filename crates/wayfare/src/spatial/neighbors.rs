//! Neighbors and the order-free sums over them.
//!
//! A neighbor behavior consists of a *pair term*, one neighbor's contribution normalised by a
//! radius or a speed to about [-1, 1], and a formula that turns the sums into a force. The terms
//! are rounded to fixed point and added as integers, so the sums do not depend on the order of the
//! neighbors: not on the grid, the number of threads, or the order of agents in memory.

use alloc::vec::Vec;
use core::ops::Range;

use crate::agent::Host;
use crate::id::{AgentId, GroupId};
use crate::random::{Random, absorb, mix};
use crate::simd::column::VectorColumn;
use crate::simd::{MAX_LANES, One, Simd, SimdDispatch, SimdVector, Term};
use crate::spatial::space::Space;
use crate::vector::{Vector, ZERO_LENGTH_SQUARED};

mod gather;
mod minima;
mod nearest;
mod ranges;
mod sums;
mod units;
mod view;
mod visit;

pub(crate) use gather::Candidates;
use gather::Gather;
pub use minima::PairMinima;
pub use nearest::NEAREST;
pub(crate) use ranges::Filters;
pub use sums::{LARGEST_TERM, NeighborSum};
pub(crate) use units::{SMALL_PART, largest_unit};
use view::{Cosines, View};
pub(crate) use visit::PairVisitor;

/// One agent near the host, relative to the host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor<V> {
    /// The neighbor's id; never the host's own.
    pub id: AgentId,
    /// The index of the neighbor's group.
    pub group: GroupId,
    /// The shortest offset from the host to the neighbor (length).
    pub offset: V,
    /// The squared distance (length squared).
    pub distance_squared: f32,
    /// The neighbor's velocity (length / time).
    pub velocity: V,
    /// The radius of the neighbor's body (length); 0 unless a behavior reads bodies, see
    /// [`Needs::BODIES`](crate::parameter::Needs::BODIES).
    pub radius: f32,
    /// The neighbor's top speed (length / time); 0 unless a behavior reads bodies, or where it is
    /// not known.
    pub max_speed: f32,
}

impl<V: Vector> Neighbor<V> {
    /// An agent of group 0 without a body; [`Neighbors::push`] computes its distance.
    pub(crate) fn new(id: AgentId, offset: V, velocity: V) -> Self {
        Self {
            id,
            group: GroupId(0),
            offset,
            distance_squared: 0.0,
            velocity,
            radius: 0.0,
            max_speed: 0.0,
        }
    }
}

/// The agents near one host: candidates in columns, which all behaviors of the host's list read,
/// and which the crowd shares between all hosts of a grid cell.
#[derive(Clone, Debug)]
pub struct Neighbors<V: Vector> {
    /// The host's id: it excludes the host from its neighbors, and determines the direction away
    /// from an agent at the same point.
    host: AgentId,
    /// The host's position in the coordinates of the candidates (length).
    host_position: V,
    /// The number of candidates that are the host itself.
    host_count: usize,
    space: Space<V>,
    /// The unit of speed in the sums, unless neighbors are much faster (length / time).
    speed: f32,
    /// An upper bound on the speeds of all candidates (length / time).
    max_speed: f32,
    /// The number of candidates. The columns are longer: a block of padding at infinity follows,
    /// and spare capacity.
    len: usize,
    position: VectorColumn<V>,
    velocity: VectorColumn<V>,
    id: Vec<u32>,
    group: Vec<u32>,
    /// The body radii of the candidates (length), if `bodies` is set.
    body: Vec<f32>,
    /// The top speeds of the candidates (length / time), if `bodies` is set.
    top_speed: Vec<f32>,
    /// The unit vectors of their velocities, if `bodies` is set: computed once for all hosts.
    direction: VectorColumn<V>,
    bodies: bool,
    /// The instruction set of the sums; the widest available one unless set.
    dispatch: Option<SimdDispatch>,
    /// Of fields of view; they change no result.
    cosines: Cosines,
    /// The runs of candidates in the crowd's columns; stored for its capacity.
    runs: Vec<Range<u32>>,
    /// How far neighbors are read (length): which candidates are farther depends on the order in
    /// memory. Below 0 where no behavior of the host says so; infinity outside of a crowd.
    reach: f32,
    /// A buffer for the order of ids.
    order: Vec<u32>,
}

/// Several neighbors of a pair term at once.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<L> {
    /// The shortest offsets from the host to the neighbors (length).
    pub offset: SimdVector<L>,
    /// The squared distances (length squared), above zero where the term counts.
    pub distance_squared: L,
    /// The velocities of the neighbors (length / time).
    pub velocity: SimdVector<L>,
    /// The radii of the neighbors' bodies (length), if the term reads bodies; otherwise
    /// unspecified.
    pub radius: L,
    /// The top speeds of the neighbors (length / time), if the term reads bodies; otherwise
    /// unspecified.
    pub max_speed: L,
    /// The unit vectors of the velocities, if the term reads directions; otherwise unspecified.
    pub direction: SimdVector<L>,
}

/// The contribution of each neighbor to a behavior: `N` vectors of about unit length, at most
/// [`LARGEST_TERM`].
pub trait PairTerms<V: Vector, const N: usize> {
    /// Whether the terms read velocities; if not, the velocities passed to [`terms`](Self::terms)
    /// are unspecified.
    const READS_VELOCITIES: bool = true;
    /// Whether the terms read body radii and top speeds; if not, those passed to
    /// [`terms`](Self::terms) are unspecified.
    const READS_BODIES: bool = false;
    /// Whether the terms read the unit vectors of velocities; if not, those passed to
    /// [`terms`](Self::terms) are unspecified.
    const READS_DIRECTIONS: bool = false;
    /// Whether the sum also finds the nearest neighbor.
    const FINDS_NEAREST: bool = false;
    /// The terms of several neighbors at once, each farther away than the `close` distance of the
    /// sum. A term beyond [`LARGEST_TERM`] makes the sum invalid.
    ///
    /// Implementations need `#[inline(always)]`: only then the method is compiled for the widest
    /// instruction set.
    fn terms<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; N];
    /// The terms of one neighbor within the `close` distance, which is rare: there a term may need
    /// a direction although the offset is zero.
    fn close_terms(&self, neighbor: &Neighbor<V>) -> [V; N];
}

/// The neighbors that count for a behavior.
#[derive(Clone, Copy, Debug)]
pub struct NeighborFilter<'a> {
    /// The largest distance that counts (length), included.
    pub radius: f32,
    /// The groups that count.
    pub of: &'a Groups,
    /// The full angle of view around the heading (degrees, from 0 to 360).
    pub field_of_view: f32,
}

impl NeighborFilter<'_> {
    /// The squared radius (length squared), finite, as padding is infinitely far away.
    #[inline(always)]
    fn squared(&self) -> f32 {
        (self.radius * self.radius).min(f32::MAX)
    }
}

/// The groups whose members count as neighbors: all groups, or the listed ones.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Groups {
    /// Every group.
    #[default]
    All,
    /// Only these groups.
    Only(Vec<GroupId>),
}

impl Groups {
    /// A mask with one bit per group, all bits for all groups; `None` if an index is too large for
    /// a mask of 32 bits.
    #[inline(always)]
    pub(crate) fn bits(&self) -> Option<u32> {
        match self {
            Groups::All => Some(u32::MAX),
            Groups::Only(list) => Self::bits_of(list),
        }
    }

    #[inline(never)]
    fn bits_of(list: &[GroupId]) -> Option<u32> {
        list.iter().try_fold(0, |bits, &GroupId(group)| (group < 31).then(|| bits | 1 << group))
    }

    /// Only these groups: `Groups::only([0, 2])`.
    pub fn only<G: Into<GroupId>>(groups: impl IntoIterator<Item = G>) -> Self {
        Groups::Only(groups.into_iter().map(Into::into).collect())
    }

    /// Whether `group` is one of the groups.
    pub fn contain(&self, group: GroupId) -> bool {
        match self {
            Groups::All => true,
            Groups::Only(list) => list.contains(&group),
        }
    }
}

impl<V: Vector> Default for Neighbors<V> {
    fn default() -> Self {
        Self::none()
    }
}

impl<V: Vector> Neighbors<V> {
    /// No neighbors, with static lifetime.
    pub(crate) fn none_static() -> &'static Self {
        V::no_neighbors()
    }

    /// No neighbors.
    pub const fn none() -> Self {
        Self {
            host: AgentId::NONE,
            host_position: V::ZERO,
            host_count: 0,
            space: Space::OPEN,
            speed: 1.0,
            max_speed: 1.0,
            len: 0,
            position: VectorColumn::EMPTY,
            velocity: VectorColumn::EMPTY,
            id: Vec::new(),
            group: Vec::new(),
            body: Vec::new(),
            top_speed: Vec::new(),
            direction: VectorColumn::EMPTY,
            bodies: false,
            dispatch: None,
            cosines: Cosines::new(),
            runs: Vec::new(),
            reach: f32::INFINITY,
            order: Vec::new(),
        }
    }

    /// The neighbors of `host` with the positions and velocities of `others`, which must not
    /// include the host itself.
    ///
    /// The ids are the indices in the list, and all neighbors belong to group 0. Agents at the same
    /// point move apart only if their ids are known: see [`among`](Self::among).
    pub fn of(host: &impl Host<V>, others: impl IntoIterator<Item = (V, V)>) -> Self {
        let mut neighbors = Self::none();
        for (id, (position, velocity)) in others.into_iter().enumerate() {
            neighbors.push(Neighbor::new(AgentId(id as u32), position - host.position(), velocity));
        }
        neighbors
    }

    /// The neighbors of the agent `id`, whose state is `host`, among `all` agents (id, position,
    /// velocity), which may include the agent itself; all belong to group 0.
    ///
    /// With ids, two agents at the same point move apart in opposite directions.
    pub fn among(
        id: impl Into<AgentId>,
        host: &impl Host<V>,
        all: impl IntoIterator<Item = (AgentId, V, V)>,
    ) -> Self {
        let id = id.into();
        let mut neighbors = Self { host: id, ..Self::none() };
        for (other, position, velocity) in all.into_iter().filter(|(other, ..)| *other != id) {
            neighbors.push(Neighbor::new(other, position - host.position(), velocity));
        }
        neighbors
    }

    /// Adds a neighbor; the distance is computed from its offset.
    pub fn push(&mut self, neighbor: Neighbor<V>) {
        self.speed = self.speed.max(neighbor.velocity.length());
        self.max_speed = self.speed;
        self.reserve(1);
        self.position.set(self.len, neighbor.offset);
        self.velocity.set(self.len, neighbor.velocity);
        self.id[self.len] = neighbor.id.0;
        self.group[self.len] = neighbor.group.0 as u32;
        self.body[self.len] = neighbor.radius;
        self.top_speed[self.len] = neighbor.max_speed;
        self.direction.set(self.len, unit_in_lanes(neighbor.velocity));
        self.bodies = true;
        self.len += 1;
        self.pad();
    }

    /// Removes all candidates. Candidates added afterwards are in `space`, and their speed is at
    /// most `max_speed`.
    pub(crate) fn clear(&mut self, space: Space<V>, max_speed: f32) {
        self.len = 0;
        (self.space, self.max_speed) = (space, max_speed);
    }

    /// Removes all neighbors and makes the agent with the id `host` the host.
    pub(crate) fn restart(&mut self, host: AgentId) {
        self.clear(Space::OPEN, 1.0);
        self.set_host(host, V::ZERO, 0, 1.0);
        self.pad();
    }

    /// Prepares for candidates that are in group 0 unless their groups are given.
    pub(crate) fn begin_in_group_0(&mut self) {
        self.group.fill(0);
        // Found once, and not for each sum.
        self.dispatch.get_or_insert_with(SimdDispatch::widest);
    }

    /// An empty list with the capacity for `count` candidates, so that steps do not allocate.
    pub(crate) fn with_capacity(count: usize) -> Self {
        let mut neighbors = Self::none();
        neighbors.reserve(count);
        neighbors.runs.reserve(64);
        neighbors
    }

    /// Appends those `candidates` within the radius of their box, from the runs that `find`
    /// collects; call [`pad`](Self::pad) afterwards.
    #[inline(always)]
    pub(crate) fn gather(
        &mut self,
        candidates: &Candidates<'_, V, impl Fn(usize) -> (f32, f32)>,
        find: impl FnOnce(&mut Vec<Range<u32>>),
    ) {
        let mut runs = core::mem::take(&mut self.runs);
        runs.clear();
        find(&mut runs);
        self.bodies = candidates.body.is_some();
        let count: usize = runs.iter().map(|run| (run.end - run.start) as usize).sum();
        if count > 0 {
            self.reserve(count);
            self.simd_dispatch().run(Gather { neighbors: self, candidates, runs: &runs });
        }
        self.runs = runs;
    }

    /// Sets the upper bound on all speeds, which is otherwise computed from the candidates.
    #[cfg(test)]
    pub(crate) fn set_max_speed(&mut self, max_speed: f32) {
        self.max_speed = max_speed;
    }

    /// Sets the instruction set of the sums.
    pub(crate) fn set_dispatch(&mut self, dispatch: SimdDispatch) {
        self.dispatch = Some(dispatch);
    }

    #[inline(always)]
    fn simd_dispatch(&self) -> SimdDispatch {
        self.dispatch.unwrap_or_else(SimdDispatch::widest)
    }

    /// Grows the columns for `count` more candidates and a block of padding.
    fn reserve(&mut self, count: usize) {
        let length = self.len + count + MAX_LANES;
        if length > self.id.len() {
            let length = length.max(2 * self.id.len());
            self.position.resize(length);
            self.velocity.resize(length);
            self.id.resize(length, 0);
            self.group.resize(length, 0);
            self.body.resize(length, 0.0);
            self.top_speed.resize(length, 0.0);
            self.direction.resize(length);
        }
    }

    /// Appends a block of padding, so that the list can be read in blocks.
    #[inline(always)]
    pub(crate) fn pad(&mut self) {
        self.reserve(0);
        for axis in 0..V::DIMENSION {
            self.position.axis_mut(axis)[self.len..][..MAX_LANES].fill(f32::INFINITY);
        }
    }

    /// Makes the agent with the id `host` at `position` the host. The host is `host_count` times
    /// among the candidates; `speed` is the unit of speed of its group.
    pub(crate) fn set_host(&mut self, host: AgentId, position: V, host_count: usize, speed: f32) {
        self.set_host_count(host_count);
        self.set_unit_of_speed(speed);
        self.move_host(host, position);
    }

    /// Sets how often each of the next hosts is among the candidates.
    pub(crate) fn set_host_count(&mut self, count: usize) {
        self.host_count = count;
    }

    /// Sets how far the next hosts, which are of one group, read neighbors (length).
    pub(crate) fn set_reach(&mut self, radius: Option<f32>) {
        self.reach = radius.unwrap_or(-1.0);
    }

    /// Sorts the candidates by their ids, for users' code that adds them up in their order.
    pub(crate) fn sort_by_id(&mut self) {
        let Self { order, id, .. } = self;
        order.clear();
        order.extend(0..self.len as u32);
        order.sort_unstable_by_key(|&i| id[i as usize]);
        for i in 0..self.len {
            // Earlier exchanges have moved what belongs here.
            let mut from = self.order[i] as usize;
            while from < i {
                from = self.order[from] as usize;
            }
            if from != i {
                self.exchange(i, from);
            }
        }
    }

    fn exchange(&mut self, i: usize, k: usize) {
        for column in [&mut self.position, &mut self.velocity, &mut self.direction] {
            let (a, b) = (column.get(i), column.get(k));
            column.set(i, b);
            column.set(k, a);
        }
        self.id.swap(i, k);
        self.group.swap(i, k);
        self.body.swap(i, k);
        self.top_speed.swap(i, k);
    }

    /// Sets the unit of speed of the next hosts, which are of one group.
    pub(crate) fn set_unit_of_speed(&mut self, speed: f32) {
        self.speed = speed;
    }

    /// Makes another agent the host, which is as often among the candidates as the one before and
    /// has the same unit of speed.
    #[inline(always)]
    pub(crate) fn move_host(&mut self, host: AgentId, position: V) {
        (self.host, self.host_position) = (host, position);
    }

    /// The host's position in the coordinates of the candidates (length).
    pub(crate) fn host_position(&self) -> V {
        self.host_position
    }

    /// The host's id; [`AgentId::NONE`] for a host without an id.
    pub fn host_id(&self) -> AgentId {
        self.host
    }

    /// All agents within the largest radius of the host's behaviors, without the host. For a user's
    /// behavior in a crowd they are in the order of their ids, else in the order in which they were
    /// added.
    pub fn iter(&self) -> impl Iterator<Item = Neighbor<V>> + '_ {
        debug_assert!(
            self.reach >= 0.0,
            "a behavior reads neighbors, and no `neighbor_radius` of its group says how far"
        );
        let farthest = self.reach * self.reach;
        let mut all = self.candidates();
        core::iter::from_fn(move || {
            loop {
                let neighbor = all.next()?;
                if neighbor.distance_squared <= farthest {
                    return Some(neighbor);
                }
            }
        })
    }

    /// All candidates without the host.
    fn candidates(&self) -> impl Iterator<Item = Neighbor<V>> + '_ {
        // Adapters are called out of line without link-time optimization.
        let mut next = 0;
        core::iter::from_fn(move || {
            while next < self.len {
                let i = next;
                next += 1;
                if !self.is_host(i) {
                    return Some(self.candidate(i));
                }
            }
            None
        })
    }

    /// Whether the candidate `i` is the host itself.
    #[inline(always)]
    fn is_host(&self, i: usize) -> bool {
        self.id[i] == self.host.0 && self.host_count > 0
    }

    /// The candidate `i`.
    #[inline(always)]
    fn candidate(&self, i: usize) -> Neighbor<V> {
        let offset = self.space.difference(self.host_position, self.position.get(i));
        let (radius, max_speed) =
            if self.bodies { (self.body[i], self.top_speed[i]) } else { (0.0, 0.0) };
        Neighbor {
            id: AgentId(self.id[i]),
            group: GroupId(self.group[i] as usize),
            offset,
            distance_squared: offset.length_squared(),
            velocity: self.velocity.get(i),
            radius,
            max_speed,
        }
    }

    /// The neighbors that `filter` selects for a host with this heading.
    pub fn within<'a>(
        &'a self,
        filter: NeighborFilter<'a>,
        heading: V,
    ) -> impl Iterator<Item = Neighbor<V>> + 'a {
        let view = self.view(&filter, heading);
        let mut all = self.iter();
        core::iter::from_fn(move || {
            loop {
                let neighbor = all.next()?;
                if neighbor.distance_squared <= filter.radius * filter.radius
                    && filter.of.contain(neighbor.group)
                    && view.is_none_or(|view| view.has(&neighbor))
                {
                    return Some(neighbor);
                }
            }
        })
    }

    /// The unit vector away from `neighbor`; for a neighbor at the same point a direction that
    /// depends only on the two ids, and is opposite for the other agent.
    pub fn away(&self, neighbor: &Neighbor<V>) -> V {
        self.away_from(neighbor.id, neighbor.offset)
    }

    /// [`away`](Self::away) from the neighbor `id` at this offset (length).
    pub(crate) fn away_from(&self, id: AgentId, offset: V) -> V {
        if offset.length_squared() < ZERO_LENGTH_SQUARED {
            separating_direction(self.host, id)
        } else {
            -offset.unit()
        }
    }
}

/// The unit vector of `velocity` with the bits that blocks of lanes have.
fn unit_in_lanes<V: Vector>(velocity: V) -> V {
    let unit = SimdVector::<One>::splat(velocity).unit::<V>();
    V::from_fn(|axis| unit.0[axis].first())
}

/// The unit vector of `host` away from `other` at the same point: it depends on the two ids alone,
/// and is opposite for the other agent.
// Agents are hardly ever at one point: kept out of the loops over neighbors.
#[cold]
#[inline(never)]
pub(crate) fn separating_direction<V: Vector>(host: AgentId, other: AgentId) -> V {
    let (low, high) = (host.min(other).0, host.max(other).0);
    let unit =
        V::random_unit(&mut Random::new(absorb(mix(u64::from(low)), u64::from(high)), 0, 0, 0));
    if host < other { unit } else { -unit }
}

#[cfg(test)]
mod tests;
