//! Neighbors and the order-free sums over them.
//!
//! A neighbor behavior is a *pair term*, one neighbor's contribution normalised by a radius or a
//! speed to about [-1, 1], and a *finish*, what the sums become. The terms are rounded to fixed
//! point and added as integers, so the same bits come out of any order of neighbors: whatever the
//! grid, the number of threads, or where agents lie in memory.

use core::ops::Range;

use crate::agent::Host;
use crate::id::{AgentId, GroupId};
use crate::random::{Random, absorb, mix};
use crate::simd::column::VectorColumn;
use crate::simd::{MAX_LANES, Simd, SimdDispatch, SimdVector, Term};
use crate::spatial::space::Space;
use crate::vector::{Vector, ZERO_LENGTH_SQUARED};

mod gather;
mod sums;
mod units;

pub(crate) use gather::Candidates;
use gather::Gather;
pub use sums::{LARGEST_TERM, NeighborSum};

/// One agent near the host, seen from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor<V> {
    /// Its id; never the host's own.
    pub id: AgentId,
    /// The group it belongs to.
    pub group: GroupId,
    /// The shortest way from the host to it (length).
    pub offset: V,
    /// The square of its distance (length squared).
    pub distance_squared: f32,
    /// How it moves (length / time).
    pub velocity: V,
    /// The radius of its body (length); 0 unless a behavior reads bodies, see
    /// [`Steer::reads_bodies`](crate::behavior::Steer::reads_bodies).
    pub radius: f32,
}

/// The agents near one host: a list of candidates in columns, which every behavior of the host's
/// list reads, and which the crowd shares between all hosts of a grid cell.
#[derive(Clone, Debug)]
pub struct Neighbors<V: Vector> {
    /// The host's own id: what keeps it from being its own neighbor, and parts it from who stands
    /// on the same point.
    host: AgentId,
    /// The host's position in the coordinates of the candidates (length).
    here: V,
    /// How many of the candidates are the host itself.
    own: usize,
    space: Space<V>,
    /// The unit of speed in the sums, unless neighbors are much faster (length / time).
    speed: f32,
    /// A bound on the speeds of all candidates (length / time).
    fastest: f32,
    /// How many candidates there are. The columns are longer: a block that is infinitely far away
    /// follows, and room for more.
    len: usize,
    position: VectorColumn<V>,
    velocity: VectorColumn<V>,
    id: Vec<u32>,
    group: Vec<u32>,
    /// The radii of their bodies (length), if they were gathered.
    body: Vec<f32>,
    bodies: bool,
    /// The instructions of the sums; the widest available unless set.
    chosen: Option<SimdDispatch>,
    /// Kept for its room: where candidates lie in the crowd's columns.
    runs: Vec<Range<u32>>,
}

/// Several neighbors of a pair term at once.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<L> {
    /// The shortest ways from the host to them (length).
    pub offset: SimdVector<L>,
    /// The squares of their distances (length squared), above zero where the term counts.
    pub distance_squared: L,
    /// How they move (length / time).
    pub velocity: SimdVector<L>,
}

/// What each neighbor contributes to a behavior: `N` vectors of about unit length, at most
/// [`LARGEST_TERM`].
pub trait PairTerms<V: Vector, const N: usize> {
    /// Whether it reads velocities; if not, those of [`far`](Self::far) may be anything.
    const READS_VELOCITIES: bool = true;
    /// The terms of several neighbors at once, each farther away than the sum's `close`. A term
    /// beyond [`LARGEST_TERM`] spoils its sum.
    ///
    /// Mark it `#[inline(always)]`: only then is it compiled for the widest
    /// instructions.
    fn far<L: Simd>(&self, pairs: &Pairs<L>) -> [Term<L>; N];
    /// The terms of one that is at most so close, which is rare: there a term may need a direction
    /// that no difference of positions has.
    fn near(&self, neighbor: &Neighbor<V>) -> [V; N];
}

/// Which neighbors count for a behavior.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// The farthest that counts (length), included.
    pub radius: f32,
    /// The groups that count.
    pub of: &'a Groups,
    /// The full angle seen, around the heading (degrees, from 0 to 360); 360 is all around.
    pub field_of_view: f32,
}

impl Sight<'_> {
    /// The bits of the groups. `None` if there is a field of view or a group beyond the
    /// thirty-second: then each candidate is tested alone.
    #[inline(always)]
    fn groups_in_simd(&self) -> Option<u32> {
        if self.field_of_view >= 360.0 { self.of.bits() } else { None }
    }
}

