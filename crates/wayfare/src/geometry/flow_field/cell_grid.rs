//! The regular grid of cells of a flow field: positions to cells, and the cells that a box touches.

#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::vector::Vector;

/// A box of the world divided into cells of one width, row by row: x varies fastest.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CellGrid<V> {
    /// The corner with the smallest coordinates (length).
    pub(super) low: V,
    /// The width of a cell on every axis (length).
    pub(super) cell: f32,
    /// The number of cells on each axis; 1 on axes beyond the dimension.
    pub(super) counts: [usize; 3],
}

/// A position relative to the middles of the cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellPoint {
    /// The cell that contains the position.
    pub(super) home: [usize; 3],
    /// The offset from the middle of that cell on each axis (cell widths), from -0.5 to 0.5.
    pub(super) offset: [f32; 3],
}

/// The cells from one corner (included) to another (excluded).
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) from: [usize; 3],
    pub(super) to: [usize; 3],
}

impl Span {
    pub(super) fn intersection(&self, other: &Span) -> Self {
        Self {
            from: core::array::from_fn(|i| self.from[i].max(other.from[i])),
            to: core::array::from_fn(|i| self.to[i].min(other.to[i])),
        }
    }

    /// The coordinates of the cells, in memory order.
    pub(super) fn cells(self) -> impl Iterator<Item = [usize; 3]> {
        let Self { from, to } = self;
        (from[2]..to[2]).flat_map(move |z| {
            (from[1]..to[1]).flat_map(move |y| (from[0]..to[0]).map(move |x| [x, y, z]))
        })
    }
}

impl<V: Vector> CellGrid<V> {
    /// The grid that covers the box from `low` to `high`.
    pub(super) fn new(low: V, high: V, cell: f32) -> Self {
        Self { low, cell, counts: Self::counts(low, high, cell).map(|count| count as usize) }
    }

    /// The number of cells of this width that cover the box on each axis: the last cell may reach
    /// beyond it.
    pub(super) fn counts(low: V, high: V, cell: f32) -> [f64; 3] {
        let count = |i: usize| {
            ((f64::from(high.axis(i)) - f64::from(low.axis(i))) / f64::from(cell)).ceil().max(1.0)
        };
        core::array::from_fn(|i| if i < V::DIMENSION { count(i) } else { 1.0 })
    }

    pub(super) fn len(&self) -> usize {
        self.counts.iter().product()
    }

    pub(super) fn whole(&self) -> Span {
        Span { from: [0; 3], to: self.counts }
    }

    pub(super) fn index(&self, at: [usize; 3]) -> usize {
        at[0] + self.counts[0] * (at[1] + self.counts[1] * at[2])
    }

    pub(super) fn coordinates(&self, index: usize) -> [usize; 3] {
        let (rest, x) = (index / self.counts[0], index % self.counts[0]);
        [x, rest % self.counts[1], rest / self.counts[1]]
    }

    /// The distance in memory between neighbors on this axis.
    pub(super) fn stride(&self, axis: usize) -> usize {
        [1, self.counts[0], self.counts[0] * self.counts[1]][axis]
    }

    /// The middle of a cell (length).
    pub(super) fn middle(&self, at: [usize; 3]) -> V {
        V::from_fn(|i| self.low.axis(i) + (at[i] as f32 + 0.5) * self.cell)
    }

    /// The corner with the largest coordinates (length).
    pub(super) fn high(&self) -> V {
        V::from_fn(|i| self.low.axis(i) + self.counts[i] as f32 * self.cell)
    }

    /// The cell of `p`, after `p` is clamped to the box between the outermost middles.
    #[inline(always)]
    pub(super) fn locate(&self, p: V) -> CellPoint {
        let mut point = CellPoint { home: [0; 3], offset: [0.0; 3] };
        for i in 0..V::DIMENSION {
            let last = self.counts[i] - 1;
            let along = ((p.axis(i) - self.low.axis(i)) / self.cell - 0.5).clamp(0.0, last as f32);
            let home = ((along + 0.5) as usize).min(last);
            (point.home[i], point.offset[i]) = (home, along - home as f32);
        }
        point
    }

    /// Whether a cell contains `p`.
    #[inline(always)]
    pub(super) fn holds(&self, p: V) -> bool {
        (0..V::DIMENSION).all(|i| {
            let along = (p.axis(i) - self.low.axis(i)) / self.cell;
            (0.0..=self.counts[i] as f32).contains(&along)
        })
    }

    /// The point nearest to `p` in the box between the outermost middles.
    pub(super) fn clamp(&self, p: V) -> V {
        V::from_fn(|i| {
            let (low, half) = (self.low.axis(i), 0.5 * self.cell);
            p.axis(i).clamp(
                low + half,
                (low + (self.counts[i] as f32 - 0.5) * self.cell).max(low + half),
            )
        })
    }

    /// The cells that the box from `low` to `high`, grown by `by` (length), touches, and one more
    /// on each side.
    pub(super) fn touching(&self, low: V, high: V, by: f32) -> Span {
        let mut span = self.whole();
        for i in 0..V::DIMENSION {
            let (low, high) = (
                (low.axis(i) - by - self.low.axis(i)) / self.cell,
                (high.axis(i) + by - self.low.axis(i)) / self.cell,
            );
            // The conversion saturates at both ends.
            span.from[i] = ((low - 1.0).max(0.0) as usize).min(self.counts[i]);
            span.to[i] = ((high + 2.0).max(0.0) as usize).min(self.counts[i]);
        }
        span
    }
}
