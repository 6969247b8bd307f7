//! The routes with the feature `navigation`: a [`Navigator`] for all agents of the crowd.

use glam::Vec2;

use super::navigate::CompiledNavigate;
use crate::crowd::setup::Navigation;
use crate::geometry::navmesh::Navigator;
use crate::geometry::obstacle::Obstacle;
use crate::id::AgentId;
use crate::route::CurrentRoute;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The routes of all agents with `navigate`.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct Routes<V: Vector> {
    pub(in crate::crowd) navigator: Navigator<V>,
    /// Whether obstacles have changed since the last step.
    pub(in crate::crowd) outdated: bool,
}

impl<V: Vector> Routes<V> {
    /// Routes round these obstacles, without agents.
    pub(in crate::crowd) fn new(
        obstacles: &[Obstacle<V>],
        space: &Space<V>,
        navigation: &Navigation,
    ) -> Option<Self> {
        Some(Self { navigator: Self::navigator(obstacles, space, navigation), outdated: false })
    }

    /// Routes on the meshes of a navigator without agents.
    pub(in crate::crowd) fn with(navigator: Navigator<V>) -> Self {
        Self { navigator, outdated: false }
    }

    /// The navigator of new routes.
    pub(in crate::crowd) fn navigator(
        obstacles: &[Obstacle<V>],
        space: &Space<V>,
        navigation: &Navigation,
    ) -> Navigator<V> {
        Navigator::new(obstacles, space, navigation.searches_per_tick as usize)
    }

    /// The route of agent `id` at `position` (length).
    pub(in crate::crowd) fn current(&self, id: u32, position: Vec2) -> Option<CurrentRoute<'_>> {
        self.navigator.current(id.into(), position)
    }

    /// Prefetches the route of agent `id`.
    #[inline(always)]
    pub(in crate::crowd) fn prefetch(&self, id: u32) {
        self.navigator.prefetch(id.into());
    }

    /// Adds the routes, in the order of ids, to a hash.
    pub(in crate::crowd) fn digest(&self, hash: u64) -> u64 {
        self.navigator.digest(hash)
    }

    /// The agents whose searches in the last step found no route.
    pub(in crate::crowd) fn unreachable(&self) -> impl Iterator<Item = AgentId> {
        self.navigator.found_none().iter().map(|&id| AgentId(id as u32))
    }

    /// Lets all agents request another way in the next step.
    pub(in crate::crowd) fn outdate(&mut self) {
        self.outdated = true;
    }

    /// Takes over the obstacles, if they have changed since the last step.
    pub(in crate::crowd) fn take_obstacles(&mut self, obstacles: &[Obstacle<V>]) {
        if core::mem::take(&mut self.outdated) {
            // Fails only where rounding lets edges of grown obstacles cross at any precision: then
            // agents keep their former routes.
            _ = self.navigator.set_obstacles(obstacles);
        }
    }

    /// Leads agent `id`, `at` a position and with a body of this `radius`, by `navigate` to
    /// `target` (lengths).
    pub(in crate::crowd) fn lead(
        &mut self,
        id: u32,
        navigate: &CompiledNavigate,
        at: Vec2,
        target: Vec2,
        radius: f32,
    ) {
        let (id, clearance) = (id.into(), navigate.clearance_of(radius));
        // Fails as above: then the agent goes straight on.
        _ = match &navigate.choice {
            Some(choice) => self.navigator.lead_to_one_of(id, at, choice, clearance),
            None => self.navigator.lead(id, at, target, clearance),
        };
    }

    /// Plans the routes of the agents that were led.
    pub(in crate::crowd) fn step(&mut self) {
        self.navigator.step_led();
    }
}
