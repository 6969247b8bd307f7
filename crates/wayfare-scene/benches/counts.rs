//! Instruction counts of bundled scenes, which do not depend on the load of the machine. `cargo
//! xtask bench` compares them with `benches/counts.toml`.
// The macros make public items; in a benchmark a panic is the message.
#![allow(missing_docs, clippy::unwrap_used)]

use gungraun::{library_benchmark, library_benchmark_group, main};
use wayfare::behavior::{Alignment, Arrive, Cohesion, Falloff, Flock, Separation};
use wayfare::crowd::{Distribution, Group, Setup, Spawn};
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, Vec3, vec2};
use wayfare::parameter::Target;
use wayfare::vector::Up;
use wayfare::{Combine, Crowd, List, Order, Vector};
use wayfare_scene::{AnyScene, Format, Source, bundled, read};

#[path = "../../wayfare/benches/own_arrays/mod.rs"]
mod own_arrays;
use own_arrays::OwnFlock;

/// The number of ticks that are counted, so that rare work such as sorting has its share.
const TICKS: usize = 10;

fn scene(name: &str) -> AnyScene {
    read(
        &Source { name: name.to_string(), text: bundled(name).unwrap().text.to_string() },
        Format::Toml,
    )
    .unwrap()
}

/// A crowd some ticks after its start, when buffers have their size and agents move in different
/// directions.
fn warmed_up<V: Vector>(setup: Setup<V>) -> Crowd<V> {
    after(setup, 5)
}

fn after<V: Vector>(setup: Setup<V>, ticks: usize) -> Crowd<V> {
    let mut crowd = Crowd::new(setup).unwrap();
    (0..ticks).for_each(|_| crowd.step());
    crowd
}

fn plane_setup(name: &str) -> Setup<Vec2> {
    let AnyScene::TwoD(scene) = scene(name) else { panic!("{name} is not in the plane") };
    scene.setup
}

fn crowd(name: &str) -> Crowd<Vec2> {
    warmed_up(plane_setup(name))
}

/// People at the door of a hall, twenty seconds after the start.
fn at_the_door(name: &str) -> Crowd<Vec2> {
    after(plane_setup(name), 400)
}

/// Two crowds in a knot, thirty seconds after the start.
fn meeting(name: &str) -> Crowd<Vec2> {
    after(plane_setup(name), 300)
}

/// A ring of agents that have come to its middle, after twelve seconds.
fn in_the_middle(name: &str) -> Crowd<Vec2> {
    after(plane_setup(name), 120)
}

fn crowd_in_space(name: &str) -> Crowd<Vec3> {
    let AnyScene::ThreeD(scene) = scene(name) else { panic!("{name} is not in space") };
    warmed_up(scene.setup)
}

