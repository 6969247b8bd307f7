//! Setups of scene files: their members, obstacles and paths are entities, and the digest is that
//! of the scene.

use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3, vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::{Dimension, FromSetup, ReplayRefused, wayfare};
use wayfare::crowd::Spawn;
use wayfare::geometry::obstacle::Shape;
use wayfare::geometry::path::Path;
use wayfare::{Crowd, PathId};
use wayfare_scene::{AnyScene, Format, Source, bundled, log_text, read, read_log};

fn setup(name: &str) -> Setup<Vec2> {
    let scene = bundled(name).expect("the scene is bundled");
    let source = Source { name: name.to_string(), text: scene.text.to_string() };
    match read(&source, Format::Toml) {
        Ok(AnyScene::TwoD(scene)) => scene.setup,
        _ => panic!("{name} is no scene in the plane"),
    }
}

#[test]
fn the_members_of_a_scene_are_entities_and_step_as_the_scene_does() {
    // One with states, one with sources and exits, and a crowd at a door.
    for name in ["hunter-and-prey", "corridor-lanes", "doorway-150"] {
        let mut world = World::new();
        let plugin = WayfarePlugin::plane().with_setup(setup(name));
        bevy_wayfare::init(&mut world, &plugin).expect("the setup is valid");
        let mut plain = Crowd::new(setup(name)).expect("the setup is valid");
        let mut members = world.query_filtered::<(&SteeringId, &Transform), With<FromSetup>>();
        for tick in 1..=300 {
            bevy_wayfare::step::<Vec2>(&mut world);
            plain.step();
            if tick % 100 != 0 {
                continue;
            }
            let crowd = world.resource::<WayfareCrowd>();
            assert_eq!(crowd.digest(), plain.digest(), "{name}, tick {tick}");
            let mut seen = 0;
            for (id, transform) in members.iter(&world) {
                let id = id.get().expect("the crowd has the agent");
                let agent = plain.get(id).expect("the agent is there").agent;
                assert_eq!(transform.translation.truncate(), agent.position, "{name}, {id}");
                seen += 1;
            }
            // Those that have entered in this tick get their entities at the next.
            assert!(seen > 0 && seen + 5 >= plain.len(), "{name}: {seen} of {}", plain.len());
        }
    }
}

#[test]
fn a_recorded_log_replays_to_the_same_digest() {
    let mut world = World::new();
    let plugin = WayfarePlugin::plane().with_setup(setup("doorway-150")).with_recording();
    bevy_wayfare::init(&mut world, &plugin).expect("the setup is valid");
    let list = List::default()
        .with(FollowPath::new(PathId::ORDER))
        .with(Arrive::new(Target::Order))
        .with(Separation::default().radius(1.0).max_force(1.0));
    let guards = Steer2d::new("guards", 1.5, list);
    let points = vec![vec3(1.0, 1.0, 0.0), vec3(1.0, 9.0, 0.0)];
    let path = world.spawn(SteerPath { points, radius: 0.5, closed: false }).id();
    let mut guard = Entity::PLACEHOLDER;
    for tick in 0..200 {
        match tick {
            5 => guard = world.spawn((guards.clone(), SteerTarget::Path(path))).id(),
            20 => {
                let limits = Limits { max_speed: Some(2.0), ..Limits::default() };
                world.entity_mut(guard).insert((limits, SteerTarget::Point(vec3(8.0, 2.0, 0.0))));
                world.spawn((Obstacle::Circle { radius: 0.3 }, Transform::from_xyz(5.0, 3.0, 0.0)));
            }
            60 => {
                world.despawn(guard);
                guard = world.spawn(Steer2d::named("people")).id();
            }
            90 => {
                world.entity_mut(guard).insert(Frozen);
            }
            _ => {}
        }
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    let crowd = world.resource::<WayfareCrowd>();
    // By its text, as `wayfare run --input` reads it.
    let text = log_text(crowd.log());
    let source = Source { name: "recorded".to_string(), text };
    let Ok(mut log) = read_log::<Vec2>(&source, 1.0) else {
        panic!("a log is read: {}", source.text)
    };
    let mut plain = Crowd::new(setup("doorway-150")).expect("the setup is valid");
    for _ in 0..200 {
        assert!(log.apply(&mut plain).is_ok(), "the crowd takes what it took before");
        plain.step();
    }
    assert_eq!(log.remaining(), 0);
    assert_eq!(plain.digest(), crowd.digest());
    assert!(crowd.log().commands().len() >= 10, "{:?}", crowd.log());

    let commands: Vec<_> = log.commands().map(|(tick, command)| (tick, command.clone())).collect();
    let replay = |setup, commands| {
        let mut world = World::new();
        let plugin = WayfarePlugin::plane().with_setup(setup).with_replay(commands);
        bevy_wayfare::init(&mut world, &plugin).expect("the setup is valid");
        world.init_resource::<Told>();
        world.add_observer(|refused: On<'_, '_, ReplayRefused>, mut told: ResMut<'_, Told>| {
            told.0 = Some(refused.event().clone());
        });
        (0..200).for_each(|_| bevy_wayfare::step::<Vec2>(&mut world));
        world
    };
    let mut again = replay(setup("doorway-150"), commands.clone());
    assert_eq!(again.resource::<WayfareCrowd>().digest(), plain.digest());
    let entities = again.query::<&Steer2d>().iter(&again).count();
    assert_eq!((entities, &again.resource::<Told>().0), (plain.len(), &None));
    // A log of another setup.
    let other = replay(Setup::default(), commands);
    let told = other.resource::<Told>().0.as_ref().expect("it is refused");
    assert!(told.tick == 5 && told.reason.contains("there is no agent 150"), "{told:?}");
}

