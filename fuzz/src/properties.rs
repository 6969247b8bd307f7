//! Properties that any bytes must satisfy as a scene, as a command log, or as a snapshot. The fuzz
//! targets check them on generated inputs, and a test of `wayfare-scene` on those in `seeds/`.

use std::sync::OnceLock;

use wayfare::crowd::{Group, Setup, Spawn};
use wayfare::glam::Vec2;
use wayfare::{Crowd, Vector};
use wayfare_scene::edit::Draft;
use wayfare_scene::{
    AnyScene, Format, Scene, Severity, Source, hints, log_text, problem_of, read, read_log,
};

/// The number of controls, lists and entries of a scene that are edited.
const EDITED: usize = 12;
/// Scenes with more agents are read and not stepped, to keep inputs fast.
const FEW: usize = 64;
/// The number of ticks.
const STEPS: u64 = 6;

/// Text is read as a scene or explained. A scene that is read steps, and all its numbers stay
/// finite. Every edit of it gives a scene, or is refused and changes nothing.
pub(crate) fn scene(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let format = if text.trim_start().starts_with('{') { Format::Json } else { Format::Toml };
    let source = Source { name: "fuzzed".to_string(), text: text.to_string() };
    match read(&source, format) {
        Ok(AnyScene::TwoD(scene)) => steps(scene),
        Ok(AnyScene::ThreeD(scene)) => steps(scene),
        Err(problems) => {
            assert!(!problems.is_empty(), "it is wrong without a reason");
            for problem in &problems {
                assert!(!problem.message.is_empty() && !problem.allowed.is_empty(), "{problem:?}");
            }
            assert!(
                source.render(Severity::Error, &problems, false).contains("fuzzed:"),
                "the problem has no position"
            );
            return;
        }
    }
    let found = hints(&source, format);
    assert!(
        found.iter().all(|hint| !hint.message.is_empty() && !hint.allowed.is_empty()),
        "{found:?}"
    );
    source.render(Severity::Hint, &found, true);
    edits(&Draft::new(source, format).expect("it was read"));
}

fn edits(opened: &Draft) {
    let text = opened.text();
    for control in opened.controls().into_iter().take(EDITED) {
        let mut draft = opened.clone();
        if let Some(value) = control.value {
            assert_eq!(draft.set(&control.key_path, value), Ok(()));
            assert_eq!(draft.text(), text);
        }
        let done = draft.reset(&control.key_path);
        assert!(done.is_ok() || draft.text() == text, "{done:?}");
        assert!(
            done.is_err()
                || draft.restore(&control.key_path).is_err()
                || draft.original_value(&control.key_path)
                    == opened.original_value(&control.key_path)
        );
    }
    for list in opened.lists().into_iter().take(EDITED) {
        let mut draft = opened.clone();
        let added = draft.add(&list.key_path, 0, "wander");
        assert!(added.is_ok() || draft.text() == text, "{added:?}");
        let count = draft
            .lists()
            .into_iter()
            .find(|known| known.key_path == list.key_path)
            .map_or(0, |list| list.entries.len());
        for i in (0..count.min(EDITED)).rev() {
            let _ = draft.set_enabled(&list.key_path.at(i), false);
            let _ = draft.move_to(&list.key_path.at(i), 0);
            let _ = draft.remove(&list.key_path.at(0));
        }
    }
}

fn steps<V: Vector>(scene: Scene<V>) {
    assert!(scene.ram_bound() > 0 || scene.setup.groups.iter().all(|group| group.count == 0));
    if scene.setup.groups.iter().map(|group| group.count).sum::<usize>() > FEW {
        return;
    }
    let mut crowd = Crowd::new(scene.setup).expect("it was checked");
    for _ in 0..STEPS {
        crowd.step();
        is_finite(&crowd);
    }
}

fn is_finite<V: Vector>(crowd: &Crowd<V>) {
    for (id, agent) in crowd.agents() {
        assert!(agent.position.is_finite() && agent.velocity.is_finite(), "{id}: {agent:?}");
    }
}

/// A scene in which every command can be applied.
const WORLD: &str = r#"
[bounds]
min = [0, 0]
max = [300, 300]
edge = "wrap"
[pointer]
track = [[0, 100, 100], [60, 250, 30]]
[[obstacle]]
circle = { center = [80, 80], radius = 12 }
[path.beat]
points = [[100, 100], [280, 60], [20, 200]]
radius = 20
[line.door]
from = [150, 0]
to = [150, 300]
[[exit]]
circle = { center = [150, 150], radius = 12 }
groups = ["walkers"]
[[exit]]
circle = { center = [40, 250], radius = 20 }
then = { respawn = { box = { min = [10, 10], max = [290, 60] } } }
[[group]]
name = "walkers"
count = 6
spawn = { box = { min = [0, 0], max = [300, 300] } }
velocity = "random"
mass = { uniform = [5, 10] }
max_speed = { uniform = [1, 3] }
think_every = 2
[[group.steer]]
separation = { radius = 20, max_force = 2 }
[[group.steer]]
follow_path = { path = "beat" }
[[group.steer]]
wander = { circle_distance = 6, circle_radius = 8, angle_change = 1 }
[group.stat.stamina]
start = 5
min = 0
max = 10
[[group.state]]
name = "walk"
rate = { stamina = -1 }
leave = [{ to = "rest", when = { stat = "stamina", at_most = 2 } }]
[[group.state]]
name = "rest"
rate = { stamina = 1 }
leave = [{ to = "walk", when = { time_in_state = 3 } }]
[[group]]
name = "guests"
spawn = { points = [[20, 20], [30, 20]] }
max_speed = 3
[[group.steer]]
arrive = { target = "pointer", slowing_radius = "auto" }
[[group.steer]]
avoid_obstacles = { see_ahead = 30, max_avoid_force = 2 }
"#;

