//! The steer phase: the force of each agent, from the behaviors of its state.

use alloc::vec::Vec;
use core::ops::Range;

use super::World;
use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::combine::Slot;
use crate::context::{CurrentOrder, Shared, SteerContext};
use crate::crowd::compiled::{CompiledGroup, CompiledState};
use crate::crowd::population::columns::RememberedPosition;
use crate::crowd::population::slices::{NextSlices, NowSlices};
use crate::geometry::obstacle::Obstacles;
use crate::id::{AgentId, StatId};
use crate::order::WithoutOrder;
use crate::simd::column::{VectorColumn, VectorSlices};
use crate::solve::{Course, Pedestrian};
use crate::spatial::grid::Grid;
use crate::spatial::neighbors::Neighbors;
use crate::vector::Vector;
use crate::vector::rotation::turned_in;

/// The forces and start velocities of consecutive agents that have steered and not moved yet.
#[derive(Clone, Debug, Default)]
pub(in crate::crowd) struct SteerOutput<V: Vector> {
    pub(super) force: VectorColumn<V>,
    /// The velocity that the step starts from (length / time); written only if
    /// [`World::replaces_velocity`].
    pub(super) start: VectorColumn<V>,
    len: usize,
    /// Stored for its capacity.
    undecided: Vec<Undecided<V>>,
}

/// An agent whose `pedestrian` decides the velocity together with those of other agents of its
/// cell.
#[derive(Clone, Debug)]
struct Undecided<V: Vector> {
    /// Its row in the chunk.
    at: usize,
    id: AgentId,
    /// The index of its state.
    state: u32,
    host: Agent<V>,
    /// The combined force of its list (length / time).
    sum: V,
    course: Option<Course<V>>,
}

impl<V: Vector> Undecided<V> {
    /// The parameters of its solver, where it is one of `group`.
    #[inline(always)]
    fn pedestrian<'g>(&self, group: &'g CompiledGroup<V>) -> Option<&'g Pedestrian> {
        group.states[self.state as usize].decider.as_ref().and_then(Slot::pedestrian)
    }

    /// Its state, its course and the parameters of its solver; `None` if it stands.
    #[inline(always)]
    fn parts<'a>(
        &'a mut self,
        group: &'a CompiledGroup<V>,
    ) -> Option<(&'a Agent<V>, &'a mut Course<V>, &'a Pedestrian)> {
        let pedestrian = self.pedestrian(group)?;
        Some((&self.host, self.course.as_mut()?, pedestrian))
    }
}

impl<V: Vector> SteerOutput<V> {
    /// No agents, with room for so many in one cell before the next allocation.
    pub(super) fn with_room_for(agents: usize) -> Self {
        Self { undecided: Vec::with_capacity(agents), ..Self::default() }
    }

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

/// The rows of a chunk of agents that steer one run after another: their old columns, their next
/// columns, and their forces. One for many cells, as a cell often has one agent only.
pub(in crate::crowd) struct ChunkRows<'a, 'n, V: Vector> {
    /// The first row of the chunk.
    start: usize,
    now: NowSlices<'a, V>,
    next: &'a mut NextSlices<'n, V>,
    forces: VectorSlices<'a, V>,
    starts: VectorSlices<'a, V>,
    /// Those of the run whose velocity is not decided yet.
    undecided: &'a mut Vec<Undecided<V>>,
}

impl<'a, 'n, V: Vector> ChunkRows<'a, 'n, V> {
    /// The rows `rows` of `world`, whose next columns are `next`; their forces are added to
    /// `steered`.
    #[inline(always)]
    pub(in crate::crowd) fn begin(
        world: &World<'a, V>,
        rows: Range<usize>,
        next: &'a mut NextSlices<'n, V>,
        steered: &'a mut SteerOutput<V>,
    ) -> Self {
        steered.reserve(rows.len());
        let first = steered.len;
        steered.len += rows.len();
        let now = world.now.run(rows.clone());
        next.begin(&now);
        let (forces, starts) =
            (steered.force.slices().split(first).1, steered.start.slices().split(first).1);
        steered.undecided.clear();
        let undecided = &mut steered.undecided;
        Self { start: rows.start, now, next, forces, starts, undecided }
    }

