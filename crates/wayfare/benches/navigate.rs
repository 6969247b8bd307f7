//! A tick of many agents, each with a target of its own, in a building of 400 rooms: while their
//! searches wait for their turn, and when all routes are known.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use wayfare::behavior::Navigate;
use wayfare::crowd::{Distribution, Group, Navigation, Setup, Spawn};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, vec2};
use wayfare::parameter::Target;
use wayfare::{Crowd, List};

/// Rooms along one side of the building, and the width of a room (length).
const ROOMS: usize = 20;
const ROOM: f32 = 5.0;

/// Walls between the rooms, each with a door of 1 m in its middle.
fn walls() -> Vec<Shape<Vec2>> {
    let mut walls = Vec::new();
    for line in 1..ROOMS {
        for room in 0..ROOMS {
            let (along, across) = (ROOM * room as f32, ROOM * line as f32);
            for (from, to) in [(0.0, 2.0), (3.0, ROOM)] {
                let ends = [vec2(along + from, across), vec2(along + to, across)];
                for [from, to] in [ends, ends.map(|p| vec2(p.y, p.x))] {
                    walls.push(Shape::Segment { from, to, thickness: 0.2 });
                }
            }
        }
    }
    walls
}

fn building(agents: usize, searches_per_tick: u32) -> Crowd<Vec2> {
    let inside = || Spawn::Inside(Shape::box_between(Vec2::ZERO, Vec2::splat(ROOM * ROOMS as f32)));
    let mut people = Group::new("people", agents, inside(), 1.3);
    people.goal = Some(inside());
    people.mass = Distribution::Same(0.2);
    people.radius = Distribution::Same(0.2);
    people.steer = List::default().with(Navigate::new(Target::Goal));
    Crowd::new(Setup {
        dt: 0.05,
        navigation: Navigation { searches_per_tick },
        obstacles: walls(),
        groups: vec![people],
        ..Setup::default()
    })
    .expect("the setup is valid")
}

fn navigate(c: &mut Criterion) {
    let mut group = c.benchmark_group("a building of 400 rooms");
    group.sample_size(10);
    for (agents, searches, what) in
        [(100_000, 16, "16 searches per tick"), (10_000, 10_000, "all routes known")]
    {
        let mut crowd = building(agents, searches);
        (0..3).for_each(|_| crowd.step());
        group.throughput(Throughput::Elements(agents as u64));
        group.bench_function(BenchmarkId::new(what, agents), |b| {
            b.iter(|| black_box(&mut crowd).step())
        });
    }
    group.finish();
}

criterion_group!(benches, navigate);
criterion_main!(benches);
