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

/// The digest of each scene after its duration. The CHANGELOG has a line for each change.
const DIGESTS: &[(&str, u64)] = &[
    ("seek", 0x2ec4c7f544d3336a),
    ("seek-without-force", 0x468cdf08a8e0cf45),
    ("flee", 0x76590922ef589224),
    ("arrive", 0x1e2e43d08c4cfe18),
    ("wander", 0x93f5b0a5b22f35cf),
    ("wander-random-targets", 0x37f176424ba23279),
    ("pursue", 0x936312d570f4a29d),
    ("pursue-3", 0xab1872961ba185a8),
    ("pursue-30", 0x0471d4c09e4a709f),
    ("evade", 0xea9d6613507a4a34),
    ("seek-and-flee", 0x5e92a7429d086958),
    ("hunter-and-prey", 0x6011791d53a21c02),
    ("obstacles", 0xe2f50cfefade3ec5),
    ("avoid-one", 0x204f4a0c503cb51d),
    ("avoid-several", 0x16d645a247bb113b),
    ("avoid-uncorrected", 0x6f0c437c8fb0ef11),
    ("avoid-corrected", 0x0fb44b1ba578484b),
    ("zombies", 0xf3dd74ebc08dd0eb),
    ("path-touch", 0x690c5214c75a8123),
    ("path-radius", 0x5c19c7640ace396c),
    ("path-patrol", 0x866d1fc730ebe78e),
    ("path-curve", 0x3b800d7a4bdbeb16),
    ("leader", 0xa0dc00366623f6b0),
    ("leader-arrive", 0x2bf1a5b7e473a352),
    ("leader-separation", 0x074282bcf2e03032),
    ("captain", 0x3afa7b0350f68d4e),
    ("doorway-free", 0x372bc29d7b3ef015),
    ("doorway-hard-stop", 0xc6d39bb120622365),
    ("doorway-brake", 0x724f4c7f0a33e567),
    ("doorway-brake-and-stop", 0xab01ce9074cc6fb8),
    ("doorway-separation", 0x6f66b864c5a92ff6),
    ("offset-pursue", 0x295930c22c6bb81c),
    ("interpose", 0xc9a64cbb63f8ab8d),
    ("hide", 0x20bedf595fcf38fd),
    ("shadow", 0x46a41fa10bc7f560),
    ("follow-wall", 0x18e800ae93367ea9),
    ("contain", 0x1ad1cecd9d474c4c),
    ("avoid-agents", 0x060f39df9feb20e2),
    ("settle", 0xb2f214c5e70628ef),
    ("context", 0x0cbc7d1199456731),
    ("facing", 0x0bacf200aa444e06),
    ("wheels", 0x4007cb4149f36100),
    ("wind", 0xb21faa41497ad514),
    ("flow-trap", 0xc9d9510ecffb2faa),
    ("rooms", 0x1a9bd0972f0c7a83),
    ("guard", 0xb3b46af43f11cc9e),
    ("stuck", 0x4e10e311f19a4be1),
    ("formation", 0x1d11988b8904264c),
    ("explore", 0x0c4c7727282f113b),
    ("forage", 0xb6cefca244169683),
    ("street", 0xdf2918821cac58f4),
    ("doorway-150", 0x4e13edfbb353a7ac),
    ("two-rooms", 0xfd6d42dc98c4ebb4),
    ("two-doors", 0xfd3a0725e6e62964),
    ("office-30", 0xb8737b0b49f97291),
    ("museum", 0xbc280457375da99b),
    ("corridor-lanes", 0x56f069db68e7d576),
    ("counterflow", 0x5ef08f67f236fa8f),
    ("bodyguards", 0x2af4aa202cf78306),
    ("cars", 0xaa7fc79475c5200e),
    ("counters", 0xa29802a0fabc0d95),
    ("concourse", 0x11d914a8d629ac82),
    ("sheepdog", 0x9937db1d882a58dc),
    ("ring-200", 0x4636571f8447b635),
    ("ring-orca", 0x517b78f63684cd6a),
    ("social-force-crossing", 0x06e1b80944fd46df),
    ("flock-2000-2d", 0x1cbc347e783fb216),
    ("flock-2000-3d", 0x2c47c38c697709a8),
    ("flock-3d", 0x3b0475fc931b7734),
    ("flock-2d", 0x746309dd412d5de1),
    ("game-crowd", 0x810cbaab0a7544dd),
    ("among-obstacles", 0xb7d1aa19a45ff857),
    ("chase", 0xaac38e07d6eef47b),
    ("separate", 0x138420346ca84f73),
];

#[test]
fn digests_do_not_depend_on_threads_simd_level_or_the_order_of_agents() {
    for bundled in BUNDLED {
        for variant in
            [Variant::Threads(2), Variant::Threads(5), Variant::BaselineSimd, Variant::Permuted]
        {
            let pinned = DIGESTS.iter().find(|(name, _)| *name == bundled.name).unwrap().1;
            let found = match scene(bundled.name) {
                AnyScene::TwoD(scene) => run(scene, variant).digest(),
                AnyScene::ThreeD(scene) => run(scene, variant).digest(),
            };
            assert_eq!(found, pinned, "{}: {variant:?}", bundled.name);
        }
    }
}

#[test]
fn every_scene_has_its_pinned_digest() {
    let now: Vec<(&str, u64)> =
        BUNDLED.iter().map(|bundled| (bundled.name, digest(scene(bundled.name)))).collect();
    let table: String =
        now.iter().map(|(name, digest)| format!("    (\"{name}\", 0x{digest:016x}),\n")).collect();
    assert_eq!(now, DIGESTS, "the digests are now\n{table}");
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
