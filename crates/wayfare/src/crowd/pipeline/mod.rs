//! The phases of a tick, in their order:
//!
//! | phase | file | reads | writes |
//! |---|---|---|---|
//! | index | `index.rs` | positions | order of the rows, grid cells, member trees, centers |
//! | assign | `assign.rs`, `queues.rs` | positions, memories | formation slots and places in queues of this tick |
//! | perceive | `perceive.rs`, `gather.rs` | old columns, grid | neighbor scratch, remembered positions |
//! | steer | `transitions.rs`, `steer.rs` | old columns, neighbors, member trees, centers | states, memories, stats, forces |
//! | solve | in the list of behaviors; `steer.rs` | sum of forces, neighbors | force and start velocity |
//! | integrate | `integrate.rs` | forces | next positions, velocities, headings |
//! | contact | `contact.rs` | next positions, obstacles | next positions, velocities |
//! | commit | `commit.rs` | next columns | the old and next columns change places |
//! | routes | `../routes.rs` | positions, memories, obstacles | ways of agents with `navigate` |
//! | events | `../events.rs` | both generations | events, line and exit counts |
//! | population | `../exit.rs`, `../source.rs`, `../population/explore.rs` | events, sources | rows, explored cells |
//!
//! Index and assign run for the whole crowd before any agent steers. Perceive to integrate run
//! fused over runs of grid cells, shared by the threads: they read only the old columns, and each
//! run writes only its own part of the next columns. `Crowd::step_budgeted` stops between two runs;
//! the contact phase and the search for ways are not divided. Until commit, nothing that a caller
//! can observe has changed.

use core::ops::Range;
use core::panic::AssertUnwindSafe;

use super::Crowd;
use super::population::slices::NextSlices;
use crate::crowd::change::Change;
use crate::platform::Mutex;
use crate::platform::{catch_unwind, resume_unwind};
use crate::simd::{SimdDispatch, SimdMemory, Work};
use crate::spatial::grid::Grid;
use crate::spatial::neighbors::Neighbors;
use crate::threads::{GRAIN, Share, both, own_buffer};
use crate::vector::Vector;

pub(super) mod assign;
mod commit;
pub(super) mod contact;
mod gather;
pub(super) mod index;
mod input;
mod integrate;
pub(super) mod perceive;
pub(super) mod queues;
pub(super) mod steer;
pub(super) mod tick;
mod transitions;

pub(super) use input::TickInput;
use steer::{ChunkRows, SteerOutput};

/// The number of agents that steer before they move: their forces fit in the processor's
/// first-level cache.
const CHUNK: usize = 512;

/// The number of agents that are told apart as far from or near to the borders of a part: a small
/// part of a row of cells.
const BLOCK: usize = 64;

/// The progress of a tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct TickProgress {
    /// The units whose agents have moved: grid cells, or agents if there is no grid.
    done: usize,
}

impl<V: Vector> Crowd<V> {
    /// Runs the phases of a tick until about `agents` agents have moved; returns whether the tick
    /// has ended.
    pub(super) fn advance(&mut self, agents: usize, shared: Share) -> bool {
        let progress = self.begin_tick(shared);
        if !self.move_agents(progress, agents, shared) {
            return false;
        }
        self.resolve_contacts(shared);
        self.observe(shared);
        self.populate(shared);
        true
    }

    /// Runs the phases from commit to events.
    pub(super) fn observe(&mut self, shared: Share) {
        self.commit();
        self.plan_routes();
        self.detect_events(shared);
    }

    /// Runs the population phase.
    pub(super) fn populate(&mut self, shared: Share) {
        self.run_sources();
        self.mark_explored(shared);
    }

    /// Runs the index and assign phases, unless the tick has already begun. Callers observe no
    /// change: no result depends on the order of rows.
    pub(super) fn begin_tick(&mut self, shared: Share) -> TickProgress {
        if let Some(progress) = self.tick.progress {
            return progress;
        }
        self.index(shared);
        self.assign();
        self.assign_places();
        *self.tick.progress.insert(TickProgress { done: 0 })
    }

