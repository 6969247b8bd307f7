//! Sums of pair terms over neighbors, several at once, in fixed point.

use core::ops::Range;

use super::ranges::{Filters, InView, Ranges, Whole};
use super::visit::PairVisitor;
use super::{Neighbor, NeighborFilter, Neighbors, PairTerms, Pairs};
use crate::simd::column::VectorRun;
use crate::simd::{MAX_LANES, One, Simd, SimdMemory, SimdVector, Term, Work};
use crate::vector::Vector;

/// The number of terms that a lane adds before it is emptied: eight terms of the largest size,
/// 2^26, add up to 2^29.
const MAX_TERMS: usize = 8;

/// The scale of the fixed-point sums: their unit is 2^-20.
const FIXED_POINT_SCALE: f32 = 1_048_576.0;

/// The largest term, per axis; longer terms are clamped to it.
pub const LARGEST_TERM: f32 = 64.0;

/// A sum of vectors over neighbors that does not depend on their order.
///
/// Each term is rounded towards zero to a multiple of 2^-20 and added as an integer of 64 bits; an
/// overflow would need more than 2^37 neighbors with terms of the largest size, more than there are
/// ids.
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
            self.sums[i] +=
                (term.axis(i).clamp(-LARGEST_TERM, LARGEST_TERM) * FIXED_POINT_SCALE) as i64;
        }
        self.count += 1;
    }

    /// The number of terms.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The sum of the terms divided by their number; zero with none.
    pub fn mean<V: Vector>(&self) -> V {
        self.times(self.share())
    }

    /// The factor that makes the sum the mean: equal for all sums of one pass over neighbors.
    #[inline(always)]
    pub(crate) fn share(&self) -> f32 {
        // The scale is a power of two: the division does not round.
        1.0 / self.count.max(1) as f32 * (1.0 / FIXED_POINT_SCALE)
    }

    /// The sum of the terms times a [`share`](Self::share).
    #[inline(always)]
    pub(crate) fn times<V: Vector>(&self, share: f32) -> V {
        V::from_fn(|i| self.sums[i] as f32 * share)
    }

    /// The sum of the terms.
    pub fn total<V: Vector>(&self) -> V {
        V::from_fn(|i| self.sums[i] as f32 * (1.0 / FIXED_POINT_SCALE))
    }
}

impl<V: Vector> Neighbors<V> {
    /// The sums of pair terms over the neighbors that `filter` selects, in one pass; neighbors at
    /// most `close` (length) away count with their close terms.
    #[inline(always)]
    pub fn sums<const N: usize>(
        &self,
        filter: NeighborFilter<'_>,
        heading: V,
        close: f32,
        terms: &impl PairTerms<V, N>,
    ) -> [NeighborSum; N] {
        self.sums_and_candidate(filter, heading, close, terms).0
    }

    /// [`sums`](Self::sums), and the nearest of the same neighbors; of equally near ones that with
    /// the lowest id. The terms [find it](PairTerms::FINDS_NEAREST).
    #[inline(always)]
    pub(crate) fn sums_and_nearest<const N: usize, T: PairTerms<V, N>>(
        &self,
        filter: NeighborFilter<'_>,
        heading: V,
        close: f32,
        terms: &T,
    ) -> ([NeighborSum; N], Option<Neighbor<V>>) {
        const { assert!(T::FINDS_NEAREST) };
        let (sums, nearest) = self.sums_and_candidate(filter, heading, close, terms);
        let nearest = match nearest {
            _ if sums[0].count == 0 => None,
            Some(i) => Some(self.candidate(i)),
            None => self.nearest_of(filter, heading),
        };
        (sums, nearest)
    }

    /// The sums of pair terms in one pass, term k over the neighbors that filter k selects. If
    /// [any agent is close](Self::has_close), a filter may need its close terms, or a unit of its
    /// own.
    #[inline(always)]
    pub(crate) fn sums_of_filters<const N: usize>(
        &self,
        filters: &Filters<N>,
        heading: V,
        terms: &impl PairTerms<V, N>,
    ) -> Beyond<N> {
        if self.len <= self.host_count {
            return self.none_beyond();
        }
        let Filters { groups, close_squared, squared, cosines, has_view } = *filters;
        let range = SumRange { groups, close_squared };
        let all = cfg!(target_family = "wasm");
        match (has_view || all, self.space.wraps() || groups != u32::MAX || all) {
            (false, false) => self.run_sums::<N, N, false>(range, Whole { squared }, terms),
            (false, true) => self.run_sums::<N, N, true>(range, Whole { squared }, terms),
            (true, false) => {
                self.run_sums::<N, N, false>(range, InView { heading, cosines, squared }, terms)
            }
            (true, true) => {
                self.run_sums::<N, N, true>(range, InView { heading, cosines, squared }, terms)
            }
        }
    }