/// `among-obstacles` with a thousand times the obstacles in a world a thousand times as large, so
/// that as many obstacles as before are near an agent.
fn among_ten_thousand(name: &str) -> Crowd<Vec2> {
    const TILES: (usize, usize) = (25, 40);
    let mut setup = plane_setup(name);
    let bounds = setup.bounds.as_mut().unwrap();
    let tile = bounds.max - bounds.min;
    bounds.max = bounds.min + tile * vec2(TILES.0 as f32, TILES.1 as f32);
    let all = Shape::box_between(bounds.min, bounds.max);
    setup.obstacles = (0..TILES.0 * TILES.1)
        .flat_map(|i| {
            let by = tile * vec2((i % TILES.0) as f32, (i / TILES.0) as f32);
            setup.obstacles.iter().map(move |shape| shape.shifted(by, Up::Z)).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(setup.obstacles.len(), 10_000);
    setup.groups[0].spawn = Spawn::Inside(all);
    // The first two ticks sort the agents.
    after(setup, 3)
}

fn steps<V: Vector>(mut crowd: Crowd<V>, ticks: usize) -> Crowd<V> {
    (0..ticks).for_each(|_| crowd.step());
    // The crowd is returned so that dropping it is not counted.
    crowd
}

#[library_benchmark]
#[bench::game_crowd(args = ("game-crowd"), setup = crowd)]
#[bench::chase(args = ("chase"), setup = crowd)]
#[bench::separate(args = ("separate"), setup = crowd)]
#[bench::flock_2d(args = ("flock-2d"), setup = crowd)]
#[bench::doorway_150(args = ("doorway-150"), setup = at_the_door)]
#[bench::counterflow(args = ("counterflow"), setup = meeting)]
#[bench::ring_orca(args = ("ring-orca"), setup = in_the_middle)]
fn ten_ticks(crowd: Crowd<Vec2>) -> Crowd<Vec2> {
    steps(crowd, TICKS)
}

/// The world of the scene `flock-2d`, with this list.
fn listed(list: List<Vec2>) -> Crowd<Vec2> {
    let mut setup = plane_setup("flock-2d");
    setup.groups[0].steer = list;
    warmed_up(setup)
}

/// The same list with and without fields of view: their counts are to stay close.
fn flock_in_view(field_of_view: f32) -> Crowd<Vec2> {
    listed(List::default().with(Flock::default().radius(10.0).field_of_view(field_of_view)))
}

fn rules_in_view(views: [f32; 3]) -> Crowd<Vec2> {
    let separation = Separation::default()
        .radius(5.0)
        .max_force(1.0)
        .falloff(Falloff::Inverse)
        .field_of_view(views[0]);
    let alignment = Alignment::default().radius(7.5).field_of_view(views[1]);
    let cohesion = Cohesion::default().radius(10.0).field_of_view(views[2]);
    listed(List::default().with(separation).with(alignment).with(cohesion))
}

/// Separation of each falloff: the counts are to stay close.
fn falling_off(falloff: Falloff) -> Crowd<Vec2> {
    listed(List::default().with(Separation::default().radius(10.0).max_force(1.0).falloff(falloff)))
}

/// The flock as the interest of a context list: the counts are to stay within twice those of a sum.
fn in_context(has_danger: bool) -> Crowd<Vec2> {
    let mut list = List::new(Combine::Context).with(Flock::default().radius(10.0));
    if has_danger {
        list = list.with(Separation::default().radius(3.0).max_force(1.0));
        list.slots[1].danger = true;
    }
    listed(list)
}

#[library_benchmark]
#[bench::flock_in_view_270(args = (270.0), setup = flock_in_view)]
#[bench::rules_in_view_360(args = ([360.0; 3]), setup = rules_in_view)]
#[bench::rules_in_views(args = ([270.0, 91.0, 197.0]), setup = rules_in_view)]
#[bench::separation_fixed(args = (Falloff::Fixed), setup = falling_off)]
#[bench::separation_inverse(args = (Falloff::Inverse), setup = falling_off)]
#[bench::separation_projected(args = (Falloff::Projected), setup = falling_off)]
#[bench::flock_in_context(args = (false), setup = in_context)]
#[bench::flock_in_context_of_separation(args = (true), setup = in_context)]
fn ten_ticks_with_options(crowd: Crowd<Vec2>) -> Crowd<Vec2> {
    steps(crowd, TICKS)
}

/// The scene `flock-2d` in an array of a game's own: its count is to stay within 10 % of that of
/// the crowd.
fn own_flock(name: &str) -> OwnFlock<Vec2> {
    let size = plane_setup(name).bounds.unwrap().max;
    grown(OwnFlock::new(&crowd(name), Flock::default().radius(10.0), size, 1.0 / 60.0))
}

/// The scene `flock-3d` in an array of a game's own.
fn own_flock_in_space(name: &str) -> OwnFlock<Vec3> {
    let AnyScene::ThreeD(scene) = scene(name) else { panic!("{name} is not in space") };
    let size = scene.setup.bounds.unwrap().max;
    grown(OwnFlock::new(&crowd_in_space(name), Flock::default().radius(9.0), size, 1.0 / 60.0))
}

/// A flock whose buffers have their size.
fn grown<V: Vector>(mut own: OwnFlock<V>) -> OwnFlock<V> {
    own.step();
    own
}

#[library_benchmark]
#[bench::flock_2d_in_own_arrays(args = ("flock-2d"), setup = own_flock)]
fn ten_ticks_in_own_arrays(mut own: OwnFlock<Vec2>) -> OwnFlock<Vec2> {
    (0..TICKS).for_each(|_| own.step());
    own
}

#[library_benchmark]
#[bench::flock_3d_in_own_arrays(args = ("flock-3d"), setup = own_flock_in_space)]
fn ten_ticks_in_own_arrays_in_space(mut own: OwnFlock<Vec3>) -> OwnFlock<Vec3> {
    (0..TICKS).for_each(|_| own.step());
    own
}

/// Units that arrive at their orders, and keep apart.
fn units(count: usize) -> Crowd<Vec2> {
    let field = Shape::box_between(Vec2::ZERO, vec2(640.0, 480.0));
    let mut units = Group::new("units", count, Spawn::Inside(field), 3.0);
    units.mass = Distribution::Same(8.0);
    units.steer = List::default()
        .with(Arrive::new(Target::Order))
        .with(Separation::default().radius(12.0).max_force(1.5));
    let mut crowd = Crowd::new(Setup { groups: vec![units], ..Setup::default() }).unwrap();
    order_all(&mut crowd, 0);
    (0..5).for_each(|_| crowd.step());
    crowd
}

/// Gives each agent a target of its own, another one at each tick.
fn order_all(crowd: &mut Crowd<Vec2>, tick: usize) {
    for id in 0..crowd.len() {
        let target =
            vec2((id * 7 + tick * 13) as f32 % 640.0, (id * 11 + tick * 17) as f32 % 480.0);
        crowd.set_order(id as u32, Some(Order::Point(target))).unwrap();
    }
}

#[library_benchmark]
#[bench::orders_to_1000(args = (1_000), setup = units)]
fn ten_ticks_with_orders(mut crowd: Crowd<Vec2>) -> Crowd<Vec2> {
    for tick in 0..TICKS {
        order_all(&mut crowd, tick);
        crowd.step();
    }
    crowd
}

#[library_benchmark]
#[bench::flock_3d(args = ("flock-3d"), setup = crowd_in_space)]
#[bench::opensteer_boids(args = ("opensteer-boids"), setup = crowd_in_space)]
fn ten_ticks_in_space(crowd: Crowd<Vec3>) -> Crowd<Vec3> {
    steps(crowd, TICKS)
}

#[library_benchmark]
#[bench::among_10_obstacles(args = ("among-obstacles"), setup = crowd)]
#[bench::among_10000_obstacles(args = ("among-obstacles"), setup = among_ten_thousand)]
fn one_tick(crowd: Crowd<Vec2>) -> Crowd<Vec2> {
    steps(crowd, 1)
}

library_benchmark_group!(name = ticks; benchmarks =
    ten_ticks, ten_ticks_with_options, ten_ticks_in_own_arrays, ten_ticks_in_own_arrays_in_space,
    ten_ticks_with_orders, ten_ticks_in_space, one_tick);
main!(library_benchmark_groups = ticks);
