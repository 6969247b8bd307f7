//! The scenes `forage`, `explore` and `street`: all food is found, all cells are visited, and a
//! street with sources and exits runs in constant memory.

use std::collections::BTreeMap;
use std::time::Instant;

use wayfare::crowd::{Event, Setup};
use wayfare::glam::Vec2;
use wayfare::{Crowd, GroupId, Order};

use super::{crowd, scene, setup};

/// The number of members of a group.
fn count(crowd: &Crowd<Vec2>, group: usize) -> usize {
    crowd.groups().filter(|of| of.0 == group).count()
}

#[test]
fn ants_find_all_crumbs_within_1000_ticks() {
    let mut ants = crowd("forage");
    assert_eq!((count(&ants, 0), count(&ants, 1)), (8, 40));
    let mut gone = 0;
    while count(&ants, 1) > 0 {
        ants.step();
        gone += ants
            .events()
            .iter()
            .filter(|event| matches!(event, Event::Gone { group: GroupId(1), .. }))
            .count();
        assert!(ants.tick() <= 1_000, "{} remain", count(&ants, 1));
    }
    println!("all crumbs are gone after {} ticks", ants.tick());
    assert_eq!((gone, count(&ants, 0)), (40, 8));
}

#[test]
fn ants_find_all_crumbs_with_any_seed() {
    let ticks = (1..=10).map(|seed| {
        let mut ants = Crowd::new(Setup { seed, ..setup("forage") }).unwrap();
        while count(&ants, 1) > 0 {
            ants.step();
            assert!(ants.tick() <= 4_000, "seed {seed}: {} remain", count(&ants, 1));
        }
        ants.tick()
    });
    println!("ticks by seed: {:?}", ticks.collect::<Vec<_>>());
}

#[test]
fn scouts_visit_every_cell_within_1000_ticks_and_return_to_each_cell() {
    let mut scouts = crowd("explore");
    let visits = |scouts: &Crowd<Vec2>| {
        scouts.explored(0).next().unwrap().cells().map(|(_, tick)| tick).collect::<Vec<_>>()
    };
    // 16 by 12 cells, except those with the center inside a rock.
    let cells = visits(&scouts).len();
    assert!((170..192).contains(&cells), "{cells}");
    while visits(&scouts).contains(&None) {
        scouts.step();
        let unvisited = visits(&scouts).iter().filter(|tick| tick.is_none()).count();
        assert!(scouts.tick() <= 1_000, "{unvisited} cells are not visited");
    }
    println!("all {cells} cells are visited after {} ticks", scouts.tick());
    (0..5_000).for_each(|_| scouts.step());
    let oldest =
        visits(&scouts).into_iter().map(|tick| scouts.tick() - tick.unwrap()).max().unwrap();
    println!("the oldest visit of a cell is {oldest} ticks ago");
    assert!(oldest < 3_500);
}

#[test]
fn a_street_runs_200_000_ticks_in_constant_memory_and_continues_from_a_snapshot_to_the_bit() {
    const TICKS: u64 = 200_000;
    let mut street = crowd("street");
    let mut order = Vec::new();
    // Returns agent-ticks, the largest number of agents, and nanoseconds per agent-tick. The time
    // is printed, not asserted.
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
    // All buffers reach their size in the first part.
    run(&mut street, &mut order, TICKS / 10);
    let mut parts = Vec::new();
    let mut snapshots = Vec::new();
    for part in 1..=9 {
        let mut found = (0, 0, 0.0);
        let measured = allocation_counter::measure(|| {
            found = run(&mut street, &mut order, TICKS / 10 * (part + 1))
        });
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
    // The length of a snapshot varies only with the number of agents: at most 40 of 120 bytes.
    let lengths: Vec<usize> = snapshots.iter().map(Vec::len).collect();
    let (shortest, longest) = (lengths.iter().min().unwrap(), lengths.iter().max().unwrap());
    assert!(longest - shortest < 40 * 120, "{lengths:?}");

    let mut again = crowd("street");
    again.restore(&snapshots[3]).unwrap();
    assert_eq!(again.tick(), TICKS / 2);
    run(&mut again, &mut order, TICKS);
    assert_eq!(
        (again.digest(), again.sources(), again.exits()),
        (street.digest(), street.sources(), street.exits())
    );
}

#[test]
fn people_of_a_concourse_go_to_exits_by_shares_and_those_who_wait_go_at_their_times() {
    let mut crowd = crowd("concourse");
    let mut ordered = BTreeMap::new();
    let mut waiting = Vec::new();
    for _ in 0..scene("concourse").ticks() {
        let people: Vec<_> = crowd.agents().filter_map(|(id, _)| crowd.get(id)).collect();
        waiting.push(people.iter().filter(|person| person.starts_at.is_some()).count());
        for person in people {
            if let Some(Order::Point(point)) = person.order {
                let first = ordered.entry(person.id).or_insert((person.group.0, point));
                assert_eq!(first.1, point, "{} keeps its exit", person.id);
            }
            if person.starts_at.is_some() {
                assert_eq!(person.agent.velocity, Vec2::ZERO);
            }
        }
        crowd.step();
    }
    // A normal distribution around 35 s.
    assert_eq!((waiting[0], waiting[1_799]), (24, 0));
    assert!((6..=18).contains(&waiting[700]), "{} wait at 35 s", waiting[700]);
    // From the stairs 70 % go to the east, from the escalator 70 % to the south.
    for (group, x) in [(0, 25.1), (1, 17.5)] {
        let of_group = ordered.values().filter(|(of, _)| *of == group);
        let (all, there) =
            of_group.fold((0, 0), |(all, there), (_, p)| (all + 1, there + i32::from(p.x == x)));
        let share = f64::from(there) / f64::from(all);
        assert!(all > 40 && (0.55..0.85).contains(&share), "{there} of {all}");
    }
    let left: u64 = crowd.exits().iter().map(|exit| exit.left).sum();
    assert!(left > 100, "{left} have left");
}
