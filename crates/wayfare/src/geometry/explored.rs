//! [`Explored`]: a coarse grid over an area with the tick of a group's last visit to each cell. The
//! behavior [`explore`](crate::behavior::explore()) reads it.
//!
//! A pyramid of levels above the cells holds the least time of each square of two by two cells of
//! the level below (L. Williams, "Pyramidal parametrics", 1983, with minima in place of means). So
//! the nearest of the least recently visited cells is found without a scan of all cells.

use alloc::vec::Vec;

use glam::Vec2;

use crate::geometry::obstacle::Shape;
use crate::spatial::space::Space;
use crate::vector::{Up, Vector};

/// The largest number of cells of an area: their times take 8 MB.
pub const MOST_CELLS: usize = 1_000_000;

/// The time of an excluded cell: later than all others.
const NEVER_DUE: u64 = u64::MAX;

/// An area divided into cells, and the tick of the last visit to each.
///
/// A box is divided along its own axes, a circle along those of the world, into the smallest number
/// of equal cells not wider than requested. Along an axis on which the area is narrower than a cell
/// there is one cell of the requested width. Cells of a circle whose middles are outside of it are
/// excluded.
///
/// ```
/// use wayfare::{
///     geometry::explored::Explored, geometry::obstacle::Shape, glam::vec2,
///     spatial::space::Space,
/// };
/// let mut explored =
///     Explored::new(&Shape::box_between(vec2(0.0, 0.0), vec2(40.0, 20.0)), 20.0);
/// assert_eq!(explored.target(&Space::OPEN, vec2(25.0, 0.0)), Some(vec2(30.0, 10.0)));
/// explored.visit(&Space::OPEN, vec2(25.0, 0.0), 0);
/// assert_eq!(explored.target(&Space::OPEN, vec2(25.0, 0.0)), Some(vec2(10.0, 10.0)));
/// ```
#[derive(Clone, Debug)]
pub struct Explored<V: Vector> {
    area: Shape<V>,
    cell: f32,
    center: V,
    /// The cosine and sine of the angle of the area.
    turn: Vec2,
    up: V::StoredUp,
    /// The number of cells on each axis, and their widths (length).
    counts: [usize; 3],
    width: V,
    /// One more than the tick of the last visit of each cell; 0 for none yet.
    last: Vec<u64>,
    /// Whether a cell is excluded.
    excluded: Vec<bool>,
    /// Squares of two by two cells, then of four by four, up to one square of all cells.
    levels: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    counts: [usize; 3],
    /// The least time of the cells in each square.
    least: Vec<u64>,
}

/// The middle of an area, half its extent along its own axes, the vertical one last, and the cosine
/// and sine of its angle.
fn frame<V: Vector>(area: &Shape<V>, up: Up) -> (V, V, Vec2) {
    match area {
        Shape::Box { center, half, angle } => {
            (*center, up.swap_widths(*half), <Vec2 as Vector>::direction_unit(*angle))
        }
        Shape::Circle { center, radius } => (*center, V::from_fn(|_| *radius), Vec2::X),
        other => {
            let (low, high) = other.extent(up);
            ((low + high) * 0.5, up.swap_widths((high - low) * 0.5), Vec2::X)
        }
    }
}

/// The number of cells of this width that cover an extent (lengths); a rest by rounding adds no
/// cell.
fn count_along(extent: f32, cell: f32) -> f64 {
    libm::ceil(f64::from(extent) / f64::from(cell) * (1.0 - 1e-6)).max(1.0)
}

/// The number of cells of this width (length) that an area needs; it may exceed [`MOST_CELLS`].
pub(crate) fn cells_of<V: Vector>(area: &Shape<V>, cell: f32) -> f64 {
    // The product does not depend on the order of the axes.
    let (_, half, _) = frame(area, Up::Z);
    (0..V::DIMENSION).map(|i| count_along(2.0 * half.axis(i), cell)).product()
}

/// An upper bound on the memory of the grid of an area (bytes): 17 for each cell, and 3 kB. It does
/// not allocate.
pub fn bytes<V: Vector>(area: &Shape<V>, cell: f32) -> u64 {
    // A time and a flag for each cell; in the levels one time for two cells, and so on.
    let cells = cells_of(area, cell).min(MOST_CELLS as f64) as u64 * 17;
    // The list of levels grows by doubling, so that room for three times as many is held for a
    // while. A level of odd width rounds up by one square.
    cells + MOST_LEVELS * (3 * size_of::<Level>() as u64 + 8) + 3 * size_of::<Explored<V>>() as u64
}

/// The levels above a row of [`MOST_CELLS`] cells.
const MOST_LEVELS: u64 = 20;

fn number(counts: [usize; 3], [x, y, z]: [usize; 3]) -> usize {
    (z * counts[1] + y) * counts[0] + x
}

impl<V: Vector> Explored<V> {
    /// The circle or box `area` in cells at most `cell` wide (length, above zero), without visits.
    /// For another shape its bounding box counts. If there would be more than [`MOST_CELLS`] cells,
    /// they are wider. The world has z up.
    pub fn new(area: &Shape<V>, cell: f32) -> Self {
        Self::with_up(area, cell, Up::Z)
    }

