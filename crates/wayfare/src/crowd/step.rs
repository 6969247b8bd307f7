//! One tick, agent by agent: transitions, neighbors, forces, the step, stats. It reads the old columns and writes the next ones.

use core::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::Members;
use super::Plan;
use super::columns::{Columns, NextSlices, Stage};
use super::grid::Grid;
use super::setup::Condition;
use super::targets;
use super::threads::{GRAIN, both, current};
use crate::agent::{Agent, heading_after};
use crate::lanes::{Chosen, Lanes, Work};
use crate::neighbors::{Candidates, Neighbors};
use crate::parameter::Target;
use crate::space::Space;
use crate::surroundings::{Agents, Seen, Surroundings};
use crate::vector::Vector;

/// The old generation: all that a step reads of other agents.
#[derive(Debug)]
pub(super) struct World<'a, V: Vector> {
    pub(super) now: &'a Columns<V>,
    pub(super) groups: &'a [Members<V>],
    /// The cells that the agents are sorted into; `None` where nobody looks for neighbors.
    pub(super) grid: Option<&'a Grid<V>>,
    pub(super) space: Space<V>,
    pub(super) dt: f64,
    /// The units of speed and length in sums over neighbors.
    pub(super) speed: f32,
    pub(super) reach: f32,
    /// How far anybody can have moved since the agents were sorted into cells (length).
    pub(super) moved: f32,
    /// What is computed with.
    pub(super) chosen: Chosen,
    /// What is around everybody; who looks, and whom it sees, is filled in for each.
    pub(super) around: Surroundings<'a, V>,
}

impl<V: Vector> Agents<V> for World<'_, V> {
    fn nearest(&self, group: usize, to: V, within: f32, except: u32) -> Option<Seen<V>> {
        let group = self.groups.get(group)?;
        debug_assert!(group.sought, "{} is looked for, and nobody said so", group.name);
        let i = targets::nearest(&group.members, &self.space, to, within, except)?;
        Some(Seen {
            id: self.now.id[i],
            position: self.space.image(to, self.now.position.get(i)),
            velocity: self.now.velocity.get(i),
            heading: self.now.heading[i],
        })
    }
}

/// Stepping the agents of a run of cells as work for the widest instructions.
struct AdvanceCells<'a, 'w, 'n, V: Vector> {
    world: &'a World<'w, V>,
    grid: &'a Grid<V>,
    cells: Range<usize>,
    next: &'a mut NextSlices<'n, V>,
    near: &'a mut Neighbors<V>,
}

impl<V: Vector> Work for AdvanceCells<'_, '_, '_, V> {
    type Result = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.world.advance_cells(self.grid, self.cells, self.next, self.near);
    }
}

