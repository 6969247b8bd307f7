//! Rotation of a direction towards another by at most an angle. In C. Reynolds' simple vehicle
//! model (GDC 1999) the orientation follows the velocity; I. Millington ("AI for Games", 2006,
//! "Align" and "Face") separates the two.
//!
//! Directions are unit vectors, not angles: no angle wraps around, and the same code serves the
//! plane and space.

use crate::vector::{Up, Vector};

/// The angle between two unit vectors (radians, from 0 to pi); 0 where one of them is zero.
pub fn angle_between<V: Vector>(a: V, b: V) -> f32 {
    let cos = a.dot(b);
    let across = (b - a * cos).length();
    if across == 0.0 && cos == 0.0 { 0.0 } else { libm::atan2f(across, cos) }
}

/// Below this length the rounding of a difference of unit vectors turns it by more than 1e-5
/// radians.
const SHORT: f32 = 1e-2;

/// The unit vector `from` turned towards `to` by at most `most` (radians); `to` itself, of unit
/// length, if the angle between them is at most that.
///
/// If the directions are opposite, the turn is to the left, with z up. If `to` is zero or not
/// finite, the result is `from`. `to` need not be of unit length.
pub fn turned<V: Vector>(from: V, to: V, most: f32) -> V {
    turned_in(Up::Z, from, to, most)
}

/// [`turned`] in a world with this up axis, which decides the left.
pub fn turned_in<V: Vector>(up: Up, from: V, to: V, most: f32) -> V {
    let to = to.unit();
    if to == V::ZERO || !to.is_finite() {
        return from;
    }
    if angle_between(from, to) <= most {
        return to;
    }
    let across = to - from * from.dot(to);
    let length = across.length();
    // Of exactly opposite directions only rounding would decide the side.
    let side = if length < 1e-6 {
        up.left(from)
    } else if length < SHORT {
        // Rounding errors along `from` are a large part of so short a vector: remove them.
        let side = across.unit();
        (side - from * from.dot(side)).unit()
    } else {
        across.unit()
    };
    let (sin, cos) = libm::sincosf(most.max(0.0));
    (from * cos + side * sin).unit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behavior::testing::assert_near;
    use core::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    use glam::{Vec2, Vec3, vec2, vec3};

    #[test]
    fn a_turn_takes_the_smaller_angle_and_at_most_the_allowed_one() {
        let degrees = |a: f32| Vec2::from_angle(a.to_radians());
        // Across 0 degrees, in both directions.
        assert_near(turned(degrees(350.0), degrees(20.0), 10_f32.to_radians()), degrees(0.0));
        assert_near(turned(degrees(10.0), degrees(340.0), 20_f32.to_radians()), degrees(350.0));
        assert_near(turned(degrees(350.0), degrees(20.0), 30.01_f32.to_radians()), degrees(20.0));
        assert_near(
            turned(Vec3::X, vec3(0.0, 0.0, 9.0), FRAC_PI_4),
            vec3(0.5_f32.sqrt(), 0.0, 0.5_f32.sqrt()),
        );
        assert!(
            (angle_between(Vec3::X, Vec3::Z) - FRAC_PI_2).abs() < 1e-6
                && (angle_between(Vec2::X, -Vec2::X) - PI).abs() < 1e-6
        );
    }

    #[test]
    fn aligned_directions_stay_opposite_ones_turn_left_and_a_zero_target_changes_nothing() {
        assert_eq!(turned(vec2(0.6, 0.8), vec2(6.0, 8.0), 0.0), vec2(0.6, 0.8));
        assert_near(turned(Vec2::X, -Vec2::X, FRAC_PI_2), Vec2::Y);
        assert_near(turned(Vec3::Z, -Vec3::Z, FRAC_PI_2), Vec3::X);
        // Opposite horizontal directions turn in the horizontal plane of any up axis.
        assert_near(turned_in(Up::Z, Vec3::X, -Vec3::X, FRAC_PI_2), Vec3::Y);
        assert_near(turned_in(Up::Y, Vec3::X, -Vec3::X, FRAC_PI_2), -Vec3::Z);
        assert_near(turned(Vec2::X, vec2(-1.0, -1e-9), 0.5), Vec2::from_angle(0.5));
        for nothing in [Vec2::ZERO, vec2(f32::NAN, 1.0), vec2(1e-20, 0.0)] {
            assert_eq!(turned(Vec2::Y, nothing, 1.0), Vec2::Y);
        }
        assert_eq!(angle_between(Vec2::X, Vec2::ZERO), 0.0);
    }

    #[test]
    fn repeated_turns_reach_any_direction_and_stay_there() {
        for k in 0..360 {
            let goal = Vec2::from_angle((k as f32).to_radians());
            let mut facing = vec2(-0.6, 0.8);
            for _ in 0..40 {
                facing = turned(facing, goal, 0.1);
                assert!((facing.length() - 1.0).abs() < 1e-6);
            }
            assert_near(facing, goal);
        }
    }
}
