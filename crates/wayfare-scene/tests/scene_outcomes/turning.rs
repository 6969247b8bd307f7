//! The scenes `facing` and `wheels`: how fast agents turn where they look, and how agents on
//! wheels move.

use wayfare::glam::Vec2;
use wayfare::vector::rotation::angle_between;

use super::{crowd, members};

#[test]
fn guards_look_at_the_pointer_and_no_agent_turns_faster_than_its_turn_rate() {
    let mut crowd = crowd("facing");
    let rates = [("guards", 120.0_f32), ("visitors", 90.0), ("dogs", 240.0)];
    let mut looking = 0;
    for _ in 0..1_200 {
        let before: Vec<Vec<Vec2>> = rates
            .iter()
            .map(|(group, _)| members(&crowd, group).map(|agent| agent.facing).collect())
            .collect();
        let pointer = crowd.pointer().unwrap();
        crowd.step();
        for ((group, rate), before) in rates.iter().zip(before) {
            for (agent, before) in members(&crowd, group).zip(before) {
                let turned = angle_between(before, agent.facing);
                assert!(turned <= rate.to_radians() * 0.05 * 1.001, "{group}: {turned}");
            }
        }
        looking += members(&crowd, "guards")
            .filter(|guard| {
                angle_between(guard.facing, (pointer - guard.position).normalize()) < 0.1
            })
            .count();
    }
    println!("guards look at the pointer in {looking} of 4,800 samples");
    assert!(looking > 4_400, "{looking}");
}

#[test]
fn agents_on_wheels_never_move_sideways_or_on_a_circle_below_their_turning_radius() {
    let mut crowd = crowd("wheels");
    let groups = [("cars", 5.0), ("truck", 8.0)];
    let positions = |crowd: &wayfare::Crowd<Vec2>| {
        groups
            .map(|(group, _)| members(crowd, group).map(|agent| agent.position).collect::<Vec<_>>())
    };
    let mut last = [positions(&crowd), positions(&crowd)];
    let mut smallest = [f32::INFINITY; 2];
    for tick in 0..3_000 {
        crowd.step();
        let now = positions(&crowd);
        for (kind, (group, radius)) in groups.into_iter().enumerate() {
            for (k, agent) in members(&crowd, group).enumerate() {
                let sideways = agent.velocity.perp_dot(agent.heading).abs();
                assert!(
                    sideways <= 1e-6 * agent.max_speed && agent.velocity.dot(agent.heading) >= 0.0,
                    "{group}: {agent:?}"
                );
                if tick >= 2 {
                    let circle = circle_radius(last[0][kind][k], last[1][kind][k], now[kind][k]);
                    smallest[kind] = smallest[kind].min(circle);
                    assert!(
                        circle > 0.99 * radius,
                        "{group} turns on a circle of radius {circle} at tick {tick}"
                    );
                }
            }
        }
        last = [last[1].clone(), now];
    }
    println!("the smallest circles of cars and truck: {smallest:?}");
    assert!(smallest[0] < 5.5 && smallest[1] < 8.5, "they hardly turn: {smallest:?}");
}

/// The radius of the circle through three points (Menger curvature).
///
/// It is computed in double precision: steps of a tenth of a unit far from the origin leave single
/// precision few digits.
fn circle_radius(a: Vec2, b: Vec2, c: Vec2) -> f32 {
    let offset =
        |a: Vec2, b: Vec2| (f64::from(b.x) - f64::from(a.x), f64::from(b.y) - f64::from(a.y));
    let length = |(x, y): (f64, f64)| x.hypot(y);
    let (ab, ac, bc) = (offset(a, b), offset(a, c), offset(b, c));
    let twice_area = (ab.0 * ac.1 - ab.1 * ac.0).abs();
    if twice_area < 1e-9 {
        f32::INFINITY
    } else {
        (length(ab) * length(bc) * length(ac) / (2.0 * twice_area)) as f32
    }
}
