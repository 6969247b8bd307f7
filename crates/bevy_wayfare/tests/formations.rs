//! Formations and flow fields as components.

use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::{Refused, TargetLost};

/// The observers of the tests count what they hear.
#[derive(Resource, Default)]
struct Heard {
    lost: Vec<Entity>,
    refused: Vec<String>,
}

fn world() -> World {
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane()).expect("the setup is valid");
    world.init_resource::<Heard>();
    world.add_observer(|lost: On<'_, '_, TargetLost>, mut heard: ResMut<'_, Heard>| {
        heard.lost.push(lost.entity);
    });
    world.add_observer(|refused: On<'_, '_, Refused>, mut heard: ResMut<'_, Heard>| {
        heard.refused.push(refused.reason.clone());
    });
    world
}

fn run(world: &mut World, ticks: usize) {
    (0..ticks).for_each(|_| bevy_wayfare::step::<Vec2>(world));
}

fn at(world: &World, entity: Entity) -> Vec3 {
    world.get::<Transform>(entity).map_or(Vec3::NAN, |transform| transform.translation)
}

fn soldiers() -> Steer2d {
    Steer2d::new("soldiers", 2.0, List::default().with(Arrive::new(Target::Order)))
}

#[test]
fn followers_keep_the_slots_of_their_leader_and_close_up() {
    let mut world = world();
    // The leader is an entity of the app that looks along +y.
    let turned = Transform::from_xyz(20.0, 10.0, 0.0)
        .with_rotation(bevy_math::Quat::from_rotation_z(core::f32::consts::FRAC_PI_2));
    let leader = world.spawn(turned).id();
    let of = FormationOf { leader, shape: FormationShape::Line, spacing: 4.0 };
    let members: Vec<Entity> = (0..3).map(|_| world.spawn((soldiers(), of)).id()).collect();
    run(&mut world, 100);
    // One spacing behind the leader, from its left, which is -x, to its right.
    for (member, x) in members.iter().zip([16.0, 20.0, 24.0]) {
        assert!(at(&world, *member).abs_diff_eq(vec3(x, 6.0, 0.0), 0.1), "{}", at(&world, *member));
    }
    world.despawn(members[1]);
    world.get_mut::<Transform>(leader).expect("it is there").translation.x = 40.0;
    run(&mut world, 100);
    for (member, x) in [(members[0], 38.0), (members[2], 42.0)] {
        assert!(at(&world, member).abs_diff_eq(vec3(x, 6.0, 0.0), 0.1), "{}", at(&world, member));
    }
    // Without the component, the target counts again.
    let home = SteerTarget::Point(Vec3::ZERO);
    world.entity_mut(members[0]).insert(home).remove::<FormationOf>();
    run(&mut world, 100);
    assert!(at(&world, members[0]).abs_diff_eq(Vec3::ZERO, 0.1));
    assert!(world.resource::<Heard>().lost.is_empty());
    world.despawn(leader);
    run(&mut world, 2);
    assert_eq!(world.resource::<Heard>().lost, [members[2]]);
}

#[test]
fn a_formation_follows_the_heading_of_an_agent() {
    let mut world = world();
    let target = SteerTarget::Point(vec3(60.0, 0.0, 0.0));
    let leader = world.spawn((soldiers(), target)).id();
    world.entity_mut(leader).insert(Limits { max_speed: Some(1.0), ..Limits::default() });
    let of = FormationOf { leader, shape: FormationShape::Column, spacing: 3.0 };
    let start = Transform::from_xyz(-9.0, 1.0, 0.0);
    let member = world.spawn((soldiers(), start, of)).id();
    run(&mut world, 200);
    assert!(at(&world, leader).abs_diff_eq(vec3(60.0, 0.0, 0.0), 0.1));
    assert!(at(&world, member).abs_diff_eq(vec3(57.0, 0.0, 0.0), 0.1), "{}", at(&world, member));
}

#[test]
fn agents_follow_the_field_of_a_goal_round_a_wall() {
    let mut world = world();
    let wall = Obstacle::Box { size: vec3(1.0, 12.0, 1.0) };
    world.spawn((wall, Transform::from_xyz(5.0, 0.0, 0.0)));
    let goal = FlowGoal {
        name: "exit".to_string(),
        size: Vec3::splat(1.0),
        cell: 0.5,
        clearance: 0.5,
        area: Some((vec3(12.0, 9.0, 0.0), vec3(-2.0, -9.0, 0.0))),
    };
    let goal = world.spawn((goal, Transform::from_xyz(10.0, 0.0, 0.0))).id();
    run(&mut world, 1);
    let field = world.resource::<WayfareCrowd>().field("exit").expect("the goal has a field");
    let list = List::default().with(FollowFlow::new(field));
    let walker = Steer2d::new("walkers", 0.2, list).with_radius(0.3);
    // On the axis of the wall both ways round it are as long.
    let start = Transform::from_xyz(0.0, 1.0, 0.0);
    let walker = world.spawn((walker, start)).id();
    let mut widest: f32 = 0.0;
    for _ in 0..150 {
        run(&mut world, 1);
        widest = widest.max(at(&world, walker).y.abs());
    }
    assert!(widest > 6.0, "round the end of the wall: {widest}");
    assert!(at(&world, walker).distance(vec3(10.0, 0.0, 0.0)) < 1.0, "{}", at(&world, walker));
    // A goal that is inserted again has another field of its name; without it there is none.
    let again = FlowGoal {
        name: "hall".to_string(),
        ..world.get::<FlowGoal>(goal).expect("it is there").clone()
    };
    let field = |world: &World| world.resource::<WayfareCrowd>().field("hall");
    let hall = world.spawn(again.clone()).id();
    run(&mut world, 1);
    let first = field(&world);
    world.entity_mut(hall).insert(again);
    run(&mut world, 1);
    assert!(first.is_some() && field(&world).is_some() && field(&world) != first);
    world.despawn(hall);
    run(&mut world, 1);
    assert_eq!(field(&world), None);
    world.despawn(goal);
    run(&mut world, 1);
    let heard = world.resource::<Heard>();
    assert!(heard.refused.len() == 1 && heard.refused[0].contains("exit"), "{:?}", heard.refused);
}
