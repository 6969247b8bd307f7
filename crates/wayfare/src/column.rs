//! A column of vectors, kept axis by axis: what is read eight at a time lies side by side.

use core::marker::PhantomData;
use core::ops::Range;

use crate::vector::Vector;

/// As many lists of numbers as the vectors have axes; the list of an axis that they do not have is empty.
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

    pub(crate) fn reserve(&mut self, count: usize) {
        for axis in 0..V::DIMENSION {
            self.axes[axis].reserve(count);
        }
    }

    pub(crate) fn push(&mut self, v: V) {
        for axis in 0..V::DIMENSION {
            self.axes[axis].push(v.axis(axis));
        }
    }

    /// The numbers of one axis.
    #[inline(always)]
    pub(crate) fn axis(&self, axis: usize) -> &[f32] {
        &self.axes[axis]
    }

    /// Adds a run of `other`.
    #[inline(always)]
    pub(crate) fn extend(&mut self, other: &Self, run: Range<usize>) {
        for axis in 0..V::DIMENSION {
            self.axes[axis].extend_from_slice(&other.axes[axis][run.clone()]);
        }
    }

    /// Adds `count` vectors with `x` on every axis.
    #[inline(always)]
    pub(crate) fn fill(&mut self, x: f32, count: usize) {
        for axis in 0..V::DIMENSION {
            let length = self.axes[axis].len();
            self.axes[axis].resize(length + count, x);
        }
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        for axis in 0..V::DIMENSION {
            self.axes[axis].truncate(length);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.axes[0].len()
    }

    /// The corners of the smallest box around all; the origin twice for none.
    pub(crate) fn extent(&self) -> (V, V) {
        let ends = |axis: &[f32]| axis.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
        if self.len() == 0 {
            return (V::ZERO, V::ZERO);
        }
        (V::from_fn(|i| ends(&self.axes[i]).0), V::from_fn(|i| ends(&self.axes[i]).1))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = V> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }

    /// Writes the vectors into `other`, which has as many, so that the one at `i` here is at `place[i]` there.
    pub(crate) fn permute_into(&self, place: &[u32], other: &mut Self) {
        for axis in 0..V::DIMENSION {
            for (x, &at) in self.axes[axis].iter().zip(place) {
                other.axes[axis][at as usize] = *x;
            }
        }
    }

    /// Changes every vector.
    pub(crate) fn apply(&mut self, f: impl Fn(V) -> V) {
        for i in 0..self.len() {
            self.set(i, f(self.get(i)));
        }
    }
}
