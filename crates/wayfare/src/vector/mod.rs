//! The vectors of the plane and of space behind one trait, [`Vector`]: the only module that knows
//! about dimensions.
//!
//! Everything else in the library is written once, for any `V: Vector`, and used with
//! [`glam::Vec2`] and [`glam::Vec3`]. Where a formula of the plane has no single meaning in space
//! (a turn to the left, an angle that wanders), the choice is made here and said here.

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use glam::{Vec2, Vec3};

use crate::random::Random;

pub mod rotation;

/// The world reaches to this many length units from its origin on each axis; positions and forces
/// are held inside.
///
/// It keeps every square of a difference finite in `f32`, so that no valid scene can reach an
/// infinity or a NaN. A world whose numbers are sensible never comes near it.
pub const WORLD_LIMIT: f32 = 1e18;

/// Squared lengths below this count as zero: there is no direction to be had from them.
pub(crate) const ZERO_LENGTH_SQUARED: f32 = 1e-30;

/// Only this crate implements [`Vector`], so that methods can be added to it.
mod sealed {
    pub trait Sealed {}
    impl Sealed for glam::Vec2 {}
    impl Sealed for glam::Vec3 {}
}

/// A vector of the plane ([`glam::Vec2`]) or of space ([`glam::Vec3`]).
///
/// Sums of products are written in the order x, y, z and never fused, so that the same bits come
/// out everywhere. The trait is sealed: these two types are its only implementations.
pub trait Vector:
    sealed::Sealed
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
    /// How many coordinates there are: 2 or 3.
    const DIMENSION: usize;
    /// The zero vector.
    const ZERO: Self;
    /// The unit vector along +x: the first heading of who has no velocity.
    const X: Self;
    /// A direction that can take a random walk: an angle in radians in the plane, a unit vector in
    /// space.
    type Direction: Copy + Debug + Default + PartialEq + Send + Sync + 'static;

    /// The vector with the coordinates `f(0)`, `f(1)`, …
    fn from_fn(f: impl FnMut(usize) -> f32) -> Self;
    /// The coordinate on axis `i`; `i` is below [`DIMENSION`](Self::DIMENSION).
    fn axis(self, i: usize) -> f32;
    /// The scalar product.
    fn dot(self, other: Self) -> f32;
    /// The shadow on the x-y plane.
    fn flat(self) -> Vec2;
    /// The vector whose shadow on the x-y plane is `flat`, with z = 0.
    fn from_flat(flat: Vec2) -> Self;
    /// Turns `self` counter-clockwise about the z axis by the angle whose cosine and sine are
    /// `turn`.
    fn turned(self, turn: Vec2) -> Self;

    /// A random direction, uniform over the circle or the sphere.
    fn random_direction(random: &mut Random) -> Self::Direction;
    /// How many numbers a direction is: 1 or 3.
    const DIRECTION_NUMBERS: usize;
    /// A direction as numbers, the first [`DIRECTION_NUMBERS`](Self::DIRECTION_NUMBERS) of these.
    fn direction_numbers(direction: Self::Direction) -> [f32; 3];
    /// The direction of these numbers.
    fn direction_of(numbers: [f32; 3]) -> Self::Direction;
    /// The unit vector of a direction.
    fn direction_unit(direction: Self::Direction) -> Self;
    /// One step of a random walk of a direction.
    ///
    /// In the plane the angle changes by a uniform number from `-reach` to `reach` (radians). In
    /// space the point on the unit sphere takes a tangent step of uniform direction and of
    /// uniform length from 0 to `reach`, and is put back on the sphere.
    fn walk_direction(
        direction: Self::Direction,
        reach: f32,
        random: &mut Random,
    ) -> Self::Direction;
    /// The points of the cubic Bézier curve `curve` after its first, so close that no part of the
    /// curve is farther than `tolerance` (length units, above zero) from the line through them.
    ///
    /// The plane uses kurbo's flattening, which spends points where the curve bends; space divides
    /// evenly by Wang's bound (G. Wang, 1984), as kurbo is a crate for the plane.
    fn flatten_cubic(curve: [Self; 4], tolerance: f32, points: &mut Vec<Self>);

    /// The unit vector to the left of this heading: (-y, x), in space the same with z = 0; +x where
    /// that is zero.
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
    #[inline(always)]
    fn map(self, mut f: impl FnMut(f32) -> f32) -> Self {
        Self::from_fn(|i| f(self.axis(i)))
    }

    /// The smaller of each two coordinates, which are numbers; the first of two that are equal.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::from_fn(|i| if other.axis(i) < self.axis(i) { other.axis(i) } else { self.axis(i) })
    }

    /// The larger of each two coordinates, which are numbers; the first of two that are equal.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::from_fn(|i| if other.axis(i) > self.axis(i) { other.axis(i) } else { self.axis(i) })
    }

    /// Held inside the world: each coordinate between plus and minus [`WORLD_LIMIT`].
    ///
    /// NaN, which only a type or a behavior of the user's own can bring in, counts as 0.
    #[inline(always)]
    fn held(self) -> Self {
        // Nearly always one look is enough.
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

    /// How many directions [`fan`](Self::fan) has.
    const FAN: usize;
    /// The `k`-th of [`FAN`](Self::FAN) unit vectors spread evenly about the unit vector `self`;
    /// the first is `self`, and in the plane each left one is followed by the right one that
    /// mirrors it.
    fn fan(self, k: usize) -> Self;

    /// A random unit vector, uniform over the circle or the sphere.
    fn random_unit(random: &mut Random) -> Self {
        Self::direction_unit(Self::random_direction(random))
    }

    /// A random point of the unit disc or ball, uniform over it.
    fn random_in_ball(random: &mut Random) -> Self {
        // Rejection: a point of the cube falls into the ball with a probability of 0.785 or 0.524.
        // 64 draws all fall outside once in 10^20 times; the loop is bounded all the same.
        for _ in 0..64 {
            let point = Self::from_fn(|_| random.between(-1.0, 1.0));
            if point.length_squared() <= 1.0 {
                return point;
            }
        }
        Self::ZERO
    }
}

