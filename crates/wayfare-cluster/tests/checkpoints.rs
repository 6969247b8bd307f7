//! Checkpoints and trajectories: whole or not there, and with any number of ranks the same.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::fs;
use std::path::Path;

use wayfare::crowd::Setup;
use wayfare::{Crowd, Vector};
use wayfare_cluster::{
    CheckpointError, Checkpoints, Cluster, Settings, ThreadLink, TrajectoryWriter, in_threads,
};
use wayfare_record::output::RunInfo;
use wayfare_scene::{AnyScene, Format, Source, bundled, read};

const OFTEN: Settings = Settings { imbalance: 0.1, rebalance_every: Some(10) };

fn scene(name: &str) -> AnyScene {
    let source = Source { name: name.to_string(), text: bundled(name).unwrap().text.to_string() };
    read(&source, Format::Toml).unwrap()
}

fn setup_2d(name: &str) -> Setup<wayfare::glam::Vec2> {
    match scene(name) {
        AnyScene::TwoD(scene) => scene.setup,
        AnyScene::ThreeD(_) => panic!("{name} is in space"),
    }
}

fn step<V: Vector>(cluster: &mut Cluster<V, ThreadLink>, until: u64) {
    while cluster.crowd().tick() < until {
        cluster.step().unwrap();
    }
}

/// Runs to tick `half` with `first` ranks, writes a checkpoint, and goes on with `second` ranks.
fn digest_by_way_of_a_checkpoint<V: Vector>(
    setup: &Setup<V>,
    (first, second): (usize, usize),
    (half, end): (u64, u64),
) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::in_folder(folder.path().join("saved"));
    in_threads(first, |link| {
        let mut cluster = Cluster::new(setup.clone(), link, OFTEN).unwrap();
        step(&mut cluster, half);
        checkpoints.write(&mut cluster).unwrap();
    });
    let digests = in_threads(second, |link| {
        let mut cluster = checkpoints.resume(setup.clone(), link, OFTEN).unwrap();
        assert_eq!(cluster.crowd().tick(), half);
        step(&mut cluster, end);
        cluster.digest().unwrap()
    });
    assert!(digests.iter().all(|digest| *digest == digests[0]));
    digests[0]
}

#[test]
fn a_checkpoint_of_four_ranks_goes_on_in_three_to_the_same_digest() {
    // Sources, exits and lines; ways and queues; explored cells; solid bodies.
    for name in ["museum", "counters", "doorway-150", "flock-2000-2d", "explore"] {
        let setup = setup_2d(name);
        let mut whole = Crowd::new(setup.clone()).unwrap();
        (0..240).for_each(|_| whole.step());
        for ranks in [(4, 3), (1, 5), (3, 1)] {
            let found = digest_by_way_of_a_checkpoint(&setup, ranks, (120, 240));
            assert_eq!(found, whole.digest(), "{name}, {ranks:?} ranks");
        }
    }
}

#[test]
fn what_lines_and_exits_have_counted_goes_on_after_a_checkpoint() {
    let setup = setup_2d("doorway-150");
    let mut whole = Crowd::new(setup.clone()).unwrap();
    (0..600).for_each(|_| whole.step());
    assert!(whole.counts().lines.iter().any(|(left, right)| left + right > 10));
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::in_folder(folder.path());
    in_threads(3, |link| {
        let mut cluster = Cluster::new(setup.clone(), link, OFTEN).unwrap();
        step(&mut cluster, 400);
        checkpoints.write(&mut cluster).unwrap();
    });
    in_threads(2, |link| {
        let mut cluster = checkpoints.resume(setup.clone(), link, OFTEN).unwrap();
        step(&mut cluster, 600);
        assert_eq!(cluster.counts().unwrap(), whole.counts());
    });
}

#[test]
fn a_later_checkpoint_replaces_the_earlier_one_and_a_partial_one_is_ignored() {
    let setup = setup_2d("flock-2000-2d");
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::in_folder(folder.path());
    assert_eq!(checkpoints.last().unwrap(), None);
    in_threads(2, |link| {
        let mut cluster = Cluster::new(setup.clone(), link, OFTEN).unwrap();
        for tick in [3, 12] {
            step(&mut cluster, tick);
            checkpoints.write(&mut cluster).unwrap();
        }
    });
    // A run that was ended while it wrote the next one.
    let partial = folder.path().join("partial-20");
    fs::create_dir(&partial).unwrap();
    fs::write(partial.join("agents-0"), b"half").unwrap();
    assert_eq!(checkpoints.last().unwrap(), Some((12, folder.path().join("tick-12"))));
    let names = |path: &Path| {
        let mut names: Vec<_> =
            fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(folder.path()), ["partial-20", "tick-12"]);
    let files = ["agents-0", "agents-1", "manifest.json", "world.snapshot"];
    assert_eq!(names(&folder.path().join("tick-12")), files);
}