/// The commands of logs that no component sends, by their keys.
const WITHOUT_COMPONENT: [&str; 13] = [
    "pointer",
    "members",
    "state",
    "stat",
    "facing",
    "set",
    "remove_group",
    "add_line",
    "remove_line",
    "add_exit",
    "remove_exit",
    "add_source",
    "remove_source",
];

#[test]
fn every_command_is_sent_by_a_component_or_has_none() {
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane().with_recording()).expect("it is empty");
    let steer = |name| Steer2d::new(name, 1.5, List::default());
    let path = |points: &[f32]| SteerPath {
        points: points.iter().map(|x| vec3(*x, 0.0, 0.0)).collect(),
        radius: 0.5,
        closed: false,
    };
    let goal = FlowGoal {
        name: "home".to_string(),
        size: Vec3::ONE,
        cell: 2.0,
        clearance: 0.5,
        area: Some((vec3(-10.0, -10.0, 0.0), vec3(50.0, 50.0, 0.0))),
    };
    let limits =
        Limits { mass: Some(2.0), max_speed: Some(2.0), max_force: Some(3.0), radius: Some(0.5) };
    let target = SteerTarget::Point(vec3(8.0, 2.0, 0.0));
    let agent = world.spawn((steer("guards"), limits, target, Frozen)).id();
    let parts = [
        world.spawn((Obstacle::Circle { radius: 0.3 }, Transform::from_xyz(5.0, 3.0, 0.0))).id(),
        world.spawn(path(&[1.0, 2.0])).id(),
        world.spawn(goal).id(),
    ];
    bevy_wayfare::step::<Vec2>(&mut world);
    world.entity_mut(agent).insert((steer("others"), Transform::from_xyz(1.0, 0.0, 0.0)));
    world.entity_mut(parts[0]).insert(Transform::from_xyz(6.0, 3.0, 0.0));
    world.entity_mut(parts[1]).insert(path(&[1.0, 3.0, 4.0]));
    bevy_wayfare::step::<Vec2>(&mut world);
    world.entity_mut(parts[1]).insert(path(&[1.0]));
    bevy_wayfare::step::<Vec2>(&mut world);
    parts.into_iter().chain([agent]).for_each(|entity| _ = world.despawn(entity));
    bevy_wayfare::step::<Vec2>(&mut world);

    let text = log_text(world.resource::<WayfareCrowd>().log());
    for keys in wayfare_scene::log_commands() {
        let key = if keys[0] == "agent" { keys[1] } else { keys[0] };
        let is_sent = text.contains(&format!(", \"{key}\": "));
        assert!(is_sent != WITHOUT_COMPONENT.contains(&key), "{key}:\n{text}");
    }
}

