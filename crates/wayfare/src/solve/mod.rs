//! Velocity solvers: the last entry of a list, which reads the sum of the preceding forces and
//! decides the velocity.
//!
//! A behavior adds its force to the sum. A solver reads the sum, may cancel all of it, and may
//! replace the velocity that the step starts from. A list ends in at most one solver; validation
//! refuses a solver in another position. A new solver is a file, its `mod` here, and its entry in
//! `registry/list.rs`.

use alloc::sync::Arc;
use core::fmt::Debug;

use crate::agent::Agent;
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::id::AgentId;
use crate::parameter::{Description, Needs, Parameter, Parameters, Roles, Value};
use crate::spatial::neighbors::Neighbors;
use crate::vector::Vector;

mod orca;
mod pedestrian;
mod queue;

/// The result of a solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution<V> {
    /// The force that is added to the sum (length / time), after multiplication with the weight of
    /// the slot. A solver that sets the velocity to `w` for any sum returns `w - v - sum`.
    pub force: V,
    /// The velocity from which the step starts (length / time), in place of the host's own.
    pub start: V,
}

/// One of several hosts of a grid cell whose velocities are decided together; see
/// [`Solve::solve_cell`].
#[derive(Clone, Debug)]
pub struct CellHost<V: Vector> {
    /// Its id.
    pub id: AgentId,
    /// The host.
    pub host: Agent<V>,
    /// The combined force of its list, not truncated (length / time).
    pub sum: V,
    /// The decision: the velocity from which the step starts (length / time).
    pub start: V,
    /// Its position in the coordinates of the neighbors (length).
    pub(crate) place: V,
}

impl<V: Vector> CellHost<V> {
    /// Makes it the host of the neighbors of its cell.
    #[inline(always)]
    pub fn select(&self, neighbors: &mut Neighbors<V>) {
        neighbors.move_host(self.id, self.place);
    }
}

