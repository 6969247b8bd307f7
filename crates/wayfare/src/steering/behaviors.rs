//! The methods of [`Steering`] for the single behaviors, made from the list of all.

use super::{Steering, checked_dt};
use crate::agent::{Agent, Host, Memory};
use crate::annotation::DebugDraw;
use crate::behavior::*;
use crate::context::{AgentView, SteerContext};
use crate::geometry::explored::Explored;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::{Obstacle, Obstacles, Shape};
use crate::geometry::path::Path;
use crate::id::AgentId;
use crate::solve::*;
use crate::spatial::neighbors::Neighbors;
use crate::spatial::space::Space;
use crate::vector::Vector;

macro_rules! methods {
    (
        behaviors { $($variant:ident($type:ty) $name:ident { $($method:tt)* })* }
        solvers { $($solver:ident $solver_name:ident { $($solver_method:tt)* })* }
    ) => {
        /// The behaviors. Distances are lengths; `host` is the agent of this manager.
        ///
        /// Their methods take z as up. For another axis call [`steer`](Self::steer) with a context
        /// whose space has that axis.
        impl<V: Vector> Steering<V> {
            $(methods! { @method behavior $name $($method)* })*
            $(methods! { @method solve $solver_name $($solver_method)* })*
        }
    };
    (@method $module:ident $name:ident
    $($doc:literal)? $(<$life:lifetime>)? $($host:ident)? ($($arg:ident: $type:ty),*)
    $add:ident($($call:tt)*)) => {
        #[doc = concat!("Adds [`", stringify!($name), "`](crate::", stringify!($module), "::",
            stringify!($name), "())" $(, $doc)?, ".")]
        pub fn $name$(<$life>)?(
            &mut self,
            $($host: &impl Host<V>,)?
            $($arg: $type),*
        ) -> &mut Self {
            self.$add($($call)*)
        }
    };
}

behaviors!(methods);

impl<V: Vector> Steering<V> {
    /// Adds any behavior, built-in or user-defined, in `context`, whose sum, time and random
    /// numbers become those of this manager.
    pub fn steer(
        &mut self,
        host: &impl Host<V>,
        behavior: &impl Steer<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
    ) -> &mut Self {
        context.dt = checked_dt(context.dt);
        self.drawn(|s, stream| {
            let host = s.agent_with_heading(host, memory.heading);
            (context.sum, context.rng_key, context.time, context.stream) =
                (s.sum, s.rng_key(), s.time, stream);
            (context.start, context.facing) = (s.start, s.next_facing);
            let force = behavior.force(&host, memory, context, DebugDraw::OFF);
            (s.start, s.next_facing) = (context.start, context.facing);
            force
        })
    }

    /// Adds a force that draws random numbers from this stream.
    fn drawn(&mut self, force: impl FnOnce(&mut Self, u32) -> V) -> &mut Self {
        let stream = self.next_stream();
        self.entry(|s| force(s, stream))
    }

    /// Adds a force on the host with its heading.
    fn headed(&mut self, host: &impl Host<V>, force: impl FnOnce(Agent<V>) -> V) -> &mut Self {
        self.entry(|s| force(s.agent_with_heading(host, None)))
    }

    /// Adds the solution of a solver for the sum so far.
    fn solved(
        &mut self,
        host: &impl Host<V>,
        memory: &Memory<V>,
        solve: impl FnOnce(&Agent<V>, V) -> Solution<V>,
    ) -> &mut Self {
        self.entry(|s| {
            let host = s.agent_with_heading(host, memory.heading);
            let solution = solve(&host, s.sum);
            s.start = Some(solution.start);
            solution.force
        })
    }

    /// Sets the direction in which the host looks.
    fn look(&mut self, direction: impl FnOnce(&Self) -> V) -> &mut Self {
        self.entry(|s| {
            let direction = direction(s);
            if direction.unit() != V::ZERO {
                s.next_facing = Some(direction);
            }
            V::ZERO
        })
    }
}
