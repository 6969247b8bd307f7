//! A player on the ground (x, z) who is hunted by a pack, round a house. The player is an entity
//! that only has a transform. Headless: it ends after 300 ticks.
//!
//! Run it: `cargo run -p bevy_wayfare --example hunted`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use std::time::Duration;

use bevy_app::{App, FixedUpdate, Startup};
use bevy_ecs::prelude::*;
use bevy_math::prelude::*;
use bevy_time::{Fixed, Time, TimeUpdateStrategy};
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;

#[derive(Component)]
struct Player;

fn spawn(mut commands: Commands<'_, '_>) {
    let player = commands.spawn((Player, Transform::from_xyz(0.0, 0.0, -6.0))).id();
    let house = Obstacle::Box { size: Vec3::new(8.0, 3.0, 5.0) };
    commands.spawn((house, Transform::from_xyz(0.0, 1.5, 0.0)));
    let list = List::default()
        .with(AvoidObstacles::default().see_ahead(4.0).max_avoid_force(8.0))
        .with(Pursue::new(GroupId::ORDER))
        .with(Separation::default().radius(1.5).max_force(0.5));
    let wolves = Steer2d::new("wolves", 5.0, list).with_mass(0.2).with_radius(0.4);
    for k in 0..5_u8 {
        let at = Transform::from_xyz(f32::from(k) * 2.0 - 4.0, 0.0, 14.0);
        commands.spawn((wolves.clone(), at, SteerTarget::Entity(player)));
    }
}

/// The player runs round the house, slower than the wolves.
fn run(time: Res<'_, Time<Fixed>>, mut player: Single<'_, '_, &mut Transform, With<Player>>) {
    let turn = time.elapsed_secs() * 0.4;
    player.translation = Vec3::new(9.0 * turn.sin(), 0.0, -6.0 * turn.cos());
}

fn main() {
    let mut app = App::new();
    app.add_plugins(WayfarePlugin::ground().with_seed(5))
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, run.before(WayfareSystems::Read));
    // Without a window, time is that of 64 ticks per second.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)));
    let mut players = app.world_mut().query_filtered::<&Transform, With<Player>>();
    let mut near = f32::INFINITY;
    for tick in 0..300 {
        app.update();
        let Ok(player) = players.single(app.world()) else { continue };
        let crowd = app.world().resource::<WayfareCrowd>();
        let at = Vec2::new(player.translation.x, -player.translation.z);
        let Some(wolf) = crowd.crowd().nearest(at, None) else { continue };
        near = wolf.agent.position.distance(at);
        if tick % 60 == 59 {
            println!("the nearest wolf is {near:.1} m away");
        }
    }
    let crowd = app.world().resource::<WayfareCrowd>();
    println!("after {} ticks the digest is {:016x}", crowd.crowd().tick(), crowd.digest());
    assert!(near < 2.0, "they have caught up: {near}");
}
