//! How many instructions bundled scenes take: the same on a busy machine as on an idle one. `cargo
//! xtask bench` runs them and holds them against `benches/counts.toml`.
#![allow(missing_docs, clippy::unwrap_used)] // The macros make public items; a bundled scene that is wrong ends the bench.

use gungraun::{library_benchmark, library_benchmark_group, main};
use wayfare::crowd::{Setup, Spawn};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, vec2};
use wayfare::{Crowd, Vector};
use wayfare_scene::{AnyScene, Format, Source, bundled, read};

/// How many ticks are counted: the rare work (sorting) has its share in them.
const TICKS: usize = 10;

fn scene(name: &str) -> AnyScene {
    read(
        &Source { name: name.to_string(), text: bundled(name).unwrap().text.to_string() },
        Format::Toml,
    )
    .unwrap()
}

/// A crowd some ticks after its start: buffers have their size, and nobody moves alike.
fn under_way<V: Vector>(setup: Setup<V>) -> Crowd<V> {
    let mut crowd = Crowd::new(setup).unwrap();
    (0..5).for_each(|_| crowd.step());
    crowd
}

fn flat(name: &str) -> Setup<Vec2> {
    let AnyScene::TwoD(scene) = scene(name) else { panic!("{name} is flat") };
    scene.setup
}

fn crowd(name: &str) -> Crowd<Vec2> {
    under_way(flat(name))
}

fn flock_in_space(name: &str) -> Crowd<wayfare::glam::Vec3> {
    let AnyScene::ThreeD(scene) = scene(name) else { panic!("{name} is deep") };
    under_way(scene.setup)
}

/// `among-obstacles` with a thousand times the obstacles in a world that is a thousand times as
/// large: near an agent as many as before.
fn among_ten_thousand(name: &str) -> Crowd<Vec2> {
    const TILES: (usize, usize) = (25, 40);
    let mut setup = flat(name);
    let bounds = setup.bounds.as_mut().unwrap();
    let tile = bounds.max - bounds.min;
    bounds.max = bounds.min + tile * vec2(TILES.0 as f32, TILES.1 as f32);
    let all = Shape::box_between(bounds.min, bounds.max);
    setup.obstacles = (0..TILES.0 * TILES.1)
        .flat_map(|i| {
            let by = tile * vec2((i % TILES.0) as f32, (i / TILES.0) as f32);
            setup.obstacles.iter().map(move |shape| shape.shifted(by)).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(setup.obstacles.len(), 10_000);
    setup.groups[0].spawn = Spawn::Inside(all);
    let mut crowd = Crowd::new(setup).unwrap();
    // The first two sort.
    (0..3).for_each(|_| crowd.step());
    crowd
}

fn steps<V: Vector>(mut crowd: Crowd<V>, ticks: usize) -> Crowd<V> {
    (0..ticks).for_each(|_| crowd.step());
    // Given back, so that dropping it is not counted.
    crowd
}

#[library_benchmark]
#[bench::game_crowd(args = ("game-crowd"), setup = crowd)]
#[bench::chase(args = ("chase"), setup = crowd)]
#[bench::separate(args = ("separate"), setup = crowd)]
#[bench::flock_2d(args = ("flock-2d"), setup = crowd)]
fn ten_ticks(crowd: Crowd<Vec2>) -> Crowd<Vec2> {
    steps(crowd, TICKS)
}

#[library_benchmark]
#[bench::flock_3d(args = ("flock-3d"), setup = flock_in_space)]
fn ten_ticks_in_space(crowd: Crowd<wayfare::glam::Vec3>) -> Crowd<wayfare::glam::Vec3> {
    steps(crowd, TICKS)
}

#[library_benchmark]
#[bench::among_10_obstacles(args = ("among-obstacles"), setup = crowd)]
#[bench::among_10000_obstacles(args = ("among-obstacles"), setup = among_ten_thousand)]
fn one_tick(crowd: Crowd<Vec2>) -> Crowd<Vec2> {
    steps(crowd, 1)
}

library_benchmark_group!(name = ticks; benchmarks = ten_ticks, ten_ticks_in_space, one_tick);
main!(library_benchmark_groups = ticks);
