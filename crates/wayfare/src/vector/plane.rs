//! [`Vector`] for [`glam::Vec2`].

use alloc::vec::Vec;

use glam::Vec2;

use super::{NoUp, Vector};
use crate::random::Random;

/// Cosines and sines of the multiples of 22.5 degrees up to 180, as `libm` computes them: a sine
/// takes longer than all else that is done with a direction.
pub(super) const FAN: [(f32, f32); 9] = [
    (1.0, 0.0),
    (0.9238795, 0.38268346),
    (0.70710677, 0.70710677),
    (0.38268343, 0.9238795),
    (-4.371139e-8, 1.0),
    (-0.38268352, 0.9238795),
    (-0.70710677, 0.70710677),
    (-0.9238796, 0.38268328),
    (-1.0, -8.742278e-8),
];

/// The turns of a fan: the cosines and the sines, so that several are computed at once.
const TURNS: [[f32; 16]; 2] = {
    let mut turns = [[0.0; 16]; 2];
    let mut k = 0_usize;
    while k < 16 {
        let (cos, sin) = FAN[k.div_ceil(2)];
        (turns[0][k], turns[1][k]) = (cos, if k % 2 == 1 { sin } else { -sin });
        k += 1;
    }
    turns
};

impl Vector for Vec2 {
    const DIMENSION: usize = 2;
    const ZERO: Self = Vec2::ZERO;
    const X: Self = Vec2::X;
    type Direction = f32;
    type StoredUp = NoUp;

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
        let k = k % Self::FAN;
        self.turned(Vec2::new(TURNS[0][k], TURNS[1][k]))
    }
    fn fan_into(self, [x, y, _]: [&mut [f32]; 3]) {
        let ([cos, sin], x, y) = (&TURNS, &mut x[..16], &mut y[..16]);
        for k in 0..16 {
            x[k] = cos[k] * self.x - sin[k] * self.y;
        }
        for k in 0..16 {
            y[k] = sin[k] * self.x + cos[k] * self.y;
        }
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
    fn direction_along(unit: Self) -> f32 {
        libm::atan2f(unit.y, unit.x)
    }
    #[inline(always)]
    fn walk_direction(angle: f32, reach: f32, random: &mut Random) -> f32 {
        // Kept within one turn: rounding would lose small steps of a large angle.
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
