//! The steer phase: the force of each agent, from its state's list of behaviors.

use core::ops::Range;

use super::World;
use crate::agent::Memory;
use crate::crowd::population::columns::{NextSlices, RememberedPosition};
use crate::spatial::grid::Grid;
use crate::spatial::neighbors::Neighbors;
use crate::vector::Vector;
use crate::vector::rotation::turned;

impl<V: Vector> World<'_, V> {
    #[inline(always)]
    pub(super) fn steer_cells(
        &self,
        grid: &Grid<V>,
        cells: Range<usize>,
        mut next: NextSlices<'_, V>,
        near: &mut Neighbors<V>,
    ) {
        for cell in cells {
            let run = grid.run(cell..cell + 1);
            if run.is_empty() {
                continue;
            }
            let (these, rest) = next.split(run.end - run.start);
            next = rest;
            // Only for somebody who looks.
            let mut gathered = false;
            self.steer_run(run.clone(), these, near, |near, id, here| {
                if !gathered {
                    self.gather(grid, run.clone(), near);
                    gathered = true;
                }
                near.aim(id, here, 1);
            });
        }
    }

    /// Lets the agents `run` steer, which are all in `next`: writes all of the next generation but
    /// motion, in whose columns it leaves forces and starts for [`step_run`](Self::step_run).
    /// Before an agent steers, `look` is told its id and place, and lets `near` be seen from there.
    #[inline(always)]
    pub(in crate::crowd) fn steer_run(
        &self,
        run: Range<usize>,
        next: NextSlices<'_, V>,
        near: &mut Neighbors<V>,
        look: impl FnMut(&mut Neighbors<V>, u32, V),
    ) {
        let groups = &self.now.group[run.clone()];
        let Some(&first) = groups.first() else { return };
        // Nearly always all do the same at every tick, which is then looked up once for all.
        if self.groups[first as usize].steady
            && (self.groups.len() == 1 || groups.iter().all(|&group| group == first))
        {
            self.steer_each::<true>(run, next, near, look);
        } else {
            self.steer_each::<false>(run, next, near, look);
        }
    }

    /// [`steer_run`](Self::steer_run), if `ALIKE` for agents of one group that is steady.
    #[inline(always)]
    fn steer_each<const ALIKE: bool>(
        &self,
        run: Range<usize>,
        mut next: NextSlices<'_, V>,
        near: &mut Neighbors<V>,
        mut look: impl FnMut(&mut Neighbors<V>, u32, V),
    ) {
        let now = self.now.run(run.clone());
        let (tick, dt) = (self.context.rng_key.tick(), self.context.dt);
        let mut nothing = Memory::default();
        next.begin(&now);
        let mut memories =
            core::mem::take(&mut next.memory).chunks_exact_mut(next.memory_width.max(1));
        let mut group = &self.groups[now.group[0] as usize];
        let mut plan = &group.plans[0];
        for at in 0..run.end - run.start {
            let i = run.start + at;
            let memory = memories.next().unwrap_or_default();
            let host = now.agent(at);
            let mut thinks = true;
            if !ALIKE {
                group = &self.groups[now.group[at] as usize];
                let stage;
                let mut marks: &mut [RememberedPosition<V>] = &mut [];
                if group.keeps {
                    group.formed.iter().for_each(|formed| formed.give(i, memory));
                    marks = next.marks(at);
                    self.mark(i, group, &host, marks);
                }
                (stage, plan) = self.plan(i, group, now.stage[at], marks);
                next.stage[at] = stage;
                // Anew in turn by its id, and at once in a new state.
                let every = u64::from(group.think_every);
                thinks = every == 1
                    || stage.entered == tick
                    || (tick + u64::from(now.id[at])).is_multiple_of(every);
            }
            let (force, start) = if thinks {
                look(near, now.id[at], host.position);
                let mut context = self.context;
                (context.dt, context.id) =
                    (if ALIKE { dt } else { dt * group.think_every as f32 }, now.id[at]);
                (context.neighbors, context.agents) = (&*near, self);
                if group.has_goal {
                    context.goal = self.goal(i);
                }
                let shared;
                if group.shares {
                    shared = self.shared(group, next.marks(at));
                    context.shared = Some(&shared);
                }
                let force = plan.list.running(&host, memory, &mut nothing, &mut context);
                if let Some(rate) = group.turn_rate {
                    // Unless it is told where to look it looks where it goes, and at rest as
                    // before.
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
            // Held here until all have steered: then several step at once.
            next.position.set(at, force);
            next.velocity.set(at, start);
            if !ALIKE {
                for &(stat, rate) in &plan.rates {
                    let (least, most) = group.stats[stat];
                    let stats = next.stats(at);
                    stats[stat] = (stats[stat] + rate * dt).max(least).min(most);
                }
            }
        }
    }
}
