//! Numbers that are not finite, and ticks that are not above zero.

use super::*;

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "a force is Vec2(NaN, 1.0)"))]
fn a_force_that_is_not_a_number_is_named_or_counts_as_zero() {
    let sum = Steering::new(0).add(vec2(f32::NAN, 1.0)).sum();
    assert_eq!(sum, vec2(0.0, 1.0));
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "the host's position is Vec2(NaN, 0.0)"))]
fn a_host_at_no_position_is_named_or_not_moved() {
    let mut lost = Agent { velocity: Vec2::X, ..Agent::new(vec2(f32::NAN, 0.0), 1.0) };
    let (mut steering, mut memory) = (Steering::new(0), Memory::default());
    assert_eq!(steering.force(&lost, &mut memory, 1.0), Vec2::ZERO);
    steering.update(&mut lost, &mut memory, 1.0);
    assert!(lost.position.x.is_nan() && lost.position.y == 0.0 && lost.velocity == Vec2::X);
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "the host's velocity is Vec2(0.0, inf)"))]
fn a_host_with_an_infinite_velocity_is_named_or_not_moved() {
    let mut lost = Agent { velocity: vec2(0.0, f32::INFINITY), ..Agent::new(Vec2::ZERO, 1.0) };
    let (mut steering, mut memory) = (Steering::new(0), Memory::default());
    steering.update(&mut lost, &mut memory, 1.0);
    assert_eq!(lost.position, Vec2::ZERO);
    assert!(memory.heading.is_none_or(Vec2::is_finite), "{memory:?}");
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "`dt` is -1: it must be a number above 0"))]
fn a_tick_below_zero_is_named_or_counts_as_no_time() {
    let mut host = Agent::new(Vec2::ZERO, 1.0).moving(Vec2::X);
    let (mut steering, mut memory) = (Steering::new(0), Memory::default());
    steering.update(&mut host, &mut memory, -1.0);
    assert_eq!((host.position, host.velocity), (Vec2::ZERO, Vec2::X));
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "`dt` is NaN"))]
fn a_wander_in_a_tick_that_is_no_number_is_named_or_keeps_its_direction() {
    let (host, mut memory) = (Agent::new(Vec2::ZERO, 1.0), Memory::default());
    Steering::new(0).wander(
        &host,
        &Wander::default().circle_distance(1.0).circle_radius(1.0).angle_change(1.0),
        &mut memory,
        f32::NAN,
    );
    assert!(memory.wander.is_some_and(|direction| direction.is_finite()), "{memory:?}");
}

#[test]
fn a_tick_that_is_no_number_above_zero_counts_as_no_time() {
    let ticks = [0.5, 0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    assert_eq!(ticks.map(valid_dt), [0.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn a_mass_or_a_top_speed_of_zero_leaves_the_agent_in_the_world() {
    let mut agent = Agent { mass: 0.0, max_speed: 0.0, ..Agent::new(Vec2::ZERO, 1.0) };
    let (mut steering, mut memory) = (Steering::new(0), Memory::default());
    for _ in 0..3 {
        steering.seek(&agent, vec2(5.0, 0.0)).update(&mut agent, &mut memory, 1.0);
        assert!(
            agent.position.is_finite() && agent.velocity.is_finite() && agent.heading.is_finite(),
            "{agent:?}"
        );
    }
}
