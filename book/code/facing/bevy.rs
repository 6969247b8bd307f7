use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;
use bevy_wayfare::wayfare::crowd::Spawn;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    // A group has settings that `Steer2d::new` has not. Its members are the entities.
    let mut guard = Group::new("guards", 0, Spawn::Points(vec![]), 2.0);
    guard.mass = 10.0.into();
    guard.turn_rate = 3.0; // Degrees per unit of time.
    guard.steer = List::default()
        .with(Seek::new(Target::Point(vec2(430.0, 220.0))))
        .with(Face::new(Target::Point(vec2(200.0, 60.0))));
    let start = Transform::from_xyz(60.0, 240.0, 0.0);
    let guard = world.spawn((Steer2d::from_group(guard), start)).id();

    let mut car = Group::new("cars", 0, Spawn::Points(vec![]), 3.0);
    car.mass = 5.0.into();
    car.turning_radius = Some(40.0);
    car.steer = List::default().with(Arrive::new(Target::Point(vec2(120.0, 240.0))));
    let start = Transform::from_xyz(300.0, 300.0, 0.0);
    let moving = Velocity(vec3(3.0, 0.0, 0.0));
    let car = world.spawn((Steer2d::from_group(car), start, moving)).id();

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    for entity in [guard, car] {
        if let Some(transform) = world.get::<Transform>(entity) {
            println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
        }
    }
    Ok(())
}
