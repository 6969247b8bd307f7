//! [`SolidBodies`]: the buffers of the contact phase, its substeps and its iterations.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::combine::Slot;
use crate::crowd::compiled::{CompiledGroup, HeadingRule};
use crate::crowd::part::HaloTooNarrow;
use crate::crowd::population::Population;
use crate::crowd::population::columns::Columns;
use crate::crowd::population::ghosts::Ghosts;
use crate::crowd::setup::allowed::MAX_ITERATIONS;
use crate::crowd::setup::bodies::{Bodies, MOST_RADII};
use crate::crowd::world::World;
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::simd::SimdDispatch;
use crate::simd::column::VectorColumn;
use crate::spatial::space::Edge;
use crate::threads::Share;
use crate::vector::Vector;

use super::body::{Body, Leaving};
use super::others::{Others, Ways};
use super::pairs::{Chunk, Deepest, Iteration, MOST_DEEP, Progress, Scene, Sorted};
use super::search::{LastSearch, larger};
use super::walls::{Walls, without_part_against};

/// Iterations go on until the deepest overlap is at most this part of the smaller radius.
const DEEP: f32 = 0.02;
/// The same where solvers plan the contacts of all solid bodies: they were fitted with a fixed
/// number of iterations, after which an overlap is hardly ever deeper. Without the bound, a row
/// that presses along a wall reaches 0.24.
const DEEP_PLANNED: f32 = 0.04;
/// The longest substep, as a part of the smallest radius.
const SUBSTEP: f32 = 0.5;
/// The largest number of substeps.
const MOST_SUBSTEPS: f32 = MOST_RADII / SUBSTEP;
/// The displacement of bodies after which the walls near them are found again, as a part of the
/// largest radius.
const WALL_MARGIN: f32 = 0.25;
/// The number of iterations after which all bodies that have touched something go back.
const MOST_BACK: u32 = 64;
/// The width of the cells by which the agents of a crowd without neighbors are sorted, as a part of
/// the largest radius.
const CELL: f32 = 8.0;

/// The solid bodies of a crowd, with the buffers of the phase.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct SolidBodies<V: Vector> {
    pub(super) settings: Bodies,
    /// The bodies of all agents, then of all ghosts.
    pub(super) bodies: Vec<Body>,
    /// The number of agents among them.
    pub(super) agents: usize,
    /// The positions before and after an iteration.
    pub(super) position: VectorColumn<V>,
    pub(super) after: VectorColumn<V>,
    /// The positions before a substep.
    start: VectorColumn<V>,
    /// Where bodies go back to that overlap too deeply.
    homes: VectorColumn<V>,
    sorted: Sorted<V>,
    pub(super) chunks: Vec<Chunk>,
    /// The smallest and the largest radius against other bodies (length).
    pub(super) radii: (f32, f32),
    /// Whether no solver plans the contacts of some solid body.
    presses: bool,
    /// The instruction set of the searches.
    dispatch: SimdDispatch,
    pub(super) search: LastSearch<V>,
    /// By how much bodies may have moved since walls were found (length).
    pub(super) moved_at_walls: f32,
    /// By how much a body may have moved since the tick began (length).
    pub(super) travelled: f32,
    /// The deepest overlaps that the last tick has left.
    pub(super) deepest: Deepest,
    /// The ids from this one on have entered since the last tick; those of the start have not.
    pub(in crate::crowd) entering_from: u32,
    /// The bodies that leave walls in this tick.
    pub(super) leaving: Vec<Leaving<V>>,
    /// A buffer of obstacles near a body.
    pub(super) near: Vec<u32>,
    /// Whether the bodies that may touch something must be listed again.
    pub(super) activates: bool,
}

