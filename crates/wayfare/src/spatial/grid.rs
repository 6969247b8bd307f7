//! The neighbor grid: a counting sort of the agents into cells, and the runs of agents in cell
//! order that may be near some of them.
//!
//! Cells along x are neighbors in memory, so a row of cells is one run of agents (S. Green,
//! "Particle simulation using CUDA", 2010, describes the sort). Results never depend on the grid:
//! who is near is decided by the distance alone.

use core::ops::Range;

use crate::simd::column::VectorColumn;
use crate::spatial::space::Space;
use crate::threads::{GRAIN, both};
use crate::vector::Vector;

/// At most this many cells on an axis.
const MOST_CELLS: usize = 1 << 16;
/// Cells are looked through this much farther than the radius: room for the rounding of squares and
/// roots.
const SLACK: f32 = 1.002;

#[derive(Clone, Debug)]
pub(crate) struct Grid<V> {
    origin: V,
    extent: V,
    /// Cells per length on each axis.
    scale: V,
    cells: [usize; 3],
    wraps: bool,
    /// Where each cell's agents begin, in cell order, and one more for the end.
    starts: Vec<u32>,
    /// The place of each agent in cell order.
    places: Vec<u32>,
    /// The cell of each agent, while it is being sorted.
    cell_of: Vec<u32>,
}

/// The cells on one axis that are looked through: so many from the first one on, which may lie
/// before the edge of a wrapped world.
#[derive(Clone, Copy)]
struct Span {
    first: isize,
    count: usize,
}

impl<V: Vector> Default for Grid<V> {
    fn default() -> Self {
        let (starts, places, cell_of) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            origin: V::ZERO,
            extent: V::ZERO,
            scale: V::ZERO,
            cells: [1; 3],
            wraps: false,
            starts,
            places,
            cell_of,
        }
    }
}

