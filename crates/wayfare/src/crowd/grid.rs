//! The neighbor grid: a counting sort of the agents into cells of at least the widest radius that anybody looks.
//!
//! Cells along x are neighbors in memory, so a row of three cells is one run of agents (S. Green, "Particle simulation using
//! CUDA", 2010, describes the sort). Results never depend on the grid: who is near is decided by the distance alone.

use core::ops::Range;

use crate::column::VectorColumn;
use crate::space::Space;
use crate::vector::Vector;

/// At most this many cells on an axis: beyond it the rounding of a cell's number could reach the next but one.
const MOST_CELLS: usize = 4_096;
/// A cell is this much wider than the radius: room for the rounding of positions against cell borders.
const SLACK: f32 = 1.002;

#[derive(Clone, Debug)]
pub(crate) struct Grid<V> {
    origin: V,
    /// Cells per length on each axis.
    scale: V,
    cells: [usize; 3],
    wraps: bool,
    reach: f32,
    /// Where each cell's agents begin, in cell order, and one more for the end.
    starts: Vec<u32>,
    /// The place of each agent in cell order.
    places: Vec<u32>,
    /// The cell of each agent, while it is being sorted.
    cell_of: Vec<u32>,
}

impl<V: Vector> Default for Grid<V> {
    fn default() -> Self {
        Self { origin: V::ZERO, scale: V::ZERO, cells: [1; 3], wraps: false, reach: 0.0, starts: Vec::new(), places: Vec::new(), cell_of: Vec::new() }
    }
}

impl<V: Vector> Grid<V> {
    /// Sorts the agents at `positions` into cells that are at least `radius` (length) wide.
    pub(crate) fn build(&mut self, positions: &VectorColumn<V>, radius: f32, space: &Space<V>) {
        self.wraps = space.wraps();
        let extent = if self.wraps {
            self.origin = space.min();
            space.size()
        } else {
            let (low, high) = positions.extent();
            self.origin = low;
            high - low
        };
        self.reach = extent.length();
        self.divide(extent, radius, positions.len());
        let count = self.cells.iter().product::<usize>();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        self.cell_of.clear();
        for p in positions.iter() {
            let cell = self.number(self.cell(p));
            self.cell_of.push(cell as u32);
            self.starts[cell + 1] += 1;
        }
        for i in 0..count {
            self.starts[i + 1] += self.starts[i];
        }
        self.places.clear();
        for &cell in &self.cell_of {
            let next = &mut self.starts[cell as usize];
            self.places.push(*next);
            *next += 1;
        }
        // Each start has moved to its cell's end, which is the next one's start.
        self.starts.copy_within(0..count, 1);
        self.starts[0] = 0;
    }

    /// Chooses the number of cells: as many as `radius` allows, but not many more than there are agents.
    fn divide(&mut self, extent: V, radius: f32, agents: usize) {
        let most = (2 * agents).max(64) as f32;
        let mut width = (radius * SLACK).max(f32::MIN_POSITIVE);
        let along = |width: f32, i: usize| ((extent.axis(i) / width) as usize).clamp(1, MOST_CELLS);
        while (0..V::DIMENSION).map(|i| along(width, i) as f32).product::<f32>() > most {
            width *= 1.25;
        }
        self.cells = [1; 3];
        for i in 0..V::DIMENSION {
            self.cells[i] = along(width, i);
        }
        self.scale = V::from_fn(|i| if self.cells[i] > 1 { self.cells[i] as f32 / extent.axis(i) } else { 0.0 });
    }

    fn cell(&self, p: V) -> [usize; 3] {
        let mut cell = [0; 3];
        for (i, c) in cell.iter_mut().enumerate().take(V::DIMENSION) {
            *c = (((p.axis(i) - self.origin.axis(i)) * self.scale.axis(i)) as usize).min(self.cells[i] - 1);
        }
        cell
    }

    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.cells[1] + y) * self.cells[0] + x
    }

    /// The place of each agent in cell order.
    pub(crate) fn places(&self) -> &[u32] {
        &self.places
    }

    /// A bound on the distance of any two agents (length).
    pub(crate) fn reach(&self) -> f32 {
        self.reach
    }

    /// The cells that hold somebody, and their agents in cell order.
    pub(crate) fn occupied(&self) -> impl Iterator<Item = ([usize; 3], Range<usize>)> + '_ {
        let [columns, rows, layers] = self.cells;
        let all = (0..layers).flat_map(move |z| (0..rows).flat_map(move |y| (0..columns).map(move |x| [x, y, z])));
        all.enumerate().map(|(number, cell)| (cell, self.run(number, number))).filter(|(_, run)| !run.is_empty())
    }

    /// Calls `visit` with runs of agents, in cell order, that together hold everybody within the radius of anyone in `cell`, and each once.
    pub(crate) fn around(&self, cell: [usize; 3], mut visit: impl FnMut(Range<usize>)) {
        let [(xs, x_count), (ys, y_count), (zs, z_count)] = [0, 1, 2].map(|i| self.next_to(i, cell[i]));
        // Along x the cells lie side by side, but for those across the edge.
        let side_by_side = !self.wraps || (cell[0] > 0 && cell[0] + 1 < self.cells[0]);
        for &z in &zs[..z_count] {
            for &y in &ys[..y_count] {
                if side_by_side {
                    let (low, high) = (cell[0].saturating_sub(1), (cell[0] + 1).min(self.cells[0] - 1));
                    visit(self.run(self.number([low, y, z]), self.number([high, y, z])));
                } else {
                    for &x in &xs[..x_count] {
                        let number = self.number([x, y, z]);
                        visit(self.run(number, number));
                    }
                }
            }
        }
    }

    fn run(&self, first: usize, last: usize) -> Range<usize> {
        self.starts[first] as usize..self.starts[last + 1] as usize
    }

    /// The cells on axis `i` that touch cell `c`, itself included, each once.
    fn next_to(&self, i: usize, c: usize) -> ([usize; 3], usize) {
        let n = self.cells[i];
        let (mut list, mut count) = ([c; 3], 1);
        for step in [-1_isize, 1] {
            let next = c as isize + step;
            let next = if self.wraps { next.rem_euclid(n as isize) } else { next };
            if (0..n as isize).contains(&next) && !list[..count].contains(&(next as usize)) {
                list[count] = next as usize;
                count += 1;
            }
        }
        (list, count)
    }
}