impl<V: Vector> SolidBodies<V> {
    /// The bodies of a crowd with these settings; `None` if bodies are not solid.
    pub(in crate::crowd) fn new(settings: Bodies) -> Option<Box<Self>> {
        settings.solid.then(|| {
            Box::new(Self {
                settings,
                bodies: Vec::new(),
                agents: 0,
                position: VectorColumn::EMPTY,
                after: VectorColumn::EMPTY,
                start: VectorColumn::EMPTY,
                homes: VectorColumn::EMPTY,
                sorted: Sorted::default(),
                chunks: Vec::new(),
                radii: (f32::INFINITY, 0.0),
                presses: false,
                dispatch: SimdDispatch::widest(),
                search: LastSearch::default(),
                moved_at_walls: 0.0,
                travelled: 0.0,
                deepest: Deepest::default(),
                entering_from: u32::MAX,
                leaving: Vec::new(),
                near: Vec::with_capacity(64),
                activates: false,
            })
        })
    }

    /// The deepest overlap that the last tick has left, as a part of the smaller radius: of bodies
    /// that were there a tick before, and of one that has entered since and another.
    pub(in crate::crowd) fn deepest(&self) -> (f32, f32) {
        (self.deepest.of_others, self.deepest.of_entering)
    }

    /// Moves bodies apart and out of walls, in the next columns, after a step of the time `dt`;
    /// returns the longest way by which one was pushed (length). `others` are the other parts of
    /// the crowd, if it is one of several.
    ///
    /// # Errors
    /// The halo is too narrow; then the next columns are those before the phase.
    pub(in crate::crowd::pipeline) fn resolve_contacts(
        &mut self,
        world: &World<V>,
        population: &mut Population<V>,
        (dt, dispatch): (f32, SimdDispatch),
        mut others: Option<&mut Others<'_>>,
        shared: Share,
    ) -> Result<f32, HaloTooNarrow> {
        let Population { now, next, ghosts, next_id, .. } = population;
        let walls = Walls { obstacles: world.indexed_obstacles(), space: &world.space };
        self.dispatch = dispatch;
        if let Some(others) = &mut others {
            others.rows.clear();
            others.rows.extend_from_slice(ghosts.order());
        }
        self.read_bodies(now, next, &world.groups);
        self.read_ghosts(ghosts, &world.groups, others.is_some());
        if let Some(others) = &mut others {
            self.share_bodies(others);
        }
        let ways = Ways { now, next, ghosts: ghosts.columns(), dt };
        let longest = self.resolve(&ways, walls, others.as_deref_mut(), shared);
        if let Some(others) = &mut others {
            // Two bodies that may have touched in this tick were this far apart before it.
            let needed = 2.0 * (self.travelled + self.radii.1) * 1.01;
            if needed > others.parts.halo() {
                return Err(HaloTooNarrow(needed));
            }
        }
        let has_facing = |i: usize| world.groups[now.group[i] as usize].turn_rate.is_some();
        let pushed = self.write(next, walls, has_facing);
        self.measure_again(walls, longest, others, shared);
        self.entering_from = *next_id;
        Ok(pushed)
    }

    /// The width of cells that keeps bodies near one another in memory (length); `None` before the
    /// first tick and without bodies.
    pub(in crate::crowd) fn cell_width(&self) -> Option<f32> {
        (self.radii.1 > 0.0).then_some(CELL * self.radii.1)
    }
}

