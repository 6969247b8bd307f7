//! The agents as columns: one list per quantity. Row `i` of every column belongs to the same agent;
//! rows are sorted by grid cell.

use alloc::vec::Vec;
use core::ops::Range;

pub(crate) use super::entries::{OwnSettings, RememberedPosition, StateInstance};
use super::slices::{NextSlices, NowSlices};
use crate::agent::{Agent, Memory};
pub(crate) use crate::crowd::setup::limit::Limits;
use crate::crowd::setup::{Stat, draws};
use crate::simd::MAX_LANES;
use crate::simd::column::VectorColumn;
use crate::threads::{Share, both};
use crate::vector::Vector;

/// One generation of agents. Stats, memories and remembered positions have a fixed number of
/// entries per row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns<V: Vector> {
    /// Ids and groups are read in SIMD blocks, so a block of padding follows the last row; see
    /// [`pad`](Self::pad).
    pub(crate) id: Vec<u32>,
    pub(crate) group: Vec<u32>,
    pub(crate) state: Vec<StateInstance>,
    pub(crate) position: VectorColumn<V>,
    pub(crate) velocity: VectorColumn<V>,
    pub(crate) heading: VectorColumn<V>,
    pub(crate) limits: Vec<Limits>,
    /// Whether limits differ between states, so that a step may change them.
    pub(crate) limits_change: bool,
    /// The settings of single agents by commands; empty until the first such command.
    pub(crate) own: Vec<OwnSettings<V>>,
    /// Own settings per row: 0 or 1.
    pub(crate) own_width: usize,
    /// The direction an agent faces; empty if no group has a facing apart from its heading.
    pub(crate) facing: Vec<V>,
    /// Facings per row: 0 or 1.
    pub(crate) facing_width: usize,
    /// The force that an agent keeps until it thinks again, or where a solver decides its velocity,
    /// the preferred velocity; empty if every group thinks at every tick.
    pub(crate) force: Vec<V>,
    /// Forces per row: 0 or 1.
    pub(crate) force_width: usize,
    pub(crate) stats: Vec<f32>,
    pub(crate) stats_width: usize,
    pub(crate) memory: Vec<Memory<V>>,
    pub(crate) memory_width: usize,
    pub(crate) remembered: Vec<RememberedPosition<V>>,
    pub(crate) remembered_width: usize,
}

/// The start values of an agent besides its motion and limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start<'a> {
    pub(crate) state: StateInstance,
    pub(crate) stats: &'a [Stat],
    pub(crate) seed: u64,
    /// The tick at which it enters.
    pub(crate) tick: u64,
    /// Whether its first remembered position belongs to its perception.
    pub(crate) perceives: bool,
}

impl Start<'_> {
    /// The first value of stat `s` of agent `id`; 0 without such a stat.
    fn stat(&self, id: u32, s: usize) -> f32 {
        self.stats.get(s).map_or(0.0, |stat| draws::start_of_stat(self.seed, id, s, stat))
    }

    /// The `k`-th remembered position of an agent that starts at `position`.
    fn remembered<V>(&self, k: usize, position: V) -> RememberedPosition<V> {
        RememberedPosition {
            position,
            tick: if self.perceives && k == 0 { RememberedPosition::<V>::NEVER } else { self.tick },
        }
    }
}

/// The entries per row of the columns whose width depends on the groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Widths {
    pub(crate) facing: usize,
    pub(crate) force: usize,
    pub(crate) stats: usize,
    pub(crate) memory: usize,
    pub(crate) remembered: usize,
    /// Whether limits differ between states.
    pub(crate) limits_change: bool,
}

impl<V: Vector> Columns<V> {
    /// No agents, in columns of these widths.
    pub(crate) fn with_widths(widths: Widths) -> Self {
        let Widths { facing, force, stats, memory, remembered, limits_change } = widths;
        Self {
            facing_width: facing,
            force_width: force,
            stats_width: stats,
            memory_width: memory,
            remembered_width: remembered,
            limits_change,
            ..Self::default()
        }
    }

    pub(crate) fn widths(&self) -> Widths {
        Widths {
            facing: self.facing_width,
            force: self.force_width,
            stats: self.stats_width,
            memory: self.memory_width,
            remembered: self.remembered_width,
            limits_change: self.limits_change,
        }
    }

    /// Gives the columns other widths: new entries are those of an agent that has just entered,
    /// entries beyond the new width are lost.
    pub(crate) fn set_widths(&mut self, widths: Widths) {
        fn resize<T: Copy>(
            column: &mut Vec<T>,
            (old, new): (usize, usize),
            count: usize,
            entry: impl Fn(usize) -> T,
        ) {
            if old != new {
                let kept = |row: usize, k: usize| (k < old).then(|| column[row * old + k]);
                let entries = (0..count).flat_map(|row| (0..new).map(move |k| (row, k)));
                *column =
                    entries.map(|(row, k)| kept(row, k).unwrap_or_else(|| entry(row))).collect();
            }
        }
        let Widths { facing, force, stats, memory, remembered, limits_change } = widths;
        let count = self.len();
        let (position, heading) = (&self.position, &self.heading);
        resize(&mut self.facing, (self.facing_width, facing), count, |row| heading.get(row));
        resize(&mut self.force, (self.force_width, force), count, |_| V::ZERO);
        resize(&mut self.stats, (self.stats_width, stats), count, |_| 0.0);
        resize(&mut self.memory, (self.memory_width, memory), count, |_| Memory::default());
        resize(&mut self.remembered, (self.remembered_width, remembered), count, |row| {
            RememberedPosition { position: position.get(row), tick: RememberedPosition::<V>::NEVER }
        });
        self.facing_width = facing;
        self.force_width = force;
        self.stats_width = stats;
        self.memory_width = memory;
        self.remembered_width = remembered;
        self.limits_change = limits_change;
    }

