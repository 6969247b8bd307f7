//! `pedestrian` with solid bodies reproduces measured crowds: flows through doors (Kretz,
//! Grünebohm, Schreckenberg 2006), walking speeds at given densities (Weidmann 1993), lanes, and
//! the tests of RiMEA and IMO.
//!
//! `cargo xtask validate` prints the tables.
#![allow(clippy::print_stdout)] // The tables.

mod scenes;

use scenes::{DT, Gate, RADIUS, Room, Way, corridor, filled, moving, passing_times, people, world};
use wayfare::Crowd;
use wayfare::crowd::{Distribution, Group, Setup};
use wayfare::glam::{Vec2, vec2};
use wayfare::solve::{Pedestrian, PedestrianPreset};

/// The seeds of each mean.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;

/// Mean and standard deviation.
fn stats(values: &[f32]) -> (f32, f32) {
    let count = values.len() as f32;
    let mean = values.iter().sum::<f32>() / count;
    let squares = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>();
    (mean, (squares / (count - 1.0).max(1.0)).sqrt())
}

/// The results of all seeds, on two threads.
fn for_seeds<T: Send>(run: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let seeds: Vec<u64> = SEEDS.collect();
    let half = seeds.len() / 2;
    let all = |seeds: &[u64]| seeds.iter().map(|&seed| run(seed)).collect::<Vec<T>>();
    std::thread::scope(|scope| {
        let first = scope.spawn(|| all(&seeds[..half]));
        let second = all(&seeds[half..]);
        let mut results = first.join().expect("the run ends");
        results.extend(second);
        results
    })
}

/// Asserts that a mean is near the one that the formulas were found to give: within two standard
/// deviations or 5 %.
#[track_caller]
fn assert_reproduced(name: &str, (mean, deviation): (f32, f32), expected: f32) {
    let allowed = (2.0 * deviation).max(0.05 * expected);
    assert!(
        (mean - expected).abs() <= allowed,
        "{name}: {mean} +- {deviation}, expected {expected}"
    );
}

/// People per second, from the `first` to the `last` of the passing times.
fn flow(times: &[f32], first: usize, last: usize) -> f32 {
    assert!(times.len() > last, "only {} have passed", times.len());
    (last - first) as f32 / (times[last] - times[first])
}

/// The experiment of Kretz: 100 people in a room of 12 x 10 m, a passage 0.4 m deep.
fn bottleneck(door: f32, count: usize, seed: u64) -> (Vec<f32>, f32) {
    let room = Room { length: 12.0, height: 10.0, door, depth: 0.4, middle: 0.0 };
    let points = filled(seed, vec2(-6.0, -3.2), vec2(-1.0, 3.2), count);
    let groups = vec![people(points, room.way(), Pedestrian::default())];
    passing_times(Setup { groups, ..room.world(seed) }, 600.0, |p| p.x > 0.4)
}

#[test]
fn flows_through_doors_are_those_of_the_experiments() {
    // Door (m), measured and expected flow (1/s).
    let table = [
        (0.4, 0.89, 0.908),
        (0.5, 1.02, 0.998),
        (0.6, 1.12, 1.125),
        (0.7, 1.24, 1.333),
        (0.8, 1.42, 1.488),
        (0.9, 1.58, 1.677),
        (1.0, 1.85, 1.785),
        (1.1, 2.00, 1.95),
        (1.2, 2.14, 2.104),
    ];
    for (door, measured, expected) in table {
        let runs = for_seeds(|seed| bottleneck(door, 100, seed));
        let flows: Vec<f32> = runs.iter().map(|(times, _)| flow(times, 0, 99)).collect();
        let pause = { runs.iter().flat_map(|(times, _)| times.windows(2)) }
            .map(|pair| pair[1] - pair[0])
            .fold(0.0, f32::max);
        let deepest = runs.iter().map(|run| run.1).fold(0.0, f32::max);
        let (mean, deviation) = stats(&flows);
        println!(
            "door {door} m: {mean:.3} +- {deviation:.3} /s, measured {measured}, expected \
             {expected}, pause {pause:.1} s, deepest {deepest:.3}"
        );
        assert_reproduced(&format!("door {door}"), (mean, deviation), expected);
    }
}

/// The flow of `count` people out of a room of this size through a door of 1 m whose middle is at
/// the height `middle`: of those in the middle of the crowd.
fn crowded(seed: u64, count: usize, (length, height): (f32, f32), middle: f32) -> f32 {
    let room = Room { length, height, door: 1.0, depth: 0.4, middle };
    let (low, high) = (vec2(1.0 - length, 1.0 - height * 0.5), vec2(-1.0, height * 0.5 - 1.0));
    let points = filled(seed, low, high, count);
    let groups = vec![people(points, room.way(), Pedestrian::default())];
    let (times, _) = passing_times(Setup { groups, ..room.world(seed) }, 1e4, |p| p.x > 0.4);
    flow(&times, count / 10, count * 9 / 10)
}

