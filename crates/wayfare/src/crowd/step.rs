//! One tick, agent by agent: transitions, neighbors, forces, the step, stats. It reads the old
//! columns and writes the next ones.

use core::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::CompiledGroup;
use super::CompiledState;
use super::columns::{Columns, NextSlices, RememberedPosition, StateInstance};
use super::setup::{Condition, Group, TransitionTarget};
use super::spawn;
use super::targets;
use crate::agent::{Agent, Memory};
use crate::context::{AgentView, Agents, Shared, SteerContext};
use crate::geometry::flow_field::FlowField;
use crate::parameter::Target;
use crate::simd::{Simd, SimdDispatch, Work};
use crate::spatial::grid::Grid;
use crate::spatial::neighbors::{Candidates, Neighbors};
use crate::spatial::space::Space;
use crate::threads::{GRAIN, both, current};
use crate::vector::Vector;
use crate::vector::rotation::turned;

/// The old generation: all that a step reads of other agents.
#[derive(Debug)]
pub(super) struct World<'a, V: Vector> {
    pub(super) now: &'a Columns<V>,
    pub(super) groups: &'a [CompiledGroup<V>],
    /// The groups as they were set up.
    pub(super) setup: &'a [Group<V>],
    /// The cells that the agents are sorted into; `None` where nobody looks for neighbors.
    pub(super) grid: Option<&'a Grid<V>>,
    pub(super) dt: f64,
    /// The units of speed and length in sums over neighbors.
    pub(super) speed: f32,
    pub(super) reach: f32,
    /// How far anybody can have moved since the agents were sorted into cells (length).
    pub(super) moved: f32,
    pub(super) fields: &'a [FlowField<V>],
    /// Whether some of the groups roll on wheels.
    pub(super) wheels: bool,
    /// What is computed with.
    pub(super) chosen: SimdDispatch,
    /// What is around everybody; who looks, and whom it sees, is filled in for each.
    pub(super) context: SteerContext<'a, V>,
}

impl<V: Vector> Agents<V> for World<'_, V> {
    fn nearest(&self, group: usize, to: V, within: f32, except: u32) -> Option<AgentView<V>> {
        let group = self.groups.get(group)?;
        debug_assert!(group.sought, "{} is looked for, and nobody said so", group.name);
        let i = targets::nearest(&group.members, &self.context.space, to, within, except)?;
        Some(AgentView {
            id: self.now.id[i],
            position: self.context.space.image(to, self.now.position.get(i)),
            velocity: self.now.velocity.get(i),
            heading: self.now.heading.get(i),
            facing: self.now.agent(i).facing,
        })
    }
}

