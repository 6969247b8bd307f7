//! Fields of view.

#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering};

use super::{Neighbor, NeighborFilter, Neighbors};
use crate::simd::{One, Simd, SimdVector};
use crate::vector::Vector;

/// A field of view.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<V> {
    pub(super) heading: V,
    /// The cosine of half the angle.
    pub(super) cosine: f32,
}

impl<V: Vector> View<V> {
    /// True for the neighbors in view, at these offsets (length) and squared distances. A neighbor
    /// at distance zero is always in view.
    #[inline(always)]
    pub(super) fn contains<L: Simd>(&self, offset: SimdVector<L>, distance_squared: L) -> L::Mask {
        let limit = L::splat(self.cosine) * distance_squared.sqrt();
        // The smallest number above zero.
        let is_apart = L::splat(f32::from_bits(1)).le(distance_squared);
        let limit = L::select(is_apart, limit, L::splat(f32::NEG_INFINITY));
        limit.le(offset.dot::<V>(SimdVector::splat(self.heading)))
    }

    /// Whether `neighbor` is in view.
    #[inline(always)]
    pub(super) fn has(&self, neighbor: &Neighbor<V>) -> bool {
        let (offset, squared) =
            (SimdVector::splat(neighbor.offset), One::splat(neighbor.distance_squared));
        One::to_bits(self.contains(offset, squared)) != 0
    }
}

impl<V: Vector> Neighbors<V> {
    /// The field of view of a host with this heading; `None` for a full one.
    #[inline(always)]
    pub(super) fn view(&self, filter: &NeighborFilter<'_>, heading: V) -> Option<View<V>> {
        (filter.field_of_view < 360.0).then(|| View { heading, cosine: self.cosine(filter) })
    }

    /// The cosine of half the field of view; minus infinity for a full one.
    #[inline(always)]
    pub(super) fn cosine(&self, filter: &NeighborFilter<'_>) -> f32 {
        let angle = filter.field_of_view;
        if angle < 360.0 { self.cosines.of_half(angle) } else { f32::NEG_INFINITY }
    }
}

/// The last cosines of halves of angles: behaviors ask for the same few for every agent, and a
/// cosine takes longer than a block of neighbors.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub(super) struct Cosines([AtomicU64; 32]);

#[cfg(target_has_atomic = "64")]
impl Cosines {
    pub(super) const fn new() -> Self {
        // The bits of no angle.
        Self([const { AtomicU64::new(u64::MAX) }; 32])
    }

    /// The cosine of half the angle (degrees).
    #[inline(always)]
    fn of_half(&self, angle: f32) -> f32 {
        // Angle and cosine are one number, so that threads see both or none.
        let entry = &self.0[angle as usize % 32];
        let last = entry.load(Ordering::Relaxed);
        if (last >> 32) as u32 == angle.to_bits() {
            return f32::from_bits(last as u32);
        }
        let cosine = cosine_of_half(angle);
        entry.store(
            u64::from(angle.to_bits()) << 32 | u64::from(cosine.to_bits()),
            Ordering::Relaxed,
        );
        cosine
    }
}

/// On machines that have no atomic numbers of this size nothing is stored.
#[cfg(not(target_has_atomic = "64"))]
#[derive(Debug)]
pub(super) struct Cosines;

#[cfg(not(target_has_atomic = "64"))]
impl Cosines {
    pub(super) const fn new() -> Self {
        Self
    }

    fn of_half(&self, angle: f32) -> f32 {
        cosine_of_half(angle)
    }
}

impl Clone for Cosines {
    fn clone(&self) -> Self {
        Self::new()
    }
}

/// The cosine of half the angle (degrees).
#[cold]
#[inline(never)]
pub(super) fn cosine_of_half(angle: f32) -> f32 {
    libm::cosf((angle * 0.5).to_radians())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_cosine_is_that_of_its_angle() {
        let cosines = Cosines::new();
        // 30, 62 and 270.5 degrees have an entry with another angle.
        for angle in [0.0, 270.0, 30.0, 62.0, 270.5, 30.0, 0.0, 359.999_97, 62.0, 0.0] {
            let fresh = libm::cosf((angle * 0.5_f32).to_radians());
            assert_eq!(cosines.of_half(angle).to_bits(), fresh.to_bits(), "{angle}");
        }
    }
}
