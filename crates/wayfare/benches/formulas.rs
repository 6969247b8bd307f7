//! Each formula by itself: `cargo bench -p wayfare --bench formulas`.
#![allow(missing_docs)] // The macros make public functions.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use wayfare::annotation::DebugDraw;
use wayfare::behavior::{
    AvoidAgents, AvoidObstacles, Flock, FollowPath, Forage, FormationShape, Seek, Separation,
    Settle, Wander, arrive, assign, avoid_agents, avoid_obstacles, contain, explore, face, flock,
    follow_flow, follow_path, follow_wall, forage, formation, formation_slot, hide, interpose,
    match_velocity, offset_pursue, seek, separation, settle, shadow, wander,
};
use wayfare::geometry::explored::Explored;
use wayfare::geometry::flow_field::FlowField;
use wayfare::geometry::obstacle::{Obstacle, Obstacles, Shape};
use wayfare::geometry::path::Path;
use wayfare::geometry::visibility::can_see;
use wayfare::glam::{Vec2, vec2};
use wayfare::parameter::{PathId, Target};
use wayfare::random::Random;
use wayfare::spatial::space::Space;
use wayfare::vector::rotation::turned;
use wayfare::{Agent, AgentView, Combine, List, Memory, Neighbors, SteerContext};

/// Thirty others within 10 of the host, as in `flock-2d`.
fn company(host: &Agent<Vec2>) -> Neighbors<Vec2> {
    let mut random = Random::new(1, 0, 0, 0);
    let mut point = |reach: f32| vec2(random.between(-reach, reach), random.between(-reach, reach));
    Neighbors::of(
        host,
        (0..30).map(|_| (host.position + point(7.0), point(9.0))).collect::<Vec<_>>(),
    )
}

fn formulas(c: &mut Criterion) {
    let host = Agent {
        max_force: 27.0,
        radius: 1.0,
        ..Agent::new(vec2(100.0, 100.0), 9.0).moving(vec2(5.0, 3.0))
    };
    let target = vec2(300.0, 50.0);
    let others = company(&host);
    let mut group = c.benchmark_group("formulas");
    group.bench_function("seek", |b| b.iter(|| seek(black_box(&host), black_box(target))));
    group.bench_function("arrive", |b| {
        b.iter(|| arrive(black_box(&host), black_box(target), 240.0))
    });

    let rules = Flock::default().radius(10.0);
    group.bench_function("flock, 30 neighbors", |b| {
        b.iter(|| flock(black_box(&host), black_box(&others), &rules))
    });
    let rules = Separation::default().radius(10.0).max_force(27.0);
    group.bench_function("separation, 30 neighbors", |b| {
        b.iter(|| separation(black_box(&host), black_box(&others), &rules))
    });

    let leader = AgentView::new(vec2(120.0, 100.0), vec2(4.0, 2.0));
    let slot = || formation_slot(FormationShape::Circle, black_box(5), 12, 18.0);
    group.bench_function("formation, circle", |b| {
        b.iter(|| formation(black_box(&host), black_box(&leader), slot(), 60.0))
    });
    let mut random = Random::new(2, 0, 0, 0);
    let mut places = || {
        (0..256)
            .map(|_| vec2(random.between(0.0, 300.0), random.between(0.0, 300.0)))
            .collect::<Vec<_>>()
    };
    let (from, to) = (places(), places());
    for count in [12, 64, 256] {
        group.bench_function(format!("formation, {count} slots assigned"), |b| {
            b.iter(|| assign(black_box(&from[..count]), black_box(&to[..count])))
        });
    }

    let rocks: Vec<Obstacle<Vec2>> = (0..10)
        .map(|i| {
            Obstacle::from(Shape::Circle { center: vec2(60.0 * i as f32, 110.0), radius: 20.0 })
        })
        .collect();
    let rules = AvoidObstacles::default().see_ahead(40.0).max_avoid_force(27.0);
    group.bench_function("avoid_obstacles, 10 circles", |b| {
        b.iter(|| avoid_obstacles(black_box(&host), black_box(&rocks), &rules))
    });

    group.bench_function("can_see, 10 circles", |b| {
        b.iter(|| {
            can_see(black_box(&host), black_box(target), 300.0, 180.0, Obstacles::from(&rocks))
        })
    });

    let street = Path::new(
        (0..10).map(|i| vec2(60.0 * i as f32, if i % 2 == 0 { 80.0 } else { 120.0 })).collect(),
        10.0,
        false,
    );
    let rules = FollowPath::new(PathId(0));
    let mut memory: Memory<Vec2> = Memory::default();
    group.bench_function("follow_path, 10 points", |b| {
        b.iter(|| follow_path(black_box(&host), black_box(&street), &rules, &mut memory.path))
    });

    let goal = [Shape::Circle { center: vec2(300.0, 50.0), radius: 10.0 }];
    let way = FlowField::toward(
        &goal,
        Obstacles::from(&rocks),
        vec2(-50.0, 0.0),
        vec2(350.0, 200.0),
        4.0,
        2.0,
    )
    .expect("it is a field");
    group.bench_function("follow_flow, 5,000 cells", |b| {
        b.iter(|| follow_flow(black_box(&host), black_box(&way), Obstacles::from(&rocks), 0.0, 0.0))
    });

    let rules = Wander::default().circle_distance(6.0).circle_radius(8.0).angle_change(1.0);
    let (mut direction, mut random) = (None, Random::new(1, 0, 0, 0));
    let meadow = Forage { wander: Some(rules), ..Forage::new(Vec2::ZERO).sight(0.0) };
    group.bench_function("wander", |b| {
        b.iter(|| wander(black_box(&host), &rules, &mut direction, &mut random, 1.0))
    });
    group.bench_function("forage, nothing in sight", |b| {
        b.iter(|| {
            forage(
                black_box(&host),
                black_box(None),
                240.0,
                &meadow.wandering(),
                &mut direction,
                &mut random,
                1.0,
            )
        })
    });

    // Half of 10,000 cells were visited, those around the host.
    let mut explored =
        Explored::new(&Shape::box_between(vec2(0.0, 0.0), vec2(1_000.0, 1_000.0)), 10.0);
    (0..5_000).for_each(|cell| {
        explored.visit(
            &Space::OPEN,
            vec2((cell % 100) as f32, (cell / 100) as f32) * 10.0 + vec2(5.0, 5.0),
            0,
        )
    });
    group.bench_function("explore, 10,000 cells", |b| {
        b.iter(|| explore(black_box(&host), black_box(&explored)))
    });
    let mut tick = 0;
    group.bench_function("a visit of a cell, 10,000 cells", |b| {
        b.iter(|| {
            tick += 1;
            explored.visit(&Space::OPEN, black_box(vec2((tick % 1_000) as f32, 400.0)), tick);
        })
    });
}

