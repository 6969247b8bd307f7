//! The input of the phases of a tick: the old columns, and everything that is constant during it.

use super::queues::Queues;
use super::tick::Tick;
use crate::context::{AgentView, CurrentOrder, GroupQuery, Shared, SteerContext};
use crate::crowd::compiled::CompiledGroup;
use crate::crowd::nearest_member;
use crate::crowd::origin::Origin;
use crate::crowd::population::columns::{Columns, Limits, RememberedPosition};
use crate::crowd::population::ghosts::{Ghosts, columns_of};
use crate::crowd::population::{Population, find_row};
use crate::crowd::routes::Routes;
use crate::crowd::setup::{Group, draws};
use crate::crowd::world::World;
use crate::geometry::flow_field::FlowField;
use crate::id::{AgentId, GroupId};
use crate::order::{Order, WithoutOrder};
use crate::platform::OnceLock;
use crate::random::RngKey;
use crate::route::CurrentRoute;
use crate::row_index::RowIndex;
use crate::simd::SimdDispatch;
use crate::spatial::bvh::MARGIN;
use crate::spatial::grid::Grid;
use crate::spatial::group_center::GroupCenter;
use crate::vector::Vector;

/// The old columns and the constants of a tick.
#[derive(Debug)]
pub(in crate::crowd) struct TickInput<'a, V: Vector> {
    pub(in crate::crowd) now: &'a Columns<V>,
    /// Agents that are read and not stepped.
    pub(in crate::crowd) ghosts: &'a Ghosts<V>,
    pub(in crate::crowd) groups: &'a [CompiledGroup<V>],
    /// The groups of the setup.
    pub(in crate::crowd) setup: &'a [Group<V>],
    /// The rows of all ids; empty until the first lookup.
    pub(in crate::crowd) row_index: &'a OnceLock<RowIndex>,
    /// The cells that the agents are sorted into; `None` if no group reads neighbors.
    pub(in crate::crowd) grid: Option<&'a Grid<V>>,
    pub(in crate::crowd) dt: f64,
    /// An upper bound on the speeds of all agents and ghosts (length / time).
    pub(in crate::crowd) max_speed: f32,
    /// The maximum displacement of any agent since the last sort (length).
    pub(in crate::crowd) max_displacement: f32,
    pub(in crate::crowd) fields: &'a [FlowField<V>],
    /// The routes of agents, if a list has `navigate`.
    pub(in crate::crowd) routes: Option<&'a Routes<V>>,
    /// The places of agents in queues.
    pub(in crate::crowd) queues: &'a Queues,
    /// Whether the steps of any group are more than a force, a drag and limits.
    pub(in crate::crowd) own_steps: bool,
    /// Whether some group runs a user's code.
    pub(in crate::crowd) users_code: bool,
    /// Whether a solver may replace the velocity that the step of some agents starts from.
    pub(in crate::crowd) replaces_velocity: bool,
    /// The selected instruction set.
    pub(in crate::crowd) dispatch: SimdDispatch,
    /// The context that all agents share; the remaining fields are set per agent.
    pub(in crate::crowd) context: SteerContext<'a, V>,
}

impl<V: Vector> GroupQuery<V> for TickInput<'_, V> {
    fn nearest(&self, group: GroupId, to: V, within: f32, except: AgentId) -> Option<AgentView<V>> {
        let group = self.groups.get(group.0)?;
        debug_assert!(group.searched, "the members of {} are not indexed", group.name);
        let (dispatch, space) = (self.dispatch, &self.context.space);
        let row = nearest_member::nearest(dispatch, &group.members, space, to, within, except)?;
        Some(self.view(row, to))
    }

    fn count(&self, group: GroupId, to: V, within: f32, except: AgentId) -> usize {
        let Some(group) = self.groups.get(group.0) else { return 0 };
        debug_assert!(group.searched, "the members of {} are not indexed", group.name);
        let space = &self.context.space;
        let padded = within + MARGIN * (to.length() + within);
        let mut count = 0;
        group.members.touching(space, to.map(|x| x - padded), to.map(|x| x + padded), |row| {
            let (columns, i) = columns_of(self.now, self.ghosts, row as usize);
            let squared = space.difference(to, columns.position.get(i)).length_squared();
            count += usize::from(columns.id[i] != except.0 && squared <= within * within);
        });
        count
    }

    fn center(&self, group: GroupId) -> Option<GroupCenter<V>> {
        self.groups.get(group.0)?.center
    }
}

