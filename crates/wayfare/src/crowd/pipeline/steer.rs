//! The steer phase: the force of each agent, from the behaviors of its state.

use core::ops::Range;

use super::input::TickInput;
use super::scratch::{SteerOutput, Together};
use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::combine::Slot;
use crate::context::{CurrentOrder, Shared, SteerContext};
use crate::crowd::compiled::{CompiledGroup, CompiledState};
use crate::crowd::population::columns::RememberedPosition;
use crate::crowd::population::slices::{NextSlices, NowSlices};
use crate::id::{AgentId, GroupId};
use crate::order::WithoutOrder;
use crate::simd::column::VectorSlices;
use crate::simd::{SimdMemory, Work};
use crate::solve::{CellHost, Solve};
use crate::spatial::grid::Grid;
use crate::spatial::neighbors::Neighbors;
use crate::vector::Vector;
use crate::vector::rotation::turned_in;

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
    together: &'a mut Together<V>,
}

impl<'a, 'n, V: Vector> ChunkRows<'a, 'n, V> {
    /// The rows `rows` of `world`, whose next columns are `next`; their forces are added to
    /// `steered`.
    #[inline(always)]
    pub(in crate::crowd) fn begin(
        world: &TickInput<'a, V>,
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
        let together = &mut steered.together;
        // They are left over where a behavior has panicked.
        together.hosts.clear();
        together.rows.clear();
        Self { start: rows.start, now, next, forces, starts, together }
    }

    /// All rows of the chunk.
    pub(super) fn all(&self) -> Range<usize> {
        self.start..self.start + self.now.id.len()
    }
}

/// The cell whose agents are steered, in the rows `run`.
pub(in crate::crowd) struct Cell<'a, V: Vector> {
    grid: &'a Grid<V>,
    run: Range<usize>,
    /// Whether its neighbor candidates are gathered: if the behaviors of one of its agents have
    /// been evaluated at this tick.
    is_gathered: bool,
}