impl<V: Vector> World<'_, V> {
    /// Writes the next generation; each thread has one of `near`.
    pub(super) fn advance_all(&self, next: NextSlices<'_, V>, near: &[Mutex<Neighbors<V>>], shared: bool) {
        let units = self.grid.map_or(self.now.len(), Grid::len);
        self.advance_units(0..units, next, near, shared);
    }

    /// The agents of a run of units: of cells, or where there are none the agents themselves.
    fn agents(&self, units: Range<usize>) -> Range<usize> {
        self.grid.map_or(units.clone(), |grid| grid.run(units))
    }

    /// Writes the next generation of the agents in a run of units, shared by halving it; `next` begins with the first of them.
    fn advance_units(&self, units: Range<usize>, mut next: NextSlices<'_, V>, near: &[Mutex<Neighbors<V>>], shared: bool) {
        if shared && units.len() > 1 && self.agents(units.clone()).len() > GRAIN {
            let middle = units.start + units.len() / 2;
            let (first, rest) = next.split(self.agents(units.start..middle).len());
            return both(true, || self.advance_units(units.start..middle, first, near, true), || self.advance_units(middle..units.end, rest, near, true));
        }
        match self.grid {
            None => {
                for (at, i) in units.enumerate() {
                    let stage = self.stage(i);
                    self.advance(i, stage, self.thinks(i, stage).then_some(V::nobody()), &mut next, at);
                }
            }
            Some(grid) => {
                // Nobody else has this thread's: the lock is free, and whole even if a behavior of the user's own panicked once.
                let mut near = near[current(shared)].lock().unwrap_or_else(PoisonError::into_inner);
                self.chosen.run(AdvanceCells { world: self, grid, cells: units, next: &mut next, near: &mut near });
            }
        }
    }

    #[inline(always)]
    fn advance_cells(&self, grid: &Grid<V>, cells: Range<usize>, next: &mut NextSlices<'_, V>, near: &mut Neighbors<V>) {
        let mut done = 0;
        for cell in cells {
            let run = grid.run(cell..cell + 1);
            if run.is_empty() {
                continue;
            }
            // Only for somebody who looks.
            let mut gathered = false;
            for i in run.clone() {
                let stage = self.stage(i);
                let thinks = self.thinks(i, stage);
                if thinks {
                    if !gathered {
                        self.gather(grid, run.clone(), near);
                        gathered = true;
                    }
                    near.aim(self.now.id[i], self.now.position.get(i), 1);
                }
                self.advance(i, stage, thinks.then_some(&*near), next, done);
                done += 1;
            }
        }
    }

    /// Gathers who may be near the agents `run`, which are those of one cell, into `near`.
    pub(super) fn gather(&self, grid: &Grid<V>, run: Range<usize>, near: &mut Neighbors<V>) {
        let now = self.now;
        let radius = run.clone().filter_map(|i| self.groups[now.group[i] as usize].radius).reduce(f32::max);
        near.clear(Space::OPEN, self.speed, self.reach);
        if let Some(radius) = radius {
            let (mut low, mut high) = now.position.box_around(run.clone(), |p| p);
            // Some of them may have gone across the edge since they were sorted: then they are near each other the other way.
            let parted = self.space.wraps() && (0..V::DIMENSION).any(|i| (high - low).axis(i) > 0.5 * self.space.size().axis(i));
            if parted {
                let first = now.position.get(run.start);
                (low, high) = now.position.box_around(run, |p| self.space.image(first, p));
            }
            // All belong to group 0 where there is but one.
            let group = (self.groups.len() > 1).then_some(&now.group[..]);
            let mut candidates = Candidates { position: &now.position, velocity: &now.velocity, id: &now.id, group, low, high, radius, across: None };
            let radius = radius + self.moved;
            if parted || grid.crosses(low, high, radius) {
                candidates.across = Some(self.space);
                candidates.radius = candidates.radius * 1.001 + 16.0 * f32::EPSILON * grid.magnitude();
                near.clear(self.space, self.speed, self.reach);
            }
            near.gather(&candidates, |runs| grid.around(low, high, radius, runs));
        }
        near.pad();
    }

    /// Whether `condition` holds for agent `i` at the start of the tick.
    fn holds(&self, condition: &Condition<V>, i: usize, plan: &Plan<V>, host: &Agent<V>, around: &Surroundings<'_, V>) -> bool {
        match condition {
            Condition::AtMost(stat, x) => self.now.stats(i)[*stat] <= *x,
            Condition::AtLeast(stat, x) => self.now.stats(i)[*stat] >= *x,
            Condition::Near(target, distance) => around.target(host, target, f32::INFINITY).is_some_and(|p| (p - host.position).length() <= *distance),
            Condition::FarFrom(target, distance) => match (around.target(host, target, f32::INFINITY), target) {
                (Some(p), _) => (p - host.position).length() >= *distance,
                (None, Target::Group(_)) => true,
                (None, _) => false,
            },
            Condition::TimeInState(time) => (around.tick - self.now.stage[i].entered) as f64 * self.dt >= *time,
            Condition::PathDone(done) => plan.paths.iter().any(|&m| self.now.memory(i)[m].path.done) == *done,
            Condition::All(list) => list.iter().all(|inner| self.holds(inner, i, plan, host, around)),
            Condition::Any(list) => list.iter().any(|inner| self.holds(inner, i, plan, host, around)),
            Condition::Not(inner) => !self.holds(inner, i, plan, host, around),
        }
    }

    /// The state in which agent `i` steers at this tick.
    #[inline(always)]
    pub(super) fn stage(&self, i: usize) -> Stage {
        let (now, stage) = (self.now, self.now.stage[i]);
        let plan = &self.groups[now.group[i] as usize].plans[stage.state as usize];
        if plan.leave.is_empty() { stage } else { self.transition(i, plan).unwrap_or(stage) }
    }

    fn transition(&self, i: usize, plan: &Plan<V>) -> Option<Stage> {
        let around = Surroundings { id: self.now.id[i], agents: self, ..self.around };
        let host = self.now.agent(i);
        let transition = plan.leave.iter().find(|t| self.holds(&t.when, i, plan, &host, &around))?;
        Some(Stage { state: transition.to as u32, entered: around.tick })
    }

    /// Whether agent `i` steers anew at this tick: in turn by its id, and at once in a new state.
    #[inline(always)]
    pub(super) fn thinks(&self, i: usize, stage: Stage) -> bool {
        let every = self.groups[self.now.group[i] as usize].think_every;
        every == 1 || stage.entered == self.around.tick || (self.around.tick + u64::from(self.now.id[i])).is_multiple_of(u64::from(every))
    }

    /// Writes agent `i`, which is at `stage`, of the next generation; without neighbors it keeps its force.
    #[inline(always)]
    pub(super) fn advance(&self, i: usize, stage: Stage, near: Option<&Neighbors<V>>, next: &mut NextSlices<'_, V>, at: usize) {
        let now = self.now;
        let group = &self.groups[now.group[i] as usize];
        let host = now.agent(i);
        let plan = &group.plans[stage.state as usize];

        let memory = next.memory(at);
        if !memory.is_empty() {
            memory.copy_from_slice(now.memory(i));
        }
        let (force, start) = match near {
            Some(neighbors) => {
                let dt = self.around.dt * group.think_every as f32;
                let mut around = Surroundings { dt, id: now.id[i], neighbors, agents: self, ..self.around };
                (plan.list.combined(&host, memory, &mut around), around.start_of(&host))
            }
            None => (now.force[i], host.velocity),
        };
        next.keep_force(at, force);
        let (position, velocity) = host.step(force, start, group.keep, self.around.dt);
        let (position, velocity) = self.space.settle(position, velocity);

        next.position.set(at, position);
        next.velocity.set(at, velocity);
        next.heading[at] = heading_after(host.heading, velocity, host.max_speed);
        next.stage[at] = stage;
        let stats = next.stats(at);
        if !stats.is_empty() {
            stats.copy_from_slice(now.stats(i));
        }
        for &(stat, rate) in &plan.rates {
            let (least, most) = group.stats[stat];
            stats[stat] = (stats[stat] + rate * self.around.dt).max(least).min(most);
        }
    }
}