impl<'a, V: Vector> TickInput<'a, V> {
    /// The input of the tick that has begun.
    pub(in crate::crowd) fn new(
        world: &'a World<V>,
        population: &'a Population<V>,
        tick: &'a Tick<V>,
        origin: &'a Origin<V>,
    ) -> Self {
        let context = SteerContext {
            time: tick.time(),
            rng_key: RngKey::new(tick.seed, tick.number),
            pointer: world.pointer_at(tick.time()),
            space: world.space,
            obstacles: world.indexed_obstacles(),
            paths: &world.paths,
            ..SteerContext::empty(tick.dt as f32)
        };
        Self {
            now: &population.now,
            ghosts: &population.ghosts,
            groups: &world.groups,
            setup: &origin.setup.groups,
            row_index: &population.row_index,
            grid: tick.cell_width.is_some().then_some(&tick.grid),
            dt: tick.dt,
            max_speed: population.max_speed.max(population.ghosts.max_speed()),
            max_displacement: tick.max_displacement,
            fields: &world.fields,
            routes: world.routes.as_deref(),
            queues: &tick.queues,
            own_steps: world.groups.iter().any(CompiledGroup::has_own_steps),
            users_code: world.groups.iter().any(|group| group.users_code),
            replaces_velocity: world.groups.iter().any(|group| group.replaces_velocity),
            dispatch: tick.dispatch,
            context,
        }
    }

    /// The goal of agent `i`, if its group has goals (length).
    pub(in crate::crowd) fn goal(&self, i: usize) -> Option<V> {
        let group = self.now.group[i] as usize;
        draws::goal(
            self.context.rng_key.seed(),
            self.now.id[i],
            &self.setup[group],
            self.groups[group].first_id,
            self.context.space.up(),
        )
    }

    /// The limits of agent `i` in `state` of its group.
    #[cold]
    pub(in crate::crowd) fn limits_in(&self, i: usize, state: usize) -> Limits {
        let group = &self.setup[self.now.group[i] as usize];
        let limits = draws::limits(self.context.rng_key.seed(), self.now.id[i], group, state);
        limits.with_own(self.now.own(i).limits, self.now.limits[i])
    }

    /// The order of agent `i` of `group`. An order to an agent that is not in the crowd counts as
    /// none.
    pub(in crate::crowd) fn current_order(
        &self,
        i: usize,
        group: &CompiledGroup<V>,
    ) -> CurrentOrder<V> {
        let order = match self.now.own(i).order {
            Some(Order::Point(point)) => Some(CurrentOrder::Point(point)),
            Some(Order::Agent(id)) => find_row(self.now, self.ghosts, self.row_index, id)
                .map(|row| CurrentOrder::Agent(self.view(row, self.now.position.get(i)))),
            Some(Order::Path(path)) => Some(CurrentOrder::Path(path)),
            None => None,
        };
        order.unwrap_or(CurrentOrder::None(match group.without_order {
            WithoutOrder::Target(target) => Some(target),
            WithoutOrder::Hold | WithoutOrder::Coast => None,
        }))
    }

    /// The route of agent `i`.
    fn route(&self, i: usize) -> Option<CurrentRoute<'_>> {
        let position = self.context.space.up().ground(self.now.position.get(i));
        self.routes?.current(self.now.id[i], position)
    }

    /// The agent or ghost in `row`, at its image nearest to `from` (length).
    fn view(&self, row: usize, from: V) -> AgentView<V> {
        let (columns, i) = columns_of(self.now, self.ghosts, row);
        AgentView {
            id: AgentId(columns.id[i]),
            position: self.context.space.image(from, columns.position.get(i)),
            velocity: columns.velocity.get(i),
            heading: columns.heading.get(i),
            facing: columns.agent(i).facing,
        }
    }

    /// The optional part of the context for agent `i`, a member of `group` with these remembered
    /// positions.
    pub(in crate::crowd) fn shared<'s>(
        &'s self,
        group: &'s CompiledGroup<V>,
        i: usize,
        remembered: &[RememberedPosition<V>],
    ) -> Shared<'s, V> {
        Shared {
            order: if group.reads_order {
                self.current_order(i, group)
            } else {
                CurrentOrder::None(None)
            },
            route: if group.navigates { self.route(i) } else { None },
            fields: self.fields,
            explored: &group.explored,
            last_seen: group.last_seen(remembered, self.context.rng_key.tick(), self.dt),
            members: group.formation_size,
            queues: self.queues.lengths(),
            choices: &[],
        }
    }
}
