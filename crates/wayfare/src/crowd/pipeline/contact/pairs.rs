//! Bodies against bodies: which may touch, and one iteration of moving them apart.

use alloc::vec::Vec;
use core::ops::Range;

use super::body::Body;
use super::search::larger;
use super::walls::Walls;
use crate::id::AgentId;
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::quantity::power_of_two_from;
use crate::simd::column::{VectorColumn, VectorSlices};
use crate::simd::{MAX_LANES, SimdDispatch, SimdMemory, SimdVector, Work, lanes_in_run};
use crate::spatial::grid::Grid;
use crate::spatial::neighbors::separating_direction;
use crate::spatial::space::Space;
use crate::threads::{GRAIN, Share, both};
use crate::vector::Vector;

/// The mean number of candidates per body up to which a chunk stores them. A denser chunk searches
/// the grid in each iteration, so that the size of the lists has a bound.
pub(in crate::crowd) const MOST_CANDIDATES: usize = 32;
/// The corrections of a body are added as multiples of its radius times two to the power of minus
/// this: sums of integers do not depend on the order of the bodies.
const FIXED_POINT_BITS: i32 = 24;

/// The largest push of one body, in steps of fixed point: the sum of all cannot overflow.
const LARGEST_PUSH: f32 = 1e11;

/// Bodies that overlap by more than this part of the smaller radius after all iterations go back
/// to where they were before the substep: the bound of the docs, 0.2, less what rounds.
pub(super) const MOST_DEEP: f32 = 0.19;

/// What an iteration does.
#[derive(Clone, Copy)]
pub(super) enum Iteration<'a, V: Vector> {
    /// Moves bodies that overlap apart, and out of walls.
    MoveApart,
    /// Finds where bodies go back to.
    FindHomes,
    /// Puts bodies back that overlap too deeply, or all of those that have touched something.
    GoBack { homes: &'a VectorColumn<V>, all: bool },
}

/// The data that all chunks read.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a, V: Vector> {
    pub(super) bodies: &'a [Body],
    pub(super) walls: Walls<'a, V>,
    /// The positions before the substep (length).
    pub(super) start: &'a VectorColumn<V>,
    pub(super) relaxation: f32,
    /// The largest radius against other bodies (length).
    pub(super) largest: f32,
    /// The displacement of two bodies relative to each other after which the candidates are
    /// searched again (length).
    pub(super) skin: f32,
    /// The instruction set of the search.
    pub(super) dispatch: SimdDispatch,
    /// The ids from this one on have entered since the last tick.
    pub(super) entering_from: u32,
}

/// The bodies in the order of grid cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorted<V: Vector> {
    grid: Grid<V>,
    position: VectorColumn<V>,
    row: Vec<u32>,
    /// The radii against other bodies (length), with a block of padding.
    solid_radius: Vec<f32>,
}

impl<V: Vector> Sorted<V> {
    /// By how much the distance of two bodies rounds across the edge of the world (length).
    pub(super) fn rounding(&self) -> f32 {
        self.grid.rounding()
    }

    pub(super) fn build(
        &mut self,
        positions: &VectorColumn<V>,
        bodies: &[Body],
        width: f32,
        space: &Space<V>,
        shared: Share,
    ) {
        self.grid.build(positions, width, space, shared);
        let rows = self.grid.rows();
        self.position.resize(rows.len());
        positions.permute_into(rows, &mut self.position);
        self.row.resize(rows.len(), 0);
        self.solid_radius.resize(rows.len() + MAX_LANES, 0.0);
        for ((row, body), &sorted) in (0..).zip(bodies).zip(rows) {
            self.row[sorted as usize] = row;
            self.solid_radius[sorted as usize] = body.solid_radius;
        }
    }
}

