//! Every bundled scene has the same digest in one process and in several ranks.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use wayfare::crowd::Setup;
use wayfare::{Crowd, Vector};
use wayfare_cluster::{Cluster, Settings, in_threads};
use wayfare_scene::{AnyScene, BUNDLED, Format, Source, read};

const TICKS: u64 = 300;

/// Domains are divided anew at every tenth tick, by costs that differ from run to run.
const SETTINGS: Settings = Settings { imbalance: 0.1, rebalance_every: Some(10) };

fn alone<V: Vector>(setup: &Setup<V>) -> u64 {
    let mut crowd = Crowd::new(setup.clone()).unwrap();
    (0..TICKS).for_each(|_| crowd.step());
    crowd.digest()
}

fn in_ranks<V: Vector>(setup: &Setup<V>, ranks: usize) -> Vec<u64> {
    in_threads(ranks, |link| {
        let mut cluster = Cluster::new(setup.clone(), link, SETTINGS).unwrap();
        (0..TICKS).for_each(|_| cluster.step().unwrap());
        cluster.digest().unwrap()
    })
}

/// The bundled scenes whose digest is another one with these numbers of ranks.
fn differing(ranks: &[usize]) -> Vec<(&'static str, usize)> {
    fn of_scene<V: Vector>(setup: &Setup<V>, ranks: &[usize]) -> Vec<usize> {
        let expected = alone(setup);
        let differs = |ranks: &usize| in_ranks(setup, *ranks).iter().any(|d| *d != expected);
        ranks.iter().copied().filter(differs).collect()
    }
    let mut wrong = Vec::new();
    for scene in BUNDLED {
        let source = Source { name: scene.name.to_string(), text: scene.text.to_string() };
        let differing = match read(&source, Format::Toml).unwrap() {
            AnyScene::TwoD(scene) => of_scene(&scene.setup, ranks),
            AnyScene::ThreeD(scene) => of_scene(&scene.setup, ranks),
        };
        wrong.extend(differing.into_iter().map(|ranks| (scene.name, ranks)));
    }
    wrong
}

// Two tests, which run at the same time. `cargo xtask test` runs those that end in
// `on_several_ranks` when nothing else runs: ranks that share a core wait for one another.

#[test]
fn with_1_3_and_4_threads_digests_of_scenes_are_equal_on_several_ranks() {
    assert_eq!(differing(&[1, 3, 4]), []);
}

#[test]
fn with_2_and_7_threads_digests_of_scenes_are_equal_on_several_ranks() {
    assert_eq!(differing(&[2, 7]), []);
}