/// A velocity solver. Built-in and user-defined solvers implement the same trait.
pub trait Solve<V: Vector>: Debug + Send + Sync {
    /// The solution for `host`, where `sum` is the weighted sum of the preceding forces of the
    /// list, not truncated (length / time).
    fn solve(
        &self,
        host: &Agent<V>,
        sum: V,
        context: &SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> Solution<V>;

    /// The radius in which the solver reads neighbors (length); `None` if it reads none.
    fn neighbor_radius(&self) -> Option<f32> {
        None
    }

    /// What the solver needs, [`Needs::BODIES`] if it reads those of its neighbors; what
    /// [`parameters!`](crate::parameters) names is added in the built-in ones.
    fn needs(&self) -> Needs {
        Needs::NONE
    }

    /// Whether the solver alone decides the velocity of the step, as it cancels the sum: it returns
    /// `-sum` as the force.
    ///
    /// Such a solver acts on the combined force of its list whatever the rule of the list, is
    /// evaluated at every tick also in a group with `think_every`, and drag has no effect. It has
    /// to be the last entry of the whole list: an inner list cannot end in it.
    fn decides_velocity(&self) -> bool {
        false
    }

    /// Whether the velocity that the solver decides plans for bodies that press on one another.
    ///
    /// Then a contact of solid bodies leaves the velocity as it is. Otherwise its part into what is
    /// touched is taken away, so that neighbors read the velocity with which a body moves.
    fn plans_contacts(&self) -> bool {
        self.decides_velocity()
    }

    /// Whether the solver decides the velocity, and a crowd calls [`solve_cell`](Self::solve_cell)
    /// for the agents of a grid cell in place of [`solve`](Self::solve) for each of them.
    fn solves_cells(&self) -> bool {
        false
    }

    /// Sets the start of the step of several hosts of one grid cell that have this solver, each to
    /// what [`solve`](Self::solve) gives. By default one by one; a solver that takes each step of
    /// its formula for all hosts before the next step gives the processor independent work.
    ///
    /// `neighbors` are those of all the hosts: [`CellHost::select`] selects one. `context`
    /// has no goal, order, group or other input of a single agent.
    fn solve_cell(
        &self,
        hosts: &mut [CellHost<V>],
        neighbors: &mut Neighbors<V>,
        context: &SteerContext<'_, V>,
    ) {
        for cell_host in hosts {
            cell_host.select(neighbors);
            let CellHost { id, host, sum, start, .. } = cell_host;
            let context = SteerContext { id: *id, sum: *sum, neighbors, ..*context };
            *start = self.solve(host, *sum, &context, DebugDraw::OFF).start;
        }
    }
}

macro_rules! solvers {
    (behaviors $behaviors:tt solvers { $($variant:ident $name:ident $method:tt)* }) => {
        $(pub use $name::*;)*

        /// Any solver with its parameters.
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum Solver<V: Vector> {
            $(#[doc = concat!("See [`", stringify!($variant), "`].")] $variant($variant),)*
            /// A user's solver, with its name in errors and snapshots.
            Own(&'static str, Arc<dyn Solve<V>>),
        }

        impl<V: Vector> Solver<V> {
            /// A user's solver, with its name in errors and snapshots.
            pub fn own(name: &'static str, solve: impl Solve<V> + 'static) -> Self {
                Self::Own(name, Arc::new(solve))
            }

            /// The built-in solvers.
            pub const LIST: &'static [Description] = &[$(Description::of::<V, $variant>(),)*];

            /// The built-in solver `name` with its defaults. The required parameters hold
            /// placeholders until they are set.
            pub fn from_name(name: &str) -> Option<Self> {
                $(if name == <$variant as Parameters<V>>::NAME {
                    return Some(Self::$variant(Parameters::<V>::undecoded()));
                })*
                None
            }

            /// The name, which is its key in scenes.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => <$variant as Parameters<V>>::NAME,)*
                    Self::Own(name, _) => name,
                }
            }

            /// The descriptions of its parameters; none for [`Solver::Own`].
            pub fn parameters(&self) -> &'static [Parameter] {
                match self {
                    $(Self::$variant(_) => <$variant as Parameters<V>>::PARAMETERS,)*
                    Self::Own(..) => &[],
                }
            }

            /// Its roles; none for [`Solver::Own`].
            pub fn roles(&self) -> Roles {
                match self {
                    $(Self::$variant(_) => <$variant as Parameters<V>>::ROLES,)*
                    Self::Own(..) => Roles::NONE,
                }
            }

            /// Sets the parameter `name`; `false` if there is none, or the value is of another
            /// kind.
            pub fn set(&mut self, name: &str, value: Value<V>) -> bool {
                match self {
                    $(Self::$variant(s) => s.set(name, value),)*
                    Self::Own(..) => false,
                }
            }

            /// The value of the parameter `name`; `None` if there is none, or it was left out.
            pub fn get(&self, name: &str) -> Option<Value<V>> {
                match self {
                    $(Self::$variant(s) => s.get(name),)*
                    Self::Own(..) => None,
                }
            }
        }

        impl<V: Vector> Solve<V> for Solver<V> {
            fn solve(
                &self,
                host: &Agent<V>,
                sum: V,
                context: &SteerContext<'_, V>,
                debug: DebugDraw<'_, V>,
            ) -> Solution<V> {
                match self {
                    $(Self::$variant(s) => s.solve(host, sum, context, debug),)*
                    Self::Own(_, s) => s.solve(host, sum, context, debug),
                }
            }
            fn neighbor_radius(&self) -> Option<f32> {
                match self {
                    $(Self::$variant(s) => Solve::<V>::neighbor_radius(s),)*
                    Self::Own(_, s) => s.neighbor_radius(),
                }
            }
            fn needs(&self) -> Needs {
                match self {
                    $(Self::$variant(_) => <$variant as Parameters<V>>::NEEDS,)*
                    Self::Own(_, s) => s.needs(),
                }
            }
            fn decides_velocity(&self) -> bool {
                match self {
                    $(Self::$variant(s) => Solve::<V>::decides_velocity(s),)*
                    Self::Own(_, s) => s.decides_velocity(),
                }
            }
            fn plans_contacts(&self) -> bool {
                match self {
                    $(Self::$variant(s) => Solve::<V>::plans_contacts(s),)*
                    Self::Own(_, s) => s.plans_contacts(),
                }
            }
            #[inline(always)]
            fn solves_cells(&self) -> bool {
                match self {
                    $(Self::$variant(s) => Solve::<V>::solves_cells(s),)*
                    Self::Own(_, s) => s.solves_cells(),
                }
            }
            #[inline(always)]
            fn solve_cell(
                &self,
                hosts: &mut [CellHost<V>],
                neighbors: &mut Neighbors<V>,
                context: &SteerContext<'_, V>,
            ) {
                match self {
                    $(Self::$variant(s) => s.solve_cell(hosts, neighbors, context),)*
                    Self::Own(_, s) => s.solve_cell(hosts, neighbors, context),
                }
            }
        }

        $(impl<V: Vector> From<$variant> for Solver<V> {
            fn from(solver: $variant) -> Self {
                Self::$variant(solver)
            }
        })*
    };
}