/// The length of a vector whose square overflows. Rare: apart, so that it takes no time anywhere
/// else.
#[cold]
#[inline(never)]
fn length_of_huge<V: Vector>(v: V) -> f32 {
    (v * 1e-20).length_squared().sqrt() * 1e20
}

/// The unit vector of one whose square overflows.
#[cold]
#[inline(never)]
fn unit_of_huge<V: Vector>(v: V) -> V {
    let small = v * 1e-20;
    small * (1.0 / small.length_squared().sqrt())
}

impl Vector for Vec2 {
    const DIMENSION: usize = 2;
    const ZERO: Self = Vec2::ZERO;
    const X: Self = Vec2::X;
    type Direction = f32;

    #[inline(always)]
    fn from_fn(mut f: impl FnMut(usize) -> f32) -> Self {
        let x = f(0);
        Vec2::new(x, f(1))
    }
    #[inline(always)]
    fn axis(self, i: usize) -> f32 {
        self[i]
    }
    #[inline(always)]
    fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }
    #[inline(always)]
    fn flat(self) -> Vec2 {
        self
    }
    #[inline(always)]
    fn from_flat(flat: Vec2) -> Self {
        flat
    }
    fn turned(self, turn: Vec2) -> Self {
        Vec2::new(turn.x * self.x - turn.y * self.y, turn.y * self.x + turn.x * self.y)
    }
    const FAN: usize = 16;
    fn fan(self, k: usize) -> Self {
        let angle = k.div_ceil(2) as f32 * (core::f32::consts::TAU / Self::FAN as f32);
        let (sin, cos) = libm::sincosf(if k % 2 == 1 { angle } else { -angle });
        self.turned(Vec2::new(cos, sin))
    }
    fn random_direction(random: &mut Random) -> f32 {
        random.between(-core::f32::consts::PI, core::f32::consts::PI)
    }
    const DIRECTION_NUMBERS: usize = 1;
    fn direction_numbers(angle: f32) -> [f32; 3] {
        [angle, 0.0, 0.0]
    }
    fn direction_of([angle, ..]: [f32; 3]) -> f32 {
        angle
    }
    #[inline(always)]
    fn direction_unit(angle: f32) -> Self {
        let (sin, cos) = libm::sincosf(angle);
        Vec2::new(cos, sin)
    }
    #[inline(always)]
    fn walk_direction(angle: f32, reach: f32, random: &mut Random) -> f32 {
        // Kept within a turn: a large angle would lose the small steps to rounding.
        let turn = 2.0 * core::f32::consts::PI;
        let next = angle + random.between(-reach, reach);
        if next.abs() < 0.5 * turn { next } else { next - turn * libm::roundf(next / turn) }
    }
    fn flatten_cubic(curve: [Self; 4], tolerance: f32, points: &mut Vec<Self>) {
        let [a, b, c, d] = curve.map(|p| kurbo::Point::new(f64::from(p.x), f64::from(p.y)));
        kurbo::flatten(
            [kurbo::PathEl::MoveTo(a), kurbo::PathEl::CurveTo(b, c, d)],
            f64::from(tolerance),
            |element| {
                if let kurbo::PathEl::LineTo(p) = element {
                    points.push(Vec2::new(p.x as f32, p.y as f32));
                }
            },
        );
    }
}

