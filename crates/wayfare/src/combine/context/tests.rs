use super::*;
use crate::behavior::testing::assert_near;
use crate::behavior::{Arrive, AvoidObstacles, Flee, Probe, Seek, Steer};
use crate::combine::Combine;
use crate::geometry::obstacle::{Obstacle, Obstacles, Shape};
use crate::parameter::Auto;
use crate::parameter::Target;
use crate::registry::Behavior;
use glam::{Vec2, Vec3, vec2, vec3};

fn seek<V: Vector>(x: f32) -> Seek<V> {
    Seek { target: Target::Point(V::X * x), within: f32::INFINITY }
}

fn rock<V: Vector>(x: f32) -> [Obstacle<V>; 1] {
    [Obstacle::from(Shape::Circle { center: V::X * x, radius: 4.0 })]
}

fn avoid() -> AvoidObstacles {
    AvoidObstacles {
        probe: Probe::Cylinder,
        ..AvoidObstacles::default().see_ahead(20.0).max_avoid_force(3.0)
    }
}

fn list<V: Vector>(wanted: impl Into<Behavior<V>>) -> List<V> {
    let mut list = List::new(Combine::Context).with(wanted).with(avoid());
    list.slots[1].danger = true;
    list
}

fn force<V: Vector>(list: &List<V>, host: &Agent<V>, obstacles: &[Obstacle<V>]) -> V {
    list.force(
        host,
        &mut [],
        &mut SteerContext { obstacles: Obstacles::from(obstacles), ..SteerContext::empty(1.0) },
        DebugDraw::OFF,
    )
}

#[test]
fn a_host_stands_where_all_free_directions_have_less_interest_than_standing() {
    let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(2.0, 0.0));
    // As wide as to leave directions free only that turn by 80 degrees and more.
    let wall = [Obstacle::from(Shape::box_between(vec2(4.0, -60.0), vec2(8.0, 60.0)))];
    let with = |standing| List { standing, ..list(seek(50.0)) };
    assert_eq!(force(&with(0.7), &host, &wall), -host.velocity);
    let turns = force(&with(0.2), &host, &wall) + host.velocity;
    assert!(turns.length() > 2.5 && turns.x < 1.0, "{turns}");
    assert_eq!(turns, force(&with(0.0), &host, &wall) + host.velocity);
    // Without the wall the interest wins.
    assert_eq!(force(&with(0.99), &host, &[]), vec2(3.0, 0.0) - host.velocity);
}

#[test]
fn interests_rank_goals_and_one_behind_a_danger_is_given_up_for_the_next() {
    let host = Agent::new(vec2(0.0, 0.0), 3.0);
    let goals = List::new(Combine::Context).with(seek(50.0)).weighted(0.6, seek(-50.0));
    let goals =
        List { slots: [goals.slots, list(seek(50.0)).slots[1..].to_vec()].concat(), ..goals };
    assert_near(force(&goals, &host, &[]), vec2(3.0, 0.0));
    let wall = [Obstacle::from(Shape::box_between(vec2(4.0, -60.0), vec2(8.0, 60.0)))];
    assert_near(force(&goals, &host, &wall), vec2(-3.0, 0.0));
    // A gap of a few degrees beside the way is taken before the other goal.
    let post = [Obstacle::from(Shape::box_between(vec2(4.0, -1.0), vec2(8.0, 1.0)))];
    let beside = force(&goals, &host, &post);
    assert!(beside.x > 1.5 && beside.y.abs() > 0.5, "{beside}");
}

#[test]
fn without_danger_the_force_is_that_of_the_strongest_interest() {
    let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(0.1, 0.7));
    assert_near(force(&list(seek(50.0)), &host, &[]), vec2(3.0, 0.0) - host.velocity);
    let arrive = Arrive {
        target: Target::Point(vec2(3.0, 4.0)),
        slowing_radius: Auto::Fixed(10.0),
        within: f32::INFINITY,
    };
    assert_near(force(&list(arrive), &host, &[]), vec2(0.9, 1.2) - host.velocity);
    // The interest with twice the weight wins; a force or a weight of zero is no interest.
    let two = List::new(Combine::Context)
        .with(seek(50.0))
        .weighted(2.0, Seek { target: Target::Point(vec2(0.0, -9.0)), within: f32::INFINITY });
    assert_near(force(&two, &host, &[]), vec2(0.0, -3.0) - host.velocity);
    let far =
        Flee { target: Target::Point(vec2(90.0, 0.0)), panic_radius: 9.0, within: f32::INFINITY };
    assert_near(
        force(
            &List::new(Combine::Context)
                .weighted(5.0, far)
                .with(seek(50.0))
                .weighted(0.0, seek(-50.0)),
            &host,
            &[],
        ),
        vec2(3.0, 0.0) - host.velocity,
    );
}