impl<V: Vector> SolidBodies<V> {
    /// Reads the bodies of all agents.
    fn read_bodies(&mut self, now: &Columns<V>, next: &Columns<V>, groups: &[CompiledGroup<V>]) {
        let limits = if next.limits_change { &next.limits } else { &now.limits };
        self.radii = (f32::INFINITY, 0.0);
        self.presses = false;
        for i in 0..now.len() {
            let group = &groups[now.group[i] as usize];
            let frozen = group.has_frozen && now.own.get(i).is_some_and(|own| own.frozen);
            let radius = limits[i].radius;
            let solid_radius = if group.solid { radius } else { 0.0 };
            let state = group.states.get(next.state[i].state as usize);
            let decider = state.and_then(|state| state.decider.as_ref());
            let plans = decider.is_some_and(Slot::plans_contacts);
            if solid_radius > 0.0 {
                self.presses |= !plans;
                self.radii = (self.radii.0.min(radius), self.radii.1.max(radius));
            }
            let body = Body {
                id: now.id[i],
                radius,
                solid_radius,
                inertia: if frozen { f32::INFINITY } else { group.inertia },
                elsewhere: false,
                // An agent on wheels always moves along its heading.
                keeps_velocity: plans || matches!(group.heading_rule, HeadingRule::Wheels(_)),
            };
            self.set_body(i, body);
        }
        self.agents = now.len();
    }

    /// Sets body `i`, of those that are read in their order.
    #[inline(always)]
    fn set_body(&mut self, i: usize, body: Body) {
        match self.bodies.get_mut(i) {
            Some(before) if *before == body => {}
            Some(before) => {
                *before = body;
                self.search.outdate();
            }
            None => {
                self.bodies.push(body);
                self.search.outdate();
            }
        }
    }

    /// Reads the bodies of all ghosts. Those of a `part` give way to others, in their own part.
    fn read_ghosts(&mut self, ghosts: &Ghosts<V>, groups: &[CompiledGroup<V>], part: bool) {
        let columns = ghosts.columns();
        for i in 0..ghosts.len() {
            let group = &groups[columns.group[i] as usize];
            let radius = columns.limits[i].radius;
            let solid_radius = if group.solid { radius } else { 0.0 };
            if solid_radius > 0.0 {
                self.radii = (self.radii.0.min(radius), self.radii.1.max(radius));
            }
            let gives_way = part && !ghosts.is_frozen(i);
            let body = Body {
                id: columns.id[i],
                radius: solid_radius,
                solid_radius,
                inertia: if gives_way { group.inertia } else { f32::INFINITY },
                elsewhere: true,
                keeps_velocity: true,
            };
            self.set_body(self.agents + i, body);
        }
        let count = self.agents + ghosts.len();
        if self.bodies.len() > count {
            self.bodies.truncate(count);
            self.search.outdate();
        }
    }

    /// Takes over what the bodies of all parts have in common.
    fn share_bodies(&mut self, others: &mut Others<'_>) {
        let presses = if self.presses { 1.0 } else { 0.0 };
        let mut numbers = [-self.radii.0, self.radii.1, presses];
        others.parts.largest(&mut numbers);
        self.radii = (-numbers[0], numbers[1]);
        self.presses = numbers[2] > 0.0;
    }