impl<V: Vector> Grid<V> {
    /// Sorts the agents at `positions` into cells about `width` wide (length).
    pub(crate) fn build(
        &mut self,
        positions: &VectorColumn<V>,
        width: f32,
        space: &Space<V>,
        shared: bool,
    ) {
        self.wraps = space.wraps();
        (self.origin, self.extent) = if self.wraps {
            (space.min(), space.size())
        } else {
            let (low, high) = positions.extent();
            (low, high - low)
        };
        self.divide(width, positions.len());
        let count = self.cells.iter().product::<usize>();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        let mut cell_of = core::mem::take(&mut self.cell_of);
        cell_of.resize(positions.len(), 0);
        self.find_cells(positions, 0, &mut cell_of, shared);
        for &cell in &cell_of {
            self.starts[cell as usize + 1] += 1;
        }
        self.cell_of = cell_of;
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

    /// The cells of the agents from `first` on.
    fn find_cells(
        &self,
        positions: &VectorColumn<V>,
        first: usize,
        cells: &mut [u32],
        shared: bool,
    ) {
        if shared && cells.len() > 16 * GRAIN {
            let middle = cells.len() / 2;
            let (low, high) = cells.split_at_mut(middle);
            return both(
                true,
                || self.find_cells(positions, first, low, true),
                || self.find_cells(positions, first + middle, high, true),
            );
        }
        for (i, cell) in cells.iter_mut().enumerate() {
            let p = positions.get(first + i);
            *cell = self.number(
                [0, 1, 2].map(|i| if i < V::DIMENSION { self.cell(i, p.axis(i)) } else { 0 }),
            ) as u32;
        }
    }

    /// Chooses the number of cells: as many as `width` asks for, but so few that some agents share
    /// one. Gathering is done once for each.
    fn divide(&mut self, width: f32, agents: usize) {
        // Around a cell in space lie three times as many as in the plane: there smaller ones are
        // worth their gatherings.
        let share = if V::DIMENSION == 3 { 4 } else { 12 };
        let most = (agents / share).max(8) as f32;
        let mut width = width.max(f32::MIN_POSITIVE);
        let along =
            |width: f32, i: usize| ((self.extent.axis(i) / width) as usize).clamp(1, MOST_CELLS);
        while (0..V::DIMENSION).map(|i| along(width, i) as f32).product::<f32>() > most {
            width *= 1.25;
        }
        self.cells = [0, 1, 2].map(|i| if i < V::DIMENSION { along(width, i) } else { 1 });
        self.scale = V::from_fn(|i| {
            if self.cells[i] > 1 { self.cells[i] as f32 / self.extent.axis(i) } else { 0.0 }
        });
    }

    /// The cell on axis `i` at the coordinate `x`: it never falls where `x` rises.
    #[inline(always)]
    fn cell(&self, i: usize, x: f32) -> usize {
        (((x - self.origin.axis(i)) * self.scale.axis(i)) as u32 as usize).min(self.cells[i] - 1)
    }

    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.cells[1] + y) * self.cells[0] + x
    }

    /// The place of each agent in cell order.
    pub(crate) fn places(&self) -> &[u32] {
        &self.places
    }

    /// How wide the cells are on the axis on which they are narrowest (length); 0 where there is
    /// but one.
    pub(crate) fn width(&self) -> f32 {
        (0..V::DIMENSION)
            .filter(|&i| self.cells[i] > 1)
            .map(|i| self.extent.axis(i) / self.cells[i] as f32)
            .reduce(f32::min)
            .unwrap_or(0.0)
    }

    /// A bound on the coordinates of all agents when they were sorted (length).
    pub(crate) fn magnitude(&self) -> f32 {
        (0..V::DIMENSION)
            .map(|i| self.origin.axis(i).abs() + self.extent.axis(i))
            .fold(0.0, f32::max)
    }

    /// How many cells there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The agents of a run of cells, in cell order.
    pub(crate) fn run(&self, cells: Range<usize>) -> Range<usize> {
        self.starts[cells.start] as usize..self.starts[cells.end] as usize
    }

    /// Whether a way of `radius` (length) from the box from `low` to `high` may lead across the
    /// edge of a wrapped world.
    pub(crate) fn crosses(&self, low: V, high: V, radius: f32) -> bool {
        let end = self.origin + self.extent;
        self.wraps
            && (0..V::DIMENSION).any(|i| {
                low.axis(i) - radius * SLACK < self.origin.axis(i)
                    || high.axis(i) + radius * SLACK >= end.axis(i)
            })
    }

    /// Adds to `runs` those agents, in cell order, that together are everybody within `radius`
    /// (length) of the box from `low` to `high`, and each once.
    pub(crate) fn around(&self, low: V, high: V, radius: f32, runs: &mut Vec<Range<u32>>) {
        self.for_each_run(low, high, radius, |run| runs.push(run));
    }

    /// Visits the runs that [`around`](Self::around) adds.
    #[inline(always)]
    pub(crate) fn for_each_run(
        &self,
        low: V,
        high: V,
        radius: f32,
        mut visit: impl FnMut(Range<u32>),
    ) {
        let mut spans = [Span { first: 0, count: 1 }; 3];
        for (i, span) in spans.iter_mut().enumerate().take(V::DIMENSION) {
            *span = self.span(i, low.axis(i) - radius * SLACK, high.axis(i) + radius * SLACK);
        }
        let [along, across, up] = spans;
        let row_length = self.cells[0];
        // A row may go round: its end, then its beginning.
        let first = self.wrapped(0, along.first);
        let straight = along.count.min(row_length - first);
        for z in 0..up.count {
            let layer = self.wrapped(2, up.first + z as isize) * self.cells[1];
            for y in 0..across.count {
                let row = (layer + self.wrapped(1, across.first + y as isize)) * row_length;
                let starts = &self.starts[row..=row + row_length];
                let run = starts[first]..starts[first + straight];
                if run.start < run.end {
                    visit(run);
                }
                if straight < along.count {
                    visit(starts[0]..starts[along.count - straight]);
                }
            }
        }
    }

    /// The cells on axis `i` from the coordinate `from` to `to`; in a wrapped world they go on
    /// across the edge.
    #[inline(always)]
    fn span(&self, i: usize, from: f32, to: f32) -> Span {
        let (origin, extent, cells) = (self.origin.axis(i), self.extent.axis(i), self.cells[i]);
        let (before, after) = (self.wraps && from < origin, self.wraps && to >= origin + extent);
        // A cell more where a turn is added or taken: that rounds.
        let first = if before {
            self.cell(i, from + extent) as isize - 1 - cells as isize
        } else {
            self.cell(i, from) as isize
        };
        let last = if after {
            self.cell(i, to - extent) as isize + 1 + cells as isize
        } else {
            self.cell(i, to) as isize
        };
        let count = (last - first) as usize + 1;
        if count >= cells || ((before || after) && to - from >= extent) {
            Span { first: 0, count: cells }
        } else {
            Span { first, count }
        }
    }

    #[inline(always)]
    fn wrapped(&self, i: usize, cell: isize) -> usize {
        let cells = self.cells[i] as isize;
        (if cell < 0 {
            cell + cells
        } else if cell >= cells {
            cell - cells
        } else {
            cell
        }) as usize
    }
}