#[test]
fn an_obstacle_ahead_is_passed_in_the_nearest_free_direction() {
    // A circle of radius 4 at 15 is hit up to asin(4 / 15) = 15.5 degrees off its center; 22.5
    // degrees to the left is free.
    let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(3.0, 0.0));
    let (sin, cos) = 22.5_f32.to_radians().sin_cos();
    assert_near(
        force(&list(seek(50.0)), &host, &rock(15.0)),
        vec2(3.0 * cos, 3.0 * sin) - host.velocity,
    );
    // In 3D the direction passes the sphere, has no danger, and leads ahead of the host.
    let host = Agent::new(Vec3::ZERO, 3.0).moving(vec3(3.0, 0.0, 0.0));
    let selected = force(&list(seek(50.0)), &host, &rock(15.0)) + host.velocity;
    assert!(
        (selected.length() - 3.0).abs() < 1e-5 && selected.x > 2.0 && selected.x < 2.95,
        "{selected}"
    );
}

#[test]
fn with_danger_in_all_directions_the_host_takes_the_smallest_and_slows_down_by_it() {
    // Mud pushes back with 3, and the strength of the host is 6: half of the speed is left in
    // every direction.
    let host = Agent { max_force: 6.0, ..Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(1.0, 0.0)) };
    let mut list = List::new(Combine::Context).with(seek(50.0)).with(Behavior::own("mud", Mud));
    list.slots[1].danger = true;
    assert_near(force(&list, &host, &[]), vec2(1.5, 0.0) - host.velocity);
}

/// A danger that pushes back with 3.
#[derive(Debug)]
struct Mud;

impl Steer<Vec2> for Mud {
    fn force(
        &self,
        host: &Agent<Vec2>,
        _: &mut Memory<Vec2>,
        _: &mut SteerContext<'_, Vec2>,
        _: DebugDraw<'_, Vec2>,
    ) -> Vec2 {
        -host.velocity.unit() * 3.0
    }
}

#[test]
fn a_host_inside_a_danger_leaves_it_by_the_shortest_path() {
    let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(1.0, 0.0));
    let inside = [Obstacle::from(Shape::Circle { center: vec2(3.0, 0.0), radius: 9.0 })];
    let (avoid, short) = (avoid(), AvoidObstacles { see_ahead: Auto::Fixed(1.0), ..avoid() });
    let selected = |rule| {
        let mut list = list(seek(50.0));
        list.slots[1].entry = crate::combine::Entry::Behavior(Behavior::AvoidObstacles(rule));
        force(&list, &host, &inside) + host.velocity
    };
    // The surface of the obstacle is 6 behind the host; a probe of 20 would extend beyond it.
    assert_near(selected(short), vec2(-3.0, 0.0));
    assert_near(selected(avoid), vec2(3.0, 0.0));
}

/// The list `inner` as a danger of a host that seeks x = 50.
fn around(inner: List<Vec2>) -> List<Vec2> {
    let mut list = List::new(Combine::Context).with(seek(50.0)).nested(1.0, inner);
    list.slots[1].danger = true;
    list
}

#[test]
fn a_context_list_without_interests_is_as_dangerous_as_its_dangers() {
    let mut inner = List::new(Combine::Context).with(avoid());
    inner.slots[0].danger = true;
    for x in [9.0, 15.0, 900.0] {
        let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(3.0, 0.0));
        let direct = force(&list(seek(50.0)), &host, &rock(x));
        assert_eq!(force(&around(inner.clone()), &host, &rock(x)), direct);
        assert_eq!(
            force(&around(around(inner.clone())), &host, &[]),
            force(&around(list(seek(50.0))), &host, &[])
        );
    }
}

#[test]
fn a_context_list_in_a_danger_pushes_towards_the_velocity_that_it_chose() {
    let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(0.1, 0.7));
    // It agrees: the velocity that it chose is free.
    let agrees = around(List::new(Combine::Context).with(seek(90.0)));
    assert_near(force(&agrees, &host, &[]), vec2(3.0, 0.0) - host.velocity);
    // It chose to go back, and pushes with 6 against the direction of the interest, with
    // nothing towards its own.
    let differs = around(List::new(Combine::Context).with(seek(-90.0)));
    let chosen = force(&differs, &host, &[]) + host.velocity;
    assert!(chosen.x < 0.0, "{chosen}");
}

#[test]
fn without_interests_a_host_keeps_its_velocity_and_on_its_target_it_stops() {
    let far =
        Flee { target: Target::Point(vec2(900.0, 0.0)), panic_radius: 9.0, within: f32::INFINITY };
    let host = Agent::new(vec2(0.0, 0.0), 3.0).moving(vec2(0.0, 2.0));
    assert_near(force(&list(far), &host, &[]), Vec2::ZERO);
    assert_near(force(&list(far), &Agent { velocity: Vec2::ZERO, ..host }, &rock(5.0)), Vec2::ZERO);
    assert_near(force(&list(seek(0.0)), &host, &[]), vec2(0.0, -2.0));
    assert_eq!(force(&List::new(Combine::Context), &host, &[]), Vec2::ZERO);
}