    /// Moves the bodies from their old positions towards the next ones. Returns the longest step of
    /// a body (length).
    fn resolve(
        &mut self,
        ways: &Ways<'_, V>,
        walls: Walls<'_, V>,
        mut others: Option<&mut Others<'_>>,
        shared: Share,
    ) -> f32 {
        let count = self.bodies.len();
        self.deepest = Deepest::default();
        self.position.resize(count);
        self.after.resize(count);
        self.start.resize(count);
        Chunk::divide(&mut self.chunks, count);
        let step = |i| walls.space.difference(ways.start(i), ways.end(i, walls.space));
        // The owner of a ghost knows its step.
        let steps = if others.is_some() { self.agents } else { count };
        let mut longest = (0..steps)
            .filter(|&i| self.bodies[i].radius > 0.0)
            .map(|i| step(i).length_squared())
            .fold(0.0, larger)
            .sqrt();
        let radii = self.bodies.iter().map(|body| body.radius).filter(|radius| *radius > 0.0);
        let mut smallest = radii.fold(f32::INFINITY, |a, b| if b < a { b } else { a });
        if let Some(others) = &mut others {
            let mut numbers = [longest, -smallest];
            others.parts.largest(&mut numbers);
            (longest, smallest) = (numbers[0], -numbers[1]);
        }
        let limit = SUBSTEP * smallest;
        let substeps = (longest / limit).ceil().clamp(1.0, MOST_SUBSTEPS);
        self.travelled = longest;
        ways.write_starts(&mut self.position);
        let is_cut = longest > limit * MOST_SUBSTEPS;
        for substep in 1..=substeps as u32 {
            let is_last = substep == substeps as u32;
            self.start.copy_from(&self.position, count);
            if substeps == 1.0 && !is_cut {
                // Nothing has been touched yet.
                ways.write_ends(walls.space, &mut self.position);
            } else {
                for i in 0..count {
                    // Without a contact an agent ends exactly where its step has taken it.
                    let lands = is_last && !is_cut && !Chunk::has_touched(&self.chunks, i);
                    let p = if lands || self.bodies[i].radius == 0.0 {
                        ways.end(i, walls.space)
                    } else {
                        let moved =
                            self.start.get(i) + (step(i) * (1.0 / substeps)).truncate(limit);
                        walls.space.inside(moved)
                    };
                    self.position.set(i, p);
                }
            }
            if substep == 1 {
                self.find_ways_out(ways, walls, others.as_deref_mut(), shared);
            } else {
                self.moved_at_walls += limit;
            }
            self.go_out(walls, substep as f32 / substeps);
            if let Some(others) = &mut others {
                others.replace(&mut self.position, self.agents);
            }
            // An iteration writes only those that may touch something.
            self.after.copy_from(&self.position, count);
            let absolute = Chunk::is_any_dense(&self.chunks);
            self.search.find_moved(&self.position, walls.space, absolute, self.dispatch);
            self.separate(walls, longest, MAX_ITERATIONS, others.as_deref_mut(), shared);
            let stopped = self.stop_at_walls(walls);
            self.put_back(walls, longest, stopped, others.as_deref_mut(), shared);
        }
        longest
    }

    /// What all chunks read.
    fn scene<'a>(&'a self, walls: Walls<'a, V>) -> Scene<'a, V> {
        Scene {
            bodies: &self.bodies,
            walls,
            start: &self.start,
            relaxation: self.settings.relaxation,
            largest: self.radii.1,
            skin: self.search.skin(),
            dispatch: self.dispatch,
            entering_from: self.entering_from,
        }
    }

    /// Searches the bodies that may touch one another, in a tick whose longest step this is
    /// (length).
    fn find_candidates(&mut self, walls: Walls<'_, V>, longest: f32, shared: Share) {
        let largest = self.radii.1;
        let skin = self.search.begin(&self.position, &self.bodies, largest, longest);
        let width = 2.0 * largest + skin;
        self.sorted.build(&self.position, &self.bodies, width, walls.space, shared);
        self.search.set_rounding(self.sorted.rounding());
        let mut chunks = core::mem::take(&mut self.chunks);
        Chunk::search(&mut chunks, &self.sorted, &self.position, &self.scene(walls), shared);
        self.chunks = chunks;
        self.activates = true;
    }

    /// Finds the walls near all bodies.
    pub(super) fn find_walls(&mut self, walls: Walls<'_, V>, shared: Share) {
        let (margin, mut chunks) = (WALL_MARGIN * self.radii.1, core::mem::take(&mut self.chunks));
        Chunk::find_walls(&mut chunks, &self.position, &self.scene(walls), margin, shared);
        self.chunks = chunks;
        (self.moved_at_walls, self.activates) = (0.0, true);
    }

    /// Takes the deepest overlap of the positions that were written, where bodies have left walls:
    /// no iteration has looked at those.
    fn measure_again(
        &mut self,
        walls: Walls<'_, V>,
        longest: f32,
        mut others: Option<&mut Others<'_>>,
        shared: Share,
    ) {
        let mut leaving = [if self.leaving.is_empty() { 0.0 } else { 1.0 }];
        if let Some(others) = &mut others {
            others.parts.largest(&mut leaving);
        }
        if leaving == [0.0] {
            return;
        }
        self.leaving.clear();
        Chunk::set_none_leaving(&mut self.chunks);
        self.activates = true;
        self.separate(walls, longest, 0, others, shared);
    }

