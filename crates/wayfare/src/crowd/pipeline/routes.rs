//! The routes phase: the routes of agents with `navigate`, planned from the targets that their
//! memories hold. A behavior reads the route of its host in the next tick.
//!
//! Nothing of a tick that was begun and not ended remains in a route: `step_budgeted` and a panic
//! in a user's behavior leave them as they were.

use crate::behavior::Navigate;
use crate::crowd::population::Population;
use crate::crowd::world::World;
use crate::vector::Vector;

/// The number of agents that are visited between the prefetch of a route and its use.
const SOON: usize = 8;

/// Plans routes for the targets of the step that was just taken.
pub(super) fn plan_routes<V: Vector>(world: &mut World<V>, population: &Population<V>) {
    let World { routes, obstacles, groups, space, .. } = world;
    let Some(routes) = routes else { return };
    let (now, up) = (&population.now, space.up());
    routes.take_obstacles(obstacles);
    for row in 0..now.len() {
        // Rows are in the order of cells, and routes in that of ids.
        if let Some(&soon) = now.id.get(row + SOON) {
            routes.prefetch(soon);
        }
        let group = &groups[now.group[row] as usize];
        let Some(navigate) = &group.states[now.state[row].state as usize].navigate else {
            continue;
        };
        let Some(target) = Navigate::last_target(&now.memory(row)[navigate.memory]) else {
            continue;
        };
        let at = up.ground(now.position.get(row));
        routes.lead(now.id[row], navigate, at, target, now.limits[row].radius);
    }
    routes.step();
}
