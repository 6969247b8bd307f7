//! The state of the current tick, and the buffers that each tick uses again.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use super::contact::SolidBodies;
use super::queues::Queues;
use super::scratch::Scratch;
use crate::crowd::population::spawn::Entry;
use crate::crowd::setup::Setup;
use crate::crowd::structure::Structure;
use crate::id::GroupId;
use crate::simd::SimdDispatch;
use crate::spatial::grid::Grid;
use crate::threads::{Buffers, Threads};
use crate::vector::Vector;

/// A cell in which an agent is: the indices of the group, its grid and the cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::crowd) struct Visit {
    pub(super) group: u32,
    pub(super) grid: u32,
    pub(super) cell: u32,
}

/// The progress of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::crowd) struct TickProgress {
    /// The units whose agents have moved: grid cells, or agents if there is no grid.
    pub(super) done: usize,
}

/// The number and the progress of a tick, and what it works with.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct Tick<V: Vector> {
    /// The number of ticks so far.
    pub(in crate::crowd) number: u64,
    /// The duration of a tick (time).
    pub(in crate::crowd) dt: f64,
    pub(in crate::crowd) seed: u64,
    /// The progress of the current tick, if it has begun.
    pub(in crate::crowd) progress: Option<TickProgress>,
    /// Whether the rows are in the order of the tick that this part of a crowd has begun.
    pub(in crate::crowd) is_sorted_for_part: bool,
    /// The runs of units whose agents have moved before the copies of this tick were there.
    pub(in crate::crowd) interior: Vec<Range<usize>>,
    pub(in crate::crowd) grid: Grid<V>,
    /// The width of the grid's cells (length); `None` if no group reads neighbors.
    pub(in crate::crowd) cell_width: Option<f32>,
    /// The maximum displacement of any agent since the agents were sorted into cells (length).
    pub(in crate::crowd) max_displacement: f32,
    /// The places of agents in queues at this tick.
    pub(in crate::crowd) queues: Queues,
    /// The solid bodies; `None` if bodies are not solid.
    pub(in crate::crowd) solid: Option<Box<SolidBodies<V>>>,
    pub(in crate::crowd) threads: Threads,
    pub(in crate::crowd) dispatch: SimdDispatch,
    /// One scratch per thread.
    pub(in crate::crowd) scratch: Buffers<Scratch<V>>,
    /// The cells that agents with `explore` visited in this tick; one list for each thread.
    pub(in crate::crowd) visits: Buffers<Vec<Visit>>,
}

impl<V: Vector> Tick<V> {
    /// Tick 0 of the crowd of `setup`, whose grid has cells of this width (length), on one thread.
    pub(in crate::crowd) fn new(setup: &Setup<V>, cell_width: Option<f32>) -> Self {
        Self {
            number: 0,
            dt: setup.dt,
            seed: setup.seed,
            progress: None,
            is_sorted_for_part: false,
            interior: Vec::new(),
            grid: Grid::default(),
            cell_width,
            // The agents are not sorted yet.
            max_displacement: f32::INFINITY,
            queues: Queues::default(),
            solid: SolidBodies::new(setup.bodies),
            threads: Threads::default(),
            dispatch: SimdDispatch::widest(),
            scratch: Buffers::default(),
            visits: Buffers::default(),
        }
    }

    /// Makes the buffers of each thread for this number of agents.
    pub(in crate::crowd) fn make_buffers(&mut self, agents: usize) {
        let threads = self.threads.count();
        self.scratch = Buffers::of((0..threads).map(|_| Scratch::new(agents, self.dispatch)));
        self.visits = Buffers::of((0..threads).map(|_| Vec::new()));
    }
    /// The time simulated so far (time).
    pub(in crate::crowd) fn time(&self) -> f64 {
        self.number as f64 * self.dt
    }

    /// The entry of agent `id` as a member of `group` at this tick.
    pub(in crate::crowd) fn entry(&self, structure: &Structure, id: u32, group: GroupId) -> Entry {
        let first = structure.groups.get(group.0).map_or(0, |group| group.first_id);
        Entry { seed: self.seed, id, first, tick: self.number, dt: self.dt }
    }
}
