//! Which cells are blocked, which neighbors are cut off from one another, and which cells see the
//! goal.

use super::Map;
use super::cell_grid::{CellGrid, Span};
use crate::geometry::obstacle::Obstacles;
use crate::spatial::space::Space;
use crate::vector::Vector;

// The bits 0, 1 and 2 of a cell's flags: the way to the next cell on that axis is cut off.

/// The middle of the cell is too near to an obstacle.
pub(super) const BLOCKED: u8 = 8;
/// The cell sees the goal, and is so near that its distance is known.
pub(super) const SOURCE: u8 = 16;

/// How far from the goal distances are measured and not marched (cells): there the scheme's own
/// error is largest.
pub(super) const SEES: f32 = 3.0;

impl<V: Vector> Map<V> {
    /// Looks at the cells of a span anew.
    pub(super) fn survey(
        &mut self,
        lattice: &CellGrid<V>,
        span: Span,
        obstacles: Obstacles<'_, V>,
    ) {
        span.cells().for_each(|at| self.flags[lattice.index(at)] = 0);
        let (low, high) =
            (lattice.middle(span.from), lattice.middle(span.to.map(|end| end.saturating_sub(1))));
        let reach = self.clearance + lattice.cell;
        let open = Space::default();
        // Which bits a cell gets does not depend on the span: each obstacle looks at all cells that
        // it may concern.
        obstacles.near(
            &open,
            low.map(|x| x - 2.0 * reach),
            high.map(|x| x + 2.0 * reach),
            |_, obstacle| {
                let (low, high) = obstacle.aabb();
                for at in lattice.touching(low, high, reach).shared(&span).cells() {
                    let (cell, middle) = (lattice.index(at), lattice.middle(at));
                    let gap = obstacle.distance(middle);
                    if gap <= self.clearance {
                        self.flags[cell] |= BLOCKED;
                    } else if gap <= self.clearance + 1.001 * lattice.cell {
                        for axis in 0..V::DIMENSION {
                            let next = V::from_fn(|i| {
                                middle.axis(i) + if i == axis { lattice.cell } else { 0.0 }
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
            for at in lattice.touching(low, high, SEES * lattice.cell).shared(&span).cells() {
                let (cell, middle) = (lattice.index(at), lattice.middle(at));
                if self.flags[cell] & (BLOCKED | SOURCE) == 0
                    && self.sees(lattice, middle, obstacles)
                {
                    self.flags[cell] |= SOURCE;
                }
            }
        }
    }

    /// Whether the goal is near to `p`, and nothing in between.
    fn sees(&self, lattice: &CellGrid<V>, p: V, obstacles: Obstacles<'_, V>) -> bool {
        let (gap, way) = self.goal_from(p);
        if gap <= 0.0 || gap > SEES * lattice.cell {
            return gap <= 0.0;
        }
        let goal = p + way * gap;
        let mut free = true;
        let (low, high) =
            (p.min(goal).map(|x| x - self.clearance), p.max(goal).map(|x| x + self.clearance));
        obstacles.near(&Space::default(), low, high, |_, obstacle| {
            free &= obstacle.cast_segment(p, goal, self.clearance).is_none()
        });
        free
    }

    /// How far the nearest goal is from `p` (length; not above zero inside), and the way there: a
    /// unit vector, zero inside.
    pub(super) fn goal_from(&self, p: V) -> (f32, V) {
        let goals = Obstacles::indexed(&self.goals, &self.goal_tree);
        match goals.nearest(&Space::default(), p, f32::INFINITY) {
            Some((_, goal, gap)) if gap > 0.0 => (gap, -goal.way_out(p)),
            Some((_, _, gap)) => (gap, V::ZERO),
            None => (f32::INFINITY, V::ZERO),
        }
    }
}