/// The state of the bodies in consecutive rows: those that may touch something, and what.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    rows: Range<usize>,
    /// For each row the end of its candidates in `others`; the end of the row before is their
    /// start.
    ends: Vec<u32>,
    others: Vec<u32>,
    /// For each row the end of its obstacles in `walls`, and whether one or the bounds may hold it.
    wall_ends: Vec<(u32, bool)>,
    walls: Vec<u32>,
    /// The bodies that may touch a body or a wall.
    active: Vec<Active>,
    /// The runs of sorted bodies near a body; stored for its capacity.
    runs: Vec<Range<u32>>,
    /// Whether there are too many candidates to be stored.
    dense: bool,
    /// Whether the body in each row has touched something in this tick.
    touched: Vec<bool>,
    /// The rows of bodies that may overlap a wall, where walls were found.
    at_walls: Vec<u32>,
    /// The rows of bodies that leave a wall in this tick: nothing else moves them.
    leaving: Vec<u32>,
    /// The deepest overlap before the last iteration.
    deepest: Deepest,
    /// The longest way of a body in the last iteration, squared (length squared).
    moved: f32,
}

/// A body that may touch something.
#[derive(Clone, Debug)]
struct Active {
    row: u32,
    /// Its candidates in the chunk's `others`, and its obstacles in `walls`.
    others: Range<u32>,
    walls: Range<u32>,
    /// Whether an obstacle or the bounds may hold it.
    at_wall: bool,
}

impl Active {
    /// The indices of its obstacles, of those of its chunk.
    fn near<'a>(&self, walls: &'a [u32]) -> &'a [u32] {
        &walls[self.walls.start as usize..self.walls.end as usize]
    }
}

/// The deepest overlaps, as parts of the smaller radius.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Deepest {
    /// Of two bodies that were there a tick before.
    pub(super) of_others: f32,
    /// Of a body that has entered since, and another.
    pub(super) of_entering: f32,
}

impl Deepest {
    /// The deepest overlap of all.
    pub(super) fn of_all(self) -> f32 {
        larger(self.of_others, self.of_entering)
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            of_others: larger(self.of_others, other.of_others),
            of_entering: larger(self.of_entering, other.of_entering),
        }
    }

    /// Adds an overlap of two bodies with these ids.
    #[inline(always)]
    fn add(&mut self, depth: f32, ids: (u32, u32), entering_from: u32) {
        let enters = ids.0.max(ids.1) >= entering_from;
        let deepest = if enters { &mut self.of_entering } else { &mut self.of_others };
        *deepest = deepest.max(depth);
    }
}

/// The findings of an iteration.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// The deepest overlap before it.
    pub(super) deepest: Deepest,
    /// The longest way of a body in it (length).
    pub(super) moved: f32,
}

impl Chunk {
    /// Divides `count` rows among chunks, in which nothing has touched anything yet.
    pub(super) fn divide(chunks: &mut Vec<Self>, count: usize) {
        chunks.resize_with(count.div_ceil(GRAIN), Self::default);
        for (i, chunk) in chunks.iter_mut().enumerate() {
            chunk.rows = i * GRAIN..count.min((i + 1) * GRAIN);
            chunk.touched.clear();
            chunk.touched.resize(chunk.rows.len(), false);
            chunk.leaving.clear();
            chunk.leaving.reserve(chunk.rows.len());
        }
    }

