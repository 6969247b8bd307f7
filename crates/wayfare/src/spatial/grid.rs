//! The neighbor grid: a counting sort of the agents into cells, and queries for the runs of agents,
//! in cell order, that may lie within a radius.
//!
//! Cells along x are neighbors in memory, so a row of cells is one run of agents (S. Green,
//! "Particle simulation using CUDA", 2010, describes the sort). Results never depend on the grid:
//! callers select neighbors by distance alone.

use alloc::vec::Vec;
use core::ops::Range;

use crate::simd::column::VectorColumn;
use crate::spatial::space::Space;
use crate::threads::{GRAIN, Share, both};
use crate::vector::Vector;

/// The largest number of cells on an axis.
const MAX_CELLS: usize = 1 << 16;
/// In a wrapped world cells cover the agents alone, and not the whole world, on an axis where so
/// many widths of cells are free between them across the edge.
const FREE_WIDTHS: f32 = 10.0;
/// Queries visit cells up to this multiple of the radius: it covers the rounding of squares and
/// roots.
const SLACK: f32 = 1.002;

/// The form of cells. Narrow ones have fewer agents, whose candidates are gathered more often and
/// are fewer: that pays where the work for each candidate is large. Cells along x are one run of
/// agents, so there they cost least.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cells {
    Square,
    /// Half as wide along x.
    Narrow,
}

