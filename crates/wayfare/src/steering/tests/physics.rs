//! The force for a physics engine in place of an update.

use super::*;

/// The tick of an engine for a body of this mass.
fn engine(host: &mut Agent<Vec2>, physical: Vec2, body_mass: f32, dt: f32) {
    let velocity = host.velocity + physical / body_mass * dt;
    host.set_motion(host.position + velocity * dt, velocity);
}

fn runner() -> Agent<Vec2> {
    Agent { mass: 0.5, max_force: 3.0, ..Agent::new(vec2(1.0, 2.0), 1.5) }
}

#[test]
fn a_body_that_an_engine_pushes_moves_as_one_that_an_update_moves() {
    let dt = 1.0 / 60.0;
    let neighbors = neighbors_at(&[(vec2(0.5, 0.0), Vec2::X, 0), (vec2(-0.4, 0.2), Vec2::Y, 0)]);
    let steer = |steering: &mut Steering<Vec2>, host: &Agent<Vec2>, memory: &mut Memory<Vec2>| {
        steering
            .wander(
                host,
                &Wander::default().circle_distance(1.0).circle_radius(2.0).angle_change(9.0),
                memory,
                dt,
            )
            .weighted(0.5, |s| s.seek(host, vec2(9.0, 9.0)))
            .queue(host, &neighbors, &Queue::default().ahead(0.5).radius(0.5), memory, dt);
    };
    let (mut moved, mut pushed) = (runner(), runner());
    let (mut ours, mut theirs) = (Steering::new(3), Steering::new(3));
    let (mut our_memory, mut their_memory) = (Memory::default(), Memory::default());
    for tick in 0..300 {
        steer(&mut ours, &moved, &mut our_memory);
        ours.update(&mut moved, &mut our_memory, dt);
        steer(&mut theirs, &pushed, &mut their_memory);
        let force = theirs.force(&pushed, &mut their_memory, dt);
        let (body_mass, physical) = (80.0, force * (80.0 / pushed.mass));
        engine(&mut pushed, physical, body_mass, dt);
        let apart = (moved.position - pushed.position).length();
        assert!(apart < 1e-3, "{tick}: {moved:?} {pushed:?}");
    }
    assert!((moved.position - runner().position).length() > 0.5, "{moved:?}");
}

#[test]
fn a_force_is_truncated_ends_the_tick_and_needs_no_reset() {
    let (host, mut memory) = (runner(), Memory::default());
    let mut steering = Steering::new(2);
    steering.add(vec2(6.0, 8.0));
    assert_near(steering.force(&host, &mut memory, 0.01), vec2(1.8, 2.4));
    assert_eq!(steering.force(&host, &mut memory, 0.01), Vec2::ZERO);
}

#[test]
fn a_wanderer_whose_forces_are_taken_keeps_drawing() {
    let (host, mut memory) = (runner(), Memory::default());
    let mut steering = Steering::new(2);
    let forces: Vec<Vec2> = (0..9)
        .map(|_| {
            steering.wander(
                &host,
                &Wander::default().circle_distance(0.0).circle_radius(1.0).angle_change(1.0),
                &mut memory,
                1.0,
            );
            steering.force(&host, &mut memory, 1.0)
        })
        .collect();
    let drawn: Vec<f32> = forces.windows(2).map(|two| two[0].angle_to(two[1])).collect();
    assert!(drawn.windows(2).all(|two| (two[0] - two[1]).abs() > 1e-4), "{drawn:?}");
}

#[test]
fn a_roamer_whose_forces_are_taken_moves_on_to_its_next_point_in_time() {
    let area = Shape::box_between(vec2(-50.0, -50.0), vec2(50.0, 50.0));
    let (host, mut memory, mut steering) = (runner(), Memory::default(), Steering::new(4));
    let mut next = || {
        steering.roam(&host, &Roam::new(area.clone()).every(2.5));
        steering.force(&host, &mut memory, 1.0)
    };
    let forces: Vec<Vec2> = (0..5).map(|_| next()).collect();
    assert!(forces[0] == forces[2] && forces[2] != forces[3] && forces[3] == forces[4]);
}

#[test]
fn a_force_pushes_no_body_beyond_max_speed_and_brakes_none_that_was_thrown() {
    let (mut host, mut memory) = (runner().moving(vec2(1.4, 0.0)), Memory::default());
    let mut steering = Steering::new(0);
    steering.add(vec2(3.0, 0.0));
    let force = steering.force(&host, &mut memory, 0.1);
    engine(&mut host, force * (7.0 / 0.5), 7.0, 0.1);
    assert_near(host.velocity, vec2(1.5, 0.0));
    // An explosion throws it: it coasts, and only a force turns it.
    let thrown = host.moving(vec2(30.0, 0.0));
    assert_eq!(steering.force(&thrown, &mut memory, 0.1), Vec2::ZERO);
    steering.add(vec2(-2.0, 0.0));
    assert_near(steering.force(&thrown, &mut memory, 0.1), vec2(-2.0, 0.0));
    steering.add(vec2(2.0, 0.0));
    assert_near(steering.force(&thrown, &mut memory, 0.1), Vec2::ZERO);
}

#[test]
fn a_body_that_the_engine_stops_keeps_its_heading() {
    let (mut boat, mut memory, mut steering) = (boat(), Memory::default(), Steering::new(0));
    steering.force(&boat, &mut memory, 1.0);
    boat.speed = (0.0, 0.0);
    steering.wander(
        &boat,
        &Wander::default().circle_distance(3.0).circle_radius(0.0).angle_change(1.0),
        &mut memory,
        1.0,
    );
    assert_near(steering.sum(), vec2(0.0, 3.0));
}