fn world() -> Crowd<Vec2> {
    Crowd::new(setup()).expect("it was checked")
}

fn setup() -> Setup<Vec2> {
    // Read once: every input needs it.
    static SETUP: OnceLock<Setup<Vec2>> = OnceLock::new();
    let setup = SETUP.get_or_init(|| {
        let source = Source { name: "world".to_string(), text: WORLD.to_string() };
        match read(&source, Format::Toml) {
            Ok(AnyScene::TwoD(scene)) => scene.setup,
            _ => panic!("the world is no scene of the plane"),
        }
    });
    setup.clone()
}

/// Text is read as a log or explained. A log that is read is written back with the same commands,
/// and applying them leaves finite numbers.
pub(crate) fn log(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let source = Source { name: "fuzzed".to_string(), text: text.to_string() };
    let dt = setup().dt;
    let mut log = match read_log(&source, dt) {
        Ok(log) => log,
        Err(problems) => {
            assert!(
                source.render(Severity::Error, &problems, false).contains("fuzzed:"),
                "the problem has no position"
            );
            return;
        }
    };
    let written = Source { name: "written".to_string(), text: log_text(&log) };
    let again = read_log(&written, dt)
        .unwrap_or_else(|problems| panic!("{}", written.render(Severity::Error, &problems, false)));
    assert!(
        log.commands().eq(again.commands()),
        "it reads back as something else:\n{}",
        written.text
    );
    let mut crowd = world();
    for _ in 0..STEPS {
        if let Err(error) = log.apply(&mut crowd) {
            source.render(Severity::Error, &[problem_of(error, &source)], false);
            return;
        }
        crowd.step();
        is_finite(&crowd);
    }
}

/// Bytes are restored or refused, and refused bytes change nothing. A restored crowd is written so
/// that it reads back as the same, and steps; so does one that the bytes are migrated into.
pub(crate) fn snapshot(bytes: &[u8]) {
    let mut crowd = world();
    let before = crowd.snapshot();
    // Random bytes never have a valid hash: the bytes after the first are a body, which gets the
    // head and the hash of this world.
    let sealed = match bytes.split_first() {
        Some((0, bytes)) => bytes.to_vec(),
        Some((_, body)) => seal([&before[..24], body].concat()),
        None => Vec::new(),
    };
    migrates(&sealed);
    if crowd.restore(&sealed).is_err() {
        assert!(crowd.snapshot() == before, "what was refused has changed something");
        return;
    }
    // Not compared with the input: what it says about absent things is not kept.
    let written = crowd.snapshot();
    let mut again = world();
    again.restore(&written).expect("it was written by us");
    assert!(
        again.snapshot() == written && again.digest() == crowd.digest(),
        "it reads back as something else"
    );
    for _ in 0..STEPS {
        crowd.step();
        again.step();
        is_finite(&crowd);
    }
    assert_eq!(crowd.digest(), again.digest());
}

/// Bytes are taken over by a world that has one group more, or refused without a change.
fn migrates(bytes: &[u8]) {
    let mut setup = setup();
    setup.groups.push(Group::new("new", 2, Spawn::Points(vec![Vec2::ZERO, Vec2::ONE]), 1.0));
    let mut crowd = Crowd::new(setup).expect("it is the world with one group more");
    let before = crowd.snapshot();
    if crowd.migrate(bytes).is_err() {
        assert!(crowd.snapshot() == before, "what was refused has changed something");
        return;
    }
    let mut again = crowd.clone();
    again.restore(&crowd.snapshot()).expect("it was written by us");
    for _ in 0..STEPS {
        crowd.step();
        again.step();
        is_finite(&crowd);
    }
    assert_eq!(crowd.digest(), again.digest());
}

/// A snapshot of the world after some ticks.
pub(crate) fn seed_of_a_snapshot() -> Vec<u8> {
    let mut crowd = world();
    (0..STEPS).for_each(|_| crowd.step());
    let whole = crowd.snapshot();
    [&[1], &whole[24..whole.len() - 8]].concat()
}

/// The body with the hash at its end that docs/snapshots.md describes.
fn seal(mut body: Vec<u8>) -> Vec<u8> {
    let mut state = mix(body.len() as u64);
    for chunk in body.chunks(8) {
        let mut block = [0; 8];
        block[..chunk.len()].copy_from_slice(chunk);
        state = mix(state ^ mix(u64::from_le_bytes(block).wrapping_add(0x9E37_79B9_7F4A_7C15)));
    }
    body.extend_from_slice(&state.to_le_bytes());
    body
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
