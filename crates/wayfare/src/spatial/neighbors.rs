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
use crate::simd::{
    MAX_LANES, Plain, Simd, SimdDispatch, SimdMemory, SimdVector, Term, Work, lanes_in_run,
};
use crate::spatial::space::Space;
use crate::vector::{Vector, ZERO_LENGTH_SQUARED};

mod units;

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

    /// The sums of pair terms over those within `sight`, in one pass; who is at most `close`
    /// (length) away counts with the near terms.
    #[inline(always)]
    pub fn sums<const N: usize>(
        &self,
        sight: Sight<'_>,
        heading: V,
        close: f32,
        terms: &impl PairTerms<V, N>,
    ) -> [NeighborSum; N] {
        // Far apart, many agents are their own only candidates.
        if self.len <= self.own {
            return [NeighborSum::default(); N];
        }
        let close_squared = close * close;
        let Some(groups) = sight.groups_in_simd() else {
            let none = [NeighborSum::default(); N];
            return self.sums_of_each(none, sight, heading, close_squared, true, terms);
        };
        let (sums, closer) = self.sums_beyond(&sight, groups, close_squared, terms);
        // The host is among the closer ones as often as it is a candidate.
        if closer <= self.own {
            sums
        } else {
            self.sums_of_each(sums, sight, heading, close_squared, false, terms)
        }
    }

    /// The sums of the terms of the neighbors of these `groups` within the radius of `sight` that
    /// are farther away than the square root of `close_squared`, and the number of candidates that
    /// are not, the host included.
    #[inline(always)]
    fn sums_beyond<const N: usize>(
        &self,
        sight: &Sight<'_>,
        groups: u32,
        close_squared: f32,
        terms: &impl PairTerms<V, N>,
    ) -> ([NeighborSum; N], usize) {
        let reach = Reach { groups, squared: sight.radius * sight.radius, close_squared };
        if self.space.wraps() || groups != u32::MAX {
            self.simd_dispatch().run(SumFar::<_, _, N, true> { near: self, reach, terms })
        } else {
            self.simd_dispatch().run(SumFar::<_, _, N, false> { near: self, reach, terms })
        }
    }

    /// Adds the terms one by one: of who is close, and if `one_by_one` of the others as well.
    #[inline(never)]
    fn sums_of_each<const N: usize>(
        &self,
        mut sums: [NeighborSum; N],
        sight: Sight<'_>,
        heading: V,
        close_squared: f32,
        one_by_one: bool,
        terms: &impl PairTerms<V, N>,
    ) -> [NeighborSum; N] {
        for n in self.within(sight, heading) {
            if n.distance_squared <= close_squared {
                for (sum, term) in sums.iter_mut().zip(terms.near(&n)) {
                    sum.add(term);
                }
            } else if one_by_one {
                let (offset, velocity) =
                    (SimdVector::<Plain>::splat(n.offset), SimdVector::splat(n.velocity));
                let pairs =
                    Pairs { offset, distance_squared: Plain::splat(n.distance_squared), velocity };
                for (sum, term) in sums.iter_mut().zip(terms.far(&pairs)) {
                    sum.add(V::from_fn(|i| (term.vector.0[i] * term.scale).first()));
                }
            }
        }
        sums
    }

    /// Adds the terms of all that are farther than close; says how many candidates are closer.
    ///
    /// Unless `ANY`, in a space without edges and over all groups, which is the usual case and the
    /// fast one.
    #[inline(always)]
    fn sum_far<L: SimdMemory, T: PairTerms<V, N>, const N: usize, const ANY: bool>(
        &self,
        reach: &Reach,
        terms: &T,
    ) -> ([NeighborSum; N], usize) {
        let here = SimdVector::<L>::splat(self.here);
        let space = self.space;
        let (radius, close) = (L::splat(reach.squared), L::splat(reach.close_squared));
        let mut sums = [NeighborSum::default(); N];
        let (mut counted, mut closer) = (0, 0);
        let mut first = 0;
        while first < self.len {
            let end = self.len.min(first + MOST_TERMS * L::COUNT);
            let mut totals = [[L::int_zero(); 3]; N];
            // How many count, and how many are too close.
            let mut counts = [L::int_zero(); 2];
            // Cut to whole blocks once, so that none is checked when it is read.
            let whole = first..first + (end - first).next_multiple_of(L::COUNT);
            let mut position = self.position.run(whole.clone());
            let mut velocity =
                if T::READS_VELOCITIES { self.velocity.run(whole.clone()) } else { position };
            let mut groups = if ANY { &self.group[whole] } else { &[] };
            while position.len() >= L::COUNT {
                let mut offset = position.take_block() - here;
                let velocity = velocity.take_block();
                if ANY {
                    offset = space.shortest(offset);
                }
                let mut distance_squared = offset.length_squared::<V>();
                if ANY {
                    let (these, rest) = groups.split_at(L::COUNT);
                    groups = rest;
                    if reach.groups != u32::MAX {
                        distance_squared =
                            distance_squared.or_infinity(L::load_in_set(reach.groups, these, 0));
                    }
                }
                let too_close = distance_squared.le(close);
                let mask = L::and_not(distance_squared.le(radius), too_close);
                counts =
                    [L::int_increment(mask, counts[0]), L::int_increment(too_close, counts[1])];
                let terms = terms.far(&Pairs { offset, distance_squared, velocity });
                for (total, term) in totals.iter_mut().zip(terms) {
                    let scale = term.scale * L::splat(ONE);
                    for (total, axis) in total.iter_mut().zip(term.vector.0).take(V::DIMENSION) {
                        *total = L::int_add(mask, *total, (axis * scale).to_int());
                    }
                }
            }
            // Four at a time: the axes of all sums, and behind them the counts.
            let whole = |k: usize| {
                totals.get(k / V::DIMENSION).map_or_else(
                    || counts.get(k - N * V::DIMENSION).copied().unwrap_or(L::int_zero()),
                    |total| total[k % V::DIMENSION],
                )
            };
            for at in (0..N * V::DIMENSION + 2).step_by(4) {
                for (k, total) in (at..).zip(L::reduce_sum([at, at + 1, at + 2, at + 3].map(whole)))
                {
                    match k.checked_sub(N * V::DIMENSION) {
                        None => sums[k / V::DIMENSION].sums[k % V::DIMENSION] += total,
                        Some(0) => counted += total,
                        Some(1) => closer += total,
                        Some(_) => {}
                    }
                }
            }
            first = end;
        }
        sums.iter_mut().for_each(|sum| sum.count = counted as u32);
        (sums, closer as usize)
    }
}