    /// Makes room for own settings, if there is none.
    pub(crate) fn widen_own(&mut self) {
        if self.own_width == 0 {
            self.own_width = 1;
            self.own.resize(self.len(), OwnSettings::default());
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.state.len()
    }

    /// Ends the columns of ids and groups with a block of padding.
    pub(crate) fn pad(&mut self) {
        self.id.resize(self.len() + MAX_LANES, u32::MAX);
        self.group.resize(self.len() + MAX_LANES, 0);
    }

    /// Adds an agent as the last row, with its stats and empty memories.
    pub(crate) fn push(&mut self, id: u32, group: u32, start: Start<'_>, agent: &Agent<V>) {
        let count = self.len();
        self.id.truncate(count);
        self.id.push(id);
        self.group.truncate(count);
        self.group.push(group);
        self.state.push(start.state);
        self.position.push(agent.position);
        self.velocity.push(agent.velocity);
        self.heading.push(agent.heading);
        self.facing.resize(self.facing.len() + self.facing_width, agent.facing);
        self.force.resize(self.force.len() + self.force_width, V::ZERO);
        self.limits.push(Limits::of(agent));
        self.own.resize(self.own.len() + self.own_width, OwnSettings::default());
        self.stats.extend((0..self.stats_width).map(|s| start.stat(id, s)));
        self.memory.extend((0..self.memory_width).map(|_| Memory::default()));
        self.remembered
            .extend((0..self.remembered_width).map(|k| start.remembered(k, agent.position)));
    }

    /// Removes all rows and keeps the room.
    pub(crate) fn clear(&mut self) {
        // Without `..`: a new column does not compile until it is cleared here.
        let Self {
            id,
            group,
            state,
            position,
            velocity,
            heading,
            limits,
            limits_change: _,
            own,
            own_width: _,
            facing,
            facing_width: _,
            force,
            force_width: _,
            stats,
            stats_width: _,
            memory,
            memory_width: _,
            remembered,
            remembered_width: _,
        } = self;
        id.clear();
        group.clear();
        state.clear();
        [position, velocity, heading].into_iter().for_each(|column| column.resize(0));
        limits.clear();
        own.clear();
        facing.clear();
        force.clear();
        stats.clear();
        memory.clear();
        remembered.clear();
        self.pad();
    }

    /// Starts the agent in row `i` anew with the motion and limits of `agent`, without an order.
    pub(crate) fn restart(&mut self, i: usize, start: Start<'_>, agent: &Agent<V>) {
        self.state[i] = start.state;
        self.limits[i] = Limits::of(agent);
        if let Some(own) = self.own.get_mut(i) {
            *own = OwnSettings { limits: own.limits, ..OwnSettings::default() };
        }
        self.position.set(i, agent.position);
        self.velocity.set(i, agent.velocity);
        self.heading.set(i, agent.heading);
        self.facing[i * self.facing_width..(i + 1) * self.facing_width].fill(agent.facing);
        for s in 0..self.stats_width {
            self.stats[i * self.stats_width + s] = start.stat(self.id[i], s);
        }
        self.memory[i * self.memory_width..(i + 1) * self.memory_width].fill(Memory::default());
        for k in 0..self.remembered_width {
            self.remembered[i * self.remembered_width + k] = start.remembered(k, agent.position);
        }
    }

    /// Removes row `i`; the last row moves there.
    pub(crate) fn swap_remove(&mut self, i: usize) {
        fn rows<T: Copy>(rows: &mut Vec<T>, i: usize, last: usize, width: usize) {
            rows.copy_within(last * width..(last + 1) * width, i * width);
            rows.truncate(last * width);
        }
        let last = self.len() - 1;
        self.id[i] = self.id[last];
        self.id.truncate(last);
        self.group[i] = self.group[last];
        self.group.truncate(last);
        for column in [&mut self.position, &mut self.velocity, &mut self.heading] {
            column.set(i, column.get(last));
            column.set(last, V::ZERO);
            column.resize(last);
        }
        self.state.swap_remove(i);
        self.limits.swap_remove(i);
        rows(&mut self.own, i, last, self.own_width);
        rows(&mut self.facing, i, last, self.facing_width);
        rows(&mut self.force, i, last, self.force_width);
        rows(&mut self.stats, i, last, self.stats_width);
        rows(&mut self.memory, i, last, self.memory_width);
        rows(&mut self.remembered, i, last, self.remembered_width);
        self.pad();
    }

    pub(crate) fn agent(&self, i: usize) -> Agent<V> {
        let motion = [self.position.get(i), self.velocity.get(i), self.heading.get(i)];
        self.limits[i].agent(motion, self.facing.get(i))
    }

    /// The own settings of row `i`.
    pub(crate) fn own(&self, i: usize) -> OwnSettings<V> {
        self.own.get(i).copied().unwrap_or_default()
    }

    pub(crate) fn stats(&self, i: usize) -> &[f32] {
        &self.stats[i * self.stats_width..(i + 1) * self.stats_width]
    }

    pub(crate) fn memory(&self, i: usize) -> &[Memory<V>] {
        &self.memory[i * self.memory_width..(i + 1) * self.memory_width]
    }

    pub(crate) fn remembered(&self, i: usize) -> &[RememberedPosition<V>] {
        &self.remembered[i * self.remembered_width..(i + 1) * self.remembered_width]
    }

    /// Writes the rows into `other`, which has as many: row `i` becomes row `rows[i]`.
    pub(crate) fn permute_into(&self, rows: &[u32], other: &mut Self, shared: Share) {
        fn column<T: Copy>(from: &[T], to: &mut [T], rows: &[u32]) {
            for (value, &at) in from.iter().zip(rows) {
                to[at as usize] = *value;
            }
        }
        fn blocks<T: Copy>(from: &[T], to: &mut [T], rows: &[u32], width: usize) {
            if width > 0 {
                for (block, &at) in from.chunks_exact(width).zip(rows) {
                    to[at as usize * width..][..width].copy_from_slice(block);
                }
            }
        }
        // Four parts of about the same cost.
        let ids = || {
            column(&self.id, &mut other.id, rows);
            column(&self.group, &mut other.group, rows);
            column(&self.state, &mut other.state, rows);
        };
        let motion = || {
            self.position.permute_into(rows, &mut other.position);
            self.velocity.permute_into(rows, &mut other.velocity);
        };
        let limits = || {
            column(&self.limits, &mut other.limits, rows);
            blocks(&self.own, &mut other.own, rows, self.own_width);
        };
        let rest = || {
            self.heading.permute_into(rows, &mut other.heading);
            blocks(&self.facing, &mut other.facing, rows, self.facing_width);
            blocks(&self.force, &mut other.force, rows, self.force_width);
            blocks(&self.stats, &mut other.stats, rows, self.stats_width);
            blocks(&self.memory, &mut other.memory, rows, self.memory_width);
            blocks(&self.remembered, &mut other.remembered, rows, self.remembered_width);
        };
        both(shared, || both(shared, ids, limits), || both(shared, motion, rest));
    }

    /// The columns that a step reads, for a run of rows.
    #[inline(always)]
    pub(crate) fn run(&self, run: Range<usize>) -> NowSlices<'_, V> {
        let range = |width: usize| run.start * width..run.end * width;
        NowSlices {
            id: &self.id[run.clone()],
            state: &self.state[run.clone()],
            position: self.position.run(run.clone()),
            velocity: self.velocity.run(run.clone()),
            heading: self.heading.run(run.clone()),
            limits: &self.limits[run.clone()],
            own: &self.own[range(self.own_width)],
            facing: &self.facing[range(self.facing_width)],
            force: &self.force[range(self.force_width)],
            stats: &self.stats[range(self.stats_width)],
            memory: &self.memory[range(self.memory_width)],
            remembered: &self.remembered[range(self.remembered_width)],
        }
    }