    /// Puts bodies that overlap too deeply back where they were before the substep, and with them
    /// those that would then overlap too deeply: so a bound on overlaps that held before the tick
    /// holds after it, however hard bodies press. Bodies that start packed are left to move apart.
    /// Walls have `stopped` bodies by up to this length since the last iteration.
    fn put_back(
        &mut self,
        walls: Walls<'_, V>,
        longest: f32,
        stopped: f32,
        mut others: Option<&mut Others<'_>>,
        shared: Share,
    ) {
        let mut stopped = [stopped];
        if let Some(others) = &mut others {
            others.parts.largest(&mut stopped);
            others.replace(&mut self.position, self.agents);
        }
        if stopped == [0.0] && self.deepest.of_all() <= MOST_DEEP {
            return;
        }
        self.search.add_moved(stopped[0]);
        self.iterate(Iteration::FindHomes, walls, longest, others.as_deref_mut(), shared);
        let mut homes = core::mem::take(&mut self.homes);
        homes.resize(self.bodies.len());
        // One that touches nothing goes back, too, if another one that goes back lands on it:
        // whether it is active depends on the last search, and must not change the result.
        homes.copy_from(&self.start, self.bodies.len());
        Chunk::for_each_active(&self.chunks, |i, _| homes.set(i, self.after.get(i)));
        if let Some(others) = &mut others {
            others.replace(&mut homes, self.agents);
        }
        for iteration in 0.. {
            let kind = Iteration::GoBack { homes: &homes, all: iteration >= MOST_BACK };
            let found = self.iterate(kind, walls, longest, others.as_deref_mut(), shared);
            if found.moved == 0.0 {
                break;
            }
            self.take_iteration(found.moved, others.as_deref_mut());
        }
        self.homes = homes;
    }

    /// The iterations after a substep of a tick whose longest step this is (length): those of the
    /// settings and more where overlaps are deep, but at most `most` that move bodies.
    fn separate(
        &mut self,
        walls: Walls<'_, V>,
        longest: f32,
        most: u32,
        mut others: Option<&mut Others<'_>>,
        shared: Share,
    ) {
        let settings = self.settings;
        let deep = if self.presses { DEEP } else { DEEP_PLANNED };
        for iteration in 0..=most {
            let found =
                self.iterate(Iteration::MoveApart, walls, longest, others.as_deref_mut(), shared);
            let enough = iteration >= settings.iterations && found.deepest.of_all() <= deep;
            if found.moved == 0.0 || enough || iteration == most {
                return;
            }
            self.take_iteration(found.moved, others.as_deref_mut());
        }
    }

    /// One iteration: the positions after it are in `after`, and `deepest` is that before it.
    pub(super) fn iterate(
        &mut self,
        kind: Iteration<'_, V>,
        walls: Walls<'_, V>,
        longest: f32,
        others: Option<&mut Others<'_>>,
        shared: Share,
    ) -> Progress {
        let is_due = self.search.is_due();
        if is_due {
            self.find_candidates(walls, longest, shared);
        }
        if self.moved_at_walls > WALL_MARGIN * self.radii.1 {
            self.find_walls(walls, shared);
        }
        if core::mem::take(&mut self.activates) {
            Chunk::activate(&mut self.chunks, &self.bodies);
            self.after.copy_from(&self.position, self.bodies.len());
        }
        let mut chunks = core::mem::take(&mut self.chunks);
        let mut after = core::mem::take(&mut self.after);
        let scene = self.scene(walls);
        let (sorted, slices) = (&self.sorted, after.slices());
        let mut found =
            Chunk::iterate(&mut chunks, kind, sorted, &self.position, slices, &scene, shared);
        (self.chunks, self.after) = (chunks, after);
        if let Some(others) = others {
            let Deepest { of_others, of_entering } = found.deepest;
            let mut numbers = [of_others, of_entering, found.moved];
            others.parts.largest(&mut numbers);
            let [of_others, of_entering, moved] = numbers;
            found = Progress { deepest: Deepest { of_others, of_entering }, moved };
        }
        self.deepest = found.deepest;
        found
    }