/// Which candidates a sum looks at: of these groups, within a radius, and how close is too close
/// (lengths squared).
struct Reach {
    groups: u32,
    squared: f32,
    close_squared: f32,
}

/// Summing as work for the widest instructions.
struct SumFar<'a, V: Vector, T, const N: usize, const ANY: bool> {
    near: &'a Neighbors<V>,
    reach: Reach,
    terms: &'a T,
}

impl<V: Vector, T: PairTerms<V, N>, const N: usize, const ANY: bool> Work
    for SumFar<'_, V, T, N, ANY>
{
    type Result = ([NeighborSum; N], usize);
    #[inline(always)]
    fn run<L: SimdMemory>(self) -> Self::Result {
        self.near.sum_far::<L, T, N, ANY>(&self.reach, self.terms)
    }
}

/// Agents that may be near those of one grid cell: runs of the crowd's columns, and the box in
/// which those of the cell stand.
pub(crate) struct Candidates<'a, V: Vector> {
    pub(crate) position: &'a VectorColumn<V>,
    pub(crate) velocity: &'a VectorColumn<V>,
    pub(crate) id: &'a [u32],
    /// `None` where all belong to group 0.
    pub(crate) group: Option<&'a [u32]>,
    /// The radius of the body (length) of the agent at a place; `None` if no behavior reads bodies.
    pub(crate) body: Option<&'a (dyn Fn(usize) -> f32 + Sync)>,
    /// The corners of the box, and how far from it a candidate may be (length).
    pub(crate) low: V,
    pub(crate) high: V,
    pub(crate) radius: f32,
    /// The extent of the world, if the way to a candidate may lead across its edge. That rounds,
    /// so the radius has room for it.
    pub(crate) across: Option<Space<V>>,
}

/// Gathering as work for the widest instructions.
///
/// Candidates farther from the box than the radius are skipped. No neighbor is lost by that:
/// rounding keeps the order of numbers, so the computed distance from the box is at most the
/// computed distance from any agent inside it.
struct Gather<'a, 'c, V: Vector> {
    near: &'a mut Neighbors<V>,
    candidates: &'a Candidates<'c, V>,
    runs: &'a [Range<u32>],
}

