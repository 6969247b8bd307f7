//! The part of the world that a behavior reads: the same view in a crowd, with the manager, and for
//! a user's behavior.

use core::fmt::Debug;

use crate::agent::{Agent, Host};
use crate::geometry::explored::Explored;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::Obstacles;
use crate::geometry::path::Path;
use crate::id::{AgentId, FieldId, GroupId, PathId};
use crate::parameter::Target;
use crate::platform::MaybeSync;
use crate::random::{Random, RngKey};
use crate::route::CurrentRoute;
use crate::spatial::group_center::GroupCenter;
use crate::spatial::neighbors::Neighbors;
use crate::spatial::space::Space;
use crate::vector::{Up, Vector};

/// Another agent that a behavior reads: a quarry, a threat, a leader.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentView<V> {
    /// The agent's id; [`AgentId::NONE`] for a point or the pointer.
    pub id: AgentId,
    /// The position (length); in a wrapped world that of the image nearest to the host.
    pub position: V,
    /// The velocity (length / time).
    pub velocity: V,
    /// The unit vector of the velocity; unchanged while the agent is at rest.
    pub heading: V,
    /// The unit vector of the direction in which the agent looks.
    pub facing: V,
}

impl<V: Vector> AgentView<V> {
    /// An agent at `position` with `velocity`, whose heading and facing are those of the velocity,
    /// +x at rest.
    pub fn new(position: V, velocity: V) -> Self {
        let unit = velocity.unit();
        let heading = if unit == V::ZERO { V::X } else { unit };
        Self { id: AgentId::NONE, position, velocity, heading, facing: heading }
    }

    /// Another host as a behavior sees it, with its heading and facing; without an id.
    ///
    /// ```
    /// use wayfare::behavior::{Prediction, pursue};
    /// use wayfare::{Agent, AgentView, glam::vec2};
    /// let guard = Agent::new(vec2(0.0, 0.0), 4.0);
    /// let thief = Agent::new(vec2(40.0, 0.0), 3.0).moving(vec2(3.0, 0.0));
    /// let view = AgentView::of(&thief);
    /// let force = pursue(&guard, &view, Prediction::ByDistance, f32::INFINITY);
    /// assert_eq!(force, vec2(4.0, 0.0));
    /// ```
    pub fn of(host: &impl Host<V>) -> Self {
        Self {
            id: AgentId::NONE,
            position: host.position(),
            velocity: host.velocity(),
            heading: host.heading(),
            facing: host.facing(),
        }
    }

    /// The position of a slot of a formation: ahead along the heading, beside to its left
    /// (lengths).
    #[inline(always)]
    pub(crate) fn slot(&self, (ahead, beside): (f32, f32), up: Up) -> V {
        self.position + self.heading * ahead + up.left(self.heading) * beside
    }
}

/// The order of the host as behaviors read it, in the part of the context that only some groups
/// need.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CurrentOrder<V> {
    /// A point (length).
    Point(V),
    /// The agent, at its image nearest to the host.
    Agent(AgentView<V>),
    /// A path.
    Path(PathId),
    /// No order, and the target in its place, if the group has one.
    None(Option<Target<V>>),
}

/// Queries over groups: the nearest member, the members near a point, the center of all members.
pub trait GroupQuery<V: Vector>: Debug + MaybeSync {
    /// The member of `group` nearest to `to`, at most `within` away (length), not `except`; the
    /// lowest id in a tie.
    ///
    /// Its position is the image nearest to `to`.
    fn nearest(&self, group: GroupId, to: V, within: f32, except: AgentId) -> Option<AgentView<V>>;

    /// The number of members of `group` at most `within` from `to` (length), without `except`.
    fn count(&self, group: GroupId, to: V, within: f32, except: AgentId) -> usize;

    /// The center of all members of `group`; `None` without members.
    fn center(&self, group: GroupId) -> Option<GroupCenter<V>>;
}

/// Groups without members, for a host that is steered alone.
#[derive(Debug)]
struct NoGroups;