    /// Whether any agent but the host is at most the `close` distance of these sums away.
    #[inline(always)]
    pub(crate) fn has_close<const N: usize>(&self, sums: &Beyond<N>) -> bool {
        // The host itself counts as close, `host_count` times.
        sums.closer as usize > self.host_count
    }

    /// The sums without a candidate but the host.
    #[inline(always)]
    fn none_beyond<const N: usize>(&self) -> Beyond<N> {
        Beyond { sums: [NeighborSum::default(); N], closer: self.len as u32, nearest: u32::MAX }
    }

    /// The nearest neighbor that `filter` selects, the lowest id in a tie.
    #[cold]
    #[inline(never)]
    fn nearest_of(&self, filter: NeighborFilter<'_>, heading: V) -> Option<Neighbor<V>> {
        let mut nearest = Nearest(None);
        self.visit(filter, heading, &mut nearest);
        nearest.0
    }

    /// [`sums`](Self::sums), and the index of the nearest candidate that counts, if no other one is
    /// as near, none counts with its close terms, and the terms find it.
    #[inline(always)]
    fn sums_and_candidate<const N: usize>(
        &self,
        filter: NeighborFilter<'_>,
        heading: V,
        close: f32,
        terms: &impl PairTerms<V, N>,
    ) -> ([NeighborSum; N], Option<usize>) {
        // A group that the mask cannot hold: neighbors are added one by one.
        let Some(groups) = filter.of.bits() else {
            return (self.sums_of_each(filter, heading, close, terms), None);
        };
        let beyond = self.sums_beyond(&filter, heading, groups, close * close, terms);
        if self.has_close(&beyond) {
            (self.add_close(beyond.sums, filter, heading, close, terms), None)
        } else {
            (beyond.sums, beyond.nearest())
        }
    }

    /// The sums over the neighbors of these `groups` that `filter` selects, beyond the square root
    /// of `close_squared`.
    #[inline(always)]
    pub(super) fn sums_beyond<const N: usize>(
        &self,
        filter: &NeighborFilter<'_>,
        heading: V,
        groups: u32,
        close_squared: f32,
        terms: &impl PairTerms<V, N>,
    ) -> Beyond<N> {
        // In sparse crowds many agents are the only candidates of their cell.
        if self.len <= self.host_count {
            return self.none_beyond();
        }
        let range = SumRange { groups, close_squared };
        let whole = Whole { squared: [filter.squared()] };
        let has_view = filter.field_of_view < 360.0;
        // On a page bytes count more: there the sums that can do all serve all but the usual case.
        match (has_view, self.space.wraps() || groups != u32::MAX) {
            (false, false) => self.run_sums::<N, 1, false>(range, whole, terms),
            (false, true) if !cfg!(target_family = "wasm") => {
                self.run_sums::<N, 1, true>(range, whole, terms)
            }
            (true, false) if !cfg!(target_family = "wasm") => {
                self.run_sums::<N, 1, false>(range, self.in_view(filter, heading), terms)
            }
            _ => self.run_sums::<N, 1, true>(range, self.in_view(filter, heading), terms),
        }
    }

    /// The range of `filter` for a host with this heading.
    #[inline(always)]
    fn in_view(&self, filter: &NeighborFilter<'_>, heading: V) -> InView<V, 1> {
        InView { heading, cosines: [self.cosine(filter)], squared: [filter.squared()] }
    }

    #[inline(always)]
    fn run_sums<const N: usize, const R: usize, const ANY: bool>(
        &self,
        range: SumRange,
        ranges: impl Ranges<V, R>,
        terms: &impl PairTerms<V, N>,
    ) -> Beyond<N> {
        let sums = SumTerms::<_, _, _, N, R, ANY> { neighbors: self, range, ranges, terms };
        self.simd_dispatch().run(sums)
    }

