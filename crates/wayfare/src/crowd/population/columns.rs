//! The agents as columns: one list per quantity, all in the same order, which is that of the grid's
//! cells.

use core::ops::Range;

use crate::agent::{Agent, Memory};
use crate::crowd::setup::Stat;
use crate::simd::MAX_LANES;
use crate::simd::column::{VectorColumn, VectorRun, VectorSlices};
use crate::threads::both;
use crate::vector::Vector;

/// One generation of the crowd. Entry i of each column belongs to the same agent; stats and
/// memories are rows of fixed width.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns<V: Vector> {
    /// Ids and groups are read in blocks, so a block follows the last one; see [`pad`](Self::pad).
    pub(crate) id: Vec<u32>,
    pub(crate) group: Vec<u32>,
    pub(crate) stage: Vec<StateInstance>,
    pub(crate) position: VectorColumn<V>,
    pub(crate) velocity: VectorColumn<V>,
    pub(crate) heading: VectorColumn<V>,
    pub(crate) limits: Vec<Limits>,
    /// Where an agent looks; empty where all look along their headings.
    pub(crate) facing: Vec<V>,
    /// How many directions it looks along beside its heading: 0 or 1.
    pub(crate) facing_width: usize,
    /// The force that an agent keeps until it thinks again; empty where all think at every tick.
    pub(crate) force: Vec<V>,
    /// How many forces an agent has: 0 or 1.
    pub(crate) force_width: usize,
    pub(crate) stats: Vec<f32>,
    pub(crate) stats_width: usize,
    pub(crate) memory: Vec<Memory<V>>,
    pub(crate) memory_width: usize,
    pub(crate) marks: Vec<RememberedPosition<V>>,
    pub(crate) marks_width: usize,
}

/// A place that an agent keeps in mind, and the tick that it is from: where it last saw somebody,
/// or what it has not got away from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RememberedPosition<V> {
    pub(crate) place: V,
    pub(crate) tick: u64,
}

impl<V> RememberedPosition<V> {
    /// The tick of what has not been seen yet.
    pub(crate) const NEVER: u64 = u64::MAX;
}

/// The state an agent is in, by its index in the group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StateInstance {
    pub(crate) state: u32,
    /// The tick whose transition chose it.
    pub(crate) entered: u64,
    /// Whether the agent has arrived in this state, and stayed since.
    pub(crate) here: bool,
    /// Which way of the state, counted from 1, leads it out of the crowd at the end of the tick; 0
    /// for none, as always between ticks.
    pub(crate) out: u16,
}

impl StateInstance {
    pub(crate) fn new(state: u32, entered: u64) -> Self {
        Self { state, entered, here: false, out: 0 }
    }
}

/// What does not change as an agent moves. Kept together: each step reads all of it, and of few
/// lists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) mass: f32,
    pub(crate) max_speed: f32,
    pub(crate) max_force: f32,
    pub(crate) radius: f32,
}

/// What an agent begins with beside its motion and its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start<'a> {
    pub(crate) stage: StateInstance,
    pub(crate) stats: &'a [Stat],
    /// Whether its first mark is of what it sees.
    pub(crate) looks: bool,
}

impl Start<'_> {
    /// The `k`-th mark of who begins at `place`.
    fn mark<V>(&self, k: usize, place: V) -> RememberedPosition<V> {
        RememberedPosition {
            place,
            tick: if self.looks && k == 0 {
                RememberedPosition::<V>::NEVER
            } else {
                self.stage.entered
            },
        }
    }
}

impl<V: Vector> Columns<V> {
    pub(crate) fn len(&self) -> usize {
        self.stage.len()
    }

    /// Ends the columns of ids and groups with a block.
    pub(crate) fn pad(&mut self) {
        self.id.resize(self.len() + MAX_LANES, u32::MAX);
        self.group.resize(self.len() + MAX_LANES, 0);
    }

