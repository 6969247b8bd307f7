//! Rasterization of obstacles and goals: blocked cells, neighbors separated by an obstacle, and
//! source cells.

use super::DistanceMap;
use super::cell_grid::{CellGrid, Span};
use crate::geometry::obstacle::Obstacles;
use crate::spatial::space::Space;
use crate::vector::Vector;

// The bits 0, 1 and 2 of a cell's flags: an obstacle separates it from the next cell on that axis.

/// The middle of the cell is within the clearance of an obstacle.
pub(super) const BLOCKED: u8 = 8;
/// The distance of the cell is that of its middle to the goal, which is in line of sight.
pub(super) const SOURCE: u8 = 16;

/// Within this distance of the goal distances are measured, not marched (cell widths): there the
/// error of the scheme is largest.
pub(super) const SOURCE_DISTANCE: f32 = 3.0;

impl<V: Vector> DistanceMap<V> {
    /// Sets the flags of the cells of a span.
    pub(super) fn rasterize(
        &mut self,
        cells: &CellGrid<V>,
        span: Span,
        obstacles: Obstacles<'_, V>,
    ) {
        span.cells().for_each(|at| self.flags[cells.index(at)] = 0);
        let (low, high) =
            (cells.middle(span.from), cells.middle(span.to.map(|end| end.saturating_sub(1))));
        let reach = self.clearance + cells.cell;
        let open = Space::default();
        // The flags of a cell do not depend on the span: each obstacle marks all cells that it may
        // affect.
        obstacles.near(
            &open,
            low.map(|x| x - 2.0 * reach),
            high.map(|x| x + 2.0 * reach),
            |_, obstacle| {
                let (low, high) = obstacle.aabb();
                for at in cells.touching(low, high, reach).intersection(&span).cells() {
                    let (cell, middle) = (cells.index(at), cells.middle(at));
                    let gap = obstacle.distance(middle);
                    if gap <= self.clearance {
                        self.flags[cell] |= BLOCKED;
                    } else if gap <= self.clearance + 1.001 * cells.cell {
                        for axis in 0..V::DIMENSION {
                            let next = V::from_fn(|i| {
                                middle.axis(i) + if i == axis { cells.cell } else { 0.0 }
                            });
                            if obstacle.cast_segment(middle, next, self.clearance).is_some() {
                                self.flags[cell] |= 1 << axis;
                            }
                        }
                    }
                }
            },
        );
        for goal in 0..self.goals.len() {
            let (low, high) = self.goals[goal].aabb();
            for at in
                cells.touching(low, high, SOURCE_DISTANCE * cells.cell).intersection(&span).cells()
            {
                let (cell, middle) = (cells.index(at), cells.middle(at));
                if self.flags[cell] & (BLOCKED | SOURCE) == 0
                    && self.is_source(cells, middle, obstacles)
                {
                    self.flags[cell] |= SOURCE;
                }
            }
        }
    }

    /// Whether one of the first `most` cells near goals is a source cell, or there are more cells.
    pub(super) fn finds_free_source(
        &self,
        cells: &CellGrid<V>,
        obstacles: Obstacles<'_, V>,
        most: usize,
    ) -> bool {
        let mut tested = 0;
        self.goals.iter().any(|goal| {
            let (low, high) = goal.aabb();
            cells.touching(low, high, SOURCE_DISTANCE * cells.cell).cells().any(|at| {
                let middle = cells.middle(at);
                let blocked =
                    || obstacles.nearest(&Space::default(), middle, self.clearance).is_some();
                tested += 1;
                tested > most || (!blocked() && self.is_source(cells, middle, obstacles))
            })
        })
    }

    /// Whether the goal is near `p`, and no obstacle between the two.
    fn is_source(&self, cells: &CellGrid<V>, p: V, obstacles: Obstacles<'_, V>) -> bool {
        let (gap, direction) = self.nearest_goal(p);
        if gap <= 0.0 || gap > SOURCE_DISTANCE * cells.cell {
            return gap <= 0.0;
        }
        let goal = p + direction * gap;
        let mut free = true;
        let (low, high) =
            (p.min(goal).map(|x| x - self.clearance), p.max(goal).map(|x| x + self.clearance));
        obstacles.near(&Space::default(), low, high, |_, obstacle| {
            free &= obstacle.cast_segment(p, goal, self.clearance).is_none()
        });
        free
    }

    /// The distance from `p` to the nearest goal (length; not above zero inside), and the direction
    /// to it: a unit vector, zero inside.
    pub(super) fn nearest_goal(&self, p: V) -> (f32, V) {
        let goals = Obstacles::indexed(&self.goals, &self.goal_bvh);
        match goals.nearest(&Space::default(), p, f32::INFINITY) {
            Some((_, goal, gap)) if gap > 0.0 => (gap, -goal.outward(p)),
            Some((_, _, gap)) => (gap, V::ZERO),
            None => (f32::INFINITY, V::ZERO),
        }
    }
}