    /// Adds the terms of close neighbors.
    #[inline(never)]
    fn add_close<const N: usize, T: PairTerms<V, N>>(
        &self,
        sums: [NeighborSum; N],
        filter: NeighborFilter<'_>,
        heading: V,
        close: f32,
        terms: &T,
    ) -> [NeighborSum; N] {
        let filter = NeighborFilter { radius: close.min(filter.radius), ..filter };
        let mut close = CloseTerms { sums, terms };
        if cfg!(target_family = "wasm") {
            // On a page bytes count more.
            self.within(filter, heading).for_each(|neighbor| close.visit(&neighbor));
        } else {
            self.visit(filter, heading, &mut close);
        }
        close.sums
    }

    /// The sums of terms that are added one by one, for groups that a mask cannot hold.
    #[cold]
    #[inline(never)]
    fn sums_of_each<const N: usize>(
        &self,
        filter: NeighborFilter<'_>,
        heading: V,
        close: f32,
        terms: &impl PairTerms<V, N>,
    ) -> [NeighborSum; N] {
        let mut sums = [NeighborSum::default(); N];
        for n in self.within(filter, heading) {
            if n.distance_squared <= close * close {
                for (sum, term) in sums.iter_mut().zip(terms.close_terms(&n)) {
                    sum.add(term);
                }
            } else {
                let (offset, velocity) =
                    (SimdVector::<One>::splat(n.offset), SimdVector::splat(n.velocity));
                let pairs = Pairs {
                    offset,
                    distance_squared: One::splat(n.distance_squared),
                    velocity,
                    direction: velocity.unit::<V>(),
                    radius: One::splat(n.radius),
                    max_speed: One::splat(n.max_speed),
                };
                for (sum, term) in sums.iter_mut().zip(terms.terms(&pairs)) {
                    sum.add(V::from_fn(|i| (term.vector.0[i] * term.scale).first()));
                }
            }
        }
        sums
    }

