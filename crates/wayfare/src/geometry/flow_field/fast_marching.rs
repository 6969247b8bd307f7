//! Distances to the goals around obstacles, cell by cell: fast marching that can also repair a map.
//!
//! The distance T solves |grad T| = 1 by an upwind scheme (J. Sethian, "A fast marching level set
//! method for monotonically advancing fronts", PNAS 1996), of the second order where two cells on
//! one side are known (J. Sethian, "Level Set Methods and Fast Marching Methods", 1999, section
//! 8.3). Routes lead in all directions, so the error of up to 8 % of routes along the eight
//! neighbors does not occur. Cells are processed in the order of a priority queue, as by LPA*
//! (S. Koenig and M. Likhachev, "D* Lite", AAAI 2002) and, on interpolated distances, by E*
//! (R. Philippsen and R. Siegwart, "An interpolated dynamic navigation function", ICRA 2005). Each
//! cell has a distance and an *estimate* (LPA*'s rhs), the result of the scheme on its neighbors.
//! Where the two differ the cell is queued under the smaller one. A cell taken from the queue whose
//! estimate is larger loses its distance, otherwise the estimate becomes its distance. Building a
//! field and repairing it are this one procedure.
//!
//! The result has the same bits whatever the map contained before. An estimate is strictly above
//! every distance that it depends on, also after rounding ([`estimate`] ensures it), and does not
//! depend on distances that are not below it. So, by induction over the distances from the smallest
//! up, at most one assignment has each cell agree with its estimate. No cell is processed more than
//! twice, as keys never decrease and what lies below the key is final.

use alloc::collections::BinaryHeap;
use core::cmp::Reverse;

use super::DistanceMap;
use super::cell_grid::CellGrid;
use super::rasterize::{BLOCKED, SOURCE};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::vector::Vector;

/// The inputs of an estimate on one axis.
#[derive(Clone, Copy, Debug)]
struct Upwind {
    /// The distance of the lesser neighbor; infinity without one.
    distance: f32,
    /// The distance of the cell beyond it, if that is smaller still; otherwise the same.
    beyond: f32,
    axis: usize,
    /// The side of the neighbor: -1 or 1.
    side: f32,
}

impl Upwind {
    const NONE: Self = Self { distance: f32::INFINITY, beyond: f32::INFINITY, axis: 0, side: 0.0 };
}

/// The result of the scheme: the distance (cell widths), and its slope along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Estimate {
    distance: f32,
    slope: [f32; 3],
}

/// Queued cells. A cell is queued again when its key changes; entries under an old key are dropped
/// when the room of [`QUEUE_ROOM`] is used up.
struct Queue {
    /// The key's bits, whose order is that of non-negative numbers, above the cell.
    entries: BinaryHeap<Reverse<u64>>,
    room: usize,
}

/// Room in the queue for each cell of the map.
const QUEUE_ROOM: usize = 2;

/// Bytes per cell that building a map takes for a while.
pub(super) const QUEUE_BYTES: u64 = (QUEUE_ROOM * size_of::<Reverse<u64>>()) as u64;

impl Queue {
    /// A queue for a map of so many cells, with all of its room if `whole` of it is marched.
    fn new(cells: usize, whole: bool) -> Self {
        let room = QUEUE_ROOM * cells;
        Self { entries: BinaryHeap::with_capacity(if whole { room } else { 0 }), room }
    }

    /// Queues a cell under the `key` (a distance, not negative). `is_current` tells whether a cell
    /// is still to be processed under a key.
    fn push(&mut self, key: f32, cell: usize, is_current: impl Fn(u32, usize) -> bool) {
        if self.entries.len() == self.room {
            let mut entries = core::mem::take(&mut self.entries).into_vec();
            entries
                .retain(|Reverse(entry)| is_current((entry >> 32) as u32, *entry as u32 as usize));
            entries.sort_unstable();
            entries.dedup();
            self.entries = entries.into();
        }
        self.entries.push(Reverse(u64::from(key.to_bits()) << 32 | cell as u64));
    }