    /// Takes the positions after an iteration, in which bodies have moved by up to `moved`
    /// (length), and those of other parts.
    fn take_iteration(&mut self, moved: f32, others: Option<&mut Others<'_>>) {
        core::mem::swap(&mut self.position, &mut self.after);
        if let Some(others) = others {
            others.replace(&mut self.position, self.agents);
        }
        self.search.add_moved(moved);
        self.moved_at_walls += moved;
        self.travelled += moved;
    }

    /// Puts back centers that have entered or crossed an obstacle since the substep began; returns
    /// the longest way by which one was put back (length).
    fn stop_at_walls(&mut self, walls: Walls<'_, V>) -> f32 {
        let (position, start, mut longest) = (&mut self.position, &self.start, 0.0);
        Chunk::for_each_active(&self.chunks, |i, near| {
            let (from, to) = (start.get(i), position.get(i));
            if !near.is_empty() && walls.is_blocked(from, to, near) {
                longest = larger(longest, walls.space.difference(from, to).length_squared());
                position.set(i, from);
            }
        });
        longest.sqrt()
    }

    /// Writes the positions into `next`, and takes away the part of each velocity that points into
    /// what was touched. `has_facing` is whether the agent in a row has a facing apart from its
    /// heading. Returns the longest way by which a body was pushed (length).
    fn write(
        &self,
        next: &mut Columns<V>,
        walls: Walls<'_, V>,
        has_facing: impl Fn(usize) -> bool,
    ) -> f32 {
        let mut longest = 0.0_f32;
        let mut push = |i: usize, near: &[u32]| {
            let (integrated, p) = (next.position.get(i), self.position.get(i));
            if integrated == p {
                return;
            }
            let push = walls.space.difference(integrated, p);
            longest = longest.max(push.length_squared());
            next.position.set(i, p);
            if walls.space.edge() == Edge::Bounce {
                let velocity = walls.reflected(p, self.bodies[i].radius, next.velocity.get(i));
                bounce(next, i, velocity, has_facing(i));
            }
            if !self.bodies[i].keeps_velocity {
                let velocity = without_part_against(next.velocity.get(i), push.unit());
                let radius = self.bodies[i].radius;
                next.velocity.set(i, walls.slide(p, radius, velocity, near));
            }
        };
        Chunk::for_each_active(&self.chunks, &mut push);
        // Those that touched something in an earlier substep only, or were too fast.
        (0..self.agents).for_each(|i| push(i, &[]));
        longest.sqrt()
    }
}

/// Sets the velocity of the agent in row `i` after a reflection, and turns its heading with it.
#[cold]
fn bounce<V: Vector>(next: &mut Columns<V>, i: usize, velocity: V, has_facing: bool) {
    let heading = with_signs_of(next.heading.get(i), next.velocity.get(i), velocity);
    next.velocity.set(i, velocity);
    next.heading.set(i, heading);
    if let Some(facing) = next.facing.get_mut(i).filter(|_| !has_facing) {
        *facing = heading;
    }
}

/// `heading` with the components reversed whose component of the velocity was: from `before` to
/// `after`.
pub(in crate::crowd::pipeline) fn with_signs_of<V: Vector>(heading: V, before: V, after: V) -> V {
    V::from_fn(|i| if before.axis(i) == after.axis(i) { heading.axis(i) } else { -heading.axis(i) })
}