impl Cells {
    /// The number of cells that take the place of a square one, along x.
    fn along_x(self) -> usize {
        match self {
            Self::Square => 1,
            Self::Narrow => 2,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Grid<V> {
    origin: V,
    extent: V,
    /// Cells per length on each axis.
    scale: V,
    cells: [usize; 3],
    form: Cells,
    /// The lower corner and the size of a wrapped world.
    world: Option<(V, V)>,
    /// On which axes the cells cover the whole of a wrapped world, and go on across its edge.
    wraps: [bool; 3],
    /// By how much rounding may shorten an offset across the edge (length).
    rounding: f32,
    /// The index of the first agent of each cell, in cell order, and one more for the end.
    starts: Vec<u32>,
    /// The row of each agent in cell order.
    rows: Vec<u32>,
    /// The cell of each agent; scratch of the sort.
    cell_of: Vec<u32>,
}

/// The cells on one axis that a query visits: `count` cells from `first` on. In a wrapped world
/// `first` may lie before the edge.
#[derive(Clone, Copy)]
struct Span {
    first: isize,
    count: usize,
}

impl<V: Vector> Default for Grid<V> {
    fn default() -> Self {
        let (starts, rows, cell_of) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            origin: V::ZERO,
            extent: V::ZERO,
            scale: V::ZERO,
            cells: [1; 3],
            form: Cells::Square,
            world: None,
            wraps: [false; 3],
            rounding: 0.0,
            starts,
            rows,
            cell_of,
        }
    }
}

impl<V: Vector> Grid<V> {
    /// Sorts the agents at `positions` into cells of about this width (length); with `shared` the
    /// threads share the work.
    pub(crate) fn build(
        &mut self,
        positions: &VectorColumn<V>,
        width: f32,
        space: &Space<V>,
        shared: Share,
    ) {
        self.build_cells(positions, width, Cells::Square, space, shared);
    }

    /// [`build`](Self::build) with cells of this form.
    pub(crate) fn build_cells(
        &mut self,
        positions: &VectorColumn<V>,
        width: f32,
        form: Cells,
        space: &Space<V>,
        shared: Share,
    ) {
        let (low, high) = positions.extent();
        (self.origin, self.extent) = (low, high - low);
        (self.world, self.wraps, self.rounding) = (None, [false; 3], 0.0);
        if space.wraps() {
            let (min, size) = (space.min(), space.size());
            self.world = Some((min, size));
            for axis in 0..V::DIMENSION {
                let free = size.axis(axis) - self.extent.axis(axis);
                self.wraps[axis] = free <= FREE_WIDTHS * width || positions.len() == 0;
            }
            let wraps = self.wraps;
            self.origin = V::from_fn(|i| if wraps[i] { min.axis(i) } else { low.axis(i) });
            self.extent =
                V::from_fn(|i| if wraps[i] { size.axis(i) } else { high.axis(i) - low.axis(i) });
            // In a world of 1e9 agents up to a hundred from the edge are at the distance zero from
            // it.
            self.rounding = 16.0 * f32::EPSILON * self.magnitude();
        }
        self.form = form;
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
        self.rows.clear();
        for &cell in &self.cell_of {
            let next = &mut self.starts[cell as usize];
            self.rows.push(*next);
            *next += 1;
        }
        // Each start has moved to its cell's end, which is the next one's start.
        self.starts.copy_within(0..count, 1);
        self.starts[0] = 0;
    }

    /// Computes the cells of the agents from row `first` on.
    fn find_cells(
        &self,
        positions: &VectorColumn<V>,
        first: usize,
        cells: &mut [u32],
        shared: Share,
    ) {
        if shared.is_on() && cells.len() > 16 * GRAIN {
            let middle = cells.len() / 2;
            let (low, high) = cells.split_at_mut(middle);
            return both(
                shared,
                || self.find_cells(positions, first, low, shared),
                || self.find_cells(positions, first + middle, high, shared),
            );
        }
        for i in 0..cells.len() {
            let p = positions.get(first + i);
            let mut at = [0; 3];
            for axis in 0..V::DIMENSION {
                at[axis] = self.cell(axis, p.axis(axis));
            }
            cells[i] = self.number(at) as u32;
        }
    }

    /// Chooses the number of cells: as many as `width` asks for, but few enough that a cell holds
    /// several agents on average, as candidates are gathered once per cell.
    fn divide(&mut self, width: f32, agents: usize) {
        // A cell in 3D has three times as many neighbor cells as in 2D: smaller cells pay there.
        let agents_per_cell = if V::DIMENSION == 3 { 4 } else { 12 };
        let along_x = self.form.along_x();
        let max_cells = (along_x * agents / agents_per_cell).max(8) as f32;
        let mut width = width.max(f32::MIN_POSITIVE);
        let cells_on_axis = |width: f32, i: usize| {
            let narrow = if i == 0 { along_x as f32 } else { 1.0 };
            ((self.extent.axis(i) * narrow / width) as usize).clamp(1, MAX_CELLS)
        };
        while (0..V::DIMENSION).map(|i| cells_on_axis(width, i) as f32).product::<f32>() > max_cells
        {
            width *= 1.25;
        }
        self.cells = [0, 1, 2].map(|i| if i < V::DIMENSION { cells_on_axis(width, i) } else { 1 });
        self.scale = V::from_fn(|i| {
            if self.cells[i] > 1 { self.cells[i] as f32 / self.extent.axis(i) } else { 0.0 }
        });
    }

    /// The cell on axis `i` at the coordinate `x`; monotonic in `x`.
    #[inline(always)]
    fn cell(&self, i: usize, x: f32) -> usize {
        (((x - self.origin.axis(i)) * self.scale.axis(i)) as u32 as usize).min(self.cells[i] - 1)
    }

    #[inline(always)]
    fn number(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.cells[1] + y) * self.cells[0] + x
    }

    /// The row of each agent in cell order.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The smallest width of a cell over all axes, without what makes cells narrow (length); 0 if
    /// there is only one cell.
    pub(crate) fn width(&self) -> f32 {
        let narrow = |i: usize| if i == 0 { self.form.along_x() as f32 } else { 1.0 };
        (0..V::DIMENSION)
            .filter(|&i| self.cells[i] > 1)
            .map(|i| self.extent.axis(i) * narrow(i) / self.cells[i] as f32)
            .reduce(f32::min)
            .unwrap_or(0.0)
    }

    /// By how much rounding may shorten an offset across the edge (length); 0 where no edge wraps.
    pub(crate) fn rounding(&self) -> f32 {
        self.rounding
    }

    /// A bound on the coordinates of all agents when they were sorted (length).
    pub(crate) fn magnitude(&self) -> f32 {
        let (low, size) = self.world.unwrap_or((self.origin, self.extent));
        (0..V::DIMENSION).map(|i| low.axis(i).abs() + size.axis(i)).fold(0.0, f32::max)
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The rows of the agents in a run of cells.
    pub(crate) fn run(&self, cells: Range<usize>) -> Range<usize> {
        self.starts[cells.start] as usize..self.starts[cells.end] as usize
    }

    /// The end of the shortest run of cells from the start of `cells` that has at least `agents`
    /// agents; the end of `cells` if all of them have fewer.
    pub(crate) fn end_of(&self, cells: Range<usize>, agents: usize) -> usize {
        if cells.is_empty() {
            return cells.end;
        }
        let ends = &self.starts[cells.start + 1..=cells.end];
        let enough = (self.starts[cells.start] as usize).saturating_add(agents);
        let cell = ends.partition_point(|&end| (end as usize) < enough);
        cells.end.min(cells.start + cell + 1)
    }

    /// Whether an offset of `radius` (length) from the box between `low` and `high` may cross the
    /// edge of a wrapped world.
    pub(crate) fn crosses(&self, low: V, high: V, radius: f32) -> bool {
        let reach = radius * SLACK + self.rounding;
        self.world.is_some_and(|(min, size)| {
            (0..V::DIMENSION).any(|i| {
                let (start, end) = (min.axis(i), min.axis(i) + size.axis(i));
                low.axis(i) - reach < start || high.axis(i) + reach >= end
            })
        })
    }

    /// Appends to `runs` the rows, in cell order, that include every agent within `radius` (length)
    /// of the box from `low` to `high`, each agent once.
    pub(crate) fn collect_runs(&self, low: V, high: V, radius: f32, runs: &mut Vec<Range<u32>>) {
        self.for_each_run(low, high, radius, |run| runs.push(run));
    }

    /// Visits the runs that [`collect_runs`](Self::collect_runs) appends.
    #[inline(always)]
    pub(crate) fn for_each_run(
        &self,
        low: V,
        high: V,
        radius: f32,
        mut visit: impl FnMut(Range<u32>),
    ) {
        let reach = radius * SLACK + self.rounding;
        let mut spans = [Span { first: 0, count: 1 }; 3];
        for (i, span) in spans.iter_mut().enumerate().take(V::DIMENSION) {
            *span = self.span(i, low.axis(i) - reach, high.axis(i) + reach);
        }
        let [x, y, z] = spans;
        let row_length = self.cells[0];
        // A row may wrap at the edge: then its end and its beginning are two runs.
        let first = self.wrapped(0, x.first);
        let straight = x.count.min(row_length - first);
        for layer in 0..z.count {
            let layer = self.wrapped(2, z.first + layer as isize) * self.cells[1];
            for row in 0..y.count {
                let row = (layer + self.wrapped(1, y.first + row as isize)) * row_length;
                let starts = &self.starts[row..=row + row_length];
                let run = starts[first]..starts[first + straight];
                if run.start < run.end {
                    visit(run);
                }
                if straight < x.count {
                    visit(starts[0]..starts[x.count - straight]);
                }
            }
        }
    }

    /// The cells on axis `i` from the coordinate `from` to `to`; in a wrapped world the span
    /// continues across the edge.
    #[inline(always)]
    fn span(&self, i: usize, mut from: f32, mut to: f32) -> Span {
        if let Some((_, size)) = self.world
            && !self.wraps[i]
        {
            // An agent that has crossed the edge since the sort is still in the cell where it was.
            let (size, middle) = (size.axis(i), self.origin.axis(i) + 0.5 * self.extent.axis(i));
            let off = 0.5 * (from + to) - middle;
            let image = if off > 0.5 * size {
                -size
            } else if off < -0.5 * size {
                size
            } else {
                0.0
            };
            (from, to) = (from + image, to + image);
            let (start, end) = (self.origin.axis(i), self.origin.axis(i) + self.extent.axis(i));
            if from <= end - size || to >= start + size {
                return Span { first: 0, count: self.cells[i] };
            }
        }
        let (origin, extent, cells) = (self.origin.axis(i), self.extent.axis(i), self.cells[i]);
        let wraps = self.wraps[i];
        let (before, after) = (wraps && from < origin, wraps && to >= origin + extent);
        // Shifting a coordinate by the extent rounds: one more cell covers the error.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::spatial::space::{Bounds, Edge};
    use glam::{Vec2, vec2};

    /// Agents in a part of a wrapped world, which after the sort have moved by up to `moved`, also
    /// across the edge: each query finds all that are within its radius.
    fn assert_all_are_found(low: Vec2, high: Vec2, moved: f32) {
        let bounds = Bounds { min: Vec2::ZERO, max: vec2(100.0, 100.0), edge: Edge::Wrap };
        let space = Space::new(Some(bounds));
        let mut random = Random::new(2, 0, 0, 0);
        let mut inside = |low: Vec2, high: Vec2| {
            let p = vec2(random.between(low.x, high.x), random.between(low.y, high.y));
            space.wrapped(p)
        };
        let before: Vec<Vec2> = (0..300).map(|_| inside(low, high)).collect();
        let after: Vec<Vec2> = before
            .iter()
            .map(|p| inside(*p - Vec2::splat(moved), *p + Vec2::splat(moved)))
            .collect();
        let mut positions = VectorColumn::<Vec2>::EMPTY;
        positions.resize(300);
        (0..300).for_each(|i| positions.set(i, before[i]));
        let mut grid = Grid::<Vec2>::default();
        grid.build(&positions, 1.0, &space, Share::ALONE);
        let radii = [0.5, 3.0, 12.0, 45.0, 70.0];
        for (i, radius) in (0..600).zip(radii.into_iter().cycle()) {
            let p = if i < 300 { after[i] } else { inside(Vec2::ZERO, vec2(100.0, 100.0)) };
            let padded = radius + moved * 1.5;
            let mut runs = Vec::new();
            grid.collect_runs(p, p, padded, &mut runs);
            for (j, other) in after.iter().enumerate() {
                let d = space.difference(p, *other).length();
                let row = grid.rows()[j];
                let found = runs.iter().filter(|run| run.contains(&row)).count();
                assert!(found <= 1 && (found == 1 || d > radius), "{p} {other} {radius}");
                // A neighbor across the edge is known to be across it.
                if (p - *other).length() > d + 1.0 && d <= radius {
                    assert!(grid.crosses(p, p, padded), "{p} {other} {radius}");
                }
            }
        }
    }

    #[test]
    fn a_grid_over_a_part_of_a_wrapped_world_finds_all_neighbors() {
        for (low, high) in [
            (vec2(40.0, 40.0), vec2(60.0, 60.0)),
            (vec2(0.0, 0.0), vec2(30.0, 100.0)),
            (vec2(70.0, 0.0), vec2(100.0, 100.0)),
            (vec2(0.0, 50.0), vec2(100.0, 99.9)),
            (vec2(-15.0, -15.0), vec2(15.0, 15.0)),
            (vec2(0.0, 0.0), vec2(88.0, 2.0)),
        ] {
            for moved in [0.0, 0.4] {
                assert_all_are_found(low, high, moved);
            }
        }
    }

    #[test]
    fn a_query_finds_what_rounding_puts_at_the_distance_zero_across_the_edge() {
        let bounds = Bounds { min: vec2(-1e9, 0.0), max: vec2(0.0, 1e9), edge: Edge::Wrap };
        let space = Space::new(Some(bounds));
        let mut positions = VectorColumn::<Vec2>::EMPTY;
        positions.resize(200);
        (0..200).for_each(|i| positions.set(i, vec2(-1e9 + 5e6 * i as f32, 5e8)));
        let mut grid = Grid::<Vec2>::default();
        grid.build(&positions, 1e7, &space, Share::ALONE);
        let near_the_end = vec2(-1e-4, 5e8);
        assert_eq!(space.difference(near_the_end, positions.get(0)), Vec2::ZERO);
        assert!(grid.crosses(near_the_end, near_the_end, 0.0));
        let mut found = false;
        grid.for_each_run(near_the_end, near_the_end, 0.0, |run| {
            found |= grid.rows()[0] >= run.start && grid.rows()[0] < run.end;
        });
        assert!(found);
    }
}
