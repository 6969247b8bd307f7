//! `wayfare run --input` replays the log that an app with `bevy_wayfare` has recorded.

use std::process::Command;

use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec3};
use bevy_wayfare::prelude::*;
use wayfare_scene::{AnyScene, Format, Source, bundled, log_text};

#[test]
fn a_log_of_an_app_replays_in_the_command_to_the_same_digest() {
    let text = bundled("doorway-150").expect("it is bundled").text.to_string();
    let source = Source { name: "doorway-150".to_string(), text };
    let Ok(AnyScene::TwoD(scene)) = wayfare_scene::read(&source, Format::Toml) else {
        panic!("it is a scene in the plane");
    };
    let mut world = World::new();
    let plugin = WayfarePlugin::plane().with_setup(scene.setup).with_recording();
    bevy_wayfare::init(&mut world, &plugin).expect("the setup is valid");
    let list = List::default()
        .with(Arrive::new(Target::Order))
        .with(Separation::default().radius(1.0).max_force(1.0));
    let guard = Steer2d::new("guards", 1.5, list).with_radius(0.25);
    for tick in 0..120 {
        if tick % 30 == 7 {
            let target = SteerTarget::Point(vec3(8.0, 2.0 + tick as f32 * 0.05, 0.0));
            world.spawn((guard.clone(), target));
        }
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    let crowd = world.resource::<WayfareCrowd>();
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let log = folder.path().join("app.jsonl");
    std::fs::write(&log, log_text(crowd.log())).expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .args(["run", "doorway-150", "--ticks", "120", "--digest", "--quiet", "--input"])
        .arg(&log)
        .output()
        .expect("the command runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed.trim(), format!("{:016x}", crowd.digest()), "{output:?}");
    assert_eq!(crowd.log().commands().len(), 9, "a group, and four guards with an order each");
}