impl<V: Vector> TickInput<'_, V> {
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
        neighbors.set_host_count(1);
        let mut cell = Cell { grid, run: run.clone(), is_gathered: false };
        self.steer_run(run, rows, neighbors, Some(&mut cell));
    }

    /// Steers the agents of the rows `run` of the chunk `rows`: writes their states, memories,
    /// stats and facings, and their forces. If they are those of a `cell`, its neighbor candidates
    /// become those of each agent whose behaviors are evaluated.
    #[inline(always)]
    pub(in crate::crowd) fn steer_run(
        &self,
        run: Range<usize>,
        rows: &mut ChunkRows<'_, '_, V>,
        neighbors: &mut Neighbors<V>,
        mut cell: Option<&mut Cell<'_, V>>,
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
                self.steer_each::<true>(group, alike, rows, neighbors, cell.as_deref_mut());
            } else {
                self.steer_each::<false>(group, alike, rows, neighbors, cell.as_deref_mut());
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
        mut cell: Option<&mut Cell<'_, V>>,
    ) {
        let ChunkRows { start, now, next, forces, starts, together } = rows;
        let dt = self.context.dt;
        let mut no_memory = Memory::default();
        let first_state = &group.states[0];
        neighbors.set_unit_of_speed(group.speed_unit);
        neighbors.set_reach(group.radius);
        let of_group = Some(GroupId(self.now.group[run.start] as usize));
        for i in run {
            let at = i - *start;
            let mut host = now.agent(at);
            let (mut state, mut index, mut thinks) = (first_state, 0, true);
            if !PLAIN && !group.is_plain() {
                let Some(prepared) = self.prepare(i, at, group, &mut host, now, next) else {
                    next.keep_force(at, V::ZERO);
                    forces.set(at, V::ZERO);
                    if self.replaces_velocity {
                        starts.set(at, V::ZERO);
                    }
                    continue;
                };
                (state, index, thinks) = prepared;
            }
            let mut start = None;
            let mut reads = Reads { goal: None, shared: None };
            let shared;
            // A solver that decides the velocity does so at every tick.
            if PLAIN || thinks || state.decider.is_some() {
                if let Some(cell) = &mut cell {
                    if !cell.is_gathered {
                        let corners = self.now.position.box_around(cell.run.clone(), |p| p);
                        self.gather(cell.grid, cell.run.clone(), corners, neighbors);
                        cell.is_gathered = true;
                    }
                    neighbors.move_host(AgentId(now.id[at]), host.position);
                }
                if group.reads_more {
                    shared = self.shared(group, i, next.remembered(at));
                    reads = Reads { goal: self.goal(i), shared: Some(&shared) };
                }
            }
            let force = if thinks {
                // A copy of what is in memory: that of a local value is field by field.
                let mut context = self.context;
                (context.group, context.on_wheels) = (of_group, group.is_on_wheels());
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
                    next.facing[at] = turned(&host, &context, rate);
                }
                if !PLAIN && self.replaces_velocity {
                    start = context.start;
                }
                force
            } else {
                now.force[at]
            };
            if !PLAIN && self.replaces_velocity {
                if state.solver().is_some_and(Solve::solves_cells) {
                    let (preferred, sum) = preferred_and_sum(thinks, force, host.velocity);
                    next.keep_force(at, preferred);
                    forces.set(at, V::ZERO);
                    let (id, start) = (AgentId(now.id[at]), host.velocity);
                    let place = neighbors.host_position();
                    together.hosts.push(CellHost { id, host, sum, start, place });
                    together.rows.push((at, index));
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
                state.change_stats(group, next.stats(at), dt);
            }
        }
        if !PLAIN && !together.rows.is_empty() {
            let (context, starts) = (&self.context, starts.reborrow());
            self.dispatch.run(Decide { context, group, together, starts, neighbors });
        }
    }

    /// Perception and transitions of the agent in row `i` of `group`, which is row `at` of the
    /// chunk: its state, the index of that, and whether its behaviors are evaluated at this tick.
    /// `None` if it is frozen or waits for its start. A new state may change the limits of `host`.
    #[inline(always)]
    fn prepare<'g>(
        &self,
        i: usize,
        at: usize,
        group: &'g CompiledGroup<V>,
        host: &mut Agent<V>,
        now: &NowSlices<'_, V>,
        next: &mut NextSlices<'_, V>,
    ) -> Option<(&'g CompiledState<V>, u32, bool)> {
        let tick = self.context.rng_key.tick();
        let mut remembered: &mut [RememberedPosition<V>] = &mut [];
        if group.perceives {
            let memory = next.memory(at);
            group.formations.iter().for_each(|formation| formation.write_slot(i, memory));
            self.queues.write_place(i, group, self.now, memory);
            remembered = next.remembered(at);
            self.perceive(i, group, host, remembered);
        }
        let frozen = group.has_frozen && now.own.get(at).is_some_and(|own| own.frozen);
        if frozen || (group.has_waiting && now.state[at].waits(tick)) {
            return None;
        }
        let (instance, state) = self.state_for_tick(i, group, now.state[at], remembered);
        next.state[at] = instance;
        if instance.state != now.state[at].state {
            // A path that begins at its nearest point does so in each state that it comes back in.
            let before = &group.states[now.state[at].state as usize];
            for path in state.paths_after(before) {
                next.memory(at)[path].path.begun = false;
            }
            if state.has_limits {
                let limits = self.limits_in(i, instance.state as usize);
                next.limits[at] = limits;
                let motion = [host.position, host.velocity, host.heading];
                *host = limits.agent(motion, Some(&host.facing));
            }
        }
        // Agents are evaluated in rotation by id, and at once in a new state.
        let every = u64::from(group.think_every);
        let thinks = every == 1
            || instance.entered == tick
            || (tick + u64::from(now.id[at])).is_multiple_of(every);
        Some((state, instance.state, thinks))
    }
}

/// Decides the velocities that agents of one group and cell start their step from, those in the
/// same state together. A work of its own: inside the loop over agents it would slow down crowds
/// without such a solver.
struct Decide<'a, V: Vector> {
    context: &'a SteerContext<'a, V>,
    group: &'a CompiledGroup<V>,
    together: &'a mut Together<V>,
    starts: VectorSlices<'a, V>,
    /// Those of the cell, as each of the agents has been evaluated.
    neighbors: &'a mut Neighbors<V>,
}

impl<V: Vector> Work for Decide<'_, V> {
    type Result = ();
    #[inline(always)]
    fn run<L: SimdMemory>(self) {
        let Self { context, group, together: Together { hosts, rows }, mut starts, neighbors } =
            self;
        let mut from = 0;
        for alike in rows.chunk_by(|a, b| a.1 == b.1) {
            let hosts = &mut hosts[from..from + alike.len()];
            if let Some(solver) = group.states[alike[0].1 as usize].solver() {
                solver.solve_cell(hosts, neighbors, context);
            }
            for (host, &(at, _)) in hosts.iter().zip(alike) {
                starts.set(at, host.start);
            }
            from += alike.len();
        }
        hosts.clear();
        rows.clear();
    }
}

/// The facing of an agent after a turn at this rate (radians / time). Without a behavior that sets
/// a facing it turns towards its heading; at rest it keeps its facing.
#[inline(always)]
fn turned<V: Vector>(host: &Agent<V>, context: &SteerContext<'_, V>, rate: f32) -> V {
    let heading = if host.velocity == V::ZERO { V::ZERO } else { host.heading };
    let towards = context.facing.unwrap_or(heading);
    turned_in(context.space.up(), host.facing, towards, rate * context.dt)
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

impl<V: Vector> TickInput<'_, V> {
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
