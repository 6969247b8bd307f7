//! Turn limits: in one tick an agent turns by at most the angle that `turn_rate` and
//! `turning_radius` allow.

use wayfare::behavior::{Face, Seek};
use wayfare::crowd::{Distribution, Group, Setup, Spawn, StartVelocity};
use wayfare::glam::{Vec2, vec2};
use wayfare::parameter::Target;
use wayfare::vector::rotation::{angle_between, turned};
use wayfare::{Crowd, List};

/// The largest rounding error of a turn (radians).
const ROUNDING: f32 = 1e-5;

fn origin() -> Target<Vec2> {
    Target::Point(Vec2::ZERO)
}

fn one(position: Vec2, velocity: Vec2, max_speed: f32) -> Group<Vec2> {
    let group = Group::new("one", 1, Spawn::Points(vec![position]), max_speed);
    Group { velocity: StartVelocity::Same(velocity), ..group }
}

fn crowd(group: Group<Vec2>) -> Crowd<Vec2> {
    Crowd::new(Setup { groups: vec![group], ..Setup::default() }).unwrap()
}

#[test]
fn the_facing_keeps_its_turn_rate_with_the_target_almost_exactly_behind() {
    let mut group = one(vec2(42.69, -68.14), vec2(0.52, -0.83), 2.0);
    (group.turn_rate, group.max_force) = (60.0, Distribution::Same(0.0));
    group.steer = List::default().with(Face { target: origin(), within: f32::INFINITY });
    let mut crowd = crowd(group);
    let before = crowd.get(0).unwrap().agent.facing;
    crowd.step();
    let angle = angle_between(before, crowd.get(0).unwrap().agent.facing);
    assert!((angle - 60_f32.to_radians()).abs() < ROUNDING, "{} degrees", angle.to_degrees());
}

#[test]
fn wheels_keep_their_turning_radius_with_the_target_almost_exactly_behind() {
    let mut group = one(vec2(0.0, 307.07), vec2(0.0, 0.1), 7.8);
    group.turning_radius = Some(11.3);
    group.steer = List::default().with(Seek { target: origin(), within: f32::INFINITY });
    let mut crowd = crowd(group);
    for tick in 0..200 {
        let before = crowd.get(0).unwrap().agent;
        crowd.step();
        let after = crowd.get(0).unwrap().agent;
        let angle = angle_between(before.heading, after.heading);
        let allowed = before.velocity.length().min(after.velocity.length()) / 11.3;
        assert!(
            angle <= allowed + ROUNDING,
            "tick {tick}: {} degrees, allowed {}",
            angle.to_degrees(),
            allowed.to_degrees()
        );
    }
}

#[test]
fn a_turn_to_a_direction_close_to_straight_back_keeps_its_limit() {
    for k in 0..360 {
        let from = Vec2::from_angle((k as f32).to_radians());
        for off in (0..60).map(|i| 10_f32.powf(-0.15 * i as f32)) {
            let to = -Vec2::from_angle((k as f32).to_radians() + off);
            let angle = angle_between(from, turned(from, to, 1.0));
            assert!((angle - 1.0).abs() < ROUNDING, "from {k} degrees, {off} off: {angle}");
        }
    }
}