    /// Adds the terms of all neighbors beyond the close distance, term k those of range k, or of
    /// the only range.
    ///
    /// Without `ANY` the space does not wrap and all groups count: the usual case, and the fast
    /// one.
    #[inline(always)]
    fn sum_terms<
        L: SimdMemory,
        T: PairTerms<V, N>,
        const N: usize,
        const R: usize,
        const ANY: bool,
    >(
        &self,
        range: &SumRange,
        ranges: &impl Ranges<V, R>,
        terms: &T,
    ) -> Beyond<N> {
        let host_position = SimdVector::<L>::splat(self.host_position);
        let space = self.space;
        let close = L::splat(range.close_squared);
        let reads_bodies = T::READS_BODIES && self.bodies;
        let mut sums = [NeighborSum::default(); N];
        let (mut counted, mut closer) = ([0; R], 0);
        let mut nearest = NearestInLanes::new();
        let mut first = 0;
        while first < self.len {
            // The compiler sees the largest number of blocks, and unrolls the loop over them.
            let blocks = (self.len - first).min(MAX_TERMS * L::COUNT).div_ceil(L::COUNT);
            let mut totals = [[L::int_zero(); 3]; N];
            // The numbers of neighbors that count, and of those that are too close.
            let (mut counts, mut closer_count) = ([L::int_zero(); R], L::int_zero());
            // Sliced to complete blocks once, so that reads need no bounds checks.
            let rows = first..first + blocks * L::COUNT;
            let mut position = self.position.run(rows.clone());
            let mut velocity =
                if T::READS_VELOCITIES { self.velocity.run(rows.clone()) } else { position };
            let mut bodies = self.body_blocks(reads_bodies, &rows);
            let mut directions = self.directions(T::READS_DIRECTIONS, &rows);
            let mut groups = if ANY { &self.group[rows] } else { &[] };
            while position.len() >= L::COUNT {
                let mut offset = position.take_block() - host_position;
                let velocity = velocity.take_block();
                if ANY {
                    offset = space.shortest(offset);
                }
                let distance_squared = offset.length_squared::<V>();
                // Infinite for candidates that the filter leaves out.
                let mut selected = distance_squared;
                if ANY {
                    let (these, remainder) = groups.split_at(L::COUNT);
                    groups = remainder;
                    if range.groups != u32::MAX {
                        selected = selected.or_infinity(L::load_in_set(range.groups, these, 0));
                    }
                }
                // All of them: the filter may leave the host itself out, which is counted, too.
                let too_close = distance_squared.le(close);
                closer_count = L::int_increment(too_close, closer_count);
                let mut masks = ranges.selected(selected, offset, distance_squared);
                for k in 0..R {
                    masks[k] = L::and_not(masks[k], too_close);
                    counts[k] = L::int_increment(masks[k], counts[k]);
                }
                if T::FINDS_NEAREST {
                    nearest.add(distance_squared.or_infinity(masks[0]));
                }
                let (radius, max_speed) = bodies.take_block();
                let direction = match &mut directions {
                    Some(directions) => directions.take_block(),
                    None if T::READS_DIRECTIONS => velocity.unit::<V>(),
                    None => velocity,
                };
                let pairs =
                    Pairs { offset, distance_squared, velocity, radius, max_speed, direction };
                let terms = terms.terms(&pairs);
                for k in 0..N {
                    let Term { vector, scale } = terms[k];
                    let scale = scale * L::splat(FIXED_POINT_SCALE);
                    for i in 0..V::DIMENSION {
                        let term = (vector.0[i] * scale).to_int();
                        totals[k][i] = L::int_add(masks[k.min(R - 1)], totals[k][i], term);
                    }
                }
            }
            // Four totals at a time: the axes of all sums, followed by the counts.
            let (axes, mut at) = (N * V::DIMENSION, 0);
            while at <= axes + R {
                let mut four = [L::int_zero(); 4];
                for i in 0..4 {
                    let k = at + i;
                    if k < axes {
                        four[i] = totals[k / V::DIMENSION][k % V::DIMENSION];
                    } else if k < axes + R {
                        four[i] = counts[k - axes];
                    } else if k == axes + R {
                        four[i] = closer_count;
                    }
                }
                let four = L::reduce_sum(four);
                for i in 0..4 {
                    let k = at + i;
                    if k < axes {
                        sums[k / V::DIMENSION].sums[k % V::DIMENSION] += four[i];
                    } else if k < axes + R {
                        counted[k - axes] += four[i];
                    } else if k == axes + R {
                        closer += four[i];
                    }
                }
                at += 4;
            }
            first += blocks * L::COUNT;
        }
        for k in 0..N {
            sums[k].count = counted[k.min(R - 1)] as u32;
        }
        let nearest = if T::FINDS_NEAREST { nearest.index() } else { None };
        let nearest = nearest.map_or(u32::MAX, |index| index as u32);
        Beyond { sums, closer: closer as u32, nearest }
    }
}

/// Body radii and top speeds of a run of candidates; zero where they are not read.
pub(super) struct BodyBlocks<'a>(Option<(&'a [f32], &'a [f32])>);

impl BodyBlocks<'_> {
    /// Removes the first block and returns the radii (length) and top speeds (length / time).
    #[inline(always)]
    pub(super) fn take_block<L: SimdMemory>(&mut self) -> (L, L) {
        let Some((radii, speeds)) = &mut self.0 else { return (L::splat(0.0), L::splat(0.0)) };
        let ((radius, rest), (speed, more)) = (radii.split_at(L::COUNT), speeds.split_at(L::COUNT));
        (*radii, *speeds) = (rest, more);
        (L::load(radius, 0), L::load(speed, 0))
    }
}

impl<V: Vector> Neighbors<V> {
    /// The bodies of the candidates in `rows`, a run of complete blocks.
    #[inline(always)]
    pub(super) fn body_blocks(&self, reads: bool, rows: &Range<usize>) -> BodyBlocks<'_> {
        BodyBlocks(reads.then(|| (&self.body[rows.clone()], &self.top_speed[rows.clone()])))
    }

    /// The directions of motion of the candidates in `rows`, if they are read and known.
    #[inline(always)]
    pub(super) fn directions(&self, reads: bool, rows: &Range<usize>) -> Option<VectorRun<'_, V>> {
        (reads && self.bodies).then(|| self.direction.run(rows.clone()))
    }
}

/// The candidates of all sums of a pass: a mask of groups, and the squared distance up to which a
/// candidate is close (length squared).
pub(super) struct SumRange {
    pub(super) groups: u32,
    pub(super) close_squared: f32,
}