/// The groups whose members count as neighbors: all groups, or the listed ones.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Groups {
    /// Every group.
    #[default]
    All,
    /// Only these.
    Only(Vec<GroupId>),
}

impl Groups {
    /// A bit for each of them, all bits for all; `None` where a group is beyond the thirty-second.
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

    /// Whether `group` is among them.
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
    /// No neighbors, with static lifetime: a generic function cannot declare a static of its own.
    pub(crate) fn none_static() -> &'static Self {
        static FLAT: Neighbors<glam::Vec2> = Neighbors::none();
        static SOLID: Neighbors<glam::Vec3> = Neighbors::none();
        let both: [&'static dyn core::any::Any; 2] = [&FLAT, &SOLID];
        // `Vector` is sealed: one of the two has the type, and the fallback is never evaluated.
        both.into_iter()
            .find_map(|neighbors| neighbors.downcast_ref())
            .unwrap_or_else(|| Box::leak(Box::default()))
    }

    /// No neighbors.
    pub const fn none() -> Self {
        Self {
            host: AgentId::NONE,
            here: V::ZERO,
            own: 0,
            space: Space::OPEN,
            speed: 1.0,
            fastest: 1.0,
            len: 0,
            position: VectorColumn::EMPTY,
            velocity: VectorColumn::EMPTY,
            id: Vec::new(),
            group: Vec::new(),
            body: Vec::new(),
            bodies: false,
            chosen: None,
            runs: Vec::new(),
        }
    }

    /// The positions and velocities of `others`, seen from `host`; pass only who is not the host
    /// itself.
    ///
    /// Their ids are their places in the list, and all belong to group 0. Agents that may stand on
    /// the same point part only if they know their own ids: see [`among`](Self::among).
    pub fn of(host: &impl Host<V>, others: impl IntoIterator<Item = (V, V)>) -> Self {
        let mut neighbors = Self::none();
        for (id, (position, velocity)) in others.into_iter().enumerate() {
            neighbors.push(Neighbor {
                id: AgentId(id as u32),
                group: GroupId(0),
                offset: position - host.position(),
                distance_squared: 0.0,
                velocity,
                radius: 0.0,
            });
        }
        neighbors
    }

    /// The agents (id, position, velocity) of `all` but the one that is `id`, seen from it at
    /// `host`; all belong to group 0.
    ///
    /// With ids, two who stand on the same point part in opposite directions.
    pub fn among(
        id: impl Into<AgentId>,
        host: &impl Host<V>,
        all: impl IntoIterator<Item = (AgentId, V, V)>,
    ) -> Self {
        let id = id.into();
        let mut neighbors = Self { host: id, ..Self::none() };
        for (other, position, velocity) in all.into_iter().filter(|(other, ..)| *other != id) {
            neighbors.push(Neighbor {
                id: other,
                group: GroupId(0),
                offset: position - host.position(),
                distance_squared: 0.0,
                velocity,
                radius: 0.0,
            });
        }
        neighbors
    }

    /// Adds one; its distance is taken from its offset.
    pub fn push(&mut self, neighbor: Neighbor<V>) {
        self.speed = self.speed.max(neighbor.velocity.length());
        self.fastest = self.speed;
        self.make_room(1);
        self.position.set(self.len, neighbor.offset);
        self.velocity.set(self.len, neighbor.velocity);
        self.id[self.len] = neighbor.id.0;
        self.group[self.len] = neighbor.group.0 as u32;
        self.body[self.len] = neighbor.radius;
        self.bodies = true;
        self.len += 1;
        self.pad();
    }

    /// Removes all candidates; those of `space` that follow are at most as fast as `fastest`.
    pub(crate) fn clear(&mut self, space: Space<V>, fastest: f32) {
        self.len = 0;
        (self.space, self.fastest) = (space, fastest);
    }

    /// Removes all neighbors and makes the agent with the id `host` the host.
    pub(crate) fn restart(&mut self, host: AgentId) {
        self.clear(Space::OPEN, 1.0);
        self.aim(host, V::ZERO, 0, 1.0);
        self.pad();
    }

    /// Room for so many candidates, so that a step need not ask for it.
    pub(crate) fn with_room(count: usize) -> Self {
        let mut neighbors = Self::none();
        neighbors.make_room(count);
        neighbors.runs.reserve(64);
        neighbors
    }

