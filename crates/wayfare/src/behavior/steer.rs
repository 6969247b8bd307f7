//! The trait of all behaviors, built-in and user-defined.

use core::fmt::Debug;

use super::rules::Rule;
use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::parameter::Needs;
use crate::vector::Vector;

/// What the host's velocity and heading mean for a force: a list that asks for the force in many
/// directions asks once where they mean little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostMotion {
    /// The formula reads them.
    Read,
    /// The force does not depend on them.
    Ignored,
    /// A force that is not zero is that on the host at rest, minus its velocity.
    Subtracted,
}

/// A behavior: a force computed from the host, its memory and the context. Built-in and
/// user-defined behaviors implement the same trait. One of your own has a memory without asking
/// for it, and its neighbors come in the order of their ids: a sum over them has the same bits
/// whatever the order in memory, such as after [`Crowd::restore`](crate::Crowd::restore).
///
/// [`Behavior::own`](crate::Behavior::own) puts a behavior of your own into a list. With parameters
/// declared by [`parameters!`](crate::parameters) it is `Behavior::described`, and a
/// [`Registry`](crate::Registry) makes it known to scene files. Outside of a crowd call
/// [`Steering::steer`](crate::Steering::steer).
///
/// ```
/// use wayfare::prelude::*;
/// /// Rising air in a column: lifts a host up to the ceiling, and no second time.
/// #[derive(Debug)]
/// struct Thermal {
///     radius: f32,
///     lift: f32,
///     ceiling: f32,
/// }
/// impl Steer<Vec3> for Thermal {
///     fn force(
///         &self,
///         host: &Agent<Vec3>,
///         memory: &mut Memory<Vec3>,
///         _: &mut SteerContext<'_, Vec3>,
///         _: DebugDraw<'_, Vec3>,
///     ) -> Vec3 {
///         let was_up = &mut memory.own[0];
///         if host.position.z > self.ceiling {
///             *was_up = 1.0;
///         }
///         let inside = host.position.truncate().length() < self.radius;
///         if inside && *was_up == 0.0 { Vec3::Z * self.lift } else { Vec3::ZERO }
///     }
/// }
/// let birds = Group::new("birds", 1, Spawn::point(vec3(1.0, 0.0, 5.0)), 3.0)
///     .steer(Flock::default().radius(8.0))
///     .steer(Behavior::own("thermal", Thermal { radius: 20.0, lift: 0.5, ceiling: 50.0 }));
/// let mut crowd = Setup::new(1.0).group(birds).crowd()?;
/// crowd.step();
/// assert_eq!(crowd.get(0).unwrap().agent.velocity, vec3(0.0, 0.0, 0.5));
/// # Ok::<(), SetupError>(())
/// ```
pub trait Steer<V: Vector>: Debug + Send + Sync {
    /// The force on `host` (length / time), `desired velocity - velocity` in most behaviors.
    ///
    /// The figures that the formula uses are reported to `debug`; with [`DebugDraw::OFF`] they are
    /// not computed.
    fn force(
        &self,
        host: &Agent<V>,
        memory: &mut Memory<V>,
        context: &mut SteerContext<'_, V>,
        debug: DebugDraw<'_, V>,
    ) -> V;

    /// The radius in which the behavior reads neighbors (length); `None` if it reads none. The
    /// context holds all neighbors up to this distance, and up to that of the other behaviors of
    /// the group. Reading neighbors where none of them says how far is a mistake, which panics in
    /// builds with debug assertions.
    fn neighbor_radius(&self) -> Option<f32> {
        None
    }

    /// What the behavior needs beside the world and the parts of the context that all have; those
    /// that [`parameters!`](crate::parameters) names are added.
    fn needs(&self) -> Needs {
        Needs::NONE
    }

    /// What the host's velocity and heading mean for the force; of built-in behaviors alone.
    #[doc(hidden)]
    fn motion_of_host(&self) -> HostMotion {
        HostMotion::Read
    }

    /// The behavior as a rule whose sum over neighbors one pass can add beside others; of built-in
    /// behaviors alone.
    #[doc(hidden)]
    fn rule(&self) -> Option<Rule<'_>> {
        None
    }
}
