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

/// The numbers of ranks with which the digest is another one.
fn differing<V: Vector>(setup: &Setup<V>) -> Vec<usize> {
    let expected = alone(setup);
    let differs = |ranks: &usize| in_ranks(setup, *ranks).iter().any(|digest| *digest != expected);
    [1, 2, 3, 4, 7].into_iter().filter(differs).collect()
}

#[test]
fn every_bundled_scene_has_the_same_digest_in_any_number_of_ranks() {
    let mut wrong = Vec::new();
    for scene in BUNDLED {
        let source = Source { name: scene.name.to_string(), text: scene.text.to_string() };
        let ranks = match read(&source, Format::Toml).unwrap() {
            AnyScene::TwoD(scene) => differing(&scene.setup),
            AnyScene::ThreeD(scene) => differing(&scene.setup),
        };
        if !ranks.is_empty() {
            wrong.push((scene.name, ranks));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
