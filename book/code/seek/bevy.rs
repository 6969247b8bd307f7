use bevy_ecs::prelude::*;
use bevy_math::{Vec2, vec2, vec3};
use bevy_transform::components::Transform;
use bevy_wayfare::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // An app adds `WayfarePlugin::plane()`, and steps in `FixedUpdate`.
    let mut world = World::new();
    bevy_wayfare::init(&mut world, &WayfarePlugin::plane())?;
    let list = List::default().with(Seek::new(vec2(430.0, 220.0)));
    let car = Steer2d::new("cars", 3.0, list).with_mass(20.0);
    let start = Transform::from_xyz(60.0, 240.0, 0.0);
    let car = world.spawn((car, start, Velocity(vec3(0.0, 3.0, 0.0)))).id();

    for _ in 0..100 {
        bevy_wayfare::step::<Vec2>(&mut world);
    }
    if let Some(transform) = world.get::<Transform>(car) {
        println!("{:.3} {:.3}", transform.translation.x, transform.translation.y);
    }
    Ok(())
}