/// Where an agent is in its states, and what it keeps in mind.
struct At<'a, V: Vector> {
    group: &'a CompiledGroup<V>,
    plan: &'a CompiledState<V>,
    marks: &'a [RememberedPosition<V>],
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

    #[inline(always)]
    fn steer_cells(
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

    /// Gathers who may be near the agents `run`, which are those of one cell, into `near`.
    #[inline(never)]
    pub(super) fn gather(&self, grid: &Grid<V>, run: Range<usize>, near: &mut Neighbors<V>) {
        let now = self.now;
        let radius = match self.groups {
            [all] => all.radius,
            groups => now.group[run.clone()]
                .iter()
                .filter_map(|&group| groups[group as usize].radius)
                .reduce(f32::max),
        };
        near.clear(Space::OPEN, self.speed, self.reach);
        if let Some(radius) = radius {
            let (mut low, mut high) = now.position.box_around(run.clone(), |p| p);
            // Some of them may have gone across the edge since they were sorted: then they are near
            // each other the other way.
            let parted = self.context.space.wraps()
                && (0..V::DIMENSION)
                    .any(|i| (high - low).axis(i) > 0.5 * self.context.space.size().axis(i));
            if parted {
                let first = now.position.get(run.start);
                (low, high) =
                    now.position.box_around(run.clone(), |p| self.context.space.image(first, p));
            }
            // All belong to group 0 where there is but one.
            let group = (self.groups.len() > 1).then_some(&now.group[..]);
            let reads = |group: u32| self.groups[group as usize].reads_bodies;
            let bodies = self.groups.iter().any(|group| group.reads_bodies)
                && now.group[run.clone()].iter().any(|&group| reads(group));
            let body = |place: usize| now.limits[place].radius;
            let body: Option<&(dyn Fn(usize) -> f32 + Sync)> =
                if bodies { Some(&body) } else { None };
            let mut candidates = Candidates {
                position: &now.position,
                velocity: &now.velocity,
                id: &now.id,
                group,
                body,
                low,
                high,
                radius,
                across: None,
            };
            let radius = radius + self.moved;
            if parted || grid.crosses(low, high, radius) {
                candidates.across = Some(self.context.space);
                candidates.radius =
                    candidates.radius * 1.001 + 16.0 * f32::EPSILON * grid.magnitude();
                near.clear(self.context.space, self.speed, self.reach);
            }
            near.gather(&candidates, |runs| grid.around(low, high, radius, runs));
        }
        near.pad();
    }

    /// Whether `condition` holds for agent `i` at the start of the tick.
    fn holds(
        &self,
        condition: &Condition<V>,
        i: usize,
        at: &At<'_, V>,
        host: &Agent<V>,
        context: &SteerContext<'_, V>,
    ) -> bool {
        match condition {
            Condition::AtMost(stat, x) => self.now.stats(i)[*stat] <= *x,
            Condition::AtLeast(stat, x) => self.now.stats(i)[*stat] >= *x,
            Condition::Near(target, distance) => context
                .target(host, target, f32::INFINITY)
                .is_some_and(|p| (p - host.position).length() <= *distance),
            Condition::FarFrom(target, distance) => {
                match (context.target(host, target, f32::INFINITY), target) {
                    (Some(p), _) => (p - host.position).length() >= *distance,
                    (None, Target::Group(_)) => true,
                    (None, _) => false,
                }
            }
            Condition::TimeInState(time) => self.time_since(self.now.stage[i].entered) >= *time,
            Condition::Sees(sees) => at.group.sees(at.marks, context.rng_key.tick()) == *sees,
            Condition::Remembers(remembers) => context.last_seen().is_some() == *remembers,
            Condition::Stuck(within, time) => {
                at.group.stuck_since(at.marks, *within).is_some_and(|since| {
                    self.time_since(since.max(self.now.stage[i].entered)) >= *time
                })
            }
            Condition::PathDone(done) => {
                at.plan.paths.iter().any(|&m| self.now.memory(i)[m].path.done) == *done
            }
            Condition::All(list) => {
                list.iter().all(|inner| self.holds(inner, i, at, host, context))
            }
            Condition::Any(list) => {
                list.iter().any(|inner| self.holds(inner, i, at, host, context))
            }
            Condition::Not(inner) => !self.holds(inner, i, at, host, context),
        }
    }

    /// How long ago `tick` was (time).
    fn time_since(&self, tick: u64) -> f64 {
        (self.context.rng_key.tick() - tick) as f64 * self.dt
    }

    /// The state in which agent `i` of `group`, which was at `stage` and has these marks now,
    /// steers at this tick, and what it does there.
    #[inline(always)]
    pub(super) fn plan<'g>(
        &self,
        i: usize,
        group: &'g CompiledGroup<V>,
        stage: StateInstance,
        marks: &[RememberedPosition<V>],
    ) -> (StateInstance, &'g CompiledState<V>) {
        let plan = &group.plans[stage.state as usize];
        if plan.leave.is_empty() {
            return (stage, plan);
        }
        self.transition(i, &At { group, plan, marks })
            .map_or((stage, plan), |other| (other, &group.plans[other.state as usize]))
    }

    /// Where agent `i` is bound for, if its group has goals.
    pub(super) fn goal(&self, i: usize) -> Option<V> {
        let group = self.now.group[i] as usize;
        spawn::goal(
            self.context.rng_key.seed(),
            self.now.id[i],
            &self.setup[group],
            self.groups[group].first,
        )
    }

    /// What the members of `group` share, of whom one has these marks.
    pub(super) fn shared<'s>(
        &'s self,
        group: &'s CompiledGroup<V>,
        marks: &[RememberedPosition<V>],
    ) -> Shared<'s, V> {
        let last_seen = group.last_seen(marks, self.context.rng_key.tick(), self.dt);
        Shared { fields: self.fields, explored: &group.explored, last_seen, members: group.count }
    }

    /// The stage of agent `i` after the first of the ways out of its state that holds now.
    fn transition(&self, i: usize, at: &At<'_, V>) -> Option<StateInstance> {
        let tick = self.context.rng_key.tick();
        let shared = self.shared(at.group, at.marks);
        let context = SteerContext {
            id: self.now.id[i],
            goal: self.goal(i),
            shared: Some(&shared),
            agents: self,
            ..self.context
        };
        let host = self.now.agent(i);
        let way = at.plan.leave.iter().position(|t| self.holds(&t.when, i, at, &host, &context))?;
        let stage = self.now.stage[i];
        Some(match at.plan.leave[way].to {
            // Who comes into its own state again stays arrived.
            TransitionTarget::State(state) => StateInstance {
                here: stage.here && state as u32 == stage.state,
                ..StateInstance::new(state as u32, tick)
            },
            TransitionTarget::Out(_) => StateInstance { out: way as u16 + 1, ..stage },
        })
    }

    /// Lets the agents `run` steer, which are all in `next`: writes all of the next generation but
    /// motion, in whose columns it leaves forces and starts for [`step_run`](Self::step_run).
    /// Before an agent steers, `look` is told its id and place, and lets `near` be seen from there.
    #[inline(always)]
    pub(super) fn steer_run(
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