/// The refusal of an app's replay, if there was one.
#[derive(Default, Resource)]
struct Told(Option<ReplayRefused>);

/// One obstacle of each shape, as turned and as odd as they come, and a path.
fn setup_of_all_shapes<V: Dimension>() -> Setup<V> {
    let at = |x: f32, y: f32| V::UP.from_ground(vec2(x, y));
    let mut setup = Setup::<V> { up: V::UP, ..Setup::default() };
    setup.obstacles = vec![
        Shape::Circle { center: at(0.1, 0.7), radius: 0.3 },
        Shape::Box { center: at(10.1, 0.3), half: V::from_fn(|i| 0.7 + i as f32), angle: 0.3 },
        Shape::Segment { from: at(20.3, 0.1), to: at(23.7, 4.9), thickness: 0.2 },
        Shape::Polygon { points: vec![vec2(30.1, 0.3), vec2(33.7, 0.9), vec2(31.1, 2.3)] },
    ];
    let points = vec![at(0.1, 9.3), at(7.7, 9.9), at(8.3, 12.1)];
    setup.paths = vec![("beat".to_string(), Path::new(points, 0.5, true))];
    let list = List::default()
        .with(AvoidObstacles::default().see_ahead(4.0).max_avoid_force(2.0))
        .with(FollowPath::new(PathId(0)));
    let mut group = Group::new("guards", 1, Spawn::Points(vec![at(0.0, 6.0)]), 1.0);
    group.steer = list;
    setup.groups = vec![group];
    setup
}

