//! A flock of 200 birds in space that flees from a hawk. Headless: it ends after 300 ticks.
//!
//! Run it: `cargo run -p bevy_wayfare --example flock`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use std::time::Duration;

use bevy_app::{App, Startup};
use bevy_ecs::prelude::*;
use bevy_math::prelude::*;
use bevy_time::TimeUpdateStrategy;
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;

#[derive(Component)]
struct Bird;

fn spawn(mut commands: Commands<'_, '_>) {
    let list = List::default()
        .with(Flee::new(Target::Order))
        .with(Flock::default().radius(12.0))
        .with(Wander::default().circle_distance(2.0).circle_radius(1.0).angle_change(0.2));
    let birds = Steer3d::new("birds", 12.0, list).with_mass(0.3);
    let hawk = commands.spawn(Transform::from_xyz(0.0, 20.0, -60.0)).id();
    for k in 0..200_u16 {
        let turn = f32::from(k) * 2.4;
        let out = f32::from(k).sqrt() * 2.0;
        let at = Transform::from_xyz(out * turn.cos(), 20.0 + f32::from(k % 7), out * turn.sin());
        commands.spawn((
            Bird,
            birds.clone(),
            at,
            Velocity(Vec3::X * 8.0),
            SteerTarget::Entity(hawk),
        ));
    }
}

fn main() {
    let mut app = App::new();
    app.add_plugins(WayfarePlugin::space().with_seed(2)).add_systems(Startup, spawn);
    // Without a window, time is that of 64 ticks per second.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)));
    let mut birds = app.world_mut().query_filtered::<(&Transform, &Velocity), With<Bird>>();
    for second in 1..=5 {
        (0..60).for_each(|_| app.update());
        let flying: Vec<_> = birds.iter(app.world()).collect();
        let mean = flying.iter().map(|(_, v)| v.0).sum::<Vec3>() / flying.len() as f32;
        let speed = flying.iter().map(|(_, v)| v.0.length()).sum::<f32>() / flying.len() as f32;
        println!(
            "after {second} s they fly along {:.2}, as one: {:.2}",
            mean,
            mean.length() / speed
        );
    }
    let crowd = app.world().resource::<WayfareCrowd<Vec3>>();
    println!("after {} ticks the digest is {:016x}", crowd.crowd().tick(), crowd.digest());
    assert_eq!(crowd.crowd().len(), 200);
}
