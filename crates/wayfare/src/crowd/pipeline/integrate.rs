//! The integrate phase: from forces to motion, for several agents at once.
//!
//! Each SIMD lane computes [`Agent::step`](crate::agent::Agent::step) and the edge of the world for
//! one agent, operation by operation, so that the result is the same bit for bit. A block with a
//! number so large that the scalar step would take another branch falls back to the scalar step.

use core::ops::Range;

use super::contact::with_signs_of;
use super::input::TickInput;
use super::scratch::SteerOutput;
use crate::agent::{Agent, MIN_HEADING_SPEED, heading_after, smoothed_heading};
use crate::crowd::compiled::{CompiledGroup, HeadingRule};
use crate::crowd::population::slices::NextSlices;
use crate::simd::{Simd, SimdMemory, SimdVector};
use crate::spatial::space::Edge;
use crate::vector::{Vector, ZERO_LENGTH_SQUARED};

/// If no squared length is larger than this (length squared), nothing overflows, and no position is
/// clamped to the limit of the world.
const LARGEST_SQUARE: f32 = 1e35;

impl<V: Vector> TickInput<'_, V> {
    /// Moves the agents of the rows `run`: the agent in row `run.start + k` by the `k`-th force of
    /// `steered`, into the `k`-th row of `next`.
    #[inline(always)]
    pub(in crate::crowd) fn integrate<L: SimdMemory>(
        &self,
        run: Range<usize>,
        mut next: NextSlices<'_, V>,
        steered: &SteerOutput<V>,
    ) {
        let count = run.end - run.start;
        if count < L::COUNT {
            for at in 0..count {
                self.step_one(run.start + at, &mut next, steered, at);
            }
        } else {
            // The last block overlaps the one before it: a step reads old columns only, so agents
            // can be moved twice.
            let mut start = 0;
            while start < count {
                let at = start.min(count - L::COUNT);
                if !self.step_block::<L>(run.start + at, &mut next, steered, at) {
                    for at in at..at + L::COUNT {
                        self.step_one(run.start + at, &mut next, steered, at);
                    }
                }
                start += L::COUNT;
            }
        }
        // Agents without a turn rate face along their heading.
        for at in 0..next.facing.len() {
            if self.groups[self.now.group[run.start + at] as usize].turn_rate.is_none() {
                next.facing[at] = next.heading.get(at);
            }
        }
    }

    /// Moves the agent in row `i` by the force `at` of `steered`, into the row `at` of `next`.
    #[inline(always)]
    fn step_one(
        &self,
        i: usize,
        next: &mut NextSlices<'_, V>,
        steered: &SteerOutput<V>,
        at: usize,
    ) {
        let mut host = self.now.agent(i);
        if let Some(limits) = next.limits.get(at) {
            host = limits.agent([host.position, host.velocity, host.heading], Some(&host.facing));
        }
        let force = steered.force.get(at);
        let start = if self.replaces_velocity { steered.start.get(at) } else { host.velocity };
        let group = &self.groups[self.now.group[i] as usize];
        if group.has_own_steps() {
            let [position, velocity, heading] = self.own_step(&host, group, i, [force, start]);
            next.position.set(at, position);
            next.velocity.set(at, velocity);
            return next.heading.set(at, heading);
        }
        let (position, velocity) = host.step(force, start, group.drag_factor, self.context.dt);
        let (position, velocity) = self.context.space.constrain(position, velocity);
        next.position.set(at, position);
        next.velocity.set(at, velocity);
        next.heading.set(at, heading_after(host.heading, velocity, host.max_speed));
    }

    /// The position, velocity and heading after a step by a force from a start velocity, of the
    /// agent in row `i` whose `group` has a rule for headings or a least speed.
    #[inline(never)]
    fn own_step(
        &self,
        host: &Agent<V>,
        group: &CompiledGroup<V>,
        i: usize,
        [force, start]: [V; 2],
    ) -> [V; 3] {
        let (space, dt, drag) = (&self.context.space, self.context.dt, group.drag_factor);
        // An agent on wheels always moves along its heading: a wall clamps the position only. A
        // reflecting edge turns the heading too.
        let bounces = space.edge() == Edge::Bounce;
        let (wheels, (mut position, mut velocity, heading)) = match group.heading_rule {
            HeadingRule::Wheels(radius) => {
                (true, host.step_wheeled(force, start, drag, dt, radius, space.up()))
            }
            HeadingRule::Smoothed(_) | HeadingRule::Direct => {
                let (position, velocity) = host.step(force, start, drag, dt);
                (false, (position, velocity, host.heading))
            }
        };
        if group.min_speed > 0.0 && !self.stands(i, group) {
            let least = group.min_speed.min(host.max_speed);
            if velocity.length_squared() < least * least {
                let along = velocity.unit();
                velocity = if along == V::ZERO { heading } else { along } * least;
                position = (host.position + velocity * dt).clamped();
            }
        }
        let (position, constrained) = space.constrain(position, velocity);
        let heading = if bounces { with_signs_of(heading, velocity, constrained) } else { heading };
        let velocity = if wheels && !bounces { velocity } else { constrained };
        let heading = match group.heading_rule {
            HeadingRule::Smoothed(part) => {
                smoothed_heading(space.up(), heading, velocity, host.max_speed, part)
            }
            HeadingRule::Wheels(_) => heading,
            HeadingRule::Direct => heading_after(heading, velocity, host.max_speed),
        };
        [position, velocity, heading]
    }

    /// Whether the agent in row `i` is frozen, or waits for its start.
    fn stands(&self, i: usize, group: &CompiledGroup<V>) -> bool {
        let waits = || self.now.state[i].waits(self.context.rng_key.tick());
        let frozen = || self.now.own.get(i).is_some_and(|own| own.frozen);
        (group.has_frozen && frozen()) || (group.has_waiting && waits())
    }

    /// Moves the block of agents from row `i` on, as [`step_one`](Self::step_one) does. Returns
    /// `false` and writes nothing if one of them is in a group with steps of its own, or has a
    /// force, velocity or position that is too large for this path.
    #[inline(always)]
    fn step_block<L: SimdMemory>(
        &self,
        i: usize,
        next: &mut NextSlices<'_, V>,
        steered: &SteerOutput<V>,
        at: usize,
    ) -> bool {
        let limits = if next.limits_change {
            &next.limits[at..at + L::COUNT]
        } else {
            &self.now.limits[i..i + L::COUNT]
        };
        let groups = &self.now.group[i..i + L::COUNT];
        let has_own_steps = |&group: &u32| self.groups[group as usize].has_own_steps();
        if self.own_steps && groups.iter().any(has_own_steps) {
            return false;
        }
        let max_speed = L::from_fn(|lane| limits[lane].max_speed);
        let drag_factor = match self.groups {
            [all] => L::splat(all.drag_factor),
            several => L::from_fn(|lane| several[groups[lane] as usize].drag_factor),
        };
        let dt = L::splat(self.context.dt);

        let (force, force_squared) = truncated::<V, L>(
            SimdVector::load(&steered.force, at),
            L::from_fn(|lane| limits[lane].max_force),
        );
        let start = if self.replaces_velocity {
            SimdVector::load(&steered.start, at)
        } else {
            SimdVector::load(&self.now.velocity, i)
        };
        let velocity = start * drag_factor
            + force * (L::splat(1.0) / L::from_fn(|lane| limits[lane].mass)) * dt;
        let (velocity, velocity_squared) = truncated::<V, L>(velocity, max_speed);
        let position = SimdVector::load(&self.now.position, i) + velocity * dt;
        let largest = force_squared.max(velocity_squared).max(position.length_squared::<V>());
        if L::to_bits(largest.le(L::splat(LARGEST_SQUARE))) != u32::MAX >> (32 - L::COUNT) {
            return false;
        }

        let (position, velocity) = self.context.space.constrain_simd(position, velocity);
        next.position.store(at, position);
        next.velocity.store(at, velocity);
        if self.context.space.edge() == Edge::Wrap {
            for at in at..at + L::COUNT {
                next.position.set(at, self.context.space.wrapped(next.position.get(at)));
            }
        }

        let squared = velocity.length_squared::<V>();
        let slow = max_speed * L::splat(MIN_HEADING_SPEED);
        let unit = velocity * (L::splat(1.0) / squared.sqrt());
        let before = SimdVector::load(&self.now.heading, i);
        // An agent slower than `slow`, or with a velocity without direction, keeps its heading.
        let moving = (slow * slow).max(L::splat(ZERO_LENGTH_SQUARED)).le(squared);
        next.heading.store(at, SimdVector::select(moving, unit, before));
        true
    }
}