#[test]
fn a_folder_that_is_no_checkpoint_of_the_scene_is_refused_on_all_ranks() {
    let setup = setup_2d("flock-2000-2d");
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = Checkpoints::in_folder(folder.path());
    let refused = |setup: &Setup<_>| {
        in_threads(2, |link| checkpoints.resume(setup.clone(), link, OFTEN).unwrap_err())
    };
    assert!(matches!(refused(&setup)[0], CheckpointError::None(_)));
    in_threads(2, |link| {
        let mut cluster = Cluster::new(setup.clone(), link, OFTEN).unwrap();
        step(&mut cluster, 5);
        checkpoints.write(&mut cluster).unwrap();
    });
    let text = |errors: Vec<CheckpointError>| errors[0].to_string();
    assert!(text(refused(&setup_2d("museum"))).contains("allowed: a checkpoint of a run of this"));
    let part = folder.path().join("tick-5/agents-1");
    let whole = fs::read(&part).unwrap();
    for damaged in [&whole[..whole.len() - 1], &whole[..10], b""] {
        fs::write(&part, damaged).unwrap();
        let errors = refused(&setup);
        // The first rank has read its own part.
        let (first, second) = (errors[0].to_string(), errors[1].to_string());
        assert!(first.starts_with("rank 1: ") && second.contains("agents-1"), "{first} {second}");
    }
    fs::write(&part, &whole).unwrap();
    let manifest = folder.path().join("tick-5/manifest.json");
    let changed =
        fs::read_to_string(&manifest).unwrap().replace("\"digest\": \"", "\"digest\": \"0");
    fs::write(&manifest, changed).unwrap();
    assert!(text(refused(&setup)).contains("its digest is 0"));
}

#[test]
fn the_tables_of_all_ranks_are_one_trajectory_with_a_manifest() {
    let setup = setup_2d("flock-2000-2d");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.parquet");
    let write = |path: &Path| {
        in_threads(3, |link| -> Result<u64, String> {
            let mut cluster = Cluster::new(setup.clone(), link, OFTEN).unwrap();
            let mut info = RunInfo::new("flock-2000-2d", "Flock", &setup, 20);
            info.every = 10;
            let parts = TrajectoryWriter::begin(path, &mut cluster, info);
            let mut parts = parts.map_err(|e| e.to_string())?;
            for _ in 0..20 {
                cluster.step().unwrap();
                parts.record(&cluster).unwrap();
            }
            assert!(!path.join("_manifest.json").exists());
            parts.finish(&mut cluster).unwrap();
            Ok(cluster.digest().unwrap())
        })
    };
    let digest = write(&path)[0].clone().unwrap();
    let manifest = fs::read_to_string(path.join("_manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["digest"], format!("{digest:016x}"));
    let parts = manifest["parts"].as_array().unwrap();
    let rows: u64 = parts.iter().map(|part| part["rows"].as_u64().unwrap()).sum();
    assert_eq!((parts.len(), rows), (3, 3 * 2_000));
    for part in parts {
        assert!(path.join(part["file"].as_str().unwrap()).is_file());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "a partial folder is left");
    // A resumed run does not replace the ticks before its own.
    let resumed = in_threads(2, |link| {
        let mut cluster = Cluster::new(setup.clone(), link, OFTEN).unwrap();
        step(&mut cluster, 3);
        let info = RunInfo::new("flock-2000-2d", "Flock", &setup, 20);
        TrajectoryWriter::begin(&path, &mut cluster, info).err().map(|error| error.to_string())
    });
    assert!(resumed[0].as_ref().unwrap().contains("exists, and this run goes on from tick 3"));
    assert!(path.join("_manifest.json").is_file());
    // A folder that is no trajectory is not replaced.
    let other = folder.path().join("mine.parquet");
    fs::create_dir(&other).unwrap();
    let refused = write(&other);
    assert!(refused[0].as_ref().unwrap_err().contains("exists\nallowed: a path where nothing is"));
    assert!(refused[2].as_ref().unwrap_err().starts_with("rank 0: "));
}
