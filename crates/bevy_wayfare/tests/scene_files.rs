//! Scene files as assets: loading, changes, mistakes, and behaviors of the app's own.
#![cfg(feature = "scenes")]
#![allow(unreachable_pub)] // The macro declares public structs.

use std::path::Path;
use std::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, Handle};
use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec3};
use bevy_time::{Fixed, Time};
use bevy_wayfare::prelude::*;
use bevy_wayfare::{FromSetup, Refused, SceneFile, SceneRefused, SceneStarted, wayfare};
use wayfare::annotation::DebugDraw;
use wayfare::parameter::{Kind, Range, Unit};
use wayfare::{Agent, Crowd, Memory, SteerContext, Vector, parameters};
use wayfare_scene::{AnyScene, Format, Source};

parameters! {
    /// A constant force along x.
    "drift" = pub struct Drift {
        /// The length of the force.
        strength: f32 = 1.0, Kind::Number(Range::from_zero(Unit::Speed));
    }
}

impl<V: Vector> wayfare::behavior::Steer<V> for Drift {
    fn force(
        &self,
        _: &Agent<V>,
        _: &mut Memory<V>,
        _: &mut SteerContext<'_, V>,
        _: DebugDraw<'_, V>,
    ) -> V {
        V::X * self.strength
    }
}

const PARK: &str = r#"
dt = 0.25
seed = 3
[[obstacle]]
circle = { center = [5, 5], radius = 1 }
[[group]]
name = "guest"
count = 7
spawn = { box = { min = [0, 0], max = [9, 9] } }
max_speed = 1
steer = [{ wander = { circle_distance = 1, circle_radius = 0.5, angle_change = 2 } }]
"#;

/// The events that a test has received.
#[derive(Resource, Default)]
struct Heard {
    started: usize,
    refused: Vec<String>,
}

/// An app whose crowd starts from `park.toml` in this folder.
fn app(folder: &Path) -> App {
    let mut app = App::new();
    let file_path = folder.display().to_string();
    let assets = AssetPlugin { file_path, ..AssetPlugin::default() };
    let scenes = WayfareScenePlugin::<Vec2>::default().with_behavior::<Drift>();
    app.add_plugins((TaskPoolPlugin::default(), assets, WayfarePlugin::plane()))
        .add_plugins(scenes.expect("the name is free"))
        .init_resource::<Heard>()
        .add_observer(|_: On<'_, '_, SceneStarted>, mut heard: ResMut<'_, Heard>| {
            heard.started += 1;
        })
        .add_observer(|refused: On<'_, '_, SceneRefused>, mut heard: ResMut<'_, Heard>| {
            heard.refused.push(refused.reason.clone());
        });
    let file = app.world().resource::<AssetServer>().load("park.toml");
    app.insert_resource(WayfareScene::<Vec2>::new(file));
    app
}

/// Updates the app until something has been heard.
#[track_caller]
fn wait(app: &mut App, heard: impl Fn(&Heard) -> bool) {
    wait_for(app, |app| heard(app.world().resource::<Heard>()));
}

