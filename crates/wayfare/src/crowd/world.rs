//! The world of a crowd: what is around its agents, and the groups that they belong to.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::compiled::CompiledGroup;
use super::events::EventTracker;
use super::routes::Routes;
use super::setup::Track;
use super::source::SourceCount;
use crate::geometry::flow_field::FlowField;
use crate::geometry::obstacle::Obstacle;
use crate::geometry::path::Path;
use crate::spatial::bvh::Bvh;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// What is around the agents, and their groups.
#[derive(Clone, Debug)]
pub(super) struct World<V: Vector> {
    pub(super) space: Space<V>,
    /// The track of the pointer.
    pub(super) track: Option<Track<V>>,
    /// The position of the pointer, if `set_pointer` has set one (length).
    pub(super) pointer: Option<V>,
    pub(super) obstacles: Vec<Obstacle<V>>,
    pub(super) obstacle_bvh: Bvh<V>,
    pub(super) paths: Vec<Path<V>>,
    pub(super) fields: Vec<FlowField<V>>,
    /// The ways of agents, if a list has `navigate`.
    pub(super) routes: Option<Box<Routes<V>>>,
    pub(super) groups: Vec<CompiledGroup<V>>,
    /// Detects arrivals, crossings of lines and exits; keeps the events of the last tick.
    pub(super) tracker: EventTracker<V>,
    pub(super) sources: Vec<SourceCount<V>>,
}
