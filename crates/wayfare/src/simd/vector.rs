//! Vectors of lanes.

use core::ops::{Add, Mul, Sub};

use super::Simd;
use crate::vector::{Vector, ZERO_LENGTH_SQUARED};

/// Several vectors at once, of three axes; in 2D the third is zero.
#[derive(Clone, Copy, Debug)]
pub struct SimdVector<L>(pub(crate) [L; 3]);

/// Several terms of a sum: vectors, and the factor that makes them about as long as 1.
///
/// The factor is separate so that the unit of the sum is multiplied into it: once, if the factor is
/// the same for all.
#[derive(Clone, Copy, Debug)]
pub struct Term<L> {
    pub(crate) vector: SimdVector<L>,
    pub(crate) scale: L,
}

impl<L: Simd> SimdVector<L> {
    /// The same vector in each lane.
    #[inline(always)]
    pub(crate) fn splat<V: Vector>(v: V) -> Self {
        Self([
            L::splat(v.axis(0)),
            L::splat(v.axis(1)),
            L::splat(if V::DIMENSION == 3 { v.axis(2) } else { 0.0 }),
        ])
    }

    /// These vectors as terms of a sum, each multiplied by `scale`.
    #[inline(always)]
    pub fn times(self, scale: L) -> Term<L> {
        Term { vector: self, scale }
    }

    /// The vectors of `a` where the mask is true, those of `b` elsewhere.
    #[inline(always)]
    pub(crate) fn select(mask: L::Mask, a: Self, b: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (a.0, b.0);
        Self([L::select(mask, x, u), L::select(mask, y, v), L::select(mask, z, w)])
    }

    /// The larger of each two coordinates.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([x.max(u), y.max(v), z.max(w)])
    }

    /// The vectors along the first axis.
    #[inline(always)]
    pub(crate) fn along_x(x: L) -> Self {
        Self([x, L::splat(0.0), L::splat(0.0)])
    }

    /// The scalar products, summed in the order x, y, z as [`Vector::dot`] does.
    #[inline(always)]
    pub(crate) fn dot<V: Vector>(self, other: Self) -> L {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        let flat = x * u + y * v;
        if V::DIMENSION == 3 { flat + z * w } else { flat }
    }

    /// The squared lengths, summed in the order x, y, z as [`Vector::dot`] does.
    #[inline(always)]
    pub(crate) fn length_squared<V: Vector>(self) -> L {
        let [x, y, z] = self.0;
        let flat = x * x + y * y;
        if V::DIMENSION == 3 { flat + z * z } else { flat }
    }

    /// [`Vector::unit`] of each.
    #[inline(always)]
    pub(crate) fn unit<V: Vector>(self) -> Self {
        let squared = self.length_squared::<V>();
        let unit = self * (L::splat(1.0) / squared.sqrt());
        let has_direction = L::splat(ZERO_LENGTH_SQUARED).le(squared);
        Self::select(has_direction, unit, Self::splat(V::ZERO))
    }
}

impl<L: Simd> Add for SimdVector<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([x + u, y + v, z + w])
    }
}

impl<L: Simd> Sub for SimdVector<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([x, y, z], [u, v, w]) = (self.0, other.0);
        Self([x - u, y - v, z - w])
    }
}

impl<L: Simd> Mul<L> for SimdVector<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, scale: L) -> Self {
        let [x, y, z] = self.0;
        Self([x * scale, y * scale, z * scale])
    }
}