    /// [`new`](Self::new) in a world with this up axis.
    pub fn with_up(area: &Shape<V>, cell: f32, up: Up) -> Self {
        let mut wide = cell.max(f32::MIN_POSITIVE);
        while cells_of(area, wide) > MOST_CELLS as f64 {
            wide *= 1.25;
        }
        let (center, half, turn) = frame(area, up);
        let counts = [0, 1, 2].map(|i| {
            if i < V::DIMENSION { count_along(2.0 * half.axis(i), wide) as usize } else { 1 }
        });
        let width = V::from_fn(|i| {
            if counts[i] == 1 {
                wide.max(2.0 * half.axis(i))
            } else {
                2.0 * half.axis(i) / counts[i] as f32
            }
        });
        let count = counts.iter().product();
        let mut levels: Vec<Level> = Vec::new();
        let mut above = counts;
        while above.iter().any(|count| *count > 1) {
            above = above.map(|count| count.div_ceil(2));
            levels.push(Level { counts: above, least: vec![0; above.iter().product()] });
        }
        let mut explored = Self {
            area: area.clone(),
            cell,
            center,
            turn,
            up: up.into(),
            counts,
            width,
            last: vec![0; count],
            excluded: vec![false; count],
            levels,
        };
        explored.exclude(|_| false);
        explored
    }

    /// Whether it was made from this area and width of cells.
    pub(crate) fn was_made_from(&self, area: &Shape<V>, cell: f32) -> bool {
        self.area == *area && self.cell == cell
    }

    pub(crate) fn center(&self) -> V {
        self.center
    }

    /// The area and the requested width of its cells (length).
    pub(crate) fn area(&self) -> (&Shape<V>, f32) {
        (&self.area, self.cell)
    }

    /// Excludes the cells whose middles `is_excluded` holds for, and includes all others.
    pub fn exclude(&mut self, is_excluded: impl Fn(V) -> bool) {
        for cell in 0..self.last.len() {
            let middle = self.local_middle(self.index(cell));
            let is_outside = if let Shape::Circle { radius, .. } = self.area {
                middle.length() > radius
            } else {
                false
            };
            self.excluded[cell] = is_outside || is_excluded(self.middle(cell));
        }
        self.update_levels();
    }

    /// Computes all levels from the cells.
    fn update_levels(&mut self) {
        for level in 0..self.levels.len() {
            let counts = self.levels[level].counts;
            for square in 0..self.levels[level].least.len() {
                self.levels[level].least[square] =
                    self.least_below(level, index_in(counts, square));
            }
        }
    }

    /// The number of cells, including excluded ones.
    pub fn len(&self) -> usize {
        self.last.len()
    }