/// Updates the app until something is true of it.
#[track_caller]
fn wait_for(app: &mut App, mut is_true: impl FnMut(&mut App) -> bool) {
    // Files are read by other tasks: a minute is for machines that are busy.
    for _ in 0..60_000 {
        app.update();
        if is_true(app) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("not heard; refused: {:?}", app.world().resource::<Heard>().refused);
}

/// Writes the file, and has it loaded again, as a watcher of files does.
fn rewrite(app: &App, folder: &Path, text: &str) {
    std::fs::write(folder.join("park.toml"), text).expect("the folder is there");
    app.world().resource::<AssetServer>().reload("park.toml");
}

fn setup(text: &str) -> Setup<Vec2> {
    let source = Source { name: "park.toml".to_string(), text: text.to_string() };
    match wayfare_scene::read(&source, Format::Toml) {
        Ok(AnyScene::TwoD(scene)) => scene.setup,
        _ => panic!("it is a scene in the plane"),
    }
}

/// The digest of the app's crowd after 20 more ticks of its schedule.
fn digest(app: &mut App) -> u64 {
    (0..20).for_each(|_| app.world_mut().run_schedule(bevy_app::FixedUpdate));
    app.world().resource::<WayfareCrowd>().digest()
}

fn members(app: &mut App) -> usize {
    app.world_mut().query_filtered::<(), With<FromSetup>>().iter(app.world()).count()
}

#[test]
fn a_scene_file_starts_the_crowd_and_again_when_it_changes() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    std::fs::write(folder.path().join("park.toml"), PARK).expect("the folder is there");
    let mut app = app(folder.path());
    app.world_mut().resource_mut::<Time<Fixed>>().set_timestep_seconds(1e6);
    wait(&mut app, |heard| heard.started == 1);
    assert_eq!(app.world().resource::<Time<Fixed>>().timestep(), Duration::from_millis(250));
    // So that the clock adds no tick of its own.
    app.world_mut().resource_mut::<Time<Fixed>>().set_timestep_seconds(1e6);
    let mut plain = Crowd::new(setup(PARK)).expect("the setup is valid");
    (0..20).for_each(|_| plain.step());
    assert_eq!(digest(&mut app), plain.digest());
    // With the obstacle.
    assert_eq!((members(&mut app), plain.len()), (7 + 1, 7));

    // An entity of the app stays, and enters the crowd of the changed file again.
    let own = app.world_mut().spawn(Steer2d::named("guest")).id();
    assert_ne!(digest(&mut app), plain.digest());
    rewrite(&app, folder.path(), &PARK.replace("count = 7", "count = 4"));
    wait(&mut app, |heard| heard.started == 2);
    app.world_mut().resource_mut::<Time<Fixed>>().set_timestep_seconds(1e6);
    digest(&mut app);
    assert_eq!(members(&mut app), 4 + 1);
    let crowd = app.world().resource::<WayfareCrowd>();
    assert_eq!((crowd.crowd().len(), crowd.crowd().obstacles().len()), (5, 1));
    assert_eq!(crowd.agent(own).map(|id| id.0), Some(4));
}

#[test]
fn a_mistake_in_a_file_is_shown_as_the_command_shows_it_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    std::fs::write(folder.path().join("park.toml"), PARK).expect("the folder is there");
    let mut app = app(folder.path());
    wait(&mut app, |heard| heard.started == 1);
    rewrite(&app, folder.path(), &PARK.replace("count = 7", "count = -7"));
    wait(&mut app, |heard| heard.refused.len() == 1);
    let reason = app.world().resource::<Heard>().refused[0].clone();
    for part in ["park.toml:8:9", "count = -7", "-7"] {
        assert!(reason.contains(part), "{part} in\n{reason}");
    }
    assert_eq!(app.world().resource::<WayfareCrowd>().crowd().len(), 7);
    // Mended, it starts again.
    rewrite(&app, folder.path(), PARK);
    wait(&mut app, |heard| heard.started == 2);
}

#[test]
fn a_file_names_a_behavior_of_the_app() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let steer = "steer = [{ drift = { strength = 0.5 } }]";
    let (before, _) = PARK.split_once("steer =").expect("the scene has a list");
    std::fs::write(folder.path().join("park.toml"), format!("{before}{steer}\n"))
        .expect("the folder is there");
    let mut app = app(folder.path());
    wait(&mut app, |heard| heard.started == 1);
    digest(&mut app);
    let crowd = app.world().resource::<WayfareCrowd>().crowd();
    assert!(crowd.velocities(0).iter().all(|x| *x > 0.9), "{:?}", crowd.velocities(0));
}

const WOLVES: &str = r#"
[[group]]
name = "grey"
spawn = { points = [] }
count = 0
max_speed = 1
steer = [{ arrive = { target = "order", slowing_radius = 1 } }]
[[group]]
name = "hungry"
spawn = { points = [] }
count = 0
max_speed = 1
steer = [{ pursue = { quarry = "grey" } }]
"#;