impl<V: Vector> Work for Gather<'_, '_, V> {
    type Result = ();
    #[inline(always)]
    fn run<L: SimdMemory>(self) {
        let Self { near, candidates, runs } = self;
        let (low, high) =
            (SimdVector::<L>::splat(candidates.low), SimdVector::splat(candidates.high));
        let middle = SimdVector::splat((candidates.low + candidates.high) * 0.5);
        let half = SimdVector::splat((candidates.high - candidates.low) * 0.5);
        let squared = L::splat(candidates.radius * candidates.radius);
        let nothing = SimdVector::splat(V::ZERO);
        let across = candidates.across;
        let mut len = near.len;
        for run in runs {
            let run = run.start as usize..run.end as usize;
            for at in run.clone().step_by(L::COUNT) {
                let position = SimdVector::load(candidates.position, at);
                let beyond = match &across {
                    None => (low - position).max(position - high),
                    Some(space) => {
                        let way = space.shortest(position - middle);
                        way.max(nothing - way) - half
                    }
                };
                let beyond = beyond.max(nothing);
                let bits = L::to_bits(beyond.length_squared::<V>().le(squared))
                    & lanes_in_run::<L>(&run, at);
                if bits == 0 {
                    continue;
                }
                position.compress_store(bits, &mut near.position, len);
                SimdVector::<L>::load(candidates.velocity, at).compress_store(
                    bits,
                    &mut near.velocity,
                    len,
                );
                L::compress_copy(bits, candidates.id, at, &mut near.id, len);
                if let Some(group) = candidates.group {
                    L::compress_copy(bits, group, at, &mut near.group, len);
                }
                if let Some(body) = candidates.body {
                    let lanes = (0..L::COUNT).filter(|lane| bits & 1 << lane != 0);
                    near.body[len..]
                        .iter_mut()
                        .zip(lanes)
                        .for_each(|(slot, lane)| *slot = body(at + lane));
                }
                len += bits.count_ones() as usize;
            }
        }
        near.len = len;
    }
}

/// After so many terms of the largest size, 2^26, a lane has come to 2^29.
const MOST_TERMS: usize = 8;

/// The direction in which `host` leaves `other`, who is at the same point.
fn parting<V: Vector>(host: AgentId, other: AgentId) -> V {
    let (low, high) = (host.min(other).0, host.max(other).0);
    let unit =
        V::random_unit(&mut Random::new(absorb(mix(u64::from(low)), u64::from(high)), 0, 0, 0));
    if host < other { unit } else { -unit }
}

/// The fixed-point unit of the sums: 2^-20.
const ONE: f32 = 1_048_576.0;

/// The largest term that is added as it is; what is longer counts as this long on each axis.
pub const LARGEST_TERM: f32 = 64.0;

/// A sum of vectors over neighbors that does not depend on their order.
///
/// Each term is rounded towards zero to a multiple of 2^-20 and added as an integer of 64 bits;
/// more than 2^37 neighbors with terms of the largest size would be needed to overflow it, more
/// than the ids there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NeighborSum {
    sums: [i64; 3],
    count: u32,
}

impl NeighborSum {
    /// The sum of `terms`, of about unit length each.
    pub fn over<V: Vector>(terms: impl IntoIterator<Item = V>) -> Self {
        let mut sum = Self::default();
        for term in terms {
            sum.add(term);
        }
        sum
    }

    /// Adds one neighbor's term.
    pub fn add<V: Vector>(&mut self, term: V) {
        for i in 0..V::DIMENSION {
            // The cast of NaN is 0; the clamp bounds the rest.
            self.sums[i] += (term.axis(i).clamp(-LARGEST_TERM, LARGEST_TERM) * ONE) as i64;
        }
        self.count += 1;
    }

    /// How many terms were added.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The sum of the terms divided by their number; zero with none.
    pub fn mean<V: Vector>(&self) -> V {
        // The unit is a power of two: dividing by it rounds nothing.
        let share = 1.0 / self.count.max(1) as f32 * (1.0 / ONE);
        V::from_fn(|i| self.sums[i] as f32 * share)
    }
}

#[cfg(test)]
mod tests;