    /// The world as the phases of the next tick will read it.
    pub(super) fn next_tick_input(&mut self) -> TickInput<'_, V> {
        self.begin_tick(Share::ALONE);
        self.tick_input()
    }

    /// Runs the phases from perceive to integrate for about `agents` agents; returns whether all
    /// agents have moved.
    ///
    /// A panic in a user's behavior propagates, and leaves the crowd in the state before the tick.
    fn move_agents(&mut self, progress: TickProgress, agents: usize, shared: Share) -> bool {
        let TickProgress { done } = progress;
        let world = self.tick_input();
        let (units, end) = (world.units(), world.end_of(done..world.units(), agents));
        self.move_units(done..end, shared);
        self.tick.progress = Some(TickProgress { done: end });
        end == units
    }

    /// Runs the phases from perceive to integrate for the agents in a run of units.
    fn move_units(&mut self, units: Range<usize>, shared: Share) {
        self.population.has_previous = false;
        let mut next = core::mem::take(&mut self.population.next);
        let world = self.tick_input();
        let moved = catch_unwind(AssertUnwindSafe(|| {
            let rows = world.rows(units.clone());
            let remainder = next.slices().split(rows.start).1;
            world.advance_units(units, remainder.split(rows.len()).0, &self.tick.scratch, shared);
        }));
        self.population.next = next;
        if let Err(panic) = moved {
            self.changed(Change::Input);
            self.tick.interior.clear();
            resume_unwind(panic);
        }
    }

    /// Moves the agents in those runs of units of which `is_interior` holds for the corners of the
    /// box around their positions.
    pub(super) fn move_interior(
        &mut self,
        is_interior: &(dyn Fn(V, V) -> bool + Sync),
        shared: Share,
    ) {
        self.begin_tick(shared);
        let mut interior = core::mem::take(&mut self.tick.interior);
        interior.clear();
        let (world, mut start) = (self.tick_input(), 0);
        while start < world.units() {
            let run = start..world.end_of(start..world.units(), BLOCK);
            start = run.end;
            let rows = world.rows(run.clone());
            if rows.is_empty() {
                continue;
            }
            let (low, high) = world.now.position.box_around(rows, |p| p);
            match interior.last_mut() {
                _ if !is_interior(low, high) => {}
                Some(last) if last.end == run.start => last.end = run.end,
                _ => interior.push(run),
            }
        }
        for run in &interior {
            self.move_units(run.clone(), shared);
        }
        self.tick.interior = interior;
    }

    /// Moves the agents that [`move_interior`](Self::move_interior) has not moved.
    pub(super) fn move_rest(&mut self, shared: Share) {
        self.begin_tick(shared);
        let units = self.tick_input().units();
        let interior = core::mem::take(&mut self.tick.interior);
        let mut start = 0;
        for run in &interior {
            self.move_units(start..run.start, shared);
            start = run.end;
        }
        self.move_units(start..units, shared);
        // A tick that begins again has them already.
        self.tick.interior = interior;
    }
}

/// Buffers of one thread.
#[derive(Debug)]
pub(super) struct Scratch<V: Vector> {
    neighbors: Neighbors<V>,
    steered: SteerOutput<V>,
    /// What they were made for.
    made_for: (usize, SimdDispatch),
}

impl<V: Vector> Clone for Scratch<V> {
    /// New buffers of the same capacity: no tick reads what another left in them.
    fn clone(&self) -> Self {
        Self::new(self.made_for.0, self.made_for.1)
    }
}

