//! The program `wayfare-mpi` under `mpirun`. At most four processes, which may share cores.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::path::Path;
use std::process::{Command, Output};

use wayfare::random::Random;
use wayfare::{Crowd, Vector};
use wayfare_cluster::Checkpoints;
use wayfare_scene::{AnyScene, BUNDLED, Format, Scene, Source, read};

const PROGRAM: &str = env!("CARGO_BIN_EXE_wayfare-mpi");

/// `mpirun` with so many processes; as root, too, and with more processes than cores.
fn mpirun(ranks: usize, arguments: &[&str]) -> Output {
    Command::new("mpirun")
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_mpi_yield_when_idle", "1")
        .args(["--oversubscribe", "-n", &ranks.to_string(), PROGRAM])
        .args(arguments)
        .output()
        .expect("mpirun is installed with the library")
}

/// The standard output of a run, which succeeds.
fn printed(ranks: usize, arguments: &[&str]) -> String {
    let output = mpirun(ranks, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{ranks} ranks, {arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn digest_after(scene: &AnyScene, ticks: u64) -> String {
    fn after<V: Vector>(scene: &Scene<V>, ticks: u64) -> String {
        let mut crowd = Crowd::new(scene.setup.clone()).unwrap();
        (0..ticks).for_each(|_| crowd.step());
        format!("{:016x}\n", crowd.digest())
    }
    match scene {
        AnyScene::TwoD(scene) => after(scene, ticks),
        AnyScene::ThreeD(scene) => after(scene, ticks),
    }
}

fn scene(text: &str) -> AnyScene {
    let source = Source { name: "scene.toml".to_string(), text: text.to_string() };
    read(&source, Format::Toml).unwrap()
}

#[test]
fn with_mpi_digests_of_scenes_are_equal_on_several_ranks() {
    for bundled in BUNDLED {
        let expected = digest_after(&scene(bundled.text), 300);
        for ranks in [1, 2, 4] {
            let run = ["run", bundled.name, "--ticks", "300", "--rebalance-every", "10"];
            let found = printed(ranks, &[&run[..], &["--digest", "--quiet"]].concat());
            assert_eq!(found, expected, "{}, {ranks} ranks", bundled.name);
        }
    }
}

const FLOCK: &str = r#"
dt = 0.5
duration = 40
bounds = { min = [0, 0], max = [200, 200], edge = "wrap" }
[[group]]
name = "birds"
count = 300
spawn = { box = { min = [0, 0], max = [200, 200] } }
max_speed = 3
steer = [{ flock = { radius = 20 } }]
"#;

/// A rank that ends itself at a random tick, half of the time while a checkpoint is written.
#[test]
fn the_last_checkpoint_is_whole_wherever_a_rank_crashes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flock.toml");
    std::fs::write(&file, FLOCK).unwrap();
    let file = file.to_str().unwrap();
    let expected = digest_after(&scene(FLOCK), 80);
    let mut random = Random::new(21, 0, 0, 0);
    let mut resumed = 0;
    for crash in 0..20 {
        let saved = folder.path().join(format!("saved-{crash}"));
        let (rank, tick) = (random.bits() % 3, random.bits() % 60);
        let during = if crash % 2 == 0 { "" } else { "+" };
        let end = format!("{rank}:{tick}{during}");
        let run = ["run", file, "--checkpoints", saved.to_str().unwrap(), "--quiet"];
        let ended = mpirun(3, &[&run[..], &["--checkpoint-every", "4", "--crash", &end]].concat());
        assert!(!ended.status.success(), "{end}");
        let message = String::from_utf8_lossy(&ended.stderr).to_lowercase();
        assert!(message.contains("rank") && message.contains("signal"), "{end}: {message}");
        assert_goes_on(&saved, file, &expected, &mut resumed);
    }
    assert!(resumed > 10, "only {resumed} runs had a checkpoint");
}

/// Goes on from the last checkpoint in `saved`, if there is one, with another number of ranks.
fn assert_goes_on(saved: &Path, file: &str, expected: &str, resumed: &mut usize) {
    if Checkpoints::in_folder(saved).last().unwrap().is_none() {
        return;
    }
    *resumed += 1;
    let run = ["run", file, "--resume", saved.to_str().unwrap(), "--ticks", "80", "--digest"];
    assert_eq!(printed(2, &[&run[..], &["--quiet"]].concat()), expected, "{}", saved.display());
}

#[test]
fn mistakes_are_reported_once_by_the_first_rank() {
    let cases: [(&[&str], &str); 5] = [
        (&["run", "flock-2d", "--input", "no.jsonl"], "error: no.jsonl: No such file"),
        (&["run", "no-such-scene"], "error: there is no file and no bundled scene `no-such-scene`"),
        (&["run", "flock-2d", "-o", "out.csv"], "error: `-o out.csv`: its extension selects no"),
        (&["run", "flock-2d", "--resume", "nowhere"], "error: nowhere holds no checkpoint"),
        (&["bench", "arrive", "--agents", "50"], "error: arrive cannot be scaled: its world is"),
    ];
    for (arguments, expected) in cases {
        let output = mpirun(2, arguments);
        assert!(!output.status.success(), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.matches(expected).count(), 1, "{arguments:?}: {error}");
        assert!(error.contains("allowed: ") || arguments.contains(&"no.jsonl"), "{error}");
    }
}

#[test]
fn a_run_does_not_replace_the_checkpoints_of_a_run_that_it_does_not_resume() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved");
    let saved = saved.to_str().unwrap();
    let run = ["run", "flee", "--checkpoints", saved, "--checkpoint-every", "3", "--quiet"];
    let until = |ticks, more: &[&'static str]| [&run[..], &["--ticks", ticks], more].concat();
    assert_eq!(printed(2, &until("9", &[])), "");
    let again = mpirun(2, &until("9", &[]));
    let error = String::from_utf8(again.stderr).unwrap();
    assert!(!again.status.success() && error.contains("holds a checkpoint of tick 9"), "{error}");
    assert_eq!(printed(2, &[&until("12", &["--resume"])[..], &[saved]].concat()), "");
    assert_eq!(Checkpoints::in_folder(saved).last().unwrap().unwrap().0, 12);
}

/// Two processes in these folders, which read the scene `flock.toml` and the log `log.jsonl`.
fn in_folders(folders: [&Path; 2]) -> Output {
    let run = |folder: &Path| {
        let folder = folder.to_str().unwrap();
        ["-n", "1", "--wdir", folder, PROGRAM, "run", "flock.toml", "--input", "log.jsonl", "-q"]
            .map(str::to_string)
    };
    let processes = [&run(folders[0])[..], &[":".to_string()], &run(folders[1])].concat();
    Command::new("mpirun")
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .arg("--oversubscribe")
        .args(processes)
        .output()
        .unwrap()
}

#[test]
fn files_that_one_rank_cannot_read_or_that_differ_end_all_ranks() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [first, second] = [folders[0].path(), folders[1].path()];
    let log = "{\"tick\":3,\"pointer\":[1,2]}\n";
    let write = |folder: &Path, scene: &str, log: &str| {
        std::fs::write(folder.join("flock.toml"), scene).unwrap();
        std::fs::write(folder.join("log.jsonl"), log).unwrap();
    };
    let refused = |expected: &str| {
        let output = in_folders([first, second]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.matches(expected).count(), 1, "{expected}: {error}");
        assert!(!output.status.success(), "{error}");
    };
    write(first, FLOCK, log);
    refused("rank 1: error: there is no file and no bundled scene `flock.toml`");
    write(second, &FLOCK.replace("radius = 20", "radius = 21"), log);
    refused("error: flock.toml on rank 1 differs from that on rank 0");
    write(second, FLOCK, "");
    refused("error: log.jsonl on rank 1 differs from that on rank 0");
    write(second, FLOCK, log);
    assert!(in_folders([first, second]).status.success());
}

#[test]
fn a_bench_has_a_row_for_each_rank_and_one_for_all() {
    let table = printed(2, &["bench", "flock-2d", "--agents", "2000", "--ticks", "3"]);
    let starts: Vec<_> = table.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(starts, ["rank", "0", "1", "all"], "{table}");
    let lines = printed(2, &["bench", "flock-2d", "--agents", "2000", "--ticks", "3", "--json"]);
    let ticks =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["ticks"].clone();
    assert_eq!(lines.lines().map(ticks).collect::<Vec<_>>(), [3, 3]);
}