    /// The cell with the smallest key, and the bits of that.
    fn pop(&mut self) -> Option<(u32, usize)> {
        let Reverse(first) = self.entries.pop()?;
        Some(((first >> 32) as u32, first as u32 as usize))
    }
}

impl<V: Vector> DistanceMap<V> {
    /// Computes all distances of a map that has none yet.
    pub(super) fn march_from_sources(&mut self, cells: &CellGrid<V>) {
        let mut queue = Queue::new(self.flags.len(), true);
        for cell in (0..self.flags.len()).filter(|&cell| self.flags[cell] & SOURCE != 0) {
            self.enqueue(cells, cell, &mut queue);
        }
        self.process(cells, queue, |_| ());
    }

    /// Updates all distances after a change of the flags of the cells `changed`; calls `touched`
    /// with each cell whose distance is written.
    pub(super) fn march(
        &mut self,
        cells: &CellGrid<V>,
        changed: impl Iterator<Item = usize>,
        touched: impl FnMut(usize),
    ) {
        let mut queue = Queue::new(self.flags.len(), false);
        for cell in changed {
            self.enqueue(cells, cell, &mut queue);
            neighbors(cells, cell, |other, _| self.enqueue(cells, other, &mut queue));
        }
        self.process(cells, queue, touched);
    }

    fn process(&mut self, cells: &CellGrid<V>, mut queue: Queue, mut touched: impl FnMut(usize)) {
        while let Some((key, cell)) = queue.pop() {
            let (distance, estimate) = (self.distances[cell], self.estimate(cells, cell));
            // A cell whose key has changed is queued under the other key as well.
            if !is_current(distance, estimate, key) {
                continue;
            }
            touched(cell);
            self.distances[cell] = if estimate < distance { estimate } else { f32::INFINITY };
            if estimate > distance {
                self.enqueue(cells, cell, &mut queue);
            }
            neighbors(cells, cell, |other, between| {
                // Distances not above the key are final, those of source cells do not depend on
                // neighbors, and an estimate reads beyond a neighbor only if that has a distance.
                if self.distances[other].to_bits() > key
                    && self.flags[other] & SOURCE == 0
                    && (between == cell || self.distances[between] < f32::INFINITY)
                {
                    self.enqueue(cells, other, &mut queue);
                }
            });
        }
    }

    /// Queues a cell whose distance differs from its estimate.
    fn enqueue(&self, cells: &CellGrid<V>, cell: usize, queue: &mut Queue) {
        let (distance, estimate) = (self.distances[cell], self.estimate(cells, cell));
        if distance != estimate {
            queue.push(distance.min(estimate), cell, |key, cell| {
                is_current(self.distances[cell], self.estimate(cells, cell), key)
            });
        }
    }

    /// The distance of a cell by its neighbors, or by the goal itself (cell widths).
    fn estimate(&self, cells: &CellGrid<V>, cell: usize) -> f32 {
        match self.flags[cell] {
            flags if flags & BLOCKED != 0 => f32::INFINITY,
            flags if flags & SOURCE != 0 => {
                self.nearest_goal(cells.middle(cells.coordinates(cell))).0.max(0.0) / cells.cell
            }
            _ => estimate(&self.upwind(cells, cell)).distance,
        }
    }

