//! Turning: from one direction towards another, no further than an angle. C. Reynolds, GDC 1999,
//! keeps orientation and velocity together ("the simple vehicle model"); apart from each other they
//! are I. Millington's, "AI for Games", 2006, "Align" and "Face".
//!
//! Directions are unit vectors and no angles, so that there is no place where a full turn begins
//! anew, and space is as the plane.

use crate::vector::Vector;

/// The angle between two unit vectors (radians, from 0 to pi); 0 where one of them is zero.
pub fn angle_between<V: Vector>(a: V, b: V) -> f32 {
    let cos = a.dot(b);
    let across = (b - a * cos).length();
    if across == 0.0 && cos == 0.0 { 0.0 } else { libm::atan2f(across, cos) }
}

/// Below this length the rounding of a difference of unit vectors turns it by more than 1e-5
/// radians.
const SHORT: f32 = 1e-2;

/// The unit vector `from` turned towards `to` by at most `most` (radians); it is all the way there
/// if the angle is no larger.
///
/// Opposite directions are parted to the left. Where `to` is zero, or not finite, it stays. `to`
/// need not be of unit length.
pub fn turned<V: Vector>(from: V, to: V, most: f32) -> V {
    let to = to.unit();
    if to == V::ZERO || !to.is_finite() {
        return from;
    }
    if angle_between(from, to) <= most {
        return to;
    }
    let across = to - from * from.dot(to);
    let length = across.length();
    // Exactly opposite, rounding alone would decide on the side.
    let side = if length < 1e-6 {
        from.unit_perp()
    } else if length < SHORT {
        // What rounding left along `from` is a large part of so short a vector: without it.
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
    fn it_turns_the_shorter_way_and_no_further_than_allowed() {
        let degrees = |a: f32| Vec2::from_angle(a.to_radians());
        // Across the place where 360 becomes 0, both ways.
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
    fn aligned_it_stays_opposite_it_goes_left_and_towards_nothing_it_stays() {
        assert_eq!(turned(vec2(0.6, 0.8), vec2(6.0, 8.0), 0.0), vec2(0.6, 0.8));
        assert_near(turned(Vec2::X, -Vec2::X, FRAC_PI_2), Vec2::Y);
        assert_near(turned(Vec3::Z, -Vec3::Z, FRAC_PI_2), Vec3::X);
        assert_near(turned(Vec2::X, vec2(-1.0, -1e-9), 0.5), Vec2::from_angle(0.5));
        for nothing in [Vec2::ZERO, vec2(f32::NAN, 1.0), vec2(1e-20, 0.0)] {
            assert_eq!(turned(Vec2::Y, nothing, 1.0), Vec2::Y);
        }
        assert_eq!(angle_between(Vec2::X, Vec2::ZERO), 0.0);
    }

    #[test]
    fn turning_on_and_on_towards_any_direction_ends_there_and_stays() {
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
