//! The neighbors that count in a pass of sums: those of one filter for all terms, or those of a
//! filter per term.

use super::NeighborFilter;
use super::view::cosine_of_half;
use crate::simd::{Simd, SimdVector};
use crate::vector::Vector;

/// Radii and fields of view: `R` ranges.
pub(super) trait Ranges<V: Vector, const R: usize> {
    /// True for the neighbors within each range, at these offsets (length) and squared distances
    /// (length squared), which are above zero: at distance zero the result is unspecified.
    /// `selected` is the squared distance, infinite for neighbors that count in no range.
    fn selected<L: Simd>(
        &self,
        selected: L,
        offset: SimdVector<L>,
        distance_squared: L,
    ) -> [L::Mask; R];
}

/// All directions up to a radius, squared (length squared); negative for a range of no neighbors.
pub(super) struct Whole<const R: usize> {
    pub(super) squared: [f32; R],
}

impl<V: Vector, const R: usize> Ranges<V, R> for Whole<R> {
    #[inline(always)]
    fn selected<L: Simd>(&self, selected: L, _: SimdVector<L>, _: L) -> [L::Mask; R] {
        let mut masks = [selected.le(L::splat(self.squared[0])); R];
        for k in 1..R {
            masks[k] = selected.le(L::splat(self.squared[k]));
        }
        masks
    }
}

/// Each range has a radius and a field of view.
pub(super) struct InView<V, const R: usize> {
    pub(super) heading: V,
    /// The cosines of half the angles; minus infinity for a full view.
    pub(super) cosines: [f32; R],
    /// The squared radii (length squared); negative for a range of no neighbors.
    pub(super) squared: [f32; R],
}

impl<V: Vector, const R: usize> Ranges<V, R> for InView<V, R> {
    #[inline(always)]
    fn selected<L: Simd>(
        &self,
        selected: L,
        offset: SimdVector<L>,
        distance_squared: L,
    ) -> [L::Mask; R] {
        let distance = distance_squared.sqrt();
        let ahead = offset.dot::<V>(SimdVector::splat(self.heading));
        let mut masks = [selected.le(selected); R];
        for k in 0..R {
            let in_view = (L::splat(self.cosines[k]) * distance).le(ahead);
            masks[k] = selected.or_infinity(in_view).le(L::splat(self.squared[k]));
        }
        masks
    }
}

/// Several filters of one pass, in the form in which it reads them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filters<const N: usize> {
    pub(super) groups: u32,
    pub(super) close_squared: f32,
    pub(super) squared: [f32; N],
    pub(super) cosines: [f32; N],
    pub(super) has_view: bool,
}

impl<const N: usize> Filters<N> {
    /// These filters, of which a missing one selects no neighbor, with the largest `close` distance
    /// (length) of all. `None` if they do not select the same groups, or groups that a mask cannot
    /// hold.
    pub(crate) fn new(filters: &[Option<NeighborFilter<'_>>; N], close: f32) -> Option<Self> {
        let (mut groups, mut has_view) = (None, false);
        let (mut squared, mut cosines) = ([-1.0; N], [f32::NEG_INFINITY; N]);
        for k in 0..N {
            let Some(filter) = &filters[k] else { continue };
            let these = filter.of.bits()?;
            if *groups.get_or_insert(these) != these {
                return None;
            }
            squared[k] = filter.squared();
            if filter.field_of_view < 360.0 {
                cosines[k] = cosine_of_half(filter.field_of_view);
                has_view = true;
            }
        }
        let (groups, close_squared) = (groups?, close * close);
        Some(Self { groups, close_squared, squared, cosines, has_view })
    }
}
