//! The candidates for neighbors of the agents of one cell, gathered once for all of them: part of
//! the perceive phase.

use core::ops::Range;

use super::World;
use crate::spatial::grid::Grid;
use crate::spatial::neighbors::{Candidates, Neighbors};
use crate::spatial::space::Space;
use crate::vector::Vector;

impl<V: Vector> World<'_, V> {
    /// Gathers who may be near the agents `run`, which are those of one cell, into `near`.
    #[inline(never)]
    pub(in crate::crowd) fn gather(
        &self,
        grid: &Grid<V>,
        run: Range<usize>,
        near: &mut Neighbors<V>,
    ) {
        let now = self.now;
        let radius = match self.groups {
            [all] => all.radius,
            groups => now.group[run.clone()]
                .iter()
                .filter_map(|&group| groups[group as usize].radius)
                .reduce(f32::max),
        };
        near.clear(Space::OPEN, self.speed, self.reach);
        if let Some(radius) = radius {
            let (mut low, mut high) = now.position.box_around(run.clone(), |p| p);
            // Some of them may have gone across the edge since they were sorted: then they are near
            // each other the other way.
            let parted = self.context.space.wraps()
                && (0..V::DIMENSION)
                    .any(|i| (high - low).axis(i) > 0.5 * self.context.space.size().axis(i));
            if parted {
                let first = now.position.get(run.start);
                (low, high) =
                    now.position.box_around(run.clone(), |p| self.context.space.image(first, p));
            }
            // All belong to group 0 where there is but one.
            let group = (self.groups.len() > 1).then_some(&now.group[..]);
            let reads = |group: u32| self.groups[group as usize].reads_bodies;
            let bodies = self.groups.iter().any(|group| group.reads_bodies)
                && now.group[run.clone()].iter().any(|&group| reads(group));
            let body = |place: usize| now.limits[place].radius;
            let body: Option<&(dyn Fn(usize) -> f32 + Sync)> =
                if bodies { Some(&body) } else { None };
            let mut candidates = Candidates {
                position: &now.position,
                velocity: &now.velocity,
                id: &now.id,
                group,
                body,
                low,
                high,
                radius,
                across: None,
            };
            let radius = radius + self.moved;
            if parted || grid.crosses(low, high, radius) {
                candidates.across = Some(self.context.space);
                candidates.radius =
                    candidates.radius * 1.001 + 16.0 * f32::EPSILON * grid.magnitude();
                near.clear(self.context.space, self.speed, self.reach);
            }
            near.gather(&candidates, |runs| grid.around(low, high, radius, runs));
        }
        near.pad();
    }
}
