//! The steer phase: the force of each agent, from the behaviors of its state.

use core::ops::Range;

use super::World;
use crate::agent::Memory;
use crate::crowd::population::columns::RememberedPosition;
use crate::crowd::population::slices::NextSlices;
use crate::simd::column::VectorColumn;
use crate::spatial::grid::Grid;
use crate::spatial::neighbors::Neighbors;
use crate::vector::Vector;
use crate::vector::rotation::turned;

/// The forces and start velocities of consecutive agents that have steered and not moved yet.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct Steered<V: Vector> {
    pub(super) force: VectorColumn<V>,
    /// The velocity that the step starts from (length / time).
    pub(super) start: VectorColumn<V>,
    len: usize,
}

impl<V: Vector> Steered<V> {
    /// The number of agents that have steered and not moved yet.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Grows the columns for `count` more agents.
    #[inline(always)]
    pub(in crate::crowd) fn reserve(&mut self, count: usize) {
        if self.len + count > self.force.len() {
            self.force.resize(self.len + count);
            self.start.resize(self.len + count);
        }
    }

    #[cfg(test)]
    pub(super) fn push(&mut self, force: V, start: V) {
        self.force.set(self.len, force);
        self.start.set(self.len, start);
        self.len += 1;
    }

    /// Removes the first `count` agents, which have moved.
    pub(in crate::crowd) fn remove_first(&mut self, count: usize) {
        for (to, from) in (count..self.len).enumerate() {
            self.force.set(to, self.force.get(from));
            self.start.set(to, self.start.get(from));
        }
        self.len -= count;
    }
}

impl<V: Vector> World<'_, V> {
    /// Steers the agents of one cell, whose neighbor candidates are gathered once; see
    /// [`steer_run`](Self::steer_run).
    #[inline(always)]
    pub(super) fn steer_cell(
        &self,
        grid: &Grid<V>,
        run: Range<usize>,
        next: NextSlices<'_, V>,
        neighbors: &mut Neighbors<V>,
        steered: &mut Steered<V>,
    ) {
        let mut gathered = false;
        self.steer_run(run.clone(), next, neighbors, steered, |neighbors, id, position, speed| {
            // Only if the behaviors of an agent of the cell are evaluated at this tick.
            if !gathered {
                self.gather(grid, run.clone(), neighbors);
                gathered = true;
            }
            neighbors.aim(id, position, 1, speed);
        });
    }

    /// Steers the agents of the rows `run`, whose next columns are `next`: writes their states,
    /// memories, stats and facings, and adds their forces to `steered`. Before the evaluation of an
    /// agent's behaviors, `aim` is called with the agent's id, position and its group's unit of
    /// speed, and prepares its neighbors.
    #[inline(always)]
    pub(in crate::crowd) fn steer_run(
        &self,
        run: Range<usize>,
        next: NextSlices<'_, V>,
        neighbors: &mut Neighbors<V>,
        steered: &mut Steered<V>,
        aim: impl FnMut(&mut Neighbors<V>, u32, V, f32),
    ) {
        let groups = &self.now.group[run.clone()];
        let Some(&first) = groups.first() else { return };
        steered.reserve(run.len());
        // Usually all agents of a run belong to one steady group: then the group is looked up once.
        if self.groups[first as usize].steady
            && (self.groups.len() == 1 || groups.iter().all(|&group| group == first))
        {
            self.steer_each::<true>(run, next, neighbors, steered, aim);
        } else {
            self.steer_each::<false>(run, next, neighbors, steered, aim);
        }
    }

    /// [`steer_run`](Self::steer_run); `ALIKE` if all agents belong to one steady group.
    #[inline(always)]
    fn steer_each<const ALIKE: bool>(
        &self,
        run: Range<usize>,
        mut next: NextSlices<'_, V>,
        neighbors: &mut Neighbors<V>,
        steered: &mut Steered<V>,
        mut aim: impl FnMut(&mut Neighbors<V>, u32, V, f32),
    ) {
        let now = self.now.run(run.clone());
        let first = steered.len;
        steered.len += run.len();
        let (mut forces, mut starts) = (steered.force.slices(), steered.start.slices());
        let (tick, dt) = (self.context.rng_key.tick(), self.context.dt);
        let mut no_memory = Memory::default();
        next.begin(&now);
        let mut memories =
            core::mem::take(&mut next.memory).chunks_exact_mut(next.memory_width.max(1));
        let mut group = &self.groups[now.group[0] as usize];
        let mut state = &group.states[0];
        for at in 0..run.end - run.start {
            let i = run.start + at;
            let memory = memories.next().unwrap_or_default();
            let host = now.agent(at);
            let mut thinks = true;
            if !ALIKE {
                group = &self.groups[now.group[at] as usize];
                let state_instance;
                let mut remembered: &mut [RememberedPosition<V>] = &mut [];
                if group.perceives {
                    group.formations.iter().for_each(|formation| formation.write_slot(i, memory));
                    remembered = next.remembered(at);
                    self.perceive(i, group, &host, remembered);
                }
                (state_instance, state) = self.state_for_tick(i, group, now.state[at], remembered);
                next.state[at] = state_instance;
                // Agents are evaluated in rotation by id, and at once in a new state.
                let every = u64::from(group.think_every);
                thinks = every == 1
                    || state_instance.entered == tick
                    || (tick + u64::from(now.id[at])).is_multiple_of(every);
            }
            let (force, start) = if thinks {
                aim(neighbors, now.id[at], host.position, group.speed_unit);
                let mut context = self.context;
                (context.dt, context.id) =
                    (if ALIKE { dt } else { dt * group.think_every as f32 }, now.id[at]);
                (context.neighbors, context.groups) = (&*neighbors, self);
                if group.has_goal {
                    context.goal = self.goal(i);
                }
                let shared;
                if group.reads_shared {
                    shared = self.shared(group, next.remembered(at));
                    context.shared = Some(&shared);
                }
                let force = state.list.running(&host, memory, &mut no_memory, &mut context);
                if let Some(rate) = group.turn_rate {
                    // Without a behavior that sets a facing the agent turns towards its heading; at
                    // rest it keeps its facing.
                    let towards = context.facing.unwrap_or(if host.velocity == V::ZERO {
                        V::ZERO
                    } else {
                        host.heading
                    });
                    next.facing[at] = turned(host.facing, towards, rate * context.dt);
                }
                (force, context.start_of(&host))
            } else {
                (now.force[at], host.velocity)
            };
            next.keep_force(at, force);
            forces.set(first + at, force);
            starts.set(first + at, start);
            if !ALIKE {
                for &(stat, rate) in &state.rates {
                    let (min, max) = group.stats[stat];
                    let stats = next.stats(at);
                    stats[stat] = (stats[stat] + rate * dt).max(min).min(max);
                }
            }
        }
    }
}