#[test]
fn larger_crowds_and_a_door_in_a_corner_change_the_flow_little() {
    // Beside the 1.85 per second of 100 people before a door in the middle of a wall.
    for (count, size, middle, allowed) in [
        (300, (12.0, 10.0), 0.0, 0.15),
        (1_000, (30.0, 20.0), 0.0, 0.1),
        (100, (12.0, 10.0), -4.5, 0.15),
    ] {
        let seeds = if count < 500 { 5 } else { 2 };
        let flows = for_seeds(|seed| (seed <= seeds).then(|| crowded(seed, count, size, middle)));
        let (mean, deviation) = stats(&flows.into_iter().flatten().collect::<Vec<_>>());
        println!("{count} people, door at {middle} m: {mean:.3} +- {deviation:.3} /s");
        assert!((mean - 1.85).abs() < allowed * 1.85, "{count} people, {middle}: {mean}");
    }
}

#[test]
fn a_bent_room_empties_as_fast_as_a_straight_one() {
    // An L: 100 people in an arm 6 m wide go round its inner corner to the door of 1 m.
    let flows = for_seeds(|seed| {
        let walls = [
            (vec2(-12.0, -3.0), vec2(0.0, -3.0)),
            (vec2(-12.0, -3.0), vec2(-12.0, 10.0)),
            (vec2(-12.0, 10.0), vec2(-6.0, 10.0)),
            (vec2(-6.0, 3.0), vec2(-6.0, 10.0)),
            (vec2(-6.0, 3.0), vec2(0.0, 3.0)),
            (vec2(0.0, -3.0), vec2(0.0, -0.5)),
            (vec2(0.0, 0.5), vec2(0.0, 3.0)),
            (vec2(0.0, 0.5), vec2(0.4, 0.5)),
            (vec2(0.0, -0.5), vec2(0.4, -0.5)),
        ];
        let gate =
            |x: f32, half: f32| Gate { from: vec2(x, -half), to: vec2(x, half), through: Vec2::X };
        let gates = vec![gate(-6.0, 3.0), gate(0.0, 0.5), gate(0.4, 0.5)];
        let way = Way { gates, then: Vec2::X, margin: RADIUS + 0.02 };
        let points = filled(seed, vec2(-11.5, 3.2), vec2(-6.5, 9.6), 100);
        let groups = vec![people(points, way, Pedestrian::default())];
        let out = Some((vec2(3.4, -20.0), vec2(9.4, 20.0)));
        let setup = Setup { groups, ..world(seed, &walls, out) };
        let (times, _) = passing_times(setup, 600.0, |p| p.x > 0.4);
        flow(&times, 10, 90)
    });
    let (mean, deviation) = stats(&flows);
    println!("bent room: {mean:.3} +- {deviation:.3} /s, straight 1.85");
    assert!((mean - 1.85).abs() < 0.15 * 1.85, "{mean}");
}

#[test]
fn speeds_at_given_densities_are_those_of_the_fundamental_diagram() {
    let weidmann = |density: f32| 1.34 * (1.0 - (-1.913 * (1.0 / density - 1.0 / 5.4)).exp());
    for (density, expected) in
        [(0.5, 1.241), (1.0, 1.106), (2.0, 0.619), (3.0, 0.310), (4.0, 0.174), (5.0, 0.093)]
    {
        let speeds = for_seeds(|seed| {
            let (width, count) = (3.0, 90);
            let length = count as f32 / (density * width);
            let points = filled(seed, vec2(0.0, RADIUS), vec2(length, width - RADIUS), count);
            let walkers = people(points, Way::along(Vec2::X), Pedestrian::default());
            let groups = vec![moving(walkers, vec2(0.2, 0.0))];
            let mut crowd =
                Crowd::new(Setup { groups, ..corridor(seed, length, width) }).expect("it is valid");
            let ticks = |time: f32| (time / DT) as usize;
            (0..ticks(40.0)).for_each(|_| crowd.step());
            let mut sum = 0.0;
            for _ in 0..ticks(60.0) {
                crowd.step();
                sum +=
                    crowd.agents().map(|(_, agent)| agent.velocity.x).sum::<f32>() / count as f32;
            }
            sum / ticks(60.0) as f32
        });
        let (mean, deviation) = stats(&speeds);
        println!(
            "{density} /m2: {mean:.3} +- {deviation:.3} m/s, Weidmann {:.3}, expected {expected}",
            weidmann(density)
        );
        assert_reproduced(&format!("density {density}"), (mean, deviation), expected);
    }
}

