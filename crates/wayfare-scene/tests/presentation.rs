//! Colors and units are shown, and change nothing of the simulation.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use wayfare::Crowd;
use wayfare_scene::{AnyScene, Format, Scene, Source, read};

const PLAIN: &str = r#"
[template.person]
max_speed = 2
[[group]]
name = "a"
template = "person"
spawn = { points = [[0, 0]] }
steer = [{ seek = { target = [9, 9] } }]
[[group]]
name = "b"
spawn = { points = [[5, 0]] }
max_speed = 1
"#;

fn scene(text: &str) -> Scene<wayfare::glam::Vec2> {
    let source = Source { name: "scene".to_string(), text: text.to_string() };
    match read(&source, Format::Toml).unwrap() {
        AnyScene::TwoD(scene) => scene,
        AnyScene::ThreeD(_) => panic!("it is a scene of the plane"),
    }
}

#[test]
fn colors_and_units_of_a_scene_change_no_byte_of_its_snapshots() {
    let shown = PLAIN
        .replace("[template.person]", "units = { length = \"m\", time = \"s\" }\n[template.person]")
        .replace("max_speed = 2", "max_speed = 2\ncolor = \"teal\"");
    let (plain, shown) = (scene(PLAIN), scene(&shown));
    assert_eq!(shown.presentation.colors, [Some([0, 0x80, 0x80]), None]);
    assert_eq!((&*shown.presentation.units.length, &*shown.presentation.units.time), ("m", "s"));
    let snapshot = |scene: Scene<_>| {
        let mut crowd = Crowd::new(scene.setup).unwrap();
        crowd.step();
        crowd.snapshot()
    };
    assert_eq!(snapshot(plain), snapshot(shown));
}