/// The sums over the neighbors beyond the close distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Beyond<const N: usize> {
    pub(crate) sums: [NeighborSum; N],
    /// The number of candidates that are not beyond it, of all groups and in any direction, the
    /// host included.
    pub(super) closer: u32,
    /// See [`nearest`](Self::nearest).
    nearest: u32,
}

impl<const N: usize> Beyond<N> {
    /// The index of the nearest candidate in the sums, if the terms find it and no other one is as
    /// near.
    #[inline(always)]
    fn nearest(&self) -> Option<usize> {
        (self.nearest != u32::MAX).then_some(self.nearest as usize)
    }
}

/// Adds the terms of neighbors that are all close.
struct CloseTerms<'a, T, const N: usize> {
    sums: [NeighborSum; N],
    terms: &'a T,
}

impl<V: Vector, T: PairTerms<V, N>, const N: usize> PairVisitor<V> for CloseTerms<'_, T, N> {
    #[inline(always)]
    fn test<L: Simd>(&self, _: &Pairs<L>) -> u32 {
        u32::MAX
    }
    fn visit(&mut self, neighbor: &Neighbor<V>) {
        for (sum, term) in self.sums.iter_mut().zip(self.terms.close_terms(neighbor)) {
            sum.add(term);
        }
    }
}

/// The nearest of the neighbors, the lowest id in a tie.
struct Nearest<V>(Option<Neighbor<V>>);

impl<V: Vector> PairVisitor<V> for Nearest<V> {
    #[inline(always)]
    fn test<L: Simd>(&self, _: &Pairs<L>) -> u32 {
        u32::MAX
    }
    fn visit(&mut self, neighbor: &Neighbor<V>) {
        let key = |n: &Neighbor<V>| (n.distance_squared, n.id);
        if self.0.is_none_or(|nearest| key(neighbor) < key(&nearest)) {
            self.0 = Some(*neighbor);
        }
    }
}

/// The nearest candidate of each lane.
struct NearestInLanes<L> {
    /// The number of the next block.
    block: L,
    /// The least squared distance (length squared), and the number of its block.
    squared: L,
    found: L,
    /// The last squared distance that two candidates have had.
    tied: L,
}

impl<L: SimdMemory> NearestInLanes<L> {
    #[inline(always)]
    fn new() -> Self {
        let (zero, max) = (L::splat(0.0), L::splat(f32::MAX));
        Self { block: zero, squared: max, found: zero, tied: max }
    }

    /// Adds a block of candidates at these squared distances (length squared), infinite for those
    /// that do not count.
    #[inline(always)]
    fn add(&mut self, squared: L) {
        let at_most = squared.le(self.squared);
        let nearer = L::and_not(at_most, self.squared.le(squared));
        self.tied = L::select(L::and_not(at_most, nearer), squared, self.tied);
        self.found = L::select(nearer, self.block, self.found);
        self.squared = L::select(nearer, squared, self.squared);
        self.block = self.block + L::splat(1.0);
    }

    /// The index of the nearest candidate, if no other one is as near.
    #[inline(always)]
    fn index(self) -> Option<usize> {
        let least = L::splat(self.squared.least());
        let bits = L::to_bits(self.squared.le(least));
        if !bits.is_power_of_two() || L::to_bits(self.tied.le(least)) != 0 {
            return None;
        }
        let mut blocks = [0.0; MAX_LANES];
        self.found.store(&mut blocks, 0);
        let lane = bits.trailing_zeros() as usize;
        Some(blocks[lane] as usize * L::COUNT + lane)
    }
}

/// The sums as work for the widest instruction set.
pub(super) struct SumTerms<'a, V: Vector, T, S, const N: usize, const R: usize, const ANY: bool> {
    pub(super) neighbors: &'a Neighbors<V>,
    pub(super) range: SumRange,
    pub(super) ranges: S,
    pub(super) terms: &'a T,
}

impl<
    V: Vector,
    T: PairTerms<V, N>,
    S: Ranges<V, R>,
    const N: usize,
    const R: usize,
    const ANY: bool,
> Work for SumTerms<'_, V, T, S, N, R, ANY>
{
    type Result = Beyond<N>;
    const GAINS_BY_AVX512: bool = true;
    #[inline(always)]
    fn run<L: SimdMemory>(self) -> Self::Result {
        self.neighbors.sum_terms::<L, T, N, R, ANY>(&self.range, &self.ranges, self.terms)
    }
}