impl<V: Vector> GroupQuery<V> for NoGroups {
    fn nearest(&self, _: GroupId, _: V, _: f32, _: AgentId) -> Option<AgentView<V>> {
        None
    }
    fn count(&self, _: GroupId, _: V, _: f32, _: AgentId) -> usize {
        0
    }
    fn center(&self, _: GroupId) -> Option<GroupCenter<V>> {
        None
    }
}

/// The choice of a context list inside of a danger for the host; [`Combine::Context`] keeps it for
/// all directions.
///
/// [`Combine::Context`]: crate::Combine::Context
#[derive(Clone, Copy, Debug)]
pub struct ListChoice<V> {
    /// The address of the list, which it keeps during a tick.
    pub(crate) list: usize,
    /// The velocity that it chose (length / time); `None` without an interest.
    pub(crate) desired: Option<V>,
}

/// The numbers of agents in a queue on a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueLength {
    /// The number of agents that have a place.
    pub standing: u32,
    /// The number of all agents, with those that walk to the end of the queue.
    pub members: u32,
}

/// The part of the context that only some groups need. It is separate because the remainder is
/// copied for each agent at each tick.
#[derive(Clone, Copy, Debug)]
pub struct Shared<'a, V: Vector> {
    /// The flow fields that [`FieldId`] indexes.
    pub fields: &'a [FlowField<V>],
    /// The grids of the `explore` slots in the group's lists, each with the slot's stream; see
    /// [`SteerContext::explored`].
    pub explored: &'a [(u32, Explored<V>)],
    /// The position at which the host last perceived the target of its group, while it remembers
    /// it (length).
    pub last_seen: Option<V>,
    /// The number of members of a group that keeps a formation; otherwise 0.
    pub members: u32,
    /// The queue on each path, by its id; see [`SteerContext::queue`].
    pub queues: &'a [QueueLength],
    /// The host's order.
    pub order: CurrentOrder<V>,
    /// The route of the host that the crowd has planned; see [`SteerContext::route`].
    pub route: Option<CurrentRoute<'a>>,
    /// The choices of the context lists inside of a danger, while that is evaluated.
    pub choices: &'a [ListChoice<V>],
}

impl<V: Vector> Shared<'_, V> {
    /// An empty value: fill in what your behaviors read.
    pub fn nothing() -> Shared<'static, V> {
        Shared {
            fields: &[],
            explored: &[],
            last_seen: None,
            members: 0,
            queues: &[],
            order: CurrentOrder::None(None),
            route: None,
            choices: &[],
        }
    }
}

/// The input of one agent's behaviors at one tick.
#[derive(Clone, Copy, Debug)]
pub struct SteerContext<'a, V: Vector> {
    /// Simulated time per tick (time).
    pub dt: f32,
    /// The time at which the tick begins (time).
    pub time: f64,
    /// The agent's id; [`AgentId::NONE`] for a host that is steered alone.
    pub id: AgentId,
    /// The host's group; `None` for a host that is steered alone, and for conditions and solvers.
    pub group: Option<GroupId>,
    /// The key of all random numbers: seed and tick.
    pub rng_key: RngKey,
    /// The slot of the current behavior, which is its stream of random numbers.
    pub stream: u32,
    /// The position of the pointer, if there is one (length).
    pub pointer: Option<V>,
    /// The host's goal, if its group has goals (length).
    pub goal: Option<V>,
    /// The extent of the world, its edge, and the axis that points up.
    pub space: Space<V>,
    /// The obstacles.
    pub obstacles: Obstacles<'a, V>,
    /// The paths that [`PathId`] indexes.
    pub paths: &'a [Path<V>],
    /// The agents near the host, at least up to the neighbor radius of its behaviors.
    pub neighbors: &'a Neighbors<V>,
    /// The members of groups.
    pub groups: &'a dyn GroupQuery<V>,
    /// The part that only some groups need, if the host's group does.
    pub shared: Option<&'a Shared<'a, V>>,
    /// The sum of the preceding forces of the list: weighted, not truncated (length / time).
    pub sum: V,
    /// The velocity that the step starts from (length / time), where a solver replaced the host's
    /// own.
    pub start: Option<V>,
    /// The new facing of the host, if a behavior set one; see [`face`](Self::face).
    pub facing: Option<V>,
    /// Whether the host moves along its heading alone, as with a
    /// [`turning_radius`](crate::crowd::Group::turning_radius): a force against its velocity turns
    /// it round, so one that is to stop it is at most the velocity.
    pub on_wheels: bool,
}