/// The rest of Reynolds' paper, and the behaviors among neighbors.
fn reynolds(c: &mut Criterion) {
    let host = Agent {
        mass: 2.0,
        max_force: 27.0,
        radius: 1.0,
        ..Agent::new(vec2(100.0, 100.0), 9.0).moving(vec2(5.0, 3.0))
    };
    let (quarry, other) = (
        AgentView::new(vec2(150.0, 60.0), vec2(2.0, 4.0)),
        AgentView::new(vec2(40.0, 160.0), vec2(-3.0, 1.0)),
    );
    let others = company(&host);
    let rocks: Vec<Obstacle<Vec2>> = (0..10)
        .map(|i| {
            Obstacle::from(Shape::Circle { center: vec2(60.0 * i as f32, 110.0), radius: 20.0 })
        })
        .collect();
    let obstacles = || Obstacles::from(&rocks);
    let mut group = c.benchmark_group("formulas");
    group.bench_function("offset_pursue", |b| {
        b.iter(|| offset_pursue(black_box(&host), black_box(&quarry), -20.0, 10.0, 60.0))
    });
    group.bench_function("interpose", |b| {
        b.iter(|| interpose(black_box(&host), black_box(&quarry), &other, 60.0))
    });
    group.bench_function("hide, 10 circles", |b| {
        b.iter(|| hide(black_box(&host), black_box(&quarry), obstacles(), 5.0, 60.0))
    });
    group.bench_function("shadow", |b| {
        b.iter(|| shadow(black_box(&host), black_box(&quarry), 20.0, 60.0))
    });
    group.bench_function("match_velocity", |b| {
        b.iter(|| match_velocity(black_box(&host), black_box(quarry.velocity)))
    });
    group.bench_function("follow_wall, 10 circles", |b| {
        b.iter(|| follow_wall(black_box(&host), obstacles(), 20.0, 2.0, 200.0))
    });
    let pond = Shape::Circle { center: vec2(90.0, 100.0), radius: 15.0 };
    group
        .bench_function("contain", |b| b.iter(|| contain(black_box(&host), black_box(&pond), 2.0)));
    let rules = AvoidAgents::default().horizon(4.0).radius(10.0);
    group.bench_function("avoid_agents, 30 neighbors", |b| {
        b.iter(|| avoid_agents(black_box(&host), black_box(&others), &rules))
    });
    let rules = Settle::new(Vec2::ZERO).radius(10.0);
    group.bench_function("settle, 30 neighbors", |b| {
        b.iter(|| settle(black_box(&host), vec2(105.0, 100.0), black_box(&others), &rules))
    });
    group.bench_function("face", |b| {
        b.iter(|| turned(black_box(host.facing), face(black_box(&host), quarry.position), 0.1))
    });

    let avoid = || AvoidObstacles::default().see_ahead(40.0).max_avoid_force(27.0);
    let seek = || Seek { target: Target::Point(vec2(300.0, 110.0)), within: f32::INFINITY };
    let mut context_map = List::new(Combine::Context).with(seek()).with(avoid());
    context_map.slots[1].danger = true;
    let context = SteerContext { obstacles: obstacles(), ..SteerContext::empty(1.0) };
    let towards = host.moving(vec2(8.0, 0.0));
    for (name, list) in [
        ("sum of seek and avoid_obstacles", List::default().with(seek()).with(avoid())),
        ("context of seek and avoid_obstacles", context_map),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| list.force(black_box(&towards), &mut [], &mut { context }, DebugDraw::OFF))
        });
    }
}

criterion_group!(benches, formulas, reynolds);
criterion_main!(benches);