    /// The rows of all bodies that may overlap a wall, where walls were found.
    pub(super) fn rows_at_walls(chunks: &[Self]) -> impl Iterator<Item = usize> + '_ {
        chunks.iter().flat_map(|chunk| &chunk.at_walls).map(|&row| row as usize)
    }

    /// Says that the body in this row leaves a wall: no iteration of this tick moves it.
    pub(super) fn set_leaving(chunks: &mut [Self], row: usize) {
        let chunk = &mut chunks[row / GRAIN];
        chunk.leaving.push(row as u32);
        chunk.touched[row % GRAIN] = true;
    }

    /// Says that no body leaves a wall.
    pub(super) fn set_none_leaving(chunks: &mut [Self]) {
        chunks.iter_mut().for_each(|chunk| chunk.leaving.clear());
    }

    /// Whether the body in this row has touched something in this tick.
    pub(super) fn has_touched(chunks: &[Self], row: usize) -> bool {
        chunks[row / GRAIN].touched[row % GRAIN]
    }

    /// Whether the candidates of some body are those near its place, and not stored.
    pub(super) fn is_any_dense(chunks: &[Self]) -> bool {
        chunks.iter().any(|chunk| chunk.dense)
    }

    /// Finds the bodies that may touch one another until they have moved by the skin relative to
    /// each other.
    pub(super) fn search<V: Vector>(
        chunks: &mut [Self],
        sorted: &Sorted<V>,
        position: &VectorColumn<V>,
        scene: &Scene<'_, V>,
        shared: Share,
    ) {
        halve(chunks, shared, &|chunk| {
            scene.dispatch.run(Search { chunk, sorted, position, scene });
        });
    }

    #[inline(always)]
    fn search_one<V: Vector, L: SimdMemory>(
        &mut self,
        sorted: &Sorted<V>,
        position: &VectorColumn<V>,
        scene: &Scene<'_, V>,
    ) {
        self.ends.clear();
        self.others.clear();
        self.others.reserve(self.rows.len());
        self.dense = false;
        for i in self.rows.clone() {
            let body = &scene.bodies[i];
            if body.solid_radius > 0.0 && body.is_moved() && !self.dense {
                let p = position.get(i);
                self.runs.clear();
                let reach = body.solid_radius + scene.largest + scene.skin;
                sorted.grid.collect_runs(p, p, reach, &mut self.runs);
                scene.collect_in_reach::<L>(i, p, sorted, &self.runs, &mut self.others);
                if self.others.len() > MOST_CANDIDATES * self.rows.len() {
                    self.dense = true;
                    self.others.clear();
                }
            }
            self.ends.push(self.others.len() as u32);
        }
        if self.dense {
            self.ends.fill(0);
        }
    }

    /// Finds the walls that bodies may touch until they have moved by `margin` (length).
    pub(super) fn find_walls<V: Vector>(
        chunks: &mut [Self],
        position: &VectorColumn<V>,
        scene: &Scene<'_, V>,
        margin: f32,
        shared: Share,
    ) {
        halve(chunks, shared, &|chunk| {
            chunk.walls.clear();
            chunk.wall_ends.clear();
            chunk.at_walls.clear();
            // Room for all: a crowd that is no larger hardly allocates later.
            chunk.at_walls.reserve(chunk.rows.len());
            chunk.walls.reserve(chunk.rows.len());
            let walls = scene.walls.near_rows(position, scene.bodies, &chunk.rows, margin);
            if walls.is_empty() {
                chunk.wall_ends.resize(chunk.rows.len(), (0, false));
                return;
            }
            for i in chunk.rows.clone() {
                let (body, start) = (&scene.bodies[i], chunk.walls.len());
                let mut at_wall = false;
                if body.radius > 0.0 && body.is_moved() {
                    let (p, reach) = (position.get(i), body.radius + margin);
                    let nearest = walls.collect(p, reach, &mut chunk.walls);
                    let at_bounds = walls.at_bounds(p, reach);
                    at_wall = chunk.walls.len() > start || at_bounds;
                    if nearest < body.radius || (at_bounds && walls.at_bounds(p, body.radius)) {
                        chunk.at_walls.push(i as u32);
                    }
                }
                chunk.wall_ends.push((chunk.walls.len() as u32, at_wall));
            }
        });
    }

    /// Lists the bodies that may touch something, after a search or after walls were found.
    pub(super) fn activate(chunks: &mut [Self], bodies: &[Body]) {
        for chunk in chunks {
            chunk.active.clear();
            chunk.active.reserve(chunk.rows.len());
            let (mut other, mut wall) = (0, 0);
            let ends = chunk.ends.iter().zip(&chunk.wall_ends);
            for (row, (&other_end, &(wall_end, at_wall))) in chunk.rows.clone().zip(ends) {
                let (others, walls) = (other..other_end, wall..wall_end);
                (other, wall) = (other_end, wall_end);
                let body = &bodies[row];
                let is_dense = chunk.dense && body.radius > 0.0 && body.is_moved();
                let leaves = !chunk.leaving.is_empty() && chunk.leaving.contains(&(row as u32));
                if (at_wall || is_dense || !others.is_empty()) && !leaves {
                    chunk.active.push(Active { row: row as u32, others, walls, at_wall });
                }
            }
        }
    }

    /// One iteration of this kind: writes the positions after it of all active bodies.
    pub(super) fn iterate<V: Vector>(
        chunks: &mut [Self],
        kind: Iteration<'_, V>,
        sorted: &Sorted<V>,
        position: &VectorColumn<V>,
        after: VectorSlices<'_, V>,
        scene: &Scene<'_, V>,
        shared: Share,
    ) -> Progress {
        Self::iterate_all(chunks, after, shared, &|chunk, after| match kind {
            Iteration::MoveApart => chunk.iterate_one(sorted, position, after, scene),
            Iteration::FindHomes => chunk.find_homes(sorted, position, after, scene),
            Iteration::GoBack { homes, all } => {
                chunk.go_back((homes, all), sorted, position, after, scene);
            }
        });
        let start = (Deepest::default(), 0.0_f32);
        let (deepest, moved) = chunks.iter().fold(start, |(deepest, moved), chunk| {
            (deepest.and(chunk.deepest), moved.max(chunk.moved))
        });
        Progress { deepest, moved: moved.sqrt() }
    }

    fn iterate_all<V: Vector>(
        chunks: &mut [Self],
        after: VectorSlices<'_, V>,
        shared: Share,
        work: &(impl Fn(&mut Self, VectorSlices<'_, V>) + Sync),
    ) {
        if chunks.len() > 1 {
            let (low, high) = chunks.split_at_mut(chunks.len() / 2);
            let (after_low, after_high) = after.split(high[0].rows.start - low[0].rows.start);
            return both(
                shared,
                || Self::iterate_all(low, after_low, shared, work),
                || Self::iterate_all(high, after_high, shared, work),
            );
        }
        if let Some(chunk) = chunks.first_mut() {
            work(chunk, after);
        }
    }

    /// Visits each body that overlaps this one, with the overlap as a part of the smaller radius.
    fn for_each_overlap<V: Vector>(
        &self,
        active: &Active,
        sorted: &Sorted<V>,
        position: &VectorColumn<V>,
        scene: &Scene<'_, V>,
        visit: &mut dyn FnMut(usize, f32),
    ) {
        let i = active.row as usize;
        let p = position.get(i);
        let mut look = |j: usize, other: V| {
            let depth = scene.overlap((i, p), (j, other));
            if depth > 0.0 {
                visit(j, depth);
            }
        };
        if !self.dense {
            let others = &self.others[active.others.start as usize..active.others.end as usize];
            others.iter().for_each(|&j| look(j as usize, position.get(j as usize)));
        } else if scene.bodies[i].solid_radius > 0.0 {
            scene.for_each_candidate(i, p, sorted, look);
        }
    }

    /// Writes where each body goes back to, which is where it was before the substep; infinity for
    /// one that overlapped there too deeply, with a body that it still overlaps: it does not.
    #[cold]
    fn find_homes<V: Vector>(
        &self,
        sorted: &Sorted<V>,
        position: &VectorColumn<V>,
        mut after: VectorSlices<'_, V>,
        scene: &Scene<'_, V>,
    ) {
        for active in &self.active {
            let i = active.row as usize;
            let (start, mut was_deep) = (scene.start.get(i), false);
            self.for_each_overlap(active, sorted, position, scene, &mut |j, _| {
                was_deep |= scene.overlap((i, start), (j, scene.start.get(j))) > MOST_DEEP;
            });
            let home = if was_deep { V::from_fn(|_| f32::INFINITY) } else { start };
            after.set(i - self.rows.start, home);
        }
    }

    /// Puts bodies that overlap too deeply back home, or `all` that have touched something; two of
    /// which only one has a home may overlap.
    #[cold]
    fn go_back<V: Vector>(
        &mut self,
        (homes, all): (&VectorColumn<V>, bool),
        sorted: &Sorted<V>,
        position: &VectorColumn<V>,
        mut after: VectorSlices<'_, V>,
        scene: &Scene<'_, V>,
    ) {
        (self.deepest, self.moved) = (Deepest::default(), 0.0);
        for active in &self.active {
            let i = active.row as usize;
            let (p, home, mut deepest) = (position.get(i), homes.get(i), Deepest::default());
            let mut goes_back = all && self.touched[i - self.rows.start];
            self.for_each_overlap(active, sorted, position, scene, &mut |j, depth| {
                let ids = (scene.bodies[i].id, scene.bodies[j].id);
                deepest.add(depth, ids, scene.entering_from);
                goes_back |= depth > MOST_DEEP && homes.get(j).is_finite();
            });
            self.deepest = self.deepest.and(deepest);
            let back = if goes_back && home.is_finite() { home } else { p };
            let way = scene.walls.space.difference(p, back).length_squared();
            self.moved = larger(self.moved, way);
            self.touched[i - self.rows.start] |= back != p;
            after.set(i - self.rows.start, back);
        }
    }

    fn iterate_one<V: Vector>(
        &mut self,
        sorted: &Sorted<V>,
        position: &VectorColumn<V>,
        mut after: VectorSlices<'_, V>,
        scene: &Scene<'_, V>,
    ) {
        (self.deepest, self.moved) = (Deepest::default(), 0.0);
        let space = scene.walls.space;
        for active in &self.active {
            let i = active.row as usize;
            let (p, body) = (position.get(i), &scene.bodies[i]);
            let mut correction = Correction::new(body);
            if self.dense {
                if body.solid_radius > 0.0 {
                    scene.for_each_candidate(i, p, sorted, |j, _| {
                        correction.add(scene, p, j, position.get(j));
                    });
                }
            } else {
                for &j in &self.others[active.others.start as usize..active.others.end as usize] {
                    correction.add(scene, p, j as usize, position.get(j as usize));
                }
            }
            self.deepest = self.deepest.and(correction.deepest);
            let mut pushed = p + correction.total::<V>(scene.relaxation);
            if active.at_wall {
                let near = active.near(&self.walls);
                let (out, late) = scene.walls.push_out(pushed, body.radius, near);
                pushed = out;
                if late {
                    pushed = scene.walls.hold([scene.start.get(i), p, out], body.radius, near);
                }
            } else if space.wraps() {
                pushed = space.wrapped(pushed);
            }
            self.moved = self.moved.max(space.difference(p, pushed).length_squared());
            self.touched[i - self.rows.start] |= pushed != p;
            after.set(i - self.rows.start, pushed);
        }
    }

    /// Calls `visit` with each active row and the obstacles near it.
    pub(super) fn for_each_active(chunks: &[Self], mut visit: impl FnMut(usize, &[u32])) {
        for chunk in chunks {
            for active in &chunk.active {
                visit(active.row as usize, active.near(&chunk.walls));
            }
        }
    }
}

/// The search of one chunk, compiled for the widest instructions.
struct Search<'a, 's, V: Vector> {
    chunk: &'a mut Chunk,
    sorted: &'a Sorted<V>,
    position: &'a VectorColumn<V>,
    scene: &'a Scene<'s, V>,
}

impl<V: Vector> Work for Search<'_, '_, V> {
    type Result = ();
    #[inline(always)]
    fn run<L: SimdMemory>(self) {
        self.chunk.search_one::<V, L>(self.sorted, self.position, self.scene);
    }
}

/// Runs `work` on each chunk; with `shared` the threads share them.
fn halve(chunks: &mut [Chunk], shared: Share, work: &(impl Fn(&mut Chunk) + Sync)) {
    if shared.is_on() && chunks.len() > 1 {
        let (low, high) = chunks.split_at_mut(chunks.len() / 2);
        return both(shared, || halve(low, shared, work), || halve(high, shared, work));
    }
    chunks.iter_mut().for_each(work);
}

impl<V: Vector> Scene<'_, V> {
    /// Appends the rows of the solid bodies in these runs that body `i` at `p` may touch until they
    /// have moved by the skin relative to each other.
    #[inline(always)]
    fn collect_in_reach<L: SimdMemory>(
        &self,
        i: usize,
        p: V,
        sorted: &Sorted<V>,
        runs: &[Range<u32>],
        found: &mut Vec<u32>,
    ) {
        let (from, radius) = (SimdVector::<L>::splat(p), L::splat(self.bodies[i].solid_radius));
        let skin = L::splat(self.skin);
        for run in runs {
            let run = run.start as usize..run.end as usize;
            for at in run.clone().step_by(L::COUNT) {
                let position = SimdVector::load(&sorted.position, at);
                let offset = self.walls.space.shortest(position - from);
                let other = L::load(&sorted.solid_radius, at);
                let reach = radius + other + skin;
                let near = offset.length_squared::<V>().le(reach * reach);
                let solid = L::and_not(near, other.le(L::splat(0.0)));
                let mut bits = L::to_bits(solid) & lanes_in_run::<L>(&run, at);
                while bits != 0 {
                    let row = sorted.row[at + bits.trailing_zeros() as usize];
                    bits &= bits - 1;
                    if row as usize != i {
                        found.push(row);
                    }
                }
            }
        }
    }

    /// The overlap of two bodies in these rows at these positions, as a part of the smaller radius.
    fn overlap(&self, (i, p): (usize, V), (j, other): (usize, V)) -> f32 {
        let (radius, other_radius) = (self.bodies[i].solid_radius, self.bodies[j].solid_radius);
        let distance = self.walls.space.difference(p, other).length();
        (radius + other_radius - distance) / radius.min(other_radius)
    }

    /// Visits the rows of all solid bodies that may touch body `i` at `p` before the next search,
    /// with their positions at the last search, where no body has moved by more than half the skin.
    fn for_each_candidate(
        &self,
        i: usize,
        p: V,
        sorted: &Sorted<V>,
        mut visit: impl FnMut(usize, V),
    ) {
        let reach = self.bodies[i].solid_radius + self.largest + self.skin;
        sorted.grid.for_each_run(p, p, reach, |run| {
            for at in run.start as usize..run.end as usize {
                let j = sorted.row[at] as usize;
                if j != i && self.bodies[j].solid_radius > 0.0 {
                    visit(j, sorted.position.get(at));
                }
            }
        });
    }
}

