//! What the scenes of forage, explore and sources promise: all is found, all is seen, and a street
//! runs for ever in flat memory.

use std::time::Instant;

use wayfare::Crowd;
use wayfare::crowd::Event;
use wayfare::glam::Vec2;

use super::setup;

/// The crowd of a bundled scene with this seed, or with its own.
fn crowd(name: &str, seed: Option<u64>) -> Crowd<Vec2> {
    let mut setup = setup(name);
    setup.seed = seed.unwrap_or(setup.seed);
    Crowd::new(setup).unwrap()
}

fn count(crowd: &Crowd<Vec2>, group: usize) -> usize {
    crowd.agents().filter(|(id, _)| crowd.get(*id).unwrap().group == group).count()
}

#[test]
fn ants_find_all_crumbs_within_1000_ticks() {
    let mut ants = crowd("forage", None);
    assert_eq!((count(&ants, 0), count(&ants, 1)), (8, 40));
    let mut gone = 0;
    while count(&ants, 1) > 0 {
        ants.step();
        gone += ants
            .events()
            .iter()
            .filter(|event| matches!(event, Event::Gone { group: 1, .. }))
            .count();
        assert!(ants.tick() <= 1_000, "{} are left", count(&ants, 1));
    }
    println!("all crumbs are gone after {} ticks", ants.tick());
    assert_eq!((gone, count(&ants, 0)), (40, 8));
}

#[test]
fn with_any_seed_ants_find_all_crumbs_in_the_end() {
    let ticks = (1..=10).map(|seed| {
        let mut ants = crowd("forage", Some(seed));
        while count(&ants, 1) > 0 {
            ants.step();
            assert!(ants.tick() <= 4_000, "seed {seed}: {} are left", count(&ants, 1));
        }
        ants.tick()
    });
    println!("by seeds: {:?}", ticks.collect::<Vec<_>>());
}

#[test]
fn scouts_visit_every_cell_within_1000_ticks_and_from_then_on_each_again_and_again() {
    let mut scouts = crowd("explore", None);
    let seen = |scouts: &Crowd<Vec2>| {
        scouts.explored(0).next().unwrap().cells().map(|(_, tick)| tick).collect::<Vec<_>>()
    };
    // 16 by 12 cells, but those whose middles are inside a rock.
    let cells = seen(&scouts).len();
    assert!((170..192).contains(&cells), "{cells}");
    while seen(&scouts).contains(&None) {
        scouts.step();
        assert!(
            scouts.tick() <= 1_000,
            "{} are left",
            seen(&scouts).iter().filter(|tick| tick.is_none()).count()
        );
    }
    println!("all {cells} cells are visited after {} ticks", scouts.tick());
    (0..5_000).for_each(|_| scouts.step());
    let oldest = seen(&scouts).into_iter().map(|tick| scouts.tick() - tick.unwrap()).max().unwrap();
    println!("and none is forgotten for more than {oldest}");
    assert!(oldest < 3_500);
}

#[test]
fn a_street_runs_for_200_000_ticks_in_flat_memory_and_at_flat_cost_and_goes_on_from_a_snapshot_to_the_bit()
 {
    const TICKS: u64 = 200_000;
    let mut street = crowd("street", None);
    let mut order = Vec::new();
    // How many agent-ticks there were, and how many agents at most; seconds are told and not
    // asserted.
    let run = |street: &mut Crowd<Vec2>, order: &mut Vec<u32>, end: u64| {
        let (mut all, mut most, begin) = (0, 0, Instant::now());
        while street.tick() < end {
            street.step();
            street.rows_by_id(order);
            all += street.len();
            most = most.max(street.len());
        }
        (all, most, begin.elapsed().as_secs_f64() * 1e9 / all as f64)
    };
    // The first part gives all buffers their size.
    run(&mut street, &mut order, TICKS / 10);
    let mut parts = Vec::new();
    let mut snapshots = Vec::new();
    for part in 1..=9 {
        let mut found = (0, 0, 0.0);
        let measured = allocation_counter::measure(|| {
            found = run(&mut street, &mut order, TICKS / 10 * (part + 1))
        });
        // Memory that is never asked for does not grow, and what lies in it is not gone through
        // again and again for those who have left.
        assert_eq!(measured.count_total, 0, "part {part}: {measured:?}");
        parts.push(found);
        snapshots.push(street.snapshot());
    }
    println!(
        "agent-ticks, most agents and nanoseconds per agent-tick of each 20,000 ticks:\n{parts:#?}"
    );
    let [left, right] = [0, 1].map(|s| street.sources()[s].clone());
    println!(
        "entered {} and {}, turned away {} and {}",
        left.entered, right.entered, left.turned_away, right.turned_away
    );
    assert!(left.entered > 6_000 && right.entered > 6_000);
    assert_eq!(
        left.entered + right.entered,
        street.exits().iter().map(|exit| exit.left).sum::<u64>() + street.len() as u64
    );
    for (all, most, _) in &parts {
        assert!(*most <= 40 && *all as u64 / (TICKS / 10) >= 15, "{parts:?}");
    }
    // A snapshot of the end is no longer than one of the beginning, but for who is there.
    let size = |snapshot: &Vec<u8>| snapshot.len();
    assert!(
        snapshots.iter().map(size).max().unwrap() - snapshots.iter().map(size).min().unwrap()
            < 40 * 120
    );

    let mut again = crowd("street", None);
    again.restore(&snapshots[3]).unwrap();
    assert_eq!(again.tick(), TICKS / 2);
    run(&mut again, &mut order, TICKS);
    assert_eq!(
        (again.digest(), again.sources(), again.exits()),
        (street.digest(), street.sources(), street.exits())
    );
}