    /// The columns that a step writes, as slices that can be split between threads.
    pub(crate) fn slices(&mut self) -> NextSlices<'_, V> {
        NextSlices {
            state: &mut self.state,
            limits: if self.limits_change { &mut self.limits } else { &mut [] },
            limits_change: self.limits_change,
            position: self.position.slices(),
            velocity: self.velocity.slices(),
            heading: self.heading.slices(),
            facing: &mut self.facing,
            facing_width: self.facing_width,
            force: &mut self.force,
            force_width: self.force_width,
            stats: &mut self.stats,
            stats_width: self.stats_width,
            memory: &mut self.memory,
            memory_width: self.memory_width,
            remembered: &mut self.remembered,
            remembered_width: self.remembered_width,
        }
    }

    /// Swaps in the columns that a step has written into `next`; ids, groups and own settings stay,
    /// and limits unless they differ between states.
    pub(crate) fn take_step(&mut self, next: &mut Self) {
        use core::mem::swap;
        swap(&mut self.state, &mut next.state);
        if self.limits_change {
            swap(&mut self.limits, &mut next.limits);
        }
        swap(&mut self.position, &mut next.position);
        swap(&mut self.velocity, &mut next.velocity);
        swap(&mut self.heading, &mut next.heading);
        swap(&mut self.facing, &mut next.facing);
        swap(&mut self.force, &mut next.force);
        swap(&mut self.stats, &mut next.stats);
        swap(&mut self.memory, &mut next.memory);
        swap(&mut self.remembered, &mut next.remembered);
    }
}