    /// Whether there are no cells: never.
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    /// The cells that are not excluded: their middles (length), and the ticks of their last visits.
    pub fn cells(&self) -> impl Iterator<Item = (V, Option<u64>)> + '_ {
        (0..self.last.len())
            .filter(|cell| !self.excluded[*cell])
            .map(|cell| (self.middle(cell), self.last[cell].checked_sub(1)))
    }

    /// Records that an agent is at `p` (length) at `tick`.
    pub fn visit(&mut self, space: &Space<V>, p: V, tick: u64) {
        if let Some(cell) = self.cell_at(space, p) {
            self.visit_cell(cell, tick);
        }
    }

    /// The index of the cell at `p` (length), if the area has one there.
    pub(crate) fn cell_at(&self, space: &Space<V>, p: V) -> Option<usize> {
        self.index_at(self.local(self.nearest_image(space, p))).map(|at| number(self.counts, at))
    }

    /// Records that an agent is in the cell with this index at `tick`.
    pub(crate) fn visit_cell(&mut self, cell: usize, tick: u64) {
        let time = tick + 1;
        if core::mem::replace(&mut self.last[cell], time) == time || self.excluded[cell] {
            return;
        }
        let mut at = self.index(cell);
        for level in 0..self.levels.len() {
            at = at.map(|i| i / 2);
            let least = self.least_below(level, at);
            let square = &mut self.levels[level];
            let square = &mut square.least[number(square.counts, at)];
            if core::mem::replace(square, least) == least {
                break;
            }
        }
    }

    /// The middle of the cell nearest to `p` among the least recently visited ones, with the lowest
    /// index in a tie (length); in a wrapped `space` its image nearest to `p`. `None` if all cells
    /// are excluded.
    pub fn target(&self, space: &Space<V>, p: V) -> Option<V> {
        let top = self.levels.len();
        let least = self.time(top, [0; 3]);
        if least == NEVER_DUE {
            return None;
        }
        let mut best = (f32::INFINITY, usize::MAX);
        let here = self.nearest_image(space, p);
        let images = if space.wraps() { 3_usize.pow(V::DIMENSION as u32) } else { 1 };
        for image in 0..images {
            let turn = |axis: usize| {
                if images == 1 { 0.0 } else { (image / 3_usize.pow(axis as u32) % 3) as f32 - 1.0 }
            };
            let from = self.local(here + V::from_fn(|axis| space.size().axis(axis) * turn(axis)));
            if self.distance_squared(top, [0; 3], from) <= best.0 {
                self.search(top, [0; 3], from, least, &mut best);
            }
        }
        Some(space.image(p, self.middle(best.1)))
    }

    /// Searches a square of `level` for the cell nearest to `from` whose time is `least`.
    fn search(&self, level: usize, at: [usize; 3], from: V, least: u64, best: &mut (f32, usize)) {
        if level == 0 {
            let found = (self.distance_squared(0, at, from), number(self.counts, at));
            if found < *best {
                *best = found;
            }
            return;
        }
        let mut below = [(f32::INFINITY, [0; 3]); 8];
        let mut count = 0;
        for inner in self.below(level - 1, at) {
            if self.time(level - 1, inner) == least {
                below[count] = (self.distance_squared(level - 1, inner, from), inner);
                count += 1;
            }
        }
        below[..count].sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        for &(distance, inner) in &below[..count] {
            // A cell at an equal distance may have a lower index.
            if distance <= best.0 {
                self.search(level - 1, inner, from, least, best);
            }
        }
    }

    /// The squares of `level` in the square `at` of the level above; level 0 are the cells.
    fn below(&self, level: usize, at: [usize; 3]) -> impl Iterator<Item = [usize; 3]> + use<V> {
        let counts = self.counts_of(level);
        let corner = move |i: usize| [0, 1, 2].map(|axis| 2 * at[axis] + (i >> axis & 1));
        (0..8).map(corner).filter(move |inner| (0..3).all(|axis| inner[axis] < counts[axis]))
    }

    fn counts_of(&self, level: usize) -> [usize; 3] {
        level.checked_sub(1).map_or(self.counts, |above| self.levels[above].counts)
    }

    /// The least time of the cells in the square `at` of `level`.
    fn time(&self, level: usize, at: [usize; 3]) -> u64 {
        match level.checked_sub(1) {
            Some(above) => self.levels[above].least[number(self.levels[above].counts, at)],
            None => {
                let cell = number(self.counts, at);
                if self.excluded[cell] { NEVER_DUE } else { self.last[cell] }
            }
        }
    }

    fn least_below(&self, level: usize, at: [usize; 3]) -> u64 {
        self.below(level, at).map(|inner| self.time(level, inner)).min().unwrap_or(NEVER_DUE)
    }

    /// The squared distance from `from` to the bounding box of the middles of a square's cells. It
    /// rounds alike for a cell and for the squares that contain it, so that no square is farther
    /// than its cells.
    fn distance_squared(&self, level: usize, at: [usize; 3], from: V) -> f32 {
        let low = self.local_middle(at.map(|i| i << level));
        let high = self.local_middle(
            [0, 1, 2].map(|axis| (((at[axis] + 1) << level) - 1).min(self.counts[axis] - 1)),
        );
        V::from_fn(|i| (low.axis(i) - from.axis(i)).max(from.axis(i) - high.axis(i)).max(0.0))
            .length_squared()
    }

    /// The image of `p` nearest to the middle of the area.
    fn nearest_image(&self, space: &Space<V>, p: V) -> V {
        if !space.wraps() {
            return p;
        }
        let anchor = space.wrapped(self.center);
        space.image(anchor, p) + (self.center - anchor)
    }

    /// `p` relative to the middle of the area, along its axes, the vertical one last.
    fn local(&self, p: V) -> V {
        self.up.into().to_z_up(p - self.center).turned(Vec2::new(self.turn.x, -self.turn.y))
    }

    fn local_middle(&self, at: [usize; 3]) -> V {
        V::from_fn(|i| ((at[i] as f32 + 0.5) - self.counts[i] as f32 * 0.5) * self.width.axis(i))
    }

    /// The coordinates of the cell that contains this local position.
    fn index_at(&self, local: V) -> Option<[usize; 3]> {
        let mut at = [0; 3];
        for (i, at) in at.iter_mut().enumerate().take(V::DIMENSION) {
            let along = local.axis(i) / self.width.axis(i) + self.counts[i] as f32 * 0.5;
            if !(0.0..=self.counts[i] as f32).contains(&along) {
                return None;
            }
            *at = (along as usize).min(self.counts[i] - 1);
        }
        Some(at)
    }

    fn index(&self, cell: usize) -> [usize; 3] {
        index_in(self.counts, cell)
    }

    fn middle(&self, cell: usize) -> V {
        self.center
            + self.up.into().from_z_up(self.local_middle(self.index(cell)).turned(self.turn))
    }

    /// The times of all cells, as [`restore`](Self::restore) takes them.
    pub(crate) fn times(&self) -> &[u64] {
        &self.last
    }

    /// Sets the times of all cells.
    pub(crate) fn restore(&mut self, times: &[u64]) {
        self.last.copy_from_slice(times);
        self.update_levels();
    }
}

fn index_in(counts: [usize; 3], cell: usize) -> [usize; 3] {
    [cell % counts[0], cell / counts[0] % counts[1], cell / counts[0] / counts[1]]
}

#[cfg(test)]
mod tests;
