//! The phases of a tick of a flock: `cargo bench -p wayfare --features space --bench crowd`. Each
//! line has one phase more than the one before it; the last is the whole flock in an array of a
//! game's own.
// The macros make public functions; an invalid setup ends the bench.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use wayfare::annotation::DebugDraw;
use wayfare::behavior::{Flock, Steer};
use wayfare::crowd::{Distribution, Group, Setup, Spawn, StartVelocity};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, Vec3};
use wayfare::registry::Behavior;
use wayfare::spatial::space::{Bounds, Edge};
use wayfare::{Agent, Crowd, List, Memory, SteerContext, Vector};

mod own_arrays;
use own_arrays::OwnFlock;

const AGENTS: usize = 10_000;

/// Requests neighbors and does not use them.
#[derive(Debug)]
struct Look(f32);

impl<V: Vector> Steer<V> for Look {
    fn force(
        &self,
        _: &Agent<V>,
        _: &mut Memory<V>,
        _: &mut SteerContext<'_, V>,
        _: DebugDraw<'_, V>,
    ) -> V {
        V::ZERO
    }
    fn neighbor_radius(&self) -> Option<f32> {
        Some(self.0)
    }
}

/// The flock of the bundled scenes `flock-2d` and `flock-3d`, steered by `list`.
fn birds<V: Vector>(size: V, list: List<V>) -> Crowd<V> {
    let mut birds =
        Group::new("birds", AGENTS, Spawn::Inside(Shape::box_between(V::ZERO, size)), 9.0);
    birds.velocity = StartVelocity::Random;
    birds.max_force = Distribution::Same(27.0);
    birds.steer = list;
    let bounds = Some(Bounds { min: V::ZERO, max: size, edge: Edge::Wrap });
    let mut crowd =
        Crowd::new(Setup { dt: 1.0 / 60.0, bounds, groups: vec![birds], ..Setup::default() })
            .unwrap();
    (0..20).for_each(|_| crowd.step());
    crowd
}

fn phases<V: Vector>(c: &mut Criterion, name: &str, size: V, radius: f32) {
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(AGENTS as u64)).sample_size(20);
    let look = || List::default().with(Behavior::own("look", Look(radius)));
    let mut bench = |phase: &str, mut crowd: Crowd<V>| {
        group.bench_function(BenchmarkId::from_parameter(phase), |b| b.iter(|| crowd.step()));
    };
    bench("step alone", birds(size, List::default()));
    bench("with neighbors gathered", birds(size, look()));
    bench("whole", birds(size, List::default().with(Flock::default().radius(radius))));
    let crowd = birds(size, List::default().with(Flock::default().radius(radius)));
    let mut own = OwnFlock::new(&crowd, Flock::default().radius(radius), size, 1.0 / 60.0);
    group.bench_function(BenchmarkId::from_parameter("whole, in own arrays"), |b| {
        b.iter(|| own.step());
    });
    // Setting the order in memory forces a sort at the next step: the difference is the grid alone.
    let mut crowd = birds(size, look());
    let same: Vec<u32> = (0..AGENTS as u32).collect();
    group.bench_function(
        BenchmarkId::from_parameter("with neighbors gathered, sorted at every step"),
        |b| {
            b.iter(|| {
                crowd.permute(&same);
                crowd.step();
            });
        },
    );
}

fn crowd(c: &mut Criterion) {
    phases(c, "flock-2d", Vec2::new(320.0, 312.5), 10.0);
    phases(c, "flock-3d", Vec3::new(145.0, 145.0, 145.228_78), 9.0);
}

criterion_group!(benches, crowd);
criterion_main!(benches);
