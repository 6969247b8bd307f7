//! Instruction counts of bundled scenes, which do not depend on the load of the machine. `cargo
//! xtask bench` compares them with `benches/counts.toml`.
// It prints what it counts; in a benchmark a panic is the message.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::unwrap_used)]

use wayfare::behavior::{Alignment, Arrive, Cohesion, Falloff, Flock, Separation};
use wayfare::crowd::{Distribution, Group, Setup, Spawn};
use wayfare::geometry::navmesh::NavMesh;
use wayfare::geometry::obstacle::{Obstacle, Shape};
use wayfare::glam::{Vec2, Vec3, vec2};
use wayfare::parameter::Target;
use wayfare::spatial::space::Space;
use wayfare::vector::Up;
use wayfare::{Combine, Crowd, List, Order, Vector};
use wayfare_scene::{AnyScene, Format, Source, bundled, read};

#[path = "../../wayfare/benches/own_arrays/mod.rs"]
mod own_arrays;
mod valgrind;
use own_arrays::OwnFlock;
use valgrind::{Case, Work};

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

fn steps<V: Vector>(mut crowd: Crowd<V>, ticks: usize) -> Work {
    Box::new(move || (0..ticks).for_each(|_| crowd.step()))
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

/// The scene `flock-2d` in an array of a game's own, beside the crowd.
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

fn own_steps<V: Vector>(mut own: OwnFlock<V>) -> Work {
    Box::new(move || (0..TICKS).for_each(|_| own.step()))
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

fn steps_with_orders(mut crowd: Crowd<Vec2>) -> Work {
    Box::new(move || {
        for tick in 0..TICKS {
            order_all(&mut crowd, tick);
            crowd.step();
        }
    })
}

/// Fifty routes across a wood, each of them past many of its 2,000 trees.
fn routes_through_a_wood() -> Work {
    const HALF: f32 = 700.0;
    let place = |i: usize, by: [f64; 2]| {
        let axis = |by: f64| ((i as f64 * by).fract() * 2.0 - 1.0) as f32 * HALF;
        Vec2::from(by.map(axis))
    };
    let tree = |i| Shape::Circle { center: place(i, [0.754_877_666, 0.569_840_291]), radius: 1.0 };
    let trees: Vec<Obstacle<Vec2>> = (1..=2_000).map(|i| Obstacle::from(tree(i))).collect();
    let mesh = NavMesh::new(&trees, &Space::OPEN, 0.25, 0.01).unwrap();
    Box::new(move || {
        let found = (1..=50).filter_map(|i| mesh.route(place(i, [0.618, 0.414]), Vec2::ZERO));
        assert_eq!(found.count(), 50);
    })
}

fn main() {
    valgrind::run(&[
        Case::new("game_crowd", || steps(crowd("game-crowd"), TICKS)),
        Case::new("chase", || steps(crowd("chase"), TICKS)),
        Case::new("separate", || steps(crowd("separate"), TICKS)),
        Case::new("flock_2d", || steps(crowd("flock-2d"), TICKS)),
        Case::new("doorway_150", || steps(at_the_door("doorway-150"), TICKS)),
        Case::new("counterflow", || steps(meeting("counterflow"), TICKS)),
        Case::new("ring_orca", || steps(in_the_middle("ring-orca"), TICKS)),
        Case::new("flock_in_view_270", || steps(flock_in_view(270.0), TICKS)),
        Case::new("rules_in_view_360", || steps(rules_in_view([360.0; 3]), TICKS)),
        Case::new("rules_in_views", || steps(rules_in_view([270.0, 91.0, 197.0]), TICKS)),
        Case::new("separation_fixed", || steps(falling_off(Falloff::Fixed), TICKS)),
        Case::new("separation_inverse", || steps(falling_off(Falloff::Inverse), TICKS)),
        Case::new("separation_projected", || steps(falling_off(Falloff::Projected), TICKS)),
        Case::new("flock_in_context", || steps(in_context(false), TICKS)),
        Case::new("flock_in_context_of_separation", || steps(in_context(true), TICKS)),
        Case::new("flock_2d_in_own_arrays", || own_steps(own_flock("flock-2d"))),
        Case::new("flock_3d_in_own_arrays", || own_steps(own_flock_in_space("flock-3d"))),
        Case::new("orders_to_1000", || steps_with_orders(units(1_000))),
        Case::new("flock_3d", || steps(crowd_in_space("flock-3d"), TICKS)),
        Case::new("opensteer_boids", || steps(crowd_in_space("opensteer-boids"), TICKS)),
        Case::new("routes_through_a_wood", routes_through_a_wood),
        Case::new("among_10_obstacles", || steps(crowd("among-obstacles"), 1)),
        Case::new("among_10000_obstacles", || steps(among_ten_thousand("among-obstacles"), 1)),
    ]);
}