impl Vector for Vec3 {
    const DIMENSION: usize = 3;
    const ZERO: Self = Vec3::ZERO;
    const X: Self = Vec3::X;
    type Direction = Vec3;

    #[inline(always)]
    fn from_fn(mut f: impl FnMut(usize) -> f32) -> Self {
        let (x, y) = (f(0), f(1));
        Vec3::new(x, y, f(2))
    }
    #[inline(always)]
    fn axis(self, i: usize) -> f32 {
        self[i]
    }
    #[inline(always)]
    fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
    #[inline(always)]
    fn flat(self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }
    #[inline(always)]
    fn from_flat(flat: Vec2) -> Self {
        Vec3::new(flat.x, flat.y, 0.0)
    }
    fn turned(self, turn: Vec2) -> Self {
        let flat = self.flat().turned(turn);
        Vec3::new(flat.x, flat.y, self.z)
    }
    const FAN: usize = 48;
    fn fan(self, k: usize) -> Self {
        // A spiral from pole to pole (E. B. Saff, A. B. J. Kuijlaars, "Distributing Many Points on
        // a Sphere", 1997), by the golden angle.
        let up = 1.0 - 2.0 * k as f32 / (Self::FAN - 1) as f32;
        let (sin, cos) = libm::sincosf(k as f32 * 2.399_963_2);
        let left = self.unit_perp();
        (self * up + (left * cos + self.cross(left) * sin) * (1.0 - up * up).max(0.0).sqrt()).unit()
    }
    fn random_direction(random: &mut Random) -> Vec3 {
        // Archimedes: the height of a uniform point of the sphere is uniform.
        let z = random.between(-1.0, 1.0);
        let flat =
            Vec2::direction_unit(Vec2::random_direction(random)) * (1.0 - z * z).max(0.0).sqrt();
        Vec3::new(flat.x, flat.y, z)
    }
    const DIRECTION_NUMBERS: usize = 3;
    fn direction_numbers(direction: Vec3) -> [f32; 3] {
        direction.to_array()
    }
    fn direction_of(numbers: [f32; 3]) -> Vec3 {
        Vec3::from_array(numbers)
    }
    fn direction_unit(direction: Vec3) -> Self {
        if direction == Vec3::ZERO { Vec3::X } else { direction }
    }
    fn walk_direction(direction: Vec3, reach: f32, random: &mut Random) -> Vec3 {
        let here = Self::direction_unit(direction);
        // Two tangents: the axis that `here` leans on least gives the first.
        let lean = if here.x.abs() < 0.5 { Vec3::X } else { Vec3::Y };
        let first = Vector::unit(here.cross(lean));
        let second = here.cross(first);
        let way = Vec2::direction_unit(Vec2::random_direction(random));
        Vector::unit(here + (first * way.x + second * way.y) * random.between(0.0, reach))
    }
    fn flatten_cubic(curve: [Self; 4], tolerance: f32, points: &mut Vec<Self>) {
        let [a, b, c, d] = curve;
        let bend = Vector::length(a - b * 2.0 + c).max(Vector::length(b - c * 2.0 + d));
        let parts = libm::ceilf((0.75 * bend / tolerance).sqrt()).clamp(1.0, 10_000.0) as u32;
        for i in 1..=parts {
            let t = i as f32 / parts as f32;
            let s = 1.0 - t;
            points.push(if i == parts {
                d
            } else {
                a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use glam::{vec2, vec3};

    #[test]
    fn lengths_and_units_hold_where_the_square_overflows() {
        assert_eq!(Vector::length(vec2(3.0, -4.0)), 5.0);
        assert_eq!(Vector::length(vec3(1.0, -2.0, 2.0)), 3.0);
        let (flat, solid) = (vec2(3e30, -4e30), vec3(1e30, -2e30, 2e30));
        assert!(
            (Vector::length(flat) / 5e30 - 1.0).abs() < 1e-6
                && (Vector::length(solid) / 3e30 - 1.0).abs() < 1e-6
        );
        assert_near(flat.unit(), vec2(0.6, -0.8));
        assert_near(solid.unit(), vec3(1.0, -2.0, 2.0) * (1.0 / 3.0));
        assert_near(Vector::truncate(flat, 10.0), vec2(6.0, -8.0));
        assert_near(Vector::truncate(solid, 6.0), vec3(2.0, -4.0, 4.0));
    }

    #[test]
    fn what_is_shorter_than_1e_15_has_no_direction() {
        assert_eq!(
            [vec2(0.0, 0.0).unit(), vec2(9e-16, 0.0).unit(), vec2(0.0, -1e-40).unit()],
            [Vec2::ZERO; 3]
        );
        assert_near(vec2(0.0, -2e-15).unit(), vec2(0.0, -1.0));
        assert_eq!(vec3(0.0, 0.0, 9e-16).unit(), Vec3::ZERO);
        assert_near(vec3(0.0, 0.0, 2e-15).unit(), Vec3::Z);
        assert_eq!((Vector::length(Vec3::ZERO), Vector::length(Vec2::ZERO)), (0.0, 0.0));
    }

    #[test]
    fn truncating_shortens_only_what_is_longer() {
        let v = vec2(3.0, -4.0);
        assert_eq!(
            [
                Vector::truncate(v, 5.0),
                Vector::truncate(v, 7.0),
                Vector::truncate(v, f32::INFINITY)
            ],
            [v; 3]
        );
        assert_near(Vector::truncate(v, 2.5), vec2(1.5, -2.0));
        assert_eq!([Vector::truncate(v, 0.0), Vector::truncate(Vec2::ZERO, 0.0)], [Vec2::ZERO; 2]);
        assert_near(Vector::truncate(vec3(1.0, -2.0, 2.0), 1.5), vec3(0.5, -1.0, 1.0));
    }

    #[test]
    fn left_is_a_quarter_turn_in_the_plane_and_x_for_who_looks_along_z() {
        assert_eq!(vec2(0.6, 0.8).unit_perp(), vec2(-0.8, 0.6));
        assert_near(vec3(0.3, 0.4, 0.866).unit_perp(), vec3(-0.8, 0.6, 0.0));
        assert_eq!([Vec3::Z.unit_perp(), Vec3::ZERO.unit_perp()], [Vec3::X; 2]);
        assert_eq!(Vec2::ZERO.unit_perp(), Vec2::X);
    }

    #[test]
    fn a_turn_is_counter_clockwise_about_z() {
        let quarter = vec2(0.0, 1.0);
        assert_eq!(vec2(2.0, 1.0).turned(quarter), vec2(-1.0, 2.0));
        assert_eq!(vec3(2.0, 1.0, 7.0).turned(quarter), vec3(-1.0, 2.0, 7.0));
        assert_near(vec2(1.0, 0.0).turned(vec2(0.6, 0.8)), vec2(0.6, 0.8));
    }

    #[test]
    fn the_world_ends_at_its_limit() {
        assert_eq!(vec3(1e30, -f32::INFINITY, 5.0).held(), vec3(WORLD_LIMIT, -WORLD_LIMIT, 5.0));
        assert!(
            Vector::is_finite(vec2(1.0, WORLD_LIMIT))
                && !Vector::is_finite(vec2(f32::NAN, 0.0))
                && !Vector::is_finite(vec2(0.0, f32::INFINITY))
        );
    }

    #[test]
    fn a_fan_begins_ahead_and_covers_all_directions_evenly() {
        fn widest_gap<V: Vector>(ahead: V) -> f32 {
            assert!((ahead.fan(0) - ahead).length() < 1e-6);
            let mut random = Random::new(3, 0, 0, 0);
            let gap = |any: V| (0..V::FAN).map(|k| any.dot(ahead.fan(k))).fold(-1.0, f32::max);
            (0..1_000)
                .map(|_| gap(V::random_unit(&mut random)))
                .fold(1.0, f32::min)
                .acos()
                .to_degrees()
        }
        // Half of 360 / 16 degrees in the plane; in space 48 caps of 23.6 degrees would just cover
        // the area of the sphere.
        assert!(widest_gap(vec2(0.6, 0.8)) < 11.26);
        assert!(widest_gap(vec3(0.6, 0.0, 0.8)) < 24.5);
        // A quarter to the left, and to the right.
        assert!(
            (vec2(1.0, 0.0).fan(7) - vec2(0.0, 1.0)).length() < 1e-6
                && (vec2(1.0, 0.0).fan(8) - vec2(0.0, -1.0)).length() < 1e-6
        );
    }

    #[test]
    fn random_directions_and_points_are_spread_evenly() {
        let mut random = Random::new(11, 0, 0, 0);
        let (mut flat, mut solid, mut disc, mut ball) = (Vec2::ZERO, Vec3::ZERO, 0, 0);
        for _ in 0..10_000 {
            let (on_circle, on_sphere) =
                (Vec2::random_unit(&mut random), Vec3::random_unit(&mut random));
            assert!(
                (Vector::length(on_circle) - 1.0).abs() < 1e-6
                    && (Vector::length(on_sphere) - 1.0).abs() < 1e-6
            );
            flat += on_circle * on_circle * 1e-4;
            solid += on_sphere * on_sphere * 1e-4;
            disc += i32::from(Vector::length(Vec2::random_in_ball(&mut random)) < 0.5);
            ball += i32::from(Vector::length(Vec3::random_in_ball(&mut random)) < 0.5);
        }
        // The mean squares of the coordinates: a half each on the circle, a third on the sphere
        // (standard errors 0.0035, 0.003).
        assert!(
            (flat - Vec2::splat(0.5)).abs().max_element() < 0.018
                && (solid - Vec3::splat(1.0 / 3.0)).abs().max_element() < 0.015
        );
        // Within half of the radius lie a quarter of the disc and an eighth of the ball (standard
        // deviations 43 and 33).
        assert!((disc - 2_500).abs() < 215 && (ball - 1_250).abs() < 165, "{disc} {ball}");
    }
}