behaviors!(solvers);

impl<V: Vector> Solver<V> {
    /// Whether it keeps the bodies of agents in the plane apart: then they need a radius.
    pub(crate) fn keeps_bodies_apart(&self) -> bool {
        self.roles().has(Roles::KEEPS_APART)
    }

    /// Solves for the sum in `context`, stores the start of the step there, and returns the force.
    pub(crate) fn apply(
        &self,
        host: &Agent<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V {
        let solution = self.solve(host, context.sum, context, debug);
        context.start = Some(solution.start);
        solution.force
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Memory;
    use crate::behavior::Steer;
    use crate::registry::Behavior;
    use glam::{Vec2, vec2};

    /// A solver that sets the velocity to (1, 2) for any sum.
    #[derive(Debug)]
    struct Fixed;

    impl Solve<Vec2> for Fixed {
        fn solve(
            &self,
            host: &Agent<Vec2>,
            sum: Vec2,
            _: &SteerContext<'_, Vec2>,
            _: DebugDraw<'_, Vec2>,
        ) -> Solution<Vec2> {
            Solution { force: vec2(1.0, 2.0) - host.velocity - sum, start: host.velocity }
        }
        fn neighbor_radius(&self) -> Option<f32> {
            Some(7.0)
        }
    }

    #[test]
    fn a_users_solver_decides_the_velocity_for_any_sum() {
        let fixed: Behavior<Vec2> = Behavior::Solver(Solver::own("fixed", Fixed));
        assert_eq!((fixed.name(), fixed.neighbor_radius()), ("fixed", Some(7.0)));
        let host = Agent::new(Vec2::ZERO, 5.0).moving(vec2(0.5, 0.25));
        let mut context = SteerContext { sum: vec2(-4.0, 8.0), ..SteerContext::empty(1.0) };
        let force = fixed.force(&host, &mut Memory::default(), &mut context, DebugDraw::OFF);
        assert_eq!(host.velocity + context.sum + force, vec2(1.0, 2.0));
        assert_eq!(context.start, Some(host.velocity));
    }

    #[test]
    fn the_list_of_behaviors_includes_every_solver() {
        for solver in Solver::<Vec2>::LIST {
            assert_eq!(Solver::<Vec2>::from_name(solver.name).unwrap().name(), solver.name);
            let behavior = Behavior::<Vec2>::from_name(solver.name).unwrap();
            assert!(matches!(behavior, Behavior::Solver(_)), "{}", solver.name);
            assert!(Behavior::<Vec2>::LIST.iter().any(|other| other.name == solver.name));
        }
    }
}
