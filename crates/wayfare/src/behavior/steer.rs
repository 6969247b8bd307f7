//! The trait of all behaviors, built-in and user-defined.

use core::fmt::Debug;

use crate::agent::{Agent, Memory};
use crate::annotation::DebugDraw;
use crate::context::SteerContext;
use crate::vector::Vector;

/// A behavior: a force computed from the host, its memory and the context. Built-in and
/// user-defined behaviors implement the same trait.
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
    /// context holds all neighbors up to this distance.
    fn neighbor_radius(&self) -> Option<f32> {
        None
    }

    /// Whether the behavior reads the body radii of its neighbors. The crowd gathers the radii only
    /// for behaviors that do.
    fn reads_bodies(&self) -> bool {
        false
    }

    /// Whether the behavior sets the facing of the host, by [`SteerContext::face`]. Only then does
    /// the crowd store facings apart from headings.
    fn faces(&self) -> bool {
        false
    }

    /// Whether the behavior uses its [`Memory`]. Each agent then has one memory per slot with this
    /// behavior.
    fn remembers(&self) -> bool {
        false
    }
}
