//! Neighbor candidates of the agents of one cell, owned agents and ghosts, gathered once for all of
//! them: part of the perceive phase.

use core::ops::Range;

use super::input::TickInput;
use crate::crowd::population::columns::Columns;
use crate::spatial::grid::Grid;
use crate::spatial::neighbors::{Candidates, Neighbors};
use crate::spatial::space::Space;
use crate::vector::Vector;

impl<V: Vector> TickInput<'_, V> {
    /// Gathers into `neighbors` the candidates for the agents of `run`, which are in one cell and
    /// in the box with these corners. The caller finds the box: it is compiled for the widest
    /// instructions, and this is not.
    #[inline(never)]
    pub(in crate::crowd) fn gather(
        &self,
        grid: &Grid<V>,
        run: Range<usize>,
        (mut low, mut high): (V, V),
        neighbors: &mut Neighbors<V>,
    ) {
        let (now, space) = (self.now, self.context.space);
        let radius = match self.groups {
            [all] => all.radius,
            groups => now.group[run.clone()]
                .iter()
                .filter_map(|&group| groups[group as usize].radius)
                .reduce(f32::max),
        };
        neighbors.clear(Space::OPEN, self.max_speed);
        if let Some(radius) = radius {
            // Some agents may have crossed the edge since the last sort: then the box encloses
            // their images nearest to the first agent.
            let may_wrap = space.wraps()
                && (0..V::DIMENSION).any(|i| (high - low).axis(i) > 0.5 * space.size().axis(i));
            if may_wrap {
                let first = now.position.get(run.start);
                (low, high) = now.position.box_around(run.clone(), |p| space.image(first, p));
            }
            // With a single group all candidates are in group 0.
            let group = (self.groups.len() > 1).then_some(&now.group[..]);
            let reads = |group: u32| self.groups[group as usize].reads_bodies;
            let bodies = self.groups.iter().any(|group| group.reads_bodies)
                && now.group[run.clone()].iter().any(|&group| reads(group));
            let mut candidates = Candidates {
                position: &now.position,
                velocity: &now.velocity,
                id: &now.id,
                group,
                body: bodies.then(|| bodies_of(now)),
                low,
                high,
                radius,
                across: None,
            };
            let padded = radius + self.max_displacement;
            if may_wrap || grid.crosses(low, high, padded) {
                candidates.cross(space, grid.magnitude());
                neighbors.clear(space, self.max_speed);
            }
            neighbors.gather(&candidates, |runs| grid.collect_runs(low, high, padded, runs));
            if self.ghosts.may_be_near(&space, low, high, radius) {
                let ghosts = self.ghosts.columns();
                let candidates = Candidates {
                    position: &ghosts.position,
                    velocity: &ghosts.velocity,
                    id: &ghosts.id,
                    group: candidates.group.map(|_| &ghosts.group[..]),
                    body: bodies.then(|| bodies_of(ghosts)),
                    ..candidates
                };
                // Ghosts have not moved since they were sorted: no padding.
                neighbors
                    .gather(&candidates, |runs| self.ghosts.collect_runs(low, high, radius, runs));
            }
            let runs_users_code = |group: &u32| self.groups[*group as usize].users_code;
            if self.users_code && now.group[run].iter().any(runs_users_code) {
                neighbors.sort_by_id();
            }
        }
        neighbors.pad();
    }
}

/// The body radius (length) and the top speed (length / time) of the agent in each row.
fn bodies_of<V: Vector>(columns: &Columns<V>) -> impl Fn(usize) -> (f32, f32) + '_ {
    |row| (columns.limits[row].radius, columns.limits[row].max_speed)
}
