//! The feature `serde` of the library, over the setups of all bundled scenes.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wayfare::crowd::Setup;
use wayfare::{Crowd, Vector};
use wayfare_scene::{AnyScene, BUNDLED, Format, Scene, Source, read};

#[test]
fn the_setup_of_every_scene_comes_back_from_json_and_moves_with_the_same_bits() {
    for scene in BUNDLED {
        let source = Source { name: format!("{}.toml", scene.name), text: scene.text.to_string() };
        match read(&source, Format::Toml).unwrap() {
            AnyScene::TwoD(read) => comes_back(scene.name, &read),
            AnyScene::ThreeD(read) => comes_back(scene.name, &read),
        }
    }
}

fn comes_back<V: Vector + Serialize + DeserializeOwned>(name: &str, scene: &Scene<V>) {
    let setup = scene.setup();
    let text = serde_json::to_string(setup).unwrap();
    let read: Setup<V> =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(format!("{read:?}"), format!("{setup:?}"), "{name}");
    // Equal setups move alike; large crowds would only cost time.
    if setup.groups.iter().map(|group| group.count).sum::<usize>() > 500 {
        return;
    }
    let digest = |setup: Setup<V>| {
        let mut crowd = Crowd::new(setup).unwrap();
        (0..50).for_each(|_| crowd.step());
        crowd.digest()
    };
    assert_eq!(digest(read), digest(setup.clone()), "{name}");
}