    /// Adds an agent as the last one, with its stats and as many empty memories as all have.
    pub(crate) fn push(&mut self, id: u32, group: u32, start: Start<'_>, agent: &Agent<V>) {
        let count = self.len();
        self.id.truncate(count);
        self.id.push(id);
        self.group.truncate(count);
        self.group.push(group);
        self.stage.push(start.stage);
        self.position.push(agent.position);
        self.velocity.push(agent.velocity);
        self.heading.push(agent.heading);
        let &Agent { mass, max_speed, max_force, radius, .. } = agent;
        self.facing.resize(self.facing.len() + self.facing_width, agent.facing);
        self.force.resize(self.force.len() + self.force_width, V::ZERO);
        self.limits.push(Limits { mass, max_speed, max_force, radius });
        self.stats.extend(
            (0..self.stats_width).map(|s| start.stats.get(s).map_or(0.0, |stat| stat.start)),
        );
        self.memory.extend((0..self.memory_width).map(|_| Memory::default()));
        self.marks.extend((0..self.marks_width).map(|k| start.mark(k, agent.position)));
    }

    /// Lets the agent at `i` begin anew where and as `agent` is; its limits stay.
    pub(crate) fn restart(&mut self, i: usize, start: Start<'_>, agent: &Agent<V>) {
        self.stage[i] = start.stage;
        self.position.set(i, agent.position);
        self.velocity.set(i, agent.velocity);
        self.heading.set(i, agent.heading);
        self.facing[i * self.facing_width..(i + 1) * self.facing_width].fill(agent.facing);
        for s in 0..self.stats_width {
            self.stats[i * self.stats_width + s] =
                start.stats.get(s).map_or(0.0, |stat| stat.start);
        }
        self.memory[i * self.memory_width..(i + 1) * self.memory_width].fill(Memory::default());
        for k in 0..self.marks_width {
            self.marks[i * self.marks_width + k] = start.mark(k, agent.position);
        }
    }

