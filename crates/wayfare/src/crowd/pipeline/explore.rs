//! The cells that the members of groups with `explore` have visited: one grid for each `explore` of
//! a group's lists, updated at the end of each tick.

use alloc::vec::Vec;

use super::tick::{Tick, Visit};
use crate::crowd::population::Population;
use crate::crowd::world::World;
use crate::threads::{Share, buffer, share_rows};
use crate::vector::Vector;

/// Records the cells that agents are in now. The threads find the cells of the rows of exploring
/// groups; as all visits of a tick write the same time, their order does not matter.
pub(in crate::crowd) fn mark_explored<V: Vector>(
    world: &mut World<V>,
    population: &Population<V>,
    tick: &mut Tick<V>,
    shared: Share,
) {
    if world.groups.iter().all(|group| group.explored.is_empty()) {
        return;
    }
    let World { groups, space, .. } = world;
    let (now, visits) = (&population.now, &mut tick.visits);
    share_rows(0..now.len(), visits, shared, &|rows, visits: &mut Vec<Visit>| {
        for i in rows {
            let group = now.group[i];
            for (grid, (_, explored)) in (0..).zip(&groups[group as usize].explored) {
                let Some(cell) = explored.cell_at(space, now.position.get(i)) else { continue };
                let visit = Visit { group, grid, cell: cell as u32 };
                // Consecutive rows are often in one cell.
                if visits.last() != Some(&visit) {
                    visits.push(visit);
                }
            }
        }
    });
    for Visit { group, grid, cell } in visits.iter_mut().flat_map(|visits| buffer(visits).drain(..))
    {
        groups[group as usize].explored[grid as usize].1.visit_cell(cell as usize, tick.number);
    }
}
