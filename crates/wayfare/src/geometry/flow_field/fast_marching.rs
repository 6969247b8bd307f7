//! The distance to the goals round what is blocked, cell by cell: fast marching, which can also be
//! repaired.
//!
//! The distance T solves |grad T| = 1 by an upwind scheme (J. Sethian, "A fast marching level set
//! method for monotonically advancing fronts", PNAS 1996), of the second order where two cells on
//! one side are known (J. Sethian, "Level Set Methods and Fast Marching Methods", 1999, section
//! 8.3): ways lead in all directions and not only along the cells' neighbors, so there is none of
//! the eight directions' error of up to 8 %. Cells are taken in the order of a queue, as by LPA*
//! (S. Koenig and M. Likhachev, "D* Lite", AAAI 2002) and, on interpolated distances, by E*
//! (R. Philippsen and R. Siegwart, "An interpolated dynamic navigation function", ICRA 2005): each
//! cell has a value and a *claim*, what the scheme makes of its neighbors; where the two differ it
//! waits under the smaller one. Who is taken from the queue with the larger claim forgets its
//! value, and else gets the claim. Building a field and repairing it are this one procedure.
//!
//! It ends in the same bits, whatever was there before. A claim is strictly above every value that
//! it was made from, also as rounded ([`claim`] sees to it), and does not change with values that
//! are not below it. So, by induction over the values from the smallest up, at most one assignment
//! has each cell agree with its claim; and no cell is taken more than twice, as keys never fall and
//! what lies below the key stays.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Map;
use super::cell_grid::CellGrid;
use super::rasterize::{BLOCKED, SOURCE};
use crate::vector::Vector;

/// What a claim may be made from on one axis.
#[derive(Clone, Copy, Debug)]
struct Near {
    /// The value of the lesser neighbor; infinity where there is none.
    value: f32,
    /// The value beyond it, if that is smaller still; else the same.
    beyond: f32,
    axis: usize,
    /// The side that it is on.
    side: f32,
}

impl Near {
    const NONE: Self = Self { value: f32::INFINITY, beyond: f32::INFINITY, axis: 0, side: 0.0 };
}

/// What the scheme makes of the neighbors: the distance (cells), and its slope along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Claim {
    value: f32,
    slope: [f32; 3],
}

/// The cells that wait, by the bits of their keys, which for numbers from zero on are ordered as
/// the numbers are; the cell is in the lower half.
type Waiting = BinaryHeap<Reverse<u64>>;

impl<V: Vector> Map<V> {
    /// Brings all values into agreement with what has changed in the cells `changed`; the cells
    /// whose values were touched are added to `touched`.
    pub(super) fn march(
        &mut self,
        lattice: &CellGrid<V>,
        changed: impl Iterator<Item = usize>,
        touched: &mut Vec<usize>,
    ) {
        let mut waiting = Waiting::new();
        for cell in changed {
            self.look(lattice, cell, &mut waiting);
            neighbors(lattice, cell, |other, _| self.look(lattice, other, &mut waiting));
        }
        while let Some(Reverse(first)) = waiting.pop() {
            let (key, cell) = ((first >> 32) as u32, first as u32 as usize);
            let (value, claim) = (self.values[cell], self.claim(lattice, cell));
            // Whose key has changed waits under the other one as well.
            if value == claim || value.min(claim).to_bits() != key {
                continue;
            }
            touched.push(cell);
            self.values[cell] = if claim < value { claim } else { f32::INFINITY };
            if claim > value {
                self.look(lattice, cell, &mut waiting);
            }
            neighbors(lattice, cell, |other, between| {
                // What is not above the key is final, and nobody looks beyond a neighbor without a
                // value.
                if self.values[other].to_bits() > key
                    && (between == cell || self.values[between] < f32::INFINITY)
                {
                    self.look(lattice, other, &mut waiting);
                }
            });
        }
    }

    /// Lets a cell wait that does not agree with its claim.
    fn look(&self, lattice: &CellGrid<V>, cell: usize, waiting: &mut Waiting) {
        let (value, claim) = (self.values[cell], self.claim(lattice, cell));
        if value != claim {
            waiting.push(Reverse(u64::from(value.min(claim).to_bits()) << 32 | cell as u64));
        }
    }