    /// All rows of the chunk.
    pub(super) fn all(&self) -> Range<usize> {
        self.start..self.start + self.now.id.len()
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
        rows: &mut ChunkRows<'_, '_, V>,
        neighbors: &mut Neighbors<V>,
    ) {
        if let Some(routes) = self.routes {
            self.now.id[run.clone()].iter().for_each(|&id| routes.prefetch(id));
        }
        let mut gathered = false;
        neighbors.set_host_count(1);
        self.steer_run(run.clone(), rows, neighbors, |neighbors, id, position| {
            // Only if the behaviors of an agent of the cell are evaluated at this tick.
            if !gathered {
                let corners = self.now.position.box_around(run.clone(), |p| p);
                self.gather(grid, run.clone(), corners, neighbors);
                gathered = true;
            }
            neighbors.move_host(id, position);
        });
    }

    /// Steers the agents of the rows `run` of the chunk `rows`: writes their states, memories,
    /// stats and facings, and their forces. Before the evaluation of an agent's behaviors, `aim` is
    /// called with the agent's id and position, and prepares its neighbors.
    #[inline(always)]
    pub(in crate::crowd) fn steer_run(
        &self,
        run: Range<usize>,
        rows: &mut ChunkRows<'_, '_, V>,
        neighbors: &mut Neighbors<V>,
        mut aim: impl FnMut(&mut Neighbors<V>, AgentId, V),
    ) {
        let groups = &self.now.group[run.clone()];
        let mut from = 0;
        while from < groups.len() {
            // The longest run of agents of one group: the group is looked up once for all of them.
            let first = groups[from];
            let is_other = |&group: &u32| group != first;
            let count = if self.groups.len() == 1 {
                None
            } else {
                groups[from..].iter().position(is_other)
            };
            let to = count.map_or(groups.len(), |count| from + count);
            let (group, alike) = (&self.groups[first as usize], run.start + from..run.start + to);
            if group.is_plain() && !self.replaces_velocity {
                self.steer_each::<true>(group, alike, rows, neighbors, &mut aim);
            } else {
                self.steer_each::<false>(group, alike, rows, neighbors, &mut aim);
            }
            from = to;
        }
    }

