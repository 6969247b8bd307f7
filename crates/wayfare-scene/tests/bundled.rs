//! The bundled scenes: the list is complete, each file begins with what to look at, and the digest
//! after the scene's duration is pinned.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::path::Path;

use wayfare::crowd::Line;
use wayfare::simd::SimdLevel;
use wayfare::{Crowd, Vector};
use wayfare_scene::{AnyScene, BUNDLED, Format, Scene, Source, bundled, hints, read};

fn source(name: &str) -> Source {
    Source { name: format!("{name}.toml"), text: bundled(name).unwrap().text.to_string() }
}

fn scene(name: &str) -> AnyScene {
    let source = source(name);
    read(&source, Format::Toml).unwrap_or_else(|problems| {
        panic!("{}", source.render(wayfare_scene::Severity::Error, &problems, false))
    })
}

#[test]
fn the_list_has_every_file_of_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut files = Vec::new();
    for kind in std::fs::read_dir(folder).unwrap() {
        let kind = kind.unwrap();
        // Scenes of the suite of `wayfare validate`, which are no demos.
        if kind.file_name() == "validation" {
            continue;
        }
        for file in std::fs::read_dir(kind.path()).unwrap() {
            files.push(format!(
                "{}/{}",
                kind.file_name().display(),
                file.unwrap().path().file_stem().unwrap().display()
            ));
        }
    }
    let mut listed: Vec<String> =
        BUNDLED.iter().map(|scene| format!("{}/{}", scene.folder, scene.name)).collect();
    files.sort();
    listed.sort();
    assert_eq!(files, listed);
}

#[test]
fn every_scene_says_what_to_look_at_and_gets_no_hints() {
    for scene in BUNDLED {
        assert!(scene.text.starts_with("# Look at "), "{}", scene.name);
        let found = hints(&source(scene.name), Format::Toml);
        // These show what a hint warns of: a guest that overshoots, two agents that start at one
        // point, and a truck that needs more room than the road has.
        let shows = ["arrive", "avoid-agents", "wheels"].contains(&scene.name);
        assert_eq!(found.len(), usize::from(shows), "{}: {found:?}", scene.name);
    }
}

fn assert_restored_with_its_structure<V: Vector>(name: &str, scene: &Scene<V>) {
    let crowd = || Crowd::new(scene.setup.clone()).unwrap();
    let mut changed = crowd();
    let line = Line { name: "added".to_string(), from: V::ZERO, to: V::X };
    changed.add_line(line).unwrap();
    changed.step();
    let mut restored = crowd();
    restored.restore(&changed.snapshot()).unwrap_or_else(|error| panic!("{name}: {error}"));
    (0..3).for_each(|_| [&mut changed, &mut restored].into_iter().for_each(Crowd::step));
    assert!(restored.snapshot() == changed.snapshot(), "{name}");
}

#[test]
fn a_snapshot_of_a_scene_to_which_a_line_was_added_restores_the_whole_setup() {
    // A scene of 100,000 agents shows no more than a smaller one.
    for bundled in BUNDLED.iter().filter(|bundled| bundled.folder != "bench") {
        match scene(bundled.name) {
            AnyScene::TwoD(scene) => assert_restored_with_its_structure(bundled.name, &scene),
            AnyScene::ThreeD(scene) => assert_restored_with_its_structure(bundled.name, &scene),
        }
    }
}

/// The name and the digest of each scene after its duration, in the order of the list: the command
/// is tested with the same file. The CHANGELOG has a line for each change.
const DIGESTS: &str = include_str!("digests.txt");

#[test]
fn digests_do_not_depend_on_threads_simd_level_or_the_order_of_agents() {
    for bundled in BUNDLED {
        for variant in
            [Variant::Threads(2), Variant::Threads(5), Variant::BaselineSimd, Variant::Permuted]
        {
            let is_of = |line: &&str| line.split(' ').next() == Some(bundled.name);
            let pinned = DIGESTS.lines().find(is_of).unwrap();
            let digest = match scene(bundled.name) {
                AnyScene::TwoD(scene) => run(scene, variant).digest(),
                AnyScene::ThreeD(scene) => run(scene, variant).digest(),
            };
            assert_eq!(format!("{} {digest:016x}", bundled.name), pinned, "{variant:?}");
        }
    }
}

#[test]
fn every_scene_has_its_pinned_digest() {
    let line = |name| format!("{name} {:016x}\n", digest(scene(name)));
    let now: String = BUNDLED.iter().map(|bundled| line(bundled.name)).collect();
    assert_eq!(now, DIGESTS, "the digests are now\n{now}");
}

fn digest(scene: AnyScene) -> u64 {
    match scene {
        AnyScene::TwoD(scene) => run(scene, Variant::Default).digest(),
        AnyScene::ThreeD(scene) => run(scene, Variant::Default).digest(),
    }
}

/// How a scene is run. No variant may change the digest.
#[derive(Clone, Copy, Debug)]
enum Variant {
    Default,
    Threads(usize),
    BaselineSimd,
    /// The rows of the agents are permuted every 100 ticks.
    Permuted,
}

fn run<V: Vector>(scene: Scene<V>, variant: Variant) -> Crowd<V> {
    let ticks = scene.ticks();
    let mut crowd = Crowd::new(scene.setup).unwrap();
    match variant {
        Variant::Threads(count) => crowd.set_threads(count).unwrap(),
        Variant::BaselineSimd => assert!(crowd.set_simd_level(SimdLevel::Baseline)),
        Variant::Default | Variant::Permuted => {}
    }
    for tick in 0..ticks {
        if let Variant::Permuted = variant
            && tick % 100 == 0
        {
            let count = crowd.len() as u32;
            crowd.permute(
                &(0..count).map(|i| (count - 1 - i + tick as u32) % count).collect::<Vec<_>>(),
            );
        }
        crowd.step();
    }
    crowd
}

#[test]
fn the_benchmark_flocks_are_as_dense_as_those_of_the_engines_compared() {
    fn density<V: Vector>(scene: &Scene<V>) -> f32 {
        let bounds = scene.setup().bounds.unwrap();
        let size = bounds.max - bounds.min;
        let volume: f64 = (0..V::DIMENSION).map(|i| f64::from(size.axis(i))).product();
        (scene.setup().groups[0].count as f64 / volume) as f32
    }
    let (AnyScene::TwoD(flock_2d), AnyScene::ThreeD(flock_3d)) =
        (scene("flock-2d"), scene("flock-3d"))
    else {
        panic!("one flock is in the plane, the other in space")
    };
    assert_eq!((density(&flock_2d), density(&flock_3d)), (0.1, 0.003275));
}

#[test]
fn a_scene_in_json_equals_the_same_scene_in_toml() {
    let toml = "dt = 0.5\n[[group]]\nname = \"a\"\nspawn = { points = [[1, 2]] }\nmax_speed = \
                2.5\n[[group.steer]]\nflee = { target = [3, 4] }\nweight = 2\n";
    let json = r#"{ "dt": 0.5, "group": [{ "name": "a", "spawn": { "points": [[1, 2]] },
        "max_speed": 2.5, "steer": [{ "flee": { "target": [3, 4] }, "weight": 2 }] }] }"#;
    let read = |text: &str, format| {
        format!(
            "{:?}",
            read(&Source { name: "scene".to_string(), text: text.to_string() }, format).unwrap()
        )
    };
    assert_eq!(read(toml, Format::Toml), read(json, Format::Json));
}
