//! The phases of a tick, in their order:
//!
//! | phase | file | reads | writes |
//! |---|---|---|---|
//! | index | `index.rs` | positions | order of the rows, grid cells, member trees, centers |
//! | assign | `assign.rs`, `places.rs` | positions, memories | formation slots and places in queues
//! of this tick |
//! | perceive | `perceive.rs`, `gather.rs` | old columns, grid | neighbor scratch, remembered
//! positions |
//! | steer | `transitions.rs`, `steer.rs` | old columns, neighbors, member trees, centers | states,
//! memories, stats, forces |
//! | solve | in the list of behaviors; `steer.rs` | sum of forces, neighbors | force and start
//! velocity |
//! | integrate | `integrate.rs` | forces | next positions, velocities, headings |
//! | contact | `contact.rs` | next positions, obstacles | next positions, velocities |
//! | commit | `commit.rs` | next columns | the old and next columns change places |
//! | routes | `routes.rs` | positions, memories, obstacles | routes of agents with `navigate` |
//! | events | `events.rs`, `leave.rs` | both generations | events, line and exit counts |
//! | population | `sources.rs`, `explore.rs` | events, sources | rows, explored cells |
//!
//! Index and assign run for the whole crowd before any agent steers. Perceive to integrate run
//! fused over runs of grid cells, shared by the threads: they read only the old columns, and each
//! run writes only its own part of the next columns. `Crowd::step_budgeted` stops between two runs;
//! the contact phase is a part of its own, and the search for routes is not divided. Until commit,
//! nothing that a caller can observe has changed.

use core::ops::Range;
use core::panic::AssertUnwindSafe;

use super::origin::Origin;
use super::part::{HaloTooNarrow, PartState};
use super::population::Population;
use super::population::slices::NextSlices;
use super::world::World;
use crate::platform::Mutex;
use crate::platform::{catch_unwind, resume_unwind};
use crate::simd::{SimdMemory, Work};
use crate::spatial::grid::Grid;
use crate::spatial::neighbors::Neighbors;
use crate::threads::{GRAIN, Share, both, own_buffer};
use crate::vector::Vector;

mod assign;
pub(super) mod change;
mod commit;
pub(super) mod contact;
pub(super) mod events;
mod explain;
pub(super) mod explore;
mod gather;
pub(super) mod index;
pub(super) mod input;
mod integrate;
mod leave;
mod perceive;
mod places;
mod queues;
#[cfg(feature = "navigation")]
mod routes;
pub(super) mod scratch;
pub(super) mod sources;
pub(super) mod steer;
pub(super) mod tick;
mod transitions;

use change::{Change, changed};
use contact::Others;
use input::TickInput;
use scratch::{CHUNK, Scratch};
use steer::ChunkRows;
use tick::{Tick, TickProgress};

/// The number of agents that are told apart as far from or near to the borders of a part: a small
/// part of a row of cells.
const BLOCK: usize = 64;

/// Runs the index and assign phases, unless the tick has already begun. Callers observe no change:
/// no result depends on the order of rows.
pub(super) fn begin_tick<V: Vector>(
    world: &mut World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    shared: Share,
) -> TickProgress {
    if let Some(progress) = tick.progress {
        return progress;
    }
    index::index(world, population, tick, shared);
    assign::assign_slots(world, population, tick, origin);
    let mut queues = core::mem::take(&mut tick.queues);
    queues.update(&TickInput::new(world, population, tick, origin));
    tick.queues = queues;
    *tick.progress.insert(TickProgress { done: 0 })
}

/// Runs the phases from perceive to integrate for about `agents` agents of a tick that has begun;
/// returns whether all agents have moved.
///
/// A panic in a user's behavior propagates, and leaves the crowd in the state before the tick.
pub(super) fn move_agents<V: Vector>(
    world: &World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    agents: usize,
    shared: Share,
) -> bool {
    let done = tick.progress.map_or(0, |progress| progress.done);
    let input = TickInput::new(world, population, tick, origin);
    let (units, end) = (input.units(), input.end_of(done..input.units(), agents));
    move_units(world, population, tick, origin, done..end, shared);
    tick.progress = Some(TickProgress { done: end });
    end == units
}

