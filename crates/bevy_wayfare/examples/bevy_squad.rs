//! A squad with orders, as in a real-time strategy game: it lines up, attacks, and tells by events
//! what has happened. Headless: it ends after 300 ticks.
//!
//! Run it: `cargo run -p bevy_wayfare --example bevy_squad`

#![allow(clippy::print_stdout)] // It is a program that tells what happens.

use std::time::Duration;

use bevy_app::{App, FixedUpdate, Startup};
use bevy_ecs::prelude::*;
use bevy_math::prelude::*;
use bevy_time::TimeUpdateStrategy;
use bevy_transform::prelude::*;
use bevy_wayfare::prelude::*;
use bevy_wayfare::{Arrived, TargetLost};

/// The distance at which a soldier hits (length), and the damage per tick.
const REACH: f32 = 14.0;
const DAMAGE: f32 = 2.0;

#[derive(Component)]
struct Red;

#[derive(Component)]
struct Health(f32);

fn soldiers(name: &str) -> Steer2d {
    let list = List::default()
        .with(Arrive::new(Target::Order))
        .with(Separation::default().radius(12.0).max_force(1.5));
    Steer2d::new(name, 150.0, list).with_mass(0.1).with_radius(5.0)
}

fn spawn(mut commands: Commands<'_, '_>) {
    let (red, blue) = (soldiers("red"), soldiers("blue"));
    for k in 0..6 {
        // Each is ordered to a slot of its own in a line that faces +x.
        let (ahead, beside) = formation_slot(FormationShape::Line, k, 6, 18.0);
        let slot = Vec3::new(200.0 + ahead, 75.0 + beside, 0.0);
        let at = Transform::from_xyz(20.0 + 20.0 * k as f32, 40.0, 0.0);
        commands.spawn((Red, red.clone(), SteerTarget::Point(slot), Health(50.0), at));
    }
    for k in 0..4 {
        let at = Transform::from_xyz(280.0, 40.0 + 20.0 * k as f32, 0.0);
        commands.spawn((blue.clone(), Health(50.0), at));
    }
}

/// Orders a soldier to the nearest enemy.
fn attack(soldier: Entity, at: &Transform, crowd: &Wayfare<'_>, commands: &mut Commands<'_, '_>) {
    if let Some(enemy) = crowd.nearest(at.translation, Who::Group("blue")) {
        commands.entity(soldier).insert(SteerTarget::Entity(enemy));
    }
}

fn arrived(
    event: On<'_, '_, Arrived>,
    crowd: Wayfare<'_>,
    red: Query<'_, '_, (&Transform, &SteerTarget), With<Red>>,
    mut commands: Commands<'_, '_>,
) {
    if let Ok((at, SteerTarget::Point(_))) = red.get(event.entity) {
        println!("{} is in line, and attacks", event.entity);
        attack(event.entity, at, &crowd, &mut commands);
    }
}

fn target_lost(
    event: On<'_, '_, TargetLost>,
    crowd: Wayfare<'_>,
    red: Query<'_, '_, &Transform, With<Red>>,
    mut commands: Commands<'_, '_>,
) {
    if let Ok(at) = red.get(event.entity) {
        attack(event.entity, at, &crowd, &mut commands);
    }
}

fn fight(
    soldiers: Query<'_, '_, (&Transform, &SteerTarget), With<Red>>,
    mut enemies: Query<'_, '_, (&Transform, &mut Health), Without<Red>>,
    mut commands: Commands<'_, '_>,
) {
    for (at, target) in &soldiers {
        let SteerTarget::Entity(enemy) = *target else { continue };
        let Ok((there, mut health)) = enemies.get_mut(enemy) else { continue };
        if there.translation.distance(at.translation) < REACH && health.0 > 0.0 {
            health.0 -= DAMAGE;
            if health.0 <= 0.0 {
                println!("{enemy} falls");
                commands.entity(enemy).despawn();
            }
        }
    }
}

fn main() {
    let mut app = App::new();
    app.add_plugins(WayfarePlugin::plane().with_seed(4))
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, fight.after(WayfareSystems::Write))
        .add_observer(arrived)
        .add_observer(target_lost);
    // Without a window, time is that of 64 ticks per second.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 64.0)));
    (0..300).for_each(|_| app.update());
    let crowd = app.world().resource::<WayfareCrowd>();
    println!("after {} ticks the digest is {:016x}", crowd.crowd().tick(), crowd.digest());
    assert!(crowd.crowd().len() == 6, "the field is won");
}