    /// The lesser neighbor on each axis, the least first; ties go to the lower side and to the
    /// first axis.
    fn upwind(&self, cells: &CellGrid<V>, cell: usize) -> [Upwind; 3] {
        let mut sorted = [Upwind::NONE; 3];
        for (axis, at) in cells.coordinates(cell).into_iter().enumerate().take(V::DIMENSION) {
            let (stride, bit, count) = (cells.stride(axis), 1 << axis, cells.counts[axis]);
            let below = |steps: usize| at >= steps && self.flags[cell - steps * stride] & bit == 0;
            let above = |steps: usize| {
                at + steps < count && self.flags[cell + (steps - 1) * stride] & bit == 0
            };
            let mut best = Upwind { axis, ..Upwind::NONE };
            if below(1) {
                best = Upwind { distance: self.distances[cell - stride], side: -1.0, ..best };
            }
            if above(1) && self.distances[cell + stride] < best.distance {
                best = Upwind { distance: self.distances[cell + stride], side: 1.0, ..best };
            }
            best.beyond = match best.side {
                -1.0 if below(2) => self.distances[cell - 2 * stride].min(best.distance),
                1.0 if above(2) => self.distances[cell + 2 * stride].min(best.distance),
                _ => best.distance,
            };
            // Insertion sort, after equal entries.
            let rank = (0..axis).find(|&k| best.distance < sorted[k].distance).unwrap_or(axis);
            sorted.copy_within(rank..axis, rank + 1);
            sorted[rank] = best;
        }
        sorted
    }

    /// The direction to the goal from a cell: a unit vector; zero in the goal and without a route.
    pub(super) fn direction(&self, cells: &CellGrid<V>, cell: usize) -> V {
        if self.distances[cell] == f32::INFINITY {
            return V::ZERO;
        }
        if self.flags[cell] & SOURCE != 0 {
            return self.nearest_goal(cells.middle(cells.coordinates(cell))).1;
        }
        let slope = estimate(&self.upwind(cells, cell)).slope;
        V::from_fn(|i| slope[i]).unit()
    }
}

/// Whether a cell is to be processed under the key with these bits.
fn is_current(distance: f32, estimate: f32, key: u32) -> bool {
    distance != estimate && distance.min(estimate).to_bits() == key
}

/// Visits the cells whose estimates may depend on `cell`, one and two cells away on each axis, with
/// the cell in between, or `cell` itself.
pub(super) fn neighbors<V: Vector>(
    cells: &CellGrid<V>,
    cell: usize,
    mut visit: impl FnMut(usize, usize),
) {
    for (axis, at) in cells.coordinates(cell).into_iter().enumerate().take(V::DIMENSION) {
        let stride = cells.stride(axis);
        for steps in 1..=2 {
            if at >= steps {
                visit(cell - steps * stride, cell - (steps - 1) * stride);
            }
            if at + steps < cells.counts[axis] {
                visit(cell + steps * stride, cell + (steps - 1) * stride);
            }
        }
    }
}