impl<'a, V: Vector> SteerContext<'a, V> {
    /// An empty context with one tick of `dt` (time): fill in what your behaviors read.
    ///
    /// ```
    /// use wayfare::{SteerContext, glam::vec2};
    /// let context = SteerContext { pointer: Some(vec2(3.0, 4.0)), ..SteerContext::empty(1.0) };
    /// assert_eq!(context.pointer, Some(vec2(3.0, 4.0)));
    /// ```
    pub fn empty(dt: f32) -> SteerContext<'static, V> {
        SteerContext {
            dt,
            time: 0.0,
            id: AgentId::NONE,
            group: None,
            rng_key: RngKey::new(0, 0),
            stream: 0,
            pointer: None,
            goal: None,
            space: Space::default(),
            obstacles: Obstacles::NONE,
            paths: &[],
            neighbors: Neighbors::none_static(),
            groups: &NoGroups,
            shared: None,
            sum: V::ZERO,
            start: None,
            facing: None,
            on_wheels: false,
        }
    }

    /// The random numbers of this agent, tick and behavior.
    #[inline(always)]
    pub fn random(&self) -> Random {
        self.rng_key.random(self.id.0, self.stream)
    }

    /// The position of `target` for `host`, if it is at most `within` away (length).
    #[inline(always)]
    pub fn target(&self, host: &Agent<V>, target: &Target<V>, within: f32) -> Option<V> {
        let point = match *target {
            Target::Point(p) => p,
            Target::Pointer => self.pointer?,
            Target::Goal => self.goal?,
            Target::LastSeen => self.last_seen()?,
            // A function of its own: recursion here would keep `target` from being inlined.
            Target::Order => return self.order_target(host, within),
            Target::Group(group) => {
                return self.member(host, group, within).map(|member| member.position);
            }
        };
        let point = self.space.image(host.position, point);
        (within == f32::INFINITY || (point - host.position).length() <= within).then_some(point)
    }

    /// [`target`](Self::target) of the host's order.
    #[inline(never)]
    fn order_target(&self, host: &Agent<V>, within: f32) -> Option<V> {
        let target = match self.order() {
            CurrentOrder::Point(point) => Target::Point(point),
            CurrentOrder::Agent(agent) => Target::Point(agent.position),
            CurrentOrder::None(Some(target)) if target != Target::Order => target,
            CurrentOrder::Path(_) | CurrentOrder::None(_) => return None,
        };
        self.target(host, &target, within)
    }

    /// The member of `group` nearest to `host`, itself excluded, if it is at most `within` away
    /// (length); for [`GroupId::ORDER`] the agent or the point that the host is ordered to.
    pub fn member(&self, host: &Agent<V>, group: GroupId, within: f32) -> Option<AgentView<V>> {
        if group == GroupId::ORDER {
            return self.ordered(host, within);
        }
        self.groups.nearest(group, host.position, within, self.id)
    }

    /// The number of members of `group` at most `within` from `host` (length), itself excluded. For
    /// behaviors and conditions of programs.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let crowded = Condition::own("crowded", |fan, context| {
    ///     context.count(fan, GroupId(0), 5.0) >= 2
    /// });
    /// let row = Spawn::points([vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(8.0, 0.0)]);
    /// let fans = Group::new("fans", 3, row, 1.0)
    ///     .state(State::new("stand").leave("leave", crowded))
    ///     .state(State::new("leave"));
    /// let mut crowd = Setup::new(0.1).group(fans).crowd()?;
    /// crowd.step();
    /// let states: Vec<_> = crowd.members(0).iter().filter_map(|fan| fan.state).collect();
    /// assert_eq!(states, ["stand", "leave", "stand"]);
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn count(&self, host: &Agent<V>, group: GroupId, within: f32) -> usize {
        self.groups.count(group, host.position, within, self.id)
    }

    /// The member of the host's own group nearest to `to` (length) but for `except`; the lowest id
    /// in a tie. For behaviors with [`Needs::PEERS`](crate::parameter::Needs::PEERS).
    pub(crate) fn nearest_of_group(&self, to: V, except: AgentId) -> Option<AgentView<V>> {
        self.groups.nearest(self.group?, to, f32::INFINITY, except)
    }

    /// The center of all members of `group`, the host included if it is one; `None` without
    /// members. For behaviors with [`Needs::CENTERS`](crate::parameter::Needs::CENTERS).
    pub fn center(&self, group: GroupId) -> Option<GroupCenter<V>> {
        self.groups.center(group)
    }

    /// The agent that the host is ordered to, or a view of the point at rest.
    fn ordered(&self, host: &Agent<V>, within: f32) -> Option<AgentView<V>> {
        let at_rest = |point| AgentView::new(self.space.image(host.position, point), V::ZERO);
        let found = match self.order() {
            CurrentOrder::Point(point) => at_rest(point),
            CurrentOrder::Agent(agent) => agent,
            CurrentOrder::None(Some(Target::Group(group))) => {
                return self.member(host, group, within);
            }
            CurrentOrder::None(Some(target)) if target != Target::Order => {
                at_rest(self.target(host, &target, within)?)
            }
            CurrentOrder::Path(_) | CurrentOrder::None(_) => return None,
        };
        ((found.position - host.position).length() <= within).then_some(found)
    }

    #[cold]
    fn ordered_path(&self) -> Option<PathId> {
        if let CurrentOrder::Path(path) = self.order() { Some(path) } else { None }
    }

    /// The host's order.
    pub fn order(&self) -> CurrentOrder<V> {
        self.shared.map_or(CurrentOrder::None(None), |shared| shared.order)
    }

    /// The route that the crowd has planned for the host's `navigate`; `None` before the first tick
    /// with a target.
    #[inline(always)]
    pub fn route(&self) -> Option<CurrentRoute<'a>> {
        self.shared?.route
    }

    /// The path `id`, if it exists and has points; for [`PathId::ORDER`] the path that the host is
    /// ordered to follow.
    pub fn path(&self, id: PathId) -> Option<&'a Path<V>> {
        let id = if id == PathId::ORDER { self.ordered_path()? } else { id };
        self.paths.get(id.0).filter(|path| !path.points().is_empty())
    }

    /// The flow field `id`, if it exists.
    #[inline(always)]
    pub fn field(&self, id: FieldId) -> Option<&'a FlowField<V>> {
        self.shared?.fields.get(id.0)
    }

    /// The exploration grid of the host's group for the current behavior; `None` without one.
    pub fn explored(&self) -> Option<&'a Explored<V>> {
        self.shared?
            .explored
            .iter()
            .find(|(stream, _)| *stream == self.stream)
            .map(|(_, explored)| explored)
    }

    /// The position at which the host last perceived the target of its group, while it remembers it
    /// (length).
    pub fn last_seen(&self) -> Option<V> {
        self.shared?.last_seen
    }

    /// The number of members of the host's group, if it keeps a formation; otherwise 0.
    pub fn members(&self) -> u32 {
        self.shared.map_or(0, |shared| shared.members)
    }

    /// The queue on `path` at the start of the tick; empty without one.
    pub fn queue(&self, path: PathId) -> QueueLength {
        let queues = self.shared.map_or(&[][..], |shared| shared.queues);
        queues.get(path.0).copied().unwrap_or_default()
    }

    /// Sets the host's facing to `direction`, of any length. The last call counts; zero is ignored.
    pub fn face(&mut self, direction: V) {
        if direction.unit() != V::ZERO {
            self.facing = Some(direction);
        }
    }

    /// The velocity that the step starts from.
    pub fn start_of(&self, host: &Agent<V>) -> V {
        self.start.unwrap_or(host.velocity)
    }
}