/// How well lanes are separated, from 0 to 1, in strips of 0.4 m.
fn order(crowd: &Crowd<Vec2>, width: f32) -> f32 {
    let mut strips = vec![[0.0_f32; 2]; (width / 0.4) as usize];
    for (id, agent) in crowd.agents() {
        let strip = ((agent.position.y / 0.4) as usize).min(strips.len() - 1);
        strips[strip][id.0 as usize % 2] += 1.0;
    }
    let share = |[a, b]: &[f32; 2]| if a + b > 0.0 { (a - b).powi(2) / (a + b) } else { 0.0 };
    strips.iter().map(share).sum::<f32>() / crowd.len() as f32
}

#[test]
fn people_that_meet_in_a_corridor_form_lanes_and_do_not_jam() {
    // People in each direction, in 80 m2, and their expected speed.
    for (each, expected) in [(40, 1.11), (60, 0.80), (80, 0.53), (100, 0.37), (120, 0.27)] {
        let runs = for_seeds(|seed| {
            let (length, width) = (20.0, 4.0);
            let points = filled(seed, vec2(0.0, RADIUS), vec2(length, width - RADIUS), 2 * each);
            // Alternately one of each direction: their ids are even and odd.
            let groups: Vec<Group<Vec2>> = { points.iter().enumerate() }
                .map(|(i, &p)| {
                    let along = if i % 2 == 0 { Vec2::X } else { -Vec2::X };
                    let one = people(vec![p], Way::along(along), Pedestrian::default());
                    Group { name: i.to_string(), ..one }
                })
                .collect();
            let mut crowd =
                Crowd::new(Setup { groups, ..corridor(seed, length, width) }).expect("it is valid");
            let (mut speed, mut ordered, mut last, mut deepest) = (0.0, 0.0, 0.0, 0.0_f32);
            let ticks = (120.0 / DT) as usize;
            for tick in 0..ticks {
                crowd.step();
                let along = |(id, agent): (wayfare::AgentId, Agent)| {
                    agent.velocity.x * if id.0 % 2 == 0 { 1.0 } else { -1.0 }
                };
                let mean = crowd.agents().map(along).sum::<f32>() / crowd.len() as f32;
                if tick >= ticks / 2 {
                    speed += mean / (ticks / 2) as f32;
                    ordered += order(&crowd, width) / (ticks / 2) as f32;
                }
                if tick as f32 * DT >= 110.0 {
                    last += mean * DT / 10.0;
                }
                if tick > 100 {
                    deepest = deepest.max(crowd.deepest_overlap().unwrap_or(0.0));
                }
            }
            (speed, ordered, last, deepest)
        });
        let (mean, deviation) = stats(&runs.iter().map(|run| run.0).collect::<Vec<_>>());
        let (ordered, _) = stats(&runs.iter().map(|run| run.1).collect::<Vec<_>>());
        let jams = runs.iter().filter(|run| run.2 < 0.05).count();
        let deepest = runs.iter().map(|run| run.3).fold(0.0, f32::max);
        let density = each as f32 / 40.0;
        println!(
            "counterflow {density} /m2: {mean:.3} +- {deviation:.3} m/s, expected {expected}, \
             order {ordered:.2}, {jams} jams, deepest {deepest:.3}"
        );
        if density <= 2.0 {
            assert_eq!(jams, 0, "at {density} /m2");
            assert!(ordered > 0.9, "{ordered} at {density} /m2");
        }
    }
}

type Agent = wayfare::Agent<Vec2>;

#[test]
fn a_single_walker_keeps_its_speed() {
    // RiMEA 1: 40 m at 1.33 m/s in 26 to 34 s.
    let walls = [(vec2(-1.0, 0.0), vec2(45.0, 0.0)), (vec2(-1.0, 2.0), vec2(45.0, 2.0))];
    let mut walker = people(vec![vec2(0.0, 1.0)], Way::along(Vec2::X), Pedestrian::default());
    walker.max_speed = Distribution::Same(1.33);
    let setup = Setup { groups: vec![walker], ..world(1, &walls, None) };
    let (times, _) = passing_times(setup, 100.0, |p| p.x >= 40.0);
    println!("RiMEA 1: {times:?} s");
    assert!((26.0..=34.0).contains(&times[0]), "{times:?}");
}

/// A corridor 2 m wide along x that turns to the left at x = 0 and ends at y = `end`.
fn corner(from: f32, end: f32) -> (Vec<(Vec2, Vec2)>, Way) {
    let walls = vec![
        (vec2(from, 0.0), vec2(2.0, 0.0)),
        (vec2(2.0, 0.0), vec2(2.0, end + 2.0)),
        (vec2(from, 2.0), vec2(0.0, 2.0)),
        (vec2(0.0, 2.0), vec2(0.0, end + 2.0)),
        (vec2(from, 0.0), vec2(from, 2.0)),
    ];
    let gate = |y| Gate { from: vec2(0.0, y), to: vec2(2.0, y), through: Vec2::Y };
    (walls, Way { gates: vec![gate(2.0), gate(end)], then: Vec2::Y, margin: RADIUS + 0.05 })
}

