//! Runs of rows of the columns as slices, which can be split between threads.

use core::ops::Range;

use super::entries::{OwnSettings, RememberedPosition, StateInstance};
use crate::agent::{Agent, Memory};
use crate::crowd::setup::limit::Limits;
use crate::simd::column::{VectorRun, VectorSlices};
use crate::vector::Vector;

/// The old columns of a run of rows, which a step reads.
#[derive(Debug)]
pub(crate) struct NowSlices<'a, V: Vector> {
    pub(crate) id: &'a [u32],
    pub(crate) state: &'a [StateInstance],
    pub(crate) position: VectorRun<'a, V>,
    pub(crate) velocity: VectorRun<'a, V>,
    pub(crate) heading: VectorRun<'a, V>,
    pub(crate) limits: &'a [Limits],
    pub(crate) own: &'a [OwnSettings<V>],
    pub(crate) facing: &'a [V],
    pub(crate) force: &'a [V],
    pub(crate) stats: &'a [f32],
    pub(crate) memory: &'a [Memory<V>],
    pub(crate) remembered: &'a [RememberedPosition<V>],
}

impl<V: Vector> NowSlices<'_, V> {
    #[inline(always)]
    pub(crate) fn agent(&self, i: usize) -> Agent<V> {
        let motion = [self.position.get(i), self.velocity.get(i), self.heading.get(i)];
        self.limits[i].agent(motion, self.facing.get(i))
    }
}

/// Copies the entries of `from` to `to`, block by block. A long copy takes about the same time in
/// one piece, but by an instruction of which a counter counts every byte: instruction counts would
/// then show the lengths of slices instead of work.
#[inline(always)]
fn copy<T: Copy>(from: &[T], to: &mut [T]) {
    let block = (1_024 / size_of::<T>().max(1)).max(1);
    for (from, to) in from.chunks(block).zip(to.chunks_mut(block)) {
        to.copy_from_slice(from);
    }
}

/// The next columns of a run of rows, which a step writes.
#[derive(Debug)]
pub(crate) struct NextSlices<'a, V: Vector> {
    pub(crate) state: &'a mut [StateInstance],
    /// Empty unless limits differ between states.
    pub(crate) limits: &'a mut [Limits],
    pub(crate) limits_change: bool,
    pub(crate) position: VectorSlices<'a, V>,
    pub(crate) velocity: VectorSlices<'a, V>,
    pub(crate) heading: VectorSlices<'a, V>,
    pub(crate) facing: &'a mut [V],
    pub(crate) facing_width: usize,
    pub(crate) force: &'a mut [V],
    pub(crate) force_width: usize,
    pub(crate) stats: &'a mut [f32],
    pub(crate) stats_width: usize,
    pub(crate) memory: &'a mut [Memory<V>],
    pub(crate) memory_width: usize,
    pub(crate) remembered: &'a mut [RememberedPosition<V>],
    pub(crate) remembered_width: usize,
}

impl<'a, V: Vector> NextSlices<'a, V> {
    /// The first `count` rows, and the rest.
    #[inline(always)]
    pub(crate) fn split(self, count: usize) -> (Self, Self) {
        let Self { force_width, stats_width, memory_width, remembered_width, .. } = self;
        let (state, state2) = self.state.split_at_mut(count);
        let limits_change = self.limits_change;
        let (limits, limits2) = self.limits.split_at_mut(count * usize::from(limits_change));
        let (position, position2) = self.position.split(count);
        let (velocity, velocity2) = self.velocity.split(count);
        let (heading, heading2) = self.heading.split(count);
        let facing_width = self.facing_width;
        let (facing, facing2) = self.facing.split_at_mut(count * facing_width);
        let (force, force2) = self.force.split_at_mut(count * force_width);
        let (stats, stats2) = self.stats.split_at_mut(count * stats_width);
        let (memory, memory2) = self.memory.split_at_mut(count * memory_width);
        let (remembered, remembered2) = self.remembered.split_at_mut(count * remembered_width);
        (
            Self {
                state,
                limits,
                limits_change,
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
                remembered,
                remembered_width,
            },
            Self {
                state: state2,
                limits: limits2,
                limits_change,
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
                remembered: remembered2,
                remembered_width,
            },
        )
    }

    /// The rows of `range`.
    #[inline(always)]
    pub(crate) fn part(&mut self, range: Range<usize>) -> NextSlices<'_, V> {
        self.reborrow().split(range.end).0.split(range.start).1
    }

    /// A shorter borrow of the same rows.
    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> NextSlices<'_, V> {
        NextSlices {
            state: &mut *self.state,
            limits: &mut *self.limits,
            position: self.position.reborrow(),
            velocity: self.velocity.reborrow(),
            heading: self.heading.reborrow(),
            facing: &mut *self.facing,
            force: &mut *self.force,
            stats: &mut *self.stats,
            memory: &mut *self.memory,
            remembered: &mut *self.remembered,
            ..*self
        }
    }

    /// Copies states, their limits, memories, stats, facings and remembered positions from the old
    /// columns.
    #[inline(always)]
    pub(crate) fn begin(&mut self, now: &NowSlices<'_, V>) {
        copy(now.state, self.state);
        if self.limits_change {
            copy(now.limits, self.limits);
        }
        copy(now.memory, self.memory);
        copy(now.stats, self.stats);
        copy(now.facing, self.facing);
        copy(now.remembered, self.remembered);
    }

    #[inline(always)]
    pub(crate) fn memory(&mut self, i: usize) -> &mut [Memory<V>] {
        &mut self.memory[i * self.memory_width..][..self.memory_width]
    }

    #[inline(always)]
    pub(crate) fn remembered(&mut self, i: usize) -> &mut [RememberedPosition<V>] {
        &mut self.remembered[i * self.remembered_width..(i + 1) * self.remembered_width]
    }

    #[inline(always)]
    pub(crate) fn stats(&mut self, i: usize) -> &mut [f32] {
        &mut self.stats[i * self.stats_width..(i + 1) * self.stats_width]
    }

    /// Stores the force of row `i`, if the crowd keeps forces between ticks.
    #[inline(always)]
    pub(crate) fn keep_force(&mut self, i: usize, force: V) {
        if self.force_width > 0 {
            self.force[i] = force;
        }
    }
}
