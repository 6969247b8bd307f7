//! The list of all behaviors: a new behavior is one line of `behaviors!` below.

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::users::{DescribedSteer, Formula};
use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::{
    Alignment, Arrive, AvoidAgents, AvoidObstacles, Cohesion, Contain, CrossLine, Evade, Explore,
    Face, Flee, Flock, FollowFlow, FollowLeader, FollowPath, FollowVehicle, FollowWall, Forage,
    Formation, Herd, Hide, Interpose, LookWhereGoing, MatchHeading, MatchVelocity, Navigate,
    OffsetPursue, Pursue, QueueAlong, Roam, Seek, Separation, Settle, Shadow, SocialForce, Steer,
    Stop, Wander,
};
use crate::context::SteerContext;
use crate::parameter::{Description, Needs, Parameter, Parameters, Roles, Value};
use crate::solve::{Orca, Pedestrian, Queue, SOLVER_COUNT, Solve, Solver};
use crate::vector::Vector;

macro_rules! behaviors {
    ($($variant:ident($type:ty),)*; $($solver:ty),*) => {
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
            /// neighbors implements [`Steer`](crate::behavior::Steer).
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

            /// The built-in behaviors without the solvers.
            const STEERING: &'static [Description] =
                &[$(Description::of::<V, $type>(),)*];

            /// All built-in content of a slot of a list: the behaviors, then the
            /// [solvers](Solver::LIST).
            pub const LIST: &'static [Description] = &joined(Self::STEERING, Solver::<V>::LIST);

            /// The built-in behavior or solver `name` with its defaults. The required parameters
            /// hold placeholders until they are set.
            pub fn from_name(name: &str) -> Option<Self> {
                $(if name == <$type as Parameters<V>>::NAME {
                    return Some(Self::$variant(Parameters::<V>::defaults()));
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
                match self {
                    $(Self::$variant(b) => b.set(name, value),)*
                    Self::Solver(solver) => solver.set(name, value),
                    Self::Own(..) => false,
                    Self::Described(b) => b.set_value(name, value),
                }
            }

            /// The value of the parameter `name`; `None` if there is none, or it was left out.
            pub fn get(&self, name: &str) -> Option<Value<V>> {
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
                    $(Self::$variant(b) =>
                        b.force(host, memory(<$type as Parameters<V>>::NEEDS.has(Needs::MEMORY)), context, debug),)*
                    Self::Solver(solver) => solver.apply(host, context, debug),
                    Self::Own(_, b) => {
                        b.force(host, memory(b.needs().has(Needs::MEMORY)), context, debug)
                    }
                    Self::Described(b) => {
                        b.force(host, memory(self.needs().has(Needs::MEMORY)), context, debug)
                    }
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
                    Self::Own(_, b) => b.needs(),
                    Self::Described(b) => b.description().needs.and(b.needs()),
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

        /// The number of behaviors without the solvers.
        const STEERING_COUNT: usize = [$(stringify!($variant)),*].len();
    };
}

behaviors! {
    Seek(Seek<V>),
    Flee(Flee<V>),
    Arrive(Arrive<V>),
    Settle(Settle<V>),
    Stop(Stop),
    Pursue(Pursue),
    Evade(Evade),
    OffsetPursue(OffsetPursue),
    Interpose(Interpose),
    Herd(Herd<V>),
    Hide(Hide),
    Shadow(Shadow),
    MatchVelocity(MatchVelocity),
    Face(Face<V>),
    LookWhereGoing(LookWhereGoing),
    MatchHeading(MatchHeading),
    Wander(Wander),
    Roam(Roam<V>),
    Explore(Explore<V>),
    Forage(Forage<V>),
    AvoidObstacles(AvoidObstacles),
    AvoidAgents(AvoidAgents),
    SocialForce(SocialForce),
    FollowWall(FollowWall),
    Contain(Contain<V>),
    FollowPath(FollowPath),
    FollowVehicle(FollowVehicle),
    QueueAlong(QueueAlong),
    FollowFlow(FollowFlow),
    CrossLine(CrossLine<V>),
    Navigate(Navigate<V>),
    Separation(Separation),
    Alignment(Alignment),
    Cohesion(Cohesion),
    Flock(Flock),
    FollowLeader(FollowLeader),
    Formation(Formation<V>),
    ; Queue, Pedestrian, Orca
}

/// The number of behaviors and solvers.
const COUNT: usize = STEERING_COUNT + SOLVER_COUNT;

/// Both lists in one array.
const fn joined(behaviors: &[Description], solvers: &[Description]) -> [Description; COUNT] {
    let mut all = [behaviors[0]; COUNT];
    let mut i = 0;
    while i < COUNT {
        all[i] = if i < STEERING_COUNT { behaviors[i] } else { solvers[i - STEERING_COUNT] };
        i += 1;
    }
    all
}

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
        assert_eq!(Behavior::<Vec2>::LIST.len(), COUNT);
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
                    Kind::Number(_) | Kind::NumberOr(..) => Value::Number(0.5),
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