/// [`Vector::truncate`] for several vectors, and their squared lengths before truncation.
#[inline(always)]
fn truncated<V: Vector, L: Simd>(v: SimdVector<L>, longest: L) -> (SimdVector<L>, L) {
    let squared = v.length_squared::<V>();
    let scale = L::select(squared.le(longest * longest), L::splat(1.0), longest / squared.sqrt());
    (v * scale, squared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::SteerContext;
    use crate::crowd::{Crowd, Distribution, Group, Setup, Spawn};
    use crate::random::Random;
    use crate::simd::{SimdDispatch, SimdLevel, Work};
    use crate::spatial::space::Bounds;
    use glam::{Vec2, Vec3};

    struct StepAll<'a, 'w, 'n, V: Vector>(
        &'a TickInput<'w, V>,
        NextSlices<'n, V>,
        &'a SteerOutput<V>,
    );

    impl<V: Vector> Work for StepAll<'_, '_, '_, V> {
        type Result = ();
        #[inline(always)]
        fn run<L: SimdMemory>(self) {
            self.0.integrate::<L>(0..self.0.now.len(), self.1, self.2);
        }
    }

    /// Agents with forces and start velocities of all magnitudes, including those beyond the range
    /// of scenes, step in a block exactly as alone.
    fn assert_blocks_step_like_single_agents<V: Vector>(edge: Edge) {
        let mut random = Random::new(9, 0, 0, 0);
        let mut group = Group::new("all", 203, Spawn::Points(vec![V::ZERO; 203]), 1.0);
        group.max_force = Distribution::Uniform(0.5, 30.0);
        group.max_speed = Distribution::Uniform(0.5, 30.0);
        let bounds = Some(Bounds { min: V::from_fn(|_| -20.0), max: V::from_fn(|_| 20.0), edge });
        let mut crowd =
            Crowd::new(Setup { groups: vec![group], bounds, dt: 0.25, ..Setup::default() })
                .unwrap();
        let mut steered = SteerOutput::default();
        steered.reserve(203);
        let mut any = |largest: f32| V::from_fn(|_| random.between(-largest, largest));
        for i in 0..203 {
            let size = [0.0, 1e-16, 1e-7, 10.0, 50.0][i % 5];
            // Some start so far outside that a reflection leads beyond the other edge.
            crowd.population.now.position.set(i, any(if i % 7 == 3 { 90.0 } else { 20.0 }));
            crowd.population.now.velocity.set(i, any(size));
            steered.push(any(size), any(size));
        }
        for (i, wild) in [(20, 1e19), (40, 1e30), (60, f32::INFINITY), (80, f32::NAN)] {
            steered.force.set(i, V::from_fn(|axis| if axis == 1 { wild } else { 1.0 }));
        }
        let context = SteerContext { space: crowd.world.space, ..SteerContext::empty(0.25) };
        let world = TickInput { context, replaces_velocity: true, ..crowd.tick_input() };
        let mut alone = crowd.population.next.clone();
        (0..203).for_each(|i| world.step_one(i, &mut alone.slices(), &steered, i));
        let bits = |v: V| [0, 1, 2].map(|i| if i < V::DIMENSION { v.axis(i).to_bits() } else { 0 });
        for dispatch in SimdLevel::ALL.into_iter().filter_map(SimdDispatch::new) {
            let mut block = crowd.population.next.clone();
            dispatch.run(StepAll(&world, block.slices(), &steered));
            for i in 0..203 {
                for (one, other) in [
                    (&alone.position, &block.position),
                    (&alone.velocity, &block.velocity),
                    (&alone.heading, &block.heading),
                ] {
                    assert_eq!(
                        bits(one.get(i)),
                        bits(other.get(i)),
                        "agent {i}, {edge:?}, {dispatch:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_block_of_agents_steps_exactly_like_single_agents() {
        for edge in [Edge::Open, Edge::Wrap, Edge::Wall, Edge::Bounce] {
            assert_blocks_step_like_single_agents::<Vec2>(edge);
            assert_blocks_step_like_single_agents::<Vec3>(edge);
        }
    }
}