/// The upwind scheme on the lesser neighbors, the least first.
///
/// With T the distance, each axis that counts adds c^2 (T - b)^2 to a sum that is 1: with one
/// neighbor a, b = a and c = 1; with the cell z beyond it, b = a + (a - z) / 3 and c = 3 / 2. One
/// axis more counts as long as its neighbor and its b are below the result of the axes before it.
fn estimate(upwind: &[Upwind; 3]) -> Estimate {
    let least = upwind[0].distance;
    if least == f32::INFINITY {
        return Estimate { distance: least, slope: [0.0; 3] };
    }
    // Relative to the least distance, so that large distances lose no digits.
    let (mut distance, mut above, mut terms, mut count) =
        (f32::INFINITY, f32::INFINITY, [(0.0, 0.0, 0); 3], 0);
    let (mut squares, mut mean, mut rest) = (0.0, 0.0, -1.0);
    for (i, of) in upwind.iter().enumerate() {
        if of.distance >= distance {
            break;
        }
        // Distances of neighbors differ by more than 1 only where two fronts meet.
        let fall = (of.distance - of.beyond).min(1.0);
        let (b, c) = if fall > 0.0 {
            (of.distance - least + fall / 3.0, 1.5)
        } else {
            (of.distance - least, 1.0)
        };
        if b >= above {
            continue;
        }
        let square = c * c;
        (squares, mean, rest) = (squares + square, mean + square * b, rest + square * b * b);
        let root = (mean * mean - squares * rest).max(0.0_f32).sqrt();
        above = ((mean + root) / squares).min(above);
        // Above every neighbor that counts, and not above the result without this axis.
        distance = (least + above).min(distance).max(of.distance.next_up());
        (terms[count], count) = ((b, c, i), count + 1);
    }
    let mut slope = [0.0; 3];
    for (b, c, i) in &terms[..count] {
        slope[upwind[*i].axis] = upwind[*i].side * (c * (above - b)).max(0.0);
    }
    Estimate { distance, slope }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_drops_entries_under_old_keys_and_never_grows() {
        // Every cell is queued under many keys; the last one is current.
        let (cells, mut queue) = (100, Queue::new(100, true));
        let room = queue.entries.capacity();
        let mut current = vec![f32::INFINITY; cells];
        for round in (1..50).rev() {
            for (cell, key) in current.iter_mut().enumerate() {
                *key = (round * cells + cell) as f32;
            }
            for (cell, key) in current.iter().enumerate() {
                queue.push(*key, cell, |key, cell| key == current[cell].to_bits());
            }
        }
        assert_eq!(queue.entries.capacity(), room);
        let mut found = Vec::new();
        while let Some((key, cell)) = queue.pop() {
            if key == current[cell].to_bits() {
                found.push(cell);
            }
        }
        assert_eq!(found, (0..cells).collect::<Vec<_>>());
    }

    fn of(values: [(f32, f32); 3]) -> Estimate {
        let mut axis = 0;
        estimate(&values.map(|(distance, beyond)| {
            axis += 1;
            Upwind { distance, beyond, axis: axis - 1, side: 1.0 }
        }))
    }

    fn first(values: [f32; 3]) -> Estimate {
        of(values.map(|value| (value, value)))
    }

    #[test]
    fn the_estimate_solves_the_eikonal_equation_with_the_axes_that_count() {
        let far = f32::INFINITY;
        assert_eq!(first([2.0, far, far]), Estimate { distance: 3.0, slope: [1.0, 0.0, 0.0] });
        // (T - 2)^2 + (T - 2.2)^2 = 1 has T = 2.8; with a difference of 1 the second axis adds
        // nothing.
        let found = first([2.0, 2.2, far]);
        assert!(
            (found.distance - 2.8).abs() < 1e-6
                && (found.slope[0] - 0.8).abs() < 1e-6
                && (found.slope[1] - 0.6).abs() < 1e-6,
            "{found:?}"
        );
        assert_eq!(first([2.0, 3.0, far]).distance, 3.0);
        // Three equal ones: T = a + 1 / sqrt(3).
        assert!((first([5.0; 3]).distance - 5.577_35).abs() < 1e-6);
        assert_eq!(first([far; 3]).distance, far);
        // With the ones beyond them a plane wave is exact whatever its direction: slopes 0.6 and
        // 0.8, T = 10.
        let found = of([(9.2, 8.4), (9.4, 8.8), (far, far)]);
        assert!(
            (found.distance - 10.0).abs() < 2e-6
                && (found.slope[0] - 0.8).abs() < 1e-5
                && (found.slope[1] - 0.6).abs() < 1e-5,
            "{found:?}"
        );
    }

    #[test]
    fn an_estimate_is_above_its_inputs_and_does_not_depend_on_larger_distances() {
        // Also where rounding matters: at large distances, and where the last axis hardly counts.
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
                found.distance > least && found.distance <= (least + 1.0).max(least.next_up()),
                "{values:?} {found:?}"
            );
            assert!(
                (0..3).all(|i| found.slope[i] == 0.0 || values[i].0 < found.distance),
                "{values:?} {found:?}"
            );
            // Inputs not below the estimate do not matter.
            let others = values.map(|(value, beyond)| {
                if value < found.distance {
                    (value, beyond)
                } else {
                    (f32::INFINITY, f32::INFINITY)
                }
            });
            assert_eq!(of(others), found, "{values:?}");
        }
    }
}