impl<V: Vector> Scratch<V> {
    /// Buffers with a capacity for more neighbors than the cells around a cell usually hold, and
    /// for a chunk of forces. Both grow in very dense crowds.
    pub(super) fn new(agents: usize, dispatch: SimdDispatch) -> Self {
        let mut neighbors = Neighbors::with_capacity(agents.min(1_024));
        neighbors.set_dispatch(dispatch);
        let mut steered = SteerOutput::with_room_for(agents.min(CHUNK));
        steered.reserve(agents.min(2 * CHUNK));
        Self { neighbors, steered, made_for: (agents, dispatch) }
    }
}

/// The phases from perceive to integrate of a run of units, compiled for the widest instructions.
struct Advance<'a, 'w, 'n, V: Vector> {
    world: &'a TickInput<'w, V>,
    units: Range<usize>,
    next: NextSlices<'n, V>,
    scratch: &'a mut Scratch<V>,
}

impl<V: Vector> Work for Advance<'_, '_, '_, V> {
    type Result = ();
    /// Agents steer one by one; then each chunk moves, several agents at once.
    #[inline(always)]
    fn run<L: SimdMemory>(self) {
        let Self { world, mut units, mut next, scratch: Scratch { neighbors, steered, .. } } = self;
        let mut no_neighbors = Neighbors::none();
        let first = world.rows(units.clone()).start;
        let mut moved = 0;
        steered.remove_first(steered.len());
        while !units.is_empty() {
            let end = world.end_of(units.clone(), CHUNK - steered.len());
            let chunk = units.start..end;
            units.start = end;
            let rows = world.rows(chunk.clone());
            let mut part = next.part(rows.start - first..rows.end - first);
            let mut rows = ChunkRows::begin(world, rows, &mut part, steered);
            if let Some(grid) = world.grid {
                // No closure: it would not be compiled for the instructions of the lanes.
                for cell in chunk {
                    world.steer_cell(grid, grid.run(cell..cell + 1), &mut rows, neighbors);
                }
            } else {
                world.steer_run(rows.all(), &mut rows, &mut no_neighbors, |_, _, _| ());
            }
            // Complete blocks move at once; only the last chunk may end within a block.
            let ready = steered.len();
            let count = if units.is_empty() { ready } else { ready - ready % L::COUNT };
            let at = moved..moved + count;
            let run = first + at.start..first + at.end;
            world.integrate::<L>(run, next.part(at), steered);
            steered.remove_first(count);
            moved += count;
        }
    }
}

impl<V: Vector> TickInput<'_, V> {
    /// The number of units.
    pub(super) fn units(&self) -> usize {
        self.grid.map_or(self.now.len(), Grid::len)
    }

    /// The end of the shortest run of units from the start of `units` that has at least `agents`
    /// agents; the end of `units` if all of them have fewer.
    fn end_of(&self, units: Range<usize>, agents: usize) -> usize {
        let agents = agents.max(1);
        match self.grid {
            Some(grid) => grid.end_of(units, agents),
            None => units.end.min(units.start.saturating_add(agents)),
        }
    }

    /// The rows of a run of units.
    fn rows(&self, units: Range<usize>) -> Range<usize> {
        self.grid.map_or(units.clone(), |grid| grid.run(units))
    }

    /// Writes the next columns of the agents in a run of units, shared between threads by halving
    /// the run; `next` holds the columns of these agents.
    fn advance_units(
        &self,
        units: Range<usize>,
        next: NextSlices<'_, V>,
        scratch: &[Mutex<Scratch<V>>],
        shared: Share,
    ) {
        if shared.is_on() && units.len() > 1 && self.rows(units.clone()).len() > GRAIN {
            let middle = units.start + units.len() / 2;
            let (first, remainder) = next.split(self.rows(units.start..middle).len());
            return both(
                shared,
                || self.advance_units(units.start..middle, first, scratch, shared),
                || self.advance_units(middle..units.end, remainder, scratch, shared),
            );
        }
        // It stays usable after a panic in a user's behavior, because every run clears it first.
        let mut scratch = own_buffer(shared, scratch);
        self.dispatch.run(Advance { world: self, units, next, scratch: &mut scratch });
    }
}
