//! The list of all behaviors and solvers: a new one is an entry of `behaviors!` below.

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::users::{DescribedSteer, Formula};
use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::*;
use crate::context::SteerContext;
use crate::parameter::{Description, Needs, Parameter, Parameters, Roles, Scale, Value};
use crate::solve::*;
use crate::vector::Vector;

/// The list of all behaviors and solvers, handed to the macro `$callback`: for each the variant of
/// [`Behavior`] with its type, the name of its file and function, and in braces its method of
/// [`Steering`](crate::Steering): what its doc adds, its arguments after the host, and its call.
macro_rules! behaviors {
    ($callback:ident) => {
        $callback! {
            behaviors {
                Seek(Seek<V>) seek { host(target: V) entry(|_| seek(host, target)) }
                Flee(Flee<V>) flee {
                    host(target: V, panic_radius: f32) entry(|_| flee(host, target, panic_radius))
                }
                Arrive(Arrive<V>) arrive {
                    host(target: V, slowing_radius: f32)
                    entry(|_| arrive(host, target, slowing_radius))
                }
                Settle(Settle<V>) settle {
                    " at `target`"
                    host(target: V, neighbors: &Neighbors<V>, parameters: &Settle<V>)
                    entry(|_| settle(host, target, neighbors, parameters))
                }
                Stop(Stop) stop { host() entry(|_| stop(host)) }
                Pursue(Pursue) pursue {
                    " of `quarry`, predicted by distance"
                    host(quarry: &impl Host<V>)
                    entry(|_| {
                        pursue(host, &AgentView::of(quarry), Prediction::ByDistance, f32::INFINITY)
                    })
                }
                Evade(Evade) evade {
                    " of `threat` within `panic_radius` (length), predicted by distance"
                    host(threat: &impl Host<V>, panic_radius: f32)
                    entry(|_| {
                        let (threat, by) = (AgentView::of(threat), Prediction::ByDistance);
                        evade(host, &threat, panic_radius, by, f32::INFINITY)
                    })
                }
                OffsetPursue(OffsetPursue) offset_pursue {
                    " of a slot `ahead` and `beside` of `quarry`"
                    host(quarry: &impl Host<V>, ahead: f32, beside: f32, slowing_radius: f32)
                    entry(|_| {
                        offset_pursue(host, &AgentView::of(quarry), ahead, beside, slowing_radius)
                    })
                }
                Interpose(Interpose) interpose {
                    " between `a` and `b`"
                    host(a: &impl Host<V>, b: &impl Host<V>, slowing_radius: f32)
                    entry(|_| {
                        interpose(host, &AgentView::of(a), &AgentView::of(b), slowing_radius)
                    })
                }
                Herd(Herd<V>) herd {
                    " of a flock at these positions to `target`; the flock and the target in
                    `parameters` are not read"
                    host(flock: &[V], target: V, parameters: &Herd<V>)
                    entry(|_| herd(host, flock, target, parameters))
                }
                Hide(Hide) hide {
                    " from `threat`, `margin` behind an obstacle"
                    <'a> host(
                        threat: &impl Host<V>, obstacles: impl Into<Obstacles<'a, V>>,
                        margin: f32, slowing_radius: f32
                    )
                    entry(|_| {
                        hide(host, &AgentView::of(threat), obstacles.into(), margin, slowing_radius)
                    })
                }
                Shadow(Shadow) shadow {
                    " of `quarry` up to `distance`"
                    host(quarry: &impl Host<V>, distance: f32, slowing_radius: f32)
                    entry(|_| shadow(host, &AgentView::of(quarry), distance, slowing_radius))
                }
                MatchVelocity(MatchVelocity) match_velocity {
                    " with `velocity` (length / time)"
                    host(velocity: V) entry(|_| match_velocity(host, velocity))
                }
                Face(Face<V>) face {
                    ": the host looks at `target`; see [`facing`](Self::facing())"
                    host(target: V) look(|_| face(host, target))
                }
                LookWhereGoing(LookWhereGoing) look_where_going {
                    ": the host looks along its velocity from `least_speed` (length / time) on, and
                    keeps its facing below; see [`facing`](Self::facing())"
                    host(least_speed: f32)
                    look(|s| {
                        let direction = look_where_going(host, least_speed);
                        let facing = || s.agent_with_heading(host, None).facing;
                        if direction == V::ZERO { facing() } else { direction }
                    })
                }
                MatchHeading(MatchHeading) match_heading {
                    ": the host looks in the direction in which `quarry` looks; see
                    [`facing`](Self::facing())"
                    (quarry: &impl Host<V>) look(|_| match_heading(&AgentView::of(quarry)))
                }
                Wander(Wander) wander {
                    " with a tick of `dt` (time)"
                    host(parameters: &Wander, memory: &mut Memory<V>, dt: f32)
                    drawn(|s, stream| {
                        let host = s.agent_with_heading(host, memory.heading);
                        let mut random = s.rng_key().random(AgentId::NONE.0, stream);
                        wander(&host, parameters, &mut memory.wander, &mut random, checked_dt(dt))
                    })
                }
                Roam(Roam<V>) roam {
                    ": a new random point at regular intervals of the time that the updates have
                    covered"
                    host(parameters: &Roam<V>)
                    drawn(|s, stream| {
                        roam(host, parameters, s.seed, AgentId::NONE.0, stream, s.time)
                    })
                }
                Explore(Explore<V>) explore {
                    " of the cells that `explored` has not been told of; tell it the host's position
                    at each tick by [`Explored::visit`]"
                    host(explored: &Explored<V>) entry(|_| explore(host, explored))
                }
                Forage(Forage<V>) forage {
                    " for the target `in_sight`, with a tick of `dt` (time)"
                    host(
                        in_sight: Option<V>, slowing_radius: f32, parameters: &Wander,
                        memory: &mut Memory<V>, dt: f32
                    )
                    drawn(|s, stream| {
                        let host = s.agent_with_heading(host, memory.heading);
                        let mut random = s.rng_key().random(AgentId::NONE.0, stream);
                        let (random, to) = (&mut random, &mut memory.wander);
                        let dt = checked_dt(dt);
                        forage(&host, in_sight, slowing_radius, parameters, to, random, dt)
                    })
                }
                AvoidObstacles(AvoidObstacles) avoid_obstacles {
                    <'a> host(
                        obstacles: impl IntoIterator<Item = &'a Obstacle<V>>,
                        parameters: &AvoidObstacles
                    )
                    headed(host, |host| avoid_obstacles(&host, obstacles, parameters))
                }
                AvoidAgents(AvoidAgents) avoid_agents {
                    host(neighbors: &Neighbors<V>, parameters: &AvoidAgents)
                    headed(host, |host| avoid_agents(&host, neighbors, parameters))
                }
                SocialForce(SocialForce) social_force {
                    " of `neighbors` and of the surfaces of these obstacles"
                    host(
                        neighbors: &Neighbors<V>, obstacles: Obstacles<'_, V>,
                        parameters: &SocialForce
                    )
                    headed(host, |host| {
                        social_force(&host, neighbors, (obstacles, &Space::OPEN), parameters)
                    })
                }
                FollowWall(FollowWall) follow_wall {
                    " at `distance` from the walls at most `within` away; `lookahead` is a time"
                    <'a> host(
                        obstacles: impl Into<Obstacles<'a, V>>, distance: f32, lookahead: f32,
                        within: f32
                    )
                    headed(host, |host| {
                        follow_wall(&host, obstacles.into(), distance, lookahead, within)
                    })
                }
                Contain(Contain<V>) contain {
                    " in `region`; `lookahead` is a time"
                    host(region: &Shape<V>, lookahead: f32)
                    entry(|_| contain(host, region, lookahead))
                }
                FollowPath(FollowPath) follow_path {
                    " of `path`; the id in `parameters`, such as `PathId(0)`, is not read"
                    host(path: &Path<V>, parameters: &FollowPath, memory: &mut Memory<V>)
                    entry(|_| follow_path(host, path, parameters, &mut memory.path))
                }
                FollowVehicle(FollowVehicle) follow_vehicle {
                    " along `path` with a tick of `dt` (time); the id in `parameters`, such as
                    `PathId(0)`, is not read"
                    host(
                        neighbors: &Neighbors<V>, path: &Path<V>, parameters: &FollowVehicle,
                        dt: f32
                    )
                    entry(|_| follow_vehicle(host, neighbors, path, parameters, checked_dt(dt)))
                }
                QueueAlong(QueueAlong) queue_along {
                    " `path`: the host has the place `place`, or walks to that behind the `standing`
                    others; the id in `parameters`, such as `PathId(0)`, is not read"
                    host(
                        path: &Path<V>, parameters: &QueueAlong, place: Option<u32>,
                        standing: u32
                    )
                    entry(|_| queue_along(host, path, parameters, place, standing))
                }
                FollowFlow(FollowFlow) follow_flow {
                    ", by the field's direction at the host's position"
                    <'a> host(field: &FlowField<V>, obstacles: impl Into<Obstacles<'a, V>>)
                    entry(|_| follow_flow(host, field, obstacles.into(), 0.0, 0.0))
                }
                CrossLine(CrossLine<V>) cross_line {
                    " over the line between two points to the side `to`, at least `margin` (length)
                    and the radius of the body from its ends"
                    host(line: [V; 2], to: LineSide, margin: f32)
                    entry(|_| cross_line(host, line, to, margin))
                }
                Navigate(Navigate<V>) navigate {
                    " to the next `point` of a way of which the length `left` is left (lengths),
                    such as an [`Aim`](crate::route::Aim)"
                    host(point: V, left: f32, slowing_radius: f32)
                    entry(|_| navigate(host, point, left, slowing_radius))
                }
                Separation(Separation) separation {
                    host(neighbors: &Neighbors<V>, parameters: &Separation)
                    headed(host, |host| separation(&host, neighbors, parameters))
                }
                Alignment(Alignment) alignment {
                    host(neighbors: &Neighbors<V>, parameters: &Alignment)
                    headed(host, |host| alignment(&host, neighbors, parameters))
                }
                Cohesion(Cohesion) cohesion {
                    host(neighbors: &Neighbors<V>, parameters: &Cohesion)
                    headed(host, |host| cohesion(&host, neighbors, parameters))
                }
                Flock(Flock) flock {
                    host(neighbors: &Neighbors<V>, parameters: &Flock)
                    headed(host, |host| flock(&host, neighbors, parameters))
                }
                FollowLeader(FollowLeader) follow_leader {
                    ".\n\nA leader whose type stores no heading faces +x at rest; pass the result of
                    [`Memory::agent_with_heading`] to keep the leader's last heading"
                    host(
                        leader: &impl Host<V>, neighbors: &Neighbors<V>,
                        parameters: &FollowLeader
                    )
                    headed(host, |host| {
                        follow_leader(&host, &AgentView::of(leader), neighbors, parameters)
                    })
                }
                Formation(Formation<V>) formation {
                    ": the slot `(ahead, beside)` of `leader`, such as one of
                    [`formation_slot`](crate::behavior::formation_slot)"
                    host(leader: &impl Host<V>, slot: (f32, f32), slowing_radius: f32)
                    entry(|_| formation(host, &AgentView::of(leader), slot, slowing_radius))
                }
            }
            solvers {
                Queue queue {
                    ", which brakes the sum so far: call it last. `dt` is the tick (time)"
                    host(
                        neighbors: &Neighbors<V>, parameters: &Queue, memory: &Memory<V>,
                        dt: f32
                    )
                    solved(host, memory, |host, sum| {
                        queue(host, sum, neighbors, parameters, checked_dt(dt))
                    })
                }
                Pedestrian pedestrian {
                    " among these obstacles: the sum so far says where to go, and the next velocity
                    is decided, whatever the mass and max_force of the host are. Call it last, and
                    not inside [`weighted`](Self::weighted) or [`priority`](Self::priority). `dt` is
                    the tick (time)"
                    host(
                        neighbors: &Neighbors<V>, obstacles: Obstacles<'_, V>,
                        parameters: &Pedestrian, memory: &Memory<V>, dt: f32
                    )
                    solved(host, memory, |host, sum| {
                        let walls = (obstacles, &Space::OPEN);
                        pedestrian(host, sum, neighbors, walls, parameters, checked_dt(dt))
                    })
                }
                Orca orca {
                    ", also with these obstacles: the sum so far says where to go, and the next
                    velocity is decided, whatever the mass and max_force of the host are. Call it
                    last, and not inside [`weighted`](Self::weighted) or
                    [`priority`](Self::priority). `dt` is the tick (time)"
                    host(
                        neighbors: &Neighbors<V>, obstacles: Obstacles<'_, V>,
                        parameters: &Orca, memory: &Memory<V>, dt: f32
                    )
                    solved(host, memory, |host, sum| {
                        let walls = (obstacles, &Space::OPEN);
                        orca(host, sum, neighbors, walls, parameters, checked_dt(dt))
                    })
                }
            }
        }
    };
}