    /// [`steer_run`](Self::steer_run) of agents of one group; `PLAIN` if the group
    /// [is plain](CompiledGroup::is_plain) and no solver of the crowd replaces velocities.
    #[inline(always)]
    fn steer_each<const PLAIN: bool>(
        &self,
        group: &CompiledGroup<V>,
        run: Range<usize>,
        rows: &mut ChunkRows<'_, '_, V>,
        neighbors: &mut Neighbors<V>,
        aim: &mut impl FnMut(&mut Neighbors<V>, AgentId, V),
    ) {
        let ChunkRows { start, now, next, forces, starts, undecided } = rows;
        let (tick, dt) = (self.context.rng_key.tick(), self.context.dt);
        let mut no_memory = Memory::default();
        let first_state = &group.states[0];
        neighbors.set_unit_of_speed(group.speed_unit);
        for i in run {
            let at = i - *start;
            let mut host = now.agent(at);
            let mut thinks = true;
            let (mut state, mut index) = (first_state, 0);
            if !PLAIN && !group.is_plain() {
                let state_instance;
                let mut remembered: &mut [RememberedPosition<V>] = &mut [];
                if group.perceives {
                    let memory = next.memory(at);
                    group.formations.iter().for_each(|formation| formation.write_slot(i, memory));
                    self.queues.write_place(i, group, self.now, memory);
                    remembered = next.remembered(at);
                    self.perceive(i, group, &host, remembered);
                }
                let frozen = group.has_frozen && now.own.get(at).is_some_and(|own| own.frozen);
                if frozen || (group.has_waiting && now.state[at].waits(tick)) {
                    next.keep_force(at, V::ZERO);
                    forces.set(at, V::ZERO);
                    if self.replaces_velocity {
                        starts.set(at, V::ZERO);
                    }
                    continue;
                }
                (state_instance, state) = self.state_for_tick(i, group, now.state[at], remembered);
                next.state[at] = state_instance;
                index = state_instance.state;
                if state.has_limits && state_instance.state != now.state[at].state {
                    let limits = self.limits_in(i, state_instance.state as usize);
                    next.limits[at] = limits;
                    host = limits
                        .agent([host.position, host.velocity, host.heading], Some(&host.facing));
                }
                // Agents are evaluated in rotation by id, and at once in a new state.
                let every = u64::from(group.think_every);
                thinks = every == 1
                    || state_instance.entered == tick
                    || (tick + u64::from(now.id[at])).is_multiple_of(every);
            }
            let mut start = None;
            let mut reads = Reads { goal: None, shared: None };
            let shared;
            // A solver that decides the velocity does so at every tick.
            if PLAIN || thinks || state.decider.is_some() {
                aim(neighbors, AgentId(now.id[at]), host.position);
                if group.reads_more {
                    shared = self.shared(group, i, next.remembered(at));
                    reads = Reads { goal: self.goal(i), shared: Some(&shared) };
                }
            }
            let force = if thinks {
                let mut context = self.context;
                if !PLAIN {
                    context.dt = dt * group.think_every as f32;
                }
                context.id = AgentId(now.id[at]);
                (context.neighbors, context.groups) = (&*neighbors, self);
                if group.reads_more {
                    (context.goal, context.shared) = (reads.goal, reads.shared);
                }
                let memory = next.memory(at);
                let mut force = state.list.running(&host, memory, &mut no_memory, &mut context);
                if state.names_order {
                    force += holding(group, &host, &context);
                }
                if let Some(rate) = group.turn_rate {
                    // Without a behavior that sets a facing the agent turns towards its heading; at
                    // rest it keeps its facing.
                    let towards = context.facing.unwrap_or(if host.velocity == V::ZERO {
                        V::ZERO
                    } else {
                        host.heading
                    });
                    next.facing[at] =
                        turned_in(context.space.up(), host.facing, towards, rate * context.dt);
                }
                if !PLAIN && self.replaces_velocity {
                    start = context.start;
                }
                force
            } else {
                now.force[at]
            };
            if !PLAIN && self.replaces_velocity {
                let pedestrian = || state.decider.as_ref().and_then(Slot::pedestrian);
                // In space no crowd has one: the compiler leaves the code out.
                if V::DIMENSION == 2 && pedestrian().is_some() {
                    let (preferred, sum) = preferred_and_sum(thinks, force, host.velocity);
                    next.keep_force(at, preferred);
                    forces.set(at, V::ZERO);
                    let id = AgentId(now.id[at]);
                    undecided.push(Undecided { at, id, state: index, host, sum, course: None });
                } else {
                    let steered = Steered { thinks, force, start };
                    let (kept, force, start) =
                        self.start_of_step(i, state, &host, steered, (neighbors, reads));
                    next.keep_force(at, kept);
                    forces.set(at, force);
                    starts.set(at, start);
                }
            } else {
                next.keep_force(at, force);
                forces.set(at, force);
            }
            if !PLAIN {
                for &(StatId(stat), rate) in &state.rates {
                    let (min, max) = group.stats[stat];
                    let stats = next.stats(at);
                    stats[stat] = (stats[stat] + rate * dt).max(min).min(max);
                }
            }
        }
        if !PLAIN && V::DIMENSION == 2 && !undecided.is_empty() {
            self.decide_together(group, undecided, starts, neighbors, aim);
        }
    }

    /// Decides the velocities that agents of one group and cell start their step from, each step of
    /// the formula for all of them before the next one: so the processor has independent work while
    /// it waits for roots and divisions. Inlined, as the caller is compiled for the widest
    /// instructions.
    #[inline(always)]
    fn decide_together(
        &self,
        group: &CompiledGroup<V>,
        undecided: &mut Vec<Undecided<V>>,
        starts: &mut VectorSlices<'_, V>,
        neighbors: &mut Neighbors<V>,
        aim: &mut impl FnMut(&mut Neighbors<V>, AgentId, V),
    ) {
        let SteerContext { space, dt, .. } = &self.context;
        let walls = (self.walls_near(group, undecided), space);
        for agent in undecided.iter_mut() {
            let Some(pedestrian) = agent.pedestrian(group) else { continue };
            agent.course = pedestrian.course(&agent.host, agent.sum, walls);
        }
        for agent in undecided.iter_mut() {
            aim(neighbors, agent.id, agent.host.position);
            let Some((host, course, pedestrian)) = agent.parts(group) else { continue };
            course.side_step(host, neighbors, pedestrian);
        }
        for agent in undecided.iter_mut() {
            let Some((host, course, pedestrian)) = agent.parts(group) else { continue };
            course.find_directions(host, walls, pedestrian);
        }
        for agent in undecided.iter_mut() {
            aim(neighbors, agent.id, agent.host.position);
            let Some((host, course, pedestrian)) = agent.parts(group) else { continue };
            course.find_paces(host, neighbors, space, pedestrian);
        }
        for agent in undecided.drain(..) {
            let Some(pedestrian) = agent.pedestrian(group) else { continue };
            let velocity = pedestrian.velocity_on(agent.course.as_ref(), &agent.host, *dt);
            starts.set(agent.at, velocity);
        }
    }