    /// The distance of a cell by those of its neighbors, or by the goal itself (cells).
    fn claim(&self, lattice: &CellGrid<V>, cell: usize) -> f32 {
        match self.flags[cell] {
            flags if flags & BLOCKED != 0 => f32::INFINITY,
            flags if flags & SOURCE != 0 => {
                self.goal_from(lattice.middle(lattice.coordinates(cell))).0.max(0.0) / lattice.cell
            }
            _ => claim(&self.near(lattice, cell)).value,
        }
    }

    /// The lesser neighbor on each axis, the least first; of two that are equal the one on the
    /// lower side, and the first axis.
    fn near(&self, lattice: &CellGrid<V>, cell: usize) -> [Near; 3] {
        let mut near = [Near::NONE; 3];
        for (axis, at) in lattice.coordinates(cell).into_iter().enumerate().take(V::DIMENSION) {
            let (stride, bit, count) = (lattice.stride(axis), 1 << axis, lattice.counts[axis]);
            let below = |steps: usize| at >= steps && self.flags[cell - steps * stride] & bit == 0;
            let above = |steps: usize| {
                at + steps < count && self.flags[cell + (steps - 1) * stride] & bit == 0
            };
            let mut best = Near { axis, ..Near::NONE };
            if below(1) {
                best = Near { value: self.values[cell - stride], side: -1.0, ..best };
            }
            if above(1) && self.values[cell + stride] < best.value {
                best = Near { value: self.values[cell + stride], side: 1.0, ..best };
            }
            best.beyond = match best.side {
                -1.0 if below(2) => self.values[cell - 2 * stride].min(best.value),
                1.0 if above(2) => self.values[cell + 2 * stride].min(best.value),
                _ => best.value,
            };
            // Sorted in, after those that are equal.
            let place = (0..axis).find(|&k| best.value < near[k].value).unwrap_or(axis);
            near.copy_within(place..axis, place + 1);
            near[place] = best;
        }
        near
    }

    /// The way to the goal from a cell: a unit vector; zero in the goal, and where there is no way.
    pub(super) fn way(&self, lattice: &CellGrid<V>, cell: usize) -> V {
        if self.values[cell] == f32::INFINITY {
            return V::ZERO;
        }
        if self.flags[cell] & SOURCE != 0 {
            return self.goal_from(lattice.middle(lattice.coordinates(cell))).1;
        }
        let slope = claim(&self.near(lattice, cell)).slope;
        V::from_fn(|i| slope[i]).unit()
    }
}

/// Visits the neighbors of a cell along the axes whose claims may be made from it, those beyond the
/// next ones included: with the one in between, or the cell itself.
pub(super) fn neighbors<V: Vector>(
    lattice: &CellGrid<V>,
    cell: usize,
    mut visit: impl FnMut(usize, usize),
) {
    for (axis, at) in lattice.coordinates(cell).into_iter().enumerate().take(V::DIMENSION) {
        let stride = lattice.stride(axis);
        for steps in 1..=2 {
            if at >= steps {
                visit(cell - steps * stride, cell - (steps - 1) * stride);
            }
            if at + steps < lattice.counts[axis] {
                visit(cell + steps * stride, cell + (steps - 1) * stride);
            }
        }
    }
}