macro_rules! registered {
    (
        behaviors { $($variant:ident($type:ty) $name:ident $method:tt)* }
        solvers { $($solver:ident $solver_name:ident $solver_method:tt)* }
    ) => {
        /// Any behavior or solver with its parameters: the content of a slot of a list.
        // A tag of its own, not in a niche of some variant: a list dispatches on it for each entry
        // of each agent.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Behavior<V: Vector> {
            $(#[doc = concat!("See [`", stringify!($variant), "`].")] $variant($type),)*
            /// A velocity solver; the last of its list.
            Solver(Solver<V>),
            /// A user's behavior without described parameters, with its name in errors and
            /// snapshots.
            Own(&'static str, Arc<dyn Steer<V>>),
            /// A user's behavior with described parameters; see [`Registry`](super::Registry).
            Described(Box<dyn DescribedSteer<V>>),
        }

        impl<V: Vector> Behavior<V> {
            /// A user's behavior, with its name in errors and snapshots; see
            /// [`Steer`](crate::behavior::Steer) for an example.
            pub fn own(name: &'static str, steer: impl Steer<V> + 'static) -> Self {
                Self::Own(name, Arc::new(steer))
            }

            /// A user's behavior from its formula: the force on the host, desired velocity minus
            /// velocity (length / time). Its memory is kept for each agent. A behavior that reads
            /// neighbors implements [`Steer`](crate::behavior::Steer), which says how far.
            ///
            /// ```
            /// use wayfare::prelude::*;
            /// // Round a point, at full speed.
            /// let circle = Behavior::<Vec2>::from_fn("circle", |host, _, _| {
            ///     let around = vec2(0.0, 0.0) - host.position;
            ///     around.perp().normalize_or_zero() * host.max_speed - host.velocity
            /// });
            /// let ring = Spawn::ring(vec2(0.0, 0.0), 5.0);
            /// let moths = Group::new("moths", 9, ring, 1.0).steer(circle);
            /// let mut crowd = Setup::new(0.1).group(moths).crowd()?;
            /// (0..100).for_each(|_| crowd.step());
            /// let turns = |moth: &Agent<Vec2>| moth.position.perp_dot(moth.velocity) < -4.5;
            /// assert!(crowd.agents().all(|(_, moth)| turns(&moth)));
            /// # Ok::<(), SetupError>(())
            /// ```
            pub fn from_fn<F>(name: &'static str, force: F) -> Self
            where
                F: Fn(&Agent<V>, &mut Memory<V>, &mut SteerContext<'_, V>) -> V
                    + Send
                    + Sync
                    + 'static,
            {
                Self::own(name, Formula(name, force))
            }

            /// A user's behavior with parameters that [`parameters!`](crate::parameters) describes.
            pub fn described(steer: impl DescribedSteer<V> + 'static) -> Self {
                Self::Described(Box::new(steer))
            }

            /// Whether it runs a user's code, which may read anything of the context.
            pub(crate) fn is_users(&self) -> bool {
                matches!(
                    self,
                    Self::Own(..) | Self::Described(_) | Self::Solver(Solver::Own(..))
                )
            }

            /// Whether a parameter refers to the order of the host.
            pub(crate) fn names_order(&self) -> bool {
                let value = |parameter: &Parameter| self.get(parameter.name);
                self.parameters().iter().filter_map(value).any(|value| value.is_order())
            }

            /// All built-in content of a slot of a list: the behaviors, then the
            /// [solvers](Solver::LIST).
            pub const LIST: &'static [Description] =
                &[$(Description::of::<V, $type>(),)* $(Description::of::<V, $solver>(),)*];

            /// The built-in behavior or solver `name` with its defaults. The required parameters
            /// hold placeholders until they are set.
            pub fn from_name(name: &str) -> Option<Self> {
                V::behavior(name)
            }

            pub(crate) fn from_name_here(name: &str) -> Option<Self> {
                $(if name == <$type as Parameters<V>>::NAME {
                    return Some(Self::$variant(Parameters::<V>::undecoded()));
                })*
                Solver::from_name(name).map(Self::Solver)
            }

            /// The name, which is its key in scenes.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => <$type as Parameters<V>>::NAME,)*
                    Self::Solver(solver) => solver.name(),
                    Self::Own(name, _) => name,
                    Self::Described(b) => b.description().name,
                }
            }

            /// The descriptions of its parameters; none for [`Behavior::Own`].
            pub fn parameters(&self) -> &'static [Parameter] {
                match self {
                    $(Self::$variant(_) => <$type as Parameters<V>>::PARAMETERS,)*
                    Self::Solver(solver) => solver.parameters(),
                    Self::Own(..) => &[],
                    Self::Described(b) => b.description().parameters,
                }
            }

            /// Its roles; none for [`Behavior::Own`].
            pub fn roles(&self) -> Roles {
                match self {
                    $(Self::$variant(_) => <$type as Parameters<V>>::ROLES,)*
                    Self::Solver(solver) => solver.roles(),
                    Self::Own(..) => Roles::NONE,
                    Self::Described(b) => b.description().roles,
                }
            }

            /// Sets the parameter `name`; `false` if there is none, or the value is of another
            /// kind.
            pub fn set(&mut self, name: &str, value: Value<V>) -> bool {
                V::set_value_of(self, name, value)
            }

            pub(crate) fn set_here(&mut self, name: &str, value: Value<V>) -> bool {
                match self {
                    $(Self::$variant(b) => b.set(name, value),)*
                    Self::Solver(solver) => solver.set(name, value),
                    Self::Own(..) => false,
                    Self::Described(b) => b.set_value(name, value),
                }
            }

            /// Gives the parameters that are `"auto"` the numbers of their formulas, except those
            /// that are [by host](crate::parameter::Formula::by_host).
            pub(crate) fn resolve(&mut self, scale: &Scale) {
                match self {
                    Self::Flock(flock) => flock.complete(scale),
                    Self::FollowLeader(follow) => follow.complete(),
                    Self::Separation(separation) => separation.complete(),
                    Self::Forage(forage) => forage.complete(),
                    Self::Solver(Solver::Queue(queue)) => queue.complete(scale),
                    _ => {}
                }
                for parameter in self.parameters() {
                    let Some(value) = self.get(parameter.name) else { continue };
                    if let Some(number) = parameter.kind.resolved(value, scale) {
                        self.set(parameter.name, number);
                    }
                }
            }

            /// The value of the parameter `name`; `None` if there is none, or it was left out.
            pub fn get(&self, name: &str) -> Option<Value<V>> {
                V::value_of(self, name)
            }

            pub(crate) fn get_here(&self, name: &str) -> Option<Value<V>> {
                match self {
                    $(Self::$variant(b) => b.get(name),)*
                    Self::Solver(solver) => solver.get(name),
                    Self::Own(..) => None,
                    Self::Described(b) => b.value(name),
                }
            }
        }

        impl<V: Vector> Behavior<V> {
            /// The force. `memory` returns the memory; its argument is whether the behavior uses
            /// one.
            #[inline(always)]
            pub(crate) fn force_with<'m>(
                &self,
                host: &Agent<V>,
                memory: impl FnOnce(bool) -> &'m mut Memory<V>,
                context: &mut SteerContext<'_, V>,
                debug: DebugDraw<'_, V>,
            ) -> V {
                match self {
                    $(Self::$variant(b) => {
                        let remembers = <$type as Parameters<V>>::NEEDS.has(Needs::MEMORY);
                        b.force(host, memory(remembers), context, debug)
                    })*
                    Self::Solver(solver) => solver.apply(host, context, debug),
                    Self::Own(_, b) => b.force(host, memory(true), context, debug),
                    Self::Described(b) => b.force(host, memory(true), context, debug),
                }
            }
        }

        impl<V: Vector> Steer<V> for Behavior<V> {
            fn force(
                &self,
                host: &Agent<V>,
                memory: &mut Memory<V>,
                context: &mut SteerContext<'_, V>,
                debug: DebugDraw<'_, V>,
            ) -> V {
                self.force_with(host, |_| memory, context, debug)
            }
            fn neighbor_radius(&self) -> Option<f32> {
                match self {
                    $(Self::$variant(b) => Steer::<V>::neighbor_radius(b),)*
                    Self::Solver(solver) => solver.neighbor_radius(),
                    Self::Own(_, b) => b.neighbor_radius(),
                    Self::Described(b) => b.neighbor_radius(),
                }
            }
            fn needs(&self) -> Needs {
                match self {
                    $(Self::$variant(_) => <$type as Parameters<V>>::NEEDS,)*
                    Self::Solver(solver) => solver.needs(),
                    Self::Own(_, b) => b.needs().and(Needs::OF_USERS),
                    Self::Described(b) => b.all_needs().and(Needs::OF_USERS),
                }
            }
            fn motion_of_host(&self) -> HostMotion {
                match self {
                    $(Self::$variant(b) => Steer::<V>::motion_of_host(b),)*
                    Self::Solver(_) | Self::Own(..) | Self::Described(_) => HostMotion::Read,
                }
            }
            fn rule(&self) -> Option<Rule<'_>> {
                match self {
                    $(Self::$variant(b) => Steer::<V>::rule(b),)*
                    Self::Solver(_) | Self::Own(..) | Self::Described(_) => None,
                }
            }
        }

        $(impl<V: Vector> From<$type> for Behavior<V> {
            fn from(behavior: $type) -> Self {
                Self::$variant(behavior)
            }
        })*

        $(impl<V: Vector> From<$solver> for Behavior<V> {
            fn from(solver: $solver) -> Self {
                Self::Solver(solver.into())
            }
        })*
    };
}

