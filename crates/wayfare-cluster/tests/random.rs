//! Random scenes, which use every behavior, rule and edge, have the same digest in several ranks.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use wayfare::glam::{Vec2, Vec3};
use wayfare::{Crowd, Vector};
use wayfare_cluster::{Cluster, Settings, in_threads};

use crate::choices::Choices;

fn ranks_do_not_matter<V: Vector>(numbers: Vec<u32>) -> Result<(), TestCaseError> {
    let ranks = 2 + numbers.first().map_or(0, |number| *number as usize % 4);
    let mut setup = crate::drawn::setup::<V>(&mut Choices::new(numbers, true));
    // Refused on several ranks.
    setup.sources.iter_mut().for_each(|source| source.apart = false);
    let mut whole = Crowd::new(setup.clone()).unwrap();
    let mut expected = Vec::new();
    for _ in 0..20 {
        whole.step();
        expected.push((whole.digest(), whole.counts(), whole.events().to_vec()));
    }
    let settings = Settings { rebalance_every: Some(3), ..Settings::default() };
    let found = in_threads(ranks, |link| {
        let mut cluster = Cluster::new(setup.clone(), link, settings).unwrap();
        let tick = |_| {
            cluster.step().unwrap();
            let digest = cluster.digest().unwrap();
            (digest, cluster.counts().unwrap(), cluster.events().unwrap())
        };
        (0..20).map(tick).collect::<Vec<_>>()
    });
    for of_rank in found {
        for (tick, (found, expected)) in of_rank.iter().zip(&expected).enumerate() {
            prop_assert_eq!(found, expected, "{} ranks, tick {}, {:?}", ranks, tick + 1, setup);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        rng_seed: RngSeed::Fixed(7),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_valid_setup_depends_on_the_number_of_ranks(numbers in vec(any::<u32>(), 0..700)) {
        ranks_do_not_matter::<Vec2>(numbers.clone())?;
        ranks_do_not_matter::<Vec3>(numbers)?;
    }
}
