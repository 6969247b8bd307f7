//! The ways with the feature `navigation`: a [`Navigator`] for all agents of the crowd.

use alloc::boxed::Box;

use glam::Vec2;

use crate::behavior::Navigate;
use crate::crowd::{Crowd, Event};
use crate::geometry::navmesh::Navigator;
use crate::geometry::obstacle::Obstacle;
use crate::id::AgentId;
use crate::route::CurrentRoute;
use crate::vector::Vector;

/// The number of agents that are visited between the prefetch of a way and its use.
const SOON: usize = 8;

/// The ways of all agents with `navigate`.
#[derive(Clone, Debug)]
pub(in crate::crowd) struct Routes<V: Vector> {
    pub(in crate::crowd) navigator: Navigator<V>,
    /// Whether obstacles have changed since the last step.
    pub(in crate::crowd) outdated: bool,
}

impl<V: Vector> Routes<V> {
    /// The way of agent `id` at `position` (length).
    pub(in crate::crowd) fn current(&self, id: u32, position: Vec2) -> Option<CurrentRoute<'_>> {
        self.navigator.current(id.into(), position)
    }

    /// Prefetches the way of agent `id`.
    #[inline(always)]
    pub(in crate::crowd) fn prefetch(&self, id: u32) {
        self.navigator.prefetch(id.into());
    }

    /// Adds the ways, in the order of ids, to a hash.
    pub(in crate::crowd) fn digest(&self, hash: u64) -> u64 {
        self.navigator.digest(hash)
    }

    /// The events of searches in the last step that found no way.
    pub(in crate::crowd) fn unreachable(&self) -> impl Iterator<Item = Event> {
        self.navigator.found_none().iter().map(|&id| Event::Unreachable { id: AgentId(id as u32) })
    }
}

impl<V: Vector> Crowd<V> {
    /// Makes or drops the ways, after the groups have changed.
    pub(in crate::crowd) fn find_routes(&mut self) {
        if !self.world.groups.iter().any(|group| group.navigates) {
            self.world.routes = None;
        } else if self.world.routes.is_none() {
            self.world.routes = Some(Box::new(self.new_routes(&self.world.obstacles)));
        }
    }

    /// Ways round these obstacles, without agents.
    pub(in crate::crowd) fn new_routes(&self, obstacles: &[Obstacle<V>]) -> Routes<V> {
        let searches = self.origin.setup.navigation.searches_per_tick as usize;
        let navigator = Navigator::new(obstacles, &self.world.space, searches);
        Routes { navigator, outdated: false }
    }

    /// Lets all agents request another way in the next step.
    pub(in crate::crowd) fn outdate_routes(&mut self) {
        self.world.routes.iter_mut().for_each(|routes| routes.outdated = true);
    }

    /// Plans ways for the targets of the step that was just taken.
    pub(in crate::crowd) fn plan_routes(&mut self) {
        let Some(routes) = &mut self.world.routes else { return };
        let Routes { navigator, outdated } = &mut **routes;
        if core::mem::take(outdated) {
            // Fails only where rounding lets edges of grown obstacles cross at any precision: then
            // agents keep their former ways.
            _ = navigator.set_obstacles(&self.world.obstacles);
        }
        let up = self.world.space.up();
        for row in 0..self.population.now.len() {
            // Rows are in the order of cells, and ways in that of ids.
            if let Some(&soon) = self.population.now.id.get(row + SOON) {
                navigator.prefetch(soon.into());
            }
            let group = &self.world.groups[self.population.now.group[row] as usize];
            let state = self.population.now.state[row].state as usize;
            let Some(way) = &group.states[state].way else { continue };
            let memory = &self.population.now.memory(row)[way.memory];
            let Some(target) = Navigate::last_target(memory) else { continue };
            let at = up.ground(self.population.now.position.get(row));
            let clearance = way.clearance_of(self.population.now.limits[row].radius);
            // Fails as above: then the agent goes straight on.
            let id = self.population.now.id[row].into();
            _ = match &way.choice {
                Some(choice) => navigator.lead_to_one_of(id, at, choice, clearance),
                None => navigator.lead(id, at, target, clearance),
            };
        }
        navigator.step_led();
    }
}