    /// Adds those of `candidates` that may be near one of the agents they are gathered for, from
    /// the runs that `find` adds; [`pad`](Self::pad) ends the list.
    pub(crate) fn gather(
        &mut self,
        candidates: &Candidates<'_, V>,
        find: impl FnOnce(&mut Vec<Range<u32>>),
    ) {
        let mut runs = core::mem::take(&mut self.runs);
        runs.clear();
        find(&mut runs);
        self.make_room(runs.iter().map(|run| (run.end - run.start) as usize).sum());
        self.bodies = candidates.body.is_some();
        self.simd_dispatch().run(Gather { near: self, candidates, runs: &runs });
        self.runs = runs;
    }

    /// Sets the bound on all speeds, which otherwise follows from the candidates.
    #[cfg(test)]
    pub(crate) fn set_fastest(&mut self, fastest: f32) {
        self.fastest = fastest;
    }

    /// Chooses the instructions of the sums.
    pub(crate) fn choose(&mut self, chosen: SimdDispatch) {
        self.chosen = Some(chosen);
    }

    #[inline(always)]
    fn simd_dispatch(&self) -> SimdDispatch {
        self.chosen.unwrap_or_else(SimdDispatch::widest)
    }

    /// Makes the columns long enough for `count` more, and a block of padding behind them.
    fn make_room(&mut self, count: usize) {
        let length = self.len + count + MAX_LANES;
        if length > self.id.len() {
            let length = length.max(2 * self.id.len());
            self.position.resize(length);
            self.velocity.resize(length);
            self.id.resize(length, 0);
            self.group.resize(length, 0);
            self.body.resize(length, 0.0);
        }
    }

    /// Ends the list with a block of padding, so that it can be read in blocks.
    pub(crate) fn pad(&mut self) {
        self.make_room(0);
        for axis in 0..V::DIMENSION {
            self.position.axis_mut(axis)[self.len..][..MAX_LANES].fill(f32::INFINITY);
        }
    }

    /// Makes the agent `host` at `here` the host, which is `own` times among the candidates;
    /// `speed` is the unit of speed of its group.
    pub(crate) fn aim(&mut self, host: AgentId, here: V, own: usize, speed: f32) {
        (self.host, self.here, self.own, self.speed) = (host, here, own, speed);
    }

    /// The host's own id; [`AgentId::NONE`] for one that has none.
    pub fn host_id(&self) -> AgentId {
        self.host
    }

    /// All candidates but the host, in no particular order: at least all within the widest radius
    /// of the host's list.
    pub fn iter(&self) -> impl Iterator<Item = Neighbor<V>> + '_ {
        (0..self.len).filter(|&i| self.id[i] != self.host.0 || self.own == 0).map(|i| {
            let offset = self.space.difference(self.here, self.position.get(i));
            Neighbor {
                id: AgentId(self.id[i]),
                group: GroupId(self.group[i] as usize),
                offset,
                distance_squared: offset.length_squared(),
                velocity: self.velocity.get(i),
                radius: if self.bodies { self.body[i] } else { 0.0 },
            }
        })
    }

    /// Those within `sight` of a host that faces `heading`; one at distance zero is always seen.
    pub fn within<'a>(
        &'a self,
        sight: Sight<'a>,
        heading: V,
    ) -> impl Iterator<Item = Neighbor<V>> + 'a {
        let squared = sight.radius * sight.radius;
        let half = sight.field_of_view.min(360.0) * 0.5;
        let cosine = libm::cosf(half.to_radians());
        self.iter().filter(move |n| {
            n.distance_squared <= squared
                && sight.of.contain(n.group)
                && (half >= 180.0
                    || n.distance_squared == 0.0
                    || n.offset.dot(heading) >= cosine * n.distance_squared.sqrt())
        })
    }

    /// The unit vector away from `neighbor`; from who stands on the same point, a direction that
    /// depends only on the two ids, and is the opposite one for the other.
    pub fn away(&self, neighbor: &Neighbor<V>) -> V {
        if neighbor.distance_squared < ZERO_LENGTH_SQUARED {
            parting(self.host, neighbor.id)
        } else {
            -neighbor.offset.unit()
        }
    }
}

/// The direction in which `host` leaves `other`, who is at the same point.
fn parting<V: Vector>(host: AgentId, other: AgentId) -> V {
    let (low, high) = (host.min(other).0, host.max(other).0);
    let unit =
        V::random_unit(&mut Random::new(absorb(mix(u64::from(low)), u64::from(high)), 0, 0, 0));
    if host < other { unit } else { -unit }
}

#[cfg(test)]
mod tests;