    /// Takes the agent at `i` out; the last one comes to its place.
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
        self.stage.swap_remove(i);
        self.limits.swap_remove(i);
        rows(&mut self.facing, i, last, self.facing_width);
        rows(&mut self.force, i, last, self.force_width);
        rows(&mut self.stats, i, last, self.stats_width);
        rows(&mut self.memory, i, last, self.memory_width);
        rows(&mut self.marks, i, last, self.marks_width);
        self.pad();
    }

    pub(crate) fn agent(&self, i: usize) -> Agent<V> {
        let Limits { mass, max_speed, max_force, radius } = self.limits[i];
        let heading = self.heading.get(i);
        let facing = self.facing.get(i).copied().unwrap_or(heading);
        Agent {
            position: self.position.get(i),
            velocity: self.velocity.get(i),
            heading,
            facing,
            mass,
            max_speed,
            max_force,
            radius,
        }
    }

    pub(crate) fn stats(&self, i: usize) -> &[f32] {
        &self.stats[i * self.stats_width..(i + 1) * self.stats_width]
    }

    pub(crate) fn memory(&self, i: usize) -> &[Memory<V>] {
        &self.memory[i * self.memory_width..(i + 1) * self.memory_width]
    }

    pub(crate) fn marks(&self, i: usize) -> &[RememberedPosition<V>] {
        &self.marks[i * self.marks_width..(i + 1) * self.marks_width]
    }

    /// Writes the agents into `other`, which has as many, so that the one at `i` here is at
    /// `place[i]` there.
    pub(crate) fn permute_into(&self, place: &[u32], other: &mut Self, shared: bool) {
        fn column<T: Copy>(from: &[T], to: &mut [T], place: &[u32]) {
            for (value, &at) in from.iter().zip(place) {
                to[at as usize] = *value;
            }
        }
        fn rows<T: Copy>(from: &[T], to: &mut [T], place: &[u32], width: usize) {
            if width > 0 {
                for (row, &at) in from.chunks_exact(width).zip(place) {
                    to[at as usize * width..][..width].copy_from_slice(row);
                }
            }
        }
        // Four parts that cost about the same.
        let ids = || {
            column(&self.id, &mut other.id, place);
            column(&self.group, &mut other.group, place);
            column(&self.stage, &mut other.stage, place);
        };
        let motion = || {
            self.position.permute_into(place, &mut other.position);
            self.velocity.permute_into(place, &mut other.velocity);
        };
        let limits = || {
            column(&self.limits, &mut other.limits, place);
        };
        let rest = || {
            self.heading.permute_into(place, &mut other.heading);
            rows(&self.facing, &mut other.facing, place, self.facing_width);
            rows(&self.force, &mut other.force, place, self.force_width);
            rows(&self.stats, &mut other.stats, place, self.stats_width);
            rows(&self.memory, &mut other.memory, place, self.memory_width);
            rows(&self.marks, &mut other.marks, place, self.marks_width);
        };
        both(shared, || both(shared, ids, limits), || both(shared, motion, rest));
    }

    /// What a step reads of a run of agents.
    #[inline(always)]
    pub(crate) fn run(&self, run: Range<usize>) -> NowSlices<'_, V> {
        let rows = |width: usize| run.start * width..run.end * width;
        NowSlices {
            id: &self.id[run.clone()],
            group: &self.group[run.clone()],
            stage: &self.stage[run.clone()],
            position: self.position.run(run.clone()),
            velocity: self.velocity.run(run.clone()),
            heading: self.heading.run(run.clone()),
            limits: &self.limits[run.clone()],
            facing: &self.facing[rows(self.facing_width)],
            force: &self.force[rows(self.force_width)],
            stats: &self.stats[rows(self.stats_width)],
            memory: &self.memory[rows(self.memory_width)],
            marks: &self.marks[rows(self.marks_width)],
        }
    }

    /// The columns that a step writes, as slices that can be split between threads.
    pub(crate) fn slices(&mut self) -> NextSlices<'_, V> {
        NextSlices {
            stage: &mut self.stage,
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
            marks: &mut self.marks,
            marks_width: self.marks_width,
        }
    }

    /// Takes what a step has written into `next`; the rest stays as it is, in the same order.
    pub(crate) fn take_step(&mut self, next: &mut Self) {
        use core::mem::swap;
        swap(&mut self.stage, &mut next.stage);
        swap(&mut self.position, &mut next.position);
        swap(&mut self.velocity, &mut next.velocity);
        swap(&mut self.heading, &mut next.heading);
        swap(&mut self.facing, &mut next.facing);
        swap(&mut self.force, &mut next.force);
        swap(&mut self.stats, &mut next.stats);
        swap(&mut self.memory, &mut next.memory);
        swap(&mut self.marks, &mut next.marks);
    }
}

/// What a step reads of a run of agents.
#[derive(Debug)]
pub(crate) struct NowSlices<'a, V: Vector> {
    pub(crate) id: &'a [u32],
    pub(crate) group: &'a [u32],
    pub(crate) stage: &'a [StateInstance],
    position: VectorRun<'a, V>,
    velocity: VectorRun<'a, V>,
    heading: VectorRun<'a, V>,
    limits: &'a [Limits],
    facing: &'a [V],
    pub(crate) force: &'a [V],
    stats: &'a [f32],
    memory: &'a [Memory<V>],
    marks: &'a [RememberedPosition<V>],
}

impl<V: Vector> NowSlices<'_, V> {
    #[inline(always)]
    pub(crate) fn agent(&self, i: usize) -> Agent<V> {
        let Limits { mass, max_speed, max_force, radius } = self.limits[i];
        let heading = self.heading.get(i);
        let facing = self.facing.get(i).copied().unwrap_or(heading);
        Agent {
            position: self.position.get(i),
            velocity: self.velocity.get(i),
            heading,
            facing,
            mass,
            max_speed,
            max_force,
            radius,
        }
    }
}