/// The sum of what other bodies push one body away.
struct Correction<'a> {
    body: &'a Body,
    /// Steps of fixed point per length; 0 before the first push, as most bodies touch nothing.
    scale: f32,
    sum: [i64; 3],
    count: u32,
    deepest: Deepest,
}

impl<'a> Correction<'a> {
    fn new(body: &'a Body) -> Self {
        Self { body, scale: 0.0, sum: [0; 3], count: 0, deepest: Deepest::default() }
    }

    /// Adds the push of body `j` at `other`, if it overlaps the body at `p`.
    #[inline(always)]
    fn add<V: Vector>(&mut self, scene: &Scene<'_, V>, p: V, j: usize, other: V) {
        let (body, neighbor) = (self.body, &scene.bodies[j]);
        let offset = scene.walls.space.difference(p, other);
        let touching = body.solid_radius + neighbor.solid_radius;
        let squared = offset.length_squared();
        if squared >= touching * touching {
            return;
        }
        let distance = squared.sqrt();
        let away = if distance > 1e-6 * touching {
            offset * (-1.0 / distance)
        } else {
            separating_direction(AgentId(body.id), AgentId(neighbor.id))
        };
        let depth = touching - distance;
        let part = depth / body.solid_radius.min(neighbor.solid_radius);
        self.deepest.add(part, (body.id, neighbor.id), scene.entering_from);
        let share = if neighbor.inertia == body.inertia {
            0.5
        } else if neighbor.inertia == f32::INFINITY {
            1.0
        } else {
            neighbor.inertia / (body.inertia + neighbor.inertia)
        };
        if self.count == 0 {
            self.scale = libm::ldexpf(1.0, FIXED_POINT_BITS) / power_of_two_from(body.radius);
        }
        let push = away * (depth * share * self.scale);
        for axis in 0..V::DIMENSION {
            // A body beside one of a million times its size is pushed by less than their overlap.
            self.sum[axis] += push.axis(axis).clamp(-LARGEST_PUSH, LARGEST_PUSH) as i64;
        }
        self.count += 1;
    }

    /// The correction (length): at most half a radius, so that no center passes a wall or another
    /// center.
    fn total<V: Vector>(&self, relaxation: f32) -> V {
        if self.count == 0 {
            return V::ZERO;
        }
        let factor = relaxation / (self.count as f32).sqrt() / self.scale;
        let sum = V::from_fn(|axis| self.sum[axis] as f32 * factor);
        sum.truncate(0.5 * self.body.radius)
    }
}
