//! From forces to motion: [`Agent::step`](crate::agent::Agent) and the edge of the world, for several agents at once.
//!
//! Each lane does what is done for one agent, operation by operation, so that it gives the same bits. Where a number is so large that
//! one agent's step would go another way, the block is left to that step.

use core::ops::Range;

use super::columns::NextSlices;
use super::step::World;
use crate::agent::{STANDING, heading_after};
use crate::lanes::{Lanes, VectorLanes};
use crate::space::Edge;
use crate::vector::{Vector, ZERO_LENGTH_SQUARED};

/// Up to this square of a length (length squared) nothing overflows, and nobody has come to the end of the world.
const ORDINARY: f32 = 1e35;

impl<V: Vector> World<'_, V> {
    /// Moves the agents `run`, which are all in `next`; it holds their forces as positions, and as velocities those that they start from.
    #[inline(always)]
    pub(super) fn step_run<L: Lanes>(&self, run: Range<usize>, mut next: NextSlices<'_, V>) {
        let count = run.end - run.start;
        let blocks = count - count % L::COUNT;
        for at in (0..blocks).step_by(L::COUNT) {
            if !self.step_block::<L>(run.start + at, &mut next, at) {
                (at..at + L::COUNT).for_each(|at| self.step_one(run.start + at, &mut next, at));
            }
        }
        (blocks..count).for_each(|at| self.step_one(run.start + at, &mut next, at));
    }

    #[inline(always)]
    fn step_one(&self, i: usize, next: &mut NextSlices<'_, V>, at: usize) {
        let host = self.now.agent(i);
        let group = &self.groups[self.now.group[i] as usize];
        let (position, velocity) = host.step(next.position.get(at), next.velocity.get(at), group.keep, self.around.dt);
        let (position, velocity) = self.space.settle(position, velocity);
        next.position.set(at, position);
        next.velocity.set(at, velocity);
        next.heading.set(at, heading_after(host.heading, velocity, host.max_speed));
    }

    /// Moves a block of agents from `i` on; `false`, and nothing is done, where one of them has a number that is not ordinary.
    #[inline(always)]
    fn step_block<L: Lanes>(&self, i: usize, next: &mut NextSlices<'_, V>, at: usize) -> bool {
        let limits = &self.now.limits[i..i + L::COUNT];
        let groups = &self.now.group[i..i + L::COUNT];
        let max_speed = L::from_fn(|lane| limits[lane].max_speed);
        let keep = match self.groups {
            [all] => L::splat(all.keep),
            several => L::from_fn(|lane| several[groups[lane] as usize].keep),
        };
        let dt = L::splat(self.around.dt);

        let (force, force_squared) = truncated::<V, L>(next.position.load(at), L::from_fn(|lane| limits[lane].max_force));
        let velocity = next.velocity.load::<L>(at) * keep + force * (L::splat(1.0) / L::from_fn(|lane| limits[lane].mass)) * dt;
        let (velocity, velocity_squared) = truncated::<V, L>(velocity, max_speed);
        let position = VectorLanes::load(&self.now.position, i) + velocity * dt;
        let largest = force_squared.max(velocity_squared).max(position.length_squared::<V>());
        if L::bits(largest.at_most(L::splat(ORDINARY))) != u32::MAX >> (32 - L::COUNT) {
            return false;
        }

        let (position, velocity) = self.space.settle_lanes(position, velocity);
        next.position.store(at, position);
        next.velocity.store(at, velocity);
        if self.space.edge() == Edge::Wrap {
            (at..at + L::COUNT).for_each(|at| next.position.set(at, self.space.wrapped(next.position.get(at))));
        }

        let squared = velocity.length_squared::<V>();
        let slow = max_speed * L::splat(STANDING);
        let unit = velocity * (L::splat(1.0) / squared.sqrt());
        let before = VectorLanes::load(&self.now.heading, i);
        // Kept while it is slower than `slow`, and where the velocity has no direction.
        let moving = (slow * slow).max(L::splat(ZERO_LENGTH_SQUARED)).at_most(squared);
        next.heading.store(at, unit.or(moving, before));
        true
    }
}

/// What [`Vector::truncate`] does, and the squares of the lengths before it.
#[inline(always)]
fn truncated<V: Vector, L: Lanes>(v: VectorLanes<L>, longest: L) -> (VectorLanes<L>, L) {
    let squared = v.length_squared::<V>();
    let scale = L::splat(1.0).or(squared.at_most(longest * longest), longest / squared.sqrt());
    (v * scale, squared)
}
