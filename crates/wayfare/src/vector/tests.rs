//! Lengths, directions and random points of the vectors of both dimensions.

use super::*;
use crate::behavior::testing::assert_near;
use glam::{Vec2, Vec3, vec2, vec3};

#[test]
fn lengths_and_unit_vectors_are_right_where_the_square_overflows() {
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
fn a_vector_shorter_than_1e_15_has_no_direction() {
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
fn truncating_shortens_only_longer_vectors() {
    let v = vec2(3.0, -4.0);
    assert_eq!(
        [Vector::truncate(v, 5.0), Vector::truncate(v, 7.0), Vector::truncate(v, f32::INFINITY)],
        [v; 3]
    );
    assert_near(Vector::truncate(v, 2.5), vec2(1.5, -2.0));
    assert_eq!([Vector::truncate(v, 0.0), Vector::truncate(Vec2::ZERO, 0.0)], [Vec2::ZERO; 2]);
    assert_near(Vector::truncate(vec3(1.0, -2.0, 2.0), 1.5), vec3(0.5, -1.0, 1.0));
}

#[test]
fn unit_perp_is_a_quarter_turn_in_the_plane_and_x_for_a_vector_along_z() {
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
fn coordinates_are_clamped_to_the_world_limit() {
    assert_eq!(vec3(1e30, -f32::INFINITY, 5.0).clamped(), vec3(WORLD_LIMIT, -WORLD_LIMIT, 5.0));
    assert!(
        Vector::is_finite(vec2(1.0, WORLD_LIMIT))
            && !Vector::is_finite(vec2(f32::NAN, 0.0))
            && !Vector::is_finite(vec2(0.0, f32::INFINITY))
    );
}

#[test]
fn a_fan_begins_with_the_vector_itself_and_covers_all_directions_evenly() {
    fn widest_gap<V: Vector>(ahead: V) -> f32 {
        assert!((ahead.fan(0) - ahead).length() < 1e-6);
        let mut random = Random::new(3, 0, 0, 0);
        let gap = |any: V| (0..V::FAN).map(|k| any.dot(ahead.fan(k))).fold(-1.0, f32::max);
        (0..1_000).map(|_| gap(V::random_unit(&mut random))).fold(1.0, f32::min).acos().to_degrees()
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
fn the_numbers_of_fans_are_those_of_their_angles() {
    let same = |numbers: &[(f32, f32)], angle: f32| {
        for (k, (cos, sin)) in numbers.iter().enumerate() {
            assert_eq!(libm::sincosf(k as f32 * angle), (*sin, *cos), "{k}");
        }
    };
    same(&super::plane::FAN, core::f32::consts::TAU / 16.0);
    same(&super::space::FAN, 2.399_963_2);
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