/// What a step writes of a run of agents.
#[derive(Debug)]
pub(crate) struct NextSlices<'a, V: Vector> {
    pub(crate) stage: &'a mut [StateInstance],
    pub(crate) position: VectorSlices<'a, V>,
    pub(crate) velocity: VectorSlices<'a, V>,
    pub(crate) heading: VectorSlices<'a, V>,
    pub(crate) facing: &'a mut [V],
    facing_width: usize,
    force: &'a mut [V],
    force_width: usize,
    stats: &'a mut [f32],
    stats_width: usize,
    pub(crate) memory: &'a mut [Memory<V>],
    pub(crate) memory_width: usize,
    marks: &'a mut [RememberedPosition<V>],
    marks_width: usize,
}

impl<'a, V: Vector> NextSlices<'a, V> {
    /// Those of the first `count` agents, and those of the others.
    #[inline(always)]
    pub(crate) fn split(self, count: usize) -> (Self, Self) {
        let Self { force_width, stats_width, memory_width, marks_width, .. } = self;
        let (stage, stage2) = self.stage.split_at_mut(count);
        let (position, position2) = self.position.split(count);
        let (velocity, velocity2) = self.velocity.split(count);
        let (heading, heading2) = self.heading.split(count);
        let facing_width = self.facing_width;
        let (facing, facing2) = self.facing.split_at_mut(count * facing_width);
        let (force, force2) = self.force.split_at_mut(count * force_width);
        let (stats, stats2) = self.stats.split_at_mut(count * stats_width);
        let (memory, memory2) = self.memory.split_at_mut(count * memory_width);
        let (marks, marks2) = self.marks.split_at_mut(count * marks_width);
        (
            Self {
                stage,
                position,
                velocity,
                heading,
                facing,
                facing_width,
                force,
                force_width,
                stats,
                stats_width,
                memory,
                memory_width,
                marks,
                marks_width,
            },
            Self {
                stage: stage2,
                position: position2,
                velocity: velocity2,
                heading: heading2,
                facing: facing2,
                facing_width,
                force: force2,
                force_width,
                stats: stats2,
                stats_width,
                memory: memory2,
                memory_width,
                marks: marks2,
                marks_width,
            },
        )
    }

    /// The same for a while.
    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> NextSlices<'_, V> {
        NextSlices {
            stage: &mut *self.stage,
            position: self.position.reborrow(),
            velocity: self.velocity.reborrow(),
            heading: self.heading.reborrow(),
            facing: &mut *self.facing,
            force: &mut *self.force,
            stats: &mut *self.stats,
            memory: &mut *self.memory,
            marks: &mut *self.marks,
            ..*self
        }
    }

    /// Begins with the states that the agents are in now, what they remember and their stats.
    #[inline(always)]
    pub(crate) fn begin(&mut self, now: &NowSlices<'_, V>) {
        self.stage.copy_from_slice(now.stage);
        if self.memory_width > 0 {
            self.memory.copy_from_slice(now.memory);
        }
        if self.stats_width > 0 {
            self.stats.copy_from_slice(now.stats);
        }
        if self.facing_width > 0 {
            self.facing.copy_from_slice(now.facing);
        }
        if self.marks_width > 0 {
            self.marks.copy_from_slice(now.marks);
        }
    }

    #[inline(always)]
    pub(crate) fn marks(&mut self, i: usize) -> &mut [RememberedPosition<V>] {
        &mut self.marks[i * self.marks_width..(i + 1) * self.marks_width]
    }

    #[inline(always)]
    pub(crate) fn stats(&mut self, i: usize) -> &mut [f32] {
        &mut self.stats[i * self.stats_width..(i + 1) * self.stats_width]
    }

    /// Keeps the force of an agent, where forces are kept.
    #[inline(always)]
    pub(crate) fn keep_force(&mut self, i: usize, force: V) {
        if self.force_width > 0 {
            self.force[i] = force;
        }
    }
}
