//! One tick, phase by phase, in this order:
//!
//! | phase | file | reads | writes |
//! |---|---|---|---|
//! | index | `index.rs` | positions | order of the rows, grid cells, member trees |
//! | assign | `assign.rs` | positions, memories | formation slots of this tick |
//! | perceive | `perceive.rs`, `gather.rs` | old columns, grid | neighbor scratch, remembered positions |
//! | steer | `transitions.rs`, `steer.rs` | old columns, neighbors, member trees | states, memories, stats, forces |
//! | solve | in the list of behaviors | sum of forces | force and start velocity |
//! | integrate | `integrate.rs` | forces | next positions, velocities, headings |
//! | contact | none yet | | |
//! | commit | `commit.rs` | next columns | the old and next columns change places |
//! | events | `../events.rs` | both generations | events, line and exit counts |
//! | population | `../exit.rs`, `../source.rs`, `../population/explore.rs` | events, sources | rows, explored cells |
//!
//! Index and assign run for the whole crowd before any agent steers. Perceive to integrate run
//! fused over runs of grid cells, shared by the threads: they read only the old columns, and each
//! run writes only its own part of the next columns. `Crowd::step_budgeted` stops between two runs;
//! until commit, nothing that a caller can observe has changed.

use core::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::Crowd;
use super::population::columns::NextSlices;
use crate::simd::{Simd, Work};
use crate::spatial::grid::Grid;
use crate::spatial::neighbors::Neighbors;
use crate::threads::{GRAIN, both, current};
use crate::vector::Vector;

pub(super) mod assign;
mod commit;
mod gather;
pub(super) mod index;
mod integrate;
pub(super) mod perceive;
mod steer;
mod transitions;
mod world;

pub(super) use world::World;

/// How much of a tick is done.
#[derive(Clone, Copy, Debug)]
pub(super) struct TickProgress {
    /// The cells whose agents have moved; without cells, the agents that have moved.
    done: usize,
    /// The unit of length of this tick's sums over neighbors.
    reach: f32,
}

impl<V: Vector> Crowd<V> {
    /// Runs the phases of a tick until at least `agents` agents have moved; whether the tick ended.
    pub(super) fn advance(&mut self, agents: usize, shared: bool) -> bool {
        let progress = self.begin_tick(shared);
        if !self.move_agents(progress, agents, shared) {
            return false;
        }
        self.commit();
        self.look();
        self.enter();
        self.visit();
        true
    }

    /// Index and assign, unless the tick has already begun. No result depends on when they run.
    pub(super) fn begin_tick(&mut self, shared: bool) -> TickProgress {
        if let Some(progress) = self.part {
            return progress;
        }
        self.index(shared);
        self.form();
        *self.part.insert(TickProgress { done: 0, reach: self.reach() })
    }

    /// Perceive, steer, solve and integrate for about `agents` agents; whether all have moved.
    fn move_agents(&mut self, progress: TickProgress, agents: usize, shared: bool) -> bool {
        let TickProgress { done, reach } = progress;
        self.before = false;
        let mut next = core::mem::take(&mut self.next);
        let world = self.world();
        let end = world.end_of(done, agents);
        let these = world.agents(done..end);
        let (_, rest) = next.slices().split(these.start);
        world.advance_units(done..end, rest.split(these.len()).0, &self.neighbors, shared);
        let ended = end == world.units();
        self.next = next;
        self.part = Some(TickProgress { done: end, reach });
        ended
    }
}

/// A tick of a run of units as work for the widest instructions: first all steer, one by one, then
/// they move, several at once.
struct Advance<'a, 'w, 'n, V: Vector> {
    world: &'a World<'w, V>,
    units: Range<usize>,
    next: NextSlices<'n, V>,
    near: &'a mut Neighbors<V>,
}

impl<V: Vector> Work for Advance<'_, '_, '_, V> {
    type Result = ();
    #[inline(always)]
    fn run<L: Simd>(self) {
        let Self { world, units, mut next, near } = self;
        match world.grid {
            None => world.steer_run(
                units.clone(),
                next.reborrow(),
                &mut Neighbors::none(),
                |_, _, _| (),
            ),
            Some(grid) => world.steer_cells(grid, units.clone(), next.reborrow(), near),
        }
        world.step_run::<L>(world.agents(units), next);
    }
}

impl<V: Vector> World<'_, V> {
    /// How many units there are.
    pub(super) fn units(&self) -> usize {
        self.grid.map_or(self.now.len(), Grid::len)
    }

    /// Where a run of units from `start` ends that has `agents`, or all that are left.
    pub(super) fn end_of(&self, start: usize, agents: usize) -> usize {
        let (first, units) = (self.agents(0..start).len(), self.units());
        if self.now.len() - first <= agents {
            return units;
        }
        let cells = start + 1..units;
        self.grid.map_or(start + agents.max(1), |grid| {
            cells
                .into_iter()
                .find(|&end| grid.run(start..end).len() >= agents.max(1))
                .unwrap_or(units)
        })
    }

    /// The agents of a run of units: of cells, or where there are none the agents themselves.
    pub(super) fn agents(&self, units: Range<usize>) -> Range<usize> {
        self.grid.map_or(units.clone(), |grid| grid.run(units))
    }

    /// Writes the next generation of the agents in a run of units, shared by halving it; `next` is
    /// theirs, and each thread has one of `near`.
    pub(super) fn advance_units(
        &self,
        units: Range<usize>,
        next: NextSlices<'_, V>,
        near: &[Mutex<Neighbors<V>>],
        shared: bool,
    ) {
        if shared && units.len() > 1 && self.agents(units.clone()).len() > GRAIN {
            let middle = units.start + units.len() / 2;
            let (first, rest) = next.split(self.agents(units.start..middle).len());
            return both(
                true,
                || self.advance_units(units.start..middle, first, near, true),
                || self.advance_units(middle..units.end, rest, near, true),
            );
        }
        // Nobody else has this thread's: the lock is free, and whole even if a behavior of the
        // user's own panicked once.
        let mut near = near[current(shared)].lock().unwrap_or_else(PoisonError::into_inner);
        self.chosen.run(Advance { world: self, units, next, near: &mut near });
    }
}
