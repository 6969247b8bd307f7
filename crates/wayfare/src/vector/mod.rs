//! The trait [`Vector`] over the vectors of the plane and of space. Only this module depends on the
//! dimension.
//!
//! Everything else in the library is written once, for any `V: Vector`, and used with
//! [`glam::Vec2`] and [`glam::Vec3`]. Where a formula of the plane has no single meaning in space
//! (a turn to the left, an angle that wanders), this module documents the choice.

use alloc::vec::Vec;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use glam::Vec2;

use crate::crowd::Instances;
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::random::Random;

mod plane;
pub mod rotation;
#[cfg(any(test, feature = "space"))]
mod space;
#[cfg(test)]
mod tests;
mod up;

pub use up::{NoUp, StoredUp, Up};

/// The largest coordinate on each axis (length); positions and forces are clamped to it.
///
/// It keeps every square of a difference finite in `f32`, so that no valid scene can reach an
/// infinity or a NaN. Usual scenes stay far below it.
pub const WORLD_LIMIT: f32 = 1e18;

/// Vectors whose squared length is below this count as zero and have no direction.
pub(crate) const ZERO_LENGTH_SQUARED: f32 = 1e-30;

/// The distance up to which two agents are at the same position (length): the square root of
/// [`ZERO_LENGTH_SQUARED`].
pub(crate) const ZERO_LENGTH: f32 = 1e-15;

