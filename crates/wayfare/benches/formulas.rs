//! Each formula by itself: `cargo bench -p wayfare --bench formulas`.
#![allow(missing_docs)] // The macros make public functions.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wayfare::behavior::{
    AvoidObstacles, Flock, FollowPath, Forage, Separation, Wander, arrive, avoid_obstacles, explore, flock, follow_path, forage, seek, separation, wander,
};
use wayfare::explored::Explored;
use wayfare::glam::{Vec2, vec2};
use wayfare::obstacle::{Obstacle, Shape};
use wayfare::parameter::{Parameters, PathId};
use wayfare::path::Path;
use wayfare::random::Random;
use wayfare::space::Space;
use wayfare::{Agent, Memory, Neighbors};

/// Thirty others within 10 of the host, as in `flock-2d`.
fn company(host: &Agent<Vec2>) -> Neighbors<Vec2> {
    let mut random = Random::new(1, 0, 0, 0);
    let mut point = |reach: f32| vec2(random.between(-reach, reach), random.between(-reach, reach));
    Neighbors::of(host, (0..30).map(|_| (host.position + point(7.0), point(9.0))).collect::<Vec<_>>())
}

fn formulas(c: &mut Criterion) {
    let host = Agent { max_force: 27.0, radius: 1.0, ..Agent::new(vec2(100.0, 100.0), 9.0).moving(vec2(5.0, 3.0)) };
    let target = vec2(300.0, 50.0);
    let others = company(&host);
    let mut group = c.benchmark_group("formulas");
    group.bench_function("seek", |b| b.iter(|| seek(black_box(&host), black_box(target))));
    group.bench_function("arrive", |b| b.iter(|| arrive(black_box(&host), black_box(target), 240.0)));

    let rules = Flock { radius: 10.0, ..<Flock as Parameters<Vec2>>::blank() };
    group.bench_function("flock, 30 neighbors", |b| b.iter(|| flock(black_box(&host), black_box(&others), &rules)));
    let rules = Separation { radius: 10.0, max_force: 27.0, ..<Separation as Parameters<Vec2>>::blank() };
    group.bench_function("separation, 30 neighbors", |b| b.iter(|| separation(black_box(&host), black_box(&others), &rules)));

    let rocks: Vec<Obstacle<Vec2>> = (0..10).map(|i| Obstacle::from(Shape::Circle { center: vec2(60.0 * i as f32, 110.0), radius: 20.0 })).collect();
    let rules = AvoidObstacles { see_ahead: 40.0, max_avoid_force: 27.0, ..AvoidObstacles::blank() };
    group.bench_function("avoid_obstacles, 10 circles", |b| b.iter(|| avoid_obstacles(black_box(&host), black_box(&rocks), &rules)));

    let street = Path::new((0..10).map(|i| vec2(60.0 * i as f32, if i % 2 == 0 { 80.0 } else { 120.0 })).collect(), 10.0, false);
    let rules = FollowPath { path: PathId(0), ..FollowPath::blank() };
    let mut memory: Memory<Vec2> = Memory::default();
    group.bench_function("follow_path, 10 points", |b| b.iter(|| follow_path(black_box(&host), black_box(&street), &rules, &mut memory.path)));

    let rules = Wander { circle_distance: 6.0, circle_radius: 8.0, angle_change: 1.0 };
    let (mut direction, mut random) = (None, Random::new(1, 0, 0, 0));
    let meadow = Forage { wander: Some(rules), ..Forage::blank() };
    group.bench_function("wander", |b| b.iter(|| wander(black_box(&host), &rules, &mut direction, &mut random, 1.0)));
    group.bench_function("forage, nothing in sight", |b| {
        b.iter(|| forage(black_box(&host), black_box(None), 240.0, &meadow.wandering(&host), &mut direction, &mut random, 1.0))
    });

    // Half of 10,000 cells were visited, those around the host.
    let mut explored = Explored::new(&Shape::box_between(vec2(0.0, 0.0), vec2(1_000.0, 1_000.0)), 10.0);
    (0..5_000).for_each(|cell| explored.visit(&Space::OPEN, vec2((cell % 100) as f32, (cell / 100) as f32) * 10.0 + vec2(5.0, 5.0), 0));
    group.bench_function("explore, 10,000 cells", |b| b.iter(|| explore(black_box(&host), black_box(&explored))));
    let mut tick = 0;
    group.bench_function("a visit of a cell, 10,000 cells", |b| {
        b.iter(|| {
            tick += 1;
            explored.visit(&Space::OPEN, black_box(vec2((tick % 1_000) as f32, 400.0)), tick);
        })
    });
}

criterion_group!(benches, formulas);
criterion_main!(benches);