/// Runs the phases from perceive to integrate for the agents in a run of units.
fn move_units<V: Vector>(
    world: &World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    units: Range<usize>,
    shared: Share,
) {
    population.has_previous = false;
    let mut next = core::mem::take(&mut population.next);
    let input = TickInput::new(world, population, tick, origin);
    let moved = catch_unwind(AssertUnwindSafe(|| {
        let rows = input.rows(units.clone());
        let remainder = next.slices().split(rows.start).1;
        input.advance_units(units, remainder.split(rows.len()).0, &tick.scratch, shared);
    }));
    population.next = next;
    if let Err(panic) = moved {
        changed(population, tick, Change::Input);
        tick.interior.clear();
        resume_unwind(panic);
    }
}

/// Moves the agents in those runs of units of which `is_interior` holds for the corners of the box
/// around their positions, in a tick that has begun.
pub(super) fn move_interior<V: Vector>(
    world: &World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    is_interior: &(dyn Fn(V, V) -> bool + Sync),
    shared: Share,
) {
    let mut interior = core::mem::take(&mut tick.interior);
    interior.clear();
    let (input, mut start) = (TickInput::new(world, population, tick, origin), 0);
    while start < input.units() {
        let run = start..input.end_of(start..input.units(), BLOCK);
        start = run.end;
        let rows = input.rows(run.clone());
        if rows.is_empty() {
            continue;
        }
        let (low, high) = input.now.position.box_around(rows, |p| p);
        match interior.last_mut() {
            _ if !is_interior(low, high) => {}
            Some(last) if last.end == run.start => last.end = run.end,
            _ => interior.push(run),
        }
    }
    for run in &interior {
        move_units(world, population, tick, origin, run.clone(), shared);
    }
    tick.interior = interior;
}

/// Moves the agents that [`move_interior`] has not moved.
pub(super) fn move_rest<V: Vector>(
    world: &World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    shared: Share,
) {
    let units = TickInput::new(world, population, tick, origin).units();
    let interior = core::mem::take(&mut tick.interior);
    let mut start = 0;
    for run in &interior {
        move_units(world, population, tick, origin, start..run.start, shared);
        start = run.end;
    }
    move_units(world, population, tick, origin, start..units, shared);
    // A tick that begins again has them already.
    tick.interior = interior;
}

/// Moves solid bodies apart and out of walls, in the next columns. `others` are the other parts of
/// the crowd, if it is one of several.
///
/// # Errors
/// The halo is too narrow; then the next columns are those before the phase.
pub(super) fn resolve_contacts<V: Vector>(
    world: &World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    others: Option<&mut Others<'_>>,
    shared: Share,
) -> Result<(), HaloTooNarrow> {
    let Some(solid) = &mut tick.solid else { return Ok(()) };
    let step = (tick.dt as f32, tick.dispatch);
    let pushed = solid.resolve_contacts(world, population, step, others, shared)?;
    // The cells of the next ticks know only how far a step moves an agent.
    tick.max_displacement += pushed * 1.001;
    Ok(())
}

/// Runs the phases from commit to events.
pub(super) fn observe<V: Vector>(
    world: &mut World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    part: Option<&mut PartState>,
    shared: Share,
) {
    commit::commit(population, tick);
    #[cfg(feature = "navigation")]
    routes::plan_routes(world, population);
    events::detect_events(world, population, tick, origin, part, shared);
}

/// Runs the population phase.
pub(super) fn populate<V: Vector>(
    world: &mut World<V>,
    population: &mut Population<V>,
    tick: &mut Tick<V>,
    origin: &Origin<V>,
    part: Option<&PartState>,
    shared: Share,
) {
    sources::run_sources(world, population, tick, origin, part);
    explore::mark_explored(world, population, tick, shared);
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
                world.steer_run(rows.all(), &mut rows, &mut no_neighbors, None);
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