    /// The obstacles that may be walls for these agents.
    #[inline(always)]
    fn walls_near(&self, group: &CompiledGroup<V>, agents: &[Undecided<V>]) -> Obstacles<'_, V> {
        let SteerContext { obstacles, space, .. } = self.context;
        let Some(first) = agents.first() else { return Obstacles::NONE };
        let (mut low, mut high) = (first.host.position, first.host.position);
        for agent in agents {
            let Some(pedestrian) = agent.pedestrian(group) else { continue };
            let reach = V::from_fn(|_| pedestrian.reach_of_walls(agent.host.radius));
            let position = agent.host.position;
            (low, high) = (low.min(position - reach), high.max(position + reach));
        }
        obstacles.within(&space, low, high)
    }
}

/// The preferred velocity of an agent with a decider, which it keeps between evaluations, and the
/// combined force of its list (lengths / time); `force` is that force if the agent `thinks`, and
/// otherwise the kept preferred velocity.
#[inline(always)]
fn preferred_and_sum<V: Vector>(thinks: bool, force: V, velocity: V) -> (V, V) {
    if thinks { (velocity + force, force) } else { (force, force - velocity) }
}

/// The input of an agent's behaviors, if its group reads more than neighbors.
#[derive(Clone, Copy)]
pub(in crate::crowd) struct Reads<'a, V: Vector> {
    /// Its goal (length).
    pub(in crate::crowd) goal: Option<V>,
    pub(in crate::crowd) shared: Option<&'a Shared<'a, V>>,
}

/// The output of an agent's behaviors: whether they were evaluated, their force or the one that was
/// kept (length / time), and the start velocity that they set (length / time).
struct Steered<V> {
    thinks: bool,
    force: V,
    start: Option<V>,
}

impl<V: Vector> World<'_, V> {
    /// The kept result of the evaluation of the agent in row `i`, the force of its step, and the
    /// velocity that the step starts from (lengths / time), where solvers replace velocities.
    #[inline(never)]
    fn start_of_step(
        &self,
        i: usize,
        state: &CompiledState<V>,
        host: &Agent<V>,
        Steered { thinks, force, start }: Steered<V>,
        reads: (&Neighbors<V>, Reads<'_, V>),
    ) -> (V, V, V) {
        let Some(decider) = &state.decider else {
            return (force, force, start.unwrap_or(host.velocity) * state.start_drag_factor);
        };
        let (preferred, sum) = preferred_and_sum(thinks, force, host.velocity);
        (preferred, V::ZERO, self.decide(i, decider, host, sum, reads, DebugDraw::OFF))
    }

    /// The velocity of the agent in row `i` that its solver `decider` decides for the combined
    /// force `sum` of its list (length / time), with these neighbors.
    #[inline(never)]
    pub(in crate::crowd) fn decide(
        &self,
        i: usize,
        decider: &Slot<V>,
        host: &Agent<V>,
        sum: V,
        (neighbors, reads): (&Neighbors<V>, Reads<'_, V>),
        debug: DebugDraw<'_, V>,
    ) -> V {
        let context = SteerContext {
            id: AgentId(self.now.id[i]),
            sum,
            neighbors,
            groups: self,
            goal: reads.goal,
            shared: reads.shared,
            ..self.context
        };
        decider.solve(host, sum, &context, debug).start
    }
}

/// The force that stops a member of `group` whose behaviors read its order, while it has none
/// (length / time); zero unless the group holds.
pub(in crate::crowd) fn holding<V: Vector>(
    group: &CompiledGroup<V>,
    host: &Agent<V>,
    context: &SteerContext<'_, V>,
) -> V {
    let holds = group.without_order == WithoutOrder::Hold
        && matches!(context.order(), CurrentOrder::None(_));
    if holds { -host.velocity } else { V::ZERO }
}
