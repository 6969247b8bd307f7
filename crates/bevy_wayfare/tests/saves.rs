//! Saved crowds come back with their obstacles, paths, goals and teams; components are reflected.

use std::any::TypeId;

use bevy_ecs::prelude::*;
use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy_ecs::system::RunSystemOnce;
use bevy_math::{Vec2, Vec3, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare;

fn run(world: &mut World, ticks: usize) {
    (0..ticks).for_each(|_| bevy_wayfare::step::<Vec2>(world));
}

fn digest(world: &World) -> u64 {
    world.resource::<WayfareCrowd>().digest()
}

/// A guard on a path round a tree, in a world with a field.
fn world() -> (World, [Entity; 4]) {
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane()).expect("the setup is valid");
    let points = [(0.0, 0.0), (40.0, 0.0), (40.0, 40.0)].map(|(x, y)| vec3(x, y, 0.0)).to_vec();
    let path = world.spawn(SteerPath { points, radius: 1.0, closed: true }).id();
    let tree = (Obstacle::Circle { radius: 2.0 }, Transform::from_xyz(20.0, 0.0, 0.0));
    let tree = world.spawn(tree).id();
    let goal = FlowGoal {
        name: "home".into(),
        size: Vec3::ONE,
        cell: 2.0,
        clearance: 0.5,
        area: Some((vec3(-10.0, -10.0, 0.0), vec3(50.0, 50.0, 0.0))),
    };
    let goal = world.spawn((goal, Transform::from_xyz(10.0, 10.0, 0.0))).id();
    let list = List::default()
        .with(AvoidObstacles::default().see_ahead(5.0).max_avoid_force(4.0))
        .with(FollowPath::new(wayfare::PathId::ORDER));
    let guard = (Steer2d::new("guards", 1.0, list), SteerTarget::Path(path), Team(7));
    let guard = world.spawn(guard).id();
    run(&mut world, 30);
    (world, [path, tree, goal, guard])
}

#[test]
fn obstacles_paths_and_goals_are_restored_with_their_entities() {
    let (mut world, [path, tree, goal, guard]) = world();
    let saved = bevy_wayfare::save::<Vec2>(&world).expect("there is a crowd");
    // This happens after both.
    let go_on = |world: &mut World, tree: Entity, path: Entity| {
        world.get_mut::<Transform>(tree).expect("it has one").translation.y = 1.0;
        let way = world.get::<SteerPath>(path).expect("it has one").clone();
        world.entity_mut(path).insert(SteerPath { radius: 3.0, ..way });
        run(world, 60);
        digest(world)
    };
    let digest = go_on(&mut world, tree, path);
    // A tree and a path that are gone, a goal without its component, and others that are new.
    world.despawn(tree);
    world.despawn(path);
    world.entity_mut(goal).remove::<FlowGoal>();
    let late = (Obstacle::Circle { radius: 9.0 }, Transform::from_xyz(44.0, 20.0, 0.0));
    let late = world.spawn(late).id();
    run(&mut world, 5);

    let spawned = bevy_wayfare::restore::<Vec2>(&mut world, &saved).expect("it is its own");
    assert!(!world.entity(late).contains::<Obstacle>());
    let mut gone: Vec<Entity> = spawned.keys().copied().collect();
    gone.sort_unstable_by_key(|entity| entity.index_u32());
    assert_eq!(gone, [path, tree]);
    assert!(world.entity(goal).contains::<FlowGoal>());
    assert!(world.resource::<WayfareCrowd>().field("home").is_some());
    let path = spawned[&path];
    assert_eq!(world.get::<SteerTarget>(guard), Some(&SteerTarget::Path(path)));
    assert_eq!(go_on(&mut world, spawned[&tree], path), digest);
    // They are still parts of the crowd.
    world.despawn(spawned[&tree]);
    world.despawn(goal);
    run(&mut world, 1);
    let crowd = world.resource::<WayfareCrowd>();
    assert!(crowd.crowd().obstacles().is_empty() && crowd.field("home").is_none());
}

#[test]
fn teams_are_asked_for_change_and_are_restored() {
    let (mut world, [.., guard]) = world();
    let near = vec3(0.0, 0.0, 0.0);
    let bandit = Steer2d::new("bandits", 1.0, List::default());
    let bandit = world.spawn((bandit.clone(), Team(3), Transform::from_xyz(90.0, 0.0, 0.0))).id();
    let deer = Steer2d::new("deer", 1.0, List::default());
    let deer = world.spawn((deer, Transform::from_translation(near))).id();
    run(&mut world, 1);
    let ask = move |who: Who<'static>| {
        move |crowd: Wayfare<'_>| (crowd.nearest(near, who), crowd.within(near, 200.0, who))
    };
    let ask = |world: &mut World, who| world.run_system_once(ask(who)).expect("it runs");
    assert_eq!(ask(&mut world, Who::All), (Some(deer), vec![guard, bandit, deer]));
    assert_eq!(ask(&mut world, Who::Team(Team(3))), (Some(bandit), vec![bandit]));
    assert_eq!(ask(&mut world, Who::EnemiesOf(Team(7))), (Some(bandit), vec![bandit]));
    assert_eq!(ask(&mut world, Who::EnemiesOf(Team(3))), (Some(guard), vec![guard]));
    assert_eq!(ask(&mut world, Who::Team(Team(1))), (None, vec![]));
    let saved = bevy_wayfare::save::<Vec2>(&world).expect("there is a crowd");
    world.entity_mut(bandit).insert(Team(7));
    world.entity_mut(guard).remove::<Team>();
    run(&mut world, 1);
    assert_eq!(ask(&mut world, Who::Team(Team(7))), (Some(bandit), vec![bandit]));
    bevy_wayfare::restore::<Vec2>(&mut world, &saved).expect("it is its own");
    assert_eq!(ask(&mut world, Who::Team(Team(7))), (Some(guard), vec![guard]));
    assert_eq!(world.get::<Team>(bandit), Some(&Team(3)));
}

#[test]
fn all_components_are_registered_for_reflection() {
    let mut app = bevy_app::App::new();
    app.add_plugins(WayfarePlugin::plane());
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let is_component = |id: TypeId| registry.get_type_data::<ReflectComponent>(id).is_some();
    macro_rules! found {
        ($($component:ty),* $(,)?) => {
            [$((stringify!($component), is_component(TypeId::of::<$component>()))),*]
        };
    }
    let all = found![
        Steer2d,
        Limits,
        SteerTarget,
        SteerState,
        SteeringId,
        Team,
        Obstacle,
        SteerPath,
        FormationOf,
        FlowGoal,
        Frozen,
        Velocity,
        DesiredVelocity,
        bevy_wayfare::FromSetup,
    ];
    assert_eq!(all, all.map(|(name, _)| (name, true)));
}
