//! [`Vector`] for [`glam::Vec3`].

use alloc::vec::Vec;

use glam::{Vec2, Vec3};

use super::{Up, Vector};
#[cfg(not(feature = "std"))]
use crate::platform::Float;
use crate::random::Random;

/// Cosines and sines of the multiples of the golden angle, 2.399_963_2, as `libm` computes them.
pub(super) const FAN: [(f32, f32); 48] = [
    (1.0, 0.0),
    (-0.7373688, 0.6754904),
    (0.087425545, -0.99617106),
    (0.60843927, 0.79360044),
    (-0.98471355, -0.1741816),
    (0.8437552, -0.5367282),
    (-0.25960332, 0.96571535),
    (-0.4609078, -0.887448),
    (0.9393215, 0.34303796),
    (-0.9243453, 0.38155693),
    (0.42384562, -0.9057344),
    (0.29928413, 0.954164),
    (-0.8652122, -0.50140584),
    (0.9766754, -0.21472126),
    (-0.575128, 0.81806344),
    (-0.12851225, -0.9917079),
    (0.7646499, 0.6444459),
    (-0.999146, 0.041319102),
    (0.7088286, -0.70538074),
    (-0.046190467, 0.99893266),
    (-0.64070976, -0.76778316),
    (0.9910695, 0.13334632),
    (-0.82085806, 0.5711323),
    (0.21948099, -0.97561675),
    (0.4971844, 0.8676449),
    (-0.95269394, -0.30393127),
    (0.9077896, -0.41942593),
    (-0.38605776, 0.9224746),
    (-0.33845553, -0.9409824),
    (0.88519096, 0.46522784),
    (-0.9669692, 0.25489324),
    (0.5408352, -0.8411286),
    (0.16937898, 0.985551),
    (-0.79062486, -0.6123009),
    (0.9965855, -0.08256763),
    (-0.67907757, 0.7340665),
    (0.004876018, -0.99998814),
    (0.67188674, 0.74065393),
    (-0.9957329, -0.09228233),
    (0.7965583, -0.6045617),
    (-0.17898194, 0.9838524),
    (-0.5326069, -0.84636277),
    (0.96443754, 0.26431093),
    (-0.88968575, 0.4565734),
    (0.3476158, -0.93763703),
    (0.37704352, 0.92619556),
    (-0.9036562, -0.4282587),
    (0.9556126, -0.2946262),
];

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
        let (cos, sin) = FAN[k % FAN.len()];
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