#[test]
fn an_entity_steers_by_a_group_of_a_file_and_by_the_changed_file_with_its_id_and_order() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let write = |text: &str| std::fs::write(folder.path().join("wolves.toml"), text);
    write(WOLVES).expect("the folder is there");
    let file_path = folder.path().display().to_string();
    let assets = AssetPlugin { file_path, ..AssetPlugin::default() };
    let mut app = App::new();
    app.insert_resource(Time::<Fixed>::from_duration(Duration::from_secs(1)));
    app.add_plugins((TaskPoolPlugin::default(), assets, WayfarePlugin::plane()))
        .add_plugins(WayfareScenePlugin::<Vec2>::default())
        .init_resource::<Heard>()
        .add_observer(|refused: On<'_, '_, Refused>, mut heard: ResMut<'_, Heard>| {
            heard.refused.push(refused.reason.clone());
        });
    // So that the clock adds no tick of its own.
    app.world_mut().resource_mut::<Time<Fixed>>().set_timestep_seconds(1e6);
    let server = app.world().resource::<AssetServer>().clone();
    // Without a watcher of files, only a file that is itself in use is loaded again.
    let _file: Handle<SceneFile> = server.load("wolves.toml");
    let steer = SteerFrom2d::new(server.load("wolves.toml#grey"));
    let target = SteerTarget::Point(vec3(900.0, 0.0, 0.0));
    let wolf = app.world_mut().spawn((steer, target)).id();
    let speed = |app: &mut App| {
        (0..9).for_each(|_| app.world_mut().run_schedule(bevy_app::FixedUpdate));
        app.world().get::<Velocity>(wolf).map(|velocity| velocity.0.x.round())
    };
    wait_for(&mut app, |app| speed(app) == Some(1.0));
    let id = app.world().get::<SteeringId>(wolf).copied();

    write(&WOLVES.replace("max_speed = 1", "max_speed = 3")).expect("the folder is there");
    server.reload("wolves.toml");
    wait_for(&mut app, |app| speed(app) == Some(3.0));
    assert_eq!(app.world().get::<SteeringId>(wolf).copied(), id);
    let crowd = app.world().resource::<WayfareCrowd>();
    assert_eq!(crowd.crowd().group_names().last(), Some("grey"));
    assert_eq!(app.world().resource::<Heard>().refused, [] as [&str; 0]);

    // An agent with a speed of its own beyond the changed file: all stay as they are.
    let own = Limits { max_speed: Some(2.0), ..Limits::default() };
    app.world_mut().entity_mut(wolf).insert(own);
    assert_eq!(speed(&mut app), Some(2.0));
    write(WOLVES).expect("the folder is there");
    server.reload("wolves.toml");
    // Bevy reads a file twice if the first attempt fails, so texts are looked for, and not counted.
    let told = |part: &'static str| {
        move |heard: &Heard| heard.refused.iter().any(|reason| reason.contains(part))
    };
    wait_for(&mut app, |app| {
        assert_eq!(speed(app), Some(2.0));
        told("`max_speed` of its own, 2")(app.world().resource::<Heard>())
    });
    let names: Vec<&str> = app.world().resource::<WayfareCrowd>().crowd().group_names().collect();
    assert!(names.contains(&"grey"), "{names:?}");
    app.world_mut().entity_mut(wolf).remove::<Limits>();
    assert_eq!(speed(&mut app), Some(3.0));

    // A mistake is told as the command tells it, and one that needs its scene is refused.
    let mistake = "error: `max_speed` is the number -1\n --> wolves.toml";
    write(&WOLVES.replace("max_speed = 1", "max_speed = -1")).expect("the folder is there");
    server.reload("wolves.toml");
    wait(&mut app, told(mistake));
    write(WOLVES).expect("the folder is there");
    server.reload("wolves.toml");
    wait_for(&mut app, |app| speed(app) == Some(1.0));
    let hungry = SteerFrom2d::new(server.load("wolves.toml#hungry"));
    app.world_mut().spawn(hungry);
    wait(&mut app, told("the group `hungry` of the file refers to other groups"));
}