/// A vector of the plane ([`glam::Vec2`]) or of space ([`glam::Vec3`], with the feature `space`).
///
/// Sums of products are written in the order x, y, z and never fused, so that the same bits come
/// out everywhere. The trait is sealed: these two types are its only implementations.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a vector of wayfare",
    label = "not `glam::Vec2` or `glam::Vec3` of a feature that is on",
    note = "`Vec2` needs the feature `plane` of the crate `wayfare`, which is on by default, and \
            `Vec3` the feature `space`",
    note = "both are types of `wayfare::glam`: another version of glam has other types"
)]
pub trait Vector:
    Instances
    + Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f32, Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign<f32>
{
    /// The number of coordinates: 2 or 3.
    const DIMENSION: usize;
    /// The zero vector.
    const ZERO: Self;
    /// The unit vector along +x: the initial heading of an agent at rest.
    const X: Self;
    /// A direction that can take a random walk: an angle in radians in the plane, a unit vector in
    /// space.
    type Direction: Copy + Debug + Default + PartialEq + Send + Sync + 'static;
    /// An [`Up`] as a structure over this type stores it: [`NoUp`] in the plane.
    type StoredUp: StoredUp;

    /// The vector with the coordinates `f(0)`, `f(1)`, …
    fn from_fn(f: impl FnMut(usize) -> f32) -> Self;
    /// The coordinate on axis `i`; `i` is below [`DIMENSION`](Self::DIMENSION).
    fn axis(self, i: usize) -> f32;
    /// The scalar product.
    fn dot(self, other: Self) -> f32;
    /// The projection to the x-y plane.
    fn flat(self) -> Vec2;
    /// The vector whose projection to the x-y plane is `flat`, with z = 0.
    fn from_flat(flat: Vec2) -> Self;
    /// Turns `self` counter-clockwise about the z axis by the angle whose cosine and sine are
    /// `turn`.
    #[must_use]
    fn turned(self, turn: Vec2) -> Self;

    /// A random direction, uniform over the circle or the sphere.
    fn random_direction(random: &mut Random) -> Self::Direction;
    /// The count of numbers that describe a direction: 1 or 3.
    const DIRECTION_NUMBERS: usize;
    /// A direction as numbers, the first [`DIRECTION_NUMBERS`](Self::DIRECTION_NUMBERS) of these.
    fn direction_numbers(direction: Self::Direction) -> [f32; 3];
    /// The direction of these numbers.
    fn direction_of(numbers: [f32; 3]) -> Self::Direction;
    /// The unit vector of a direction.
    fn direction_unit(direction: Self::Direction) -> Self;
    /// The direction of a unit vector.
    fn direction_along(unit: Self) -> Self::Direction;
    /// One step of a random walk of a direction.
    ///
    /// In the plane the angle changes by a uniform number from `-reach` to `reach` (radians). In
    /// space the point on the unit sphere takes a tangent step of uniform direction and of
    /// uniform length from 0 to `reach`, and is projected back to the sphere.
    fn walk_direction(
        direction: Self::Direction,
        reach: f32,
        random: &mut Random,
    ) -> Self::Direction;
    /// Appends the points of the cubic Bézier curve `curve` after its first, so close that no part
    /// of the curve is farther than `tolerance` (length, above zero) from the line through them.
    ///
    /// The plane uses kurbo's flattening, which adapts to the curvature; space divides evenly by
    /// Wang's bound (G. Wang, 1984), as kurbo supports only the plane.
    fn flatten_cubic(curve: [Self; 4], tolerance: f32, points: &mut Vec<Self>);

    /// The unit vector to the left of this heading: (-y, x), in space the same with z = 0; +x where
    /// that is zero. [`Up::left`] is the same for any up axis.
    #[must_use]
    #[inline(always)]
    fn unit_perp(self) -> Self {
        let flat = self.flat();
        let left = Self::from_flat(Vec2::new(-flat.y, flat.x)).unit();
        if left == Self::ZERO { Self::X } else { left }
    }

    /// The square of the length.
    #[inline(always)]
    fn length_squared(self) -> f32 {
        self.dot(self)
    }

    /// The length, also where its square overflows.
    #[inline(always)]
    fn length(self) -> f32 {
        let squared = self.length_squared();
        if squared <= f32::MAX { squared.sqrt() } else { length_of_huge(self) }
    }

    /// The vector of length 1 in this direction; zero where the squared length is below 1e-30.
    #[must_use]
    #[inline(always)]
    fn unit(self) -> Self {
        let squared = self.length_squared();
        if squared < ZERO_LENGTH_SQUARED {
            Self::ZERO
        } else if squared <= f32::MAX {
            self * (1.0 / squared.sqrt())
        } else {
            unit_of_huge(self)
        }
    }

    /// Shortened to `longest` if it is longer.
    #[doc(alias = "clamp_length_max")]
    #[must_use]
    #[inline(always)]
    fn truncate(self, longest: f32) -> Self {
        let squared = self.length_squared();
        if squared <= longest * longest {
            self
        } else if squared <= f32::MAX {
            self * (longest / squared.sqrt())
        } else {
            unit_of_huge(self) * longest
        }
    }

    /// Each coordinate through `f`.
    #[must_use]
    #[inline(always)]
    fn map(self, mut f: impl FnMut(f32) -> f32) -> Self {
        Self::from_fn(|i| f(self.axis(i)))
    }

    /// The smaller coordinate on each axis, of vectors without NaN; the first in a tie.
    #[must_use]
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::from_fn(|i| if other.axis(i) < self.axis(i) { other.axis(i) } else { self.axis(i) })
    }

    /// The larger coordinate on each axis, of vectors without NaN; the first in a tie.
    #[must_use]
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::from_fn(|i| if other.axis(i) > self.axis(i) { other.axis(i) } else { self.axis(i) })
    }

    /// Each coordinate clamped to plus and minus [`WORLD_LIMIT`].
    ///
    /// NaN, which only a user's own type or behavior can produce, counts as 0.
    #[must_use]
    #[inline(always)]
    fn clamped(self) -> Self {
        // This test suffices for nearly all vectors.
        if self.length_squared() < WORLD_LIMIT * WORLD_LIMIT {
            return self;
        }
        self.map(|x| if x.is_nan() { 0.0 } else { x.clamp(-WORLD_LIMIT, WORLD_LIMIT) })
    }

    /// Whether every coordinate is a finite number.
    #[inline(always)]
    fn is_finite(self) -> bool {
        (0..Self::DIMENSION).all(|i| self.axis(i).is_finite())
    }

    /// The number of directions of [`fan`](Self::fan).
    const FAN: usize;
    /// The `k`-th of [`FAN`](Self::FAN) unit vectors spread evenly about the unit vector `self`;
    /// the first is `self`, and in the plane each direction to the left is followed by its mirror
    /// image.
    fn fan(self, k: usize) -> Self;
    /// Writes the vectors of [`fan`](Self::fan) axis by axis, the first axes of each.
    ///
    /// # Panics
    /// If an axis has fewer than [`FAN`](Self::FAN) entries.
    fn fan_into(self, axes: [&mut [f32]; 3]) {
        for k in 0..Self::FAN {
            let unit = self.fan(k);
            for axis in 0..Self::DIMENSION {
                axes[axis][k] = unit.axis(axis);
            }
        }
    }

    /// A random unit vector, uniform over the circle or the sphere.
    fn random_unit(random: &mut Random) -> Self {
        Self::direction_unit(Self::random_direction(random))
    }

    /// A random point of the unit disc or ball, uniform over it.
    fn random_in_ball(random: &mut Random) -> Self {
        // Rejection: a point of the cube falls into the ball with a probability of 0.785 or 0.524.
        // 64 draws all fall outside with a probability of 1e-20; the loop is bounded nevertheless.
        for _ in 0..64 {
            let point = Self::from_fn(|_| random.between(-1.0, 1.0));
            if point.length_squared() <= 1.0 {
                return point;
            }
        }
        Self::ZERO
    }
}

/// The length of a vector whose square overflows. It is rare, so it is kept out of the callers.
#[cold]
#[inline(never)]
fn length_of_huge<V: Vector>(v: V) -> f32 {
    (v * 1e-20).length_squared().sqrt() * 1e20
}

/// The unit vector of a vector whose square overflows.
#[cold]
#[inline(never)]
fn unit_of_huge<V: Vector>(v: V) -> V {
    let small = v * 1e-20;
    small * (1.0 / small.length_squared().sqrt())
}
