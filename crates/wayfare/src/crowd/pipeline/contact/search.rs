//! When the bodies that may touch one another have to be searched again.
//!
//! A search finds them for as long as no body moves by half a skin (L. Verlet, "Computer
//! experiments on classical fluids I", Physical Review 159, 1967).

use super::pairs::Body;
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::simd::column::VectorColumn;
use crate::spatial::space::Space;
use crate::vector::Vector;

/// The skin, in longest steps of the tick: a wide one makes searches rare, and the lists of bodies
/// long.
const SKIN_STEPS: f32 = 4.0;
/// The smallest and the largest skin, as parts of the largest radius.
const SKIN: [f32; 2] = [0.5, 1.5];

/// The last search, and how far bodies have moved since.
#[derive(Clone, Debug)]
pub(super) struct LastSearch<V: Vector> {
    /// The positions then (length): not a number for those without a body.
    positions: VectorColumn<V>,
    /// Its skin (length).
    skin: f32,
    /// Whether bodies have changed since.
    outdated: bool,
    /// By how much a body may have moved since (length).
    moved: f32,
    /// By how much the distance of two bodies may round (length).
    rounding: f32,
}

impl<V: Vector> Default for LastSearch<V> {
    fn default() -> Self {
        Self {
            positions: VectorColumn::EMPTY,
            skin: 0.0,
            outdated: true,
            moved: 0.0,
            rounding: 0.0,
        }
    }
}

impl<V: Vector> LastSearch<V> {
    /// Says that bodies have changed.
    #[inline(always)]
    pub(super) fn outdate(&mut self) {
        self.outdated = true;
    }

    /// The skin (length).
    pub(super) fn skin(&self) -> f32 {
        self.skin
    }

    /// Whether the next iteration needs another search.
    pub(super) fn is_due(&self) -> bool {
        // The factor covers what rounds with the skin.
        self.outdated || 2.0 * self.moved * 1.001 + self.rounding > self.skin
    }

    /// Says by how much the distance of two bodies may round (length).
    pub(super) fn set_rounding(&mut self, rounding: f32) {
        self.rounding = rounding;
    }

    /// Notes a search of `bodies` at these positions in a tick whose longest step is `step`, and
    /// returns its skin; `largest` is the largest radius (lengths).
    pub(super) fn begin(
        &mut self,
        positions: &VectorColumn<V>,
        bodies: &[Body],
        largest: f32,
        step: f32,
    ) -> f32 {
        self.positions.resize(bodies.len());
        for (i, body) in bodies.iter().enumerate() {
            let p = positions.get(i);
            self.positions.set(i, if body.radius > 0.0 { p } else { p * f32::NAN });
        }
        let [least, most] = SKIN.map(|part| part * largest);
        (self.skin, self.outdated) = ((SKIN_STEPS * step).clamp(least, most), false);
        self.moved = 0.0;
        self.skin
    }

    /// Finds how far bodies have moved that are at these positions now (length).
    pub(super) fn find_moved(&mut self, positions: &VectorColumn<V>, space: &Space<V>) {
        if self.outdated {
            return;
        }
        let count = positions.len();
        let squared = if space.wraps() {
            (0..count).fold(0.0, |longest, i| {
                let way = space.difference(self.positions.get(i), positions.get(i));
                larger(longest, way.length_squared())
            })
        } else {
            // Axis by axis: the compiler computes several bodies at once.
            let axes = [0, 1, 2].map(|axis| {
                let axis = axis.min(V::DIMENSION - 1);
                (&self.positions.axis(axis)[..count], &positions.axis(axis)[..count])
            });
            (0..count).fold(0.0, |longest, i| {
                let way = |k: usize| axes[k].1[i] - axes[k].0[i];
                larger(longest, (0..V::DIMENSION).fold(0.0, |sum, k| sum + way(k) * way(k)))
            })
        };
        self.moved = squared.sqrt();
    }

    /// Says that bodies have moved by up to `way` more (length).
    pub(super) fn add_moved(&mut self, way: f32) {
        self.moved += way;
    }

    #[cfg(test)]
    pub(super) fn positions(&self) -> &VectorColumn<V> {
        &self.positions
    }
}

/// The larger number; the first where the second is not a number.
#[inline(always)]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
