//! A column of vectors, stored axis by axis so that it can be read in blocks of lanes.
//!
//! A block of padding follows the last vector, so that the last vectors can be read as a block.

use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;

use crate::simd::{MAX_LANES, SimdMemory, SimdVector};
use crate::vector::Vector;

/// A list of numbers for each axis; in 2D the third list is empty.
#[derive(Clone, Debug)]
pub(crate) struct VectorColumn<V> {
    axes: [Vec<f32>; 3],
    vector: PhantomData<V>,
}

impl<V: Vector> Default for VectorColumn<V> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<V: Vector> VectorColumn<V> {
    pub(crate) const EMPTY: Self = Self { axes: [const { Vec::new() }; 3], vector: PhantomData };

    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> V {
        V::from_fn(|axis| self.axes[axis][i])
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, i: usize, v: V) {
        for axis in 0..V::DIMENSION {
            self.axes[axis][i] = v.axis(axis);
        }
    }

    pub(crate) fn push(&mut self, v: V) {
        let length = self.len();
        self.resize(length + 1);
        self.set(length, v);
    }

    /// The numbers of one axis.
    #[inline(always)]
    pub(crate) fn axis(&self, axis: usize) -> &[f32] {
        &self.axes[axis]
    }

    #[inline(always)]
    pub(crate) fn axis_mut(&mut self, axis: usize) -> &mut [f32] {
        &mut self.axes[axis]
    }

    /// Changes the length; new vectors are zero.
    pub(crate) fn resize(&mut self, length: usize) {
        for axis in 0..V::DIMENSION {
            self.axes[axis].resize(length + MAX_LANES, 0.0);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.axes[0].len().saturating_sub(MAX_LANES)
    }

    /// The column as slices that can be split between threads.
    pub(crate) fn slices(&mut self) -> VectorSlices<'_, V> {
        VectorSlices { axes: self.axes.each_mut().map(Vec::as_mut_slice), vector: PhantomData }
    }

    /// The vectors of a run of rows.
    #[inline(always)]
    pub(crate) fn run(&self, run: Range<usize>) -> VectorRun<'_, V> {
        let [x, y, z] = &self.axes;
        VectorRun {
            axes: [&x[run.clone()], &y[run.clone()], if V::DIMENSION == 3 { &z[run] } else { &[] }],
            vector: PhantomData,
        }
    }

    /// The corners of the bounding box of `f` of each vector of a run that is not empty.
    #[inline(always)]
    pub(crate) fn box_around(&self, run: Range<usize>, f: impl Fn(V) -> V) -> (V, V) {
        let (count, run) = (run.end - run.start, self.run(run));
        let (mut low, mut high) = (f(run.get(0)), f(run.get(0)));
        for i in 1..count {
            let p = f(run.get(i));
            (low, high) = (low.min(p), high.max(p));
        }
        (low, high)
    }

    /// The corners of the bounding box of all vectors; both are the origin if there are none.
    pub(crate) fn extent(&self) -> (V, V) {
        let ends = |axis: &[f32]| {
            axis[..self.len()].iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &x| {
                (low.min(x), high.max(x))
            })
        };
        if self.len() == 0 {
            return (V::ZERO, V::ZERO);
        }
        (V::from_fn(|i| ends(&self.axes[i]).0), V::from_fn(|i| ends(&self.axes[i]).1))
    }

    /// Replaces the first `count` vectors by those of `other`.
    pub(crate) fn copy_from(&mut self, other: &Self, count: usize) {
        for axis in 0..V::DIMENSION {
            self.axes[axis][..count].copy_from_slice(&other.axes[axis][..count]);
        }
    }

    /// Writes the vectors into `other`, which has as many: row `i` becomes row `rows[i]`.
    pub(crate) fn permute_into(&self, rows: &[u32], other: &mut Self) {
        for axis in 0..V::DIMENSION {
            for (x, &at) in self.axes[axis].iter().zip(rows) {
                other.axes[axis][at as usize] = *x;
            }
        }
    }
}

/// A run of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VectorRun<'a, V> {
    /// In 2D the third list is empty.
    axes: [&'a [f32]; 3],
    vector: PhantomData<V>,
}

impl<V: Vector> VectorRun<'_, V> {
    pub(crate) fn len(&self) -> usize {
        self.axes[0].len()
    }

    /// Removes the first block from the run and returns it.
    #[inline(always)]
    pub(crate) fn take_block<L: SimdMemory>(&mut self) -> SimdVector<L> {
        let mut lanes = [L::splat(0.0); 3];
        for i in 0..V::DIMENSION {
            let (block, rest) = self.axes[i].split_at(L::COUNT);
            lanes[i] = L::load(block, 0);
            self.axes[i] = rest;
        }
        SimdVector(lanes)
    }

    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> V {
        V::from_fn(|axis| self.axes[axis][i])
    }
}

/// A run of a column, for writing.
#[derive(Debug)]
pub(crate) struct VectorSlices<'a, V> {
    axes: [&'a mut [f32]; 3],
    vector: PhantomData<V>,
}

impl<V: Vector> VectorSlices<'_, V> {
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> V {
        V::from_fn(|axis| self.axes[axis][i])
    }

    /// The same slices for a shorter lifetime.
    #[inline(always)]
    pub(crate) fn reborrow(&mut self) -> VectorSlices<'_, V> {
        let [x, y, z] = &mut self.axes;
        VectorSlices { axes: [x, y, z], vector: PhantomData }
    }

    /// Writes a block from `at` on.
    #[inline(always)]
    pub(crate) fn store<L: SimdMemory>(&mut self, at: usize, lanes: SimdVector<L>) {
        lanes.store_axes::<V>(&mut self.axes, at);
    }

    /// The first `count`, and the others.
    #[inline(always)]
    pub(crate) fn split(self, count: usize) -> (Self, Self) {
        let [x, y, z] = self.axes;
        // In 2D the third list is empty.
        let ((x, x2), (y, y2), (z, z2)) = (
            x.split_at_mut(count),
            y.split_at_mut(count),
            z.split_at_mut(if V::DIMENSION == 3 { count } else { 0 }),
        );
        (
            Self { axes: [x, y, z], vector: PhantomData },
            Self { axes: [x2, y2, z2], vector: PhantomData },
        )
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, i: usize, v: V) {
        for axis in 0..V::DIMENSION {
            self.axes[axis][i] = v.axis(axis);
        }
    }
}
