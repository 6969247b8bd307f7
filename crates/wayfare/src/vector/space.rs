//! [`Vector`] for [`glam::Vec3`].

use alloc::vec::Vec;

use glam::{Vec2, Vec3};

use super::{Up, Vector};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::random::Random;

impl Vector for Vec3 {
    const DIMENSION: usize = 3;
    const ZERO: Self = Vec3::ZERO;
    const X: Self = Vec3::X;
    type Direction = Vec3;
    type StoredUp = Up;

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
        let perp = self.unit_perp();
        (self * up + (perp * cos + self.cross(perp) * sin) * (1.0 - up * up).max(0.0).sqrt()).unit()
    }
    fn random_direction(random: &mut Random) -> Vec3 {
        // The height of a uniform point of the sphere is uniform (Archimedes).
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
    fn direction_along(unit: Self) -> Vec3 {
        unit
    }
    fn walk_direction(direction: Vec3, reach: f32, random: &mut Random) -> Vec3 {
        let here = Self::direction_unit(direction);
        // Two tangents; the first is perpendicular to an axis far from parallel to `here`.
        let other = if here.x.abs() < 0.5 { Vec3::X } else { Vec3::Y };
        let first = Vector::unit(here.cross(other));
        let second = here.cross(first);
        let tangent = Vec2::direction_unit(Vec2::random_direction(random));
        Vector::unit(here + (first * tangent.x + second * tangent.y) * random.between(0.0, reach))
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