/// The difference of the numbers in two texts that are otherwise equal.
fn difference(a: &impl core::fmt::Debug, b: &impl core::fmt::Debug) -> f32 {
    let numbers = |value: &dyn core::fmt::Debug| -> Vec<f32> {
        let text = format!("{value:?}");
        let parts = text.split(|c: char| !(c.is_ascii_digit() || "-.e".contains(c)));
        parts.filter_map(|part| part.parse().ok()).collect()
    };
    let (a, b) = (numbers(a), numbers(b));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Entities of the setup can be touched without effect, moved, and despawned.
fn check_entities_of_setup<V: Dimension>(plugin: WayfarePlugin<V>) {
    let setup = setup_of_all_shapes::<V>();
    let mut world = World::new();
    let plugin = plugin.with_setup(setup.clone());
    bevy_wayfare::init(&mut world, &plugin).expect("the setup is valid");
    let mut plain = Crowd::new(setup.clone()).expect("the setup is valid");
    let step = |world: &mut World| bevy_wayfare::step::<V>(world);
    let digest = |world: &World| world.resource::<WayfareCrowd<V>>().digest();
    for _ in 0..5 {
        step(&mut world);
        plain.step();
    }
    let mut obstacles =
        world.query_filtered::<(Entity, &mut Obstacle, &mut Transform), With<FromSetup>>();
    let mut paths = world.query_filtered::<(Entity, &Name, &SteerPath), With<FromSetup>>();
    let (path, way) = {
        let (path, name, way) = paths.single(&world).expect("there is one");
        assert_eq!((name.as_str(), way.points.len()), ("beat", 3));
        (path, way.clone())
    };
    // Components that are written as they are change nothing.
    assert_eq!(obstacles.iter(&world).count(), 4);
    for (_, mut obstacle, mut transform) in obstacles.iter_mut(&mut world) {
        obstacle.set_changed();
        transform.set_changed();
    }
    world.entity_mut(path).insert(way.clone());
    step(&mut world);
    plain.step();
    assert_eq!(digest(&world), plain.digest());

    // Moved entities move in the crowd, and behaviors follow the path as it is now.
    let by = |plane: Plane| V::X.to_world(plane, Vec3::ZERO);
    let plane = world.resource::<WayfareCrowd<V>>().plane();
    for (_, _, mut transform) in obstacles.iter_mut(&mut world) {
        transform.translation += by(plane);
    }
    let points = way.points.iter().map(|point| *point + by(plane)).chain([Vec3::ZERO]).collect();
    world.entity_mut(path).insert(SteerPath { points, ..way.clone() });
    step(&mut world);
    let crowd = world.resource::<WayfareCrowd<V>>();
    for (shape, there) in setup.obstacles.iter().zip(crowd.crowd().obstacles()) {
        let moved = shape.shifted(V::X, V::UP);
        let difference = difference(&moved, there.shape());
        assert!(difference < 1e-5, "{moved:?} and {:?}", there.shape());
    }
    let points = crowd.crowd().paths()[0].points();
    let before = setup.paths[0].1.points();
    assert_eq!((points.len(), points[0], points[3]), (4, before[0] + V::X, V::ZERO));

    // A path that behaviors follow stays, and obstacles go.
    world.entity_mut(path).remove::<SteerPath>();
    let all: Vec<Entity> = obstacles.iter(&world).map(|(entity, ..)| entity).collect();
    assert!(all.iter().all(|entity| world.despawn(*entity)));
    step(&mut world);
    let crowd = world.resource::<WayfareCrowd<V>>().crowd();
    assert_eq!((crowd.obstacles().len(), crowd.paths()[0].points().len()), (0, 4));
}

#[test]
fn the_obstacles_and_paths_of_a_scene_are_entities_which_move_and_go() {
    check_entities_of_setup(WayfarePlugin::plane());
    check_entities_of_setup(WayfarePlugin::ground());
    check_entities_of_setup(WayfarePlugin::space());
}

#[test]
fn a_crowd_is_restored_with_the_entities_of_its_setup_also_in_another_world() {
    let new = || {
        let mut world = World::new();
        let plugin = WayfarePlugin::plane().with_setup(setup_of_all_shapes());
        bevy_wayfare::init(&mut world, &plugin).expect("the setup is valid");
        world
    };
    let mut world = new();
    let run = |world: &mut World, ticks| (0..ticks).for_each(|_| bevy_wayfare::step::<Vec2>(world));
    run(&mut world, 5);
    let saved = bevy_wayfare::save::<Vec2>(&world).expect("there is a crowd");
    assert_eq!(saved.from_setup.len(), 1 + 4 + 1);
    let go_on = |world: &mut World| {
        run(world, 20);
        let count = world.query_filtered::<(), With<FromSetup>>().iter(world).count();
        (world.resource::<WayfareCrowd>().digest(), count)
    };
    let after = go_on(&mut world);
    // One has moved since, and one has gone.
    let mut obstacles = world.query_filtered::<Entity, With<Obstacle>>();
    let found: Vec<Entity> = obstacles.iter(&world).collect();
    world.get_mut::<Transform>(found[0]).expect("it has one").translation.x = 5.0;
    world.despawn(found[1]);
    run(&mut world, 1);
    let spawned = bevy_wayfare::restore::<Vec2>(&mut world, &saved).expect("it is its own");
    assert_eq!(spawned.keys().collect::<Vec<_>>(), [&found[1]]);
    assert_eq!(go_on(&mut world), after);
    for ticks in [0, 3] {
        let mut other = new();
        run(&mut other, ticks);
        // Entities of another world are other ones.
        let all: Vec<Entity> =
            other.query_filtered::<Entity, With<FromSetup>>().iter(&other).collect();
        assert!(all.into_iter().all(|entity| other.despawn(entity)));
        run(&mut other, 1);
        bevy_wayfare::restore::<Vec2>(&mut other, &saved).expect("it is its own");
        assert_eq!(go_on(&mut other), after, "{ticks}");
        let mut names = other.query_filtered::<&Name, With<SteerPath>>();
        assert_eq!(names.single(&other).map(Name::as_str).ok(), Some("beat"));
    }
}
