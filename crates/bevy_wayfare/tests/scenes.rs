//! Setups of scene files: their members are entities, and the digest is that of the scene.

use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::{FromSetup, ReplayRefused, wayfare};
use wayfare::{Crowd, PathId};
use wayfare_scene::{AnyScene, Format, Log, Source, bundled, read};

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
        .with(Separation::new(1.0, 1.0));
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
    let text = Log::of(crowd.log().iter().cloned()).text();
    let source = Source { name: "recorded".to_string(), text };
    let Ok(mut log) = Log::<Vec2>::read(&source) else { panic!("a log is read: {}", source.text) };
    let mut plain = Crowd::new(setup("doorway-150")).expect("the setup is valid");
    for _ in 0..200 {
        assert!(log.apply(&mut plain).is_ok(), "the crowd takes what it took before");
        plain.step();
    }
    assert_eq!(log.remaining(), 0);
    assert_eq!(plain.digest(), crowd.digest());
    assert!(crowd.log().len() >= 10, "{:?}", crowd.log());

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

/// What an app has heard of its replay.
#[derive(Default, Resource)]
struct Told(Option<ReplayRefused>);