/// What the upwind scheme makes of the lesser neighbors, the least first.
///
/// With T the distance, each axis that counts adds c^2 (T - b)^2 to a sum that is 1: by one
/// neighbor a with b = a, c = 1, and with the one beyond it, z, with b = a + (a - z) / 3, c = 3 /
/// 2. One axis more counts as long as both its neighbor and its b are below what the axes before it
/// give.
fn claim(near: &[Near; 3]) -> Claim {
    let least = near[0].value;
    if least == f32::INFINITY {
        return Claim { value: least, slope: [0.0; 3] };
    }
    // Measured from the least one, so that far away no digits are lost.
    let (mut value, mut above, mut terms, mut count) =
        (f32::INFINITY, f32::INFINITY, [(0.0, 0.0, 0); 3], 0);
    let (mut squares, mut mean, mut rest) = (0.0, 0.0, -1.0);
    for (i, of) in near.iter().enumerate() {
        if of.value >= value {
            break;
        }
        // More than 1 from cell to cell there is only where ways from two sides meet.
        let fall = (of.value - of.beyond).min(1.0);
        let (b, c) =
            if fall > 0.0 { (of.value - least + fall / 3.0, 1.5) } else { (of.value - least, 1.0) };
        if b >= above {
            continue;
        }
        let square = c * c;
        (squares, mean, rest) = (squares + square, mean + square * b, rest + square * b * b);
        let root = (mean * mean - squares * rest).max(0.0_f32).sqrt();
        above = ((mean + root) / squares).min(above);
        // Above every neighbor that counts, and no longer than without this axis: see the module.
        value = (least + above).min(value).max(of.value.next_up());
        (terms[count], count) = ((b, c, i), count + 1);
    }
    let mut slope = [0.0; 3];
    for (b, c, i) in &terms[..count] {
        slope[near[*i].axis] = near[*i].side * (c * (above - b)).max(0.0);
    }
    Claim { value, slope }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: [(f32, f32); 3]) -> Claim {
        let mut axis = 0;
        claim(&values.map(|(value, beyond)| {
            axis += 1;
            Near { value, beyond, axis: axis - 1, side: 1.0 }
        }))
    }

    fn first(values: [f32; 3]) -> Claim {
        of(values.map(|value| (value, value)))
    }

    #[test]
    fn the_claim_solves_the_eikonal_equation_with_as_many_axes_as_count() {
        let far = f32::INFINITY;
        assert_eq!(first([2.0, far, far]), Claim { value: 3.0, slope: [1.0, 0.0, 0.0] });
        // (T - 2)^2 + (T - 2.2)^2 = 1 has T = 2.8; and 1.0 away the second axis adds nothing.
        let found = first([2.0, 2.2, far]);
        assert!(
            (found.value - 2.8).abs() < 1e-6
                && (found.slope[0] - 0.8).abs() < 1e-6
                && (found.slope[1] - 0.6).abs() < 1e-6,
            "{found:?}"
        );
        assert_eq!(first([2.0, 3.0, far]).value, 3.0);
        // Three equal ones: T = a + 1 / sqrt(3).
        assert!((first([5.0; 3]).value - 5.577_35).abs() < 1e-6);
        assert_eq!(first([far; 3]).value, far);
        // With the ones beyond them a plane wave is exact whatever its direction: slopes 0.6 and
        // 0.8, T = 10.
        let found = of([(9.2, 8.4), (9.4, 8.8), (far, far)]);
        assert!(
            (found.value - 10.0).abs() < 2e-6
                && (found.slope[0] - 0.8).abs() < 1e-5
                && (found.slope[1] - 0.6).abs() < 1e-5,
            "{found:?}"
        );
    }

    #[test]
    fn a_claim_is_above_all_that_it_was_made_from_and_does_not_know_what_is_above_it() {
        // Also where rounding would have it otherwise: far away, and where the last axis hardly
        // counts.
        let mut random = crate::random::Random::new(3, 0, 0, 0);
        for _ in 0..100_000 {
            let least = random.between(0.0, 1.0) * 10_f32.powf(random.between(-3.0, 8.0));
            let mut values =
                [least, least + random.between(0.0, 1.2), least + random.between(0.0, 1.2)];
            values.sort_by(f32::total_cmp);
            let values = values.map(|value| {
                (
                    value,
                    if random.unit() < 0.5 {
                        value
                    } else {
                        (value - random.between(0.0, 1.5)).max(0.0)
                    },
                )
            });
            let found = of(values);
            assert!(
                found.value > least && found.value <= (least + 1.0).max(least.next_up()),
                "{values:?} {found:?}"
            );
            assert!(
                (0..3).all(|i| found.slope[i] == 0.0 || values[i].0 < found.value),
                "{values:?} {found:?}"
            );
            // Whoever is not below the claim may be anything that is not.
            let others = values.map(|(value, beyond)| {
                if value < found.value { (value, beyond) } else { (f32::INFINITY, f32::INFINITY) }
            });
            assert_eq!(of(others), found, "{values:?}");
        }
    }
}
