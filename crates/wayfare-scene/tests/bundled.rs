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
        // point, a truck that needs more room than the road has, and flocks alone, whose speed is
        // measured.
        let shows = ["arrive", "avoid-agents", "wheels", "flock-2d", "flock-3d", "opensteer-boids"]
            .contains(&scene.name);
        assert_eq!(found.len(), usize::from(shows), "{}: {found:?}", scene.name);
    }
}

fn assert_restored_with_its_structure<V: Vector>(name: &str, scene: &Scene<V>) {
    let crowd = || Crowd::new(scene.setup.clone()).unwrap();
    let mut changed = crowd();
    let line = Line::new("added", V::ZERO, V::X);
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
fn every_scene_has_its_pinned_digest_with_one_thread() {
    assert_pinned(Variant { threads: 1, is_baseline: false, is_permuted: false });
}

#[test]
fn every_scene_has_its_pinned_digest_with_two_threads_at_the_baseline_simd_level() {
    assert_pinned(Variant { threads: 2, is_baseline: true, is_permuted: false });
}

#[test]
fn every_scene_has_its_pinned_digest_with_five_threads_and_permuted_agents() {
    assert_pinned(Variant { threads: 5, is_baseline: false, is_permuted: true });
}

/// The options of a run. No variant may change a digest.
#[derive(Clone, Copy)]
struct Variant {
    threads: usize,
    /// Whether it steps with the instructions that every machine has.
    is_baseline: bool,
    /// Whether the rows of the agents are permuted every 100 ticks.
    is_permuted: bool,
}

fn assert_pinned(variant: Variant) {
    let line = |name| {
        let digest = match scene(name) {
            AnyScene::TwoD(scene) => run(scene, variant).digest(),
            AnyScene::ThreeD(scene) => run(scene, variant).digest(),
        };
        format!("{name} {digest:016x}\n")
    };
    let now: String = BUNDLED.iter().map(|bundled| line(bundled.name)).collect();
    assert_eq!(now, DIGESTS, "the digests are now\n{now}");
}

fn run<V: Vector>(scene: Scene<V>, variant: Variant) -> Crowd<V> {
    let ticks = scene.ticks();
    let mut crowd = Crowd::new(scene.setup).unwrap();
    crowd.set_threads(variant.threads).unwrap();
    assert!(!variant.is_baseline || crowd.set_simd_level(SimdLevel::Baseline));
    for tick in 0..ticks {
        if variant.is_permuted && tick % 100 == 0 {
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
