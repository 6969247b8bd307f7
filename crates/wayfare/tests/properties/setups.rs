//! Every valid setup stays finite, keeps its limits, and does not depend on the order of agents.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use wayfare::crowd::{Arrivals, ExitAction, Group, Setup, TransitionTarget};
use wayfare::glam::{Vec2, Vec3};
use wayfare::parameter::Variants;
use wayfare::random::Random;
use wayfare::registry::Behavior;
use wayfare::{Crowd, Vector};

use crate::choices::Choices;
use crate::drawn::setup;

fn valid<V: Vector>(numbers: Vec<u32>) -> Result<(Setup<V>, Crowd<V>), TestCaseError> {
    let setup = setup(&mut Choices::new(numbers, true));
    let crowd =
        Crowd::new(setup.clone()).map_err(|error| TestCaseError::fail(error.to_string()))?;
    Ok((setup, crowd))
}

fn stays_finite<V: Vector>(numbers: Vec<u32>) -> Result<(), TestCaseError> {
    let (setup, mut crowd) = valid::<V>(numbers)?;
    let mut order = Vec::new();
    for tick in 0..30 {
        crowd.step();
        crowd.rows_by_id(&mut order);
        for member in order.iter().filter_map(|&row| crowd.agent_at_row(row)) {
            let agent = member.agent;
            prop_assert!(
                agent.position.is_finite() && agent.velocity.is_finite(),
                "at tick {tick}: {member:?} in {setup:?}"
            );
            prop_assert!(
                (agent.heading.length() - 1.0).abs() < 1e-5,
                "at tick {tick}: {member:?} in {setup:?}"
            );
            prop_assert!(
                (agent.facing.length() - 1.0).abs() < 1e-5,
                "at tick {tick}: {member:?} in {setup:?}"
            );
            let length =
                |v: V| (0..V::DIMENSION).map(|i| f64::from(v.axis(i)).powi(2)).sum::<f64>().sqrt();
            prop_assert!(
                length(agent.velocity) <= f64::from(agent.max_speed) * (1.0 + 1e-6),
                "at tick {tick}: {member:?} in {setup:?}"
            );
            let stat = &setup.groups[member.group.0].stats[0];
            prop_assert!(
                member.stats[0].is_finite() && (stat.min..=stat.max).contains(&member.stats[0]),
                "{member:?} in {setup:?}"
            );
        }
    }
    Ok(())
}

fn order_does_not_matter<V: Vector>(numbers: Vec<u32>) -> Result<(), TestCaseError> {
    let (setup, mut ordered) = valid::<V>(numbers.clone())?;
    let (_, mut shuffled) = valid::<V>(numbers)?;
    for tick in 0..10 {
        let mut random = Random::new(3, 0, tick, 0);
        let mut rows: Vec<u32> = (0..shuffled.len() as u32).collect();
        rows.sort_by_cached_key(|_| random.bits());
        shuffled.permute(&rows);
        ordered.step();
        shuffled.step();
        prop_assert_eq!(ordered.digest(), shuffled.digest(), "after tick {}: {:?}", tick, setup);
        prop_assert!(
            ordered.events() == shuffled.events() && ordered.lines() == shuffled.lines(),
            "after tick {tick}: {setup:?}"
        );
        prop_assert!(ordered.sources() == shuffled.sources(), "after tick {tick}: {setup:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_000,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_valid_setup_stays_finite_and_within_its_limits(numbers in vec(any::<u32>(), 0..700)) {
        stays_finite::<Vec2>(numbers.clone())?;
        stays_finite::<Vec3>(numbers)?;
    }

    #[test]
    fn no_valid_setup_depends_on_the_order_of_agents_in_memory(
        numbers in vec(any::<u32>(), 0..700)
    ) {
        order_does_not_matter::<Vec2>(numbers.clone())?;
        order_does_not_matter::<Vec3>(numbers)?;
    }
}

/// Checks that all parts of setups are drawn, as a part that is never drawn is not tested.
#[test]
fn the_drawn_setups_include_every_behavior_rule_and_edge() {
    let mut found = BTreeMap::<String, usize>::new();
    for seed in 0..500 {
        let mut random = Random::new(seed, 0, 0, 0);
        let setup = setup::<Vec2>(&mut Choices::new(
            (0..700).map(|_| random.bits() as u32).collect(),
            true,
        ));
        let mut count = |name: String| *found.entry(name).or_default() += 1;
        setup.lines.iter().for_each(|_| count("line".to_string()));
        setup.exits.iter().for_each(|exit| {
            count(if exit.then == ExitAction::Remove { "remove" } else { "respawn" }.to_string())
        });
        for source in &setup.sources {
            count(match &source.arrivals {
                Arrivals::Rate { rhythm, .. } => format!("{rhythm:?}"),
                other => Variants::<Vec2>::name(other).to_string(),
            });
        }
        let transitions = setup
            .groups
            .iter()
            .filter(|group| group.count > 0)
            .flat_map(|group| &group.states)
            .flat_map(|state| &state.leave);
        transitions
            .filter(|transition| matches!(transition.to, TransitionTarget::Out(_)))
            .for_each(|_| count("out".to_string()));
        setup.bounds.iter().for_each(|bounds| count(format!("{:?}", bounds.edge)));
        for list in setup.groups.iter().filter(|group| group.count > 0).flat_map(Group::lists) {
            count(format!("{:?}", list.combine));
            list.behaviors().for_each(|behavior| count(behavior.name().to_string()));
        }
    }
    let others = [
        "Open", "Wrap", "Wall", "Bounce", "Sum", "Priority", "Budget", "Dither", "Context", "line",
        "remove", "respawn", "Regular", "Random", "schedule", "out",
    ];
    let names = Behavior::<Vec2>::LIST.iter().map(|d| d.name).chain(others);
    for name in names {
        assert!(found.get(name).is_some_and(|&times| times >= 20), "{name}: {found:?}");
    }
}
