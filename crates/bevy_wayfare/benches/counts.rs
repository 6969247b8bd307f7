//! Instruction counts of the plugin beside the crowd alone; `cargo xtask bench` compares them with
//! the baseline of all counts.
// It prints what it counts; in a benchmark a panic is the message.
#![allow(clippy::expect_used, clippy::print_stdout, clippy::unwrap_used)]

use bevy_ecs::world::World;
use bevy_math::{Vec2, vec2};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare;
use wayfare::Crowd;
use wayfare::crowd::Spawn;
use wayfare::spatial::space::{Bounds, Edge};

#[path = "../../wayfare-scene/benches/valgrind/mod.rs"]
mod valgrind;
use valgrind::{Case, Work};

/// The number of ticks that are counted.
const TICKS: usize = 10;

fn setup(count: usize) -> Setup<Vec2> {
    let side = (count as f32 / 0.1).sqrt();
    let bounds = Bounds { min: Vec2::ZERO, max: Vec2::splat(side), edge: Edge::Wrap };
    Setup { bounds: Some(bounds), ..Setup::default() }
}

/// A flock with the density of `flock-2d`, in rows.
fn birds(count: usize) -> (Group<Vec2>, impl Iterator<Item = Vec2>) {
    let mut birds = Group::new("birds", 0, Spawn::Points(Vec::new()), 0.7);
    birds.steer = List::default().with(Flock::default().radius(10.0));
    let columns = (count as f32).sqrt() as usize;
    let place = move |k: usize| vec2((k % columns) as f32, (k / columns) as f32) * 3.1;
    (birds, (0..count).map(place))
}

fn alone(count: usize) -> Crowd<Vec2> {
    let (group, places) = birds(count);
    let mut crowd = Crowd::new(setup(count)).unwrap();
    let group = crowd.add_group(group).unwrap();
    for place in places {
        crowd.add(group, place, Some(vec2(0.5, 0.3))).unwrap();
    }
    (0..5).for_each(|_| crowd.step());
    crowd
}

fn in_bevy(count: usize) -> World {
    let (group, places) = birds(count);
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane().with_setup(setup(count))).unwrap();
    let birds = Steer2d::from_group(group);
    for place in places {
        let moving = Velocity(vec2(0.5, 0.3).extend(0.0));
        world.spawn((birds.clone(), moving, Transform::from_translation(place.extend(0.0))));
    }
    (0..5).for_each(|_| bevy_wayfare::step::<Vec2>(&mut world));
    world
}

fn steps(mut crowd: Crowd<Vec2>) -> Work {
    Box::new(move || (0..TICKS).for_each(|_| crowd.step()))
}

fn steps_in_bevy(mut world: World) -> Work {
    Box::new(move || (0..TICKS).for_each(|_| bevy_wayfare::step::<Vec2>(&mut world)))
}

fn main() {
    valgrind::run(&[
        Case::new("flock_10000", || steps(alone(10_000))),
        Case::new("flock_10000_in_bevy", || steps_in_bevy(in_bevy(10_000))),
    ]);
}
