//! When the bodies that may touch one another have to be searched again.
//!
//! A search finds them for as long as no two bodies move by a skin relative to each other (L.
//! Verlet, "Computer experiments on classical fluids I", Physical Review 159, 1967). People who
//! walk in one direction hardly do, however far they walk.

use super::body::Body;
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::simd::column::VectorColumn;
use crate::simd::{SimdDispatch, SimdMemory, SimdVector, Work};
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
    /// By how much two bodies may have moved relative to each other since, or where there are dense
    /// chunks, twice the longest way of a body (length).
    apart: f32,
    /// By how much the distance of two bodies may round (length).
    rounding: f32,
}

impl<V: Vector> Default for LastSearch<V> {
    fn default() -> Self {
        Self {
            positions: VectorColumn::EMPTY,
            skin: 0.0,
            outdated: true,
            apart: 0.0,
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
        self.outdated || self.apart * 1.001 + self.rounding > self.skin
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
        self.apart = 0.0;
        self.skin
    }

    /// Finds how far bodies have moved that are at these positions now (length). With `absolute`
    /// the ways themselves count, and not only their differences: dense chunks look for candidates
    /// at places of the last search.
    pub(super) fn find_moved(
        &mut self,
        to: &VectorColumn<V>,
        space: &Space<V>,
        absolute: bool,
        dispatch: SimdDispatch,
    ) {
        if self.outdated {
            return;
        }
        let (longest, extent) = dispatch.run(FindMoved { from: &self.positions, to, space });
        // Each way is rounded in proportion to its length.
        let relative = extent + longest * 1e-6;
        self.apart = if absolute { 2.0 * longest } else { relative.min(2.0 * longest) };
    }

    /// Says that bodies have moved by up to `way` more (length).
    pub(super) fn add_moved(&mut self, way: f32) {
        self.apart += 2.0 * way;
    }

    #[cfg(test)]
    pub(super) fn positions(&self) -> &VectorColumn<V> {
        &self.positions
    }
}

/// The longest way between two columns of positions, and the diagonal of the box around all ways
/// (lengths), as work for the widest instruction set.
struct FindMoved<'a, V: Vector> {
    from: &'a VectorColumn<V>,
    to: &'a VectorColumn<V>,
    space: &'a Space<V>,
}

impl<V: Vector> Work for FindMoved<'_, V> {
    type Result = (f32, f32);
    #[inline(always)]
    fn run<L: SimdMemory>(self) -> (f32, f32) {
        let Self { from, to, space } = self;
        let count = to.len();
        // The ends of the box and the longest way, squared: all as minima, those of the largest
        // numbers negated.
        let (mut low, mut high, mut longest) =
            ([L::splat(f32::INFINITY); 3], [L::splat(f32::INFINITY); 3], L::splat(0.0));
        let lanes = L::from_fn(|lane| lane as f32);
        for at in (0..count).step_by(L::COUNT) {
            let is_row = lanes.le(L::splat((count - at - 1) as f32));
            let way = SimdVector::<L>::load(to, at) - SimdVector::load(from, at);
            let way = space.shortest(way);
            // A minimum with what is not a number is the other number.
            for axis in 0..V::DIMENSION {
                let way = L::select(is_row, way.0[axis], L::splat(f32::NAN));
                low[axis] = way.min(low[axis]);
                high[axis] = (-way).min(high[axis]);
            }
            let squared = way.length_squared::<V>();
            longest = (-L::select(is_row, squared, L::splat(0.0))).min(longest);
        }
        let extent = V::from_fn(|axis| -high[axis].least() - low[axis].least());
        ((-longest.least()).sqrt(), extent.length())
    }
}

/// The larger number; the first where the second is not a number.
#[inline(always)]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