#[test]
fn all_get_round_a_corner() {
    // RiMEA 6.
    for_seeds(|seed| {
        let (walls, way) = corner(-10.0, 10.0);
        let points = filled(seed, vec2(-9.7, 0.3), vec2(-3.7, 1.7), 20);
        let groups = vec![people(points, way, Pedestrian::default())];
        let out = Some((vec2(0.0, 10.0), vec2(2.0, 12.0)));
        let setup = Setup { groups, ..world(seed, &walls, out) };
        let (times, _) = passing_times(setup, 120.0, |p| p.y > 10.0);
        assert_eq!(times.len(), 20);
    });
}

#[test]
fn a_wider_door_lets_more_through_and_a_longer_passage_no_more() {
    // RiMEA 12: 150 people in a room of 10 x 10 m.
    let mut means = Vec::new();
    for (door, depth, expected) in
        [(0.8, 0.4, 1.54), (1.0, 0.4, 1.95), (1.2, 0.4, 2.21), (1.0, 5.0, 1.51)]
    {
        let flows = for_seeds(|seed| {
            let room = Room { length: 10.0, height: 10.0, door, depth, middle: 0.0 };
            let points = filled(seed, vec2(-9.0, -4.5), vec2(-1.0, 4.5), 150);
            let groups = vec![people(points, room.way(), Pedestrian::default())];
            let setup = Setup { groups, ..room.world(seed) };
            flow(&passing_times(setup, 600.0, |p| p.x > depth).0, 10, 135)
        });
        let (mean, deviation) = stats(&flows);
        println!(
            "RiMEA 12, door {door} m, {depth} m deep: {mean:.3} +- {deviation:.3} /s, expected \
             {expected}"
        );
        assert_reproduced(&format!("door {door}, {depth} deep"), (mean, deviation), expected);
        means.push(mean);
    }
    assert!(means[0] < means[1] && means[1] < means[2] && means[3] < means[1], "{means:?}");
}

#[test]
fn a_corner_takes_longer_than_a_straight_corridor() {
    // RiMEA 15: the last of 120 people.
    let last = |turns: bool| {
        let times = for_seeds(|seed| {
            let points = filled(seed, vec2(-26.0, 0.25), vec2(-6.0, 1.75), 120);
            let (walls, way, out) = if turns {
                let (walls, way) = corner(-30.0, 12.0);
                (walls, way, (vec2(0.0, 12.0), vec2(2.0, 14.0)))
            } else {
                let walls =
                    vec![(vec2(-30.0, 0.0), vec2(20.0, 0.0)), (vec2(-30.0, 2.0), vec2(20.0, 2.0))];
                (walls, Way::along(Vec2::X), (vec2(12.0, 0.0), vec2(20.0, 2.0)))
            };
            let groups = vec![people(points, way, Pedestrian::default())];
            let setup = Setup { groups, ..world(seed, &walls, Some(out)) };
            let passed = |p: Vec2| if turns { p.y > 12.0 } else { p.x > 12.0 };
            let (times, _) = passing_times(setup, 300.0, passed);
            assert_eq!(times.len(), 120);
            times[119]
        });
        stats(&times)
    };
    let (corner, straight) = (last(true), last(false));
    println!(
        "RiMEA 15: corner {corner:.1?} s, expected 93; straight {straight:.1?} s, expected 72"
    );
    assert_reproduced("corner", corner, 93.0);
    assert_reproduced("straight", straight, 72.0);
}

#[test]
fn the_preset_regulation_gives_the_flow_of_regulations() {
    // IMO test 4: 100 people in a room of 8 x 5 m, 1.1 to 1.33 per second through 1 m.
    let flows = for_seeds(|seed| {
        let room = Room { length: 8.0, height: 5.0, door: 1.0, depth: 0.2, middle: 0.0 };
        let points = filled(seed, vec2(-7.7, -2.2), vec2(-0.3, 2.2), 100);
        let walkers = Pedestrian::preset(PedestrianPreset::Regulation);
        let groups = vec![people(points, room.way(), walkers)];
        let (times, _) = passing_times(Setup { groups, ..room.world(seed) }, 600.0, |p| p.x > 0.2);
        100.0 / times[99]
    });
    let (mean, deviation) = stats(&flows);
    println!("IMO 4: {mean:.3} +- {deviation:.3} /s, expected 1.25");
    assert!((1.1..=1.33).contains(&mean), "{mean}");
}