behaviors!(registered);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::{neighbors_at, some_values};
    use crate::context::{AgentView, GroupQuery};
    use crate::id::{AgentId, GroupId};
    use crate::parameter::{Kind, Target};
    use crate::spatial::group_center::GroupCenter;
    use crate::spatial::space::Space;
    use glam::Vec2;

    #[test]
    fn every_parameter_of_every_behavior_keeps_the_value_it_is_set_to() {
        for description in Behavior::<Vec2>::LIST {
            let mut behavior = Behavior::<Vec2>::from_name(description.name).unwrap();
            assert_eq!(behavior.name(), description.name);
            for parameter in description.parameters {
                for value in some_values(parameter.kind) {
                    let key = format!("{}.{}", description.name, parameter.name);
                    assert_eq!(parameter.kind.check(&value), Ok(()), "{key}");
                    assert!(behavior.set(parameter.name, value.clone()), "{key}");
                    assert_eq!(behavior.get(parameter.name), Some(value), "{key}");
                }
                assert!(
                    !behavior.set(parameter.name, Value::Word("no such word")),
                    "{}",
                    parameter.name
                );
            }
            assert!(
                !behavior.set("no such parameter", Value::Number(1.0))
                    && behavior.get("no such parameter").is_none()
            );
            assert_eq!(behavior.parameters().len(), description.parameters.len());
        }
        assert!(Behavior::<Vec2>::from_name("no such behavior").is_none());
    }

    #[test]
    fn a_behavior_that_reads_neighbors_has_a_neighbor_radius() {
        for description in Behavior::<Vec2>::LIST {
            let mut behavior = Behavior::<Vec2>::from_name(description.name).unwrap();
            // These solvers have another name in place of a radius.
            let name = match description.name {
                "pedestrian" => "sight",
                "orca" => "neighbor_dist",
                _ => "radius",
            };
            behavior.set(name, Value::Number(7.0));
            behavior.set("ahead", Value::Number(0.0));
            // Without this number followers keep apart by a separation of the radius "auto".
            behavior.set("behind", Value::Number(0.0));
            let radius = description.parameters.iter().any(|p| p.name == name).then_some(7.0);
            assert_eq!(behavior.neighbor_radius(), radius, "{}", description.name);
        }
    }

    /// The only member of every group, at rest at the origin.
    #[derive(Debug)]
    struct AtOrigin;

    impl GroupQuery<Vec2> for AtOrigin {
        fn nearest(
            &self,
            _: GroupId,
            to: Vec2,
            within: f32,
            _: AgentId,
        ) -> Option<AgentView<Vec2>> {
            (to.length() <= within).then(|| AgentView::new(Vec2::ZERO, Vec2::ZERO))
        }
        fn count(&self, group: GroupId, to: Vec2, within: f32, except: AgentId) -> usize {
            usize::from(self.nearest(group, to, within, except).is_some())
        }
        fn center(&self, _: GroupId) -> Option<GroupCenter<Vec2>> {
            GroupCenter::of(&Space::OPEN, [(AgentId(0), Vec2::ZERO)].into_iter())
        }
    }

    #[test]
    fn no_behavior_fails_at_rest_at_distance_zero_or_without_neighbors() {
        let host = Agent::new(Vec2::ZERO, 4.0);
        let coincident = neighbors_at(&[(Vec2::ZERO, Vec2::ZERO, 0)]);
        for description in Behavior::<Vec2>::LIST {
            let mut behavior = Behavior::<Vec2>::from_name(description.name).unwrap();
            for parameter in description.parameters.iter().filter(|p| p.required) {
                let value = match parameter.kind {
                    Kind::Number(_) | Kind::NumberOr(..) | Kind::Auto(..) => Value::Number(0.5),
                    Kind::Target => Value::Target(Target::Point(Vec2::ZERO)),
                    kind => some_values(kind).remove(0),
                };
                assert!(behavior.set(parameter.name, value));
            }
            let alone = SteerContext::empty(1.0);
            let crowded = SteerContext { neighbors: &coincident, groups: &AtOrigin, ..alone };
            for mut context in [alone, crowded] {
                let mut memory = Memory { slot: Some(0), ..Memory::default() };
                let force = behavior.force(&host, &mut memory, &mut context, DebugDraw::OFF);
                // The inverse push of `flock` is at most 64 times its strength, here 64 * 4 * 1.5.
                assert!(force.is_finite() && force.length() <= 384.001, "{}", description.name);
            }
        }
    }
}
